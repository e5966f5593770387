"""What a person can deduce about a grid: for each technique what it finds, its sentence and the facts it rests on.

The solver (`state`) knows of each cell its **candidates**. A value that stands in a cell (given, or placed by
a step) is not a candidate of the cell's **peers**: the cells that touch it and those of its cage. That much is taken
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
what is found in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations
from operator import and_, or_
from typing import NamedTuple

from dnd import grid, hinting
from dnd.diagnostic import Cell, cell_name
from dnd.hinting import IMPOSSIBLE, path_to
from dnd.suguru.state import MISPLACED, NO_PLACE, NO_VALUE, Contradiction, Layout, Mark, State

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
class Step(hinting.Step[int]):
    """One deduction: technique code, sentence, conclusions (values placed, candidates removed), what they rest on.

    chain: for a contradiction the steps that follow from the assumption, the last one `impossible`; their facts
    include the assumption and each other. For a wrong cell the steps that lead to where it shows.
    """

    placed: tuple[Mark, ...] = ()
    removed: tuple[Mark, ...] = ()
    facts: Facts = Facts()
    chain: tuple[Step, ...] = ()

    @property
    def conclusions(self) -> hinting.Claims[int]:
        """The values placed, the candidates removed."""
        return self.placed, self.removed

    @property
    def premises(self) -> hinting.Claims[int]:
        """The values and the removed candidates that it rests on."""
        return self.facts.values, self.facts.removed

    def as_json(self) -> dict[str, object]:
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


class Reasons:
    """Collects the facts of a step about some cells."""

    def __init__(self, state: State, cells: Iterable[int] = (), cages: Iterable[int] = ()) -> None:
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
        return Facts(cells, layout.marks(self.values), layout.marks(self.removed), tuple(sorted(self.cages)))

    def placing(self, technique: str, sentence: str, cell: int, value: int) -> Step:
        """The step that places a value."""
        return Step(technique, sentence, ((self.state.layout.cell(cell), value),), (), self.facts())

    def removing(self, technique: str, sentence: str, targets: Iterable[tuple[int, int]]) -> Step:
        """The step that removes candidates."""
        self.cells.update(cell for cell, _ in targets)
        return Step(technique, sentence, (), self.state.layout.marks(targets), self.facts())


# ---------------------------------------------------------------------------------------------------------------
# Words.


def names(layout: Layout, cells: Iterable[int], last: str = "and") -> str:
    """`r1c1, r1c2 and r2c1`."""
    return _listed([cell_name(layout.cell(cell)) for cell in cells], last)


def cage_name(layout: Layout, cage: int) -> str:
    """What to call a cage: players have no numbers for them."""
    return f"the cage of {names(layout, layout.cage_cells[cage][:1])}"


def _listed(words: Sequence[str], last: str = "and") -> str:
    """`1`, `1 and 2`, `1, 2 and 3`."""
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _values(values: int) -> str:
    return _listed([str(value) for value in grid.indices(values)])


def _was(some: Sequence[object]) -> str:
    return "was" if len(some) == 1 else "were"


def _has(some: Sequence[object]) -> str:
    return "has" if len(some) == 1 else "have"


# ---------------------------------------------------------------------------------------------------------------
# The techniques. Each looks at one unit; each sentence stands beside its deduction.

Technique = tuple[str, Callable[[State, int], Step | None]]  # the kind of unit, and what looks at one


def _naked_single(state: State, cell: int) -> Step | None:
    value = state.last_value(cell)
    if not value:
        return None
    reasons = Reasons(state, [cell])
    gone = reasons.only(cell, 1 << value)
    sentence = f"{names(state.layout, [cell])} must be {value}: {_why_gone(state.layout, cell, gone)}"
    return reasons.placing(NAKED_SINGLE, sentence, cell, value)


def _why_gone(layout: Layout, cell: int, gone: Iterable[tuple[int, int]]) -> str:
    """The reasons why values are gone from a cell, in words; `gone` as `Reasons.only` gives it."""
    mates, touched, earlier = [], [], []
    for value, blocker in gone:
        if blocker < 0:
            earlier.append(str(value))
        elif layout.cage[blocker] == layout.cage[cell]:
            mates.append(str(value))
        else:
            touched.append(f"the {value} at {names(layout, [blocker])}")
    parts = [f"its cage has {_listed(mates)}"] if mates else []
    parts += [f"it touches {_listed(touched)}"] if touched else []
    parts += [f"{_listed(earlier)} {_was(earlier)} ruled out before"] if earlier else []
    return ", ".join(parts) if parts else "its cage is this one cell"


def _hidden_single(state: State, cage: int) -> Step | None:
    single = state.last_place(cage)
    if not single:
        return None
    cell, value = single
    reasons, layout = Reasons(state, [cell]), state.layout
    gone = reasons.only_in(cage, value, [cell])
    only = f"in {cage_name(layout, cage)} only {names(layout, [cell])} can be {value}"
    return reasons.placing(HIDDEN_SINGLE, f"{only}: {_why_nowhere(layout, cage, value, gone)}", cell, value)


def _why_nowhere(layout: Layout, cage: int, value: int, gone: Iterable[tuple[int, int]]) -> str:
    """The reasons why cells of a cage are not `value`, in words; `gone` as `Reasons.only_in` gives it."""
    filled = [cell for cell, blocker in gone if blocker == cell]
    beside = [(cell, blocker) for cell, blocker in gone if blocker not in (cell, -1)]
    earlier = [cell for cell, blocker in gone if blocker < 0]
    parts = [f"{names(layout, filled)} {_has(filled)} other values"] if filled else []
    for blocker in sorted({blocker for _, blocker in beside}):
        kept_out = [cell for cell, by in beside if by == blocker]
        parts.append(f"the {value} at {names(layout, [blocker])} touches {names(layout, kept_out)}")
    parts += [f"it was ruled out before at {names(layout, earlier)}"] if earlier else []
    return ", ".join(parts) if parts else "it has no other cell"


def _forbidden_neighbour(state: State, cage: int) -> Step | None:
    layout = state.layout
    for value, places in state.open_places(cage):
        around = reduce(and_, [layout.touching[cell] for cell in places])
        targets = [cell for cell in grid.indices(around) if state.candidates[cell] >> value & 1]
        if targets:
            reasons = Reasons(state, places)
            reasons.only_in(cage, value, places)
            where = f"{cage_name(layout, cage)} has its {value} at {names(layout, places, 'or')}"
            sentence = f"{where}, each of which touches {names(layout, targets)}: no {value} there"
            return reasons.removing(FORBIDDEN_NEIGHBOUR, sentence, [(cell, value) for cell in targets])
    return None


def _naked_subset(size: int, state: State, cage: int) -> Step | None:
    layout, cells = state.layout, state.open_cells(state.layout.cage_cells[cage])
    for subset, values in _subsets(state, cells, size):
        targets = _holding(state, (cell for cell in cells if cell not in subset), values)
        if targets:
            reasons = Reasons(state)
            reasons.are_only(subset, values)
            have = f"{names(layout, subset)} have only {_values(values)} between them"
            sentence = f"{have}, so no other cell of their cage has one of these"
            return reasons.removing(NAKED[size], sentence, targets)
    return None


def _hidden_subset(size: int, state: State, cage: int) -> Step | None:
    layout = state.layout
    few = [(value, places) for value, places in state.open_places(cage) if len(places) <= size]
    for group in combinations(few, size):
        subset = sorted({cell for _, places in group for cell in places})
        values = sum(1 << value for value, _ in group)
        targets = _holding(state, subset, ~values)
        if len(subset) == size and targets:
            reasons = Reasons(state, subset)
            for value, places in group:
                reasons.only_in(cage, value, places)
            fit = f"{_values(values)} of {cage_name(layout, cage)} fit only into {names(layout, subset)}"
            return reasons.removing(HIDDEN[size], f"{fit}, which therefore have no other value", targets)
    return None


def _outside_subset(size: int, state: State, window: int) -> Step | None:
    layout = state.layout
    for subset, values in _subsets(state, state.open_cells(layout.windows[window]), size):
        targets = _holding(state, layout.common_peers(subset), values)
        if targets:
            reasons = Reasons(state)
            reasons.are_only(subset, values)
            have = f"{names(layout, subset)} touch each other and have only {_values(values)} between them"
            seen = names(layout, sorted({cell for cell, _ in targets}))
            sentence = f"{have}; each touches {seen} or is in one cage with it, so these values are not there"
            return reasons.removing(OUTSIDE[size], sentence, targets)
    return None


def _forbidden_triple(state: State, window: int) -> Step | None:
    layout = state.layout
    for subset, values in _subsets(state, state.open_cells(layout.windows[window]), 3):
        for value in grid.indices(values):
            places = [cell for cell in subset if state.candidates[cell] >> value & 1]
            targets = _holding(state, layout.common_peers(places), 1 << value)
            if targets:
                reasons = Reasons(state)
                reasons.are_only(places, values)
                reasons.are_only(set(subset) - set(places), values & ~(1 << value))
                where = names(layout, [cell for cell, _ in targets])
                left = f"{names(layout, subset)}, which touch each other, would have {_values(values & ~(1 << value))}"
                sentence = f"{value} at {where} would keep it out of {names(layout, places)}: {left} for three cells"
                return reasons.removing(FORBIDDEN_TRIPLE, sentence, targets)
    return None


def _subsets(state: State, cells: Iterable[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each `size` of the cells that have `size` candidates between them, with these."""
    narrow = [cell for cell in cells if state.candidates[cell].bit_count() <= size]
    for subset in combinations(narrow, size):
        values = reduce(or_, [state.candidates[cell] for cell in subset])
        if values.bit_count() == size:
            yield subset, values


