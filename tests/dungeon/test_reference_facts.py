"""Facts about the course's functions, asked of every reference kernel there is.

Each function is compared with a naive computation on lists of lists that shares no code with the
kernels, on random words and on boards near the edge between "accepts" and "rejects"; the search is
held to the solutions and numbers of calls of the course's program. A test is named like the kernel
function it is about, so `-k` picks one: `pytest -k test_deadends`.

That the two kernels agree with each other is tested elsewhere.
"""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from importlib import import_module
from math import comb
from operator import and_, or_
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import needs_compiled
from course import CALLS, PROBLEMS, SOLUTIONS, Problem
from dnd.dungeon.kernel import tables

Grid = list[list[bool]]
Situation = tuple[Problem, int]

FULL = 2**64 - 1
UNKNOWN = -1
EIGHT_UNKNOWN = (UNKNOWN,) * 8

# `reference` is a module: nothing that one example could leave behind for the next. And no clocks.
SETTINGS = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ORDERS = pytest.mark.parametrize("use_loop", [False, True], ids=["table", "loop"])
QUICK = [name for name in CALLS if CALLS[name] <= 20_000]
LONG = [name for name in CALLS if CALLS[name] > 20_000]


# ---------------------------------------------------------------- the naive side: lists and loops


def grid(word: int) -> Grid:
    """Spell a word as eight lists of eight truth values."""
    digits = f"{word:064b}"[::-1]
    return [[digit == "1" for digit in digits[8 * r : 8 * r + 8]] for r in range(8)]


def cells() -> Iterator[tuple[int, int]]:
    """Yield all (row, column) in reading order."""
    for r in range(8):
        for c in range(8):
            yield r, c


def beside(r: int, c: int) -> list[tuple[int, int]]:
    """List the cells that share a side with (r, c) on the board."""
    around = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return [(y, x) for y, x in around if 0 <= y <= 7 and 0 <= x <= 7]


def openings(walls: Grid, r: int, c: int) -> int:
    """Count the open cells beside (r, c)."""
    return sum(not walls[y][x] for y, x in beside(r, c))


def walls_in_column(walls: Grid, c: int) -> int:
    """Count the walls of a column."""
    return sum(walls[r][c] for r in range(8))


def merged(a: Grid, b: Grid) -> Grid:
    """Join two grids: true where either is."""
    return [[a[r][c] or b[r][c] for c in range(8)] for r in range(8)]


def has_dead_end(p: Problem, walls: Grid, rows: int) -> bool:
    """Tell whether a cell without monster, treasure or wall has no way on, in the first rows."""
    objects = merged(grid(p[0]), grid(p[1]))
    return any(not walls[r][c] and not objects[r][c] and openings(walls, r, c) < 2 for r, c in cells() if r < rows)


def monster_openings(p: Problem, walls: Grid) -> list[int]:
    """Count the open cells beside each monster."""
    monsters = grid(p[0])
    return [openings(walls, r, c) for r, c in cells() if monsters[r][c]]


def has_open_square(walls: Grid) -> bool:
    """Tell whether four cells of a 2x2 square are open."""
    for r, c in cells():
        if r < 7 and c < 7:
            square = [walls[r][c], walls[r][c + 1], walls[r + 1][c], walls[r + 1][c + 1]]
            if not any(square):
                return True
    return False


def room_cells(top: int, left: int) -> list[tuple[int, int]]:
    """List the nine cells of the room with this top left corner."""
    return [(r, c) for r in range(top, top + 3) for c in range(left, left + 3)]


