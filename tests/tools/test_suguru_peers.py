"""Suguru's peers in the benchmarks (`tools/peers_suguru.py`) and their judge: all solutions of small random grids."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from math import prod

import pytest

from checker_suguru import is_legal
from dnd.suguru.puzzle import components
from peers_suguru import PEERS

Grid = tuple[int, int, tuple[int, ...], tuple[int, ...]]


def grids() -> Iterator[Grid]:
    """Grids with holes, cages of all shapes, and givens that may contradict each other or their cage."""
    draw = random.Random(4)
    for height, width in [(1, 1), (1, 6), (6, 1), (2, 2), *[(2, 3), (3, 2), (3, 3), (2, 4)] * 12]:
        cages = components([draw.choice((0, 0, 1, 1, 2, -1)) for _ in range(height * width)], width)
        if max(cages) >= 0 and prod(map(len, choices(cages))) < 800:
            givens = [0 if cage < 0 or draw.random() < 0.8 else draw.randint(1, 4) for cage in cages]
            yield height, width, cages, tuple(givens)


def choices(cages: tuple[int, ...]) -> list[range]:
    """The values that a cell's cage has room for."""
    return [range(1, cages.count(cage) + 1) if cage >= 0 else range(1) for cage in cages]


GRIDS = list(grids())


def brute_force(height: int, width: int, cages: tuple[int, ...], givens: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Every filling that the judge accepts."""
    return {values for values in product(*choices(cages)) if is_legal(height, width, cages, givens, values)}


def test_the_grids_are_of_all_kinds() -> None:
    counts = [len(brute_force(*grid)) for grid in GRIDS]
    assert 0 in counts
    assert 1 in counts
    assert max(counts) > 5
    assert any(-1 in cages for _, _, cages, _ in GRIDS)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_all_solutions(name: str) -> None:
    solve = PEERS[name]
    if solve is None:
        pytest.skip(f"{name} is not installed (the extra `bench`)")
    for grid in GRIDS:
        every = brute_force(*grid)
        assert solve(*grid, 0) == (every, True), grid
        found, complete = solve(*grid, 2)
        assert found <= every
        assert (len(found), complete) == (min(len(every), 2), len(every) < 2)


@pytest.mark.parametrize(
    "values",
    [
        (1, 2, 2, 1, 3, 4, 3, 4),  # 2 beside 2
        (1, 2, 1, 4, 3, 4, 2, 3),  # 2 touches 2 by a corner
        (1, 2, 4, 1, 3, 4, 3, 2),  # 4 touches 4 by the other corner
        (1, 2, 1, 2, 3, 4, 3, 5),  # outside 1..4
        (2, 1, 2, 1, 3, 4, 3, 4),  # not the given
        (1, 2, 1, 2, 3, 4, 3, 0),  # an empty cell
    ],
)
def test_the_judge_refuses(values: tuple[int, ...]) -> None:
    puzzle = (2, 4, (0, 0, 1, 1, 0, 0, 1, 1), (1, 0, 0, 0, 0, 0, 0, 0))
    assert is_legal(*puzzle, (1, 2, 1, 2, 3, 4, 3, 4))
    assert not is_legal(*puzzle, values)


def test_the_judge_refuses_a_number_twice_in_a_cage_or_in_a_hole() -> None:
    assert is_legal(1, 4, (0, 0, 0, -1), (0, 0, 0, 0), (1, 2, 3, 0))
    assert not is_legal(1, 4, (0, 0, 0, -1), (0, 0, 0, 0), (1, 2, 1, 0))
    assert not is_legal(1, 4, (0, 0, 0, -1), (0, 0, 0, 0), (1, 2, 3, 1))
