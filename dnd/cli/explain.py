"""`dnd explain FILE...`: the whole path to the solution in steps that a person can follow."""

from __future__ import annotations

import argparse
from typing import Any

from dnd.cli.common import Inputs, Parsers, Progress, command, offered, say, say_json, title
from dnd.game import Entry


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "explain", "explain step by step; exit 1 if the steps do not reach a solution", _run)
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        told = offered(entry, "explain")(entry.puzzle)
        good = good and told.solved
        if arguments.json:
            steps = [step.as_json() for step in told.steps]
            say_json({"name": entry.name, "solved": told.solved, "steps": steps})
        else:
            say(_as_text(entry, told))
    return inputs.exit_code(good=good)


def _as_text(entry: Entry, told: Any) -> str:
    end = "solved" if told.solved else "the steps lead no further"
    lines = [f"{number:3}. {step.sentence}" for number, step in enumerate(told.steps, start=1)]
    return "\n".join([title(entry), *lines, f"{end}, {len(told.steps)} steps", ""])
