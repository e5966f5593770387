"""Searches for one solution in plain Python: the readable twin of `search_c`.

A position is an int, the mask of its pegs. Three cells in a line make a *triple*; written as the mask of their lowest
cells, all triples of a direction are looked at in one expression:

    p        a  . . . first cells          a jump exists where the middle is a peg and the two ends differ:
    p >> s   b  . . . middle cells             (p ^ p >> 2s) & p >> s & triples
    p >> 2s  c  . . . last cells           backwards, where the middle is empty and the two ends differ

with s = 1 along rows and s = width along columns. A jump either way toggles its three cells, so a path of positions
holds all there is to say of the jumps between them: searches keep positions, and `jumps_along` reads the jumps.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from heapq import nlargest
from itertools import pairwise
from operator import getitem

from dnd import grid

Jump = tuple[int, int, int]
Stop = bytearray | None

SCORES = 2

UP, DOWN, LEFT, RIGHT = range(4)


# --- the seed's search ----------------------------------------------------------------------------


def reference(
    height: int, width: int, cells: int, pegs: int, max_nodes: int, stop: Stop
) -> tuple[tuple[Jump, ...] | None, int, bool]:
    """(jumps or None, nodes, complete) of the seed's recursion, which ends with one peg anywhere or not at all.

    A node is a call of `pole_work`; max_nodes 0 is no bound. complete: neither the bound nor `stop` ended it.
    """
    game = _Seed(height, width, cells, pegs, max_nodes, stop)
    try:
        solved = game.pole_work()
    except _BudgetSpentError:
        return None, game.nodes, False
    return game.jumps() if solved else None, game.nodes, True


class _BudgetSpentError(Exception):
    """The bound on nodes was reached, or someone said stop."""


class _Seed:
    """The seed's array, record of steps, and function.

    The array of 16x16 has a border of one more cell around it here, which is where the seed reads what is not its own.
    Only x and y from 1 to 14 start a jump, so a board that leaves the border free is laid at (1, 1).
    """

    SIDE = 18
    EMPTY, PEG, OUTSIDE = range(3)
    STEPS = (-1, 1, -SIDE, SIDE)  # up, down, left, right: y is the inner coordinate

    def __init__(self, height: int, width: int, cells: int, pegs: int, max_nodes: int, stop: Stop) -> None:
        self.offset = 1 if height <= 14 and width <= 14 else 0
        self.pole = bytearray([self.OUTSIDE]) * (self.SIDE * self.SIDE)
        for index in grid.indices(cells):
            self.pole[self.place(*divmod(index, width))] = self.PEG if pegs >> index & 1 else self.EMPTY
        inner = (x * self.SIDE + y for x in range(2, 16) for y in range(2, 16))
        self.starts = [place for place in inner if self.pole[place] != self.OUTSIDE]
        self.steps: list[tuple[int, int]] = []
        self.win_steps = pegs.bit_count() - 1
        self.nodes = 0
        self.max_nodes, self.stop = max_nodes, stop

    def place(self, row: int, column: int) -> int:
        """Where the array holds a cell of the board."""
        return (column + self.offset + 1) * self.SIDE + row + self.offset + 1

    def cell(self, place: int) -> tuple[int, int]:
        """Row and column of the board's cell in a place of the array."""
        x, y = divmod(place, self.SIDE)
        return y - self.offset - 1, x - self.offset - 1

    def pole_work(self) -> bool:
        """The seed's PoleWork: try every jump in order and go deeper; the final test comes after all have failed."""
        if self.nodes == self.max_nodes != 0 or (self.stop and self.stop[0]):
            raise _BudgetSpentError
        self.nodes += 1
        pole = self.pole
        for start in self.starts:
            if pole[start] == self.PEG:
                for direction, step in enumerate(self.STEPS):
                    over, to = start + step, start + 2 * step
                    if pole[over] == self.PEG and pole[to] == self.EMPTY:
                        pole[start], pole[over], pole[to] = self.EMPTY, self.EMPTY, self.PEG
                        self.steps.append((start, direction))
                        if self.pole_work():
                            return True
                        pole[start], pole[over], pole[to] = self.PEG, self.PEG, self.EMPTY
                        self.steps.pop()
        return len(self.steps) >= self.win_steps

    def jumps(self) -> tuple[Jump, ...]:
        """The record in the coordinates of the board."""
        return tuple((*self.cell(place), direction) for place, direction in self.steps)


