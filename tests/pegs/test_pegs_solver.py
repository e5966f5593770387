"""The front of the peg solver: verdicts against the witness, proofs that hold, budgets that are kept."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dnd
from conftest import KERNELS, PURE_RUN, interrupted, needs_compiled
from dnd.pegs import rules, solver
from dnd.pegs.generator import BOARDS
from dnd.pegs.proofs import ByExhaustion, check_proof
from dnd.pegs.puzzle import Play, Puzzle, after
from dnd.pegs.solver import IMPOSSIBLE, SOLVED, UNDECIDED, Outcome, count, solve, solve_runs
from pegs_fuzzing import cases
from pegs_strategies import puzzles
from pegs_witness import Witness, cells_of


def vacant(board: str, row: int, column: int, final: tuple[int, int] | None = None) -> Puzzle:
    full = Puzzle.of(BOARDS[board])
    return replace(full, pegs=full.cells ^ 1 << row * full.width + column, final=final)


ENGLISH = vacant("english", 3, 3, (3, 3))
# A task of a public contest on unsolvability that the class does not refute.
UNSOLVABLE = Puzzle.of(["##...##", "##ooo##", "oo...o.", "oo.o.o.", "oo...o.", "##ooo##", "##...##"], (3, 3))
LOST = Puzzle.of(["o.o.o"])
LARGE = Puzzle.of(["o" * 15] * 7 + ["o" * 7 + "." + "o" * 7] + ["o" * 15] * 7, (7, 7))


def holds(outcome: Outcome) -> bool:
    """Whether an answer is right as far as can be seen: its solution replays, its proof holds."""
    if outcome.verdict == SOLVED:
        (solution,) = outcome.solutions
        left = Witness(*outcome.puzzle.kernel_arguments).replay(solution.jumps)
        finals = cells_of(outcome.puzzle.finals, outcome.puzzle.height, outcome.puzzle.width)
        assert left is not None
        return not rules.check(outcome.puzzle, solution.board) and len(left) == 1 and left <= finals
    if outcome.verdict == IMPOSSIBLE:
        assert outcome.proof is not None
        return check_proof(outcome.puzzle, outcome.proof)
    return False


@settings(max_examples=150)
@given(puzzles(most=4))
def test_verdicts_are_those_of_the_witness(puzzle: Puzzle) -> None:
    for kernel in KERNELS:
        outcome = solve(puzzle, kernel=kernel)
        assert holds(outcome)
        assert outcome.good == Witness(*puzzle.kernel_arguments).is_solvable()
        assert (outcome.count, outcome.complete) == ((1, False) if outcome.good else (0, True))


@settings(max_examples=25)
@given(puzzles(most=5), st.integers(1, 7))
def test_symmetric_boards_have_symmetric_answers(puzzle: Puzzle, symmetry: int) -> None:
    copy = puzzle.transformed(symmetry)
    assert solve(puzzle).verdict == solve(copy).verdict
    assert count(puzzle) == count(copy)


@settings(max_examples=40)
@given(puzzles(most=4))
def test_counts_are_those_of_the_witness(puzzle: Puzzle) -> None:
    for kernel in KERNELS:
        tally = count(puzzle, kernel=kernel)
        assert tally.complete
        witness = Witness(*puzzle.kernel_arguments)
        assert tally.count == witness.sequences()
        assert list(tally.levels) == list(map(len, witness.levels))


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_english_game(kernel: str) -> None:
    outcome = solve(ENGLISH, kernel=kernel)
    assert outcome.verdict == SOLVED
    assert holds(outcome)
    assert len(outcome.solutions[0].jumps) == 31
    assert after(ENGLISH, outcome.best.jumps) == 1 << 24
    assert outcome.words().startswith("solved: 31 jumps, ")
    assert outcome.details()["jumps"] == [list(jump) for jump in outcome.best.jumps]


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_method_of_the_seed(kernel: str) -> None:
    board = Puzzle.of(["....", ".oo.", ".oo.", "...."])
    outcome = solve(board, method="reference", kernel=kernel)
    assert (outcome.verdict, solve(board, kernel=kernel).verdict) == (SOLVED, SOLVED)
    assert holds(outcome)
    assert solve(LOST, method="reference", kernel=kernel).verdict == IMPOSSIBLE


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_seeds_search_tells_how_far_it_has_got(kernel: str) -> None:
    outcome = solve(ENGLISH, method="reference", max_nodes=40, kernel=kernel)
    left = after(ENGLISH, outcome.best.jumps).bit_count()
    assert 1 < left < 25
    assert outcome.words() == f"undecided after 40 calls; the best position reached has {left} pegs"
    # The bound comes in front of the call that would see that the game is won.
    won = solve(Puzzle.of(["oo."]), method="reference", max_nodes=1, kernel=kernel)
    assert (won.verdict, won.count) == (SOLVED, 1)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_seeds_search_counts_its_calls(kernel: str) -> None:
    """It comes to a position by several ways: two jumps that do not touch each other are tried in both orders."""
    board = Puzzle.of(["oo.", "...", "...", "oo."])
    proof = solve(board, method="reference", kernel=kernel).proof
    assert proof is not None
    assert sum(map(len, Witness(*board.kernel_arguments).levels)) == 4
    assert proof.sentences[-1].startswith("the recursive search ended after 5 calls and found no way to win")
    told: Any = proof.as_json()
    assert told["parts"][-1]["calls"] == 5


def test_the_seed_ignores_its_edge() -> None:
    """On a board of 16 columns the seed lets no peg jump from the edge: that it finds nothing proves nothing."""
    row = Puzzle.of(["oo" + "." * 14, *["." * 16] * 15])
    assert solve(row).verdict == SOLVED
    assert solve(row, method="reference").verdict == UNDECIDED
    corner = Puzzle.of([".o" + "." * 14, ".o" + "." * 14, *["." * 16] * 14])
    assert solve(corner).verdict == SOLVED
    assert solve(corner, method="reference").verdict == UNDECIDED


def test_goes_on_from_jumps() -> None:
    first = solve(ENGLISH).best.jumps[:10]
    outcome = solve(ENGLISH, board=Play(7, 7, first))
    assert outcome.best.jumps[:10] == first
    assert holds(outcome)
    with pytest.raises(dnd.InputError, match="jump 1"):
        solve(ENGLISH, board=Play(7, 7, ((0, 0, 1),)))


def test_final_cell() -> None:
    anywhere = replace(ENGLISH, final=None)
    assert solve(anywhere, final=(3, 3)).puzzle.final == (3, 3)
    assert solve(anywhere, final=(3, 4)).verdict == IMPOSSIBLE
    with pytest.raises(dnd.InputError, match="is not a cell of the board"):
        solve(anywhere, final=(0, 0))


@pytest.mark.parametrize(
    ("puzzle", "kind"),
    [
        (vacant("french", 3, 3), "class"),
        (vacant("diamond", 4, 4), "class"),
        (UNSOLVABLE, "exhaustion"),
        (Puzzle.of(["o"], final=(0, 0)), None),
    ],
)
def test_proofs(puzzle: Puzzle, kind: str | None) -> None:
    outcome = solve(puzzle)
    assert holds(outcome)
    assert (outcome.proof and outcome.proof.kind) == kind


@pytest.mark.skipif(PURE_RUN, reason="beams and searches that come before take the pure kernel a minute")
@pytest.mark.parametrize("method", ["auto", "moves"])
def test_a_short_tree_is_tried_before_long_searches(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No weights alone refute this task; with sets of jumps of which one must be made they do, in one node."""

    def long(*_: object) -> None:
        pytest.fail("a search of minutes was begun")

    monkeypatch.setattr(solver._Hunt, "_decide", long)
    monkeypatch.setattr(solver._Hunt, "_fewest", long)
    outcome = solve(vacant("diamond", 0, 4, (2, 4)), method=method)
    assert holds(outcome)
    assert (outcome.verdict, outcome.proof and outcome.proof.kind) == (IMPOSSIBLE, "integer")


