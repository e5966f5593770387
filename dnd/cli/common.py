"""What the verbs share: arguments, reading the inputs, titles."""

from __future__ import annotations

import argparse
import os
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import IO, NamedTuple, TypeAlias, TypeVar

from dnd.cli.output import Progress, complain, on_terminal
from dnd.diagnostic import Diagnostic, InputError, Span, input_error
from dnd.game import OPTIONS, AnyGame, Board, Entry, Puzzle, Step, game, game_names
from dnd.reading import Source, entries, output_formats
from dnd.texts.lines import decode

Room = TypeVar("Room")
Run = Callable[[argparse.Namespace], int]
# Generic only for type checkers.
Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_BARE_ROW = re.compile(rb"[#.?0-9A-Za-z]+")
_LARGEST_BOARD = 1 << 20  # bytes; far more than any board takes
_LONG_NAME = 80  # letters
_LONGEST = 1e9  # seconds, as long as clocks and timers can wait


def command(subparsers: Parsers, name: str, help_: str, run: Run, *, files: bool = True) -> argparse.ArgumentParser:
    """A verb's parser with what all verbs have."""
    parser: argparse.ArgumentParser = subparsers.add_parser(name, help=help_, description=help_)
    parser.set_defaults(run=run)
    if files:
        parser.add_argument("files", nargs="*", metavar="FILE", help="puzzles in any format; - or no FILE reads stdin")
        parser.add_argument("--game", help="the game, if the content does not show it")
        parser.add_argument("--format", help="the input's format, if the content does not show it (see `dnd formats`)")
    return parser


def slow_game_options(parser: argparse.ArgumentParser, *, seconds: str) -> argparse._ArgumentGroup:
    """The options of verbs that ask whether a puzzle can be won; seconds: their default, in words."""
    group = parser.add_argument_group("peg solitaire only")
    group.add_argument(
        "--final",
        type=cell,
        metavar="R,C",
        help="where the last peg must end: row and column from 0, or a name such as r1c1",
    )
    group.add_argument(
        "--seconds", type=duration, metavar="S", help=f"give up on a puzzle after S seconds (default: {seconds})"
    )
    return group


# Python's int and float accept more than is meant: blanks, underscores, signs, digits of all scripts.


def positive(text: str) -> int:
    """An argument that must be a whole number from 1."""
    value = int(text) if re.fullmatch(r"[0-9]{1,19}", text) else 0
    if not 1 <= value < 1 << 63:  # kernels count in 64 bits
        raise argparse.ArgumentTypeError(f"{_short(text)} is not a whole number from 1 on, or is too large")
    return value


def duration(text: str) -> float:
    """An argument that is a number of seconds above 0, at most a thousand million."""
    value = float(text) if re.fullmatch(r"[0-9]+\.?[0-9]*|\.[0-9]+", text) else 0.0
    if not 0 < value <= _LONGEST:
        raise argparse.ArgumentTypeError(f"{_short(text)} is not a number of seconds above 0, or is too large")
    return value


def size(text: str) -> int:
    """An argument that is a number of bytes: 4GiB, 500M, 1000000."""
    found = re.fullmatch(r"([0-9]{1,15})(?: ?([kmgt])i?b?| ?b)?", text.lower())
    value = int(found[1]) << 10 * " kmgt".index(found[2] or " ") if found else 0
    if not 1 <= value < 1 << 63:
        raise argparse.ArgumentTypeError(f"{_short(text)} is not a size such as 4GiB or 500M, or is too large")
    return value


def cell(text: str) -> tuple[int, int]:
    """An argument that is a cell: row and column counted from 0 as in files (`3,4`), or as people read it (`r4c5`)."""
    if found := re.fullmatch(r"([0-9]{1,4}),([0-9]{1,4})", text):
        return int(found[1]), int(found[2])
    if found := re.fullmatch(r"r([1-9][0-9]{0,3})c([1-9][0-9]{0,3})", text):
        return int(found[1]) - 1, int(found[2]) - 1
    raise argparse.ArgumentTypeError(f"{_short(text)} is not a cell, such as 3,4 or r4c5")


