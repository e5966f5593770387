"""The reference kernel in plain Python: the course's solver, one function after the other.

This is the readable specification of the course's method and the twin of `reference_c`: same
names, same parameters, same answers, same order of search, same number of calls. Where the method
departs from the exact rules the departure is kept, and named where it happens; docs/course.md
draws a board for each.

A board `b` is a 64-bit word of walls, cell (r, c) at bit 8*r + c:

     0  1  2  3  4  5  6  7     row 0 is the least significant byte,
     8  9 10 11 12 13 14 15     column 0 the least significant bit of each byte;
     .  .  .  .  .  .  .  .     one row down is `<< 8`, one column right is `<< 1`
    56 57 58 59 60 61 62 63

A problem `p` is `(monsters, treasures, rows, columns)`: two such words and two tuples of eight
clues. A clue of -1 is unknown and constrains nothing (the course has no such clue). Every `test_*`
function is True when it *rejects*. Arguments are valid: nothing is checked here.

Python's integers have no width, so `~b` is negative; `& mask` brings it back to a word everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from dnd.dungeon.kernel.tables import BYTES_BY_POPCOUNT, FIRST_WITH_POPCOUNT, POPCOUNT_OF_BYTE

Problem: TypeAlias = tuple[int, int, tuple[int, ...], tuple[int, ...]]

_WORD = 0xFFFF_FFFF_FFFF_FFFF
_FIRST_COLUMN = 0x0101_0101_0101_0101  # one cell in each byte
_SQUARE = 0x0303  # 2x2: cells 0 1 / 8 9
_ROOM = 0x07_0707  # 3x3: cells 0 1 2 / 8 9 10 / 16 17 18
_UNKNOWN = -1


# ---------------------------------------------------------------- words and maps


def mask_column(i: int) -> int:
    """Return the eight cells of column `i`."""
    return _FIRST_COLUMN << i


def map_to_board(m: Sequence[object]) -> int:
    """Return the word whose bit `i` tells whether `m[i]` is true; `m` has 64 entries."""
    board = 0
    for value in reversed(m):  # Horner's scheme: the most significant digit, m[63], goes in first
        board = 2 * board + bool(value)
    return board


def board_to_map(b: int) -> tuple[bool, ...]:
    """Return the 64 bits of `b` as truth values, bit 0 first: the inverse of `map_to_board`."""
    return tuple((b >> pos) & 1 == 1 for pos in range(64))


# ---------------------------------------------------------------- ways to count ones


def popcount_slow(v: int) -> int:
    """Count the ones of a 64-bit word, one bit after the other."""
    ones = 0
    while v:
        ones += v % 2
        v //= 2
    return ones


def popcount_byte(x: int) -> int:
    """Count the ones of a byte with three masked additions: the course's example of what `popcount` does.

    >>> popcount_byte(173)  # 0b10101101 -> 01 01 10 01 -> 0010 0011 -> 00000101
    5
    """
    x = (x & 0x55) + ((x & 0xAA) >> 1)
    x = (x & 0x33) + ((x & 0xCC) >> 2)
    return (x & 0x0F) + ((x & 0xF0) >> 4)


def popcount(v: int) -> int:
    """Count the ones of a 64-bit word with six masked additions, all blocks of a word at once.

    Before the step of width w every block of w bits holds the number of ones it had at first. The
    step adds the odd blocks to the even ones. A sum never overflows: two blocks hold at most w
    ones each, and 2w < 2**2w.
    """
    v = (v & 0x5555_5555_5555_5555) + ((v & 0xAAAA_AAAA_AAAA_AAAA) >> 1)
    v = (v & 0x3333_3333_3333_3333) + ((v & 0xCCCC_CCCC_CCCC_CCCC) >> 2)
    v = (v & 0x0F0F_0F0F_0F0F_0F0F) + ((v & 0xF0F0_F0F0_F0F0_F0F0) >> 4)
    v = (v & 0x00FF_00FF_00FF_00FF) + ((v & 0xFF00_FF00_FF00_FF00) >> 8)
    v = (v & 0x0000_FFFF_0000_FFFF) + ((v & 0xFFFF_0000_FFFF_0000) >> 16)
    return (v & 0x0000_0000_FFFF_FFFF) + ((v & 0xFFFF_FFFF_0000_0000) >> 32)


def popcount_builtin(v: int) -> int:
    """Count the ones of a 64-bit word with what the language offers; the tests below use it."""
    return v.bit_count()


# ---------------------------------------------------------------- cells


def bit(pos: int) -> int:
    """Return the word with the single cell `pos`."""
    return 1 << pos


def neighbours(pos: int) -> int:
    """Return the two to four cells beside, above and below `pos`, inside the board."""
    mask = 0
    if pos % 8 != 0:  # the cell before a row's first one ends the row above: no neighbour
        mask |= bit(pos - 1)
    if pos % 8 != 7:
        mask |= bit(pos + 1)
    if pos >= 8:
        mask |= bit(pos - 8)
    if pos < 56:
        mask |= bit(pos + 8)
    return mask


_NEIGHBOURS = tuple(neighbours(pos) for pos in range(64))


def count_non_wall(p: Problem, b: int, pos: int) -> int:
    """Count the neighbours of `pos` that are no walls: its degree among the open cells.

    Monsters and treasures count as open here. Counting in the complement of `b` under the
    neighbours' mask needs no case for edges: what lies outside the board is not in the mask, and
    so is as good as a wall.
    """
    return popcount_builtin(~b & _NEIGHBOURS[pos])


def empty(p: Problem, b: int, pos: int) -> bool:
    """Tell whether `pos` has no wall, no monster and no treasure."""
    return not (b | p[0] | p[1]) & bit(pos)


def treasure(p: Problem, pos: int) -> bool:
    """Tell whether a treasure is at `pos`."""
    return p[1] & bit(pos) != 0


def monster(p: Problem, pos: int) -> bool:
    """Tell whether a monster is at `pos`."""
    return p[0] & bit(pos) != 0


# ---------------------------------------------------------------- tests: True rejects


def _column_counts(p: Problem, b: int) -> Iterable[tuple[int, int]]:
    """Yield (number of walls, clue) for each column whose clue is known."""
    for col, clue in enumerate(p[3]):
        if clue != _UNKNOWN:
            yield popcount_builtin(b & mask_column(col)), clue


def test_columns_overload(p: Problem, b: int) -> bool:
    """Reject a column with more walls than its clue: walls are only ever added."""
    return any(count > clue for count, clue in _column_counts(p, b))


def test_columns_underload(p: Problem, b: int) -> bool:
    """Reject a column with fewer walls than its clue: of use on a complete board only."""
    return any(count < clue for count, clue in _column_counts(p, b))


def test_no_deadend_upto_row(p: Problem, b: int, row: int) -> bool:
    """Reject an empty dead end, or an empty cell shut in, in the rows before `row`.

    Rows from `row` on are not yet filled and count as open, so the degree seen is the highest the
    cell can still have: what is a dead end now stays one. Treasures are not looked at (`empty` is
    false for them): the test of the rooms will.
    """
    return any(empty(p, b, pos) and count_non_wall(p, b, pos) <= 1 for pos in range(8 * row))


def test_trapped_monster(p: Problem, b: int) -> bool:
    """Reject a monster with no open neighbour, anywhere on the board.

    All rows are looked at, for a wall of the last filled row may shut in a monster below it. Too
    many open neighbours are no reason yet: walls may still come.
    """
    return any(monster(p, pos) and count_non_wall(p, b, pos) == 0 for pos in range(64))


def test_deadends(p: Problem, b: int) -> bool:
    """Reject a complete board on which the dead ends are not exactly the monsters' cells.

    "At most one" for empty cells: a cell without any open neighbour is illegal too.
    """
    for pos in range(64):
        if empty(p, b, pos) and count_non_wall(p, b, pos) <= 1:
            return True
        if monster(p, pos) and count_non_wall(p, b, pos) != 1:
            return True
    return False


def test_treasure_rooms(p: Problem, b: int) -> tuple[bool, int]:
    """Reject a treasure without a room; return (rejects, `b` with the rooms found filled up).

    `b` holds the walls *and the monsters* of a complete board. That keeps monsters out of rooms and
    entrances, and makes the first two departures from the exact rules:

    - on a room's border a monster counts as a wall, so a room may have one free opening and any
      number of monsters at its border beside it;
    - rooms are filled one after the other, in the order of their treasures, and a filled room is
      wall for those that follow. An opening between two rooms is seen by the earlier one only:
      two rooms that are the whole dungeon are refused, and a room that opens into a later one is
      taken although the later one then has two openings.

    A second treasure in a room finds itself walled up, and is rejected: that is the rule. When a
    treasure is rejected the board returned has the rooms of the treasures before it filled.
    """
    for pos in range(64):
        if not treasure(p, pos):
            continue
        room = _open_room_around(b, pos)
        # One opening exactly. More are not retried with another square: any other open square
        # around the same treasure pokes two cells or more through the border of a proper room.
        if room == 0 or popcount_builtin(~b & _border(room)) != 1:
            return True, b
        b |= room
    return False, b


def _open_room_around(b: int, pos: int) -> int:
    """Return the first 3x3 square without walls that contains `pos`, 0 if there is none.

    The top left corner is up to two rows above and two columns left of `pos`, and never beyond
    row or column 5, where the square would leave the board (and its mask wrap into the next row).
    """
    y, x = divmod(pos, 8)
    for top in range(max(y - 2, 0), min(y, 5) + 1):
        for left in range(max(x - 2, 0), min(x, 5) + 1):
            room = _ROOM << (8 * top + left)
            if not b & room:
                return room
    return 0


def _border(room: int) -> int:
    """Return the cells outside `room` that touch it with a side: 12, fewer at the board's edge."""
    touched = 0
    for pos in range(64):
        if room & bit(pos):
            touched |= _NEIGHBOURS[pos]
    return touched & ~room


