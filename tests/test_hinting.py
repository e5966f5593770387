"""Hints by deduction, with a game made up for it; and what steps, explanations and ratings of all games have."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import pytest

import dnd
from conftest import ROOT
from dnd import hinting
from dnd.dungeon import explainer as dungeon
from dnd.game import game
from dnd.hinting import HORIZON, IMPOSSIBLE, LEVELS, SEARCH, SOLVED, WRONG, path_to, trimmed
from dnd.pegs import explainer as pegs
from dnd.pegs.puzzle import Puzzle as Pegs
from dnd.pegs.solver import UNDECIDED
from dnd.reading import loads
from dnd.suguru import explainer as suguru
from dnd.suguru.puzzle import Board, picture

# A game of one row: its solutions, and from which cells a person can tell which other ones. A board is a string.


class Row(NamedTuple):
    solutions: tuple[str, ...]
    width: int
    sources: dict[int, tuple[int, ...]]  # cells by what is known of others, in the order in which they are looked at
    refuted: bool = False  # whether deduction sees that there is no solution


Mark = hinting.Mark[str]


@dataclass(frozen=True)
class Step(hinting.Step[str]):
    placed: tuple[Mark, ...] = ()
    removed: tuple[Mark, ...] = ()
    sources: tuple[Mark, ...] = ()
    chain: tuple[Step, ...] = ()
    from_board: str = ""

    @property
    def conclusions(self) -> hinting.Claims[str]:
        return self.placed, self.removed

    @property
    def premises(self) -> hinting.Claims[str]:
        return self.sources, ()


class Explanation(hinting.Explanation[Row, str, Step]):
    def boards(self) -> Iterator[str]:
        board = self.known
        for step in self.steps:
            for mark in step.placed:
                board = Guide().with_mark(board, mark)
            yield board

    def drawn(self, board: str) -> str:
        return f"|{board}|"

    def onward(self) -> Iterator[Step]:
        asked.append(self.board)
        return Guide().hints(self.puzzle, self.board)


asked: list[str] = []  # the boards from where hints went on


class Guide(hinting.Guide[Row, str, str, Step]):
    marks, decided, unknown = "letters", "written", "blank"

    def explain(self, puzzle: Row, board: str) -> Explanation:
        steps: list[Step] = []
        known = board
        if puzzle.refuted:
            return Explanation(puzzle, known, (Step(IMPOSSIBLE, "it is refuted"),), known, False)
        while True:
            ready = [
                cell
                for cell, sources in puzzle.sources.items()
                if board[cell] == "." and all(board[source] != "." for source in sources)
            ]
            if not ready:
                return Explanation(puzzle, known, tuple(steps), board, "." not in board)
            mark = (0, ready[0]), puzzle.solutions[0][ready[0]]
            sources = tuple(((0, source), board[source]) for source in puzzle.sources[ready[0]])
            steps.append(Step("told", f"{ready[0]} is told", (mark,), (), sources))
            board = self.with_mark(board, mark)

    def solutions(self, puzzle: Row, limit: int, board: str | None = None) -> Sequence[str]:
        fits = (
            each
            for each in puzzle.solutions
            if board is None or all(b in (".", s) for b, s in zip(board, each, strict=True))
        )
        return list(fits)[:limit]

    def shared(self, puzzle: Row, board: str) -> Mark | None:
        for cell, column in enumerate(zip(*self.solutions(puzzle, 99, board), strict=True)):
            if board[cell] == "." and len(set(column)) == 1:
                return (0, cell), column[0]
        return None

    def clash(self, puzzle: Row, right: str, mark: Mark) -> Step | None:
        return self.correction(mark, "that is no letter") if mark[1] == "!" else None

    def start(self, puzzle: Row) -> str:
        return "." * puzzle.width

    def compared(self, board: str, other: str) -> tuple[str, Sequence[Mark]]:
        common = "".join(one if one == two else "." for one, two in zip(board, other, strict=True))
        return common, [((0, cell), sign) for cell, sign in enumerate(board) if sign not in (".", other[cell])]

    def with_mark(self, board: str, mark: Mark) -> str:
        cell = mark[0][1]
        return board[:cell] + mark[1] + board[cell + 1 :]

    def step(
        self, technique: str, sentence: str, claims: hinting.Claims[str] = ((), ()), path: Sequence[Step] = ()
    ) -> Step:
        return Step(technique, sentence, *claims, path[-1].sources if path else (), tuple(path))

    def searched(self, step: Step, puzzle: Row, board: str) -> Step:
        return replace(step, from_board=board)


CHAIN = Row(("abcd",), 4, {0: (), 3: (), 1: (0,), 2: (1,)})


def told(puzzle: Row, board: str = "") -> list[tuple[str, str]]:
    return [(step.technique, step.sentence) for step in Guide().hints(puzzle, board or "." * puzzle.width)]


def test_deductions_lead_to_the_end() -> None:
    steps = [("told", f"{cell} is told") for cell in (0, 3, 1, 2)]
    assert told(CHAIN) == [*steps, (SOLVED, "every cell is written, and all is right")]
    assert told(CHAIN, "abc.") == [steps[1], (SOLVED, "every cell is written, and all is right")]


def test_search_where_deductions_end_and_then_they_go_on() -> None:
    puzzle = CHAIN._replace(sources={1: (0,), 2: (1,)})
    search = "no technique goes on from here; trying everything shows that"
    assert told(puzzle) == [
        (SEARCH, f"{search} r1c1 is a"),
        ("told", "1 is told"),
        ("told", "2 is told"),
        (SEARCH, f"{search} r1c4 is d"),
        (SOLVED, "every cell is written, and all is right"),
    ]
    steps = list(Guide().hints(puzzle, "...."))
    assert [step.from_board for step in steps] == ["....", "", "", "abc.", ""]
    assert steps[0].placed == (((0, 0), "a"),)


def test_several_solutions_are_said_beside_every_hint_but_the_last() -> None:
    several = " (the puzzle has several solutions; this holds in all that fit the board)"
    puzzle = Row(("abc", "abd"), 3, {0: ()})
    assert told(puzzle) == [
        ("told", f"0 is told{several}"),
        (SEARCH, f"no technique goes on from here; trying everything shows that r1c2 is b{several}"),
        (HORIZON, "the puzzle has several solutions, and they agree on no cell that is still blank"),
    ]
    assert told(puzzle, "abd") == [(SOLVED, f"every cell is written, and all is right{several}")]


@pytest.mark.parametrize(
    ("board", "sentence", "path"),
    [
        ("x...", "r1c1 cannot be x: 0 is told", [0]),
        (".x..", "r1c2 cannot be x: a step on, 1 is told", [0, 1]),
        ("..x.", "r1c3 cannot be x: 2 steps on, 2 is told", [0, 1, 2]),
        ("..xx", "r1c4 cannot be x: 3 is told", [3]),  # it shows first
        ("ab.x", "r1c4 cannot be x: 3 is told", [3]),
        (".bx.", "r1c3 cannot be x: 2 is told", [2]),
        ("x.!.", "r1c3 cannot be !: that is no letter", []),  # what everybody sees comes before all deductions
    ],
)
def test_a_wrong_cell_comes_first_with_the_steps_that_it_needs(board: str, sentence: str, path: list[int]) -> None:
    (step,) = Guide().hints(CHAIN, board)
    assert (step.technique, step.sentence) == (WRONG, sentence)
    assert [link.placed[0][0][1] for link in step.chain] == path
    assert step.removed == (((0, int(sentence[3]) - 1), sentence.partition(":")[0][-1]),)


def test_a_wrong_cell_that_only_trying_shows() -> None:
    (step,) = Guide().hints(CHAIN._replace(sources={}), ".bx.")
    assert step.sentence == "r1c3 cannot be x: trying everything shows that no solution has it"
    assert (step.from_board, step.chain) == (".b..", ())


def test_of_several_solutions_the_first_cell_that_leaves_none_is_wrong() -> None:
    (step,) = Guide().hints(Row(("ab", "ba"), 2, {}), "aa")
    assert step.sentence == (
        "r1c2 cannot be a: trying everything shows that no solution has it beside the letters before it"
    )
    assert step.from_board == "a."


def test_no_solution() -> None:
    assert told(Row((), 2, {}), "x.") == [(IMPOSSIBLE, "trying everything shows that there is no solution")]
    assert told(Row((), 2, {}, refuted=True)) == [(IMPOSSIBLE, "it is refuted")]
    (step,) = Guide().hints(Row((), 2, {}), "x.")
    assert step.from_board == ".."


def test_a_path_leaves_out_what_nothing_rests_on() -> None:
    steps = Guide().explain(CHAIN, "....").steps
    first, aside, second, third = steps
    assert path_to(steps, third) == [first, second, third]
    assert path_to(steps, second) == [first, second]
    assert path_to(steps, aside) == [aside]
    assert trimmed(steps, lambda step: step in (aside, second)) == [first, aside, second]
    assert trimmed(steps, lambda step: False) == []


def test_a_step_rests_on_what_was_removed_too() -> None:
    """And a value that stands is no ground for one that needs it removed."""
    gone = suguru.Step("a", "", removed=(((0, 0), 1),))
    stands = suguru.Step("b", "", placed=(((0, 0), 1),))
    last = suguru.Step("c", "", placed=(((0, 1), 1),), facts=suguru.Facts(removed=(((0, 0), 1),)))
    assert path_to([gone, stands, last], last) == [gone, last]


def test_what_a_step_refutes() -> None:
    step = Step("x", "", ((((0, 0), "a")),), (((0, 1), "b"),))
    marks = [((0, 0), "a"), ((0, 0), "c"), ((0, 1), "b"), ((0, 1), "c"), ((0, 2), "a")]
    assert list(step.refuted(marks)) == [marks[1], marks[2]]


def test_explanations() -> None:
    asked.clear()
    solved = Guide().explain(CHAIN, "a...")
    assert (solved.start, list(solved.pictures())) == ("|a...|", ["|a..d|", "|ab.d|", "|abcd|"])
    assert (solved.solved, solved.impossible, solved.beyond, solved.end) == (True, False, None, "solved, 3 steps")
    refuted = Guide().explain(Row((), 1, {}, refuted=True), ".")
    assert (refuted.impossible, refuted.beyond, refuted.end) == (True, None, "there is no solution, 1 step")
    assert asked == []


def test_what_is_beyond_an_explanation_is_asked_once() -> None:
    asked.clear()
    stuck = Guide().explain(Row(("ab",), 2, {0: ()}), "..")
    assert asked == []
    assert stuck.beyond == next(Guide().hints(stuck.puzzle, "a."))
    assert stuck.beyond is stuck.beyond
    assert stuck.end == f"the steps lead no further, 1 step: {stuck.beyond and stuck.beyond.sentence}"
    assert asked == ["a."]
    assert replace(stuck) == stuck


def test_ratings() -> None:
    some = hinting.Rating(7, "hard", "b", {"a": 3, "b": 1})
    assert (some.told, some.settled) == ("3 a, 1 b", True)
    none = hinting.Rating(0, LEVELS[-1], "", {})
    assert (none.told, none.settled) == ("no steps", False)


# What the command line asks of the values of every game.

EXPLAINED = {
    "22:22:2/2": ("solved", "solved, 2 steps"),
    "00:11:2/2": ("impossible", "there is no solution, 3 steps"),
    "....:....:4/4/4/4": (
        "stuck",
        "the steps lead no further, 0 steps: "
        "the puzzle has several solutions, and they agree on no cell that is still unknown",
    ),
    "...34.:.32...:1m4/6/6/3m2/6/m5": (
        "stuck",
        "the steps lead no further, 0 steps: trying everything shows that there is no solution",
    ),
    "3x1:AAA:2.3": ("solved", "solved, 1 step"),
    "3x1:ABC:...": (
        "impossible",
        "there is no solution, 2 steps",
    ),
    "3x1:AAA:2..": (
        "stuck",
        "the steps lead no further, 0 steps: "
        "the puzzle has several solutions, and they agree on no cell that is still empty",
    ),
    "3x1/oo.": ("solved", "solved, 1 move"),
    "5x1/o.o.o": ("impossible", "impossible"),
}


@pytest.mark.parametrize("line", EXPLAINED)
def test_explanations_of_all_games(line: str) -> None:
    (puzzle,) = loads(line)
    owner = game(puzzle.game)
    told: Any = dnd.explain(puzzle)
    kind, end = EXPLAINED[line]
    assert told.end == end
    assert (told.solved, told.impossible) == (kind == "solved", kind == "impossible")
    assert told.start == owner.draw(puzzle, None if puzzle.game == "pegs" else told.known)
    assert (told.beyond is not None) == (kind == "stuck")
    if told.beyond is not None:
        assert told.beyond == next(dnd.hints(puzzle, told.board))
    pictures = list(told.pictures())
    assert len(pictures) == len(told.steps)
    for step, shown in zip(told.steps, pictures, strict=True):
        assert isinstance(shown, str)
        assert isinstance(step.technique, str)
        assert isinstance(step.sentence, str)
        assert step.as_json()["sentence"] == step.sentence
        assert all(isinstance(link, type(step)) for link in step.chain)
        assert step.evidence == (shown if puzzle.game == "pegs" and not told.solved else "")


def test_explanations_begin_with_what_is_known() -> None:
    (puzzle,) = loads("3x1:AAA:2..")
    assert suguru.explain(puzzle).start == str(puzzle)
    told = suguru.explain(puzzle, (0, 1, 0))
    assert told.start == picture(puzzle, Board(1, 3, (2, 1, 0)))
    assert list(told.pictures()) == [picture(puzzle, Board(1, 3, (2, 1, 3)))]
    (dark,) = loads("22:22:2/2")
    assert dungeon.explain(dark).start.endswith("2??")
    assert dungeon.explain(dark, "?#\n##").start.endswith("2?#\n2##")


def test_an_undecided_explanation_has_nothing_beyond() -> None:
    told = pegs.Explanation(Pegs.of(["oo."]), (pegs.Step(UNDECIDED, "not found out"),), UNDECIDED)
    assert (told.solved, told.impossible, told.beyond, told.end) == (False, False, None, UNDECIDED)
    assert list(told.pictures()) == [""]


@pytest.mark.parametrize(
    ("line", "words", "settled"),
    [
        ("22:22:2/2", "4 line-full-of-floors", True),
        ("....:....:4/4/4/4", "no steps", False),
        ("3x1:AAA:2.3", "1 naked-single", True),
        ("3x1:AAA:2..", "no steps", False),
        ("2x1:AA:12", "no steps", True),
        ("3x1/oo.", "1 of 1 game wins", True),
        ("5x1/o.o.o", "", True),
    ],
)
def test_ratings_of_all_games(line: str, words: str, settled: bool) -> None:
    (puzzle,) = loads(line)
    rating: Any = dnd.rate(puzzle)
    assert (rating.told, rating.settled) == (words, settled)
    assert rating._asdict() == {key: getattr(rating, key) for key in ("number", "level", "hardest", "counts")}


def test_imports_point_down() -> None:
    """Each of these brings none of those above it along."""
    above = ["dnd.suguru.explainer", "dnd.suguru.techniques", "dnd.suguru.state", "dnd.dungeon", "dnd.pegs"]
    for module, loaded in (
        ("dnd.hinting", []),
        ("dnd.suguru.state", above[2:3]),
        ("dnd.suguru.techniques", above[1:3]),
    ):
        code = f"import sys, {module}; print([name for name in {above} if name in sys.modules])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
        assert done.stdout == f"{loaded}\n"
