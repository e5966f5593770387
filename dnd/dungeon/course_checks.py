"""Checks of the course's functions, one by one, on a fixture's solutions: the items `course:NAME-KERNEL`.

Each function is called through `dnd.course` and compared with `course_oracle`. The tests (`test_*`) are asked of
every expected solution, of all boards one cell away from it, and of the boards that the search meets on its way there:
the first rows of the solution, and these with one cell of the last of them changed. The other functions are asked of
the solution row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from dnd import course
from dnd.diagnostic import cell_name
from dnd.dungeon import course_oracle as oracle
from dnd.dungeon.course_oracle import CELLS, SIDE, Cell, Position
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.testing.check import Check

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

_Value = int | Sequence[object]  # what functions return that are no tests

_WORD = 2 ** len(CELLS)


class _Asked(NamedTuple):
    """A board to ask a function about: what it is in words, its walls, and how many of its rows are filled."""

    what: str
    walls: int
    rows: int
    at: Position


def checks(puzzle: Puzzle, solutions: tuple[Board, ...] | None, kernel: str) -> Iterator[Check]:
    """The checks of one kernel; none unless the board is the course's 8x8 and solutions are drawn."""
    if not solutions or (puzzle.height, puzzle.width) != (SIDE, SIDE):
        return
    p = course.problem(puzzle)
    for name, compare in FUNCTIONS.items():
        run = partial(_run, compare, p, [solution.walls for solution in solutions], kernel)
        yield Check(f"course:{name}-{kernel}", "solution", run, marks=("course", f"kernel_{kernel}"))


_Compare = Callable[[course.Problem, int, str], Iterator[str]]


def _run(compare: _Compare, p: course.Problem, solutions: list[int], kernel: str) -> Iterator[str]:
    for walls in solutions:
        yield from compare(p, walls, kernel)


# ---------------------------------------------------------------- boards


def _row_by_row(p: course.Problem, walls: int) -> Iterator[_Asked]:
    """A solution as the search fills it in."""
    for rows in range(SIDE + 1):
        first = walls % 2 ** (SIDE * rows)
        what = "an expected solution" if rows == SIDE else f"the first {rows} rows of an expected solution"
        yield _Asked(what, first, rows, _position(p, first))


def _near(p: course.Problem, walls: int) -> Iterator[_Asked]:
    """A solution as the search fills it in, each step with a cell of its last row changed, at the end any cell."""
    for asked in _row_by_row(p, walls):
        yield asked
        for cell in CELLS:
            if cell[0] == asked.rows - 1 or asked.rows == SIDE:
                changed = asked.walls ^ oracle.word([cell])
                what = f"{asked.what} with {cell_name(cell)} changed"
                yield _Asked(what, changed, asked.rows, _position(p, changed))


def _position(p: course.Problem, walls: int) -> Position:
    return Position(oracle.cells(p.monsters), oracle.cells(p.treasures), p.rows, p.columns, oracle.cells(walls))


# ---------------------------------------------------------------- the course's tests


def _test(
    name: str, ask: Callable[[course.Problem, _Asked, str], bool], rule: Callable[[_Asked], list[Cell]]
) -> _Compare:
    """Compare what a test says with the cells that break the rule."""

    def compare(p: course.Problem, walls: int, kernel: str) -> Iterator[str]:
        for asked in _near(p, walls):
            broken = rule(asked)
            if ask(p, asked, kernel) != bool(broken):
                yield f"{name} {_verdict(asked, broken)}"

    return compare


def _plain(name: str, rule: Callable[[Position], list[Cell]]) -> _Compare:
    """The comparison for a test of the walls alone."""
    return _test(
        name,
        lambda p, asked, kernel: getattr(course, name)(p, asked.walls, kernel=kernel),
        lambda asked: rule(asked.at),
    )


def _blocked(asked: _Asked) -> set[Cell]:
    """What `solve` hands to the last two tests: walls and monsters."""
    return asked.at.walls | asked.at.monsters


