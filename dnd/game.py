"""What the rest of the package expects of a game, and the registry of games.

A game is a folder with the same rooms as the others. Its `__init__.py` ends in `GAME`, an instance of a class derived
from `Game`: the value through which the front (`dnd.solve`, ...), the commands and the pytest plug-in use it. The
rooms are modules; a protocol below says what each must offer, so that mypy checks every room. Rooms are imported on
first use: converting a puzzle loads no solver.

Other packages add games through the entry-point group `dnd.games` (name = "package:GAME"): docs/adding-a-game.md.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from dnd.diagnostic import Cell, Diagnostic, InputError, Span, counted, input_error
from dnd.plugins import plug_ins
from dnd.rule import Rule
from dnd.texts.toml import Table

if TYPE_CHECKING:
    from dnd.kernels import Kernel
    from dnd.requests import Asked
    from dnd.testing.check import Check

# In the order in which they are asked whether a text is theirs: the first two claim only what no other game can read.
_OURS = {"pegs": "dnd.pegs", "suguru": "dnd.suguru", "dungeon": "dnd.dungeon"}

DEFAULT = "dungeon"  # whose a fixture or a request is that names no game
# Options of the verbs that only some games have; each game lists its own in `options`.
OPTIONS = ("seconds", "memory", "final", "frames", "log")


# ---------------------------------------------------------------------------------------------------------------
# Values.


class Puzzle(Protocol):
    """A puzzle of any game: immutable, and it names its game."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def name(self) -> str:
        """The puzzle's name, "" for none."""

    @property
    def height(self) -> int:
        """Rows of the board."""

    @property
    def width(self) -> int:
        """Columns of the board."""


class Board(Protocol):
    """A board of any game, partial or complete."""

    def unknown_in(self, puzzle: Any, /) -> int:  # any: of the same game only
        """How much of the puzzle the board leaves open, in what `Game.missing` counts."""


P = TypeVar("P", bound=Puzzle)  # a game's puzzles
B = TypeVar("B", bound=Board)  # its boards
P_in = TypeVar("P_in", contravariant=True)
B_in = TypeVar("B_in", contravariant=True)
B_out = TypeVar("B_out", covariant=True)
S_out = TypeVar("S_out", covariant=True)  # its solutions


class Solution(Protocol[B_out]):
    """A solution of a puzzle of any game."""

    @property
    def puzzle(self) -> Puzzle:
        """What it is a solution of."""

    @property
    def board(self) -> B_out:
        """The solved board."""


@dataclass(frozen=True)
class Entry:
    """One puzzle as it was written in a text.

    puzzle, board: values of the game `game`. board: what the text has decided beyond the puzzle (a partial or complete
    board), None if nothing. expect: a fixture's expectations. table: its TOML table, for code that points into or
    rewrites the file. fields: the free key=value fields of a line. span: where the puzzle starts.
    """

    game: str
    puzzle: Any  # any: only a game's own code looks into its puzzles and boards, and knows their types
    board: Any = None
    name: str = ""
    expect: Mapping[str, Any] = field(default_factory=dict)  # any: readers check the type that goes with each key
    fields: Mapping[str, str] = field(default_factory=dict)
    span: Span = Span()
    table: Table | None = None


