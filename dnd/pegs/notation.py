"""The text forms of peg solitaire, in and out (docs/pegs.md): fixture tables, the one-line form, JSON.

Formats of other programs are in `foreign.py`. Readers yield entries one by one and raise `InputError`s that point into
their text; writers raise `InputError` not-writable for what their form cannot hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from dnd.diagnostic import Cell, InputError, Span, counted, input_error, located
from dnd.game import Entry, FormatInfo
from dnd.pegs import alphabet, foreign
from dnd.pegs.alphabet import GAME_NAME, Place
from dnd.pegs.puzzle import KINDS, Play, Puzzle, check_shape
from dnd.testing.expectations import check_count, check_faults, check_plain
from dnd.texts import toml
from dnd.texts.json import JsonText, Members, name_of, puzzle_objects
from dnd.texts.lines import Line, decode, line_fields, name_field, plain, puzzle_lines
from dnd.texts.toml import Table

if TYPE_CHECKING:
    from dnd.pegs.solver import Outcome

# ---------------------------------------------------------------- fixture tables (TOML)

_KEYS = ("game", "name", "board", "final", "jumps", "note", "expect")
_NUMBERS = ("sequences", "games", "moves", "reference_nodes")
_LEVELS = ("levels", "positions", "winning")
_EXPECT_KEYS = ("verdict", "proof", "solution", "faults", *_NUMBERS, *_LEVELS)
DECIDED = ("solved", "impossible")  # verdicts that can be expected
_TABLE_SIGNS = frozenset("#o.xX")


def read_table(table: Table) -> Entry:
    """The puzzle of a fixture's table, with its jumps and expectations."""
    table.check_keys(_KEYS)
    table.optional("game", str, "a string")
    table.optional("note", str, "a string")
    name = table.optional("name", str, "a string", "")
    table.require("board", str, "drawn, one line per row")
    puzzle = _table_puzzle(table, name)
    board = _table_play(table, "jumps", puzzle) if "jumps" in table else None
    if "expect" in table.values:
        raise input_error("wrong-type", "expect must be a table", table.key_span("expect"))
    expect = _expectations(table.tables.get("expect"), puzzle)
    return Entry(GAME_NAME, puzzle, board, name, expect, span=table.span(), table=table)


def _table_puzzle(table: Table, name: str) -> Puzzle:
    rows = table.drawn("board")

    def place(row: int, column: int) -> Span:
        return table.drawn_span("board", row, column)

    with located(lambda *_: table.span("board")):
        check_shape(len(rows), len(rows[0]) if rows else 0)
    alphabet.check_rows(rows, len(rows[0]), place)
    for number, row in enumerate(rows):
        for column, sign in enumerate(row):
            if sign not in _TABLE_SIGNS:
                raise _bad_sign(sign, place(number, column))
    final = _table_final(table) if "final" in table else None
    return alphabet.puzzle(rows, final, name, place, table.span("final"))


def _table_final(table: Table) -> Cell:
    final = table.require("final", list, "a list of row and column, counted from 0")
    if len(final) != 2 or not all(type(number) is int for number in final):
        raise input_error("wrong-type", "final must be a list of row and column, counted from 0", table.span("final"))
    return final[0], final[1]


def _table_play(table: Table, key: str, puzzle: Puzzle) -> Play:
    text = table.optional(key, str, "a text of jumps", "")
    lines = text.split("\n")

    def place(at: int) -> Span:
        row = text.count("\n", 0, at)
        filled = [number for number, line in enumerate(lines) if line.strip()]
        blanks = len(lines[row]) - len(lines[row].lstrip(" \t"))
        return table.drawn_span(key, row - filled[0], at - text.rfind("\n", 0, at) - 1 - blanks)

    return alphabet.play(puzzle, text, place)


def _expectations(table: Table | None, puzzle: Puzzle) -> dict[str, object]:
    if table is None:
        return {}
    table.check_keys(_EXPECT_KEYS)
    check_plain(table)
    for key in _NUMBERS:
        check_count(table, key)
    for key in _LEVELS:
        _check_levels(table, key)
    _check_verdict(table)
    if "solution" in table:
        _check_solution(table, _table_play(table, "solution", puzzle), puzzle)
    check_faults(table, _rule_codes)
    return table.plain()


def _check_levels(table: Table, key: str) -> None:
    for index, number in enumerate(table.optional(key, list, "a list of whole numbers", [])):
        if type(number) is not int or number < 0:
            raise input_error(
                "wrong-type", f"{key} must be a list of whole numbers from 0", table.item_span(key, index)
            )


