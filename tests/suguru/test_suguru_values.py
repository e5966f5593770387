"""Suguru's values: what is a puzzle and what is none, symmetries, letters, pictures."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dnd import grid
from dnd.diagnostic import InputError
from dnd.suguru.puzzle import HOLE, Board, Puzzle, PuzzleError, Solution, components, numbered, picture, sides
from suguru_strategies import boards, puzzles
from suguru_witness import random_cages

SMALL = Puzzle.of(["AAB", "AAB", "ACB"], [[1, 0, 0], [0, 0, 0], [0, 0, 3]], name="small")
SOLVED = Solution(SMALL, (1, 4, 1, 2, 5, 2, 3, 1, 3))


def test_parts() -> None:
    assert SMALL.cages == (0, 0, 1, 0, 0, 1, 0, 2, 1)
    assert SMALL.cage_cells == ((0, 1, 3, 4, 6), (2, 5, 8), (7,))
    assert [SMALL.size_at(cell) for cell in (0, 5, 7)] == [5, 3, 1]
    assert SMALL.kernel_arguments == (3, 3, SMALL.cages, (1, 0, 0, 0, 0, 0, 0, 0, 3))
    assert SMALL.line() == "3x3:AABAABACB:1.......3"
    assert SOLVED.line() == "3x3:AABAABACB:1.......3:141252313"
    assert repr(SMALL) == "<Puzzle 3x3:AABAABACB:1.......3>"
    assert repr(SOLVED) == "<Solution 3x3:AABAABACB:1.......3:141252313>"


def test_equal_by_value_without_the_name() -> None:
    other = Puzzle.of(["XXY", "XXY", "XZY"], [[1, 0, 0], [0, 0, 0], [0, 0, 3]])
    assert other == SMALL
    assert hash(other) == hash(SMALL)
    assert other != Puzzle.of(["XXY", "XXY", "XZY"])


def test_letters_are_used_again() -> None:
    puzzle = Puzzle.of(["AB", "BA"])
    assert puzzle.cages == (0, 1, 2, 3)
    assert Puzzle.of(["A#", "#A"]).cages == (0, HOLE, HOLE, 1)
    assert Puzzle.of([[5, None], [5, 5]]).cages == (0, HOLE, 0, 0)


def test_numbered_and_components() -> None:
    assert numbered("BAB#") == (0, 1, 0, HOLE)
    assert components("BAB#", 4) == (0, 1, 2, HOLE)
    assert components("BAB#", 2) == (0, 1, 0, HOLE)


def test_sides() -> None:
    assert sides(0, 3, 9) == [1, 3]
    assert sides(4, 3, 9) == [1, 3, 5, 7]
    assert sides(5, 3, 9) == [2, 4, 8]


@given(puzzles())
def test_symmetries_keep_the_shape_of_cages(puzzle: Puzzle) -> None:
    copies = puzzle.symmetries()
    assert copies[0] == puzzle
    sizes = sorted(map(len, puzzle.cage_cells))
    assert all(sorted(map(len, copy.cage_cells)) == sizes for copy in copies)
    assert {copy.canonical() for copy in copies} == {puzzle.canonical()}
    for symmetry in range(4):
        assert puzzle.transformed(symmetry).transformed(symmetry) == puzzle  # mirrors and half turns undo themselves


@given(st.data())
def test_boards_move_with_their_puzzle(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles())
    board = data.draw(boards(puzzle))
    symmetry = data.draw(st.sampled_from(grid.SYMMETRIES))
    moved, copy = board.transformed(symmetry), puzzle.transformed(symmetry)
    assert moved.unknown_in(copy) == board.unknown_in(puzzle)
    assert moved.with_givens(copy) == board.with_givens(puzzle).transformed(symmetry)


def test_solution_moves() -> None:
    turned = SOLVED.transformed(5)
    assert turned.puzzle == SMALL.transformed(5)
    assert turned.board == SOLVED.board.transformed(5)


def test_what_a_board_knows() -> None:
    board = Board(3, 3, (0, 4, 0, 0, 0, 0, 0, 0, 0))
    assert board.unknown_in(SMALL) == 6
    assert not board.is_complete(SMALL)
    assert SOLVED.board.is_complete(SMALL)
    assert board.with_givens(SMALL).values == (1, 4, 0, 0, 0, 0, 0, 0, 3)
    with pytest.raises(PuzzleError, match="shape-mismatch"):
        Board(2, 3, (0,) * 6).with_givens(SMALL)


def test_holes_are_not_unknown() -> None:
    puzzle = Puzzle.of(["A#", "AA"])
    assert puzzle.cell_number == 3
    assert Board(2, 2, (0, 0, 0, 0)).unknown_in(puzzle) == 3
    assert puzzle.size_at(1) == 0
    assert puzzle.line() == "2x2:A_AA:._.."


@pytest.mark.parametrize(
    ("make", "code", "where", "message"),
    [
        (lambda: Puzzle(0, 1, (), ()), "empty-board", ("height", None), "height 0 and width 1"),
        (lambda: Puzzle(1, 65, (0,) * 65, (0,) * 65), "too-large", ("width", None), "width 65"),
        (lambda: Puzzle(65, 1, (0,) * 65, (0,) * 65), "too-large", ("height", None), "height 65"),
        (lambda: Puzzle(1, 2, (0,), (0, 0)), "cell-number", ("", None), "1 cages for the 2 cells"),
        (lambda: Puzzle(1, 2, (0, 0), (0,)), "cell-number", ("", None), "1 givens for the 2 cells"),
        (lambda: Puzzle(1, 2, (0, True), (0, 0)), "value-type", ("cell", (0, 1)), "r1c2"),
        (lambda: Puzzle(1, 2, (0, 1.0), (0, 0)), "value-type", ("cell", (0, 1)), "r1c2"),  # type: ignore[arg-type]
        (lambda: Puzzle(1, 2, (1, 0), (0, 0)), "cage-order", ("", None), "order of their first cells"),
        (lambda: Puzzle(1, 2, (0, 2), (0, 0)), "cage-order", ("", None), "order of their first cells"),
        (lambda: Puzzle(1, 2, (0, -2), (0, 0)), "cage-order", ("", None), "order of their first cells"),
        (lambda: Puzzle(1, 2, (-1, -1), (0, 0)), "no-cells", ("", None), "only holes"),
        (lambda: Puzzle(1, 3, (0, 1, 0), (0,) * 3), "cage-disconnected", ("cell", (0, 2)), "its cage at r1c1"),
        (lambda: Puzzle(2, 2, (0, 1, 1, 0), (0,) * 4), "cage-disconnected", ("cell", (1, 0)), "its cage at r1c2"),
        (lambda: Puzzle(1, 33, (0,) * 33, (0,) * 33), "cage-size", ("cage", 0), "33 cells, more than 32"),
        (lambda: Puzzle(1, 1, (0,), (33,)), "given-range", ("given", (0, 0)), "is 33"),
        (lambda: Puzzle(1, 1, (0,), (-1,)), "given-range", ("given", (0, 0)), "is -1"),
        (lambda: Puzzle(1, 1, (0,), (10**9,)), "given-range", ("given", (0, 0)), "too large for any cage"),
        (lambda: Puzzle(1, 2, (0, -1), (0, 1)), "given-in-hole", ("given", (0, 1)), "r1c2 is a hole"),
        (lambda: Puzzle(1, 1, (0,), (True,)), "value-type", ("cell", (0, 0)), "not a whole number"),
        (lambda: Puzzle.of(["AA", "A"]), "row-length", ("", None), "a row of 1 cell in"),
        (lambda: Puzzle.of([]), "empty-board", ("height", None), "height 0"),
        (lambda: Board(1, 1, (33,)), "value-range", ("cell", (0, 0)), "is 33"),
        (lambda: Board(1, 2, (1,)), "cell-number", ("", None), "1 values for the 2 cells"),
    ],
)
def test_values_that_are_none(
    make: Callable[[], Puzzle | Board], code: str, where: tuple[str, object], message: str
) -> None:
    with pytest.raises(PuzzleError) as caught:
        make()
    error = caught.value
    assert isinstance(error, InputError)
    assert error.diagnostic.code == code
    assert error.where == where
    assert message in str(error)


def test_a_given_beyond_its_cage_is_a_puzzle() -> None:
    assert Puzzle.of(["A"], [[9]]).givens == (9,)


def test_cages_of_the_largest_size() -> None:
    assert Puzzle.of(["A" * 32]).size_at(0) == 32
    assert Puzzle.of(["A" * 32, "B" * 32] * 32).height == 64


@settings(max_examples=50)
@given(st.integers(0, 10**9), st.integers(1, 20), st.integers(1, 20), st.sampled_from([0.0, 0.2]))
def test_letters_draw_the_cages(seed: int, height: int, width: int, holes: float) -> None:
    """No two cages of one letter touch by a side, so that the letters alone say what the cages are."""
    cages = random_cages(height, width, random.Random(seed), 4, holes)
    if all(cage is None for row in cages for cage in row):
        cages[0][0] = 0
    puzzle = Puzzle.of(cages)
    assert Puzzle.of(puzzle.letters()) == puzzle
    assert set("".join(puzzle.letters())) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ#")


def test_letters_of_a_cage_with_more_neighbours_than_letters() -> None:
    """66 single cells around a cage of 32: the cage still finds a letter that none of them has."""
    rows = [list(range(34)), [34, *[100] * 32, 35], list(range(36, 70))]
    puzzle = Puzzle.of(rows)
    assert len(puzzle.cage_cells) == 71
    assert Puzzle.of(puzzle.letters()) == puzzle


def test_letters_as_far_as_they_last() -> None:
    puzzle = Puzzle(1, 26, tuple(range(26)), (0,) * 26)
    assert puzzle.letters() == ["ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def test_picture() -> None:
    assert picture(SMALL) == "\n".join(
        [
            "┏━━━━━━━┳━━━┓",
            "┃ \U0001d7cf   . ┃ . ┃",
            "┃       ┃   ┃",
            "┃ .   . ┃ . ┃",
            "┃   ┏━━━┫   ┃",
            "┃ . ┃ . ┃ \U0001d7d1 ┃",
            "┗━━━┻━━━┻━━━┛",
        ]
    )
    assert "┃ \U0001d7cf   4 ┃ 1 ┃" in str(SOLVED)


def test_picture_of_holes_and_large_numbers() -> None:
    puzzle = Puzzle.of(["#" + "A" * 12], [[0, 12, *[0] * 11]])
    top, row, _ = picture(puzzle).split("\n")
    assert top.startswith("┏━━━┳━━━━")
    assert row.startswith("┃ # ┃\U0001d7cf\U0001d7d0   . ")


def test_svg() -> None:
    drawn = ET.fromstring(SOLVED._repr_svg_())
    texts = [part for part in drawn if part.tag.endswith("text")]
    assert "".join(part.text or "" for part in texts) == "141252313"
    assert [part.get("font-weight") for part in texts] == ["bold", *[None] * 7, "bold"]
    squares = [part for part in drawn if part.tag.endswith("rect")]
    assert [part.get("stroke-width") for part in squares] == ["1"] * 9
    assert ET.fromstring(SMALL._repr_svg_()) is not None
