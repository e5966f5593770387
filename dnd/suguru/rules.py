"""The rules as named validators: one function per rule, each usable alone, on complete and on partial boards.

A validator yields one `Diagnostic` for each thing that is wrong. Of a complete board it says exactly whether
its rule holds (the essay in `puzzle.py`). Of a partial board it reports only what no values of the unknown cells
can mend *under that rule alone*; that is all there is to detect under one rule. Cells that the board leaves unknown
hold their givens.

Packages add rules through the entry-point group `dnd.suguru.rules`, each entry point loading a `dnd.rule.Rule`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from dnd.diagnostic import Cell, Diagnostic, Span, cell_list, cell_name
from dnd.game import check_own
from dnd.rule import Rule, judged, with_plug_ins
from dnd.suguru import alphabet
from dnd.suguru.puzzle import Board, Puzzle, PuzzleError, Solution

AnyBoard = Board | Solution | str | bytes | tuple[int, ...] | list[int]

_GROUP = "dnd.suguru.rules"


def check(puzzle: Puzzle, board: AnyBoard, rules: Iterable[str] | None = None) -> list[Diagnostic]:
    """What `board` does wrong, in the order of the rules; [] when nothing.

    board: anything `as_board` takes. rules: the codes of the rules to run, None for all.
    Raises ValueError for an unknown code, and what `as_board` raises.
    """
    check_own(puzzle, "suguru")
    return judged(all_rules(), rules, puzzle, as_board(puzzle, board))


def as_board(puzzle: Puzzle, board: AnyBoard) -> Board:
    """The board in any of its forms: a Board, a Solution, values row by row (numbers or bytes), or drawn rows.

    Drawn rows are lines of 1-9, a-w for 10-32, `.` for unknown cells and `#` for holes.
    Raises `InputError` (codes board-conflict, row-number, row-length, bad-letter, cell-number, value-range,
    value-type) for a board that does not fit the puzzle, TypeError for what is not a board.
    """
    if isinstance(board, str):
        return _drawn(puzzle, board)
    if isinstance(board, Solution):
        board = board.board
    elif isinstance(board, bytes | tuple | list):
        board = Board(puzzle.height, puzzle.width, tuple(board))
    elif not isinstance(board, Board):
        raise TypeError(f"a board is a Board, a Solution, a str or a sequence of int, not {type(board).__name__}")
    if board.shape != (puzzle.height, puzzle.width):
        message = f"a board of {board.height}x{board.width} for a puzzle of {puzzle.height}x{puzzle.width}"
        raise PuzzleError("board-conflict", message)
    return alphabet.board(puzzle, board.values, lambda row, column: Span(line=row + 1, column=column + 1))


def _drawn(puzzle: Puzzle, text: str) -> Board:
    rows = [line.strip() for line in text.strip().splitlines()]

    def place(row: int, column: int) -> Span:
        return Span(line=row + 1, column=column + 1, text=rows[row] if row < len(rows) else "")

    alphabet.check_rows(rows, puzzle.height, puzzle.width, place)
    return alphabet.board(puzzle, alphabet.values(rows, puzzle.cages, place), place)


# Looking up entry points takes milliseconds, a check takes microseconds.
@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules of the game in their order, then those of plug-ins.

    Raises RuntimeError when a plug-in is not a Rule or takes a code that is in use.
    """
    return with_plug_ins(RULES, _GROUP)


def cage_repeat(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Numbers that stand more than once in a cage."""
    values = board.with_givens(puzzle).values
    for cage in puzzle.cage_cells:
        for value in sorted({values[cell] for cell in cage} - {0}):
            places = _places(puzzle, (cell for cell in cage if values[cell] == value))
            if len(places) > 1:
                message = f"the cage of {_size(len(cage))} at {_first(puzzle, cage)} has {value} at {cell_list(places)}"
                yield Diagnostic("cage-repeat", message, places)


def cage_value_range(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Numbers beyond the number of cells of their cage."""
    for cell, value in enumerate(board.with_givens(puzzle).values):
        size = puzzle.size_at(cell)
        if value > size:
            place = divmod(cell, puzzle.width)
            message = f"{cell_name(place)} is {value}, its cage has only {_size(size)}"
            yield Diagnostic("cage-value-range", message, (place,))


def touching_equals(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Pairs of cells that touch, by a side or a corner, and hold the same number."""
    values, width = board.with_givens(puzzle).values, puzzle.width
    for cell, value in enumerate(values):
        if value:
            for other in _later_around(cell, width, len(values)):
                if values[other] == value:
                    places = _places(puzzle, (cell, other))
                    message = f"{cell_list(places)} touch and are both {value}"
                    yield Diagnostic("touching-equals", message, places)


def given_changed(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Cells that hold another number than their given."""
    for cell, (value, given) in enumerate(zip(board.values, puzzle.givens, strict=True)):
        if value and given and value != given:
            place = divmod(cell, puzzle.width)
            message = f"{cell_name(place)} is {value}, but {given} is given there"
            yield Diagnostic("given-changed", message, (place,))


RULES = (
    Rule("cage-repeat", "no number stands twice in a cage", cage_repeat),
    Rule("cage-value-range", "a cage of n cells holds numbers from 1 to n", cage_value_range),
    Rule("touching-equals", "equal numbers do not touch, not even by a corner", touching_equals),
    Rule("given-changed", "givens stay as they are given", given_changed),
)


def _later_around(cell: int, width: int, size: int) -> list[int]:
    """The cells that touch a cell and come after it, so that each pair is seen once."""
    column = cell % width
    around = [cell + 1] if column < width - 1 else []
    if column:
        around.append(cell + width - 1)
    around.append(cell + width)
    if column < width - 1:
        around.append(cell + width + 1)
    return [other for other in around if other < size]


def _places(puzzle: Puzzle, found: Iterable[int]) -> tuple[Cell, ...]:
    return tuple(divmod(cell, puzzle.width) for cell in found)


def _first(puzzle: Puzzle, cage: tuple[int, ...]) -> str:
    return cell_name(divmod(cage[0], puzzle.width))


def _size(number: int) -> str:
    return f"{number} cell{'s' if number > 1 else ''}"
