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
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import measure
from checker_suguru import is_legal
from contest import LIMIT, Answer, Contest, disagreements
from dnd.reading import entries
from dnd.suguru import kernel as kernels
from dnd.suguru.puzzle import Puzzle, numbered
from dnd.suguru.solver import engine, solve
from measure import Row
from peers_suguru import MODELS, PEERS, Board, Model, Solve, Values

ROOT = Path(__file__).resolve().parent.parent
SETS = {
    name: f"fixtures/suguru/{name}.toml"
    for name in ("codingame-4x5", "codingame-8x8", "codingame-15x10", "codingame-20x20", "hard")
}
PACKAGES = ("cython", "python-sat", "ortools", "clingo")


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
    return measure.machine(flags, [kernels.load("search")], PACKAGES)


def rows(puzzles: list[Puzzle], options: argparse.Namespace) -> Iterator[Row]:
    """All contenders on one set."""
    contest = Contest(puzzles, options.repeat, options.budget, solve, flat_batch)
    yield from contest.ours()
    yield contest.pure()
    for name in options.peers:
        if model := MODELS[name]:
            yield contest.peer(name, partial(_build, model))


def _build(model: type[Model], puzzle: Puzzle) -> Model:
    return model(Board(*puzzle.kernel_arguments))


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


def agree(cases: Sequence[Case], options: argparse.Namespace) -> Iterator[str]:
    """All disagreements on one set, with the puzzle."""
    asked = solvers(options.kernels, options.peers)
    for puzzle, solution, number in cases:
        answers = {name: ask(puzzle) for name, ask in asked.items()}
        for line in disagreements(answers, partial(is_legal, *puzzle.kernel_arguments), solution, number):
            yield f"{puzzle!r}: {line}"
