"""Formats of other programs: grids with clues, the Daily-D&D line, the game's own file, the course's C.

What each looks like is in docs/formats.md. All of them end in `cells`: letters, clues and places.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from dnd.diagnostic import Span, counted, input_error, located
from dnd.dungeon import alphabet, draw
from dnd.dungeon.alphabet import GAME_NAME, UNKNOWN
from dnd.dungeon.puzzle import Board, Clue, Puzzle, check_shape
from dnd.game import Entry
from dnd.texts.lines import Line, lines, short_lines

_COMMENT = "//"
_NUMBER = re.compile(r"[0-9]{1,9}")

# ---------------------------------------------------------------- text grids

_GRID_LETTERS = {"#": "#", "*": "#", ".": ".", "?": "?", "_": "?", " ": "?"}
_GRID_LETTERS |= dict.fromkeys("Mm@", "M") | dict.fromkeys("Tt$cC", "T")
_CORNER = r"[ \t]*[*+.|/\\_-]?[ \t]*"
_HEADER = re.compile(rf"({_CORNER})([0-9?][0-9? \t]*)")
_BAD_HEADER = re.compile(rf"{_CORNER}[0-9? \t]*")
_ROW = re.compile(r"[ \t]*([0-9]+|\?)[ \t]*[-#*.?_Mm@Tt$cC \t]*[-#*._Mm@Tt$cC][-#*.?_Mm@Tt$cC \t]*")
_WORD = re.compile(r"[^ \t]+")


class _Clue(NamedTuple):
    text: str
    line: Line

    def value(self, what: str) -> Clue:
        if self.text == UNKNOWN:
            return None
        if not _NUMBER.fullmatch(self.text):
            raise input_error("clue-type", f"{what} needs a clue, a number or ?", self.line.span())
        return int(self.text)


class _Row(NamedTuple):
    """A line of a grid: its clue, its cells, and where each cell and the end stand in the line."""

    clue: _Clue
    cells: list[str]
    places: list[int]
    line: Line


def has_grid(head: str) -> bool:
    """Whether a text's beginning shows a grid, be it a broken one: column clues over something, or a row of one."""
    found = [line for line in lines(head) if line.text.strip() and not line.text.lstrip().startswith(_COMMENT)]
    return any(map(_is_header, found[:-1], found[1:])) or any(_ROW.fullmatch(line.text) for line in found[1:])


def _is_header(line: Line, below: Line) -> bool:
    """Column clues, and no title that is a number: that one would stand at the margin, over the column clues."""
    if not _HEADER.fullmatch(line.text):
        return False
    return line.text[0] not in "0123456789" or below.text[:1] in "0123456789?" or not _HEADER.fullmatch(below.text)


def read_grids(text: str, file: str) -> Iterator[Entry]:
    """Grids, separated by empty lines; lines before one are its title and `//` comments."""
    titles: list[Line] = []
    comment = ""
    found = list(lines(text, file))
    at, number = 0, 0
    while at < len(found):
        line = found[at]
        at += 1
        if line.text.lstrip().startswith(_COMMENT):
            comment = comment or line.text.strip().removeprefix(_COMMENT).strip()
        elif at < len(found) and _is_header(line, found[at]):
            block = _block(found, at)
            name = titles[0].text.strip() if titles else comment
            yield _grid(line, [row for row in block if not row.text.lstrip().startswith(_COMMENT)], name)
            at, number, titles, comment = at + len(block), number + 1, [], ""
        elif line.text.strip():
            titles.append(line)
    if titles:
        raise _no_grid(titles, number)


def _block(found: list[Line], at: int) -> list[Line]:
    """The lines from `at` up to an empty one."""
    end = next((index for index in range(at, len(found)) if not found[index].text.strip()), len(found))
    return found[at:end]


