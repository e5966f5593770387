"""What the verbs share: reading the inputs, printing, colour, progress."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

from dnd.diagnostic import Diagnostic, InputError, Span, fault
from dnd.game import Entry, Game, game, game_names
from dnd.reading import entries, output_formats
from dnd.text import decode

Parsers = Any  # argparse's sub-parsers action, a generic class that cannot be subscripted before 3.13

_BARE_ROW = re.compile(r"[#.?0-9A-Za-z]+")
_LARGEST_BOARD = 1 << 16  # characters; far more than 32 rows of 32 letters


def command(subparsers: Parsers, name: str, help_: str, run: Any, *, files: bool = True) -> argparse.ArgumentParser:
    """A verb's parser with what all verbs have."""
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=help_, description=help_)
    parser.set_defaults(run=run)
    if files:
        parser.add_argument("files", nargs="*", metavar="FILE", help="puzzles in any format; - or nothing reads stdin")
        parser.add_argument("--game", help="the game, where the content leaves a doubt")
        parser.add_argument("--format", help="the input's format, where the content leaves a doubt")
    return parser


def positive(text: str) -> int:
    """An argument that must be a whole number from 1."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 1 <= value < 1 << 63:  # kernels count in 64 bits
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number from 1 on, or too large")
    return value


def duration(text: str) -> float:
    """An argument that is a number of seconds above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value


