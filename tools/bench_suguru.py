"""Suguru: what `tools/bench.py` measures, and its comparison of answers.

A data file (.json, packed or not) may be followed by `#` and the beginning of a source: then the set has just the
puzzles from there, as in `suguru-public.json.gz#foxite`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import bench_dungeon
import measure
from bench_dungeon import many, one_by_one, timed
from checker_suguru import is_legal
from dnd.reading import entries
from dnd.suguru import kernel as kernels
from dnd.suguru.puzzle import Puzzle, numbered
from dnd.suguru.solver import engine, solve
from measure import Row, duration, factor
from peers_suguru import MODELS, PEERS, Board, Solve, Values

ROOT = Path(__file__).resolve().parent.parent
SETS = {
    name: f"fixtures/suguru/{name}.toml"
    for name in ("codingame-4x5", "codingame-8x8", "codingame-15x10", "codingame-20x20", "hard")
}
LIMIT = 2  # enough to prove uniqueness


class Case(NamedTuple):
    """A puzzle, and what its file knows of it: its solution, and the number of solutions (2: or more)."""

    puzzle: Puzzle
    solution: Values | None = None
    number: int | None = None


# --- sets of puzzles ----------------------------------------------------------------------------------------------


def sets(names: Sequence[str], files: Sequence[str]) -> Iterator[tuple[str, list[Case]]]:
    """Named sets, then files; files joined by a comma are one set."""
    for name in names:
        if name not in SETS:
            sys.exit(f"there is no set {name!r}; a set is one of {', '.join(SETS)}")
        yield name, list(cases(str(ROOT / SETS[name])))
    for file in files:
        parts = file.split(",")
        title = " + ".join(re.sub(r"\.[a-z.]+", "", Path(part).name) for part in parts)
        yield title, [case for part in parts for case in cases(part)]


def cases(file: str) -> Iterator[Case]:
    """The puzzles of a data file, perhaps only of one source, or of anything that the package reads."""
    name, _, source = file.partition("#")
    path = Path(name)
    if ".json" not in path.name:
        return (Case(entry.puzzle) for entry in entries(path))
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return (_case(record) for record in json.loads(data)["puzzles"] if record["source"].startswith(source))


def _case(record: Mapping[str, Any]) -> Case:
    cages, givens, solution = (_flat(record.get(part, ())) for part in ("cages", "givens", "solution"))
    puzzle = Puzzle(record["height"], record["width"], numbered(cages), givens)
    return Case(puzzle, solution or None, int(record["n_solutions"].removeprefix(">=")))


def _flat(rows: Sequence[Sequence[int]]) -> Values:
    return tuple(number for row in rows for number in row)


# --- measuring ----------------------------------------------------------------------------------------------------


def machine(flags: str) -> dict[str, str]:
    """What the figures were measured on."""
    return measure.machine(flags, [kernels.load("search")], bench_dungeon.PACKAGES)


def rows(puzzles: list[Puzzle], options: argparse.Namespace) -> Iterator[Row]:
    """All contenders on one set."""
    bench = Bench(puzzles, options.repeat, options.budget)
    yield from bench.ours()
    yield from bench.pure()
    for name in options.peers:
        yield from bench.peer(name)


class Bench(bench_dungeon.Bench):
    """One set of puzzles, as for the dungeon. All grids have one engine, so there is always a flat batch."""

    def __init__(self, puzzles: list[Puzzle], repeat: int, budget: float) -> None:
        self.puzzles, self.repeat, self.budget = puzzles, repeat, budget
        self.is_flat = True
        self.calls = measure.each(lambda puzzle: solve(puzzle, LIMIT), puzzles, repeat)
        self.batch = self._line(range(len(puzzles)), flat_batch)

    def ours(self) -> Iterator[Row]:
        """Our engine in all the ways to call it."""
        everything = range(len(self.puzzles))
        called = self._row("", everything, sum(self.calls))._replace(median=median(self.calls))
        yield called._replace(contender=f"`dnd.suguru.solver.solve(puzzle, 2)`; longest {duration(max(self.calls))}")
        yield self._row(
            "`dnd.solve(puzzle, 2)`, puzzles never seen before", everything, self._line(everything, one_by_one)
        )
        yield self._row("flat batch, one thread", everything, self.batch)
        for workers, word in ((1, "one worker"), (2, "two workers")):
            seconds = self._line(everything, partial(many, workers=workers), time.perf_counter)
            yield self._row(f"`dnd.solve_many`, {word}", everything, seconds, "wall")

    def pure(self) -> Iterator[Row]:
        """The pure kernel."""
        yield self._sampled("pure kernel", lambda puzzle: timed(lambda: solve(puzzle, LIMIT, kernel="py")))

    def peer(self, name: str) -> Iterator[Row]:
        """A peer, if it is installed. It must find as many solutions as we do."""
        model = MODELS[name]
        if model is None:
            return

        def work(puzzle: Puzzle) -> tuple[float, float]:
            start = time.process_time()
            built = model(Board(*puzzle.kernel_arguments))
            middle = time.process_time()
            found, _ = built.run(LIMIT)
            end = time.process_time()
            if len(found) != solve(puzzle, LIMIT).count:
                sys.exit(f"{name} finds {len(found)} solutions of {puzzle!r}")
            return end - start, end - middle

        work(self.puzzles[0])  # imports
        yield self._sampled(name, work)

    def _sampled(self, contender: str, work: Callable[[Puzzle], tuple[float, ...]]) -> Row:
        """As for the dungeon; with the extremes, since a mean hides the one grid that is slow."""
        times = measure.sampled(work, self.puzzles, self.repeat, self.budget)
        totals, *solving = zip(*times.values(), strict=True)
        least = min(total / self.calls[index] for index, total in zip(times, totals, strict=True))
        text = f"{contender}; longest {duration(max(totals))}, each at least {factor(least)} calls"
        row = self._row(text, list(times), sum(totals))
        return row._replace(median=median(totals), solving=sum(solving[0]) if solving else None)

    def _batch(self, indices: Sequence[int]) -> float:
        return self.batch if len(indices) == len(self.puzzles) else self._line(indices, flat_batch)


def flat_batch(puzzles: list[Puzzle]) -> Callable[[], object]:
    """The kernel's call on flat arrays, one for each shape; filling the arrays is not measured."""
    shapes: dict[tuple[int, int], list[Puzzle]] = defaultdict(list)
    for puzzle in puzzles:
        shapes[puzzle.height, puzzle.width].append(puzzle)
    calls = [_flat_call(*shape, members) for shape, members in shapes.items()]
    return lambda: [call() for call in calls]


