"""From a puzzle, or a player's board, to the solution in steps that a person can follow; hints and ratings.

The kernel (`kernel.logic_py`, `logic_c`) says what follows, in *rounds*: the easiest technique that finds anything
concludes all it can, then it starts again. `techniques` tells the steps of a round. So what is found does not depend on
an order of cells, and a rating needs no sentences. Only "what if" has to choose among equally good assumptions: it
takes that of the copy of the puzzle that all its symmetric copies share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import NamedTuple

from dnd import grid
from dnd.diagnostic import Cell, cell_name
from dnd.dungeon import kernel as kernels
from dnd.dungeon import solver
from dnd.dungeon.kernel import logic_py as logic
from dnd.dungeon.puzzle import Board, Puzzle, Solution
from dnd.dungeon.rules import AnyBoard, as_board
from dnd.dungeon.state import Layout, State, bits
from dnd.dungeon.techniques import TECHNIQUES, TELLERS, WHAT_IF, Facts, Reasons, Step, cite_violation, names

__all__ = [
    "COSTS",
    "HORIZON",
    "IMPOSSIBLE",
    "LEVELS",
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

IMPOSSIBLE = "impossible"  # no deduction: the end of a chain, or of a puzzle that has no solution

# What a hint can be besides, found by the exact solver and not by deduction.
WRONG = "wrong-cell"
SEARCH = "search"
HORIZON = "several-solutions"
SOLVED = "solved"

LEVELS = ("easy", "medium", "hard", "expert", "beyond logic")

Found = tuple[str, int, int]  # a technique and the walls and floors that it concludes


@dataclass(frozen=True)
class Explanation:
    """The path from a puzzle, or from a player's board, as far as the techniques lead: from `start` to `board`.

    When the puzzle or the board admits no solution and the techniques see it, the last step is `impossible`.
    """

    puzzle: Puzzle
    steps: tuple[Step, ...]
    start: Board
    board: Board
    solved: bool

    @property
    def techniques(self) -> Counter[str]:
        """How many steps each technique has made."""
        return Counter(step.technique for step in self.steps)

    def boards(self) -> Iterator[Board]:
        """The board after each step."""
        board = self.start
        for step in self.steps:
            board = _with_cells(board, step.walls, step.floors)
            yield board

    @property
    def impossible(self) -> bool:
        """True when the path ends in a proof that there is no solution."""
        return bool(self.steps) and self.steps[-1].technique == IMPOSSIBLE


def explain(puzzle: Puzzle, board: AnyBoard | None = None, *, what_if: bool = True) -> Explanation:
    """The whole path in easy steps, from the puzzle alone or from `board`, whose cells are taken for facts.

    board: anything `dnd.dungeon.rules.as_board` takes. what_if: False leaves the last technique out.
    Every step decides cells, so none is left out; only a path to `impossible` has but the steps that it needs.
    Raises `InputError` for a board that does not fit the puzzle.
    """
    known = _start(puzzle) if board is None else as_board(puzzle, board)
    rounds, status = _rounds(puzzle, known, what_if=what_if)
    path = _Path(State(Layout(*puzzle.kernel_arguments), known.walls, known.floors))
    for number, walls, floors in rounds:
        path.add([(TECHNIQUES[number], walls, floors)])
    steps = path.to_the_break() if status == logic.BROKEN else list(path.steps())
    end = path.state
    clash = end.walls & end.floors
    reached = Board(puzzle.height, puzzle.width, end.walls & ~clash, end.floors & ~clash)
    return Explanation(puzzle, tuple(steps), known, reached, status == logic.SOLVED)


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
        told = kernel.easy(*board)
        found = [(name, *conclusions) for name, conclusions in zip(TECHNIQUES, told, strict=False)]
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
    """The easiest next step from the puzzle alone or from a player's board. `hints` says what else it may be."""
    return next(hints(puzzle, board))


def hints(puzzle: Puzzle, board: AnyBoard | None = None) -> Iterator[Step]:
    """The next steps from where the player is, one after the other.

    A board that no solution extends gets one hint, `wrong-cell`: a cell that must change, which comes first, and why
    it cannot be so; the step concludes what it is instead. A puzzle without solution gets `impossible`. Otherwise
    deductions; where they find nothing more, `search`: a cell that only trying everything shows; at the end `solved`,
    or `several-solutions` where the cells that all solutions share (the backbone) are known. Hints for a puzzle with
    several solutions say so.

    board: anything `dnd.dungeon.rules.as_board` takes. Raises `InputError` if it does not fit the puzzle.
    """
    known = _start(puzzle) if board is None else as_board(puzzle, board)
    found = solver.solve(puzzle, 2)
    if not found.count:
        yield _hopeless(puzzle)
    elif not solver.solvable(puzzle, known):
        yield _wrong_cell(puzzle, known, found.solutions[0] if found.unique else None)
    else:
        for step in _onward(puzzle, known):
            plain = found.unique or step.technique == HORIZON
            yield step if plain else replace(step, sentence=step.sentence + _SEVERAL)


