"""What is known of a dungeon while it is being solved, and what can be seen in it at once.

The pure kernels reason on these values, and `dnd.dungeon.techniques` tells from the same ones why a conclusion holds.
A set of cells is an int, cell (r, c) at bit r * width + c, so that a question is put to all cells at once:
`Board.above(cells)` is the set of the cells whose upper neighbour is in `cells`, and so on for the other directions.

         0  1  2  3        above = cells << width        left  = (cells, last column dropped)  << 1
         4  5  6  7        below = cells >> width        right = (cells, first column dropped) >> 1
         8  9 10 11
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import NamedTuple

Clues = tuple[int, ...]

_MANY = 99  # what a line without clue lacks: more than any line has cells


class Placement(NamedTuple):
    """A 3x3 square that may be a treasure's room: its cells, its border, the upper left cells of its blocks."""

    square: int
    border: int
    blocks: int


class Board:
    """The geometry of a height x width board."""

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.all = (1 << height * width) - 1
        self.row_masks = [((1 << width) - 1) << row * width for row in range(height)]
        self.column_masks = [sum(1 << row * width + column for row in range(height)) for column in range(width)]
        self.not_first = self.all & ~self.column_masks[0]
        self.not_last = self.all & ~self.column_masks[-1]
        # A block is known by its upper left cell, which is in neither the last column nor the last row.
        self.block_corners = self.not_last & (self.all >> width)

    def above(self, cells: int) -> int:
        """The cells whose upper neighbour is in `cells`."""
        return cells << self.width & self.all

    def below(self, cells: int) -> int:
        """The cells whose lower neighbour is in `cells`."""
        return cells >> self.width

    def left(self, cells: int) -> int:
        """The cells whose left neighbour is in `cells`."""
        return (cells & self.not_last) << 1

    def right(self, cells: int) -> int:
        """The cells whose right neighbour is in `cells`."""
        return (cells & self.not_first) >> 1

    def around(self, cells: int) -> int:
        """The cells with a neighbour in `cells`."""
        return self.above(cells) | self.below(cells) | self.left(cells) | self.right(cells)

    def neighbour_counts(self, cells: int) -> tuple[int, int, int]:
        """The cells with at least one, two, three neighbours in `cells`."""
        return at_least(self.above(cells), self.below(cells), self.left(cells), self.right(cells))

    def placements(self, monsters: int, treasures: int) -> tuple[tuple[Placement, ...], ...]:
        """Of each treasure, in the order of their cells, where its room can be, by the upper left cell."""
        cells = [cell for cell in range(self.height * self.width) if treasures >> cell & 1]
        return tuple([tuple(self._placements_of(cell, monsters, treasures)) for cell in cells])

    def _placements_of(self, treasure: int, monsters: int, treasures: int) -> Iterator[Placement]:
        """The squares over a treasure that hold no other, and no monster, not even on the border."""
        row, column = divmod(treasure, self.width)
        corner = 0b111 | 0b111 << self.width | 0b111 << 2 * self.width
        for top in range(max(0, row - 2), min(row, self.height - 3) + 1):
            for left in range(max(0, column - 2), min(column, self.width - 3) + 1):
                start = top * self.width + left
                square = corner << start
                border = self.around(square) & ~square
                if square & treasures == 1 << treasure and not (square | border) & monsters:
                    yield Placement(square, border, (0b11 | 0b11 << self.width) << start)


board_of = lru_cache(maxsize=64)(Board)


def at_least(above: int, below: int, left: int, right: int) -> tuple[int, int, int]:
    """The cells that are in at least one, two, three of four sets."""
    either_upright, both_upright = above | below, above & below
    either_across, both_across = left | right, left & right
    one = either_upright | either_across
    two = both_upright | both_across | (either_upright & either_across)
    three = (both_upright & either_across) | (both_across & either_upright)
    return one, two, three