def size(text: str) -> int:
    """An argument that is a number of bytes: 4GiB, 500M, 1000000."""
    found = re.fullmatch(r"(\d{1,15}) ?([kmgt]?)(i?b)?", text.lower())
    if not found or not int(found[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is no size, such as 4GiB or 500M")
    return int(found[1]) << 10 * " kmgt".index(found[2] or " ")


def cell(text: str) -> tuple[int, int]:
    """An argument that is a cell: row and column counted from 0 as in files (`3,4`), or as people read it (`r4c5`)."""
    if found := re.fullmatch(r"(\d{1,4}),(\d{1,4})", text):
        return int(found[1]), int(found[2])
    if found := re.fullmatch(r"r([1-9]\d{0,3})c([1-9]\d{0,3})", text):
        return int(found[1]) - 1, int(found[2]) - 1
    raise argparse.ArgumentTypeError(f"{text!r} is no cell, such as 3,4 or r4c5")


class Inputs:
    """The entries of all files of a command line, as they are read.

    A file that cannot be read is reported at once and the next one goes on; `failed` remembers. `progress` counts the
    entries that the caller has done with, unless the caller counts himself.
    """

    def __init__(self, arguments: argparse.Namespace, progress: Progress | None = None) -> None:
        self.arguments = arguments
        self.failed = False
        self.progress = progress

    def __iter__(self) -> Iterator[Entry]:
        for entry in self._entries():
            yield entry
            if self.progress:
                self.progress.step()
        if self.progress:
            self.progress.close()

    def _entries(self) -> Iterator[Entry]:
        for name in self.arguments.files or _piped():
            try:
                yield from read(name, self.arguments)
            except InputError as error:
                self.failed = True
                complain(str(error))

    def exit_code(self, *, good: bool) -> int:
        """2 if anything could not be read, else 0 for good and 1 for not."""
        return 2 if self.failed else 0 if good else 1


def _piped() -> list[str]:
    """Without a FILE stdin is read, unless somebody sits there who has forgotten to name one."""
    if sys.stdin.isatty():
        raise fault("no-file", "name a file, or - to type a puzzle")
    return ["-"]


def offered(entry: Entry, what: str) -> Any:
    """A door of the entry's game that not every game has."""
    opened = getattr(game(entry.game), what)
    if opened is None:
        raise fault("not-offered", f"the game {entry.game} has no {what} yet", entry.span)
    return opened


def given_options(arguments: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Those options of some games' solvers that were given, as their keywords."""
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def check_options(entry: Entry, arguments: argparse.Namespace, names: Sequence[str]) -> None:
    """Refuse options that the entry's game has no use for, before it is solved."""
    for name in given_options(arguments, names):
        if name not in game(entry.game).options:
            raise fault("not-offered", f"the game {entry.game} has no option --{name}", entry.span)


def check_format(name: str) -> None:
    """Refuse a format that no game writes. (Asked only now: the games' rooms need not be opened to parse arguments.)"""
    known = output_formats()
    if name not in known:
        raise fault("unknown-format", f"there is no format {name!r} to write", hint=f"formats: {', '.join(known)}")


def owner_of(name: str) -> Game:
    """The game of that name."""
    if name not in game_names():
        raise fault("unknown-game", f"there is no game {name!r}", hint=f"games: {', '.join(game_names())}")
    return game(name)


def read(name: str, arguments: argparse.Namespace) -> Iterator[Entry]:
    """The entries of one file, or of stdin for "-"."""
    source = sys.stdin.buffer if name == "-" else name
    try:
        return entries(source, game=arguments.game, format=arguments.format)
    except InputError:
        raise
    except ValueError as error:  # an unknown game or format
        raise fault("bad-option", str(error)) from None


def read_board(name: str, arguments: argparse.Namespace) -> Any:
    """The one board of a file: of a puzzle file in any format, bare rows of letters, or what else its game reads."""
    bare = _bare_board(name)
    if bare is not None:
        return bare
    try:
        found = list(entries(name, game=arguments.game))
    except InputError as error:
        if error.diagnostic.code != "unknown-format":
            raise
        return _text_of(name)  # a game may know boards that are no puzzles, such as lists of jumps
    if len(found) != 1:
        raise fault("board-number", f"{len(found)} boards where one is meant", Span(name))
    return board_of(found[0])


def _text_of(name: str) -> str:
    """The text of a small file."""
    with open(name, "rb") as file:
        data = file.read(_LARGEST_BOARD + 1)
    if len(data) > _LARGEST_BOARD:
        raise fault("too-large", f"a board of more than {_LARGEST_BOARD} bytes", Span(name))
    return decode(data, name)


def _bare_board(name: str) -> str | None:
    """The text of a file that holds nothing but rows of a board's letters; None for another file."""
    try:
        with open(name, encoding="ascii") as file:
            text = file.read(_LARGEST_BOARD)
    except (OSError, UnicodeDecodeError):  # the reader of puzzle files will say what is wrong
        return None
    rows = [line.strip() for line in text.splitlines() if line.strip()]
    is_bare = len({len(row) for row in rows}) == 1 and all(map(_BARE_ROW.fullmatch, rows))
    return text if is_bare else None


def board_of(entry: Entry) -> Any:
    """What a file has drawn: the board, else the expected solution."""
    if entry.board is not None:
        return entry.board
    solution = entry.expect.get("solution")
    if solution is None and game(entry.game).outlook:
        return game(entry.game).as_board(entry.puzzle, "")  # nothing was done yet, and that can be judged
    if solution is None:
        raise InputError(Diagnostic("no-board", f"{title(entry)} has no drawn board to check", span=entry.span))
    return game(entry.game).as_board(entry.puzzle, solution if isinstance(solution, str) else solution[0])


def title(entry: Entry) -> str:
    """What to call an entry: its name, else its one-line notation."""
    return entry.name or game(entry.game).one_line(entry.puzzle)


def chain_lines(step: Any, indent: str) -> list[str]:
    """The steps within a step, one a line: what follows from an assumption, or leads to a wrong cell."""
    return [f"{indent}- {link.sentence}" for link in getattr(step, "chain", ())]


def say_json(value: dict[str, Any]) -> None:
    """One object a line, at once."""
    print(json.dumps(value, ensure_ascii=False), flush=True)


def complain(text: str) -> None:
    """Talk goes to stderr."""
    print(f"dnd: {text}", file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Print data; on a terminal, and where rich is installed, walls, monsters and treasures get colours."""
    if _coloured():
        from rich.console import Console
        from rich.text import Text

        shown = Text(text)
        for pattern, style in (("#", "blue"), ("M", "bold red"), ("T", "bold yellow")):
            # Only in lines of a picture: a clue, then nothing but letters of a board.
            shown.highlight_regex(rf"(?m)(?<=[\d? #.MT]){pattern}(?=[#.MT? ]*$)", style)
        Console(soft_wrap=True, highlight=False).print(shown)
    else:
        print(text, flush=True)


def _coloured() -> bool:
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        import rich  # noqa: F401
    except ImportError:
        return False
    return True


class Progress:
    """A count and a rate on stderr, on a terminal only, at most ten times a second."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.count = 0
        self.start = self.shown = time.monotonic()
        # Where results go to the same terminal they are the progress.
        self.on = sys.stderr.isatty() and not sys.stdout.isatty()

    def step(self) -> None:
        """One more is done."""
        self.count += 1
        now = time.monotonic() if self.on else 0.0
        if self.on and now - self.shown > 0.1:
            self.shown = now
            rate = self.count / (now - self.start)
            print(f"\r{self.count} {self.what}, {rate:.0f}/s ", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the line."""
        if self.on and self.shown != self.start:
            print(file=sys.stderr)
