"""Dungeons & Diagrams: what `tools/bench.py` measures, and its comparison of answers."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import dnd
import measure
from checker import is_legal
from dnd.dungeon import kernel as kernels
from dnd.dungeon.puzzle import Puzzle
from dnd.dungeon.solver import SEARCH_CELLS, engine
from dnd.reading import entries
from measure import Row
from peers import MODELS, PEERS, Board, Solve

ROOT = Path(__file__).resolve().parent.parent
SETS = {"p1-p9": "fixtures/p?.toml", "bbs64": "fixtures/bbs/*.toml"}
PACKAGES = ("cython", "python-sat", "ortools", "clingo")
LIMIT = 2  # enough to prove uniqueness
REFERENCE_SIDE = 8

Prepare = Callable[[list[Puzzle]], Callable[[], object]]
"""Prepares a run over some puzzles; only the run is measured, and each run is prepared anew."""


class Case(NamedTuple):
    """A puzzle, and what its file knows of it: its walls when solved, and the number of solutions (2: or more)."""

    puzzle: Puzzle
    solution: int | None = None
    number: int | None = None


# --- sets of puzzles ----------------------------------------------------------------------------------------------


def sets(names: Sequence[str], files: Sequence[str]) -> Iterator[tuple[str, list[Case]]]:
    """Named sets, then files; files joined by commas are one set."""
    for name in names:
        if name not in SETS:
            sys.exit(f"there is no set {name!r}; a set is one of {', '.join(SETS)}")
        yield name, [case for path in sorted(ROOT.glob(SETS[name])) for case in cases(path)]
    for file in files:
        paths = [Path(part) for part in file.split(",")]
        yield " + ".join(path.name.split(".")[0] for path in paths), [case for path in paths for case in cases(path)]


def cases(path: Path) -> Iterator[Case]:
    """The puzzles of a data file (JSON, or JSON lines, perhaps packed) or of anything that the package reads."""
    if ".json" not in path.name:
        return (Case(entry.puzzle) for entry in entries(path))
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    if ".jsonl" in path.name:
        return (_case(json.loads(line)) for line in data.splitlines())
    return (_case(record) for record in json.loads(data)["puzzles"])


def _case(record: Mapping[str, Any]) -> Case:
    monsters, treasures = ([(row, column) for row, column in record[kind]] for kind in ("monsters", "treasures"))
    puzzle = Puzzle.of(record["rows"], record["columns"], monsters, treasures)
    drawn = "".join(record.get("solution", ""))
    walls = sum(1 << cell for cell, letter in enumerate(drawn) if letter == "#") if drawn else None
    return Case(puzzle, walls, record.get("n", record.get("solutions_count")))


# --- measuring ----------------------------------------------------------------------------------------------------


def machine(flags: str) -> dict[str, str]:
    """What the figures were measured on."""
    return measure.machine(flags, [kernels.load(name) for name in ("reference", "search", "wide")], PACKAGES)


def rows(puzzles: list[Puzzle], options: argparse.Namespace) -> Iterator[Row]:
    """All contenders on one set."""
    bench = Bench(puzzles, options.repeat, options.budget)
    yield from bench.ours()
    yield from bench.pure()
    yield from bench.reference()
    for name in options.peers:
        yield from bench.peer(name)


class Bench:
    """One set of puzzles. `calls`: seconds of our engine for each, called one by one; others are compared with them."""

    def __init__(self, puzzles: list[Puzzle], repeat: int, budget: float) -> None:
        self.puzzles, self.repeat, self.budget = puzzles, repeat, budget
        self.is_flat = all(puzzle.height * puzzle.width <= SEARCH_CELLS for puzzle in puzzles)
        self.calls = measure.each(lambda puzzle: dnd.solve(puzzle, LIMIT), puzzles, repeat)
        self.batch = self._line(range(len(puzzles)), flat_batch) if self.is_flat else 0.0

    def ours(self) -> Iterator[Row]:
        """Our engine in all the ways to call it."""
        everything = range(len(self.puzzles))

        def wall(contender: str, work: Prepare) -> Row:
            return self._row(contender, everything, self._line(everything, work, time.perf_counter), "wall")

        yield self._row("`dnd.solve(puzzle, 2)`", everything, sum(self.calls))._replace(median=median(self.calls))
        yield self._row("the same, puzzles never seen before", everything, self._line(everything, one_by_one))
        if self.is_flat:
            yield self._row("flat batch, one thread", everything, self.batch)
            with ThreadPoolExecutor(2) as pool:
                yield wall("flat batch, two threads", lambda puzzles: two_batches(puzzles, pool))
        yield wall("`dnd.solve_many`, one worker", lambda puzzles: many(puzzles, 1))
        yield wall("`dnd.solve_many`, two workers", lambda puzzles: many(puzzles, 2))

    def pure(self) -> Iterator[Row]:
        """The pure kernel; beyond 64 cells a single board can take it very long."""
        if self.is_flat:
            yield self._sampled("pure kernel", lambda puzzle: timed(lambda: dnd.solve(puzzle, LIMIT, kernel="py")))

    def reference(self) -> Iterator[Row]:
        """The course's solver, compiled, on boards that are small enough for it."""
        fits = all(max(puzzle.height, puzzle.width) <= REFERENCE_SIDE for puzzle in self.puzzles)
        if fits and kernels.load("reference").__name__.endswith("_c"):
            yield self._sampled(
                "compiled reference, all solutions",
                lambda puzzle: timed(lambda: dnd.solve(puzzle, method="reference", kernel="c")),
            )

    def peer(self, name: str) -> Iterator[Row]:
        """A peer, if it is installed. It must find as many solutions as we do."""
        model = MODELS[name]
        if model is None:
            return

        def work(puzzle: Puzzle) -> tuple[float, float]:
            start = time.process_time()
            built = model(board_of(puzzle))
            middle = time.process_time()
            found, _ = built.run(LIMIT)
            end = time.process_time()
            if len(found) != dnd.solve(puzzle, LIMIT).count:
                sys.exit(f"{name} finds {len(found)} solutions of {puzzle!r}")
            return end - start, end - middle

        work(self.puzzles[0])  # imports, and what boards of one shape share
        yield self._sampled(name, work)

    def _sampled(self, contender: str, work: Callable[[Puzzle], tuple[float, ...]]) -> Row:
        times = measure.sampled(work, self.puzzles, self.repeat, self.budget)
        totals, *solving = zip(*times.values(), strict=True)
        row = self._row(contender, list(times), sum(totals))
        return row._replace(median=median(totals), solving=sum(solving[0]) if solving else None)

    def _row(self, contender: str, indices: Sequence[int], total: float, clock: str = "cpu") -> Row:
        call_ratio = total / sum(self.calls[index] for index in indices)
        batch_ratio = total / self._batch(indices) if self.is_flat else None
        return Row(contender, len(indices), clock, total, call_ratio=call_ratio, batch_ratio=batch_ratio)

    def _batch(self, indices: Sequence[int]) -> float:
        """Seconds of the flat batch for these puzzles."""
        return self.batch if len(indices) == len(self.puzzles) else self._line(indices, flat_batch)

    def _line(self, indices: Sequence[int], work: Prepare, clock: Callable[[], float] = time.process_time) -> float:
        """Seconds for these puzzles, lined up as often as it takes for a steady measurement."""
        copies = 1 + int(measure.LONG / sum(self.calls[index] for index in indices))
        puzzles = [self.puzzles[index] for index in indices] * copies
        return median(measure.seconds(work(puzzles), clock) for _ in range(self.repeat)) / copies


