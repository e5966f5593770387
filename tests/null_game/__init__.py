"""The smallest game that can be, and the template of one (docs/adding-a-game.md): light all lamps of a row."""

from __future__ import annotations

from dnd.game import Game, Judge, Notation, Solver
from null_game import notation, rules, solver
from null_game.puzzle import Board, Puzzle


class Null(Game[Puzzle, Board]):
    """Lamps in a row; a puzzle is their number, and the only solution has all of them lit."""

    name = "null"
    missing = "lamps not seen to"

    @property
    def notation(self) -> Notation[Puzzle, Board]:
        return notation

    @property
    def solver(self) -> Solver[Puzzle]:
        return solver

    @property
    def rules(self) -> Judge[Puzzle, Board]:
        return rules

    def draw(self, puzzle: Puzzle, board: Board | None = None) -> str:
        return (board or Board("?" * puzzle.width)).lamps


GAME = Null()
