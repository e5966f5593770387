"""Layouts of new dungeons, in plain Python: what a layout is and how one is drawn. The twin of `generate_c`.

A layout is walls and open cells with rooms in them that obey all rules; monsters follow, since they stand in the dead
ends. It is drawn so:

1. **Rooms**, one after the other: each in a random place where its square and border meet no other room. One cell of
   the border, from which a way may lead on, is the entrance; the others stay wall for ever.
2. **All else is opened**, but what cannot be reached from the first room.
3. **Wide places are thinned out**: in random order each cell that lies in an open 2x2 becomes wall, unless that cuts
   the dungeon in two or shuts an entrance.
4. **The hallways are shaped** by many small changes: a random cell changes from wall to open or back, if the layout
   stays legal. Changes that bring the numbers of walls, of dead ends and of loops nearer to those that were drawn for
   this dungeon, or take away 2x2 squares of walls, are kept; others now and then (*annealing*), at the end never.

With a symmetry all this happens to *orbits*, the cells that the symmetry moves to each other.

A layout is a function of the arguments and the seed. Both twins draw the same random numbers (splitmix64) in the same
order; whoever changes one must change both, and changes all puzzles that were ever named by their seeds.

Cells lie in rows of width + 1 with a margin that is wall for ever, so that no neighbour needs a test: the cell in row
r and column c has the index (r + 1) * (width + 1) + 1 + c.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Described = tuple[tuple[int, ...], tuple[int, ...], int, int, int]

_WORD = (1 << 64) - 1
_STEPS = 30  # changes tried, for each cell
_SOLID = 16  # cells that excuse one more 2x2 square of walls than wanted
_FREE, _ROOM, _BORDER, _ENTRANCE = range(4)
# Thresholds of 32 bits: what makes a layout worse by k is accepted with probability 0.4 ** k.
_ACCEPT = (4294967296, 1717986918, 687194767, 274877906, 109951162, 43980465, 17592186, 7036874)


def layout(
    height: int,
    width: int,
    symmetry: int,
    seed: int,
    rooms: tuple[int, ...],
    walls: tuple[int, ...],
    ends: tuple[int, ...],
    loops: tuple[int, ...],
    blocks: tuple[int, ...],
) -> Described | tuple[()]:
    """A dungeon: (row clues, column clues, monsters, treasures, walls), or () if this seed gives none.

    symmetry: 0 none, else one of `dnd.grid`, 1 to 5. rooms, walls, ends, loops, blocks: numbers to choose from, of
    treasure rooms, walls, dead ends, loops, and 2x2 squares of walls (at most); only that of rooms is a must.
    """
    drawn = _Layout(height, width, symmetry, seed)
    number = drawn.pick(rooms)
    drawn.wanted = [drawn.pick(choices) for choices in (walls, ends, loops, blocks)]
    drawn.loops -= 4 * number
    if not drawn.place_rooms(number) or not drawn.open_all() or not drawn.thin_out():
        return ()
    drawn.anneal(_STEPS * height * width)
    return drawn.described() if drawn.blocks <= drawn.wanted[-1] + height * width // _SOLID else ()


class _Layout:
    """A layout that is being drawn.

    open: 1 for open cells. mark: what a cell is fixed to be, if it is not free. walls, ends, loops, blocks: how many
    there are; loops that are not within a room. treasures: their cells, one a room.
    """

    def __init__(self, height: int, width: int, symmetry: int, seed: int) -> None:
        self.height, self.width, self.state = height, width, seed
        self.stride = width + 1
        self.index = [(r + 1) * self.stride + 1 + c for r in range(height) for c in range(width)]
        size = (height + 2) * self.stride + 1
        self.open = [0] * size
        self.is_wall = [0] * size  # of the board: the margin is none
        self.mark = [_BORDER] * size
        for x in self.index:
            self.is_wall[x], self.mark[x] = 1, _FREE
        self.orbits = {x: self._orbit(x, symmetry) for x in self.index}
        self.walls, self.ends, self.loops = height * width, 0, 1
        self.blocks = (height - 1) * (width - 1)
        self.wanted = [0, 0, 0, 0]
        self.treasures: list[int] = []

    def _orbit(self, x: int, symmetry: int) -> list[int]:
        """The cells that the symmetry, again and again, makes of a cell, itself first."""
        r, c = divmod(self.index.index(x), self.width)
        orbit = [x]
        while True:
            if symmetry > 3:
                r, c = c, r
            if symmetry in (1, 3, 5):
                c = self.width - 1 - c
            if symmetry in (2, 3):
                r = self.height - 1 - r
            y = self.index[r * self.width + c]
            if y == x:
                return orbit
            orbit.append(y)

    # -- random numbers

    def draw(self) -> int:
        """32 random bits."""
        self.state = z = self.state + 0x9E3779B97F4A7C15 & _WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
        return (z ^ z >> 31) >> 32

    def below(self, bound: int) -> int:
        """A random number from 0 to bound - 1."""
        return self.draw() * bound >> 32

    def pick(self, choices: Sequence[int]) -> int:
        """One of some numbers."""
        return choices[self.below(len(choices))]

    # -- looking

    def around(self, x: int) -> tuple[int, int, int, int]:
        """The four neighbours."""
        return x - 1, x + 1, x - self.stride, x + self.stride

    def degree(self, x: int) -> int:
        """The number of open neighbours."""
        return sum([self.open[y] for y in self.around(x)])

    def squares(self, cells: Sequence[int], x: int) -> int:
        """How many 2x2 squares around a cell have their other three cells in `cells`."""
        left, right, up, down = self.around(x)
        return sum([cells[y] & cells[z] & cells[y + z - x] for y in (left, right) for z in (up, down)])

    def is_wide(self, x: int) -> bool:
        """Whether a cell, if it is open, is in a 2x2 of open cells."""
        return self.squares(self.open, x) > 0

    def reached(self, start: int) -> set[int]:
        """The open cells that are connected with an open cell."""
        seen, queue = {start}, [start]
        for x in queue:  # it grows while we go
            new = [y for y in self.around(x) if self.open[y] and y not in seen]
            seen.update(new)
            queue += new
        return seen

    def is_connected(self) -> bool:
        """Whether all open cells are connected, and there are some."""
        start = next((x for x in self.index if self.open[x]), None)
        return start is not None and len(self.reached(start)) == len(self.index) - self.walls

    def is_shut(self, x: int) -> bool:
        """Whether a wall leaves an entrance beside it without a way out."""
        return any(self.mark[y] == _ENTRANCE and self.degree(y) < 2 for y in self.around(x))

    # -- rooms

    def square(self, x: int) -> list[int]:
        """The nine cells of a room by its middle."""
        return [x + i * self.stride + j for i in (-1, 0, 1) for j in (-1, 0, 1)]

    def border(self, x: int) -> Iterator[int]:
        """The twelve cells around a room: above, below, left, right."""
        for way, along in ((-self.stride, 1), (self.stride, 1), (-1, self.stride), (1, self.stride)):
            yield from (x + 2 * way + along * k for k in (-1, 0, 1))

    def has_space(self, x: int) -> bool:
        """Whether a room may lie around x: on free cells, and no other room or entrance beside it."""
        return all(self.mark[y] == _FREE for y in self.square(x)) and not any(
            self.mark[y] in (_ROOM, _ENTRANCE) for y in self.border(x)
        )

    def edges(self, x: int) -> int:
        """How many edges of the board a room lies against."""
        return sum([not self.is_wall[y] for y in list(self.border(x))[1::3]])

    def mark_room(self, x: int) -> bool:
        """Mark a room around x and its border; False if it has no space."""
        if not self.has_space(x):
            return False
        for cells, mark in ((self.square(x), _ROOM), (self.border(x), _BORDER)):
            for y in cells:
                self.mark[y] = mark
        return True

    def place_rooms(self, number: int) -> bool:
        """Place so many rooms; False if that fails."""
        while len(self.treasures) < number:
            if not self.place_room(number - len(self.treasures)):
                return False
        return True

    def place_room(self, most: int) -> bool:
        """Place a room, and those that the symmetry makes of it, at most so many; False if that fails."""
        # A room at an edge is as likely as two others, in a corner as three.
        middles = [
            x for x in self.index if len(self.orbits[x]) <= most and self.has_space(x)
            for _ in range(1 + self.edges(x))
        ]  # fmt: skip
        if not middles:
            return False
        x = self.pick(middles)
        rooms, before = self.orbits[x], self.mark.copy()
        if not all(self.mark_room(y) for y in rooms):
            return False
        entrances = [
            y for y in self.border(x)
            if before[y] == _FREE and len(self.orbits[y]) == len(rooms)
            and any(self.mark[z] == _FREE for z in self.around(y))
        ]  # fmt: skip
        if not entrances:
            return False
        for y in self.orbits[self.pick(entrances)]:
            self.mark[y] = _ENTRANCE
        places = [y for y in self.square(x) if len(self.orbits[y]) == len(rooms)]
        self.treasures += self.orbits[self.pick(places)]
        return True

    # -- hallways

    def flip(self, x: int) -> None:
        """Turn a wall into an open cell or the other way round, and keep the counts."""
        ways = self.degree(x)
        sign = -1 if self.open[x] else 1
        for y in self.around(x):
            if self.open[y]:
                was = self.degree(y)
                self.ends += (was + sign == 1) - (was == 1)
        self.open[x] ^= 1
        self.is_wall[x] ^= 1
        self.walls -= sign
        self.ends += sign * (ways == 1)
        self.loops += sign * (ways - 1)
        self.blocks -= sign * self.squares(self.is_wall, x)

    def flip_orbit(self, x: int) -> None:
        """Turn a cell and those that the symmetry makes of it."""
        for y in self.orbits[x]:
            self.flip(y)

    def open_all(self) -> bool:
        """Open all cells that one can walk to; False if rooms are apart or shut."""
        for x in self.index:
            if self.mark[x] != _BORDER:
                self.flip(x)
        if self.treasures:
            seen = self.reached(self.treasures[0])
            for x in [x for x in self.index if self.open[x] and x not in seen]:
                if self.mark[x] != _FREE:
                    return False
                self.flip(x)
        return not any(self.mark[x] == _ENTRANCE and self.degree(x) < 2 for x in self.index)

    def is_sound(self, x: int, connected: bool) -> bool:
        """Whether the cells of an orbit, just turned, leave a legal layout. connected: that needs no look."""
        if any(self.is_wide(y) if self.open[y] else self.is_shut(y) for y in self.orbits[x]):
            return False
        return self.walls < len(self.index) - 1 and (connected or self.is_connected())

    def thin_out(self) -> bool:
        """Wall up cells of wide places until there are none but rooms; False if that fails."""
        self.free = [x for x in self.index if self.mark[x] == _FREE and x == min(self.orbits[x])]
        for i in range(len(self.free) - 1, 0, -1):
            k = self.below(i + 1)
            self.free[i], self.free[k] = self.free[k], self.free[i]
        for x in self.free * 2:
            if self.open[x] and self.is_wide(x):
                self.flip_orbit(x)
                if not self.is_sound(x, False):
                    self.flip_orbit(x)
        return not any(self.open[x] and self.is_wide(x) for x in self.free)

    def badness(self) -> int:
        """How far the layout is from what was asked for."""
        walls, ends, loops, blocks = self.wanted
        return (
            abs(self.walls - walls)
            + 2 * abs(self.ends - ends)
            + 2 * abs(self.loops - loops)
            + max(0, self.blocks - blocks)
        )

    def anneal(self, steps: int) -> None:
        """Try so many small changes; in the last third none that makes it worse."""
        if self.free:
            for step in range(steps):
                self.change(self.pick(self.free), 3 * step > 2 * steps)

    def change(self, x: int, cold: bool) -> None:
        """Turn an orbit if that is legal and makes the layout better, or by chance."""
        before, ways, alone = self.badness(), self.degree(x), len(self.orbits[x]) == 1
        if alone and (ways == 0 or (ways > 1 and self.loops <= 0 if self.open[x] else self.is_wide(x))):
            return
        self.flip_orbit(x)
        worse = self.badness() - before
        refused = worse > 0 and (cold or worse >= len(_ACCEPT) or self.draw() >= _ACCEPT[worse])
        if refused or not self.is_sound(x, alone and (self.open[x] == 1 or ways == 1)):
            self.flip_orbit(x)

    # -- out

    def described(self) -> Described:
        """The layout as `layout` returns it."""
        rows = [self.index[at : at + self.width] for at in range(0, len(self.index), self.width)]
        monsters = [self.open[x] and self.degree(x) == 1 for x in self.index]
        return (
            tuple([sum([self.is_wall[x] for x in row]) for row in rows]),
            tuple([sum([self.is_wall[x] for x in column]) for column in zip(*rows, strict=True)]),
            _mask(monsters),
            _mask([x in self.treasures for x in self.index]),
            _mask([self.is_wall[x] for x in self.index]),
        )


def _mask(flags: Sequence[object]) -> int:
    """The places of what is true, as a mask."""
    return sum([1 << cell for cell, flag in enumerate(flags) if flag])
