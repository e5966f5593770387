"""`dnd check FILE`: what a board does wrong, rule by rule."""

from __future__ import annotations

import argparse
from typing import Any

from dnd.cli.common import Inputs, Parsers, Progress, board_of, command, read_board, say, say_json, title
from dnd.diagnostic import Diagnostic, fault
from dnd.game import Entry, game


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "check", "check a board against the rules; exit 1 if it breaks any", _run)
    parser.add_argument("--board", metavar="BOARD", help="a file with the board (default: the one drawn in FILE)")
    parser.add_argument("--rule", action="append", metavar="CODE", help="only this rule; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")


def _run(arguments: argparse.Namespace) -> int:
    given = read_board(arguments.board, arguments) if arguments.board else None
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        owner = game(entry.game)
        _check_known(arguments.rule or [], [rule.code for rule in owner.rules()])
        board = owner.as_board(entry.puzzle, given) if given is not None else board_of(entry)
        faults = owner.check(entry.puzzle, board, arguments.rule)
        outlook = owner.outlook(entry.puzzle, board) if owner.outlook and not faults and not arguments.rule else None
        good = good and not faults and (outlook is None or outlook.good)
        if arguments.json:
            found = {"board": owner.one_line(entry.puzzle, board), "faults": [fault_.as_json() for fault_ in faults]}
            say_json({"name": entry.name, **found, **(outlook._asdict() if outlook else {})})
        else:
            say(_as_text(entry, board, faults) + (f"\n{outlook.text}" if outlook else ""))
    return inputs.exit_code(good=good)


def _check_known(codes: list[str], known: list[str]) -> None:
    for code in codes:
        if code not in known:
            raise fault("unknown-rule", f"there is no rule {code!r}", hint=f"the rules are {', '.join(known)}")


def _as_text(entry: Entry, board: Any, faults: list[Diagnostic]) -> str:
    lines = [
        f"{title(entry)}: {len(faults)} fault{'' if len(faults) == 1 else 's'}" if faults else _praise(entry, board)
    ]
    return "\n".join([*lines, *(f"  {fault_.code}: {fault_.message}" for fault_ in faults)])


def _praise(entry: Entry, board: Any) -> str:
    unknown = board.unknown_in(entry.puzzle)
    return f"{title(entry)}: no fault" + (f" so far, {unknown} {game(entry.game).missing}" if unknown else "")
