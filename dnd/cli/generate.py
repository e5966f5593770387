"""`dnd generate REQUEST`: new puzzles, unique by proof, that the request and its seed make again anywhere."""

from __future__ import annotations

import argparse

from dnd.cli.common import Parsers, Progress, check_format, command, positive
from dnd.diagnostic import fault
from dnd.game import game, game_names, games
from dnd.reading import dumps


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(
        subparsers, "generate", "make new puzzles, such as `generate -n 5 suguru:12x12:hard#seed`", _run, files=False
    )
    parser.add_argument("request", metavar="REQUEST", help="GAME:WIDTHxHEIGHT[:LEVEL][:SYMMETRY][#SEED]")
    parser.add_argument("-n", type=positive, default=1, metavar="N", dest="number", help="how many (default 1)")
    parser.add_argument("--cages", metavar="A-B", help="the least and the largest cage (suguru)")
    parser.add_argument("--to", metavar="FORMAT", help="the output's format (default: one line)")


def _run(arguments: argparse.Namespace) -> int:
    if arguments.to:
        check_format(arguments.to)
    name = arguments.request.partition(":")[0]
    makers = [owner.name for owner in games() if owner.generate]
    if name not in game_names() or name not in makers:
        raise fault("bad-request", f"a request begins with one of {', '.join(makers)} and a colon, not {name[:40]!r}")
    owner = game(name)
    assert owner.requested is not None
    assert owner.generate is not None
    text, hash_sign, seed = arguments.request.partition("#")
    cages = f":{arguments.cages}" if arguments.cages else ""
    progress = Progress("puzzles")
    for puzzle in owner.generate(**owner.requested(text + cages + hash_sign + seed), count=arguments.number):
        print(dumps(puzzle, arguments.to or owner.line_formats[0]), flush=True)
        progress.step()
    progress.close()
    return 0
