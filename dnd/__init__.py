"""Dungeons & Diagrams: solve, check, explain, generate; Suguru and peg solitaire beside it.

The names below speak Dungeons & Diagrams without naming the folder. They are imported when first used, so
that `import dnd` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dnd import course as course
    from dnd.batch import solve_many as solve_many
    from dnd.diagnostic import Diagnostic as Diagnostic
    from dnd.diagnostic import InputError as InputError
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
    from dnd.game import Solutions as Solutions
    from dnd.reading import dumps as dumps
    from dnd.reading import load as load
    from dnd.reading import loads as loads

__version__ = "0.1.0"

_HOMES = {
    "dnd.batch": ("solve_many",),
    "dnd.diagnostic": ("Diagnostic", "InputError"),
    "dnd.dungeon.explainer": ("explain", "hint", "hints", "rate"),
    "dnd.dungeon.generator": ("generate",),
    "dnd.dungeon.puzzle": ("Board", "Puzzle", "Solution"),
    "dnd.dungeon.rules": ("check",),
    "dnd.dungeon.solver": ("backbone", "count", "difference", "is_unique", "solvable", "solve", "solve_flat"),
    "dnd.game": ("Solutions",),
    "dnd.reading": ("dumps", "load", "loads"),
}
_MODULES = ("course",)
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted({*_HOME_OF, *_MODULES})]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"dnd.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'dnd' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF, *_MODULES})