def timed(work: Callable[[], object]) -> tuple[float]:
    return (measure.seconds(work),)


def board_of(puzzle: Puzzle) -> Board:
    return Board(puzzle.height, puzzle.width, puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures)


def one_by_one(puzzles: list[Puzzle]) -> Callable[[], object]:
    """Calls of `dnd.solve` with puzzles that were just made: what a puzzle works out once is paid for."""
    fresh = [replace(puzzle) for puzzle in puzzles]
    return lambda: [dnd.solve(puzzle, LIMIT) for puzzle in fresh]


def many(puzzles: list[Puzzle], workers: int) -> Callable[[], object]:
    """`dnd.solve_many`, its threads' start included."""
    fresh = [replace(puzzle) for puzzle in puzzles]
    return lambda: deque(dnd.solve_many(fresh, LIMIT, workers=workers), maxlen=0)


def two_batches(puzzles: list[Puzzle], pool: Executor) -> Callable[[], object]:
    """The flat batch, each half in a thread of its own."""
    halves = [flat_batch(puzzles[start::2]) for start in range(2)]
    return lambda: list(pool.map(lambda half: half(), halves))


def flat_batch(puzzles: list[Puzzle]) -> Callable[[], object]:
    """The search kernel's call on flat arrays, one for each shape; filling the arrays is not measured."""
    shapes: dict[tuple[int, int], list[Puzzle]] = defaultdict(list)
    for puzzle in puzzles:
        shapes[puzzle.height, puzzle.width].append(puzzle)
    calls = [_flat_call(*shape, members) for shape, members in shapes.items()]
    return lambda: [call() for call in calls]


