"""`dnd check FILE`: what a board does wrong, rule by rule."""

from __future__ import annotations

import argparse

from dnd.cli.common import Inputs, Parsers, board_of, command, read_board, say, say_json, title
from dnd.diagnostic import Diagnostic, fault
from dnd.dungeon.puzzle import Board
from dnd.dungeon.rules import all_rules, as_board, check
from dnd.game import Entry


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "check", "check a board against the rules; exit 1 if it breaks any", _run)
    parser.add_argument("--board", metavar="BOARD", help="a file with the board (default: the one drawn in FILE)")
    parser.add_argument("--rule", action="append", metavar="CODE", help="only this rule; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    _known_rules(arguments.rule or [])
    given = read_board(arguments.board, arguments) if arguments.board else None
    inputs, good = Inputs(arguments), True
    for entry in inputs:
        board = as_board(entry.puzzle, given) if given is not None else board_of(entry)
        faults = check(entry.puzzle, board, arguments.rule)
        good = good and not faults
        if arguments.json:
            picture = entry.puzzle.ddn(board)
            say_json({"name": entry.name, "board": picture, "faults": [fault_.as_json() for fault_ in faults]})
        else:
            say(_as_text(entry, board, faults))
    return inputs.exit_code(good=good)


def _known_rules(codes: list[str]) -> None:
    known = [rule.code for rule in all_rules()]
    for code in codes:
        if code not in known:
            raise fault("unknown-rule", f"there is no rule {code!r}", hint=f"the rules are {', '.join(known)}")


def _as_text(entry: Entry, board: Board, faults: list[Diagnostic]) -> str:
    lines = [
        f"{title(entry)}: {len(faults)} fault{'' if len(faults) == 1 else 's'}" if faults else _praise(entry, board)
    ]
    return "\n".join([*lines, *(f"  {fault_.code}: {fault_.message}" for fault_ in faults)])


def _praise(entry: Entry, board: Board) -> str:
    unknown = (board.unknown & ~entry.puzzle.objects).bit_count()
    return f"{title(entry)}: no fault" + (f" so far, {unknown} cells unknown" if unknown else "")
