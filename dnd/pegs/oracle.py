"""The rules once more, as plainly as they can be written: the oracle that validators are tested against.

Boards are lists of lists of signs, jumps are made one by one; no masks, no tables. Nothing here may come from
`dnd.pegs`: two programs that share code share their mistakes.

    rows        the board at the start: `o` a peg, `.` an empty cell, anything else outside
    final       row and column where the last peg must end, None for anywhere
    jumps       (row, column, direction) each: 0 up, 1 down, 2 left, 3 right
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

Cell = tuple[int, int]
Board = list[list[str]]


class Game(NamedTuple):
    """A board, where its last peg must end, and what was played."""

    rows: Sequence[str]
    final: Cell | None
    jumps: Sequence[tuple[int, int, int]]


def faults(rows: Sequence[str], final: Cell | None, jumps: Sequence[tuple[int, int, int]]) -> list[str]:
    """The codes of the rules that a game breaks, in the order of the rules."""
    return [code for code, holds in RULES.items() if not holds(Game(rows, final, jumps))]


def every_jump_is_legal(game: Game) -> bool:
    """All jumps can be made, one after the other."""
    made, _ = played(game)
    return made == len(game.jumps)


def no_end_with_several_pegs(game: Game) -> bool:
    """Where the legal jumps have led, one peg is left or another jump is possible."""
    _, board = played(game)
    return len(pegs_of(board)) == 1 or any(
        can_jump(board, row, column, direction) for row, column in pegs_of(board) for direction in range(4)
    )


def last_peg_is_at_home(game: Game) -> bool:
    """Where the legal jumps have led to a single peg, it stands in the final cell, if there is one."""
    _, board = played(game)
    return game.final is None or len(pegs_of(board)) > 1 or pegs_of(board) == [tuple(game.final)]


RULES: dict[str, Callable[[Game], bool]] = {
    "illegal-jump": every_jump_is_legal,
    "too-many-left": no_end_with_several_pegs,
    "wrong-final-cell": last_peg_is_at_home,
}


def played(game: Game) -> tuple[int, Board]:
    """How many jumps can be made before one cannot, and the board then."""
    board = [list(row) for row in game.rows]
    for number, (row, column, direction) in enumerate(game.jumps):
        if not can_jump(board, row, column, direction):
            return number, board
        for (r, c), sign in zip(way(row, column, direction), "..o", strict=True):
            board[r][c] = sign
    return len(game.jumps), board


def can_jump(board: Board, row: int, column: int, direction: int) -> bool:
    """Whether the three cells of a jump hold a peg, a peg and nothing."""
    return "".join(sign_at(board, r, c) for r, c in way(row, column, direction)) == "oo."


def way(row: int, column: int, direction: int) -> list[Cell]:
    """The cells of a jump: from, over, to."""
    if direction == 0:
        return [(row, column), (row - 1, column), (row - 2, column)]
    if direction == 1:
        return [(row, column), (row + 1, column), (row + 2, column)]
    if direction == 2:
        return [(row, column), (row, column - 1), (row, column - 2)]
    return [(row, column), (row, column + 1), (row, column + 2)]


def sign_at(board: Board, row: int, column: int) -> str:
    """What stands there; "#" off the grid."""
    if row < 0 or column < 0 or row >= len(board) or column >= len(board[row]):
        return "#"
    return board[row][column]


def pegs_of(board: Board) -> list[Cell]:
    """The cells with pegs."""
    return [(r, c) for r, row in enumerate(board) for c, sign in enumerate(row) if sign == "o"]
