"""`dnd count FILE...`: how many solutions there are."""

from __future__ import annotations

import argparse

from dnd.cli.common import (
    Inputs,
    Parsers,
    command,
    positive,
    size,
    slow_game_options,
    title,
    with_options,
)
from dnd.cli.output import Progress, say, say_json
from dnd.game import game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "count the solutions of puzzles; exit 1 unless each has exactly one (peg solitaire: has any)"
    parser = command(subparsers, "count", help_, _run)
    parser.add_argument("--limit", type=positive, metavar="N", help="stop counting at N (default: count all)")
    parser.add_argument(
        "--max-nodes",
        type=positive,
        metavar="N",
        help="stop after N nodes; the count is then a lower bound, or undecided",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per puzzle")
    pegs = slow_game_options(parser, seconds="never")
    pegs.add_argument(
        "--memory", type=size, metavar="SIZE", help="use at most this much memory, such as 4GiB (the default)"
    )


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        entry, options = with_options(entry, arguments)
        result = game(entry.game).solver.count(entry.puzzle, arguments.limit, max_nodes=arguments.max_nodes, **options)
        good = good and result.good
        if arguments.json:
            found = {"count": result.count, "complete": result.complete, "nodes": result.nodes, **result.details()}
            say_json({"name": entry.name, **found})
        else:
            number = f"{result.count}{'' if result.complete else ' or more'}"
            # Where a count has details the bare number does not say it all.
            in_words = result.kind == "undecided" or result.details()
            say(f"{title(entry)}: {result.words() if in_words else number}")
    return inputs.exit_code(good=good)