def _filled(asked: _Asked) -> set[Cell]:
    return oracle.fill_rooms(asked.at, _blocked(asked))[1]


def _no_deadend(p: course.Problem, asked: _Asked, kernel: str) -> bool:
    return course.test_no_deadend_upto_row(p, asked.walls, asked.rows, kernel=kernel)


def _empty_squares(p: course.Problem, asked: _Asked, kernel: str) -> bool:
    return course.test_empty_squares(p, oracle.word(_filled(asked)), kernel=kernel)


def _treasure_rooms(p: course.Problem, walls: int, kernel: str) -> Iterator[str]:
    for asked in _near(p, walls):
        refused, filled = oracle.fill_rooms(asked.at, _blocked(asked))
        rejects, board = course.test_treasure_rooms(p, oracle.word(_blocked(asked)), kernel=kernel)
        if rejects != bool(refused):
            yield f"test_treasure_rooms {_verdict(asked, refused)}"
        elif board != oracle.word(filled):
            wrong = sorted(filled ^ oracle.cells(board))
            yield f"test_treasure_rooms does not fill {asked.what} as the oracle does:\n{_picture(asked.at, wrong)}"


_TESTS: dict[str, _Compare] = {
    "test_columns_overload": _plain("test_columns_overload", oracle.overloaded),
    "test_columns_underload": _plain("test_columns_underload", oracle.underloaded),
    "test_no_deadend_upto_row": _test(
        "test_no_deadend_upto_row", _no_deadend, lambda asked: oracle.idle_dead_ends(asked.at, asked.rows)
    ),
    "test_trapped_monster": _plain("test_trapped_monster", oracle.trapped_monsters),
    "test_deadends": _plain("test_deadends", oracle.wrong_dead_ends),
    "test_treasure_rooms": _treasure_rooms,
    "test_empty_squares": _test(
        "test_empty_squares", _empty_squares, lambda asked: oracle.open_squares(_filled(asked))
    ),
}


# ---------------------------------------------------------------- the other functions


def _values(
    name: str, call: Callable[[course.Problem, _Asked, str], _Value], expected: Callable[[_Asked], _Value]
) -> _Compare:
    """Compare what a function returns, row by row."""

    def compare(p: course.Problem, walls: int, kernel: str) -> Iterator[str]:
        for asked in _row_by_row(p, walls):
            found, wanted = call(p, asked, kernel), expected(asked)
            if found != wanted:
                picture = _picture(asked.at, [])
                yield f"{name} on {asked.what}: {_difference(found, wanted)}\n{picture}"

    return compare


def _each_cell(name: str, expected: Callable[[Position, Cell], object], *, takes: str) -> _Compare:
    """The comparison for a function of a cell; takes: which of p and b come before it."""

    def call(p: course.Problem, asked: _Asked, kernel: str) -> list[object]:
        before = [{"p": p, "b": asked.walls}[letter] for letter in takes]
        return [getattr(course, name)(*before, pos, kernel=kernel) for pos in range(len(CELLS))]

    return _values(name, call, lambda asked: [expected(asked.at, cell) for cell in CELLS])


def _each_word(name: str) -> _Compare:
    """The comparison for a way to count: of the walls, and of the cells that are none."""
    return _values(
        name,
        lambda _, asked, kernel: [
            getattr(course, name)(each, kernel=kernel) for each in (asked.walls, _WORD - 1 - asked.walls)
        ],
        lambda asked: [len(asked.at.walls), len(CELLS) - len(asked.at.walls)],
    )


def _each_row(name: str, key: Callable[[int], SupportsRichComparison]) -> _Compare:
    """The comparison for an enumeration of moves, in the order of a key."""

    def compare(p: course.Problem, walls: int, kernel: str) -> Iterator[str]:
        at = _position(p, 0)
        for row in range(SIDE):
            found = getattr(course, name)(p, row, kernel=kernel)
            wanted = tuple(sorted(map(oracle.word, oracle.moves(at, row)), key=key))
            if found != wanted:
                yield f"{name} of row {row + 1}: {_difference(found, wanted)}"

    return compare


