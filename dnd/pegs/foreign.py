"""Formats of other programs: the seed's state file and log, drawn boards.

The **state file** is the seed's 16x16 array: byte 16 x + y is the cell of column x and row y, 0 empty, 1 a peg,
anything else outside; what follows the first 256 bytes is ignored. A board of up to 14x14 is written with an edge of
one around, from whose inside alone the seed's search jumps; a larger one from the array's corner.

The **log** is a list of what the seed has found, the newest last. It does not tell the puzzle: only jumps, counted in
the array. The least puzzle that they solve is what reading gives, with the jumps as its play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import SEEK_END
from typing import IO

from dnd import grid
from dnd.diagnostic import InputError, Span, input_error
from dnd.game import Entry
from dnd.pegs import alphabet
from dnd.pegs.alphabet import ARRAY, GAME_NAME, SIGNS
from dnd.pegs.draw import Jump
from dnd.pegs.puzzle import Play, Puzzle, words
from dnd.texts.lines import Line, decode, lines, plain, short_lines

# ---------------------------------------------------------------- the state file

_SIZE = ARRAY * ARRAY
_EMPTY, _PEG, _OUTSIDE = 0, 1, 2
_MOST_VALUES = 4  # of a file that is taken for a state without being called one


def is_state(data: bytes) -> bool:
    """Whether bytes are a state file: there are cells among the first 256, and few other values for the outside.

    No text has such control characters. Two kinds of files are left to others: the data file of another game, which
    begins with numbers and titles, and what is too short for a state and may as well be a piece of such a file.
    """
    values = set(head := data[:_SIZE])
    if not values & {_EMPTY, _PEG} or len(values) > _MOST_VALUES:
        return False
    return not _has_titles(data) if len(data) >= _SIZE else _EMPTY not in head[:8]


def may_be_state(data: bytes) -> bool:
    """Whether bytes that `is_state` leaves to others can be a state file all the same: long enough, with pegs."""
    return len(data) >= _SIZE and {_EMPTY, _PEG} <= set(data[:_SIZE])


def _has_titles(data: bytes) -> bool:
    """A number of puzzles, each with a title of a stated length and 80 bytes after it (four of them are looked at)."""

    def number(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "little")

    puzzles, at = number(0), 4
    for _ in range(min(puzzles, 4)):
        title = data[at + 4 : at + 4 + number(at)]
        if number(at) > len(data) or not all(32 <= byte < 127 for byte in title):
            return False
        at += 84 + len(title)
    return at == len(data) if puzzles <= 4 else at < len(data)


def read_state(data: bytes, file: str) -> Iterator[Entry]:
    """The one puzzle of a state file, 16x16 as it stands there. Places in it: line 1, column = offset + 1."""
    if len(data) < _SIZE:
        message = f"a state file has {_SIZE} bytes, this one ends after {len(data)}"
        raise input_error("truncated", message, Span(file, 1, len(data) + 1))
    array = [[data[ARRAY * x + y] for x in range(ARRAY)] for y in range(ARRAY)]
    rows = ["".join(".o"[byte] if byte in (_EMPTY, _PEG) else "#" for byte in row) for row in array]
    puzzle = alphabet.puzzle(rows, None, "", lambda row, column: Span(file, 1, ARRAY * column + row + 1))
    yield Entry(GAME_NAME, puzzle, span=Span(file))


def write_state(puzzle: Puzzle, board: Play | None, name: str) -> str:
    """The state file, a character a byte."""
    if board is not None:
        raise refuse("a state file holds no jumps")
    if puzzle.final is not None:
        raise refuse("a state file holds no final cell")
    shift = alphabet.offset(puzzle.height, puzzle.width)
    array = bytearray([_OUTSIDE] * _SIZE)
    for row, column in grid.cells(puzzle.cells, puzzle.width):
        is_peg = puzzle.pegs >> row * puzzle.width + column & 1
        array[ARRAY * (column + shift) + row + shift] = _PEG if is_peg else _EMPTY
    return array.decode("ascii")


# ---------------------------------------------------------------- the log

_SOLVED, _UNSOLVED = "Решение:", "решений нет"
_LOG = re.compile(rf"[^\n]*\n[ \t]*\d+[ \t]*\n[ \t]*(?:{_SOLVED}|{_UNSOLVED})[ \t]*(?:\n|\Z)")
_JUMP = re.compile(r"(\d{1,2}) (\d{1,2}) ([0-3])")
_MILLISECONDS = re.compile(r"\d{1,18}")
_SEEDS_ENCODING = "cp1251"  # of the Windows that the seed ran on


@dataclass(frozen=True)
class Record:
    """What a run of the seed's program, or of ours, has left in a log.

    when: the date and time as they stand there. milliseconds: how long it took. jumps: (row, column, direction) as they
    are counted in the seed's array; None: no solution. span: where the record begins.
    """

    when: str
    milliseconds: int
    jumps: tuple[Jump, ...] | None
    span: Span


def log_text(data: bytes, file: str = "") -> str:
    """The text of a log: UTF-8, else in the seed's encoding; `InputError` encoding where it is neither."""
    try:
        return decode(data, file)
    except InputError:
        try:
            return data.decode(_SEEDS_ENCODING)
        except UnicodeDecodeError:
            pass
        raise


