"""The course's problems in C source: initialisers of its `struct problem`, and what is assigned to them afterwards.

    problem p = { .rows = { 7,3,4,1,7,1,6,3 }, .columns = { 4,4,2,6,2,3,4,7 } };
    map monsters = { [5] = 1, [40] = 1 };          an array of 64 cells, or a string of 64 signs
    p.monsters = map_to_board(monsters);
    p.treasures = 0x20000;

A source is read from top to bottom, all of its functions alike, without running it. What is no constant (a loop that
fills a map, the result of an unknown function) is refused where a problem needs it: a problem is read whole or not
at all. Fields that nothing sets are 0, as in C. The four fields may also stand alone, without a name around them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dnd import grid
from dnd.diagnostic import InputError, Span, fault, located
from dnd.dungeon import alphabet
from dnd.dungeon.alphabet import GAME_NAME
from dnd.dungeon.puzzle import Board, Clue, Puzzle
from dnd.game import Entry
from dnd.texts.lines import Text

_SIDE = 8
_CELLS = _SIDE * _SIDE
_FIELDS = ("monsters", "treasures", "rows", "columns")

_BARE = re.compile(rf"[ \t\r\n]*\.\s*(?:{'|'.join(_FIELDS)})\s*=")
_START = re.compile(
    r"^[ \t]*(?:(?:static|const|struct|extern)[ \t]+)*problem\s+\w+\s*(?:\[\s*\w*\s*\]\s*)?=\s*\{", re.MULTILINE
)
_COMMENT = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_GAP = re.compile(r"\s*")
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])(?!\w)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_TYPE = re.compile(
    r"\(\s*(?:const\s+|unsigned\s+)*(?:board|map|uint64_t|bool|_Bool|char|int|long|unsigned)\b[\w\s\[\]*]*\)"
)

# What a source does that concerns problems; all else is passed over.
_EVENT = re.compile(
    r"\bproblem\s+(?P<problem>\w+)\s*(?P<many>\[\s*\w*\s*\])?\s*=\s*(?=\{)"
    r"|\bproblem\s+(?P<declared>\w+)\s*;"
    r"|\b(?:map\s+(?P<map>\w+)|(?:bool|_Bool|char|int|uint8_t)\s+(?P<array>\w+)\s*\[[^\]]*\]"
    r'|char\s*\*\s*(?:const\s+)?(?P<text>\w+))\s*(?:=\s*(?=[{"])|(?P<empty>;))'
    r"|\b(?:board|uint64_t)\s+(?P<word>\w+)\s*=(?!=)\s*"
    rf"|\b(?P<owner>\w+)\s*(?P<access>\.|->)\s*(?P<field>{'|'.join(_FIELDS)})\s*(?P<part>\[[^\]]*\])?\s*(?P<sets>[-|+&^]?=)(?!=)\s*"
    r"|\b(?P<item>\w+)\s*\[(?P<index>[^\]]*)\]\s*=(?!=)\s*"
)

_ON, _OFF = frozenset("1#MTXmtx*"), frozenset("0._ -")
_Numbers = list[tuple[int, int]]  # (value, offset)


def is_source(head: str) -> bool:
    """Whether a text's beginning shows the struct, or its bare fields."""
    return bool(_START.search(head) or _BARE.match(_bare_of_comments(head)))


def read_course(text: str, file: str) -> Iterator[Entry]:
    """The problems of a source, in the order in which they are defined."""
    yield from _Source(text, file).entries()


