"""`dnd convert FILE... --to FORMAT`: the same puzzles in another format."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, command
from dnd.reading import OUTPUT_FORMATS, dumps_entry


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "convert", "write puzzles in another format, to stdout", _run)
    parser.add_argument("--to", required=True, choices=OUTPUT_FORMATS, metavar="FORMAT", help=", ".join(OUTPUT_FORMATS))


def _run(arguments: argparse.Namespace) -> int:
    inputs = Inputs(arguments)
    for entry in inputs:
        print(dumps_entry(entry, arguments.to), flush=True)
    return inputs.exit_code(good=True)
