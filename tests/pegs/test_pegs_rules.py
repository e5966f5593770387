"""Peg solitaire's validators: each fault by example, and against the independent oracle on random plays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dnd.rule
from dnd.diagnostic import InputError
from dnd.pegs import oracle, rules
from dnd.pegs.puzzle import Play, Puzzle, Solution
from dnd.pegs.rules import as_board, check
from dnd.rule import Rule
from pegs_strategies import legal_plays, plays, puzzles

CROSS = Puzzle.of(["#o#", "ooo", "#.#", "#.#"])
LINE = Puzzle.of(["oo.x"])


def codes(puzzle: Puzzle, board: rules.AnyPlay) -> list[str]:
    return [fault.code for fault in check(puzzle, board)]


def test_the_rules_and_the_oracle_have_the_same_codes() -> None:
    assert [rule.code for rule in rules.RULES] == list(oracle.RULES)
    assert all(rule.text for rule in rules.RULES)


def test_a_solution_breaks_nothing() -> None:
    assert check(Puzzle.of(["oo.", "..."], (0, 2)), [(0, 0, 3)]) == []
    assert check(Puzzle.of(["oo.", "..o", "..x"]), [(0, 0, 3), (0, 2, 1)]) == []


@pytest.mark.parametrize(
    ("jumps", "message", "cells"),
    [
        ([(2, 1, 0)], "jump 1, r3c2 up: no peg at r3c2", ((2, 1), (1, 1), (0, 1))),
        ([(0, 1, 1), (0, 1, 1)], "jump 2, r1c2 down: no peg at r1c2", ((0, 1), (1, 1), (2, 1))),
        ([(0, 1, 1), (2, 1, 0)], "jump 2, r3c2 up: nothing to jump over at r2c2", ((2, 1), (1, 1), (0, 1))),
        ([(1, 0, 3)], "jump 1, r2c1 right: the landing cell r2c3 is taken", ((1, 0), (1, 1), (1, 2))),
        ([(1, 0, 0)], "jump 1, r2c1 up: outside the board, r1c1 is not a cell", ((1, 0), (0, 0))),
        ([(1, 1, 0)], "jump 1, r2c2 up: outside the board, it does not stay on the grid", ((1, 1), (0, 1))),
        ([(0, 1, 0)], "jump 1, r1c2 up: outside the board, it does not stay on the grid", ((0, 1),)),
        ([(0, 0, 3)], "jump 1, r1c1 right: outside the board, r1c1 is not a cell", ((0, 0), (0, 1), (0, 2))),
        ([(9, -3, 3)], "jump 1, r10c-2 right: outside the board, it does not stay on the grid", ()),
    ],
)
def test_illegal_jumps(jumps: list[tuple[int, int, int]], message: str, cells: tuple[tuple[int, int], ...]) -> None:
    (fault,) = check(CROSS, jumps, ["illegal-jump"])
    assert (fault.code, fault.message, fault.cells) == ("illegal-jump", message, cells)


def test_only_the_first_illegal_jump_is_told() -> None:
    assert [fault.message for fault in check(CROSS, [(0, 0, 0)] * 3)] == [
        "jump 1, r1c1 up: outside the board, r1c1 is not a cell"
    ]


def test_too_many_left() -> None:
    (fault,) = check(CROSS, [(0, 1, 1)])
    assert (fault.code, fault.cells) == ("too-many-left", ((1, 0), (1, 2), (2, 1)))
    assert fault.message == "3 pegs are left and none can jump, at r2c1, r2c3 and r3c2"
    many = Puzzle.of(["o.o.o.o.o.o.o.o.o"[:16]] * 2)
    (fault,) = check(many, ())
    assert fault.message == "16 pegs are left and none can jump"
    assert len(fault.cells) == 16


def test_wrong_final_cell() -> None:
    (fault,) = check(LINE, [(0, 0, 3)])
    assert (fault.code, fault.cells) == ("wrong-final-cell", ((0, 2), (0, 3)))
    assert fault.message == "the last peg stands at r1c3, it must end at r1c4"
    assert check(Puzzle.of(["oo.."]), [(0, 0, 3)]) == []
    assert codes(Puzzle.of(["ox"]), ()) == ["wrong-final-cell"]
    assert codes(Puzzle.of(["X."]), ()) == codes(Puzzle.of(["o."]), ()) == []


def test_a_play_that_goes_on_has_no_fault_yet() -> None:
    assert check(CROSS, ()) == []
    assert check(LINE, ()) == []


def test_the_end_behind_an_illegal_jump_is_where_the_legal_ones_led() -> None:
    assert codes(LINE, [(0, 0, 3), (0, 0, 3)]) == ["illegal-jump", "wrong-final-cell"]
    assert codes(CROSS, [(0, 1, 1), (0, 1, 1)]) == ["illegal-jump", "too-many-left"]
    assert codes(CROSS, [(0, 0, 0), (0, 1, 1)]) == ["illegal-jump"]


def test_each_rule_can_be_run_alone() -> None:
    jumps = [(0, 0, 3), (0, 0, 3)]
    for rule in rules.RULES:
        alone = check(LINE, jumps, [rule.code])
        assert alone == list(rule.check(LINE, as_board(LINE, jumps)))
        assert alone == [fault for fault in check(LINE, jumps) if fault.code == rule.code]
    assert check(LINE, jumps, "illegal-jump") == check(LINE, jumps, ["illegal-jump"])
    with pytest.raises(ValueError, match="there is no rule 'jump'; the rules are illegal-jump, too-many-left"):
        check(LINE, jumps, ["jump"])


@given(st.data())
def test_plays_against_the_oracle(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles())
    play = data.draw(plays(puzzle))
    assert codes(puzzle, play) == oracle.faults(puzzle.rows(marked=False), puzzle.final, play.jumps)


@given(st.data())
def test_what_is_taken_back_mends_all_but_the_start(data: st.DataObject) -> None:
    """No prefix of a legal play has an illegal jump, and none but the whole can be at its end."""
    puzzle = data.draw(puzzles())
    play = data.draw(legal_plays(puzzle))
    for made in range(len(play.jumps)):
        assert check(puzzle, play.jumps[:made]) == []


# ---------------------------------------------------------------- plays in any form

ENGLISH = Puzzle.of(["##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##"])
JUMPS = ((5, 3, 0), (4, 1, 3), (4, 4, 2), (4, 2, 0))


@pytest.mark.parametrize(
    "board",
    [
        Play(7, 7, JUMPS),
        Solution(ENGLISH, JUMPS),
        JUMPS,
        list(JUMPS),
        [list(jump) for jump in JUMPS],
        "r6c4 up, r5c2 right, r5c5 left up",
        "1. r6c4 up\n2. r5c2 right\n3. r5c5 left\n   r5c3 up",
        "r6c4u r5c2r;r5c5l,r5c3u",
        "53u,41r,44l,42u",
        " 53u 41r\n44l 42u ",
        "4 6 0\n2 5 3\n5 5 2\n3 5 0\n",
        "[[5, 3, 0], [4, 1, 3], [4, 4, 2], [4, 2, 0]]",
        Play(16, 16, tuple((row + 1, column + 1, direction) for row, column, direction in JUMPS)),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_plays_in_any_form(board: rules.AnyPlay) -> None:
    assert as_board(ENGLISH, board) == Play(7, 7, JUMPS)


def test_lines_of_a_log_count_from_the_corner_of_a_board_without_room_for_an_edge() -> None:
    wide = Puzzle.of(["o" * 15, "." * 15])
    assert as_board(wide, "4 1 0").jumps == ((1, 4, 0),)
    assert as_board(wide, Play(16, 16, ((1, 4, 0),))).jumps == ((1, 4, 0),)
    assert as_board(Puzzle.of(["o" * 14]), "0 1 0").jumps == ((0, -1, 0),)


@given(st.data())
def test_words_and_signs_read_back(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(most=16))
    play = data.draw(plays(puzzle))
    assert as_board(puzzle, str(play)) == play
    assert as_board(puzzle, puzzle.line(play).rpartition(":")[2]) == play


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("r6c4 up, r5c2 sideways", "bad-jump", (1, 10)),
        ("r6c4", "bad-jump", (1, 1)),
        ("r6c4 up,\nup", "bad-jump", (2, 1)),
        ("r6c4 upright", "bad-jump", (1, 1)),
        ("53u\n41x", "bad-jump", (2, 1)),
        ("4 6 4", "bad-jump", (1, 1)),
        ("4 6", "bad-jump", (1, 1)),
        ("r999c1 up", "bad-jump", (1, 1)),
        ("r6c4 up, 999 0 0", "bad-jump", (1, 10)),
        ("[[5, 3, 0]", "bad-json", (1, 1)),
        ("\n[[5, 3]]", "bad-jump", (2, 1)),
        ("[[5, 3, 4]]", "bad-jump", (1, 1)),
        ("[5, 3, 0]", "bad-jump", (1, 1)),
        ("[" * 100_000, "bad-json", (1, 1)),
        ("?" * 1_000_000, "bad-jump", (1, 1)),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_texts_that_are_no_plays(text: str, code: str, place: tuple[int, int]) -> None:
    with pytest.raises(InputError) as caught:
        as_board(ENGLISH, text)
    found = caught.value.diagnostic
    assert found.span is not None
    assert (found.code, (found.span.line, found.span.column)) == (code, place)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("board", "code"),
    [
        (Play(7, 6, ()), "board-conflict"),
        (Solution(LINE, ()), "board-conflict"),
        ([(5, 3, 9)], "bad-jump"),
        ([5, 3, 0], "bad-jump"),
    ],
    ids=repr,
)
def test_plays_that_do_not_fit(board: rules.AnyPlay, code: str) -> None:
    with pytest.raises(InputError) as caught:
        as_board(ENGLISH, board)
    assert caught.value.diagnostic.code == code


def test_what_is_no_play() -> None:
    with pytest.raises(TypeError, match="not int"):
        as_board(ENGLISH, 7)  # type: ignore[arg-type]


# ---------------------------------------------------------------- rules of other packages


class Point:
    value = "somewhere:RULE"
    name = "mine"

    def __init__(self, loaded: object) -> None:
        self.loaded = loaded

    def load(self) -> object:
        return self.loaded


@pytest.fixture(autouse=True)
def _forget_plug_ins() -> Iterator[None]:
    yield
    rules.all_rules.cache_clear()


def test_rules_of_plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Rule("no-left", "no jumps to the left", lambda puzzle, board: iter(()))
    rules.all_rules.cache_clear()
    monkeypatch.setattr(dnd.rule, "plug_ins", lambda group: [Point(mine)] if group == "dnd.pegs.rules" else [])
    assert rules.all_rules() == (*rules.RULES, mine)


@pytest.mark.parametrize("loaded", [object(), Rule("illegal-jump", "", lambda puzzle, board: iter(()))])
def test_plug_ins_that_are_none(monkeypatch: pytest.MonkeyPatch, loaded: object) -> None:
    rules.all_rules.cache_clear()
    monkeypatch.setattr(dnd.rule, "plug_ins", lambda group: [Point(loaded)])
    with pytest.raises(RuntimeError, match=r"somewhere:RULE"):
        rules.all_rules()
