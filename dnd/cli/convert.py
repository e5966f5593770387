"""`dnd convert FILE... --to FORMAT`: the same puzzles in another format."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, Progress, command
from dnd.reading import dumps_entry, output_formats


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "convert", "write puzzles in another format, to stdout", _run)
    formats = output_formats()
    parser.add_argument("--to", required=True, choices=formats, metavar="FORMAT", help=", ".join(formats))


def _run(arguments: argparse.Namespace) -> int:
    inputs = Inputs(arguments, Progress("puzzles"))
    for entry in inputs:
        print(dumps_entry(entry, arguments.to), flush=True)
    return inputs.exit_code(good=True)