def _check_verdict(table: Table) -> None:
    verdict = table.optional("verdict", str, "a string")
    if verdict is not None and verdict not in DECIDED:
        raise input_error("wrong-type", f"the verdict must be {' or '.join(DECIDED)}", table.span("verdict"))
    _check_proof(table, verdict)
    if "solution" in table and verdict == "impossible":
        raise input_error("expect-conflict", "an impossible puzzle has no solution", table.span("solution"))


def _check_proof(table: Table, verdict: str | None) -> None:
    proof = table.optional("proof", str, "a string")
    if proof is None:
        return
    if proof not in KINDS:
        raise input_error("wrong-type", f"the proof must be one of {', '.join(KINDS)}", table.span("proof"))
    if verdict != "impossible":
        raise input_error("expect-conflict", "only an impossible puzzle has a proof", table.span("proof"))


def _check_solution(table: Table, play: Play, puzzle: Puzzle) -> None:
    """An expected solution must have all its jumps; whether they are legal is what checks look at."""
    missing = play.unknown_in(puzzle)
    if missing:
        raise input_error("expect-conflict", f"the solution lacks {counted(missing, 'jump')}", table.span("solution"))


def _rule_codes() -> list[str]:
    from dnd.pegs import rules

    return [rule.code for rule in rules.all_rules()]


def _write_toml(puzzle: Puzzle, board: Play | None, name: str) -> str:
    """A `[[puzzle]]` table, so that texts can be joined in a file."""
    keys: dict[str, object] = {"game": GAME_NAME, **({"name": name} if name else {})}
    keys["board"] = "".join(f"{row}\n" for row in puzzle.rows(marked=False))
    if puzzle.final is not None:
        keys["final"] = list(puzzle.final)
    if board is not None:
        keys["jumps"] = f"{board}\n" if "\n" in str(board) else str(board)
    return "\n".join(["[[puzzle]]", *(f"{key} = {toml.literal(value)}" for key, value in keys.items())])


# ---------------------------------------------------------------- the one-line form

_LINE = re.compile(r"[0-9]+x[0-9]+/\S*")
_SHAPE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")
_FINAL = re.compile(r"([0-9]{1,9}),([0-9]{1,9})")
_RUN = re.compile(r"([0-9]{0,9})([^0-9])")
_LINE_SIGNS = {"o": "o", ".": ".", "_": "#"}


def _read_lines(text: str, file: str) -> Iterator[Entry]:
    """Entries of a text of one puzzle a line."""
    for line, (first, *words) in puzzle_lines(text, file):
        name, others = line_fields(line, words)
        puzzle, board = _line(first[0], line.piece(first.start()), name)
        yield Entry(GAME_NAME, puzzle, board, name, fields=others, span=line.span(first.start()))


def _line(notation: str, line: Line, name: str) -> tuple[Puzzle, Play | None]:
    fields = notation.split(":")
    if len(fields) > 3:
        message = "a puzzle is written <width>x<height>/<rows joined by />:<final row>,<final column>:<jumps>"
        raise input_error("bad-line", message, line.span(len(":".join(fields[:3]))))
    pieces = [line.piece(len(":".join(["", *fields[:number]]))) for number in range(len(fields))]
    rows, place = _line_rows(fields[0], line)
    final = _line_final(fields[1], pieces[1]) if len(fields) > 1 and fields[1] else None
    puzzle = alphabet.puzzle(rows, final, name, place, pieces[1].span() if final else None)
    return puzzle, alphabet.play(puzzle, fields[2], pieces[2].span) if len(fields) > 2 else None


def _line_final(field: str, line: Line) -> Cell:
    found = _FINAL.fullmatch(field)
    if not found:
        raise input_error("bad-line", "the final cell is written <row>,<column>, counted from 0", line.span())
    return int(found[1]), int(found[2])


def _line_rows(field: str, line: Line) -> tuple[list[str], Place]:
    """The rows drawn in full, and where their cells stand in the packed field."""
    size, *packed = field.split("/")
    found = _SHAPE.fullmatch(size)
    if not found:
        raise input_error("bad-size", "width and height are written <width>x<height>", line.span())
    height, width = int(found[2]), int(found[1])
    with located(lambda *_: line.span()):
        check_shape(height, width)
    rows: list[str] = []
    places: list[list[int]] = []
    at = len(size) + 1
    for text in packed:
        row, starts = _unpacked(text, width, line.piece(at))
        rows.append(row)
        places.append([at + start for start in starts])
        at += len(text) + 1
    if len(rows) != height:
        where = places[height][0] if len(rows) > height else len(field)
        raise input_error("row-number", f"{counted(len(rows), 'row')}, not {height}", line.span(where))
    return rows, lambda row, column: line.span(places[row][column])


