"""The rules once more, as plainly as they can be written: the oracle that validators are tested against.

Complete boards only, as rows of letters; loops, no masks. Nothing here may come from `dnd.dungeon`: two
programs that share code share their mistakes.

    letters     ["##M#", ...]: `#` is a wall, anything else is open
    monsters, treasures     lists of (row, column) from 0; None reads them from the letters M and T. They
                are needed when an object stands in a wall, where the letter `#` hides it.
    rows, columns           the clues, None where unknown
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

Cell = tuple[int, int]
Clue = int | None


class Dungeon(NamedTuple):
    """A complete board with its clues and objects."""

    rows: Sequence[Clue]
    columns: Sequence[Clue]
    letters: Sequence[str]
    monsters: set[Cell]
    treasures: set[Cell]


def faults(
    rows: Sequence[Clue],
    columns: Sequence[Clue],
    letters: Sequence[str],
    monsters: Iterable[Cell] | None = None,
    treasures: Iterable[Cell] | None = None,
) -> list[str]:
    """The codes of the rules that a complete board breaks, in the order of the rules."""
    dungeon = Dungeon(
        rows,
        columns,
        letters,
        set(_find(letters, "M") if monsters is None else monsters),
        set(_find(letters, "T") if treasures is None else treasures),
    )
    return [code for code, holds in RULES.items() if not holds(dungeon)]


def rows_fit(dungeon: Dungeon) -> bool:
    """Every known row clue is the row's number of walls."""
    for clue, row in zip(dungeon.rows, dungeon.letters, strict=True):
        if clue is not None and row.count("#") != clue:
            return False
    return True


def columns_fit(dungeon: Dungeon) -> bool:
    """Every known column clue is the column's number of walls."""
    for column, clue in enumerate(dungeon.columns):
        walls = sum(row[column] == "#" for row in dungeon.letters)
        if clue is not None and walls != clue:
            return False
    return True


def objects_are_open(dungeon: Dungeon) -> bool:
    """No monster and no treasure stands in a wall."""
    return all(is_open(dungeon, *cell) for cell in [*dungeon.monsters, *dungeon.treasures])


def dead_ends_fit(dungeon: Dungeon) -> bool:
    """Monsters are open cells with one open neighbour, all other open cells have two or more."""
    for row, line in enumerate(dungeon.letters):
        for column in range(len(line)):
            ways = len(open_neighbours(dungeon, row, column))
            if (row, column) in dungeon.monsters:
                if not is_open(dungeon, row, column) or ways != 1:
                    return False
            elif is_open(dungeon, row, column) and ways < 2:
                return False
    return True


def treasures_have_rooms(dungeon: Dungeon) -> bool:
    """Every treasure lies in one of the rooms."""
    housed = {cell for room in rooms(dungeon) for cell in room}
    return all(treasure in housed for treasure in dungeon.treasures)


def hallways_are_narrow(dungeon: Dungeon) -> bool:
    """No 2x2 block of open cells but those within a room."""
    within = rooms(dungeon)
    for row in range(len(dungeon.rows) - 1):
        for column in range(len(dungeon.columns) - 1):
            block = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]
            is_wide = all(is_open(dungeon, *cell) for cell in block)
            if is_wide and not any(all(cell in room for cell in block) for room in within):
                return False
    return True


def is_connected(dungeon: Dungeon) -> bool:
    """One can walk from any open cell to any other."""
    todo = _find(dungeon.letters, ".MT")
    reached = set(todo[:1])
    frontier = todo[:1]
    while frontier:
        for cell in open_neighbours(dungeon, *frontier.pop()):
            if cell not in reached:
                reached.add(cell)
                frontier.append(cell)
    return len(reached) == len(todo)


RULES: dict[str, Callable[[Dungeon], bool]] = {
    "row-count": rows_fit,
    "column-count": columns_fit,
    "object-on-wall": objects_are_open,
    "dead-end": dead_ends_fit,
    "treasure-room": treasures_have_rooms,
    "wide-hallway": hallways_are_narrow,
    "disconnected": is_connected,
}


def is_open(dungeon: Dungeon, row: int, column: int) -> bool:
    """Whether a cell is on the board and no wall."""
    on_board = 0 <= row < len(dungeon.rows) and 0 <= column < len(dungeon.columns)
    return on_board and dungeon.letters[row][column] != "#"


def open_neighbours(dungeon: Dungeon, row: int, column: int) -> list[Cell]:
    """The open cells above, below, left and right of a cell."""
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [cell for cell in around if is_open(dungeon, *cell)]


def rooms(dungeon: Dungeon) -> list[list[Cell]]:
    """All treasure rooms: 3x3, open, one treasure, no monster, one entrance without a monster."""
    found = []
    for top in range(len(dungeon.rows) - 2):
        for left in range(len(dungeon.columns) - 2):
            room = [(top + down, left + right) for down in range(3) for right in range(3)]
            treasures = [cell for cell in room if cell in dungeon.treasures]
            all_open = all(is_open(dungeon, *cell) for cell in room)
            has_monster = any(cell in dungeon.monsters for cell in room)
            if all_open and len(treasures) == 1 and not has_monster and _has_entrance(dungeon, top, left):
                found.append(room)
    return found


def _has_entrance(dungeon: Dungeon, top: int, left: int) -> bool:
    border = []
    for step in range(3):
        border += [(top - 1, left + step), (top + 3, left + step), (top + step, left - 1), (top + step, left + 3)]
    entrances = [cell for cell in border if is_open(dungeon, *cell)]
    return len(entrances) == 1 and entrances[0] not in dungeon.monsters


def _find(letters: Sequence[str], wanted: str) -> list[Cell]:
    return [(row, column) for row, line in enumerate(letters) for column, letter in enumerate(line) if letter in wanted]