def _short(text: str) -> str:
    return repr(text[:40])


class Inputs:
    """The entries of all files of a command line, as they are read.

    A file that cannot be read is reported at once and the next one goes on; `failed` remembers. `progress` counts the
    entries that the caller has finished with, unless the caller counts them.
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
    """Without a FILE stdin is read; at a terminal that is more likely a forgotten FILE, and an error."""
    if on_terminal(sys.stdin):
        raise input_error("no-file", "name a file, or - to type a puzzle")
    return ["-"]


def stdin() -> IO[bytes]:
    """What is piped in. Raises `InputError`."""
    if sys.stdin is None:
        raise input_error("unreadable-file", "stdin is closed", Span("<stdin>"))
    return sys.stdin.buffer


def offered(entry: Entry, room: Room | None, what: str) -> Room:
    """A part of the entry's game that not every game has."""
    if room is None:
        raise not_offered(entry, what)
    return room


def place_of(entry: Entry) -> Span:
    """Where a puzzle stands, with nothing underlined: for errors in options rather than in the line."""
    return replace(entry.span, text="")


def placed(entry: Entry, error: InputError) -> InputError:
    """An error of a puzzle's game, with the puzzle's place."""
    return InputError(replace(error.diagnostic, span=place_of(entry)))


def not_offered(entry: Entry, what: str) -> InputError:
    """The error for something that the entry's game does not offer.

    It gives the place, since one command can read puzzles of several games.
    """
    return placed(entry, game(entry.game).lacks(what))


def with_options(entry: Entry, arguments: argparse.Namespace) -> tuple[Entry, dict[str, object]]:
    """The entry as the options want it (--final), and those that go on to its game's functions (--seconds, --memory).

    Raises `InputError` for an option that the game does not have.
    """
    owner = game(entry.game)
    given = {name: value for name in OPTIONS if (value := getattr(arguments, name, None)) not in (None, False)}
    for name in given:
        if name not in owner.options:
            raise not_offered(entry, f"option --{name}")
    if "final" in given:
        entry = replace(entry, puzzle=owner.ending_at(entry.puzzle, given["final"]))
    return entry, budget_of(arguments)


def budget_of(arguments: argparse.Namespace) -> dict[str, object]:
    """The bounds on the work of slow games that were given: --seconds, --memory."""
    names = ("seconds", "memory")
    return {name: value for name in names if (value := getattr(arguments, name, None)) is not None}


def check_format(name: str | None, owner: AnyGame | None = None, span: Span | None = None) -> None:
    """Refuse a format that a game does not write, or that none does; None, where none was asked for, is right.

    (Checked only now, so that parsing the arguments imports no game.)
    """
    known = owner.notation.FORMATS_OUT if owner else output_formats()
    if name is not None and name not in known:
        message = f"the game {owner.name} has" if owner else "there is"
        message += f" no output format {name[:40]!r}"
        raise input_error("unknown-format", message, span, f"formats: {', '.join(known)}")


def owner_of(name: str) -> AnyGame:
    """The game of that name."""
    if name not in game_names():
        raise input_error("unknown-game", f"there is no game {name!r}", hint=f"games: {', '.join(game_names())}")
    return game(name)


def opened(source: Source, arguments: argparse.Namespace, file: str = "") -> Iterator[Entry]:
    """The entries of a source of `dnd.reading.entries`, by the options --game and --format."""
    try:
        return entries(source, file=file, game=arguments.game, format=arguments.format)
    except InputError:
        raise
    except ValueError as error:  # an unknown game or format
        raise input_error("bad-option", str(error)) from None


def read(name: str, arguments: argparse.Namespace) -> Iterator[Entry]:
    """The entries of one file, or of stdin for "-"."""
    return opened(stdin() if name == "-" else name, arguments)


