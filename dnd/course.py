"""The course's functions by their own names: 8x8 boards in 64-bit words, as its exercise in C asks for them one by one.

    >>> from dnd import course
    >>> p1 = course.Problem(0x8400010000000020, 0x20000, (7, 3, 4, 1, 7, 1, 6, 3), (4, 4, 2, 6, 2, 3, 4, 7))
    >>> course.test_deadends(p1, 0xBEB80BF80E8C8DF)
    False
    >>> course.solve(p1).calls
    2685

Each docstring names the question that asks for the function; docs/course.md goes through them all. What runs is the
reference kernel, compiled or pure as everywhere in the package: `DND_KERNEL`, or the argument `kernel` ("c", "py").

- A *word* is 64 bits, 0 to 0xffffffffffffffff: cell (r, c) is bit 8 * r + c. `b` is one of walls, `pos` a cell, 0..63.
- A problem `p` is a `Problem`, or a tuple of its four fields. `problem` makes one of a `dnd.Puzzle`.
- A function `test_*` is True when it *rejects*. (In a module of tests write `from dnd import course`: functions of such
  names that are imported one by one are taken for tests by pytest.)
- Unlike the kernels, these functions check what they are given: TypeError for what is not a whole number (a bool
  does not count as one), ValueError for one out of range.
"""

# ruff: noqa: PT028 - what is called test_* here is not a test for pytest

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import index
from types import ModuleType
from typing import NamedTuple, TypeAlias

from dnd import grid
from dnd.dungeon.kernel import load
from dnd.dungeon.kernel.tables import BYTES_BY_POPCOUNT, FIRST_WITH_POPCOUNT, POPCOUNT_OF_BYTE
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.dungeon.solver import check_reference, padded

SIDE = 8
CELLS = 64
_LARGEST_WORD = (1 << CELLS) - 1

enum_popcount_byte = POPCOUNT_OF_BYTE
"""The number of ones of each byte (question 14)."""

enum_byte = BYTES_BY_POPCOUNT
"""The 256 bytes, those with fewer ones first (the remark behind question 14)."""

enum_byte_idx = FIRST_WITH_POPCOUNT
"""Where in `enum_byte` the bytes with 0, 1, ..., 8 ones begin, then 256."""


class Problem(NamedTuple):
    """The course's `struct problem`: two words and the clues of eight rows and columns; what is left out is 0, as in C.

    A clue is 0 to 8, or -1: unknown, it constrains nothing (the course has no such clue).
    """

    monsters: int = 0
    treasures: int = 0
    rows: Sequence[int] = (0,) * SIDE
    columns: Sequence[int] = (0,) * SIDE


class Rooms(NamedTuple):
    """What `test_treasure_rooms` says, and the board that the course's changes through its pointer.

    It is true when it rejects, as the course's result is: `if test_treasure_rooms(p, b):` means what it means in C.
    """

    rejects: bool
    board: int

    def __bool__(self) -> bool:
        return self.rejects


class Found(NamedTuple):
    """What `solve` finds: words of walls in the order of the search, and the calls of the recursive function."""

    solutions: tuple[int, ...]
    calls: int


AnyProblem: TypeAlias = Problem | tuple[int, int, Sequence[int], Sequence[int]]


def problem(puzzle: Puzzle) -> Problem:
    """The problem of a `dnd.Puzzle` of up to 8x8 cells; a smaller one is set into the top left corner of walls.

    Raises ValueError (`dnd.InputError`) for a larger one.
    """
    if getattr(puzzle, "game", "") != "dungeon":
        raise TypeError(f"a problem is made of a dnd.Puzzle, not of {_kind(puzzle)}")
    check_reference(puzzle)
    return Problem(*padded(puzzle))


# ---------------------------------------------------------------- words and maps


def map_to_board(m: Sequence[bool | int], *, kernel: str | None = None) -> int:
    """Question 4: the word of a map, which is 64 truth values (bools, or 0 and 1), cell 0 first.

    >>> hex(map_to_board([pos in (15, 18, 31, 47, 63) for pos in range(64)]))
    '0x8000800080048000'
    """
    return int(_twin(kernel).map_to_board(_map(m)))


def board_to_map(b: int, *, kernel: str | None = None) -> tuple[bool, ...]:
    """Question 5: the 64 truth values of a word, cell 0 first; the inverse of `map_to_board` (question 6).

    >>> [pos for pos, wall in enumerate(board_to_map(0x8000800080048000)) if wall]
    [15, 18, 31, 47, 63]
    """
    return tuple(_twin(kernel).board_to_map(_word("b", b)))


# ---------------------------------------------------------------- counting ones


