"""Peg solitaire: the values, and the rules stated exactly.

The puzzle
----------
A **board** is any set of cells inside a grid of H rows and W columns (1 to 16 each). Each cell holds one **peg** or
is **empty**; the puzzle says which cells hold a peg at the start, one at least. A **jump** takes a peg over a peg
beside it into the empty cell beyond, and removes the peg that was jumped over:

      o o .   becomes   . . o

The three cells stand next to each other in a row or a column, and all three are cells of the board: no peg jumps over
or off the board, over an empty cell, over two pegs, diagonally or around the edge. A solution is a list
of jumps such that

1. illegal-jump: each is possible in the position that those before it have left;
2. too-many-left: one peg is left after them;
3. wrong-final-cell: it stands in the **final** cell, where the puzzle names one; else any cell will do.

A puzzle of n pegs takes exactly n - 1 jumps. Its jumps are written (row, column, direction), the cell from which the
peg starts, counted from 0, and 0 up, 1 down, 2 left, 3 right: the numbers of the seed.

Where other descriptions are silent or differ
---------------------------------------------
*One peg at the start* is a puzzle that is already won, with no jumps, unless it stands in another cell than the final
one; then it is lost. *No peg* is not a puzzle: a game never gets there.

*A move* is a run of jumps by one peg, each from the cell where the one before has ended. People count moves; rules and
lengths here count jumps.

*The edge* of the grid is like any place outside: what stands in the outermost rows and columns are ordinary cells,
whose pegs jump and are jumped. (The seed's search lets pegs jump from its rows and columns 1 to 14 only.)

*A play that is not at its end* (jumps are possible, and several pegs are left) breaks no rule, as an unfinished board
breaks none in the other games.

What never changes, and what never grows
----------------------------------------
**Classes.** Colour the diagonals, cell (r, c) with (r + c) mod 3 and once more with (r - c) mod 3. A jump's three cells
have three different colours, each way, and it changes the number of pegs on every colour by one; so whether two
colours' numbers are both even, both odd, or unlike never changes. In the field of four elements {0, 1, w, w + 1}, where
w^2 = w + 1 and x + x = 0, this is one sum for each of the colourings, over all pegs:

    A = sum of w^(r + c),  B = sum of w^(r - c)        (1 + w + w^2 = 0: a jump adds 0)

The pair (A, B) is the **class** of a position: one of sixteen. A single peg at (r, c) has (w^(r + c), w^(r - c)), one
of nine; so a position whose A or B is 0 is never won, and a position that is won ends in a cell of its class.

**Resource counts** (pagoda functions). Give every cell a whole number y so that y(from) + y(over) >= y(to) for every
jump of the board. The sum of y over the pegs never grows by a jump. If it is less at the start than y of the cell where
the last peg must stand, the puzzle is impossible, and anybody can check it with a pencil.

**Reversal.** Exchange pegs and empty cells, and play the jumps backwards: each is a legal jump again. So a board with
one empty cell v is won with the last peg in e exactly if the one with e empty is won with the last peg in v.

Impossible puzzles that pass both tests exist; all positions must be exhausted then. Whether a position on an n x n
board can be won is NP-complete, so a solver owes one of three answers: jumps, a proof, or "undecided".

What the seed's program does otherwise
--------------------------------------
It counts pegs 16 bytes past the end of its board; it reads outside the board where a position has no border; its byte
counter makes 256 pegs none, and an empty board has the depth -1; pegs in the outermost rows and columns never jump, so
that such a board "has no solution". It asks whether the game is won only where no jump is left, and then by the number
of jumps: pegs counted too many hide every solution. docs/pegs.md has these as cases, with the right answers.

Rejected: diagonal jumps, boards of triangles, jumps around the edge, pegs of several kinds, "jump a peg or not".
They are other puzzles.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import ClassVar

from dnd import grid
from dnd.diagnostic import Cell, PartError, cell_name
from dnd.pegs import draw
from dnd.pegs.draw import STEPS, landing, runs
from dnd.pegs.draw import Jump as Jump

MAX_SIDE = 16
OUTSIDE_SIGNS = "# "
KINDS = ("class", "marks", "resource", "integer", "exhaustion")  # of proofs, the cheapest first (`dnd.pegs.proofs`)
_LINE_WIDTH = 100
_FAR = 256  # rows and columns that no message need show

KernelArguments = tuple[int, int, int, int, int]


class PuzzleError(PartError):
    """A value that is not a puzzle, or no list of jumps. `where` names the part: ("height", None), ("width", None),
    ("cell", (row, column)), ("final", (row, column)), ("jump", index) or ("", None).
    """


@dataclass(frozen=True)
class Puzzle(grid.Symmetric):
    """A task of peg solitaire. Immutable, hashable, equal by value (the name apart).

    height, width: 1..16. cells: the mask of the board's cells (`dnd.grid`: cell (r, c) is bit r * width + c).
    pegs: the mask of the pegs at the start, at least one, all on cells. final: the cell (row, column) in which the last
    peg must end; None: any. `Puzzle.of` takes drawn rows instead.

    Raises `PuzzleError` (a ValueError) for anything else.
    """

    game: ClassVar[str] = "pegs"

    height: int
    width: int
    cells: int
    pegs: int
    final: Cell | None = None
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_shape(self.height, self.width)
        _check_masks(self)
        if self.final is not None:
            object.__setattr__(self, "final", _checked_final(self, self.final))

    @classmethod
    def of(cls, rows: Sequence[str], final: Cell | None = None, name: str = "") -> Puzzle:
        """A puzzle from its rows: `o` peg, `.` empty, `#` or a blank outside; short rows end outside.

        `x` is the final cell, empty; `X` is the final cell with a peg in it. `final` says the same.
        """
        height, width = len(rows), max(map(len, rows), default=0)
        check_shape(height, width)
        signs = "".join(row.ljust(width) for row in rows)
        _check_signs(signs, width)
        marked = [divmod(cell, width) for cell, sign in enumerate(signs) if sign in "xX"]
        if len(marked) + (final is not None) > 1 and {*marked, final} - {None} != {final}:
            raise PuzzleError("final-twice", "several cells are marked as the final one", ("cell", marked[-1]))
        cells = sum(1 << cell for cell, sign in enumerate(signs) if sign not in OUTSIDE_SIGNS)
        pegs = sum(1 << cell for cell, sign in enumerate(signs) if sign in "oX")
        return cls(height, width, cells, pegs, marked[0] if marked else final, name)

    @property
    def number(self) -> int:
        """The number of pegs at the start; a solution has one jump less."""
        return self.pegs.bit_count()

    @property
    def finals(self) -> int:
        """The mask of the cells in which the last peg may end, as far as the task says: the final one, else all."""
        return self.cells if self.final is None else 1 << self.final[0] * self.width + self.final[1]

    @cached_property
    def kernel_arguments(self) -> KernelArguments:
        """(height, width, cells, pegs, finals) as kernels take them."""
        return self.height, self.width, self.cells, self.pegs, self.finals

    def transformed(self, symmetry: int) -> Puzzle:
        """The puzzle moved by one of the eight symmetries (0..7, `dnd.grid`; 4..7 swap height and width)."""
        cells = grid.move_mask(symmetry, self.cells, self.height, self.width)
        pegs = grid.move_mask(symmetry, self.pegs, self.height, self.width)
        final = None if self.final is None else grid.move(symmetry, self.final, self.height, self.width)
        return Puzzle(*grid.moved_shape(symmetry, self.height, self.width), cells, pegs, final, self.name)

    def cropped(self) -> Puzzle:
        """The puzzle without rows and columns that are all outside at the edges of its grid."""
        rows, columns = zip(*grid.cells(self.cells, self.width), strict=True)
        top, left = min(rows), min(columns)
        return self.placed(max(rows) - top + 1, max(columns) - left + 1, -top, -left)

    def placed(self, height: int, width: int, down: int, right: int) -> Puzzle:
        """The puzzle moved `down` rows and `right` columns, in a grid of that shape, which must hold all its cells."""

        def moved(mask: int) -> int:
            return grid.to_mask(((row + down, column + right) for row, column in grid.cells(mask, self.width)), width)

        final = None if self.final is None else (self.final[0] + down, self.final[1] + right)
        return Puzzle(height, width, moved(self.cells), moved(self.pegs), final, self.name)

    def canonical(self) -> Puzzle:
        """The one copy that all symmetric and shifted copies share: the least by (height, notation), cropped."""
        return min(self.cropped().symmetries(), key=lambda puzzle: (puzzle.height, puzzle.line()))

    def rows(self, *, marked: bool = True) -> list[str]:
        """The board at the start, a string a row, as `of` reads it; `marked`: with the final cell."""
        return draw.rows(*self.kernel_arguments[:4], self.final if marked else None)

    def line(self, board: Play | None = None) -> str:
        """The one-line notation (docs/pegs.md); jumps, if given, are its third field."""
        rows = draw.rows(*self.kernel_arguments[:4], None, "_")
        fields = ["/".join([f"{self.width}x{self.height}", *map(_packed, rows)])]
        if self.final is not None or board is not None:
            fields.append("" if self.final is None else f"{self.final[0]},{self.final[1]}")
        if board is not None:
            fields.append(",".join(map(jump_sign, board.jumps)))
        return ":".join(fields)

    def __repr__(self) -> str:
        return f"<Puzzle {self.line()}>"

    def __str__(self) -> str:
        return picture(self)

    def _repr_svg_(self) -> str:
        return draw.svg(*self.kernel_arguments[:4], self.final)


@dataclass(frozen=True)
class Play:
    """The jumps made so far on a height x width grid; what is called a board in the other games.

    jumps: (row, column, direction) each, directions 0 up, 1 down, 2 left, 3 right. They may be illegal: `rules` judges.
    """

    height: int
    width: int
    jumps: tuple[Jump, ...]

    def __post_init__(self) -> None:
        check_shape(self.height, self.width)
        object.__setattr__(self, "jumps", tuple(map(_checked_jump, range(len(self.jumps)), self.jumps)))

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.height, self.width

    def unknown_in(self, puzzle: Puzzle) -> int:
        """How many jumps are missing until one peg is left."""
        return max(0, puzzle.number - 1 - len(self.jumps))

    def is_complete(self, puzzle: Puzzle) -> bool:
        """True when there are jumps enough to leave one peg."""
        return not self.unknown_in(puzzle)

    def transformed(self, symmetry: int) -> Play:
        """The jumps moved by one of the eight symmetries."""
        jumps = tuple(_moved_jump(symmetry, jump, self.height, self.width) for jump in self.jumps)
        return Play(*grid.moved_shape(symmetry, self.height, self.width), jumps)

    def __str__(self) -> str:
        return words(self.jumps)


@dataclass(frozen=True)
class Solution:
    """A puzzle and jumps that solve it."""

    puzzle: Puzzle
    jumps: tuple[Jump, ...]

    @property
    def board(self) -> Play:
        """The solution as a play."""
        return Play(self.puzzle.height, self.puzzle.width, self.jumps)

    @property
    def moves(self) -> int:
        """The number of moves: runs of jumps by one peg."""
        return run_count(self.jumps)

    def transformed(self, symmetry: int) -> Solution:
        """The solution of the puzzle's symmetric copy."""
        return Solution(self.puzzle.transformed(symmetry), self.board.transformed(symmetry).jumps)

    def line(self) -> str:
        """The one-line notation of the puzzle with its jumps."""
        return self.puzzle.line(self.board)

    def __repr__(self) -> str:
        return f"<Solution {self.line()}>"

    def __str__(self) -> str:
        return picture(self.puzzle, self.board)

    def _repr_svg_(self) -> str:
        return self.puzzle._repr_svg_()


