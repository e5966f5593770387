"""`dnd clues FILE...`: drawn dungeons become puzzles, judged; where a second solution exists, what would cure it."""

from __future__ import annotations

import argparse
from typing import Any

from dnd import grid
from dnd.cli.common import Parsers, board_of, check_format, command, positive
from dnd.cli.drawn import DrawnInputs, some_cells
from dnd.cli.output import complain, put_puzzle, say, say_json
from dnd.diagnostic import Cell, InputError, cell_list, cell_name
from dnd.game import Entry, door, game
from dnd.reading import dumps

_clues = door("dnd.dungeon.setters", "clues")
_cures = door("dnd.dungeon.setters", "cures")


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "make puzzles of drawn dungeons; exit 1 unless each is legal and has no second solution"
    parser = command(subparsers, "clues", help_, _run)
    parser.add_argument(
        "--monsters",
        choices=("auto", "drawn", "dead-ends"),
        default="auto",
        help="where monsters stand: as drawn, in all dead ends, or (auto) as drawn if any is drawn",
    )
    parser.add_argument("--max-nodes", type=positive, metavar="N", help="give each proof up, undecided, after N nodes")
    parser.add_argument("--no-cures", action="store_true", help="do not look for cells that would make it unique")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--to", metavar="FORMAT", help="write nothing but legal puzzles, in this format")
    form.add_argument("--json", action="store_true", help="one JSON object a dungeon")


def _run(arguments: argparse.Namespace) -> int:
    check_format(arguments.to, game("dungeon"))
    inputs, good = DrawnInputs(arguments), True
    for entry in inputs:
        try:
            drawn = _clues(entry.puzzle, board_of(entry), arguments.monsters, max_nodes=arguments.max_nodes)
        except InputError as error:
            inputs.refuse(entry, error)
            continue
        good = good and drawn.unique is True
        _answer(entry, drawn, arguments)
    return inputs.exit_code(good=good)


def _answer(entry: Entry, drawn: Any, arguments: argparse.Namespace) -> None:
    changes = _cures(drawn, max_nodes=arguments.max_nodes) if drawn.other and not arguments.no_cures else None
    if arguments.to:
        _write(entry, drawn, arguments.to)
    elif arguments.json:
        say_json(_as_json(entry, drawn, changes))
    else:
        _tell(entry, drawn, changes)


def verdict(drawn: Any) -> str:
    """What is to be said of the puzzle, in words."""
    if drawn.faults:
        return f"illegal: {len(drawn.faults)} fault{'' if len(drawn.faults) == 1 else 's'}"
    if drawn.unique is None:
        return "legal; whether it is unique is undecided"
    return "legal, 1 solution, unique" if drawn.unique else "legal, 2 or more solutions"


def _title(entry: Entry, drawn: Any) -> str:
    """The name, or the puzzle that a drawing without name has become."""
    return entry.name or game(entry.game).one_line(drawn.puzzle)


def _write(entry: Entry, drawn: Any, format: str) -> None:
    if drawn.unique is not True:
        complain(f"{_title(entry, drawn)}: {verdict(drawn)}")
    if not drawn.faults:
        put_puzzle(dumps(drawn.puzzle, format), game(entry.game), format)


def _tell(entry: Entry, drawn: Any, changes: Any) -> None:
    """Say what is known at once; cures can take a while."""
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
        _tell_cures(drawn, changes)
    say("")


def _tell_cures(drawn: Any, changes: Any) -> None:
    number = 0
    for number, cure in enumerate(changes, start=1):
        if number == 1:
            say("one changed cell makes it unique:")
        words = [f"{cell_name(cure.cell)} becomes {cure.becomes}", *_moved(drawn.puzzle, cure.puzzle)]
        say(f"  {', '.join(words)}{'' if cure.proved else ' (undecided)'}")
    if not number:
        say("no single changed cell makes it unique")


def _moved(before: Any, after: Any) -> list[str]:
    """What a change does to the monsters."""
    gone, come = _cells(before.monsters & ~after.monsters, before), _cells(after.monsters & ~before.monsters, before)
    words = []
    if gone:
        words.append(f"the monster of {cell_list(gone)} goes" if len(gone) == 1 else f"those of {cell_list(gone)} go")
    if come:
        words.append(f"a monster comes to {cell_list(come)}" if len(come) == 1 else f"some come to {cell_list(come)}")
    return words


def _cells(mask: int, puzzle: Any) -> tuple[Cell, ...]:
    return grid.cells(mask, puzzle.width)


def _as_json(entry: Entry, drawn: Any, changes: Any) -> dict[str, Any]:
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


def _cure_json(cure: Any, one_line: Any) -> dict[str, Any]:
    return {
        "cell": list(cure.cell),
        "becomes": cure.becomes,
        "dungeon": one_line(cure.puzzle, cure.board),
        "proved": cure.proved,
    }