_SEVERAL = " (the puzzle has several solutions; this holds in all that fit the board)"


def _hopeless(puzzle: Puzzle) -> Step:
    told = explain(puzzle)
    if told.impossible:
        return told.steps[-1]
    why = "trying everything shows that there is no solution"
    return Step(IMPOSSIBLE, why, facts=_everything(puzzle, _start(puzzle)))


def _everything(puzzle: Puzzle, board: Board) -> Facts:
    """All clues and all that a board knows: what a search rests on."""
    walls, floors = (grid.cells(cells & ~puzzle.objects, board.width) for cells in (board.walls, board.floors))
    rows, columns = (
        tuple([line for line, clue in enumerate(clues) if clue is not None]) for clues in (puzzle.rows, puzzle.columns)
    )
    return Facts(walls, floors, rows, columns)


def _onward(puzzle: Puzzle, board: Board) -> Iterator[Step]:
    """The steps from a board that some solution extends, to the last."""
    while True:
        told = explain(puzzle, board)
        yield from told.steps
        step = Step(SOLVED, "every cell is decided, and all is right") if told.solved else _beyond(told)
        yield step
        if not step.walls and not step.floors:
            return
        board = _with_cells(told.board, step.walls, step.floors)


def _beyond(told: Explanation) -> Step:
    """Where deduction finds nothing more: a cell that all solutions share, if one is left."""
    puzzle, board = told.puzzle, told.board
    for cell in bits(board.unknown & ~puzzle.objects):
        place = grid.cells(cell, puzzle.width)
        for walls, floors in ((place, ()), ((), place)):
            if not solver.solvable(puzzle, _with_cells(board, floors, walls)):
                what = "wall" if walls else "open"
                sentence = (
                    f"no technique goes on from here; trying everything shows that {cell_name(place[0])} is {what}"
                )
                return Step(SEARCH, sentence, walls, floors, _everything(puzzle, board))
    return Step(HORIZON, "the puzzle has several solutions, and they agree on no cell that is still unknown")


def _with_cells(board: Board, walls: Iterable[Cell], floors: Iterable[Cell]) -> Board:
    walls_mask, floors_mask = grid.to_mask(walls, board.width), grid.to_mask(floors, board.width)
    return Board(board.height, board.width, board.walls | walls_mask, board.floors | floors_mask)


class _Wrong(NamedTuple):
    """A cell that is not as the player has it; exactly one of wall and floor is its mask."""

    wall: int
    floor: int

    @property
    def cell(self) -> int:
        return self.wall | self.floor


def _wrong_cell(puzzle: Puzzle, board: Board, solution: Solution | None) -> Step:
    """A cell of the board that must change: one that breaks a rule at once, else the first that deduction refutes."""
    right, wrong = _sorted_out(puzzle, board, solution)
    for each in wrong:
        clash = _clash(puzzle, right, each)
        if clash:
            return clash
    told = explain(puzzle, right)
    for number, step in enumerate(told.steps):
        for each in wrong:
            if _refutes(step, each, puzzle.width):
                path = _path_to(told.steps[: number + 1])
                after = f"{len(path) - 1} steps on, " if len(path) > 2 else "a step on, " if len(path) == 2 else ""
                chain = path if len(path) > 1 else step.chain
                return _correction(each, puzzle.width, f"{after}{step.sentence}", step.facts, chain)
    why = "trying everything shows that no solution " + ("has it" if solution else "has it beside the cells before it")
    return _correction(wrong[0], puzzle.width, why, _everything(puzzle, right), ())


def _correction(wrong: _Wrong, width: int, why: str, facts: Facts, chain: Sequence[Step]) -> Step:
    cell = grid.cells(wrong.cell, width)
    walls, floors = ((), cell) if wrong.wall else (cell, ())
    sentence = f"{cell_name(cell[0])} cannot be {'wall' if wrong.wall else 'open'}: {why}"
    return Step(WRONG, sentence, walls, floors, facts, tuple(chain))


