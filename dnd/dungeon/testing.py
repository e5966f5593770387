"""The dungeon's room for the pytest plug-in (`dnd.game.Testing`): what its fixtures let be tested, and how.

Two kinds of tests. *Checks* of this package: kernels against the expectations of a fixture, each validator alone
against the expected solutions (no false alarm on them, nor on what is left of them when cells are erased; and on
every board that is one cell away, the same verdict as the independent oracle). And the *judge* of other
people's solvers. What is the same in every game stands in `dnd.testing.cases`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

from dnd import grid
from dnd.diagnostic import Cell, InputError
from dnd.dungeon import course_checks, draw, notation, oracle, rules
from dnd.dungeon.explainer import rate
from dnd.dungeon.puzzle import Board, Puzzle, Solution
from dnd.dungeon.solver import padded, solve
from dnd.game import Entry, Judge, Solutions
from dnd.testing import cases as shared
from dnd.testing.cases import (
    drawings,
    indented,
    kernel_check,
    pinned,
    refuse_wrong_boards,
    rewritten,
    wrong_boards,
)
from dnd.testing.check import Check

Runs = shared.Runs[Puzzle, Board]

# The rules that the course's solver keeps exactly; in the others it is known to differ (docs/course.md).
_REFERENCE_RULES = ("row-count", "column-count", "object-on-wall", "dead-end")
_SLOW_NODES = 20_000  # calls that the pure reference kernel makes in about a second
_COURSE_SIDE = 8
_COURSE_LETTERS = frozenset("#.MT")


# ---------------------------------------------------------------- checks of this package


def checks(entry: Entry, kernels: Sequence[str]) -> Iterator[Check]:
    """The checks that the entry's expectations ask for: kernels first, then validators."""
    return shared.checks(Case(entry), kernels)


class Case(shared.Case[Puzzle, Board]):
    """A dungeon's entry."""

    validators: ClassVar[Judge[Puzzle, Board]] = rules
    witness = oracle.RULES
    changed = "flipped"
    undecided = "undecided"
    nodes = "nodes of the exact engine"

    def solve(self, limit: int | None, kernel: str) -> Solutions[Solution]:
        return solve(self.puzzle, limit, kernel=kernel)

    def own_checks(self, runs: Runs) -> Iterator[Check]:
        """Those of the course's solver, of the rating, and of the course's functions one by one."""
        marks = ("reference", "slow") if _is_slow(self, runs.kernel) else ("reference",)
        reference = _Reference(runs)
        for name, key, run, update in (
            ("reference", "reference_solutions", reference.count, reference.update_count),
            ("reference-nodes", "reference_nodes", reference.nodes, reference.update_nodes),
        ):
            if key in self.expect:
                yield kernel_check(runs.kernel, name, key, run, update, *marks)
        if "rating" in self.expect:
            yield kernel_check(runs.kernel, "rating", "rating", partial(_rating, runs), partial(_update_rating, runs))
        yield from course_checks.checks(self.puzzle, self.solutions, runs.kernel)

    def empty(self) -> Board:
        return Board(self.puzzle.height, self.puzzle.width)

    def whole(self, board: Board) -> Board:
        return Board.complete(self.puzzle.height, self.puzzle.width, board.walls)

    def order(self, board: Board) -> int:
        return board.walls

    def without(self, board: Board, cells: Sequence[Cell]) -> Board:
        mask = grid.to_mask(cells, board.width)
        return Board(board.height, board.width, board.walls & ~mask, board.floors & ~mask)

    def changes(self, board: Board) -> Iterator[tuple[Cell, str, Board]]:
        for cell in grid.cells(grid.full(board.height, board.width), board.width):
            walls = board.walls ^ grid.to_mask((cell,), board.width)
            yield cell, "flipped", Board.complete(board.height, board.width, walls)

    def position(self, board: Board) -> oracle.Dungeon:
        return oracle.Dungeon(
            self.puzzle.rows,
            self.puzzle.columns,
            draw.letters(board.height, board.width, 0, 0, board.walls),
            set(self.puzzle.monster_cells),
            set(self.puzzle.treasure_cells),
        )

    def rows(self, board: Board) -> list[str]:
        rows: list[str] = self.puzzle.letters(board)
        return rows

    def picture(self, board: Board, marked: set[Cell]) -> str:
        """The board with its clues, marked cells in brackets."""
        lines = ["   " + "".join(f"{_clue(clue)} " for clue in self.puzzle.columns)]
        for row, (clue, letters) in enumerate(zip(self.puzzle.rows, self.rows(board), strict=True)):
            signs = (f"[{sign}]" if (row, column) in marked else f" {sign} " for column, sign in enumerate(letters))
            lines.append(f"{_clue(clue)} {''.join(signs)}")
        return "\n".join(line.rstrip() for line in lines)


def _clue(clue: int | None) -> str:
    return f"{'?' if clue is None else clue:>2}"