def until(alarm: bytearray) -> None:
    """What an attempt does that comes to no end by itself."""
    for _ in range(6000):
        if alarm[0]:
            return
        time.sleep(0.01)
    pytest.fail("an attempt was not told to stop within a minute")


def test_seconds_end_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    alarms: list[bytearray] = []

    def endless(hunt: object, alarm: bytearray, *options: int) -> None:
        alarms.append(alarm)
        until(alarm)

    monkeypatch.setattr(solver._Hunt, "_beam", endless)
    assert solve(UNSOLVABLE, seconds=0.05).verdict == UNDECIDED
    assert len(alarms) == 1


def test_stop_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = bytearray(1)

    def endless(hunt: object, alarm: bytearray, *options: int) -> None:
        assert not alarm[0]
        stop[0] = 1  # as another thread would
        until(alarm)

    monkeypatch.setattr(solver._Hunt, "_beam", endless)
    assert solve(UNSOLVABLE, stop=stop).verdict == UNDECIDED


@needs_compiled
def test_few_pegs_are_searched_once() -> None:
    """17 pegs with some 100,000 positions: two narrow beams, then all of them, without a search that is given up."""
    rows = ["......o", ".oo..o.", ".ooo.o.", "o..ooo.", "o...o..", "...o...", ".....oo"]
    outcome = solve(Puzzle.of(rows), kernel="c")
    assert outcome.proof is not None
    (*_, part) = outcome.proof.parts
    assert isinstance(part, ByExhaustion)
    assert part.number == 100_361
    assert outcome.nodes < part.number + 2 * 30 * 17


