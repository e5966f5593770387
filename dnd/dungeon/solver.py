"""The front of the solvers: validates, picks method and kernel, returns values.

`method="auto"` is the exact engine: all six rules, any size; `search` up to 64 cells, `clause_learning` beyond.
`method="reference"` is the course's own program, quirks and all (docs/course.md): 8x8 and smaller, a smaller
board padded with walls, which is exact since outside counts as wall.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from dnd import grid
from dnd.diagnostic import input_error
from dnd.dungeon import kernel as kernels
from dnd.dungeon.puzzle import Board, Puzzle, Solution, check_shape
from dnd.game import Solutions, foreign
from dnd.kernels.calls import check_bounds, in_runs

if TYPE_CHECKING:
    from typing_extensions import Buffer

METHODS = ("auto", "reference")
SEARCH_CELLS = 64  # the search kernel keeps a board in one word

_FLAT_LIMIT = 16  # room for more solutions of each puzzle of a chunk would be much memory
_EASY = 2000  # nodes; puzzles as easy as this can be solved together in one call without a long wait
_SIDE = 8  # the reference kernels' boards


def solve(
    puzzle: Puzzle,
    limit: int | None = None,
    method: str = "auto",
    *,
    board: Board | None = None,
    max_nodes: int | None = None,
    kernel: str | None = None,
    stop: bytearray | None = None,
) -> Solutions[Solution]:
    """Solve a puzzle.

    limit: stop after that many solutions; None: find all. Exact methods only: board: only solutions that extend
    this partial board; max_nodes: give up (`complete` False) after that many nodes; stop: a byte that another
    thread sets to 1 to have the search given up soon.
    kernel: "c" or "py" instead of the default choice.

    Raises `InputError` for a board too large for the method and for another game's puzzle, `ValueError` for arguments
    out of range.
    """
    # A call on an easy board takes a few microseconds, of which every helper called here would be a tenth.
    if (limit is not None and limit < 1) or (max_nodes is not None and max_nodes < 1):
        check_bounds(limit, max_nodes)
    if method != "auto":
        return _by_method(puzzle, limit, method, board, max_nodes, kernel)
    try:
        height, width, rows, columns, monsters, treasures = puzzle.kernel_arguments
    except (AttributeError, ValueError):
        raise foreign(puzzle, "dungeon") from None
    walls, floors = (0, 0) if board is None else _known(puzzle, board)
    found, nodes, complete = engine(height, width, kernel).solve(
        height, width, rows, columns, monsters, treasures, walls, floors, limit or 0, max_nodes or 0, stop
    )
    return Solutions(len(found), tuple([Solution(puzzle, walls) for walls in found]), nodes, complete)


def solve_runs(
    puzzles: Sequence[Puzzle],
    limit: int | None = None,
    method: str = "auto",
    *,
    max_nodes: int | None = None,
    kernel: str | None = None,
    stop: bytearray | None = None,
) -> Iterator[list[Solutions[Solution]]]:
    """`solve` for several puzzles: their results in order, in lists, each as soon as it is there.

    Runs of puzzles of one shape go through the kernel in a single call, as far as they are easy.
    """
    check_bounds(limit, max_nodes)

    def flat(alike: list[Puzzle]) -> Sequence[Solutions[Solution] | None]:
        is_small = alike[0].height * alike[0].width <= SEARCH_CELLS
        if method == "auto" and is_small and limit is not None and limit <= _FLAT_LIMIT:
            return _flat(alike, limit, max_nodes, kernel, stop)
        return [None] * len(alike)

    def alone(puzzle: Puzzle) -> Solutions[Solution]:
        return solve(puzzle, limit, method, max_nodes=max_nodes, kernel=kernel, stop=stop)

    return in_runs(puzzles, flat, alone)


class Flat(NamedTuple):
    """Answers of `solve_flat`, one place per puzzle; `solutions` has `limit` places a puzzle, 0 after the last."""

    counts: array[int]
    solutions: array[int]
    nodes: array[int]
    complete: bytearray


def solve_flat(
    height: int,
    width: int,
    clues: Buffer,
    monsters: Buffer,
    treasures: Buffer,
    limit: int = 2,
    *,
    max_nodes: int | None = None,
    kernel: str | None = None,
) -> Flat:
    """Solve n puzzles of one shape, up to 64 cells, that lie in flat arrays: a single call of the kernel.

    clues: n * (height + width) signed bytes, a puzzle's rows before its columns, -1 unknown. monsters, treasures:
    n masks as unsigned 64-bit integers. All three are contiguous and have the buffer protocol: `array.array`, numpy.
    The GIL is released, so that threads can work on parts. Raises `InputError` naming the first puzzle that is none.
    """
    check_shape(height, width)
    check_bounds(limit, max_nodes)
    if height * width > SEARCH_CELLS:
        raise input_error("too-large", f"flat arrays hold boards of up to {SEARCH_CELLS} cells, not {height}x{width}")
    views = memoryview(clues), memoryview(monsters), memoryview(treasures)
    _check_flat(height, width, *views)
    size = len(views[1])
    answers = _answers(size, limit)
    kernels.load("search", kernel).solve_batch(height, width, *views, limit, max_nodes or 0, *answers, None)
    return answers


def count(puzzle: Puzzle, limit: int | None = None, *, max_nodes: int | None = None) -> Solutions[Solution]:
    """Count the solutions without keeping them: a `Solutions` whose `solutions` is empty.

    limit: stop counting there; None: count all. `complete` says whether the count is exact.
    """
    check_bounds(limit, max_nodes)
    try:
        height, width, rows, columns, monsters, treasures = puzzle.kernel_arguments
    except (AttributeError, ValueError):
        raise foreign(puzzle, "dungeon") from None
    number, nodes, complete = engine(height, width).count(
        height, width, rows, columns, monsters, treasures, 0, 0, limit or 0, max_nodes or 0, None
    )
    return Solutions(number, (), nodes, complete)


def is_unique(puzzle: Puzzle) -> bool:
    """True when the puzzle has exactly one solution, proved under all rules."""
    return solve(puzzle, 2).unique


def difference(puzzle: Puzzle) -> tuple[Solution, Solution] | None:
    """Two different solutions, or None when there are not two."""
    found = solve(puzzle, 2).solutions
    return (found[0], found[1]) if len(found) == 2 else None


def solvable(puzzle: Puzzle, board: Board) -> bool:
    """True when at least one solution extends the partial board."""
    return solve(puzzle, 1, board=board).count == 1


def backbone(puzzle: Puzzle) -> Board | None:
    """The cells that are the same in all solutions, as a partial board; None when there is no solution.

    Found with one solver call for each cell that might be in the backbone, under the assumption that the cell
    is the other way round; every solution met on the way strikes out the cells where it differs.
    """
    first = solve(puzzle, 1).solutions
    if not first:
        return None
    height, width = puzzle.height, puzzle.width
    model = first[0].walls
    candidates = grid.full(height, width) & ~puzzle.objects
    fixed = puzzle.objects
    while candidates:
        cell = candidates & -candidates
        assumed = Board(height, width, cell & ~model, cell & model)
        other = solve(puzzle, 1, board=assumed).solutions
        if other:
            candidates &= ~(other[0].walls ^ model)
        else:
            fixed |= cell
            candidates ^= cell
    return Board(height, width, fixed & model, fixed & ~model)


def candidates(puzzle: Puzzle) -> tuple[()]:
    """A cell is wall or floor: the backbone says it all."""
    return ()


@cache
def engine(height: int, width: int, kernel: str | None = None) -> kernels.Exact:
    """The exact kernel for boards of this shape."""
    return kernels.load("search" if height * width <= SEARCH_CELLS else "clause_learning", kernel)


def _known(puzzle: Puzzle, board: Board) -> tuple[int, int]:
    """The walls and floors of a partial board, which must be of the puzzle's shape."""
    if (board.height, board.width) != (puzzle.height, puzzle.width):
        message = f"a partial board of {board.height}x{board.width} for a puzzle of {puzzle.height}x{puzzle.width}"
        raise input_error("shape-mismatch", message)
    return board.walls, board.floors


