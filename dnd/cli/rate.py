"""`dnd rate FILE...`: how hard a puzzle is for a person."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, Progress, command, offered, say, say_json, title


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "rate", "rate the difficulty of puzzles", _run)
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs = Inputs(arguments, Progress("puzzles"))
    for entry in inputs:
        rating = offered(entry, "rate")(entry.puzzle)
        if arguments.json:
            say_json({"name": entry.name, **rating._asdict()})
        else:
            counts = ", ".join(f"{count} {technique}" for technique, count in rating.counts.items())
            number = "" if rating.number is None else f", {rating.number} ({counts or 'no steps'})"
            say(f"{title(entry)}: {rating.level}{number}")
    return inputs.exit_code(good=True)
