"""Check new dungeons, 4x4 to 10x10: `python tools/check_generated.py [-n N] [--seed SEED] [--kernels c,py]`

Takes N puzzles (10,000), one of each size in turn. Each must be legal for the independent checker `dnd.dungeon.oracle`
and have the solution it was made from, and no other, by each kernel. All are different, also up to symmetry: there are
not many small ones, so one that is there already is left out, and a size of which five are left out in a row is done.
Prints the figures, and every fault with the puzzle's name; exit 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from dnd.dungeon import oracle
from dnd.dungeon.generator import NewPuzzle, generate
from dnd.dungeon.puzzle import Puzzle
from dnd.dungeon.solver import solve

SIDES = range(4, 11)
REPEATS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-n", type=int, default=10_000, metavar="N", help="default %(default)s")
    parser.add_argument("--seed", default="check")
    parser.add_argument("--kernels", default="c,py", help="default %(default)s")
    options = parser.parse_args(arguments)
    stream, start = Different(options.seed), time.process_time()
    tally, sizes = Counter[str](), Counter[str]()
    for number, puzzle in zip(range(1, options.n + 1), stream, strict=False):
        sizes[f"{puzzle.width}x{puzzle.height}"] += 1
        for fault in faults(puzzle, options.kernels.split(",")):
            tally[fault] += 1
            print(f"{puzzle.name} {puzzle.ddn()}: {fault}", flush=True)
        if number % 1000 == 0:
            print(f"{number} puzzles, {tally.total()} faults", file=sys.stderr, flush=True)
    fewest = ", ".join(f"{number} of {size}" for size, number in reversed(sizes.most_common()[-4:]))
    print(f"{sizes.total():,} different puzzles of {len(sizes)} sizes (the fewest: {fewest})")
    print(f"left out since they were there already, up to symmetry: {stream.repeats}")
    print(f"not legal: {tally['not legal']}")
    for kernel in options.kernels.split(","):
        print(f"not the one solution by kernel {kernel}: {tally[wrong(kernel)]}")
    print(f"CPU time: {time.process_time() - start:.0f} s")
    return 1 if tally else 0


class Different:
    """Puzzles of all sizes in turn, no two equal up to symmetry. `repeats` counts those left out."""

    def __init__(self, seed: str) -> None:
        self.streams = [generate(height, width, seed=seed, count=None) for height, width in product(SIDES, SIDES)]
        self.known: set[Puzzle] = set()
        self.repeats = 0

    def __iter__(self) -> Iterator[NewPuzzle]:
        while self.streams:
            for stream in self.streams.copy():
                puzzle = self.next_of(stream)
                if puzzle is None:
                    self.streams.remove(stream)
                else:
                    yield puzzle

    def next_of(self, stream: Iterator[NewPuzzle]) -> NewPuzzle | None:
        """The next new one; None when new ones have become rare."""
        for _ in range(REPEATS):
            puzzle = next(stream)
            canonical = puzzle.canonical()
            if canonical not in self.known:
                self.known.add(canonical)
                return puzzle
            self.repeats += 1
        return None


def faults(puzzle: NewPuzzle, kernels: Sequence[str]) -> Iterator[str]:
    """What is wrong with a puzzle."""
    objects = puzzle.monster_cells, puzzle.treasure_cells
    if oracle.faults(puzzle.rows, puzzle.columns, puzzle.solution.letters(), *objects):
        yield "not legal"
    for kernel in kernels:
        found = solve(puzzle, 2, kernel=kernel)
        if not found.unique or found.solutions[0].walls != puzzle.walls:
            yield wrong(kernel)


def wrong(kernel: str) -> str:
    return f"not the one solution by kernel {kernel}"


if __name__ == "__main__":
    sys.exit(main())
