"""Independent witnesses on rows of letters, sharing no code with rules and solvers: a judge and a brute force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from dnd.dungeon.oracle import RULES, Cell, Clue, Dungeon, faults

__all__ = ["RULES", "Dungeon", "brute_force", "completions", "faults", "is_legal"]


def is_legal(
    rows: Sequence[Clue],
    columns: Sequence[Clue],
    letters: Sequence[str],
    monsters: Iterable[Cell] | None = None,
    treasures: Iterable[Cell] | None = None,
) -> bool:
    """Whether a complete board is a solution."""
    return not faults(rows, columns, letters, monsters, treasures)


def brute_force(
    rows: Sequence[Clue], columns: Sequence[Clue], monsters: Iterable[Cell], treasures: Iterable[Cell]
) -> set[tuple[str, ...]]:
    """All solutions as tuples of drawn rows: every combination of rows that fit their clues, judged when complete."""
    monsters, treasures = set(monsters), set(treasures)
    objects = dict.fromkeys(monsters, "M") | dict.fromkeys(treasures, "T")
    fillings = [_row_fillings(row, clue, len(columns), objects) for row, clue in enumerate(rows)]
    boards = (board for board in product(*fillings) if _columns_fit(columns, board))
    return {board for board in boards if is_legal(rows, columns, board, monsters, treasures)}


def completions(letters: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All boards that a board with unknown cells (`?`) can become."""
    width = len(letters[0])
    for filling in product(*("#." if letter == "?" else letter for letter in "".join(letters))):
        flat = "".join(filling)
        yield tuple(flat[start : start + width] for start in range(0, len(flat), width))


def _row_fillings(row: int, clue: Clue, width: int, objects: dict[Cell, str]) -> list[str]:
    free = [column for column in range(width) if (row, column) not in objects]
    counts = range(len(free) + 1) if clue is None else [clue]
    choices = [set(walls) for count in counts for walls in combinations(free, count)]
    return [
        "".join("#" if column in walls else objects.get((row, column), ".") for column in range(width))
        for walls in choices
    ]


def _columns_fit(columns: Sequence[Clue], board: Sequence[str]) -> bool:
    drawn = zip(*board, strict=True)
    return all(clue is None or line.count("#") == clue for clue, line in zip(columns, drawn, strict=True))
