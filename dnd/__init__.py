"""Dungeons & Diagrams, Suguru and peg solitaire: solve, check, explain, generate.

The functions below take puzzles of all games and return values of the puzzle's game. The packages
`dnd.dungeon`, `dnd.suguru` and `dnd.pegs` have functions of the same names for their own puzzles, and the values
themselves; `dnd.Puzzle`, `dnd.Board` and `dnd.Solution` are those of Dungeons & Diagrams. Modules are imported
on first use, so `import dnd` is cheap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dnd.lazy import lazily

if TYPE_CHECKING:
    from dnd import course as course
    from dnd.batch import solve_many as solve_many
    from dnd.diagnostic import Diagnostic as Diagnostic
    from dnd.diagnostic import InputError as InputError
    from dnd.dungeon.puzzle import Board as Board
    from dnd.dungeon.puzzle import Puzzle as Puzzle
    from dnd.dungeon.puzzle import Solution as Solution
    from dnd.dungeon.solver import solve_flat as solve_flat
    from dnd.front import backbone as backbone
    from dnd.front import check as check
    from dnd.front import count as count
    from dnd.front import difference as difference
    from dnd.front import explain as explain
    from dnd.front import generate as generate
    from dnd.front import hint as hint
    from dnd.front import hints as hints
    from dnd.front import is_unique as is_unique
    from dnd.front import rate as rate
    from dnd.front import show as show
    from dnd.front import solvable as solvable
    from dnd.front import solve as solve
    from dnd.game import Solutions as Solutions
    from dnd.reading import dumps as dumps
    from dnd.reading import load as load
    from dnd.reading import loads as loads

__version__ = "0.1.0"

__all__, __getattr__, __dir__ = lazily(
    __name__,
    {
        "": ("course",),
        "batch": ("solve_many",),
        "diagnostic": ("Diagnostic", "InputError"),
        "dungeon.puzzle": ("Board", "Puzzle", "Solution"),
        "dungeon.solver": ("solve_flat",),
        "front": (
            "backbone",
            "check",
            "count",
            "difference",
            "explain",
            "generate",
            "hint",
            "hints",
            "is_unique",
            "rate",
            "show",
            "solvable",
            "solve",
        ),
        "game": ("Solutions",),
        "reading": ("dumps", "load", "loads"),
    },
)
__all__ += ["__version__"]
