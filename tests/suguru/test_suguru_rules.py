"""Suguru's validators: against the naive oracle on complete boards, sound and complete on partial ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dnd.rule
from dnd.diagnostic import InputError
from dnd.rule import Rule
from dnd.suguru import rules
from dnd.suguru.puzzle import HOLE, Board, Puzzle, PuzzleError, Solution
from dnd.suguru.rules import all_rules, as_board, check
from suguru_strategies import boards, puzzles
from suguru_witness import RULES, Grid, brute_force, completions, faults, random_cages, random_givens, rows_of

CODES = [rule.code for rule in rules.RULES]
PUZZLE = Puzzle.of(["AAB", "AAB", "ACB"], [[1, 0, 0], [0, 0, 0], [0, 0, 3]])
SOLVED = "141\n252\n313"


def witness(puzzle: Puzzle, board: Board) -> Grid:
    cages = [None if cage == HOLE else cage for cage in puzzle.cages]
    names = [cages[start : start + puzzle.width] for start in range(0, len(cages), puzzle.width)]
    return Grid(names, rows_of(puzzle.givens, puzzle.width), rows_of(board.values, puzzle.width))


def codes(puzzle: Puzzle, board: str) -> list[str]:
    return [diagnostic.code for diagnostic in check(puzzle, board)]


def test_the_rules_and_the_oracle_have_the_same_codes() -> None:
    assert list(RULES) == CODES
    assert all_rules()[: len(CODES)] == rules.RULES
    assert all(rule.text for rule in rules.RULES)


def test_a_solution_breaks_nothing() -> None:
    assert check(PUZZLE, SOLVED) == []


@pytest.mark.parametrize(
    ("board", "code", "cells", "message"),
    [
        ("141\n252\n314", "cage-value-range", ((2, 2),), "r3c3 is 4, its cage has only 3 cells"),
        ("142\n252\n313", "cage-repeat", ((0, 2), (1, 2)), "the cage of 3 cells at r1c3 has 2 at r1c3 and r2c3"),
        ("142\n252\n313", "touching-equals", ((0, 2), (1, 2)), "r1c3 and r2c3 touch and are both 2"),
        ("141\n232\n513", "touching-equals", ((1, 1), (2, 2)), "r2c2 and r3c3 touch and are both 3"),
        ("541\n212\n313", "touching-equals", ((0, 2), (1, 1)), "r1c3 and r2c2 touch and are both 1"),
        ("241\n152\n313", "given-changed", ((0, 0),), "r1c1 is 2, but 1 is given there"),
        ("...\n..4\n...", "cage-value-range", ((1, 2),), "r2c3 is 4"),
        ("...\n...\n.2.", "cage-value-range", ((2, 1),), "r3c2 is 2, its cage has only 1 cell"),
    ],
)
def test_faults(board: str, code: str, cells: tuple[tuple[int, int], ...], message: str) -> None:
    told = [diagnostic for diagnostic in check(PUZZLE, board) if diagnostic.code == code]
    assert [diagnostic.cells for diagnostic in told if message in diagnostic.message] == [cells]


def test_each_rule_can_be_run_alone() -> None:
    board = "242\n252\n314"
    assert [d.code for d in check(PUZZLE, board, ["touching-equals"])] == ["touching-equals"] * 2
    assert [d.code for d in check(PUZZLE, board, "cage-value-range")] == ["cage-value-range"]
    with pytest.raises(ValueError, match="there is no rule 'cage'; the rules are cage-repeat, "):
        check(PUZZLE, board, ["cage"])


def test_givens_count_where_the_board_is_silent() -> None:
    assert codes(PUZZLE, ".1.\n...\n...") == ["cage-repeat", "touching-equals"]
    assert codes(Puzzle.of(["A"], [[9]]), ".") == ["cage-value-range"]
    assert codes(Puzzle.of(["AB"], [[1, 1]]), "..") == ["touching-equals"]
    assert codes(Puzzle.of(["AAA"], [[1, 0, 1]]), "...") == ["cage-repeat"]


def test_holes_neither_touch_nor_separate() -> None:
    puzzle = Puzzle.of(["A#", "#B"])
    assert codes(puzzle, "1#\n#1") == ["touching-equals"]
    assert codes(Puzzle.of(["A#B"]), "1#1") == []


@given(st.data())
def test_complete_boards_against_the_oracle(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(most=5, most_given=5))
    board = data.draw(boards(puzzle, most=5, complete=True))
    told = dict.fromkeys(diagnostic.code for diagnostic in check(puzzle, board))
    assert list(told) == faults(*witness(puzzle, board))


def random_case(rng: random.Random) -> tuple[Puzzle, list[list[int | None]]]:
    height, width = rng.choice([(2, 2), (2, 3), (3, 2), (1, 5)])
    cages = random_cages(height, width, rng, 4, 0.1)
    cages[0][0] = 99 if all(cage is None for row in cages for cage in row) else cages[0][0]
    return Puzzle.of(cages, random_givens(cages, rng, 0.2, 3)), cages


@pytest.mark.parametrize("seed", range(6))
def test_partial_boards_by_enumeration(seed: int) -> None:
    """A rule speaks of a partial board exactly when every completion breaks that rule alone."""
    rng, speaks, silent = random.Random(seed), 0, 0
    for _ in range(10):
        puzzle, _ = random_case(rng)
        # Under one rule alone any number may stand in a cell; one more than there are cells is always free.
        most = len(puzzle.cages) + 1 if len(puzzle.cages) < 5 else 3
        values = [0 if c == HOLE or rng.random() < 0.5 else rng.randint(1, 3) for c in puzzle.cages]
        board = Board(puzzle.height, puzzle.width, tuple(values))
        for rule in rules.RULES:
            held = any(RULES[rule.code](grid) for grid in filled(puzzle, board, most))
            if list(rule.check(puzzle, board)):
                assert not held
                speaks += 1
            elif most > 3:
                assert held
                silent += 1
    assert min(speaks, silent) > 3


def filled(puzzle: Puzzle, board: Board, most: int) -> Iterator[Grid]:
    """All boards that the partial board, its givens filled in, can become, with values up to `most`."""
    known = board.with_givens(puzzle).values
    choices = [
        [value] if value or cage == HOLE else range(1, most + 1)
        for value, cage in zip(known, puzzle.cages, strict=True)
    ]
    for values in product(*choices):
        yield witness(puzzle, Board(puzzle.height, puzzle.width, values))


def test_completions_are_all_there() -> None:
    assert list(completions([[1, 0]], 2)) == [[[1, 1]], [[1, 2]]]


@pytest.mark.parametrize("seed", range(30))
def test_legal_boards_are_those_of_the_brute_force(seed: int) -> None:
    """Of all boards of a small puzzle `check` passes exactly the solutions that the brute force finds."""
    rng = random.Random(1000 + seed)
    height, width = rng.choice([(2, 2), (2, 3), (1, 4), (3, 2)])
    cages = random_cages(height, width, rng, 4)
    givens = random_givens(cages, rng, 0.15, 4)
    puzzle = Puzzle.of(cages, givens)
    most = max(map(len, puzzle.cage_cells))
    legal = [
        values
        for values in product(range(1, most + 1), repeat=height * width)
        if not check(puzzle, Board(height, width, values))
    ]
    assert [rows_of(values, width) for values in legal] == brute_force(cages, givens)


def test_boards_in_any_form() -> None:
    board = as_board(PUZZLE, SOLVED)
    values = (1, 4, 1, 2, 5, 2, 3, 1, 3)
    assert board == Board(3, 3, values)
    assert as_board(PUZZLE, board) is not None
    assert as_board(PUZZLE, Solution(PUZZLE, values)) == board
    assert as_board(PUZZLE, values) == board
    assert as_board(PUZZLE, list(values)) == board
    assert as_board(PUZZLE, bytes(values)) == board
    assert as_board(Puzzle.of(["A" * 12]), "123456789abc").values[-1] == 12


@pytest.mark.parametrize(
    ("board", "code", "place"),
    [
        ("14\n25\n31", "row-length", (1, 3)),
        ("141\n252", "row-number", (3, 1)),
        ("141\n252\n313\n111", "row-number", (4, 1)),
        ("141\n2?2\n313", "bad-letter", (2, 2)),
        ("141\n202\n313", "bad-letter", (2, 2)),
        ("141\n2#2\n313", "board-conflict", (2, 2)),
        (b"\x01", "cell-number", None),
        ((1, 4, 1, 2, 5, 2, 3, 1, 33), "value-range", None),
        (Board(1, 1, (1,)), "board-conflict", None),
    ],
)
def test_boards_that_do_not_fit(board: rules.AnyBoard, code: str, place: tuple[int, int] | None) -> None:
    with pytest.raises(InputError) as caught:
        as_board(PUZZLE, board)
    told = caught.value.diagnostic
    assert told.code == code
    assert place is None or (told.span is not None and (told.span.line, told.span.column) == place)


def test_a_value_in_a_hole_does_not_fit() -> None:
    with pytest.raises(InputError, match="board-conflict"):
        as_board(Puzzle.of(["A#"]), (1, 1))
    with pytest.raises(InputError, match="board-conflict"):
        as_board(Puzzle.of(["A#"]), "11")


def test_what_is_no_board() -> None:
    with pytest.raises(TypeError, match="not float"):
        as_board(PUZZLE, 1.5)  # type: ignore[arg-type]


class _Point:
    def __init__(self, loaded: object) -> None:
        self.name, self.value, self.loaded = "more", "somewhere:RULE", loaded

    def load(self) -> object:
        return self.loaded


def plugged(monkeypatch: pytest.MonkeyPatch, loaded: object) -> None:
    def points(group: str) -> list[_Point]:
        return [_Point(loaded)] if group == "dnd.suguru.rules" else []

    monkeypatch.setattr(dnd.rule, "plug_ins", points)
    all_rules.cache_clear()


@pytest.fixture(autouse=True)
def _fresh_rules() -> Iterator[None]:
    yield
    all_rules.cache_clear()


def test_rules_of_plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = Rule("no-five", "no 5", lambda puzzle, board: iter(()))
    plugged(monkeypatch, mine)
    assert all_rules() == (*rules.RULES, mine)
    assert check(PUZZLE, SOLVED, ["no-five"]) == []


@pytest.mark.parametrize("loaded", [object(), Rule("cage-repeat", "", lambda puzzle, board: iter(()))])
def test_plug_ins_that_are_none(monkeypatch: pytest.MonkeyPatch, loaded: object) -> None:
    plugged(monkeypatch, loaded)
    with pytest.raises(RuntimeError):
        all_rules()


def test_shapes_must_agree() -> None:
    with pytest.raises(PuzzleError):
        check(PUZZLE, Board(1, 9, (0,) * 9))
