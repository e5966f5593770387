"""Suguru's text forms, in and out (docs/suguru.md): fixture tables, the one-line form, JSON.

Formats of other programs are in `foreign.py`. Readers yield entries one by one and raise `InputError`s that point
into their text; writers raise `InputError` not-writable for what their form cannot hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from dnd.diagnostic import Span, cell_name, counted, input_error, located
from dnd.game import Entry, FormatInfo
from dnd.suguru import alphabet, foreign
from dnd.suguru.alphabet import GAME_NAME, Place
from dnd.suguru.puzzle import HOLE, Board, Puzzle, check_shape, components, numbered
from dnd.testing.expectations import check_count, check_faults, check_plain, check_solutions
from dnd.texts import toml
from dnd.texts.json import JsonText, Members, name_of, puzzle_objects
from dnd.texts.lines import Line, decode, line_fields, name_field, plain, puzzle_lines
from dnd.texts.toml import Table

# ---------------------------------------------------------------- fixture tables (TOML)

_KEYS = ("game", "name", "cages", "givens", "board", "note", "expect")
_EXPECT_KEYS = ("solutions", "solution", "faults", "nodes", "rating")


def read_table(table: Table) -> Entry:
    """The puzzle of a fixture's table, with its board and expectations."""
    table.check_keys(_KEYS)
    table.optional("game", str, "a string")
    table.optional("note", str, "a string")
    name = table.optional("name", str, "a string", "")
    rows = _drawn(table, "cages", None)
    height, width = len(rows), len(rows[0]) if rows else 0
    cage_place = _drawing_place(table, "cages", None)
    with located(lambda *_: table.span("cages")):
        check_shape(height, width)
    alphabet.check_rows(rows, height, width, cage_place)
    cages = components(alphabet.labels(rows, alphabet.CAGE_SIGNS, cage_place), width)
    alphabet.check_cages(cages, width, cage_place)
    givens = _drawn_values(table, "givens", None, cages, width) if "givens" in table else [0] * len(cages)
    puzzle = alphabet.puzzle(cages, givens, width, name, cage_place, _drawing_place(table, "givens", None))
    board = _drawn_board(table, "board", None, puzzle) if "board" in table else None
    if "expect" in table.values:
        raise input_error("wrong-type", "expect must be a table", table.key_span("expect"))
    expect = _expectations(table.tables.get("expect"), puzzle)
    return Entry(GAME_NAME, puzzle, board, name, expect, span=table.span(), table=table)


def _drawn(table: Table, key: str, index: int | None) -> list[str]:
    if index is None:
        table.require(key, str, "drawn, one line per row")
    return table.drawn(key, index)


def _drawing_place(table: Table, key: str, index: int | None) -> Place:
    return lambda row, column: table.drawn_span(key, row, column, index)


