"""The exact engines against the witnesses: brute force, the other twin, the reference, symmetry, real puzzles."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import dnd
from conftest import KERNELS, SHARED, interrupted, needs_compiled, needs_shared
from course import PROBLEMS, SOLUTIONS
from dnd import grid, reading
from dnd.dungeon import kernel as kernels
from dnd.dungeon.kernel import clause_learning_py
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.dungeon.state import bits
from fuzzing import (
    FAMILIES,
    Engine,
    clues_of_8x8,
    disagreements,
    from_letters,
    puzzles,
    reference_disagreements,
    solutions,
)
from witness import is_legal

COURSE = [Puzzle(rows, columns, monsters, treasures) for monsters, treasures, rows, columns in PROBLEMS.values()]
EMPTY_8X8 = Puzzle((None,) * 8, (None,) * 8)


@pytest.mark.parametrize("seed", range(8))
def test_all_solutions_are_those_of_the_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    for puzzle in islice(puzzles(seed), 40):
        assert disagreements(puzzle, KERNELS, rng) == []


# Rows of the brute force are cheap when clues fix them: long boards, and two rooms that touch.
LONG = [
    Puzzle.of([None] * 1, [None] * 10),
    Puzzle.of([None] * 10, [None]),
    Puzzle.of([None], [None] * 12, [(0, 0), (0, 11)]),
    Puzzle.of([2, 2], [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], [(0, 0)]),
    Puzzle.of([0, 0, 0], [0] * 6, [], [(1, 1), (1, 4)]),
    Puzzle.of([3] * 6, [None] * 3, [], [(1, 1), (4, 1)]),
    Puzzle.of([2, 1, 1, 3], [None] * 6, [], [(0, 0), (2, 5)]),
]


@pytest.mark.parametrize("puzzle", LONG, ids=repr)
def test_long_boards_and_touching_rooms(puzzle: Puzzle) -> None:
    assert disagreements(puzzle, KERNELS, random.Random(0)) == []


def divided() -> Iterator[tuple[Puzzle, Board]]:
    """Boards without objects that a line of given walls cuts in two before any floor is known."""
    for height, width in ((3, 7), (7, 3), (4, 7), (7, 4)):
        line = [(row, 3) if width == 7 else (3, row) for row in range(min(height, width))]
        wall = grid.to_mask(line, width)
        for known in (None, *range(height)):
            for clue in (0, 1):
                rows = [clue if row == known else None for row in range(height)]
                for corner in (0, 1, 1 << (height * width - 1)):
                    yield Puzzle(tuple(rows), (None,) * width), Board(height, width, wall | corner)


def test_boards_cut_in_two_by_given_walls(kernel: str) -> None:
    """Two rings, one on each side, are not connected (a flood filter once forgot a side without known floor)."""
    for puzzle, board in divided():
        halves = [
            walls
            for walls in solutions(puzzle, "search", kernel, board)
            if is_legal(puzzle.rows, puzzle.columns, puzzle.letters(Board.complete(board.height, board.width, walls)))
        ]
        assert sorted(solutions(puzzle, "clause_learning", kernel, board)) == sorted(halves)
        assert sorted(solutions(puzzle, "search", kernel, board)) == sorted(halves)


@needs_compiled
@pytest.mark.parametrize("seed", range(4))
def test_search_twins_search_alike(seed: int) -> None:
    """Same solutions in the same order, same nodes, same completeness, for every limit and bound."""
    rng = random.Random(seed)
    twins = [kernels.load("search", kernel) for kernel in ("c", "py")]
    for puzzle in islice(puzzles(seed + 100, most=8), 60):
        for limit, max_nodes in ((0, 40), (1, 0), (2, 0), (3, rng.randint(1, 9))):
            asked = (*puzzle.kernel_arguments, 0, 0, limit, max_nodes, None)
            compiled, pure = (twin.solve(*asked) for twin in twins)
            assert compiled == pure, puzzle.ddn()


@needs_compiled
def test_search_twins_agree_on_odd_shapes() -> None:
    rng = random.Random(5)
    twins = [kernels.load("search", kernel) for kernel in ("c", "py")]
    for height, width in (
        (4, 16),
        (16, 4),
        (2, 32),
        (32, 2),
        (1, 32),
        (32, 1),
        (7, 9),
        (9, 7),
        (5, 12),
        (12, 5),
        (8, 8),
    ):
        for _ in range(6):
            rows = [rng.choice([None, rng.randint(0, width)]) for _ in range(height)]
            columns = [rng.choice([None, rng.randint(0, height)]) for _ in range(width)]
            cells = rng.sample([(r, c) for r in range(height) for c in range(width)], 4)
            puzzle = Puzzle.of(rows, columns, cells[:3], cells[3:])
            for question in (puzzle, Puzzle.of([None] * height, [None] * width, cells[:2])):
                asked = (*question.kernel_arguments, 0, 0, 3, 60, None)
                assert twins[0].solve(*asked) == twins[1].solve(*asked), question.ddn()


def test_course_examples(kernel: str) -> None:
    for family in FAMILIES:
        for name, puzzle in zip(PROBLEMS, COURSE, strict=True):
            assert solutions(puzzle, family, kernel) == (SOLUTIONS[name],)


@needs_compiled
def test_random_8x8_boards_against_the_reference() -> None:
    assert [line for puzzle in islice(clues_of_8x8(8), 150) for line in reference_disagreements(puzzle)] == []


def test_clause_learning_needs_few_nodes(kernel: str) -> None:
    """Each twin as many as ever, or fewer: what it learns and what it decides next changes no answer, only this."""
    module = kernels.load("clause_learning", kernel)
    questions = [puzzle.kernel_arguments for puzzle in islice(clues_of_8x8(3), 60)]
    assert sum(module.solve(*asked, 0, 0, 2, 3000, None)[1] for asked in questions) <= {"c": 646, "py": 2342}[kernel]


def test_reasons_of_clause_learning_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each literal that a rule concludes: each reason is known by then, and from it alone the rule concludes it."""
    add, met = clause_learning_py._Search._add, Counter[str]()

    def checked(search: clause_learning_py._Search, literals: int, rule: clause_learning_py._Rule) -> None:
        if not isinstance(rule, clause_learning_py._Choice | clause_learning_py._Learned):
            for literal in bits(literals):
                reasons = list(rule.reasons(literal, search.known))
                assert reasons
                for reason in reasons:
                    assert not reason & ~search.known
                    assert rule.conclude(reason, 0) & literal
                met[type(rule).__name__] += len(reasons)
        add(search, literals, rule)

    monkeypatch.setattr(clause_learning_py._Search, "_add", checked)
    rng = random.Random(7)
    for _ in range(150):
        cells = rng.sample([(row, column) for row in range(8) for column in range(8)], 5)
        rows = [rng.choice([None, 2, 3, 4, 5]) for _ in range(8)]
        puzzle = Puzzle.of(rows, [None] * 8, cells[:3], cells[3:])
        clause_learning_py.solve(*puzzle.kernel_arguments, 0, 0, 0, 100, None)
    assert min(met[name] for name in ("_DeadEnds", "_Lines", "_Hallways", "_Rooms", "_Connected")) > 50, met


