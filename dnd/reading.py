"""From a path, stream or text to puzzles, and back; detects the game and the format of a text.

Nothing here knows a game's formats: each game is asked in turn (`Notation.detect`). Fixtures are TOML for all
games, so this module reads them itself and hands their tables to the game that they name. Formats of one
puzzle a line (`Notation.LINE_FORMATS`) are read block by block, so their input may be endless.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import IO, Any, cast

from dnd.diagnostic import InputError, Span, input_error
from dnd.game import DEFAULT, AnyGame, Entry, game_names, game_of, games
from dnd.game import game as named_game
from dnd.texts import toml
from dnd.texts.lines import decode

Source = str | os.PathLike[str] | bytes | IO[bytes]
Reader = Callable[[bytes], Iterator[Entry]]

_BLOCK = 1 << 16
_LONGEST_LINE = 1 << 20
_LARGEST = 1 << 28  # bytes, of formats that are read as a whole
# A line that is neither blank nor a comment, with its end: no format of one puzzle a line shows before.
_WHOLE_LINE = re.compile(rb"^[ \t]*[^#\s].*\n", re.MULTILINE)
# What a line has that is meant as a puzzle, and how a file's name ends.
_PUZZLE_SIGN = re.compile(r"[:!{\[=]|[0-9]+x[0-9]+/")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$")
_HINT = "`dnd formats` lists the formats"
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


def entries(source: Source, *, file: str = "", game: str | None = None, format: str | None = None) -> Iterator[Entry]:
    """The puzzles of a file, a text, bytes or a binary stream, one by one as they are read; gzip is unpacked.

    A str is the path of an existing file, else a text. file: the name of the input in errors.
    game, format: given instead of detected. Raises `InputError` for what cannot be read, ValueError at once for an
    unknown game or format.
    """
    owners = _owners(game, format)

    def found(stream: IO[bytes], file: str) -> Iterator[Entry]:
        return _some(_found(_Input(stream, file), owners, game, format), file)

    if isinstance(source, str) and not os.path.exists(source):
        data = _encode(source)
        if _names_missing_file(source, data, file, owners):
            raise input_error("unreadable-file", "there is no such file", Span(file or _short(source)))
        if "\n" not in source and format is None and not _is_known(data, file, game):
            message = "there is no such file, and the text is not a puzzle in a known format"
            raise input_error("unreadable-file", message, Span(file or _short(source)), _HINT)
        return found(io.BytesIO(data), file)
    if isinstance(source, bytes):
        return found(io.BytesIO(source), file)
    if isinstance(source, str | os.PathLike):
        stream = _open(source)
        return _closing(stream, found(stream, file or os.fspath(source)))
    return found(source, file or str(getattr(source, "name", "")))


def load(source: Source) -> list[Any]:  # puzzles of the games that the content is of
    """The puzzles of a file, text, bytes or stream (see `entries`); each carries its name."""
    return [entry.puzzle for entry in entries(source)]


def loads(text: str | bytes) -> list[Any]:  # as `load`
    """The puzzles of a text, which is never treated as a path."""
    return [entry.puzzle for entry in entries(text if isinstance(text, bytes) else _encode(text))]


def dumps(puzzle: Any, format: str | None = None, board: object = None) -> str:
    """A puzzle, with a partial or complete board if given, as a text without a final line end.

    puzzle: also a solution, which is a puzzle and its board, or an iterable of puzzles and solutions, which are written
    one below the other. format: the game's one-line notation where it is not given (`ddn` for dungeons).

    Raises `InputError` not-writable where the format cannot hold the puzzle, ValueError for an unknown format.
    """
    if isinstance(puzzle, Iterable):
        if board is not None:
            raise ValueError("a board goes with a single puzzle")
        return "\n".join([dumps(one, format) for one in puzzle])
    inner = getattr(puzzle, "puzzle", None)
    if inner is not None:
        puzzle, board = inner, puzzle.board if board is None else board
    owner = game_of(puzzle)
    format = format or owner.notation.LINE_FORMATS[0]
    _check_format(format, owner.notation.FORMATS_OUT)
    return owner.notation.write(puzzle, board, puzzle.name, format)


def dumps_entry(entry: Entry, format: str | None = None) -> str:
    """An entry's puzzle, name and board as `dumps` writes them; on one line its free fields too."""
    owner = named_game(entry.game)
    format = format or owner.notation.LINE_FORMATS[0]
    _check_format(format, owner.notation.FORMATS_OUT)
    text = owner.notation.write(entry.puzzle, entry.board, entry.name, format)
    fields = (
        [f"{key}={value}" for key, value in entry.fields.items()] if format == owner.notation.LINE_FORMATS[0] else []
    )
    return " ".join([text, *fields])


