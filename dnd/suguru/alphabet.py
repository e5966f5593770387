"""From signs to values: what all readers of Sugurus share.

A reader brings its cages into labels and its numbers into values, both row by row. Its `place` functions say
where in its own text things stand, so that every error points there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dnd.diagnostic import InputError, PartPlace, Span, cell_name, counted, input_error, located
from dnd.suguru.puzzle import HOLE, MAX_CAGE, SIGNS, Board, Puzzle, numbered

# Of a row and column; column = the row's length is the place after the row, row = their number the place of none.
Place = Callable[[int, int], Span]

GAME_NAME = "suguru"
HOLE_SIGN = "#"
_NUMBERS = dict.fromkeys("-._?", 0) | {str(value): value for value in range(MAX_CAGE + 1)}
CAGE_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789#")


def check_rows(rows: Sequence[Sequence[object]], height: int, width: int, place: Place) -> None:
    """Raise `InputError` row-length or row-number unless there are `height` rows of `width` cells."""
    for number, row in enumerate(rows[:height]):
        if len(row) != width:
            message = f"row {number + 1} has {counted(len(row), 'cell')}, not {width}"
            raise input_error("row-length", message, place(number, min(len(row), width)))
    if len(rows) != height:
        message = f"{counted(len(rows), 'row')}, not {height}"
        raise input_error("row-number", message, place(min(len(rows), height), 0))


def labels(rows: Sequence[Sequence[str]], known: frozenset[str], place: Place, hint: str = "") -> list[str]:
    """The cage labels of drawn cages, row by row; `InputError` bad-letter for a sign that is not known."""
    for number, row in enumerate(rows):
        for column, sign in enumerate(row):
            if sign not in known:
                hint = hint or f"cages are drawn as letters, holes as {HOLE_SIGN}"
                raise input_error("bad-letter", f"{shown(sign)} is not a cage", place(number, column), hint)
    return [sign for row in rows for sign in row]


def values(rows: Sequence[Sequence[str]], cages: Sequence[int], place: Place, hole: str = HOLE_SIGN) -> list[int]:
    """The values that are drawn beside cages, row by row; `InputError` for other signs and for holes elsewhere."""
    known: list[int] = []
    for number, row in enumerate(rows):
        for column, sign in enumerate(row):
            if sign not in SIGNS and sign != hole:
                hint = f"cells are written 1-9, a-w for 10 to 32, . for unknown, {hole} for a hole"
                raise input_error("bad-letter", f"{shown(sign)} is not a value", place(number, column), hint)
            if sign == hole and cages[len(known)] != HOLE:
                message = f"{cell_name((number, column))} is a hole here, but a cell of a cage elsewhere"
                raise input_error("board-conflict", message, place(number, column))
            known.append(0 if sign == hole else SIGNS.index(sign))
    return known


def numbers(rows: Sequence[Sequence[str]], place: Place) -> list[int]:
    """The values of decimal numbers, row by row; 0 for signs of empty cells (`-`, `.`, `_`, `?`, `0`)."""
    for number, row in enumerate(rows):
        for column, word in enumerate(row):
            if word not in _NUMBERS:
                if word.isascii() and word.isdigit():
                    message = f"{shown(word)} is beyond {MAX_CAGE}, the largest value"
                    raise input_error("given-range", message, place(number, column))
                hint = "a number, or - for an empty cell"
                raise input_error("bad-letter", f"{shown(word)} is not a value", place(number, column), hint)
    return [_NUMBERS[word] for row in rows for word in row]


def shown(sign: str) -> str:
    """A sign in a message: not more than some characters of it."""
    return repr(sign if len(sign) <= 10 else sign[:10] + "...")


def puzzle(
    cages: tuple[int, ...], givens: Sequence[int], width: int, name: str, cage_place: Place, given_place: Place
) -> Puzzle:
    """The puzzle of numbered cages and givens, row by row; `InputError` where the values refuse it."""
    with located(_part_place(cages, width, cage_place, given_place)):
        return Puzzle(len(cages) // width, width, cages, tuple(givens), name)


def check_cages(cages: tuple[int, ...], width: int, place: Place) -> None:
    """Raise `InputError` for cages that no puzzle can have, whatever its givens."""
    puzzle(cages, [0] * len(cages), width, "", place, place)


def _part_place(cages: tuple[int, ...], width: int, cage_place: Place, given_place: Place) -> PartPlace:
    def place(part: str, which: Any) -> Span:
        if part == "cage":
            return cage_place(*divmod(cages.index(which), width))
        return given_place(*which) if part == "given" else cage_place(*(which or (0, 0)))

    return place


def bordered(height: int, width: int, right: Callable[[int], bool], below: Callable[[int], bool]) -> tuple[int, ...]:
    """Cage numbers of cells that borders separate: is there one right of, or below, the cell at an index?"""
    links: list[list[int]] = [[] for _ in range(height * width)]
    for cell in range(height * width):
        if cell % width < width - 1 and not right(cell):
            links[cell].append(cell + 1)
            links[cell + 1].append(cell)
        if cell + width < height * width and not below(cell):
            links[cell].append(cell + width)
            links[cell + width].append(cell)
    return numbered(_linked(links))


def _linked(links: Sequence[Sequence[int]]) -> list[int]:
    """For each cell the first cell that it is linked with."""
    first: list[int] = [-1] * len(links)
    for start in range(len(links)):
        waiting = [start] if first[start] < 0 else []
        while waiting:
            cell = waiting.pop()
            if first[cell] < 0:
                first[cell] = start
                waiting += links[cell]
    return first


def board(puzzle: Puzzle, known: Sequence[int], place: Place, code: str = "board-conflict") -> Board:
    """A board of values beside a puzzle; `InputError` for a value in a hole."""
    for cell, (value, cage) in enumerate(zip(known, puzzle.cages, strict=True)):
        if value and cage == HOLE:
            where = divmod(cell, puzzle.width)
            raise input_error(code, f"{cell_name(where)} is a hole of the puzzle, but has a value", place(*where))
    return Board(puzzle.height, puzzle.width, tuple(known))


def changed_given(puzzle: Puzzle, board: Board) -> tuple[int, int] | None:
    """The first cell whose given the board has changed."""
    for cell, (value, given) in enumerate(zip(board.values, puzzle.givens, strict=True)):
        if value and given and value != given:
            return divmod(cell, puzzle.width)
    return None


def refuse(what: str) -> InputError:
    """The error of a writer whose format cannot hold what it was given."""
    return input_error("not-writable", what)
