"""The course's problems in C source: initialisers of its `struct problem`, and what is assigned to them afterwards.

    problem p = { .rows = { 7,3,4,1,7,1,6,3 }, .columns = { 4,4,2,6,2,3,4,7 } };
    map monsters = { [5] = 1, [40] = 1 };          an array of 64 cells, or a string of 64 signs
    p.monsters = map_to_board(monsters);
    p.treasures = 0x20000;

A source is read from top to bottom, all of its functions alike, without running it. The rule is that a problem is read
whole or not at all. So the reader looks at each place where a problem, map or word is named: it follows the statements
above, knows the uses that change nothing, and takes everything else for a change that only running would tell. A
problem changed like that is refused; a map or word, where a problem needs it. Fields that nothing sets are 0, as in C;
only a problem with clues and neither monsters nor treasures is refused, for it is the beginning of one that is filled
in later. The four fields may also stand alone, without a name around them, then all four.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from dnd import grid
from dnd.diagnostic import InputError, located
from dnd.dungeon import alphabet
from dnd.dungeon.alphabet import GAME_NAME
from dnd.dungeon.c_values import CELLS, SIDE, WORD, Named, Numbers, Unknown, Values
from dnd.dungeon.puzzle import Board, Clue, Puzzle
from dnd.game import Entry
from dnd.texts.lines import Text

_FIELDS = ("monsters", "treasures", "rows", "columns")
_FIELD = f"(?:{'|'.join(_FIELDS)})"
# The course's functions that take a problem and leave it as it is.
_READERS = frozenset(
    [
        *("print_board", "count_non_wall", "empty", "treasure", "monster", "solve", "sizeof"),
        *("test_columns_overload", "test_columns_underload", "test_deadends", "test_no_deadend_upto_row"),
        *("test_trapped_monster", "test_treasure_rooms", "test_empty_squares"),
    ]
)

_BARE = re.compile(rf"[ \t\r\n]*\.\s*{_FIELD}\s*=")
_START = re.compile(
    r"(?:^|[;{}])[ \t]*(?:(?:static|const|struct|extern)[ \t]+)*problem[ \t]+\w+[ \t]*(?:\[[ \t]*\w*[ \t]*\])?\s*"
    r"(?:=\s*[({]|;)",
    re.MULTILINE,
)
_COMMENT = re.compile(
    r"//(?:\\\n|[^\n])*|/\*.*?\*/|(?P<open>/\*.*)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

_TOKEN = re.compile(
    r"(?P<word>[A-Za-z_]\w*)|\.?[0-9][\w.]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|&&|\|\||[-+*/%&|^=!<>]=|.",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"#[ \t]*(?P<name>\w*)[ \t]*(?P<rest>(?:\\\n|[^\n])*)")
_DEFINE = re.compile(r"#[ \t]*define[ \t]+(?P<name>\w+)(?P<value>[ \t]+(?:\\\n|[^\n])*)?$", re.MULTILINE)
_GUARD = re.compile(r"\s*#[ \t]*define[ \t]+(\w+)[ \t]*\n")
_DECLARATION = re.compile(
    r"(?P<type>(?:(?:static|const|extern|register|volatile|inline|unsigned|signed|long|struct)\s+)*[A-Za-z_]\w*)"
    r"(?P<stars>(?:\s*\*)*\s*(?:const\s+)?)\b(?=[A-Za-z_])"
)
_NOT_TYPES = frozenset(("static", "const", "extern", "register", "volatile", "inline", "struct"))
_STATEMENTS = frozenset(("return", "case", "goto", "break", "continue", "default", "sizeof", "enum", "union"))
_CONTROLS = frozenset(("if", "else", "for", "while", "do", "switch"))
_WORD_TYPES = frozenset(
    ("board", "uint64_t", "unsigned long", "unsigned long long", "unsigned long int", "unsigned long long int")
)
_CELL_TYPES = frozenset(("bool", "_Bool", "char", "int", "unsigned char", "uint8_t", "unsigned int"))
_SIZE = re.compile(r"\s*\[\s*(\w*)\s*\]")
_BODY = re.compile(r"(?:typedef\s+)?struct\s*\w*\s*\{")
_MEMBER = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)?[;,]")
_ALIAS = re.compile(r"typedef\s+struct\s+problem\s+(\w+)\s*;")
_COMPOUND = re.compile(r"\(\s*(?:struct\s+)?\w+\s*\)\s*(?=\{)")
_ASSIGNS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"))
_FIELD_SET = re.compile(
    r"(?P<access>\.|->)\s*(?P<field>\w+)\s*(?P<part>(?:\[[^\]]*\]\s*)*)(?P<sets><<=|>>=|\+\+|--|[-+*/%&|^]=|=(?!=))"
)
_ITEM_SET = re.compile(r"\[(?P<index>[^\[\]]*)\]\s*=(?!=)")
_WORD_SET = re.compile(r"\|?=(?!=)")
_PARTS = re.compile(r"(?:\[[^\]]*\]\s*)+")
_CLUES = re.compile(r"\.\s*(?:rows|columns)\b\s*(?!\[)")
_SET = re.compile(r"\s*(?:\[[^\]]*\]\s*)*(?:<<|>>|[-+*/%&|^])?=(?!=)")
_DESIGNATOR = re.compile(r"\.\s*(\w+)\s*=\s*")
_BRACES = re.compile(r"\s*=\s*\{")
_IS_STRING = re.compile(r'\s*=\s*"')
_STRUCT_NAME = re.compile(r"\}\s*(\w+)\s*;")
_BRANCH = re.compile(r"^[ \t]*#[ \t]*(if|else|elif|endif)\w*", re.MULTILINE)
_ENDS = (";", ",")
_FIRST_SIGNS = frozenset(("{", "}", "(", ";", "*", "++", "--"))
_DEEPEST = 100


def is_source(head: str) -> bool:
    """Whether a text's beginning shows the struct, or its bare fields."""
    code = _without_comments(head)
    return bool(_START.search(code) or _BARE.match(code))


