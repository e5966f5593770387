"""The values: a puzzle, a board, a solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Puzzle:
    """So many lamps in a row."""

    width: int
    name: str = ""
    height: ClassVar[int] = 1
    game: ClassVar[str] = "null"


@dataclass(frozen=True)
class Board:
    """`o` for a lamp that is lit, `.` for one that is not, `?` for one that nobody has seen to."""

    lamps: str

    def unknown_in(self, puzzle: Puzzle) -> int:
        """Lamps that nobody has seen to."""
        return self.lamps.count("?")


@dataclass(frozen=True)
class Solution:
    """A solved board."""

    puzzle: Puzzle

    @property
    def board(self) -> Board:
        """All lamps lit."""
        return Board("o" * self.puzzle.width)
