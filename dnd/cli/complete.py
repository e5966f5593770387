"""`dnd complete FILE...`: fill what a half-drawn dungeon leaves open, so that its puzzle is legal and unique."""

from __future__ import annotations

import argparse
from itertools import islice
from threading import Timer

from dnd.cli.common import Parsers, check_format, command, duration, positive, title
from dnd.cli.drawn import DrawnInputs, setters_of, some_cells
from dnd.cli.output import complain, put_puzzle, say, say_json
from dnd.diagnostic import counted
from dnd.game import Board, Completions, Entry, Solution, game
from dnd.reading import dumps

_CHECK_NODES = 20_000


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "finish half-drawn dungeons so that they are legal and unique; exit 1 if one has no such completion"
    parser = command(subparsers, "complete", help_, _run)
    number = parser.add_mutually_exclusive_group()
    number.add_argument("-n", type=positive, metavar="N", dest="number", help="how many (default 1)")
    number.add_argument("--all", action="store_true", help="all completions")
    parser.add_argument("--seed", default="0", help="decides which completions come first (default 0)")
    parser.add_argument("--monsters", type=_number, metavar="N", help="at most N monsters in all (default: any number)")
    parser.add_argument(
        "--seconds", type=duration, metavar="S", help="give up on a dungeon, undecided, after S seconds"
    )
    parser.add_argument(
        "--max-nodes", type=positive, metavar="N", help="give up on a dungeon, undecided, after N nodes"
    )
    parser.add_argument(
        "--check-nodes",
        type=positive,
        default=_CHECK_NODES,
        metavar="N",
        help=f"give up each proof of uniqueness after N nodes (default {_CHECK_NODES:,}: a few seconds)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--to", metavar="FORMAT", help="write only the puzzles, in this format")
    form.add_argument("--json", action="store_true", help="one JSON object per completion, and one at the end")


def _number(text: str) -> int:
    """An argument that must be a whole number from 0."""
    if not (text.isascii() and text.isdigit() and len(text) < 5):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of monsters")
    return int(text)


def _run(arguments: argparse.Namespace) -> int:
    wanted = None if arguments.all else arguments.number or 1
    check_format(arguments.to)
    inputs, good = DrawnInputs(arguments), True
    for entry in inputs:
        good = _complete(entry, wanted, arguments) > 0 and good
    return inputs.exit_code(good=good)


def _complete(entry: Entry, wanted: int | None, arguments: argparse.Namespace) -> int:
    """Tell as many of an entry's completions as wanted, None for all; how many there were."""
    check_format(arguments.to, game(entry.game), entry.span)
    stop = bytearray(1)
    search = setters_of(entry).completions(
        entry.puzzle,
        entry.board,
        seed=arguments.seed,
        most_monsters=arguments.monsters,
        max_nodes=arguments.max_nodes,
        check_nodes=arguments.check_nodes,
        stop=stop,
    )
    timer = Timer(arguments.seconds or 0, stop.__setitem__, (0, 1))
    timer.daemon = True
    if arguments.seconds:
        timer.start()
    number = 0
    for found in islice(search, wanted):
        number += 1
        _tell(entry, found, arguments)
    timer.cancel()
    if arguments.json or number != wanted:
        _conclude(entry, search, number, arguments)
    return number


def _tell(entry: Entry, found: Solution[Board], arguments: argparse.Namespace) -> None:
    owner = game(entry.game)
    if arguments.to:
        put_puzzle(dumps(found.puzzle, arguments.to), owner, arguments.to)
    elif arguments.json:
        dungeon = owner.one_line(found.puzzle, found.board)
        say_json({"name": entry.name, "puzzle": owner.one_line(found.puzzle), "dungeon": dungeon})
    else:
        say(f"{title(entry)}\n{owner.draw(found.puzzle, found.board)}\nlegal, 1 solution, unique\n")


def _conclude(entry: Entry, search: Completions, number: int, arguments: argparse.Namespace) -> None:
    """The summary of an entry."""
    faults = [] if number else game(entry.game).rules.check(entry.puzzle, _drawn(entry))
    if arguments.json:
        end = {"name": entry.name, "found": number, "complete": search.exhausted, "nodes": search.nodes}
        end |= {"legal": search.legal, "undecided": search.undecided, "faults": [fault.as_json() for fault in faults]}
        say_json({**end, "always": [list(cell) for cell in search.always_cells]})
        return
    lines = [f"{title(entry)}: {_verdict(search, number)}"]
    lines += [f"  {fault.code}: {fault.message}" for fault in faults]
    (complain if arguments.to else say)("\n".join(lines))


def _drawn(entry: Entry) -> Board:
    """The drawn board, or a blank one if nothing is drawn."""
    return entry.board or setters_of(entry).blank(entry.puzzle)


def _verdict(search: Completions, number: int) -> str:
    if not search.exhausted:
        more = f"{number} found, there may be more" if number else "undecided"
        open_ = f", {counted(search.undecided, 'proof')} of uniqueness given up" if search.undecided else ""
        return f"{more}; {counted(search.nodes, 'node')} searched{open_}"
    if number:
        return f"{number} in all"
    if search.always_cells:
        turned = some_cells(search.always_cells)
        return f"impossible: whatever is filled in, a second solution differs in {turned}"
    if search.legal:
        return "impossible: every legal way to fill it has a second solution"
    return "impossible: no way to fill it is legal"