def _holding(state: State, cells: Iterable[int], values: int) -> list[tuple[int, int]]:
    """The candidates of the cells that are among the values."""
    return [(cell, value) for cell in cells for value in grid.indices(state.candidates[cell] & values)]


# All but `CONTRADICTION`, which takes more than a look at one unit: `Trials`.
DIRECT: tuple[Technique, ...] = (
    ("cells", _naked_single),
    ("cages", _hidden_single),
    ("cages", _forbidden_neighbour),
    ("cages", partial(_naked_subset, 2)),
    ("cages", partial(_hidden_subset, 2)),
    ("cages", partial(_naked_subset, 3)),
    ("cages", partial(_hidden_subset, 3)),
    ("windows", partial(_outside_subset, 2)),
    ("windows", partial(_outside_subset, 3)),
    ("windows", _forbidden_triple),
)


# How many values a trial may place before others, with shorter chains, are looked at.
_TRIALS = (4, 16, 1 << 12)


class Trials:
    """What if? Looks for a candidate that singles refute, shortest chains and narrowest cells first.

    A trial that led nowhere need not be made again before something changes in a cage that it came to.
    """

    def __init__(self, state: State) -> None:
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
        except Contradiction:
            return True
        made = most, number == most, self.state.layout.cages_of(trial.log)
        self.made[cell, value] = made
        if number < most:
            # What follows from the assumption would have come to a contradiction only if that had.
            self.made |= {(other, trial.values[other]): made for other in set(trial.log) if trial.values[other]}
        return False


