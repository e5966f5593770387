"""Dungeons & Diagrams: the values, and the rules stated exactly.

The puzzle
----------
A board has H rows and W columns (1 to 32 each). Each cell is a **wall** or **open**. A **clue** beside a
row or above a column gives its number of walls; an unknown clue constrains nothing. Some cells hold a
**monster** or a **treasure**: these are given, and open. Neighbours are orthogonal, diagonals never
touch, and outside the board counts as wall. A solution says of each cell whether it is wall, so that

1. row-count, column-count: each known clue equals the number of walls of its line.
2. object-on-wall: no monster and no treasure stands in a wall.
3. dead-end: an open cell with exactly one open neighbour is a dead end; monsters stand exactly in the
   dead ends. So a monster has one open neighbour, any other open cell two or more.
4. treasure-room: every treasure lies in a 3x3 square of open cells that holds one treasure, anywhere in
   it, and no monster; of the cells that border the square orthogonally (at most 12: no corners, nothing
   outside the board) exactly one is open, the *entrance*, and no monster stands on it.
5. wide-hallway: no 2x2 block of open cells, unless all four are cells of one treasure room.
6. disconnected: the open cells form one orthogonally connected region.

Where other descriptions are silent or differ
---------------------------------------------
*An open cell with no open neighbour* is illegal: it is not a hallway. Other solvers forget it (they ask
only that a dead end has a monster) and then find two solutions for levels 3-8 and 7-6.

*A single open cell* is therefore illegal, but *a board of walls only* is legal: nothing to connect.

*A room may lie against the edge* of the board; its border is then shorter:

    . . . #        the room's border is the three cells right of it and the three below;
    . T . .        one of the six is open
    . . . #
    # # # #

*A 3x3 open square without a treasure* breaks the wide-hallway rule: nothing exempts it.

*A 2x2 half in a room and half outside* cannot occur beside a legal room, since it would need two
entrances; so "all four cells in one room" is the whole exemption. Solvers that exempt a block as soon as
one of its cells is in a room accept illegal boards.

*Two rooms side by side.* Rooms never overlap (each would hold the other's open cells on its border). They
touch only when each is the other's entrance, and then nothing else can be open:

    . . . # #      each room's only open border cell is a cell of the other room:
    . T . # #      a legal dungeon with nothing but two rooms. The course's program refuses it.
    . . . # #
    # # . . .
    # # . T .
    # # . . .

*A monster on a room's border* is always illegal: monsters are open, so its cell would be the entrance, and
an entrance holds no monster.

*The course's local rules* (the `reference` solver) differ: docs/course.md.

Rejected: clues that count open cells, diagonal contact, rooms of other sizes. Nobody publishes such puzzles.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from dnd import grid
from dnd.diagnostic import Cell, PartError, cell_name
from dnd.dungeon import draw

Clue = int | None
KernelArguments = tuple[int, int, tuple[int, ...], tuple[int, ...], int, int]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class PuzzleError(PartError):
    """A value that is not a puzzle; `where` is ("rows", 2), ("columns", 0), ("cell", (r, c)) or ("", None)."""


@dataclass(frozen=True)
class Puzzle(grid.Symmetric):
    """A Dungeons & Diagrams puzzle: clues, monsters, treasures. Immutable, hashable, equal by value (the name apart).

    rows, columns: number of walls of each line, None where unknown; their lengths are the board's height and width.
    monsters, treasures: masks (`dnd.grid`: cell (r, c) is bit r * width + c). `Puzzle.of` takes cells instead.

    Raises `PuzzleError` (a ValueError) for anything out of range.
    """

    game: ClassVar[str] = "dungeon"

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    monsters: int = 0
    treasures: int = 0
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(self.rows))
        object.__setattr__(self, "columns", tuple(self.columns))
        check_shape(self.height, self.width)
        _check_clues("rows", self.rows, self.width)
        _check_clues("columns", self.columns, self.height)
        _check_objects(self)

    @classmethod
    def of(
        cls,
        rows: Iterable[Clue],
        columns: Iterable[Clue],
        monsters: Iterable[Cell] = (),
        treasures: Iterable[Cell] = (),
        name: str = "",
    ) -> Puzzle:
        """A puzzle from lists of (row, column) cells, from 0."""
        rows, columns = tuple(rows), tuple(columns)
        check_shape(len(rows), len(columns))
        monster_mask = _cells_to_mask(monsters, len(rows), len(columns))
        return cls(rows, columns, monster_mask, _cells_to_mask(treasures, len(rows), len(columns)), name)

    @property
    def height(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.columns)

    @property
    def monster_cells(self) -> tuple[Cell, ...]:
        """The monsters' cells in row-major order."""
        return grid.cells(self.monsters, self.width)

    @property
    def treasure_cells(self) -> tuple[Cell, ...]:
        """The treasures' cells in row-major order."""
        return grid.cells(self.treasures, self.width)

    @cached_property
    def kernel_arguments(self) -> KernelArguments:
        """(height, width, rows, columns, monsters, treasures) as kernels take them: unknown clues are -1."""
        rows = tuple(-1 if clue is None else clue for clue in self.rows)
        columns = tuple(-1 if clue is None else clue for clue in self.columns)
        return self.height, self.width, rows, columns, self.monsters, self.treasures

    def transformed(self, symmetry: int) -> Puzzle:
        """The puzzle moved by one of the eight symmetries (0..7, `dnd.grid`; 4..7 swap height and width)."""
        shape = self.height, self.width
        rows, columns = (self.rows, self.columns) if symmetry < 4 else (self.columns, self.rows)
        # A corner shows which ends of the lines have changed places.
        top, left = grid.move(symmetry, (0, 0), *shape)
        return Puzzle(
            rows[::-1] if top else rows,
            columns[::-1] if left else columns,
            grid.move_mask(symmetry, self.monsters, *shape),
            grid.move_mask(symmetry, self.treasures, *shape),
            self.name,
        )

    def canonical(self) -> Puzzle:
        """The one copy that all symmetric copies share: the least by (height, notation)."""
        return min(self.symmetries(), key=lambda puzzle: (puzzle.height, puzzle.ddn()))

    def ddn(self, board: Board | None = None) -> str:
        """The one-line notation (docs/formats.md), with the walls and floors of `board` if given."""
        letters = self.letters(board)
        codes = {"#": "w", "M": "m", "T": "t"} | ({".": "f"} if board else {})
        return ":".join((_clue_field(self.columns), _clue_field(self.rows), _ddn_rows(letters, codes)))

    def letters(self, board: Board | None = None) -> list[str]:
        """The board drawn, a string a row: `#` wall, `M`, `T`, `.` floor (without a board: undecided), `?` unknown."""
        if board is None:
            return draw.letters(self.height, self.width, self.monsters, self.treasures)
        return draw.letters(
            self.height, self.width, self.monsters, self.treasures, board.walls, board.unknown & ~self.objects
        )

    @property
    def objects(self) -> int:
        """The mask of monsters and treasures."""
        return self.monsters | self.treasures

    def __repr__(self) -> str:
        return f"<Puzzle {self.ddn()}>"

    def __str__(self) -> str:
        return picture(self)

    def _repr_svg_(self) -> str:
        return draw.svg(self.letters(), self.rows, self.columns)