class Answer(Protocol):
    """A solver's answer: `Solutions`, or a type of the game's own that says more."""

    @property
    def count(self) -> int:
        """Solutions found."""

    @property
    def solutions(self) -> tuple[Solution[Board], ...]:
        """The solutions; each has a `.board`."""

    @property
    def nodes(self) -> int:
        """The kernel's measure of work."""

    @property
    def complete(self) -> bool:
        """Whether it is proved that there are no other solutions."""

    @property
    def good(self) -> bool:
        """Whether this is the desired answer, such as a unique solution."""

    @property
    def kind(self) -> str:
        """The one of `kinds` under which statistics count it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """All values of `kind`."""

    @property
    def picture(self) -> str:
        """If undecided, how far the search got; "" where there is nothing to show."""

    def words(self) -> str:
        """The answer in words."""

    def details(self) -> dict[str, object]:
        """What its JSON form has besides count, solutions, nodes and complete."""


if TYPE_CHECKING:

    class _Found(NamedTuple, Generic[S_out]):  # generic named tuples are there from Python 3.11 on
        count: int  # type: ignore[assignment]  # hides the method of tuples, which nobody needs here
        solutions: tuple[S_out, ...]
        nodes: int
        complete: bool

else:
    _Found = namedtuple("_Found", ("count", "solutions", "nodes", "complete"))


class Solutions(_Found[S_out], Generic[S_out]):
    """What a solver found.

    count: number of solutions found. solutions: these, in the kernel's order. nodes: the kernel's measure of work.
    complete: True when it is proved that there are no others; False when a limit stopped the search first.
    """

    __slots__ = ()

    @property
    def unique(self) -> bool:
        """True when there is exactly one solution, proved."""
        return self.count == 1 and self.complete

    @property
    def good(self) -> bool:
        """Whether there is a single solution."""
        return self.unique

    @property
    def kinds(self) -> tuple[str, ...]:
        """All values of `kind`."""
        return ("unique", "none", "many", "undecided")

    @property
    def kind(self) -> str:
        """The one of `kinds` under which statistics count it."""
        if self.count > 1:
            return "many"
        if not self.complete:
            return "undecided"
        return "unique" if self.count else "none"

    @property
    def picture(self) -> str:
        """Nothing more to show."""
        return ""

    def words(self) -> str:
        """The result in words."""
        if self.unique:
            return "1 solution, unique"
        if self.complete:
            return counted(self.count, "solution") if self.count else "no solution"
        if self.count == 0:
            return f"undecided after {counted(self.nodes, 'node')}"
        return f"{self.count:,} or more solutions"

    def details(self) -> dict[str, object]:
        """What its JSON form has besides count, solutions, nodes and complete: here, nothing."""
        return {}


class Step(Protocol):
    """One next step, and why it holds."""

    @property
    def technique(self) -> str:
        """Its code: a technique, or another kind of hint."""

    @property
    def sentence(self) -> str:
        """What follows, and from what."""

    @property
    def chain(self) -> tuple[Step, ...]:
        """The steps within: what follows from an assumption, or shows that a cell is wrong."""

    @property
    def evidence(self) -> str:
        """The picture without which the sentence cannot be checked, "" where there is none."""

    def as_json(self) -> dict[str, object]:
        """The stable JSON form; rows and columns count from 0."""


class Explanation(Protocol):
    """The steps from a puzzle as far as they lead."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, in order."""

    @property
    def solved(self) -> bool:
        """Whether they end in the solution."""

    @property
    def impossible(self) -> bool:
        """Whether they end in a proof that there is none."""

    @property
    def start(self) -> str:
        """The picture before the first step."""

    def pictures(self) -> Iterator[str]:
        """The picture after each step, "" where a step shows nothing."""

    @property
    def beyond(self) -> Step | None:
        """What a hint would say where the steps end; it can take longer than the steps."""

    @property
    def end(self) -> str:
        """The sentence after the last step."""


class Rating(Protocol):
    """How hard a puzzle is for a person."""

    @property
    def number(self) -> float | None:
        """The measure; None where there is none."""

    @property
    def level(self) -> str:
        """The measure in a word."""

    @property
    def told(self) -> str:
        """How the measure came about, in words."""

    @property
    def settled(self) -> bool:
        """Whether a puzzle with this rating is known to have a good answer (`Answer.good`)."""

    def _asdict(self) -> dict[str, object]: ...


class Outlook(Protocol):
    """Whether a board that breaks no rule can still be completed, or whether a proof holds."""

    @property
    def text(self) -> str:
        """In words."""

    @property
    def good(self) -> bool:
        """Whether nothing is lost, or the proof holds."""

    def _asdict(self) -> dict[str, object]: ...


# ---------------------------------------------------------------------------------------------------------------
# Rooms.


class FormatInfo(NamedTuple):
    """A format for people: what it holds, and who uses it ("" for this package only)."""

    what: str
    used_by: str = ""


class Notation(Protocol[P_in, B_in]):
    """The room `notation`: from texts to puzzles and back.

    LINE_FORMATS: those of FORMATS_IN that hold one puzzle a line, so that any whole lines can be read alone; the first
    is the game's own one-line notation. BYTE_FORMATS: those of FORMATS_OUT that are bytes and no lines; `write` gives
    them as text, one character per byte. SUFFIXES: file suffixes, with the format of such files if their content does
    not show one. FORMATS: all of these formats, and "toml", described for `dnd formats`.
    """

    @property
    def FORMATS(self) -> Mapping[str, FormatInfo]: ...

    @property
    def FORMATS_IN(self) -> tuple[str, ...]: ...
    @property
    def FORMATS_OUT(self) -> tuple[str, ...]: ...
    @property
    def LINE_FORMATS(self) -> tuple[str, ...]: ...
    @property
    def BYTE_FORMATS(self) -> tuple[str, ...]: ...
    @property
    def SUFFIXES(self) -> Mapping[str, str]: ...

    def read_table(self, table: Table) -> Entry:
        """A fixture's TOML table."""

    def detect(self, data: bytes) -> str | None:
        """The name of the format that these bytes are in, None if they are not this game's."""

    def guess(self, data: bytes) -> str | None:
        """For bytes that no game has detected, a hint which format they may be in."""

    def read(self, data: bytes, format: str, file: str = "") -> Iterator[Entry]:
        """Entries, one by one as they are read."""

    def write(self, puzzle: P_in, board: B_in | None, name: str, format: str) -> str:
        """A puzzle, and the cells that a board has decided."""