def _singles(trial: State) -> Iterator[tuple[Callable[[State, int], Step | None], int, int, int]]:
    """The singles that follow from what the log tells, near ones first: technique, unit, cell and value.

    The caller places each before it asks for the next. Raises `Contradiction` where that leads.
    """
    for cell in trial.log:  # it grows while we go
        value = trial.last_value(cell)
        if value:
            yield _naked_single, cell, cell, value
        cage = trial.layout.cage[cell]
        while single := trial.last_place(cage):
            yield _hidden_single, cage, *single


def _what_if(state: State, cell: int, value: int) -> Step:
    """The same trial again, with its reasons: what the end of the chain needs, and what that rests on outside."""
    trial = state.copy()
    trial.place(cell, value)
    steps: list[Step] = []
    try:
        for look, unit, *single in _singles(trial):
            steps += filter(None, [look(trial, unit)])
            trial.place(*single)
    except Contradiction as end:
        steps.append(impossible(trial, end))
    chain = path_to(steps, steps[-1])
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


# ---------------------------------------------------------------------------------------------------------------
# What is wrong with a grid.


def impossible(state: State, found: Contradiction) -> Step:
    """What is impossible in a state, and why."""
    return _IMPOSSIBLE[found.kind](state, found.place, found.value)


def _no_value(state: State, cell: int, _: int) -> Step:
    reasons = Reasons(state, [cell])
    gone = reasons.only(cell, 0)
    sentence = f"no value is left for {names(state.layout, [cell])}: {_why_gone(state.layout, cell, gone)}"
    return Step(IMPOSSIBLE, sentence, facts=reasons.facts())


def _no_place(state: State, cage: int, value: int) -> Step:
    reasons, layout = Reasons(state), state.layout
    gone = reasons.only_in(cage, value, [])
    sentence = f"no cell of {cage_name(layout, cage)} can be {value}: {_why_nowhere(layout, cage, value, gone)}"
    return Step(IMPOSSIBLE, sentence, facts=reasons.facts())


def refusal(state: State, cell: int, value: int) -> tuple[str, Reasons]:
    """Why a value that is not a candidate, by what everybody sees, cannot stand in a cell: in words and in facts."""
    layout, reasons = state.layout, Reasons(state, [cell])
    size = len(layout.cage_cells[layout.cage[cell]])
    if value > size:
        reasons.cages.add(layout.cage[cell])
        return f"its cage has only {size} cell{'s' if size > 1 else ''}", reasons
    blocker = reasons.without(cell, value)
    if blocker == cell:
        return f"{state.values[cell]} is given there", reasons
    link = "touches" if layout.touching[cell] >> blocker & 1 else "is in one cage with"
    return f"it {link} the {value} at {names(layout, [blocker])}", reasons


def _misplaced(state: State, cell: int, value: int) -> Step:
    why, reasons = refusal(state, cell, value)
    reasons.values.add((cell, value))
    return Step(IMPOSSIBLE, f"{names(state.layout, [cell])} cannot be {value}: {why}", facts=reasons.facts())


_IMPOSSIBLE = {MISPLACED: _misplaced, NO_VALUE: _no_value, NO_PLACE: _no_place}
