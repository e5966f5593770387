"""`dnd backbone FILE...`: the cells that are the same in all solutions."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, command, say, say_json, title
from dnd.dungeon import draw
from dnd.dungeon.solver import backbone


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "draw the cells that are the same in all solutions (? differs); exit 1 if a puzzle has no solution"
    parser = command(subparsers, "backbone", help_, _run)
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments), True
    for entry in inputs:
        puzzle = entry.puzzle
        board = backbone(puzzle)
        good = good and board is not None
        if arguments.json:
            say_json({"name": entry.name, "backbone": puzzle.ddn(board) if board else None})
        elif board is None:
            say(f"{title(entry)}\nno solution\n")
        else:
            picture = draw.text(puzzle.letters(board), puzzle.rows, puzzle.columns)
            say(f"{title(entry)}\n{picture}\n{board.unknown.bit_count()} cells differ between solutions\n")
    return inputs.exit_code(good=good)
