"""`dnd explain FILE...`: the whole path to the solution in steps that a person can follow."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from dnd.cli.common import Inputs, Parsers, Progress, chain_lines, command, offered, say, say_json, title
from dnd.game import Entry, game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "explain", "explain step by step; exit 1 if the steps do not reach a solution", _run)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="Markdown, with the picture after each step")
    form.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        told = offered(entry, "explain")(entry.puzzle)
        good = good and told.solved
        if arguments.json:
            steps = [step.as_json() for step in told.steps]
            say_json({"name": entry.name, "solved": told.solved, "steps": steps})
        else:
            say(_as_markdown(entry, told) if arguments.markdown else _as_text(entry, told))
    return inputs.exit_code(good=good)


def _as_text(entry: Entry, told: Any) -> str:
    lines = [title(entry)]
    for number, step in enumerate(told.steps, start=1):
        lines += [f"{number:3}. {step.sentence}", *chain_lines(step, " " * 5), *_evidence(step)]
    return "\n".join([*lines, _end(told), ""])


def _evidence(step: Any) -> list[str]:
    """The picture without which a step's sentence cannot be checked, where a game's steps have one."""
    return [" " * 5 + line for line in getattr(step, "evidence", "").splitlines()]


def _end(told: Any) -> str:
    """What to say behind the last step."""
    impossible = getattr(told, "impossible", False)
    end = "solved" if told.solved else "there is no solution" if impossible else "the steps lead no further"
    return str(getattr(told, "end", f"{end}, {len(told.steps)} step{'' if len(told.steps) == 1 else 's'}"))


def _as_markdown(entry: Entry, told: Any) -> str:
    blocks = [f"## {title(entry)}", *_fenced(game(entry.game).draw(entry.puzzle, None))]
    for number, (step, picture) in enumerate(zip(told.steps, _pictures(entry, told), strict=True), start=1):
        told_step = "\n".join([f"{number}. *{step.technique}*: {step.sentence}", *chain_lines(step, "   ")])
        blocks += [told_step, *_fenced(picture)]
    return "\n\n".join([*blocks, f"*{_end(told)}*"]) + "\n"


def _pictures(entry: Entry, told: Any) -> list[str]:
    """The board after each step, where the game tells it, else what the step has to show."""
    if hasattr(told, "boards"):
        return [game(entry.game).draw(entry.puzzle, board) for board in told.boards()]
    return [getattr(step, "picture", "") for step in told.steps]


def _fenced(picture: str) -> Iterator[str]:
    if picture:
        yield f"```\n{picture}\n```"
