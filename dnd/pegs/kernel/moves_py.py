"""The pure kernel for solutions with few moves: a beam search whose levels are moves, not jumps.

A move is a run of jumps by one peg. Level m holds positions after m moves, so the first level that has a won position
gives the fewest moves that this beam can find. Positions of a level have different numbers of pegs; what makes one
better is how few pegs it has and how many of them stand beside each other. Nothing is proved here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import nsmallest
from random import Random

from dnd.pegs.kernel.search_py import stopped, until

Jump = tuple[int, int, int]
Way = tuple[tuple[Jump, ...], "Way | None"]  # the last move, and those before

_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
_LONGEST = 24  # jumps in a run
_RUNS = 4096  # runs of one peg that are looked at


def few(
    height: int,
    width: int,
    cells: int,
    pegs: int,
    finals: int,
    size: int,
    weight: int,
    seed: int,
    stop: bytearray | None = None,
) -> tuple[int, tuple[Jump, ...], int]:
    """(verdict, jumps, positions): verdict 1 with a solution in few moves, or -1 and no jumps: none was found.

    size: positions a level. weight: what two pegs beside each other are worth, in hundredths of what a peg costs.
    seed: of the noise that decides between equals. The same arguments give the same answer, `stop` apart.
    """
    runs, cost = _runs_of(height, width, cells), _cost_of(height, width, weight, Random(seed))
    level: dict[int, Way | None] = {pegs: None}
    positions = 0
    while level:
        for position, way in level.items():
            if position & finals and not position & (position - 1):
                return 1, _jumps(way), positions
        found: dict[int, Way | None] = {}
        for position, way in level.items():
            if stopped(stop):
                return -1, (), positions
            for after, run in runs(position):
                if after not in found:
                    found[after] = run, way
        positions += len(level)
        best = nsmallest(size, until(stop, found), key=cost) if len(found) > size else found
        level = {position: found[position] for position in best}
    return -1, (), positions


def _runs_of(height: int, width: int, cells: int) -> Callable[[int], Iterator[tuple[int, tuple[Jump, ...]]]]:
    """A function that yields all runs that can be made in a position, with the position after each."""
    jumps: dict[int, list[tuple[Jump, int, int]]] = {}  # by the jumping peg: the jump, and masks over and to
    for cell in range(height * width):
        row, column = divmod(cell, width)
        for direction, (down, right) in enumerate(_STEPS):
            if 0 <= row + 2 * down < height and 0 <= column + 2 * right < width:
                over, to = (1 << cell + step * (down * width + right) for step in (1, 2))
                if cells >> cell & 1 and cells & over and cells & to:
                    jumps.setdefault(1 << cell, []).append(((row, column, direction), over, to))

    def going_on(pegs: int, peg: int, run: tuple[Jump, ...], left: list[int]) -> Iterator[tuple[int, tuple[Jump, ...]]]:
        """All runs that begin with `run`, after which the position is `pegs`; `left` is how many more are looked at."""
        for jump, over, to in jumps.get(peg, ()) if len(run) < _LONGEST else ():
            if pegs & over and not pegs & to and left[0]:
                left[0] -= 1
                after, longer = pegs ^ peg ^ over ^ to, (*run, jump)
                yield after, longer
                yield from going_on(after, to, longer, left)

    def runs(pegs: int) -> Iterator[tuple[int, tuple[Jump, ...]]]:
        """All runs of all pegs."""
        for peg in jumps:
            if pegs & peg:
                yield from going_on(pegs, peg, (), [_RUNS])

    return runs


def _cost_of(height: int, width: int, weight: int, noise: Random) -> Callable[[int], float]:
    """A function that says how bad a position is."""
    not_last = sum(((1 << width - 1) - 1) << row * width for row in range(height))

    def cost(pegs: int) -> float:
        """Pegs, less pairs of neighbours, plus noise below the cost of one peg."""
        pairs = (pegs & pegs >> 1 & not_last).bit_count() + (pegs & pegs >> width).bit_count()
        return 3 * pegs.bit_count() - 0.03 * weight * pairs + noise.random()

    return cost


def _jumps(way: Way | None) -> tuple[Jump, ...]:
    """The jumps of all moves of a way, the first one first."""
    moves: list[tuple[Jump, ...]] = []
    while way:
        run, way = way
        moves.append(run)
    return tuple(jump for run in reversed(moves) for jump in run)
