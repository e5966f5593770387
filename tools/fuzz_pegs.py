"""Compare the kernels of peg solitaire with a naive witness: `python tools/fuzz_pegs.py [BOARDS] [SEED]`.

Random small boards (up to 18 cells, with holes, with last cells asked for; some larger ones with few pegs): verdicts,
jumps, counts, levels, fewest moves, bounds, symmetric copies, and the seed's search in jumps and nodes, compiled and
pure; `DND_KERNEL=py` leaves the compiled kernels out. Prints every disagreement; exit 1 if there is one.
"""

from __future__ import annotations

import os
import random
import sys
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

from pegs_fuzzing import cases, disagreements
from pegs_witness import Witness


def main(boards: int = 20_000, seed: int = 1) -> int:
    """Run; the exit code."""
    names = ("py",) if os.environ.get("DND_KERNEL") == "py" else ("c", "py")
    rng, wrong, solvable = random.Random(seed), 0, 0
    for number, case in enumerate(islice(cases(seed), boards), start=1):
        solvable += Witness(*case).is_solvable()
        for line in disagreements(case, names, rng):
            wrong += 1
            print(line, flush=True)
        if number % 1000 == 0:
            print(f"{number} boards, {solvable} solvable, {wrong} disagreements", file=sys.stderr, flush=True)
    print(f"{boards} boards (seed {seed}), {solvable} solvable, kernels {', '.join(names)}: {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
