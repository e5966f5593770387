"""No step of an explanation is unsound: each follows from what it cites alone, and agrees with the solutions.

The witness is `dungeon_replay.py`. The 2,000 boards of the public collection are replayed by
`python tools/technique_coverage.py --soundness`; here are a few of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import islice
from operator import and_, or_
from pathlib import Path

import pytest

import dnd
import technique_coverage as coverage
from conftest import PURE_RUN, ROOT, SHARED, needs_shared
from dnd import grid
from dnd.dungeon.completions import Completions
from dnd.dungeon.explainer import (
    HORIZON,
    IMPOSSIBLE,
    SEARCH,
    SOLVED,
    TECHNIQUES,
    WHAT_IF,
    WRONG,
    Explanation,
    Facts,
    Step,
    explain,
    hint,
    hints,
    rate,
)
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.dungeon.solver import solve
from dnd.reading import entries
from dungeon_replay import agrees, cited, concluded, faults, follows, misplaced, possible, unsound
from fuzzing import partial_board, puzzles

LEVELS = [*sorted((ROOT / "fixtures" / "bbs").glob("*.toml")), *sorted((ROOT / "fixtures" / "booklet").glob("*.toml"))]
# The pure kernels take a hundred times as long.
SOME = 16 if PURE_RUN else 1
WAYS = 100  # more solutions than a test looks at


def level(name: str) -> Puzzle:
    puzzle: Puzzle = dnd.load(ROOT / "fixtures" / "bbs" / f"{name}.toml")[0]
    return puzzle


def truth(puzzle: Puzzle, board: Board | None = None) -> Board | None:
    """The cells that are the same in all solutions that extend a board; None if there is none."""
    found = solve(puzzle, board=board)
    if not found.count:
        return None
    full = grid.full(puzzle.height, puzzle.width)
    walls = [solution.walls for solution in found.solutions]
    return Board(puzzle.height, puzzle.width, reduce(and_, walls), full & ~reduce(or_, walls))


def erased(board: Board, rng: random.Random, kept: float) -> Board:
    """What is left of a board when each cell is kept with this probability."""
    mask = sum(1 << cell for cell in range(board.height * board.width) if rng.random() < kept)
    return Board(board.height, board.width, board.walls & mask, board.floors & mask)


def few_solutions(seed: int, most: int) -> Iterator[Puzzle]:
    """Random puzzles of all shapes that have few solutions, or none."""
    return (puzzle for puzzle in puzzles(seed, most) if solve(puzzle, WAYS).count < WAYS)


@pytest.mark.parametrize("path", LEVELS[::SOME], ids=lambda path: path.stem)
def test_published_dungeons(path: Path) -> None:
    for entry in entries(path):
        told = explain(entry.puzzle)
        assert list(unsound(told, truth(entry.puzzle))) == []
        assert told.solved


@needs_shared
@pytest.mark.parametrize("part", range(4))
def test_public_collection(part: int) -> None:
    first = list(islice(entries(SHARED / "dungeoncross-even.jsonl.gz"), 4000))
    for entry in coverage.spread(first, 4 if PURE_RUN else 40)[part::4]:
        told = explain(entry.puzzle)
        assert list(unsound(told, truth(entry.puzzle))) == []


@pytest.mark.parametrize("name", ["2-3", "4-6", "6-4", "8-8"][: 1 if PURE_RUN else 4])
def test_symmetric_copies(name: str) -> None:
    puzzle = level(name)
    for copy in puzzle.symmetries()[1:]:
        assert list(unsound(explain(copy), truth(copy))) == []
        assert rate(copy) == rate(puzzle)


@pytest.mark.parametrize("seed", range(1, 4))
def test_random_puzzles_of_all_shapes(seed: int) -> None:
    """Solvable or not, unique or not."""
    kinds = set()
    for puzzle in islice(few_solutions(seed, 6), 200 // SOME):
        known = truth(puzzle)
        told = explain(puzzle)
        assert list(unsound(told, known)) == []
        kinds.add((known is None, told.solved, told.impossible))
    if not PURE_RUN:
        assert {(False, True, False), (False, False, False), (True, False, True)} <= kinds


@pytest.mark.parametrize("shape", [(5, 9), (9, 5), (10, 10), (4, 16)][: 1 if PURE_RUN else 4])
def test_larger_shapes(shape: tuple[int, int]) -> None:
    """Boards in more than one machine word too. Few clues are left out, for more to follow from rules and monsters."""
    rng = random.Random(str(shape))
    for puzzle in made(*shape, rng):
        known = truth(puzzle)
        assert list(unsound(explain(puzzle, what_if=False), known)) == []


def made(height: int, width: int, rng: random.Random) -> Iterator[Puzzle]:
    """Two puzzles of a shape, of which the second has lost two clues; both have few solutions."""
    puzzle = next(Completions(Puzzle((None,) * height, (None,) * width), seed=rng.random())).puzzle
    yield puzzle
    rows = [None if row == height // 2 else clue for row, clue in enumerate(puzzle.rows)]
    poorer = replace(puzzle, rows=tuple(rows), columns=(*puzzle.columns[:-1], None))
    if solve(poorer, WAYS).count < WAYS:
        yield poorer


@pytest.mark.parametrize("name", ["1-5", "3-8", "5-2", "7-6"][: 1 if PURE_RUN else 4])
def test_boards_of_players(name: str) -> None:
    rng, puzzle = random.Random(name), level(name)
    solution = truth(puzzle)
    assert solution
    for kept in (0.1, 0.3, 0.6, 1.0):
        board = erased(solution, rng, kept)
        told = explain(puzzle, board)
        assert list(unsound(told, solution, board)) == []
        assert told.solved
        *steps, last = hints(puzzle, board)
        assert last.technique == SOLVED
        assert steps == list(told.steps)


@pytest.mark.parametrize("seed", range(4, 6))
def test_boards_drawn_without_regard_to_the_puzzle(seed: int) -> None:
    """Most of them have no solution: the steps still follow from what they cite, and prove it."""
    rng = random.Random(seed)
    for puzzle in islice(few_solutions(seed, 5), 150 // SOME):
        board = partial_board(puzzle, rng)
        assert list(unsound(explain(puzzle, board), truth(puzzle, board), board)) == []


@pytest.mark.parametrize("name", ["1-5", "2-7", "4-4", "6-4", "8-2"][: 1 if PURE_RUN else 5])
def test_wrong_boards(name: str) -> None:
    """The hint names a cell that is wrong on the board, says what it is, and rests on nothing that is wrong."""
    rng, puzzle = random.Random(name), level(name)
    solution = truth(puzzle)
    assert solution
    for number in (1, 1, 2, 3, 5):
        wrong = reduce(or_, [1 << cell for cell in rng.sample(range(64), number)]) & ~puzzle.objects
        kept = erased(solution, rng, rng.random())
        right = Board(8, 8, kept.walls & ~wrong, kept.floors & ~wrong)
        board = Board(8, 8, right.walls | solution.floors & wrong, right.floors | solution.walls & wrong)
        if not wrong:
            continue
        step = hint(puzzle, board)
        assert step.technique == WRONG
        assert list(faults(puzzle, step)) == []
        assert agrees(step, solution)
        assert sum(concluded([step], 8)) & wrong
        assert rests_on(puzzle, step, right)


def rests_on(puzzle: Puzzle, step: Step, right: Board) -> bool:
    """Whether a correction, and the steps that lead to it, cite nothing but what is right and what they conclude."""
    walls, floors = right.walls, right.floors | puzzle.objects
    for each in (*step.chain, step):
        cited_walls, cited_floors = cited(each.facts, right.width)
        if cited_walls & ~walls or cited_floors & ~floors:
            return False
        more_walls, more_floors = concluded([each], right.width)
        walls, floors = walls | more_walls, floors | more_floors
    return True


def test_wrong_boards_of_puzzles_with_several_solutions() -> None:
    """What the hint corrects cannot be beside the cells it cites."""
    rng, met = random.Random(9), 0
    for puzzle in islice(few_solutions(9, 5), 300 // SOME):
        board = partial_board(puzzle, rng)
        if truth(puzzle) and not truth(puzzle, board):
            step = hint(puzzle, board)
            met += 1
            assert step.technique == WRONG
            assert list(faults(puzzle, step)) == []
            walls, floors = concluded([step], board.width)
            assert walls & board.floors | floors & board.walls
    assert met


def test_puzzles_with_several_solutions() -> None:
    """Every hint is so in all solutions, until all is found that they share."""
    met = 0
    for puzzle in islice(few_solutions(21, 5), 400 // SOME):
        if solve(puzzle, 2).count < 2:
            continue
        met += 1
        known = truth(puzzle)
        assert known
        *steps, last = hints(puzzle)
        assert last.technique == HORIZON
        assert all(agrees(step, known) for step in steps)
        assert [fault for step in steps for fault in faults(puzzle, step)] == []
        walls, floors = concluded(steps, puzzle.width)
        assert (walls, floors | puzzle.objects) == (known.walls, known.floors)
    assert met


def test_puzzles_without_solution() -> None:
    met = 0
    for puzzle in islice(few_solutions(31, 5), 100 // SOME):
        if truth(puzzle) is None:
            step = hint(puzzle)
            met += 1
            assert step.technique == IMPOSSIBLE
            assert not possible(puzzle, step.facts)
    assert met


def test_search_is_the_last_resort() -> None:
    """Where no technique goes on, the step that trying everything shows is right."""
    met = 0
    for puzzle in islice(few_solutions(41, 6), 600 // SOME):
        for step in hints(puzzle):
            if step.technique == SEARCH:
                met += 1
                assert list(faults(puzzle, step)) == []
    assert met or PURE_RUN


# ---------------------------------------------------------------- the witness itself


Steps = list[tuple[Puzzle, Step]]


@pytest.fixture(scope="module")
def path() -> Steps:
    """Steps of a few levels."""
    return [(puzzle, step) for puzzle in map(level, ("1-5", "2-3", "5-2", "8-8")) for step in explain(puzzle).steps]


def test_the_witness_refuses_conclusions_without_facts(path: Steps) -> None:
    cited = [(puzzle, step) for puzzle, step in path if any(step.facts)]
    bare = [replace(step, facts=Facts(), chain=()) for _, step in cited]
    refused = sum(not follows(puzzle, step) for (puzzle, _), step in zip(cited, bare, strict=True))
    # Some follow from the monsters and the rules alone.
    assert refused > 0.9 * len(cited)


def test_the_witness_refuses_opposite_conclusions(path: Steps) -> None:
    assert not any(follows(puzzle, replace(step, walls=step.floors, floors=step.walls)) for puzzle, step in path)


def test_the_witness_refuses_one_cell_too_many(path: Steps) -> None:
    """A cell somewhere else does not follow from a step's facts, but by chance."""
    rng, refused = random.Random(0), 0
    for puzzle, step in path:
        cell = divmod(rng.randrange(64), 8)
        refused += not follows(puzzle, replace(step, walls=(*step.walls, cell)))
    assert refused > 0.9 * len(path)


