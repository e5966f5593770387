"""`dnd hint FILE...`: the next step from where the player is, and why it holds."""

from __future__ import annotations

import argparse
from itertools import islice

from dnd.cli.common import (
    Inputs,
    Parsers,
    Progress,
    chain_lines,
    command,
    offered,
    positive,
    read_board,
    say,
    say_json,
    title,
)
from dnd.game import game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "hint", "tell the easiest next step and its reason", _run)
    parser.add_argument(
        "--board", metavar="BOARD", help="a file with the player's board (default: what FILE has drawn)"
    )
    parser.add_argument("-n", type=positive, default=1, metavar="K", dest="number", help="the next K steps (default 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object a step")


def _run(arguments: argparse.Namespace) -> int:
    given = read_board(arguments.board, arguments) if arguments.board else None
    inputs = Inputs(arguments, Progress("puzzles"))
    for entry in inputs:
        hints = offered(entry, "hints")
        board = game(entry.game).as_board(entry.puzzle, given) if given is not None else entry.board
        for step in islice(hints(entry.puzzle, board), arguments.number):
            if arguments.json:
                say_json({"name": entry.name, **step.as_json()})
            else:
                say("\n".join([f"{title(entry)}: {step.sentence}", *chain_lines(step, "  ")]))
    return inputs.exit_code(good=True)
