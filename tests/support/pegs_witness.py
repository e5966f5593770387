"""A naive witness for peg solitaire: a position is a set of cells, every question a plain recursion with a memory.

No kernels, no rules, no masks inside: only what the rules of the game say. For boards of up to some twenty cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property

Cell = tuple[int, int]
Jump = tuple[int, int, int]
Position = frozenset[Cell]

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # up, down, left, right

TURNS: tuple[Callable[[int, int, int, int], Cell], ...] = (  # of cell (r, c) on h x w; the last four need a square
    lambda r, c, h, w: (r, c),
    lambda r, c, h, w: (h - 1 - r, c),
    lambda r, c, h, w: (r, w - 1 - c),
    lambda r, c, h, w: (h - 1 - r, w - 1 - c),
    lambda r, c, h, w: (c, r),
    lambda r, c, h, w: (c, h - 1 - r),
    lambda r, c, h, w: (w - 1 - c, r),
    lambda r, c, h, w: (w - 1 - c, h - 1 - r),
)


class Witness:
    """A task given as kernels take it: height, width, masks of the cells, of the pegs, of the last cells allowed."""

    def __init__(self, height: int, width: int, cells: int, pegs: int, finals: int) -> None:
        self.height, self.width = height, width
        self.cells, self.start, self.finals = (cells_of(mask, height, width) for mask in (cells, pegs, finals))
        self.jumps = cache(self._jumps)

    def _jumps(self, pegs: Position) -> list[tuple[Jump, Position]]:
        """All jumps and the positions that they make."""
        found = []
        for r, c in sorted(pegs):
            for direction, (down, right) in enumerate(STEPS):
                over, to = (r + down, c + right), (r + 2 * down, c + 2 * right)
                if over in pegs and to in self.cells and to not in pegs:
                    found.append(((r, c, direction), pegs - {(r, c), over} | {to}))
        return found

    def is_end(self, pegs: Position) -> bool:
        """One peg is left, and it is where it may be."""
        return len(pegs) == 1 and pegs <= self.finals

    def last_cells(self) -> Position:
        """Where the last peg can be, wherever it is wanted."""

        @cache
        def from_here(pegs: Position) -> Position:
            if len(pegs) == 1:
                return pegs
            return frozenset().union(*(from_here(after) for _, after in self.jumps(pegs)))

        return from_here(self.start)

    def is_solvable(self) -> bool:
        """Whether one peg can be left where it may be."""
        return bool(self.last_cells() & self.finals)

    def sequences(self) -> int:
        """The number of jump sequences that end well."""

        @cache
        def from_here(pegs: Position) -> int:
            return 1 if self.is_end(pegs) else sum(from_here(after) for _, after in self.jumps(pegs))

        return from_here(self.start)

    def games(self) -> int:
        """The number of jump sequences that cannot be continued."""

        @cache
        def from_here(pegs: Position) -> int:
            return sum(from_here(after) for _, after in self.jumps(pegs)) or 1

        return from_here(self.start)

    def fewest_moves(self, made: Sequence[Jump] = ()) -> int | None:
        """The least number of moves (runs of jumps by one peg) of a solution that begins with the jumps made; None if
        there is none."""

        @cache
        def from_here(pegs: Position, jumped: Cell | None) -> float:
            if self.is_end(pegs):
                return 0
            numbers = [float("inf")]
            for jump, after in self.jumps(pegs):
                numbers.append((jump[:2] != jumped) + from_here(after, _landing(jump)))
            return min(numbers)

        number = self.moves(made) + from_here(self.replay(made) or frozenset(), _landing(made[-1]) if made else None)
        return None if number == float("inf") else int(number)

    @cached_property
    def levels(self) -> list[set[Position]]:
        """The positions after 0, 1, 2... jumps, until there is none."""
        found = [{self.start}]
        while found[-1]:
            found.append({after for pegs in found[-1] for _, after in self.jumps(pegs)})
        return found[:-1]

    def winning_levels(self) -> list[set[Position]]:
        """Those of them from which one peg can be left where it may be; [] if there is none."""

        @cache
        def wins(pegs: Position) -> bool:
            return self.is_end(pegs) or any(wins(after) for _, after in self.jumps(pegs))

        return [level for positions in self.levels if (level := set(filter(wins, positions)))]

    def up_to_symmetry(self, levels: Iterable[set[Position]], *kept: Position) -> tuple[int, ...]:
        """How many different positions each level has when symmetries that keep the cells (and `kept`) do not count."""
        turns = [
            turn
            for turn in TURNS[: 8 if self.height == self.width else 4]
            if all(self._turned(turn, cells) == cells for cells in (self.cells, *kept))
        ]
        return tuple(len({frozenset(self._turned(turn, pegs) for turn in turns) for pegs in level}) for level in levels)

    def _turned(self, turn: Callable[[int, int, int, int], Cell], cells: Position) -> Position:
        return frozenset(turn(r, c, self.height, self.width) for r, c in cells)

    def replay(self, jumps: Iterable[Jump]) -> Position | None:
        """The position after some jumps; None if one of them is against the rules."""
        pegs = self.start
        for jump in jumps:
            possible = dict(self.jumps(pegs))
            if jump not in possible:
                return None
            pegs = possible[jump]
        return pegs

    def moves(self, jumps: Iterable[Jump]) -> int:
        """The number of moves that jumps make."""
        number, jumped = 0, None
        for jump in jumps:
            number += jump[:2] != jumped
            jumped = _landing(jump)
        return number


def _landing(jump: Jump) -> Cell:
    r, c, direction = jump
    down, right = STEPS[direction]
    return r + 2 * down, c + 2 * right


def cells_of(mask: int, height: int, width: int) -> Position:
    """The cells of a mask."""
    return frozenset((r, c) for r in range(height) for c in range(width) if mask >> (r * width + c) & 1)


def mask_of(cells: Iterable[Cell], width: int) -> int:
    """The mask of some cells."""
    return sum(1 << (r * width + c) for r, c in cells)
