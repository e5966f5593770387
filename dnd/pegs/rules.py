"""The rules as named validators: one function per rule, each usable alone, on complete and on unfinished plays.

A play is a list of jumps. It is replayed as far as its jumps are legal; the position where the legal part ends is what
the rules about the end look at. They speak only of an end that is one: no further jump is possible there, or one peg is
left. So an unfinished play has no fault so far, and neither has one whose first illegal jump leaves a choice of legal
ones, but for that jump itself (the essay in `puzzle.py`).

Packages add rules through the entry-point group `dnd.pegs.rules`, each entry point loading a `dnd.rule.Rule`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from dnd import grid
from dnd.diagnostic import Cell, Diagnostic, cell_list, cell_name
from dnd.game import check_own
from dnd.pegs import alphabet
from dnd.pegs.draw import landing, move_words, over
from dnd.pegs.puzzle import Jump, Play, Puzzle, PuzzleError, Solution, jumps_of, legal_part
from dnd.rule import Rule, judged, with_plug_ins

AnyPlay = Play | Solution | str | Sequence[Jump]

_GROUP = "dnd.pegs.rules"
_SHOWN = 8  # pegs that a message lists


def check(puzzle: Puzzle, board: AnyPlay, rules: Iterable[str] | None = None) -> list[Diagnostic]:
    """What a play does wrong, in the order of the rules; [] when nothing.

    board: anything `as_board` takes. rules: the codes of the rules to run, None for all.
    Raises ValueError for an unknown code, and what `as_board` raises.
    """
    check_own(puzzle, "pegs")
    return judged(all_rules(), rules, puzzle, as_board(puzzle, board))


def as_board(puzzle: Puzzle, board: AnyPlay) -> Play:
    """The play in any of its forms: a Play, a Solution, a list of jumps (row, column, direction), or a text.

    A text has its jumps in one of the forms of docs/pegs.md: words (`r6c4 up, r5c2 right`), signs (`53u,41r`), lines
    `x y n` of the seed's log, or a JSON list. A log's x and y count in the seed's 16x16 array, and so does a Play for
    16x16 where the puzzle is smaller: the puzzle lies there as its state file has it (`cells.OFFSET`).

    Raises `InputError` (codes board-conflict, bad-jump, bad-json) for what does not fit the puzzle or cannot be read,
    TypeError for what is not a play.
    """
    if isinstance(board, str):
        return alphabet.play(puzzle, board)
    if isinstance(board, Solution):
        board = board.board
    elif isinstance(board, tuple | list):
        board = Play(puzzle.height, puzzle.width, tuple(board))
    elif not isinstance(board, Play):
        raise TypeError(f"a play is a Play, a Solution, a str or a sequence of jumps, not {type(board).__name__}")
    if board.shape == (alphabet.ARRAY, alphabet.ARRAY):
        return Play(puzzle.height, puzzle.width, alphabet.from_array(puzzle, board.jumps))
    if board.shape != (puzzle.height, puzzle.width):
        message = f"jumps for a board of {board.height}x{board.width}, the puzzle has {puzzle.height}x{puzzle.width}"
        raise PuzzleError("board-conflict", message)
    return board


# Looking up entry points takes milliseconds, a check takes microseconds.
@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules of the game in their order, then those of plug-ins.

    Raises RuntimeError when a plug-in is not a Rule or takes a code that is in use.
    """
    return with_plug_ins(RULES, _GROUP)


def illegal_jump(puzzle: Puzzle, board: Play) -> Iterator[Diagnostic]:
    """The first jump that is illegal; none after it can be judged."""
    legal, pegs = legal_part(puzzle, board.jumps)
    if legal < len(board.jumps):
        jump = board.jumps[legal]
        places = jump[:2], over(jump), landing(jump)
        message = f"jump {legal + 1}, {move_words([jump])}: {_reason(puzzle, pegs, places)}"
        yield Diagnostic("illegal-jump", message, tuple(place for place in places if _is_inside(puzzle, place)))


def too_many_left(puzzle: Puzzle, board: Play) -> Iterator[Diagnostic]:
    """Several pegs where no jump is possible any more."""
    pegs = legal_part(puzzle, board.jumps)[1]
    if pegs.bit_count() > 1 and not _can_go_on(puzzle, pegs):
        places = grid.cells(pegs, puzzle.width)
        listed = f", at {cell_list(places)}" if len(places) <= _SHOWN else ""
        yield Diagnostic("too-many-left", f"{len(places)} pegs are left and none can jump{listed}", places)


def wrong_final_cell(puzzle: Puzzle, board: Play) -> Iterator[Diagnostic]:
    """A last peg that does not stand in the final cell."""
    pegs = legal_part(puzzle, board.jumps)[1]
    if puzzle.final is not None and pegs.bit_count() == 1 and not pegs & puzzle.finals:
        (place,) = grid.cells(pegs, puzzle.width)
        message = f"the last peg stands at {cell_name(place)}, it must end at {cell_name(puzzle.final)}"
        yield Diagnostic("wrong-final-cell", message, (place, puzzle.final))


RULES = (
    Rule("illegal-jump", "a peg jumps over a peg beside it into the empty cell beyond, on the board", illegal_jump),
    Rule("too-many-left", "one peg is left at the end", too_many_left),
    Rule("wrong-final-cell", "the last peg ends in the final cell, if there is one", wrong_final_cell),
)


def _reason(puzzle: Puzzle, pegs: int, places: tuple[Cell, Cell, Cell]) -> str:
    """Why no peg jumps from the first of three cells over the second into the third."""
    start, middle, end = places
    for place in places:
        if not _is_on(puzzle, puzzle.cells, place):
            where = f"{cell_name(place)} is not a cell" if _is_inside(puzzle, place) else "it does not stay on the grid"
            return f"outside the board, {where}"
    if not _is_on(puzzle, pegs, start):
        return f"no peg at {cell_name(start)}"
    if not _is_on(puzzle, pegs, middle):
        return f"nothing to jump over at {cell_name(middle)}"
    return f"the landing cell {cell_name(end)} is taken"


def _is_inside(puzzle: Puzzle, place: Cell) -> bool:
    return 0 <= place[0] < puzzle.height and 0 <= place[1] < puzzle.width


def _is_on(puzzle: Puzzle, mask: int, place: Cell) -> bool:
    return _is_inside(puzzle, place) and bool(mask >> place[0] * puzzle.width + place[1] & 1)


def _can_go_on(puzzle: Puzzle, pegs: int) -> bool:
    return any(
        pegs & from_bit and pegs & over_bit and not pegs & to_bit
        for _, from_bit, over_bit, to_bit in jumps_of(puzzle.height, puzzle.width, puzzle.cells)
    )
