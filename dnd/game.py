"""What a game offers to the rest of the package, and the registry of games.

A game is a folder with the same rooms as the others; its `__init__.py` ends in `GAME = Game(...)`, the one
value that readers, commands and the pytest plug-in know. Other packages add games through the entry-point
group `dnd.games` (name = "package:GAME").
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from dnd.diagnostic import Diagnostic, Span
from dnd.texts.toml import Table

# In the order in which they are asked whose a text is: the first two claim only what can be nothing else.
_OURS = {"pegs": "dnd.pegs", "suguru": "dnd.suguru", "dungeon": "dnd.dungeon"}


@dataclass(frozen=True)
class Entry:
    """One puzzle as it stood in a text.

    board: what the text has decided beyond the puzzle (a partial or complete board), None if nothing.
    expect: a fixture's expectations. table: its TOML table, for those who point into or rewrite the file.
    fields: the free key=value fields of a line. span: where the puzzle starts.
    """

    game: str
    puzzle: Any
    board: Any = None
    name: str = ""
    expect: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    span: Span = Span()
    table: Table | None = None


class Answer(Protocol):
    """What a game's solver answers; `Solutions`, unless the game's answers say more.

    It may have a `picture` besides: where it is undecided, how far it has got.
    """

    @property
    def count(self) -> int:
        """Solutions found."""

    @property
    def solutions(self) -> tuple[Any, ...]:
        """Them; each has a `.board`."""

    @property
    def nodes(self) -> int:
        """The kernel's measure of work."""

    @property
    def complete(self) -> bool:
        """Whether it is proved that there are no other solutions."""

    @property
    def good(self) -> bool:
        """Whether this is the answer that people hope for."""

    @property
    def kind(self) -> str:
        """Under which of `kinds` statistics count it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """All that `kind` may be."""

    def words(self) -> str:
        """What the answer says, for people."""

    def details(self) -> dict[str, Any]:
        """What its JSON form has beside count, solutions, nodes and complete."""


class Solutions(NamedTuple):
    """What a solver found.

    count: solutions found. solutions: them, in the kernel's order. nodes: the kernel's measure of work.
    complete: True when it is proved that there are no others; False when a limit stopped the search first.
    """

    count: int  # type: ignore[assignment]  # hides the method of tuples, which nobody needs here
    solutions: tuple[Any, ...]
    nodes: int
    complete: bool

    @property
    def unique(self) -> bool:
        """True when there is exactly one solution, proved."""
        return self.count == 1 and self.complete

    @property
    def good(self) -> bool:
        """Whether there is a single solution, which is what people hope for."""
        return self.unique

    @property
    def kinds(self) -> tuple[str, ...]:
        """All that `kind` may be."""
        return ("unique", "none", "many", "undecided")

    @property
    def kind(self) -> str:
        """Under which of `kinds` statistics count it."""
        if self.count > 1:
            return "many"
        if not self.complete:
            return "undecided"
        return "unique" if self.count else "none"

    def words(self) -> str:
        """What the result says."""
        if self.unique:
            return "1 solution, unique"
        if self.complete:
            return f"{self.count} solutions" if self.count else "no solution"
        if self.count == 0:
            return f"undecided after {self.nodes} nodes"
        return f"{self.count} or more solution{'' if self.count == 1 else 's'}"

    def details(self) -> dict[str, Any]:
        """What its JSON form has beside count, solutions, nodes and complete: here, nothing."""
        return {}


@dataclass(frozen=True)
class Rule:
    """A named validator: `check(puzzle, board)` yields what `board`, complete or partial, does wrong."""

    code: str
    text: str
    check: Callable[[Any, Any], Iterator[Diagnostic]]


@dataclass(frozen=True)
class Check:
    """One thing that a fixture lets be tested: an item of the pytest plug-in.

    name: the item's id behind the fixture's name, such as "solve-c". key: the expectation it is about.
    run() yields a text for each thing that is wrong.
    update() gives the expectations to rewrite, with what was found, ValueError if that cannot be right; None: the
    check is not about an expectation that a program may write.
    marks: names of pytest markers. words: what `-k` finds the item by beside its name. skip: why it cannot run.
    """

    name: str
    key: str
    run: Callable[[], Iterator[str]]
    update: Callable[[], Mapping[str, Any]] | None = None
    marks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    skip: str = ""


@dataclass(frozen=True)
class AnswerForm:
    """How the setters of an input format expect a program to print its answers.

    write(number, puzzle, boards) -> what is printed for a puzzle with these solutions, without the last line's end;
    number: of the puzzles before it. None: the form has no words for it.
    method, limit: what such a program looks for, as `solve` takes it.
    """

    write: Callable[[int, Any, Sequence[Any]], str | None]
    method: str = "auto"
    limit: int | None = 2


class Fixtures(Protocol):
    """What the room `testing.py` of a game offers to the pytest plug-in."""

    def checks(self, entry: Entry, kernels: Sequence[str]) -> Iterable[Check]:
        """What the entry's expectations let be tested, on those kernels ("c", "py")."""

    def question(self, entry: Entry, form: str) -> str | None:
        """The puzzle as other people's solvers read it: "ddn", or "course" (`InputError` if that cannot hold it).

        None when the entry expects nothing of a solver.
        """

    def answers(self, entry: Entry, form: str, output: str) -> list[Any]:
        """What such a solver printed, asked in that form, as `judge` takes it."""

    def boards(self, puzzle: Any, result: Any) -> Iterator[Any]:
        """The boards in what a solver that is a Python function returned."""

    def judge(self, entry: Entry, answers: Sequence[Any]) -> Iterator[str]:
        """A text for each wrong, missing or superfluous board among a solver's answers."""


