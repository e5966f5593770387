"""`dnd explain FILE...`: the whole path to the solution in steps that a person can follow."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from dnd.cli.common import (
    Inputs,
    Parsers,
    chain_lines,
    command,
    offered,
    pegs_options,
    title,
    with_options,
)
from dnd.cli.output import Progress, say, say_json
from dnd.game import Entry, game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "explain", "explain step by step; exit 1 if the steps do not reach a solution", _run)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="Markdown, with the picture after each step")
    form.add_argument("--json", action="store_true", help="one JSON object a puzzle")
    pegs_options(parser, seconds="60")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        explain = offered(entry, "explain")
        entry, options = with_options(entry, arguments, "seconds")
        told = explain(entry.puzzle, **options)
        good = good and told.solved
        if arguments.json:
            say_json(_as_json(entry, told))
        elif arguments.markdown:
            say(_as_markdown(entry, told))
            say(f"*{_end(entry, told)}*\n")
        else:
            say(_as_text(entry, told))
            say(f"{_end(entry, told)}\n")
    return inputs.exit_code(good=good)


def _as_json(entry: Entry, told: Any) -> dict[str, Any]:
    beyond = _beyond(entry, told)
    return {
        "name": entry.name,
        "solved": told.solved,
        "steps": [step.as_json() for step in told.steps],
        "beyond": beyond and beyond.as_json(),
    }


def _as_text(entry: Entry, told: Any) -> str:
    lines = [title(entry)]
    for number, step in enumerate(told.steps, start=1):
        lines += [f"{number:3}. {step.sentence}", *chain_lines(step, " " * 5), *_evidence(step)]
    return "\n".join(lines)


def _evidence(step: Any) -> list[str]:
    """The picture without which a step's sentence cannot be checked, where a game's steps have one."""
    return [" " * 5 + line for line in getattr(step, "evidence", "").splitlines()]


def _end(entry: Entry, told: Any) -> str:
    """What to say behind the last step; it can take longer than the steps."""
    if hasattr(told, "end"):
        return str(told.end)
    end = "solved" if told.solved else "there is no solution" if told.impossible else "the steps lead no further"
    number = f"{len(told.steps)} step{'' if len(told.steps) == 1 else 's'}"
    beyond = _beyond(entry, told)
    return f"{end}, {number}" + (f": {beyond.sentence}" if beyond else "")


def _beyond(entry: Entry, told: Any) -> Any:
    """The hint for where the steps lead no further, such as that there are several solutions; None where they end."""
    if told.solved or getattr(told, "impossible", True):
        return None
    return next(offered(entry, "hints")(entry.puzzle, told.board))


def _as_markdown(entry: Entry, told: Any) -> str:
    start = game(entry.game).draw(entry.puzzle, getattr(told, "start", None))
    blocks = [f"## {title(entry)}", *_fenced(start)]
    for number, (step, picture) in enumerate(zip(told.steps, _pictures(entry, told), strict=True), start=1):
        told_step = "\n".join([f"{number}. *{step.technique}*: {step.sentence}", *chain_lines(step, "   ")])
        blocks += [told_step, *_fenced(picture)]
    return "\n\n".join(blocks) + "\n"


def _pictures(entry: Entry, told: Any) -> list[str]:
    """The board after each step, where the game tells it, else what the step has to show."""
    if hasattr(told, "boards"):
        return [game(entry.game).draw(entry.puzzle, board) for board in told.boards()]
    return [getattr(step, "picture", "") for step in told.steps]


def _fenced(picture: str) -> Iterator[str]:
    if picture:
        yield f"```\n{picture}\n```"