def _no_grid(titles: list[Line], number: int) -> Exception:
    """What to say of lines with no column clues in or after them."""
    for above, line in pairwise(titles):
        if _ROW.fullmatch(line.text):
            good = _BAD_HEADER.match(above.text)
            return input_error("clue-type", "a column clue is a number or ?", above.span(good.end() if good else 0))
    if number:
        return input_error("trailing-data", "there is text after the last puzzle", titles[0].span())
    return input_error("unknown-format", "a line of column clues is missing", titles[0].span())


def _grid(header: Line, lines_: list[Line], name: str) -> Entry:
    if not lines_:
        raise input_error("row-number", "there are no rows under the column clues", header.span())
    clues, rows = _grid_parts(header, lines_)
    with located(lambda *_: header.span()):
        check_shape(len(rows), len(clues))
    columns = [clue.value(f"column {index + 1}") for index, clue in enumerate(clues)]
    row_clues = [row.clue.value(f"row {index + 1}") for index, row in enumerate(rows)]

    def place(row: int, column: int) -> Span:
        return rows[row].line.span(rows[row].places[column])

    drawn = [row.cells for row in rows]
    alphabet.check_rows(drawn, len(rows), len(columns), place)
    letters = alphabet.translated(drawn, _GRID_LETTERS, place)
    with located(lambda side, index: (clues if side == "columns" else [r.clue for r in rows])[index].line.span()):
        puzzle = alphabet.puzzle(letters, row_clues, columns, name)
    board = alphabet.board(letters, puzzle.objects) if alphabet.is_decided(letters) else None
    return Entry(GAME_NAME, puzzle, board, name, span=header.span())


def _grid_parts(header: Line, lines_: list[Line]) -> tuple[list[_Clue], list[_Row]]:
    """Clues and rows, of cells that stand under their clues, or that blanks separate."""
    found = _HEADER.fullmatch(header.text)
    assert found
    start, words = found.start(2), list(_WORD.finditer(header.text, found.start(2)))
    if len(words) == 1 and not _is_one_column(words[0], lines_[0]):
        clues = [_Clue(char, header.piece(start + index)) for index, char in enumerate(words[0][0])]
        # A margin of nothing at all has lost the blank over the row clues.
        return clues, [_close_row(line, max(start, 1), len(clues)) for line in lines_]
    return [_Clue(word[0], header.piece(word.start())) for word in words], [_spaced_row(line) for line in lines_]


def _is_one_column(clue: re.Match[str], row: Line) -> bool:
    """Whether a number over the grid is a single clue of two digits: rows then hold a clue and one cell."""
    words = _WORD.findall(row.text)
    return clue.start() > 1 and len(clue[0]) == 2 and len(words) == 2 and len(words[1]) == 1


def _close_row(line: Line, start: int, width: int) -> _Row:
    clue = line.text[:start]
    margin = len(clue) - len(clue.lstrip())
    row = line.text[start:]
    row = row[:width] + row[width:].rstrip()
    # Blanks within the board are unknown cells; blanks after it and one thing more are not.
    surplus = len(row) - len(row[width:].lstrip()) if len(row) > width else len(row)
    places = [start + index for index in range(min(len(row), width))] + [start + surplus]
    return _Row(_Clue(clue.strip(), line.piece(margin if clue.strip() else 0)), list(row), places, line)


def _spaced_row(line: Line) -> _Row:
    first, *rest = _WORD.finditer(line.text)
    places = [word.start() for word in rest] + [len(line.text.rstrip())]
    return _Row(_Clue(first[0], line.piece(first.start())), [word[0] for word in rest], places, line)