def read_course(text: str, file: str) -> Iterator[Entry]:
    """The problems of a source, in the order in which they are defined."""
    yield from _Source(text, file).entries()


def _without_comments(text: str) -> str:
    """The text with blanks for comments, so that offsets stay; a comment that is not closed remains."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found[0][0] in "\"'" or found["open"] else re.sub(r"[^\n]", " ", found[0])

    return _COMMENT.sub(blank, text)


@dataclass(eq=False)
class _Problem(Named):
    """A problem as far as it is known. words: monsters and treasures; clues: rows and columns; with their offsets."""

    name: str = ""
    words: dict[str, tuple[int, int]] = field(default_factory=dict)
    clues: dict[str, Numbers] = field(default_factory=dict)


@dataclass
class _Scope:
    """The names of a block. is_sure: whether the block is run, as far as the reader can tell (no `if`, no loop)."""

    at: int
    is_sure: bool = True
    names: dict[str, Named] = field(default_factory=dict)


class _Source(Values):
    """A source that is read from top to bottom.

    before: the last three tokens. is_fresh: whether a statement begins here. is_control: whether the next
    block or statement belongs to an `if` or a loop. calls: the open parentheses, each with the
    name before it. announced: what is declared in parentheses, for the block behind them. branches: for each `#if` that
    is open, whether its content is there.
    """

    def __init__(self, text: str, file: str) -> None:
        super().__init__(_without_comments(text), Text(text, file))
        self.order: tuple[str, ...] = _FIELDS
        self.types = {"problem"}
        self.scopes = [_Scope(0)]
        self.problems: list[_Problem] = []
        self.before = ["", "", ""]
        self.is_fresh = True
        self.is_control = False
        self.calls: list[str] = []
        self.brackets = 0
        self.branches: list[bool] = []
        self.announced: dict[str, Named] = {}
        self.maps: list[tuple[str, Named]] = []

    # ------------------------------------------------------------ the walk

    def entries(self) -> Iterator[Entry]:
        """All problems."""
        if _BARE.match(self.code):
            problem = self.fields(_Problem("problem", self.gap(), 0), end="")
            missing = next((key for key in _FIELDS if key not in problem.words and key not in problem.clues), None)
            if missing:
                raise self.error("missing-key", f".{missing} is missing", len(self.code.rstrip()))
            yield self.entry(problem)
            return
        while not self.is_over():
            self.step()
        self.check_end()
        for problem in self.problems:
            entry = self.entry(problem)
            self.check_whole(problem)
            yield entry

    def check_end(self) -> None:
        """Raise `InputError` truncated unless the text ends behind a statement."""
        if len(self.scopes) > 1:
            raise self.error("truncated", "this { is never closed", self.scopes[-1].at)
        if self.before[-1] not in ("", ";", "}") or self.calls or self.branches:
            raise self.error("truncated", "the text ends in the middle of a statement", len(self.code))

    def check_whole(self, problem: _Problem) -> None:
        """Refuse a problem that looks as if a part of it were still to come."""
        if problem.clues and not problem.words:
            hint = ".monsters = 0 says that there are none"
            raise self.error("missing-key", f"{problem.name} has neither monsters nor treasures", problem.at, hint)
        for key in [key for key in _FIELDS[:2] if key not in problem.words]:
            for name, known in self.maps:
                if not known.is_used and key.removesuffix("s") in name:
                    message = f"the map {name[:40]} is not used, and {problem.name} has no {key}"
                    raise self.error("missing-key", message, known.at)

    def step(self) -> None:
        """Take the next token, or the statement that begins with it."""
        start = self.gap()
        if self.code[start] == "#" and not self.code[self.code.rfind("\n", 0, start) + 1 : start].strip():
            self.directive(start)
            return
        if self.code.startswith("/*", start):
            raise self.error("truncated", "this comment is never closed", start)
        token = _TOKEN.match(self.code, start)
        assert token
        if self.is_fresh and token["word"] and self.statement(token[0], start):
            return
        self.at = token.end()
        if token["word"]:
            self.mention(token[0], start)
        elif token[0] in (".", "->") and not (self.is_fresh and self.before[-1] == ";"):
            self.stray_field(start)
        else:
            self.sign(token[0], start)
        self.pass_by(token[0])

    def pass_by(self, token: str) -> None:
        """Note a token, and whether a statement can begin behind it."""
        self.before = [*self.before[1:], token]
        self.is_fresh = token in ("{", "}") or (token == ";" and not self.calls)

    def sign(self, sign: str, start: int) -> None:
        """Follow parentheses and blocks."""
        if self.is_fresh and self.before[-1] == ";" and sign not in _FIRST_SIGNS:
            raise self.error("bad-field", f"no statement begins with {sign}", start)
        if sign == "[":
            self.brackets += 1
        elif sign == "]":
            self.brackets -= 1
            if self.brackets < 0:
                raise self.error("bad-field", "there is no [ for this", start)
        elif sign == "(":
            self.calls.append(self.before[-1] if WORD.fullmatch(self.before[-1]) else "")
        elif sign == ")":
            if not self.calls:
                raise self.error("bad-field", "there is no ( for this", start)
            self.calls.pop()
        elif sign == "{":
            self.scopes.append(_Scope(start, not self.is_control))
            self.scopes[-1].names, self.announced = self.announced, {}
            if len(self.scopes) > _DEEPEST:
                raise self.error("bad-field", "the blocks are too deep", start)
            self.is_control = False
        elif sign == "}":
            if len(self.scopes) == 1:
                raise self.error("bad-field", "there is no { for this", start)
            self.scopes.pop()
        elif sign == ";" and not self.calls:
            self.is_control, self.announced = False, {}
        elif sign == "=" and self.before[-1] in self.types:
            raise self.error("bad-field", "the name of a problem is missing", start)

    def directive(self, start: int) -> None:
        """A line of the preprocessor: names for numbers, and what is left out."""
        found = _DIRECTIVE.match(self.code, start)
        assert found
        self.at = found.end()
        name, rest = found["name"], found["rest"].strip()
        if name == "define":
            self.define(start)
        elif name.startswith("if"):
            guard = _GUARD.match(self.code, self.at)
            is_sure = (name == "ifndef" and guard is not None and guard[1] == rest) or rest in ("0", "1")
            self.branches.append(is_sure)
            if name == "if" and rest == "0":
                self.leave_out(start)
        elif name in ("else", "elif", "endif"):
            if not self.branches:
                raise self.error("bad-field", f"there is no #if for this #{name}", start)
            if name == "endif":
                self.branches.pop()
            elif self.branches[-1]:
                self.leave_out(start)

    def leave_out(self, start: int) -> None:
        """Go to the `#else` or `#endif` that ends what `#if 0` leaves out, or behind it."""
        depth = 0
        for found in _BRANCH.finditer(self.code, self.at):
            depth += (found[1] == "if") - (found[1] == "endif")
            if depth < 0 or (depth == 0 and found[1] in ("else", "elif")):
                is_end = depth < 0
                self.at = found.end()
                self.at = (self.code.find("\n", self.at) + 1 or len(self.code) + 1) - 1
                if is_end:
                    self.branches.pop()
                return
        raise self.error("truncated", "there is no #endif for this", start)

    def define(self, start: int) -> None:
        """`#define NAME value`."""
        found = _DEFINE.match(self.code, start)
        if not found:
            return
        end, self.at = self.at, found.end("name")
        value = self.told(self.word) if found["value"] else Unknown("it has none")
        if self.at > end or self.code[self.at : end].strip():
            value = Unknown("it is no constant")
        self.scopes[0].names[found["name"]] = Named("word", start, value)
        self.at = end

    # ------------------------------------------------------------ names

    def named(self, name: str) -> Named | None:
        """What a name stands for in the block that is read."""
        return next((scope.names[name] for scope in reversed(self.scopes) if name in scope.names), None)

    def is_sure(self, name: str) -> bool:
        """Whether what stands here is done, if the block is run that defines `name`."""
        inside = 0
        for inside in range(len(self.scopes)):
            if name in self.scopes[-1 - inside].names:
                break
        blocks = self.scopes[len(self.scopes) - inside :]
        return not self.is_control and all(self.branches) and all(block.is_sure for block in blocks)

    def told(self, read: Callable[[], int]) -> int | Unknown:
        """A value, or why there is none: that matters only where a problem uses it."""
        start = self.at
        try:
            return read()
        except InputError as error:
            self.at, self.depth = start, 0
            return Unknown(error.diagnostic.message)

    def ended_value(self, read: Callable[[], int]) -> int | Unknown:
        """The value up to a comma or semicolon, as `told`; where there is none, `at` stays before it."""
        start = self.at
        value = self.told(read)
        if not isinstance(value, Unknown) and not self.code.startswith(_ENDS, self.next_at(self.at)):
            self.at = start
            return Unknown("it is no constant")
        return value

    def mention(self, name: str, start: int) -> None:
        """A name anywhere within a statement: the uses that change nothing pass."""
        if name in _CONTROLS:
            self.is_control = True
            return
        known = self.named(name)
        behind = _TOKEN.match(self.code, self.gap()) if not self.is_over() else None
        sign = behind[0] if behind else ""
        if self.is_declared(sign):
            names = self.announced if self.calls else self.scopes[-1].names
            names[name] = Named("other", start, 0)
        elif isinstance(known, _Problem):
            self.mention_of_problem(known, start, sign)
        elif known is None or known.kind in ("pointer", "other"):
            self.mention_of_other(name, start, known)
        elif self.is_changed(known, sign):
            known.value = Unknown("what is done to it here cannot be told without running this")

    def is_declared(self, sign: str) -> bool:
        """Whether the name in front of `sign` is declared here, behind its type: `int i =`, `problem *p)`."""
        above = [token for token in self.before if token != "*"] if self.before[-1] == "*" else self.before
        is_type = bool(above and WORD.fullmatch(above[-1])) and above[-1] not in _STATEMENTS | _CONTROLS
        is_type = is_type and (self.before[-1] != "*" or self.before[-2] in self.types | {"map", "board", "bool"})
        return is_type and sign in ("=", ";", ",", ")", "[", ":")

    def is_changed(self, known: Named, sign: str) -> bool:
        """Whether a map or word may be changed where it is named, with `sign` behind it."""
        if self.is_taken_by_address() or self.before[-1] in ("++", "--"):
            return True
        if sign == "[":
            behind = _PARTS.match(self.code, self.at)
            token = _TOKEN.match(self.code, behind.end()) if behind else None
            return token is None or token[0] in _ASSIGNS
        if known.kind == "map":
            return self.before[-2:] != ["map_to_board", "("] and "sizeof" not in self.before[-2:]
        return sign in _ASSIGNS

    def is_taken_by_address(self) -> bool:
        """Whether the last token is the `&` of an address."""
        above = self.before[-2]
        return self.before[-1] == "&" and not (above in (")", "]") or WORD.fullmatch(above) or above[:1].isdigit())

    def mention_of_problem(self, problem: _Problem, start: int, sign: str) -> None:
        callee = self.calls[-1] if self.calls else ""
        if sign in (".", "->"):
            found = _FIELD_SET.match(self.code, self.gap())
            if found or self.is_taken_by_address() or self.before[-1] in ("++", "--"):
                raise self.untold("whether and how this is changed", start)
            part = _CLUES.match(self.code, self.at)
            if part and callee not in _READERS | {""}:
                raise self.untold(f"what {callee[:40]}(...) does to {problem.name}", start)
            self.at = self.gap() + len(sign)  # the field is no name of its own
            if name := WORD.match(self.code, self.gap()):
                self.at = name.end()
        elif sign in _ASSIGNS:
            raise self.untold("whether and how this is changed", start)
        elif self.is_taken_by_address() and callee and callee not in _READERS and not self.is_defined(callee):
            raise self.untold(f"what {callee[:40]}(...) does to {problem.name}", start)

    def is_defined(self, function: str) -> bool:
        """Whether the source defines a function: what it assigns is looked at there."""
        return bool(re.search(rf"\b{function}\s*\([^;{{}}()]*\)\s*\{{", self.code))

    def mention_of_other(self, name: str, start: int, known: Named | None) -> None:
        """What is done to fields through a name that is no problem's."""
        found = _FIELD_SET.match(self.code, self.gap()) if not self.is_over() else None
        if not found or found["field"] not in _FIELDS:
            return
        if found["access"] == "->" or (known and known.kind == "pointer"):
            raise self.untold(f"which problem {name[:40]} points to", start)
        raise self.error("unknown-name", f"{name[:40]} is not a problem that is defined above", start)

    def stray_field(self, start: int) -> None:
        """A field that is set, and not behind the name of a problem."""
        if not WORD.match(self.code, self.next_at(self.at)):
            raise self.error("bad-field", "the name of a field is missing", self.at)
        found = _FIELD_SET.match(self.code, start)
        if found and found["field"] in _FIELDS:
            raise self.untold("which problem this belongs to", start)

    # ------------------------------------------------------------ statements

    def statement(self, word: str, start: int) -> bool:
        """Take a statement that the reader follows; False for all others, which are passed token by token."""
        if body := _BODY.match(self.code, start):
            self.struct_body(body)
            return True
        if word == "typedef":
            alias = _ALIAS.match(self.code, start)
            self.types |= {alias[1]} if alias else set()
            return self.passed(start)
        if word in _CONTROLS or word in _STATEMENTS:
            return False
        known = self.named(word)
        behind = start + len(word)
        if isinstance(known, _Problem):
            self.at = behind
            self.assigned(known, word, start)
            return True
        if known and known.kind in ("map", "word"):
            return self.changed(known, word, behind)
        if _BRACES.match(self.code, behind):
            raise self.error("bad-field", f"no type stands before {word[:40]}", start)
        if known is None and _SET.match(self.code, behind):
            first = re.search(rf"\b{word}\b", self.code)
            if first and first.start() == start:
                raise self.error("unknown-name", f"{word[:40]} is not defined above", start)
        return self.declaration(start)

    def struct_body(self, body: re.Match[str]) -> None:
        """`struct problem {...}`: the order of the fields is that of initialisers without names."""
        end = self.code.find("}", body.end())
        if end < 0:
            raise self.error("truncated", "this { is never closed", body.end() - 1)
        members = tuple(_MEMBER.findall(self.code[body.end() : end]))
        if {"monsters", "rows"} <= set(members):
            self.order = members
            alias = _STRUCT_NAME.match(self.code, end)
            self.types |= {alias[1]} if alias and body[0].startswith("typedef") else set()
        self.at = end + 1
        # What follows is a name of the struct, or nothing; it ends with a semicolon.
        self.before = [*self.before[1:], "}"]
        self.is_fresh = False

    def declaration(self, start: int) -> bool:
        """`problem p = {...}, q;`, maps and words; whether one was read."""
        found = _DECLARATION.match(self.code, start)
        if not found:
            return False
        parts = found["type"].split()
        kind = " ".join(part for part in parts if part not in _NOT_TYPES)
        name = WORD.match(self.code, found.end())
        if not name or name[0] in _STATEMENTS or kind in _STATEMENTS:
            return False
        size = _SIZE.match(self.code, name.end())
        if kind in self.types and not found["stars"].strip():
            self.at = found.end()
            return self.declared_problems(start, "extern" in parts)
        stars = found["stars"].count("*")
        is_map = (kind == "map" and not size and not stars) or (
            kind in _CELL_TYPES
            and (bool(size and not stars) or bool(stars == 1 and _IS_STRING.match(self.code, name.end())))
        )
        if is_map or (kind in _WORD_TYPES and not size and not stars):
            self.at = found.end()
            return self.declared_values("map" if is_map else "word")
        if kind in self.types:
            self.scopes[-1].names[name[0]] = Named("pointer", name.start(), 0)
        return False

    def declared_problems(self, start: int, is_extern: bool) -> bool:
        while True:
            at = self.gap()
            name = WORD.match(self.code, at)
            if not name:
                raise self.error("bad-field", "the name of a problem is missing", at)
            self.at = name.end()
            if self.code.startswith("(", self.gap()):
                self.at = start  # a function that returns one
                return self.passed(start)
            problem = _Problem("problem", at, 0, name=name[0])
            if size := _SIZE.match(self.code, self.at):
                self.at = size.end()
            self.scopes[-1].names[name[0]] = Named("other", at, 0) if size else problem
            if self.taken("="):
                self.initialised(problem, is_array=bool(size))
            if self.is_list_over():
                return True

    def passed(self, start: int) -> bool:
        """Pass the word that stands here by, without looking at it."""
        word = WORD.match(self.code, start)
        assert word
        self.at = word.end()
        self.pass_by(word[0])
        return True

    def is_list_over(self) -> bool:
        """Take the comma or semicolon behind a declarator; whether it was the last. A text may end without one."""
        if self.is_over():
            self.before, self.is_fresh = [*self.before[1:], self.code.rstrip()[-1]], True
            return True
        if self.taken(","):
            return False
        if not self.taken(";"):
            raise self.error("bad-field", "; is missing", self.gap())
        self.sign(";", self.at - 1)
        self.pass_by(";")
        return True

    def initialised(self, problem: _Problem, *, is_array: bool) -> None:
        """`= {...}` of a problem, or of an array of them."""
        if compound := _COMPOUND.match(self.code, self.gap()):
            self.at = compound.end()
        start = self.gap()
        if not self.taken("{"):
            raise self.untold(f"what {problem.name} begins with", start)
        if not is_array:
            self.problems.append(self.fields(problem))
            return
        number = 0
        while not self.taken("}"):
            number += 1
            at = self.gap()
            if not self.taken("{"):
                raise self.error("wrong-type", "expected a problem in braces", at)
            self.problems.append(self.fields(_Problem("problem", at, 0, name=f"{problem.name}{number}")))
            self.comma()

    def declared_values(self, kind: str) -> bool:
        """Maps or words, each with its value."""
        while True:
            at = self.gap()
            name = WORD.match(self.code, at)
            if not name:
                return False
            self.at = name.end()
            if self.code.startswith("(", self.gap()):
                self.before, self.is_fresh = [*self.before[1:], name[0]], False
                return True
            if size := _SIZE.match(self.code, self.at):
                self.at = size.end()
            known = self.scopes[-1].names[name[0]] = Named(kind, at, 0)
            if kind == "map":
                self.maps.append((name[0], known))
            if self.taken("="):
                known.value = self.ended_value(self.map if kind == "map" else self.word)
            elif not self.code.startswith(_ENDS, self.gap()):
                known.value = Unknown("it is no constant")
            if isinstance(known.value, Unknown) or not self.code.startswith(_ENDS, self.next_at(self.at)):
                self.before, self.is_fresh = [*self.before[1:], "="], False
                return True
            if self.is_list_over():
                return True

    def assigned(self, problem: _Problem, name: str, at: int) -> None:
        """`p.monsters = ...`, `p.rows[2] = ...`, `p = (problem){...}`."""
        if not self.is_sure(name):
            raise self.untold("whether this is done", at)
        if self.taken("="):
            problem.words, problem.clues = {}, {}
            if compound := _COMPOUND.match(self.code, self.gap()):
                self.at = compound.end()
            if not self.taken("{"):
                raise self.untold(f"what {name} becomes", self.gap())
            self.fields(problem)
        else:
            found = _FIELD_SET.match(self.code, self.gap())
            if not found or found["access"] == "->":
                raise self.error("bad-field", f"expected a field of {name} and = here", self.gap())
            if found["field"] not in _FIELDS:
                raise self.error("unknown-key", "the struct has no such field", found.start("field"))
            self.at = found.end()
            self.field_assigned(problem, found, at)
        if problem not in self.problems:
            self.problems.append(problem)
        if not self.taken(";"):
            raise self.error("bad-field", "; is missing", self.gap())
        self.pass_by(";")

    def field_assigned(self, problem: _Problem, found: re.Match[str], at: int) -> None:
        key, part = found["field"], found["part"].strip()
        if found["sets"] not in ("=", "|="):
            raise self.error("unknown-name", "only = and |= can be followed here", found.start("sets"))
        if key in _FIELDS[:2] and not part:
            start = self.gap()
            before = problem.words.get(key, (0, start))[0] if found["sets"] == "|=" else 0
            problem.words[key] = before | self.word(), start
        elif part and found["sets"] == "=":
            self.clue(problem, key, part, found.start("part"))
        else:
            raise self.error("wrong-type", "clues are set one by one, or in the initialiser", at)

    def clue(self, problem: _Problem, key: str, part: str, at: int) -> None:
        """`p.rows[2] = 3`."""
        line = self.constant(part[1:-1])
        if key not in _FIELDS[2:] or line is None or line >= SIDE:
            raise self.error("wrong-type", f"expected the number of a clue, 0 to {SIDE - 1}", at)
        clues = problem.clues.setdefault(key, [])
        clues += [(0, at)] * (line + 1 - len(clues))
        clues[line] = self.number()

    def changed(self, known: Named, name: str, behind: int) -> bool:
        """`monsters[5] = 1;`, `word = 0x20;`, `word |= 1;`: whether this is what stands here."""
        if known.kind == "map":
            found = _ITEM_SET.match(self.code, self.next_at(behind))
        else:
            found = _WORD_SET.match(self.code, self.next_at(behind))
        if not found:
            known.value = Unknown("what is done to it here cannot be told without running this")
            return False
        self.at = found.end()
        value = self.ended_value(self.word)
        if isinstance(value, Unknown) or not self.is_sure(name):
            known.value = Unknown("what is set here cannot be told without running this")
        elif known.kind == "map":
            cell = self.constant(found["index"])
            if cell is None or cell >= CELLS:
                known.value = Unknown("what is set here cannot be told without running this")
            elif not isinstance(known.value, Unknown):
                known.value = known.value | 1 << cell if value else known.value & ~(1 << cell)
        elif found[0] == "=":
            known.value = value
        elif not isinstance(known.value, Unknown):
            known.value |= value
        self.before, self.is_fresh = [*self.before[1:], "="], False
        return True

    # ------------------------------------------------------------ fields

    def fields(self, problem: _Problem, end: str = "}") -> _Problem:
        """The fields up to the closing brace, or to the end of the text."""
        index = 0
        while not self.ended(end):
            start = self.gap()
            index = self.designated(index)
            if index == len(self.order):
                raise self.error("trailing-data", f"the struct has only {self.count()} fields", start)
            key = self.order[index]
            if key not in _FIELDS:
                raise self.error("unknown-key", f"what {key[:40]} is for is not known", start)
            if key in problem.words or key in problem.clues:
                raise self.error("bad-field", "this field is there twice", start)
            if key in _FIELDS[:2]:
                at = self.gap()
                problem.words[key] = self.word(), at
            else:
                problem.clues[key] = self.numbers()
            index += 1
            self.comma(end)
        return problem

    def count(self) -> str:
        return "four" if len(self.order) == len(_FIELDS) else str(len(self.order))

    def designated(self, index: int) -> int:
        """The number of the field that `.name =` names; `index` if that does not stand here."""
        found = _DESIGNATOR.match(self.code, self.at)
        if not found:
            return index
        if found[1] not in _FIELDS or found[1] not in self.order:
            raise self.error("unknown-key", "the struct has no such field", found.start(1))
        self.at = found.end()
        return self.order.index(found[1])

    # ------------------------------------------------------------ results

    def entry(self, problem: _Problem) -> Entry:
        monsters, treasures = (problem.words.get(key, (0, 0))[0] for key in _FIELDS[:2])
        clues = {key: _padded_with_zeros(problem.clues.get(key, [])) for key in _FIELDS[2:]}
        for cell in grid.cells(monsters & treasures, SIDE)[:1]:
            message = f"r{cell[0] + 1}c{cell[1] + 1} holds both a monster and a treasure"
            raise self.error("monster-on-treasure", message, problem.words["treasures"][1])
        with located(lambda side, index: self.places.span(problem.clues[side][index][1])):
            for side in clues:
                alphabet.check_numbers(side, clues[side])
            puzzle = Puzzle(tuple(clues["rows"]), tuple(clues["columns"]), monsters, treasures, problem.name)
        return Entry(GAME_NAME, puzzle, None, problem.name, span=self.places.span(problem.at))


def _padded_with_zeros(numbers: Numbers) -> list[int]:
    return [value for value, _ in numbers] + [0] * (SIDE - len(numbers))


# ---------------------------------------------------------------- writing


def write_course(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """A `problem` struct, 8x8; a smaller puzzle is set into the top left corner of walls, its clues count them."""
    if board is not None:
        raise alphabet.refuse("the course's struct has no place for a board")
    if max(puzzle.height, puzzle.width) > SIDE:
        raise alphabet.refuse(f"the course's struct holds 8x8 cells, not {puzzle.height}x{puzzle.width}")
    rows, columns = _padded(puzzle.rows, puzzle.width), _padded(puzzle.columns, puzzle.height)
    monsters, treasures = (grid.to_mask(cells_, SIDE) for cells_ in (puzzle.monster_cells, puzzle.treasure_cells))
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
    return ",".join(str(clue) for clue in [*(clue + SIDE - across for clue in known), *[SIDE] * (SIDE - len(known))])