def test_empty_squares(p: Problem, b: int) -> bool:
    """Reject a 2x2 square of cells that are not in `b`: here walls, monsters and filled rooms.

    A monster in an open 2x2 square would have two open neighbours, so counting it as a wall loses
    nothing once `test_deadends` has passed.
    """
    return any(not b & (_SQUARE << (8 * row + col)) for row in range(7) for col in range(7))


# ---------------------------------------------------------------- search


def _free_rows(p: Problem, row: int, candidates: Iterable[int]) -> tuple[int, ...]:
    """Shift each candidate byte to `row`; keep those that hit no monster and no treasure."""
    taken = p[0] | p[1]
    moves = (byte << (8 * row) for byte in candidates)
    return tuple(move for move in moves if not move & taken)


def moves_loop(p: Problem, row: int) -> tuple[int, ...]:
    """Return the fillings of `row`, found by a look at all 256 bytes, in numeric order."""
    clue = p[2][row]
    right = (byte for byte in range(256) if clue in (_UNKNOWN, POPCOUNT_OF_BYTE[byte]))
    return _free_rows(p, row, right)


def moves_table(p: Problem, row: int) -> tuple[int, ...]:
    """Return the fillings of `row`, read off the table of bytes sorted by popcount, in its order.

    With a known clue both orders are the same: among bytes with equal popcounts the table goes by
    value. They differ for an unknown clue.
    """
    clue = p[2][row]
    if clue == _UNKNOWN:
        return _free_rows(p, row, BYTES_BY_POPCOUNT)
    start, end = FIRST_WITH_POPCOUNT[clue : clue + 2]
    return _free_rows(p, row, BYTES_BY_POPCOUNT[start:end])


