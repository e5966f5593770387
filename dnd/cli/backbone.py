"""`dnd backbone FILE...`: the cells that are the same in all solutions."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, command, placed, title
from dnd.cli.output import Progress, say, say_json
from dnd.diagnostic import InputError, counted
from dnd.game import AnyGame, Board, Entry, Puzzle, game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "draw the cells that are the same in all solutions (? differs); exit 1 if a puzzle has no solution"
    parser = command(subparsers, "backbone", help_, _run)
    parser.add_argument("--json", action="store_true", help="one JSON object per puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        puzzle, owner = entry.puzzle, game(entry.game)
        board = _backbone(entry)
        good = good and board is not None
        if arguments.json:
            line = owner.one_line(puzzle, board) if board else None
            say_json({"name": entry.name, "backbone": line, **_candidates(owner, puzzle)})
        elif board is None:
            say(f"{title(entry)}\nno solution\n")
        else:
            unknown = board.unknown_in(puzzle)
            differing = f"{counted(unknown, 'cell')} {'differs' if unknown == 1 else 'differ'} between solutions"
            say(f"{title(entry)}\n{owner.draw(puzzle, board)}\n{differing}\n")
    return inputs.exit_code(good=good)


def _backbone(entry: Entry) -> Board | None:
    try:
        return game(entry.game).solver.backbone(entry.puzzle)
    except InputError as error:  # of a game whose solutions have no cells
        raise placed(entry, error) from None


def _candidates(owner: AnyGame, puzzle: Puzzle) -> dict[str, object]:
    """The values that each cell has in some solution, for games where that says more than the backbone."""
    found = owner.solver.candidates(puzzle)
    if found == ():
        return {}
    return {"candidates": None if found is None else [sorted(values) for values in found]}
