"""`dnd rules`: the codes of the rules and what they say."""

from __future__ import annotations

import argparse

from dnd.cli.common import Parsers, command, owner_of
from dnd.cli.output import say, say_json
from dnd.game import DEFAULT


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "rules", "list the rules: code and text", _run, files=False)
    parser.add_argument("--game", default=DEFAULT, help=f"whose rules (default: {DEFAULT})")
    parser.add_argument("--json", action="store_true", help="one JSON object per rule")


def _run(arguments: argparse.Namespace) -> int:
    rules = owner_of(arguments.game).rules.all_rules()
    width = max(len(rule.code) for rule in rules)
    for rule in rules:
        if arguments.json:
            say_json({"code": rule.code, "text": rule.text})
        else:
            say(f"{rule.code:{width}}  {rule.text}")
    return 0