@dataclass(frozen=True)
class Game:
    """The doors of a game's rooms. A puzzle knows the game it belongs to: `puzzle.game` is the game's name.

    Reading and writing:
    read_table(table) -> Entry: a fixture's TOML table.
    detect(data) -> the name of the format that these bytes are in, None if they are not this game's.
    read(data, format, file) -> Entries, one by one as they are read.
    write(puzzle, board, name, format) -> text; board may be None.
    line_formats: those of formats_in that hold one puzzle a line, so that any whole lines can be read alone; the
    first is the game's own one-line notation.
    byte_formats: those of formats_out that are bytes and no lines; `write` gives them as text, a character a byte.
    suffixes: of files' names, with the format of files called so whose content shows none.
    guess(data) -> for bytes that no game has detected, a hint which format they may be in, or None.

    Solving, as the functions of these names in `dnd.dungeon.solver`: solve, solve_runs, count, backbone (None where
    solutions have no cells to compare).
    methods: what `solve` takes as method, "auto" among them.
    options: what `solve` and `solve_runs` take beside limit, method, max_nodes, kernel and stop. Where seconds is among
    them outlook, hints and explain take it too; where memory is, rate; where final is, puzzles have such a field.
    slow: a puzzle may take seconds, so that each is a job of its own.
    candidates(puzzle) -> the values of each cell in some solution, where cells have more than two; else None.
    engine(height, width, kernel) -> the kernel module that solves such boards.

    Judging and showing:
    rules() -> the validators in order, those of plug-ins last. check(puzzle, board, rules) -> Diagnostics.
    as_board(puzzle, board) -> a board in any form as the game's board; missing: what `board.unknown_in(puzzle)` counts.
    draw(puzzle, board) -> a picture in text; board None: the bare puzzle. Solutions have `.board`.

    frames(puzzle, board) -> pictures that lead from the puzzle to the board step by step, or None.
    log(path, result, seconds) appends a result to a log as the game's model program keeps it, or None.
    outlook(puzzle, board) -> what may still come of a board that has no fault: `.text`, `.good`; or None.
    read_proofs(data, file) -> the proofs of a file that puzzles have no solution; None where there are no such proofs.
    verify(puzzle, proof) -> whether one holds: `.text`, `.good`.
    answers: by input formats whose setters expect a program to print its answers in a certain form: that form.

    Explaining and generating; None where the game does not offer it:
    hints(puzzle, board) -> the next steps from a board, None: from the puzzle. negative_hints: the techniques of those
    that say no: the board is wrong, or there is no way on.
    explain(puzzle) -> `.steps`, `.solved`, and `.end`, what to say behind them, or `.impossible`, whether the last step
    is that there is no solution, and `.board`, where they lead.
    rate(puzzle) -> number, level, hardest, counts. requested(text) -> arguments of `generate(**arguments)`,
    which yields puzzles whose names say how to make them again.

    fixtures() -> the room of the pytest plug-in, imported only then; None: the game's fixtures cannot be tested.
    """

    name: str
    read_table: Callable[[Table], Entry]
    detect: Callable[[bytes], str | None]
    read: Callable[[bytes, str, str], Iterator[Entry]]
    write: Callable[[Any, Any, str, str], str]
    formats_in: tuple[str, ...]
    formats_out: tuple[str, ...]
    line_formats: tuple[str, ...]
    solve: Callable[..., Any]
    solve_runs: Callable[..., Iterator[list[Any]]]
    count: Callable[..., Any]
    backbone: Callable[[Any], Any] | None
    engine: Callable[[int, int, str | None], ModuleType]
    methods: tuple[str, ...]
    rules: Callable[[], tuple[Rule, ...]]
    check: Callable[..., list[Diagnostic]]
    as_board: Callable[[Any, Any], Any]
    draw: Callable[[Any, Any], str]
    byte_formats: tuple[str, ...] = ()
    suffixes: Mapping[str, str] = field(default_factory=dict)
    guess: Callable[[bytes], str | None] | None = None
    missing: str = "cells unknown"
    options: tuple[str, ...] = ()
    slow: bool = False
    candidates: Callable[[Any], Any] | None = None
    frames: Callable[[Any, Any], Iterator[str]] | None = None
    log: Callable[[str, Any, float], None] | None = None
    outlook: Callable[[Any, Any], Any] | None = None
    read_proofs: Callable[[bytes, str], Iterator[Any]] | None = None
    verify: Callable[[Any, Any], Any] | None = None
    answers: Mapping[str, AnswerForm] = field(default_factory=dict)
    hints: Callable[[Any, Any], Iterator[Any]] | None = None
    negative_hints: tuple[str, ...] = ()
    explain: Callable[[Any], Any] | None = None
    rate: Callable[[Any], Any] | None = None
    requested: Callable[[str], dict[str, Any]] | None = None
    generate: Callable[..., Iterator[Any]] | None = None
    fixtures: Callable[[], Fixtures] | None = None

    def one_line(self, puzzle: Any, board: Any = None) -> str:
        """A puzzle, and a board if given, in the game's one-line notation."""
        return self.write(puzzle, board, "", self.line_formats[0])


