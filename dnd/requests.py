"""Requests to the generators: `GAME:WHAT:FIELD:FIELD#SEED/NUMBER`, and the same as arguments. What all games
share; nothing here depends on a game."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Collection
from typing import Any, NamedTuple, TypeGuard

from dnd.diagnostic import InputError, input_error

_SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")
_SEED = re.compile(r"([A-Za-z0-9_.-]{1,1000})(?:/([0-9]{1,9}))?")
_MOST = 10**9  # a request cannot hold more than nine digits

Range = tuple[int, int]
Asked = dict[str, Any]  # the arguments of a game's `generate`
# What requests of some games can ask for as `NAME=A-B`; each game's generator says which of them, in `RANGES`. By game,
# in words for people, as the command line knows them before any game is imported.
RANGES = {
    "Dungeons & Diagrams": {
        "treasures": "the smallest and the largest number of treasures",
        "monsters": "the smallest and the largest number of monsters",
    },
    "Suguru": {"cages": "the sizes of the smallest and the largest cage"},
}
SYMMETRIES = {"left-right": 1, "up-down": 2, "half-turn": 3, "diagonal": 4, "quarter-turn": 5}  # as in `dnd.grid`


# Checks of arguments. Each returns the value in its proper form, or raises `InputError` bad-request.


def whole(what: str, value: object) -> int:
    """A whole number."""
    if _is_whole(value) and -_MOST < value < _MOST:
        return value
    raise input_error("bad-request", f"{what} must be a whole number of at most nine digits, not {_shown(value)}")


def _is_whole(value: object) -> TypeGuard[int]:
    # bool is an int to Python, and True for a number is probably a mistake.
    return isinstance(value, int) and not isinstance(value, bool)


def bounds(what: str, value: object) -> Range:
    """The least and the most of something, or the number itself."""
    pair = value if isinstance(value, tuple | list) else (value, value)
    if len(pair) != 2:
        message = f"{what} must be a whole number or a pair (least, most), not {_shown(value)}"
        raise input_error("bad-request", message)
    return whole(what, pair[0]), whole(what, pair[1])


def word(what: str, value: object) -> str:
    """A text."""
    if isinstance(value, str):
        return value
    raise input_error("bad-request", f"{what} must be a string, not {_shown(value)}")


def flag(what: str, value: object) -> bool:
    """True or False."""
    if isinstance(value, bool):
        return value
    raise input_error("bad-request", f"{what} must be True or False, not {_shown(value)}")


def choice(what: str, value: object, known: Collection[str]) -> str | None:
    """One of some words, or None."""
    if value is None or (isinstance(value, str) and value in known):
        return value
    raise input_error("bad-request", f"{what} must be one of {', '.join(known)}, not {_shown(value)}")


def symmetry_of(value: object, height: int, width: int) -> str | None:
    """One of `SYMMETRIES`, or None; the last two need a square."""
    known = choice("symmetry", value, SYMMETRIES)
    if known in ("diagonal", "quarter-turn") and height != width:
        raise input_error("bad-request", f"symmetry {known} needs a square, not {width}x{height}")
    return known


def seed_text(seed: object) -> str:
    """A seed as requests hold it, whole numbers and texts alike; a random one for None."""
    if seed is None:
        return secrets.token_hex(4)
    text = str(seed) if _is_whole(seed) and abs(seed) < 10**1000 else seed
    if not isinstance(text, str) or not _SEED.fullmatch(text) or "/" in text:
        message = f"a seed is a whole number or a string of letters, digits and _.-, not {_shown(seed)}"
        raise input_error("bad-request", message)
    return text


def numbers(start: object, count: object) -> range:
    """The numbers of puzzles in a seed's stream; count None: all up to the last that a request can name."""
    first = whole("start", start)
    end = _MOST if count is None else first + whole("count", count)
    if not 0 <= first <= end <= _MOST:
        message = f"a stream of puzzles starts at 0 and ends at {_MOST - 1}: not {_shown(count)} from {first} on"
        raise input_error("bad-request", message)
    return range(first, end)


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # Python does not print numbers of thousands of digits
        return "a number of that many digits"
    return text if len(text) <= 40 else text[:40] + "..."


class Grammar(NamedTuple):
    """How one game's requests are read. hint: what a request looks like, shown with errors."""

    game: str
    hint: str

    def parse(self, text: str, what: Callable[[str], Asked], field: Callable[[str], tuple[str, object]]) -> Asked:
        """The arguments of the game's `generate` that a text asks for, the game's name in front or not.

        what(text) are the arguments that come first, field(text) is one of the others, of which each may be there once.
        After `#` a seed, of letters, digits and `_.-`, and after `/` the number of its first puzzle (from 0).
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

    def size(self, text: str) -> Asked:
        """Width and height."""
        sides = _SIZE.fullmatch(text)
        if not sides:
            raise self.error(text, "is not the size of a board")
        return {"width": int(sides[1]), "height": int(sides[2])}

    def text(self, fields: Collection[str | None], seed: str, number: int) -> str:
        """The request for the puzzle of that number alone, as `parse` reads it; fields: what is None is left out."""
        return ":".join([self.game, *filter(None, fields)]) + f"#{seed}/{number}"

    def error(self, part: str, what: str) -> InputError:
        """The error for a part of a request."""
        return input_error("bad-request", f"{part[:40]!r} {what}", hint=self.hint)

    def _seed(self, text: str) -> Asked:
        parts = _SEED.fullmatch(text)
        if not parts:
            raise self.error(text, "is not a seed")
        return {"seed": parts[1]} | ({"start": int(parts[2])} if parts[2] else {})
