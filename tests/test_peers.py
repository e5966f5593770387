"""The peers of the benchmarks (`tools/peers.py`) and their judge: right themselves, and of one mind with the engine."""

from __future__ import annotations

import random
import sys
from itertools import islice

import pytest

import dnd
from conftest import ROOT
from course import PROBLEMS, SOLUTIONS
from dnd.dungeon.puzzle import Puzzle
from fuzzing import expected, puzzles
from witness import brute_force
from witness import is_legal as is_legal_drawn

pytest.importorskip("pysat", reason="python-sat is not installed (the extra `bench`)")
sys.path.insert(0, str(ROOT / "tools"))

from checker import is_legal
from peers import MODELS, PEERS, Result, Solve

ROOMS_TOUCH = ["...##", ".T.##", "...##", "##...", "##.T.", "##..."]
ROOMS_APART = ["...###", ".T.###", "...###", "###...", "###.T.", "###..."]
ROOMS_SIDE_BY_SIDE = ["...###", ".T....", "....T.", "###..."]
MONSTER_BESIDE_ROOM = ["##M#####", "#...####", "#.T...M#", "#...####", *["########"] * 4]


@pytest.fixture(params=PEERS)
def peer(request: pytest.FixtureRequest) -> Solve:
    solve = PEERS[request.param]
    if solve is None:
        pytest.skip(f"{request.param} is not installed (the extra `bench`)")
    return solve


def asked(solve: Solve, puzzle: Puzzle, limit: int = 0) -> Result:
    return solve(
        puzzle.height, puzzle.width, puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures, limit
    )


def drawn(letters: list[str]) -> tuple[Puzzle, int]:
    """The puzzle of a drawn board, and its walls."""
    cells = {(r, c): letter for r, row in enumerate(letters) for c, letter in enumerate(row)}
    monsters, treasures = ([cell for cell, letter in cells.items() if letter == kind] for kind in "MT")
    rows = [row.count("#") for row in letters]
    columns = [column.count("#") for column in zip(*letters, strict=True)]
    walls = sum((letter == "#") << place for place, letter in enumerate(cells.values()))
    return Puzzle.of(rows, columns, monsters, treasures), walls


def lettered(puzzle: Puzzle, walls: int) -> list[str]:
    """A complete board, walls even where an object is."""
    width = puzzle.width
    flat = "".join("#" if walls >> cell & 1 else "." for cell in range(puzzle.height * width))
    return [flat[start : start + width] for start in range(0, len(flat), width)]


def test_all_peers_are_listed() -> None:
    assert list(PEERS) == list(MODELS) == ["minicard", "cadical", "cpsat", "clingo"]
    assert PEERS["minicard"] is not None


@pytest.mark.parametrize("seed", range(3))
def test_all_solutions_are_those_of_the_brute_force(peer: Solve, seed: int) -> None:
    some = list(islice(puzzles(seed, most=4), 40))
    for puzzle in some:
        assert asked(peer, puzzle) == (expected(puzzle), True), puzzle
    assert {min(len(expected(puzzle)), 2) for puzzle in some} == {0, 1, 2}


def test_limit(peer: Solve) -> None:
    puzzle = Puzzle((None,) * 4, (None,) * 4)
    everything = expected(puzzle)
    for limit in (1, 2, len(everything)):
        found, complete = asked(peer, puzzle, limit)
        assert (len(found), complete) == (limit, False)
        assert found <= everything
    assert asked(peer, puzzle, len(everything) + 1) == (everything, True)


def test_two_rooms_may_touch_in_one_cell_each(peer: Solve) -> None:
    puzzle, walls = drawn(ROOMS_TOUCH)
    assert walls in asked(peer, puzzle)[0]


@pytest.mark.parametrize("letters", [ROOMS_APART, ROOMS_SIDE_BY_SIDE, MONSTER_BESIDE_ROOM])
def test_illegal_rooms(peer: Solve, letters: list[str]) -> None:
    puzzle, walls = drawn(letters)
    assert walls not in asked(peer, puzzle)[0]


def test_a_board_of_walls_is_legal(peer: Solve) -> None:
    assert asked(peer, Puzzle([3, 3], [2, 2, 2])) == ({0b111111}, True)


def test_a_single_open_cell_is_not(peer: Solve) -> None:
    assert asked(peer, Puzzle([2, 3, 3], [3, 2, 3])) == (set(), True)
    assert asked(peer, Puzzle([0], [0])) == (set(), True)
    assert asked(peer, Puzzle([None], [None])) == ({1}, True)


def test_lone_objects(peer: Solve) -> None:
    assert asked(peer, Puzzle([None], [None], monsters=1)) == (set(), True)
    assert asked(peer, Puzzle([None] * 3, [None] * 3, treasures=1)) == (set(), True)


@pytest.mark.parametrize("name", PROBLEMS)
def test_course(peer: Solve, name: str) -> None:
    monsters, treasures, rows, columns = PROBLEMS[name]
    puzzle = Puzzle(rows, columns, monsters, treasures)
    found, complete = asked(peer, puzzle)
    ours = dnd.solve(puzzle)
    assert (found, complete) == ({SOLUTIONS[name]}, True)
    assert ({solution.walls for solution in ours.solutions}, ours.complete) == (found, complete)


def test_bonus_needs_connectivity(peer: Solve) -> None:
    puzzle = Puzzle.of([0, 8] * 4, [4] * 8, [(r, c) for r in (0, 2, 4, 6) for c in (0, 7)])
    assert asked(peer, puzzle) == (set(), True)


def test_judge_on_solutions_and_boards_a_cell_away() -> None:
    rng, verdicts = random.Random(5), set()
    for puzzle in islice(puzzles(5, most=4), 60):
        arguments = (puzzle.height, puzzle.width, puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures)
        objects = puzzle.monster_cells, puzzle.treasure_cells
        solutions = expected(puzzle) or {rng.getrandbits(puzzle.height * puzzle.width)}
        for walls in solutions | {walls ^ 1 << rng.randrange(puzzle.height * puzzle.width) for walls in solutions}:
            letters = lettered(puzzle, walls)
            verdict = is_legal(*arguments, walls)
            assert verdict == is_legal_drawn(puzzle.rows, puzzle.columns, letters, *objects), (puzzle, letters)
            verdicts.add(verdict)
    assert verdicts == {True, False}
