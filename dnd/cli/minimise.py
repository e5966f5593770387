"""`dnd minimise FILE...`: leave out the clues that a puzzle does not need to have one solution."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from typing import Any

from dnd.cli.common import Inputs, Parsers, check_format, command, positive, title
from dnd.cli.drawn import of_dungeon
from dnd.cli.output import Progress, complain, put_puzzle, say, say_json
from dnd.game import Entry, door, game
from dnd.reading import dumps

_minimise = door("dnd.dungeon.setters", "minimise")
_minimal_sets = door("dnd.dungeon.setters", "minimal_sets")


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "take clues away while the solution stays the only one; exit 1 unless each puzzle is unique"
    parser = command(subparsers, "minimise", help_, _run)
    parser.add_argument("--all", action="store_true", help="all minimal sets of clues, smallest first")
    parser.add_argument("--limit", type=positive, metavar="N", help="the first N of --all (1: a smallest set)")
    parser.add_argument("--max-nodes", type=positive, metavar="N", help="give each proof up after N nodes")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--to", metavar="FORMAT", help="write nothing but the puzzles, in this format")
    form.add_argument("--json", action="store_true", help="one JSON object a set")


def _run(arguments: argparse.Namespace) -> int:
    check_format(arguments.to, game("dungeon"))
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in map(of_dungeon, inputs):
        found = game(entry.game).solve(entry.puzzle, 2, max_nodes=arguments.max_nodes)
        if not found.unique:
            good = False
            complain(f"{title(entry)}: not proved to have exactly one solution: {found.words()}")
            continue
        for minimal in _sets(entry, arguments):
            _tell(entry, minimal, arguments)
    return inputs.exit_code(good=good)


def _sets(entry: Entry, arguments: argparse.Namespace) -> Iterator[Any]:
    if not arguments.all and not arguments.limit:
        return iter([_minimise(entry.puzzle, max_nodes=arguments.max_nodes)])
    return islice(_minimal_sets(entry.puzzle, max_nodes=arguments.max_nodes), arguments.limit)


def _tell(entry: Entry, minimal: Any, arguments: argparse.Namespace) -> None:
    rows, columns = (_removed(entry.puzzle, minimal.puzzle, side) for side in ("rows", "columns"))
    if arguments.to:
        put_puzzle(dumps(minimal.puzzle, arguments.to), game(entry.game), arguments.to)
    elif arguments.json:
        line = game(entry.game).one_line(minimal.puzzle)
        gone = {"rows": rows, "columns": columns}
        say_json({"name": entry.name, "puzzle": line, "clues": minimal.clues, "gone": gone, "certain": minimal.certain})
    else:
        number = minimal.clues + len(rows) + len(columns)
        doubt = "" if minimal.certain else "; perhaps fewer, some proofs were given up"
        picture = game(entry.game).draw(minimal.puzzle, None)
        say(f"{title(entry)}\n{picture}\n{minimal.clues} of {number} clues{doubt}\n")


def _removed(before: Any, after: Any, side: str) -> list[int]:
    """The lines, from 0, whose clues are gone."""
    pairs = zip(getattr(before, side), getattr(after, side), strict=True)
    return [line for line, (old, new) in enumerate(pairs) if old != new]
