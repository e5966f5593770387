"""Exact checks of what shows that a last peg cannot stand in a cell: whole numbers only, and no solver anywhere.

Three certificates, for a board, its pegs at the start, and a cell f:

**Marks.** A set of cells of which every jump touches an even number (none or two of its three). The number of marked
cells with a peg stays even or odd forever; if it is odd at the start and f is not marked, or the other way round, no
last peg stands in f.

**Weights** (a resource count, a pagoda function). A whole number y on every cell. A jump *costs* y(from) + y(over) -
y(to). If no jump has a negative cost and the pegs at the start have a sum below y(f), then f is out of reach.

**A tree.** Every way to play makes each jump some number of times, and all costs together are the sum at the start less
y(f), whatever the weights are. An inner node splits the ways to play in two: this jump is made at most n times, or more
often. A leaf refutes its case by weights and by *musts*: sets of jumps of which at least one is made. Let a
jump's number of times be bounded by the splits above the leaf. All costs together are at least

    the sum over jumps of (cost less the prices of the musts it is in) times its bound (the lower one, or the upper
    one where that difference is negative) plus the prices of all musts

and where that is more than the sum at the start less y(f), the case is impossible. A leaf without weights is a case
whose splits demand as many jumps as a play has, which thereby are known, and these cannot be made in any order.

That a set is a must is shown by letting pegs multiply: cells become full and empty by jumps, and stay both. If even so,
without the jumps of the set and those that the splits rule out, some cell never comes into the state that the end
wants, or some jump that the splits demand never becomes possible, then every way to play makes a jump of the set. The
same backwards from the end, where a jump needs two empty cells and a full one, shows it too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from dnd import grid
from dnd.diagnostic import Cell
from dnd.pegs.draw import STEPS, Jump
from dnd.pegs.puzzle import Puzzle, jumps_of

Weights = tuple[int, ...]  # one a cell, row by row over the whole grid; 0 where there is no cell
Must = tuple[int, tuple[Jump, ...]]  # a price, and jumps of which one at least is made


class Leaf(NamedTuple):
    """A case that is refuted."""

    weights: Weights
    musts: tuple[Must, ...] = ()


class Split(NamedTuple):
    """Two cases: `jump` is made at most `number` times (node `low` of the tree), or more often (node `high`)."""

    jump: Jump
    number: int
    low: int
    high: int


class Orders(NamedTuple):
    """A case that says how often each jump is made, and no order of them is a play."""


Node = Leaf | Orders | Split
Tree = tuple[Node, ...]  # the first is the root; the two cases of a split come after it


class Case(NamedTuple):
    """What the splits above a node say: least and greatest numbers of times a jump is made, where they say anything."""

    low: dict[Jump, int]
    high: dict[Jump, int]

    def at_most(self, jump: Jump, number: int) -> Case:
        """The part of this case in which a jump is made at most so often."""
        return Case(self.low, {**self.high, jump: min(number, self.high.get(jump, number))})

    def at_least(self, jump: Jump, number: int) -> Case:
        """The part of this case in which a jump is made at least so often."""
        return Case({**self.low, jump: max(number, self.low.get(jump, 0))}, self.high)


ANY_PLAY = Case({}, {})
MAX_ORDERS = 100_000  # states of the search for an order


@cache
def places(height: int, width: int, cells: int) -> tuple[tuple[Jump, int, int, int], ...]:
    """`jumps_of` with the numbers of the three cells instead of their masks."""
    return tuple(
        (jump, start.bit_length() - 1, over.bit_length() - 1, end.bit_length() - 1)
        for jump, start, over, end in jumps_of(height, width, cells)
    )


def costs(puzzle: Puzzle, weights: Sequence[int]) -> dict[Jump, int]:
    """What each jump of the board costs."""
    return {
        jump: weights[start] + weights[over] - weights[end]
        for jump, start, over, end in places(puzzle.height, puzzle.width, puzzle.cells)
    }


def total(mask: int, weights: Sequence[int]) -> int:
    """The sum of the weights of some cells."""
    return sum(weights[cell] for cell in grid.indices(mask))


def place(puzzle: Puzzle, cell: Cell) -> int:
    """The number of a cell of the board, row by row; `ValueError` for any other."""
    row, column = cell
    if not (
        0 <= row < puzzle.height and 0 <= column < puzzle.width and puzzle.cells >> row * puzzle.width + column & 1
    ):
        raise ValueError(f"{cell} is not a cell of the board")
    return row * puzzle.width + column


def check_marks(puzzle: Puzzle, cell: Cell, marks: int) -> bool:
    """Whether marked cells (a mask) show that the last peg cannot stand in `cell`."""
    final = place(puzzle, cell)
    if type(marks) is not int or marks & ~puzzle.cells:
        return False
    jumps = jumps_of(puzzle.height, puzzle.width, puzzle.cells)
    steady = not any((marks & (start | over | end)).bit_count() % 2 for _, start, over, end in jumps)
    return steady and (marks & puzzle.pegs).bit_count() % 2 != (marks >> final & 1)


def check_resource(puzzle: Puzzle, cell: Cell, weights: Sequence[int]) -> bool:
    """Whether weights show that the last peg cannot stand in `cell`."""
    final = place(puzzle, cell)
    if not _are_weights(puzzle, weights) or total(puzzle.pegs, weights) >= weights[final]:
        return False
    return min(costs(puzzle, weights).values(), default=0) >= 0


def check_integer(puzzle: Puzzle, cell: Cell, tree: Sequence[Node]) -> bool:
    """Whether a tree shows that the last peg cannot stand in `cell`."""
    final = place(puzzle, cell)
    known = {jump for jump, *_ in jumps_of(puzzle.height, puzzle.width, puzzle.cells)}
    waiting, seen = [(0, ANY_PLAY)], set()
    while waiting:
        index, case = waiting.pop()
        # Each node once: a tree whose branches meet again could keep a checker busy forever.
        if index in seen or not 0 <= index < len(tree):
            return False
        seen.add(index)
        node = tree[index]
        if isinstance(node, Leaf):
            if not check_leaf(puzzle, final, case, node):
                return False
        elif isinstance(node, Orders):
            if not check_orders(puzzle, case):
                return False
        elif node.jump not in known or type(node.number) is not int:
            return False
        else:
            waiting.append((node.low, case.at_most(node.jump, node.number)))
            waiting.append((node.high, case.at_least(node.jump, node.number + 1)))
    return True


def check_leaf(puzzle: Puzzle, final: int, case: Case, leaf: Leaf) -> bool:
    """Whether a leaf refutes its case."""
    if not _are_weights(puzzle, leaf.weights) or not _is_play(puzzle, final):
        return False
    if not all(type(price) is int and price >= 0 for price, _ in leaf.musts):
        return False
    needed = lower_bound(costs(puzzle, leaf.weights), case, leaf.musts)
    if needed is None or needed <= total(puzzle.pegs, leaf.weights) - leaf.weights[final]:
        return False
    return all(is_must(puzzle, final, case, jumps) for _, jumps in leaf.musts)


def check_orders(puzzle: Puzzle, case: Case) -> bool:
    """Whether a case demands all jumps that a play has, and these cannot be made in any order."""
    if sum(case.low.values()) != puzzle.number - 1:
        return False
    return can_be_ordered(puzzle, case.low) is False


def can_be_ordered(puzzle: Puzzle, counts: Mapping[Jump, int], bound: int = MAX_ORDERS) -> bool | None:
    """Whether jumps, each so many times, can be made in some order; None if more than `bound` states do not tell."""
    jumps = [(counts.get(jump, 0), *bits) for jump, *bits in jumps_of(puzzle.height, puzzle.width, puzzle.cells)]
    jumps = [jump for jump in jumps if jump[0]]
    rest = tuple(count for count, *_ in jumps)
    # The jumps made so far determine the position, so that a state is known by those that are left.
    seen, waiting = {rest}, [(rest, puzzle.pegs)]
    while waiting:
        rest, pegs = waiting.pop()
        if not any(rest):
            return True
        for number, (_, start, over, end) in enumerate(jumps):
            if rest[number] and pegs & start and pegs & over and not pegs & end:
                less = (*rest[:number], rest[number] - 1, *rest[number + 1 :])
                if less not in seen:
                    seen.add(less)
                    waiting.append((less, pegs ^ start ^ over ^ end))
        if len(seen) > bound:
            return None
    return False


def lower_bound(costs_: dict[Jump, int], case: Case, musts: Iterable[Must]) -> int | None:
    """What a play of this case costs at least, by the sum in the module's text; None where there is no bound."""
    rest, bound = dict(costs_), 0
    for price, jumps in musts:
        bound += price
        for jump in set(jumps) & rest.keys():
            rest[jump] -= price
    for jump, cost in rest.items():
        if cost > 0:
            bound += cost * case.low.get(jump, 0)
        elif cost < 0:
            if jump not in case.high:
                return None
            bound += cost * case.high[jump]
    return bound