def test_the_witness_looks_at_the_order(path: Steps) -> None:
    told = explain(level("2-3"))
    assert list(misplaced(told, None)) == []
    backwards = Explanation(told.puzzle, told.known, told.steps[::-1], told.board, told.solved)
    assert any("nobody knows" in fault for fault in misplaced(backwards, None))
    twice = Explanation(told.puzzle, told.known, (*told.steps, told.steps[-1]), told.board, told.solved)
    assert any("known" in fault for fault in misplaced(twice, None))


def test_the_witness_looks_at_chains() -> None:
    told = next(told for told in map(explain, few_solutions(51, 7)) if WHAT_IF in told.techniques)
    puzzle, step = told.puzzle, next(step for step in told.steps if len(step.chain) > 1)
    assert list(faults(puzzle, step)) == []
    assert list(faults(puzzle, replace(step, chain=step.chain[:-1]))) != []
    assert list(faults(puzzle, replace(step, chain=step.chain[1:]))) != []
    assert list(faults(puzzle, replace(step, chain=()))) != []
    assert list(faults(puzzle, replace(step, facts=Facts()))) != []


def test_the_witness_knows_the_rules() -> None:
    """A dead end, a wide hallway and a cut, without any clue; and what is not forced."""
    puzzle = Puzzle((None,) * 4, (None,) * 4, 1)
    assert not possible(puzzle, Facts(walls=((0, 1), (1, 0))))
    assert not possible(puzzle, Facts(floors=((2, 2), (2, 3), (3, 2))), floors=((3, 3),))
    assert not possible(puzzle, Facts(floors=((0, 1), (0, 2), (3, 3))), walls=((2, 0), (2, 1), (2, 2), (2, 3)))
    assert possible(puzzle, Facts(walls=((0, 1),)))
    assert possible(Puzzle((1,) * 4, (None,) * 4), Facts(), walls=((0, 0), (0, 1)))
    assert not possible(Puzzle((1,) * 4, (None,) * 4), Facts(rows=(0,)), walls=((0, 0), (0, 1)))


def test_coverage_prints_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage.main(["--soundness", "--sample", "1", str(LEVELS[0])]) == 0
    out = capsys.readouterr().out
    assert "1 unique puzzles" in out
    assert "0 unsound" in out
    assert "solved: 1 of 1 (100.00 %)" in out
    assert all(technique in out for technique in TECHNIQUES)


def test_coverage_reports_what_is_unsound(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(coverage, "unsound", lambda told, solution: iter(["a step"]))
    assert coverage.main(["--soundness", str(LEVELS[0])]) == 1
    assert "UNSOUND 1-1: a step" in capsys.readouterr().out


def test_a_sample_is_spread_evenly() -> None:
    every = [entry for path in LEVELS[:10] for entry in entries(path)]
    assert coverage.spread(every, 5) == every[::2]
    assert coverage.spread(every[:2], 5) == every[:2]
