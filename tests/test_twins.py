"""The twins of all games' kernels can be called alike: same public functions, same parameters, same defaults.

Families are found from the files, so that a new one is looked at without being named here.
"""

from __future__ import annotations

import importlib
import inspect
from types import ModuleType

import pytest

from conftest import FAMILIES, needs_compiled


def signatures(module: ModuleType) -> dict[str, str]:
    """The public functions that a module itself defines, as `name(parameters)` with defaults, without types."""
    return {
        name: f"{name}{_untyped(inspect.signature(function))}"
        for name, function in vars(module).items()
        if callable(function) and not isinstance(function, type) and not name.startswith("_")
        if function.__module__ == module.__name__
    }


def _untyped(signature: inspect.Signature) -> inspect.Signature:
    parameters = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    return inspect.Signature(parameters)


def test_families_of_all_games_are_found() -> None:
    assert {family.split(".")[1] for family in FAMILIES} == {"dungeon", "pegs", "suguru"}
    assert len(FAMILIES) >= 9


@needs_compiled
@pytest.mark.parametrize("family", FAMILIES)
def test_twins_are_called_alike(family: str) -> None:
    compiled = signatures(importlib.import_module(f"{family}_c"))
    pure = signatures(importlib.import_module(f"{family}_py"))
    # A pure twin may lend functions to the modules above it; the compiled one has nothing but what is called.
    assert compiled, "no public function"
    assert [pure.get(name) for name in compiled] == list(compiled.values())