def popcount_slow(v: int, *, kernel: str | None = None) -> int:
    """Question 8: the number of ones in a word, 0 to 64, bit by bit.

    >>> popcount_slow(0b10101101)
    5
    """
    return int(_twin(kernel).popcount_slow(_word("v", v)))


def popcount_byte(x: int, *, kernel: str | None = None) -> int:
    """Before question 9, the course's example: the number of ones in a byte (0 to 255), by masks and additions.

    173 is 10101101; with its pairs added 01 01 10 01, with its fours 0010 0011, and then

    >>> popcount_byte(173)
    5
    """
    return int(_twin(kernel).popcount_byte(_whole("x", x, 0, 255)))


def popcount(v: int, *, kernel: str | None = None) -> int:
    """Question 9: the number of ones in a word, 0 to 64, by masks and additions: 24 operations (question 10).

    >>> popcount(0xffffffffffffffff)
    64
    """
    return int(_twin(kernel).popcount(_word("v", v)))


def popcount_builtin(v: int, *, kernel: str | None = None) -> int:
    """Behind question 10: the number of ones in a word by the processor's instruction, `__builtin_popcountll`.

    >>> popcount_builtin(0xffffffffffffffff)
    64
    """
    return int(_twin(kernel).popcount_builtin(_word("v", v)))


# ---------------------------------------------------------------- cells


def bit(pos: int, *, kernel: str | None = None) -> int:
    """Given before question 8: the word in which only the cell `pos` is set.

    >>> hex(bit(63))
    '0x8000000000000000'
    """
    return int(_twin(kernel).bit(_cell(pos)))


def mask_column(i: int, *, kernel: str | None = None) -> int:
    """Question 15: the word of the column `i`, 0 to 7.

    >>> hex(mask_column(1))
    '0x202020202020202'
    """
    return int(_twin(kernel).mask_column(_whole("i", i, 0, SIDE - 1)))


def empty(p: AnyProblem, b: int, pos: int, *, kernel: str | None = None) -> bool:
    """Question 17: whether the cell holds nothing: no wall, no monster, no treasure.

    >>> empty(Problem(monsters=1), 0b10, 0), empty(Problem(), 0b10, 1), empty(Problem(), 0b10, 2)
    (False, False, True)
    """
    return bool(_twin(kernel).empty(_problem(p), _word("b", b), _cell(pos)))


def treasure(p: AnyProblem, pos: int, *, kernel: str | None = None) -> bool:
    """Question 18: whether the cell holds a treasure.

    >>> treasure(Problem(treasures=0x20000), 17)
    True
    """
    return bool(_twin(kernel).treasure(_problem(p), _cell(pos)))


def monster(p: AnyProblem, pos: int, *, kernel: str | None = None) -> bool:
    """Question 18: whether the cell holds a monster.

    >>> monster(Problem(monsters=0x20), 5)
    True
    """
    return bool(_twin(kernel).monster(_problem(p), _cell(pos)))


def neighbours(pos: int, *, kernel: str | None = None) -> int:
    """Question 19: the word of the cells beside, above and below a cell: 2 in corners, 3 at edges, else 4.

    >>> hex(neighbours(0))
    '0x102'
    """
    return int(_twin(kernel).neighbours(_cell(pos)))


def count_non_wall(p: AnyProblem, b: int, pos: int, *, kernel: str | None = None) -> int:
    """Question 20: how many neighbours of a cell are not walls, 0 to 4; `p` plays no part, as in the course.

    >>> count_non_wall(Problem(), 0x102, 0), count_non_wall(Problem(), 0, 9)
    (0, 4)
    """
    return int(_twin(kernel).count_non_wall(_problem(p), _word("b", b), _cell(pos)))


# ---------------------------------------------------------------- tests: True rejects


def test_columns_overload(p: AnyProblem, b: int, *, kernel: str | None = None) -> bool:
    """Question 16: whether a column has more walls than its clue. The search asks it of every partial board.

    >>> test_columns_overload(Problem(columns=(1, 8, 8, 8, 8, 8, 8, 8)), 0x101)
    True
    """
    return bool(_twin(kernel).test_columns_overload(_problem(p), _word("b", b)))


def test_columns_underload(p: AnyProblem, b: int, *, kernel: str | None = None) -> bool:
    """Question 16: whether a column has fewer walls than its clue. Of use on a complete board only.

    >>> test_columns_underload(Problem(columns=(3, 0, 0, 0, 0, 0, 0, 0)), 0x101)
    True
    """
    return bool(_twin(kernel).test_columns_underload(_problem(p), _word("b", b)))


