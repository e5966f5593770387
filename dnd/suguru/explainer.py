"""From a grid, or a player's board, to the solution in steps that a person can follow; hints and ratings.

The deductions and their order are `techniques`', what is known between them is `state`'s. Steps that nothing later
rests on are left out of explanations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dnd import hinting
from dnd.game import check_own
from dnd.hinting import HORIZON, IMPOSSIBLE, LEVELS, NEGATIVE, SEARCH, SOLVED, STUCK, WRONG, path_to, trimmed
from dnd.suguru import solver
from dnd.suguru.puzzle import Board, Puzzle, picture
from dnd.suguru.rules import AnyBoard, as_board
from dnd.suguru.state import Contradiction, Mark, State, layout_of
from dnd.suguru.techniques import (
    CONTRADICTION,
    DIRECT,
    FORBIDDEN_NEIGHBOUR,
    HIDDEN_SINGLE,
    NAKED_SINGLE,
    TECHNIQUES,
    Facts,
    Step,
    Technique,
    Trials,
    impossible,
    refusal,
)

__all__ = [
    "COSTS",
    "HORIZON",
    "IMPOSSIBLE",
    "LEVELS",
    "NEGATIVE",
    "SEARCH",
    "SOLVED",
    "TECHNIQUES",
    "WRONG",
    "Explanation",
    "Facts",
    "Mark",
    "Rating",
    "Step",
    "explain",
    "hint",
    "hints",
    "rate",
]


class Explanation(hinting.Explanation[Puzzle, Board, Step]):
    """The path from a puzzle, or from a player's board, as far as the techniques lead."""

    def boards(self) -> Iterator[Board]:
        """The board after each step: what was known from the start, and the values placed so far."""
        width, later = self.puzzle.width, {cell for step in self.steps for cell, _ in step.placed}
        values = [0 if divmod(at, width) in later else value for at, value in enumerate(self.board.values)]
        for step in self.steps:
            for (row, column), value in step.placed:
                values[row * width + column] = value
            yield Board(self.puzzle.height, width, tuple(values))

    def drawn(self, board: Board) -> str:
        """The picture of a board of the puzzle."""
        return picture(self.puzzle, board)

    def onward(self) -> Iterator[Step]:
        """The hints from where the steps end."""
        return hints(self.puzzle, self.board)


def explain(puzzle: Puzzle, board: AnyBoard | None = None) -> Explanation:
    """The whole path in easy steps, from the givens or from `board`, whose values are taken for facts.

    board: anything `dnd.suguru.rules.as_board` takes. Steps that no placement needs are left out.
    Raises `InputError` for a board that does not fit the puzzle.
    """
    check_own(puzzle, "suguru")
    known = _start(puzzle) if board is None else as_board(puzzle, board)
    state = State.empty(layout_of(puzzle.height, puzzle.width, puzzle.cages))
    steps: list[Step] = []
    broken = False
    try:
        state.enter(puzzle.givens)
        state.enter(known.values)
        searcher, trials = _Searcher(state, DIRECT), Trials(state)
        while step := searcher.step() or trials.step():
            steps.append(step)
            state.conclude(step.placed, step.removed)
    except Contradiction as end:
        steps.append(impossible(state, end))
        broken = True
    needed = path_to(steps, steps[-1]) if broken else trimmed(steps, lambda step: bool(step.placed))
    reached = Board(puzzle.height, puzzle.width, tuple(state.values))
    return Explanation(puzzle, known, tuple(needed), reached, not broken and not state.unknown())


def _start(puzzle: Puzzle) -> Board:
    return Board(puzzle.height, puzzle.width, puzzle.givens)


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


class _Searcher:
    """Finds the easiest next step of a state, again and again."""

    def __init__(self, state: State, techniques: Iterable[Technique]) -> None:
        self.state = state
        self.watched = [(look, _Watch(*state.layout.units[kind])) for kind, look in techniques]

    def step(self) -> Step | None:
        """The easiest step, None if there is none; `Contradiction` if something is seen to be impossible."""
        for look, watch in self.watched:
            for unit in watch.pending(self.state.log):
                step = look(self.state, unit)
                if step:
                    return step
        return None


# ---------------------------------------------------------------------------------------------------------------
# Hints.


def hint(puzzle: Puzzle, board: AnyBoard | None = None) -> Step:
    """The easiest next step from the givens or from a player's board. See `hints` for other kinds of hints."""
    return next(hints(puzzle, board))


