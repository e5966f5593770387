"""TOML with places: where each key, each element and each drawn cell of a fixture stands.

tomli decides what is valid and what the values are; the scanner here only finds them again in the text,
so it may take for granted that the text is valid. It knows no game.

A file holds `[[puzzle]]` tables, or the keys of one puzzle at its top level. A *drawn* value is a string of
one line per row, or a list of such strings. Blanks around a row and empty lines around the drawing do not
belong to it, so drawings may be indented.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar, cast, overload

import tomli

from dnd.diagnostic import Span, input_error
from dnd.texts.lines import Text

# More than any fixture needs, less than the stack of any TOML parser.
_DEEPEST = 32
# Python refuses to read integers beyond some thousands of digits, with an error that names no place.
_LONGEST_NUMBER = 1000

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SCALAR = re.compile(r"\d{4}-\d\d-\d\d \d[^\s,\]}#]*|[^\s,\]}#]+")
_NOTABLE = re.compile(rf"[\"'#\[\]{{}}]|[0-9][0-9_]{{{_LONGEST_NUMBER},}}")
_END_OF = {'"': re.compile(r'\\.|"|\n', re.DOTALL), '"""': re.compile(r'\\.|"""', re.DOTALL)}
_NEWLINE = re.compile(r"\r?\n")
_CHARACTER = re.compile(r"\r\n|.", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:[ \t]*\r?\n[ \t\r\n]*|x.{2}|u.{4}|U.{8}|.)|\r\n|.", re.DOTALL)
_FIRST_LINE = re.compile(r"""\[\[?[ \t]*["']?[A-Za-z_]|[A-Za-z0-9_"'-][A-Za-z0-9_."'-]*[ \t]*=""")

T = TypeVar("T")


@dataclass(frozen=True)
class Value:
    """A key and its value; offsets in the file's text of the key, the value, the end, and a list's elements."""

    key: str
    value: object
    start: int
    value_start: int
    end: int
    items: tuple[int, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table of a fixture: its values and sub-tables by key, in the file's order.

    start: offset of its header, or of the top level's first key. end: offset after its last value.
    path: its name as headers write it.
    style: "header" (`[name]` and the top level), "dotted" (`name.key = ...`) or "inline" (`name = {...}`).
    """

    file: str
    text: str = field(repr=False)
    start: int
    values: dict[str, Value]
    tables: dict[str, Table]
    end: int
    path: str
    style: str
    places: Text = field(repr=False, compare=False)

    def __contains__(self, key: object) -> bool:
        return key in self.values or key in self.tables

    def get(self, key: str, default: object = None) -> Any:  # who asks has checked the type
        """The plain value of a key."""
        return self.values[key].value if key in self.values else default

    def plain(self) -> dict[str, object]:
        """The table as a plain dict."""
        plain = {key: value.value for key, value in self.values.items()}
        return plain | {key: table.plain() for key, table in self.tables.items()}

    def span(self, key: str = "", offset: int = 0) -> Span:
        """The place of a key's value, `offset` characters into its text; of the table where it has no such key."""
        if key in self.values:
            value = self.values[key]
            return self.places.span(value.value_start + offset, value.end)
        return self.places.span(self.tables[key].start if key in self.tables else self.start)

    def key_span(self, key: str) -> Span:
        """The place of a key itself."""
        start = self.values[key].start if key in self.values else self.tables[key].start
        return self.places.span(start, start + len(key))

    def item_span(self, key: str, index: int) -> Span:
        """The place of element `index` of a list."""
        return self.places.span(self.values[key].items[index])

    def drawn(self, key: str, index: int | None = None) -> list[str]:
        """The rows of a drawn value, or of element `index` of a list of drawings."""
        return [row for _, row in _rows(self._string(key, index))]

    def drawn_span(self, key: str, row: int, column: int, index: int | None = None) -> Span:
        """The place of a drawn cell.

        column = the row's length is the place after it; row = the number of rows is the place of the value.
        """
        value = self.values[key]
        start = value.value_start if index is None else value.items[index]
        rows = _rows(self._string(key, index))
        if row >= len(rows):
            return self.places.span(start)
        return self.places.span(next(islice(_offsets(self.text, start), rows[row][0] + column, None)))

    def _string(self, key: str, index: int | None) -> str:
        value = self.get(key)
        return str(value if index is None else value[index])

    def check_keys(self, known: Collection[str]) -> None:
        """Raise `InputError` unknown-key for the first key that is not known, with the nearest known one as a hint."""
        for key in sorted((*self.values, *self.tables), key=self._start):
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known keys: {', '.join(known)}"
                raise input_error("unknown-key", f"unknown key {_short(key)}", self.key_span(key), hint)

    def _start(self, key: str) -> int:
        return self.values[key].start if key in self.values else self.tables[key].start

    def require(self, key: str, kind: type[T], name: str) -> T:
        """The value of a key that must be there and of that type (bool is not an int); `name` says it in words."""
        if key not in self:
            raise input_error("missing-key", f"the key {key} is missing", self.span())
        return cast(T, self.optional(key, kind, name))

    @overload
    def optional(self, key: str, kind: type[T], name: str) -> T | None: ...
    @overload
    def optional(self, key: str, kind: type[T], name: str, default: T) -> T: ...
    def optional(self, key: str, kind: type[T], name: str, default: T | None = None) -> T | None:
        """As `require`, but a missing key gives the default."""
        value = self.tables.get(key, self.get(key, default))
        if key in self and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)):
            raise input_error("wrong-type", f"{key} must be {name}", self.span(key))
        return cast("T | None", value)


