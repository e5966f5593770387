"""`dnd formats`: the formats of each game, what they hold and who uses them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from dnd.cli.common import Parsers, command, owner_of
from dnd.cli.output import say, say_json
from dnd.game import AnyGame, FormatInfo, games


class _Row(NamedTuple):
    """A format of a game; read, written: by its name for --format and for --to."""

    game: str
    format: str
    read: bool
    written: bool
    info: FormatInfo


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "list the formats of each game: names for --format and --to, and what they hold"
    parser = command(subparsers, "formats", help_, _run, files=False)
    parser.add_argument("--game", help="only this game's (default: all games)")
    parser.add_argument("--json", action="store_true", help="one JSON object per format")


def _run(arguments: argparse.Namespace) -> int:
    owners = list(games()) if arguments.game is None else [owner_of(arguments.game)]
    rows = [row for owner in owners for row in _rows(owner)]
    if arguments.json:
        for row in rows:
            say_json(_as_json(row))
    else:
        say("\n\n".join(_as_text(owner.name, [row for row in rows if row.game == owner.name]) for owner in owners))
    return 0


def _rows(owner: AnyGame) -> Iterator[_Row]:
    notation = owner.notation
    for format, info in notation.FORMATS.items():
        # Fixtures of all games are read by `dnd.reading`.
        is_read = format == "toml" or format in notation.FORMATS_IN
        yield _Row(owner.name, format, is_read, format in notation.FORMATS_OUT, info)


def _as_json(row: _Row) -> dict[str, object]:
    found = {"game": row.game, "format": row.format, "read": row.read, "written": row.written}
    return {**found, **row.info._asdict()}


def _as_text(name: str, rows: list[_Row]) -> str:
    width = max(len(row.format) for row in rows)
    lines = [f"{name}:"]
    for row in rows:
        ways = "in, out" if row.read and row.written else "in" if row.read else "out"
        user = f" ({row.info.used_by})" if row.info.used_by else ""
        lines.append(f"  {row.format:{width}}  {ways:7}  {row.info.what}{user}")
    return "\n".join(lines)
