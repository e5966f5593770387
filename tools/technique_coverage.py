"""How far the dungeon's explanations lead: `python tools/technique_coverage.py [--soundness] [--sample N] [FILE...]`

FILE: puzzles in any format, all of them one set; without FILE the sets are the 64 levels, the booklet, and the
Dungeon-Cross boards of `../shared/data` where that folder is. Of a set larger than the sample (2,000) some are taken,
evenly spread. Of each set it prints how many of the unique puzzles the techniques solve, with and without the last one,
and how long that takes; how many steps of each technique there are, how many cells they decide, of how many puzzles
each is the hardest; which puzzles need the last one, and which are left unsolved.

`--soundness` replays every step on its cited facts alone (`tests/support/dungeon_replay.py`) and compares it with the
solution; unsound steps are printed, and the exit code is 1 if there are any.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from dnd.dungeon.explainer import TECHNIQUES, WHAT_IF, Explanation, explain
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.dungeon.solver import solve
from dnd.game import Entry
from dnd.reading import entries
from dungeon_replay import unsound

ROOT = Path(__file__).resolve().parent.parent
BAR = 0.02  # seconds: no board should take longer
TRIALS = 5
DUNGEON_CROSS = ROOT.parent / "shared" / "data" / "dungeoncross-even.jsonl.gz"


class Told(NamedTuple):
    """An explained puzzle: its name, the path, the solution, CPU seconds."""

    name: str
    path: Explanation
    solution: Board
    seconds: float

    @property
    def hardest(self) -> str:
        return max(self.path.techniques, key=TECHNIQUES.index, default="none")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--soundness", action="store_true", help="replay every step on its cited facts")
    parser.add_argument("--sample", type=int, default=2000, metavar="N", help="so many puzzles of a set (default 2000)")
    options = parser.parse_args(arguments)
    sets = {"files": options.files} if options.files else _our_sets()
    wrong = sum(report(name, files, options.sample, replay=options.soundness) for name, files in sets.items())
    return 1 if wrong else 0


def _our_sets() -> dict[str, list[Path]]:
    folders = {"64 levels": "bbs", "booklet": "booklet"}
    sets = {name: sorted((ROOT / "fixtures" / folder).glob("*.toml")) for name, folder in folders.items()}
    return sets | ({"Dungeon-Cross": [DUNGEON_CROSS]} if DUNGEON_CROSS.exists() else {})


def report(name: str, files: Sequence[Path], sample: int, *, replay: bool) -> int:
    """Print the figures of one set; the number of unsound steps."""
    all_told, wrong = [], 0
    for told in paths(files, sample):
        all_told.append(told)
        for line in unsound(told.path, told.solution) if replay else ():
            wrong += 1
            print(f"UNSOUND {told.name}: {line}", flush=True)
    print("\n".join(_figures(name, all_told, f"{wrong} unsound" if replay else "not replayed")), flush=True)
    return wrong


def paths(files: Sequence[Path], sample: int) -> Iterator[Told]:
    """The unique puzzles of some files, explained."""
    for entry in spread(list(_entries(files)), sample):
        found = solve(entry.puzzle, 2)
        if found.unique:
            seconds, path = timed(entry.puzzle)
            yield Told(entry.name, path, found.solutions[0].board, seconds)


def timed(puzzle: Puzzle) -> tuple[float, Explanation]:
    """CPU seconds and the path. What seems slow is done again: other work on the machine slows everything down."""
    seconds = math.inf
    for _ in range(TRIALS):
        start = time.process_time()
        path = explain(puzzle)
        seconds = min(seconds, time.process_time() - start)
        if seconds < BAR:
            break
    return seconds, path


def spread(some: list[Entry], number: int) -> list[Entry]:
    """So many of them, evenly spread."""
    step = max(1.0, len(some) / number)
    return [some[int(index * step)] for index in range(min(number, len(some)))]


def _entries(files: Sequence[Path]) -> Iterator[Entry]:
    for path in files:
        yield from entries(path)


def _figures(name: str, all_told: Sequence[Told], replayed: str) -> Iterator[str]:
    steps = sum((told.path.techniques for told in all_told), Counter[str]())
    cells = sum((_cells(told.path) for told in all_told), Counter[str]())
    solved = [told for told in all_told if told.path.solved]
    hardest = Counter(told.hardest for told in solved)
    trying = [told.name for told in solved if told.path.techniques[WHAT_IF]]
    seconds = [told.seconds for told in all_told] or [0.0]
    number = len(all_told)
    yield f"{name}: {number} unique puzzles, {steps.total()} steps, {replayed}"
    yield f"  solved: {_share(len(solved), number)}; without what-if: {_share(len(solved) - len(trying), number)}"
    yield (
        f"  CPU ms a puzzle: mean {1000 * mean(seconds):.1f}, median {1000 * median(seconds):.1f}, "
        f"longest {1000 * max(seconds):.1f}, {sum(each >= BAR for each in seconds)} of {1000 * BAR:.0f} or more"
    )
    yield f"  {'technique':24} {'steps':>8} {'cells':>8} {'hardest of':>11}"
    for technique in TECHNIQUES:
        yield f"  {technique:24} {steps[technique]:8} {cells[technique]:8} {hardest[technique]:11}"
    yield f"  need what-if: {', '.join(trying) or 'none'}"
    yield f"  unsolved: {', '.join(told.name for told in all_told if not told.path.solved) or 'none'}"


def _cells(path: Explanation) -> Counter[str]:
    cells: Counter[str] = Counter()
    for step in path.steps:
        cells[step.technique] += len(step.walls) + len(step.floors)
    return cells


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(whole, 1):.2f} %)"


if __name__ == "__main__":
    sys.exit(main())
