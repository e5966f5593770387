"""Bytes to text, and places in a text: what every reader needs before it reads anything."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote, unquote

from dnd.diagnostic import Span, input_error

_BOM = "\ufeff"
_LONGEST_LINE = 1 << 16  # a line with a 32x32 board takes 1,200 characters
_WORD = re.compile(r"[^ \t]+")
_FIELD_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


class Text:
    """A text that finds the line and column of an offset. A byte-order mark has no column; `\\r\\n` is one line end."""

    def __init__(self, text: str, file: str = "") -> None:
        self.text = text
        self.file = file

    @cached_property
    def starts(self) -> list[int]:
        """Where each line starts."""
        starts, at = [1 if self.text.startswith(_BOM) else 0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def span(self, offset: int, end: int = 0) -> Span:
        """The place of `offset`, as wide as the text up to `end` or the line's end, one character at least."""
        number = max(1, bisect_right(self.starts, offset))
        start = self.starts[number - 1]
        stop = self.text.find("\n", start)
        line = self.text[start : len(self.text) if stop < 0 else stop].rstrip("\r")
        column = max(0, offset - start)
        width = max(1, min(end - offset, len(line) - column))
        return Span(self.file, number, column + 1, line, width)

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both from 1; the text's end for what lies after it."""
        return min(self.starts[line - 1] + column - 1, len(self.text))


def decode(data: bytes, file: str = "") -> str:
    """The text of UTF-8 bytes, byte-order mark and line ends unchanged; `InputError` encoding with the place."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line = before.rpartition("\n")[2].removeprefix(_BOM)
        span = Span(file, before.count("\n") + 1, len(line) + 1, line + "\ufffd")
        message = f"byte {data[error.start]:#04x} is not UTF-8 text"
        raise input_error("encoding", message, span, "save the file as UTF-8") from None


def plain(text: str) -> str:
    """The text without a byte-order mark, every line end as `\\n`."""
    return text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")


class Line(NamedTuple):
    """One line of a text, its number from 1; `start` is where the piece begins that offsets count from."""

    file: str
    number: int
    text: str
    start: int = 0

    def piece(self, offset: int) -> Line:
        """The same line for a piece that begins `offset` further on."""
        return Line(self.file, self.number, self.text, self.start + offset)

    def span(self, offset: int = 0) -> Span:
        """The place of an offset in the piece."""
        return Span(self.file, self.number, self.start + offset + 1, self.text)


def lines(text: str, file: str = "") -> Iterator[Line]:
    """The lines of a plain text, one at a time."""
    number, start = 1, 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield Line(file, number, text[start:end])
        number, start = number + 1, end + 1


def short_lines(text: str, file: str = "") -> Iterator[Line]:
    """The lines; one that is absurdly long is an error: `InputError` line-too-long."""
    for line in lines(text, file):
        if len(line.text) > _LONGEST_LINE:
            raise input_error(
                "line-too-long", f"the line has more than {_LONGEST_LINE} characters", line.span(_LONGEST_LINE)
            )
        yield line


def puzzle_lines(text: str, file: str = "") -> Iterator[tuple[Line, list[re.Match[str]]]]:
    """The lines of a text of one puzzle a line, except blank ones and comments, with their words."""
    for line in short_lines(text, file):
        words = list(_WORD.finditer(line.text))
        if words and not words[0][0].startswith("#"):
            yield line, words


def line_fields(line: Line, words: Sequence[re.Match[str]]) -> tuple[str, dict[str, str]]:
    """The name and the other fields `key=value` after a puzzle; a first word without `=` is the name.

    Raises `InputError` bad-field.
    """
    found: dict[str, str] = {}
    for number, word in enumerate(words):
        if word[0].startswith("#"):
            break
        key, equals, value = word[0].partition("=")
        if number == 0 and not equals:
            key, value = "name", key
        if not (equals or number == 0) or not _FIELD_KEY.fullmatch(key):
            raise input_error("bad-field", "a field is written key=value, without blanks", line.span(word.start()))
        if key in found:
            raise input_error("bad-field", f"the field {key[:40]} appears twice", line.span(word.start()))
        found[key] = value
    return unquote(found.pop("name", "")), found


def name_field(name: str) -> str:
    """A name as the field after a puzzle, a blank before it; what would break a line or a field is percent-encoded."""
    return f" name={''.join(map(_field_char, name))}" if name else ""


def _field_char(char: str) -> str:
    return quote(char, safe="") if char in " %" or not char.isprintable() else char
