"""Reading and writing: a line `lamps/NUMBER`, and behind a slash the board; in TOML `lamps = NUMBER`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from dnd.diagnostic import input_error
from dnd.game import Entry, FormatInfo
from dnd.texts.lines import decode, puzzle_lines
from dnd.texts.toml import Table
from null_game.puzzle import Board, Puzzle

FORMATS = {"lamps": FormatInfo("one line: the number of lamps"), "toml": FormatInfo("fixtures")}
FORMATS_IN = FORMATS_OUT = LINE_FORMATS = ("lamps",)
BYTE_FORMATS: tuple[str, ...] = ()
SUFFIXES: Mapping[str, str] = {}

_LINE = re.compile(r"lamps/([1-9][0-9]?)(?:/([o.?]+))?")


def read_table(table: Table) -> Entry:
    """A fixture's TOML table."""
    table.check_keys(("game", "name", "lamps"))
    name = table.optional("name", str, "a text", "")
    return Entry("null", Puzzle(table.get("lamps"), name), name=name, table=table)


def detect(data: bytes) -> str | None:
    """Our lines begin with a word that no other game's have."""
    return "lamps" if data.lstrip().startswith(b"lamps/") else None


def guess(data: bytes) -> str | None:
    """No hint."""
    return None


def read(data: bytes, format: str, file: str = "") -> Iterator[Entry]:
    """An entry a line."""
    for line, words in puzzle_lines(decode(data, file), file):
        found = _LINE.fullmatch(words[0][0])
        if not found or len(found[2] or "") not in (0, int(found[1])):
            raise input_error("bad-line", "expected lamps/NUMBER or lamps/NUMBER/BOARD", line.span())
        yield Entry("null", Puzzle(int(found[1])), Board(found[2]) if found[2] else None, span=line.span())


def write(puzzle: Puzzle, board: Board | None, name: str, format: str) -> str:
    """The line."""
    return f"lamps/{puzzle.width}" + (f"/{board.lamps}" if board else "")