@dataclass(frozen=True)
class Board:
    """What is known of the cells of a height x width board: masks of walls and of floors; the rest is unknown.

    Monsters and treasures belong to the puzzle, not to the board; their cells may be listed as floor or left out.
    """

    height: int
    width: int
    walls: int = 0
    floors: int = 0

    def __post_init__(self) -> None:
        check_shape(self.height, self.width)
        for mask in (self.walls, self.floors):
            _check_mask(mask, self.height, self.width)
        if self.walls & self.floors:
            cell = grid.cells(self.walls & self.floors, self.width)[0]
            raise PuzzleError("wall-and-floor", f"{cell_name(cell)} is both wall and floor", ("cell", cell))

    @classmethod
    def complete(cls, height: int, width: int, walls: int) -> Board:
        """The board where every cell that is not a wall is floor."""
        check_shape(height, width)
        _check_mask(walls, height, width)
        return cls(height, width, walls, grid.full(height, width) & ~walls)

    @property
    def unknown(self) -> int:
        """The mask of cells that are neither wall nor floor."""
        return grid.full(self.height, self.width) & ~(self.walls | self.floors)

    def unknown_in(self, puzzle: Puzzle) -> int:
        """How many cells are unknown to a player who has the puzzle, and so knows that its objects are open."""
        return (self.unknown & ~puzzle.objects).bit_count()

    @property
    def is_complete(self) -> bool:
        """True when every cell is decided."""
        return not self.unknown

    def transformed(self, symmetry: int) -> Board:
        """The board moved by one of the eight symmetries."""
        shape = self.height, self.width
        moved = [grid.move_mask(symmetry, mask, *shape) for mask in (self.walls, self.floors)]
        return Board(*grid.moved_shape(symmetry, *shape), *moved)


