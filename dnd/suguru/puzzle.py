"""Suguru (Tectonic, Number Blocks): the values, and the rules stated exactly.

The puzzle
----------
A grid of H rows and W columns (1 to 64 each) is cut into **cages**: orthogonally connected groups of 1 to 32
cells. A position may also be a **hole**, which is not a cell and belongs to no cage. Some cells hold a **given**.
A solution puts a whole number into every cell, so that

1. cage-repeat: no two cells of a cage hold the same number;
2. cage-value-range: a cell of a cage of n cells holds one of 1..n (so each cage holds 1..n, each once);
3. touching-equals: two cells that touch, by a side or by a corner, do not hold the same number;
4. given-changed: a given cell holds its given.

All of this is "all different": over each cage, and over the cells of each 2x2 window, since two cells touch
exactly when some 2x2 window holds both.

    cages of five, three and one      a solution      3 may not stand at x: it would touch the
                                                      other 3 by a corner, across the cage border
      A A B                             1 4 1           . . x
      A A B                             2 5 2           . 3 .
      A C B                             3 1 3           . . .

Where other descriptions are silent or differ
---------------------------------------------
*Touching* ignores cages and is never relaxed: equal numbers of one cage are refused twice over, by rule 1 and,
if they touch, by rule 3.

*Holes* neither hold numbers nor stand between anything: cells whose common corner lies between two holes still
touch by that corner; cells on both sides of a hole do not touch.

*A cage* is what the puzzle says it is. Texts that draw cages as letters reuse letters: there a cage is an
orthogonally connected component of one letter, so two cages of one letter may touch by a corner, never by a side.
Texts that number their cages mean the number: cells of one number that are not connected are an error.

*A given outside 1..n* in a cage of n cells, givens that repeat within a cage, givens that touch and are equal:
legal input, a puzzle with no solution. A number outside 1..32 could not be right in any cage: an error.

*A cage of more than nine cells* is allowed; its numbers have two digits. Where a text has one character per cell,
10 to 32 are the letters a to w. CodinGame's answers glue decimal digits, so such an answer cannot be written there.

*No solution, several solutions*: a solver says so. One solution, proved to be the only one, is what makes a puzzle.

What the seed's program does otherwise
--------------------------------------
It never checks givens, neither against each other nor against the cage's size (`3 1` / `A1 B1 C1` is "solved" as
111); it prints nothing, with exit code 0, where there is no solution, and the first of several without a word.
More than 100 cages, or a cage of more than 10 cells, write beyond its tables. It knows capital letters and the
digits 1-9 only: lines that end in CRLF, `0` for an empty cell and small letters give an empty answer. It renames cages
with the characters from `#` on and skips the capital letters one too late: the 31st cage gets the name A, and is taken
for a cage of that letter that still waits for its name. docs/suguru.md has these as cases, with the right answers.

Rejected: variants that forbid only orthogonal contact, cages that repeat values, toroidal boards, values other
than 1..n. They are other puzzles.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from dnd import grid
from dnd.diagnostic import PartError, cell_name, counted
from dnd.suguru import draw

MAX_SIDE = 64
MAX_CAGE = 32  # cells of a cage, and so the largest value
HOLE = -1
SIGNS = ".123456789abcdefghijklmnopqrstuvw"  # one character a value; 0 is an unknown one
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

KernelArguments = tuple[int, int, tuple[int, ...], tuple[int, ...]]


class PuzzleError(PartError):
    """A value that is not a puzzle. `where` names the part: ("height", None), ("width", None), ("cage", number),
    ("cell", (row, column)), ("given", (row, column)) or ("", None).
    """


@dataclass(frozen=True)
class Puzzle(grid.Symmetric):
    """A Suguru: cages and givens. Immutable, hashable, equal by value (the name apart).

    height, width: 1..64. cages: the cage's number of each cell, row by row; cages are numbered from 0 in the order of
    their first cells; -1 is a hole. givens: the given of each cell, 1..32, 0 for none. `Puzzle.of` takes rows of
    letters instead.

    Raises `PuzzleError` (a ValueError) for anything else.
    """

    game: ClassVar[str] = "suguru"

    height: int
    width: int
    cages: tuple[int, ...]
    givens: tuple[int, ...]
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "cages", tuple(self.cages))
        object.__setattr__(self, "givens", tuple(self.givens))
        check_shape(self.height, self.width)
        _check_numbers(self.cages, self.height, self.width, "cages")
        _check_cages(self)
        _check_givens(self)

    @classmethod
    def of(
        cls, cages: Sequence[Sequence[Hashable]], givens: Sequence[Sequence[int]] | None = None, name: str = ""
    ) -> Puzzle:
        """A puzzle from rows of cage labels, such as strings of letters, and rows of givens (0: none).

        A cage is an orthogonally connected component of one label; None and "#" are holes.
        """
        height, width = len(cages), len(cages[0]) if cages else 0
        check_shape(height, width)
        for row in (*cages, *(givens or ())):
            if len(row) != width:
                raise PuzzleError("row-length", f"a row of {counted(len(row), 'cell')} in a grid {width} wide")
        labels = [label for row in cages for label in row]
        numbers = [value for row in givens for value in row] if givens is not None else [0] * len(labels)
        return cls(height, width, components(labels, width), tuple(numbers), name)

    @cached_property
    def cage_cells(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each cage, as indices row * width + column, lowest first."""
        return _cage_cells(self.cages)

    @property
    def cell_number(self) -> int:
        """How many cells there are, holes not counted."""
        return len(self.cages) - self.cages.count(HOLE)

    def size_at(self, cell: int) -> int:
        """The number of cells in the cage of the cell at that index; 0 for a hole."""
        return len(self.cage_cells[self.cages[cell]]) if self.cages[cell] != HOLE else 0

    @property
    def kernel_arguments(self) -> KernelArguments:
        """(height, width, cages, givens) as kernels take them."""
        return self.height, self.width, self.cages, self.givens

    def transformed(self, symmetry: int) -> Puzzle:
        """The puzzle moved by one of the eight symmetries (0..7, `dnd.grid`; 4..7 swap height and width)."""
        cages = _moved(self.cages, symmetry, self.height, self.width)
        givens = _moved(self.givens, symmetry, self.height, self.width)
        return Puzzle(*grid.moved_shape(symmetry, self.height, self.width), numbered(cages), givens, self.name)

    def canonical(self) -> Puzzle:
        """The one copy that all symmetric copies share: the least by (height, notation)."""
        return min(self.symmetries(), key=lambda puzzle: (puzzle.height, puzzle.line()))

    @cached_property
    def cage_letters(self) -> tuple[str, ...]:
        """A letter A-Z for each cage, never that of a cage beside it: A, B, C... as far as they last."""
        return _cage_letters(self)

    def letters(self, hole: str = "#") -> list[str]:
        """The cages drawn, a string a row: one letter a cell."""
        signs = "".join(self.cage_letters[cage] if cage != HOLE else hole for cage in self.cages)
        return _rows(signs, self.width)

    def signs(self, board: Board | None = None, hole: str = "#") -> list[str]:
        """The givens drawn, a string a row, or what `board` and the givens tell: 1-9, a-w for 10-32, `.` unknown."""
        values = self.givens if board is None else board.with_givens(self).values
        signs = (hole if cage == HOLE else SIGNS[value] for cage, value in zip(self.cages, values, strict=True))
        return _rows("".join(signs), self.width)

    def line(self, board: Board | None = None) -> str:
        """The one-line notation (docs/suguru.md); a board, if given, is its fourth field."""
        fields = [f"{self.width}x{self.height}", "".join(self.letters("_")), "".join(self.signs(None, "_"))]
        if board is not None:
            fields.append("".join(self.signs(board, "_")))
        return ":".join(fields)

    def __repr__(self) -> str:
        return f"<Puzzle {self.line()}>"

    def __str__(self) -> str:
        return picture(self)

    def _repr_svg_(self) -> str:
        return draw.svg(self.height, self.width, self.cages, self.givens, self.givens)


