"""From letters to values: what all readers of dungeons share.

A reader brings its board into *letters*, one string per row: `#` wall, `.` floor, `M`, `T`, `?` unknown. Its
`place` functions say where in its own text things stand, so that every error points there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dnd import grid
from dnd.diagnostic import Cell, InputError, Span, cell_name, counted, input_error
from dnd.dungeon.puzzle import Board, Clue, Puzzle, PuzzleError

# Of a row and column; column = the row's length is the place after the row, row = their number the place of none.
Place = Callable[[int, int], Span]

GAME_NAME = "dungeon"
UNKNOWN = "?"
LETTERS = {letter: letter for letter in "#.MT?"}
SOLVED = {letter: letter for letter in "#.MT"}

# Beyond any clue; longer numbers are not even shown.
_NUMBER = 10**6


def bad_side(rows: Sequence[Clue]) -> str:
    """Whose fault it is that a shape is refused: "rows" or else "columns"."""
    return "columns" if 1 <= len(rows) <= grid.MAX_SIDE else "rows"


def check_rows(rows: Sequence[Sequence[object]], height: int, width: int, place: Place) -> None:
    """Raise `InputError` row-length or row-number unless there are `height` rows of `width` cells."""
    for number, row in enumerate(rows[:height]):
        if len(row) != width:
            message = f"row {number + 1} has {counted(len(row), 'cell')} for {counted(width, 'column clue')}"
            raise input_error("row-length", message, place(number, min(len(row), width)))
    if len(rows) != height:
        message = f"{counted(len(rows), 'row')} drawn for {counted(height, 'row clue')}"
        raise input_error("row-number", message, place(height, 0) if len(rows) > height else place(len(rows), 0))


def translated(rows: Sequence[Sequence[str]], letters: Mapping[str, str], place: Place) -> list[str]:
    """The rows in our letters; `InputError` bad-letter for what `letters` does not know."""
    for number, row in enumerate(rows):
        for column, letter in enumerate(row):
            if letter not in letters:
                hint = f"cells are written {' '.join(letters)}"
                raise input_error("bad-letter", f"{_shown(letter)} is not a cell", place(number, column), hint)
    return ["".join(letters[letter] for letter in row) for row in rows]


def _shown(letter: str) -> str:
    return repr(letter if len(letter) <= 10 else letter[:10] + "...")


# A binary number is the fastest way from letters to bits.
_BITS = {letter: str.maketrans({other: "1" if other == letter else "0" for other in LETTERS}) for letter in LETTERS}


def mask(rows: Sequence[str], letter: str) -> int:
    """The cells that hold a letter."""
    return int("".join(rows).translate(_BITS[letter])[::-1], 2)


def is_decided(rows: Sequence[str]) -> bool:
    """Whether a drawing tells of walls and floors. One without `#` and `?` is a puzzle: its dots are undecided."""
    return any("#" in row or "?" in row for row in rows)


def board(rows: Sequence[str], objects: int) -> Board:
    """The board that is drawn; open cells with objects count as floor."""
    walls = mask(rows, "#")
    return Board(len(rows), len(rows[0]), walls, (mask(rows, ".") | objects) & ~walls)


def puzzle(rows: Sequence[str], row_clues: Sequence[Clue], column_clues: Sequence[Clue], name: str) -> Puzzle:
    """The puzzle with the objects that are drawn. Raises `PuzzleError`."""
    check_numbers("rows", row_clues)
    check_numbers("columns", column_clues)
    return Puzzle(tuple(row_clues), tuple(column_clues), mask(rows, "M"), mask(rows, "T"), name)


def check_numbers(side: str, clues: Sequence[object]) -> None:
    """Refuse numbers that are too long to be shown in a message."""
    for index, clue in enumerate(clues):
        if isinstance(clue, int) and abs(clue) > _NUMBER:
            line = f"{side.removesuffix('s')} {index + 1}"
            raise PuzzleError("clue-range", f"the clue of {line} is too large for any board", (side, index))


def overlaid(puzzle: Puzzle, rows: Sequence[str], code: str, place: Place) -> Board:
    """The board that is drawn beside a puzzle; objects may be drawn as `.` but not elsewhere, nor as walls."""
    wrong = mask(rows, "#") & puzzle.objects
    wrong |= mask(rows, "M") & ~puzzle.monsters | mask(rows, "T") & ~puzzle.treasures
    for cell in grid.cells(wrong, puzzle.width)[:1]:
        message = f"{cell_name(cell)} is drawn as {_word(rows, cell)}, but the puzzle has {_object(puzzle, cell)} there"
        raise input_error(code, message, place(*cell))
    return board(rows, puzzle.objects)


def _word(rows: Sequence[str], cell: Cell) -> str:
    return {"#": "a wall", "M": "a monster", "T": "a treasure"}.get(rows[cell[0]][cell[1]], "an open cell")


def _object(puzzle: Puzzle, cell: Cell) -> str:
    return _word(puzzle.letters(), cell).replace("an open cell", "nothing")


def refuse(what: str) -> InputError:
    """The error of a writer whose format cannot hold what it was given."""
    return input_error("not-writable", what)


def check_writable(puzzle: Puzzle, board: Board | None) -> None:
    """Raise `InputError` for a board that does not fit the puzzle, or that hides an object in a wall."""
    if board is None:
        return
    if (board.height, board.width) != (puzzle.height, puzzle.width):
        raise refuse(f"a board of {board.height}x{board.width} for a puzzle of {puzzle.height}x{puzzle.width}")
    for cell in grid.cells(board.walls & puzzle.objects, puzzle.width)[:1]:
        raise refuse(f"the board has a wall at {cell_name(cell)}, where the puzzle has {_object(puzzle, cell)}")
