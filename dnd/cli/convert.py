"""`dnd convert FILE... --to FORMAT`: the same puzzles in another format."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, check_format, command
from dnd.cli.output import Progress, put_puzzle
from dnd.game import game
from dnd.reading import dumps_entry


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "convert", "write puzzles in another format, to stdout", _run)
    parser.add_argument(
        "--to", required=True, metavar="FORMAT", help="such as toml, ddn, json, text; `dnd formats` lists them all"
    )


def _run(arguments: argparse.Namespace) -> int:
    check_format(arguments.to)
    inputs = Inputs(arguments, Progress("puzzles"))
    for entry in inputs:
        owner = game(entry.game)
        check_format(arguments.to, owner, entry.span)
        put_puzzle(dumps_entry(entry, arguments.to), owner, arguments.to)
    return inputs.exit_code(good=True)