def looks_like(text: str) -> bool:
    """True if the first line that is neither blank nor a comment is one of TOML."""
    start = _GAP.match(text.removeprefix("\ufeff"))
    assert start
    return bool(_FIRST_LINE.match(text.removeprefix("\ufeff"), start.end()))


def read(text: str, file: str = "") -> list[Table]:
    """The puzzles' tables, one or more. Raises `InputError` toml-syntax, no-puzzle, wrong-type or unknown-key."""
    places = Text(text, file)
    document = _parsed(places)
    root = _Scanner(text).document()
    top = _table(places, root, document)
    if "puzzle" not in document:
        if not document:
            raise input_error("no-puzzle", "the file contains no puzzle", places.span(0))
        return [top]
    top.check_keys(["puzzle"])
    puzzles = document["puzzle"]
    if not isinstance(puzzles, list) or not all(isinstance(puzzle, dict) for puzzle in puzzles):
        raise input_error("wrong-type", "puzzles are written as tables [[puzzle]]", top.key_span("puzzle"))
    if not puzzles:
        raise input_error("no-puzzle", "the file contains no puzzle", top.key_span("puzzle"))
    return [_table(places, node, puzzle) for node, puzzle in zip(root.members["puzzle"].items, puzzles, strict=True)]


def _parsed(places: Text) -> dict[str, object]:
    _guard(places)
    try:
        return tomli.loads(places.text.removeprefix("\ufeff"))
    except tomli.TOMLDecodeError as error:
        message = error.msg[:1].lower() + error.msg[1:] if len(error.msg) < 200 else "invalid TOML"
        raise input_error("toml-syntax", message, places.span(places.offset(error.lineno, error.colno))) from None
    except (ValueError, RecursionError):
        # _guard leaves nothing that is known to come here; a key of a thousand parts is one of the few.
        raise input_error("toml-syntax", "the TOML reader cannot take this text", places.span(0)) from None


def _guard(places: Text) -> None:
    """Refuse what the TOML parser cannot read or locate: deep nesting, endless numbers."""
    text, depth, position = places.text, 0, 0
    while found := _NOTABLE.search(text, position):
        sign, position = found[0], found.end()
        if sign in "\"'":
            position = _string_end(text, found.start())
        elif sign == "#":
            position = _line_end(text, position)
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth = max(0, depth - 1)
        else:
            raise input_error(
                "toml-syntax", f"the number has too many digits ({len(sign)})", places.span(found.start())
            )
        if depth > _DEEPEST:
            raise input_error("toml-syntax", f"brackets nested more than {_DEEPEST} deep", places.span(found.start()))


@dataclass
class _Node:
    """A value or table as the scanner finds it. start: its key or header; value_start, end: the value alone."""

    start: int
    value_start: int
    end: int
    style: str = "value"
    path: str = ""
    members: dict[str, _Node] = field(default_factory=dict)
    items: list[_Node] = field(default_factory=list)