def _flat_call(height: int, width: int, puzzles: list[Puzzle]) -> Callable[[], object]:
    size = len(puzzles)
    clues = array("b", [clue for puzzle in puzzles for side in puzzle.kernel_arguments[2:4] for clue in side])
    monsters = array("Q", [puzzle.monsters for puzzle in puzzles])
    treasures = array("Q", [puzzle.treasures for puzzle in puzzles])
    counts, nodes, complete = array("q", bytes(8 * size)), array("q", bytes(8 * size)), bytearray(size)
    found = array("Q", bytes(8 * size * LIMIT))
    return partial(
        engine(height, width).solve_batch,
        *(height, width, clues, monsters, treasures, LIMIT, 0, counts, found, nodes, complete, None),
    )


# --- comparing answers --------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What one solver says of one puzzle, with a limit of two."""

    found: set[int]
    number: int
    complete: bool


def solvers(kernel_names: Sequence[str], peers: Sequence[str]) -> Mapping[str, Callable[[Puzzle], Answer]]:
    """Our kernels and the peers that are installed."""

    def ours(kernel: str, puzzle: Puzzle) -> Answer:
        count, solutions, _, complete = dnd.solve(puzzle, LIMIT, kernel=kernel)
        return Answer({solution.walls for solution in solutions}, count, complete)

    def theirs(solve: Solve, puzzle: Puzzle) -> Answer:
        found, complete = solve(*board_of(puzzle), LIMIT)
        return Answer(found, len(found), complete)

    kernel_solvers = {f"kernel {name}": partial(ours, name) for name in kernel_names}
    return kernel_solvers | {name: partial(theirs, solve) for name in peers if (solve := PEERS[name])}


def disagreements(case: Case, asked: Mapping[str, Callable[[Puzzle], Answer]]) -> Iterator[str]:
    """What is wrong with each solver's answer: by itself, against what the file knows, against the first one's."""
    answers = {name: solve(case.puzzle) for name, solve in asked.items()}
    first_name, first = next(iter(answers.items()))
    boards = set().union(*(answer.found for answer in answers.values()))
    illegal = {walls for walls in boards if not is_legal(*board_of(case.puzzle), walls)}
    for name, answer in answers.items():
        if answer.number != len(answer.found) or answer.complete != (answer.number < LIMIT):
            yield f"{name}: {answer}"
        if answer.found & illegal:
            yield f"{name} returns an illegal board"
        if case.number is not None and answer.number != min(case.number, LIMIT):
            yield f"{name} finds {answer.number} solutions, the file says {case.number}"
        if answer.number == 1 and case.solution is not None and answer.found != {case.solution}:
            yield f"{name} finds another solution than the file's"
        if answer.number != first.number:
            yield f"{name} finds {answer.number} solutions, {first_name} {first.number}"
        elif answer.number == 1 and answer.found != first.found:
            yield f"{name} finds another solution than {first_name}"


def agree(cases: Sequence[Case], options: argparse.Namespace) -> Iterator[str]:
    """All disagreements on one set, with the puzzle; progress on stderr."""
    asked = solvers(options.kernels, options.peers)
    for number, case in enumerate(cases, start=1):
        for line in disagreements(case, asked):
            yield f"{case.puzzle!r}: {line}"
        if number % 1000 == 0:
            print(f"{number} boards", file=sys.stderr, flush=True)
