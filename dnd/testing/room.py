"""What a game offers to the pytest plug-in: checks of its fixtures, and the judge of other people's solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from dnd.game import Board, Entry


@dataclass(frozen=True)
class Check:
    """One thing that can be tested with a fixture: an item of the pytest plug-in.

    name: the item's id after the fixture's name, such as "solve-c". key: the expectation it is about.
    run() yields a text for each problem.
    update() gives the expectations to rewrite, with what was found, ValueError if that cannot be right; None: the
    check is not about an expectation that a program may write.
    marks: names of pytest markers. words: what `-k` finds the item by beside its name. skip: why it cannot run.
    """

    name: str
    key: str
    run: Callable[[], Iterator[str]]
    update: Callable[[], Mapping[str, object]] | None = None
    marks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    skip: str = ""


class Testing(Protocol):
    """What the module `testing.py` of a game offers to the pytest plug-in."""

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
