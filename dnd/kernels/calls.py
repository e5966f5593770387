"""What the fronts of the games' solvers share: bounds of a search, runs of puzzles of one shape. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from dnd.game import Puzzle

P = TypeVar("P", bound="Puzzle")
Result = TypeVar("Result")


def check_bounds(limit: int | None, max_nodes: int | None) -> None:
    """Raise ValueError unless both are None or 1 or more."""
    for argument, value in (("limit", limit), ("max_nodes", max_nodes)):
        if value is not None and value < 1:
            raise ValueError(f"{argument} must be 1 or more, or None, not {value}")


def in_runs(
    puzzles: Iterable[P], flat: Callable[[list[P]], Sequence[Result | None]], solve: Callable[[P], Result]
) -> Iterator[list[Result]]:
    """The results of puzzles in order, in lists, each list as soon as it is there.

    flat(alike) solves puzzles of one shape together, as far as they are easy: the others' results are None.
    solve(puzzle) solves one of those; it may take long, so what is ready is given first.
    """
    for _, run in groupby(puzzles, lambda puzzle: (puzzle.height, puzzle.width)):
        alike = list(run)
        ready: list[Result] = []
        for puzzle, result in zip(alike, flat(alike), strict=True):
            if result is None:
                if ready:
                    yield ready
                ready = []
                result = solve(puzzle)
            ready.append(result)
        yield ready  # never empty: a group has a puzzle
