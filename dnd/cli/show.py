"""`dnd show FILE...`: pictures of puzzles and of what is drawn in them."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, command, say, title
from dnd.dungeon import draw


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    command(subparsers, "show", "draw puzzles, with the walls and floors that the file has decided", _run)


def _run(arguments: argparse.Namespace) -> int:
    inputs = Inputs(arguments)
    for entry in inputs:
        puzzle = entry.puzzle
        say(f"{title(entry)}\n{draw.text(puzzle.letters(entry.board), puzzle.rows, puzzle.columns)}\n")
    return inputs.exit_code(good=True)
