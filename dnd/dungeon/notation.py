"""The dungeon's text forms, in and out (docs/formats.md): fixture tables, the one-line notation, JSON.

Formats of other programs are in `foreign.py`. Readers yield entries one by one and raise `InputError`s that point
into their text; writers raise `InputError` not-writable for what their form cannot hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import cast

from dnd import grid
from dnd.diagnostic import Span, cell_name, counted, input_error, located
from dnd.dungeon import alphabet, foreign
from dnd.dungeon.alphabet import GAME_NAME, UNKNOWN
from dnd.dungeon.puzzle import Board, Clue, Puzzle, PuzzleError, check_shape
from dnd.game import Entry, FormatInfo
from dnd.testing.expectations import check_count, check_faults, check_plain, check_solutions
from dnd.texts import toml
from dnd.texts.json import JsonText, Members, is_object, name_of, puzzle_objects
from dnd.texts.lines import Line, decode, line_fields, name_field, plain, puzzle_lines
from dnd.texts.toml import Table

# ---------------------------------------------------------------- fixture tables (TOML)

_KEYS = ("game", "name", "rows", "columns", "board", "monsters", "treasures", "note", "expect")
_COUNTS = ("nodes", "reference_solutions", "reference_nodes")
_EXPECT_KEYS = ("solutions", "solution", "faults", "rating", *_COUNTS)
_HEXADECIMAL = re.compile(r"(0[xX])?([0-9a-fA-F]+)")


def read_table(table: Table) -> Entry:
    """The puzzle of a fixture's table, with its board and expectations."""
    table.check_keys(_KEYS)
    table.optional("game", str, "a string")
    table.optional("note", str, "a string")
    name = table.optional("name", str, "a string", "")
    rows, columns = _table_clues(table, "rows"), _table_clues(table, "columns")
    with located(lambda *_: table.span(alphabet.bad_side(rows))):
        check_shape(len(rows), len(columns))
    with located(lambda side, index: table.item_span(side, index)):
        alphabet.puzzle(["." * len(columns)] * len(rows), rows, columns, name)
    letters = _table_letters(table, len(rows), len(columns))
    monsters, treasures = _table_objects(table, letters, len(rows), len(columns))
    puzzle = Puzzle(rows, columns, monsters, treasures, name)
    board = alphabet.board(letters, puzzle.objects) if letters and alphabet.is_decided(letters) else None
    expect = _expectations(table.tables.get("expect"), puzzle, board)
    if "expect" in table.values:
        raise input_error("wrong-type", "expect must be a table", table.key_span("expect"))
    return Entry(GAME_NAME, puzzle, board, name, expect, span=table.span(), table=table)


def _table_clues(table: Table, side: str) -> tuple[Clue, ...]:
    clues = table.require(side, list, 'a list of clues, such as [3, 0, "?"]')
    return tuple(None if clue == UNKNOWN else clue for clue in clues)


def _table_letters(table: Table, height: int, width: int) -> list[str]:
    """The rows of the drawn board; [] if there is none."""
    if "board" not in table:
        return []
    table.require("board", str, "a drawn board, one line per row")
    return _drawn(table, "board", None, height, width, alphabet.LETTERS)


def _drawn(table: Table, key: str, index: int | None, height: int, width: int, letters: dict[str, str]) -> list[str]:
    rows = table.drawn(key, index)

    def place(row: int, column: int) -> Span:
        return table.drawn_span(key, row, column, index)

    alphabet.check_rows(rows, height, width, place)
    return alphabet.translated(rows, letters, place)


def _table_objects(table: Table, letters: list[str], height: int, width: int) -> tuple[int, int]:
    """The masks of monsters and treasures, drawn or in hexadecimal; where both are given, they must agree."""
    drawn = {
        key: alphabet.mask(letters, sign) if letters else 0 for key, sign in (("monsters", "M"), ("treasures", "T"))
    }
    masks = {key: _hexadecimal(table, key, height * width) for key in drawn if key in table or not letters}
    # A wall may hide an object: so a fixture can show a board that breaks this rule.
    seen = ~alphabet.mask(letters, "#") if letters else 0
    for key, mask in masks.items():
        for cell in grid.cells((mask ^ drawn[key]) & seen, width)[:1]:
            message = f"the board and the key {key} disagree about {cell_name(cell)}"
            raise input_error("board-conflict", message, table.drawn_span("board", *cell))
    both = drawn | masks
    for cell in grid.cells(both["monsters"] & both["treasures"], width)[:1]:
        message = f"{cell_name(cell)} holds both a monster and a treasure"
        raise input_error("monster-on-treasure", message, table.span("treasures"))
    return both["monsters"], both["treasures"]


