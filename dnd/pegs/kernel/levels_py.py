"""Exact searches level by level in plain Python: the readable twin of `levels_c`.

A level is all positions after some number of jumps, and so all with some number of pegs. What is asked decides which
positions are one: `_Space` has the symmetries that keep the cells and whatever else must stay where it is, and knows
a position by the least mask of its symmetric images. Levels hold these keys only; a path through keys is walked anew
from the start to find its jumps.

The start itself need not be symmetric: whatever follows a position follows, mirrored, its mirror image, so levels of
keys tell exactly which positions are reached up to symmetry.

Where every position asked for lies on the way to a given end, the levels are grown from both sides (`_Meeting`), always
the smaller one, until they meet: those that are reached from both are the ones between start and end.

Memory is estimated by the number of positions held. `_Budget` raises when there are too many or when someone says stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dnd import grid
from dnd.pegs.kernel.search_py import Board, Jump, Stop, stopped, subset_sums

MOST_CELLS = 256  # of a board: there are no larger ones

_BYTES = 100  # of a position in a set: the int, its place in the table, and the room the table keeps free


class _OverBudgetError(Exception):
    """No memory left, or someone said stop."""


class _Budget:
    """How many positions may be held at one time."""

    def __init__(self, memory: int, stop: Stop) -> None:
        self.room, self.stop = memory // _BYTES, stop
        self.kept = 0

    def keep(self, positions: int) -> None:
        """From now on so many positions more stay in memory (a negative number: so many less)."""
        self.kept += positions

    def check(self, growing: int) -> None:
        """Raise if the positions kept and those of a level that is growing are too many, or if someone said stop."""
        if self.kept + growing > self.room or stopped(self.stop):
            raise _OverBudgetError


class _Space:
    """The positions of a board, symmetric ones taken for one."""

    def __init__(self, height: int, width: int, cells: int, kept: Iterable[int] = ()) -> None:
        self.board = Board(height, width, cells)
        self.after, self.before = self.board.after, self.board.before
        shapes = range(8 if height == width else 4)
        self.symmetries = [
            symmetry
            for symmetry in shapes
            if all(grid.move_mask(symmetry, mask, height, width) == mask for mask in (cells, *kept))
        ]
        self.images = self._imaging() if len(self.symmetries) > 1 else _alone
        self.key = self._least if len(self.symmetries) > 1 else _itself

    def _least(self, position: int) -> int:
        """The key of a position: the least of its images."""
        return min(self.images(position))

    def _imaging(self) -> Callable[[int], list[int]]:
        """The function from a position to its images, one for each symmetry.

        One table for each byte of a position holds the images of that byte by all symmetries, side by side in one long
        int, so that a position's images are put together at once.
        """
        height, width, symmetries = self.board.height, self.board.width, self.symmetries
        cells = height * width
        size, whole = (cells + 7) // 8, grid.full(height, width)
        shifts = range(0, cells * len(symmetries), cells)
        images = [0] * (8 * size)
        for symmetry, shift in zip(symmetries, shifts, strict=True):
            for cell in range(cells):
                row, column = grid.move(symmetry, divmod(cell, width), height, width)
                images[cell] |= 1 << row * width + column + shift
        tables = [subset_sums(images[start : start + 8]) for start in range(0, 8 * size, 8)]

        def images_of(position: int) -> list[int]:
            """All images, cut from their one long int."""
            together = 0
            for table, byte in zip(tables, position.to_bytes(size, "little")):  # noqa: B905 (hot, and of one length)
                together |= table[byte]
            return [together >> shift & whole for shift in shifts]

        return images_of

    def grown(self, level: Iterable[int], steps: Callable[[int], list[int]], budget: _Budget) -> set[int]:
        """The level next to a level; `steps` is `after` or `before`."""
        found: set[int] = set()
        add = found.update
        for position in level:
            budget.check(len(found))
            add(steps(position))
        return found if self.key is _itself else set(map(self.key, found))

    def last_pegs(self, pegs: int, finals: int) -> set[int]:
        """The keys of the positions with one peg, in `finals`, of the class of a start.

        Every jump changes the number of pegs in each third of the diagonals by one, so the parities tell in which
        third the last peg is, and of the diagonals of the other direction too.
        """
        for third in self._thirds():
            odd = (pegs & third).bit_count() + pegs.bit_count() - 1 & 1
            finals &= third if odd else ~third
        return {self.key(1 << cell) for cell in grid.indices(finals)}

    def _thirds(self) -> list[int]:
        """The cells whose diagonals, of one direction, have a number 0, 1 or 2 modulo 3; then of the other."""
        thirds = [0] * 6
        for cell in grid.indices(self.board.cells):
            row, column = divmod(cell, self.board.width)
            thirds[(row + column) % 3] |= 1 << cell
            thirds[3 + (row - column) % 3] |= 1 << cell
        return thirds

    def replayed(self, start: int, keys: Iterable[int]) -> tuple[Jump, ...]:
        """The jumps from a position through positions with the keys given, one jump each."""
        path = [start]
        for key in keys:
            path.append(next(child for child in self.after(path[-1]) if self.key(child) == key))
        return self.board.jumps_along(path)


def _itself(position: int) -> int:
    """The key of a position where there is no symmetry."""
    return position


def _alone(position: int) -> list[int]:
    """Its images where there is no symmetry."""
    return [position]


# --- between start and end ------------------------------------------------------------------------


class _Meeting:
    """Levels from the start forwards and from the positions asked for backwards.

    ahead[n] are the keys after n jumps, behind[n] those n jumps before the end. Raises `_OverBudgetError`.
    """

    def __init__(self, space: _Space, pegs: int, finals: int, budget: _Budget) -> None:
        self.space, self.budget = space, budget
        self.jumps = pegs.bit_count() - 1
        self.ahead, self.behind = [{space.key(pegs)}], [space.last_pegs(pegs, finals)]
        while len(self.ahead) + len(self.behind) < self.jumps + 2 and self.ahead[-1] and self.behind[-1]:
            self._grow()
        self.middle = self.ahead[-1] & self.behind[-1] if self._is_met() else set()

    @property
    def positions(self) -> int:
        """How many positions were looked at."""
        return sum(map(len, self.ahead)) + sum(map(len, self.behind))

    def between(self) -> list[set[int]]:
        """The positions on a way from start to end, by level: [] if there is no way."""
        if not self.middle:
            return []
        first = self._followed(self.middle, self.ahead[:-1], self.space.before)
        last = self._followed(self.middle, self.behind[:-1], self.space.after)
        return [*reversed(first), self.middle, *last]

    def path(self) -> list[int]:
        """The keys of one way from start to end, the start's left out; there must be one."""
        one = {min(self.middle)}
        first = self._followed(one, self.ahead[:-1], self.space.before, 1)
        last = self._followed(one, self.behind[:-1], self.space.after, 1)
        return [key for level in (*reversed(first), one, *last) for key in level][1:]

    def _followed(
        self, level: set[int], towards: list[set[int]], steps: Callable[[int], list[int]], most: int = 0
    ) -> list[set[int]]:
        """From a level on, the next ones as far as they lie in `towards` (last one first); `most` keys of each."""
        found = []
        for target in reversed(towards):
            level = self.space.grown(level, steps, self.budget) & target
            if most:
                level = {min(level)}
            found.append(level)
            self.budget.keep(len(level))
        return found

    def _grow(self) -> None:
        """One level more on the side that has the smaller one."""
        smaller, steps = self.ahead, self.space.after
        if len(self.behind[-1]) < len(self.ahead[-1]):
            smaller, steps = self.behind, self.space.before
        smaller.append(self.space.grown(smaller[-1], steps, self.budget))
        self.budget.keep(len(smaller[-1]))

    def _is_met(self) -> bool:
        """Whether both sides were made up to a level in common."""
        return len(self.ahead) + len(self.behind) == self.jumps + 2


