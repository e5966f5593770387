"""Measure what refutes in peg solitaire: how often, how fast. All proofs are checked; times are of the processor.

    python tools/measure_pegs_proofs.py [--positions 25] [--pegs 17,24,32] [--nodes 300]

Random positions are full 10x10 boards with pegs anywhere; one is settled when it is proved impossible or a beam solves
it. The contest's tasks are read from the folder of shared data, where it is present.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from itertools import count
from pathlib import Path
from statistics import median

from dnd import grid
from dnd.pegs import kernel, proofs
from dnd.pegs.puzzle import Puzzle

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
BEAMS = ((300, 0), (300, 1), (3000, 0), (3000, 1), (30000, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=25, metavar="N", help="random positions of each kind")
    parser.add_argument("--pegs", default="17,24,32", metavar="N,...", help="their numbers of pegs")
    parser.add_argument("--nodes", type=int, default=proofs.MAX_NODES, metavar="N", help="most nodes of a tree")
    arguments = parser.parse_args()
    contest()
    programmes()
    for pegs in map(int, arguments.pegs.split(",")):
        positions(pegs, arguments.positions, arguments.nodes)


def contest() -> None:
    """The tasks of the contest on unsolvability."""
    path = SHARED / "pegs-unsolvable.json"
    if not path.exists():
        print("contest: the folder of shared data is absent")
        return
    boards = [board for board in json.loads(path.read_text())["boards"] if board["known"] == "unsolvable"]
    kinds, times = Counter[str](), list[float]()
    for board in boards:
        puzzle = Puzzle.of(board["rows"], tuple(board["final"]))
        proof, spent = timed(puzzle, proofs.MAX_NODES)
        kinds[proof.kind if not open_cells(puzzle, proof) else "open"] += 1
        times.append(spent)
    print(f"contest, {len(boards)} unsolvable tasks: {dict(kinds)}, {spread(times)}", flush=True)


def programmes() -> None:
    """Linear programmes on the largest board, for each last cell that the class allows."""
    full = grid.full(16, 16)
    vacancy = Puzzle(16, 16, full, full ^ 1 << 7 * 16 + 6)
    few, many = (next(filter(proofs.possible_finals, (scattered(16, n, seed) for seed in count()))) for n in (60, 128))
    for puzzle in (vacancy, many, few):
        refuter, times, found = proofs.Refuter(puzzle), list[float](), 0
        cells = list(grid.indices(proofs.possible_finals(puzzle)))
        for cell in cells:
            start = time.process_time()
            found += refuter.weights(cell) is not None
            times.append(time.process_time() - start)
        print(
            f"16x16, {puzzle.number} pegs: {found} of {len(cells)} last cells have weights, {spread(times)} a cell",
            flush=True,
        )


def positions(pegs: int, number: int, nodes: int) -> None:
    """Random positions: by what they are settled, and the time of the proofs."""
    settled, times, cells = Counter[str](), list[float](), list[int]()
    for seed in range(number):
        puzzle = scattered(10, pegs, seed)
        proof, spent = timed(puzzle, nodes)
        left = open_cells(puzzle, proof)
        settled[proof.kind if not left else "solved" if solved(puzzle) else "open"] += 1
        cells.append(left.bit_count())
        times.append(spent)
    done = number - settled["open"]
    print(
        f"10x10, {pegs} pegs: {done} of {number} settled, {dict(settled)}, {spread(times)}; open cells {cells}",
        flush=True,
    )


def scattered(side: int, pegs: int, seed: int) -> Puzzle:
    """Pegs anywhere on a full square."""
    chosen = random.Random(seed * 1000 + pegs).sample(range(side * side), pegs)
    return Puzzle(side, side, grid.full(side, side), sum(1 << cell for cell in chosen))


def timed(puzzle: Puzzle, nodes: int) -> tuple[proofs.Proof, float]:
    """What is proved, each part of it checked, and the seconds it took to find."""
    start = time.process_time()
    proof = proofs.examine(puzzle, max_nodes=nodes)
    spent = time.process_time() - start
    assert all(part.check(puzzle) for part in proof.parts)
    return proof, spent


def open_cells(puzzle: Puzzle, proof: proofs.Proof) -> int:
    """The mask of the last cells that are not refuted."""
    return puzzle.finals & ~proof.refuted(puzzle)


def solved(puzzle: Puzzle) -> bool:
    """Whether a beam solves it."""
    search = kernel.load("search")
    return any(search.beam(*puzzle.kernel_arguments, size, score, 1, None)[0] == 1 for size, score in BEAMS)


def spread(times: list[float]) -> str:
    """Median and maximum."""
    return f"{1000 * median(times):.1f} ms median, {1000 * max(times):.1f} ms at most"


if __name__ == "__main__":
    main()