def test_clause_learning_starts_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many conflicts; boards of many thousand nodes, where that counts, would take the pure twin long."""
    questions = [(*puzzle.kernel_arguments, 0, 0, 60, 500, None) for puzzle in islice(clues_of_8x8(3), 20)]
    usual = [clause_learning_py.solve(*asked) for asked in questions]
    monkeypatch.setattr(clause_learning_py, "_RESTART", 2)
    often = [clause_learning_py.solve(*asked) for asked in questions]
    ended = [(set(one[0]), set(other[0])) for one, other in zip(often, usual, strict=True) if one[2] and other[2]]
    assert len(ended) > 10
    assert all(one == other for one, other in ended)
    assert [nodes for _, nodes, _ in often] != [nodes for _, nodes, _ in usual]


@needs_shared
@needs_compiled
@pytest.mark.parametrize("size", [8, 10, 12, 14, 16])
@pytest.mark.parametrize("kind", ["unique", "multi"])
def test_shared_random_boards(size: int, kind: str) -> None:
    for entry in reading.entries(SHARED / f"random{size}-{kind}.json"):
        result = dnd.solve(entry.puzzle, 2)
        assert (result.count, result.complete) == ((1, True) if kind == "unique" else (2, False)), entry.name
        for solution in result.solutions:
            assert dnd.check(entry.puzzle, solution) == []
        if kind == "unique":
            assert result.solutions[0].board.walls == entry.board.walls


@needs_shared
def test_connectivity_boards(kernel: str) -> None:
    for entry in reading.entries(SHARED / "connectivity8.json"):
        assert dnd.solve(entry.puzzle, 2, kernel=kernel).unique


@needs_shared
@needs_compiled
def test_dungeon_cross_boards() -> None:
    found = 0
    boards = reading.entries(SHARED / "dungeoncross-even.jsonl.gz")
    entries = list(islice(boards, 4000))
    for entry, result in zip(entries, dnd.solve_many(entry.puzzle for entry in entries), strict=True):
        assert result.unique, entry.name
        assert result.solutions[0].walls == entry.board.walls
        found += 1
    assert found == 4000


@needs_compiled
def test_large_boards_have_legal_solutions() -> None:
    """Beyond 64 cells: what is found is legal by the independent checker, and clues of a solution lead back to it."""
    rng, led_back = random.Random(3), 0
    for height, width in ((9, 9), (8, 15), (12, 12), (3, 32), (20, 20)):
        cells = rng.sample([(r, c) for r in range(height) for c in range(width)], 3)
        rows = [rng.randint(width // 3, width // 2) for _ in range(height)]
        for solution in dnd.solve(Puzzle.of(rows, [None] * width, cells[:2]), 1).solutions:
            letters = solution.letters()
            puzzle = from_letters(letters)
            assert is_legal(puzzle.rows, puzzle.columns, letters)
            again = dnd.solve(puzzle, 2, max_nodes=200_000)
            assert again.count >= 1
            led_back += 1
            for other in again.solutions:
                assert is_legal(puzzle.rows, puzzle.columns, other.letters())
    assert led_back == 5


# Small, with several solutions, and a search of many nodes: every limit and bound can be tried.
SEVERAL = Puzzle((None,) * 4, (None,) * 4)


@pytest.mark.parametrize("family", FAMILIES)
def test_limits_and_completeness(family: Engine, kernel: str) -> None:
    module = kernels.load(family, kernel)
    asked = (*SEVERAL.kernel_arguments, 0, 0)
    everything, _, complete = module.solve(*asked, 0, 0, None)
    assert complete
    assert len(everything) > 2
    for limit in range(1, len(everything) + 2):
        found, nodes, complete = module.solve(*asked, limit, 0, None)
        assert found == everything[:limit]
        # Even when nothing was left: the search stops before it knows.
        assert complete == (limit > len(everything))
        assert module.count(*asked, limit, 0, None) == (len(found), nodes, complete)


@pytest.mark.parametrize("family", FAMILIES)
def test_bound_on_nodes_is_honest(family: Engine, kernel: str) -> None:
    module = kernels.load(family, kernel)
    asked = (*SEVERAL.kernel_arguments, 0, 0, 0)
    whole = module.solve(*asked, 0, None)
    everything, all_nodes, _ = whole
    assert all_nodes > 10
    before = 0
    for bound in range(1, all_nodes):
        found, nodes, complete = module.solve(*asked, bound, None)
        assert (nodes, complete) == (bound, False)
        assert found == everything[: len(found)]
        assert len(found) >= before
        before = len(found)
        assert module.count(*asked, bound, None) == (len(found), bound, False)
    for bound in (all_nodes, all_nodes + 1):
        assert module.solve(*asked, bound, None) == whole


def test_a_stopped_search_says_so(kernel: str) -> None:
    stop = bytearray([1])
    for family in FAMILIES:
        module = kernels.load(family, kernel)
        _, _, complete = module.solve(*EMPTY_8X8.kernel_arguments, 0, 0, 0, 0, stop)
        assert not complete


@pytest.mark.parametrize(
    "call",
    [
        "load('search', '{kernel}').solve(*{empty8}, 0, 0, 0, 0, None)",
        "load('clause_learning', '{kernel}').solve(*{empty9}, 0, 0, 0, 0, None)",
        "load('search', '{kernel}').count(*{empty8}, 0, 0, 0, 0, None)",
        "load('reference', '{kernel}').solve((0, 0, (-1,) * 8, (-1,) * 8), 0, 0, 0, False)",
    ],
    ids=["search", "clause_learning", "count", "reference"],
)
def test_interrupt(call: str, kernel: str, tmp_path: Path) -> None:
    """Ctrl-C stops an endless search soon (the time is not asserted here, only that it does)."""
    code = call.format(
        kernel=kernel, empty8=EMPTY_8X8.kernel_arguments, empty9=Puzzle((None,) * 9, (None,) * 9).kernel_arguments
    )
    program = (
        "from dnd.dungeon.kernel import load\n"
        "print('ready', flush=True)\n"
        f"try:\n    {code}\nexcept KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    assert interrupted(program, tmp_path) == "stopped\n"


@pytest.mark.parametrize("name", list(PROBLEMS))
def test_symmetric_copies(name: str, kernel: str) -> None:
    monsters, treasures, rows, columns = PROBLEMS[name]
    puzzle = Puzzle(rows, columns, monsters, treasures)
    for symmetry in grid.SYMMETRIES:
        moved = grid.move_mask(symmetry, SOLUTIONS[name], 8, 8)
        for family in FAMILIES:
            assert solutions(puzzle.transformed(symmetry), family, kernel) == (moved,)


def test_partial_boards_of_a_solution_lead_back_to_it(kernel: str) -> None:
    rng = random.Random(2)
    for name, puzzle in zip(PROBLEMS, COURSE, strict=True):
        known = rng.getrandbits(64)
        walls = SOLUTIONS[name]
        board = Board(8, 8, walls & known, ~walls & known & grid.full(8, 8))
        for family in FAMILIES:
            assert solutions(puzzle, family, kernel, board) == (walls,)