def begins_log(head: bytes) -> bool:
    """Whether bytes begin with a record, in one encoding or the other."""
    texts = (plain(head.decode(encoding, "replace")).lstrip() for encoding in ("utf-8", _SEEDS_ENCODING))
    return any(map(_LOG.match, texts))


def log_records(text: str, file: str = "") -> Iterator[Record]:
    """The records of a log, one by one. `InputError` bad-log for what is none."""
    block: list[Line] = []
    for line in [*lines(plain(text), file), None]:
        if line is not None and line.text.strip():
            block.append(line)
        elif block:
            yield _record(block)
            block = []


def _record(block: Sequence[Line]) -> Record:
    when, *rest = block
    told = [line.text.strip() for line in rest]
    if not told or not _MILLISECONDS.fullmatch(told[0]):
        line = rest[0] if rest else when
        raise input_error("bad-log", "the milliseconds are missing below the date", line.span())
    if len(told) < 2 or told[1] not in (_SOLVED, _UNSOLVED):
        message = f'"{_SOLVED}" or "{_UNSOLVED}" is missing below the milliseconds'
        raise input_error("bad-log", message, rest[min(1, len(rest) - 1)].span())
    is_solved, listed = told[1] == _SOLVED, rest[2:]
    if listed and not is_solved:
        raise input_error("bad-log", "expected an empty line at the end of the record", listed[0].span())
    jumps = tuple(map(_jump, listed)) if is_solved else None
    return Record(when.text.strip(), int(told[0]), jumps, when.span())


def _jump(line: Line) -> Jump:
    found = _JUMP.fullmatch(line.text.strip())
    if not found or not (int(found[1]) < ARRAY and int(found[2]) < ARRAY):
        hint = "x is the column, y the row, 0 to 15; n is 0 up, 1 down, 2 left, 3 right"
        raise input_error("bad-log", "a jump is written x y n", line.span(), hint)
    return int(found[2]), int(found[1]), int(found[3])


def read_log(data: bytes, file: str) -> Iterator[Entry]:
    """The least puzzle that the jumps of each record solve, with these as its play; the date is its name.

    Records without jumps tell no puzzle and are passed over.
    """
    for record in log_records(log_text(data, file), file):
        if record.jumps:
            puzzle = alphabet.least_puzzle(record.jumps, record.when)
            fields = {"milliseconds": str(record.milliseconds)}
            yield Entry(
                GAME_NAME, puzzle, Play(ARRAY, ARRAY, record.jumps), record.when, fields=fields, span=record.span
            )


def log_record(puzzle: Puzzle, jumps: Sequence[Jump] | None, milliseconds: int, when: datetime) -> str:
    """The record of a solution, or None for no solution, as the seed writes it, the empty line after it included.

    jumps: as they are counted on the puzzle's board. The date is that of Delphi in a Russian Windows, such as
    17.11.2015 9:05:03, without the time at midnight.
    """
    date = f"{when:%d.%m.%Y}" + (f" {when.hour}:{when:%M:%S}" if f"{when:%H%M%S}" != "000000" else "")
    return "\n".join([date, str(milliseconds), *_result(puzzle, jumps), "", ""])


def _result(puzzle: Puzzle, jumps: Sequence[Jump] | None) -> list[str]:
    if jumps is None:
        return [_UNSOLVED]
    return [_SOLVED, *(f"{column} {row} {direction}" for row, column, direction in alphabet.to_array(puzzle, jumps))]


_LOG_HEAD = 1 << 16