def hints(puzzle: Puzzle, board: AnyBoard | None = None) -> Iterator[Step]:
    """The next steps from where the player is, one after the other: as `dnd.hinting.Guide.hints` tells.

    board: anything `dnd.suguru.rules.as_board` takes. Raises `InputError` if it does not fit the puzzle.
    """
    check_own(puzzle, "suguru")
    return _Guide().hints(puzzle, _start(puzzle) if board is None else as_board(puzzle, board))


class _Guide(hinting.Guide[Puzzle, Board, int, Step]):
    """What hints need to know about Suguru."""

    marks, decided, unknown = "values", "filled", "empty"

    def explain(self, puzzle: Puzzle, board: Board) -> Explanation:
        return explain(puzzle, board)

    def solutions(self, puzzle: Puzzle, limit: int, board: Board | None = None) -> list[Board]:
        return [found.board for found in solver.solve(puzzle, limit, board=board).solutions]

    def shared(self, puzzle: Puzzle, board: Board) -> Mark | None:
        backbone = solver.backbone(replace(puzzle, givens=board.values))
        assert backbone is not None, "some solution extends the board"
        _, more = self.compared(backbone, board)
        return more[0] if more else None

    def clash(self, puzzle: Puzzle, right: Board, mark: Mark) -> Step | None:
        state = State.empty(layout_of(puzzle.height, puzzle.width, puzzle.cages))
        state.enter(right.with_givens(puzzle).values)
        (row, column), value = mark
        cell = row * puzzle.width + column
        if state.candidates[cell] >> value & 1:
            return None
        why, reasons = refusal(state, cell, value)
        return replace(self.correction(mark, why), facts=reasons.facts())

    def start(self, puzzle: Puzzle) -> Board:
        return _start(puzzle)

    def compared(self, board: Board, other: Board) -> tuple[Board, list[Mark]]:
        pairs = list(zip(board.values, other.values, strict=True))
        common = Board(board.height, board.width, tuple([value if value == second else 0 for value, second in pairs]))
        lacking = [
            (divmod(at, board.width), value) for at, (value, second) in enumerate(pairs) if value not in (0, second)
        ]
        return common, lacking

    def with_mark(self, board: Board, mark: Mark) -> Board:
        (row, column), value = mark
        values = list(board.values)
        values[row * board.width + column] = value
        return Board(board.height, board.width, tuple(values))

    def step(
        self, technique: str, sentence: str, claims: hinting.Claims[int] = ((), ()), path: Sequence[Step] = ()
    ) -> Step:
        return Step(technique, sentence, *claims, path[-1].facts if path else Facts(), tuple(path))


# ---------------------------------------------------------------------------------------------------------------
# Ratings.

# What a step of each technique costs a person; a contradiction one more for each link of its chain.
COSTS = dict(zip(TECHNIQUES, (1, 2, 4, 6, 7, 8, 9, 8, 9, 10, 20), strict=True))


class Rating(hinting.Rating):
    """How hard a puzzle is for a person.

    number: the work, the sum of the costs (`COSTS`) of all steps and 100 for each cell that they leave empty; large
    puzzles are more work than small ones.
    level: easy: singles are enough. medium: also forbidden neighbours, at most one for every ten cells to be filled.
    hard: more of them, or pairs or triples. expert: a contradiction. beyond logic: cells are left empty.
    hardest: the code of the hardest technique, "" if no cell was to be filled. counts: steps of each technique used.
    """

    __slots__ = ()


def rate(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle: that of the path that `explain` finds for its canonical copy.

    So symmetric copies have equal ratings. A puzzle with no or several solutions is beyond logic.
    """
    check_own(puzzle, "suguru")
    told = explain(puzzle.canonical())
    used = told.techniques
    counts = {technique: used[technique] for technique in TECHNIQUES if used[technique]}
    work = sum(COSTS[step.technique] + len(step.chain) for step in told.steps if step.technique in COSTS)
    number = work + STUCK * told.board.unknown_in(told.puzzle)
    return Rating(number, _level(told, counts), next(reversed(counts), ""), counts)


def _level(told: Explanation, counts: dict[str, int]) -> str:
    if not told.solved:
        return LEVELS[-1]
    if CONTRADICTION in counts:
        return "expert"
    easy = counts.get(NAKED_SINGLE, 0) + counts.get(HIDDEN_SINGLE, 0)
    neighbours = counts.get(FORBIDDEN_NEIGHBOUR, 0)
    if sum(counts.values()) > easy + neighbours or 10 * neighbours > easy:
        return "hard"
    return "medium" if neighbours else "easy"
