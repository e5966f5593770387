"""`dnd show FILE...`: pictures of puzzles and of what is drawn in them."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, command, title
from dnd.cli.output import Progress, say
from dnd.game import game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    command(subparsers, "show", "draw puzzles, with the walls and floors that the file has decided", _run)


def _run(arguments: argparse.Namespace) -> int:
    inputs = Inputs(arguments, Progress("puzzles"))
    for entry in inputs:
        say(f"{title(entry)}\n{game(entry.game).draw(entry.puzzle, entry.board)}\n")
    return inputs.exit_code(good=True)