@dataclass(frozen=True)
class AnswerForm:
    """How programs that read this format are expected to print their answers.

    write(number, puzzle, boards) -> what is printed for a puzzle with these solutions, without the last line's end;
    number: of the puzzles before it. None: the form cannot express it.
    method, limit: what such a program looks for, as `solve` takes it.
    """

    write: Callable[[int, Any, Sequence[Any]], str | None]  # a puzzle and boards of the form's game
    method: str = "auto"
    limit: int | None = 2


class Solver(Protocol[P_in]):
    """The room `solver`. METHODS: what `solve` takes as method, "auto" among them.

    `solve` and `solve_runs` take limit, method, max_nodes, kernel, stop and the game's `options`; `solve` board too.
    """

    @property
    def METHODS(self) -> tuple[str, ...]: ...

    @property
    def solve(self) -> Callable[..., Answer]:
        """solve(puzzle, limit, method, *, board, ...)"""

    @property
    def solve_runs(self) -> Callable[..., Iterator[Sequence[Answer]]]:
        """`solve` for several puzzles: lists of results in order, each list as soon as it is there."""

    @property
    def count(self) -> Callable[..., Answer]:
        """count(puzzle, limit, *, max_nodes, ...)"""

    def is_unique(self, puzzle: P_in) -> bool:
        """Whether there is exactly one solution, proved."""

    def backbone(self, puzzle: P_in) -> Board | None:
        """The board of what all solutions share, None where there is no solution."""

    def candidates(self, puzzle: P_in) -> Sequence[Iterable[int]] | None:
        """The values of each cell in some solution, () where the backbone says as much; None: there is no solution."""

    def engine(self, height: int, width: int, kernel: str | None = None) -> Kernel:
        """The kernel that solves boards of this shape."""


class Judge(Protocol[P_in, B_out]):
    """The room `rules`. What forms of boards it takes is the game's own affair."""

    def all_rules(self) -> tuple[Rule, ...]:
        """The validators in order, those of plug-ins last."""

    def check(self, puzzle: P_in, board: Any, rules: Iterable[str] | None = None) -> list[Diagnostic]:
        """What a board, in any form that `as_board` takes, does wrong by the rules of those codes, None for all."""

    def as_board(self, puzzle: P_in, board: Any) -> B_out:
        """A board in any form as the game's board."""


class Explainer(Protocol):
    """The room `explainer`. NEGATIVE: the techniques of negative hints: the board is wrong, or no step is left.

    `hints` and `explain` take `seconds` where the game has that option, `rate` takes `memory`.
    """

    @property
    def NEGATIVE(self) -> tuple[str, ...]: ...

    @property
    def hints(self) -> Callable[..., Iterator[Step]]:
        """hints(puzzle, board=None): the next steps from where a player is."""

    @property
    def explain(self) -> Callable[..., Explanation]:
        """explain(puzzle)"""

    @property
    def rate(self) -> Callable[..., Rating]:
        """rate(puzzle)"""


class Generator(Protocol):
    """The room `generator`. RANGES: what a request can ask for as `NAME=A-B`."""

    @property
    def RANGES(self) -> tuple[str, ...]: ...

    def parse_request(self, text: str) -> Asked:
        """The arguments of `generate` that a request asks for."""

    @property
    def generate(self) -> Callable[..., Iterator[Puzzle]]:
        """generate(**arguments): new puzzles, whose names say how to make them again."""

    @property
    def rating_of(self) -> Callable[..., Rating]:
        """rating_of(puzzle): the rating of a puzzle that was made here."""


class Sketch(Protocol):
    """A drawing as a puzzle, and the verdict on it."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle made from it."""

    @property
    def board(self) -> Board:
        """The drawing, complete."""

    @property
    def faults(self) -> Sequence[Diagnostic]:
        """What it does wrong."""

    @property
    def unique(self) -> bool | None:
        """Whether the puzzle has no other solution; None if it is illegal or the proof was given up."""

    @property
    def other(self) -> Solution[Board] | None:
        """A second solution, None if there is none or it is not known."""

    @property
    def differing(self) -> tuple[Cell, ...]:
        """The cells in which the drawing and the second solution differ."""


