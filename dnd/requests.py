"""Requests to the generators: `GAME:WHAT:FIELD:FIELD#SEED/NUMBER`. What is the same in every game. Knows no game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import count as count_from
from typing import Any, NamedTuple

from dnd.diagnostic import InputError, fault

_SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")
_SEED = re.compile(r"([A-Za-z0-9_.-]+)(?:/([0-9]{1,9}))?")


def numbers(start: int, count: int | None) -> Iterable[int]:
    """The numbers of puzzles in a seed's stream; count None: no end. ValueError for a start below 0."""
    if start < 0:
        raise ValueError(f"a stream of puzzles starts at 0 or later, not at {start}")
    return count_from(start) if count is None else range(start, start + count)


class Grammar(NamedTuple):
    """How one game's requests are read. hint: what they look like, for people whose request does not."""

    game: str
    hint: str

    def parse(
        self, text: str, what: Callable[[str], dict[str, Any]], field: Callable[[str], tuple[str, object]]
    ) -> dict[str, Any]:
        """The arguments of the game's `generate` that a text asks for, the game's name in front or not.

        what(text) are the arguments that come first, field(text) is one of the others, of which each may be there once.
        Behind `#` a seed, of letters, digits and `_.-`, and behind `/` the number of its first puzzle (from 0).
        Raises `InputError` bad-request.
        """
        asked, hash_sign, seed = text.partition("#")
        first, *fields = asked.removeprefix(f"{self.game}:").split(":")
        arguments = what(first)
        for part in fields:
            argument, value = field(part)
            if argument in arguments:
                raise self.error(part, f"is a second {argument}")
            arguments[argument] = value
        return arguments | (self._seed(seed) if hash_sign else {})

    def size(self, text: str) -> dict[str, Any]:
        """Width and height."""
        sides = _SIZE.fullmatch(text)
        if not sides:
            raise self.error(text, "is no size of a board")
        return {"width": int(sides[1]), "height": int(sides[2])}

    def text(self, fields: Iterable[str | None], seed: str, number: int) -> str:
        """The request for the puzzle of that number alone, as `parse` reads it; fields: what is None is left out."""
        return ":".join([self.game, *filter(None, fields)]) + f"#{seed}/{number}"

    def check_seed(self, seed: str) -> None:
        """Raise `InputError` unless requests can hold the seed."""
        if not _SEED.fullmatch(seed) or "/" in seed:
            raise self.error(seed, "is no seed")

    def error(self, part: str, what: str) -> InputError:
        """What is wrong with a part of a request."""
        return fault("bad-request", f"{part[:40]!r} {what}", hint=self.hint)

    def _seed(self, text: str) -> dict[str, Any]:
        parts = _SEED.fullmatch(text)
        if not parts:
            raise self.error(text, "is no seed")
        return {"seed": parts[1]} | ({"start": int(parts[2])} if parts[2] else {})