def test_deadends(p: AnyProblem, b: int, *, kernel: str | None = None) -> bool:
    """Question 21: whether, on a complete board, a monster is not in a dead end, or an empty cell is in one or shut in.

    >>> test_deadends(Problem(monsters=0b1001), ~0b1111 & 0xffffffffffffffff)
    False
    >>> test_deadends(Problem(monsters=0b0001), ~0b1111 & 0xffffffffffffffff)
    True
    """
    return bool(_twin(kernel).test_deadends(_problem(p), _word("b", b)))


def test_no_deadend_upto_row(p: AnyProblem, b: int, row: int, *, kernel: str | None = None) -> bool:
    """Question 22: whether an empty cell of the first `row` rows (0 to 8) is in a dead end, or shut in.

    Rows that are not yet filled count as open: a dead end that is one now remains one.

    >>> test_no_deadend_upto_row(Problem(), 0x102, 1), test_no_deadend_upto_row(Problem(), 0x102, 0)
    (True, False)
    """
    return bool(_twin(kernel).test_no_deadend_upto_row(_problem(p), _word("b", b), _whole("row", row, 0, SIDE)))


def test_trapped_monster(p: AnyProblem, b: int, *, kernel: str | None = None) -> bool:
    """Question 23: whether a monster, anywhere on the board, has no neighbour that is open.

    >>> test_trapped_monster(Problem(monsters=1), 0x102)
    True
    """
    return bool(_twin(kernel).test_trapped_monster(_problem(p), _word("b", b)))


def test_empty_squares(p: AnyProblem, b: int, *, kernel: str | None = None) -> bool:
    """Question 25: whether four cells in a square (0x0303 of question 24, shifted) are not in `b`.

    The search gives it walls, monsters and filled rooms in one word; `p` plays no part, as in the course.

    >>> test_empty_squares(Problem(), ~0x0303 & 0xffffffffffffffff)
    True
    """
    return bool(_twin(kernel).test_empty_squares(_problem(p), _word("b", b)))


def test_treasure_rooms(p: AnyProblem, b: int, *, kernel: str | None = None) -> Rooms:
    """Question 26: whether a treasure is not in a proper room; and the board with the rooms filled with walls.

    `b` holds the walls *and the monsters* of a complete board. Rooms are filled one after the other, in the order of
    their treasures; where one is refused, the board has those before it filled.

    >>> room = ~(0x070707 | 1 << 11) & 0xffffffffffffffff
    >>> test_treasure_rooms(Problem(treasures=1), room) == (False, room | 0x070707)
    True
    >>> bool(test_treasure_rooms(Problem(treasures=1), room | 1 << 11))
    True
    """
    return Rooms(*_twin(kernel).test_treasure_rooms(_problem(p), _word("b", b)))


# ---------------------------------------------------------------- moves, drawing, search


def moves_loop(p: AnyProblem, row: int, *, kernel: str | None = None) -> tuple[int, ...]:
    """Questions 12 and 13: the words of walls that a row (0 to 7) may get, by a loop over all 256 bytes, in order.

    >>> [hex(move) for move in moves_loop(Problem(monsters=0x300, rows=(0, 5, 0, 0, 0, 0, 0, 0)), 1)][:2]
    ['0x7c00', '0xbc00']
    """
    return tuple(_twin(kernel).moves_loop(_problem(p), _whole("row", row, 0, SIDE - 1)))


def moves_table(p: AnyProblem, row: int, *, kernel: str | None = None) -> tuple[int, ...]:
    """Question 14 and its remark: the same words by the table `enum_byte`; for a known clue, in the same order.

    >>> len(moves_table(Problem(rows=(4, 0, 0, 0, 0, 0, 0, 0)), 0))
    70
    """
    return tuple(_twin(kernel).moves_table(_problem(p), _whole("row", row, 0, SIDE - 1)))


def print_board(p: AnyProblem, b: int, *, kernel: str | None = None) -> str:
    r"""Question 11: the drawing as text (the course prints it): eight lines of `#`, `M`, `T`, `.`, each ended by `\n`.

    >>> print_board(Problem(monsters=1, treasures=2), 0x80)[:9]
    'MT.....#\n'
    """
    return str(_twin(kernel).print_board(_problem(p), _word("b", b)))