class Cure(Protocol):
    """A single cell that, changed, makes a sketch's puzzle unique."""

    @property
    def cell(self) -> Cell:
        """The cell."""

    @property
    def becomes(self) -> str:
        """What it becomes, in a word."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What else changes with it, in words."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle then."""

    @property
    def board(self) -> Board:
        """The drawing then."""

    @property
    def proved(self) -> bool:
        """False where the proof was given up."""


class Minimal(Protocol):
    """A puzzle with no more clues than it needs."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""

    @property
    def certain(self) -> bool:
        """False where a proof was given up that might allow fewer."""

    @property
    def clues(self) -> int:
        """How many are left."""

    @property
    def gone(self) -> Mapping[str, Sequence[int]]:
        """Those that are gone: their numbers, from 0, by the name of the side."""


class Completions(Protocol):
    """Ways to finish a half-drawn puzzle, as an iterator of solutions; the rest is what is known so far."""

    def __iter__(self) -> Iterator[Solution[Board]]: ...

    @property
    def exhausted(self) -> bool:
        """Whether it is proved that there are no others."""

    @property
    def nodes(self) -> int:
        """The work done."""

    @property
    def legal(self) -> int:
        """Legal ways that were looked at, unique or not."""

    @property
    def undecided(self) -> int:
        """Those whose proof was given up."""

    @property
    def always_cells(self) -> tuple[Cell, ...]:
        """Cells in which every way has a second solution; () if none are known."""


class Setters(Protocol):
    """The room `setters`: tools for people who draw their own puzzles."""

    def is_sketch(self, text: str) -> bool:
        """Whether a text is drawings without clues and nothing else."""

    def read_sketches(self, text: str, file: str) -> Iterator[Entry]:
        """The drawings of such a text."""

    @property
    def blank(self) -> Callable[..., Board]:
        """blank(puzzle): the board on which nothing is drawn."""

    @property
    def clues(self) -> Callable[..., Sketch]:
        """clues(puzzle, board, monsters, *, max_nodes): what a drawing's puzzle is worth."""

    @property
    def cures(self) -> Callable[..., Iterator[Cure]]:
        """cures(sketch, *, max_nodes): single changes that make it unique."""

    @property
    def minimise(self) -> Callable[..., Minimal]:
        """minimise(puzzle, *, max_nodes): one way to leave out clues that are not needed."""

    @property
    def minimal_sets(self) -> Callable[..., Iterator[Minimal]]:
        """minimal_sets(puzzle, *, max_nodes): all ways to do so, smallest first."""

    @property
    def completions(self) -> Callable[..., Completions]:
        """completions(puzzle, board, *, seed, most_monsters, max_nodes, check_nodes, stop)"""


class Testing(Protocol):
    """The room `testing`: checks of fixtures, and the judge of other people's solvers, for the pytest plug-in."""

    def checks(self, entry: Entry, kernels: Sequence[str]) -> Iterable[Check]:
        """The checks that the entry's expectations allow, on those kernels ("c", "py")."""

    def question(self, entry: Entry, form: str) -> str | None:
        """The puzzle as other people's solvers read it: "ddn", or "course" (`InputError` if that cannot hold it).

        None when the entry expects nothing of a solver.
        """

    def answers(self, entry: Entry, form: str, output: str) -> Sequence[object]:
        """What such a solver printed, asked in that form, as `judge` takes it."""

    @property
    def boards(self) -> Callable[..., Iterator[Board]]:
        """boards(puzzle, result): the boards in what a solver that is a Python function returned."""

    @property
    def judge(self) -> Callable[..., Iterator[str]]:
        """judge(entry, answers): a text for each wrong, missing or superfluous board among a solver's answers."""


# ---------------------------------------------------------------------------------------------------------------
# The game.


