"""`dnd minimise FILE...`: leave out the clues that a puzzle does not need to have one solution."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice

from dnd.cli.common import Inputs, Parsers, check_format, command, positive, title
from dnd.cli.drawn import setters_of
from dnd.cli.output import Progress, complain, put_puzzle, say, say_json
from dnd.game import Entry, Minimal, Setters, game
from dnd.reading import dumps


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "remove clues as long as the solution stays unique; exit 1 unless each puzzle is unique"
    parser = command(subparsers, "minimise", help_, _run)
    parser.add_argument("--all", action="store_true", help="all minimal sets of clues, smallest first")
    parser.add_argument("--limit", type=positive, metavar="N", help="the first N of --all (1: a smallest set)")
    parser.add_argument("--max-nodes", type=positive, metavar="N", help="give up each proof after N nodes")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--to", metavar="FORMAT", help="write only the puzzles, in this format")
    form.add_argument("--json", action="store_true", help="one JSON object per set")


def _run(arguments: argparse.Namespace) -> int:
    check_format(arguments.to)
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        owner, setters = game(entry.game), setters_of(entry)
        check_format(arguments.to, owner, entry.span)
        found = owner.solver.solve(entry.puzzle, 2, max_nodes=arguments.max_nodes)
        if not found.good:
            good = False
            complain(f"{title(entry)}: not proved to have exactly one solution: {found.words()}")
            continue
        for minimal in _sets(setters, entry, arguments):
            _tell(entry, minimal, arguments)
    return inputs.exit_code(good=good)


def _sets(setters: Setters, entry: Entry, arguments: argparse.Namespace) -> Iterator[Minimal]:
    if not arguments.all and not arguments.limit:
        return iter([setters.minimise(entry.puzzle, max_nodes=arguments.max_nodes)])
    return islice(setters.minimal_sets(entry.puzzle, max_nodes=arguments.max_nodes), arguments.limit)


def _tell(entry: Entry, minimal: Minimal, arguments: argparse.Namespace) -> None:
    if arguments.to:
        put_puzzle(dumps(minimal.puzzle, arguments.to), game(entry.game), arguments.to)
    elif arguments.json:
        line = game(entry.game).one_line(minimal.puzzle)
        gone = {side: list(lines) for side, lines in minimal.gone.items()}
        say_json({"name": entry.name, "puzzle": line, "clues": minimal.clues, "gone": gone, "certain": minimal.certain})
    else:
        number = minimal.clues + sum(map(len, minimal.gone.values()))
        doubt = "" if minimal.certain else "; perhaps fewer, some proofs were given up"
        picture = game(entry.game).draw(minimal.puzzle, None)
        say(f"{title(entry)}\n{picture}\n{minimal.clues} of {number} clues{doubt}\n")
