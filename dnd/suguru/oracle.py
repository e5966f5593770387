"""The rules once more, as plainly as they can be written: the oracle that validators are tested against.

Complete boards only, as rows of numbers; loops, no tables. Nothing here may come from `dnd.suguru`: two programs
that share code share their mistakes.

    cages       rows of cage names, anything that compares; None is a hole. A name is one cage.
    values      rows of numbers; what stands in a hole does not matter
    givens      rows of numbers, 0 for none
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

Cell = tuple[int, int]


class Grid(NamedTuple):
    """A complete board with its cages and givens."""

    cages: Sequence[Sequence[Hashable]]
    givens: Sequence[Sequence[int]]
    values: Sequence[Sequence[int]]


def faults(
    cages: Sequence[Sequence[Hashable]], givens: Sequence[Sequence[int]], values: Sequence[Sequence[int]]
) -> list[str]:
    """The codes of the rules that a complete board breaks, in the order of the rules."""
    return [code for code, holds in RULES.items() if not holds(Grid(cages, givens, values))]


def no_cage_repeats(grid: Grid) -> bool:
    """No number stands twice in a cage."""
    seen = set()
    for row, column in cells(grid):
        pair = (grid.cages[row][column], grid.values[row][column])
        if pair in seen:
            return False
        seen.add(pair)
    return True


def values_are_in_range(grid: Grid) -> bool:
    """Every number is from 1 to the number of cells of its cage."""
    names = [grid.cages[row][column] for row, column in cells(grid)]
    sizes = {name: names.count(name) for name in set(names)}
    return all(1 <= grid.values[row][column] <= sizes[grid.cages[row][column]] for row, column in cells(grid))


def no_equals_touch(grid: Grid) -> bool:
    """No two cells at a distance of one king's move hold the same number."""
    everywhere = set(cells(grid))
    for row, column in everywhere:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                other = (row + down, column + right)
                if other == (row, column) or other not in everywhere:
                    continue
                if grid.values[other[0]][other[1]] == grid.values[row][column]:
                    return False
    return True


def givens_stand(grid: Grid) -> bool:
    """Every given is where it was given."""
    return all(grid.givens[row][column] in (0, grid.values[row][column]) for row, column in cells(grid))


RULES: dict[str, Callable[[Grid], bool]] = {
    "cage-repeat": no_cage_repeats,
    "cage-value-range": values_are_in_range,
    "touching-equals": no_equals_touch,
    "given-changed": givens_stand,
}


def cells(grid: Grid) -> list[Cell]:
    """All cells but the holes."""
    return [(r, c) for r, line in enumerate(grid.cages) for c, cage in enumerate(line) if cage is not None]
