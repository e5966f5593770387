"""A witness for the explanations of `dnd.dungeon.explainer`: what follows from cited facts alone, by the exact engines.

It shares no code with the techniques. A step is replayed on a puzzle that has only the clues which the step cites, and
on a board where only the cited cells are known: a conclusion is forced if no solution has the opposite. Monsters and
treasures are everybody's, and so are the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from dnd import grid
from dnd.dungeon import kernel as kernels
from dnd.dungeon.explainer import IMPOSSIBLE, WHAT_IF, Explanation, Facts, Step
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.dungeon.solver import SEARCH_CELLS

Cell = tuple[int, int]

# Where the clues are few the plain search may lose its way; the engine that learns does not.
_PLAIN_NODES = 300


def unsound(told: Explanation, truth: Board | None, start: Board | None = None) -> Iterator[str]:
    """What is wrong with an explanation: a text for each step that does not follow, or is not so, or is out of place.

    truth: the cells that are the same in all solutions that extend `start`; None if there is no solution.
    start: the board from which the path begins, None for the puzzle alone.
    """
    width = told.puzzle.width
    for number, step in enumerate(told.steps):
        where = f"{told.puzzle.ddn(start)} step {number}"
        yield from (f"{where} {fault}: {step}" for fault in faults(told.puzzle, step))
        if truth and not agrees(step, truth):
            yield f"{where} is not so: {step}"
    yield from (f"{told.puzzle.ddn(start)} {fault}" for fault in misplaced(told, start))
    walls, floors = concluded(told.steps, width)
    if told.impossible:
        if truth:
            yield f"{told.puzzle.ddn(start)}: impossible, but there are solutions"
    elif (told.board.walls, told.board.floors & ~told.puzzle.objects) != (
        walls | (start.walls if start else 0),
        (floors | (start.floors if start else 0)) & ~told.puzzle.objects,
    ):
        yield f"{told.puzzle.ddn(start)}: the board at the end is not what the steps conclude"
    if told.solved and (not truth or told.board.walls != truth.walls or told.board.unknown_in(told.puzzle)):
        yield f"{told.puzzle.ddn(start)}: said to be solved, wrongly"


def faults(puzzle: Puzzle, step: Step) -> Iterator[str]:
    """What is wrong with a step by itself: it does not follow from its facts, or its chain does not hang together."""
    if not step.sentence or not (step.walls or step.floors or step.technique == IMPOSSIBLE):
        yield "says nothing"
    if not follows(puzzle, step):
        yield "does not follow"
    for number, link in enumerate(step.chain):
        yield from (f"link {number} {fault}" for fault in faults(puzzle, link))
    if step.technique == WHAT_IF:
        yield from _chain_faults(puzzle, step)


def follows(puzzle: Puzzle, step: Step) -> bool:
    """Whether the step's conclusions are forced by its facts; for `impossible`: whether these admit nothing."""
    if step.technique == IMPOSSIBLE:
        return not possible(puzzle, step.facts)
    return not any(
        [possible(puzzle, step.facts, floors=(cell,)) for cell in step.walls]
        + [possible(puzzle, step.facts, walls=(cell,)) for cell in step.floors]
    )


def agrees(step: Step, truth: Board) -> bool:
    """Whether the truth has what the step concludes."""
    walls, floors = concluded([step], truth.width)
    return not walls & ~truth.walls and not floors & ~truth.floors


def misplaced(told: Explanation, start: Board | None) -> Iterator[str]:
    """Steps that cite what nobody knows yet, or conclude what is known already."""
    puzzle, width = told.puzzle, told.puzzle.width
    walls, floors = (start.walls, start.floors) if start else (0, 0)
    floors |= puzzle.objects
    for number, step in enumerate(told.steps):
        some_walls, some_floors = cited(step.facts, width)
        if some_walls & ~walls or some_floors & ~floors:
            yield f"step {number} cites what nobody knows: {step}"
        if not _lines_known(puzzle, step.facts):
            yield f"step {number} cites clues that are not there: {step}"
        new_walls, new_floors = concluded([step], width)
        if new_walls & walls or new_floors & floors:
            yield f"step {number} concludes what is known: {step}"
        walls, floors = walls | new_walls, floors | new_floors


def _chain_faults(puzzle: Puzzle, step: Step) -> Iterator[str]:
    """A what-if assumes the opposite of its conclusion; its links use that, its facts and each other, and end badly."""
    width = puzzle.width
    if len(step.walls) + len(step.floors) != 1:
        yield "assumes more than one thing"
    if [number for number, link in enumerate(step.chain, start=1) if link.technique == IMPOSSIBLE] != [len(step.chain)]:
        yield "does not end in what is impossible"
    walls, floors = cited(step.facts, width)
    walls |= grid.to_mask(step.floors, width)
    floors |= grid.to_mask(step.walls, width) | puzzle.objects
    for number, link in enumerate(step.chain):
        some_walls, some_floors = cited(link.facts, width)
        if some_walls & ~walls or some_floors & ~floors:
            yield f"link {number} cites what is not known"
        if not set(link.facts.rows) <= set(step.facts.rows) or not set(link.facts.columns) <= set(step.facts.columns):
            yield f"link {number} uses clues that the step does not cite"
        new_walls, new_floors = concluded([link], width)
        walls, floors = walls | new_walls, floors | new_floors


def possible(puzzle: Puzzle, facts: Facts, *, walls: Sequence[Cell] = (), floors: Sequence[Cell] = ()) -> bool:
    """Whether a board keeps the rules, the cited clues and cells, and has these cells too."""
    known_walls, known_floors = cited(facts, puzzle.width)
    known_walls |= grid.to_mask(walls, puzzle.width)
    known_floors |= grid.to_mask(floors, puzzle.width)
    if known_walls & (known_floors | puzzle.objects):
        return False
    rows = tuple(clue if row in facts.rows else None for row, clue in enumerate(puzzle.rows))
    columns = tuple(clue if column in facts.columns else None for column, clue in enumerate(puzzle.columns))
    return _solvable(Puzzle(rows, columns, puzzle.monsters, puzzle.treasures), known_walls, known_floors)


# Links of a chain, and copies of a position, ask the same again.
@lru_cache(maxsize=1 << 14)
def _solvable(puzzle: Puzzle, walls: int, floors: int) -> bool:
    if puzzle.height * puzzle.width <= SEARCH_CELLS:
        plain = kernels.load("search")
        found, _, complete = plain.solve(*puzzle.kernel_arguments, walls, floors, 1, _PLAIN_NODES, None)
        if found or complete:
            return bool(found)
    found, _, complete = kernels.load("clause_learning").solve(*puzzle.kernel_arguments, walls, floors, 1, 0, None)
    assert found or complete
    return bool(found)


def _lines_known(puzzle: Puzzle, facts: Facts) -> bool:
    """Whether all cited clues are clues."""
    clues = [*(puzzle.rows[row] for row in facts.rows), *(puzzle.columns[column] for column in facts.columns)]
    return None not in clues


def cited(facts: Facts, width: int) -> tuple[int, int]:
    """The walls and floors among some facts."""
    return grid.to_mask(facts.walls, width), grid.to_mask(facts.floors, width)


def concluded(steps: Iterable[Step], width: int) -> tuple[int, int]:
    """What some steps conclude, all together."""
    walls = floors = 0
    for step in steps:
        walls |= grid.to_mask(step.walls, width)
        floors |= grid.to_mask(step.floors, width)
    return walls, floors
