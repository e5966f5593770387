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
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import pairwise, takewhile
from operator import getitem
from typing import TypeVar

from dnd import grid

Jump = tuple[int, int, int]
Stop = bytearray | None
Number = TypeVar("Number", int, float)

SCORES = 3

UP, DOWN, LEFT, RIGHT = range(4)


# --- the seed's search ----------------------------------------------------------------------------


def reference(
    height: int, width: int, cells: int, pegs: int, max_nodes: int, stop: Stop = None
) -> tuple[int, tuple[Jump, ...], int]:
    """(verdict, jumps, nodes) of the seed's recursion, which ends with one peg anywhere or not at all.

    verdict: 1, the jumps solve it; 0, it has none, -1, the bound or `stop` ended it: the jumps are the first of its
    records that was as long. A node is a call of `pole_work`; max_nodes 0 is no bound.
    """
    game = _Seed(height, width, cells, pegs, max_nodes, stop)
    try:
        verdict = int(game.pole_work())
    except _BudgetSpentError:
        verdict = -1
    return verdict, game.jumps(), game.nodes


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
        self.longest: list[tuple[int, int]] = []
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
                        if len(self.steps) > len(self.longest):
                            self.longest = self.steps[:]
                        if self.pole_work():
                            return True
                        pole[start], pole[over], pole[to] = self.PEG, self.PEG, self.EMPTY
                        self.steps.pop()
        return len(self.steps) >= self.win_steps

    def jumps(self) -> tuple[Jump, ...]:
        """The longest record in the coordinates of the board. No record is longer than one that wins."""
        return tuple((*self.cell(place), direction) for place, direction in self.longest)


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
    """Whether someone set the flag. An empty one is as good as none: nobody can set it."""
    return bool(stop and stop[0])


def until(stop: Stop, some: Iterable[int]) -> Iterator[int]:
    """Some positions, as far as nobody has said stop."""
    return takewhile(lambda _: not stop[0], some) if stop else iter(some)


# --- beam -----------------------------------------------------------------------------------------

_ROUNDS = 16  # of score 2
_LESSON = 2.0  # what a round's stranded pegs cost in the next one, all of them together


def beam(
    height: int, width: int, cells: int, pegs: int, finals: int, size: int, score: int, seed: int, stop: Stop = None
) -> tuple[int, tuple[Jump, ...], int]:
    """(1, jumps of a solution, nodes) or (-1, jumps to the best position, nodes); a node is a position rated.

    After every jump the `size` best of the distinct positions are kept: memory grows with size times pegs. Scores 0 and
    1: `_rating`. 2: up to 16 rounds of 1, where pegs on cells that kept one to the end before make a position worse.
    """
    hunt = _Beam(Board(height, width, cells), pegs, finals, size, seed, stop)
    rate = _rating(height, width, finals, score)
    hunt.run(rate)
    burden = [0.0] * (height * width)
    for _ in range(_ROUNDS - 1 if score == 2 else 0):
        if hunt.verdict == 1 or stopped(stop):
            break
        for cell in grid.indices(hunt.stranded):
            burden[cell] += _LESSON / hunt.stranded.bit_count()
        hunt.run(_less(rate, _summed(burden)))
    return hunt.verdict, hunt.jumps, hunt.nodes


def _less(rate: Callable[[int], float], cost: Callable[[int], float]) -> Callable[[int], float]:
    """A rating of positions, less what they cost."""
    return lambda position: rate(position) - cost(position)


class _Beam:
    """One task, the best that the runs so far have reached, and the pegs that the last one was left with."""

    def __init__(self, board: Board, pegs: int, finals: int, size: int, seed: int, stop: Stop) -> None:
        self.board, self.pegs, self.finals, self.size, self.stop = board, pegs, finals, size, stop
        self.noise = random.Random(seed).random
        self.nodes = 0
        self.verdict, self.jumps = -1, tuple[Jump, ...]()
        self.stranded = pegs

    def run(self, rate: Callable[[int], float]) -> None:
        """Go from level to level as far as there are jumps."""
        level, parents_of = [self.pegs], list[dict[int, int]]()
        for left in range(self.pegs.bit_count() - 1, 0, -1):
            parents = self._children(level)
            if left == 1:
                parents = {child: parent for child, parent in parents.items() if child & self.finals}
            # To rate the candidates of a wide beam takes seconds.
            rated = nlargest(self.size, until(self.stop, parents), key=lambda position: rate(position) + self.noise())
            if not rated:
                break
            level = rated
            parents_of.append({position: parents[position] for position in level})
        self.stranded = level[0]
        if len(parents_of) > len(self.jumps):
            self.jumps = self.board.jumps_along(_path_to(level[0], parents_of))
        if level[0].bit_count() == 1 and level[0] & self.finals:
            self.verdict = 1

    def _children(self, level: list[int]) -> dict[int, int]:
        """The positions after a level, with the one that each comes from; none when it is time to stop."""
        parents: dict[int, int] = {}
        for position in level:
            if stopped(self.stop):
                return {}
            for child in self.board.after(position):
                parents[child] = position
        self.nodes += len(parents)
        return parents