def _is_slow(case: Case, kernel: str) -> bool:
    """Whether the reference search takes the kernel long, as far as one can know before."""
    unknown = _SLOW_NODES + 1 if case.puzzle.height * case.puzzle.width == _COURSE_SIDE**2 else 0
    return kernel == "py" and bool(case.expect.get("reference_nodes", unknown) > _SLOW_NODES)


class _Reference:
    """Checks of the course's solver; the search is run once."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    @cached_property
    def found(self) -> Solutions[Solution]:
        """The course's answer, complete."""
        return solve(self.runs.case.puzzle, method="reference", kernel=self.runs.kernel)

    @property
    def boards(self) -> list[Board]:
        return [solution.board for solution in self.found.solutions]

    def count(self) -> Iterator[str]:
        yield from wrong_boards(self.runs.case, self.boards, _REFERENCE_RULES)
        yield from pinned(self.runs, "reference_solutions", self.found.count, "solutions of the course's solver")

    def nodes(self) -> Iterator[str]:
        yield from pinned(self.runs, "reference_nodes", self.found.nodes, "calls of the course's solver")

    def update_count(self) -> dict[str, object]:
        refuse_wrong_boards(self.runs.case, self.boards, _REFERENCE_RULES)
        return rewritten(self.runs, "reference_solutions", self.found.count)

    def update_nodes(self) -> dict[str, object]:
        refuse_wrong_boards(self.runs.case, self.boards, _REFERENCE_RULES)
        return rewritten(self.runs, "reference_nodes", self.found.nodes)


def _rating(runs: Runs) -> Iterator[str]:
    found, expected = rate(runs.case.puzzle, kernel=runs.kernel).text, runs.case.expect["rating"]
    if found != expected:
        yield f"the rating is {found!r}, the fixture expects {expected!r}"


def _update_rating(runs: Runs) -> dict[str, object]:
    return rewritten(runs, "rating", rate(runs.case.puzzle, kernel=runs.kernel).text)


# ---------------------------------------------------------------- other people's solvers


def question(entry: Entry, form: str) -> str | None:
    """The puzzle as a solver reads it: its DDN line, or the course's C struct, smaller boards padded with walls.

    None when there are no expected solutions to judge by. Raises `InputError` where the struct cannot hold the puzzle.
    """
    if Case(entry).count is None:
        return None
    return notation.write(Case(entry).puzzle, None, "", form) + "\n"


def _in_course_struct(puzzle: Puzzle) -> Puzzle:
    """The puzzle as the 8x8 one that the course's struct holds."""
    monsters, treasures, rows, columns = padded(puzzle)
    return Puzzle(rows, columns, monsters, treasures)


def answers(entry: Entry, form: str, output: str) -> list[Board | str]:
    """The boards that a program printed in the course's format; a text instead of each drawing that is not a board.

    Lines of `#`, `.`, `M`, `T` only (blanks at the end apart) are rows of a board; all other lines are skipped and
    end a drawing. A drawing has as many rows as the board, or a multiple: several boards.

    The course's program draws the puzzle before it solves it. So the first board does not count when it is the
    puzzle's own picture, without any wall, although some clue asks for walls: it cannot be a solution.
    """
    puzzle = _in_course_struct(Case(entry).puzzle) if form == "course" else Case(entry).puzzle
    drawn = list(drawings(output, puzzle.height, _is_row))
    asks_for_walls = any((*puzzle.rows, *puzzle.columns))
    if drawn and asks_for_walls and drawn[0] == puzzle.letters():
        del drawn[0]
    return [_answer(Case(entry).puzzle, puzzle, drawing) for drawing in drawn]


def _is_row(line: str) -> bool:
    return bool(line) and _COURSE_LETTERS.issuperset(line)


def _answer(puzzle: Puzzle, asked: Puzzle, drawing: list[str]) -> Board | str:
    picture = "\n".join(drawing)
    try:
        board = rules.as_board(asked, picture)
    except InputError as error:
        return f"{error.diagnostic.message}:\n{indented(picture)}"
    inside = grid.to_mask(((r, c) for r in range(puzzle.height) for c in range(puzzle.width)), asked.width)
    if board.floors & ~inside:
        return f"open cells outside the {puzzle.height}x{puzzle.width} board:\n{indented(picture)}"
    walls = grid.to_mask(grid.cells(board.walls & inside, asked.width), puzzle.width)
    return Board.complete(puzzle.height, puzzle.width, walls)


def boards(puzzle: Puzzle, result: Any) -> Iterator[Board]:
    """The boards that a solver function returned: `Solutions`, one board, or an iterable of boards; None: no board.

    A board is anything that `rules.as_board` takes.
    """
    result = getattr(result, "solutions", result)
    if result is None:
        return
    for board in [result] if isinstance(result, Board | Solution | int | str) else result:
        yield rules.as_board(puzzle, board)


def judge(entry: Entry, answers: Sequence[Board | str | None]) -> Iterator[str]:
    """The problems of a solver's answers: wrong, repeated, missing or superfluous boards."""
    return shared.judge(Case(entry), answers)