def _by_method(
    puzzle: Puzzle, limit: int | None, method: str, board: Board | None, max_nodes: int | None, kernel: str | None
) -> Solutions[Solution]:
    if method != "reference":
        raise input_error("unknown-method", f"there is no method {method!r} (methods: {', '.join(METHODS)})")
    if board is not None or max_nodes is not None:
        raise input_error("not-offered", "the reference solver takes no partial board and no bound on nodes")
    return _reference(puzzle, limit, kernel)


def _check_flat(height: int, width: int, clues: memoryview, monsters: memoryview, treasures: memoryview) -> None:
    lines, size = height + width, len(monsters)
    if (clues.format, monsters.format, treasures.format) not in (("b", "Q", "Q"), ("b", "L", "L")):
        raise ValueError("clues must be an array of signed bytes, monsters and treasures of unsigned 64-bit integers")
    if len(treasures) != size or len(clues) != size * lines:
        raise ValueError(f"{size} monster masks go with {size} treasure masks and {size * lines} clues")
    for line in range(lines):
        most = width if line < height else height
        wrong = bytes(clues[line::lines]).translate(None, bytes([255, *range(most + 1)]))
        if wrong:
            index = bytes(clues[line::lines]).index(wrong[0])
            where = f"row {line + 1}" if line < height else f"column {line - height + 1}"
            message = (
                f"puzzle {index}: the clue of {where} is {clues[index * lines + line]}; it must be 0 to {most}, or -1"
            )
            raise input_error("clue-range", message)
    for index, (monster_mask, treasure_mask) in enumerate(zip(monsters, treasures, strict=True)):
        if monster_mask & treasure_mask:
            raise input_error("monster-on-treasure", f"puzzle {index}: a cell holds both a monster and a treasure")
        if (monster_mask | treasure_mask) >> height * width:
            raise input_error("outside-board", f"puzzle {index}: a mask has cells outside the {height}x{width} board")


