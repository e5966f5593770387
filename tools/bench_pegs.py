"""Peg solitaire: what `tools/bench.py` measures, and its comparison of answers.

A set is a fixture file, or a data file with a list `boards` of objects with `name`, `rows` and perhaps `final`;
`random17` are 100 random states of 17 pegs, which is where the seed's program takes minutes. Every answer that is timed
is judged: solutions are replayed, proofs are checked; but that a search has left nothing out is not searched again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import measure
from dnd.grid import full
from dnd.pegs import kernel as kernels
from dnd.pegs import rules
from dnd.pegs.proofs import check_proof
from dnd.pegs.puzzle import Puzzle
from dnd.pegs.solver import IMPOSSIBLE, SOLVED, Outcome, solve
from dnd.reading import entries
from measure import Row

ROOT = Path(__file__).resolve().parent.parent
SETS = {"boards": "fixtures/pegs/boards.toml", "hard": "fixtures/pegs/hard.toml", "random17": ""}
PEERS: dict[str, Any] = {"seed": partial(solve, method="reference")}
PACKAGES = ("cython", "highspy")

_RANDOM = ((14, 14), (10, 10), (7, 7), (6, 6))  # shapes of the boards of random states, 25 of each
_PEGS = 17  # the seed's search is asked up to here


class Case(NamedTuple):
    """A puzzle."""

    puzzle: Puzzle


# --- sets of puzzles ----------------------------------------------------------------------------------------------


def sets(names: Sequence[str], files: Sequence[str]) -> Iterator[tuple[str, list[Case]]]:
    """Named sets, then files; files joined by a comma are one set."""
    for name in names:
        if name not in SETS:
            sys.exit(f"there is no set {name!r}; a set is one of {', '.join(SETS)}")
        yield name, list(map(Case, read(str(ROOT / SETS[name])) if SETS[name] else random_states()))
    for file in files:
        parts = file.split(",")
        yield " + ".join(Path(part).stem for part in parts), [Case(puzzle) for part in parts for puzzle in read(part)]


def random_states() -> Iterator[Puzzle]:
    """Random states of 17 pegs on full rectangles, most of which cannot be solved."""
    rng = random.Random(17)
    for height, width in _RANDOM:
        for number in range(25):
            pegs = sum(1 << cell for cell in rng.sample(range(height * width), _PEGS))
            yield Puzzle(height, width, full(height, width), pegs, name=f"{width}x{height}-{number}")


def read(file: str) -> Iterator[Puzzle]:
    """The puzzles of a data file, or of anything that the package reads."""
    path = Path(file)
    if path.suffix != ".json":
        return (entry.puzzle for entry in entries(path))
    boards = json.loads(path.read_bytes())["boards"]
    return (_puzzle(board) for board in boards)


def _puzzle(board: Mapping[str, Any]) -> Puzzle:
    final = board.get("final")
    return Puzzle.of(board["rows"], final and (final[0], final[1]), board["name"])


# --- measuring ----------------------------------------------------------------------------------------------------


def machine(flags: str) -> dict[str, str]:
    """What the figures were measured on."""
    return measure.machine(flags, [kernels.load("search"), kernels.load("levels")], PACKAGES)


def rows(puzzles: list[Puzzle], options: argparse.Namespace) -> Iterator[Row]:
    """Each board of a small set, all boards together, and the seed's search where it has a chance."""
    ours = [_timed(partial(solve, puzzle), options.repeat, options.budget) for puzzle in puzzles]
    if len(puzzles) <= 30:
        for puzzle, (seconds, outcome) in zip(puzzles, ours, strict=True):
            yield Row(f"{puzzle.name}, {puzzle.number} pegs: {_verdict(outcome)}", 1, "cpu", seconds)
    yield _together("all", ours)
    for verdict in (SOLVED, IMPOSSIBLE, "undecided"):
        if some := [(seconds, outcome) for seconds, outcome in ours if outcome.verdict == verdict]:
            yield _together(f"those {verdict} (slowest {measure.duration(max(some, key=_seconds)[0])})", some)
    if "seed" in options.peers:
        yield from _seed(puzzles, ours, options)