@dataclass(frozen=True)
class Board:
    """What is known of the cells of a height x width grid: a value each, row by row, 0 where it is unknown.

    Holes are 0. Givens belong to the puzzle, not to the board; they may be listed or left out.
    """

    height: int
    width: int
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        check_shape(self.height, self.width)
        _check_numbers(self.values, self.height, self.width, "values")
        _check_values(self.values, self.width)

    def with_givens(self, puzzle: Puzzle) -> Board:
        """The board with the puzzle's givens where it has nothing itself."""
        if self.shape != (puzzle.height, puzzle.width):
            message = f"a board of {self.height}x{self.width} for a puzzle of {puzzle.height}x{puzzle.width}"
            raise PuzzleError("shape-mismatch", message)
        merged = [value or given for value, given in zip(self.values, puzzle.givens, strict=True)]
        return Board(self.height, self.width, tuple(merged))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.height, self.width

    def unknown_in(self, puzzle: Puzzle) -> int:
        """How many cells are unknown to a player who has the puzzle, and so knows its givens."""
        known = self.with_givens(puzzle).values
        return sum(not value and cage != HOLE for value, cage in zip(known, puzzle.cages, strict=True))

    def is_complete(self, puzzle: Puzzle) -> bool:
        """True when every cell of the puzzle is known."""
        return not self.unknown_in(puzzle)

    def transformed(self, symmetry: int) -> Board:
        """The board moved by one of the eight symmetries."""
        shape = grid.moved_shape(symmetry, self.height, self.width)
        return Board(*shape, _moved(self.values, symmetry, self.height, self.width))