def border_cells(room: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """List the cells outside a room that share a side with one of its cells."""
    return [(r, c) for r, c in cells() if (r, c) not in room and any(n in room for n in beside(r, c))]


def fill_rooms(p: Problem, walls: Grid) -> bool:
    """Fill the rooms one after the other, in place; tell whether one was refused."""
    treasures = grid(p[1])
    for r, c in cells():
        if not treasures[r][c]:
            continue
        rooms = [room_cells(top, left) for top in range(6) for left in range(6)]
        free = [room for room in rooms if (r, c) in room and not any(walls[y][x] for y, x in room)]
        if not free or sum(not walls[y][x] for y, x in border_cells(free[0])) != 1:
            return True
        for y, x in free[0]:
            walls[y][x] = True
    return False


def is_hopeless(p: Problem, walls: Grid, rows: int) -> bool:
    """Tell whether the first rows rule out every completion (what the search looks at)."""
    too_many = any(clue != UNKNOWN and walls_in_column(walls, c) > clue for c, clue in enumerate(p[3]))
    return too_many or has_dead_end(p, walls, rows) or 0 in monster_openings(p, walls)


def is_solution(p: Problem, walls: Grid) -> bool:
    """Tell whether a complete board passes the course's local rules, row clues aside."""
    if any(clue not in (UNKNOWN, walls_in_column(walls, c)) for c, clue in enumerate(p[3])):
        return False
    if has_dead_end(p, walls, 8) or any(count != 1 for count in monster_openings(p, walls)):
        return False
    blocked = merged(walls, grid(p[0]))
    return not fill_rooms(p, blocked) and not has_open_square(blocked)


def bytes_that_fit(p: Problem, row: int) -> list[int]:
    """List, by value, the 256 fillings of a row less those with a wrong count or on an object."""
    objects = merged(grid(p[0]), grid(p[1]))[row]
    found = []
    for byte in range(256):
        line = [digit == "1" for digit in f"{byte:08b}"[::-1]]
        if p[2][row] in (UNKNOWN, sum(line)) and not any(
            wall and taken for wall, taken in zip(line, objects, strict=True)
        ):
            found.append(byte)
    return found


def first_rows(word: int, rows: int) -> int:
    """Keep the first rows of a board, clear the others."""
    return word & ((1 << 8 * rows) - 1)


# ---------------------------------------------------------------- random situations

words = st.integers(0, FULL)
sparse_words = st.builds(and_, words, st.builds(and_, words, words))
dense_words = st.builds(or_, words, st.builds(or_, words, words))
any_words = words | sparse_words | dense_words | st.sampled_from([0, FULL])
positions = st.integers(0, 63)


@st.composite
def near_clues(draw: st.DrawFn, board: int) -> tuple[int, ...]:
    """Draw column clues close to a board's own counts, some unknown."""
    walls = grid(board)
    clues = []
    for c in range(8):
        change = draw(st.sampled_from([0, 0, 0, 0, 0, 0, 0, 1, -1, None]))
        count = walls_in_column(walls, c)
        clues.append(UNKNOWN if change is None else min(max(count + change, 0), 8))
    return tuple(clues)


@st.composite
def random_situations(draw: st.DrawFn) -> Situation:
    """Draw any walls, a few monsters and treasures anywhere, column clues nearly right."""
    board = draw(any_words)
    columns = draw(near_clues(board))
    return (draw(sparse_words), draw(sparse_words), EIGHT_UNKNOWN, columns), board


@st.composite
def near_solutions(draw: st.DrawFn) -> Situation:
    """Draw one of the nine problems and its solution with at most two cells changed."""
    name = draw(st.sampled_from(sorted(PROBLEMS)))
    board = SOLUTIONS[name]
    for pos in draw(st.lists(positions, max_size=2)):
        board ^= 2**pos
    return PROBLEMS[name], board


@st.composite
def room_situations(draw: st.DrawFn) -> Situation:
    """Draw one to three rooms cut into solid walls, with openings, perhaps monsters about."""
    walls = grid(FULL)
    treasures = 0
    for _ in range(draw(st.integers(1, 3))):
        room = room_cells(draw(st.integers(0, 5)), draw(st.integers(0, 5)))
        border = border_cells(room)
        for r, c in room + draw(st.lists(st.sampled_from(border), min_size=1, max_size=2)):
            walls[r][c] = False
        r, c = draw(st.sampled_from(room))
        treasures |= 2 ** (8 * r + c)
    monsters = draw(st.just(0) | sparse_words) & ~treasures
    board = sum(2 ** (8 * r + c) for r, c in cells() if walls[r][c])
    return (monsters, treasures, EIGHT_UNKNOWN, EIGHT_UNKNOWN), board


situations = random_situations() | near_solutions() | room_situations()


# ---------------------------------------------------------------- words and maps


@pytest.mark.parametrize("i", range(8))
def test_mask_column(reference: ModuleType, i: int) -> None:
    expected = [[c == i for c in range(8)] for _ in range(8)]
    assert grid(reference.mask_column(i)) == expected


# Question 6's own example: monsters at 15, 18, 31, 47 and 63.
COURSE_WORD = 0x8000800080048000
COURSE_MAP = tuple(pos in (15, 18, 31, 47, 63) for pos in range(64))


@SETTINGS
@given(st.lists(st.booleans(), min_size=64, max_size=64))
def test_map_to_board(reference: ModuleType, m: list[bool]) -> None:
    expected = sum(2**pos for pos in range(64) if m[pos])
    assert reference.map_to_board(m) == expected


def test_map_to_board_of_the_course(reference: ModuleType) -> None:
    assert reference.map_to_board(COURSE_MAP) == COURSE_WORD


@SETTINGS
@given(any_words)
def test_board_to_map(reference: ModuleType, b: int) -> None:
    m = reference.board_to_map(b)
    assert isinstance(m, tuple)
    assert m == tuple(grid(b)[pos // 8][pos % 8] for pos in range(64))


def test_board_to_map_of_the_course(reference: ModuleType) -> None:
    assert reference.board_to_map(COURSE_WORD) == COURSE_MAP


def test_map_to_board_undoes_board_to_map(reference: ModuleType) -> None:
    b = 0x123456789ABCDEF1
    for _ in range(1000):  # the course's pseudo-random numbers
        assert reference.map_to_board(reference.board_to_map(b)) == b
        b = (b * 6364136223846793005 + 1442695040888963407) % 2**64


# ---------------------------------------------------------------- counting ones


@SETTINGS
@given(any_words)
def test_popcount_slow(reference: ModuleType, v: int) -> None:
    assert reference.popcount_slow(v) == f"{v:b}".count("1")


def test_popcount_byte(reference: ModuleType) -> None:
    assert [reference.popcount_byte(x) for x in range(256)] == [f"{x:b}".count("1") for x in range(256)]


def test_docstrings(reference: ModuleType) -> None:
    """The course's worked example, 173 -> 5, stands in a docstring."""
    tried = 0
    for test in doctest.DocTestFinder().find(reference.popcount_byte, globs=vars(reference).copy()):
        result = doctest.DocTestRunner(verbose=False).run(test)
        assert result.failed == 0
        tried += result.attempted
    assert tried == 1


@SETTINGS
@given(any_words)
def test_popcount(reference: ModuleType, v: int) -> None:
    assert reference.popcount(v) == f"{v:b}".count("1")


@SETTINGS
@given(any_words)
def test_popcount_builtin(reference: ModuleType, v: int) -> None:
    assert reference.popcount_builtin(v) == f"{v:b}".count("1")


@pytest.mark.parametrize("name", ["popcount_slow", "popcount", "popcount_builtin"])
def test_popcount_of_a_run_of_ones(reference: ModuleType, name: str) -> None:
    """Every run of ones in a word: wide enough to overflow any block that is too narrow."""
    count = getattr(reference, name)
    for width in range(65):
        for start in range(65 - width):
            assert count((2**width - 1) * 2**start) == width


# ---------------------------------------------------------------- cells


def test_bit(reference: ModuleType) -> None:
    assert [reference.bit(pos) for pos in range(64)] == [2**pos for pos in range(64)]


def test_neighbours(reference: ModuleType) -> None:
    for r, c in cells():
        expected = [[(y, x) in beside(r, c) for x in range(8)] for y in range(8)]
        assert grid(reference.neighbours(8 * r + c)) == expected


@SETTINGS
@given(situations)
def test_count_non_wall(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    for r, c in cells():
        assert reference.count_non_wall(p, b, 8 * r + c) == openings(grid(b), r, c)


@SETTINGS
@given(situations)
def test_empty(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    taken = merged(grid(b), merged(grid(p[0]), grid(p[1])))
    for r, c in cells():
        assert reference.empty(p, b, 8 * r + c) is not taken[r][c]


@SETTINGS
@given(situations)
def test_treasure(reference: ModuleType, situation: Situation) -> None:
    p, _ = situation
    for r, c in cells():
        assert reference.treasure(p, 8 * r + c) is grid(p[1])[r][c]


@SETTINGS
@given(situations)
def test_monster(reference: ModuleType, situation: Situation) -> None:
    p, _ = situation
    for r, c in cells():
        assert reference.monster(p, 8 * r + c) is grid(p[0])[r][c]


# ---------------------------------------------------------------- tests of columns


@SETTINGS
@given(situations)
def test_columns_overload(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    over = [clue != UNKNOWN and walls_in_column(grid(b), c) > clue for c, clue in enumerate(p[3])]
    assert reference.test_columns_overload(p, b) is any(over)


@SETTINGS
@given(situations)
def test_columns_underload(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    under = [walls_in_column(grid(b), c) < clue for c, clue in enumerate(p[3])]
    assert reference.test_columns_underload(p, b) is any(under)


@pytest.mark.parametrize("col", range(8))
@pytest.mark.parametrize("count", range(9))
def test_columns_overload_and_underload_of_each_column(reference: ModuleType, col: int, count: int) -> None:
    """Every clue against every count in every column, the other columns right or unknown."""
    b = sum(2 ** (8 * r + col) for r in range(count))
    for others in (0, UNKNOWN):
        for clue in range(-1, 9):
            p = (0, 0, EIGHT_UNKNOWN, tuple(clue if c == col else others for c in range(8)))
            known = clue != UNKNOWN
            assert reference.test_columns_overload(p, b) is (known and count > clue)
            assert reference.test_columns_underload(p, b) is (known and count < clue)


# ---------------------------------------------------------------- tests of dead ends


@SETTINGS
@given(situations)
def test_no_deadend_upto_row(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    for row in range(9):
        expected = has_dead_end(p, grid(b), row)
        assert reference.test_no_deadend_upto_row(p, b, row) is expected


@SETTINGS
@given(situations)
def test_trapped_monster(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    assert reference.test_trapped_monster(p, b) is (0 in monster_openings(p, grid(b)))


@SETTINGS
@given(situations)
def test_deadends(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    walls = grid(b)
    wrong = has_dead_end(p, walls, 8) or any(n != 1 for n in monster_openings(p, walls))
    assert reference.test_deadends(p, b) is wrong


@pytest.mark.parametrize("ways", range(5))
def test_deadends_by_number_of_ways(reference: ModuleType, ways: int) -> None:
    """One open cell, `ways` treasures beside it (never looked at), all else wall.

    As an empty cell it needs two ways, as a monster's one, as a treasure's none.
    """
    for r, c in cells():
        for shift in range(4):
            chosen = (beside(r, c) * 2)[shift : shift + ways]
            if len(set(chosen)) != ways:
                continue
            here = 2 ** (8 * r + c)
            treasures = sum(2 ** (8 * y + x) for y, x in chosen)
            b = FULL - here - treasures
            alone = (0, treasures, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
            assert reference.test_deadends(alone, b) is (ways <= 1)
            assert reference.test_no_deadend_upto_row(alone, b, r + 1) is (ways <= 1)
            assert reference.test_no_deadend_upto_row(alone, b, r) is False
            guarded = (here, treasures, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
            assert reference.test_deadends(guarded, b) is (ways != 1)
            assert reference.test_trapped_monster(guarded, b) is (ways == 0)
            hoard = (0, here + treasures, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
            assert reference.test_deadends(hoard, b) is False


# ---------------------------------------------------------------- tests of rooms and squares


@SETTINGS
@given(situations | room_situations())
def test_treasure_rooms(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    blocked = merged(grid(b), grid(p[0]))
    refused = fill_rooms(p, blocked)
    rejects, board = reference.test_treasure_rooms(p, b | p[0])
    assert rejects is refused
    assert grid(board) == blocked  # as it stands at return, when a room was refused too


def test_treasure_rooms_everywhere(reference: ModuleType) -> None:
    """A room at each of 36 places, its treasure in each cell, each opening: taken and filled."""
    for top in range(6):
        for left in range(6):
            room = room_cells(top, left)
            closed = FULL - sum(2 ** (8 * r + c) for r, c in room)
            ways = [2 ** (8 * r + c) for r, c in border_cells(room)]
            for treasure in (2 ** (8 * r + c) for r, c in room):
                p = (0, treasure, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
                assert reference.test_treasure_rooms(p, closed) == (True, closed)
                for way in ways:
                    assert reference.test_treasure_rooms(p, closed - way) == (False, FULL - way)
                two = closed - ways[0] - ways[-1]
                assert reference.test_treasure_rooms(p, two) == (True, two)
                small = closed - ways[0] + 2 ** (8 * top + left)
                assert reference.test_treasure_rooms(p, small) == (True, small)


def test_treasure_rooms_end_at_the_edge(reference: ModuleType) -> None:
    """The room's mask shifted too far, cut off below or torn over two rows, is no room."""
    for shift in range(64):
        if shift % 8 <= 5 and shift // 8 <= 5:
            continue
        torn = (0x070707 << shift) & FULL
        opened = [(r, c) for r, c in cells() if grid(torn)[r][c]]
        for treasure in (2 ** (8 * r + c) for r, c in opened):
            p = (0, treasure, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
            for r, c in border_cells(opened):
                b = FULL - torn - 2 ** (8 * r + c)
                assert reference.test_treasure_rooms(p, b) == (True, b)


def test_treasure_rooms_with_two_treasures_in_one(reference: ModuleType) -> None:
    p, b = parsed(
        """
        .T.#####
        ........
        ..T#####
        ########
        ########
        ########
        ########
        ########
        """
    )
    assert reference.test_treasure_rooms(p, b) == (True, b | 0x070707)


@SETTINGS
@given(any_words | st.builds(or_, words, words))
def test_empty_squares(reference: ModuleType, b: int) -> None:
    p = (0, 0, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
    assert reference.test_empty_squares(p, b) is has_open_square(grid(b))


def test_empty_squares_everywhere(reference: ModuleType) -> None:
    """One open square in solid walls, and the four ways to fill a cell of it."""
    p = (0, 0, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
    for r in range(7):
        for c in range(7):
            square = [2 ** (8 * y + x) for y in (r, r + 1) for x in (c, c + 1)]
            assert reference.test_empty_squares(p, FULL - sum(square)) is True
            for cell in square:
                assert reference.test_empty_squares(p, FULL - sum(square) + cell) is False
    # Two cells at the end of a row and two at the start of the next are no square.
    for r in range(6):
        torn = sum(2 ** (8 * r + start + k) for start in (7, 15) for k in (0, 1))
        assert reference.test_empty_squares(p, FULL - torn) is False


# ---------------------------------------------------------------- tables and moves


def test_tables() -> None:
    counts = [f"{byte:b}".count("1") for byte in range(256)]
    assert list(tables.POPCOUNT_OF_BYTE) == counts
    assert sorted(tables.BYTES_BY_POPCOUNT) == list(range(256))
    keys = [(counts[byte], byte) for byte in tables.BYTES_BY_POPCOUNT]
    assert keys == sorted(keys)
    assert tables.FIRST_WITH_POPCOUNT == (0, 1, 9, 37, 93, 163, 219, 247, 255, 256)
    starts = tables.FIRST_WITH_POPCOUNT
    assert [starts[k + 1] - starts[k] for k in range(9)] == [comb(8, k) for k in range(9)]


@st.composite
def rows_to_fill(draw: st.DrawFn) -> Problem:
    """Draw objects (from none to dense) and row clues, some unknown."""
    objects = st.just(0) | any_words
    rows = st.tuples(*[st.integers(UNKNOWN, 8)] * 8)
    return draw(objects), draw(objects), draw(rows), EIGHT_UNKNOWN


@SETTINGS
@given(rows_to_fill())
def test_moves_loop(reference: ModuleType, p: Problem) -> None:
    for row in range(8):
        expected = tuple(byte * 256**row for byte in bytes_that_fit(p, row))
        assert reference.moves_loop(p, row) == expected


@SETTINGS
@given(rows_to_fill())
def test_moves_table(reference: ModuleType, p: Problem) -> None:
    for row in range(8):
        fitting = sorted(bytes_that_fit(p, row), key=lambda byte: (f"{byte:b}".count("1"), byte))
        assert reference.moves_table(p, row) == tuple(byte * 256**row for byte in fitting)


@pytest.mark.parametrize("name", ["moves_loop", "moves_table"])
def test_moves_of_an_open_row(reference: ModuleType, name: str) -> None:
    """Question 7: an open row with k walls can be filled in C(8, k) ways."""
    for clue in range(9):
        p = (0, 0, (clue,) * 8, EIGHT_UNKNOWN)
        assert [len(getattr(reference, name)(p, row)) for row in range(8)] == [comb(8, clue)] * 8


def test_moves_in_two_orders(reference: ModuleType) -> None:
    p = (0, 0, EIGHT_UNKNOWN, EIGHT_UNKNOWN)
    assert reference.moves_loop(p, 0) == tuple(range(256))
    assert reference.moves_table(p, 0) == tables.BYTES_BY_POPCOUNT


# ---------------------------------------------------------------- search


@ORDERS
@pytest.mark.parametrize("name", QUICK)
def test_solve(reference: ModuleType, name: str, use_loop: bool) -> None:
    answer = reference.solve(PROBLEMS[name], 0, 0, 0, use_loop)
    assert answer == ((SOLUTIONS[name],), CALLS[name])


@needs_compiled
@ORDERS
@pytest.mark.parametrize("name", LONG)
def test_solve_long_compiled(name: str, use_loop: bool) -> None:
    compiled = import_module("dnd.dungeon.kernel.reference_c")
    answer = compiled.solve(PROBLEMS[name], 0, 0, 0, use_loop)
    assert answer == ((SOLUTIONS[name],), CALLS[name])


@pytest.mark.slow
@ORDERS
@pytest.mark.parametrize("name", LONG)
def test_solve_long_pure(name: str, use_loop: bool) -> None:
    pure = import_module("dnd.dungeon.kernel.reference_py")
    answer = pure.solve(PROBLEMS[name], 0, 0, 0, use_loop)
    assert answer == ((SOLUTIONS[name],), CALLS[name])


@ORDERS
@pytest.mark.parametrize("name", PROBLEMS)
def test_solve_finds_its_solution_from_every_row(reference: ModuleType, name: str, use_loop: bool) -> None:
    for row in range(4, 9):
        top = first_rows(SOLUTIONS[name], row)
        solutions, calls = reference.solve(PROBLEMS[name], row, top, 0, use_loop)
        assert solutions == (SOLUTIONS[name],)
        assert calls >= 9 - row
    assert reference.solve(PROBLEMS[name], 8, SOLUTIONS[name], 0, use_loop)[1] == 1


@SETTINGS
@given(near_solutions() | random_situations() | room_situations(), st.booleans(), st.booleans())
def test_solve_last_row(reference: ModuleType, situation: Situation, hide_columns: bool, use_loop: bool) -> None:
    """Fill the last row in all ways: the naive rules give the same solutions and calls."""
    (monsters, treasures, rows, columns), b = situation
    p = (monsters, treasures, rows, EIGHT_UNKNOWN if hide_columns else columns)
    b = first_rows(b, 7)
    fitting = bytes_that_fit(p, 7)
    if is_hopeless(p, grid(b), 7):
        expected, calls = set(), 1
    else:
        boards = [b + byte * 256**7 for byte in fitting]
        expected, calls = (
            {board for board in boards if is_solution(p, grid(board))},
            1 + len(boards),
        )
    solutions, made = reference.solve(p, 7, b, 0, use_loop)
    assert len(solutions) == len(set(solutions))
    assert set(solutions) == expected
    assert made == calls


@SETTINGS
@given(near_solutions() | random_situations() | room_situations())
def test_solve_complete_board(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    accepted = not is_hopeless(p, grid(b), 8) and is_solution(p, grid(b))
    assert reference.solve(p, 8, b, 0, False) == ((b,) if accepted else (), 1)


@pytest.mark.parametrize("name", PROBLEMS)
def test_solve_unknown_row_clue_is_all_clues_in_turn(reference: ModuleType, name: str) -> None:
    monsters, treasures, rows, _ = PROBLEMS[name]
    b = first_rows(SOLUTIONS[name], 6)

    def with_clue(clue: int, use_loop: bool) -> tuple[tuple[int, ...], int]:
        p = (monsters, treasures, (*rows[:6], clue, rows[7]), EIGHT_UNKNOWN)
        solutions, calls = reference.solve(p, 6, b, 0, use_loop)
        return solutions, calls

    parts = [with_clue(clue, False) for clue in range(9)]
    in_turn = tuple(board for solutions, _ in parts for board in solutions)
    calls = 1 + sum(made - 1 for _, made in parts)
    assert SOLUTIONS[name] in in_turn
    assert with_clue(UNKNOWN, False) == (in_turn, calls)
    # The loop runs through the same rows by value.
    by_value = tuple(sorted(in_turn, key=lambda board: (board // 256**6 % 256, in_turn.index(board))))
    assert with_clue(UNKNOWN, True) == (by_value, calls)


@pytest.mark.parametrize("name", PROBLEMS)
def test_solve_unknown_column_clue_is_all_clues_together(reference: ModuleType, name: str) -> None:
    monsters, treasures, rows, columns = PROBLEMS[name]
    b = first_rows(SOLUTIONS[name], 5)

    def with_clue(clue: int) -> list[int]:
        p = (monsters, treasures, rows, (UNKNOWN,) * 3 + (clue,) + columns[4:])
        return list(reference.solve(p, 5, b, 0, False)[0])

    parts = [board for clue in range(9) for board in with_clue(clue)]
    assert SOLUTIONS[name] in parts
    assert sorted(with_clue(UNKNOWN)) == sorted(parts)


def calls_in_order(p: Problem, row: int, b: int, use_loop: bool) -> Iterator[tuple[int, int]]:
    """Yield naively the (row, board) of each call of a search, in its order."""

    def order(byte: int) -> tuple[int, int]:
        return (0 if use_loop else f"{byte:b}".count("1"), byte)

    yield row, b
    if row < 8 and not is_hopeless(p, grid(b), row):
        for byte in sorted(bytes_that_fit(p, row), key=order):
            yield from calls_in_order(p, row + 1, b + byte * 256**row, use_loop)


@ORDERS
def test_solve_limit(reference: ModuleType, use_loop: bool) -> None:
    """A limit keeps the first solutions, and no call is made after the last of them."""
    monsters, treasures, rows, _ = PROBLEMS["p8"]
    p = (monsters, treasures, (*rows[:7], UNKNOWN), EIGHT_UNKNOWN)
    b = first_rows(SOLUTIONS["p8"], 6)
    every, all_calls = reference.solve(p, 6, b, 0, use_loop)
    visited = list(calls_in_order(p, 6, b, use_loop))
    assert len(every) == 17
    assert all_calls == len(visited)
    for limit in range(1, 18):
        some, calls = reference.solve(p, 6, b, limit, use_loop)
        assert some == every[:limit]
        assert calls == visited.index((8, some[-1])) + 1
    assert reference.solve(p, 6, b, 18, use_loop) == (every, all_calls)


# ---------------------------------------------------------------- departures from the exact rules


def parsed(drawing: str) -> Situation:
    """Read a drawn board as a problem with all its clues, and its walls."""
    lines = drawing.split()
    text = "".join(lines)
    monsters, treasures, walls = (sum(2**pos for pos in range(64) if text[pos] == glyph) for glyph in "MT#")
    rows = tuple(line.count("#") for line in lines)
    columns = tuple("".join(line[c] for line in lines).count("#") for c in range(8))
    return (monsters, treasures, rows, columns), walls


FOUR_COMPONENTS = """
    M......M
    ########
    M......M
    ########
    M......M
    ########
    M......M
    ########
"""
MONSTER_AT_THE_ROOM = """
    ##M#####
    #...####
    #.T...M#
    #...####
    ########
    ########
    ########
    ########
"""
TOUCHING_ROOMS = """
    ...#####
    .T.#####
    ......##
    ###.T.##
    ###...##
    ########
    ########
    ########
"""
ROOM_BEHIND_A_ROOM = """
    ...#####
    .T.#####
    ......##
    ###.T.##
    ###...##
    ####.###
    ####M###
    ########
"""


@ORDERS
def test_solve_accepts_the_bonus_board_of_four_components(reference: ModuleType, use_loop: bool) -> None:
    p, b = parsed(FOUR_COMPONENTS)
    assert p[2:] == ((0, 8, 0, 8, 0, 8, 0, 8), (4,) * 8)
    assert reference.solve(p, 0, 0, 0, use_loop) == ((b,), 9)


@ORDERS
def test_solve_accepts_a_monster_at_the_room(reference: ModuleType, use_loop: bool) -> None:
    p, b = parsed(MONSTER_AT_THE_ROOM)
    assert reference.solve(p, 0, 0, 0, use_loop)[0] == (b,)


@ORDERS
def test_solve_refuses_touching_rooms(reference: ModuleType, use_loop: bool) -> None:
    p, b = parsed(TOUCHING_ROOMS)
    assert reference.test_treasure_rooms(p, b) == (True, b | 0x070707)
    assert reference.solve(p, 0, 0, 0, use_loop)[0] == ()


@ORDERS
def test_solve_accepts_a_room_behind_a_room_but_not_upside_down(reference: ModuleType, use_loop: bool) -> None:
    """The upper room is filled first, and with it the lower one's second opening is gone."""
    p, b = parsed(ROOM_BEHIND_A_ROOM)
    upside_down = "\n".join(reversed(ROOM_BEHIND_A_ROOM.split()))
    flipped, _ = parsed(upside_down)
    assert reference.solve(p, 3, first_rows(b, 3), 0, use_loop)[0] == (b,)
    assert reference.solve(flipped, 0, 0, 0, use_loop)[0] == ()


# ---------------------------------------------------------------- drawing


@SETTINGS
@given(situations)
def test_print_board(reference: ModuleType, situation: Situation) -> None:
    p, b = situation
    walls, monsters, treasures = grid(b), grid(p[0]), grid(p[1])
    expected = ""
    for r in range(8):
        for c in range(8):
            if walls[r][c]:
                expected += "#"
            elif monsters[r][c]:
                expected += "M"
            else:
                expected += "T" if treasures[r][c] else "."
        expected += "\n"
    assert reference.print_board(p, b) == expected


def test_print_board_of_the_first_problem(reference: ModuleType) -> None:
    assert reference.print_board(PROBLEMS["p1"], SOLUTIONS["p1"]) == (
        "#####M##\n...#..##\n.T.#.###\n.......#\n######.#\nM......#\n##.#.###\n##M#...M\n"
    )
