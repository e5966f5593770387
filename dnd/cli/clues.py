"""`dnd clues FILE...`: puzzles from drawn dungeons, judged; and changes that remove second solutions."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from dnd.cli.common import Parsers, board_of, check_format, command, positive
from dnd.cli.drawn import DrawnInputs, setters_of, some_cells
from dnd.cli.output import complain, put_puzzle, say, say_json
from dnd.diagnostic import InputError, cell_name, counted
from dnd.game import Cure, Entry, Sketch, game
from dnd.reading import dumps


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "make puzzles from drawn dungeons; exit 1 unless each is legal and has no second solution"
    parser = command(subparsers, "clues", help_, _run)
    parser.add_argument(
        "--monsters",
        choices=("auto", "drawn", "dead-ends"),
        default="auto",
        help="where monsters stand: as drawn, in all dead ends, or (auto) as drawn if any is drawn",
    )
    parser.add_argument("--max-nodes", type=positive, metavar="N", help="give up each proof, undecided, after N nodes")
    parser.add_argument("--no-cures", action="store_true", help="do not look for cells that would make it unique")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--to", metavar="FORMAT", help="write only the legal puzzles, in this format")
    form.add_argument("--json", action="store_true", help="one JSON object per dungeon")


def _run(arguments: argparse.Namespace) -> int:
    check_format(arguments.to)
    inputs, good = DrawnInputs(arguments), True
    for entry in inputs:
        check_format(arguments.to, game(entry.game), entry.span)
        try:
            drawn = setters_of(entry).clues(
                entry.puzzle, board_of(entry), arguments.monsters, max_nodes=arguments.max_nodes
            )
        except InputError as error:
            inputs.refuse(entry, error)
            continue
        good = good and drawn.unique is True
        _answer(entry, drawn, arguments)
    return inputs.exit_code(good=good)


def _answer(entry: Entry, drawn: Sketch, arguments: argparse.Namespace) -> None:
    wanted = drawn.other and not arguments.no_cures
    changes = setters_of(entry).cures(drawn, max_nodes=arguments.max_nodes) if wanted else None
    if arguments.to:
        _write(entry, drawn, arguments.to)
    elif arguments.json:
        say_json(_as_json(entry, drawn, changes))
    else:
        _tell(entry, drawn, changes)


def verdict(drawn: Sketch) -> str:
    """The verdict on the puzzle, in words."""
    if drawn.faults:
        return f"illegal: {counted(len(drawn.faults), 'fault')}"
    if drawn.unique is None:
        return "legal; whether it is unique is undecided"
    return "legal, 1 solution, unique" if drawn.unique else "legal, 2 or more solutions"


def _title(entry: Entry, drawn: Sketch) -> str:
    """The name, or the puzzle that a drawing without name has become."""
    return entry.name or game(entry.game).one_line(drawn.puzzle)


def _write(entry: Entry, drawn: Sketch, format: str) -> None:
    if drawn.unique is not True:
        complain(f"{_title(entry, drawn)}: {verdict(drawn)}")
    if not drawn.faults:
        put_puzzle(dumps(drawn.puzzle, format), game(entry.game), format)


def _tell(entry: Entry, drawn: Sketch, changes: Iterable[Cure] | None) -> None:
    """Print what is known first; cures can take a while."""
    draw = game(entry.game).draw
    lines = [_title(entry, drawn), draw(drawn.puzzle, drawn.board), verdict(drawn)]
    lines += [f"  {fault.code}: {fault.message}" for fault in drawn.faults]
    if drawn.other:
        lines += [
            "another solution:",
            draw(drawn.puzzle, drawn.other.board),
            f"they differ in {some_cells(drawn.differing)}",
        ]
    say("\n".join(lines))
    if changes is not None:
        _tell_cures(changes)
    say("")


def _tell_cures(changes: Iterable[Cure]) -> None:
    number = 0
    for number, cure in enumerate(changes, start=1):
        if number == 1:
            say("one changed cell makes it unique:")
        words = [f"{cell_name(cure.cell)} becomes {cure.becomes}", *cure.notes]
        say(f"  {', '.join(words)}{'' if cure.proved else ' (undecided)'}")
    if not number:
        say("no single changed cell makes it unique")


def _as_json(entry: Entry, drawn: Sketch, changes: Iterable[Cure] | None) -> dict[str, object]:
    one_line = game(entry.game).one_line
    return {
        "name": entry.name,
        "puzzle": one_line(drawn.puzzle),
        "dungeon": one_line(drawn.puzzle, drawn.board),
        "faults": [fault.as_json() for fault in drawn.faults],
        "unique": drawn.unique,
        "other": one_line(drawn.puzzle, drawn.other.board) if drawn.other else None,
        "differing": [list(cell) for cell in drawn.differing],
        "cures": None if changes is None else [_cure_json(cure, one_line) for cure in changes],
    }


def _cure_json(cure: Cure, one_line: Callable[..., str]) -> dict[str, object]:
    return {
        "cell": list(cure.cell),
        "becomes": cure.becomes,
        "dungeon": one_line(cure.puzzle, cure.board),
        "proved": cure.proved,
    }
