"""Compare every engine with the brute force on random small boards: `python tools/fuzz.py [BOARDS] [SEED]`.

First 2,000 random 8x8 dungeons (BOARDS of them, if that is less) against the reference solver sifted by the independent
checker. Then small boards against the brute force: each board up to 5x5 is solved for all solutions, again under a
random partial board and in a symmetric copy, by the search and the clause-learning engine, compiled and pure. Prints
every disagreement; exit 1 if there is one.
"""

from __future__ import annotations

import random
import sys
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from fuzzing import clues_of_8x8, disagreements, expected, puzzles, reference_disagreements

_AGAINST_REFERENCE = 2000


def main(boards: int = 20_000, seed: int = 1) -> int:
    """Run; the exit code."""
    rng, wrong, solvable = random.Random(seed), 0, 0
    large = min(boards, _AGAINST_REFERENCE)
    for puzzle in islice(clues_of_8x8(seed), large):
        for line in reference_disagreements(puzzle):
            wrong += 1
            print(line, flush=True)
    print(f"{large} boards 8x8 against the reference: {wrong} disagreements", flush=True)
    for number, puzzle in enumerate(islice(puzzles(seed), boards), start=1):
        solvable += bool(expected(puzzle))
        for line in disagreements(puzzle, ("c", "py"), rng):
            wrong += 1
            print(line, flush=True)
        if number % 1000 == 0:
            print(f"{number} boards, {solvable} with a solution, {wrong} disagreements", file=sys.stderr, flush=True)
    print(f"{boards} boards up to 5x5 (seed {seed}), {solvable} with a solution: {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