def decide(
    height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop = None
) -> tuple[int, tuple[Jump, ...], int]:
    """(1, jumps, positions), (0, (), positions) where that is impossible, or (-1, (), 0): memory or stop."""
    space = _Space(height, width, cells, (finals,))
    try:
        meeting = _Meeting(space, pegs, finals, _Budget(memory, stop))
        if not meeting.middle:
            return 0, (), meeting.positions
        return 1, space.replayed(pegs, meeting.path()), meeting.positions
    except _OverBudgetError:
        return -1, (), 0


def winning(
    height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop = None
) -> tuple[tuple[int, ...], bool]:
    """(levels, complete): how many positions after n jumps are on a way to the end; () if none is.

    Two positions are one when a symmetry that keeps cells and finals makes one of the other.
    """
    try:
        meeting = _Meeting(_Space(height, width, cells, (finals,)), pegs, finals, _Budget(memory, stop))
        return tuple(map(len, meeting.between())), True
    except _OverBudgetError:
        return (), False


# --- whatever can be reached ----------------------------------------------------------------------


def positions(
    height: int, width: int, cells: int, pegs: int, memory: int, stop: Stop = None
) -> tuple[tuple[int, ...], bool]:
    """(levels, complete): how many positions there are after n jumps, symmetric ones of the cells taken for one."""
    space, budget = _Space(height, width, cells), _Budget(memory, stop)
    level, levels = {space.key(pegs)}, list[int]()
    try:
        while level:
            levels.append(len(level))
            budget.kept = len(level)
            level = space.grown(level, space.after, budget)
    except _OverBudgetError:
        return tuple(levels), False
    return tuple(levels), True


