"""`dnd explain FILE...`: the whole path to the solution in steps that a person can follow."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from dnd.cli.common import (
    Inputs,
    Parsers,
    chain_lines,
    command,
    offered,
    slow_game_options,
    title,
    with_options,
)
from dnd.cli.output import Progress, say, say_json
from dnd.game import Entry, Explanation, game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "explain", "explain step by step; exit 1 if the steps do not reach a solution", _run)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="Markdown, with the picture after each step")
    form.add_argument("--json", action="store_true", help="one JSON object per puzzle")
    slow_game_options(parser, seconds="60")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        explainer = offered(entry, game(entry.game).explainer, "explanations")
        entry, options = with_options(entry, arguments)
        told = explainer.explain(entry.puzzle, **options)
        good = good and told.solved
        if arguments.json:
            say_json(_as_json(entry, told))
        elif arguments.markdown:
            say(_as_markdown(entry, told))
            say(f"*{told.end}*\n")
        else:
            say(_as_text(entry, told))
            say(f"{told.end}\n")
    return inputs.exit_code(good=good)


def _as_json(entry: Entry, told: Explanation) -> dict[str, object]:
    return {
        "name": entry.name,
        "solved": told.solved,
        "steps": [step.as_json() for step in told.steps],
        "beyond": told.beyond and told.beyond.as_json(),
    }


def _as_text(entry: Entry, told: Explanation) -> str:
    lines = [title(entry)]
    for number, step in enumerate(told.steps, start=1):
        lines += [f"{number:3}. {step.sentence}", *chain_lines(step, " " * 5)]
        lines += [" " * 5 + line for line in step.evidence.splitlines()]
    return "\n".join(lines)


def _as_markdown(entry: Entry, told: Explanation) -> str:
    blocks = [f"## {title(entry)}", *_fenced(told.start)]
    for number, (step, picture) in enumerate(zip(told.steps, told.pictures(), strict=True), start=1):
        told_step = "\n".join([f"{number}. *{step.technique}*: {step.sentence}", *chain_lines(step, "   ")])
        blocks += [told_step, *_fenced(picture)]
    return "\n\n".join(blocks) + "\n"


def _fenced(picture: str) -> Iterator[str]:
    if picture:
        yield f"```\n{picture}\n```"