def _hexadecimal(table: Table, key: str, size: int) -> int:
    text = table.require(key, str, 'a hexadecimal number in quotes, such as "0x20"')
    found = _HEXADECIMAL.match(text)
    if not found or found.end() < len(text):
        at = found.end() if found else 0
        message = f"{key} must be a hexadecimal number"
        raise input_error("bad-hexadecimal", message, table.span(key, at + 1))
    digits = found[2].lstrip("0")
    if len(digits) * 4 > size + 3 or int(digits or "0", 16) >> size:
        raise input_error("outside-board", f"{key} has cells outside the board", table.span(key))
    return int(digits or "0", 16)


def _expectations(table: Table | None, puzzle: Puzzle, board: Board | None) -> dict[str, object]:
    if table is None:
        return {}
    table.check_keys(_EXPECT_KEYS)
    check_plain(table)
    for key in _COUNTS:
        check_count(table, key)
    table.optional("rating", str, "a string")
    check_solutions(table, lambda index: _solution(table, puzzle, index))
    _check_faults(table, board)
    return table.plain()


def _solution(table: Table, puzzle: Puzzle, index: int | None) -> Board:
    letters = _drawn(table, "solution", index, puzzle.height, puzzle.width, alphabet.SOLVED)
    return alphabet.overlaid(
        puzzle, letters, "expect-conflict", lambda row, column: table.drawn_span("solution", row, column, index)
    )


def _check_faults(table: Table, board: Board | None) -> None:
    if "faults" in table.values and board is None:
        table.optional("faults", list, "a list of rule codes")
        message = "faults are those of a drawn board; this puzzle has no board with # or ? in it"
        raise input_error("expect-conflict", message, table.key_span("faults"))
    check_faults(table, _rule_codes)


def _rule_codes() -> list[str]:
    from dnd.dungeon import rules

    return [rule.code for rule in rules.all_rules()]


