"""From a puzzle, or a player's board, to the solution in steps that a person can follow; hints and ratings.

The kernel (`kernel.logic_py`, `logic_c`) says what follows, in *rounds*: the easiest technique that finds anything
concludes all it can, then it starts again. `techniques` tells the steps of a round. So what is found does not depend on
an order of cells, and a rating needs no sentences. Only "what if" has to choose among equally good assumptions: it
takes that of the copy of the puzzle that all its symmetric copies share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from dnd import grid, hinting
from dnd.diagnostic import Cell, cell_name
from dnd.dungeon import kernel as kernels
from dnd.dungeon import solver
from dnd.dungeon.kernel import logic_py as logic
from dnd.dungeon.puzzle import Board, Puzzle, picture
from dnd.dungeon.rules import AnyBoard, as_board
from dnd.dungeon.state import Layout, State
from dnd.dungeon.techniques import (
    OPEN,
    TECHNIQUES,
    TELLERS,
    WALL,
    WHAT_IF,
    Facts,
    Mark,
    Reasons,
    Step,
    cite_violation,
    marks,
    names,
)
from dnd.game import check_own
from dnd.hinting import HORIZON, IMPOSSIBLE, LEVELS, NEGATIVE, SEARCH, SOLVED, STUCK, WRONG

__all__ = [
    "COSTS",
    "HORIZON",
    "IMPOSSIBLE",
    "LEVELS",
    "NEGATIVE",
    "SEARCH",
    "SOLVED",
    "TECHNIQUES",
    "WHAT_IF",
    "WRONG",
    "Explanation",
    "Facts",
    "Rating",
    "Step",
    "explain",
    "hint",
    "hints",
    "rate",
]

Found = tuple[str, int, int]  # a technique and the walls and floors that it concludes


class Explanation(hinting.Explanation[Puzzle, Board, Step]):
    """The path from a puzzle, or from a player's board, as far as the techniques lead."""

    def boards(self) -> Iterator[Board]:
        """The board after each step."""
        board = self.known
        for step in self.steps:
            board = _with_cells(board, step.walls, step.floors)
            yield board

    def drawn(self, board: Board) -> str:
        """The picture of a board of the puzzle."""
        return picture(self.puzzle, board)

    def onward(self) -> Iterator[Step]:
        """The hints from where the steps end."""
        return hints(self.puzzle, self.board)


def explain(puzzle: Puzzle, board: AnyBoard | None = None, *, what_if: bool = True) -> Explanation:
    """The whole path in easy steps, from the puzzle alone or from `board`, whose cells are taken for facts.

    board: anything `dnd.dungeon.rules.as_board` takes. what_if: False leaves the last technique out.
    Every step decides cells, so none is left out; only a path to `impossible` has but the steps that it needs.
    Raises `InputError` for a board that does not fit the puzzle.
    """
    check_own(puzzle, "dungeon")
    known = _start(puzzle) if board is None else as_board(puzzle, board)
    rounds, status = _rounds(puzzle, known, what_if=what_if)
    path = _Path(State(Layout(*puzzle.kernel_arguments), known.walls, known.floors))
    for number, walls, floors in rounds:
        path.add([(TECHNIQUES[number], walls, floors)])
    steps = path.to_the_break() if status == logic.BROKEN else list(path.steps())
    end = path.state
    clash = end.walls & end.floors
    reached = Board(puzzle.height, puzzle.width, end.walls & ~clash, end.floors & ~clash)
    return Explanation(puzzle, known, tuple(steps), reached, status == logic.SOLVED)


def _start(puzzle: Puzzle) -> Board:
    return Board(puzzle.height, puzzle.width)


def _rounds(
    puzzle: Puzzle, known: Board, *, what_if: bool, kernel: str | None = None
) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """The kernel's rounds; with "what if" they are made on the copy that symmetric copies share, and moved back."""
    module = kernels.load("logic", kernel)
    rounds, status = module.rounds(*puzzle.kernel_arguments, known.walls, known.floors, logic.WHAT_IF - 1)
    if status != logic.OPEN or not what_if:
        return rounds, status
    symmetry = _canonical_symmetry(puzzle)
    # What comes before the first assumption is the same on all copies.
    walls = reduce(or_, [walls for _, walls, _ in rounds], known.walls)
    floors = reduce(or_, [floors for _, _, floors in rounds], known.floors)
    moved, there = puzzle.transformed(symmetry), replace(known, walls=walls, floors=floors).transformed(symmetry)
    more, status = module.rounds(*moved.kernel_arguments, there.walls, there.floors, logic.WHAT_IF)
    back, shape = _INVERSE[symmetry], (moved.height, moved.width)
    moved_back = [
        (number, grid.move_mask(back, walls, *shape), grid.move_mask(back, floors, *shape))
        for number, walls, floors in more
    ]
    return (*rounds, *moved_back), status