def output_formats() -> tuple[str, ...]:
    """The names of all formats that some game writes."""
    return tuple(dict.fromkeys(format for owner in games() for format in owner.notation.FORMATS_OUT))


def whole(stream: IO[bytes] | io.BufferedIOBase, file: str) -> bytes:
    """All of a stream. Raises `InputError`: it cannot be read, or is too large."""
    try:
        data = stream.read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(error, file) from None
    if len(data) > _LARGEST:
        raise input_error("too-large", f"the input has more than {_LARGEST >> 20} MiB", Span(file))
    return data


def _closing(stream: IO[bytes], found: Iterator[Entry]) -> Iterator[Entry]:
    with stream:
        yield from found


def _some(found: Iterator[Entry], file: str) -> Iterator[Entry]:
    """The entries, of which there must be one at least."""
    first = next(found, None)
    if first is None:
        raise input_error("no-puzzle", "the input contains no puzzle", Span(file))
    yield first
    yield from found


def _found(data: _Input, owners: list[AnyGame], game: str | None, format: str | None) -> Iterator[Entry]:
    head = data.head()
    if _is_empty(head):
        raise input_error("empty-input", "the input is empty", Span(data.file))
    if format == "toml" or (format is None and _is_toml(head, data.file)):
        yield from _tables(data.rest(), data.file, game)
        return
    detected = _detected(head, owners, game, format)
    if detected and detected[1] in detected[0].notation.LINE_FORMATS:
        yield from _by_blocks(data, *detected)
        return
    whole = data.rest()
    detected = _detected(whole, owners, game, format) or _named(data.file, owners)
    if detected is None:
        raise _unknown(whole, data.file, owners)
    yield from detected[0].notation.read(whole, detected[1], data.file)


def _named(file: str, owners: list[AnyGame]) -> tuple[AnyGame, str] | None:
    """The game and the format by the file's suffix; the reader will say what is wrong with the content."""
    found = (
        (owner, format)
        for owner in owners or games()
        for suffix, format in owner.notation.SUFFIXES.items()
        if file.endswith(suffix)
    )
    return next(found, None)


def _unknown(data: bytes, file: str, owners: list[AnyGame]) -> InputError:
    """The error for an unknown format, with a guess if there is one."""
    guesses = (owner.notation.guess(data) for owner in owners or games())
    guess = next(filter(None, guesses), None)
    try:
        decode(data, file)
    except InputError as error:
        return InputError(replace(error.diagnostic, hint=guess)) if guess else error
    message = "the input is in none of the known formats"
    return input_error("unknown-format", message, Span(file), guess or _HINT)


def _is_empty(data: bytes) -> bool:
    return not data.removeprefix(_BOM).strip()


def _by_blocks(data: _Input, owner: AnyGame, format: str) -> Iterator[Entry]:
    """Read whole lines as they come; places in a block become places in the input."""
    for before, block in data.blocks():
        try:
            for entry in owner.notation.read(block, format, data.file):
                yield replace(entry, span=_moved(entry.span, before))
        except InputError as error:
            span = _moved(error.diagnostic.span or Span(data.file), before)
            raise InputError(replace(error.diagnostic, span=span)) from None


def _moved(span: Span, lines: int) -> Span:
    return replace(span, line=span.line + lines) if lines else span


def _tables(data: bytes, file: str, game: str | None) -> Iterator[Entry]:
    for table in toml.read(decode(data, file), file):
        name = table.optional("game", str, "a game's name in quotes", game or DEFAULT)
        try:
            owner = named_game(name)
        except KeyError:
            hint = f"games: {', '.join(game_names())}"
            raise input_error("unknown-game", "there is no game of that name", table.span("game"), hint) from None
        yield owner.notation.read_table(table)


