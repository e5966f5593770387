"""What callers may give to the generators of the three games: all else is a clear error, at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from dnd import requests
from dnd.diagnostic import InputError
from dnd.dungeon.generator import generate as dungeon
from dnd.pegs.generator import generate as pegs
from dnd.suguru.generator import generate as suguru

# An argument that is right, whatever the others are.
DUNGEON: dict[str, Any] = {"height": 6, "width": 6, "treasures": 1, "monsters": (1, 9), "symmetry": None}
SUGURU: dict[str, Any] = {"height": 5, "width": 5, "cages": (1, 6), "symmetry": "half-turn"}
PEGS: dict[str, Any] = {"board": "5x5", "pegs": 6, "missing": 4, "final": True}
BOTH: dict[str, Any] = {"difficulty": "easy", "seed": "tests", "count": 1, "start": 0}
GOOD: dict[Callable[..., Any], dict[str, Any]] = {dungeon: DUNGEON, suguru: SUGURU, pegs: PEGS}

NOTHING_ELSE: list[object] = [
    1.5,
    float("nan"),
    float("inf"),
    True,
    b"8",
    (),
    (1,),
    (1, 2, 3),
    (2, 1),
    (1.0, 2.0),
    ("1", "2"),
    (None, None),
    (True, 2),
    [],
    {},
    {1: 2},
    {1, 2},
    ["easy"],
    {"easy"},
    10**30,
    -(10**30),
    10**5000,
    "a b",
    "a/1",
    "é",
    "\uff13",
    "x" * 2000,
    "\ud800",
    object(),
]
# What is right for the argument all the same.
RIGHT: dict[str, list[object]] = {"final": [True], "seed": [10**30, -(10**30)]}


@pytest.mark.parametrize(
    ("generate", "argument"),
    [(make, argument) for make, some in GOOD.items() for argument in some | BOTH],
    ids=lambda value: value if isinstance(value, str) else value.__module__,
)
def test_wrong_arguments_are_told(generate: Callable[..., Any], argument: str) -> None:
    good = {"seed": "tests"} | GOOD[generate]
    for value in NOTHING_ELSE:
        if value in RIGHT.get(argument, ()):
            continue
        with pytest.raises(InputError) as caught:
            list(islice(generate(**good | {argument: value}), 1))
        assert len(str(caught.value)) < 400


@pytest.mark.parametrize("generate", list(GOOD))
def test_right_arguments_are_taken(generate: Callable[..., Any]) -> None:
    made = list(generate(**GOOD[generate] | BOTH))
    assert len(made) == 1
    assert "tests/0" in made[0].name


def test_seeds() -> None:
    assert requests.seed_text(-7) == "-7"
    assert requests.seed_text("a_B.9-") == "a_B.9-"
    assert requests.seed_text(10**30) == "1" + "0" * 30
    assert len({requests.seed_text(None) for _ in range(20)}) == 20


def test_ranges() -> None:
    assert requests.bounds("cages", 4) == (4, 4)
    assert requests.bounds("cages", [2, 5]) == (2, 5)
    with pytest.raises(InputError, match=r"cages must be a whole number or a pair \(least, most\), not \(1,\)"):
        requests.bounds("cages", (1,))


def test_numbers_of_a_stream() -> None:
    """No puzzle has a number that its own name could not be read with."""
    assert list(requests.numbers(3, 2)) == [3, 4]
    assert list(requests.numbers(3, 0)) == []
    assert requests.numbers(5, None)[-1] == 999_999_999
    for start, count in ((-1, 1), (0, -1), (999_999_999, 2)):
        with pytest.raises(InputError, match=r"whole number|starts at 0 and ends at 999999999"):
            requests.numbers(start, count)