@dataclass(frozen=True)
class Solution:
    """One solved board: the puzzle and the mask of its walls."""

    puzzle: Puzzle
    walls: int

    @property
    def board(self) -> Board:
        """The solution as a complete board."""
        return Board.complete(self.puzzle.height, self.puzzle.width, self.walls)

    @property
    def wall_cells(self) -> tuple[Cell, ...]:
        """The walls' cells in row-major order."""
        return grid.cells(self.walls, self.puzzle.width)

    def transformed(self, symmetry: int) -> Solution:
        """The solution of the puzzle's symmetric copy."""
        shape = self.puzzle.height, self.puzzle.width
        return Solution(self.puzzle.transformed(symmetry), grid.move_mask(symmetry, self.walls, *shape))

    def letters(self) -> list[str]:
        """The solved board, one string per row (`#`, `.`, `M`, `T`): what the course's `print_board` prints."""
        return self.puzzle.letters(self.board)

    def ddn(self) -> str:
        """The one-line notation of the solved board."""
        return self.puzzle.ddn(self.board)

    def __repr__(self) -> str:
        return f"<Solution {self.ddn()}>"

    def __str__(self) -> str:
        return picture(self.puzzle, self.board)

    def _repr_svg_(self) -> str:
        return draw.svg(self.letters(), self.puzzle.rows, self.puzzle.columns)


def picture(puzzle: Puzzle, board: Board | None = None) -> str:
    """The puzzle in text, with its clues, and what `board` has decided."""
    return draw.text(puzzle.letters(board), puzzle.rows, puzzle.columns)


def check_shape(height: int, width: int) -> None:
    """Raise `PuzzleError` unless both sides are 1 to 32."""
    if not 1 <= height <= grid.MAX_SIDE or not 1 <= width <= grid.MAX_SIDE:
        code = "too-large" if max(height, width) > grid.MAX_SIDE else "empty-board"
        message = f"a board of height {height} and width {width}; each must be 1 to {grid.MAX_SIDE}"
        raise PuzzleError(code, message)


def _check_clues(side: str, clues: tuple[Clue, ...], most: int) -> None:
    line = "row" if side == "rows" else "column"
    for index, clue in enumerate(clues):
        if clue is None:
            continue
        # bool is an int to Python, and True in a clue list is probably a mistake.
        if not isinstance(clue, int) or isinstance(clue, bool):
            raise PuzzleError("clue-type", f"the clue of {line} {index + 1} is not a whole number", (side, index))
        if not 0 <= clue <= most:
            message = f"the clue of {line} {index + 1} is {clue}; it must be 0 to {most}, the cells of the {line}"
            raise PuzzleError("clue-range", message, (side, index))


def _check_objects(puzzle: Puzzle) -> None:
    for mask in (puzzle.monsters, puzzle.treasures):
        _check_mask(mask, puzzle.height, puzzle.width)
    both = puzzle.monsters & puzzle.treasures
    if both:
        cell = grid.cells(both, puzzle.width)[0]
        message = f"{cell_name(cell)} holds both a monster and a treasure"
        raise PuzzleError("monster-on-treasure", message, ("cell", cell))


def _check_mask(mask: int, height: int, width: int) -> None:
    if not isinstance(mask, int) or isinstance(mask, bool):
        raise PuzzleError("mask-type", f"a mask of cells must be a whole number, not {type(mask).__name__}")
    if mask < 0 or mask >> (height * width):
        raise PuzzleError("outside-board", f"the mask {mask:#x} has cells outside a {height}x{width} board")


def _cells_to_mask(cells: Iterable[Cell], height: int, width: int) -> int:
    mask = 0
    for row, column in cells:
        if not (0 <= row < height and 0 <= column < width):
            message = f"cell ({row}, {column}) lies outside a {height}x{width} board (rows and columns count from 0)"
            raise PuzzleError("outside-board", message)
        bit = 1 << (row * width + column)
        if mask & bit:
            raise PuzzleError("repeated-cell", f"cell ({row}, {column}) is listed twice", ("cell", (row, column)))
        mask |= bit
    return mask


def _clue_field(clues: tuple[Clue, ...]) -> str:
    return "".join("." if clue is None else _DIGITS[clue] for clue in clues)


def _ddn_rows(letters: list[str], codes: dict[str, str]) -> str:
    return "/".join(_ddn_row(row, codes) for row in letters)


def _ddn_row(row: str, codes: dict[str, str]) -> str:
    out, run = "", 0
    for letter in row:
        if letter in codes:
            out, run = out + (str(run) if run else "") + codes[letter], 0
        else:
            run += 1
    return out + (str(run) if run else "")
