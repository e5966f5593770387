"""Deductions a person can make, in words; hints and ratings made of them.

The solver of this room knows of each cell its **candidates**. A value that stands in a cell (given, or placed by
a step) is no candidate of the cell's **peers**: the cells that touch it and those of its cage. That much is taken
for granted; whatever else is found out is a `Step`, which says in a sentence what follows, from which facts.

Techniques, easy to hard, each tried only where the ones above it find nothing in the whole grid:

    naked-single        all values but one are gone from a cell
    hidden-single       a cage has one place left for a value
    forbidden-neighbour all places that a cage has left for a value touch one cell outside: not there
    naked-pair, hidden-pair, naked-triple, hidden-triple
                        k cells of a cage that have k values between them; k values of a cage that have k places
    outside-pair, outside-triple
                        k cells of a 2x2 window, of several cages, that have k values between them: a cell that
                        sees all of them holds none. (For k cells of one cage this is forbidden-neighbour, once the
                        values have left the rest of the cage.)
    forbidden-triple    a value that would leave three cells of a window two values, though its cell sees only two
                        of the three. (A value that leaves a pair too little is seen by both: that is outside-pair.)
    contradiction       what if? One candidate, singles that follow from it, and a cell or a cage is left with nothing

Each step removes candidates of every solution or none, so the order of steps within a technique does not matter to
what is found in the end. Steps that nothing later rests on are left out of explanations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from itertools import combinations, product
from operator import and_, or_
from typing import Any, NamedTuple

from dnd import grid
from dnd.diagnostic import Cell, cell_name
from dnd.suguru import solver
from dnd.suguru.puzzle import HOLE, Board, Puzzle, Solution
from dnd.suguru.rules import AnyBoard, as_board

Mark = tuple[Cell, int]  # a value in a cell: that stands there, or that cannot

NAKED_SINGLE = "naked-single"
HIDDEN_SINGLE = "hidden-single"
FORBIDDEN_NEIGHBOUR = "forbidden-neighbour"
NAKED = {2: "naked-pair", 3: "naked-triple"}
HIDDEN = {2: "hidden-pair", 3: "hidden-triple"}
OUTSIDE = {2: "outside-pair", 3: "outside-triple"}
FORBIDDEN_TRIPLE = "forbidden-triple"
CONTRADICTION = "contradiction"
TECHNIQUES = (
    NAKED_SINGLE,
    HIDDEN_SINGLE,
    FORBIDDEN_NEIGHBOUR,
    NAKED[2],
    HIDDEN[2],
    NAKED[3],
    HIDDEN[3],
    OUTSIDE[2],
    OUTSIDE[3],
    FORBIDDEN_TRIPLE,
    CONTRADICTION,
)
IMPOSSIBLE = "impossible"  # no deduction: the end of a chain, or of a puzzle that has no solution

# What a hint can be besides, found by the exact solver and not by deduction.
WRONG = "wrong-cell"
SEARCH = "search"
HORIZON = "several-solutions"
SOLVED = "solved"
NEGATIVE = (IMPOSSIBLE, WRONG, HORIZON)  # hints that say no: the board is wrong, or no step is left

LEVELS = ("easy", "medium", "hard", "expert", "beyond logic")


class Facts(NamedTuple):
    """What a step rests on; with nothing but this, and the rules, its conclusions follow.

    cells: the cells it reasons about. values: values that stand. removed: candidates that earlier steps removed.
    cages: the numbers of the cages of which it uses that they hold 1..n, each once.
    That equal values do not touch is used among all cells named.
    """

    cells: tuple[Cell, ...] = ()
    values: tuple[Mark, ...] = ()
    removed: tuple[Mark, ...] = ()
    cages: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """One deduction: technique code, sentence, conclusions (values placed, candidates removed), what they rest on.

    chain: for a contradiction the steps that follow from the assumption, the last one `impossible`; their facts
    include the assumption and each other. For a wrong cell the steps that lead to where it shows.
    """

    technique: str
    sentence: str
    placed: tuple[Mark, ...] = ()
    removed: tuple[Mark, ...] = ()
    facts: Facts = Facts()
    chain: tuple[Step, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The stable JSON form; rows and columns from 0, a mark is [row, column, value]."""

        def marks(some: Iterable[Mark]) -> list[list[int]]:
            return [[*cell, value] for cell, value in some]

        facts = self.facts
        return {
            "technique": self.technique,
            "sentence": self.sentence,
            "placed": marks(self.placed),
            "removed": marks(self.removed),
            "facts": {
                "cells": [list(cell) for cell in facts.cells],
                "values": marks(facts.values),
                "removed": marks(facts.removed),
                "cages": list(facts.cages),
            },
            "chain": [step.as_json() for step in self.chain],
        }