@lru_cache(maxsize=256)
def jumps_of(height: int, width: int, cells: int) -> tuple[tuple[Jump, int, int, int], ...]:
    """All jumps of a board, as (jump, from_bit, over_bit, to_bit), by cell in row-major order, then by direction.

    The bits are masks of one cell each. A jump is possible in a position `pegs` when the first two are in it and the
    third is not; it makes `pegs ^ from_bit ^ over_bit ^ to_bit`.
    """
    found = []
    for row, column in grid.cells(cells, width):
        for direction, (down, right) in enumerate(STEPS):
            places = [(row + step * down, column + step * right) for step in range(3)]
            if all(0 <= r < height and 0 <= c < width and cells >> r * width + c & 1 for r, c in places):
                bits = [1 << r * width + c for r, c in places]
                found.append(((row, column, direction), bits[0], bits[1], bits[2]))
    return tuple(found)


@lru_cache(maxsize=256)
def _bits_of(height: int, width: int, cells: int) -> dict[Jump, int]:
    return {jump: from_bit | over_bit | to_bit for jump, from_bit, over_bit, to_bit in jumps_of(height, width, cells)}


def after(puzzle: Puzzle, jumps: Iterable[Jump]) -> int:
    """The mask of pegs after some jumps, which are taken as legal (`rules.check` is the judge).

    `KeyError` for a jump that the board does not have.
    """
    *_, pegs = positions(puzzle, jumps)
    return pegs


