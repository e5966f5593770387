"""A judge of complete dungeon boards that shares nothing with the package and nothing with the peers.

Cells are complex numbers, row + column * 1j, so a neighbour is a cell plus a power of 1j.
"""

from __future__ import annotations

from collections.abc import Sequence

STEPS = (1, -1, 1j, -1j)
Cells = set[complex]


def is_legal(
    height: int,
    width: int,
    rows: Sequence[int | None],
    columns: Sequence[int | None],
    monsters: int,
    treasures: int,
    walls: int,
) -> bool:
    """Whether the walls (a mask, cell (r, c) is bit r * width + c) solve the puzzle; clues are None where unknown."""

    def cells(mask: int) -> Cells:
        return {complex(r, c) for r in range(height) for c in range(width) if mask >> (r * width + c) & 1}

    shut, beasts, gold = cells(walls), cells(monsters), cells(treasures)
    floor = cells(~walls)
    found_rows = [sum(cell.real == row for cell in shut) for row in range(height)]
    found_columns = [sum(cell.imag == column for cell in shut) for column in range(width)]
    return (
        _match(rows, found_rows)
        and _match(columns, found_columns)
        and not (beasts | gold) & shut
        and all(_ends_well(cell, floor, beasts) for cell in floor)
        and all(_room(cell, floor, beasts, gold) for cell in gold)
        and not any(_too_wide(cell, floor, beasts, gold) for cell in floor)
        and _is_one(floor)
    )


def _match(clues: Sequence[int | None], found: list[int]) -> bool:
    return all(clue in (None, number) for clue, number in zip(clues, found, strict=True))


def _around(cell: complex) -> Cells:
    return {cell + step for step in STEPS}


def _block(corner: complex, side: int) -> Cells:
    return {corner + complex(i, j) for i in range(side) for j in range(side)}


def _ends_well(cell: complex, floor: Cells, beasts: Cells) -> bool:
    exits = len(_around(cell) & floor)
    return exits == 1 if cell in beasts else exits >= 2


def _room(treasure: complex, floor: Cells, beasts: Cells, gold: Cells) -> Cells:
    """The cells of the treasure's room, none when it has no legal one."""
    for i in range(3):
        for j in range(3):
            room = _block(treasure - complex(i, j), 3)
            entrances = (set().union(*map(_around, room)) - room) & floor
            alone = len(room & gold) == 1 and not room & beasts
            if room <= floor and alone and len(entrances) == 1 and not entrances & beasts:
                return room
    return set()


def _too_wide(corner: complex, floor: Cells, beasts: Cells, gold: Cells) -> bool:
    block = _block(corner, 2)
    return block <= floor and not any(block <= _room(cell, floor, beasts, gold) for cell in gold)


def _is_one(floor: Cells) -> bool:
    left = set(floor)
    ahead = {left.pop()} if left else set()
    while ahead:
        ahead = set().union(*map(_around, ahead)) & left
        left -= ahead
    return not left