@dataclass(frozen=True)
class Explanation:
    """The path from a puzzle, or from a player's board, as far as the techniques lead; `board` is where it ends.

    When the givens or the board admit no solution and the techniques see it, the last step is `impossible`.
    """

    puzzle: Puzzle
    steps: tuple[Step, ...]
    board: Board
    solved: bool

    def boards(self) -> Iterator[Board]:
        """The board after each step: what was known from the start, and the values placed so far."""
        width, later = self.puzzle.width, {cell for step in self.steps for cell, _ in step.placed}
        values = [0 if divmod(at, width) in later else value for at, value in enumerate(self.board.values)]
        for step in self.steps:
            for (row, column), value in step.placed:
                values[row * width + column] = value
            yield Board(self.puzzle.height, width, tuple(values))

    @property
    def techniques(self) -> Counter[str]:
        """How many steps each technique has made."""
        return Counter(step.technique for step in self.steps)

    @property
    def impossible(self) -> bool:
        """True when the path ends in a proof that there is no solution."""
        return bool(self.steps) and self.steps[-1].technique == IMPOSSIBLE


def explain(puzzle: Puzzle, board: AnyBoard | None = None) -> Explanation:
    """The whole path in easy steps, from the givens or from `board`, whose values are taken for facts.

    board: anything `dnd.suguru.rules.as_board` takes. Steps that no placement needs are left out.
    Raises `InputError` for a board that does not fit the puzzle.
    """
    known = () if board is None else as_board(puzzle, board).values
    state = _State.empty(_layout(puzzle.height, puzzle.width, puzzle.cages))
    steps: list[Step] = []
    try:
        state.enter(puzzle.givens)
        state.enter(known)
        searcher, trials = _Searcher(state, _DIRECT), _Trials(state)
        while step := searcher.step() or trials.step():
            steps.append(step)
            state.apply(step)
    except _Contradiction as end:
        steps.append(end.step(state))
    impossible = bool(steps) and steps[-1].technique == IMPOSSIBLE
    needed = _path_to(steps, steps[-1]) if impossible else _trimmed(steps, lambda step: bool(step.placed))
    reached = Board(puzzle.height, puzzle.width, tuple(state.values))
    return Explanation(puzzle, tuple(needed), reached, not impossible and not state.unknown())


def _trimmed(steps: Sequence[Step], wanted: Callable[[Step], bool]) -> list[Step]:
    """The wanted steps and those that they rest on."""
    values: set[Mark] = set()
    removed: set[Mark] = set()
    kept = []
    for step in reversed(steps):
        if wanted(step) or not (values.isdisjoint(step.placed) and removed.isdisjoint(step.removed)):
            kept.append(step)
            values.update(step.facts.values)
            removed.update(step.facts.removed)
    return kept[::-1]


def _path_to(steps: Sequence[Step], last: Step) -> list[Step]:
    """`last` and the steps that it rests on."""
    return _trimmed(steps, lambda step: step is last)


def hint(puzzle: Puzzle, board: AnyBoard | None = None) -> Step:
    """The easiest next step from the givens or from a player's board. `hints` says what else it may be."""
    return next(hints(puzzle, board))


def hints(puzzle: Puzzle, board: AnyBoard | None = None) -> Iterator[Step]:
    """The next steps from where the player is, one after the other.

    A board that no solution extends gets one hint, `wrong-cell`: a cell that must change, which comes first, and why
    it cannot be so. A puzzle without solution gets `impossible`. Otherwise deductions; where they find nothing more,
    `search`: a value that only trying everything shows; at the end `solved`, or `several-solutions` where the cells
    that all solutions share (the backbone) are filled. Hints for a puzzle with several solutions say so.

    board: anything `dnd.suguru.rules.as_board` takes. Raises `InputError` if it does not fit the puzzle.
    """
    known = as_board(puzzle, puzzle.givens if board is None else board)
    found = solver.solve(puzzle, 2)
    if not found.count:
        yield _hopeless(puzzle)
    elif not solver.solve(puzzle, 1, board=known).count:
        yield _wrong_cell(puzzle, known, found.solutions[0] if found.unique else None)
    else:
        for step in _onward(puzzle, known):
            plain = found.unique or step.technique == HORIZON
            yield step if plain else replace(step, sentence=step.sentence + _SEVERAL)


_SEVERAL = " (the puzzle has several solutions; this holds in all that fit the board)"


def _hopeless(puzzle: Puzzle) -> Step:
    told = explain(puzzle)
    return told.steps[-1] if told.impossible else Step(IMPOSSIBLE, "trying everything shows that there is no solution")