def _sorted_out(puzzle: Puzzle, board: Board, solution: Solution | None) -> tuple[Board, tuple[_Wrong, ...]]:
    """The right part of a board, and the wrong cells.

    Where there are several solutions no cell is wrong by itself: there it is the first one, row by row, that no
    solution has beside the cells before it, and these are the right part.
    """
    if solution:
        walls, floors = board.walls & solution.walls, board.floors & ~solution.walls
        wrong = [
            _Wrong(cell & board.walls, cell & board.floors)
            for cell in bits(board.walls ^ walls | board.floors ^ floors)
        ]
        return Board(board.height, board.width, walls, floors), tuple(wrong)
    right = _start(puzzle)
    for cell in bits(board.walls | board.floors):
        longer = replace(right, walls=right.walls | cell & board.walls, floors=right.floors | cell & board.floors)
        if not solver.solvable(puzzle, longer):
            return right, (_Wrong(cell & board.walls, cell & board.floors),)
        right = longer
    raise AssertionError("some cell is wrong on a board that no solution extends")


def _clash(puzzle: Puzzle, right: Board, wrong: _Wrong) -> Step | None:
    """The hint for a wrong cell that breaks a rule in plain sight beside what is right."""
    state = State(Layout(*puzzle.kernel_arguments), right.walls | wrong.wall, right.floors | wrong.floor)
    if not state.is_broken:
        return None
    reasons = Reasons(state, wrong.cell)
    why = cite_violation(reasons)
    return _correction(wrong, puzzle.width, why, reasons.facts(), ())


def _refutes(step: Step, wrong: _Wrong, width: int) -> bool:
    """True when the step says that a cell is not so."""
    return bool(grid.to_mask(step.floors, width) & wrong.wall or grid.to_mask(step.walls, width) & wrong.floor)


def _path_to(steps: Sequence[Step]) -> list[Step]:
    """The last step and those before it that it rests on."""
    walls: set[Cell] = set()
    floors: set[Cell] = set()
    kept = []
    for step in reversed(steps):
        if step is steps[-1] or not (walls.isdisjoint(step.walls) and floors.isdisjoint(step.floors)):
            kept.append(step)
            walls.update(step.facts.walls)
            floors.update(step.facts.floors)
    return kept[::-1]


# ---------------------------------------------------------------------------------------------------------------
# Ratings.

# What a cell that a technique decides costs a person.
COSTS = dict(
    zip(TECHNIQUES, (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4, 3, 3, 5, 5, 5, 7, 8, 8, 8, 9, 12, 14, 20, 40), strict=True)
)
_STUCK = 100  # a cell that no technique decides


class Rating(NamedTuple):
    """How hard a puzzle is for a person: docs/rating.md.

    number: the work. level: one of `LEVELS`. hardest: the code of the hardest technique, "" if no cell was to be
    decided. counts: how many cells each technique decides.
    """

    number: int
    level: str
    hardest: str
    counts: dict[str, int]

    @property
    def text(self) -> str:
        """Level, number and hardest technique in one line, as fixtures pin them."""
        return f"{self.level} {self.number} {self.hardest}".strip()


def rate(puzzle: Puzzle, *, kernel: str | None = None) -> Rating:
    """The rating of a puzzle, that of the path that `explain` tells; symmetric copies have equal ratings.

    A puzzle with no or several solutions is beyond logic. kernel: "c" or "py" instead of the default choice.
    """
    rounds, status = _rounds(puzzle, _start(puzzle), what_if=True, kernel=kernel)
    cells: Counter[int] = Counter()
    for number, walls, floors in rounds:
        cells[number] += (walls | floors).bit_count()
    counts = {TECHNIQUES[number]: cells[number] for number in sorted(cells)}
    left = (puzzle.height * puzzle.width - puzzle.objects.bit_count() - cells.total()) if status != logic.SOLVED else 0
    number = sum(COSTS[technique] * count for technique, count in counts.items()) + _STUCK * left
    hardest = next(reversed(counts), "")
    return Rating(number, _level(hardest) if status == logic.SOLVED else LEVELS[-1], hardest, counts)


_HARDEST_OF_LEVEL = ("no-room", "last-wall", "two-lines", WHAT_IF)


def _level(hardest: str) -> str:
    number = TECHNIQUES.index(hardest) if hardest else 0
    return next(
        level for level, last in zip(LEVELS, _HARDEST_OF_LEVEL, strict=False) if number <= TECHNIQUES.index(last)
    )
