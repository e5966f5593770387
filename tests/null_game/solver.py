"""Solving, without a kernel."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import ModuleType

from dnd.game import Solutions
from null_game.puzzle import Board, Puzzle, Solution

METHODS = ("auto",)


def solve(
    puzzle: Puzzle, limit: int | None = None, method: str = "auto", *, board: Board | None = None, **_: object
) -> Solutions[Solution]:
    """All lamps lit, unless the board has a dark one."""
    found = () if board and "." in board.lamps else (Solution(puzzle),)
    return Solutions(len(found), found, 1, True)


def solve_runs(
    puzzles: Sequence[Puzzle], limit: int | None = None, **options: object
) -> Iterator[list[Solutions[Solution]]]:
    """One after the other."""
    for puzzle in puzzles:
        yield [solve(puzzle, limit)]


def count(puzzle: Puzzle, limit: int | None = None, **options: object) -> Solutions[Solution]:
    """One."""
    return Solutions(1, (), 1, True)


def is_unique(puzzle: Puzzle) -> bool:
    """It is."""
    return True


def backbone(puzzle: Puzzle) -> Board:
    """The solution."""
    return Solution(puzzle).board


def candidates(puzzle: Puzzle) -> tuple[()]:
    """The backbone says it all."""
    return ()


def engine(height: int, width: int, kernel: str | None = None) -> ModuleType:
    """What solves: this module."""
    return sys.modules[__name__]