def door(module: str, name: str) -> Callable[..., Any]:
    """The function `name` of a module that is imported when the function is first called."""

    def enter(*arguments: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(module), name)(*arguments, **options)

    return enter


def plug_ins(group: str) -> Iterable[Any]:
    """The entry points of a group; `.load()` brings what they name."""
    # Imported here: it takes as long as all of `dnd` to start, and the main job has no use for it.
    from importlib import metadata

    return metadata.entry_points(group=group)


def with_plug_ins(rules: Sequence[Rule], group: str) -> tuple[Rule, ...]:
    """A game's rules in their order, then those of plug-ins.

    Raises RuntimeError when a plug-in is no Rule or takes a code that is in use.
    """
    found = list(rules)
    for point in plug_ins(group):
        rule = point.load()
        if not isinstance(rule, Rule):
            raise RuntimeError(f"the entry point {point.name} = {point.value} of {group} is no dnd.game.Rule")
        if rule.code in {other.code for other in found}:
            raise RuntimeError(f"the plug-in rule {rule.code!r} ({point.value}) takes a code that is in use")
        found.append(rule)
    return tuple(found)


def judged(rules: Sequence[Rule], codes: Iterable[str] | None, puzzle: Any, board: Any) -> list[Diagnostic]:
    """What a board does wrong by the rules of those codes, None for all; ValueError for an unknown code."""
    wanted = {rule.code for rule in rules} if codes is None else {codes} if isinstance(codes, str) else set(codes)
    if unknown := wanted - {rule.code for rule in rules}:
        known = ", ".join(rule.code for rule in rules)
        raise ValueError(f"no rule {', '.join(map(repr, sorted(unknown)))}; there are {known}")
    return [diagnostic for rule in rules if rule.code in wanted for diagnostic in rule.check(puzzle, board)]


def game_names() -> tuple[str, ...]:
    """Names of all games: ours, then those of other packages."""
    return (*_OURS, *(point.name for point in plug_ins("dnd.games") if point.name not in _OURS))


def game(name: str) -> Game:
    """The game of that name; `KeyError` if there is none. Its modules are imported only now."""
    if name in _OURS:
        ours: Game = importlib.import_module(_OURS[name]).GAME
        return ours
    for point in plug_ins("dnd.games"):
        if point.name == name:
            theirs: Game = point.load()
            return theirs
    raise KeyError(name)


def games() -> Iterator[Game]:
    """All games, ours first; those of other packages are looked up only if the caller goes on so far."""
    yield from map(game, _OURS)
    yield from (game(name) for name in game_names() if name not in _OURS)
