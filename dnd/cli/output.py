"""What the verbs print: data to stdout, messages to stderr, colour, progress."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import IO, NoReturn

from dnd.game import AnyGame


def on_terminal(stream: IO[str] | None) -> bool:
    """Whether a standard stream is a terminal; it is None where a shell has closed it."""
    return stream is not None and stream.isatty()


class OutputError(Exception):
    """The output cannot be written: the disk is full, stdout is closed, or its encoding lacks a letter."""


class _Lines:
    """While a line is written, Ctrl-C waits for its end, so that no reader gets half a line; a second one does not."""

    def __init__(self) -> None:
        self.writing = self.pressed = self.cut = False

    def write(self, stream: IO[str], text: str) -> None:
        """Write and flush in one call. (`print` writes the line end separately when stdout is unbuffered.)"""
        self.pressed, self.writing = False, True  # in this order: no press is forgotten
        try:
            stream.write(text)
            stream.flush()
        finally:
            self.writing = False
        if self.pressed:
            _end()

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """What Ctrl-C does."""
        self.cut = self.writing and self.pressed
        if not self.writing or self.pressed:
            _end()
        self.pressed = True


def _end() -> NoReturn:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one would cut off the message about the first
    raise KeyboardInterrupt


_lines = _Lines()


def keep_lines_whole() -> None:
    """From now on Ctrl-C lets lines be written to their end; unless it is ignored, as in the background of a shell."""
    old = sys.stdout
    # Without a buffer (PYTHONUNBUFFERED) Python loses the rest of a write that a signal interrupts.
    if old is not None and isinstance(old.buffer, io.RawIOBase):
        sys.stdout = open(old.fileno(), "w", encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _lines.interrupt)


def lines_are_whole() -> bool:
    """Whether the last line that was printed has not been cut off."""
    return not _lines.cut


def put(text: str, end: str = "\n") -> None:
    """Data goes to stdout, at once. Raises `OutputError`, and BrokenPipeError where the reader has enough."""
    stream: IO[str] | None = sys.stdout
    if stream is None:
        raise OutputError("stdout is closed")
    try:
        _lines.write(stream, text + end)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"stdout cannot be written: {error.strerror}") from None
    except UnicodeEncodeError as error:
        letter = text[error.start]
        raise OutputError(f"stdout cannot be written: its encoding, {error.encoding}, has no {letter!a}") from None


def put_puzzle(text: str, owner: AnyGame, format: str) -> None:
    """A puzzle written in a format of its game; bytes end where they end."""
    put(text, "" if format in owner.notation.BYTE_FORMATS else "\n")


def say_json(value: dict[str, object]) -> None:
    """One object per line, at once."""
    put(json.dumps(value, ensure_ascii=False))


def complain(text: str) -> None:
    """Print a message to stderr, if it is open."""
    if sys.stderr is not None:
        with suppress(OSError):
            _lines.write(sys.stderr, f"dnd: {text}\n")


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
        put(text)


def _coloured() -> bool:
    if not on_terminal(sys.stdout) or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
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
        self.on = on_terminal(sys.stderr) and not on_terminal(sys.stdout)

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