def _is_hopeless(p: Problem, row: int, b: int) -> bool:
    """Tell whether the walls of the rows before `row` already rule out every completion."""
    return test_columns_overload(p, b) or test_no_deadend_upto_row(p, b, row) or test_trapped_monster(p, b)


def _is_solution(p: Problem, b: int) -> bool:
    """Tell whether a complete board, not hopeless, satisfies the course's local rules.

    That the open cells are connected is not asked: the third departure from the exact rules.
    """
    if test_columns_underload(p, b) or test_deadends(p, b):
        return False
    rejected, filled = test_treasure_rooms(p, b | p[0])
    return not rejected and not test_empty_squares(p, filled)


def solve(p: Problem, row: int, b: int, limit: int, use_loop: bool) -> tuple[tuple[int, ...], int]:
    """Fill the rows from `row` on, below the walls `b`; return (solutions, calls made).

    The solutions are those the course's program prints, in its order; `limit` stops the search as
    soon as so many are found, 0 asks for all. The calls are those of the course's recursive
    function, the first one included: every node is counted, the rejected ones too.
    """
    moves_of = moves_loop if use_loop else moves_table
    moves = [moves_of(p, later) for later in range(8)]  # a row's moves do not depend on the walls
    solutions: list[int] = []
    calls = 0

    def visit(row: int, board: int) -> None:
        """One call of the course's function."""
        nonlocal calls
        calls += 1
        if _is_hopeless(p, row, board):
            return
        if row == 8:
            if _is_solution(p, board):
                solutions.append(board)
            return
        for move in moves[row]:
            # A sum as in the course, in 64 bits; an "or" as long as `b` has no walls from `row` on.
            visit(row + 1, (board + move) & _WORD)
            if limit and len(solutions) == limit:
                return

    visit(row, b)
    return tuple(solutions), calls


# ---------------------------------------------------------------- drawing


def print_board(p: Problem, b: int) -> str:
    """Return the board in the course's drawing: eight lines of `#`, `M`, `T` and `.`.

    A wall hides what else the cell may hold. Every line ends with a newline.
    """
    return "".join(_glyph(p, b, pos) + "\n" * (pos % 8 == 7) for pos in range(64))


def _glyph(p: Problem, b: int, pos: int) -> str:
    """Return the letter of a cell."""
    if b & bit(pos):
        return "#"
    if monster(p, pos):
        return "M"
    return "T" if treasure(p, pos) else "."
