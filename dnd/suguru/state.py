"""What the solver of `explainer` knows of a grid: candidates and values, and the units that they are looked for in.

Cells are indices here, row * width + column. A set of values is an int that has bit v for value v, a set of cells an
int that has bit c for cell c. Why something is so, and how to say it, is the business of `techniques`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import product
from operator import or_

from dnd import grid
from dnd.diagnostic import Cell
from dnd.suguru.puzzle import HOLE

Mark = tuple[Cell, int]  # a value in a cell: that stands there, or that cannot


class Layout:
    """What never changes about a grid of cages. Cells of the own cage come first among a cell's peers."""

    def __init__(self, height: int, width: int, cages: tuple[int, ...]) -> None:
        self.width = width
        self.cage = cages
        self.cage_cells: list[list[int]] = [[] for _ in range(max(cages) + 1)]
        for cell, cage in enumerate(cages):
            if cage != HOLE:
                self.cage_cells[cage].append(cell)
        self.full = [(2 << len(cells)) - 2 for cells in self.cage_cells]
        self.windows = _windows(height, width, cages)
        self.touching = [0] * len(cages)
        for window in self.windows:
            together = sum(1 << cell for cell in window)
            for cell in window:
                self.touching[cell] |= together & ~(1 << cell)
        self.peers = [self._peers(cell) for cell in range(len(cages))]
        # Of each kind of unit: the units that a cell belongs to, and all of them.
        self.units: dict[str, tuple[Sequence[Sequence[int]], Sequence[int]]] = {
            "cells": ([(cell,) for cell in range(len(cages))], [cell for cells in self.cage_cells for cell in cells]),
            "cages": (self._members(self.cage_cells), range(len(self.cage_cells))),
            "windows": (self._members(self.windows), range(len(self.windows))),
        }

    def _members(self, groups: Sequence[Sequence[int]]) -> list[list[int]]:
        """The numbers of the groups that each cell belongs to."""
        groups_of: list[list[int]] = [[] for _ in self.cage]
        for number, cells in enumerate(groups):
            for cell in cells:
                groups_of[cell].append(number)
        return groups_of

    def _peers(self, cell: int) -> list[int]:
        if self.cage[cell] == HOLE:
            return []
        mates = [other for other in self.cage_cells[self.cage[cell]] if other != cell]
        return mates + [other for other in grid.indices(self.touching[cell]) if self.cage[other] != self.cage[cell]]

    def cages_of(self, cells: Iterable[int]) -> int:
        """The mask of the cages of cells."""
        return reduce(or_, [1 << self.cage[cell] for cell in cells], 0)

    def common_peers(self, cells: Iterable[int]) -> list[int]:
        """The cells that see all of these, lowest first."""
        return sorted(set.intersection(*[set(self.peers[cell]) for cell in cells]))

    def cell(self, index: int) -> Cell:
        """(row, column)."""
        return divmod(index, self.width)

    def marks(self, marks: Iterable[tuple[int, int]]) -> tuple[Mark, ...]:
        """Pairs of a cell's index and a value as marks, in order."""
        return tuple([(self.cell(cell), value) for cell, value in sorted(marks)])


layout_of = lru_cache(maxsize=16)(Layout)


def _windows(height: int, width: int, cages: Sequence[int]) -> list[list[int]]:
    """The cells of each 2x2 window, two at least; in a grid of one row or column a window has two cells."""
    found = []
    for row, column in product(range(max(1, height - 1)), range(max(1, width - 1))):
        rows, columns = range(row, min(row + 2, height)), range(column, min(column + 2, width))
        cells = [r * width + c for r in rows for c in columns if cages[r * width + c] != HOLE]
        if len(cells) > 1:
            found.append(cells)
    return found


# What can be impossible; the arguments of `Contradiction` after it.
MISPLACED = "misplaced"  # cell, value: a value that is not a candidate of its cell
NO_VALUE = "no-value"  # cell: one that has no candidate left
NO_PLACE = "no-place"  # cage, value: no cell of the cage can be the value