@dataclass(frozen=True)
class Solution:
    """One solved board: the puzzle and the value of each cell, row by row, 0 in holes."""

    puzzle: Puzzle
    values: tuple[int, ...]

    @property
    def board(self) -> Board:
        """The solution as a complete board."""
        return Board(self.puzzle.height, self.puzzle.width, self.values)

    def transformed(self, symmetry: int) -> Solution:
        """The solution of the puzzle's symmetric copy."""
        values = _moved(self.values, symmetry, self.puzzle.height, self.puzzle.width)
        return Solution(self.puzzle.transformed(symmetry), values)

    def signs(self) -> list[str]:
        """The solved board, one string per row: 1-9, a-w for 10-32, `#` for holes."""
        return self.puzzle.signs(self.board)

    def line(self) -> str:
        """The one-line notation of the solved board."""
        return self.puzzle.line(self.board)

    def __repr__(self) -> str:
        return f"<Solution {self.line()}>"

    def __str__(self) -> str:
        return picture(self.puzzle, self.board)

    def _repr_svg_(self) -> str:
        puzzle = self.puzzle
        return draw.svg(puzzle.height, puzzle.width, puzzle.cages, self.values, puzzle.givens)


def picture(puzzle: Puzzle, board: Board | None = None) -> str:
    """The puzzle in text, its cages framed, with its givens (bold) and what `board` has decided."""
    values = puzzle.givens if board is None else board.with_givens(puzzle).values
    return draw.text(puzzle.height, puzzle.width, puzzle.cages, values, puzzle.givens)


def check_shape(height: int, width: int) -> None:
    """Raise `PuzzleError` unless both sides are 1 to 64."""
    for side, length in (("height", height), ("width", width)):
        if not 1 <= length <= MAX_SIDE:
            code = "too-large" if length > MAX_SIDE else "empty-board"
            message = f"a grid of height {height} and width {width}; each must be 1 to {MAX_SIDE}"
            raise PuzzleError(code, message, (side, None))


def numbered(labels: Sequence[Hashable]) -> tuple[int, ...]:
    """Cage numbers in the order of first cells, for cells with labels; None, -1 and "#" are holes."""
    numbers: dict[Hashable, int] = dict.fromkeys((None, HOLE, "#"), HOLE)
    holes = len(numbers)
    return tuple([numbers.setdefault(label, len(numbers) - holes) for label in labels])


def components(labels: Sequence[Hashable], width: int) -> tuple[int, ...]:
    """As `numbered`, where a label may be used again: a cage is an orthogonally connected component of one label."""
    found = list(numbered(labels))
    parts: list[int | None] = [None] * len(labels)
    count = 0
    for start, label in enumerate(found):
        if parts[start] is None:
            part = HOLE if label == HOLE else count
            count += label != HOLE
            _flood(start, width, parts, part, found)
    return tuple([HOLE if part is None else part for part in parts])


def _flood(start: int, width: int, parts: list[int | None], part: int, labels: Sequence[int]) -> None:
    """Write `part` into the component of the cell `start`."""
    parts[start], waiting = part, [start]
    while waiting:
        cell = waiting.pop()
        for other in sides(cell, width, len(labels)):
            if parts[other] is None and labels[other] == labels[start]:
                parts[other] = part
                waiting.append(other)


def sides(cell: int, width: int, size: int) -> list[int]:
    """The two to four cells that share a side with a cell; indices, in order, in a grid of `size` positions."""
    around = [cell - width] if cell >= width else []
    if cell % width:
        around.append(cell - 1)
    if cell % width < width - 1:
        around.append(cell + 1)
    if cell + width < size:
        around.append(cell + width)
    return around


