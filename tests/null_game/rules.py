"""Judging: one rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dnd.diagnostic import Diagnostic, input_error
from dnd.rule import Rule, judged
from null_game.puzzle import Board, Puzzle


def dark_lamp(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Every lamp must be lit."""
    for column, lamp in enumerate(board.lamps):
        if lamp == ".":
            yield Diagnostic("dark-lamp", f"lamp {column + 1} is dark", cells=((0, column),))


def all_rules() -> tuple[Rule, ...]:
    """The validators."""
    return (Rule("dark-lamp", "Every lamp must be lit.", dark_lamp),)


def check(puzzle: Puzzle, board: Board | str, rules: Iterable[str] | None = None) -> list[Diagnostic]:
    """What a board does wrong."""
    return judged(all_rules(), rules, puzzle, as_board(puzzle, board))


def as_board(puzzle: Puzzle, board: Board | str) -> Board:
    """A board, also as a text."""
    found = board if isinstance(board, Board) else Board(board.strip())
    if len(found.lamps) != puzzle.width:
        raise input_error("shape-mismatch", f"{len(found.lamps)} lamps, not {puzzle.width}")
    return found