class _Scanner:
    """Finds the parts of a valid TOML text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 1 if text.startswith("\ufeff") else 0

    def document(self) -> _Node:
        start = self.gap()
        root = current = _Node(start, start, start, "header")
        while self.gap() < len(self.text):
            if self.text[self.position] == "[":
                current = self.header(root)
            else:
                self.pair(current)
        return root

    def gap(self) -> int:
        """Skip blanks, line ends and comments."""
        found = _GAP.match(self.text, self.position)
        assert found
        self.position = found.end()
        return self.position

    def header(self, root: _Node) -> _Node:
        """`[a.b]` or `[[a.b]]`: the table that the following keys belong to."""
        start, is_list = self.position, self.text.startswith("[[", self.position)
        self.position += 2 if is_list else 1
        *parents, last = self.key()
        self.position = self.text.index("]", self.position) + (2 if is_list else 1)
        parent = root
        for part in parents:
            parent = self.child(parent, part, start, "header")
        if not is_list:
            return self.child(parent, last, start, "header")
        tables = self.child(parent, last, start, "header")
        tables.items.append(_Node(start, start, self.position, "header", tables.path))
        return tables.items[-1]

    def child(self, parent: _Node, part: str, start: int, style: str) -> _Node:
        """The member `part` of a table, made if it is new; in a list of tables, the last one."""
        parent = parent.items[-1] if parent.items else parent
        if part not in parent.members:
            # A header names its whole path, a dotted key only the part after the header that it stands under.
            above = parent.path if parent.style == style else ""
            path = f"{above}.{_key(part)}" if above else _key(part)
            parent.members[part] = _Node(start, start, self.position, style, path)
        return parent.members[part]

    def pair(self, table: _Node, style: str = "dotted") -> None:
        """`a.b = value` in a table."""
        self.gap()
        start = self.position
        *parents, last = self.key()
        self.position = self.text.index("=", self.position) + 1
        self.gap()
        value = self.value(start)
        for part in parents:
            table = self.child(table, part, start, style)
        table.members[last] = value

    def key(self) -> list[str]:
        """A dotted key's parts."""
        parts = [self.key_part()]
        while self.text.startswith(".", self.blanks()):
            self.position += 1
            parts.append(self.key_part())
        return parts

    def blanks(self) -> int:
        while self.text.startswith((" ", "\t"), self.position):
            self.position += 1
        return self.position

    def key_part(self) -> str:
        start = self.blanks()
        if bare := _BARE_KEY.match(self.text, start):
            self.position = bare.end()
            return bare[0]
        self.position = _string_end(self.text, start)
        return str(tomli.loads(f"key = {self.text[start : self.position]}")["key"])

    def value(self, start: int) -> _Node:
        node = _Node(start, self.position, self.position)
        sign = self.text[self.position]
        if sign == "[":
            self.elements(node, "]", lambda: node.items.append(self.value(self.position)))
        elif sign == "{":
            node.style = "inline"
            self.elements(node, "}", lambda: self.pair(node, "inline"))
        elif sign in "\"'":
            self.position = _string_end(self.text, self.position)
        else:
            scalar = _SCALAR.match(self.text, self.position)
            assert scalar
            self.position = scalar.end()
        node.end = self.position
        return node

    def elements(self, node: _Node, close: str, element: Callable[[], None]) -> None:
        """What stands between brackets, separated by commas."""
        self.position += 1
        while self.text[self.gap()] != close:
            element()
            if self.text[self.gap()] == ",":
                self.position += 1
        self.position += 1


def _table(places: Text, node: _Node, plain: dict[str, object]) -> Table:
    values: dict[str, Value] = {}
    tables: dict[str, Table] = {}
    for key, value in plain.items():
        member = node.members[key]
        if isinstance(value, dict):
            tables[key] = _table(places, member, value)
        else:
            items = tuple(item.value_start for item in member.items)
            values[key] = Value(key, value, member.start, member.value_start, member.end, items)
    start = node.value_start if node.style == "inline" else node.start
    own = [value.end for value in values.values()]
    own += [table.end for table in tables.values() if table.style != "header"]
    end = max([node.end, *own])
    return Table(places.file, places.text, start, values, tables, end, node.path, node.style, places)


def _string_end(text: str, start: int) -> int:
    """Offset after the string that starts at `start`; of a broken one where it breaks off."""
    quote = text[start]
    mark = quote * 3 if text.startswith(quote * 3, start) else quote
    position = start + len(mark)
    if quote == "'":
        end = text.find(mark, position)
        end = len(text) if end < 0 else end + len(mark)
    else:
        ends = (found.end() for found in _END_OF[mark].finditer(text, position) if found[0][0] != "\\")
        end = next(ends, len(text))
    if len(mark) == 3:
        # Up to two quotes may stand before the closing three.
        end += len(text[end : end + 2]) - len(text[end : end + 2].lstrip(quote))
    return end


def _line_end(text: str, start: int) -> int:
    """Offset after the line of `start`, its line end included."""
    return text.find("\n", start) + 1 or len(text)