def _write_toml(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """A `[[puzzle]]` table, so that texts can be joined in a file."""
    keys: dict[str, object] = {"game": GAME_NAME, **({"name": name} if name else {})}
    for side, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        keys[side] = [UNKNOWN if clue is None else clue for clue in clues]
    keys["board"] = "\n".join([*puzzle.letters(board), ""])
    return "\n".join(["[[puzzle]]", *(f"{key} = {toml.literal(value)}" for key, value in keys.items())])


# ---------------------------------------------------------------- the one-line notation (DDN)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_DDN_NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")
_DDN_LETTERS = {"m": "M", "t": "T", "w": "#", "f": "."}
_DDN_RUNS = re.compile(r"[0-9]+|.")


def _read_ddn(text: str, file: str) -> Iterator[Entry]:
    """Entries of a text of one puzzle a line."""
    return (_ddn_entry(*found) for found in puzzle_lines(text, file))


def _ddn_entry(line: Line, words: list[re.Match[str]]) -> Entry:
    # A share link ends in # and the notation.
    notation = words[0][0].rpartition("#")[2]
    line_ = line.piece(words[0].end() - len(notation))
    name, fields = line_fields(line, words[1:])
    puzzle, board = _ddn(notation, line_, name)
    return Entry(GAME_NAME, puzzle, board, name, fields=fields, span=line_.span())


def _ddn(notation: str, line: Line, name: str) -> tuple[Puzzle, Board | None]:
    fields = notation.split(":")
    if len(fields) != 3:
        at = len(notation) if len(fields) < 3 else len(":".join(fields[:3]))
        message = "a board is written <column clues>:<row clues>:<rows joined by />"
        raise input_error("bad-ddn", message, line.span(at))
    parts = {"columns": line, "rows": line.piece(len(fields[0]) + 1)}
    columns, rows = _ddn_clues(fields[0], parts["columns"]), _ddn_clues(fields[1], parts["rows"])
    with located(lambda *_: parts[alphabet.bad_side(rows)].span()):
        check_shape(len(rows), len(columns))
    letters = _ddn_letters(fields[2], len(rows), len(columns), parts["rows"].piece(len(fields[1]) + 1))
    with located(lambda side, index: parts[side].span(_clue_offset(fields[side == "rows"], index))):
        puzzle = alphabet.puzzle(letters, rows, columns, name)
    # Any floor or wall, and the notation tells of a board; a number alone is a run of undecided cells.
    is_board = any("#" in row or "." in row for row in letters)
    return puzzle, alphabet.board(letters, puzzle.objects) if is_board else None


def _ddn_clues(field: str, line: Line) -> list[Clue]:
    """One character per clue, or numbers in a comma list."""
    is_list = "," in field
    clues: list[Clue] = []
    for index, item in enumerate(field.split(",") if is_list else field):
        if item == ".":
            clues.append(None)
        elif _DDN_NUMBER.fullmatch(item) if is_list else item in _DIGITS:
            clues.append(int(item) if is_list else _DIGITS.index(item))
        else:
            hint = "one character 0-9a-z or . a clue, or numbers separated by commas"
            raise input_error("clue-type", f"{item[:10]!r} is not a clue", line.span(_clue_offset(field, index)), hint)
    return clues


def _clue_offset(field: str, index: int) -> int:
    return sum(len(item) + 1 for item in field.split(",")[:index]) if "," in field else index


def _ddn_letters(field: str, height: int, width: int, line: Line) -> list[str]:
    letters: list[str] = []
    rows, at = field.split("/"), 0
    with located(lambda _, offset: line.span(at + offset)):
        for row in rows[:height]:
            letters.append(_ddn_row(row, width))
            at += len(row) + 1
    if len(rows) != height:
        message = f"{counted(len(rows), 'row')} written for {counted(height, 'row clue')}"
        raise input_error("row-number", message, line.span(min(at, len(field))))
    return letters


# Boards of a collection have many rows in common.
@lru_cache(maxsize=1 << 14)
def _ddn_row(row: str, width: int) -> str:
    """A row in our letters. Raises `PuzzleError` with the offset as its place."""
    letters = ""
    for run in _DDN_RUNS.finditer(row):
        if run[0] in _DDN_LETTERS:
            letters += _DDN_LETTERS[run[0]]
        elif run[0][0] in "123456789":
            letters += UNKNOWN * (int(run[0]) if len(run[0]) < 4 else width + 1)
        else:
            message = f"{run[0][:10]!r} is not a cell, nor a number of undecided cells without leading zeros"
            raise PuzzleError("bad-ddn", message, ("", run.start()))
        if len(letters) > width:
            message = f"the row has more cells than there are column clues ({width})"
            raise PuzzleError("row-length", message, ("", run.start()))
    if len(letters) < width:
        message = f"the row has {counted(len(letters), 'cell')} for {counted(width, 'column clue')}"
        raise PuzzleError("row-length", message, ("", len(row)))
    return letters


def _write_ddn(puzzle: Puzzle, board: Board | None, name: str) -> str:
    return puzzle.ddn(board) + name_field(name)


# ---------------------------------------------------------------- JSON

_JSON_KEYS = ("rows", "columns", "monsters", "treasures")


def _read_json(text: str, file: str) -> Iterator[Entry]:
    """Objects, lists of objects, {"puzzles": list}; one or more of them, one after the other."""
    return (_json_entry(*found) for found in puzzle_objects(text, file))


def _json_entry(source: JsonText, at: int, members: Members) -> Entry:
    for key in _JSON_KEYS:
        if key not in members:
            raise input_error("missing-key", f"the key {key} is missing", source.places.span(at))
    rows, columns = _json_clues(source, members["rows"]), _json_clues(source, members["columns"])
    with located(lambda *_: source.places.span(members[alphabet.bad_side(rows)][0])):
        check_shape(len(rows), len(columns))
    name = name_of(source, members)
    monsters, treasures = (_json_cells(source, *members[key], len(rows), len(columns)) for key in _JSON_KEYS[2:])
    for cell in grid.cells(monsters & treasures, len(columns))[:1]:
        index = cast("list[object]", members["treasures"][1]).index(list(cell))
        message = f"{cell_name(cell)} holds both a monster and a treasure"
        raise input_error("monster-on-treasure", message, _json_item(source, members["treasures"][0], index))
    with located(lambda side, index: _json_item(source, members[side][0], index)):
        alphabet.check_numbers("rows", rows)
        alphabet.check_numbers("columns", columns)
        puzzle = Puzzle(rows, columns, monsters, treasures, name)
    return Entry(GAME_NAME, puzzle, _json_board(source, members, puzzle), name, span=source.places.span(at))


def _json_clues(source: JsonText, member: tuple[int, object]) -> tuple[Clue, ...]:
    start, clues = member
    if not isinstance(clues, list):
        raise input_error("wrong-type", "expected a list of clues", source.places.span(start))
    return tuple(None if clue == UNKNOWN else clue for clue in clues)


def _json_cells(source: JsonText, start: int, pairs: object, height: int, width: int) -> int:
    if not isinstance(pairs, list):
        raise input_error("wrong-type", "expected a list of [row, column] pairs", source.places.span(start))
    mask = 0
    for index, pair in enumerate(pairs):
        bit = 1 << _json_cell(source, start, index, pair, height, width)
        if mask & bit:
            raise input_error("repeated-cell", "this cell is listed twice", _json_item(source, start, index))
        mask |= bit
    return mask


def _json_cell(source: JsonText, start: int, index: int, pair: object, height: int, width: int) -> int:
    if not isinstance(pair, list) or [type(number) for number in pair] != [int, int]:
        raise input_error("wrong-type", "expected a pair [row, column]", _json_item(source, start, index))
    row, column = pair
    if not (0 <= row < height and 0 <= column < width):
        message = f"the cell lies outside the {height}x{width} board (rows and columns count from 0)"
        raise input_error("outside-board", message, _json_item(source, start, index))
    return int(row * width + column)


def _json_item(source: JsonText, start: int, index: int) -> Span:
    offset = next(at for number, at in enumerate(source.items(start)) if number == index)
    return source.places.span(offset)


def _json_board(source: JsonText, members: Members, puzzle: Puzzle) -> Board | None:
    """What "board" has decided, else the complete board "solution"; None if there is neither."""
    key = "board" if "board" in members else "solution"
    start, rows = members.get(key, (0, None))
    if rows is None:
        return None
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise input_error("wrong-type", f"{key} must be a list of strings, one per row", source.places.span(start))

    def place(row: int, column: int) -> Span:
        if row >= len(rows):
            return source.places.span(start)
        # Escapes have no business in a row; where there are some, the row is near enough.
        span = _json_item(source, start, row)
        return span if "\\" in span.text else Span(span.file, span.line, span.column + 1 + column, span.text)

    alphabet.check_rows(rows, puzzle.height, puzzle.width, place)
    letters = alphabet.translated(rows, alphabet.LETTERS if key == "board" else alphabet.SOLVED, place)
    return alphabet.overlaid(puzzle, letters, "board-conflict", place)


def _write_json(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """One line, an object; unknown clues are null."""
    value: dict[str, object] = {"name": name} if name else {}
    value |= {"rows": puzzle.rows, "columns": puzzle.columns}
    value |= {"monsters": puzzle.monster_cells, "treasures": puzzle.treasure_cells}
    if board is not None:
        value["board"] = puzzle.letters(board)
    return json.dumps(value, ensure_ascii=False)


# The reader of C takes as long to import as the rest of this module: it is imported when a text looks like C.


def _may_be_course(head: str) -> bool:
    if not any(word in head for word in ("problem", "monsters", "treasures", "rows", "columns")):
        return False
    from dnd.dungeon import course_source

    return course_source.is_source(head)


def _read_course(text: str, file: str) -> Iterator[Entry]:
    from dnd.dungeon import course_source

    return course_source.read_course(text, file)


def _write_course(puzzle: Puzzle, board: Board | None, name: str) -> str:
    from dnd.dungeon import course_source

    return course_source.write_course(puzzle, board, name)


# ---------------------------------------------------------------- all forms

_READERS: dict[str, Callable[[str, str], Iterator[Entry]]] = {
    "ddn": _read_ddn,
    "json": _read_json,
    "jsonl": _read_json,
    "text": foreign.read_grids,
    "daily": foreign.read_daily,
    "course": _read_course,
}
_WRITERS: dict[str, Callable[[Puzzle, Board | None, str], str]] = {
    "ddn": _write_ddn,
    "toml": _write_toml,
    "json": _write_json,
    "text": foreign.write_grid,
    "daily": foreign.write_daily,
    "course": _write_course,
}
FORMATS = {
    "ddn": FormatInfo("one line: column clues, row clues, the rows"),
    "toml": FormatInfo("fixtures: a readable table, with what tests expect", "pytest with this package's plug-in"),
    "json": FormatInfo("objects with rows, columns, monsters and treasures"),
    "jsonl": FormatInfo("the same, one object a line"),
    "text": FormatInfo("a grid with its clues above and at the left", "people; show and solve print it"),
    "daily": FormatInfo("one line: name, column clues, rows; or a link that holds it", "Daily-D&D"),
    "course": FormatInfo("C structs of the type problem", "the course's program"),
    "tokyo": FormatInfo("the game's data file, tokyo.dat", "Last Call BBS"),
}
FORMATS_IN = (*_READERS, "tokyo")
FORMATS_OUT = tuple(_WRITERS)
LINE_FORMATS = ("ddn", "daily", "jsonl")
BYTE_FORMATS: tuple[str, ...] = ()
SUFFIXES: dict[str, str] = {}

_HEAD = 1 << 16
# A size in front, 8x8, is a Suguru; as clues it would hold x, 33, which no board has room for.
_DDN_START = re.compile(r"(?![0-9]+x[0-9]+:)(?:[0-9A-Za-z.,?-]*:[0-9A-Za-z.,?-]*:[^!]*|[0-9a-z.,]{2,}:[0-9a-z.,/]{2,})")
_FIRST_LINE = re.compile(r"(?:[ \t]*(?:(?:#|//).*)?\n)*[ \t]*(.*)")


def detect(data: bytes) -> str | None:
    """The format that bytes are in, judged by their beginning; None if it is not one of this game's, or a fixture."""
    if b"\0" in data[:8] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "tokyo"
    head = plain(data[:_HEAD].decode("utf-8", "replace"))
    if _may_be_course(head):
        return "course"
    return _detect_line(head) or ("text" if foreign.has_grid(head) else None)


def guess(data: bytes) -> str | None:
    """A hint for bytes that were not detected: there is none."""
    return None


def _detect_line(head: str) -> str | None:
    """The format that the first line shows that is neither blank nor a comment."""
    found = _FIRST_LINE.match(head)
    line = found[1].rstrip() if found else ""
    if not line:
        return "ddn" if head.lstrip().startswith("#") else None
    if line[0] in "{[":
        return "jsonl" if is_object(line) else "json"
    if _DDN_START.fullmatch(re.split("[ \t]", line, maxsplit=1)[0].rpartition("#")[2]):
        return "ddn"
    if foreign.is_daily(line):
        return "daily"
    return None


def read(data: bytes, format: str, file: str = "") -> Iterator[Entry]:
    """The entries of bytes in one of FORMATS_IN."""
    if format == "tokyo":
        return foreign.read_tokyo(data, file)
    return _READERS[format](plain(decode(data, file)), file)


def write(puzzle: Puzzle, board: Board | None, name: str, format: str) -> str:
    """A puzzle, and what `board` has decided, in one of FORMATS_OUT, without a final line end.

    Raises `InputError` not-writable: the board does not fit, it has a wall on an object, or the format's limits.
    """
    alphabet.check_writable(puzzle, board)
    return _WRITERS[format](puzzle, board, name)