def test_few_nodes_end_a_search() -> None:
    limited = solve(LARGE, max_nodes=1)
    assert limited.verdict == UNDECIDED
    left = after(LARGE, limited.best.jumps)
    best = f"the best position reached has {left.bit_count()} pegs"
    assert limited.words() == f"undecided after {limited.nodes:,} positions; {best}"
    assert limited.picture.replace(" ", "").replace("\n", "").count("o") == left.bit_count()
    assert solve(ENGLISH).picture == solve(LOST).picture == ""
    assert limited.details()["best"] == [list(jump) for jump in limited.best.jumps] != []
    assert rules.check(LARGE, limited.best, ["illegal-jump"]) == []


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("method", ["auto", "moves"])
@pytest.mark.parametrize(
    "budget",
    [{"memory": 1, "max_nodes": 5_000}, {"memory": 5_000, "max_nodes": 5_000}, {"max_nodes": 1}, {"max_nodes": 40}],
)
def test_little_memory_and_few_nodes_make_no_verdict_wrong(budget: dict[str, int], method: str, kernel: str) -> None:
    verdicts = Counter[str]()
    for height, width, board, pegs, finals in islice(cases(3), 60):
        final = divmod(finals.bit_length() - 1, width) if finals.bit_count() == 1 else None
        puzzle = Puzzle(height, width, board, pegs, final)
        outcome = solve(puzzle, method=method, kernel=kernel, **budget)  # type: ignore[arg-type]
        verdicts[outcome.verdict] += 1
        if outcome.verdict != UNDECIDED:
            assert holds(outcome)
            assert outcome.good == Witness(*puzzle.kernel_arguments).is_solvable()
    assert verdicts[SOLVED] > 10
    assert verdicts[IMPOSSIBLE] > 10


def test_patience_without_end() -> None:
    """Threads wait no longer than some weeks at a time."""
    assert solve(ENGLISH, seconds=1e300).verdict == SOLVED
    assert count(LOST, seconds=1e300).complete


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("method", ["auto", "moves", "reference"])
def test_bounds_beyond_a_word(method: str, kernel: str) -> None:
    small = Puzzle.of(["....", ".oo.", ".oo.", "...."])
    options = {"max_nodes": 1 << 80, "memory": 1 << 90, "kernel": kernel}
    assert solve(small, method=method, **options).verdict == SOLVED  # type: ignore[arg-type]
    assert count(small, **options).complete  # type: ignore[arg-type]


