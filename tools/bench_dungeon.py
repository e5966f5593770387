"""Dungeons & Diagrams: what `tools/bench.py` measures, and its comparison of answers."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import dnd
import measure
from checker import is_legal
from contest import LIMIT, Answer, Contest, disagreements
from dnd.dungeon import kernel as kernels
from dnd.dungeon.puzzle import Puzzle
from dnd.dungeon.solver import SEARCH_CELLS
from dnd.reading import entries
from measure import Row, seconds
from peers import MODELS, PEERS, Board, Solve

ROOT = Path(__file__).resolve().parent.parent
SETS = {"p1-p9": "fixtures/p?.toml", "bbs64": "fixtures/bbs/*.toml"}
PACKAGES = ("cython", "python-sat", "ortools", "clingo")
REFERENCE_SIDE = 8


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
    return measure.machine(flags, [kernels.load(name) for name in ("reference", "search", "clause_learning")], PACKAGES)


def rows(puzzles: list[Puzzle], options: argparse.Namespace) -> Iterator[Row]:
    """All contenders on one set."""
    is_flat = all(puzzle.height * puzzle.width <= SEARCH_CELLS for puzzle in puzzles)
    contest = Contest(puzzles, options.repeat, options.budget, dnd.solve, flat_batch if is_flat else None)
    yield from contest.ours()
    if is_flat:
        with ThreadPoolExecutor(2) as pool:
            yield contest.timed("flat batch, two threads", lambda some: two_batches(some, pool), time.perf_counter)
        # Beyond 64 cells a single board can take the pure kernel very long.
        yield contest.pure()
    yield from _reference(contest)
    for name in options.peers:
        if model := MODELS[name]:
            yield contest.peer(name, partial(_build, model))


def _reference(contest: Contest) -> Iterator[Row]:
    """The course's solver, compiled, on boards that are small enough for it."""
    fits = all(max(puzzle.height, puzzle.width) <= REFERENCE_SIDE for puzzle in contest.puzzles)
    if fits and kernels.load("reference").__name__.endswith("_c"):
        ask = partial(dnd.solve, method="reference", kernel="c")
        yield contest.sampled("compiled reference, all solutions", lambda puzzle: (seconds(partial(ask, puzzle)),))


def _build(model: Callable[[Board], Any], puzzle: Puzzle) -> Any:
    return model(board_of(puzzle))


def board_of(puzzle: Puzzle) -> Board:
    return Board(puzzle.height, puzzle.width, puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures)


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
        kernels.load("search").solve_batch,
        *(height, width, clues, monsters, treasures, LIMIT, 0, counts, found, nodes, complete, None),
    )


# --- comparing answers --------------------------------------------------------------------------------------------


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


def agree(cases: Sequence[Case], options: argparse.Namespace) -> Iterator[str]:
    """All disagreements on one set, with the puzzle; progress on stderr."""
    asked = solvers(options.kernels, options.peers)
    for number, (puzzle, solution, solutions) in enumerate(cases, start=1):
        answers = {name: ask(puzzle) for name, ask in asked.items()}
        for line in disagreements(answers, partial(is_legal, *board_of(puzzle)), solution, solutions):
            yield f"{puzzle!r}: {line}"
        if number % 1000 == 0:
            print(f"{number} boards", file=sys.stderr, flush=True)