def _offsets(text: str, start: int) -> Iterator[int]:
    """Where each character of the string that starts at `start` stands, and where the string closes."""
    end = _string_end(text, start)
    quotes = 3 if text.startswith(text[start] * 3, start) else 1
    first, last = start + quotes, end - quotes
    if quotes == 3 and (newline := _NEWLINE.match(text, first)):
        first = newline.end()
    pattern = _CHARACTER if text[start] == "'" else _ESCAPED
    yield from (found.start() for found in pattern.finditer(text, first, last) if not _joins_lines(found[0]))
    yield last


def _joins_lines(escape: str) -> bool:
    """True for a backslash at a line's end, which joins lines."""
    return len(escape) > 1 and escape[0] == "\\" and escape[1] in " \t\r\n"


def _rows(drawing: str) -> list[tuple[int, str]]:
    """Offset in the drawing and text of each row."""
    rows, position = [], 0
    for line in drawing.split("\n"):
        row = line.strip(" \t")
        rows.append((position + line.index(row), row))
        position += len(line) + 1
    filled = [number for number, (_, row) in enumerate(rows) if row]
    return rows[filled[0] : filled[-1] + 1] if filled else []


def edited(table: Table, changes: Mapping[str, object]) -> str:
    """The file's text with keys of the table set, everything else unchanged byte for byte.

    New keys go after the table's last one. None removes a key. A dict sets keys of a sub-table, which is made
    if there is none. Strings with line ends are written as multi-line strings. An inline table is rewritten.
    Raises ValueError where a table would have to be replaced.
    """
    text = table.text
    newline = "\r\n" if "\r\n" in text else "\n"
    for start, end, new in sorted(_edits(table, changes), key=lambda edit: edit[:2], reverse=True):
        new = new.replace("\n", newline)
        if start == end and start and text[start - 1] != "\n":
            new = newline + new
        text = text[:start] + new + text[end:]
    return text


def _edits(table: Table, changes: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
    """(start, end, new text) of each change."""
    if table.style == "inline":
        merged = _merged(table.plain(), changes)
        yield table.start, table.end, literal(merged)
        return
    prefix = f"{table.path}." if table.style == "dotted" else ""
    added, sections = "", ""
    for key, value in changes.items():
        if key in table.values:
            yield _replacement(table.text, table.values[key], value)
        elif key in table.tables and isinstance(value, Mapping):
            yield from _edits(table.tables[key], value)
        elif key in table.tables:
            yield _table_replacement(table.tables[key], value)
        elif isinstance(value, Mapping) and table.style == "header":
            path = f"{table.path}.{_key(key)}" if table.path else _key(key)
            sections += f"[{path}]\n" + "".join(_pair(*pair) for pair in value.items())
        elif value is not None:
            added += prefix + _pair(key, value)
    # Where both go to one place the later insertion comes to stand first.
    if sections:
        at = _line_end(table.text, _extent(table))
        yield at, at, sections
    if added:
        # A top level without keys has no line to go after; its first table must not get them.
        at = _line_end(table.text, table.end) if table.path or table.end > table.start else table.start
        yield at, at, added


def _replacement(text: str, value: Value, new: object) -> tuple[int, int, str]:
    if new is not None:
        return value.value_start, value.end, literal(new)
    return text.rfind("\n", 0, value.start) + 1, _line_end(text, value.end), ""


def _table_replacement(table: Table, new: object) -> tuple[int, int, str]:
    if table.style != "inline" or new is None:
        raise ValueError(f"only keys of the table {table.path} can be set, it cannot be replaced or removed")
    return table.start, table.end, literal(new)


def _extent(table: Table) -> int:
    return max([table.end, *(_extent(inner) for inner in table.tables.values())])


def _merged(plain: dict[str, object], changes: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in {**plain, **changes}.items() if value is not None}


def _pair(key: str, value: object) -> str:
    return f"{_key(key)} = {literal(value)}\n"


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else f'"{_escaped(key, "")}"'


def literal(value: object) -> str:
    """A string, whole number, truth value, list or dict as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        items = [literal(item) for item in value]
        if any("\n" in item for item in items):
            return "[\n" + "".join(f"{item},\n" for item in items) + "]"
        return "[" + ", ".join(items) + "]"
    return str(value)


def _string(value: str) -> str:
    return f'"""\n{_escaped(value, chr(10))}"""' if "\n" in value else f'"{_escaped(value, "")}"'


def _escaped(value: str, plain: str) -> str:
    """A string's inside; the control characters of `plain` stand for themselves."""
    return "".join(char if char in plain else _escape(char) for char in value)


def _escape(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return f"\\u{ord(char):04x}" if char < " " or char == "\x7f" else char


def _short(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:40] + "...")