def legal_part(puzzle: Puzzle, jumps: Sequence[Jump]) -> tuple[int, int]:
    """How many of the jumps are legal, one after the other, and the mask of pegs after those."""
    known = {jump: bits for jump, *bits in jumps_of(puzzle.height, puzzle.width, puzzle.cells)}
    pegs = puzzle.pegs
    for index, jump in enumerate(jumps):
        from_bit, over_bit, to_bit = known.get(jump, (0, 0, 0))
        if not (pegs & from_bit and pegs & over_bit and not pegs & to_bit):
            return index, pegs
        pegs ^= from_bit | over_bit | to_bit
    return len(jumps), pegs


def run_count(jumps: Iterable[Jump]) -> int:
    """The number of moves that the jumps make: runs of jumps by one peg."""
    return len(runs(jumps))


def positions(puzzle: Puzzle, jumps: Iterable[Jump]) -> Iterator[int]:
    """The masks of pegs at the start and after each of the jumps, which are taken as legal."""
    bits, pegs = _bits_of(puzzle.height, puzzle.width, puzzle.cells), puzzle.pegs
    yield pegs
    for jump in jumps:
        pegs ^= bits[jump]
        yield pegs


def picture(puzzle: Puzzle, board: Play | None = None) -> str:
    """The puzzle in text, and below it the jumps of `board` in words. It reads back."""
    drawn = draw.text(puzzle.height, puzzle.width, puzzle.cells, puzzle.pegs, puzzle.final)
    return f"{drawn}\n\n{words(board.jumps)}" if board is not None and board.jumps else drawn