class Game(ABC, Generic[P, B]):
    """A game: its name, its rooms, and how its boards are shown. Optional rooms are None.

    options: those of `OPTIONS` that it has. With "seconds" its solver, hints, explanations and outlook take
    them, with "memory" its solver and ratings; the others are methods of the game.
    slow: a puzzle may take seconds, so each is a job of its own.
    missing: what `board.unknown_in(puzzle)` counts, in words, many of them.
    """

    name: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()
    slow: ClassVar[bool] = False
    missing: ClassVar[str] = "cells unknown"

    @property
    @abstractmethod
    def notation(self) -> Notation[P, B]:
        """Reading and writing."""

    @property
    @abstractmethod
    def solver(self) -> Solver[P]:
        """Solving."""

    @property
    @abstractmethod
    def rules(self) -> Judge[P, B]:
        """Judging."""

    @property
    def explainer(self) -> Explainer | None:
        """Hints, explanations, ratings."""
        return None

    @property
    def generator(self) -> Generator | None:
        """New puzzles."""
        return None

    @property
    def setters(self) -> Setters | None:
        """Tools for people who draw their own."""
        return None

    @property
    def answers(self) -> Mapping[str, AnswerForm]:
        """By input formats whose setters expect a program to print its answers in a certain form: that form."""
        return {}

    @property
    def testing(self) -> Testing | None:
        """Checks of fixtures, and the judge of other people's solvers."""
        return None

    @abstractmethod
    def draw(self, puzzle: P, board: B | None = None) -> str:
        """The picture in text; without a board that of the bare puzzle."""

    def frames(self, puzzle: P, board: B) -> Iterator[str]:
        """Pictures that lead from the puzzle to the board step by step."""
        raise self.lacks("frames")

    def log(self, path: str, result: Answer, seconds: float) -> None:
        """Append a result to a log as the game's model program keeps it."""
        raise self.lacks("log")

    def outlook(self, puzzle: P, board: B, **options: Any) -> Outlook | None:
        """Whether a board that breaks no rule can still be completed; None if the game does not examine that."""
        return None

    def read_proofs(self, data: bytes, file: str) -> Iterator[object]:
        """The proofs of a file that puzzles have no solution."""
        raise self.lacks("proofs")

    def verify(self, puzzle: P, proof: Any) -> Outlook:
        """Whether such a proof holds."""
        raise self.lacks("proofs")

    def untouched(self, puzzle: P) -> B | None:
        """The board on which nothing was done yet, where that can be judged like any other."""
        return None

    def ending_at(self, puzzle: P, cell: Cell) -> P:
        """The puzzle with a demand on the last move's cell (the option "final")."""
        raise self.lacks("option --final")

    def one_line(self, puzzle: P, board: B | None = None) -> str:
        """A puzzle, and a board if given, in the game's one-line notation."""
        return self.notation.write(puzzle, board, "", self.notation.LINE_FORMATS[0])

    def lacks(self, what: str) -> InputError:
        """The error for what this game does not offer."""
        return input_error("not-offered", f"the game {self.name} has no {what}")


# A game whose types of puzzles and boards are not known.
AnyGame = Game[Any, Any]


# ---------------------------------------------------------------------------------------------------------------
# The registry.


def game_names() -> tuple[str, ...]:
    """Names of all games: ours, then those of other packages."""
    return (*_OURS, *(point.name for point in plug_ins("dnd.games") if point.name not in _OURS))


@cache
def game(name: str) -> AnyGame:
    """The game of that name; `KeyError` if there is none. Imports its package."""
    if name in _OURS:
        ours: AnyGame = importlib.import_module(_OURS[name]).GAME
        return ours
    for point in plug_ins("dnd.games"):
        if point.name == name:
            theirs = point.load()
            if not isinstance(theirs, Game):
                raise RuntimeError(f"the entry point {point.name} = {point.value} of dnd.games is not a dnd.game.Game")
            return theirs
    raise KeyError(name)


def games() -> Iterator[AnyGame]:
    """All games, ours first; those of other packages are looked up only if the caller iterates that far."""
    yield from map(game, _OURS)
    yield from (game(name) for name in game_names() if name not in _OURS)


def game_of(puzzle: object) -> AnyGame:
    """The game that a value belongs to. Raises TypeError for what is not a puzzle of a known game."""
    try:
        return game(puzzle.game)  # type: ignore[attr-defined]
    except (AttributeError, KeyError, TypeError):
        raise TypeError(f"not a puzzle: {_shown(puzzle)}") from None


def foreign(puzzle: object, name: str) -> Exception:
    """The error for what is not a puzzle of the game `name`: `InputError` for one of another game, else TypeError."""
    try:
        other = game_of(puzzle).name
    except TypeError as error:
        return error
    hint = f"dnd.{other} and dnd itself have functions of the same names"
    return input_error("foreign-puzzle", f"expected a puzzle of the game {name}, not one of {other}", hint=hint)


def check_own(puzzle: object, name: str) -> None:
    """Raise `foreign` unless the value is a puzzle of the game `name`."""
    if getattr(puzzle, "game", None) != name:
        raise foreign(puzzle, name)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."