class Contradiction(Exception):  # noqa: N818  # no error: it is what a trial hopes for
    """Something is impossible: a kind of impossibility, a cell or cage, and a value, 0 for none."""

    def __init__(self, kind: str, place: int, value: int = 0) -> None:
        super().__init__()
        self.kind, self.place, self.value = kind, place, value


class State:
    """What is known: the candidates of each cell and the values that stand. `log` lists cells that lost candidates."""

    def __init__(self, layout: Layout, candidates: list[int], values: list[int]) -> None:
        self.layout = layout
        self.candidates = candidates
        self.values = values
        self.log: list[int] = []

    @classmethod
    def empty(cls, layout: Layout) -> State:
        """Nothing known but the sizes of cages."""
        return cls(layout, [0 if cage == HOLE else layout.full[cage] for cage in layout.cage], [0] * len(layout.cage))

    def copy(self) -> State:
        """The same knowledge, to try something; the log starts anew."""
        return State(self.layout, self.candidates.copy(), self.values.copy())

    def enter(self, values: Iterable[int]) -> None:
        """Place the values of a grid, 0 for none, which may be wrong; `Contradiction` for one that cannot stand."""
        for cell, value in enumerate(values):
            if value and not self.candidates[cell] >> value & 1:
                raise Contradiction(MISPLACED, cell, value)
            if value and not self.values[cell]:
                self.place(cell, value)

    def place(self, cell: int, value: int) -> None:
        """Place a candidate: the cell's peers lose it."""
        bit, candidates = 1 << value, self.candidates
        self.values[cell] = value
        candidates[cell] = bit
        self.log.append(cell)
        for peer in self.layout.peers[cell]:
            if candidates[peer] & bit:
                candidates[peer] ^= bit
                self.log.append(peer)

    def conclude(self, placed: Iterable[Mark], removed: Iterable[Mark]) -> None:
        """Take over what a step concludes: values that stand, and candidates that are none."""
        for (row, column), value in placed:
            self.place(row * self.layout.width + column, value)
        for (row, column), value in removed:
            cell = row * self.layout.width + column
            self.candidates[cell] &= ~(1 << value)
            self.log.append(cell)

    def unknown(self) -> list[int]:
        """The cells without a value."""
        return [cell for cell, value in enumerate(self.values) if not value and self.layout.cage[cell] != HOLE]

    def open_cells(self, cells: Iterable[int]) -> list[int]:
        """Those of the cells that have no value."""
        return [cell for cell in cells if not self.values[cell]]

    def open_places(self, cage: int) -> Iterator[tuple[int, list[int]]]:
        """Each value that a cage still lacks, and its places."""
        cells = self.open_cells(self.layout.cage_cells[cage])
        lacking = 0
        for cell in cells:
            lacking |= self.candidates[cell]
        for value in grid.indices(lacking):
            yield value, [cell for cell in cells if self.candidates[cell] >> value & 1]

    def last_value(self, cell: int) -> int:
        """The only candidate of a cell that has no value yet, 0 if it has several; `Contradiction` if it has none."""
        candidates = self.candidates[cell]
        if not candidates:
            raise Contradiction(NO_VALUE, cell)
        return 0 if self.values[cell] or candidates & (candidates - 1) else candidates.bit_length() - 1

    def last_place(self, cage: int) -> tuple[int, int] | None:
        """A cell and a value that no other cell of the cage can be, and that is not placed yet.

        `Contradiction` for a value that has no place.
        """
        once = twice = placed = 0
        candidates, cells = self.candidates, self.layout.cage_cells[cage]
        for cell in cells:
            twice |= once & candidates[cell]
            once |= candidates[cell]
            if self.values[cell]:
                placed |= candidates[cell]
        missing = self.layout.full[cage] & ~once
        if missing:
            raise Contradiction(NO_PLACE, cage, next(grid.indices(missing)))
        for value in grid.indices(once & ~twice & ~placed):
            return next(cell for cell in cells if candidates[cell] >> value & 1), value
        return None