def _unpacked(packed: str, width: int, line: Line) -> tuple[str, list[int]]:
    """A row drawn in full; where the run of each of its cells begins, and where the row ends."""
    row, starts, at = "", [], 0
    while at < len(packed):
        run = _RUN.match(packed, at)
        if not run or run[2] not in _LINE_SIGNS:
            hint = "rows are runs of o (pegs), . (empty) and _ (outside), with their lengths in front: 2_3o2_"
            raise _bad_sign(run[2] if run else packed[at], line.span(at), hint)
        length = int(run[1] or 1)
        if not 0 < length <= width - len(row):
            raise input_error("row-length", f"a row must have {counted(width, 'cell')}", line.span(at))
        row += _LINE_SIGNS[run[2]] * length
        starts += [at] * length
        at = run.end()
    if len(row) != width:
        raise input_error("row-length", f"a row has {counted(len(row), 'cell')}, not {width}", line.span(at))
    return row, [*starts, at]


def _bad_sign(sign: str, span: Span, hint: str = "o peg, . empty, # outside; x and X the final cell") -> InputError:
    return input_error("bad-letter", f"{sign!r} is not a cell", span, hint)


def _write_line(puzzle: Puzzle, board: Play | None, name: str) -> str:
    return puzzle.line(board) + name_field(name)


# ---------------------------------------------------------------- JSON


def _read_json(text: str, file: str) -> Iterator[Entry]:
    """Objects, lists of objects, {"puzzles": list}; one or more of them, one after the other."""
    return (_json_entry(*found) for found in puzzle_objects(text, file))


def _json_entry(source: JsonText, at: int, members: Members) -> Entry:
    if "board" not in members:
        raise input_error("missing-key", "the key board is missing", source.places.span(at))
    if members.get("game", (at, GAME_NAME))[1] != GAME_NAME:
        raise input_error("wrong-type", f"the game must be {GAME_NAME}", source.places.span(members["game"][0]))
    name = name_of(source, members)
    start, rows = members["board"]
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise input_error("wrong-type", "expected a list of strings, one per row", source.places.span(start))
    final_start, final = _given(members, "final", at)
    puzzle = alphabet.puzzle(
        rows, _json_final(source, final_start, final), name, _json_place(source, start), source.places.span(final_start)
    )
    return Entry(GAME_NAME, puzzle, _json_play(source, members, puzzle), name, span=source.places.span(at))


def _given(members: Members, key: str, at: int) -> tuple[int, object]:
    """Offset and value of a member that may be missing, which is as good as null."""
    return members.get(key, (at, None))


def _json_final(source: JsonText, start: int, final: object) -> Cell | None:
    if final is None:
        return None
    if not isinstance(final, list) or len(final) != 2 or not all(type(number) is int for number in final):
        message = "final must be a list of row and column, counted from 0"
        raise input_error("wrong-type", message, source.places.span(start))
    return final[0], final[1]


def _json_place(source: JsonText, start: int) -> Place:
    def place(row: int, column: int) -> Span:
        starts = list(source.items(start))
        if row >= len(starts):
            return source.places.span(start)
        # Escapes have no business in a row; where there are some, the row is near enough.
        span = source.places.span(starts[row])
        return span if "\\" in span.text else Span(span.file, span.line, span.column + 1 + column, span.text)

    return place


def _json_play(source: JsonText, members: Members, puzzle: Puzzle) -> Play | None:
    """The jumps, as a list of [row, column, direction] or as a text."""
    start, jumps = _given(members, "jumps", 0)
    if jumps is None:
        return None

    def place(index: int | None) -> Span:
        return source.places.span(start if index is None else list(source.items(start))[index])

    if isinstance(jumps, str):
        return alphabet.play(puzzle, jumps, lambda _: place(None))
    return alphabet.listed_play(puzzle, jumps, place)


def _write_json(puzzle: Puzzle, board: Play | None, name: str) -> str:
    """One line, an object."""
    value: dict[str, object] = {"game": GAME_NAME, **({"name": name} if name else {})}
    value["board"] = puzzle.rows(marked=False)
    if puzzle.final is not None:
        value["final"] = puzzle.final
    if board is not None:
        value["jumps"] = board.jumps
    return json.dumps(value, ensure_ascii=False)


# ---------------------------------------------------------------- all forms

