"""How far the Suguru explanations lead: `python tools/technique_coverage_suguru.py [--no-replay] FILE...`

FILE: a file of shared puzzles, `../shared/data/suguru-*.json.gz`; without one, both. Prints for each file how many of
its unique puzzles the techniques solve, how many steps of each they take, and of how many puzzles each is the
hardest; every unsound step (replayed on its cited facts alone, and compared with the solution), and the puzzles left
unsolved. Exit 1 if a step is unsound.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from dnd.suguru.explainer import TECHNIQUES, Explanation, explain
from dnd.suguru.puzzle import Puzzle, numbered
from suguru_replay import unsound

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
FILES = ("suguru-public.json.gz", "suguru-hard.json.gz")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", default=[SHARED / name for name in FILES])
    parser.add_argument("--no-replay", action="store_true", help="do not look whether steps are sound")
    options = parser.parse_args(arguments)
    wrong = sum(report(path, replay=not options.no_replay) for path in options.files)
    return 1 if wrong else 0


def report(path: Path, *, replay: bool) -> int:
    """Print the figures of one file; the number of unsound steps."""
    paths: list[tuple[str, Explanation]] = []
    seconds: list[float] = []
    wrong = 0
    for name, puzzle, solution in unique_puzzles(path):
        start = time.process_time()
        told = explain(puzzle)
        seconds.append(time.process_time() - start)
        paths.append((name, told))
        for line in unsound(told, solution) if replay else ():
            wrong += 1
            print(f"UNSOUND {name}: {line}", flush=True)
    steps = sum((told.techniques for _, told in paths), Counter[str]())
    hardest = Counter(max(told.techniques, key=TECHNIQUES.index, default="none") for _, told in paths if told.solved)
    stuck = [name for name, told in paths if not told.solved]
    print(f"{path.name}: {len(paths) - len(stuck)} of {len(paths)} unique puzzles solved, ", end="")
    print(f"{steps.total()} steps, {f'{wrong} unsound' if replay else 'not replayed'}")
    print(f"  CPU ms a puzzle: mean {1000 * sum(seconds) / len(seconds):.1f}, longest {1000 * max(seconds):.1f}")
    print(f"  {'technique':20} {'steps':>8} {'hardest of':>11}")
    for technique in (*TECHNIQUES, "none"):
        if steps[technique] or hardest[technique] or technique != "none":
            print(f"  {technique:20} {steps[technique]:8} {hardest[technique]:11}")
    for name in stuck:
        print(f"  unsolved: {name}")
    return wrong


def unique_puzzles(path: Path) -> Iterator[tuple[str, Puzzle, tuple[int, ...]]]:
    """Name, puzzle and solution of each puzzle of a shared file that has one solution."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        puzzles: list[dict[str, Any]] = json.load(file)["puzzles"]
    for record in puzzles:
        if str(record["n_solutions"]) == "1":
            cages, givens = numbered(_flat(record["cages"])), _flat(record["givens"])
            puzzle = Puzzle(record["height"], record["width"], cages, givens)
            yield f"{record['source']} {record['id']}", puzzle, _flat(record["solution"])


def _flat(rows: Sequence[Sequence[int]]) -> tuple[int, ...]:
    return tuple(number for row in rows for number in row)


if __name__ == "__main__":
    sys.exit(main())
