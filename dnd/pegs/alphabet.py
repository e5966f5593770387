"""From signs to values, what all readers share: drawn rows, jumps in all their forms, the seed's array.

A reader's `place` functions say where in its own text things stand, so that every error points there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from dnd.diagnostic import Cell, Span, counted, input_error, located, span_at
from dnd.pegs.draw import Jump, landing, over
from dnd.pegs.puzzle import MAX_SIDE, Play, Puzzle

# Of a row and column; column = the row's length is the place after it.
Place = Callable[[int, int], Span]

GAME_NAME = "pegs"
ARRAY = 16  # the side of the seed's array
_INNER = 14  # its cells 1 to 14, from which alone the seed's search jumps
SIGNS = frozenset("#o.xX ")


def check_rows(rows: Sequence[str], width: int, place: Place) -> None:
    """Raise `InputError` row-length unless all rows have that many signs."""
    for number, row in enumerate(rows):
        if len(row) != width:
            message = f"row {number + 1} has {counted(len(row), 'cell')}, not {width}"
            raise input_error("row-length", message, place(number, min(len(row), width)))


def puzzle(rows: Sequence[str], final: Cell | None, name: str, place: Place, final_place: Span | None = None) -> Puzzle:
    """The puzzle of drawn rows (`Puzzle.of`); `InputError` with the place of what is wrong.

    final_place: where `final` stands, if it does not stand in the rows.
    """

    def part_place(part: str, which: object) -> Span:
        if part == "final" and final_place is not None:
            return final_place
        if part == "width":
            return place(0, MAX_SIDE)
        return place(*which) if isinstance(which, tuple) else place(MAX_SIDE if part == "height" else 0, 0)

    with located(part_place):
        return Puzzle.of(rows, final, name)


# ---------------------------------------------------------------- the seed's array


def offset(height: int, width: int) -> int:
    """The row and column of the seed's array where the board's first cell lies: 1 where there is room for an edge."""
    return 1 if max(height, width) <= _INNER else 0


def to_array(puzzle: Puzzle, jumps: Sequence[Jump]) -> tuple[Jump, ...]:
    """Jumps as they are counted in the seed's array."""
    shift = offset(puzzle.height, puzzle.width)
    return tuple((row + shift, column + shift, direction) for row, column, direction in jumps)


def from_array(puzzle: Puzzle, jumps: Sequence[Jump]) -> tuple[Jump, ...]:
    """Jumps that are counted in the seed's array, as they are counted on the board."""
    shift = offset(puzzle.height, puzzle.width)
    return tuple((row - shift, column - shift, direction) for row, column, direction in jumps)


def least_puzzle(jumps: Sequence[Jump], name: str) -> Puzzle:
    """The least puzzle, 16x16, that the jumps solve: the start position that they tell, on the cells that they use.

    Where they contradict themselves it is one that they do not solve. There must be a jump.
    """
    pegs, used = {landing(jumps[-1])}, set()
    for jump in reversed(jumps):
        pegs -= {landing(jump)}
        pegs |= {jump[:2], over(jump)}
        used |= {jump[:2], over(jump), landing(jump)}
    signs = [
        ("o" if (row, column) in pegs else ".") if (row, column) in used else "#"
        for row in range(ARRAY)
        for column in range(ARRAY)
    ]
    return Puzzle.of(["".join(signs[start : start + ARRAY]) for start in range(0, len(signs), ARRAY)], None, name)


# ---------------------------------------------------------------- jumps in a text

_GAP = re.compile(r"[\s,;]*")
_NUMBERED = re.compile(r"\d{1,4}\.[ \t]+")
_WORDS = re.compile(r"r(-?\d{1,3})c(-?\d{1,3})(?:((?:\s+(?:up|down|left|right)\b)+)|([udlr])\b)")
_SIGN = re.compile(r"([0-9a-f])([0-9a-f])([udlr])\b")
_LOG_LINE = re.compile(r"(\d{1,3})[ \t]+(\d{1,3})[ \t]+([0-3])\b")
_WORD = re.compile(r"\S{1,20}")
_HINT = "a jump is written r6c4 up, or 53u, or as a line x y n, or [row, column, direction] in JSON"


def play(puzzle: Puzzle, text: str, place: Callable[[int], Span] | None = None) -> Play:
    """The play that a text tells, in the forms of `rules.as_board`. place: where an offset in it stands."""
    place = place or (lambda at: span_at(text, at))
    start = _GAP.match(text)
    if start and text.startswith("[", start.end()):
        return _json_play(puzzle, text, start.end(), place)
    jumps: list[Jump] = []
    starts: list[int] = []
    at = _skipped(text, 0)
    while at < len(text):
        found, end = _jumps_at(puzzle, text, at, place)
        jumps += found
        starts += [at] * len(found)
        at = _skipped(text, end)
    with located(lambda _, index: place(starts[index])):
        return Play(puzzle.height, puzzle.width, tuple(jumps))


def _skipped(text: str, at: int) -> int:
    """The offset after blanks, commas and a number in front of a move."""
    gap = _GAP.match(text, at)
    at = gap.end() if gap else at
    number = _NUMBERED.match(text, at)
    return number.end() if number else at


def _jumps_at(puzzle: Puzzle, text: str, at: int, place: Callable[[int], Span]) -> tuple[list[Jump], int]:
    """The jumps of the move at an offset, and the offset after it."""
    if words := _WORDS.match(text, at):
        directions = [words[4]] if words[4] else words[3].split()
        return _run(int(words[1]) - 1, int(words[2]) - 1, ["udlr".index(word[0]) for word in directions]), words.end()
    if sign := _SIGN.match(text, at):
        return [(int(sign[1], 16), int(sign[2], 16), "udlr".index(sign[3]))], sign.end()
    if line := _LOG_LINE.match(text, at):
        return list(from_array(puzzle, [(int(line[2]), int(line[1]), int(line[3]))])), line.end()
    word = _WORD.match(text, at)
    shown = repr(word[0]) if word else "this"
    raise input_error("bad-jump", f"{shown} is not a jump", place(at), _HINT)


def _run(row: int, column: int, directions: Sequence[int]) -> list[Jump]:
    jumps: list[Jump] = []
    for direction in directions:
        jumps.append((row, column, direction))
        row, column = landing(jumps[-1])
    return jumps


def _json_play(puzzle: Puzzle, text: str, at: int, place: Callable[[int], Span]) -> Play:
    try:
        jumps = json.loads(text[at:])
    except (ValueError, RecursionError):
        raise input_error("bad-json", "the list of jumps is not valid JSON", place(at), _HINT) from None
    return listed_play(puzzle, jumps, lambda _: place(at))


def listed_play(puzzle: Puzzle, jumps: object, place: Callable[[int | None], Span]) -> Play:
    """The play of a list of [row, column, direction] that was read. place: of a jump by its index, or of the list."""
    if not isinstance(jumps, list):
        raise input_error("wrong-type", "jumps are a list of [row, column, direction]", place(None))
    for index, jump in enumerate(jumps):
        if not isinstance(jump, list) or len(jump) != 3:
            raise input_error("bad-jump", f"jump {index + 1} is not a [row, column, direction]", place(index))
    with located(lambda _, index: place(index)):
        return Play(puzzle.height, puzzle.width, tuple(map(tuple, jumps)))
