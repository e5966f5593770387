"""What the setters' verbs share: inputs that may be bare drawings, and wording."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from dnd.cli.common import Inputs, offered, opened, read, stdin, title
from dnd.cli.output import Progress, complain, on_terminal
from dnd.diagnostic import Cell, InputError, cell_list
from dnd.game import Entry, Setters, game, games
from dnd.reading import whole
from dnd.texts.lines import plain

_SHOWN_CELLS = 12


class DrawnInputs(Inputs):
    """The puzzles of all files of a command line: drawings without clues, or puzzles in any format."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        super().__init__(arguments, Progress("dungeons"))

    def _entries(self) -> Iterator[Entry]:
        if not self.arguments.files and on_terminal(sys.stdin):
            yield from super()._entries()  # which asks for a FILE
        for name in self.arguments.files or ["-"]:
            try:
                for entry in self._drawn(name):
                    setters_of(entry)
                    yield entry
            except InputError as error:
                self.failed = True
                complain(str(error))

    def refuse(self, entry: Entry, error: InputError) -> None:
        """Report a dungeon that cannot be used, and go on."""
        self.failed = True
        complain(f"{title(entry)}: {error}")

    def _drawn(self, name: str) -> Iterator[Entry]:
        file = "<stdin>" if name == "-" else name
        data = whole(stdin(), file) if name == "-" else _bytes_of(name)
        if data is None:
            yield from read(name, self.arguments)
            return
        yield from self._sketches(data, file) or opened(data, self.arguments, file)

    def _sketches(self, data: bytes, file: str) -> Iterator[Entry] | None:
        """The drawings of a text that is nothing else, by the first game that takes it for its own."""
        text = _text(data) if self.arguments.format is None else None
        if text is None:
            return None
        for owner in games():
            setters = owner.setters if self.arguments.game in (None, owner.name) else None
            if setters and setters.is_sketch(text):
                return setters.read_sketches(text, file)
        return None


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


def setters_of(entry: Entry) -> Setters:
    """The setters' tools of the entry's game; `InputError` not-offered if it has none."""
    return offered(entry, game(entry.game).setters, "tools for setters")


def some_cells(cells: tuple[Cell, ...]) -> str:
    """Names of cells, of many only the first and the number."""
    if len(cells) <= _SHOWN_CELLS:
        return cell_list(cells)
    return f"{len(cells)} cells, the first of them {cell_list(cells[:_SHOWN_CELLS])}"