class _Input:
    """A binary stream that is read no further than needed. Raises `InputError` unreadable-file."""

    def __init__(self, stream: IO[bytes], file: str) -> None:
        # A stream without `peek` is read whole: if it were wrapped, it would be closed together with the wrapper.
        self.stream: io.BufferedReader | gzip.GzipFile = (
            cast(io.BufferedReader, stream) if hasattr(stream, "peek") else io.BufferedReader(io.BytesIO(stream.read()))
        )
        self.file = file
        self.read = b""

    def head(self) -> bytes:
        """The beginning, with a whole line that is not a comment if there is one; it stays in `read`."""
        if self._checked(lambda: self.stream.peek(2))[:2] == _GZIP:
            self.stream = gzip.GzipFile(fileobj=self.stream)
        while not _WHOLE_LINE.search(self.read) and len(self.read) < _BLOCK and self._more():
            pass
        return self.read

    def rest(self) -> bytes:
        """All of the input."""
        self.read += whole(self.stream, self.file)
        return self.read

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Whole lines, some at a time, and the number of lines before them."""
        before = 0
        while self.read:
            end = self.read.rfind(b"\n") + 1
            if end:
                block, self.read = self.read[:end], self.read[end:]
                yield before, block
                before += block.count(b"\n")
            if len(self.read) > _LONGEST_LINE:
                text = self.read[:_LONGEST_LINE].decode("utf-8", "replace")
                span = Span(self.file, before + 1, len(text) + 1, text)
                raise input_error("line-too-long", f"the line has more than {_LONGEST_LINE} bytes", span)
            if not self._more() and self.read:
                yield before, self.read
                self.read = b""

    def _more(self) -> bool:
        """Read what is available, at most a block; False at the end."""
        block = self._checked(lambda: self.stream.read1(_BLOCK))
        self.read += block
        return bool(block)

    def _checked(self, read: Callable[[], bytes]) -> bytes:
        try:
            return read()
        except (OSError, EOFError, zlib.error) as error:
            raise _unreadable(error, self.file) from None


def _open(path: str | os.PathLike[str]) -> IO[bytes]:
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        raise _unreadable(error, os.fspath(path)) from None


def _unreadable(error: Exception, file: str) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return input_error("unreadable-file", f"the file cannot be read: {reason}", Span(file))


def _is_toml(data: bytes, file: str) -> bool:
    return file.endswith(".toml") or toml.looks_like(data[:_BLOCK].decode("utf-8", "replace"))


def _is_known(data: bytes, file: str, game: str | None) -> bool:
    return _is_toml(data, file) or _detected(data, _owners(game, None), game, None) is not None


def _names_missing_file(source: str, data: bytes, file: str, owners: list[AnyGame]) -> bool:
    """Whether a text that is not the path of a file must have been meant as one."""
    if "\n" in source or _is_toml(data, file) or any(owner.notation.detect(data) for owner in owners or games()):
        return False
    return bool(_SUFFIX.search(source)) or not _PUZZLE_SIGN.search(source)


def _owners(game: str | None, format: str | None) -> list[AnyGame]:
    """The games that are possible by the arguments, [] for all; checks the arguments."""
    if game is not None and game not in game_names():
        raise ValueError(f"there is no game {game!r}; the games are {', '.join(game_names())}")
    if game is None and format is None:
        return []
    owners = [named_game(game)] if game else list(games())
    if format is not None:
        _check_format(format, ["toml", *(name for owner in owners for name in owner.notation.FORMATS_IN)])
    return owners


def _detected(data: bytes, owners: list[AnyGame], game: str | None, format: str | None) -> tuple[AnyGame, str] | None:
    """The game and the format of the bytes, where they are not given."""
    asked = [owner for owner in owners or games() if format is None or format in owner.notation.FORMATS_IN]
    if format is not None and len(asked) == 1:
        return asked[0], format
    for owner in asked:
        if found := owner.notation.detect(data):
            return owner, format or found
    # Several games have the format and none recognises the content: the last one's reader says what is wrong. So does
    # the reader of drawings where the game is given and the content shows no format.
    format = format or ("text" if game is not None and "text" in asked[0].notation.FORMATS_IN else None)
    return (asked[-1], format) if format is not None and asked else None


def _check_format(format: str, known: Collection[str]) -> None:
    if format not in known:
        raise ValueError(f"there is no format {format!r}; the formats are {', '.join(dict.fromkeys(known))}")


def _encode(text: str) -> bytes:
    # Half a surrogate pair is not UTF-8; the decoder then reports its place.
    return text.encode("utf-8", "surrogatepass")


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:100] + "..."
