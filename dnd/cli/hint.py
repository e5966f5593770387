"""`dnd hint FILE...`: the next step from where the player is, and why it holds."""

from __future__ import annotations

import argparse
from itertools import islice

from dnd.cli.common import (
    Inputs,
    Parsers,
    chain_lines,
    command,
    offered,
    positive,
    read_board,
    slow_game_options,
    title,
    with_options,
)
from dnd.cli.output import Progress, say, say_json
from dnd.game import game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "tell the easiest next step and its reason; exit 1 if the board is wrong or no step is left"
    parser = command(subparsers, "hint", help_, _run)
    parser.add_argument(
        "--board", metavar="BOARD", help="a file with the player's board (default: what FILE has drawn)"
    )
    parser.add_argument("-n", type=positive, default=1, metavar="K", dest="number", help="the next K steps (default 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object per step")
    slow_game_options(parser, seconds="60")


def _run(arguments: argparse.Namespace) -> int:
    given = read_board(arguments.board, arguments) if arguments.board is not None else None
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        explainer = offered(entry, game(entry.game).explainer, "hints")
        entry, options = with_options(entry, arguments)
        board = given.on(entry.puzzle) if given else entry.board
        steps = explainer.hints(entry.puzzle, board, **options)
        for step in islice(steps, arguments.number):
            good = good and step.technique not in explainer.NEGATIVE
            if arguments.json:
                say_json({"name": entry.name, **step.as_json()})
            else:
                say("\n".join([f"{title(entry)}: {step.sentence}", *chain_lines(step, "  ")]))
    return inputs.exit_code(good=good)
