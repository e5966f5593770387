"""`dnd rate FILE...`: how hard a puzzle is for a person."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, command, offered, title
from dnd.cli.output import Progress, say, say_json
from dnd.game import game

BEYOND_LOGIC = "beyond logic"


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "rate the difficulty of puzzles; exit 1 if one has not exactly one solution (but in peg solitaire)"
    parser = command(subparsers, "rate", help_, _run)
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        rating = offered(entry, "rate")(entry.puzzle)
        # Deduction has solved the others, so they have one solution.
        answer = game(entry.game).solve(entry.puzzle, 2) if rating.level == BEYOND_LOGIC else None
        good = good and (answer is None or answer.good)
        if arguments.json:
            say_json({"name": entry.name, **rating._asdict(), **({} if answer is None else {"unique": answer.good})})
        else:
            counts = ", ".join(f"{count} {technique}" for technique, count in rating.counts.items())
            told = getattr(rating, "told", "") or counts or "no steps"
            number = "" if rating.number is None else f", {rating.number} ({told})"
            doubt = "" if answer is None or answer.good else f"; {answer.words()}"
            say(f"{title(entry)}: {rating.level}{number}{doubt}")
    return inputs.exit_code(good=good)
