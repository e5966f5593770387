"""Hints by deduction: what the games share whose boards are filled in cell by cell.

Such a game has steps, deductions told in words (`Step`); a path made of them (`Explanation`); and a `Guide`, which
knows the game's boards. From these `Guide.hints` makes hints for any board of a player. A *mark* says what a
game puts into a cell: the cell and its content, a number or a word.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from dnd.diagnostic import Cell, cell_name

PuzzleT = TypeVar("PuzzleT")
BoardT = TypeVar("BoardT")
ValueT = TypeVar("ValueT")  # what is in a cell; its str() is what people call it
StepT = TypeVar("StepT", bound="Step[Any]")  # whatever is in its cells

Mark = tuple[Cell, ValueT]
Claims = tuple[tuple[Mark[ValueT], ...], tuple[Mark[ValueT], ...]]  # marks that are so, marks that are not

IMPOSSIBLE = "impossible"  # no deduction: the end of a chain, or of a puzzle that has no solution

# What a hint can be besides, found by the exact solver and not by deduction.
WRONG = "wrong-cell"
SEARCH = "search"
HORIZON = "several-solutions"
SOLVED = "solved"

NEGATIVE = (IMPOSSIBLE, WRONG, HORIZON)  # hints that say no: the board is wrong, or no step is left

LEVELS = ("easy", "medium", "hard", "expert", "beyond logic")
STUCK = 100  # what a rating counts for a cell that no technique decides

_NO_SOLUTION = "trying everything shows that there is no solution"
_SEVERAL = " (the puzzle has several solutions; this holds in all that fit the board)"


@dataclass(frozen=True)
class Step(ABC, Generic[ValueT]):
    """One deduction: the technique's code, and the sentence about it. Games add what it concludes, and from what.

    They have a `chain` too: the steps within this one.
    """

    technique: str
    sentence: str

    @property
    @abstractmethod
    def conclusions(self) -> Claims[ValueT]:
        """What follows."""

    @property
    @abstractmethod
    def premises(self) -> Claims[ValueT]:
        """What it follows from, as far as steps before it may have concluded that."""

    @property
    def evidence(self) -> str:
        """The picture without which the sentence cannot be checked: none, the sentence names all cells."""
        return ""

    def refuted(self, marks: Iterable[Mark[ValueT]]) -> Iterator[Mark[ValueT]]:
        """Those of the marks that the step refutes."""
        so, not_so = self.conclusions
        for mark in marks:
            if mark in not_so or any(cell == mark[0] and value != mark[1] for cell, value in so):
                yield mark


def trimmed(steps: Sequence[StepT], wanted: Callable[[StepT], bool]) -> list[StepT]:
    """The wanted steps and those that they rest on."""
    so: set[object] = set()
    not_so: set[object] = set()
    kept = []
    for step in reversed(steps):
        some, others = step.conclusions
        if wanted(step) or not (so.isdisjoint(some) and not_so.isdisjoint(others)):
            kept.append(step)
            some, others = step.premises
            so.update(some)
            not_so.update(others)
    return kept[::-1]


def path_to(steps: Sequence[StepT], last: StepT) -> list[StepT]:
    """`last` and the steps that it rests on."""
    return trimmed(steps, lambda step: step is last)


@dataclass(frozen=True)
class Explanation(ABC, Generic[PuzzleT, BoardT, StepT]):
    """The path from a puzzle, or from a player's board, as far as the techniques lead: from `known` to `board`.

    When the puzzle or the board admits no solution and the techniques see it, the last step is `impossible`.
    """

    puzzle: PuzzleT
    known: BoardT
    steps: tuple[StepT, ...]
    board: BoardT
    solved: bool

    @abstractmethod
    def boards(self) -> Iterator[BoardT]:
        """The board after each step."""

    @abstractmethod
    def drawn(self, board: BoardT) -> str:
        """The picture of a board of the puzzle."""

    @abstractmethod
    def onward(self) -> Iterator[StepT]:
        """The hints from where the steps end."""

    @property
    def impossible(self) -> bool:
        """True when the path ends in a proof that there is no solution."""
        return bool(self.steps) and self.steps[-1].technique == IMPOSSIBLE

    @property
    def techniques(self) -> Counter[str]:
        """How many steps each technique has made."""
        return Counter(step.technique for step in self.steps)

    @property
    def start(self) -> str:
        """The picture before the first step."""
        return self.drawn(self.known)

    def pictures(self) -> Iterator[str]:
        """The picture after each step."""
        return map(self.drawn, self.boards())

    @cached_property
    def beyond(self) -> StepT | None:
        """The hint for where the steps lead no further, such as that there are several solutions; None where they end.

        The exact solver finds it, which can take longer than the steps.
        """
        return None if self.solved or self.impossible else next(self.onward())

    @property
    def end(self) -> str:
        """What to say after the last step; `beyond` is part of it."""
        end = "solved" if self.solved else "there is no solution" if self.impossible else "the steps lead no further"
        number = f"{len(self.steps)} step{'' if len(self.steps) == 1 else 's'}"
        return f"{end}, {number}" + (f": {self.beyond.sentence}" if self.beyond else "")


class Rating(NamedTuple):
    """How hard a puzzle is for a person.

    number: the work. level: one of `LEVELS`. hardest: the code of the hardest technique, "" if no cell was to be
    decided. counts: how often, or for how many cells, each technique is used.
    """

    number: int
    level: str
    hardest: str
    counts: dict[str, int]

    @property
    def told(self) -> str:
        """The counts in words."""
        return ", ".join(f"{count} {technique}" for technique, count in self.counts.items()) or "no steps"

    @property
    def settled(self) -> bool:
        """Whether deduction has decided all cells, so that there is one solution; else there may be none or several."""
        return self.level != LEVELS[-1]


class Guide(ABC, Generic[PuzzleT, BoardT, ValueT, StepT]):
    """What hints need to know about a game: how it deduces, what its boards are, and its words for them.

    marks, decided, unknown: words for what a player writes, for a cell that has one, and for a cell that has none.
    """

    marks: str
    decided: str
    unknown: str

    # What the game knows.

    @abstractmethod
    def explain(self, puzzle: PuzzleT, board: BoardT) -> Explanation[PuzzleT, BoardT, StepT]:
        """The path from a board, whose marks are taken for facts."""

    @abstractmethod
    def solutions(self, puzzle: PuzzleT, limit: int, board: BoardT | None = None) -> Sequence[BoardT]:
        """The first solutions that extend the board."""

    @abstractmethod
    def shared(self, puzzle: PuzzleT, board: BoardT) -> Mark[ValueT] | None:
        """The first mark that the board lacks and that all solutions have which extend it."""

    @abstractmethod
    def clash(self, puzzle: PuzzleT, right: BoardT, mark: Mark[ValueT]) -> StepT | None:
        """The hint for a mark that obviously breaks a rule together with the right part of the board."""

    # Boards.

    @abstractmethod
    def start(self, puzzle: PuzzleT) -> BoardT:
        """The board with only what the puzzle tells."""

    @abstractmethod
    def compared(self, board: BoardT, other: BoardT) -> tuple[BoardT, Sequence[Mark[ValueT]]]:
        """What two boards have in common, and the marks of the first that the second lacks, row by row."""

    @abstractmethod
    def with_mark(self, board: BoardT, mark: Mark[ValueT]) -> BoardT:
        """The board with this mark added."""

    # Steps.

    @abstractmethod
    def step(
        self, technique: str, sentence: str, claims: Claims[ValueT] = ((), ()), path: Sequence[StepT] = ()
    ) -> StepT:
        """A step that concludes these claims, as the last step of the path shows; () where no deduction does."""

    def searched(self, step: StepT, puzzle: PuzzleT, board: BoardT) -> StepT:
        """A step that was found by trying everything from this board, with what it rests on, if the game names that."""
        return step

    # Hints.

    def hints(self, puzzle: PuzzleT, board: BoardT) -> Iterator[StepT]:
        """The next steps from where the player is, one after the other.

        A board that no solution extends gets one hint, `wrong-cell`: a cell that must change, which comes first, and
        why it cannot be so. A puzzle without solution gets `impossible`. Otherwise deductions; where they find nothing
        more, `search`: a cell that only trying everything shows; at the end `solved`, or `several-solutions` where the
        cells that all solutions share (the backbone) are known. Hints for a puzzle with several solutions say so.
        """
        found = self.solutions(puzzle, 2)
        if not found:
            yield self._hopeless(puzzle)
        elif not self.solutions(puzzle, 1, board):
            yield self._wrong_cell(puzzle, board, found)
        else:
            for step in self._onward(puzzle, board):
                plain = len(found) == 1 or step.technique == HORIZON
                yield step if plain else replace(step, sentence=step.sentence + _SEVERAL)

    def _hopeless(self, puzzle: PuzzleT) -> StepT:
        start = self.start(puzzle)
        told = self.explain(puzzle, start)
        return told.steps[-1] if told.impossible else self.searched(self.step(IMPOSSIBLE, _NO_SOLUTION), puzzle, start)

    def _onward(self, puzzle: PuzzleT, board: BoardT) -> Iterator[StepT]:
        """The steps from a board that some solution extends, to the last."""
        while True:
            told = self.explain(puzzle, board)
            yield from told.steps
            if told.solved:
                yield self.step(SOLVED, f"every cell is {self.decided}, and all is right")
                return
            mark = self.shared(puzzle, told.board)
            if mark is None:
                agree = f"they agree on no cell that is still {self.unknown}"
                yield self.step(HORIZON, f"the puzzle has several solutions, and {agree}")
                return
            shown = f"trying everything shows that {cell_name(mark[0])} is {mark[1]}"
            step = self.step(SEARCH, f"no technique goes on from here; {shown}", ((mark,), ()))
            yield self.searched(step, puzzle, told.board)
            board = self.with_mark(told.board, mark)

    def _wrong_cell(self, puzzle: PuzzleT, board: BoardT, found: Sequence[BoardT]) -> StepT:
        """A mark that must change: one that breaks a rule at once, else the first that deduction refutes."""
        right, wrong = self._sorted_out(puzzle, board, found)
        for mark in wrong:
            clash = self.clash(puzzle, right, mark)
            if clash:
                return clash
        steps = self.explain(puzzle, right).steps
        for step in steps:
            for mark in step.refuted(wrong):
                path = path_to(steps, step)
                after = f"{len(path) - 1} steps on, " if len(path) > 2 else "a step on, " if len(path) == 2 else ""
                return self.correction(mark, f"{after}{step.sentence}", path)
        has = "has it" if len(found) == 1 else f"has it beside the {self.marks} before it"
        step = self.correction(wrong[0], f"trying everything shows that no solution {has}")
        return self.searched(step, puzzle, right)

    def correction(self, mark: Mark[ValueT], why: str, path: Sequence[StepT] = ()) -> StepT:
        """The hint that a mark is wrong."""
        return self.step(WRONG, f"{cell_name(mark[0])} cannot be {mark[1]}: {why}", ((), (mark,)), path)

    def _sorted_out(
        self, puzzle: PuzzleT, board: BoardT, found: Sequence[BoardT]
    ) -> tuple[BoardT, Sequence[Mark[ValueT]]]:
        """The right part of a board, and the wrong marks.

        Where there are several solutions no mark is wrong by itself: there it is the first one, row by row, that no
        solution has beside the marks before it, and these are the right part.
        """
        if len(found) == 1:
            return self.compared(board, found[0])
        right = self.start(puzzle)
        for mark in self.compared(board, right)[1]:
            longer = self.with_mark(right, mark)
            if not self.solutions(puzzle, 1, longer):
                return right, [mark]
            right = longer
        raise AssertionError("some mark is wrong on a board that no solution extends")
