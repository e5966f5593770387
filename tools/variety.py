"""What dungeons look like, in figures: `python tools/variety.py [-n N] [--seed SEED] [FILE|REQUEST...]`

FILE is anything that `dnd` reads, REQUEST is what `generate` takes, without a seed, of which N puzzles are made.
Without one, the 64 levels and the requests that docs/generate.md compares with them. Prints a table: means over the
boards, numbers of things for 64 cells, and in brackets the standard deviations.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, pstdev

from dnd.dungeon.generator import generate, parse_request
from dnd.dungeon.puzzle import Puzzle
from dnd.dungeon.solver import solve
from dnd.reading import load

LEVELS = Path(__file__).resolve().parent.parent / "fixtures" / "bbs"
REQUESTS = ("8x8", "8x8:easy", "8x8:expert", "6x6", "10x10", "12x12")

Cell = tuple[int, int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sources", nargs="*", metavar="FILE|REQUEST", default=[str(LEVELS), *REQUESTS])
    parser.add_argument("-n", type=int, default=500, metavar="N", help="puzzles of each request; default %(default)s")
    parser.add_argument("--seed", default="variety")
    options = parser.parse_args(arguments)
    columns = {Path(source).name: looks(puzzles(source, options.n, options.seed)) for source in options.sources}
    print(f"| | {' | '.join(columns)} |\n| --- |{' ---: |' * len(columns)}")
    for measure in next(iter(columns.values())):
        print(f"| {measure} | {' | '.join(column[measure] for column in columns.values())} |")
    return 0


def puzzles(source: str, number: int, seed: str) -> Iterator[Puzzle]:
    """The puzzles of a file or folder, or those of a request."""
    path = Path(source)
    if path.exists():
        for file in sorted(path.glob("*.toml")) if path.is_dir() else [path]:
            yield from load(file)
    else:
        yield from generate(**parse_request(source), seed=seed, count=number)


def looks(some: Iterator[Puzzle]) -> dict[str, str]:
    """Mean and standard deviation of each measure."""
    measured = [Dungeon(solve(puzzle, 1).solutions[0].letters()).measures() for puzzle in some]
    columns = {name: [measures[name] for measures in measured] for name in measured[0]}
    return {"boards": f"{len(measured):,}"} | {name: told(values) for name, values in columns.items()}


def told(values: Sequence[float | None]) -> str:
    """Mean (standard deviation) of those that are there."""
    known = [value for value in values if value is not None]
    return f"{fmean(known):.2f} ({pstdev(known):.2f})" if known else ""


class Dungeon:
    """A solved board as a graph of open cells."""

    def __init__(self, letters: Sequence[str]) -> None:
        self.letters = letters
        self.cells = {(r, c) for r, row in enumerate(letters) for c, letter in enumerate(row) if letter != "#"}
        self.size = len(letters) * len(letters[0])
        treasures = [cell for cell in self.cells if self.letter(cell) == "T"]
        self.rooms = {treasure: self.room(treasure) for treasure in treasures}
        self.halls = self.cells.difference(*self.rooms.values())

    def letter(self, cell: Cell) -> str:
        return self.letters[cell[0]][cell[1]]

    def around(self, cell: Cell) -> list[Cell]:
        """Open neighbours."""
        r, c = cell
        return [other for other in ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)) if other in self.cells]

    def room(self, treasure: Cell) -> set[Cell]:
        """The room of a treasure: the only open 3x3 square that holds it, since no other 2x2 is open."""
        r, c = treasure
        squares = [{(top + i, left + j) for i in range(3) for j in range(3)}
                   for top in range(r - 2, r + 1) for left in range(c - 2, c + 1)]  # fmt: skip
        return next(square for square in squares if square <= self.cells)

    def is_straight(self, cell: Cell) -> bool:
        (r1, c1), (r2, c2) = self.around(cell)
        return r1 == r2 or c1 == c2

    def hallways(self) -> list[int]:
        """Lengths of hallways: of cells with two ways, those that hang together."""
        left, lengths = {cell for cell in self.halls if len(self.around(cell)) == 2}, []
        while left:
            queue = [left.pop()]
            for cell in queue:  # it grows while we go
                new = left.intersection(self.around(cell))
                left -= new
                queue += new
            lengths.append(len(queue))
        return lengths

    def measures(self) -> dict[str, float | None]:
        """All figures."""
        per = 64 / self.size
        ways = {cell: len(self.around(cell)) for cell in self.cells}
        bends = [self.is_straight(cell) for cell in self.halls if ways[cell] == 2]
        edges = sum(ways.values()) / 2
        hallways = self.hallways()
        return {
            "walls, share of the cells": 1 - len(self.cells) / self.size,
            "2x2 squares of walls": per * self.solid_squares(),
            "dead ends (monsters)": per * sum(number == 1 for number in ways.values()),
            "forks": per * sum(ways[cell] > 2 for cell in self.halls),
            "loops": per * (edges - len(self.cells) + 1 - 4 * len(self.rooms)),
            "hallways: mean length": fmean(hallways) if hallways else None,
            "hallways: longest": max(hallways) if hallways else None,
            "hallways: straight, share of the cells": fmean(bends) if bends else None,
            "rooms (treasures)": per * len(self.rooms),
            "rooms at an edge, share": self.share_of_rooms(1),
            "rooms in a corner, share": self.share_of_rooms(2),
        }

    def solid_squares(self) -> int:
        walls = {(r, c) for r, row in enumerate(self.letters) for c, letter in enumerate(row) if letter == "#"}
        return sum(walls.issuperset(((r + 1, c), (r, c + 1), (r + 1, c + 1))) for r, c in walls)

    def share_of_rooms(self, sides: int) -> float | None:
        """Of the rooms, those that lie against so many edges of the board at least."""
        if not self.rooms:
            return None
        return fmean(self.edges(room) >= sides for room in self.rooms.values())

    def edges(self, room: set[Cell]) -> int:
        """How many edges of the board a room lies against."""
        rows, columns = {r for r, _ in room}, {c for _, c in room}
        last_row, last_column = len(self.letters) - 1, len(self.letters[0]) - 1
        return sum((0 in rows, last_row in rows, 0 in columns, last_column in columns))


if __name__ == "__main__":
    sys.exit(main())
