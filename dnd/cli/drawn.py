"""What the setters' verbs share: inputs that may be bare drawings, and how they say things."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from dnd.cli.common import Inputs, opened, read, stdin, title
from dnd.cli.output import Progress, complain, on_terminal
from dnd.diagnostic import Cell, InputError, cell_list, fault
from dnd.game import Entry, door
from dnd.reading import whole
from dnd.texts.lines import plain

# The rooms of the dungeon are opened when somebody comes: the other verbs have no use for them.
_read_drawings = door("dnd.dungeon.sketches", "read")
_is_drawing = door("dnd.dungeon.sketches", "is_drawing")

_GAME = "dungeon"
_SHOWN_CELLS = 12


class DrawnInputs(Inputs):
    """The dungeons of all files of a command line: drawings without clues, or puzzles in any format."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        super().__init__(arguments, Progress("dungeons"))

    def _entries(self) -> Iterator[Entry]:
        if not self.arguments.files and on_terminal(sys.stdin):
            yield from super()._entries()  # which asks for a file
        for name in self.arguments.files or ["-"]:
            try:
                yield from map(of_dungeon, self._drawn(name))
            except InputError as error:
                self.failed = True
                complain(str(error))

    def refuse(self, entry: Entry, error: InputError) -> None:
        """Report a dungeon that cannot be what it must be, and go on."""
        self.failed = True
        complain(f"{title(entry)}: {error}")

    def _drawn(self, name: str) -> Iterator[Entry]:
        file = "<stdin>" if name == "-" else name
        data = whole(stdin(), file) if name == "-" else _bytes_of(name)
        if data is None:
            yield from read(name, self.arguments)
            return
        text = _text(data) if self.arguments.format is None and self.arguments.game in (None, _GAME) else None
        if text is not None and _is_drawing(text):
            yield from _read_drawings(text, file)
            return
        yield from opened(data, self.arguments, file)


def _bytes_of(name: str) -> bytes | None:
    """What a file holds; None if it cannot be read (then the reader of puzzles says why), or is a puzzle itself."""
    try:
        stream = open(name, "rb")  # noqa: SIM115
    except (OSError, ValueError):
        return None
    with stream:
        return whole(stream, name)


def _text(data: bytes) -> str | None:
    try:
        return plain(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def of_dungeon(entry: Entry) -> Entry:
    """The entry; `InputError` not-offered unless it is a dungeon."""
    if entry.game != _GAME:
        raise fault("not-offered", f"this command is for dungeons, not for the game {entry.game}", entry.span)
    return entry


def some_cells(cells: tuple[Cell, ...]) -> str:
    """Names of cells, of many only the first and the number."""
    if len(cells) <= _SHOWN_CELLS:
        return cell_list(cells)
    return f"{len(cells)} cells, the first of them {cell_list(cells[:_SHOWN_CELLS])}"
