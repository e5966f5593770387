"""Peg solitaire's values: what is a puzzle and what is none, jumps, symmetries, pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dnd import grid
from dnd.diagnostic import InputError
from dnd.pegs import draw
from dnd.pegs.puzzle import (
    Play,
    Puzzle,
    PuzzleError,
    Solution,
    after,
    frames,
    jumps_of,
    legal_part,
    picture,
    positions,
    run_count,
    weights,
    words,
)
from pegs_strategies import drawn, legal_plays, plays, puzzles

ENGLISH = Puzzle.of(["##ooo##", "##ooo##", "ooooooo", "oooxooo", "ooooooo", "##ooo##", "##ooo##"], name="english")
# Six pegs around a corner: two moves, the second of four jumps.
SMALL = Puzzle.of(["oo.", "oo.", "o.o"], name="small")
LINE = Puzzle.of(["oo.x"])


def test_parts() -> None:
    assert ENGLISH.number == 32
    assert ENGLISH.final == (3, 3)
    assert ENGLISH.finals == 1 << 24
    assert ENGLISH.cells.bit_count() == 33
    assert ENGLISH.cells & ~ENGLISH.pegs == 1 << 24
    assert ENGLISH.kernel_arguments == (7, 7, ENGLISH.cells, ENGLISH.pegs, 1 << 24)
    assert SMALL.finals == SMALL.cells == 0b111111111
    assert ENGLISH.line() == "7x7/2_3o2_/2_3o2_/7o/3o.3o/7o/2_3o2_/2_3o2_:3,3"
    assert SMALL.line() == "3x3/2o./2o./o.o"
    assert SMALL.line(Play(3, 3, ((0, 0, 3), (1, 0, 3)))) == "3x3/2o./2o./o.o::00r,10r"
    assert repr(SMALL) == "<Puzzle 3x3/2o./2o./o.o>"


def test_rows_may_be_short_and_blank_outside() -> None:
    blank = Puzzle.of(["  ooo", "  ooo", "ooooooo", "oooxooo", "ooooooo", "  ooo", "  ooo"])
    assert blank == ENGLISH
    assert Puzzle.of(["X."], None) == Puzzle(1, 2, 0b11, 0b01, (0, 0))
    assert Puzzle.of(["X."], (0, 0)) == Puzzle.of(["o."], (0, 0)) == Puzzle.of(["o."], [0, 0])  # type: ignore[arg-type]


def test_equal_by_value_without_the_name() -> None:
    other = Puzzle.of(["oo.", "oo.", "o.o"])
    assert other == SMALL
    assert hash(other) == hash(SMALL)
    assert other != Puzzle.of(["oo.", "oo.", "o.X"])


def test_jumps_of_a_board() -> None:
    assert jumps_of(1, 4, 0b1111) == (
        ((0, 0, 3), 0b0001, 0b0010, 0b0100),
        ((0, 1, 3), 0b0010, 0b0100, 0b1000),
        ((0, 2, 2), 0b0100, 0b0010, 0b0001),
        ((0, 3, 2), 0b1000, 0b0100, 0b0010),
    )
    assert jumps_of(1, 4, 0b1011) == ()
    assert len(jumps_of(*ENGLISH.kernel_arguments[:3])) == 76
    assert len(jumps_of(16, 16, grid.full(16, 16))) == 4 * 16 * 14


@given(puzzles())
def test_jumps_are_in_order_and_have_their_cells(puzzle: Puzzle) -> None:
    found = jumps_of(puzzle.height, puzzle.width, puzzle.cells)
    assert [jump for jump, *_ in found] == sorted(jump for jump, *_ in found)
    for jump, start, over, end in found:
        assert [grid.cells(bit, puzzle.width) for bit in (start, over, end)] == [
            (jump[:2],),
            (draw.over(jump),),
            (draw.landing(jump),),
        ]
        assert not (start | over | end) & ~puzzle.cells


def test_positions_after_jumps() -> None:
    jumps = ((5, 3, 0), (4, 1, 3))
    assert [pegs.bit_count() for pegs in positions(ENGLISH, jumps)] == [32, 31, 30]
    assert after(ENGLISH, ()) == ENGLISH.pegs
    assert after(ENGLISH, jumps) == list(positions(ENGLISH, jumps))[-1]
    assert legal_part(ENGLISH, jumps) == (2, after(ENGLISH, jumps))
    assert legal_part(ENGLISH, [(5, 3, 0), (5, 3, 0), (4, 1, 3)]) == (1, after(ENGLISH, jumps[:1]))
    with pytest.raises(KeyError):
        after(ENGLISH, [(0, 0, 0)])


@given(st.data())
def test_each_legal_jump_takes_a_peg(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles())
    play = data.draw(legal_plays(puzzle))
    legal, pegs = legal_part(puzzle, play.jumps)
    assert legal == len(play.jumps)
    assert pegs == after(puzzle, play.jumps)
    assert pegs.bit_count() == puzzle.number - legal
    assert play.unknown_in(puzzle) == pegs.bit_count() - 1
    assert play.is_complete(puzzle) == (pegs.bit_count() == 1)


def test_a_run_of_jumps_by_one_peg_is_a_move() -> None:
    jumps = [(4, 4, 0), (2, 4, 2), (4, 2, 0), (2, 2, 3), (2, 4, 1)]
    assert run_count(jumps) == 2
    assert run_count([]) == 0
    assert words(jumps) == "r5c5 up left, r5c3 up right down"
    assert run_count([(0, 0, 3), (0, 0, 3)]) == 2
    assert Solution(LINE, ((0, 0, 3),)).moves == 1


# ---------------------------------------------------------------- symmetries


@given(st.data())
def test_plays_move_with_their_puzzle(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles())
    play = data.draw(plays(puzzle))
    symmetry = data.draw(st.sampled_from(grid.SYMMETRIES))
    moved, copy = play.transformed(symmetry), puzzle.transformed(symmetry)
    legal, pegs = legal_part(puzzle, play.jumps)
    shape = puzzle.height, puzzle.width
    assert legal_part(copy, moved.jumps) == (legal, grid.move_mask(symmetry, pegs, *shape))
    assert copy.finals == grid.move_mask(symmetry, puzzle.finals, *shape)
    assert (copy.final is None) == (puzzle.final is None)


@given(puzzles(most=5), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
def test_symmetric_and_shifted_copies_are_one(puzzle: Puzzle, top: int, left: int, below: int, right: int) -> None:
    copies = puzzle.symmetries()
    assert copies[0] == puzzle
    shifted = puzzle.placed(puzzle.height + top + below, puzzle.width + left + right, top, left)
    assert {copy.canonical() for copy in [*copies, shifted]} == {puzzle.canonical()}
    assert shifted.cropped() == puzzle.cropped()
    assert shifted.number == puzzle.number
    assert puzzle.canonical().canonical() == puzzle.canonical()


def test_canonical_tells_puzzles_apart() -> None:
    tasks = [["oo."], ["oox"], ["o.o"], ["oo.."], ["o", "o", "."]]
    assert len({Puzzle.of(rows).canonical() for rows in tasks}) == 4


# ---------------------------------------------------------------- pictures


def test_picture() -> None:
    assert str(ENGLISH) == picture(ENGLISH) == "\n".join(
        [
            "    o o o",
            "    o o o",
            "o o o o o o o",
            "o o o x o o o",
            "o o o o o o o",
            "    o o o",
            "    o o o",
        ]
    )  # fmt: skip
    assert picture(LINE, Play(1, 4, ((0, 0, 3),))) == "o o . x\n\nr1c1 right"
    assert str(Solution(LINE, ((0, 0, 3),))) == "o o . x\n\nr1c1 right"
    assert picture(LINE, Play(1, 4, ())) == "o o . x"


def test_picture_of_rows_and_columns_that_are_outside() -> None:
    assert str(LINE.placed(3, 6, 1, 1)) == "# # # # # #\n# o o . x #\n# # # # # #"


def test_marks_and_tables() -> None:
    assert draw.text(1, 4, 0b1111, 0b0011, None, [(0, 1)]) == "o o*. ."
    assert weights(LINE, [-1, 10, 2, 3]) == "[-1][10]  2   3"
    assert weights(LINE, "abcd", pegs=0b1000) == " a  b  c [d]"
    assert weights(Puzzle.of(["#o.", "o.#"]), [9, 1, 2, 3, 4, 9]) == "   [1] 2\n[3] 4"


def test_frames() -> None:
    assert list(frames(LINE, Play(1, 4, ((0, 0, 3), (0, 0, 3))))) == ["start\no o . x", "1. r1c1 right\n. . o*x"]


@given(drawn())
def test_svg(case: tuple[Puzzle, Play | None]) -> None:
    puzzle, _ = case
    svg = ET.fromstring(puzzle._repr_svg_())
    circles = svg.findall("{*}circle")
    assert len(circles) == puzzle.cells.bit_count()
    assert len({circle.get("r") for circle in circles}) == 1 + (puzzle.pegs != puzzle.cells)
    assert len(svg.findall("{*}rect")) == puzzle.cells.bit_count() + (puzzle.final is not None)


# ---------------------------------------------------------------- what is none


@pytest.mark.parametrize(
    ("make", "code", "where"),
    [
        (lambda: Puzzle(0, 3, 1, 1), "empty-board", ("height", None)),
        (lambda: Puzzle(3, 0, 1, 1), "empty-board", ("width", None)),
        (lambda: Puzzle(17, 3, 1, 1), "too-large", ("height", None)),
        (lambda: Puzzle(3, 17, 1, 1), "too-large", ("width", None)),
        (lambda: Puzzle.of([]), "empty-board", ("height", None)),
        (lambda: Puzzle.of(["o" * 17]), "too-large", ("width", None)),
        (lambda: Puzzle(1, 3, 0b1111, 1), "mask-range", ("", None)),
        (lambda: Puzzle(1, 3, -1, 1), "mask-range", ("", None)),
        (lambda: Puzzle(1, 3, 0b111, True), "mask-range", ("", None)),
        (lambda: Puzzle(1, 3, 0b111, 1.0), "mask-range", ("", None)),  # type: ignore[arg-type]
        (lambda: Puzzle(1, 3, 0b101, 0b011), "peg-outside", ("cell", (0, 1))),
        (lambda: Puzzle(1, 3, 0b101, 0), "no-pegs", ("", None)),
        (lambda: Puzzle.of(["..."]), "no-pegs", ("", None)),
        (lambda: Puzzle.of(["o?."]), "bad-letter", ("cell", (0, 1))),
        (lambda: Puzzle.of(["oxx"]), "final-twice", ("cell", (0, 2))),
        (lambda: Puzzle.of(["oo.x"], (0, 2)), "final-twice", ("cell", (0, 3))),
        (lambda: Puzzle.of(["oo#"], (0, 2)), "final-outside", ("final", (0, 2))),
        (lambda: Puzzle.of(["oo."], (0, 3)), "final-outside", ("final", (0, 3))),
        (lambda: Puzzle.of(["oo."], (-1, 0)), "final-outside", ("final", (-1, 0))),
        (lambda: Puzzle.of(["oo."], (10**9, 0)), "final-outside", ("final", (0, 0))),
        (lambda: Puzzle.of(["oo."], (0, True)), "final-outside", ("final", (0, 0))),
        (lambda: Puzzle.of(["oo."], (0,)), "final-outside", ("final", (0, 0))),  # type: ignore[arg-type]
        (lambda: Play(1, 3, ((0, 0, 4),)), "bad-jump", ("jump", 0)),
        (lambda: Play(1, 3, ((0, 0, 3), (0, 0, -1))), "bad-jump", ("jump", 1)),
        (lambda: Play(1, 3, ((0, 0),)), "bad-jump", ("jump", 0)),  # type: ignore[arg-type]
        (lambda: Play(1, 3, ((0, True, 0),)), "bad-jump", ("jump", 0)),
        (lambda: Play(1, 3, ((0, 0, 1.0),)), "bad-jump", ("jump", 0)),  # type: ignore[arg-type]
        (lambda: Play(1, 3, ((999, 0, 1),)), "bad-jump", ("jump", 0)),
        (lambda: Play(1, 3, (7,)), "bad-jump", ("jump", 0)),  # type: ignore[arg-type]
        (lambda: Play(17, 3, ()), "too-large", ("height", None)),
    ],
)
def test_values_that_are_none(make: Callable[[], object], code: str, where: tuple[str, object]) -> None:
    with pytest.raises(PuzzleError) as caught:
        make()
    assert isinstance(caught.value, InputError)
    assert isinstance(caught.value, ValueError)
    assert (caught.value.diagnostic.code, caught.value.where) == (code, where)
    assert len(str(caught.value)) < 200


def test_a_lone_peg_and_a_board_without_holes_are_puzzles() -> None:
    assert Puzzle.of(["o"]).number == 1
    assert Puzzle.of(["o" * 16] * 16).number == 256
