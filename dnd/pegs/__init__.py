"""Peg solitaire. The rooms, from the top down: testing, generator, explainer, solver, proof_notation, proofs,
certificates, programme, rules, oracle, notation, foreign, alphabet, puzzle, draw, kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from dnd.diagnostic import Cell
from dnd.game import OPTIONS, Answer, Explainer, Game, Generator, Judge, Notation, Outlook, Solver
from dnd.lazy import lazily

if TYPE_CHECKING:
    from dnd.game import Testing
    from dnd.pegs.explainer import Explanation as Explanation
    from dnd.pegs.explainer import Rating as Rating
    from dnd.pegs.explainer import Step as Step
    from dnd.pegs.explainer import explain as explain
    from dnd.pegs.explainer import hint as hint
    from dnd.pegs.explainer import hints as hints
    from dnd.pegs.explainer import rate as rate
    from dnd.pegs.generator import generate as generate
    from dnd.pegs.proofs import Proof
    from dnd.pegs.puzzle import Play as Play
    from dnd.pegs.puzzle import Puzzle as Puzzle
    from dnd.pegs.puzzle import Solution as Solution
    from dnd.pegs.rules import check as check
    from dnd.pegs.solver import Outcome as Outcome
    from dnd.pegs.solver import Tally as Tally
    from dnd.pegs.solver import count as count
    from dnd.pegs.solver import is_unique as is_unique
    from dnd.pegs.solver import solve as solve

__all__, __getattr__, __dir__ = lazily(
    __name__,
    {
        "explainer": ("Explanation", "Rating", "Step", "explain", "hint", "hints", "rate"),
        "generator": ("generate",),
        "puzzle": ("Play", "Puzzle", "Solution"),
        "rules": ("check",),
        "solver": ("Outcome", "Tally", "count", "is_unique", "solve"),
    },
)


class Pegs(Game["Puzzle", "Play"]):
    """Peg solitaire, on a board of any shape in 16x16 cells."""

    name = "pegs"
    options = OPTIONS
    slow = True
    missing = "jumps to go"

    @cached_property
    def notation(self) -> Notation[Puzzle, Play]:
        from dnd.pegs import notation

        return notation

    @cached_property
    def solver(self) -> Solver[Puzzle]:
        from dnd.pegs import solver

        return solver

    @cached_property
    def rules(self) -> Judge[Puzzle, Play]:
        from dnd.pegs import rules

        return rules

    @cached_property
    def explainer(self) -> Explainer:
        from dnd.pegs import explainer

        return explainer

    @cached_property
    def generator(self) -> Generator:
        from dnd.pegs import generator

        return generator

    @cached_property
    def testing(self) -> Testing:
        from dnd.pegs import testing

        return testing

    def draw(self, puzzle: Puzzle, board: Play | None = None) -> str:
        from dnd.pegs.puzzle import picture

        return picture(puzzle, board)

    def frames(self, puzzle: Puzzle, board: Play) -> Iterator[str]:
        from dnd.pegs.puzzle import frames

        return frames(puzzle, board)

    def log(self, path: str, result: Answer, seconds: float) -> None:
        from dnd.pegs.notation import log

        log(path, cast("Outcome", result), seconds)

    def outlook(self, puzzle: Puzzle, board: Play, **options: Any) -> Outlook | None:
        from dnd.pegs.explainer import outlook

        return outlook(puzzle, board, **options)

    def read_proofs(self, data: bytes, file: str) -> Iterator[Proof]:
        from dnd.pegs import proof_notation

        return proof_notation.read(data, file)

    def verify(self, puzzle: Puzzle, proof: Proof) -> Outlook:
        from dnd.pegs.explainer import verify

        return verify(puzzle, proof)

    def untouched(self, puzzle: Puzzle) -> Play:
        from dnd.pegs.puzzle import Play

        return Play(puzzle.height, puzzle.width, ())

    def ending_at(self, puzzle: Puzzle, cell: Cell) -> Puzzle:
        return replace(puzzle, final=cell)


GAME = Pegs()
