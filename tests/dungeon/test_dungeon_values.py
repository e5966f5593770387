"""The values: Puzzle, Board, Solution, their symmetries, texts, pictures and errors; the geometry under them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dnd import grid
from dnd.diagnostic import InputError
from dnd.dungeon import draw
from dnd.dungeon.puzzle import Board, Puzzle, PuzzleError, Solution

# Four rows, five columns, no symmetry of its own.
PUZZLE = Puzzle.of([1, 0, None, 2], [2, None, 0, 1, 3], monsters=[(0, 1), (3, 4)], treasures=[(1, 2)], name="small")
# Values of wrong types, behind the back of the type checker.
A_TEXT: Any = ["1"]
A_FLOAT: Any = [1.0]
NOTHING: Any = None
INVERSE = {symmetry: symmetry for symmetry in grid.SYMMETRIES} | {5: 6, 6: 5}


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    height, width = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    rows = draw(st.lists(st.none() | st.integers(0, width), min_size=height, max_size=height))
    columns = draw(st.lists(st.none() | st.integers(0, height), min_size=width, max_size=width))
    monsters, treasures = (draw(st.integers(0, grid.full(height, width))) for _ in range(2))
    return Puzzle(tuple(rows), tuple(columns), monsters, treasures & ~monsters)


@st.composite
def boards(draw: st.DrawFn, puzzle: Puzzle) -> Board:
    cells = st.integers(0, grid.full(puzzle.height, puzzle.width))
    walls = draw(cells)
    return Board(puzzle.height, puzzle.width, walls, draw(cells) & ~walls)


# --- geometry --------------------------------------------------------------------------------------------------------


def test_bit_of_a_cell() -> None:
    assert grid.to_mask([(0, 0)], 8) == 1
    assert grid.to_mask([(2, 1)], 8) == 1 << 17
    assert grid.to_mask([(1, 0), (0, 2)], 3) == 0b1100
    assert grid.cells(0b1100, 3) == ((0, 2), (1, 0))
    assert grid.cells(0, 3) == ()
    assert grid.row_mask(1, 3) == 0b111000
    assert grid.column_mask(1, 2, 3) == 0b010010
    assert grid.full(2, 3) == 0b111111


@settings(deadline=None)
@given(st.data(), st.integers(1, 8), st.integers(1, 8))
def test_neighbourhoods(data: st.DataObject, height: int, width: int) -> None:
    mask = data.draw(st.integers(0, grid.full(height, width)))
    inside = set(grid.cells(mask, width))
    one, two = set(), set()
    for row in range(height):
        for column in range(width):
            around = grid.neighbours((row, column), height, width)
            assert around == sorted(around)
            assert all(abs(row - r) + abs(column - c) == 1 for r, c in around)
            assert len(around) == (row > 0) + (row < height - 1) + (column > 0) + (column < width - 1)
            count = sum(cell in inside for cell in around)
            if count >= 1:
                one.add((row, column))
            if count >= 2:
                two.add((row, column))
    assert set(grid.cells(grid.spread(mask, height, width), width)) == one
    assert [set(grid.cells(part, width)) for part in grid.with_neighbours(mask, height, width)] == [one, two]


@settings(deadline=None)
@given(st.data(), st.integers(1, 6), st.integers(1, 6))
def test_square_corners(data: st.DataObject, height: int, width: int) -> None:
    mask = data.draw(st.integers(0, grid.full(height, width)))
    inside = set(grid.cells(mask, width))
    corners = {(r, c) for r, c in inside if {(r, c + 1), (r + 1, c), (r + 1, c + 1)} <= inside}
    assert set(grid.cells(grid.square_corners(mask, height, width), width)) == corners


@settings(deadline=None)
@given(st.data(), st.integers(1, 6), st.integers(1, 6))
def test_components(data: st.DataObject, height: int, width: int) -> None:
    mask = data.draw(st.integers(0, grid.full(height, width)))
    parts = grid.components(mask, height, width)
    assert sum(parts) == mask  # disjoint, nothing lost
    assert [part & -part for part in parts] == sorted(part & -part for part in parts)
    for part in parts:
        assert not grid.spread(part, height, width) & mask & ~part
        cells = grid.cells(part, width)
        reached = {cells[0]}
        while more := {n for cell in reached for n in grid.neighbours(cell, height, width) if n in cells} - reached:
            reached |= more
        assert reached == set(cells)


def test_a_component_may_touch_at_corners() -> None:
    assert grid.components(grid.to_mask([(0, 0), (1, 1)], 2), 2, 2) == [0b0001, 0b1000]


@pytest.mark.parametrize(
    ("symmetry", "drawn"),
    [
        (0, ["ABC", "DEF"]),
        (1, ["CBA", "FED"]),
        (2, ["DEF", "ABC"]),
        (3, ["FED", "CBA"]),
        (4, ["AD", "BE", "CF"]),
        (5, ["DA", "EB", "FC"]),
        (6, ["CF", "BE", "AD"]),
        (7, ["FC", "EB", "DA"]),
    ],
)
def test_the_eight_symmetries(symmetry: int, drawn: list[str]) -> None:
    assert grid.moved_shape(symmetry, 2, 3) == (len(drawn), len(drawn[0]))
    for row, line in enumerate(["ABC", "DEF"]):
        for column, letter in enumerate(line):
            new_row, new_column = grid.move(symmetry, (row, column), 2, 3)
            assert drawn[new_row][new_column] == letter


# --- Puzzle ----------------------------------------------------------------------------------------------------------


def test_puzzle_parts() -> None:
    assert (PUZZLE.height, PUZZLE.width) == (4, 5)
    assert PUZZLE.rows == (1, 0, None, 2)
    assert PUZZLE.columns == (2, None, 0, 1, 3)
    assert PUZZLE.monster_cells == ((0, 1), (3, 4))
    assert PUZZLE.treasure_cells == ((1, 2),)
    assert PUZZLE.objects == 1 << 1 | 1 << 19 | 1 << 7
    assert PUZZLE.kernel_arguments == (4, 5, (1, 0, -1, 2), (2, -1, 0, 1, 3), 1 << 1 | 1 << 19, 1 << 7)


def test_courses_board_order() -> None:
    monsters = [(0, 5), (5, 0), (7, 2), (7, 7)]
    p1 = Puzzle.of([7, 3, 4, 1, 7, 1, 6, 3], [4, 4, 2, 6, 2, 3, 4, 7], monsters, [(2, 1)])
    assert (p1.monsters, p1.treasures) == (0x8400010000000020, 0x20000)


def test_puzzles_are_equal_by_value_but_for_the_name() -> None:
    other = Puzzle([1, 0, None, 2], [2, None, 0, 1, 3], PUZZLE.monsters, PUZZLE.treasures)  # type: ignore[arg-type]
    assert other == PUZZLE
    assert hash(PUZZLE) == hash(other)
    assert {PUZZLE, other} == {PUZZLE}
    assert Puzzle(PUZZLE.rows, PUZZLE.columns, PUZZLE.monsters) != PUZZLE
    assert Puzzle((None, 0, None, 2), PUZZLE.columns, PUZZLE.monsters, PUZZLE.treasures) != PUZZLE
    other_type: object = "small"
    assert other_type != PUZZLE


@pytest.mark.parametrize("value", [PUZZLE, Board(2, 3, 1, 2), Solution(PUZZLE, 5)])
def test_values_copy_pickle_and_do_not_change(value: object) -> None:
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert twin == value
        assert hash(twin) == hash(value)
        assert type(twin) is type(value)
    with pytest.raises(FrozenInstanceError):
        value.walls = 0  # type: ignore[attr-defined]


def test_copies_keep_the_name() -> None:
    assert pickle.loads(pickle.dumps(PUZZLE)).name == "small"
    assert {copy.name for copy in PUZZLE.symmetries()} == {"small"}


def test_texts_of_a_puzzle() -> None:
    assert PUZZLE.ddn() == "2.013:10.2:1m3/2t2/5/4m"
    assert repr(PUZZLE) == "<Puzzle 2.013:10.2:1m3/2t2/5/4m>"
    assert str(PUZZLE).splitlines() == [" 2?013", "1.M...", "0..T..", "?.....", "2....M"]
    assert PUZZLE.letters() == [".M...", "..T..", ".....", "....M"]
    board = Board(4, 5, walls=0b10001, floors=0b01000)
    assert PUZZLE.letters(board) == ["#M?.#", "??T??", "?????", "????M"]
    assert PUZZLE.ddn(board) == "2.013:10.2:wm1fw/2t2/5/4m"


def test_clues_of_two_digits() -> None:
    wide = Puzzle.of([12, 3], [0] * 12)
    assert str(wide).splitlines()[:2] == [
        "    0  0  0  0  0  0  0  0  0  0  0  0",
        "12  .  .  .  .  .  .  .  .  .  .  .  .",
    ]
    assert wide.ddn() == "000000000000:c3:12/12"
    assert Puzzle.of([32], [0] * 32).ddn() == "0" * 32 + ":w:32"


SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("value", [PUZZLE, Solution(PUZZLE, 1)])
def test_svg_is_well_formed(value: Puzzle | Solution) -> None:
    root = ElementTree.fromstring(value._repr_svg_())
    assert root.tag == f"{SVG}svg"
    assert len(root.findall(f"{SVG}rect")) == 20
    # Nine clues, then the objects in row-major order.
    assert [text.text for text in root.findall(f"{SVG}text")] == [*"2?013", *"10?2", "M", "T", "M"]
    walls = [rect for rect in root.findall(f"{SVG}rect") if rect.get("fill") == "#3d4f6b"]
    assert len(walls) == (1 if isinstance(value, Solution) else 0)


def test_svg_of_unknown_cells() -> None:
    root = ElementTree.fromstring(draw.svg(["?#."], [1], [0, 1, 0]))
    assert [rect.get("fill") for rect in root.findall(f"{SVG}rect")] == ["#e4e4e4", "#3d4f6b", "#ffffff"]


# --- symmetry --------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(puzzles(), st.sampled_from(grid.SYMMETRIES), st.data())
def test_symmetries_move_all_parts_alike(puzzle: Puzzle, symmetry: int, data: st.DataObject) -> None:
    moved = puzzle.transformed(symmetry)
    shape = puzzle.height, puzzle.width
    assert (moved.height, moved.width) == grid.moved_shape(symmetry, *shape)
    assert set(moved.monster_cells) == {grid.move(symmetry, cell, *shape) for cell in puzzle.monster_cells}
    assert set(moved.treasure_cells) == {grid.move(symmetry, cell, *shape) for cell in puzzle.treasure_cells}
    for row in range(puzzle.height):
        for column in range(puzzle.width):
            new_row, new_column = grid.move(symmetry, (row, column), *shape)
            clues = puzzle.rows[row], puzzle.columns[column]
            new_clues = moved.rows[new_row], moved.columns[new_column]
            assert new_clues == (clues if symmetry < 4 else clues[::-1])
    assert moved.transformed(INVERSE[symmetry]) == puzzle
    board = data.draw(boards(puzzle))
    assert board.transformed(symmetry).transformed(INVERSE[symmetry]) == board
    solution = Solution(puzzle, board.walls)
    assert solution.transformed(symmetry).puzzle == moved
    assert solution.transformed(symmetry).board == solution.board.transformed(symmetry)


@settings(deadline=None)
@given(puzzles())
def test_canonical_is_shared_by_all_copies(puzzle: Puzzle) -> None:
    copies = puzzle.symmetries()
    assert copies[0] == puzzle
    assert len(copies) == 8
    assert puzzle.canonical() in copies
    assert {copy.canonical() for copy in copies} == {puzzle.canonical()}


def test_canonical_tells_different_puzzles_apart() -> None:
    assert len(set(PUZZLE.symmetries())) == 8
    other = Puzzle(PUZZLE.rows, PUZZLE.columns, PUZZLE.treasures, PUZZLE.monsters)
    assert other.canonical() != PUZZLE.canonical()
    # The flattest copy, then the least notation.
    assert PUZZLE.transformed(4).canonical() == PUZZLE.canonical()
    assert PUZZLE.canonical().height == 4


# --- Board and Solution ----------------------------------------------------------------------------------------------


def test_board_parts() -> None:
    board = Board(2, 3, walls=0b000011, floors=0b100000)
    assert board.unknown == 0b011100
    assert not board.is_complete
    assert Board(1, 2, 0b01, 0b10).is_complete
    assert Board.complete(2, 3, 0b000011) == Board(2, 3, 0b000011, 0b111100)
    assert Board(1, 1).unknown == 1


def test_solution_parts() -> None:
    solution = Solution(Puzzle.of([1, 0], [0, 1, 0], [(0, 0), (0, 2)]), 0b010)
    assert solution.board == Board.complete(2, 3, 0b010)
    assert solution.wall_cells == ((0, 1),)
    assert solution.letters() == ["M#M", "..."]
    assert solution.ddn() == "010:10:mwm/fff"
    assert repr(solution) == "<Solution 010:10:mwm/fff>"
    assert str(solution) == " 010\n1M#M\n0..."
    assert solution == Solution(Puzzle.of([1, 0], [0, 1, 0], [(0, 0), (0, 2)], name="other"), 0b010)
    assert solution != Solution(solution.puzzle, 0)


def test_walls_hide_objects() -> None:
    assert Solution(Puzzle.of([1], [1], [(0, 0)]), 1).letters() == ["#"]


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "code", "where", "message"),
    [
        (
            lambda: Puzzle.of([], [0]),
            "empty-board",
            ("", None),
            "a board of height 0 and width 1; each must be 1 to 32",
        ),
        (lambda: Puzzle.of([0], []), "empty-board", ("", None), "a board of height 1 and width 0"),
        (lambda: Puzzle.of([0] * 33, [0]), "too-large", ("", None), "a board of height 33 and width 1"),
        (lambda: Puzzle.of([0], [0] * 33), "too-large", ("", None), "a board of height 1 and width 33"),
        (lambda: Puzzle.of([], [0] * 33), "too-large", ("", None), "a board of height 0 and width 33"),
        (lambda: Puzzle.of([0, 4], [0] * 3), "clue-range", ("rows", 1), "the clue of row 2 is 4; it must be 0 to 3"),
        (
            lambda: Puzzle.of([0], [0, -1]),
            "clue-range",
            ("columns", 1),
            "the clue of column 2 is -1; it must be 0 to 1",
        ),
        (lambda: Puzzle.of([True], [0]), "clue-type", ("rows", 0), "the clue of row 1 is not a whole number"),
        (lambda: Puzzle.of([0], A_TEXT), "clue-type", ("columns", 0), "the clue of column 1 is not a whole number"),
        (lambda: Puzzle.of(A_FLOAT, [0]), "clue-type", ("rows", 0), "the clue of row 1 is not a whole number"),
        (lambda: Puzzle((0,), (0,), 2), "outside-board", ("", None), "the mask 0x2 has cells outside a 1x1 board"),
        (lambda: Puzzle((0,), (0,), 0, -1), "outside-board", ("", None), "outside a 1x1 board"),
        (lambda: Puzzle((0,), (0,), True), "mask-type", ("", None), "a mask of cells must be a whole number, not bool"),
        (lambda: Puzzle((0,), (0,), 0, NOTHING), "mask-type", ("", None), "not NoneType"),
        (lambda: Puzzle.of([0], [0, 0], [(0, 2)]), "outside-board", ("", None), "cell (0, 2) lies outside a 1x2 board"),
        (lambda: Puzzle.of([0], [0, 0], [], [(-1, 0)]), "outside-board", ("", None), "cell (-1, 0) lies outside"),
        (lambda: Puzzle.of([0], [0], [(0, 0)] * 2), "repeated-cell", ("cell", (0, 0)), "cell (0, 0) is listed twice"),
        (
            lambda: Puzzle.of([0], [0, 0], [(0, 1)], [(0, 1)]),
            "monster-on-treasure",
            ("cell", (0, 1)),
            "r1c2 holds both a monster and a treasure",
        ),
        (lambda: Board(0, 1), "empty-board", ("", None), "a board of height 0 and width 1"),
        (lambda: Board(1, 33), "too-large", ("", None), "a board of height 1 and width 33"),
        (lambda: Board(1, 1, 2), "outside-board", ("", None), "outside a 1x1 board"),
        (lambda: Board(1, 2, 3, 2), "wall-and-floor", ("cell", (0, 1)), "r1c2 is both wall and floor"),
        (lambda: Board.complete(1, 1, -1), "outside-board", ("", None), "outside a 1x1 board"),
        (lambda: Board.complete(1, 1, A_FLOAT[0]), "mask-type", ("", None), "not float"),
        (lambda: Board.complete(0, 1, 0), "empty-board", ("", None), "a board of height 0 and width 1"),
    ],
)
def test_values_that_are_none(
    make: Callable[[], Puzzle | Board | Solution], code: str, where: tuple[str, object], message: str
) -> None:
    with pytest.raises(PuzzleError) as caught:
        make()
    error = caught.value
    assert isinstance(error, InputError)
    assert isinstance(error, ValueError)
    assert error.diagnostic.code == code
    assert error.where == where
    assert message in str(error)
    assert error.diagnostic.cells == ((where[1],) if where[0] == "cell" else ())


def test_the_largest_board() -> None:
    corner = Puzzle.of([None] * 32, [32] * 32, [(31, 31)])
    assert corner.monsters == 1 << 1023
    assert corner.transformed(3).monsters == 1
