"""How long new Sugurus take: `python tools/bench_suguru_generate.py [-n N] [--seed SEED] [REQUEST...]`

REQUEST is what `generate` takes, without a seed: `suguru:8x8`, `suguru:10x10:2-5`. Without one, the requests that
docs/performance.md reports. Prints a table: CPU times of N puzzles of each, one by one, kernels loaded before. Every
puzzle is solved again; exit 1 if one has not exactly one solution, or has a given that it does not need.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from dnd.suguru.generator import generate, parse_request
from dnd.suguru.puzzle import Puzzle
from dnd.suguru.solver import count
from measure import duration

REQUESTS = ("suguru:8x8", "suguru:10x10:2-5", "suguru:15x15", "suguru:15x15:2-5", "suguru:20x20", "suguru:30x30")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("requests", nargs="*", metavar="REQUEST", default=REQUESTS)
    parser.add_argument("-n", type=int, default=11, metavar="N", help="puzzles of each; default %(default)s")
    parser.add_argument("--seed", default="bench")
    options = parser.parse_args(arguments)
    wrong = 0
    print("| request | puzzles | median | mean | longest | givens |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for request in options.requests:
        times, puzzles = zip(*timed(request, options.n, options.seed), strict=True)
        numbers = [median(times), sum(times) / len(times), max(times)]
        givens = median(sum(map(bool, puzzle.givens)) for puzzle in puzzles)
        cells = [f"`{request}`", str(len(puzzles)), *map(duration, numbers), f"{givens:g}"]
        print(f"| {' | '.join(cells)} |", flush=True)
        wrong += sum(is_faulty(puzzle) for puzzle in puzzles)
    if wrong:
        print(f"{wrong} puzzles have not one solution, or a needless given")
    return 1 if wrong else 0


def timed(request: str, number: int, seed: str) -> Iterator[tuple[float, Puzzle]]:
    """Puzzles of a request, each with its CPU seconds."""
    asked = parse_request(request) | {"seed": seed, "count": number + 1}
    puzzles = generate(**asked)
    next(puzzles)  # imports
    for _ in range(number):
        start = time.process_time()
        puzzle = next(puzzles)
        yield time.process_time() - start, puzzle


def is_faulty(puzzle: Puzzle) -> bool:
    """Whether there is not exactly one solution, or some given could be left out."""
    return count(puzzle, 2).count != 1 or any(count(without, 2).count == 1 for without in weakened(puzzle))


def weakened(puzzle: Puzzle) -> Iterator[Puzzle]:
    """The puzzle without each of its givens."""
    for cell, given in enumerate(puzzle.givens):
        if given:
            yield replace(puzzle, givens=(*puzzle.givens[:cell], 0, *puzzle.givens[cell + 1 :]))


if __name__ == "__main__":
    sys.exit(main())