_INVERSE = (0, 1, 2, 3, 4, 6, 5, 7)  # quarter turns undo each other


def _canonical_symmetry(puzzle: Puzzle) -> int:
    """The first symmetry that leads to `Puzzle.canonical`. Clues alone tell it, unless they are symmetric."""
    height, width, rows, columns, *_ = puzzle.kernel_arguments

    def clues(symmetry: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
        # As `Puzzle.transformed` moves them; a puzzle's notation begins with its columns.
        some, others = (rows, columns) if symmetry < 4 else (columns, rows)
        top, left = grid.move(symmetry, (0, 0), height, width)
        return len(some), others[::-1] if left else others, some[::-1] if top else some

    keys = {symmetry: clues(symmetry) for symmetry in grid.SYMMETRIES}
    least = min(keys.values())
    first, *others = [symmetry for symmetry, key in keys.items() if key == least]
    return min([first, *others], key=lambda symmetry: puzzle.transformed(symmetry).ddn()) if others else first


class _Path:
    """States, and what was found on each of them: several techniques at once in a trial, else one."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.plies: list[tuple[State, Sequence[Found]]] = []

    def add(self, found: Sequence[Found]) -> None:
        """Go on to the state with these conclusions."""
        self.plies.append((self.state, found))
        walls = reduce(or_, [walls for _, walls, _ in found])
        self.state = self.state.with_conclusions(walls, reduce(or_, [floors for _, _, floors in found]))

    def steps(self) -> Iterator[Step]:
        """All steps, in order."""
        for state, found in self.plies:
            for technique, walls, floors in found:
                yield from _told(technique, state, walls, floors)

    def to_the_break(self) -> list[Step]:
        """The steps to what is impossible, and this; only what it needs."""
        end = self._end()
        return [*self.steps_to(end.facts), end]

    def steps_to(self, facts: Facts) -> list[Step]:
        """The steps that some facts rest on."""
        width = self.state.board.width
        walls, floors = grid.to_mask(facts.walls, width), grid.to_mask(facts.floors, width)
        kept: list[Step] = []
        for state, found in reversed(self.plies):
            told: list[Step] = []
            for technique, some_walls, some_floors in found:
                told += _told(technique, state, some_walls & walls, some_floors & floors)
                walls, floors = walls & ~some_walls, floors & ~some_floors
            for step in told:
                walls |= grid.to_mask(step.facts.walls, width)
                floors |= grid.to_mask(step.facts.floors, width)
            kept = told + kept
        return kept

    def _end(self) -> Step:
        """What is impossible in the last state."""
        state = self.state
        clash = state.walls & state.floors & ~state.layout.objects
        if not clash:
            reasons = Reasons(state)
            return reasons.step(IMPOSSIBLE, cite_violation(reasons))
        before, found = self.plies[-1]
        cell = clash & -clash
        technique = next(technique for technique, _, floors in found if floors & cell)
        (step,) = _told(technique, before, 0, cell)
        facts = step.facts._replace(walls=_merged(step.facts.walls, grid.cells(cell, state.board.width)))
        return Step(IMPOSSIBLE, f"{step.sentence}; but {names(state, cell)} is wall", facts=facts)


def _told(technique: str, state: State, walls: int, floors: int) -> Iterable[Step]:
    """The steps of a technique that conclude these cells."""
    if not walls | floors:
        return ()
    if technique == WHAT_IF:
        return (_what_if(state, walls, floors),)
    return TELLERS[technique](state, walls, floors)


_TELLABLE = 6  # steps of a chain in one sentence; all of them are in the chain itself


def _what_if(state: State, walls: int, floors: int) -> Step:
    """The step that says why a cell cannot be floor (or wall): the chain from the assumption to what it breaks."""
    cell, assumed = walls | floors, (0, walls) if walls else (floors, 0)
    trial, kernel = _Path(state.with_conclusions(*assumed)), kernels.load("logic")
    while True:
        board = (*state.layout.arguments, trial.state.walls, trial.state.floors)
        # Without any technique, `rounds` says whether the state is broken, faster than the state itself.
        if kernel.rounds(*board, -1)[1] == logic.BROKEN:
            break
        easy = kernel.easy(*board)
        found = [(name, *conclusions) for name, conclusions in zip(TECHNIQUES, easy, strict=False)]
        trial.add([each for each in found if each[1] | each[2]])
    chain = trial.to_the_break()
    then = [_conclusion(step) for step in chain[:-1]]
    easy_steps = f"{len(then)} easy steps" if len(then) > 1 else "an easy step"
    told = f" ({', '.join(then)})" if len(then) <= _TELLABLE else ""
    when = f"After {easy_steps}{told}" if then else "Then"
    sentence = f"what if {names(state, cell)} were {'open' if walls else 'wall'}? {when} {chain[-1].sentence}"
    width = state.board.width
    facts = _outer_facts(chain, grid.cells(assumed[0], width), grid.cells(assumed[1], width))
    return Step(WHAT_IF, sentence, grid.cells(walls, width), grid.cells(floors, width), facts, tuple(chain))


def _conclusion(step: Step) -> str:
    """`r1c1, r1c2 wall, r2c1 open`."""
    parts = [(step.walls, "wall"), (step.floors, "open")]
    return ", ".join(f"{', '.join(map(cell_name, cells))} {what}" for cells, what in parts if cells)


def _outer_facts(chain: Sequence[Step], walls: Sequence[Cell], floors: Sequence[Cell]) -> Facts:
    """What a chain rests on besides its assumption and itself."""
    inner_walls = set(walls).union(*[step.walls for step in chain])
    inner_floors = set(floors).union(*[step.floors for step in chain])
    facts = [step.facts for step in chain]
    return Facts(
        tuple(sorted({cell for some in facts for cell in some.walls} - inner_walls)),
        tuple(sorted({cell for some in facts for cell in some.floors} - inner_floors)),
        tuple(sorted({row for some in facts for row in some.rows})),
        tuple(sorted({column for some in facts for column in some.columns})),
    )


def _merged(cells: Iterable[Cell], others: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(sorted({*cells, *others}))


# ---------------------------------------------------------------------------------------------------------------
# Hints.


def hint(puzzle: Puzzle, board: AnyBoard | None = None) -> Step:
    """The easiest next step from the puzzle alone or from a player's board. See `hints` for other kinds of hints."""
    return next(hints(puzzle, board))


def hints(puzzle: Puzzle, board: AnyBoard | None = None) -> Iterator[Step]:
    """The next steps from where the player is, one after the other: as `dnd.hinting.Guide.hints` tells.

    The step for a wrong cell concludes what it is instead.

    board: anything `dnd.dungeon.rules.as_board` takes. Raises `InputError` if it does not fit the puzzle.
    """
    check_own(puzzle, "dungeon")
    return _Guide().hints(puzzle, _start(puzzle) if board is None else as_board(puzzle, board))


class _Guide(hinting.Guide[Puzzle, Board, str, Step]):
    """What hints need to know about dungeons."""

    marks, decided, unknown = "cells", "decided", "unknown"

    def explain(self, puzzle: Puzzle, board: Board) -> Explanation:
        return explain(puzzle, board)

    def solutions(self, puzzle: Puzzle, limit: int, board: Board | None = None) -> list[Board]:
        return [found.board for found in solver.solve(puzzle, limit, board=board).solutions]

    def shared(self, puzzle: Puzzle, board: Board) -> Mark | None:
        for cell in grid.cells(board.unknown & ~puzzle.objects, board.width):
            for what, opposite in ((WALL, OPEN), (OPEN, WALL)):
                if not solver.solvable(puzzle, self.with_mark(board, (cell, opposite))):
                    return cell, what
        return None

    def clash(self, puzzle: Puzzle, right: Board, mark: Mark) -> Step | None:
        wall, floor = _masks(mark, right.width)
        state = State(Layout(*puzzle.kernel_arguments), right.walls | wall, right.floors | floor)
        if not state.is_broken:
            return None
        reasons = Reasons(state, wall | floor)
        why = cite_violation(reasons)
        return replace(self.correction(mark, why), facts=reasons.facts())

    def start(self, puzzle: Puzzle) -> Board:
        return _start(puzzle)

    def compared(self, board: Board, other: Board) -> tuple[Board, list[Mark]]:
        walls, floors = board.walls & other.walls, board.floors & other.floors
        wrong = [grid.cells(cells, board.width) for cells in (board.walls ^ walls, board.floors ^ floors)]
        return Board(board.height, board.width, walls, floors), sorted(marks(*wrong))

    def with_mark(self, board: Board, mark: Mark) -> Board:
        wall, floor = _masks(mark, board.width)
        return Board(board.height, board.width, board.walls | wall, board.floors | floor)

    def step(
        self, technique: str, sentence: str, claims: hinting.Claims[str] = ((), ()), path: Sequence[Step] = ()
    ) -> Step:
        so, not_so = claims
        opposite = [(cell, OPEN if what == WALL else WALL) for cell, what in not_so]
        walls, floors = ([cell for cell, what in (*so, *opposite) if what == kind] for kind in (WALL, OPEN))
        facts = path[-1].facts if path else Facts()
        # A path of one step says no more than the step; but that may have a chain itself.
        chain = tuple(path) if len(path) > 1 else path[-1].chain if path else ()
        return Step(technique, sentence, tuple(walls), tuple(floors), facts, chain)

    def searched(self, step: Step, puzzle: Puzzle, board: Board) -> Step:
        """It rests on all clues and all that the board knows."""
        walls, floors = (grid.cells(cells & ~puzzle.objects, board.width) for cells in (board.walls, board.floors))
        rows, columns = (
            tuple([line for line, clue in enumerate(clues) if clue is not None])
            for clues in (puzzle.rows, puzzle.columns)
        )
        return replace(step, facts=Facts(walls, floors, rows, columns))


def _masks(mark: Mark, width: int) -> tuple[int, int]:
    """The masks of a wall and of a floor, one of which is the mark's cell."""
    cell = grid.to_mask([mark[0]], width)
    return (cell, 0) if mark[1] == WALL else (0, cell)


def _with_cells(board: Board, walls: Iterable[Cell], floors: Iterable[Cell]) -> Board:
    walls_mask, floors_mask = grid.to_mask(walls, board.width), grid.to_mask(floors, board.width)
    return Board(board.height, board.width, board.walls | walls_mask, board.floors | floors_mask)


# ---------------------------------------------------------------------------------------------------------------
# Ratings.

# What a cell that a technique decides costs a person.
COSTS = dict(
    zip(TECHNIQUES, (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4, 3, 3, 5, 5, 5, 7, 8, 8, 8, 9, 12, 14, 20, 40), strict=True)
)


class Rating(hinting.Rating):
    """How hard a puzzle is for a person: docs/rating.md. counts: how many cells each technique decides."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """Level, number and hardest technique in one line, as fixtures pin them."""
        return f"{self.level} {self.number} {self.hardest}".strip()


def rate(puzzle: Puzzle, *, kernel: str | None = None) -> Rating:
    """The rating of a puzzle, that of the path that `explain` tells; symmetric copies have equal ratings.

    A puzzle with no or several solutions is beyond logic. kernel: "c" or "py" instead of the default choice.
    """
    check_own(puzzle, "dungeon")
    rounds, status = _rounds(puzzle, _start(puzzle), what_if=True, kernel=kernel)
    cells: Counter[int] = Counter()
    for number, walls, floors in rounds:
        cells[number] += (walls | floors).bit_count()
    counts = {TECHNIQUES[number]: cells[number] for number in sorted(cells)}
    left = (puzzle.height * puzzle.width - puzzle.objects.bit_count() - cells.total()) if status != logic.SOLVED else 0
    number = sum(COSTS[technique] * count for technique, count in counts.items()) + STUCK * left
    hardest = next(reversed(counts), "")
    return Rating(number, _level(hardest) if status == logic.SOLVED else LEVELS[-1], hardest, counts)


_HARDEST_OF_LEVEL = ("no-room", "last-wall", "two-lines", WHAT_IF)


def _level(hardest: str) -> str:
    number = TECHNIQUES.index(hardest) if hardest else 0
    return next(
        level for level, last in zip(LEVELS, _HARDEST_OF_LEVEL, strict=False) if number <= TECHNIQUES.index(last)
    )
