"""The solver's front: answers to a setter's questions, methods, padding, errors."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dnd
from course import CALLS, PROBLEMS, SOLUTIONS
from dnd import grid
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.dungeon.solver import padded
from fuzzing import expected, partial_board, puzzles

P1 = Puzzle(PROBLEMS["p1"][2], PROBLEMS["p1"][3], PROBLEMS["p1"][0], PROBLEMS["p1"][1], "p1")
BONUS = Puzzle.of([0, 8] * 4, [4] * 8, [(r, c) for r in (0, 2, 4, 6) for c in (0, 7)])
TWO = Puzzle.of([1, 1], [1, 1], [])


def small_puzzles(seed: int, number: int) -> list[Puzzle]:
    return list(islice(puzzles(seed, most=4), number))


def test_unique_puzzle() -> None:
    result = dnd.solve(P1)
    assert (result.count, result.complete, result.unique) == (1, True, True)
    assert result.solutions[0].walls == SOLUTIONS["p1"]
    assert result.solutions[0].puzzle is P1


def test_bonus_board_has_a_solution_only_for_the_course() -> None:
    assert dnd.solve(BONUS).count == 0
    assert dnd.solve(BONUS, method="reference").count == 1


@pytest.mark.parametrize("name", ["p1", "p5", "p7", "p8"])
def test_reference_method_counts_the_calls_of_the_course(name: str) -> None:
    monsters, treasures, rows, columns = PROBLEMS[name]
    result = dnd.solve(Puzzle(rows, columns, monsters, treasures), method="reference")
    assert (result.nodes, result.count, result.complete) == (CALLS[name], 1, True)


def test_reference_limit() -> None:
    result = dnd.solve(P1, 1, "reference")
    assert (result.count, result.complete) == (1, False)


@given(st.integers(1, 8), st.integers(1, 8), st.data())
@settings(max_examples=50, deadline=None)
def test_padding_is_walls(height: int, width: int, data: st.DataObject) -> None:
    walls = data.draw(st.integers(0, grid.full(height, width)))
    rows = [(walls & grid.row_mask(row, width)).bit_count() for row in range(height)]
    columns = [(walls & grid.column_mask(column, height, width)).bit_count() for column in range(width)]
    monsters, treasures, row_clues, column_clues = padded(Puzzle(tuple(rows), tuple(columns), 0, 0))
    board = sum(
        1 << (8 * r + c)
        for r in range(8)
        for c in range(8)
        if r >= height or c >= width or walls >> (r * width + c) & 1
    )
    assert (monsters, treasures) == (0, 0)
    assert [(board >> 8 * row & 255).bit_count() for row in range(8)] == list(row_clues)
    assert [(board & 0x0101010101010101 << column).bit_count() for column in range(8)] == list(column_clues)


def test_reference_on_small_boards_is_exact_where_the_rules_are_local() -> None:
    """Without treasures and with connected solutions both methods find the same."""
    compared = 0
    for puzzle in small_puzzles(21, 60):
        if puzzle.treasures or None in puzzle.rows:
            continue
        exact = {solution.walls for solution in dnd.solve(puzzle).solutions}
        local = {solution.walls for solution in dnd.solve(puzzle, method="reference").solutions}
        assert exact == {walls for walls in local if not dnd.check(puzzle, walls)}
        compared += 1
    assert compared > 10


def test_backbone_is_what_all_solutions_share() -> None:
    several = 0
    for puzzle in small_puzzles(22, 120):
        truth = expected(puzzle)
        found = dnd.backbone(puzzle)
        if not truth:
            assert found is None
            continue
        assert found is not None
        everywhere = grid.full(puzzle.height, puzzle.width)
        always_wall = everywhere
        ever_wall = 0
        for walls in truth:
            always_wall &= walls
            ever_wall |= walls
        assert (found.walls, found.floors) == (always_wall, everywhere & ~ever_wall)
        several += len(truth) > 1
    assert several > 2


def test_count_is_unique_difference_and_solvable() -> None:
    rng = random.Random(4)
    for puzzle in small_puzzles(23, 80):
        truth = expected(puzzle)
        counted = dnd.count(puzzle)
        assert (counted.count, counted.complete, counted.solutions) == (len(truth), True, ())
        assert dnd.is_unique(puzzle) == (len(truth) == 1)
        pair = dnd.difference(puzzle)
        if len(truth) < 2:
            assert pair is None
        else:
            assert pair is not None
            assert pair[0].walls != pair[1].walls
            assert {solution.walls for solution in pair} <= truth
        board = partial_board(puzzle, rng)
        extends = [walls for walls in truth if not board.walls & ~walls and not board.floors & walls]
        assert dnd.solvable(puzzle, board) == bool(extends)


def test_count_with_a_limit_says_whether_it_was_cut() -> None:
    open_puzzle = Puzzle((None,) * 3, (None,) * 4)
    total = dnd.count(open_puzzle).count
    assert total == len(expected(open_puzzle))
    cut = dnd.count(open_puzzle, total - 1)
    assert (cut.count, cut.complete) == (total - 1, False)
    assert dnd.count(open_puzzle, total + 1) == dnd.count(open_puzzle)


def test_undecided_is_said() -> None:
    result = dnd.solve(Puzzle((None,) * 8, (None,) * 8, 1), 2, max_nodes=1)
    assert (result.count, result.complete) == (0, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limit": 0}, "limit must be 1 or more, or None, not 0"),
        ({"limit": -1}, "limit must be 1"),
        ({"max_nodes": 0}, "max_nodes must be 1"),
        ({"method": "magic"}, "no method 'magic'"),
        ({"method": "reference", "max_nodes": 5}, "the reference solver takes no"),
        ({"method": "reference", "board": Board(8, 8)}, "the reference solver takes no"),
        ({"board": Board(7, 8)}, "partial board of 7x8 for a puzzle of 8x8"),
        ({"kernel": "z80"}, "no kernel 'z80'"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, RuntimeError), match=message):
        dnd.solve(P1, **arguments)


def test_reference_refuses_larger_boards() -> None:
    with pytest.raises(dnd.InputError, match="up to 8x8, not 9x8"):
        dnd.solve(Puzzle((1,) * 9, (1,) * 8), method="reference")


def test_kernels_answer_alike(kernel: str) -> None:
    for puzzle in [P1, BONUS, TWO, Puzzle((None,) * 5, (3,) * 5, 1)]:
        assert dnd.solve(puzzle, kernel=kernel) == dnd.solve(puzzle)
