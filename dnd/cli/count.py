"""`dnd count FILE...`: how many solutions there are."""

from __future__ import annotations

import argparse

from dnd.cli.common import (
    Inputs,
    Parsers,
    Progress,
    check_options,
    command,
    duration,
    given_options,
    positive,
    say,
    say_json,
    size,
    title,
)
from dnd.game import game

_SPECIAL = ("seconds", "memory")  # what only some games' counts take


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "count", "count the solutions of puzzles; exit 1 unless each has exactly one", _run)
    parser.add_argument("--limit", type=positive, metavar="N", help="stop counting at N (default: count all)")
    parser.add_argument(
        "--max-nodes", type=positive, metavar="N", help="stop after N nodes; the count is a lower bound"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")
    pegs = parser.add_argument_group("peg solitaire")
    pegs.add_argument("--seconds", type=duration, metavar="S", help="give a puzzle up after S seconds (default: never)")
    pegs.add_argument("--memory", type=size, metavar="SIZE", help="the most memory, such as 4GiB (the default)")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    options = {"max_nodes": arguments.max_nodes, **given_options(arguments, _SPECIAL)}
    for entry in inputs:
        check_options(entry, arguments, _SPECIAL)
        result = game(entry.game).count(entry.puzzle, arguments.limit, **options)
        good = good and result.good
        if arguments.json:
            found = {"count": result.count, "complete": result.complete, "nodes": result.nodes, **result.details()}
            say_json({"name": entry.name, **found})
        else:
            say(f"{title(entry)}: {result.count}{'' if result.complete else ' or more'}")
    return inputs.exit_code(good=good)