def test_few_pegs_on_a_large_board_are_counted() -> None:
    """The exact kernel takes 64 cells: those where pegs get."""
    board = Puzzle.of(["oo" + "." * 14, *["." * 16] * 14, "." * 13 + ".oo"])
    witness = Witness(*board.kernel_arguments)
    for kernel in KERNELS:
        tally = count(board, kernel=kernel)
        assert tally.complete
        assert (tally.count, list(tally.levels)) == (witness.sequences(), list(map(len, witness.levels)))
    row = Puzzle.of(["." * 16] * 5 + ["....oo.o" + "." * 8] + ["." * 16] * 10)
    assert count(row).count == Witness(*row.kernel_arguments).sequences() > 0
    outcome = solve(row, method="moves")
    assert (outcome.verdict, outcome.fewest) == (SOLVED, True)


def test_exhaustion_tells_positions_that_were_looked_at() -> None:
    """The proof of a board without a solution is the same whatever was asked for."""
    for kernel in KERNELS:
        proofs = [solve(UNSOLVABLE, method=method, kernel=kernel).proof for method in ("auto", "moves")]
        assert proofs[0] == proofs[1]
        assert proofs[0] is not None
        assert proofs[0].kind == "exhaustion"


def test_runs_yield_one_by_one() -> None:
    results = list(solve_runs([ENGLISH, LOST], 2))
    assert [[outcome.verdict for outcome in run] for run in results] == [[SOLVED], [IMPOSSIBLE]]
    assert [outcome.verdict for outcome in dnd.solve_many([ENGLISH, LOST, ENGLISH])] == [SOLVED, IMPOSSIBLE, SOLVED]


def test_count_says_what_it_did_not_reach() -> None:
    tally = count(ENGLISH, memory=1)
    assert (tally.complete, tally.kind) == (False, UNDECIDED)
    why = "more positions than fit the memory, the time or the bound on nodes"
    assert tally.words().split("\n")[0] == f"undecided: {why}"
    assert tally.details() == {"levels": list(tally.levels), "why": why}
    small = Puzzle.of(["oo.", "oo.", "..."])
    assert count(small).count > 1
    assert count(small, 1).count == 1
    assert count(small, 1).words().startswith("at least 1 jump sequence, ")
    assert count(Puzzle.of(["oo."])).words() == "1 jump sequence, 2 positions\nby jumps made: 1, 1"
    assert solve(Puzzle.of(["oo."])).words() == "solved: 1 jump, 1 move"


@needs_compiled
def test_count_says_which_boards_are_too_large() -> None:
    nine = Puzzle.of(["o" * 9] * 4 + ["oooo.oooo"] + ["o" * 9] * 4)
    tally = count(nine, kernel="c")
    assert (tally.count, tally.levels, tally.complete, tally.kind) == (0, (), False, UNDECIDED)
    assert tally.words() == "undecided: pegs can get to 81 cells; exact counts allow at most 64"
    pure = count(nine, kernel="py", max_nodes=100)
    assert pure.words().startswith("undecided: more positions than fit the memory, ")


@pytest.mark.parametrize(
    "options", [{"limit": 0}, {"seconds": 0}, {"seconds": -1}, {"memory": 0}, {"max_nodes": 0}, {"method": "magic"}]
)
def test_arguments_are_checked(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"must be|no method"):
        solve(LOST, **options)  # type: ignore[arg-type]


def test_ctrl_c(tmp_path: Path) -> None:
    program = """
from dnd.pegs.puzzle import Puzzle
from dnd.pegs.solver import solve
board = Puzzle.of(["o" * 15] * 7 + ["o" * 7 + "." + "o" * 7] + ["o" * 15] * 7, (7, 7))
print("ready", flush=True)
try:
    while True:
        solve(board)
except KeyboardInterrupt:
    print("interrupted")
"""
    assert interrupted(program, tmp_path) == "interrupted\n"
