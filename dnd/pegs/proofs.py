"""Why a board cannot be played down to one peg: classes, marks, resource counts, trees of them; proofs as values.

A proof refutes the cells in which the last peg might stand, in parts, the cheapest kind first:

class       the class of the position (`dnd.pegs.puzzle`) is not that of a peg in the cell
marks       the same with other sets of cells, which boards with missing cells may have
resource    weights of cells, found by a linear programme
integer     a tree that splits on how often jumps are made, with weights at its leaves
exhaustion  a kernel has searched to the end, and found no way to win; the solver says so

All but the last can be checked with a pencil, and `check_proof` does, in whole numbers, with `dnd.pegs.certificates`:
nothing that a linear programme says is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import chain, islice
from math import gcd, lcm
from typing import ClassVar

from dnd import grid
from dnd.diagnostic import Cell, cell_name, counted
from dnd.pegs import certificates, draw
from dnd.pegs.certificates import (
    ANY_PLAY,
    Case,
    Leaf,
    Node,
    Orders,
    Split,
    Tree,
    Weights,
    check_integer,
    check_marks,
    check_resource,
    places,
    total,
)
from dnd.pegs.draw import Jump
from dnd.pegs.programme import Answer, Columns, Programme, programme
from dnd.pegs.puzzle import KINDS, Puzzle, jumps_of

__all__ = [
    "KINDS",
    "Part",
    "Proof",
    "by_class",
    "check_integer",
    "check_proof",
    "check_resource",
    "class_of",
    "classes",
    "examine",
    "integer",
    "possible_finals",
    "refute",
    "resource",
]

MAX_NODES = 300  # of a tree for one last cell
POSITION, CALL = "position", "call"  # what searches count

_GF4 = ("0", "1", "w", "w+1")  # a class is a pair of these; they add like the numbers 0 to 3 under exclusive or


@cache
def classes(height: int, width: int) -> tuple[tuple[int, int], ...]:
    """The class of a single peg, for each cell row by row: a pair of elements of GF(4), 1 to 3 for 1, w and w + 1."""
    return tuple((1 + (row + column) % 3, 1 + (row - column) % 3) for row in range(height) for column in range(width))


@cache
def _colours(height: int, width: int) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """The cells of each colour 0, 1, 2, by r + c and by r - c, as masks."""

    def mask(sign: int, colour: int) -> int:
        cells = ((row, column) for row in range(height) for column in range(width))
        return grid.to_mask((cell for cell in cells if (cell[0] + sign * cell[1]) % 3 == colour), width)

    return tuple(tuple(mask(sign, colour) for colour in range(3)) for sign in (1, -1))  # type: ignore[return-value]


def class_of(puzzle: Puzzle, mask: int | None = None) -> tuple[int, int]:
    """The class of a position (a mask of pegs; the start's by default): two elements of GF(4) as numbers 0 to 3."""
    pegs = puzzle.pegs if mask is None else mask
    sums = []
    for colours in _colours(puzzle.height, puzzle.width):
        odd = [(pegs & colour).bit_count() & 1 for colour in colours]
        sums.append((odd[0] ^ odd[2]) | (odd[1] ^ odd[2]) << 1)
    return sums[0], sums[1]


def possible_finals(puzzle: Puzzle) -> int:
    """The mask of the cells, of those that the puzzle allows, whose class is that of the start."""
    mask = puzzle.finals
    for element, colours in zip(class_of(puzzle), _colours(puzzle.height, puzzle.width), strict=True):
        mask &= colours[element - 1] if element else 0
    return mask


@dataclass(frozen=True)
class Part:
    """Why the last peg cannot stand in some cells. The kinds of parts are subclasses."""

    kind: ClassVar[str] = ""

    cells: tuple[Cell, ...]

    def sentence(self) -> str:
        """The reason in a sentence or two."""
        raise NotImplementedError

    def check(self, puzzle: Puzzle) -> bool:
        """Whether the reason holds, for all cells."""
        raise NotImplementedError

    def as_json(self) -> dict[str, object]:
        """The stable JSON form."""
        return {"kind": self.kind, "cells": [list(cell) for cell in self.cells]}

    def picture(self, puzzle: Puzzle) -> str:
        """The reason drawn on the board, "" where there is nothing to draw."""
        return ""


@dataclass(frozen=True)
class ByClass(Part):
    """The class of the start, which no cell of `cells` has."""

    kind: ClassVar[str] = "class"

    start: tuple[int, int]

    def sentence(self) -> str:
        """See `Part`."""
        first, second = self.start
        own = f"the class of the position is {first}{second} ({_GF4[first]}, {_GF4[second]}), and no jump changes it; "
        if 0 in self.start:
            return f"{own}a single peg has it in no cell"
        return f"{own}a last peg at {_names(self.cells)} has another"

    def check(self, puzzle: Puzzle) -> bool:
        """See `Part`."""
        table = classes(puzzle.height, puzzle.width)
        own = class_of(puzzle)
        return own == self.start and all(table[certificates.place(puzzle, cell)] != own for cell in self.cells)

    def as_json(self) -> dict[str, object]:
        """See `Part`."""
        return {**super().as_json(), "class": list(self.start)}

    def picture(self, puzzle: Puzzle) -> str:
        """The class of a last peg in each cell, two digits: 1, 2, 3 for 1, w, w+1."""
        table = classes(puzzle.height, puzzle.width)
        return _drawn(puzzle, [f"{first}{second}" for first, second in table])


@dataclass(frozen=True)
class ByMarks(Part):
    """Marked cells of which every jump touches none or two."""

    kind: ClassVar[str] = "marks"

    marks: tuple[Cell, ...]
    odd: bool  # whether the number of pegs on marked cells is odd at the start

    def sentence(self) -> str:
        """See `Part`."""
        parity = ("even", "odd")
        return (
            "every jump touches none or two of the marked cells, so that the number of pegs on them stays "
            f"{parity[self.odd]}; a last peg at {_names(self.cells)} would make it {parity[not self.odd]}"
        )

    def check(self, puzzle: Puzzle) -> bool:
        """See `Part`."""
        marks = sum(1 << certificates.place(puzzle, cell) for cell in set(self.marks))
        return self.odd == (marks & puzzle.pegs).bit_count() % 2 and all(
            check_marks(puzzle, cell, marks) for cell in self.cells
        )

    def as_json(self) -> dict[str, object]:
        """See `Part`."""
        return {**super().as_json(), "marks": [list(cell) for cell in self.marks], "odd": self.odd}

    def picture(self, puzzle: Puzzle) -> str:
        """Marked cells as `*`."""
        marks = set(self.marks)
        return _drawn(
            puzzle, [".*"[divmod(cell, puzzle.width) in marks] for cell in range(puzzle.height * puzzle.width)]
        )


@dataclass(frozen=True)
class ByResource(Part):
    """Weights whose sum no jump raises, and which is too small at the start."""

    kind: ClassVar[str] = "resource"

    weights: Weights
    start: int  # the sum over the pegs
    ends: tuple[int, ...]  # the weight of each of `cells`

    def sentence(self) -> str:
        """See `Part`."""
        ends = sorted(set(self.ends))
        last = f"a last peg at {_names(self.cells)} would make it "
        return (
            f"no jump raises the sum of these weights under the pegs; it is {self.start} at the start, and "
            f"{last}{' or '.join(map(str, ends))}"
        )

    def check(self, puzzle: Puzzle) -> bool:
        """See `Part`."""
        if not all(check_resource(puzzle, cell, self.weights) for cell in self.cells):
            return False
        ends = tuple(self.weights[certificates.place(puzzle, cell)] for cell in self.cells)
        return self.start == total(puzzle.pegs, self.weights) and self.ends == ends

    def as_json(self) -> dict[str, object]:
        """See `Part`."""
        return {**super().as_json(), "weights": list(self.weights), "start": self.start, "ends": list(self.ends)}

    def picture(self, puzzle: Puzzle) -> str:
        """The weights."""
        return _drawn(puzzle, self.weights)


@dataclass(frozen=True)
class ByInteger(Part):
    """A tree of cases for each cell, each case refuted by weights (`dnd.pegs.certificates`)."""

    kind: ClassVar[str] = "integer"

    tree: Tree

    def sentence(self) -> str:
        """See `Part`."""
        leaves = sum(not isinstance(node, Split) for node in self.tree)
        where = f"a last peg at {_names(self.cells)} "
        if isinstance(self.tree[0], Leaf) and any(not jumps for _, jumps in self.tree[0].musts):
            return f"{where}is out of reach, even if cells that were once full, or once empty, counted as both for ever"
        if leaves > 1:
            return f"{where}is ruled out case by case: {leaves} cases of how often some jumps are made, by weights each"
        return f"{where}is ruled out by weights: some jumps must be made, and lose more than there is to lose"

    def check(self, puzzle: Puzzle) -> bool:
        """See `Part`."""
        return all(check_integer(puzzle, cell, self.tree) for cell in self.cells)

    def as_json(self) -> dict[str, object]:
        """See `Part`; a split has jump, at_most, low and high, a leaf weights and musts; nodes refer by position."""
        return {**super().as_json(), "tree": list(map(_node_json, self.tree))}

    def picture(self, puzzle: Puzzle) -> str:
        """The cases one by one: what is demanded of the jumps, the weights, the jumps of which one must be made, and
        the sums that show that it cannot be."""
        number = sum(not isinstance(node, Split) for node in self.tree)
        blocks: list[str] = []
        for case, node in islice(self._cases(), _CASES):
            heading = [f"case {len(blocks) + 1}: {_demands(case)}"] if number > 1 else []
            blocks.append("\n".join([*heading, *self._reasons(puzzle, case, node)]))
        more = [f"and {number - _CASES} cases more, which are in the JSON form"] if number > _CASES else []
        return "\n\n".join([*filter(None, blocks), *more])

    def _cases(self) -> Iterator[tuple[Case, Leaf | Orders]]:
        """The leaves of the tree from left to right, with what the splits above demand."""
        waiting = [(0, ANY_PLAY)]
        while waiting:
            index, case = waiting.pop()
            node = self.tree[index]
            if isinstance(node, Split):
                waiting.append((node.high, case.at_least(node.jump, node.number + 1)))
                waiting.append((node.low, case.at_most(node.jump, node.number)))
            else:
                yield case, node

    def _reasons(self, puzzle: Puzzle, case: Case, node: Leaf | Orders) -> Iterator[str]:
        if isinstance(node, Orders):
            yield "these are all the jumps of a play, and they cannot be made in any order"
            return
        if any(node.weights):
            yield _drawn(puzzle, node.weights)
        for price, jumps in node.musts:
            if jumps:
                yield f"one of these must be made (price {price}): {_listed(jumps)}"
            elif self.tree[1:]:
                yield "out of reach, even if cells that were once full, or once empty, counted as both for ever"
        needed = certificates.lower_bound(certificates.costs(puzzle, node.weights), case, node.musts)
        if any(node.weights) and needed is not None:
            least = min(node.weights[certificates.place(puzzle, cell)] for cell in self.cells)
            yield f"the jumps cost {needed} at least, and there are {total(puzzle.pegs, node.weights) - least} to spend"


@dataclass(frozen=True)
class ByExhaustion(Part):
    """A search has come to its end without a solution. No cells: whatever cell the puzzle allows.

    number: what it has looked at, in `unit`s. A search need not look at all that can be reached: it may meet symmetric
    positions once, or work from both ends. The seed's has calls, which come to the same position again and again.
    """

    kind: ClassVar[str] = "exhaustion"

    number: int
    unit: str = POSITION

    def sentence(self) -> str:
        """See `Part`."""
        units = counted(self.number, self.unit)
        where = f" that ends at {_names(self.cells)}" if self.cells else ""
        if self.unit == CALL:
            return f"the recursive search ended after {units} and found no way to win{where}"
        return f"an exhaustive search looked at {units} and found no way to win{where}"

    def check(self, puzzle: Puzzle) -> bool:
        """Whether the cells are some; more only a search can tell (`check_proof` with `search`)."""
        return all(certificates.place(puzzle, cell) >= 0 for cell in self.cells)

    def as_json(self) -> dict[str, object]:
        """See `Part`."""
        return {**super().as_json(), f"{self.unit}s": self.number}


def _demands(case: Case) -> str:
    """What a case demands of the numbers of jumps, in words."""
    most = [f"{draw.move_words([jump])} {_at_most(number)}" for jump, number in case.high.items()]
    least = [f"{draw.move_words([jump])} at least {_times(number)}" for jump, number in case.low.items()]
    return ", ".join(most + least)


def _at_most(number: int) -> str:
    return f"at most {_times(number)}" if number else "never"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _listed(jumps: Sequence[Jump]) -> str:
    return ", ".join(draw.move_words([jump]) for jump in jumps)


def _node_json(node: Node) -> dict[str, object]:
    if isinstance(node, Split):
        return {"jump": list(node.jump), "at_most": node.number, "low": node.low, "high": node.high}
    if isinstance(node, Orders):
        return {"orders": "none"}
    musts = [{"price": price, "jumps": [list(jump) for jump in jumps]} for price, jumps in node.musts]
    return {"weights": list(node.weights), "musts": musts}


@dataclass(frozen=True)
class Proof:
    """Why a puzzle is impossible: parts, each refuting some of the cells in which the last peg might stand."""

    parts: tuple[Part, ...]

    @classmethod
    def exhaustion(cls, number: int, cells: tuple[Cell, ...] = (), unit: str = POSITION) -> Proof:
        """A proof by a search that has looked at so many positions; cells: those it has refuted, none for all."""
        return cls((ByExhaustion(cells, number, unit),))

    @property
    def kind(self) -> str:
        """The strongest kind of its parts, in the order of `KINDS`; "" where it has none."""
        return max((part.kind for part in self.parts), key=KINDS.index, default="")

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence a part."""
        return tuple(part.sentence() for part in self.parts)

    @property
    def sentence(self) -> str:
        """All sentences in one."""
        return "; ".join(self.sentences)

    def __str__(self) -> str:
        return self.sentence

    def picture(self, puzzle: Puzzle) -> str:
        """Each part: its sentence, and where there is one its picture below."""
        blocks = ((part.sentence(), part.picture(puzzle)) for part in self.parts)
        return "\n\n".join(text for block in blocks for text in block if text)

    def as_json(self) -> dict[str, object]:
        """The stable JSON form."""
        return {"kind": self.kind, "parts": [part.as_json() for part in self.parts]}

    def refuted(self, puzzle: Puzzle) -> int:
        """The mask of the cells that the parts speak of."""
        if any(isinstance(part, ByExhaustion) and not part.cells for part in self.parts):
            return puzzle.finals
        return grid.to_mask(chain.from_iterable(part.cells for part in self.parts), puzzle.width)


Search = Callable[[Puzzle], bool]


def check_proof(puzzle: Puzzle, proof: Proof, search: Search | None = None) -> bool:
    """Whether a proof holds: its parts leave no cell out, and each is right.

    What an exhaustive search has said can be confirmed by another one only: `search`, if given, is called with the
    puzzle for each cell in question as the final one, and says True if it is impossible.
    """
    try:
        # The parts first: they refuse cells that are none of the board's.
        right = all(part.check(puzzle) for part in proof.parts) and not puzzle.finals & ~proof.refuted(puzzle)
        return right and _searched(puzzle, proof, search)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return False  # cells off the board, jumps or nodes of the wrong form


def _searched(puzzle: Puzzle, proof: Proof, search: Search | None) -> bool:
    if search is None:
        return True
    return all(
        search(Puzzle(puzzle.height, puzzle.width, puzzle.cells, puzzle.pegs, cell))
        for part in proof.parts
        if isinstance(part, ByExhaustion)
        for cell in part.cells or grid.cells(puzzle.finals, puzzle.width)
    )


def by_class(puzzle: Puzzle) -> Proof:
    """What the class alone proves, in microseconds; it may leave out some of the cells (`Proof.refuted`), or all."""
    refused = puzzle.finals & ~possible_finals(puzzle)
    return Proof((ByClass(grid.cells(refused, puzzle.width), class_of(puzzle)),) if refused else ())


def resource(puzzle: Puzzle, cell: Cell, stop: bytearray | None = None) -> Weights | None:
    """Weights that refute a last peg in `cell`, if there are any; None too when `stop` came first."""
    return Refuter(puzzle, stop).weights(certificates.place(puzzle, cell))


def integer(puzzle: Puzzle, cell: Cell, max_nodes: int = MAX_NODES, stop: bytearray | None = None) -> Tree | None:
    """A tree that refutes a last peg in `cell`; None if there is none within `max_nodes` nodes, or before `stop`."""
    return Refuter(puzzle, stop).tree(certificates.place(puzzle, cell), max_nodes)


def refute(puzzle: Puzzle, stop: bytearray | None = None, max_nodes: int = MAX_NODES) -> Proof | None:
    """A proof that the puzzle is impossible, without a search; None if some cell is not refuted.

    max_nodes: of the tree for a cell, 0 for resource counts only. stop: a byte that another thread sets to 1.
    """
    proof = examine(puzzle, stop, max_nodes, hasty=True)
    return None if puzzle.finals & ~proof.refuted(puzzle) else proof


def examine(
    puzzle: Puzzle,
    stop: bytearray | None = None,
    max_nodes: int = MAX_NODES,
    *,
    hasty: bool = False,
    known: Proof | None = None,
) -> Proof:
    """What can be proved: a proof whose parts may leave out some of the cells (`Proof.refuted`).

    hasty: leave off at the first cell that cannot be refuted. known: what was proved before, to which parts are added.
    """
    parts = () if known is None else known.parts
    left = puzzle.finals if known is None else puzzle.finals & ~known.refuted(puzzle)
    return Proof((*parts, *Refuter(puzzle, stop).parts(left, max_nodes, hasty)))


@cache
def _invariants(height: int, width: int, cells: int) -> tuple[int, ...]:
    """Sets of cells of which every jump touches an even number, from which all such sets are made by differences.

    Gauss's elimination in the field of two: a jump's three cells are an equation; `rows` has those that are
    independent, by their pivots, the lowest cell of each, and no pivot is in another row.
    """
    rows: dict[int, int] = {}
    for _, start, over, end in jumps_of(height, width, cells):
        row = start | over | end
        for pivot, other in rows.items():
            if row & pivot:
                row ^= other
        if row:
            low = row & -row
            rows = {pivot: other ^ row if other & low else other for pivot, other in rows.items()}
            rows[low] = row
    free = [1 << cell for cell in grid.indices(cells) if 1 << cell not in rows]
    return tuple(one | sum(pivot for pivot, row in rows.items() if row & one) for one in free)


class Refuter:
    """The work on one puzzle: the linear programme keeps what it knows from cell to cell."""

    def __init__(self, puzzle: Puzzle, stop: bytearray | None = None) -> None:
        self.puzzle, self.stop = puzzle, stop
        self.jumps = [jump for jump, *_ in jumps_of(puzzle.height, puzzle.width, puzzle.cells)]
        self.numbers = {jump: number for number, jump in enumerate(self.jumps)}
        self.rows = {cell: row for row, cell in enumerate(grid.indices(puzzle.cells))}

    @cached_property
    def programme(self) -> Programme:
        """Built when it is needed, since the class is often enough."""
        puzzle, rows = self.puzzle, self.rows
        jumps = places(puzzle.height, puzzle.width, puzzle.cells)
        columns = [(rows[start], rows[over], rows[end]) for _, start, over, end in jumps]
        return programme(len(rows), columns, self.stop)

    def parts(self, left: int, max_nodes: int, hasty: bool) -> Iterator[Part]:
        """Parts that refute some of the cells `left`, the cheapest kind first."""
        makers = (self._by_class, self._by_marks, self._by_weights, partial(self._by_tree, max_nodes))
        for maker in makers:
            tried = 0
            while rest := left & ~tried:
                final = next(grid.indices(rest))
                tried |= 1 << final
                if part := maker(final, left):
                    yield part
                    left &= ~grid.to_mask(part.cells, self.puzzle.width)
                elif hasty and maker is makers[-1 if max_nodes else -2]:
                    return

    def _by_class(self, final: int, left: int) -> Part | None:
        refused = left & ~possible_finals(self.puzzle)
        return ByClass(self._cells(refused), class_of(self.puzzle)) if refused >> final & 1 else None

    def _by_marks(self, final: int, left: int) -> Part | None:
        puzzle = self.puzzle
        for marks in _invariants(puzzle.height, puzzle.width, puzzle.cells):
            odd = bool((marks & puzzle.pegs).bit_count() % 2)
            refused = left & ~marks if odd else left & marks
            if refused >> final & 1:
                return ByMarks(self._cells(refused), self._cells(marks), odd)
        return None

    def _by_weights(self, final: int, left: int) -> Part | None:
        weights = self.weights(final)
        if not weights:
            return None
        start = total(self.puzzle.pegs, weights)
        refused = [cell for cell in grid.indices(left) if weights[cell] > start]
        cells = tuple(divmod(cell, self.puzzle.width) for cell in refused)
        return ByResource(cells, weights, start, tuple(weights[cell] for cell in refused))

    def _by_tree(self, max_nodes: int, final: int, left: int) -> Part | None:
        tree = self.tree(final, max_nodes)
        return ByInteger(self._cells(1 << final), tree) if tree else None

    def _cells(self, mask: int) -> tuple[Cell, ...]:
        return grid.cells(mask, self.puzzle.width)

    def weights(self, final: int) -> Weights | None:
        """Weights that refute a cell."""
        if self.puzzle.pegs == 1 << final:
            return None
        answer = self._solve(final, ANY_PLAY, ())
        leaf = self._leaf(final, ANY_PLAY, answer, ()) if answer else None
        return leaf.weights if leaf else None

    def tree(self, final: int, max_nodes: int) -> Tree | None:
        """A tree that refutes a cell."""
        if self.puzzle.pegs == 1 << final or max_nodes < 1:
            return None
        nodes: list[Node | None] = [None]
        waiting: list[tuple[int, Case, list[Columns]]] = [(0, ANY_PLAY, [])]
        while waiting:
            index, case, musts = waiting.pop()
            node = self._node(final, case, musts, len(nodes))
            if node is None or len(nodes) > max_nodes:
                return None
            nodes[index] = node
            if isinstance(node, Split):
                nodes += [None, None]
                waiting.append((node.high, case.at_least(node.jump, node.number + 1), [*musts]))
                waiting.append((node.low, case.at_most(node.jump, node.number), musts))
        return tuple(node for node in nodes if node is not None)

    def _node(self, final: int, case: Case, musts: list[Columns], free: int) -> Node | None:
        """The leaf for a case, or the split that makes two of it, whose numbers are the next `free` ones.

        musts: those of the node above, which hold here too; they are made those of this node.
        """
        if certificates.is_must(self.puzzle, final, case, ()):
            return Leaf((0,) * (self.puzzle.height * self.puzzle.width), ((1, ()),))
        answer = None
        for _ in range(_ROUNDS):
            answer = self._solve(final, case, musts)
            if answer is None:
                return None
            if leaf := self._leaf(final, case, answer, musts):
                return leaf
            found = [must for must in self._musts(final, case, answer) if must not in musts]
            if not found:
                break
            musts += found
        assert answer
        musts[:] = [must for must in musts if sum(answer.counts[jump] for jump in must) < 1 + _TINY]
        choices = self._choices(answer) or self._whole_choices(case, answer)
        if not choices:
            known = choices == [] and certificates.check_orders(self.puzzle, case)
            return Orders() if known else None
        jump, number = max(choices, key=lambda choice: self._promise(final, case, choice, musts))
        return Split(self.jumps[jump], number, free, free + 1)

    def _solve(self, final: int, case: Case, musts: Sequence[Columns]) -> Answer | None:
        if self.stop and self.stop[0]:
            return None
        pegs = self.puzzle.pegs
        right = [(pegs >> cell & 1) - (cell == final) for cell in self.rows]
        low = [case.low.get(jump, 0) for jump in self.jumps]
        high = [case.high.get(jump) for jump in self.jumps]
        return self.programme.solve(right, low, high, musts)

    def _leaf(self, final: int, case: Case, answer: Answer, musts: Sequence[Columns]) -> Leaf | None:
        """The dual values in whole numbers, where they refute the case: checked, not believed."""
        if answer.excess < _TINY:
            return None
        for scale, lift in self._scales(answer):
            weights = [0] * (self.puzzle.height * self.puzzle.width)
            for cell, row in self.rows.items():
                weights[cell] = round(answer.weights[row] * scale) + lift
            prices = [max(0, round(price * scale)) for price in answer.prices]
            factor = gcd(*weights, *prices) or 1
            kept = tuple(
                (price // factor, tuple(self.jumps[column] for column in must))
                for price, must in zip(prices, musts, strict=True)
                if price
            )
            leaf = Leaf(tuple(weight // factor for weight in weights), kept)
            if certificates.check_leaf(self.puzzle, final, case, leaf):
                return leaf
        return None

    @staticmethod
    def _scales(answer: Answer) -> Iterator[tuple[int, int]]:
        """By what to multiply weights before they are rounded, and how much to add to each.

        First what makes small numbers, as a person likes to see them. In the end come large ones, where rounding is
        covered by the addition, which raises the cost of every jump.
        """
        yield from ((scale, 0) for scale in range(1, 7))
        values = [*answer.weights, *answer.prices]
        yield lcm(*(Fraction(value).limit_denominator(_LARGEST).denominator for value in values)), 0
        yield from ((1 << bits, 2) for bits in (20, 30))

    def _musts(self, final: int, case: Case, answer: Answer) -> list[Columns]:
        """Sets of jumps of which one must be made, and which the counts of an answer all but leave out."""
        found: list[Columns] = []
        never = {jump for jump, most in case.high.items() if most < 1}
        for threshold in _RARE:
            rare = {jump for jump, count in zip(self.jumps, answer.counts, strict=True) if count < threshold}
            for reach in certificates.reaches(self.puzzle, final, case, rare | never):
                edge = self._edge(reach.edge, never)
                if not reach.complete and edge not in found and sum(answer.counts[jump] for jump in edge) < 1 - _TINY:
                    found.append(edge)
        return found

    def _edge(self, masks: Sequence[int], never: Collection[Jump]) -> Columns:
        """The numbers of the jumps in masks, one a direction, but those that are never made."""
        jumps = [
            (*divmod(cell, self.puzzle.width), way) for way, mask in enumerate(masks) for cell in grid.indices(mask)
        ]
        return tuple(self.numbers[jump] for jump in jumps if jump not in never)

    def _choices(self, answer: Answer) -> list[tuple[int, int]]:
        """Splits (jump, number) that rule an answer out: of the jumps whose counts are the least whole."""
        apart = {jump: abs(count - round(count)) for jump, count in enumerate(answer.counts)}
        jumps = sorted((jump for jump in apart if apart[jump] > _TINY), key=lambda jump: -apart[jump])
        return [(jump, int(answer.counts[jump])) for jump in jumps[:_AHEAD]]

    def _whole_choices(self, case: Case, answer: Answer) -> list[tuple[int, int]] | None:
        """Splits for an answer in whole numbers; [] if the case admits no other, None if it may be a solution."""
        counts = {self.jumps[jump]: round(count) for jump, count in enumerate(answer.counts)}
        if certificates.can_be_ordered(self.puzzle, counts, _ORDERS) is not False:
            return None
        loose = [(jump, count - 1) for jump, count in counts.items() if count > case.low.get(jump, 0)]
        return [(self.numbers[jump], number) for jump, number in loose[:_AHEAD]]

    def _promise(self, final: int, case: Case, choice: tuple[int, int], musts: list[Columns]) -> tuple[bool, float]:
        """How good a split is: whether it refutes both cases at once, and by how much. Halves the trees, and more."""
        name, number = self.jumps[choice[0]], choice[1]
        cases = case.at_most(name, number), case.at_least(name, number + 1)
        answers = [self._solve(final, half, musts) for half in cases]
        excess = [min(answer.excess, 1) if answer else 0 for answer in answers]
        return min(excess) > _TINY, (excess[0] + 0.01) * (excess[1] + 0.01)


_TINY = 1e-6
_ROUNDS = 3  # of looking for musts at a node
_ORDERS = 2000  # states of a search for an order, fewer than the check allows itself
_AHEAD = 4  # jumps that are tried before a split
_RARE = (_TINY, 0.1, 0.25)
_NAMED = 6  # cells that are named one by one
_CASES = 12  # of a tree that are drawn
_LARGEST = 1000  # denominator of weights as they come from the programme, most often


def _names(cells: Sequence[Cell]) -> str:
    """Some cells in words, many of them as a number."""
    names = [cell_name(cell) for cell in cells]
    if len(names) > _NAMED:
        return f"any of {len(names)} cells"
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _drawn(puzzle: Puzzle, entries: Sequence[object]) -> str:
    """An entry on each cell of the board, pegs of the start in brackets."""
    return draw.table(puzzle.height, puzzle.width, puzzle.cells, entries, puzzle.pegs)