def _drawn_values(table: Table, key: str, index: int | None, cages: Sequence[int], width: int) -> list[int]:
    rows, place = _drawn(table, key, index), _drawing_place(table, key, index)
    alphabet.check_rows(rows, len(cages) // width, width, place)
    return alphabet.values(rows, cages, place)


def _drawn_board(table: Table, key: str, index: int | None, puzzle: Puzzle, code: str = "board-conflict") -> Board:
    values = _drawn_values(table, key, index, puzzle.cages, puzzle.width)
    return alphabet.board(puzzle, values, _drawing_place(table, key, index), code)


def _expectations(table: Table | None, puzzle: Puzzle) -> dict[str, object]:
    if table is None:
        return {}
    table.check_keys(_EXPECT_KEYS)
    check_plain(table)
    check_count(table, "nodes")
    table.optional("rating", str, "a string")
    check_solutions(table, lambda index: _solution(table, puzzle, index))
    check_faults(table, _rule_codes)
    return table.plain()


def _solution(table: Table, puzzle: Puzzle, index: int | None) -> Board:
    """A drawn solution, which must be complete and keep the givens."""
    board = _drawn_board(table, "solution", index, puzzle, "expect-conflict")
    place = _drawing_place(table, "solution", index)
    for cell, (value, cage) in enumerate(zip(board.values, puzzle.cages, strict=True)):
        if not value and cage != HOLE:
            where = divmod(cell, puzzle.width)
            raise input_error("expect-conflict", f"the solution has no value at {cell_name(where)}", place(*where))
    changed = alphabet.changed_given(puzzle, board)
    if changed:
        raise input_error("expect-conflict", f"the solution changes the given at {cell_name(changed)}", place(*changed))
    return board


def _rule_codes() -> list[str]:
    from dnd.suguru import rules

    return [rule.code for rule in rules.all_rules()]


def _write_toml(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """A `[[puzzle]]` table, so that texts can be joined in a file."""
    keys: dict[str, object] = {"game": GAME_NAME, **({"name": name} if name else {})}
    keys["cages"] = _drawing(puzzle.letters())
    if any(puzzle.givens):
        keys["givens"] = _drawing(puzzle.signs())
    if board is not None:
        keys["board"] = _drawing(puzzle.signs(board))
    return "\n".join(["[[puzzle]]", *(f"{key} = {toml.literal(value)}" for key, value in keys.items())])


def _drawing(rows: Sequence[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


# ---------------------------------------------------------------- the one-line form

_LINE = re.compile(r"[0-9]+x[0-9]+:\S*")
_SHAPE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")
_LINE_HOLE = "_"
_LINE_CAGES = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + _LINE_HOLE)


def _read_lines(text: str, file: str) -> Iterator[Entry]:
    """Entries of a text of one puzzle a line."""
    for line, (first, *words) in puzzle_lines(text, file):
        name, others = line_fields(line, words)
        puzzle, board = _line(first[0], line.piece(first.start()), name)
        yield Entry(GAME_NAME, puzzle, board, name, fields=others, span=line.span(first.start()))


def _line(notation: str, line: Line, name: str) -> tuple[Puzzle, Board | None]:
    fields = notation.split(":")
    if len(fields) not in (3, 4):
        at = len(notation) if len(fields) < 3 else len(":".join(fields[:4]))
        message = "a puzzle is written <width>x<height>:<cages>:<givens>, and a board after one more colon"
        raise input_error("bad-line", message, line.span(at))
    sizes = _SHAPE.fullmatch(fields[0])
    if not sizes:
        raise input_error("bad-size", "width and height are written <width>x<height>", line.span())
    width, height = int(sizes[1]), int(sizes[2])
    with located(lambda *_: line.span()):
        check_shape(height, width)
    starts = [len(":".join(fields[:number])) + 1 for number in range(1, len(fields))]
    places = [_flat_place(line.piece(start), width) for start in starts]
    rows = [_wrapped(field, height, width, line.piece(start)) for field, start in zip(fields[1:], starts, strict=True)]
    labels = alphabet.labels(rows[0], _LINE_CAGES, places[0], f"cages are letters, holes {_LINE_HOLE}")
    cages = components([None if label == _LINE_HOLE else label for label in labels], width)
    alphabet.check_cages(cages, width, places[0])
    givens = alphabet.values(rows[1], cages, places[1], _LINE_HOLE)
    puzzle = alphabet.puzzle(cages, givens, width, name, places[0], places[1])
    if len(rows) == 2:
        return puzzle, None
    return puzzle, alphabet.board(puzzle, alphabet.values(rows[2], cages, places[2], _LINE_HOLE), places[2])


def _wrapped(field: str, height: int, width: int, line: Line) -> list[str]:
    if len(field) != height * width:
        message = f"{counted(len(field), 'sign')} for the {counted(height * width, 'cell')} of a {width}x{height} grid"
        raise input_error("cell-number", message, line.span(min(len(field), height * width)))
    return [field[start : start + width] for start in range(0, len(field), width)]


def _flat_place(line: Line, width: int) -> Place:
    return lambda row, column: line.span(row * width + column)


def _write_line(puzzle: Puzzle, board: Board | None, name: str) -> str:
    return puzzle.line(board) + name_field(name)


# ---------------------------------------------------------------- JSON


def _read_json(text: str, file: str) -> Iterator[Entry]:
    """Objects, lists of objects, {"puzzles": list}; one or more of them, one after the other."""
    return (_json_entry(*found) for found in puzzle_objects(text, file))


def _json_entry(source: JsonText, at: int, members: Members) -> Entry:
    if "cages" not in members:
        raise input_error("missing-key", "the key cages is missing", source.places.span(at))
    if members.get("game", (at, GAME_NAME))[1] != GAME_NAME:
        raise input_error("wrong-type", f"the game must be {GAME_NAME}", source.places.span(members["game"][0]))
    name = name_of(source, members)
    drawn = _JsonGrid(source, members["cages"])
    with located(lambda *_: source.places.span(members["cages"][0])):
        check_shape(len(drawn.rows), len(drawn.rows[0]) if drawn.rows else 0)
    width = len(drawn.rows[0])
    cages = drawn.cages(width)
    alphabet.check_cages(cages, width, drawn.place)
    givens, place = [0] * len(cages), drawn.place
    if members.get("givens", (0, None))[1] is not None:
        numbers = _JsonGrid(source, members["givens"])
        givens, place = numbers.values(cages, width), numbers.place
    puzzle = alphabet.puzzle(cages, givens, width, name, drawn.place, place)
    return Entry(GAME_NAME, puzzle, _json_board(source, members, puzzle), name, span=source.places.span(at))


def _json_board(source: JsonText, members: Members, puzzle: Puzzle) -> Board | None:
    """What "board" has decided, else the complete board "solution"; None if there is neither."""
    key = "board" if "board" in members else "solution"
    if members.get(key, (0, None))[1] is None:
        return None
    drawn = _JsonGrid(source, members[key])
    return alphabet.board(puzzle, drawn.values(puzzle.cages, puzzle.width), drawn.place)


class _JsonGrid:
    """A list of rows: texts of one sign per cell, or lists of whole numbers."""

    def __init__(self, source: JsonText, member: tuple[int, object]) -> None:
        self.source, (self.start, rows) = source, member
        self.is_text = isinstance(rows, list) and all(isinstance(row, str) for row in rows)
        are_lists = isinstance(rows, list) and all(isinstance(row, list) for row in rows)
        if not self.is_text and not are_lists:
            message = "expected a list of strings, one per row, or of lists of numbers"
            raise input_error("wrong-type", message, source.places.span(self.start))
        self.rows: list[Any] = cast("list[Any]", rows)  # texts, or lists of anything

    def place(self, row: int, column: int) -> Span:
        starts = list(self.source.items(self.start))
        if row >= len(starts):
            return self.source.places.span(self.start)
        if not self.is_text:
            cells_ = [*self.source.items(starts[row]), starts[row]]
            return self.source.places.span(cells_[min(column, len(cells_) - 1)])
        # Escapes have no business in a row; where there are some, the row is near enough.
        span = self.source.places.span(starts[row])
        return span if "\\" in span.text else Span(span.file, span.line, span.column + 1 + column, span.text)

    def cages(self, width: int) -> tuple[int, ...]:
        alphabet.check_rows(self.rows, len(self.rows), width, self.place)
        if self.is_text:
            return components(alphabet.labels(self.rows, alphabet.CAGE_SIGNS, self.place), width)
        self.check_numbers()
        return numbered([None if number < 0 else number for row in self.rows for number in row])

    def values(self, cages: Sequence[int], width: int) -> list[int]:
        alphabet.check_rows(self.rows, len(cages) // width, width, self.place)
        if self.is_text:
            return alphabet.values(self.rows, cages, self.place)
        self.check_numbers()
        words = [[str(number) if -1 < number < 10**6 else "beyond" for number in row] for row in self.rows]
        return alphabet.numbers(words, self.place)

    def check_numbers(self) -> None:
        for row, numbers in enumerate(self.rows):
            for column, number in enumerate(numbers):
                if type(number) is not int:
                    raise input_error("value-type", "expected a whole number", self.place(row, column))


def _write_json(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """One line, an object."""
    value: dict[str, object] = {"game": GAME_NAME, **({"name": name} if name else {})}
    value |= {"cages": puzzle.letters(), "givens": puzzle.signs()}
    if board is not None:
        value["board"] = puzzle.signs(board)
    return json.dumps(value, ensure_ascii=False)


# ---------------------------------------------------------------- all forms

_READERS: dict[str, Callable[[str, str], Iterator[Entry]]] = {
    "line": _read_lines,
    "json": _read_json,
    "jsonl": _read_json,
    "codingame": foreign.read_codingame,
    "janko": foreign.read_janko,
    "areas": foreign.read_areas,
    "puzzlink": foreign.read_links,
    "pzprv3": foreign.read_pzprv3,
    "picture": foreign.read_pictures,
}
_WRITERS: dict[str, Callable[[Puzzle, Board | None, str], str]] = {
    "line": _write_line,
    "toml": _write_toml,
    "json": _write_json,
    "codingame": foreign.write_codingame,
    "janko": foreign.write_janko,
    "areas": foreign.write_areas,
    "puzzlink": foreign.write_link,
    "picture": foreign.write_picture,
}
FORMATS = {
    "line": FormatInfo("one line: size, cages, givens"),
    "toml": FormatInfo("fixtures: a readable table, with what tests expect", "pytest with this package's plug-in"),
    "json": FormatInfo("objects with cages and givens"),
    "jsonl": FormatInfo("the same, one object a line"),
    "picture": FormatInfo("a grid whose cages have frames", "people; show and solve print it"),
    "codingame": FormatInfo("size, then a row of cells a line, each a cage's letter and a value", "CodinGame"),
    "janko": FormatInfo("blocks of rows under problem, areas, solution", "janko.at"),
    "areas": FormatInfo("height and width, the grid, the areas", "solvers and collections of others"),
    "puzzlink": FormatInfo("the address of a puzzle, one a line", "puzz.link, pzprxs"),
    "pzprv3": FormatInfo("a saved file", "puzz.link, pzprxs"),
}
FORMATS_IN = tuple(_READERS)
FORMATS_OUT = tuple(_WRITERS)
LINE_FORMATS = ("line", "puzzlink", "jsonl")
BYTE_FORMATS: tuple[str, ...] = ()
SUFFIXES: dict[str, str] = {}

_HEAD = 1 << 16
_OURS_IN_JSON = re.compile(r'"game"\s*:\s*"suguru"|"cages"\s*:')


def detect(data: bytes) -> str | None:
    """The format that bytes are in, judged by their beginning; None if it is not one of this game's, or a fixture.

    Nothing that is a puzzle of another game is claimed: a dungeon's line cannot begin with a size (its first
    field would hold the clue x, 33), and none of its grids has the rows of our numbers and letters.
    """
    head = plain(data[:_HEAD].decode("utf-8", "replace"))
    if foreign.is_pzprv3(head):
        return "pzprv3"
    found = [line for line in head.split("\n") if line.strip()]
    told = [line for line in found if not line.lstrip().startswith("#")]
    if not told:
        return None
    first = told[0].strip()
    if first[0] in "{[":
        return _detect_json(head, first)
    if _LINE.fullmatch(first.split()[0]):
        return "line"
    if foreign.is_link(first):
        return "puzzlink"
    return _detect_block(head, found)


def guess(data: bytes) -> str | None:
    """A hint for bytes that were not detected: there is none."""
    return None


def _detect_json(head: str, first: str) -> str | None:
    if not _OURS_IN_JSON.search(head):
        return None
    return "jsonl" if first.startswith("{") and _OURS_IN_JSON.search(first) and first.endswith("}") else "json"


def _detect_block(head: str, found: Sequence[str]) -> str | None:
    """The format of a text that takes several lines a puzzle."""
    if foreign.is_janko(found):
        return "janko"
    if foreign.has_frame(head):
        return "picture"
    if foreign.is_codingame(found):
        return "codingame"
    return "areas" if foreign.is_areas(found) else None


def read(data: bytes, format: str, file: str = "") -> Iterator[Entry]:
    """The entries of bytes in one of FORMATS_IN."""
    return _READERS[format](plain(decode(data, file)), file)


def write(puzzle: Puzzle, board: Board | None, name: str, format: str) -> str:
    """A puzzle, and what `board` has decided, in one of FORMATS_OUT, without a final line end.

    Raises `InputError` not-writable: the board does not fit, or the format's limits.
    """
    if board is not None and board.shape != (puzzle.height, puzzle.width):
        message = f"a board of {board.height}x{board.width} for a puzzle of {puzzle.height}x{puzzle.width}"
        raise alphabet.refuse(message)
    if board is not None:
        alphabet.board(puzzle, board.values, lambda *_: Span(), "not-writable")
    return _WRITERS[format](puzzle, board, name)
