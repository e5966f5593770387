"""Imports only point down: no two modules of the package need each other, be it in a function or for types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "dnd"
GAMES = ("dungeon", "suguru", "pegs")


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in PACKAGE.rglob("*.py")}


def imports_of(module: str) -> Iterator[str]:
    """The modules that one imports. A package whose module is imported is not: that happens by itself."""
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


GRAPH = {module: {other for other in imports_of(module) if other != module} for module in MODULES}


def test_there_is_no_circle() -> None:
    left = dict(GRAPH)
    while free := [module for module, below in left.items() if not below & left.keys()]:
        for module in free:
            del left[module]
    assert not left, {module: sorted(below & left.keys()) for module, below in left.items()}


def test_a_game_knows_no_other_game() -> None:
    for module, below in GRAPH.items():
        for one in GAMES:
            if module.startswith(f"dnd.{one}"):
                others = {f"dnd.{other}" for other in GAMES if other != one}
                assert not [name for name in below if name.startswith(tuple(others))], module


def test_shared_modules_know_no_game() -> None:
    """But the course, which is a dungeon's, and the front, whose overloads tell types of all games."""
    apart = {"dnd", "dnd.course", "dnd.front", "dnd.batch"}
    for module, below in GRAPH.items():
        if module not in apart and not module.startswith(tuple(f"dnd.{name}" for name in GAMES)):
            games = [name for name in below if name.startswith(tuple(f"dnd.{name}" for name in GAMES))]
            assert not games, module


def test_games_rooms_and_kernels_know_no_face() -> None:
    faces = ("dnd.cli", "dnd.front", "dnd.batch", "dnd.reading", "dnd.testing.plugin", "dnd.testing.items")
    for module, below in GRAPH.items():
        if module.startswith(tuple(f"dnd.{name}" for name in GAMES)):
            assert not [name for name in below if name.startswith(faces)], module