def _cage_cells(cages: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    cells: list[list[int]] = [[] for _ in range(max(cages) + 1)]
    for cell, cage in enumerate(cages):
        if cage != HOLE:
            cells[cage].append(cell)
    return tuple(map(tuple, cells))


def _moved(values: Sequence[int], symmetry: int, height: int, width: int) -> tuple[int, ...]:
    new_width = grid.moved_shape(symmetry, height, width)[1]
    moved = [0] * len(values)
    for cell, value in enumerate(values):
        row, column = grid.move(symmetry, divmod(cell, width), height, width)
        moved[row * new_width + column] = value
    return tuple(moved)


def _rows(signs: str, width: int) -> list[str]:
    return [signs[start : start + width] for start in range(0, len(signs), width)]


def _check_numbers(numbers: tuple[int, ...], height: int, width: int, what: str) -> None:
    if len(numbers) != height * width:
        message = f"{len(numbers)} {what} for the {counted(height * width, 'cell')} of a {height}x{width} grid"
        raise PuzzleError("cell-number", message)
    for cell, number in enumerate(numbers):
        # bool is an int to Python, and True in a list of numbers is probably a mistake.
        if type(number) is not int:
            place = divmod(cell, width)
            raise PuzzleError("value-type", f"the {what} at {cell_name(place)} is not a whole number", ("cell", place))


def _check_values(values: tuple[int, ...], width: int, what: str = "value", where: str = "cell") -> None:
    for cell, value in enumerate(values):
        if not 0 <= value <= MAX_CAGE:
            place = divmod(cell, width)
            # A number of thousands of digits is not even shown.
            shown = value if abs(value) < 10**6 else "too large for any cage"
            message = f"the {what} at {cell_name(place)} is {shown}; it must be 1 to {MAX_CAGE}, 0 for none"
            raise PuzzleError(f"{what}-range", message, (where, place))


def _check_cages(puzzle: Puzzle) -> None:
    cages, width = puzzle.cages, puzzle.width
    if cages != numbered(cages) or min(cages) < HOLE:
        raise PuzzleError("cage-order", "cages are not numbered 0, 1, 2... in the order of their first cells")
    if max(cages) == HOLE:
        raise PuzzleError("no-cells", "the grid has only holes")
    for number, cells in enumerate(puzzle.cage_cells):
        if len(cells) > MAX_CAGE:
            message = f"the cage at {cell_name(divmod(cells[0], width))} has {len(cells)} cells, more than {MAX_CAGE}"
            raise PuzzleError("cage-size", message, ("cage", number))
    _check_connected(puzzle)


def _check_connected(puzzle: Puzzle) -> None:
    parts = components(puzzle.cages, puzzle.width)
    if parts == puzzle.cages:
        return
    # The first cell whose part has not its cage's number begins a second part of its cage.
    cell = next(index for index, (part, cage) in enumerate(zip(parts, puzzle.cages, strict=True)) if part != cage)
    place, cage = divmod(cell, puzzle.width), puzzle.cages[cell]
    first = divmod(puzzle.cage_cells[cage][0], puzzle.width)
    message = f"{cell_name(place)} is not connected with its cage at {cell_name(first)}"
    raise PuzzleError("cage-disconnected", message, ("cell", place))


def _check_givens(puzzle: Puzzle) -> None:
    givens, width = puzzle.givens, puzzle.width
    _check_numbers(givens, puzzle.height, width, "givens")
    _check_values(givens, width, "given", "given")
    for cell, given in enumerate(givens):
        if given and puzzle.cages[cell] == HOLE:
            place = divmod(cell, width)
            raise PuzzleError("given-in-hole", f"{cell_name(place)} is a hole but has a given", ("given", place))


# A planar map always has a country with at most five neighbours, so peeling such ones off never gets stuck.
_PLANAR = 5


def _cage_letters(puzzle: Puzzle) -> tuple[str, ...]:
    """Each cage's own letter (its number modulo 26), or the next one that no neighbour has.

    Cages are lettered in the reverse of an order in which they can be taken away one by one, each with five
    neighbours left at most: so six letters are enough, whatever the map.
    """
    count = len(puzzle.cage_cells)
    if count <= len(LETTERS):
        return tuple(LETTERS[:count])
    beside = _cages_beside(puzzle)
    letters: dict[int, str] = {}
    for cage in reversed(_peeled(beside)):
        taken = {letters[other] for other in beside[cage] if other in letters}
        wheel = (LETTERS[(cage + turn) % len(LETTERS)] for turn in range(len(LETTERS)))
        letters[cage] = next(letter for letter in wheel if letter not in taken)
    return tuple(letters[cage] for cage in range(count))


def _cages_beside(puzzle: Puzzle) -> list[set[int]]:
    """For each cage the cages that share a side with it."""
    beside: list[set[int]] = [set() for _ in puzzle.cage_cells]
    for cell, cage in enumerate(puzzle.cages):
        for other in sides(cell, puzzle.width, len(puzzle.cages)):
            if HOLE not in (cage, puzzle.cages[other]) and cage != puzzle.cages[other]:
                beside[cage].add(puzzle.cages[other])
    return beside


def _peeled(beside: list[set[int]]) -> list[int]:
    left = [len(others) for others in beside]
    order = [cage for cage, number in enumerate(left) if number <= _PLANAR]
    for cage in order:  # it grows while we go
        for other in beside[cage]:
            left[other] -= 1
            if left[other] == _PLANAR:
                order.append(other)
    return order
