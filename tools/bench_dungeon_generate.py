"""How long new dungeons take: `python tools/bench_dungeon_generate.py [-n N] [--seed SEED] [REQUEST...]`

REQUEST is what `generate` takes, without a seed: `8x8`, `12x12:hard`. Without one, the requests that docs/generate.md
reports. Prints a table: CPU times of puzzles, one by one, kernels loaded before; of each request as many as take about
N seconds, a thousand at most. Every puzzle is solved again; exit 1 if one has not just the solution it was made from.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from statistics import fmean, median

from dnd.dungeon.generator import NewPuzzle, generate, parse_request
from dnd.dungeon.solver import solve
from measure import duration

LEVELS = ("easy", "medium", "hard", "expert", "beyond-logic")
REQUESTS = ("8x8", *(f"8x8:{level}" for level in LEVELS), "10x10", "12x12", "14x14", "16x16", "20x20")
MOST = 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("requests", nargs="*", metavar="REQUEST", default=REQUESTS)
    parser.add_argument("-n", type=float, default=5, metavar="N", help="seconds for each; default %(default)s")
    parser.add_argument("--seed", default="bench")
    options = parser.parse_args(arguments)
    wrong = 0
    print("| request | puzzles | a second | mean | median | longest |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for request in options.requests:
        times, puzzles = zip(*timed(request, options.n, options.seed), strict=True)
        numbers = [fmean(times), median(times), max(times)]
        cells = [f"`{request}`", f"{len(puzzles):,}", rate(1 / fmean(times)), *map(duration, numbers)]
        print(f"| {' | '.join(cells)} |", flush=True)
        wrong += sum(is_faulty(puzzle) for puzzle in puzzles)
    if wrong:
        print(f"{wrong} puzzles have not the one solution they were made from")
    return 1 if wrong else 0


def timed(request: str, seconds: float, seed: str) -> Iterator[tuple[float, NewPuzzle]]:
    """Puzzles of a request, each with its CPU seconds."""
    puzzles = generate(**parse_request(request), seed=seed, count=None)
    next(puzzles)  # imports
    end = time.process_time() + seconds
    for _ in range(MOST):
        start = time.process_time()
        puzzle = next(puzzles)
        now = time.process_time()
        yield now - start, puzzle
        if now > end:
            return


def rate(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}"


def is_faulty(puzzle: NewPuzzle) -> bool:
    """Whether the solutions are not the walls that were drawn, alone."""
    found = solve(puzzle, 2)
    return not found.unique or found.solutions[0].walls != puzzle.walls


if __name__ == "__main__":
    sys.exit(main())
