"""New Sugurus: cages that have a solution by construction, then as few givens as leave it the only one.

**Cages and values grow together.** A sweep crosses the grid: at the most cramped open cell a cage grows over open
cells to a size drawn at random and gets its values 1..n at once, none beside an equal one. It is refused if some open
cell beside it then has no value left, or too little room for a cage with its least possible value. Where no try
fits, some of the cages around the cell are taken out again (*repair*), and the sweep goes on from there. Small
cages need this: 1 to 4 each fill nearly every fourth cell, and random cages would have no solution.

**Cages of at most four cells** leave no choice of values: each 2x2 window holds 1 to 4, so rows (or columns) alternate
between two pairs. The values are laid out first and the cages grow over them.

**Givens** are taken away in random order, each for good if the solution stays the only one (by the exact engine). What
is left is minimal, since a given that was needed once is needed all the more when others have gone.

The same request makes the same puzzles everywhere: puzzle n of a seed depends on nothing but the request, the seed
and n, and of Python's generator only `random()` is used, whose numbers Python promises to keep.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from dnd import grid
from dnd.diagnostic import InputError, counted, input_error
from dnd.requests import SYMMETRIES, Asked, Grammar, Range, bounds, choice, numbers, seed_text, symmetry_of, whole
from dnd.suguru.puzzle import MAX_CAGE, Puzzle, check_shape, numbered
from dnd.suguru.solver import engine

if TYPE_CHECKING:
    from dnd.suguru.explainer import Rating

LEVELS = ("easy", "medium", "hard", "expert")
RANGES = ("cages",)

_TRIES = 6  # cages tried at a cell before the repair
_REPAIR = 0.3  # the share of the cages around a cell that a repair takes out
_STEPS = 5  # steps for each cell before the cages are begun anew
_BEGINNINGS = 100
_ATTEMPTS = 500  # puzzles made before a level is called out of reach
_EASING = 4  # one in so many of the empty cells may get its given back to make a puzzle easier
_CHUNK = 8  # givens that are taken away together as long as that goes well
_PATIENCE = 20_000  # nodes; a given stays if the engine cannot decide sooner whether it is needed


_GRAMMAR = Grammar(
    "suguru", "a request looks like suguru:12x12, or suguru:12x12:hard:2-5:half-turn#seed (width x height)"
)


class Request(NamedTuple):
    """What puzzles of a seed have in common."""

    height: int
    width: int
    cages: Range
    difficulty: str | None
    symmetry: str | None
    seed: str

    def text(self, number: int) -> str:
        """The request for the puzzle of that number alone, as `parse_request` reads it."""
        size, sizes = f"{self.width}x{self.height}", "{}-{}".format(*self.cages)
        fields = (size, sizes, self.difficulty, self.symmetry)
        return _GRAMMAR.text(fields, self.seed, number)


def generate(
    height: int = 8,
    width: int = 8,
    *,
    cages: Range | int = (1, 6),
    difficulty: str | None = None,
    symmetry: str | None = None,
    seed: int | str | None = None,
    count: int | None = 1,
    start: int = 0,
) -> Iterator[Puzzle]:
    """Puzzles with exactly one solution, proved; the name of each is the request that makes it again.

    cages: the least and the largest size of a cage, or the only one. difficulty: one of `LEVELS`
    (`dnd.suguru.rate`), None: as it comes. symmetry: one of `SYMMETRIES`, under which the cells with givens are
    to be symmetric; the last two need a square. count: how many, None: no end. seed: random if None. start: the number
    of the first puzzle in the seed's stream, for those who share a stream out among workers.

    No given can be taken away (with a symmetry: no set of cells that it moves to each other), but for two cases. A
    puzzle that would be harder than asked keeps as many givens more as it needs; and on very large grids a given stays
    where proving it needless takes too long.

    Raises `InputError` for a request that no puzzle can meet, or none was found to meet after many attempts.
    """
    request = Request(
        whole("height", height),
        whole("width", width),
        bounds("cages", cages),
        choice("difficulty", difficulty, LEVELS),
        symmetry_of(symmetry, height, width),
        seed_text(seed),
    )
    _check(request)
    return (_make(request, number) for number in numbers(start, count))


def rating_of(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle that was made here."""
    from dnd.suguru.explainer import rate  # puzzles are made without it, unless a level is asked for

    return rate(puzzle)


_CAGES = re.compile(r"(?:cages=)?([0-9]{1,9})(?:-([0-9]{1,9}))?")


def parse_request(text: str) -> Asked:
    """The arguments of `generate` that a text such as `suguru:12x12:hard:2-5:half-turn#seed/3` asks for.

    Width x height, then in any order a level, sizes of cages, a symmetry; all but the grid's size may be left out.
    After `#` a seed, of letters, digits and `_.-`, and after `/` the number of its first puzzle (from 0).
    Raises `InputError` bad-request.
    """
    return _GRAMMAR.parse(text, _GRAMMAR.size, _field)