def _bare_of_comments(text: str) -> str:
    """The text with blanks for comments, so that offsets stay."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found[0][0] == '"' else re.sub(r"[^\n]", " ", found[0])

    return _COMMENT.sub(blank, text)


@dataclass
class _Problem:
    """A problem as far as it is known. words: monsters and treasures; clues: rows and columns; with their offsets."""

    name: str
    at: int
    words: dict[str, tuple[int, int]] = field(default_factory=dict)
    clues: dict[str, _Numbers] = field(default_factory=dict)


class _Unknown(NamedTuple):
    """A value that cannot be told without running the source."""

    at: int
    why: str


class _Source:
    """A source that is read from top to bottom. names: the masks of maps and words by their names, as defined last."""

    def __init__(self, text: str, file: str) -> None:
        self.places = Text(text, file)
        self.code = _bare_of_comments(text)
        self.at = 0
        self.names: dict[str, int | _Unknown] = {}
        self.maps: set[str] = set()
        self.problems: list[_Problem] = []
        self.latest: dict[str, _Problem] = {}

    # ------------------------------------------------------------ statements

    def entries(self) -> Iterator[Entry]:
        """All problems."""
        if _BARE.match(self.code):
            problem = _Problem("", self.gap())
            self.fields(problem, end="")
            yield self.entry(problem)
            return
        while found := _EVENT.search(self.code, self.at):
            self.at = found.end()
            self.event(found)
        for problem in self.problems:
            yield self.entry(problem)

    def event(self, found: re.Match[str]) -> None:
        """Take a statement in. `at` is behind what `_EVENT` has matched."""
        if found["problem"]:
            self.defined(found)
        elif found["declared"]:
            self.latest[found["declared"]] = _Problem(found["declared"], found.start("declared"))
        elif name := found["map"] or found["array"] or found["text"]:
            self.maps.add(name)
            self.names[name] = 0 if found["empty"] else self.told(self.map)
        elif found["word"]:
            self.names[found["word"]] = self.told(self.word)
        elif found["owner"]:
            self.assigned(found)
        elif found["item"] in self.maps:
            self.item(found)

    def told(self, read: Callable[[], int]) -> int | _Unknown:
        """A value, or why there is none: that matters only where a problem uses it."""
        try:
            return read()
        except InputError as error:
            return _Unknown(self.at, error.diagnostic.message)

    def defined(self, found: re.Match[str]) -> None:
        """`problem p = {...}`, or an array of them."""
        name, start = found["problem"], found.start("problem")
        if not found["many"]:
            self.taken("{")
            self.problems.append(self.fields(_Problem(name, start)))
            self.latest[name] = self.problems[-1]
            return
        self.taken("{")
        number = 0
        while not self.taken("}"):
            number += 1
            at = self.gap()
            if not self.taken("{"):
                raise self.error("wrong-type", "expected a problem in braces", at)
            self.problems.append(self.fields(_Problem(f"{name}{number}", at)))
            self.comma()

    def assigned(self, found: re.Match[str]) -> None:
        """`p.monsters = ...`, `p.rows[2] = ...`."""
        owner, key, at = found["owner"], found["field"], found.start("owner")
        if found["access"] == "->":
            raise self.error("unknown-name", f"which problem {owner} points to cannot be told without running this", at)
        problem = self.latest.get(owner)
        if problem is None:
            raise self.error("unknown-name", f"{owner} is not a problem that is defined above", at)
        if problem not in self.problems:
            self.problems.append(problem)
        if found["sets"] not in ("=", "|="):
            raise self.error("unknown-name", "only = and |= can be followed here", found.start("sets"))
        if key in _FIELDS[:2] and not found["part"]:
            start = self.gap()
            before = problem.words.get(key, (0, start))[0] if found["sets"] == "|=" else 0
            problem.words[key] = before | self.word(), start
        elif found["part"] and found["sets"] == "=":
            self.clue(problem, key, found)
        else:
            raise self.error("wrong-type", "clues are set one by one, or in the initialiser", at)

    def clue(self, problem: _Problem, key: str, found: re.Match[str]) -> None:
        """`p.rows[2] = 3`."""
        line = self.constant(found["part"][1:-1])
        if key not in _FIELDS[2:] or line is None or line >= _SIDE:
            raise self.error("wrong-type", f"expected the number of a clue, 0 to {_SIDE - 1}", found.start("part"))
        clues = problem.clues.setdefault(key, [])
        clues += [(0, found.start("part"))] * (line + 1 - len(clues))
        clues[line] = self.number()

    def item(self, found: re.Match[str]) -> None:
        """`monsters[5] = 1`."""
        name, cell = found["item"], self.constant(found["index"])
        value = self.told(self.word)
        known = self.names[name]
        if isinstance(known, _Unknown):
            return
        if cell is None or cell >= _CELLS or isinstance(value, _Unknown):
            self.names[name] = _Unknown(found.start("item"), "what is set here cannot be told without running this")
        else:
            self.names[name] = known | 1 << cell if value else known & ~(1 << cell)

    def constant(self, text: str) -> int | None:
        """The value of a plain constant, None for anything else."""
        found = _NUMBER.fullmatch(text.strip())
        return _c_integer(found[1]) if found else None

    # ------------------------------------------------------------ initialisers

    def fields(self, problem: _Problem, end: str = "}") -> _Problem:
        """The fields up to the closing brace, or to the end of the text."""
        index = 0
        while not self.ended(end):
            start = self.gap()
            if (designator := self.designator()) is not None:
                index = designator
            if index == len(_FIELDS):
                raise self.error("trailing-data", "the struct has only four fields", start)
            key = _FIELDS[index]
            if key in problem.words or key in problem.clues:
                raise self.error("bad-field", "this field is there twice", start)
            if index < 2:
                at = self.gap()
                problem.words[key] = self.word(), at
            else:
                problem.clues[key] = self.numbers()
            index += 1
            self.comma(end)
        return problem

    def designator(self) -> int | None:
        """The number of the field that `.name =` names, if that stands here."""
        found = re.compile(r"\.\s*(\w+)\s*=\s*").match(self.code, self.at)
        if not found:
            return None
        if found[1] not in _FIELDS:
            raise self.error("unknown-key", "the struct has no such field", found.start(1))
        self.at = found.end()
        return _FIELDS.index(found[1])

    def numbers(self) -> _Numbers:
        start = self.gap()
        if not self.taken("{"):
            raise self.error("wrong-type", "expected clues in braces", start)
        numbers: _Numbers = []
        while not self.taken("}"):
            if len(numbers) == _SIDE:
                raise self.error("clue-count", f"there are more than {_SIDE} clues", self.at)
            numbers.append(self.number())
            self.comma()
        return numbers

    def number(self) -> tuple[int, int]:
        start = self.gap()
        found = _NUMBER.match(self.code, start)
        if not found:
            raise self.error("bad-number", "expected a whole number", start)
        self.at = found.end()
        return _c_integer(found[1]), start

    # ------------------------------------------------------------ words

    def word(self) -> int:
        """A constant expression of 64 bits: numbers, names, `map_to_board`, and | ^ & << + between them."""
        start = self.gap()
        value = self.expression(0)
        if value >> _CELLS:
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
                value <<= min(other, 2 * _CELLS)
            else:
                value = {"|": value | other, "^": value ^ other, "&": value & other, "+": value + other}[operator]
        return value

    def operator(self, sign: str) -> bool:
        """Take an operator if it comes next, and is not the beginning of a longer one."""
        gap = _GAP.match(self.code, self.at)
        at = gap.end() if gap else self.at
        behind = self.code[at + len(sign) : at + len(sign) + 1]
        taken = self.code.startswith(sign, at) and behind not in ("=", sign[-1])
        if taken:
            self.at = at + len(sign)
        return taken

    def factor(self) -> int:
        start = self.gap()
        if cast := _TYPE.match(self.code, start):
            self.at = cast.end()
            return self.map() if self.code.startswith(("{", '"'), self.gap()) else self.factor()
        if self.taken("("):
            value = self.expression(0)
            self.closing(")")
            return value
        name = _WORD.match(self.code, start)
        if not name:
            return self.number()[0]
        self.at = name.end()
        if self.code.startswith("(", self.gap()):
            return self.call(name[0], start)
        return self.value(name[0], start)

    def call(self, name: str, start: int) -> int:
        """`map_to_board(...)`; any other function is not run."""
        if name not in ("map_to_board", "bit"):
            raise self.error(
                "unknown-name", f"what {name[:40]}(...) returns cannot be told without running this", start
            )
        self.taken("(")
        if name == "bit":
            value = 1 << min(self.expression(0), _CELLS)
        elif self.code.startswith(("{", '"'), self.gap()):
            value = self.map()
        else:
            value = self.factor()
        self.closing(")")
        return value

    def value(self, name: str, start: int) -> int:
        if name not in self.names:
            raise self.error("unknown-name", f"{name[:40]} is not a map or a word that is defined above", start)
        known = self.names[name]
        if isinstance(known, _Unknown):
            raise self.error("unknown-name", f"the value of {name[:40]} is not known: {known.why}", start)
        return known

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
            if cell >= _CELLS:
                raise self.error("outside-board", "a map has 64 cells", at)
            mask |= self.truth() << cell
            cell += 1
            self.comma()
        return mask

    def truth(self) -> int:
        at = self.gap()
        for word, value in (("true", 1), ("false", 0)):
            if self.code.startswith(word, at):
                self.at = at + len(word)
                return value
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
        if len(cells) != _CELLS:
            raise self.error("row-length", f"a map has 64 cells, not {len(cells)}", start)
        return sum(1 << cell for cell, (sign, _) in enumerate(cells) if sign in _ON)

    # ------------------------------------------------------------ signs

    def error(self, code: str, message: str, at: int) -> InputError:
        return fault(code, message, self.places.span(at))

    def gap(self) -> int:
        gap = _GAP.match(self.code, self.at)
        self.at = gap.end() if gap else self.at
        if self.at >= len(self.code):
            raise self.error("truncated", "the struct is not closed", len(self.code))
        return self.at

    def ended(self, end: str) -> bool:
        """Whether the closing brace stands here, which is taken; or the text ends, where there is none."""
        return self.taken(end) if end else not self.code[self.at :].strip(" \t\r\n;")

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

    # ------------------------------------------------------------ results

    def entry(self, problem: _Problem) -> Entry:
        monsters, treasures = (problem.words.get(key, (0, 0))[0] for key in _FIELDS[:2])
        clues = {key: _padded_with_zeros(problem.clues.get(key, [])) for key in _FIELDS[2:]}
        for cell in grid.cells(monsters & treasures, _SIDE)[:1]:
            message = f"r{cell[0] + 1}c{cell[1] + 1} holds both a monster and a treasure"
            raise self.error("monster-on-treasure", message, problem.words["treasures"][1])
        with located(lambda side, index: self.places.span(problem.clues[side][index][1])):
            for side in clues:
                alphabet.check_numbers(side, clues[side])
            puzzle = Puzzle(tuple(clues["rows"]), tuple(clues["columns"]), monsters, treasures, problem.name)
        return Entry(GAME_NAME, puzzle, None, problem.name, span=self.span(problem))

    def span(self, problem: _Problem) -> Span:
        return self.places.span(problem.at)


def _padded_with_zeros(numbers: _Numbers) -> list[int]:
    return [value for value, _ in numbers] + [0] * (_SIDE - len(numbers))


def _c_integer(digits: str) -> int:
    """The value of a C constant; of one with absurdly many digits, one that is too large for anything."""
    if len(digits) > 80:
        return 1 << 128
    if digits[:2].lower() in ("0x", "0b"):
        return int(digits, 0)
    return int(digits, 8 if digits[0] == "0" and set(digits) <= set("01234567") else 10)


# ---------------------------------------------------------------- writing


def write_course(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """A `problem` struct, 8x8; a smaller puzzle is set into the top left corner of walls, its clues count them."""
    if board is not None:
        raise alphabet.refuse("the course's struct has no place for a board")
    if max(puzzle.height, puzzle.width) > _SIDE:
        raise alphabet.refuse(f"the course's struct holds 8x8 cells, not {puzzle.height}x{puzzle.width}")
    rows, columns = _padded(puzzle.rows, puzzle.width), _padded(puzzle.columns, puzzle.height)
    monsters, treasures = (grid.to_mask(cells_, _SIDE) for cells_ in (puzzle.monster_cells, puzzle.treasure_cells))
    title = name if _IDENTIFIER.fullmatch(name) else "p"
    return (
        f"problem {title} = {{\n    .monsters = {monsters:#x},\n    .treasures = {treasures:#x},\n"
        f"    .rows = {{ {rows} }},\n    .columns = {{ {columns} }}\n}};"
    )


def _padded(clues: Sequence[Clue], across: int) -> str:
    """The clues of lines that are `across` cells long, in lines of eight, and those of the lines of walls."""
    known = [clue for clue in clues if clue is not None]
    if len(known) < len(clues):
        raise alphabet.refuse("the course's struct has no unknown clues")
    return ",".join(str(clue) for clue in [*(clue + _SIDE - across for clue in known), *[_SIDE] * (_SIDE - len(known))])
