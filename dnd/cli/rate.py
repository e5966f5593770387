"""`dnd rate FILE...`: how hard a puzzle is for a person."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, command, offered, title
from dnd.cli.output import Progress, say, say_json
from dnd.game import game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "rate the difficulty of puzzles; exit 1 unless each has exactly one solution (except peg solitaire)"
    parser = command(subparsers, "rate", help_, _run)
    parser.add_argument("--json", action="store_true", help="one JSON object per puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        owner = game(entry.game)
        rating = offered(entry, owner.explainer, "ratings").rate(entry.puzzle)
        answer = None if rating.settled else owner.solver.solve(entry.puzzle, 2)
        good = good and (answer is None or answer.good)
        if arguments.json:
            say_json({"name": entry.name, **rating._asdict(), **({} if answer is None else {"unique": answer.good})})
        else:
            number = "" if rating.number is None else f", {rating.number} ({rating.told})"
            doubt = "" if answer is None or answer.good else f"; {answer.words()}"
            say(f"{title(entry)}: {rating.level}{number}{doubt}")
    return inputs.exit_code(good=good)