def append_log(path: str, record: str) -> None:
    """Append a record to a log, which is made if there is none: UTF-8, or what the file is in, with its line ends.

    Where the empty line that ends a record is missing it is put in front.
    """
    with open(path, "a+b") as log:
        log.seek(0)
        before = log.read(_LOG_HEAD)  # it has a record's heading, which shows the encoding
        if len(before) == _LOG_HEAD:
            before = before.rpartition(b"\n")[0]  # no letter is cut in two
        encoding = "utf-8" if _is_utf8(before) else _SEEDS_ENCODING
        text = _missing_ends(log) + record
        log.write((text.replace("\n", "\r\n") if b"\r\n" in before else text).encode(encoding))


def _missing_ends(log: IO[bytes]) -> str:
    """The line ends without which a log's last record has no empty line after it."""
    log.seek(max(0, log.seek(0, SEEK_END) - 4))
    end = log.read().replace(b"\r", b"")
    return "\n" * (2 - len(end[-2:]) + len(end[-2:].rstrip(b"\n"))) if end else ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def write_log(puzzle: Puzzle, board: Play | None, name: str) -> str:
    """A record of the jumps, of 0 milliseconds; the name takes the place of the date, where there is one."""
    if board is None:
        raise refuse("a log holds jumps only, and there are none")
    date, _, rest = log_record(puzzle, board.jumps, 0, datetime(1899, 12, 30)).partition("\n")  # Delphi's day 0
    return f"{' '.join(name.split()) or date}\n{rest}".removesuffix("\n")


# ---------------------------------------------------------------- drawn boards

_COMMENT = "//"
_MOVES = re.compile(r"\s*(?:\d{1,4}\.\s+)?r-?\d+c-?\d+\b")


def is_drawn(text: str) -> bool:
    """Whether a text's first block of lines is a board with a peg; names in front of it apart."""
    found = (block for block in _blocks(text, "") if not _is_comment(block))
    signs = {sign for line in next(found, []) for sign in line.text}
    return signs <= SIGNS and bool(signs & {"o", "X"})


def read_drawn(text: str, file: str) -> Iterator[Entry]:
    """Boards with empty lines between; in front of one its name after `//`, after one its jumps in words, if any."""
    name, board = "", None
    for block in _blocks(text, file):
        is_moves = bool(_MOVES.match(block[0].text))
        if board is not None:
            yield _drawn_entry(board, block if is_moves else [], name)
            name = ""
        elif is_moves:
            raise input_error("bad-jump", "there is no board before these jumps", block[0].span())
        if _is_comment(block):
            name = name or block[0].text.strip().removeprefix(_COMMENT).strip()
        board = None if is_moves or _is_comment(block) else block
    if board is not None:
        yield _drawn_entry(board, [], name)


def _blocks(text: str, file: str) -> Iterator[list[Line]]:
    """The lines between empty ones; a comment is a block of its own."""
    block: list[Line] = []
    for line in short_lines(text, file):
        is_filled = bool(line.text.strip())
        if block and (not is_filled or _is_comment([line]) or _is_comment(block)):
            yield block
            block = []
        block += [line] if is_filled else []
    if block:
        yield block


def _is_comment(block: Sequence[Line]) -> bool:
    return block[0].text.lstrip().startswith(_COMMENT)


def _drawn_entry(board: Sequence[Line], moves: Sequence[Line], name: str) -> Entry:
    rows = [line.text.rstrip() for line in board]
    is_spaced = max(map(len, rows)) > 1 and not any(row[1::2].strip() for row in rows)
    step = 2 if is_spaced else 1

    def place(row: int, column: int) -> Span:
        return board[min(row, len(board) - 1)].span(step * column)

    puzzle = alphabet.puzzle([row[::step] for row in rows], None, name, place)
    return Entry(GAME_NAME, puzzle, _drawn_play(puzzle, moves), name, span=board[0].span())


def _drawn_play(puzzle: Puzzle, moves: Sequence[Line]) -> Play | None:
    text = "\n".join(line.text for line in moves)

    def place(at: int) -> Span:
        number = text.count("\n", 0, at)
        return moves[number].span(at - text.rfind("\n", 0, at) - 1)

    return alphabet.play(puzzle, text, place) if moves else None


def write_drawn(puzzle: Puzzle, board: Play | None, name: str) -> str:
    """The name, the board without blanks between, and the jumps in words."""
    title = [f"{_COMMENT} {' '.join(name.split())}"] if name.strip() else []
    moves = ["", words(board.jumps)] if board is not None and board.jumps else []
    return "\n".join([*title, *puzzle.rows(), *moves])


def refuse(what: str) -> InputError:
    """The error of a writer whose format cannot hold what it was given."""
    return input_error("not-writable", what)