class GivenBoard(NamedTuple):
    """The board of a file: a game's, or, where that is "", a text that the puzzle's game has to read."""

    file: str
    board: object
    game: str = ""
    title: str = ""  # which of the file's it is

    def on(self, puzzle: Puzzle) -> Board:
        """The board for a puzzle. Raises `InputError` with the file's name if it does not fit."""
        if self.game not in ("", puzzle.game):
            message = f"the board is one of {self.game}, the puzzle one of {puzzle.game}"
            raise input_error("other-game", message, Span(self.file))
        try:
            board: Board = game(puzzle.game).rules.as_board(puzzle, self.board)
        except InputError as error:
            raise InputError(error.diagnostic.located(self.file)) from None
        return board


def read_board(name: str, arguments: argparse.Namespace) -> GivenBoard:
    """The one board of a file."""
    boards = read_boards(name, arguments)
    if len(boards) != 1:
        raise input_error("board-number", f"expected one board, found {len(boards)}", Span(name))
    return boards[0]


def read_boards(name: str, arguments: argparse.Namespace) -> list[GivenBoard]:
    """The boards of a file: of a puzzle file in any format, bare rows of letters, or what else its game reads."""
    data = _small_file(name)
    if data is not None and _is_bare(data):
        return [GivenBoard(name, data.decode())]
    try:
        source, file = (name, "") if data is None else (data, name)
        found = list(opened(source, argparse.Namespace(game=arguments.game, format=None), file))
    except InputError as error:
        if data is None or error.diagnostic.code != "unknown-format":
            raise
        # A game may know boards that are not puzzles, such as lists of jumps.
        return [GivenBoard(name, decode(data, name))]
    return [GivenBoard(name, board_of(one), one.game, f"{name}:{one.span.line} {one.name}".rstrip()) for one in found]


def _small_file(name: str) -> bytes | None:
    """What a file holds, read once: it may be a pipe. None if it cannot be read: the reader of puzzles says why."""
    try:
        with open(name, "rb") as file:
            data = file.read(_LARGEST_BOARD + 1)
    except (OSError, ValueError):
        return None
    if len(data) > _LARGEST_BOARD:
        raise input_error("too-large", f"the board has more than {_LARGEST_BOARD} bytes", Span(name))
    return data.removeprefix(BOM_UTF8)


def _is_bare(data: bytes) -> bool:
    """Whether a file holds nothing but rows of a board's letters."""
    rows = [line.strip() for line in data.splitlines() if line.strip()]
    return len({len(row) for row in rows}) == 1 and all(map(_BARE_ROW.fullmatch, rows))


def board_of(entry: Entry) -> Board:
    """What a file has drawn: the board, else the expected solution."""
    drawn: Board | None = entry.board
    if drawn is not None:
        return drawn
    solution = entry.expect.get("solution")
    if solution is None:
        untouched: Board | None = game(entry.game).untouched(entry.puzzle)
        if untouched is not None:
            return untouched
        raise InputError(Diagnostic("no-board", f"{title(entry)} has no drawn board to check", span=entry.span))
    first = solution if isinstance(solution, str) else solution[0]
    solved: Board = game(entry.game).rules.as_board(entry.puzzle, first)
    return solved


def title(entry: Entry) -> str:
    """What to call an entry: its name, else its one-line notation, or where that is long its file and line."""
    name = entry.name or game(entry.game).one_line(entry.puzzle)
    if entry.name or len(name) <= _LONG_NAME or not entry.span.file:
        return name
    return os.path.basename(entry.span.file) + (f":{entry.span.line}" if entry.span.line > 1 else "")


def chain_lines(step: Step, indent: str) -> list[str]:
    """The steps within a step, one a line: what follows from an assumption, or leads to a wrong cell."""
    return [f"{indent}- {link.sentence}" for link in step.chain]