# --- positions and jumps --------------------------------------------------------------------------


class Board:
    """What a board of some cells knows of its positions."""

    def __init__(self, height: int, width: int, cells: int) -> None:
        self.height, self.width, self.cells = height, width, cells
        self.across = cells & cells >> 1 & cells >> 2 & columns(range(width - 2), height, width)
        self.along = cells & cells >> width & cells >> 2 * width
        self.column_triple = 1 | 1 << width | 1 << 2 * width

    def after(self, position: int) -> list[int]:
        """The positions one jump later."""
        width = self.width
        across = (position ^ position >> 2) & position >> 1 & self.across
        along = (position ^ position >> 2 * width) & position >> width & self.along
        return self._toggled(position, across, along)

    def before(self, position: int) -> list[int]:
        """The positions one jump earlier."""
        width, empty = self.width, self.cells ^ position
        across = (position ^ position >> 2) & empty >> 1 & self.across
        along = (position ^ position >> 2 * width) & empty >> width & self.along
        return self._toggled(position, across, along)

    def _toggled(self, position: int, across: int, along: int) -> list[int]:
        """The positions that differ from this one in a triple."""
        found = []
        while across:
            low = across & -across
            found.append(position ^ 7 * low)
            across ^= low
        triple = self.column_triple
        while along:
            low = along & -along
            found.append(position ^ triple * low)
            along ^= low
        return found

    def jumps_along(self, path: Iterable[int]) -> tuple[Jump, ...]:
        """The jumps between the positions of a path."""
        return tuple(self._jump(before, after) for before, after in pairwise(path))

    def start(self, before: int, after: int) -> int:
        """The mask of the cell in which the jump between two positions starts: an end of its triple that had a peg."""
        triple = before ^ after
        lowest = triple & -triple
        return lowest if before & lowest else 1 << triple.bit_length() - 1

    def _jump(self, before: int, after: int) -> Jump:
        """The jump between two positions."""
        start, to = self.start(before, after), after & ~before
        vertical = before ^ after == min(start, to) * self.column_triple
        directions = (UP, DOWN) if vertical else (LEFT, RIGHT)
        row, column = divmod(start.bit_length() - 1, self.width)
        return row, column, directions[to > start]


def columns(which: Iterable[int], height: int, width: int) -> int:
    """The mask of some columns."""
    return sum(grid.column_mask(column, height, width) for column in which)


def stopped(stop: Stop) -> bool:
    """Whether someone set the flag."""
    return stop is not None and stop[0] != 0


# --- beam -----------------------------------------------------------------------------------------


def beam(
    height: int, width: int, cells: int, pegs: int, finals: int, size: int, score: int, seed: int, stop: Stop
) -> tuple[int, tuple[Jump, ...], int]:
    """(1, jumps of a solution, nodes) or (-1, jumps to the best position, nodes); a node is a position rated.

    After every jump the `size` best of the distinct positions are kept: memory grows with size times pegs.
    """
    board, rate = Board(height, width, cells), _rating(height, width, finals, score)
    noise = random.Random(seed).random
    level, parents_of, nodes = [pegs], list[dict[int, int]](), 0
    for left in range(pegs.bit_count(), 1, -1):
        parents: dict[int, int] = {}
        for position in level:
            if stopped(stop):
                return -1, _jumps_to(board, level[0], parents_of), nodes
            for child in board.after(position):
                parents[child] = position
        nodes += len(parents)
        if left == 2:
            parents = {child: parent for child, parent in parents.items() if child & finals}
        if not parents:
            return -1, _jumps_to(board, level[0], parents_of), nodes
        level = nlargest(size, parents, key=lambda position: rate(position) + noise())
        parents_of.append({position: parents[position] for position in level})
    return 1 if level[0] & finals else -1, _jumps_to(board, level[0], parents_of), nodes


def _jumps_to(board: Board, position: int, parents_of: list[dict[int, int]]) -> tuple[Jump, ...]:
    """The jumps that led a beam to a position of its last level."""
    path = [position]
    for parents in reversed(parents_of):
        path.append(parents[path[-1]])
    return board.jumps_along(reversed(path))


