"""Suguru's room for the pytest plug-in (`dnd.game.Testing`): what its fixtures let be tested, and how.

Two kinds of tests. *Checks* of this package: kernels against the expectations of a fixture, each validator alone
against the expected solutions (no false alarm on them, nor on what is left of them when cells are erased; and on
boards that have another value in one cell, the same verdict as the independent oracle). And the *judge* of other
people's solvers. What is the same in every game stands in `dnd.testing.cases`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

from dnd.diagnostic import Cell, InputError
from dnd.game import Entry, Judge, Solutions
from dnd.suguru import draw, notation, oracle, rules
from dnd.suguru.puzzle import HOLE, SIGNS, Board, Puzzle, Solution
from dnd.suguru.solver import solve
from dnd.testing import cases as shared
from dnd.testing.cases import drawings, indented
from dnd.testing.check import Check

T = TypeVar("T")

# Cells that a validator looks at in one check; so large boards are changed in some of their cells only.
_WORK = 10_000
_ANSWER = frozenset(SIGNS[1:] + "#")


# ---------------------------------------------------------------- checks of this package


def checks(entry: Entry, kernels: Sequence[str]) -> Iterator[Check]:
    """The checks that the entry's expectations ask for: kernels first, then validators."""
    return shared.checks(Case(entry), kernels)


class Case(shared.Case[Puzzle, Board]):
    """A Suguru's entry."""

    validators: ClassVar[Judge[Puzzle, Board]] = rules
    witness = oracle.RULES
    changed = "changed"
    undecided = "unknown"
    nodes = "nodes"

    def solve(self, limit: int | None, kernel: str) -> Solutions[Solution]:
        return solve(self.puzzle, limit, kernel=kernel)

    def erasures(self) -> Sequence[tuple[str, Sequence[Cell]]]:
        return _some(list(super().erasures()), self.puzzle)

    def empty(self) -> Board:
        return Board(self.puzzle.height, self.puzzle.width, (0,) * len(self.puzzle.cages))

    def whole(self, board: Board) -> Board:
        return board.with_givens(self.puzzle)

    def order(self, board: Board) -> tuple[int, ...]:
        return board.values

    def without(self, board: Board, cells: Sequence[Cell]) -> Board:
        return _with(board, cells, 0)

    def changes(self, board: Board) -> Iterator[tuple[Cell, str, Board]]:
        for cell, value in _some(list(_flips(self.puzzle, board)), self.puzzle):
            yield cell, f"set to {value}", _with(board, (cell,), value)

    def position(self, board: Board) -> oracle.Grid:
        cages = [None if cage == HOLE else cage for cage in self.puzzle.cages]
        width, values = self.puzzle.width, self.whole(board).values
        return oracle.Grid(_rows(cages, width), _rows(self.puzzle.givens, width), _rows(values, width))

    def rows(self, board: Board) -> list[str]:
        rows: list[str] = self.puzzle.signs(board)
        return rows

    def picture(self, board: Board, marked: set[Cell]) -> str:
        """The board with its cages, marked cells starred."""
        puzzle = self.puzzle
        return draw.text(puzzle.height, puzzle.width, puzzle.cages, self.whole(board).values, puzzle.givens, marked)


def _with(board: Board, cells: Sequence[Cell], value: int) -> Board:
    values = list(board.values)
    for row, column in cells:
        values[row * board.width + column] = value
    return Board(board.height, board.width, tuple(values))


def _some(tries: Sequence[T], puzzle: Puzzle) -> Sequence[T]:
    """As many of them, evenly spread, as are not too much work."""
    most = max(1, _WORK // len(puzzle.cages))
    return tries[:: -(-len(tries) // most)]


def _flips(puzzle: Puzzle, solution: Board) -> Iterator[tuple[Cell, int]]:
    """Cells and other values for them, one too large among them."""
    for cell, old in enumerate(solution.values):
        if puzzle.cages[cell] != HOLE:
            for value in range(1, min(puzzle.size_at(cell) + 2, len(SIGNS))):
                if value != old:
                    yield divmod(cell, puzzle.width), value


def _rows(cells: Sequence[T], width: int) -> list[Sequence[T]]:
    return [cells[start : start + width] for start in range(0, len(cells), width)]


# ---------------------------------------------------------------- other people's solvers


def question(entry: Entry, form: str) -> str | None:
    """The puzzle as a solver reads it: in the one-line form, or ("course") as CodinGame's tests have it.

    None when there are no expected solutions to judge by. Raises `InputError` where CodinGame's form cannot hold it.
    """
    if Case(entry).count is None:
        return None
    return notation.write(Case(entry).puzzle, None, "", "codingame" if form == "course" else "line") + "\n"


def answers(entry: Entry, form: str, output: str) -> list[Board | str]:
    """The boards that a program printed as rows of digits; a text instead of each drawing that is not a board.

    Lines of 1-9, a-w and `#` only (blanks at the end apart) that are as long as the grid is wide are rows of a board;
    all other lines are skipped and end a drawing. A drawing has as many rows as the grid, or a multiple: several
    boards.
    """
    puzzle: Puzzle = Case(entry).puzzle

    def is_row(line: str) -> bool:
        return len(line) == puzzle.width and _ANSWER.issuperset(line)

    return [_answer(puzzle, drawing) for drawing in drawings(output, puzzle.height, is_row)]


def _answer(puzzle: Puzzle, drawing: list[str]) -> Board | str:
    text = "\n".join(drawing)
    try:
        return rules.as_board(puzzle, text)
    except InputError as error:
        return f"{error.diagnostic.message}:\n{indented(text)}"


def boards(puzzle: Puzzle, result: Any) -> Iterator[Board]:
    """The boards that a solver function returned: `Solutions`, one board, or an iterable of boards; None: no board.

    A board is anything that `rules.as_board` takes.
    """
    result = getattr(result, "solutions", result)
    if result is None:
        return
    is_board = isinstance(result, Board | Solution | str | bytes)
    if not is_board:
        result = list(result)
        is_board = bool(result) and isinstance(result[0], int)
    for board in [result] if is_board else result:
        yield rules.as_board(puzzle, board)


def judge(entry: Entry, answers: Sequence[Board | str | None]) -> Iterator[str]:
    """The problems of a solver's answers: wrong, repeated, missing or superfluous boards."""
    return shared.judge(Case(entry), answers)