_TEXT_READERS: dict[str, Callable[[str, str], Iterator[Entry]]] = {
    "pegs": _read_lines,
    "text": foreign.read_drawn,
    "json": _read_json,
    "jsonl": _read_json,
}
_BYTE_READERS: dict[str, Callable[[bytes, str], Iterator[Entry]]] = {
    "bgs": foreign.read_state,
    "log": foreign.read_log,
}
_WRITERS: dict[str, Callable[[Puzzle, Play | None, str], str]] = {
    "pegs": _write_line,
    "toml": _write_toml,
    "json": _write_json,
    "text": foreign.write_drawn,
    "bgs": foreign.write_state,
    "log": foreign.write_log,
}
FORMATS = {
    "pegs": FormatInfo("one line: size, rows, the final cell"),
    "toml": FormatInfo("fixtures: a readable table, with what tests expect", "pytest with this package's plug-in"),
    "json": FormatInfo("objects with a board, the final cell and jumps"),
    "jsonl": FormatInfo("the same, one object a line"),
    "text": FormatInfo("a drawn board, with the jumps below it", "people; files called .peg; show and solve print it"),
    "bgs": FormatInfo("a state file of 256 bytes", "the model program"),
    "log": FormatInfo("a log of what was found: date, time taken, jumps", "the model program"),
}
FORMATS_IN = (*_TEXT_READERS, *_BYTE_READERS)
FORMATS_OUT = tuple(_WRITERS)
LINE_FORMATS = ("pegs", "jsonl")
BYTE_FORMATS = ("bgs",)
SUFFIXES = {".peg": "text"}

_HEAD = 1 << 16
_GAME_IN_JSON = re.compile(r'"game"\s*:\s*"([^"]*)"')
_BOARD_IN_JSON = re.compile(r'"board"\s*:\s*\[\s*"[#.x ]*[oX][#.oxX ]*"')


def detect(data: bytes) -> str | None:
    """The format that bytes are in, judged by their beginning; None if it is not one of this game's, or a fixture.

    Nothing that is a puzzle of another game is claimed: no dungeon and no Suguru is drawn with nothing but `#`, `.` and
    `o`, no line of theirs looks like ours, and the data file of another game has titles where cells would stand.
    """
    if foreign.is_state(data):
        return "bgs"
    head = data[:_HEAD]
    if foreign.begins_log(head):
        return "log"
    text = plain(head.decode("utf-8", "replace"))
    if foreign.is_drawn(text):
        return "text"
    told = (line.strip() for line in text.split("\n"))
    first = next((line for line in told if line and not line.startswith("#")), "")
    if first.startswith(("{", "[")):
        return _detect_json(text, first)
    return "pegs" if first and _LINE.fullmatch(first.split()[0]) else None


def guess(data: bytes) -> str | None:
    """A hint for bytes that were not detected: they may be a state file with many values for the outside."""
    return "a state file of peg solitaire is read with --format bgs" if foreign.may_be_state(data) else None


def _detect_json(head: str, first: str) -> str | None:
    if not _is_ours(head):
        return None
    return "jsonl" if first.startswith("{") and first.endswith("}") and _is_ours(first) else "json"


def _is_ours(text: str) -> bool:
    """Whether the first game that a JSON text names is this one, or it names none and draws a board with a peg."""
    named = _GAME_IN_JSON.search(text)
    return named[1] == GAME_NAME if named else bool(_BOARD_IN_JSON.search(text))


def read(data: bytes, format: str, file: str = "") -> Iterator[Entry]:
    """The entries of bytes in one of FORMATS_IN."""
    if format in _BYTE_READERS:
        return _BYTE_READERS[format](data, file)
    return _TEXT_READERS[format](plain(decode(data, file)), file)


def write(puzzle: Puzzle, board: Play | None, name: str, format: str) -> str:
    """A puzzle, and the jumps of `board`, in one of FORMATS_OUT, without a final line end.

    A state file ("bgs") is a character a byte, all of them ASCII.

    Raises `InputError` not-writable: the jumps are for a board of another shape, or the format's limits.
    """
    if board is not None and board.shape != (puzzle.height, puzzle.width):
        message = f"jumps for a board of {board.height}x{board.width}, the puzzle has {puzzle.height}x{puzzle.width}"
        raise foreign.refuse(message)
    return _WRITERS[format](puzzle, board, name)


def log(path: str, result: Outcome, seconds: float) -> None:
    """Append an answer of `solver.solve` to a log as the seed's program does; nothing where it is undecided."""
    if result.solutions or result.complete:
        jumps = result.solutions[0].jumps if result.solutions else None
        record = foreign.log_record(result.puzzle, jumps, round(seconds * 1000), datetime.now())
        foreign.append_log(path, record)
