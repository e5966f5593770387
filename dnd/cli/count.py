"""`dnd count FILE...`: how many solutions there are."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, Progress, command, positive, say, say_json, title
from dnd.game import game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "count", "count the solutions of puzzles; exit 1 unless each has exactly one", _run)
    parser.add_argument("--limit", type=positive, metavar="N", help="stop counting at N (default: count all)")
    parser.add_argument(
        "--max-nodes", type=positive, metavar="N", help="stop after N nodes; the count is a lower bound"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        result = game(entry.game).count(entry.puzzle, arguments.limit, max_nodes=arguments.max_nodes)
        good = good and result.good
        if arguments.json:
            found = {"count": result.count, "complete": result.complete, "nodes": result.nodes, **result.details()}
            say_json({"name": entry.name, **found})
        else:
            say(f"{title(entry)}: {result.count}{'' if result.complete else ' or more'}")
    return inputs.exit_code(good=good)