def words(jumps: Iterable[Jump]) -> str:
    """The moves in words with commas between, on as many lines as it takes, each move on one."""
    moves = (draw.move_words(run).replace(" ", "\0") for run in runs(jumps))
    return textwrap.fill(", ".join(moves), _LINE_WIDTH, break_long_words=False).replace("\0", " ")


def frames(puzzle: Puzzle, board: Play) -> Iterator[str]:
    """The pictures of a play, jump by jump as far as they are legal, the start first."""
    jumps = board.jumps[: legal_part(puzzle, board.jumps)[0]]
    return draw.frames(puzzle.height, puzzle.width, puzzle.cells, puzzle.final, positions(puzzle, jumps), jumps)


def weights(puzzle: Puzzle, values: Sequence[object], pegs: int | None = None) -> str:
    """Numbers (or words) on the board, one a position row by row; those under pegs stand in brackets.

    pegs: a mask instead of the pegs at the start.
    """
    return draw.table(puzzle.height, puzzle.width, puzzle.cells, values, puzzle.pegs if pegs is None else pegs)


def jump_sign(jump: Jump) -> str:
    """A jump as the one-line notation has it: row and column as hexadecimal digits, and u, d, l or r.

    Where one of them is none of 0 to 15 the cell's name (`cell_name`) stands in their place.
    """
    row, column, direction = jump
    is_short = row in range(MAX_SIDE) and column in range(MAX_SIDE)
    return (f"{row:x}{column:x}" if is_short else cell_name((row, column))) + "udlr"[direction]