def _onward(puzzle: Puzzle, board: Board) -> Iterator[Step]:
    """The steps from a board that some solution extends, to the last."""
    while True:
        told = explain(puzzle, board)
        yield from told.steps
        step = Step(SOLVED, "every cell is filled, and all is right") if told.solved else _beyond(told)
        yield step
        if not step.placed:
            return
        board = _with_marks(told.board, step.placed)


def _beyond(told: Explanation) -> Step:
    """Where deduction finds nothing more: a cell that all solutions share, if one is left."""
    values = told.board.values
    shared = solver.backbone(replace(told.puzzle, givens=values))
    assert shared is not None, "some solution extends the board"
    for cell, value in enumerate(shared.values):
        if value and not values[cell]:
            place = divmod(cell, told.puzzle.width)
            sentence = f"no technique goes on from here; trying everything shows that {cell_name(place)} is {value}"
            return Step(SEARCH, sentence, ((place, value),))
    return Step(HORIZON, "the puzzle has several solutions, and they agree on no cell that is still empty")


def _with_marks(board: Board, marks: Iterable[Mark]) -> Board:
    values = list(board.values)
    for (row, column), value in marks:
        values[row * board.width + column] = value
    return Board(board.height, board.width, tuple(values))


def _wrong_cell(puzzle: Puzzle, board: Board, solution: Solution | None) -> Step:
    """A cell of the board that must change: one that clashes at once, else the first that deduction refutes."""
    right, wrong = _sorted_out(puzzle, board, solution)
    for mark in wrong:
        clash = _clash(puzzle, right, mark)
        if clash:
            return clash
    told = explain(puzzle, right)
    for step in told.steps:
        for mark in wrong:
            if _refutes(step, mark):
                path = _path_to(told.steps, step)
                after = f"{len(path) - 1} steps on, " if len(path) > 2 else "a step on, " if len(path) == 2 else ""
                return Step(WRONG, f"{_is_not(mark)}: {after}{step.sentence}", (), (mark,), step.facts, tuple(path))
    why = "trying everything shows that no solution " + ("has it" if solution else "has it beside the values before it")
    return Step(WRONG, f"{_is_not(wrong[0])}: {why}", (), wrong[:1])


def _sorted_out(puzzle: Puzzle, board: Board, solution: Solution | None) -> tuple[Board, tuple[Mark, ...]]:
    """The right part of a board, and the wrong values.

    Where there are several solutions no value is wrong by itself: there it is the first one, row by row, that no
    solution has beside the values before it, and these are the right part.
    """
    if solution:
        pairs = list(zip(board.values, solution.values, strict=True))
        right = Board(board.height, board.width, tuple([value if value == true else 0 for value, true in pairs]))
        wrong = [
            (divmod(cell, board.width), value) for cell, (value, true) in enumerate(pairs) if value not in (0, true)
        ]
        return right, tuple(wrong)
    right = Board(board.height, board.width, (0,) * len(board.values))
    marks = [(divmod(cell, board.width), value) for cell, value in enumerate(board.values) if value]
    for mark in marks:
        longer = _with_marks(right, [mark])
        if not solver.solve(puzzle, 1, board=longer).count:
            return right, (mark,)
        right = longer
    raise AssertionError("some value is wrong on a board that no solution extends")


def _clash(puzzle: Puzzle, right: Board, mark: Mark) -> Step | None:
    """The hint for a wrong value that a given or a right value forbids in plain sight."""
    state = _State.empty(_layout(puzzle.height, puzzle.width, puzzle.cages))
    state.enter(right.with_givens(puzzle).values)
    (row, column), value = mark
    cell = row * puzzle.width + column
    if state.candidates[cell] >> value & 1:
        return None
    why, reasons = _refusal(state, cell, value)
    return Step(WRONG, f"{_is_not(mark)}: {why}", (), (mark,), reasons.facts())


def _refutes(step: Step, mark: Mark) -> bool:
    """True when the step says that a cell is not so."""
    return mark in step.removed or any(cell == mark[0] and value != mark[1] for cell, value in step.placed)


def _is_not(mark: Mark) -> str:
    return f"{cell_name(mark[0])} cannot be {mark[1]}"


# What a step of each technique costs a person; a contradiction one more for each link of its chain.
COSTS = dict(zip(TECHNIQUES, (1, 2, 4, 6, 7, 8, 9, 8, 9, 10, 20), strict=True))
_STUCK = 100  # a cell that no technique fills


