"""JSON with places: where each part of a JSON text stands. Knows no game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from dnd.diagnostic import InputError, input_error
from dnd.texts.lines import Text

_GAP = re.compile(r"[ \t\r\n]*")
_HUGE = 10**20


def _whole(digits: str) -> int:
    # Python refuses to convert thousands of digits; any number as large as this one is as wrong.
    return int(digits) if len(digits) <= 20 else _HUGE


_DECODER = json.JSONDecoder(parse_int=_whole)


def is_object(text: str) -> bool:
    """Whether a text is one whole JSON object."""
    try:
        return isinstance(_DECODER.decode(text), dict)
    except (ValueError, RecursionError):
        return False


Members = dict[str, tuple[int, object]]


class JsonText:
    """A JSON text that is walked by offsets. `end` is the offset after the list or object walked last."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.places = Text(text, file)
        self.end = 0

    def gap(self, at: int) -> int:
        """Offset of the next part."""
        found = _GAP.match(self.text, at)
        return found.end() if found else at

    def error(self, message: str, at: int) -> InputError:
        return input_error("bad-json", message, self.places.span(at))

    def value(self, at: int) -> tuple[object, int]:
        """The value at an offset, and the offset after it."""
        try:
            return _DECODER.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            raise self.error(error.msg[:1].lower() + error.msg[1:], error.pos) from None
        except (ValueError, RecursionError):
            raise self.error("nested too deeply", at) from None

    def items(self, at: int) -> Iterator[int]:
        """Offsets of a list's elements."""
        yield from self._parts(at, "]", lambda start: self.value(start)[1])

    def members(self, at: int) -> Members:
        """Offset and value of each member of an object."""
        found: Members = {}

        def member(start: int) -> int:
            key, behind = self.value(start)
            if not isinstance(key, str):
                raise self.error("a key in double quotes is missing", start)
            if key in found:
                raise self.error("this key appears twice", start)
            colon = self.gap(behind)
            if not self.text.startswith(":", colon):
                raise self.error("a colon is missing", colon)
            value_start = self.gap(colon + 1)
            value, end = self.value(value_start)
            found[key] = value_start, value
            return end

        for _ in self._parts(at, "}", member):
            pass
        return found

    def _parts(self, at: int, close: str, read: Callable[[int], int]) -> Iterator[int]:
        at = self.gap(at + 1)
        if self.text.startswith(close, at):
            self.end = at + 1
            return
        while True:
            yield at
            at = self.gap(read(at))
            if self.text.startswith(close, at):
                self.end = at + 1
                return
            if not self.text.startswith(",", at):
                raise self.error(f"a comma or {close} is missing", at)
            at = self.gap(at + 1)


def puzzle_objects(text: str, file: str) -> Iterator[tuple[JsonText, int, Members]]:
    """The puzzles' objects, with offsets and members: objects, lists of objects, {"puzzles": list}; one or more
    of them, one after the other."""
    source = JsonText(text, file)
    at = source.gap(0)
    while at < len(text):
        yield from _listed(source, at)
        at = source.gap(source.end)


def _listed(source: JsonText, at: int) -> Iterator[tuple[JsonText, int, Members]]:
    if source.text.startswith("[", at):
        for start in source.items(at):
            yield source, start, _object(source, start)
        return
    members = _object(source, at)
    if "puzzles" not in members:
        yield source, at, members
        return
    end, (start, puzzles) = source.end, members["puzzles"]
    if not isinstance(puzzles, list):
        raise input_error("wrong-type", "puzzles must be a list", source.places.span(start))
    yield from _listed(source, start)
    source.end = end


def _object(source: JsonText, at: int) -> Members:
    if not source.text.startswith("{", at):
        raise source.error("expected an object", at)
    return source.members(at)


def name_of(source: JsonText, members: Members) -> str:
    """A puzzle's name: the text of `name`, or of `id` if that is a text; "" if there is none."""
    start, name = members.get("name") or members.get("id") or (0, "")
    if "name" not in members and not isinstance(name, str):
        return ""
    if not isinstance(name, str):
        raise input_error("wrong-type", "the name must be a string", source.places.span(start))
    if any("\ud800" <= char <= "\udfff" for char in name):
        raise input_error("encoding", "half a surrogate pair is not valid text", source.places.span(start))
    return name
