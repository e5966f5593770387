"""The course's functions once more, as plainly as they can be written: what the reference kernels are tested against.

Sets of cells, loops, no masks. Nothing here may come from the kernels or from `dnd.course`: programs that share code
share their mistakes. A rule yields the cells that break it, so that a report can show them; a kernel's `test_*` rejects
where there are any. The course's rules are kept as they are, departures from the exact ones and all (docs/course.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

Cell = tuple[int, int]

SIDE = 8
CELLS = [(row, column) for row in range(SIDE) for column in range(SIDE)]


class Position(NamedTuple):
    """A problem, and the walls that some of its rows or all have got. A clue of -1 is unknown."""

    monsters: set[Cell]
    treasures: set[Cell]
    rows: Sequence[int]
    columns: Sequence[int]
    walls: set[Cell]


def cells(word: int) -> set[Cell]:
    """Questions 5 and 6: the cells that are set in a word, whose last digit is the first cell."""
    return {cell for cell, digit in zip(CELLS, reversed(f"{word:064b}"), strict=True) if digit == "1"}


def word(found: Iterable[Cell]) -> int:
    """Questions 4 and 6: the word in which these cells are set."""
    return sum(2 ** CELLS.index(cell) for cell in found)


def neighbours(cell: Cell) -> list[Cell]:
    """Question 19: the cells above, below, left and right."""
    row, column = cell
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE]


def ways(at: Position, cell: Cell) -> int:
    """Question 20: how many neighbours are not walls."""
    return sum(other not in at.walls for other in neighbours(cell))


def is_empty(at: Position, cell: Cell) -> bool:
    """Question 17: whether a cell has no wall, no monster, no treasure."""
    return cell not in at.walls and cell not in at.monsters and cell not in at.treasures


def letter(at: Position, cell: Cell) -> str:
    """Question 11: how a cell is drawn; a wall hides what else it may hold."""
    if cell in at.walls:
        return "#"
    return "M" if cell in at.monsters else "T" if cell in at.treasures else "."


def moves(at: Position, row: int) -> list[list[Cell]]:
    """Questions 12 to 14: the walls that a row may get, as its clue asks, none on an object; in no order."""
    free = [(row, column) for column in range(SIDE) if (row, column) not in at.monsters | at.treasures]
    sizes = range(SIDE + 1) if at.rows[row] < 0 else [at.rows[row]]
    return [list(walls) for size in sizes for walls in combinations(free, size)]


# ---------------------------------------------------------------- rules: the cells that break them


def overloaded(at: Position) -> list[Cell]:
    """Question 16: columns with more walls than their clue."""
    full = [column for column, clue in enumerate(at.columns) if 0 <= clue < _walls_in(at, column)]
    return [cell for cell in CELLS if cell[1] in full]


def underloaded(at: Position) -> list[Cell]:
    """Question 16: columns with fewer walls than their clue."""
    short = [column for column, clue in enumerate(at.columns) if _walls_in(at, column) < clue]
    return [cell for cell in CELLS if cell[1] in short]


def _walls_in(at: Position, column: int) -> int:
    return sum((row, column) in at.walls for row in range(SIDE))


def idle_dead_ends(at: Position, rows: int) -> list[Cell]:
    """Question 22: empty cells of the first rows with one open neighbour or none."""
    return [cell for cell in CELLS if cell[0] < rows and is_empty(at, cell) and ways(at, cell) < 2]


def trapped_monsters(at: Position) -> list[Cell]:
    """Question 23: monsters without any open neighbour."""
    return [cell for cell in sorted(at.monsters) if ways(at, cell) == 0]


def wrong_dead_ends(at: Position) -> list[Cell]:
    """Question 21: empty cells in dead ends, and monsters that are not in one."""
    return idle_dead_ends(at, SIDE) + [cell for cell in sorted(at.monsters) if ways(at, cell) != 1]


def open_squares(blocked: set[Cell]) -> list[Cell]:
    """Question 25: the cells of 2x2 squares in which nothing is blocked."""
    found = []
    for row, column in CELLS:
        square = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
        if row + 1 < SIDE and column + 1 < SIDE and not blocked.intersection(square):
            found += square
    return found


def fill_rooms(at: Position, blocked: set[Cell]) -> tuple[list[Cell], set[Cell]]:
    """Question 26: the treasure that is refused a room, if one is, and what is blocked when the rooms are filled.

    A room is the first 3x3 square around the treasure in which nothing is blocked, and exactly one cell at its sides
    must not be. Rooms are filled one after the other; the first that is refused ends it.
    """
    filled = set(blocked)
    for treasure in sorted(at.treasures):
        squares = [square for square in _SQUARES if treasure in square and not filled.intersection(square)]
        if not squares or len(_BORDERS[squares[0]] - filled) != 1:
            return [treasure], filled
        filled |= set(squares[0])
    return [], filled


def _square(top: int, left: int) -> tuple[Cell, ...]:
    return tuple((row, column) for row in range(top, top + 3) for column in range(left, left + 3))


_SQUARES = [_square(top, left) for top in range(SIDE - 2) for left in range(SIDE - 2)]
_BORDERS = {
    square: {other for cell in square for other in neighbours(cell) if other not in square} for square in _SQUARES
}