def is_must(puzzle: Puzzle, final: int, case: Case, jumps: Collection[Jump]) -> bool:
    """Whether every play of this case that ends with one peg in cell number `final` makes one of these jumps.

    It does if without them the end is out of reach from the start, or the start from the end by jumps played backwards.
    """
    closed = {jump for jump, most in case.high.items() if most < 1}.union(jumps)
    return not all(reach.complete for reach in reaches(puzzle, final, case, closed))


class Reach(NamedTuple):
    """How far a play gets if cells that were full, or empty, stay it besides.

    full, empty: the cells that become it. complete: whether that is as far as it must get. edge: of the jumps it was
    not given, those that it could make and that would lead further: a mask of their first cells for each direction.
    """

    full: int
    empty: int
    complete: bool
    edge: tuple[int, ...]


def reaches(puzzle: Puzzle, final: int, case: Case, closed: Collection[Jump]) -> tuple[Reach, Reach]:
    """How far plays get without the jumps `closed`: from the start towards the end, and backwards.

    A jump played backwards is the same jump where pegs and empty cells have changed places.
    """
    end, holes = 1 << final, puzzle.cells & ~puzzle.pegs
    start, goal = (puzzle.pegs, holes), (end, puzzle.cells & ~end)
    given = list(_starts(puzzle.height, puzzle.width, puzzle.cells))
    for row, column, direction in closed:
        given[direction] &= ~(1 << row * puzzle.width + column)
    demanded = [jump for jump, least in case.low.items() if least > 0]
    forward = _reach(puzzle, start, goal, given, demanded)
    return forward, _reach(puzzle, goal[::-1], start[::-1], given, demanded)


