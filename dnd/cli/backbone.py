"""`dnd backbone FILE...`: the cells that are the same in all solutions."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, Progress, command, say, say_json, title
from dnd.game import game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "draw the cells that are the same in all solutions (? differs); exit 1 if a puzzle has no solution"
    parser = command(subparsers, "backbone", help_, _run)
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        puzzle, owner = entry.puzzle, game(entry.game)
        board = owner.backbone(puzzle)
        good = good and board is not None
        if arguments.json:
            say_json({"name": entry.name, "backbone": owner.one_line(puzzle, board) if board else None})
        elif board is None:
            say(f"{title(entry)}\nno solution\n")
        else:
            differing = f"{board.unknown_in(puzzle)} cells differ between solutions"
            say(f"{title(entry)}\n{owner.draw(puzzle, board)}\n{differing}\n")
    return inputs.exit_code(good=good)
