"""What the benchmarks of every game share: contenders on one set of puzzles, and the comparison of their answers."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import dnd
import measure
from measure import Row, duration, factor

Prepare = Callable[[list[Any]], Callable[[], object]]
"""Prepares a run over some puzzles; only the run is measured, and each run is prepared anew."""

LIMIT = 2  # enough to prove uniqueness
_CLOCKS = {time.process_time: "cpu", time.perf_counter: "wall"}


class Contest:
    """One set of puzzles. `calls`: seconds of our engine for each, called one by one; others are compared with them.

    solve: the game's. flat_batch: prepares the kernel's call on flat arrays, if the puzzles can go there.
    """

    def __init__(
        self, puzzles: list[Any], repeat: int, budget: float, solve: Callable[..., Any], flat_batch: Prepare | None
    ) -> None:
        self.puzzles, self.repeat, self.budget = puzzles, repeat, budget
        self.solve, self.flat_batch = solve, flat_batch
        self.calls = measure.each(lambda puzzle: self.solve(puzzle, LIMIT), puzzles, repeat)
        self.batch = self._line(range(len(puzzles)), flat_batch) if flat_batch else 0.0

    def ours(self) -> Iterator[Row]:
        """Our engine in all the ways to call it."""
        everything = range(len(self.puzzles))
        called = self._row(f"`solve(puzzle, 2)`; longest {duration(max(self.calls))}", everything, sum(self.calls))
        yield called._replace(median=median(self.calls))
        yield self.timed("the same, puzzles never seen before", self.one_by_one)
        if self.flat_batch:
            yield self._row("flat batch, one thread", everything, self.batch)
        for workers, word in ((1, "one worker"), (2, "two workers")):
            yield self.timed(f"`dnd.solve_many`, {word}", partial(many, workers=workers), time.perf_counter)

    def timed(self, contender: str, work: Prepare, clock: Callable[[], float] = time.process_time) -> Row:
        """Another way to solve the whole set."""
        everything = range(len(self.puzzles))
        return self._row(contender, everything, self._line(everything, work, clock), _CLOCKS[clock])

    def pure(self) -> Row:
        """The pure kernel."""
        return self.sampled(
            "pure kernel", lambda puzzle: (measure.seconds(lambda: self.solve(puzzle, LIMIT, kernel="py")),)
        )

    def peer(self, name: str, build: Callable[[Any], Any]) -> Row:
        """A peer, whose model `build` makes. It must find as many solutions as we do."""

        def work(puzzle: Any) -> tuple[float, float]:
            start = time.process_time()
            model = build(puzzle)
            middle = time.process_time()
            found, _ = model.run(LIMIT)
            end = time.process_time()
            if len(found) != self.solve(puzzle, LIMIT).count:
                sys.exit(f"{name} finds {len(found)} solutions of {puzzle!r}")
            return end - start, end - middle

        work(self.puzzles[0])  # imports, and what boards of one shape share
        return self.sampled(name, work)

    def sampled(self, contender: str, work: Callable[[Any], tuple[float, ...]]) -> Row:
        """A slow contender, named with its extremes: a mean hides the one puzzle that is slow."""
        times = measure.sampled(work, self.puzzles, self.repeat, self.budget)
        totals, *solving = zip(*times.values(), strict=True)
        least = min(total / self.calls[index] for index, total in zip(times, totals, strict=True))
        text = f"{contender}; longest {duration(max(totals))}, each at least {factor(least)} calls"
        row = self._row(text, list(times), sum(totals))
        return row._replace(median=median(totals), solving=sum(solving[0]) if solving else None)

    def one_by_one(self, puzzles: list[Any]) -> Callable[[], object]:
        """Calls with puzzles that were just made: what a puzzle works out once is paid for."""
        fresh = [replace(puzzle) for puzzle in puzzles]
        return lambda: [self.solve(puzzle, LIMIT) for puzzle in fresh]

    def _row(self, contender: str, indices: Sequence[int], total: float, clock: str = "cpu") -> Row:
        call_ratio = total / sum(self.calls[index] for index in indices)
        batch_ratio = total / self._batch(indices, self.flat_batch) if self.flat_batch else None
        return Row(contender, len(indices), clock, total, call_ratio=call_ratio, batch_ratio=batch_ratio)

    def _batch(self, indices: Sequence[int], flat_batch: Prepare) -> float:
        """Seconds of the flat batch for these puzzles."""
        return self.batch if len(indices) == len(self.puzzles) else self._line(indices, flat_batch)

    def _line(self, indices: Sequence[int], work: Prepare, clock: Callable[[], float] = time.process_time) -> float:
        """Seconds for these puzzles, lined up as often as it takes for a steady measurement."""
        copies = 1 + int(measure.LONG / sum(self.calls[index] for index in indices))
        puzzles = [self.puzzles[index] for index in indices] * copies
        return median(measure.seconds(work(puzzles), clock) for _ in range(self.repeat)) / copies


def many(puzzles: list[Any], workers: int) -> Callable[[], object]:
    """`dnd.solve_many`, its threads' start included."""
    fresh = [replace(puzzle) for puzzle in puzzles]
    return lambda: deque(dnd.solve_many(fresh, LIMIT, workers=workers), maxlen=0)


# --- comparing answers --------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What one solver says of one puzzle, with a limit of two. found: the solutions as the game's peers write them."""

    found: set[Any]
    number: int
    complete: bool


def disagreements(
    answers: Mapping[str, Answer], is_legal: Callable[[Any], bool], solution: Any = None, number: int | None = None
) -> Iterator[str]:
    """What is wrong with each solver's answer: by itself, against what a file knows, against the first one's."""
    first_name, first = next(iter(answers.items()))
    illegal = {found for found in set().union(*(answer.found for answer in answers.values())) if not is_legal(found)}
    for name, answer in answers.items():
        if answer.number != len(answer.found) or answer.complete != (answer.number < LIMIT):
            yield f"{name}: {answer}"
        if answer.found & illegal:
            yield f"{name} returns an illegal board"
        if number is not None and answer.number != min(number, LIMIT):
            yield f"{name} finds {answer.number} solutions, the file says {number}"
        if answer.number == 1 and solution is not None and answer.found != {solution}:
            yield f"{name} finds another solution than the file's"
        if answer.number != first.number:
            yield f"{name} finds {answer.number} solutions, {first_name} {first.number}"
        elif answer.number == 1 and answer.found != first.found:
            yield f"{name} finds another solution than {first_name}"