def _reach(
    puzzle: Puzzle, start: tuple[int, int], goal: tuple[int, int], given: Sequence[int], demanded: Iterable[Jump]
) -> Reach:
    """Make all jumps that are given, over and over. start, goal: cells that are, or must become, full and empty."""
    steps = [down * puzzle.width + right for down, right in STEPS]
    (full, empty), before = start, (0, 0)
    while before != (full, empty):
        before = full, empty
        for cells, step in zip(given, steps, strict=True):
            jumps = cells & _possible(full, empty, step)
            empty |= jumps | _moved(jumps, step)
            full |= _moved(jumps, 2 * step)
    possible = [_possible(full, empty, step) for step in steps]
    made = all((given[way] & possible[way]) >> row * puzzle.width + column & 1 for row, column, way in demanded)
    edge = [
        jumps & board & ~cells & ~(empty & _moved(empty, -step) & _moved(full, -2 * step))
        for jumps, board, cells, step in zip(
            possible, _starts(puzzle.height, puzzle.width, puzzle.cells), given, steps, strict=True
        )
    ]
    return Reach(full, empty, made and not (goal[0] & ~full or goal[1] & ~empty), tuple(edge))


def _possible(full: int, empty: int, step: int) -> int:
    """The cells from which a jump towards the cell `step` further can be made."""
    return full & _moved(full, -step) & _moved(empty, -2 * step)


def _moved(mask: int, step: int) -> int:
    return mask << step if step >= 0 else mask >> -step


@cache
def _starts(height: int, width: int, cells: int) -> tuple[int, int, int, int]:
    """For each direction, the cells from which the board has a jump."""
    masks = [0, 0, 0, 0]
    for (_, _, direction), start, _, _ in jumps_of(height, width, cells):
        masks[direction] |= start
    return masks[0], masks[1], masks[2], masks[3]


def _are_weights(puzzle: Puzzle, weights: Sequence[int]) -> bool:
    return len(weights) == puzzle.height * puzzle.width and all(type(weight) is int for weight in weights)


def _is_play(puzzle: Puzzle, final: int) -> bool:
    """Where the peg of the end is a cell; and the end is not the start, which no count of jumps refutes."""
    return puzzle.cells >> final & 1 == 1 and puzzle.pegs != 1 << final
