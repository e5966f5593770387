"""Hints, explanations and ratings of peg solitaire: what they say is true, and the same for symmetric boards."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dnd.pegs import explainer, proof_notation, proofs, rules
from dnd.pegs.explainer import ILLEGAL, JUMP, LOST, WON, hint, hints, rate
from dnd.pegs.puzzle import Play, Puzzle
from dnd.pegs.solver import IMPOSSIBLE, Outcome, solve
from pegs_strategies import legal_plays, puzzles
from pegs_witness import Witness

LINE = Puzzle.of(["oo.o.."])
CROSS = Puzzle.of(["..o..", ".ooo.", "..o..", "..o..", "....."])


def witness_after(puzzle: Puzzle, play: Play, number: int) -> Witness:
    """The witness for the position after the first `number` jumps."""
    height, width, cells, _, finals = puzzle.kernel_arguments
    witness = Witness(*puzzle.kernel_arguments)
    left = witness.replay(play.jumps[:number])
    assert left is not None
    return Witness(height, width, cells, sum(1 << row * width + column for row, column in left), finals)


@settings(max_examples=100)
@given(st.data())
def test_hints_are_true(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(most=4))
    play = data.draw(legal_plays(puzzle))
    step = hint(puzzle, play)
    winnable = witness_after(puzzle, play, len(play.jumps)).is_solvable()
    if step.technique == LOST:
        assert not winnable
        back = [
            number
            for number in range(1, len(play.jumps) + 1)
            if witness_after(puzzle, play, len(play.jumps) - number).is_solvable()
        ]
        assert step.take_back == (back[0] if back else 0)
    else:
        assert winnable
        steps = list(hints(puzzle, play))
        whole = Play(puzzle.height, puzzle.width, (*play.jumps, *(jump for step in steps for jump in step.jumps)))
        assert not rules.check(puzzle, whole)
        assert whole.is_complete(puzzle)
        assert {step.technique for step in steps} == {JUMP if len(whole.jumps) > len(play.jumps) else WON}


def test_hint_in_words() -> None:
    first, second = hints(LINE)
    assert first.sentence == "jump from r1c1 over r1c2 to r1c3; 2 pegs left, and the game can still be won"
    assert second.sentence == "jump from r1c4 over r1c3 to r1c2; 1 peg left, and that wins the game"
    assert first.as_json() == {
        "technique": "jump",
        "sentence": first.sentence,
        "jumps": [[0, 0, 3]],
        "take_back": 0,
    }


def test_a_lost_game_is_taken_back() -> None:
    board = Puzzle.of([".oo.o"])
    lost = Play(1, 5, ((0, 2, 2),))
    step = hint(board, lost)
    assert (step.technique, step.take_back) == (LOST, 1)
    assert "take back 1 jump" in step.sentence
    assert step.jumps == ((0, 1, 3),)
    assert not hint(board, Play(1, 5, ())).take_back


def test_lost_from_the_start() -> None:
    step = hint(Puzzle.of(["o.oo.", "....."]), Play(2, 5, ((0, 3, 2),)))
    assert (step.technique, step.jumps) == (JUMP, ((0, 0, 3),))
    step = hint(Puzzle.of(["o...o", "oo..."]), Play(2, 5, ((1, 0, 3),)))
    assert (step.technique, step.take_back) == (LOST, 0)
    assert step.sentence.endswith("it was lost from the start")


def test_a_jump_that_cannot_be_made() -> None:
    step = hint(LINE, Play(1, 6, ((0, 3, 3),)))
    assert step.technique == ILLEGAL
    assert "jump 1" in step.sentence


def test_explains_moves_and_proofs() -> None:
    told = explainer.explain(CROSS)
    assert told.solved == Witness(*CROSS.kernel_arguments).is_solvable()
    won = explainer.explain(LINE)
    assert won.solved
    assert [len(step.jumps) for step in won.steps] == [1, 1]
    assert won.steps[1].picture.split() == [".", "o", ".", ".", ".", "."]
    lost = explainer.explain(Puzzle.of(["ooooo", "ooooo", "oo.oo", "ooooo", "ooooo"]))
    assert not lost.solved
    assert [step.technique for step in lost.steps] == ["class"]
    assert len(lost.steps[0].picture.splitlines()) == 5
    assert lost.steps[0].evidence == lost.steps[0].picture
    assert not won.steps[0].evidence
    assert (won.end, lost.end) == ("solved, 2 moves", "impossible")
    assert explainer.explain(Puzzle.of(["oo."])).end == "solved, 1 move"


def test_explanations_as_json_have_the_parts_of_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it: the proof is read back and judged."""
    board = Puzzle.of(["....", "oo.o", ".ooo", "o.o."])
    refuted = Outcome(board, IMPOSSIBLE, (), proofs.refute(board), 1, Play(4, 4, ()))
    monkeypatch.setattr(explainer, "solve", lambda puzzle, **_: refuted)
    steps = [step.as_json() for step in explainer.explain(board).steps]
    assert [step["technique"] for step in steps] == ["class", "integer"]
    text = json.dumps({"parts": [step["part"] for step in steps]})
    (proof,) = proof_notation.read(text.encode())
    assert explainer.verify(board, proof).good


@settings(max_examples=60)
@given(st.data())
def test_outlook(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(most=4))
    play = data.draw(legal_plays(puzzle))
    found = explainer.outlook(puzzle, play)
    number = puzzle.number - len(play.jumps)
    assert (found is None) == (number == 1)
    if found:
        assert found.good == witness_after(puzzle, play, len(play.jumps)).is_solvable()


@settings(max_examples=60)
@given(puzzles(most=4), st.integers(0, 7))
def test_ratings_are_exact(puzzle: Puzzle, symmetry: int) -> None:
    rating, witness = rate(puzzle), Witness(*puzzle.kernel_arguments)
    if rating.number is None:
        assert rating.level == "impossible"
        assert not witness.is_solvable()
    else:
        assert rating.counts == {"games": witness.games(), "winning games": witness.sequences()}
        share = witness.sequences() / witness.games()
        assert 2**-rating.number == pytest.approx(share, rel=0.04)
        limits = (2**-3, 2**-7, 2**-12, 0)
        assert rating.level == explainer.LEVELS[next(at for at, limit in enumerate(limits) if share >= limit)]
    assert rate(puzzle.transformed(symmetry)) == rating


def test_what_to_take_back_is_asked_in_the_time_of_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long play that is lost must not take a minute a jump: when the time is over each position gets a glance."""
    budgets: list[float | None] = []

    def noted(puzzle: Puzzle, *, board: Play, seconds: float | None = None) -> Outcome:
        budgets.append(seconds)
        return solve(puzzle, board=board)

    monkeypatch.setattr(explainer, "solve", noted)
    monkeypatch.setattr(explainer, "SECONDS", 0.0)
    lost = Puzzle.of(["ooo.", "...."])
    (step,) = explainer.hints(lost, Play(2, 4, ((0, 1, 3),)))
    assert (step.technique, step.take_back) == ("lost", 0)
    assert budgets == [None, explainer._GLANCE]
