"""Suguru's front: partial boards, runs, backbones against the brute force; the room for fixtures judges solvers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dnd.diagnostic import InputError
from dnd.game import Entry, Solutions
from dnd.suguru import testing
from dnd.suguru.puzzle import Board, Puzzle, Solution
from dnd.suguru.solver import backbone, candidates, count, solve, solve_runs
from suguru_witness import brute_force, random_cages, random_givens, rows_of

SMALL = Puzzle.of(["AAB", "AAB", "ACB"], [[1, 0, 0], [0, 0, 0], [0, 0, 3]])
Case = tuple[Puzzle, list[tuple[int, ...]]]


def cases(number: int, seed: int) -> list[Case]:
    """Random small puzzles and all their solutions."""
    rng, found = random.Random(seed), []
    for _ in range(number):
        height, width = rng.choice([(2, 2), (2, 4), (3, 3), (4, 3), (1, 5)])
        cages = random_cages(height, width, rng, 5)
        givens = random_givens(cages, rng, 0.15, 4)
        solutions = [tuple(value for row in rows for value in row) for rows in brute_force(cages, givens)]
        found.append((Puzzle.of(cages, givens), solutions))
    return found


def values(found: Solutions[Any]) -> list[tuple[int, ...]]:
    return sorted(solution.values for solution in found.solutions)


@pytest.mark.parametrize("seed", range(10))
def test_all_solutions_of_small_puzzles(kernel: str, seed: int) -> None:
    for puzzle, solutions in cases(12, seed):
        found = solve(puzzle, kernel=kernel)
        assert values(found) == sorted(solutions)
        assert (found.count, found.complete) == (len(solutions), True)
        assert found.unique == (len(solutions) == 1)


@pytest.mark.parametrize("seed", range(5))
def test_solutions_that_extend_a_board(kernel: str, seed: int) -> None:
    rng = random.Random(seed)
    for puzzle, solutions in cases(12, 100 + seed):
        known = tuple(rng.choice([0, 0, 0, 1, 2]) for _ in puzzle.cages)
        extending = [s for s in solutions if all(k in (0, v) for k, v in zip(known, s, strict=True))]
        found = solve(puzzle, board=Board(puzzle.height, puzzle.width, known), kernel=kernel)
        assert values(found) == sorted(extending)
        assert found.complete


def test_count_and_limits() -> None:
    for puzzle, solutions in cases(30, 7):
        assert count(puzzle).count == len(solutions)
        if len(solutions) > 1:
            assert (count(puzzle, 1).count, count(puzzle, 1).complete) == (1, False)
            assert (solve(puzzle, 1).count, solve(puzzle, 1).complete) == (1, False)


@pytest.mark.parametrize("limit", [1, 2, 16, 17, None])
def test_runs_give_what_single_calls_give(kernel: str, limit: int | None) -> None:
    puzzles = [puzzle for puzzle, _ in cases(40, 3)]
    found = [result for results in solve_runs(puzzles, limit, kernel=kernel) for result in results]
    assert found == [solve(puzzle, limit, kernel=kernel) for puzzle in puzzles]


def test_backbones() -> None:
    seen = 0
    empty = Puzzle.of(["AAAAA", "BBBBB", "CCCCC"])  # more solutions than a backbone starts from
    everything = [
        (
            empty,
            [
                tuple(v for row in rows for v in row)
                for rows in brute_force(["AAAAA", "BBBBB", "CCCCC"], rows_of([0] * 15, 5))
            ],
        )
    ]
    for puzzle, solutions in [*cases(60, 11), *everything]:
        found = backbone(puzzle)
        if not solutions:
            assert found is None
            assert candidates(puzzle) is None
            continue
        assert candidates(puzzle) == tuple(map(frozenset, zip(*solutions, strict=True)))
        same = tuple(column[0] if len(set(column)) == 1 else 0 for column in zip(*solutions, strict=True))
        assert found == Board(puzzle.height, puzzle.width, same)
        seen += 0 < sum(map(bool, same)) < len(same)
    assert seen
    assert len(everything[0][1]) > 64


def test_backbone_of_many_solutions_with_fixed_cells() -> None:
    """A cell behind a given is settled by solver calls, not only by the solutions seen."""
    puzzle = Puzzle.of(["AAAAA#B", "CCCCC#B", "DDDDD#B"], [[0] * 6 + [1], [0] * 7, [0] * 6 + [3]])
    found = backbone(puzzle)
    assert found is not None
    assert (found.values[13], found.values[6], found.values[20]) == (2, 1, 3)
    assert sum(map(bool, found.values)) == 3


def test_arguments() -> None:
    wrong: list[dict[str, Any]] = [{"limit": 0}, {"max_nodes": 0}, {"method": "reference"}]
    for options in wrong:
        with pytest.raises(ValueError, match=r"must be 1 or more|no method"):
            solve(SMALL, **options)
    with pytest.raises(InputError, match="board-conflict"):
        solve(SMALL, board=Board(1, 1, (1,)))


def test_a_board_against_a_given_has_no_solutions() -> None:
    assert solve(SMALL, board=Board(3, 3, (2, 0, 0, 0, 0, 0, 0, 0, 0))) == Solutions(0, (), 0, True)


def judged(expect: dict[str, object], output: str) -> list[str]:
    entry = Entry("suguru", SMALL, expect=expect)
    return list(testing.judge(entry, testing.answers(entry, "ddn", output)))


def test_other_solvers_are_judged() -> None:
    all_ = [Solution(SMALL, solution.values) for solution in solve(SMALL).solutions]
    drawn = ["\n".join(solution.signs()) for solution in all_]
    expect: dict[str, object] = {"solutions": len(all_)}
    assert judged(expect, "\n\n".join(drawn)) == []
    assert judged(expect, "\n".join(drawn)) == []
    assert "the puzzle has" in judged(expect, drawn[0])[0]
    assert "2 times" in judged(expect, "\n".join([*drawn, drawn[0]]))[0]
    assert "breaks the rules (touching-equals)" in judged({"solutions": 1}, "121\n352\n413")[0]
    assert "not a board" in judged({"solutions": 1}, "121\n352")[0]
    assert judged({"solutions": 0}, "nothing to say") == []
    assert judged({"solutions": "many"}, "\n".join(drawn)) == []
    assert "missing" in "".join(judged({"solution": drawn}, drawn[0]))
    assert "extra" in "".join(judged({"solution": drawn[:1]}, "\n".join(drawn)))


def test_boards_of_functions() -> None:
    found = solve(SMALL)
    boards = [solution.board for solution in found.solutions]
    for result in (found, found.solutions, boards, [board.values for board in boards], iter(boards)):
        assert list(testing.boards(SMALL, result)) == boards
    assert list(testing.boards(SMALL, boards[0].values)) == boards[:1]
    assert list(testing.boards(SMALL, bytes(boards[0].values))) == boards[:1]
    assert list(testing.boards(SMALL, None)) == []


def test_questions() -> None:
    entry = Entry("suguru", SMALL, expect={"solutions": 8})
    assert testing.question(entry, "ddn") == SMALL.line() + "\n"
    assert str(testing.question(entry, "course")).startswith("3 3\nA1 A. B.\n")
    assert testing.question(Entry("suguru", SMALL), "ddn") is None
