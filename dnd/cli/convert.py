"""`dnd convert FILE... --to FORMAT`: the same puzzles in another format."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, Progress, check_format, command
from dnd.reading import dumps_entry


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "convert", "write puzzles in another format, to stdout", _run)
    parser.add_argument("--to", required=True, metavar="FORMAT", help="such as toml, ddn, json, text, codingame")


def _run(arguments: argparse.Namespace) -> int:
    check_format(arguments.to)
    inputs = Inputs(arguments, Progress("puzzles"))
    for entry in inputs:
        text = dumps_entry(entry, arguments.to)
        # A format of bytes has control characters for cells; it ends where it ends.
        print(text, end="" if text[0] < " " else "\n", flush=True)
    return inputs.exit_code(good=True)
