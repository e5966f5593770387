"""Independent witnesses for Suguru on rows of numbers: the naive judge and a brute force. No rules, no kernels."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from itertools import product

from dnd.suguru.oracle import RULES, Grid, faults

__all__ = ["RULES", "Grid", "brute_force", "completions", "faults", "random_cages", "random_givens", "rows_of"]

Rows = list[list[int]]


def brute_force(cages: Sequence[Sequence[Hashable]], givens: Sequence[Sequence[int]]) -> list[Rows]:
    """All solutions in the order of their values: cell by cell, every value that no earlier cell forbids.

    cages: rows of names, each one cage; None is a hole. A complete board is judged as a whole before it counts.
    """
    height, width = len(cages), len(cages[0])
    values = [[0] * width for _ in range(height)]
    found: list[Rows] = []

    def fits(row: int, column: int, value: int) -> bool:
        for r in range(row + 1):
            for c in range(width):
                if values[r][c] == value and (r, c) < (row, column):
                    touches = abs(r - row) <= 1 and abs(c - column) <= 1
                    if touches or cages[r][c] == cages[row][column]:
                        return False
        return givens[row][column] in (0, value)

    def fill(cell: int) -> None:
        if cell == height * width:
            if not faults(cages, givens, values):
                found.append([list(row) for row in values])
            return
        row, column = divmod(cell, width)
        if cages[row][column] is None:
            fill(cell + 1)
            return
        size = sum(line.count(cages[row][column]) for line in cages)
        for value in range(1, size + 1):
            if fits(row, column, value):
                values[row][column] = value
                fill(cell + 1)
                values[row][column] = 0

    fill(0)
    return found


def completions(values: Sequence[Sequence[int]], most: int) -> Iterator[Rows]:
    """All boards that a board with unknown cells (0) can become, with values up to `most`."""
    width = len(values[0])
    flat = [value for row in values for value in row]
    for filling in product(*([value] if value else range(1, most + 1) for value in flat)):
        yield rows_of(filling, width)


def rows_of(flat: Sequence[int], width: int) -> Rows:
    """A flat board in rows."""
    return [list(flat[start : start + width]) for start in range(0, len(flat), width)]


def random_cages(
    height: int, width: int, rng: random.Random, most: int = 5, holes: float = 0.0
) -> list[list[int | None]]:
    """Cages of any shape, of up to `most` cells: grown cell by cell into cells that have none yet; some holes."""
    names: dict[tuple[int, int], int | None] = {
        (r, c): None for r in range(height) for c in range(width) if rng.random() < holes
    }
    free = [(r, c) for r in range(height) for c in range(width) if (r, c) not in names]
    rng.shuffle(free)
    for name, start in enumerate(free):
        cage = [] if start in names else [start]
        size = rng.randint(1, most)
        for r, c in cage:  # it grows while we go
            names[r, c] = name
            around = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            rng.shuffle(around)
            cage += [cell for cell in around if cell in free and cell not in names and cell not in cage][
                : size - len(cage)
            ]
    return [[names[r, c] for c in range(width)] for r in range(height)]


def random_givens(cages: Sequence[Sequence[Hashable]], rng: random.Random, share: float, most: int = 6) -> Rows:
    """Givens in that share of the cells; they may contradict each other and their cages."""
    return [[rng.randint(1, most) if cage is not None and rng.random() < share else 0 for cage in row] for row in cages]
