"""Dungeons & Diagrams. The rooms, from the top down: testing, generator, explainer, techniques, state, setters,
completions, sketches, solver, rules, oracle, notation, foreign, alphabet, puzzle, draw, kernel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from dnd.game import AnswerForm, Explainer, Game, Generator, Judge, Notation, Setters, Solver
from dnd.lazy import lazily

if TYPE_CHECKING:
    from dnd.dungeon.explainer import Explanation as Explanation
    from dnd.dungeon.explainer import Rating as Rating
    from dnd.dungeon.explainer import Step as Step
    from dnd.dungeon.explainer import explain as explain
    from dnd.dungeon.explainer import hint as hint
    from dnd.dungeon.explainer import hints as hints
    from dnd.dungeon.explainer import rate as rate
    from dnd.dungeon.generator import generate as generate
    from dnd.dungeon.puzzle import Board as Board
    from dnd.dungeon.puzzle import Puzzle as Puzzle
    from dnd.dungeon.puzzle import Solution as Solution
    from dnd.dungeon.rules import check as check
    from dnd.dungeon.solver import backbone as backbone
    from dnd.dungeon.solver import count as count
    from dnd.dungeon.solver import difference as difference
    from dnd.dungeon.solver import is_unique as is_unique
    from dnd.dungeon.solver import solvable as solvable
    from dnd.dungeon.solver import solve as solve
    from dnd.dungeon.solver import solve_flat as solve_flat
    from dnd.game import Testing

__all__, __getattr__, __dir__ = lazily(
    __name__,
    {
        "explainer": ("Explanation", "Rating", "Step", "explain", "hint", "hints", "rate"),
        "generator": ("generate",),
        "puzzle": ("Board", "Puzzle", "Solution"),
        "rules": ("check",),
        "solver": ("backbone", "count", "difference", "is_unique", "solvable", "solve", "solve_flat"),
    },
)


class Dungeon(Game["Puzzle", "Board"]):
    """Dungeons & Diagrams."""

    name = "dungeon"

    @cached_property
    def notation(self) -> Notation[Puzzle, Board]:
        from dnd.dungeon import notation

        return notation

    @cached_property
    def solver(self) -> Solver[Puzzle]:
        from dnd.dungeon import solver

        return solver

    @cached_property
    def rules(self) -> Judge[Puzzle, Board]:
        from dnd.dungeon import rules

        return rules

    @cached_property
    def explainer(self) -> Explainer:
        from dnd.dungeon import explainer

        return explainer

    @cached_property
    def generator(self) -> Generator:
        from dnd.dungeon import generator

        return generator

    @cached_property
    def setters(self) -> Setters:
        from dnd.dungeon import setters

        return setters

    @cached_property
    def testing(self) -> Testing:
        from dnd.dungeon import testing

        return testing

    def draw(self, puzzle: Puzzle, board: Board | None = None) -> str:
        from dnd.dungeon.puzzle import picture

        return picture(puzzle, board)

    @cached_property
    def answers(self) -> Mapping[str, AnswerForm]:
        from dnd import course  # a room of the dungeon, though its door is in the package

        return {"course": AnswerForm(course.answer, method="reference", limit=None)}


GAME = Dungeon()
