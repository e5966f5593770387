"""`dnd check FILE`: what a board does wrong, rule by rule; whether a proof holds that there is no solution."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from dnd.cli.common import (
    GivenBoard,
    Inputs,
    Parsers,
    board_of,
    command,
    placed,
    read_boards,
    slow_game_options,
    title,
    with_options,
)
from dnd.cli.output import Progress, say, say_json
from dnd.diagnostic import Diagnostic, InputError, Span, counted, input_error
from dnd.game import Board, Entry, game
from dnd.reading import whole


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "check a board against the rules, or a proof that there is no solution; exit 1 if it does not hold"
    parser = command(subparsers, "check", help_, _run)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--board", metavar="BOARD", help="a file with boards (default: the one drawn in FILE)")
    what.add_argument(
        "--proof", metavar="ANSWERS", help="what `solve --json` printed for the same puzzles, in order (peg solitaire)"
    )
    parser.add_argument("--rule", action="append", metavar="CODE", help="check only this rule; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON object per puzzle")
    slow_game_options(parser, seconds="10")


def _run(arguments: argparse.Namespace) -> int:
    if arguments.proof is not None:
        return _run_proofs(arguments)
    given: list[GivenBoard | None] = (
        [*read_boards(arguments.board, arguments)] if arguments.board is not None else [None]
    )
    inputs, good = Inputs(arguments, Progress("puzzles")), True
    for entry in inputs:
        entry, options = with_options(entry, arguments)
        for board in given:
            which = board.title if board and len(given) > 1 else ""
            good = _judge(entry, board, arguments, options, which) and good
    return inputs.exit_code(good=good)


def _judge(
    entry: Entry, given: GivenBoard | None, arguments: argparse.Namespace, options: dict[str, object], which: str
) -> bool:
    """Say what a board does wrong; False for a bad one. which: of several boards it is."""
    owner = game(entry.game)
    _check_known(arguments.rule or [], [rule.code for rule in owner.rules.all_rules()])
    board = given.on(entry.puzzle) if given else board_of(entry)
    faults = owner.rules.check(entry.puzzle, board, arguments.rule)
    outlook = None
    if not faults and not arguments.rule:
        outlook = owner.outlook(entry.puzzle, board, **options)
    if arguments.json:
        place = {"which": which} if which else {}
        found = {"board": owner.one_line(entry.puzzle, board), "faults": [fault.as_json() for fault in faults]}
        say_json({"name": entry.name, **place, **found, **(outlook._asdict() if outlook else {})})
    else:
        name = f"{title(entry)}, {which}" if which else title(entry)
        say(_as_text(name, entry, board, faults) + (f"\n{outlook.text}" if outlook else ""))
    return not faults and (outlook is None or bool(outlook.good))


def _run_proofs(arguments: argparse.Namespace) -> int:
    """Judge proofs that puzzles have no solution: the first of the file for the first puzzle, and so on."""
    inputs, good, proofs = Inputs(arguments, Progress("puzzles")), True, _Proofs(arguments.proof)
    for entry in inputs:
        entry, _ = with_options(entry, arguments)
        found = game(entry.game).verify(entry.puzzle, proofs.next(entry))
        good = good and found.good
        if arguments.json:
            say_json({"name": entry.name, **found._asdict()})
        else:
            say(f"{title(entry)}: {found.text}")
    proofs.end()
    return inputs.exit_code(good=good)


class _Proofs:
    """The proofs of a file, which the game of the puzzles reads."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: Iterator[object] | None = None
        try:
            with open(file, "rb") as stream:
                self.data = whole(stream, file)
        except OSError as error:
            raise input_error("unreadable-file", f"the file cannot be read: {error.strerror}", Span(file)) from None

    def next(self, entry: Entry) -> object:
        """The proof for a puzzle."""
        if self.found is None:
            try:
                self.found = game(entry.game).read_proofs(self.data, self.file)
            except InputError as error:  # the game has no proofs
                raise placed(entry, error) from None
        for proof in self.found:
            return proof
        raise input_error("proof-number", "there are fewer proofs than puzzles", Span(self.file))

    def end(self) -> None:
        """Raise `InputError` where proofs are left."""
        for _ in self.found or ():
            raise input_error("proof-number", "there are more proofs than puzzles", Span(self.file))


def _check_known(codes: list[str], known: list[str]) -> None:
    for code in codes:
        if code not in known:
            raise input_error("unknown-rule", f"there is no rule {code!r}", hint=f"the rules are {', '.join(known)}")


def _as_text(name: str, entry: Entry, board: Board, faults: list[Diagnostic]) -> str:
    verdict = counted(len(faults), "fault") if faults else _praise(entry, board)
    return "\n".join([f"{name}: {verdict}", *(f"  {fault.code}: {fault.message}" for fault in faults)])


def _praise(entry: Entry, board: Board) -> str:
    unknown = board.unknown_in(entry.puzzle)
    missing = game(entry.game).missing
    if unknown == 1:
        missing = missing.replace("s ", " ", 1)  # one cell, one jump
    return "no fault" + (f" so far, {unknown} {missing}" if unknown else "")