def write_grid(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """The picture of `draw.text`, under the name as a comment if that can stand in a line.

    A board without walls and unknown cells is not told from an undecided one.
    """
    picture = draw.text(puzzle.letters(board), puzzle.rows, puzzle.columns)
    return f"{_COMMENT} {name}\n{picture}" if name.isprintable() and name.strip() == name != "" else picture


# ---------------------------------------------------------------- Daily-D&D, one line per puzzle

_DAILY_LETTERS = {".": "?", "x": ".", "*": "#", "#": "#", "t": "T", "T": "T"}
_DAILY_LETTERS |= dict.fromkeys("abcdefghijklmnopqrsuvwyzABCDEFGHIJKLMNOPQRSUVWXYZ", "M")
_DAILY_NAME = re.compile(r"\w[\w .,:;'&()+-]*")
_DAILY_LINE = re.compile(r"[^!]*!(\.|[^!]*![0-9])[^ \t]*")
_LINK = "puzzle="
_QUOTED = re.compile(r"(?:%[0-9A-Fa-f]{2})+|.", re.DOTALL)


def is_daily(line: str) -> bool:
    """Whether a line is of this kind, be it broken."""
    return _LINK in line or bool(_DAILY_LINE.fullmatch(line))


def read_daily(text: str, file: str) -> Iterator[Entry]:
    """Entries of lines `Name!.columns!row!row...`, or of links with such a text."""
    for line in short_lines(text, file):
        body = line.text.strip()
        if body and not body.startswith(("#", _COMMENT)):
            yield _daily(*_daily_text(line))


def _daily_text(line: Line) -> tuple[str, list[int], Line]:
    """The text of a line, where each of its characters stands, and the line."""
    before, link, quoted = line.text.partition(_LINK)
    if not link:
        start = len(line.text) - len(line.text.lstrip())
        text = line.text.strip()
        return text, list(range(start, start + len(text) + 1)), line
    start = len(before) + len(link)
    text, places = "", []
    for piece in _QUOTED.finditer(line.text, start, start + len(re.split(r"[&#\s]", quoted, maxsplit=1)[0])):
        try:
            chars = unquote(piece[0], errors="strict")
        except UnicodeDecodeError:
            chars = "%"
        if chars == "%" != piece[0][1:2] and piece[0] != "%25":
            raise input_error("bad-link", "the link holds a broken % sequence", line.span(piece.start()))
        at = piece.start()
        for char in chars:
            places.append(at)
            at += 3 * len(char.encode()) if len(piece[0]) > 1 else 1
        text += chars
        end = piece.end()
    return text, [*places, end if text else start], line


def _daily(text: str, places: list[int], line: Line) -> Entry:
    name, *parts = text.split("!")
    if len(parts) < 2:
        raise input_error(
            "truncated", "after the name come column clues and rows, each after a !", line.span(places[-1])
        )
    at = len(name) + 1
    if not parts[0].startswith("."):
        raise input_error("bad-letter", "the column clues begin with a dot", line.span(places[at]))
    columns = [_daily_clue(char, line, places[at + 1 + i]) for i, char in enumerate(parts[0][1:])]
    starts = [at := at + len(part) + 1 for part in parts[:-1]]
    with located(lambda *_: line.span(places[len(name) + 1])):
        check_shape(len(starts), len(columns))
    rows = [_daily_clue(part[:1], line, places[start]) for part, start in zip(parts[1:], starts, strict=True)]

    def place(row: int, column: int) -> Span:
        return line.span(places[starts[row] + 1 + column])

    drawn = [part[1:].ljust(len(columns), ".") for part in parts[1:]]
    alphabet.check_rows(drawn, len(rows), len(columns), place)
    letters = alphabet.translated(drawn, _DAILY_LETTERS, place)
    clue_places = {"columns": places[len(name) + 2 :], "rows": [places[start] for start in starts]}
    title = name.replace("_", " ")
    with located(lambda side, index: line.span(clue_places[side][index])):
        puzzle = alphabet.puzzle(letters, rows, columns, title)
    is_board = any("#" in row or "." in row for row in letters)
    board = alphabet.board(letters, puzzle.objects) if is_board else None
    return Entry(GAME_NAME, puzzle, board, title, span=line.span(places[0]))


def _daily_clue(char: str, line: Line, at: int) -> int:
    if char not in tuple("0123456789"):
        raise input_error("clue-type", "a clue is one digit", line.span(at))
    return int(char)


def write_daily(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """One line. Clues must be known and at most 9; a name with signs of the format in it is left out."""
    if any(clue is None or clue > 9 for clue in (*puzzle.rows, *puzzle.columns)):
        raise alphabet.refuse("the Daily-D&D line holds only clues from 0 to 9")
    letters = puzzle.letters(board)
    signs = {"M": "m", "T": "t", "#": "#", "?": ".", ".": "x" if board else "."}
    drawn = ["".join(signs[letter] for letter in row).rstrip(".") for row in letters]
    rows = [f"{clue}{row}" for clue, row in zip(puzzle.rows, drawn, strict=True)]
    title = name.replace(" ", "_") if _DAILY_NAME.fullmatch(name) else ""
    return "!".join([title, "." + "".join(map(str, puzzle.columns)), *rows])


# ---------------------------------------------------------------- tokyo.dat, the game's own file

_SIDE = 8
_TOKYO_CELLS = b"\x00\x01\x02\x03"
_TOKYO_LETTERS = ".#MT"
_TOKYO_TAIL = 16  # kinds of monsters and the place of the boss: nothing that a puzzle is made of
_LINE_END = re.compile(r" *[\n\r\t][\n\r\t ]*")
_TOKYO_LEAST = 4 + _SIDE * _SIDE + _TOKYO_TAIL


class _Bytes:
    """Bytes that are read from the front. Places in them: line 1, column = offset + 1."""

    def __init__(self, data: bytes, file: str) -> None:
        self.data, self.file, self.at = data, file, 0

    def span(self, offset: int) -> Span:
        return Span(self.file, 1, offset + 1)

    def take(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise input_error("truncated", f"expected {counted(size, 'byte')} here", self.span(self.at))
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, most: int, what: str) -> int:
        """A little-endian number of 32 bits, not above what the file has room for."""
        number = int(struct.unpack("<I", self.take(4))[0])
        if number > most:
            raise input_error("truncated", f"the file is too short for {number} {what}", self.span(self.at - 4))
        return number


def read_tokyo(data: bytes, file: str) -> Iterator[Entry]:
    """The levels of the game's data file, 8x8 each, with their solutions as boards."""
    source = _Bytes(data, file)
    for _ in range(source.number(len(data) // _TOKYO_LEAST, "puzzles")):
        yield _tokyo_entry(source)
    if source.at < len(data):
        raise input_error("trailing-data", "there are bytes after the last puzzle", source.span(source.at))


def _tokyo_entry(source: _Bytes) -> Entry:
    start = source.at
    title = source.take(source.number(len(source.data), "characters of a title"))
    for index, byte in enumerate(title):
        if not 32 <= byte < 127 and byte not in b"\n\r\t":
            raise input_error("bad-letter", f"the title holds the byte {byte:#04x}", source.span(start + 4 + index))
    begin = source.at
    levels = source.take(_SIDE * _SIDE)
    for index, byte in enumerate(levels):
        if byte not in _TOKYO_CELLS:
            raise input_error("bad-letter", f"the byte {byte:#04x} is not a cell", source.span(begin + index))
    source.take(_TOKYO_TAIL)
    rows = ["".join(_TOKYO_LETTERS[byte] for byte in levels[at : at + _SIDE]) for at in range(0, len(levels), _SIDE)]
    row_clues = [row.count("#") for row in rows]
    column_clues = ["".join(column).count("#") for column in zip(*rows, strict=True)]
    name = _LINE_END.sub(" ", title.decode("ascii")).strip()  # the game breaks long titles into two lines
    puzzle = alphabet.puzzle(rows, row_clues, column_clues, name)
    return Entry(GAME_NAME, puzzle, alphabet.board(rows, puzzle.objects), puzzle.name, span=source.span(start))
