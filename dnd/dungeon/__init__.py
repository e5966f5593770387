"""Dungeons & Diagrams. The rooms: puzzle, draw, cells, dialects, notation, rules, solver, kernel, fixtures."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from dnd.dungeon import notation
from dnd.game import Fixtures, Game, Rule


def _solver() -> Any:
    # Reading and converting puzzles needs no solver, nor its kernels.
    return importlib.import_module("dnd.dungeon.solver")


def _solve(*arguments: Any, **options: Any) -> Any:
    return _solver().solve(*arguments, **options)


def _solve_runs(*arguments: Any, **options: Any) -> Iterator[list[Any]]:
    yield from _solver().solve_runs(*arguments, **options)


def _rules() -> tuple[Rule, ...]:
    from dnd.dungeon import rules

    return rules.all_rules()


def _fixtures() -> Fixtures:
    from dnd.dungeon import fixtures

    return fixtures


GAME = Game(
    name="dungeon",
    read_table=notation.read_table,
    detect=notation.detect,
    read=notation.read,
    write=notation.write,
    formats_in=notation.FORMATS_IN,
    formats_out=notation.FORMATS_OUT,
    solve=_solve,
    solve_runs=_solve_runs,
    methods=("auto", "reference"),
    rules=_rules,
    fixtures=_fixtures,
    line_formats=notation.LINE_FORMATS,
)