def _rating(height: int, width: int, finals: int, score: int) -> Callable[[int], float]:
    """The score mix of a beam: the more, the better.

    0: neighbouring pairs of pegs, for full boards. 1, for scattered pegs: also half of the diagonal pairs and of those
    at distance two, minus a tenth of the squared distances to the centroid; to the last cell, if only one is allowed.
    """
    pairs = _pairs(height, width)
    if score == 0:
        return pairs
    loose, spread = _loose_pairs(height, width), _spread(height, width, finals)
    return lambda position: pairs(position) + loose(position) / 2 - spread(position) / 10


def _pairs(height: int, width: int) -> Callable[[int], int]:
    """The number of orthogonally neighbouring pairs."""
    right = columns(range(width - 1), height, width)
    return lambda p: (p & p >> 1 & right).bit_count() + (p & p >> width).bit_count()


def _loose_pairs(height: int, width: int) -> Callable[[int], int]:
    """The number of pairs of diagonal neighbours and of pairs two cells apart in a line."""
    right = columns(range(width - 1), height, width)
    left = columns(range(1, width), height, width)
    two = columns(range(width - 2), height, width)

    def number(p: int) -> int:
        diagonal = (p & p >> width + 1 & right).bit_count() + (p & p >> width - 1 & left).bit_count()
        return diagonal + (p & p >> 2 & two).bit_count() + (p & p >> 2 * width).bit_count()

    return number


def _spread(height: int, width: int, finals: int) -> Callable[[int], float]:
    """The sum of squared distances to the only last cell, or to the centroid where there are several."""
    cells = height * width
    size = (cells + 7) // 8
    # Sums of rows, columns, squares of both lie in one int, 16 bits each; a table a byte of a position holds them.
    weights = [r | c << 16 | r * r + c * c << 32 for r, c in (divmod(cell, width) for cell in range(8 * size))]
    tables = [subset_sums(weights[start : start + 8]) for start in range(0, 8 * size, 8)]
    row, column = divmod(finals.bit_length() - 1, width)

    def moments(p: int) -> tuple[int, int, int]:
        total = sum(map(getitem, tables, p.to_bytes(size, "little")))
        return total & 0xFFFF, total >> 16 & 0xFFFF, total >> 32

    def around_final(p: int) -> float:
        rows, columns_, squares = moments(p)
        return squares - 2 * (row * rows + column * columns_) + p.bit_count() * (row * row + column * column)

    def around_centroid(p: int) -> float:
        rows, columns_, squares = moments(p)
        return squares - (rows * rows + columns_ * columns_) / p.bit_count()

    return around_final if finals.bit_count() == 1 else around_centroid


def subset_sums(parts: list[int]) -> list[int]:
    """The sum of every subset of some parts, the subset as a mask being the index."""
    sums = [0]
    for part in parts:
        sums += [part + other for other in sums]
    return sums


# --- depth first ----------------------------------------------------------------------------------


def search(
    height: int, width: int, cells: int, pegs: int, finals: int, max_positions: int, stop: Stop
) -> tuple[int, tuple[Jump, ...], int]:
    """(verdict, jumps, positions) of a depth-first search with a table of the positions seen.

    Verdict 1: solved. 0: impossible, after all `positions` that can be reached. -1: max_positions (0: no bound) or
    `stop` came first; then jumps lead to the position with the fewest pegs.
    """
    board, pairs = Board(height, width, cells), _pairs(height, width)
    last = pegs.bit_count()
    seen, path, best = {pegs}, [pegs], [pegs]

    def children(position: int) -> Iterator[int]:
        return iter(sorted(board.after(position), key=pairs, reverse=True))

    if last == 1 and pegs & finals:
        return 1, (), 1
    ahead = [children(pegs)]
    while ahead:
        child = next(ahead[-1], None)
        if child is None:
            ahead.pop()
            path.pop()
        elif child not in seen:
            if len(seen) == max_positions != 0 or stopped(stop):
                return -1, board.jumps_along(best), len(seen)
            seen.add(child)
            path.append(child)
            ahead.append(children(child))
            if len(path) > len(best):
                best = path.copy()
            if len(path) == last and child & finals:
                return 1, board.jumps_along(path), len(seen)
    return 0, (), len(seen)
