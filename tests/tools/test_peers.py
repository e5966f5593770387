"""The peers of the benchmarks (`tools/peers.py`) and their judge: right themselves, and of one mind with the engine."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice

import pytest

import dnd
from course import PROBLEMS, SOLUTIONS
from dnd.dungeon.puzzle import Puzzle
from fuzzing import expected, puzzles
from witness import is_legal as is_legal_drawn

pytest.importorskip("pysat", reason="python-sat is not installed (the extra `bench`)")

from checker import is_legal
from peers import MODELS, PEERS, Result, Solve

SMALL = [
    ["...#", ".T.#", "...#", "##.M"],
    ["....", ".##.", ".##.", "...."],
    [".....", ".#.#.", "....."],
    ["M.##", "#..#", "##.M"],
    ["M.M"],
    ["M..M", "####"],
]
ROOMS_TOUCH = ["...##", ".T.##", "...##", "##...", "##.T.", "##..."]
ROOMS_APART = ["...###", ".T.###", "...###", "###...", "###.T.", "###..."]
TWO_ENTRANCES = ["...##", ".T...", "...#.", "#.##.", "#...."]
TWO_TREASURES = ["T..#", ".T.#", "...#", "##.M"]
MONSTER_BESIDE_ROOM = ["##M#####", "#...####", "#.T...M#", "#...####", *["########"] * 4]


@pytest.fixture(params=PEERS)
def peer(request: pytest.FixtureRequest) -> Solve:
    solve = PEERS[request.param]
    if solve is None:
        pytest.skip(f"{request.param} is not installed (the extra `bench`)")
    return solve


def asked(solve: Solve, puzzle: Puzzle, limit: int = 0) -> Result:
    return solve(puzzle.height, puzzle.width, puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures, limit)


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


@cache
def small_puzzles(seed: int) -> list[tuple[Puzzle, set[int]]]:
    """Puzzles with all their solutions by brute force: any, and drawn dungeons with some clues hidden."""
    rng = random.Random(seed)

    def veiled(clues: tuple[int | None, ...], hidden: int) -> list[int | None]:
        places = set(rng.sample(range(len(clues)), min(hidden, len(clues))))
        return [None if place in places else clue for place, clue in enumerate(clues)]

    some = list(islice(puzzles(seed, most=4), 20))
    for letters in SMALL:
        bare, _ = drawn(letters)
        for hidden in range(3):
            rows, columns = veiled(bare.rows, hidden), veiled(bare.columns, 2 * hidden)
            some.append(Puzzle.of(rows, columns, bare.monster_cells, bare.treasure_cells))
    return [(puzzle, expected(puzzle)) for puzzle in some]


@pytest.mark.parametrize("seed", range(2))
def test_all_solutions_are_those_of_the_brute_force(peer: Solve, seed: int) -> None:
    for puzzle, solutions in small_puzzles(seed):
        assert asked(peer, puzzle) == (solutions, True), puzzle


@pytest.mark.parametrize("seed", range(2))
def test_small_puzzles_are_of_all_kinds(seed: int) -> None:
    some = small_puzzles(seed)
    assert {min(len(solutions), 2) for _, solutions in some} == {0, 1, 2}
    assert {bool(puzzle.treasures) for puzzle, solutions in some if solutions} == {False, True}


def test_limit(peer: Solve) -> None:
    puzzle = Puzzle.of([None] * 3, [None] * 4)
    everything = expected(puzzle)
    for limit in (1, 2, len(everything)):
        found, complete = asked(peer, puzzle, limit)
        assert (len(found), complete) == (limit, False)
        assert found <= everything
    assert asked(peer, puzzle, len(everything) + 1) == (everything, True)


def test_two_rooms_may_touch_in_one_cell_each(peer: Solve) -> None:
    puzzle, walls = drawn(ROOMS_TOUCH)
    assert walls in asked(peer, puzzle)[0]


@pytest.mark.parametrize("letters", [ROOMS_APART, TWO_ENTRANCES, TWO_TREASURES, MONSTER_BESIDE_ROOM])
def test_illegal_rooms(peer: Solve, letters: list[str]) -> None:
    puzzle, walls = drawn(letters)
    assert walls not in asked(peer, puzzle)[0]


def test_a_board_of_walls_is_legal(peer: Solve) -> None:
    assert asked(peer, Puzzle.of([3, 3], [2, 2, 2])) == ({0b111111}, True)


def test_a_single_open_cell_is_not(peer: Solve) -> None:
    assert asked(peer, Puzzle.of([2, 3, 3], [3, 2, 3])) == (set(), True)
    assert asked(peer, Puzzle.of([0], [0])) == (set(), True)
    assert asked(peer, Puzzle.of([None], [None])) == ({1}, True)


def test_lone_objects(peer: Solve) -> None:
    assert asked(peer, Puzzle.of([None], [None], [(0, 0)])) == (set(), True)
    assert asked(peer, Puzzle.of([None] * 3, [None] * 3, [], [(0, 0)])) == (set(), True)


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
    for puzzle, solved in small_puzzles(0):
        arguments = (puzzle.height, puzzle.width, puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures)
        objects = puzzle.monster_cells, puzzle.treasure_cells
        solutions = solved or {rng.getrandbits(puzzle.height * puzzle.width)}
        for walls in solutions | {walls ^ 1 << rng.randrange(puzzle.height * puzzle.width) for walls in solutions}:
            letters = lettered(puzzle, walls)
            verdict = is_legal(*arguments, walls)
            assert verdict == is_legal_drawn(puzzle.rows, puzzle.columns, letters, *objects), (puzzle, letters)
            verdicts.add(verdict)
    assert verdicts == {True, False}
