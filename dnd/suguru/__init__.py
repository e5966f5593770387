"""Suguru. The rooms, from the top down: testing, generator, explainer, techniques, state, solver, rules, oracle,
notation, foreign, alphabet, puzzle, draw, kernel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from dnd.game import AnswerForm, Explainer, Game, Generator, Judge, Notation, Solver
from dnd.lazy import lazily

if TYPE_CHECKING:
    from dnd.game import Testing
    from dnd.suguru.explainer import Explanation as Explanation
    from dnd.suguru.explainer import Rating as Rating
    from dnd.suguru.explainer import Step as Step
    from dnd.suguru.explainer import explain as explain
    from dnd.suguru.explainer import hint as hint
    from dnd.suguru.explainer import hints as hints
    from dnd.suguru.explainer import rate as rate
    from dnd.suguru.generator import generate as generate
    from dnd.suguru.puzzle import Board as Board
    from dnd.suguru.puzzle import Puzzle as Puzzle
    from dnd.suguru.puzzle import Solution as Solution
    from dnd.suguru.rules import check as check
    from dnd.suguru.solver import backbone as backbone
    from dnd.suguru.solver import candidates as candidates
    from dnd.suguru.solver import count as count
    from dnd.suguru.solver import is_unique as is_unique
    from dnd.suguru.solver import solve as solve

__all__, __getattr__, __dir__ = lazily(
    __name__,
    {
        "explainer": ("Explanation", "Rating", "Step", "explain", "hint", "hints", "rate"),
        "generator": ("generate",),
        "puzzle": ("Board", "Puzzle", "Solution"),
        "rules": ("check",),
        "solver": ("backbone", "candidates", "count", "is_unique", "solve"),
    },
)


class Suguru(Game["Puzzle", "Board"]):
    """Suguru, also called Tectonic or Number Blocks."""

    name = "suguru"

    @cached_property
    def notation(self) -> Notation[Puzzle, Board]:
        from dnd.suguru import notation

        return notation

    @cached_property
    def solver(self) -> Solver[Puzzle]:
        from dnd.suguru import solver

        return solver

    @cached_property
    def rules(self) -> Judge[Puzzle, Board]:
        from dnd.suguru import rules

        return rules

    @cached_property
    def explainer(self) -> Explainer:
        from dnd.suguru import explainer

        return explainer

    @cached_property
    def generator(self) -> Generator:
        from dnd.suguru import generator

        return generator

    @cached_property
    def testing(self) -> Testing:
        from dnd.suguru import testing

        return testing

    def draw(self, puzzle: Puzzle, board: Board | None = None) -> str:
        from dnd.suguru.puzzle import picture

        return picture(puzzle, board)

    @cached_property
    def answers(self) -> Mapping[str, AnswerForm]:
        from dnd.suguru import foreign

        return {"codingame": AnswerForm(foreign.codingame_answer)}


GAME = Suguru()
