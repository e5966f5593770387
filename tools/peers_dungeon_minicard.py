"""A peer to measure against: Dungeons & Diagrams in python-sat's MiniCard.

Row and column clues are MiniCard's native cardinality constraints; the local rules are clauses;
connectivity is added lazily, one cut for each region that a model leaves apart.

    solve(height, width, rows, columns, monsters, treasures, walls, floors, limit)

takes the same arguments as the exact engine's kernels (masks with cell (r, c) at bit
r * width + c, clue -1 unknown) and returns the wall masks and whether there are no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pysat.solvers import Minicard  # type: ignore[import-untyped]

Cell = tuple[int, int]


class Model:
    """Variables: one for each cell (true: wall), one for each placement of a treasure room."""

    def __init__(
        self,
        height: int,
        width: int,
        rows: Sequence[int],
        columns: Sequence[int],
        monsters: int,
        treasures: int,
    ) -> None:
        self.height = height
        self.width = width
        self.cells = [(r, c) for r in range(height) for c in range(width)]
        self.monsters = {cell for cell in self.cells if monsters >> self.bit(cell) & 1}
        self.treasures = {cell for cell in self.cells if treasures >> self.bit(cell) & 1}
        self.rooms: dict[Cell, int] = {}
        self.solver = Minicard()
        self.add_rooms()
        self.add_cells()
        self.add_blocks()
        for r, clue in enumerate(rows):
            self.exactly([self.wall((r, c)) for c in range(width)], clue)
        for c, clue in enumerate(columns):
            self.exactly([self.wall((r, c)) for r in range(height)], clue)

    def bit(self, cell: Cell) -> int:
        return cell[0] * self.width + cell[1]

    def wall(self, cell: Cell) -> int:
        return self.bit(cell) + 1

    def inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def neighbours(self, cell: Cell) -> list[Cell]:
        r, c = cell
        around = [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]
        return [other for other in around if self.inside(other)]

    def square(self, corner: Cell, side: int) -> list[Cell]:
        r, c = corner
        return [(r + i, c + j) for i in range(side) for j in range(side)]

    def border(self, corner: Cell) -> list[Cell]:
        room = self.square(corner, 3)
        return [other for cell in room for other in self.neighbours(cell) if other not in room]

    def exactly(self, literals: list[int], count: int) -> None:
        if count >= 0:
            self.solver.add_atmost(literals, count)
            self.solver.add_atmost([-literal for literal in literals], len(literals) - count)

    def add_rooms(self) -> None:
        by_treasure: dict[Cell, list[int]] = {cell: [] for cell in self.treasures}
        for corner in self.cells:
            room = self.square(corner, 3)
            held = self.treasures.intersection(room)
            if not all(map(self.inside, room)) or len(held) != 1:
                continue
            border = self.border(corner)
            if self.monsters.intersection(room + border):
                continue
            place = len(self.cells) + len(self.rooms) + 1
            self.rooms[corner] = place
            by_treasure[held.pop()].append(place)
            for cell in room:
                self.solver.add_clause([-place, -self.wall(cell)])
            self.solver.add_clause([-place] + [-self.wall(cell) for cell in border])
            for one, other in combinations(border, 2):
                self.solver.add_clause([-place, self.wall(one), self.wall(other)])
        for places in by_treasure.values():
            self.solver.add_clause(places)
            for pair in combinations(places, 2):
                self.solver.add_clause([-place for place in pair])

    def add_cells(self) -> None:
        for cell in self.cells:
            me = self.wall(cell)
            around = [self.wall(other) for other in self.neighbours(cell)]
            if cell in self.monsters or cell in self.treasures:
                self.solver.add_clause([-me])
            if cell in self.monsters:
                self.solver.add_clause([-other for other in around])
                for one, other in combinations(around, 2):
                    self.solver.add_clause([one, other])
                continue
            if len(around) < 2:
                self.solver.add_clause([me])
                continue
            for group in combinations(around, len(around) - 1):
                self.solver.add_clause([me] + [-other for other in group])

    def add_blocks(self) -> None:
        for r in range(self.height - 1):
            for c in range(self.width - 1):
                corners = [(r, c), (r, c - 1), (r - 1, c), (r - 1, c - 1)]
                places = [self.rooms[corner] for corner in corners if corner in self.rooms]
                block = [self.wall(cell) for cell in self.square((r, c), 2)]
                self.solver.add_clause(block + places)

    def regions(self, walls: set[Cell]) -> Iterator[set[Cell]]:
        left = set(self.cells) - walls
        while left:
            start = left.pop()
            region = {start}
            ahead = [start]
            while ahead:
                for other in self.neighbours(ahead.pop()):
                    if other in left:
                        left.remove(other)
                        region.add(other)
                        ahead.append(other)
            yield region

    def cut(self, regions: list[set[Cell]]) -> None:
        """Each region but the largest opens towards the others, if it and they hold floor."""
        regions.sort(key=len)
        elsewhere = next(iter(regions[-1]))
        for region in regions[:-1]:
            edge = {other for cell in region for other in self.neighbours(cell)} - region
            here = next(iter(region))
            ends = [self.wall(here), self.wall(elsewhere)]
            self.solver.add_clause(ends + [-self.wall(cell) for cell in edge])


def solve(
    height: int,
    width: int,
    rows: Sequence[int],
    columns: Sequence[int],
    monsters: int,
    treasures: int,
    walls: int,
    floors: int,
    limit: int,
) -> tuple[tuple[int, ...], bool]:
    """Up to `limit` solutions (0: all) as wall masks, and whether there are no others."""
    model = Model(height, width, rows, columns, monsters, treasures)
    size = height * width
    found: list[int] = []
    for bit in range(size):
        if walls >> bit & 1:
            model.solver.add_clause([bit + 1])
        if floors >> bit & 1:
            model.solver.add_clause([-bit - 1])
    with model.solver as solver:
        while solver.solve():
            literals = solver.get_model()[:size]
            closed = {model.cells[literal - 1] for literal in literals if literal > 0}
            regions = list(model.regions(closed))
            if len(regions) > 1:
                model.cut(regions)
                continue
            found.append(sum(1 << model.bit(cell) for cell in closed))
            if len(found) == limit:
                return tuple(found), False
            solver.add_clause([-literal for literal in literals])
    return tuple(found), True