def _flat_call(height: int, width: int, puzzles: list[Puzzle]) -> Callable[[], object]:
    size = len(puzzles)
    cages = array("h", [cage for puzzle in puzzles for cage in puzzle.cages])
    givens = array("B", [given for puzzle in puzzles for given in puzzle.givens])
    counts, nodes, complete = array("q", bytes(8 * size)), array("q", bytes(8 * size)), bytearray(size)
    found = bytearray(LIMIT * len(givens))
    return partial(
        engine(height, width).solve_batch,
        *(height, width, cages, givens, LIMIT, 0, counts, found, nodes, complete, None),
    )


# --- comparing answers --------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What one solver says of one puzzle, with a limit of two."""

    found: set[Values]
    number: int
    complete: bool


def solvers(kernel_names: Sequence[str], peers: Sequence[str]) -> Mapping[str, Callable[[Puzzle], Answer]]:
    """Our kernels and the peers that are installed."""

    def ours(kernel: str, puzzle: Puzzle) -> Answer:
        count, solutions, _, complete = solve(puzzle, LIMIT, kernel=kernel)
        return Answer({solution.values for solution in solutions}, count, complete)

    def theirs(ask: Solve, puzzle: Puzzle) -> Answer:
        found, complete = ask(*puzzle.kernel_arguments, LIMIT)
        return Answer(found, len(found), complete)

    kernel_solvers = {f"kernel {name}": partial(ours, name) for name in kernel_names}
    return kernel_solvers | {name: partial(theirs, ask) for name in peers if (ask := PEERS[name])}


def disagreements(case: Case, asked: Mapping[str, Callable[[Puzzle], Answer]]) -> Iterator[str]:
    """What is wrong with each solver's answer: by itself, against what the file knows, against the first one's."""
    answers = {name: ask(case.puzzle) for name, ask in asked.items()}
    first_name, first = next(iter(answers.items()))
    for name, answer in answers.items():
        if answer.number != len(answer.found) or answer.complete != (answer.number < LIMIT):
            yield f"{name}: {answer}"
        if not all(is_legal(*case.puzzle.kernel_arguments, values) for values in answer.found):
            yield f"{name} returns an illegal grid"
        if case.number is not None and answer.number != min(case.number, LIMIT):
            yield f"{name} finds {answer.number} solutions, the file says {case.number}"
        if answer.number == 1 and case.solution is not None and answer.found != {case.solution}:
            yield f"{name} finds another solution than the file's"
        if answer.number != first.number:
            yield f"{name} finds {answer.number} solutions, {first_name} {first.number}"
        elif answer.number == 1 and answer.found != first.found:
            yield f"{name} finds another solution than {first_name}"


def agree(cases: Sequence[Case], options: argparse.Namespace) -> Iterator[str]:
    """All disagreements on one set, with the puzzle."""
    asked = solvers(options.kernels, options.peers)
    return (f"{case.puzzle!r}: {line}" for case in cases for line in disagreements(case, asked))
