"""The front of the solver: validates, picks the kernel, returns values.

There is one method, "auto": the exact engine (docs/suguru-engine.md), for grids of any size.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from dnd.diagnostic import input_error
from dnd.game import Solutions, check_own
from dnd.kernels.calls import check_bounds, in_runs
from dnd.suguru import kernel as kernels
from dnd.suguru.puzzle import MAX_CAGE, Board, Puzzle, Solution
from dnd.suguru.rules import as_board

METHODS = ("auto",)
_FLAT_LIMIT = 16  # room for more solutions of each puzzle of a chunk would be much memory
_EASY = 2000  # nodes; puzzles as easy as this can be solved together in one call without a long wait
_SAMPLE = 64  # solutions that a backbone starts from


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

    limit: stop after that many solutions; None: find all. board: only solutions that extend this partial board.
    max_nodes: give up (`complete` False) after that many nodes. stop: a byte that another thread sets to 1 to have
    the search given up soon. kernel: "c" or "py" instead of the default choice.

    Raises `InputError` for a board that does not fit the puzzle, `ValueError` for arguments out of range.
    """
    check_own(puzzle, "suguru")
    _check_arguments(limit, method, max_nodes)
    givens = puzzle.givens if board is None else _extended(puzzle, board)
    if givens is None:
        return Solutions(0, (), 0, True)
    found, nodes, complete = engine(puzzle.height, puzzle.width, kernel).solve(
        puzzle.height, puzzle.width, puzzle.cages, givens, limit or 0, max_nodes or 0, stop
    )
    return Solutions(len(found), tuple([Solution(puzzle, tuple(values)) for values in found]), nodes, complete)


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
    _check_arguments(limit, method, max_nodes)

    def flat(alike: list[Puzzle]) -> Sequence[Solutions[Solution] | None]:
        if limit is not None and limit <= _FLAT_LIMIT:
            return _flat(alike, limit, max_nodes, kernel, stop)
        return [None] * len(alike)

    def alone(puzzle: Puzzle) -> Solutions[Solution]:
        return solve(puzzle, limit, method, max_nodes=max_nodes, kernel=kernel, stop=stop)

    return in_runs(puzzles, flat, alone)


def count(puzzle: Puzzle, limit: int | None = None, *, max_nodes: int | None = None) -> Solutions[Solution]:
    """Count the solutions without keeping them: a `Solutions` whose `solutions` is empty.

    limit: stop counting there; None: count all. `complete` says whether the count is exact.
    """
    check_own(puzzle, "suguru")
    _check_arguments(limit, "auto", max_nodes)
    number, nodes, complete = engine(puzzle.height, puzzle.width).count(
        *puzzle.kernel_arguments, limit or 0, max_nodes or 0, None
    )
    return Solutions(number, (), nodes, complete)


def is_unique(puzzle: Puzzle) -> bool:
    """True when the puzzle has exactly one solution, proved."""
    return solve(puzzle, 2).unique


def candidates(puzzle: Puzzle) -> tuple[frozenset[int], ...] | None:
    """For each cell the values that it has in some solution (0 alone for a hole); None when there is no solution.

    Values met in some solutions need no proof; for every other that a cell's cage allows a solver call decides.
    """
    seen, complete = _sampled(puzzle)
    if not seen:
        return None
    if not complete:
        for cell in range(len(seen)):
            _settle(puzzle, cell, seen, MAX_CAGE)
    return tuple(map(frozenset, seen))


def backbone(puzzle: Puzzle) -> Board | None:
    """The cells that are the same in all solutions, as a partial board; None when there is no solution.

    The cells with one candidate; of the others no more is asked than that there is a second.
    """
    seen, complete = _sampled(puzzle)
    if not seen:
        return None
    if not complete:
        for cell in range(len(seen)):
            _settle(puzzle, cell, seen, 2)
    fixed = [min(values) if len(values) == 1 else 0 for values in seen]
    return Board(puzzle.height, puzzle.width, tuple(fixed))


def engine(height: int, width: int, kernel: str | None = None) -> kernels.Search:
    """The exact kernel for grids of this shape."""
    return kernels.load("search", kernel)


def _check_arguments(limit: int | None, method: str, max_nodes: int | None) -> None:
    check_bounds(limit, max_nodes)
    if method not in METHODS:
        raise input_error("unknown-method", f"there is no method {method!r} for Suguru (methods: {', '.join(METHODS)})")


def _extended(puzzle: Puzzle, board: Board) -> tuple[int, ...] | None:
    """The givens with the board's values among them; None where the two contradict each other."""
    known = as_board(puzzle, board).values
    if any(value and given and value != given for value, given in zip(known, puzzle.givens, strict=True)):
        return None
    return tuple([value or given for value, given in zip(known, puzzle.givens, strict=True)])


def _sampled(puzzle: Puzzle) -> tuple[list[set[int]], bool]:
    """The values of each cell in some solutions ([] if there is none), and whether these are all solutions."""
    sample = solve(puzzle, _SAMPLE)
    seen: list[set[int]] = [set() for _ in puzzle.cages] if sample.count else []
    for solution in sample.solutions:
        _note(seen, solution)
    return seen, sample.complete


def _note(seen: list[set[int]], solution: Solution) -> None:
    for values, value in zip(seen, solution.values, strict=True):
        values.add(value)


def _settle(puzzle: Puzzle, cell: int, seen: list[set[int]], enough: int) -> None:
    """Find the values of a cell that occur in solutions, until there are enough of them."""
    if puzzle.givens[cell]:
        return
    for value in range(1, puzzle.size_at(cell) + 1):
        if len(seen[cell]) >= enough:
            return
        if value not in seen[cell]:
            values = [0] * len(seen)
            values[cell] = value
            for solution in solve(puzzle, 1, board=Board(puzzle.height, puzzle.width, tuple(values))).solutions:
                _note(seen, solution)


def _flat(
    puzzles: list[Puzzle], limit: int, max_nodes: int | None, kernel: str | None, stop: bytearray | None
) -> list[Solutions[Solution] | None]:
    """One call of the kernel for puzzles of one shape; None for a puzzle that is not solved in `_EASY` nodes."""
    height, width = puzzles[0].height, puzzles[0].width
    cages, givens = array("h"), array("B")
    for puzzle in puzzles:
        cages.extend(puzzle.cages)
        givens.extend(puzzle.givens)
    size, cells, bound = len(puzzles), height * width, min(max_nodes or _EASY, _EASY)
    counts, nodes, complete = array("q", bytes(8 * size)), array("q", bytes(8 * size)), bytearray(size)
    found = bytearray(size * limit * cells)
    engine(height, width, kernel).solve_batch(
        height, width, cages, givens, limit, bound, counts, found, nodes, complete, stop
    )

    def result(index: int) -> Solutions[Solution] | None:
        decided = complete[index] or counts[index] == limit or bound == max_nodes
        if not decided:
            return None
        starts = [(index * limit + number) * cells for number in range(counts[index])]
        boards = [Solution(puzzles[index], tuple(found[start : start + cells])) for start in starts]
        return Solutions(counts[index], tuple(boards), nodes[index], bool(complete[index]))

    return [result(index) for index in range(size)]