class Rating(NamedTuple):
    """How hard a puzzle is for a person.

    number: the work, the sum of the costs (`COSTS`) of all steps and 100 for each cell that they leave empty; large
    puzzles are more work than small ones.
    level: easy: singles are enough. medium: also forbidden neighbours, at most one for every ten cells to be filled.
    hard: more of them, or pairs or triples. expert: a contradiction. beyond logic: cells are left empty.
    hardest: the code of the hardest technique, "" if no cell was to be filled. counts: steps of each technique used.
    """

    number: int
    level: str
    hardest: str
    counts: dict[str, int]


def rate(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle: that of the path that `explain` finds for its canonical copy.

    So symmetric copies have equal ratings. A puzzle with no or several solutions is beyond logic.
    """
    told = explain(puzzle.canonical())
    used = told.techniques
    counts = {technique: used[technique] for technique in TECHNIQUES if used[technique]}
    work = sum(COSTS[step.technique] + len(step.chain) for step in told.steps if step.technique in COSTS)
    number = work + _STUCK * told.board.unknown_in(told.puzzle)
    return Rating(number, _level(told, counts), next(reversed(counts), ""), counts)


def _level(told: Explanation, counts: dict[str, int]) -> str:
    if not told.solved:
        return "beyond logic"
    if CONTRADICTION in counts:
        return "expert"
    easy = counts.get(NAKED_SINGLE, 0) + counts.get(HIDDEN_SINGLE, 0)
    neighbours = counts.get(FORBIDDEN_NEIGHBOUR, 0)
    if sum(counts.values()) > easy + neighbours or 10 * neighbours > easy:
        return "hard"
    return "medium" if neighbours else "easy"


# ---------------------------------------------------------------------------------------------------------------
# The grid and what is known of it. From here on cells are indices, row * width + column. A set of values is an int
# that has bit v for value v, a set of cells an int that has bit c for cell c.


class _Layout:
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

    def names(self, cells: Iterable[int], last: str = "and") -> str:
        """`r1c1, r1c2 and r2c1`."""
        return _listed([cell_name(self.cell(cell)) for cell in cells], last)

    def cage_name(self, cage: int) -> str:
        """What to call a cage: players have no numbers for them."""
        return f"the cage of {self.names(self.cage_cells[cage][:1])}"


_layout = lru_cache(maxsize=16)(_Layout)


def _windows(height: int, width: int, cages: Sequence[int]) -> list[list[int]]:
    """The cells of each 2x2 window, two at least; in a grid of one row or column a window has two cells."""
    found = []
    for row, column in product(range(max(1, height - 1)), range(max(1, width - 1))):
        rows, columns = range(row, min(row + 2, height)), range(column, min(column + 2, width))
        cells = [r * width + c for r in rows for c in columns if cages[r * width + c] != HOLE]
        if len(cells) > 1:
            found.append(cells)
    return found


class _State:
    """What is known: the candidates of each cell and the values that stand. `log` lists cells that lost candidates."""

    def __init__(self, layout: _Layout, candidates: list[int], values: list[int]) -> None:
        self.layout = layout
        self.candidates = candidates
        self.values = values
        self.log: list[int] = []

    @classmethod
    def empty(cls, layout: _Layout) -> _State:
        """Nothing known but the sizes of cages."""
        return cls(layout, [0 if cage == HOLE else layout.full[cage] for cage in layout.cage], [0] * len(layout.cage))

    def copy(self) -> _State:
        """The same knowledge, to try something; the log starts anew."""
        return _State(self.layout, self.candidates.copy(), self.values.copy())

    def enter(self, values: Iterable[int]) -> None:
        """Place the values of a grid, 0 for none, which may be wrong; `_Contradiction` for one that cannot stand."""
        for cell, value in enumerate(values):
            if value and not self.candidates[cell] >> value & 1:
                raise _Contradiction(_misplaced, cell, value)
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

    def apply(self, step: Step) -> None:
        """Take over what a step concludes."""
        for (row, column), value in step.placed:
            self.place(row * self.layout.width + column, value)
        for (row, column), value in step.removed:
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


def _refusal(state: _State, cell: int, value: int) -> tuple[str, _Reasons]:
    """Why a value that is no candidate, by what everybody sees, cannot stand in a cell: in words and in facts."""
    layout, reasons = state.layout, _Reasons(state, [cell])
    size = len(layout.cage_cells[layout.cage[cell]])
    if value > size:
        reasons.cages.add(layout.cage[cell])
        return f"its cage has only {size} cell{'s' if size > 1 else ''}", reasons
    blocker = reasons.without(cell, value)
    if blocker == cell:
        return f"{state.values[cell]} is given there", reasons
    link = "touches" if layout.touching[cell] >> blocker & 1 else "is in one cage with"
    return f"it {link} the {value} at {layout.names([blocker])}", reasons


def _misplaced(state: _State, cell: int, value: int) -> Step:
    why, reasons = _refusal(state, cell, value)
    reasons.values.add((cell, value))
    return Step(IMPOSSIBLE, f"{state.layout.names([cell])} cannot be {value}: {why}", facts=reasons.facts())


class _Contradiction(Exception):  # noqa: N818  # no error: it is what a trial hopes for
    """Something is impossible; `step(state)` says what."""

    def __init__(self, tell: Callable[[_State, int, int], Step], place: int, value: int = 0) -> None:
        super().__init__()
        self._tell, self._place, self._value = tell, place, value

    def step(self, state: _State) -> Step:
        """What is impossible, and why."""
        return self._tell(state, self._place, self._value)


class _Reasons:
    """Collects the facts of a step about some cells."""

    def __init__(self, state: _State, cells: Iterable[int] = (), cages: Iterable[int] = ()) -> None:
        self.state = state
        self.cells, self.cages = set(cells), set(cages)
        self.values: set[tuple[int, int]] = set()
        self.removed: set[tuple[int, int]] = set()

    def without(self, cell: int, value: int) -> int:
        """Cite why a cell is not `value`: the cell whose value keeps it out (perhaps its own), or -1, an earlier step.

        A value that stands is the better reason, since everybody sees it.
        """
        values, layout = self.state.values, self.state.layout
        if values[cell]:
            self.values.add((cell, values[cell]))
            return cell
        for peer in layout.peers[cell]:
            if values[peer] == value:
                self.values.add((peer, value))
                if not layout.touching[cell] >> peer & 1:
                    self.cages.add(layout.cage[cell])
                return peer
        self.removed.add((cell, value))
        return -1

    def only(self, cell: int, values: int) -> list[tuple[int, int]]:
        """Cite why a cell has no candidates but `values`: each other value with what `without` says of it."""
        cage = self.state.layout.cage[cell]
        self.cages.add(cage)
        return [(value, self.without(cell, value)) for value in grid.indices(self.state.layout.full[cage] & ~values)]

    def are_only(self, cells: Iterable[int], values: int) -> None:
        """Cite why cells have no candidates but `values`."""
        for cell in cells:
            self.cells.add(cell)
            self.only(cell, values)

    def only_in(self, cage: int, value: int, places: Iterable[int]) -> list[tuple[int, int]]:
        """Cite why a cage has no places for `value` but these: each other cell with what `without` says of it."""
        self.cages.add(cage)
        others = [cell for cell in self.state.layout.cage_cells[cage] if cell not in places]
        return [(cell, self.without(cell, value)) for cell in others]

    def facts(self) -> Facts:
        """All that was cited."""
        layout = self.state.layout
        cells = tuple(map(layout.cell, sorted(self.cells)))
        return Facts(cells, _marks(layout, self.values), _marks(layout, self.removed), tuple(sorted(self.cages)))

    def placing(self, technique: str, sentence: str, cell: int, value: int) -> Step:
        """The step that places a value."""
        return Step(technique, sentence, ((self.state.layout.cell(cell), value),), (), self.facts())

    def removing(self, technique: str, sentence: str, targets: Iterable[tuple[int, int]]) -> Step:
        """The step that removes candidates."""
        self.cells.update(cell for cell, _ in targets)
        return Step(technique, sentence, (), _marks(self.state.layout, targets), self.facts())


def _marks(layout: _Layout, marks: Iterable[tuple[int, int]]) -> tuple[Mark, ...]:
    return tuple([(layout.cell(cell), value) for cell, value in sorted(marks)])


_Technique = tuple[str, Callable[[_State, int], Step | None]]  # the kind of unit, and what looks at one


class _Watch:
    """The units (cells, cages or windows) where a technique may find something.

    A unit where it has found nothing need not be looked at again until a cell of it loses a candidate.
    """

    def __init__(self, units_of: Sequence[Sequence[int]], units: Iterable[int]) -> None:
        self.units_of = units_of
        self.units = set(units)
        self.read = 0

    def pending(self, log: list[int]) -> Iterator[int]:
        """The units to look at, lowest first. One that the caller breaks off at stays pending."""
        for cell in log[self.read :]:
            self.units.update(self.units_of[cell])
        self.read = len(log)
        for unit in sorted(self.units):
            yield unit
            self.units.discard(unit)


# ---------------------------------------------------------------------------------------------------------------
# The techniques. Each looks at one unit; each sentence stands beside its deduction.


def _naked_single(state: _State, cell: int) -> Step | None:
    value = _last_value(state, cell)
    if not value:
        return None
    reasons = _Reasons(state, [cell])
    gone = reasons.only(cell, 1 << value)
    sentence = f"{state.layout.names([cell])} must be {value}: {_why_gone(state.layout, cell, gone)}"
    return reasons.placing(NAKED_SINGLE, sentence, cell, value)


def _last_value(state: _State, cell: int) -> int:
    """The only candidate of a cell that has no value yet, 0 if it has several."""
    candidates = state.candidates[cell]
    if not candidates:
        raise _Contradiction(_no_value, cell)
    return 0 if state.values[cell] or candidates & (candidates - 1) else candidates.bit_length() - 1


def _no_value(state: _State, cell: int, _: int) -> Step:
    reasons = _Reasons(state, [cell])
    gone = reasons.only(cell, 0)
    sentence = f"no value is left for {state.layout.names([cell])}: {_why_gone(state.layout, cell, gone)}"
    return Step(IMPOSSIBLE, sentence, facts=reasons.facts())


def _why_gone(layout: _Layout, cell: int, gone: Iterable[tuple[int, int]]) -> str:
    """The reasons why values are gone from a cell, in words; `gone` as `_Reasons.only` gives it."""
    mates, touched, earlier = [], [], []
    for value, blocker in gone:
        if blocker < 0:
            earlier.append(str(value))
        elif layout.cage[blocker] == layout.cage[cell]:
            mates.append(str(value))
        else:
            touched.append(f"the {value} at {layout.names([blocker])}")
    parts = [f"its cage has {_listed(mates)}"] if mates else []
    parts += [f"it touches {_listed(touched)}"] if touched else []
    parts += [f"{_listed(earlier)} {_was(earlier)} ruled out before"] if earlier else []
    return ", ".join(parts) if parts else "its cage is this one cell"


def _hidden_single(state: _State, cage: int) -> Step | None:
    single = _last_place(state, cage)
    if not single:
        return None
    cell, value = single
    reasons, layout = _Reasons(state, [cell]), state.layout
    gone = reasons.only_in(cage, value, [cell])
    only = f"in {layout.cage_name(cage)} only {layout.names([cell])} can be {value}"
    return reasons.placing(HIDDEN_SINGLE, f"{only}: {_why_nowhere(layout, cage, value, gone)}", cell, value)


def _last_place(state: _State, cage: int) -> tuple[int, int] | None:
    """A cell and a value that no other cell of the cage can be, and that is not placed yet."""
    once = twice = placed = 0
    candidates, cells = state.candidates, state.layout.cage_cells[cage]
    for cell in cells:
        twice |= once & candidates[cell]
        once |= candidates[cell]
        if state.values[cell]:
            placed |= candidates[cell]
    missing = state.layout.full[cage] & ~once
    if missing:
        raise _Contradiction(_no_place, cage, next(grid.indices(missing)))
    for value in grid.indices(once & ~twice & ~placed):
        return next(cell for cell in cells if candidates[cell] >> value & 1), value
    return None


def _no_place(state: _State, cage: int, value: int) -> Step:
    reasons, layout = _Reasons(state), state.layout
    gone = reasons.only_in(cage, value, [])
    sentence = f"no cell of {layout.cage_name(cage)} can be {value}: {_why_nowhere(layout, cage, value, gone)}"
    return Step(IMPOSSIBLE, sentence, facts=reasons.facts())


def _why_nowhere(layout: _Layout, cage: int, value: int, gone: Iterable[tuple[int, int]]) -> str:
    """The reasons why cells of a cage are not `value`, in words; `gone` as `_Reasons.only_in` gives it."""
    filled = [cell for cell, blocker in gone if blocker == cell]
    beside = [(cell, blocker) for cell, blocker in gone if blocker not in (cell, -1)]
    earlier = [cell for cell, blocker in gone if blocker < 0]
    parts = [f"{layout.names(filled)} {_has(filled)} other values"] if filled else []
    for blocker in sorted({blocker for _, blocker in beside}):
        kept_out = [cell for cell, by in beside if by == blocker]
        parts.append(f"the {value} at {layout.names([blocker])} touches {layout.names(kept_out)}")
    parts += [f"it was ruled out before at {layout.names(earlier)}"] if earlier else []
    return ", ".join(parts) if parts else "it has no other cell"


def _forbidden_neighbour(state: _State, cage: int) -> Step | None:
    layout = state.layout
    for value, places in state.open_places(cage):
        around = reduce(and_, [layout.touching[cell] for cell in places])
        targets = [cell for cell in grid.indices(around) if state.candidates[cell] >> value & 1]
        if targets:
            reasons = _Reasons(state, places)
            reasons.only_in(cage, value, places)
            where = f"{layout.cage_name(cage)} has its {value} at {layout.names(places, 'or')}"
            sentence = f"{where}, each of which touches {layout.names(targets)}: no {value} there"
            return reasons.removing(FORBIDDEN_NEIGHBOUR, sentence, [(cell, value) for cell in targets])
    return None


def _naked_subset(size: int, state: _State, cage: int) -> Step | None:
    layout, cells = state.layout, state.open_cells(state.layout.cage_cells[cage])
    for subset, values in _subsets(state, cells, size):
        targets = _holding(state, (cell for cell in cells if cell not in subset), values)
        if targets:
            reasons = _Reasons(state)
            reasons.are_only(subset, values)
            have = f"{layout.names(subset)} have only {_values(values)} between them"
            sentence = f"{have}, so no other cell of their cage has one of these"
            return reasons.removing(NAKED[size], sentence, targets)
    return None


def _hidden_subset(size: int, state: _State, cage: int) -> Step | None:
    layout = state.layout
    few = [(value, places) for value, places in state.open_places(cage) if len(places) <= size]
    for group in combinations(few, size):
        subset = sorted({cell for _, places in group for cell in places})
        values = sum(1 << value for value, _ in group)
        targets = _holding(state, subset, ~values)
        if len(subset) == size and targets:
            reasons = _Reasons(state, subset)
            for value, places in group:
                reasons.only_in(cage, value, places)
            fit = f"{_values(values)} of {layout.cage_name(cage)} fit only into {layout.names(subset)}"
            return reasons.removing(HIDDEN[size], f"{fit}, which therefore have no other value", targets)
    return None


def _outside_subset(size: int, state: _State, window: int) -> Step | None:
    layout = state.layout
    for subset, values in _subsets(state, state.open_cells(layout.windows[window]), size):
        targets = _holding(state, layout.common_peers(subset), values)
        if targets:
            reasons = _Reasons(state)
            reasons.are_only(subset, values)
            have = f"{layout.names(subset)} touch each other and have only {_values(values)} between them"
            seen = layout.names(sorted({cell for cell, _ in targets}))
            sentence = f"{have}; each touches {seen} or is in one cage with it, so these values are not there"
            return reasons.removing(OUTSIDE[size], sentence, targets)
    return None


def _forbidden_triple(state: _State, window: int) -> Step | None:
    layout = state.layout
    for subset, values in _subsets(state, state.open_cells(layout.windows[window]), 3):
        for value in grid.indices(values):
            places = [cell for cell in subset if state.candidates[cell] >> value & 1]
            targets = _holding(state, layout.common_peers(places), 1 << value)
            if targets:
                reasons = _Reasons(state)
                reasons.are_only(places, values)
                reasons.are_only(set(subset) - set(places), values & ~(1 << value))
                where = layout.names([cell for cell, _ in targets])
                left = f"{layout.names(subset)}, which touch each other, would have {_values(values & ~(1 << value))}"
                sentence = f"{value} at {where} would keep it out of {layout.names(places)}: {left} for three cells"
                return reasons.removing(FORBIDDEN_TRIPLE, sentence, targets)
    return None


def _subsets(state: _State, cells: Iterable[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each `size` of the cells that have `size` candidates between them, with these."""
    narrow = [cell for cell in cells if state.candidates[cell].bit_count() <= size]
    for subset in combinations(narrow, size):
        values = reduce(or_, [state.candidates[cell] for cell in subset])
        if values.bit_count() == size:
            yield subset, values


def _holding(state: _State, cells: Iterable[int], values: int) -> list[tuple[int, int]]:
    """The candidates of the cells that are among the values."""
    return [(cell, value) for cell in cells for value in grid.indices(state.candidates[cell] & values)]


_SINGLES: tuple[_Technique, ...] = (("cells", _naked_single), ("cages", _hidden_single))
_DIRECT: tuple[_Technique, ...] = (
    *_SINGLES,
    ("cages", _forbidden_neighbour),
    ("cages", partial(_naked_subset, 2)),
    ("cages", partial(_hidden_subset, 2)),
    ("cages", partial(_naked_subset, 3)),
    ("cages", partial(_hidden_subset, 3)),
    ("windows", partial(_outside_subset, 2)),
    ("windows", partial(_outside_subset, 3)),
    ("windows", _forbidden_triple),
)


class _Searcher:
    """Finds the easiest next step of a state, again and again."""

    def __init__(self, state: _State, techniques: Iterable[_Technique]) -> None:
        self.state = state
        self.watched = [(look, _Watch(*state.layout.units[kind])) for kind, look in techniques]

    def step(self) -> Step | None:
        """The easiest step, None if there is none; `_Contradiction` if something is seen to be impossible."""
        for look, watch in self.watched:
            for unit in watch.pending(self.state.log):
                step = look(self.state, unit)
                if step:
                    return step
        return None


# How many values a trial may place before others, with shorter chains, are looked at.
_TRIALS = (4, 16, 1 << 12)


class _Trials:
    """What if? Looks for a candidate that singles refute, shortest chains and narrowest cells first.

    A trial that led nowhere need not be made again before something changes in a cage that it came to.
    """

    def __init__(self, state: _State) -> None:
        self.state = state
        self.read = 0
        # Of each trial: how many values it might place, whether it is undecided yet, a mask of the cages it came to.
        self.made: dict[tuple[int, int], tuple[int, bool, int]] = {}

    def step(self) -> Step | None:
        """The next candidate refuted, None if there is none."""
        self._forget()
        cells = sorted(self.state.unknown(), key=lambda cell: self.state.candidates[cell].bit_count())
        trials = [(cell, value) for cell in cells for value in grid.indices(self.state.candidates[cell])]
        for most in _TRIALS:
            undecided = []
            for trial in trials:
                if self._open(trial, most) and self._breaks(*trial, most):
                    return _what_if(self.state, *trial)
                if self.made[trial][1]:
                    undecided.append(trial)
            trials = undecided
        return None

    def _forget(self) -> None:
        changed = self.state.layout.cages_of(self.state.log[self.read :])
        self.read = len(self.state.log)
        self.made = {trial: made for trial, made in self.made.items() if not made[2] & changed}

    def _open(self, trial: tuple[int, int], most: int) -> bool:
        """Whether it is worth trying with `most` placements."""
        placed, undecided, _ = self.made.get(trial, (0, True, 0))
        return undecided and placed < most

    def _breaks(self, cell: int, value: int, most: int) -> bool:
        """Whether a trial of `most` placements comes to a contradiction; if not, it is noted."""
        trial = self.state.copy()
        trial.place(cell, value)
        number = 0
        try:
            for _, _, *single in _singles(trial):
                if number == most:
                    break
                trial.place(*single)
                number += 1
        except _Contradiction:
            return True
        made = most, number == most, self.state.layout.cages_of(trial.log)
        self.made[cell, value] = made
        if number < most:
            # What follows from the assumption would have come to a contradiction only if that had.
            self.made |= {(other, trial.values[other]): made for other in set(trial.log) if trial.values[other]}
        return False


def _singles(trial: _State) -> Iterator[tuple[Callable[[_State, int], Step | None], int, int, int]]:
    """The singles that follow from what the log tells, near ones first: technique, unit, cell and value.

    The caller places each before it asks for the next. Raises `_Contradiction` where that leads.
    """
    for cell in trial.log:  # it grows while we go
        value = _last_value(trial, cell)
        if value:
            yield _naked_single, cell, cell, value
        cage = trial.layout.cage[cell]
        while single := _last_place(trial, cage):
            yield _hidden_single, cage, *single


def _what_if(state: _State, cell: int, value: int) -> Step:
    """The same trial again, with its reasons: what the end of the chain needs, and what that rests on outside."""
    trial = state.copy()
    trial.place(cell, value)
    steps: list[Step] = []
    try:
        for look, unit, *single in _singles(trial):
            steps += filter(None, [look(trial, unit)])
            trial.place(*single)
    except _Contradiction as end:
        steps.append(end.step(trial))
    chain = _path_to(steps, steps[-1])
    assumed = state.layout.cell(cell), value
    then = [f"{cell_name(place)} is {number}" for step in chain for place, number in step.placed]
    what_then = " and ".join(filter(None, [", ".join(then), chain[-1].sentence]))
    sentence = f"what if {cell_name(assumed[0])} were {value}? Then {what_then}"
    return Step(CONTRADICTION, sentence, (), (assumed,), _outer_facts(chain, assumed), tuple(chain))


def _outer_facts(chain: Sequence[Step], assumed: Mark) -> Facts:
    """What a chain rests on besides its assumption and itself."""
    inside = {assumed}.union(*[step.placed for step in chain])
    facts = [step.facts for step in chain]
    return Facts(
        tuple(sorted({assumed[0]}.union(*[some.cells for some in facts]))),
        tuple(sorted({mark for some in facts for mark in some.values} - inside)),
        tuple(sorted({mark for some in facts for mark in some.removed})),
        tuple(sorted({cage for some in facts for cage in some.cages})),
    )


def _listed(words: Sequence[str], last: str = "and") -> str:
    """`1`, `1 and 2`, `1, 2 and 3`."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _values(values: int) -> str:
    return _listed([str(value) for value in grid.indices(values)])


def _was(some: Sequence[object]) -> str:
    return "was" if len(some) == 1 else "were"


def _has(some: Sequence[object]) -> str:
    return "has" if len(some) == 1 else "have"
