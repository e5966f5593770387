"""Geometry of a rectangle of cells, for every game: masks, neighbours, the eight symmetries.

A set of cells is an int, a *mask*: cell (row r, column c) of a board `width` wide is bit `r * width + c`,
least significant first. On 8x8 that is the course's 64-bit board. Python ints have no size, so a 32x32
board is a mask too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TypeVar

Cell = tuple[int, int]
Moved = TypeVar("Moved", bound="Symmetric")

MAX_SIDE = 32

# How each symmetry moves cell (r, c) of an h x w board. The first four keep the shape; the last four swap
# height and width.
_MOVES = (
    lambda r, c, h, w: (r, c),  # identity
    lambda r, c, h, w: (r, w - 1 - c),  # left-right mirror
    lambda r, c, h, w: (h - 1 - r, c),  # up-down mirror
    lambda r, c, h, w: (h - 1 - r, w - 1 - c),  # half turn
    lambda r, c, h, w: (c, r),  # main diagonal
    lambda r, c, h, w: (c, h - 1 - r),  # quarter turn clockwise
    lambda r, c, h, w: (w - 1 - c, r),  # quarter turn anticlockwise
    lambda r, c, h, w: (w - 1 - c, h - 1 - r),  # other diagonal
)
SYMMETRIES = range(len(_MOVES))


def move(symmetry: int, cell: Cell, height: int, width: int) -> Cell:
    """Where `symmetry` (0..7) takes a cell of a height x width board."""
    return _MOVES[symmetry](*cell, height, width)


def moved_shape(symmetry: int, height: int, width: int) -> tuple[int, int]:
    """Height and width after `symmetry`."""
    return (height, width) if symmetry < 4 else (width, height)


def move_mask(symmetry: int, mask: int, height: int, width: int) -> int:
    """The mask that `symmetry` makes of a mask."""
    return to_mask(
        (move(symmetry, cell, height, width) for cell in cells(mask, width)), moved_shape(symmetry, height, width)[1]
    )


class Symmetric:
    """A value that has symmetric copies: its class says how it is `transformed`."""

    def transformed(self: Moved, symmetry: int) -> Moved:
        """The copy that one of the eight symmetries makes (0..7; 4..7 swap height and width)."""
        raise NotImplementedError

    def symmetries(self: Moved) -> list[Moved]:
        """Its eight symmetric copies, itself first; what has a symmetry itself is listed more than once."""
        return [self.transformed(symmetry) for symmetry in SYMMETRIES]


def to_mask(cells_: Iterable[Cell], width: int) -> int:
    """The mask of some cells."""
    mask = 0
    for row, column in cells_:
        mask |= 1 << (row * width + column)
    return mask


def indices(mask: int) -> Iterator[int]:
    """Positions of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cells(mask: int, width: int) -> tuple[Cell, ...]:
    """The cells of a mask in row-major order."""
    return tuple([divmod(index, width) for index in indices(mask)])


def full(height: int, width: int) -> int:
    """The mask of all cells."""
    return (1 << (height * width)) - 1


def row_mask(row: int, width: int) -> int:
    """The mask of a row."""
    return ((1 << width) - 1) << (row * width)


@cache
def column_mask(column: int, height: int, width: int) -> int:
    """The mask of a column."""
    return sum(1 << (row * width + column) for row in range(height))


def spread(mask: int, height: int, width: int) -> int:
    """The cells that have an orthogonal neighbour in `mask` (cells of `mask` only if they have one too)."""
    right_edge = column_mask(width - 1, height, width)
    left_edge = column_mask(0, height, width)
    return ((mask & ~right_edge) << 1 | (mask & ~left_edge) >> 1 | mask << width | mask >> width) & full(height, width)


def with_neighbours(mask: int, height: int, width: int) -> tuple[int, int]:
    """The cells that have at least one, and those that have at least two, orthogonal neighbours in `mask`."""
    right = (mask & ~column_mask(width - 1, height, width)) << 1
    left = (mask & ~column_mask(0, height, width)) >> 1
    down, up = mask << width, mask >> width
    one = right | left | down | up
    two = right & left | down & up | (right | left) & (down | up)
    board = full(height, width)
    return one & board, two & board


def square_corners(mask: int, height: int, width: int) -> int:
    """The upper left cells of the 2x2 blocks that lie in `mask`."""
    pairs = mask & mask >> 1 & ~column_mask(width - 1, height, width)
    return pairs & pairs >> width


def neighbours(cell: Cell, height: int, width: int) -> list[Cell]:
    """The two to four orthogonal neighbours inside the board, in row-major order."""
    row, column = cell
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [(r, c) for r, c in around if 0 <= r < height and 0 <= c < width]


def components(mask: int, height: int, width: int) -> list[int]:
    """The orthogonally connected parts of a mask, the one with the lowest cell first."""
    parts = []
    while mask:
        part, grown = 0, mask & -mask
        while grown != part:
            part, grown = grown, (grown | spread(grown, height, width)) & mask
        parts.append(part)
        mask &= ~part
    return parts