def _answers(size: int, limit: int) -> Flat:
    """Room for the answers, in the order in which kernels take it."""

    def zeros(code: str, places: int) -> array[int]:
        return array(code, bytes(8 * places))

    return Flat(zeros("q", size), zeros("Q", size * limit), zeros("q", size), bytearray(size))


def _flat(
    puzzles: list[Puzzle], limit: int, max_nodes: int | None, kernel: str | None, stop: bytearray | None
) -> list[Solutions[Solution] | None]:
    """One call of the search kernel for puzzles of one shape; None for a puzzle that is not solved in `_EASY` nodes."""
    height, width, *_ = puzzles[0].kernel_arguments
    clues, monsters, treasures = array("b"), array("Q"), array("Q")
    for puzzle in puzzles:
        clues.extend(puzzle.kernel_arguments[2] + puzzle.kernel_arguments[3])
        monsters.append(puzzle.monsters)
        treasures.append(puzzle.treasures)
    size, bound = len(puzzles), min(max_nodes or _EASY, _EASY)
    answers = _answers(size, limit)
    kernels.load("search", kernel).solve_batch(height, width, clues, monsters, treasures, limit, bound, *answers, stop)
    counts, found, nodes, complete = answers

    def result(index: int) -> Solutions[Solution] | None:
        decided = complete[index] or counts[index] == limit or bound == max_nodes
        if not decided:
            return None
        words = found[index * limit : index * limit + counts[index]]
        solutions = tuple([Solution(puzzles[index], walls) for walls in words])
        return Solutions(counts[index], solutions, nodes[index], bool(complete[index]))

    return [result(index) for index in range(size)]


def _reference(puzzle: Puzzle, limit: int | None, kernel: str | None) -> Solutions[Solution]:
    check_reference(puzzle)
    found, calls = kernels.load("reference", kernel).solve(padded(puzzle), 0, 0, limit or 0, False)
    solutions = tuple(Solution(puzzle, _unpadded(walls, puzzle)) for walls in found)
    return Solutions(len(found), solutions, calls, limit is None or len(found) < limit)


def check_reference(puzzle: Puzzle) -> None:
    """Raise `InputError` for a board that is too large for the course's functions."""
    if puzzle.height > _SIDE or puzzle.width > _SIDE:
        message = f"the reference solver takes boards up to 8x8, not {puzzle.height}x{puzzle.width}"
        raise input_error("too-large", message, hint="--method auto takes them up to 32x32")


def padded(puzzle: Puzzle) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    """The course's struct (monsters, treasures, rows, columns) of a puzzle set in the top left corner of walls, 8x8."""
    height, width, rows, columns, monsters, treasures = puzzle.kernel_arguments

    def clues(inside: tuple[int, ...], beyond: int) -> tuple[int, ...]:
        """Clues with the padding's walls counted in; lines of padding are full."""
        return (*(clue if clue < 0 else clue + beyond for clue in inside), *[_SIDE] * (_SIDE - len(inside)))

    masks = [grid.to_mask(grid.cells(mask, width), _SIDE) for mask in (monsters, treasures)]
    return masks[0], masks[1], clues(rows, _SIDE - width), clues(columns, _SIDE - height)


def _unpadded(walls: int, puzzle: Puzzle) -> int:
    inside = [(r, c) for r, c in grid.cells(walls, _SIDE) if r < puzzle.height and c < puzzle.width]
    return grid.to_mask(inside, puzzle.width)