def _bytes(asked: _Asked) -> list[int]:
    return [asked.walls // 2 ** (SIDE * row) % 2**SIDE for row in range(SIDE)]


def _drawing(at: Position) -> str:
    return "".join(oracle.letter(at, cell) + ("\n" if cell[1] == SIDE - 1 else "") for cell in CELLS)


_HELPERS: dict[str, _Compare] = {
    "map_to_board": _values(
        "map_to_board",
        lambda _, asked, kernel: course.map_to_board([cell in asked.at.walls for cell in CELLS], kernel=kernel),
        lambda asked: asked.walls,
    ),
    "board_to_map": _values(
        "board_to_map",
        lambda _, asked, kernel: course.board_to_map(asked.walls, kernel=kernel),
        lambda asked: tuple(cell in asked.at.walls for cell in CELLS),
    ),
    "popcount_slow": _each_word("popcount_slow"),
    "popcount_byte": _values(
        "popcount_byte",
        lambda _, asked, kernel: [course.popcount_byte(byte, kernel=kernel) for byte in _bytes(asked)],
        lambda asked: [sum((row, column) in asked.at.walls for column in range(SIDE)) for row in range(SIDE)],
    ),
    "popcount": _each_word("popcount"),
    "popcount_builtin": _each_word("popcount_builtin"),
    "bit": _each_cell("bit", lambda _, cell: oracle.word([cell]), takes=""),
    "mask_column": _values(
        "mask_column",
        lambda _, __, kernel: [course.mask_column(i, kernel=kernel) for i in range(SIDE)],
        lambda _: [oracle.word(cell for cell in CELLS if cell[1] == i) for i in range(SIDE)],
    ),
    "empty": _each_cell("empty", oracle.is_empty, takes="pb"),
    "treasure": _each_cell("treasure", lambda at, cell: cell in at.treasures, takes="p"),
    "monster": _each_cell("monster", lambda at, cell: cell in at.monsters, takes="p"),
    "neighbours": _each_cell("neighbours", lambda _, cell: oracle.word(oracle.neighbours(cell)), takes=""),
    "count_non_wall": _each_cell("count_non_wall", oracle.ways, takes="pb"),
    "moves_loop": _each_row("moves_loop", key=lambda move: move),
    "moves_table": _each_row("moves_table", key=lambda move: (move.bit_count(), move)),
    "print_board": _values(
        "print_board",
        lambda p, asked, kernel: course.print_board(p, asked.walls, kernel=kernel),
        lambda asked: _drawing(asked.at),
    ),
}


FUNCTIONS = {**_TESTS, **_HELPERS}
"""The comparison of each of the course's functions but `solve`, which has items of its own (`reference-*`)."""


# ---------------------------------------------------------------- reports


def _verdict(asked: _Asked, broken: list[Cell]) -> str:
    """What a test that disagrees with the oracle has said, and why the oracle rejects the board if it does."""
    says, oracle_says = ("accepts", "rejects") if broken else ("rejects", "accepts")
    return f"{says} {asked.what}; the oracle {oracle_says} it:\n{_picture(asked.at, broken)}"


def _difference(found: _Value, wanted: _Value) -> str:
    """The first place where two answers differ."""
    if isinstance(found, int) or isinstance(wanted, int):
        return f"{found!r}, the oracle says {wanted!r}"
    if len(found) != len(wanted):
        return f"{len(found)} values, the oracle has {len(wanted)}"
    place = next(i for i in range(len(wanted)) if found[i] != wanted[i])
    return f"value {place} is {found[place]!r}, the oracle says {wanted[place]!r}"


def _picture(at: Position, marked: list[Cell]) -> str:
    """The board, marked cells in brackets."""
    lines = []
    for row in range(SIDE):
        signs = [(oracle.letter(at, cell), cell in marked) for cell in CELLS if cell[0] == row]
        lines.append("    " + "".join(f"[{sign}]" if is_marked else f" {sign} " for sign, is_marked in signs).rstrip())
    return "\n".join(lines)