def bits(cells: int) -> Iterator[int]:
    """The cells of a set, one by one, each as a set."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


class Line(NamedTuple):
    """A row or a column.

    mask, cells: its cells. clue: -1 unknown. before, after: for each of its cells the neighbours outside the line, as
    sets; empty at the edge of the board.
    """

    mask: int
    clue: int
    cells: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


class Layout:
    """A puzzle and its lines: rows from the top, then columns from the left. `strips`: lines that lie side by side."""

    def __init__(self, height: int, width: int, rows: Clues, columns: Clues, monsters: int, treasures: int) -> None:
        self.arguments = height, width, rows, columns, monsters, treasures
        self.board = board = board_of(height, width)
        self.monsters, self.treasures, self.objects = monsters, treasures, monsters | treasures
        self.placements = board.placements(monsters, treasures)
        row_clues, column_clues = zip(board.row_masks, rows, strict=True), zip(board.column_masks, columns, strict=True)
        self.lines = [
            *(self._line(mask, clue, 1, board.below, board.above) for mask, clue in row_clues),
            *(self._line(mask, clue, width, board.right, board.left) for mask, clue in column_clues),
        ]
        self.strips = [(line, line + 1) for line in range(height + width - 1) if line + 1 != height]

    def _line(self, mask: int, clue: int, step: int, before: Callable[[int], int], after: Callable[[int], int]) -> Line:
        """A line by its cells and clue; `step` leads from cell to cell, `before` and `after` to the lines beside it."""
        cells = tuple(range((mask & -mask).bit_length() - 1, mask.bit_length(), step))
        sides = [tuple(side(1 << cell) for cell in cells) for side in (before, after)]
        return Line(mask, clue, cells, *sides)

    def asleep(self, placements: Iterable[Iterable[Placement]]) -> int:
        """The blocks (known by their upper left cells) that lie in one of these placements."""
        return reduce(or_, [place.blocks for places in placements for place in places], 0)


class State:
    """What is known, and what can be seen at once."""

    def __init__(self, layout: Layout, walls: int, floors: int) -> None:
        self.layout, self.board = layout, layout.board
        self.walls, self.floors = walls, floors | layout.objects
        self.maybe = self.board.all & ~walls
        self.unknown = self.maybe & ~self.floors

    def with_conclusions(self, walls: int, floors: int) -> State:
        """The state with more known."""
        return State(self.layout, self.walls | walls, self.floors | floors)

    @cached_property
    def may_be_beside(self) -> tuple[int, int, int]:
        """The cells with at least one, two, three neighbours that may be floor."""
        return self.board.neighbour_counts(self.maybe)

    @cached_property
    def floors_beside(self) -> tuple[int, int, int]:
        """The cells with at least one, two, three neighbours that are floor."""
        return self.board.neighbour_counts(self.floors)

    @cached_property
    def lacks(self) -> list[tuple[int, int]]:
        """How many walls and floors each line lacks; where there is no clue, more than any line has cells."""
        walls, floors = self.walls, self.floors
        return [
            (clue - (walls & mask).bit_count(), len(cells) - clue - (floors & mask).bit_count())
            if clue >= 0
            else (_MANY, _MANY)
            for mask, clue, cells, _, _ in self.layout.lines
        ]

    @cached_property
    def places(self) -> list[list[Placement]]:
        """The placements of each treasure that are still possible."""
        return [[place for place in places if self.is_possible(place)] for places in self.layout.placements]

    def is_possible(self, place: Placement) -> bool:
        """Whether a placement has no wall, at most one open border cell, and may have one."""
        border = place.border & self.floors
        return not place.square & self.walls and not border & (border - 1) and bool(place.border & self.maybe)

    @cached_property
    def rooms(self) -> list[Placement]:
        """The rooms of the treasures that have one possible placement."""
        return [places[0] for places in self.places if len(places) == 1]

    @cached_property
    def awake(self) -> int:
        """The blocks that lie in no possible placement, known by their upper left cells."""
        return self.board.block_corners & ~self.layout.asleep(self.places)

    def block(self, corner: int) -> int:
        """The four cells of a block."""
        return corner | corner << 1 | corner << self.board.width | corner << self.board.width + 1

    def flood(self, start: int, allowed: int) -> int:
        """The cells that can be reached from `start` through allowed cells."""
        reached, grown = 0, start
        while grown != reached:
            reached, grown = grown, (grown | self.board.around(grown)) & allowed
        return reached

    def parts(self) -> Iterator[int]:
        """The regions of floors that hang together."""
        rest = self.floors
        while rest:
            part = self.flood(rest & -rest, self.floors)
            yield part
            rest &= ~part

    def is_split(self, closed: int) -> bool:
        """Whether some floor is cut off from another when those unknown cells are walls."""
        return bool(self.floors & ~self.flood(self.floors & -self.floors, self.maybe & ~closed))

    @cached_property
    def is_broken(self) -> bool:
        """Whether a rule is broken in plain sight, whatever the unknown cells are."""
        one, two, _ = self.may_be_beside
        monsters = self.layout.monsters
        return bool(
            self.walls & self.floors
            or any(min(lacks) < 0 for lacks in self.lacks)
            or monsters & (~one | self.floors_beside[1])
            or self.floors & ~monsters & ~two
            or self.awake & self.square_corners(self.floors)
            or not all(self.places)
            or self.is_split(0)
        )

    def square_corners(self, cells: int) -> int:
        """The blocks whose four cells are among these."""
        pairs = cells & cells >> 1
        return pairs & pairs >> self.board.width & self.board.block_corners
