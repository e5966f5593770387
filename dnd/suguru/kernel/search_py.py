"""The exact engine of Suguru in plain Python: the readable twin of `search_c`.

docs/suguru-engine.md, section 1, is the specification that both twins follow; its order of removals is kept
everywhere, since the search learns from where a contradiction is found.

A set of values is an int: value v is the bit 1 << v, so "the candidates but v" is `candidates & ~(1 << v)`, and a
single value is as well the set that holds only it. A cell is its index, row * width + column.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from functools import lru_cache

HOLE = -1
_REMEMBERED = 1 << 16  # sets of places whose common neighbours are kept


class Contradiction(Exception):  # noqa: N818 (it is no error: it ends a branch of the search)
    """The state has no solution; `cage` is where that was found."""

    def __init__(self, cage: int) -> None:
        super().__init__(cage)
        self.cage = cage


def solve(
    height: int,
    width: int,
    cages: Sequence[int],
    givens: Sequence[int],
    limit: int,
    max_nodes: int,
    stop: bytearray | None = None,
) -> tuple[tuple[bytes, ...], int, bool]:
    """(solutions as bytes of values, nodes, complete): docs/suguru-engine.md, "Counting and stopping"."""
    search = _Search(Puzzle(height, width, cages, givens), max_nodes, stop)
    found: list[bytes] = []
    for solution in search.run():
        found.append(solution)
        if len(found) == limit:
            return tuple(found), search.nodes, False
    return tuple(found), search.nodes, search.complete


def count(
    height: int,
    width: int,
    cages: Sequence[int],
    givens: Sequence[int],
    limit: int,
    max_nodes: int,
    stop: bytearray | None = None,
) -> tuple[int, int, bool]:
    """(number of solutions, nodes, complete): `solve` that keeps no solution."""
    search = _Search(Puzzle(height, width, cages, givens), max_nodes, stop)
    number = 0
    for _ in search.run():
        number += 1
        if number == limit:
            return number, search.nodes, False
    return number, search.nodes, search.complete


def solve_batch(
    height: int,
    width: int,
    cages: Sequence[int],
    givens: Sequence[int],
    limit: int,
    max_nodes: int,
    counts: MutableSequence[int],
    solutions: bytearray,
    nodes: MutableSequence[int],
    complete: MutableSequence[int],
    stop: bytearray | None = None,
) -> int:
    """Solve len(counts) puzzles of one shape that lie in flat buffers; returns how many were done.

    cages, givens: height * width places a puzzle. counts, nodes, complete: one place a puzzle; solutions: `limit`
    boards a puzzle, zeros where there is no solution.
    """
    cells = height * width
    boards = memoryview(solutions)
    for index in range(len(counts)):
        if stop and stop[0]:
            return index
        own = slice(index * cells, (index + 1) * cells)
        found, nodes[index], complete[index] = solve(height, width, cages[own], givens[own], limit, max_nodes, stop)
        counts[index] = len(found)
        room = limit * cells
        boards[index * room : (index + 1) * room] = b"".join(found).ljust(room, b"\0")
    return len(counts)


class _Search:
    """The tree of states, depth first, and the weights that it learns."""

    def __init__(self, puzzle: Puzzle, max_nodes: int, stop: bytearray | None) -> None:
        self.puzzle = puzzle
        self.max_nodes, self.stop = max_nodes, stop
        self.weights = [1] * len(puzzle.cage_cells)
        self.nodes = 0
        self.complete = False

    def run(self) -> Iterator[bytes]:
        """The solutions. Afterwards `complete` says whether the tree was exhausted."""
        waiting = [self.puzzle.root()]
        while waiting:
            if self.nodes == self.max_nodes != 0 or (self.stop and self.stop[0]):
                return
            self.nodes += 1
            state = waiting.pop()
            try:
                self.puzzle.close(state)
            except Contradiction as contradiction:
                self.weights[contradiction.cage] += 1
                continue
            children = self.children(state)
            if not children:
                yield self.puzzle.values(state)
            waiting += reversed(children)
        self.complete = True

    def children(self, state: State) -> list[State]:
        """The states a closed state branches into, in order; none: it is a solution."""
        candidates, weights, cage_of = state.candidates, self.weights, self.puzzle.cage_of
        several = [cell for cell in self.puzzle.cells if candidates[cell] & (candidates[cell] - 1)]
        if not several:
            return []
        # Quotients as floats are compared exactly as long as weights are less than 2 ** 47; of equals the first.
        cell = min(several, key=lambda cell: candidates[cell].bit_count() / weights[cage_of[cell]])
        value = self.puzzle.branch_value(cell, candidates)
        return [state.without(cell, ~value), state.without(cell, value)]


class State:
    """The candidates of each cell, and the removals that have still to be taken, the oldest first."""

    __slots__ = ("candidates", "queue")

    def __init__(self, candidates: list[int], queue: list[tuple[int, int]]) -> None:
        self.candidates, self.queue = candidates, queue

    def remove(self, cell: int, values: int) -> None:
        """Remove those of the values that the cell has, in ascending order."""
        values &= self.candidates[cell]
        if values:
            self.candidates[cell] ^= values
            self.queue += [(cell, value) for value in bits(values)]

    def without(self, cell: int, values: int) -> State:
        """A new state, from a closed one, with one decision."""
        child = State(self.candidates.copy(), [])
        child.remove(cell, values)
        return child


class Puzzle:
    """Cages and givens, and what they let be concluded."""

    def __init__(self, height: int, width: int, cages: Sequence[int], givens: Sequence[int]) -> None:
        self.cage_of, self.givens = cages, givens
        self.cage_cells: list[list[int]] = [[] for _ in range(max(cages) + 1)]
        for cell, cage in enumerate(cages):
            if cage != HOLE:
                self.cage_cells[cage].append(cell)
        self.cells = [cell for cells in self.cage_cells for cell in cells]
        self.neighbours = [self._neighbours(cell, height, width) for cell in range(height * width)]
        self.touched = lru_cache(maxsize=_REMEMBERED)(self._touched)

    def _neighbours(self, cell: int, height: int, width: int) -> list[int]:
        """The up to eight cells that touch a position, in order."""
        row, column = divmod(cell, width)
        rows = range(max(0, row - 1), min(height, row + 2))
        columns = range(max(0, column - 1), min(width, column + 2))
        square = [r * width + c for r in rows for c in columns]
        return [other for other in square if other != cell and self.cage_of[other] != HOLE]

    def _touched(self, places: tuple[int, ...]) -> list[int]:
        """The cells of other cages that touch all places, which are cells of one cage, in order."""
        first, *others = places
        return [
            cell
            for cell in self.neighbours[first]
            if self.cage_of[cell] != self.cage_of[first] and all(cell in self.neighbours[place] for place in others)
        ]

    # ---------------------------------------------------------------------------------------- root

    def root(self) -> State:
        """The state to begin with."""
        sizes = [0 if cage == HOLE else len(self.cage_cells[cage]) for cage in self.cage_of]
        state = State([up_to(size) for size in sizes], [])
        for cell, given in enumerate(self.givens):
            if given:  # one too large for its cage leaves no candidate, so the first closure is a contradiction
                state.remove(cell, ~(1 << given))
        for cells in self.cage_cells:
            for cell in self.touched(tuple(cells)):
                state.remove(cell, up_to(len(cells)))
        return state

    # ------------------------------------------------------------------------------------- closure

    def close(self, state: State) -> None:
        """Take all removals of the state; raises `Contradiction`."""
        candidates, remove = state.candidates, state.remove
        for cell, value in state.queue:  # it grows while we go
            cage = self.cage_of[cell]
            left = candidates[cell]
            places = tuple([place for place in self.cage_cells[cage] if candidates[place] & value])
            if not left or not places:  # 1, contradiction
                raise Contradiction(cage)
            if left & (left - 1) == 0:  # 2, naked single
                for other in self.cage_cells[cage]:
                    if other != cell:
                        remove(other, left)
            if len(places) == 1:  # 3, hidden single
                remove(places[0], ~value)
            for other in self.touched(places):  # 4, forbidden neighbour
                remove(other, value)

    # ------------------------------------------------------------------------ branching, solutions

    def branch_value(self, cell: int, candidates: Sequence[int]) -> int:
        """The candidate of the cell that most of its neighbours have; of equals the least."""
        around = [candidates[other] for other in self.neighbours[cell]]
        return max(bits(candidates[cell]), key=lambda value: sum(1 for values in around if values & value))

    def values(self, state: State) -> bytes:
        """The values of a state with one candidate a cell; 0 in holes."""
        return bytes([max(candidates.bit_length() - 1, 0) for candidates in state.candidates])


def up_to(size: int) -> int:
    """The values 1 to size."""
    return (2 << size) - 2


def bits(values: int) -> Iterator[int]:
    """The values of a set in ascending order, each as a set."""
    while values:
        yield values & -values
        values &= values - 1
