"""Constants of C: what of a source can be told without running it. `course_source` reads the statements around them.

A *map* is an array of 64 cells or a string of 64 signs, a *word* an integer of 64 bits; both are read as the mask of
the cells that are set, the first cell the least significant bit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dnd.diagnostic import InputError, input_error
from dnd.texts.lines import Text

SIDE = 8
CELLS = SIDE * SIDE

_GAP = re.compile(r"\s*")
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])(?!\w)")
WORD = re.compile(r"[A-Za-z_]\w*")
_REST = re.compile(r"[\s;]*\Z")
_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_CAST = re.compile(r"\(\s*(?:const\s+)?(?:board|uint64_t|unsigned\s+long(?:\s+long)?(?:\s+int)?)\s*\)")
_MAP_CAST = re.compile(r"\(\s*(?:const\s+)?(?:map|(?:bool|_Bool|char|int)\s*\[\s*\w*\s*\])\s*\)\s*(?=\{)")
_DEEPEST = 50
_ON, _OFF = frozenset("1#MTXmtx*"), frozenset("0._ -")

Numbers = list[tuple[int, int]]  # (value, offset)


@dataclass
class Unknown:
    """A value that cannot be told without running the source, and why."""

    why: str


@dataclass
class Named:
    """A name that a source defines. kind: "map", "word", "pointer" (to a problem) or "other"."""

    kind: str
    at: int
    value: int | Unknown
    is_used: bool = False


class Values:
    """Reads constants. at: the offset of what is read next; code: the text with blanks for comments."""

    def __init__(self, code: str, places: Text) -> None:
        self.code, self.places, self.at = code, places, 0
        self.depth = 0

    def named(self, name: str) -> Named | None:
        """What a name stands for here."""
        raise NotImplementedError

    # ------------------------------------------------------------ signs

    def error(self, code: str, message: str, at: int, hint: str = "") -> InputError:
        return input_error(code, message, self.places.span(at), hint)

    def next_at(self, at: int) -> int:
        """The offset of what comes from `at` on behind blanks; that of the end if nothing does."""
        gap = _GAP.match(self.code, at)
        return gap.end() if gap else at

    def is_over(self) -> bool:
        """Whether nothing but blanks is left."""
        return self.next_at(self.at) >= len(self.code)

    def gap(self) -> int:
        """Go to what comes next, which there must be."""
        self.at = self.next_at(self.at)
        if self.at >= len(self.code):
            raise self.error("truncated", "the text ends in the middle of a statement", len(self.code))
        return self.at

    def ended(self, end: str) -> bool:
        """Whether the closing brace stands here, which is taken; or the text ends, where there is none."""
        return self.taken(end) if end else _REST.match(self.code, self.at) is not None

    def taken(self, sign: str) -> bool:
        """Take a sign if it comes next."""
        taken = self.code.startswith(sign, self.gap())
        self.at += taken * len(sign)
        return taken

    def closing(self, sign: str) -> None:
        if not self.taken(sign):
            raise self.error("bad-field", f"{sign} is missing", self.at)

    def comma(self, end: str = "}") -> None:
        if not end and self.ended(end):
            return
        if not self.taken(",") and not (end and self.code.startswith(end, self.gap())):
            raise self.error("bad-field", "a comma or } is missing", self.at)

    def numbers(self) -> Numbers:
        start = self.gap()
        if not self.taken("{"):
            raise self.error("wrong-type", "expected clues in braces", start)
        numbers: Numbers = []
        while not self.taken("}"):
            if len(numbers) == SIDE:
                raise self.error("clue-count", f"there are more than {SIDE} clues", self.at)
            numbers.append(self.number())
            self.comma()
        return numbers

    def constant(self, text: str) -> int | None:
        """The value of a plain constant, None for anything else."""
        found = _NUMBER.fullmatch(text.strip())
        return c_integer(found[1]) if found else None

    def number(self) -> tuple[int, int]:
        start = self.gap()
        found = _NUMBER.match(self.code, start)
        if not found:
            raise self.error("bad-number", "expected a whole number", start)
        self.at = found.end()
        return c_integer(found[1]), start

    # ------------------------------------------------------------ words

    def word(self) -> int:
        """A constant expression of 64 bits: numbers, names, `map_to_board`, and | ^ & << + between them."""
        start = self.gap()
        value = self.expression(0)
        if value >> CELLS:
            raise self.error("outside-board", "a board has 64 cells, a bit each", start)
        return value

    _LEVELS = (("|",), ("^",), ("&",), ("<<",), ("+",))  # operators, those that bind least first

    def expression(self, level: int) -> int:
        if level == len(self._LEVELS):
            return self.factor()
        value = self.expression(level + 1)
        while operator := next((one for one in self._LEVELS[level] if self.operator(one)), None):
            other = self.expression(level + 1)
            if operator == "<<":
                value <<= min(other, 2 * CELLS)
            else:
                value = {"|": value | other, "^": value ^ other, "&": value & other, "+": value + other}[operator]
        return value

    def operator(self, sign: str) -> bool:
        """Take an operator if it comes next, and is not the beginning of a longer one."""
        at = self.next_at(self.at)
        behind = self.code[at + len(sign) : at + len(sign) + 1]
        taken = self.code.startswith(sign, at) and behind not in ("=", sign[-1])
        if taken:
            self.at = at + len(sign)
        return taken

    def factor(self) -> int:
        start = self.gap()
        if cast := _CAST.match(self.code, start):
            self.at = cast.end()
            return self.factor()
        if self.taken("("):
            value = self.nested()
            self.closing(")")
            return value
        name = WORD.match(self.code, start)
        if not name:
            return self.number()[0]
        self.at = name.end()
        if self.code.startswith("(", self.gap()):
            return self.call(name[0], start)
        return self.value(name[0], start, "word")

    def nested(self) -> int:
        """An expression in parentheses."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error("bad-number", "the parentheses are too deep", self.at)
        value = self.expression(0)
        self.depth -= 1
        return value

    def call(self, name: str, start: int) -> int:
        """`map_to_board(...)` or `bit(...)`; any other function is not run."""
        if name not in ("map_to_board", "bit"):
            raise self.untold(f"what {name[:40]}(...) returns", start)
        self.taken("(")
        value = 1 << min(self.nested(), CELLS) if name == "bit" else self.map_of_name()
        self.closing(")")
        return value

    def untold(self, what: str, at: int) -> InputError:
        """The error of what only running the source would tell."""
        return self.error("unknown-name", f"{what} cannot be told without running this", at)

    def value(self, name: str, start: int, kind: str) -> int:
        known = self.named(name)
        if known is None or known.kind != kind:
            raise self.error("unknown-name", f"{name[:40]} is not a {kind} that is defined above", start)
        known.is_used = True
        if isinstance(known.value, Unknown):
            raise self.error("unknown-name", f"the value of {name[:40]} is not known: {known.value.why}", start)
        return known.value

    def map_of_name(self) -> int:
        """A map by its name, in braces behind `(map)`, or a string."""
        start = self.gap()
        if cast := _MAP_CAST.match(self.code, start):
            self.at = cast.end()
        elif name := WORD.match(self.code, start):
            self.at = name.end()
            return self.value(name[0], start, "map")
        return self.map()

    def map(self) -> int:
        """An array of 64 cells in braces, or a string of 64 signs: the mask of those that are set."""
        start = self.gap()
        return self.string() if self.code.startswith('"', start) else self.array(start)

    def array(self, start: int) -> int:
        if not self.taken("{"):
            raise self.error("wrong-type", "expected the cells of a map in braces, or a string", start)
        mask = cell = 0
        while not self.taken("}"):
            at = self.gap()
            if self.taken("["):
                cell = self.number()[0]
                self.closing("]")
                self.closing("=")
            if cell >= CELLS:
                raise self.error("outside-board", "a map has 64 cells", at)
            mask = mask & ~(1 << cell) | self.truth() << cell
            cell += 1
            self.comma()
        return mask

    def truth(self) -> int:
        word = WORD.match(self.code, self.gap())
        if word and word[0] in ("true", "false"):
            self.at = word.end()
            return int(word[0] == "true")
        return int(self.number()[0] != 0)

    def string(self) -> int:
        """Strings side by side are one, as in C."""
        signs: list[tuple[str, int]] = []
        start = self.gap()
        while found := _STRING.match(self.code, self.gap()):
            body = found[1].replace("\\n", "\n ")  # two letters for two, so that offsets stay
            signs += [(sign, found.start(1) + at) for at, sign in enumerate(body)]
            self.at = found.end()
        rows = "\n" in {sign for sign, _ in signs}
        cells = [(sign, at) for sign, at in signs if sign != "\n" and not (rows and sign == " ")]
        for sign, at in cells:
            if sign not in _ON | _OFF:
                raise self.error("bad-letter", f"{sign!r} is not a cell of a map: 0 or . for none, 1 or # for one", at)
        if len(cells) != CELLS:
            raise self.error("row-length", f"a map has 64 cells, not {len(cells)}", start)
        return sum(1 << cell for cell, (sign, _) in enumerate(cells) if sign in _ON)


def c_integer(digits: str) -> int:
    """The value of a C constant; of one with absurdly many digits, one that is too large for anything."""
    if len(digits) > 80:
        return 1 << 128
    if digits[:2].lower() in ("0x", "0b"):
        return int(digits, 0)
    return int(digits, 8 if digits[0] == "0" and set(digits) <= set("01234567") else 10)
