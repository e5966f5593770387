"""Solutions with few moves: they are solutions, with the least number of moves where that is proved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import KERNELS, PURE_RUN
from dnd.grid import full
from dnd.pegs import kernel as kernels
from dnd.pegs import rules
from dnd.pegs.alphabet import play
from dnd.pegs.generator import BOARDS
from dnd.pegs.puzzle import Puzzle, run_count
from dnd.pegs.solver import IMPOSSIBLE, METHODS, SOLVED, solve
from pegs_strategies import legal_plays, puzzles
from pegs_witness import Witness

if TYPE_CHECKING:
    from dnd.pegs.kernel import Moves

ENGLISH = Puzzle.of([row[:3] + "." + row[4:] if at == 3 else row for at, row in enumerate(BOARDS["english"])], (3, 3))
NINE = Puzzle(9, 9, full(9, 9), full(9, 9) ^ 1 << 40, (4, 4))


@pytest.fixture(params=KERNELS)
def moves(request: pytest.FixtureRequest) -> Moves:
    return kernels.load("moves", str(request.param))


Answer = tuple[int, tuple[tuple[int, int, int], ...], int]


def ask(
    kernel: Moves, puzzle: Puzzle, size: int, weight: int = 42, stop: bytearray | None = None, seed: int = 1
) -> Answer:
    """The verdict, the jumps and the nodes."""
    answer: Answer = kernel.few(*puzzle.kernel_arguments, size, weight, seed, stop)
    return answer


@settings(max_examples=80)
@given(puzzles(most=4))
def test_a_beam_finds_solutions_and_no_others(puzzle: Puzzle) -> None:
    witness = Witness(*puzzle.kernel_arguments)
    least = witness.fewest_moves()
    for name in KERNELS:
        verdict, jumps, _ = ask(kernels.load("moves", name), puzzle, 500)
        # On so small a board the beam holds all positions, so that it finds a solution, with the fewest moves.
        assert verdict == (-1 if least is None else 1)
        if verdict == 1:
            assert witness.is_end(witness.replay(jumps) or frozenset())
            assert run_count(jumps) == witness.moves(jumps) == least


@settings(max_examples=40)
@given(puzzles(most=4))
def test_the_fewest_moves(puzzle: Puzzle) -> None:
    least = Witness(*puzzle.kernel_arguments).fewest_moves()
    for name in KERNELS:
        outcome = solve(puzzle, method="moves", kernel=name)
        if least is None:
            assert outcome.verdict == IMPOSSIBLE
        else:
            assert (outcome.verdict, outcome.solutions[0].moves, outcome.fewest) == (SOLVED, least, True)


# A board whose fewest moves are more by one if a new move must begin behind the jumps that were made: the peg that
# jumped last goes on.
GIVEN = Puzzle.of(["o.ooo", "ooooo", "ooooo", "ooooo"])
MADE = "r1c4 left, r1c1 right, r3c1 up, r3c2 up"
SHORTER = """right, r3c3 up, r1c4 left, r3c5 left, r1c5 down, r4c3 up, r1c1 right down, r4c1 right, r4c4 left,
r4c5 up left down left"""


@pytest.mark.skipif(PURE_RUN, reason="a search of a second for the compiled kernel, of minutes for the pure one")
def test_the_peg_that_jumped_last_may_go_on() -> None:
    shorter = play(GIVEN, f"{MADE} {SHORTER}")
    assert not rules.check(GIVEN, shorter)
    assert shorter.is_complete(GIVEN)
    outcome = solve(GIVEN, method="moves", board=play(GIVEN, MADE))
    assert (outcome.solutions[0].moves, run_count(shorter.jumps), outcome.fewest) == (13, 13, True)


@settings(max_examples=60)
@given(st.data())
def test_the_fewest_moves_behind_jumps(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(most=4))
    made = data.draw(legal_plays(puzzle))
    least = Witness(*puzzle.kernel_arguments).fewest_moves(made.jumps)
    for name in KERNELS:
        outcome = solve(puzzle, method="moves", board=made, kernel=name)
        if least is None:
            assert outcome.verdict == IMPOSSIBLE
        else:
            assert (outcome.verdict, outcome.solutions[0].moves, outcome.fewest) == (SOLVED, least, True)


def test_same_arguments_same_answer(moves: Moves) -> None:
    size = 30 if PURE_RUN else 300
    assert ask(moves, ENGLISH, size, 60) == ask(moves, ENGLISH, size, 60)


def test_stop(moves: Moves) -> None:
    assert ask(moves, NINE, 100, stop=bytearray([1])) == (-1, (), 0)


@pytest.mark.parametrize("rows", [["#oo", ".##"], ["##.", "oo#"], ["#o", ".o"], ["o.", "o#"]], ids="/".join)
def test_no_jump_leaves_the_board_to_come_back_in_another_row(rows: list[str], moves: Moves) -> None:
    assert ask(moves, Puzzle.of(rows), 10)[:2] == (-1, ())
    for method in METHODS:
        assert solve(Puzzle.of(rows), method=method).verdict == IMPOSSIBLE


def test_one_peg(moves: Moves) -> None:
    assert ask(moves, Puzzle.of(["o."]), 10)[:2] == (1, ())
    assert ask(moves, Puzzle.of(["o."], final=(0, 1)), 10)[:2] == (-1, ())


@pytest.mark.skipif(PURE_RUN, reason="a search of seconds for the compiled kernel, of hours for the pure one")
def test_the_english_game_takes_eighteen_moves() -> None:
    """As E. Bergholt found in 1912 and J. Beasley proved."""
    outcome = solve(ENGLISH, method="moves")
    assert (outcome.solutions[0].moves, outcome.fewest) == (18, True)
    assert outcome.words() == "solved: 31 jumps, 18 moves, the fewest possible"


@pytest.mark.skipif(PURE_RUN, reason="a beam that takes the pure kernel minutes")
def test_large_boards_get_few_moves_too() -> None:
    verdict, jumps, _ = ask(kernels.load("moves", "c"), NINE, 10_000, 35)
    assert verdict == 1
    assert run_count(jumps) <= 36