def check_shape(height: int, width: int) -> None:
    """Raise `PuzzleError` unless both sides are 1 to 16."""
    for side, length in (("height", height), ("width", width)):
        if not 1 <= length <= MAX_SIDE:
            code = "too-large" if length > MAX_SIDE else "empty-board"
            message = f"a board of height {height} and width {width}; each must be 1 to {MAX_SIDE}"
            raise PuzzleError(code, message, (side, None))


def _check_masks(puzzle: Puzzle) -> None:
    for mask in (puzzle.cells, puzzle.pegs):
        # bool is an int to Python, and True for a mask is probably a mistake.
        if type(mask) is not int or not 0 <= mask <= grid.full(puzzle.height, puzzle.width):
            raise PuzzleError("mask-range", f"a mask is not a set of cells of a {puzzle.height}x{puzzle.width} board")
    outside = puzzle.pegs & ~puzzle.cells
    if outside:
        place = grid.cells(outside, puzzle.width)[0]
        raise PuzzleError("peg-outside", f"there is a peg at {cell_name(place)}, which is not a cell", ("cell", place))
    if not puzzle.pegs:
        raise PuzzleError("no-pegs", "the board has no pegs")


def _checked_final(puzzle: Puzzle, final: Cell) -> Cell:
    numbers = tuple(final) if isinstance(final, tuple | list) else ()
    if len(numbers) != 2 or not all(type(number) is int and abs(number) < _FAR for number in numbers):
        raise PuzzleError("final-outside", "the final cell is not a (row, column) of the board", ("final", (0, 0)))
    row, column = numbers
    inside = 0 <= row < puzzle.height and 0 <= column < puzzle.width
    if not inside or not puzzle.cells >> row * puzzle.width + column & 1:
        message = f"the final cell {cell_name((row, column))} is not a cell of the board"
        raise PuzzleError("final-outside", message, ("final", (row, column)))
    return row, column


def _check_signs(signs: str, width: int) -> None:
    for cell, sign in enumerate(signs):
        if sign not in "#o.xX ":
            place = divmod(cell, width)
            raise PuzzleError("bad-letter", f"{sign!r} at {cell_name(place)} is not one of # o . x X", ("cell", place))


def _checked_jump(index: int, jump: Jump) -> Jump:
    numbers = tuple(jump) if isinstance(jump, tuple | list) else ()
    is_jump = len(numbers) == 3 and all(type(number) is int and abs(number) < _FAR for number in numbers)
    if not is_jump or numbers[2] not in range(len(STEPS)):
        message = f"jump {index + 1} is not a (row, column, direction) with a direction from 0 to 3"
        raise PuzzleError("bad-jump", message, ("jump", index))
    return numbers  # type: ignore[return-value]  # three of them


def _moved_jump(symmetry: int, jump: Jump, height: int, width: int) -> Jump:
    row, column = grid.move(symmetry, jump[:2], height, width)
    end = grid.move(symmetry, landing(jump), height, width)
    return row, column, STEPS.index(((end[0] - row) // 2, (end[1] - column) // 2))


def _packed(row: str) -> str:
    """A row with each run of a sign as its length and the sign; a length of 1 is not written."""
    packed, start = "", 0
    for at in range(1, len(row) + 1):
        if at == len(row) or row[at] != row[start]:
            packed += (str(at - start) if at - start > 1 else "") + row[start]
            start = at
    return packed