def _path_to(position: int, parents_of: list[dict[int, int]]) -> Iterator[int]:
    """The positions that led to one of the last level."""
    path = [position]
    for parents in reversed(parents_of):
        path.append(parents[path[-1]])
    return reversed(path)


def _rating(height: int, width: int, finals: int, score: int) -> Callable[[int], float]:
    """The score mix of a beam: the more, the better.

    0: neighbouring pairs of pegs, for full boards. 1 and 2, for scattered pegs: also half of the diagonal pairs and of
    those at distance two, minus a tenth of the squared distances to the centroid; to the last cell, if only one is
    allowed.
    """
    pairs = pairs_of(height, width)
    if score == 0:
        return pairs
    loose, spread = _loose_pairs(height, width), _spread(height, width, finals)
    return lambda position: pairs(position) + loose(position) / 2 - spread(position) / 10


def pairs_of(height: int, width: int) -> Callable[[int], int]:
    """The number of orthogonally neighbouring pairs."""
    right = columns(range(width - 1), height, width)
    return lambda p: (p & p >> 1 & right).bit_count() + (p & p >> width).bit_count()


def _loose_pairs(height: int, width: int) -> Callable[[int], int]:
    """The number of pairs of diagonal neighbours and of pairs two cells apart in a line."""
    right = columns(range(width - 1), height, width)
    left = columns(range(1, width), height, width)
    two = columns(range(width - 2), height, width)

    def number(p: int) -> int:
        """Of a position: the mask, and the mask moved by the way from one peg of a pair to the other."""
        diagonal = (p & p >> width + 1 & right).bit_count() + (p & p >> width - 1 & left).bit_count()
        return diagonal + (p & p >> 2 & two).bit_count() + (p & p >> 2 * width).bit_count()

    return number


def _spread(height: int, width: int, finals: int) -> Callable[[int], float]:
    """The sum of squared distances to the only last cell, or to the centroid where there are several."""
    places = [divmod(cell, width) for cell in range(height * width)]
    # Sums of rows, of columns, and of the squares of both in one number, 16 bits each.
    summed = _summed([r | c << 16 | r * r + c * c << 32 for r, c in places])
    row, column = divmod(finals.bit_length() - 1, width)

    def moments(p: int) -> tuple[int, int, int]:
        """The sums over the pegs: rows, columns, squares of both."""
        total = summed(p)
        return total & 0xFFFF, total >> 16 & 0xFFFF, total >> 32

    def around_final(p: int) -> float:
        """Distances to (row, column): the square of a difference, multiplied out and summed."""
        rows, columns_, squares = moments(p)
        return squares - 2 * (row * rows + column * columns_) + p.bit_count() * (row * row + column * column)

    def around_centroid(p: int) -> float:
        """Distances to the mean of the pegs: the sum of squares, less the mean's share."""
        rows, columns_, squares = moments(p)
        return squares - (rows * rows + columns_ * columns_) / p.bit_count()

    return around_final if finals.bit_count() == 1 else around_centroid


def _summed(weights: Sequence[Number]) -> Callable[[int], Number]:
    """The sum of the weights of a position's pegs; one table for each byte of a position."""
    tables = [subset_sums(weights[start : start + 8]) for start in range(0, len(weights), 8)]
    return lambda position: sum(map(getitem, tables, position.to_bytes(len(tables), "little")))


def subset_sums(parts: Sequence[Number]) -> list[Number]:
    """The sum of every subset of some parts, the subset as a mask being the index."""
    sums: list[Number] = [0]
    for part in parts:
        sums += [part + other for other in sums]
    return sums


# --- depth first ----------------------------------------------------------------------------------


def search(
    height: int, width: int, cells: int, pegs: int, finals: int, max_positions: int, stop: Stop = None
) -> tuple[int, tuple[Jump, ...], int]:
    """(verdict, jumps, positions) of a depth-first search with a table of the positions seen.

    Verdict 1: solved. 0: impossible, after all `positions` that can be reached. -1: max_positions (0: no bound) or
    `stop` came first; then jumps lead to the position with the fewest pegs.
    """
    board, pairs = Board(height, width, cells), pairs_of(height, width)
    last = pegs.bit_count()
    seen, path, best = {pegs}, [pegs], [pegs]

    def children(position: int) -> Iterator[int]:
        """The positions one jump on, those with the most pairs of neighbours first."""
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