def _seconds(timed: tuple[float, Outcome]) -> float:
    return timed[0]


def _together(name: str, timed: Sequence[tuple[float, Outcome]]) -> Row:
    times = [seconds for seconds, _ in timed]
    return Row(name, len(times), "cpu", sum(times), median(times))


def _verdict(outcome: Outcome) -> str:
    return f"{outcome.verdict} ({outcome.proof.kind})" if outcome.proof else outcome.verdict


def _timed(ask: Callable[..., Outcome], repeat: int, budget: float) -> tuple[float, Outcome]:
    """Median CPU seconds and the answer, judged; what takes longer than the budget is asked once."""
    answers: list[Outcome] = []
    times: list[float] = []
    while not times or (len(times) < repeat and sum(times) < budget):
        times.append(measure.seconds(lambda: answers.append(ask(seconds=60))))
    for outcome in answers:
        judge(outcome)
    return median(times), answers[-1]


def judge(outcome: Outcome) -> None:
    """Raise unless the answer is right as far as can be seen: its solution replays, its proof holds.

    Of an exhaustion only the form is checked: what a search says only another one can confirm, as the tests have it.
    """
    for solution in outcome.solutions:
        if wrong := rules.check(outcome.puzzle, solution.board):
            raise AssertionError(f"{outcome.puzzle!r}: {wrong[0].message}")
    if outcome.proof and not check_proof(outcome.puzzle, outcome.proof):
        raise AssertionError(f"{outcome.puzzle!r}: the proof does not hold")


def _seed(puzzles: Sequence[Puzzle], ours: Sequence[Any], options: argparse.Namespace) -> Iterator[Row]:
    """The seed's search on the boards for which it is made, until the budget is used up; and how often it gave up."""
    small = [index for index, puzzle in enumerate(puzzles) if puzzle.number <= _PEGS]
    random.Random(0).shuffle(small)
    each = options.budget / 4
    theirs: dict[int, tuple[float, Outcome]] = {}
    for index in small:
        if sum(map(_seconds, theirs.values())) > options.budget:
            break
        theirs[index] = _timed(partial(_bounded, puzzles[index], each), 1, options.budget)
    if theirs:
        late = sum(outcome.verdict == "undecided" for _, outcome in theirs.values())
        total = sum(map(_seconds, theirs.values()))
        ratio = total / sum(ours[index][0] for index in theirs)
        name = f"the seed's search ({late} given up after {measure.duration(each)})"
        times = [seconds for seconds, _ in theirs.values()]
        yield Row(name, len(theirs), "cpu", total, median(times), call_ratio=ratio)


def _bounded(puzzle: Puzzle, most: float, *, seconds: float) -> Outcome:
    return solve(puzzle, method="reference", seconds=min(most, seconds))


# --- comparing answers --------------------------------------------------------------------------------------------


def solvers(kernel_names: Sequence[str], peers: Sequence[str]) -> Mapping[str, Callable[[Puzzle], str]]:
    """Our kernels, and the seed's search, whose `undecided` is no answer."""
    found: dict[str, Callable[[Puzzle], str]] = {
        f"kernel {name}": partial(_answer, kernel=name) for name in kernel_names
    }
    return found | {name: partial(_answer, method="reference") for name in peers}


def _answer(puzzle: Puzzle, **options: Any) -> str:
    outcome = solve(puzzle, seconds=10, **options)
    judge(outcome)
    return outcome.verdict


def agree(cases: Sequence[Case], options: argparse.Namespace) -> Iterator[str]:
    """All disagreements on one set, with the puzzle."""
    asked = solvers(options.kernels, options.peers)
    for (puzzle,) in cases:
        verdicts = {name: ask(puzzle) for name, ask in asked.items()}
        if len(set(verdicts.values()) - {"undecided"}) > 1:
            yield f"{puzzle!r}: {verdicts}"