def solve(
    p: AnyProblem,
    row: int = 0,
    b: int = 0,
    *,
    limit: int | None = None,
    use_loop: bool = False,
    kernel: str | None = None,
) -> Found:
    """The whole: the recursive search, below the walls `b` of the rows before `row` (0 to 8).

    Finds what the course's program prints, in its order, and counts the calls, this one included. limit: stop at so
    many solutions (1 or more), None: find all. use_loop: take the moves of `moves_loop`, not of `moves_table`.

    >>> found = solve(Problem(0x4200801000800042, 0, (3, 6, 0, 5, 4, 0, 6, 3), (4, 2, 4, 2, 3, 4, 2, 6)))
    >>> [hex(word) for word in found.solutions], found.calls
    (['0x85f500aaba00f585'], 12194)
    """
    start, walls = _whole("row", row, 0, SIDE), _word("b", b)
    if walls >> SIDE * start:
        raise ValueError(f"b has walls in row {start} or below it, but the search fills those rows")
    most = 0 if limit is None else _whole("limit", limit, 1, _LARGEST_WORD)
    if not isinstance(use_loop, bool):
        raise TypeError(f"use_loop must be True or False, not {_kind(use_loop)}")
    return Found(*_twin(kernel).solve(_problem(p), start, walls, most, use_loop))


def main(problems: Iterable[AnyProblem], *, kernel: str | None = None) -> Iterator[str]:
    r"""What the course's program prints, a text a problem: the bare puzzle, then the word and drawing of each solution.

    >>> text = next(main([Problem(0x8400010000000020, 0x20000, (7, 3, 4, 1, 7, 1, 6, 3), (4, 4, 2, 6, 2, 3, 4, 7))]))
    >>> text.splitlines()[:2], text.splitlines()[9]
    (['Solving problem 0', '.....M..'], 'Solution beb80bf80e8c8df')
    """
    for number, p in enumerate(problems):
        yield _printed(number, p, solve(p, kernel=kernel).solutions, kernel)


def answer(number: int, puzzle: Puzzle, boards: Sequence[Board]) -> str:
    """What the course's program prints for a `dnd.Puzzle` with these solutions, when `number` others came before it.

    Used by `dnd solve --to course` (`dnd.game.AnswerForm`); as there, without the final line end.
    """
    inside = grid.to_mask([(row, column) for row in range(puzzle.height) for column in range(puzzle.width)], SIDE)
    words = [grid.to_mask(grid.cells(board.walls, puzzle.width), SIDE) | _LARGEST_WORD ^ inside for board in boards]
    return _printed(number, problem(puzzle), words, None).removesuffix("\n")


def _printed(number: int, p: AnyProblem, solutions: Iterable[int], kernel: str | None) -> str:
    drawn = (f"Solution {walls:x}\n{print_board(p, walls, kernel=kernel)}" for walls in solutions)
    return "".join([f"Solving problem {number}\n", print_board(p, 0, kernel=kernel), *drawn])


# ---------------------------------------------------------------- what the kernels do not ask


def _twin(kernel: str | None) -> ModuleType:
    return load("reference", kernel)


def _whole(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, not {_kind(value)}")
    number = index(value)
    if not least <= number <= most:
        shown = str(number) if number.bit_length() <= 2 * CELLS else f"one of {number.bit_length()} bits"
        raise ValueError(f"{name} must be {least} to {most if most < _LARGEST_WORD else hex(most)}, not {shown}")
    return number


def _word(name: str, value: object) -> int:
    return _whole(name, value, 0, _LARGEST_WORD)


def _cell(value: object) -> int:
    return _whole("pos", value, 0, CELLS - 1)


def _map(m: object) -> list[int]:
    values = _sequence("m", m, CELLS, "truth values")
    return [int(value) if isinstance(value, bool) else _whole(f"m[{i}]", value, 0, 1) for i, value in enumerate(values)]


def _problem(p: object) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    if not isinstance(p, tuple) or len(p) != len(Problem._fields):
        hint = "; course.problem(puzzle) makes one" if getattr(p, "game", "") == "dungeon" else ""
        raise TypeError(f"p must be a Problem: monsters, treasures, rows, columns; not {_kind(p)}{hint}")
    monsters, treasures, rows, columns = p
    return (
        _word("p.monsters", monsters),
        _word("p.treasures", treasures),
        _clues("p.rows", rows),
        _clues("p.columns", columns),
    )


def _clues(name: str, clues: object) -> tuple[int, ...]:
    values = _sequence(name, clues, SIDE, "clues")
    return tuple([_whole(f"{name}[{i}]", clue, -1, SIDE) for i, clue in enumerate(values)])


def _sequence(name: str, values: object, size: int, what: str) -> Sequence[object]:
    if isinstance(values, str) or not hasattr(values, "__len__") or not hasattr(values, "__getitem__"):
        raise TypeError(f"{name} must be a list or tuple of {size} {what}, not {_kind(values)}")
    if len(values) != size:
        raise ValueError(f"{name} must be {size} {what}, not {len(values)}")
    return [values[i] for i in range(size)]


def _kind(value: object) -> str:
    """What a value is, for a sentence."""
    if value is None:
        return "None"
    if isinstance(value, tuple):
        return f"a tuple of {len(value)}"
    return f"a value of type {type(value).__name__}"