def _field(text: str) -> tuple[str, object]:
    if text in LEVELS:
        return "difficulty", text
    if text in SYMMETRIES:
        return "symmetry", text
    sizes = _CAGES.fullmatch(text)
    if sizes:
        return "cages", (int(sizes[1]), int(sizes[2] or sizes[1]))
    raise _GRAMMAR.error(text, f"is not one of {', '.join((*LEVELS, *SYMMETRIES))}, nor a range of cage sizes")


def _check(request: Request) -> None:
    """Raise `InputError` for a request that is out of range or that, by counting, no puzzle can meet."""
    height, width = request.height, request.width
    check_shape(height, width)
    least, most = request.cages
    if not 1 <= least <= most <= MAX_CAGE:
        raise input_error(
            "cage-range", f"cages of {least} to {most} cells; the sizes must be 1 to {MAX_CAGE}, least first"
        )
    _check_numbers(height, width, least, most)


def _check_numbers(height: int, width: int, least: int, most: int) -> None:
    """Every cage holds a 1, and no two 1s touch: that bounds the number of cages. A window holds different values."""
    cells, ones = height * width, -(-height // 2) * -(-width // 2)
    fewest, largest = -(-cells // most), min(cells // least, ones)
    if fewest > largest or most < min(height, 2) * min(width, 2):
        sizes = f"{least} to {most} cells" if least < most else counted(most, "cell")
        raise input_error("no-such-cages", f"no {width}x{height} Suguru can have only cages of {sizes}")


# ---------------------------------------------------------------- one puzzle


def _make(request: Request, number: int) -> Puzzle:
    digest = hashlib.sha256(f"{request.seed}/{number}".encode()).digest()
    rng = Random(int.from_bytes(digest, "big"))
    name = request.text(number)
    for _ in range(_ATTEMPTS if request.difficulty else 1):
        cages, values = _solved(request, rng)
        givens, dropped = _pruned(request, cages, values, _shuffled(_orbits(request), rng))
        puzzle = Puzzle(request.height, request.width, cages, givens, name)
        if request.difficulty is None:
            return puzzle
        eased = _eased(puzzle, values, dropped, request.difficulty)
        if eased is not None:
            return eased
    raise input_error("out-of-reach", f"no {request.difficulty} puzzle found in {_ATTEMPTS} attempts for {name}")


def _solved(request: Request, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Cages and a solution."""
    for _ in range(_BEGINNINGS):
        growth = _Growth(request, rng)
        if growth.finish(_STEPS * (len(growth.values) + 20)):
            return numbered(growth.cages), tuple(growth.values)
    raise _no_grid(request.height, request.width, *request.cages)


def _no_grid(height: int, width: int, least: int, most: int) -> InputError:
    message = f"no {width}x{height} grid found with cages of {least} to {most} cells"
    return input_error("out-of-reach", message, hint="a wider range of cages has more grids")


def _orbits(request: Request) -> list[tuple[int, ...]]:
    """The cells in sets that a symmetry moves to each other; each cell alone if none is asked for."""
    height, width = request.height, request.width
    symmetry = SYMMETRIES[request.symmetry] if request.symmetry else 0
    orbits: dict[int, tuple[int, ...]] = {}
    for start in range(height * width):
        orbit, cell = [start], divmod(start, width)
        while (cell := grid.move(symmetry, cell, height, width)) != divmod(start, width):
            orbit.append(cell[0] * width + cell[1])
        orbits.setdefault(min(orbit), tuple(orbit))
    return list(orbits.values())


def _shuffled(items: list[tuple[int, ...]], rng: Random) -> list[tuple[int, ...]]:
    return [item for _, item in sorted((rng.random(), item) for item in items)]


def _pruned(
    request: Request, cages: tuple[int, ...], values: tuple[int, ...], orbits: Sequence[tuple[int, ...]]
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """The givens that are left when the orbits were tried one by one, and the orbits that have gone, in order."""
    count = engine(request.height, request.width).count
    givens = values
    dropped: list[tuple[int, ...]] = []

    def without(some: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
        gone = {cell for orbit in some for cell in orbit}
        return tuple([0 if cell in gone else given for cell, given in enumerate(givens)])

    # That all of several may go says that each may, one after the other; so the answer is that of one by one.
    def drop(some: Sequence[tuple[int, ...]], needed: bool) -> bool:
        """Drop what can be dropped of some orbits; whether that is all of them. needed: they cannot all be dropped."""
        nonlocal givens
        if not needed:
            fewer = without(some)
            number, _, complete = count(request.height, request.width, cages, fewer, 2, _PATIENCE, None)
            if number == 1 and complete:
                givens = fewer
                dropped.extend(some)
                return True
        if len(some) > 1:
            middle = len(some) // 2
            drop(some[middle:], drop(some[:middle], False))
        return False

    for start in range(0, len(orbits), _CHUNK):
        drop(orbits[start : start + _CHUNK], False)
    return givens, dropped


def _eased(
    puzzle: Puzzle, values: tuple[int, ...], dropped: Sequence[tuple[int, ...]], difficulty: str
) -> Puzzle | None:
    """The puzzle with as few givens back, the last ones gone first, as make it of that level; None if none do."""
    from dnd.suguru.explainer import rate  # a puzzle without a level needs no explainer

    @cache
    def level(back: int) -> int:
        known = rate(with_back(back)).level
        return LEVELS.index(known) if known in LEVELS else len(LEVELS)

    def with_back(back: int) -> Puzzle:
        cells = {cell for orbit in dropped[len(dropped) - back :] for cell in orbit}
        givens = tuple([values[cell] if cell in cells else given for cell, given in enumerate(puzzle.givens)])
        return Puzzle(puzzle.height, puzzle.width, puzzle.cages, givens, puzzle.name)

    wanted = LEVELS.index(difficulty)
    most = len(dropped) // _EASING
    # More givens nearly never make a puzzle harder; where they do, the check at the end refuses it.
    back = bisect_left(range(most + 1), -wanted, key=lambda back: -level(back))
    return with_back(back) if back <= most and level(back) == wanted else None


# ---------------------------------------------------------------- cages and values


class _Tables(NamedTuple):
    """For each cell of a grid: the cells that share a side with it, and those that touch it."""

    sides: list[list[int]]
    around: list[list[int]]


@cache
def _tables(height: int, width: int) -> _Tables:
    inside = [divmod(cell, width) for cell in range(height * width)]
    around = [
        [r * width + c for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)
         if 0 <= r < height and 0 <= c < width and (r, c) != (row, column)]
        for row, column in inside
    ]  # fmt: skip
    sides = [[r * width + c for r, c in grid.neighbours(cell, height, width)] for cell in inside]
    return _Tables(sides, around)


class _Growth:
    """Cages and values that grow together. Sets of values are masks that have bit v for value v.

    cages: of each cell the cells of its cage, None while it is open. values: 0 where it is open.
    """

    def __init__(self, request: Request, rng: Random) -> None:
        height, width = request.height, request.width
        self.random = rng.random
        self.least, self.most = request.cages
        self.sides, self.around = _tables(height, width)
        self.values = [0] * (height * width)
        self.cages: list[tuple[int, ...] | None] = [None] * len(self.values)
        self.open = set(range(len(self.values)))
        self.known = self._given_values(height, width)
        self.sizes = _weighted(self.least, self.most)
        self.sweep = self._direction(height, width)
        self.rank = [0] * len(self.values)
        self._look(self.open)

    def finish(self, steps: int) -> bool:
        """Fill the grid; False when that many steps were not enough."""
        for _ in range(steps):
            if not self.open:
                return True
            cell = min(self.open, key=self.rank.__getitem__)
            self._look(self._cage(cell) or self._repair(cell))
        return not self.open

    def _below(self, bound: int) -> int:
        return int(self.random() * bound)

    def _direction(self, height: int, width: int) -> list[int]:
        """How far each cell is on the way of the sweep: along the longer side, so that its front is short."""
        down = height > width or (height == width and self._below(2) == 0)
        way = [cell // width if down else cell % width for cell in range(height * width)]
        return way if self._below(2) else [max(way) - step for step in way]

    def _given_values(self, height: int, width: int) -> list[int]:
        """The values that each cell may have at all."""
        if self.most > min(height, 2) * min(width, 2):
            return [(2 << self.most) - 2] * (height * width)
        for _ in range(_BEGINNINGS):
            values = self._alternating(height, width)
            numbers = [values.count(value) for value in range(1, self.most + 1)]
            # A cage that holds a value holds all smaller ones; and each cage holds the least size's.
            if numbers == sorted(numbers, reverse=True) and numbers[self.least - 1] == numbers[0]:
                self.least = max(size for size, number in enumerate(numbers, 1) if number == numbers[0])
                return [1 << value for value in values]
        raise _no_grid(height, width, self.least, self.most)

    def _alternating(self, height: int, width: int) -> list[int]:
        """A value for each cell, so that each window has all: two by turns in a line, other two in the next line."""
        down = width == 1 or (height > 1 and self._below(2) == 1)
        pairs = self._pairs() if min(height, width) > 1 else [(1, 2)]
        turns = [self._below(2) for _ in range(width if down else height)]
        lines = ((column, row) if down else (row, column) for row in range(height) for column in range(width))
        return [pairs[line % len(pairs)][(turns[line] + step) % 2] for line, step in lines]

    def _pairs(self) -> list[tuple[int, int]]:
        other = 2 + self._below(3)
        rest = [value for value in (2, 3, 4) if value != other]
        pairs = [(1, other), (rest[0], rest[1])]
        return pairs if self._below(2) else pairs[::-1]

    def _look(self, cells: Iterable[int]) -> None:
        """Rank cells anew: first those that the sweep reaches soon and that have few values and few open neighbours."""
        cages, total = self.cages, len(self.values)
        for cell in cells:
            room = sum([cages[other] is None for other in self.sides[cell]])
            self.rank[cell] = (self.sweep[cell] + room + self._allowed(cell).bit_count()) * total + cell

    def _allowed(self, cell: int) -> int:
        values, taken = self.values, 0
        for other in self.around[cell]:
            taken |= 1 << values[other]
        return self.known[cell] & ~taken

    def _cage(self, cell: int) -> list[int]:
        """Put a cage over an open cell: the cells around it, [] if no try fits."""
        for _ in range(_TRIES):
            shape = self._shape(cell, self.sizes[self._below(len(self.sizes))])
            values = self._values(shape) if len(shape) >= self.least else []
            if values:
                self._put(shape, values)
                rim = self._rim(shape)
                if all(self._alive(other) for other in rim if self.cages[other] is None):
                    return rim
                self._take(shape)
        return []

    def _repair(self, cell: int) -> list[int]:
        """Take out some of the cages around a cell: the cells whose surroundings have changed."""
        gone: list[int] = []
        for cage in sorted({cage for other in self.around[cell] if (cage := self.cages[other])}):
            if self.random() < _REPAIR:
                self._take(cage)
                gone += cage
        return gone + self._rim(gone)

    def _shape(self, start: int, size: int) -> list[int]:
        """Connected open cells, at most that many; cells that would soon be cut off are preferred."""
        cages, rank = self.cages, self.rank
        shape, front = [start], [other for other in self.sides[start] if cages[other] is None]
        seen = {start, *front}
        while front and len(shape) < size:
            chosen = min(self._below(len(front)), self._below(len(front)), key=lambda at: rank[front[at]])
            cell, front[chosen] = front[chosen], front[-1]
            front.pop()
            shape.append(cell)
            new = [other for other in self.sides[cell] if cages[other] is None and other not in seen]
            seen.update(new)
            front += new
        return shape

    def _values(self, shape: Sequence[int]) -> list[int]:
        """The values 1..n in random order for the cells of a cage, each where it is allowed; [] if there is no way."""
        every = (2 << len(shape)) - 2
        allowed = [self._allowed(cell) & every for cell in shape]
        order = sorted(range(len(shape)), key=lambda at: allowed[at].bit_count())
        values = [0] * len(shape)

        def place(depth: int, left: int) -> bool:
            if depth == len(order):
                return True
            choices = [value for value in range(1, len(shape) + 1) if allowed[order[depth]] & left & 1 << value]
            turn = self._below(len(choices))
            for value in choices[turn:] + choices[:turn]:
                values[order[depth]] = value
                if place(depth + 1, left & ~(1 << value)):
                    return True
            return False

        return values if place(0, every) else []

    def _put(self, shape: Sequence[int], values: Sequence[int]) -> None:
        cage = tuple(shape)
        for cell, value in zip(shape, values, strict=True):
            self.cages[cell], self.values[cell] = cage, value
        self.open.difference_update(shape)

    def _take(self, shape: Sequence[int]) -> None:
        for cell in shape:
            self.cages[cell], self.values[cell] = None, 0
        self.open.update(shape)

    def _rim(self, cells: Sequence[int]) -> list[int]:
        """The cells that touch some cells, these left out."""
        touching: set[int] = set().union(*[self.around[cell] for cell in cells])
        return sorted(touching.difference(cells))

    def _alive(self, cell: int) -> bool:
        """Whether an open cell has a value left, and room around it for a cage with the least of them."""
        allowed = self._allowed(cell)
        return allowed != 0 and self._has_room(cell, max(self.least, (allowed & -allowed).bit_length() - 1))

    def _has_room(self, cell: int, need: int) -> bool:
        room = [cell]
        for seen in room:  # it grows while we go
            if len(room) >= need:
                return True
            room += [other for other in self.sides[seen] if self.cages[other] is None and other not in room]
        return len(room) >= need


def _weighted(least: int, most: int) -> list[int]:
    """The sizes to draw from. Cages must be large on average (four cells, and 1s would fill the grid already)."""
    return [size for size in range(least, most + 1) for _ in range(size**3)]