class _Flow:
    """How many jump sequences lead to each position, level by level.

    Only symmetries that keep the start (and `kept`) are used here, so all images of a position are reached by equally
    many sequences: a level gives for each key the number of sequences to all its images together.
    """

    def __init__(self, space: _Space, pegs: int, budget: _Budget) -> None:
        self.space, self.budget = space, budget
        self.level = {pegs: 1}

    def step(self) -> int:
        """Go on by one jump; the number of sequences that cannot."""
        found: dict[int, int] = {}
        get, key, after, check, ended = found.get, self.space.key, self.space.after, self.budget.check, 0
        self.budget.kept = len(self.level)
        for position, ways in self.level.items():
            check(len(found))
            children = after(position)
            if not children:
                ended += ways
            for child in map(key, children):
                found[child] = get(child, 0) + ways
        self.level = found
        return ended

    def size(self) -> int:
        """The number of positions of the level, images counted singly."""
        return sum(len(set(self.space.images(position))) for position in self.level)


def count(
    height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop = None
) -> tuple[int, tuple[int, ...], bool]:
    """(sequences, levels, complete): the jump sequences that end with one peg, in `finals`, and the positions after n
    jumps, symmetric ones counted singly."""
    flow = _Flow(_Space(height, width, cells, (pegs, finals)), pegs, _Budget(memory, stop))
    levels, last = list[int](), pegs.bit_count() - 1
    sequences = 0
    try:
        while flow.level:
            if len(levels) == last:
                sequences = sum(ways for position, ways in flow.level.items() if position & finals)
            levels.append(flow.size())
            flow.step()
    except _OverBudgetError:
        return 0, tuple(levels), False
    return sequences, tuple(levels), True


def games(height: int, width: int, cells: int, pegs: int, memory: int, stop: Stop = None) -> tuple[int, bool]:
    """(number, complete): the jump sequences that end where no jump is left."""
    flow = _Flow(_Space(height, width, cells, (pegs,)), pegs, _Budget(memory, stop))
    number = 0
    try:
        while flow.level:
            number += flow.step()
    except _OverBudgetError:
        return 0, False
    return number, True


# --- few moves ------------------------------------------------------------------------------------


def fewest(
    height: int, width: int, cells: int, pegs: int, finals: int, memory: int, stop: Stop = None
) -> tuple[int, tuple[Jump, ...], int]:
    """(1, jumps, moves) with the least number of moves, (0, (), 0) where there is no solution, (-1, (), 0): memory or
    stop. A move is a run of jumps by one peg."""
    space, budget = _Space(height, width, cells, (finals,)), _Budget(memory, stop)
    try:
        meeting = _Meeting(space, pegs, finals, budget)
        levels = meeting.between()
        budget.keep(-meeting.positions)
        if not levels:
            return 0, (), 0
        keys = _by_moves(space, levels, pegs, budget)
    except _OverBudgetError:
        return -1, (), 0
    return 1, _moved(space, pegs, keys), len(keys)


def _by_moves(space: _Space, levels: list[set[int]], pegs: int, budget: _Budget) -> list[int]:
    """The keys after each move of a solution with the fewest moves.

    Breadth first in moves over the winning positions. A position that was reached with fewer moves or the same number
    need not be kept again; a run that leads through it goes on all the same where the number is the same.
    """
    winning = set[int]().union(*levels)
    ends, last = levels[-1], space.key(pegs)
    came_from: dict[int, int] = {}
    level, reached = [last], {last}
    while not ends & set(level):
        found: dict[int, int] = {}
        for position in level:
            budget.check(len(found))
            for after in _runs(space, position, winning, reached):
                found.setdefault(after, position)
        came_from |= found
        reached |= found.keys()
        budget.keep(len(found))
        level = list(found)
    keys = [min(ends & set(level))]
    while keys[-1] != last:
        keys.append(came_from[keys[-1]])
    return keys[-2::-1]


def _runs(space: _Space, position: int, winning: set[int], reached: set[int]) -> Iterable[int]:
    """The keys of the winning positions that one move leads to, those `reached` with fewer moves left out."""
    found = []
    waiting = [(position, child) for child in space.after(position)]
    while waiting:
        before, now = waiting.pop()
        key = space.key(now)
        if key in winning and key not in reached:
            found.append(key)
            waiting += [(now, child) for child in _jumps_on(space, before, now)]
    return found


def _jumps_on(space: _Space, before: int, now: int) -> list[int]:
    """The positions that the peg that jumped last can go on to."""
    peg = now & ~before
    return [child for child in space.after(now) if space.board.start(now, child) == peg]


def _moved(space: _Space, start: int, keys: list[int]) -> tuple[Jump, ...]:
    """The jumps of moves that lead to positions with the keys given."""
    path = [start]
    for key in keys:
        path += _move(space, path[-1], key)
    return space.board.jumps_along(path)


def _move(space: _Space, start: int, key: int) -> list[int]:
    """The positions of a move that leads from one to a position with the key."""
    waiting = [[start, child] for child in space.after(start)]
    while True:
        path = waiting.pop()
        if space.key(path[-1]) == key:
            return path[1:]
        waiting += [[*path, child] for child in _jumps_on(space, *path[-2:])]
