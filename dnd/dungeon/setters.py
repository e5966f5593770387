"""For people who make dungeons: the puzzle of a drawn one, its cures, the clues it can do without.

`clues` turns a drawn dungeon into a puzzle and judges it, `cures` looks for the single cells to change when it has a
second solution. `minimise` takes clues away as long as the solution stays the only one, `minimal_sets` finds every
way to do that. Finishing half-drawn dungeons is in `completions.py`.

Minimal sets
------------
Call a set of clues *enough* if the puzzle with these clues only (and all monsters and treasures) is unique. More
clues are still enough, so there are minimal sets. A set that is not enough has a second solution, and that one
breaks some clues, none of the set: whatever is enough must hold one of those. So the sets that are enough are
exactly those that *hit* the clues broken by each second solution. The search keeps such *broken* sets, as small as it
can easily make them, and looks for sets of k clues that hit them all, k = 0, 1, 2, ... Only about these the engine is
asked; it says that they are enough, or has a new broken set. (Reiter 1987; Liffiton and others 2016.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dnd import grid
from dnd.diagnostic import Cell, Diagnostic, cell_list, counted, input_error
from dnd.dungeon import rules
from dnd.dungeon.completions import Completions, clued
from dnd.dungeon.puzzle import Board, Puzzle, Solution
from dnd.dungeon.sketches import is_drawing as is_sketch
from dnd.dungeon.sketches import read as read_sketches
from dnd.dungeon.solver import solve

AUTO, DRAWN, DEAD_ENDS = "auto", "drawn", "dead-ends"
MONSTERS = (AUTO, DRAWN, DEAD_ENDS)

# The room's whole offer (`dnd.game.Setters`), what stands in other modules included.
__all__ = ["blank", "clues", "completions", "cures", "is_sketch", "minimal_sets", "minimise", "read_sketches"]
completions = Completions


def blank(puzzle: Puzzle) -> Board:
    """The board on which nothing is drawn."""
    return Board(puzzle.height, puzzle.width, 0, 0)


# ---------------------------------------------------------------- clues and cures


class Clued(NamedTuple):
    """A drawn dungeon as a puzzle, and what is to be said of it.

    faults: what the dungeon does wrong, rule by rule; () if it is legal. unique: None when it is illegal or when the
    proof was given up. other: a second solution, if there is one.
    """

    puzzle: Puzzle
    board: Board
    faults: tuple[Diagnostic, ...] = ()
    unique: bool | None = None
    other: Solution | None = None

    @property
    def differing(self) -> tuple[Cell, ...]:
        """The cells in which the dungeon and the second solution differ."""
        return grid.cells(self.board.walls ^ self.other.walls, self.puzzle.width) if self.other else ()


class Cure(NamedTuple):
    """A single cell of a dungeon that, changed, leaves a legal dungeon whose puzzle is unique.

    becomes: "wall", "floor" or "treasure". puzzle, board: the changed dungeon; its monsters follow its dead ends.
    proved: False when the proof was given up. notes: what that does to monsters, in words.
    """

    cell: Cell
    becomes: str
    puzzle: Puzzle
    board: Board
    proved: bool
    notes: tuple[str, ...] = ()


def clues(puzzle: Puzzle, board: Board, monsters: str = AUTO, *, max_nodes: int | None = None) -> Clued:
    """The puzzle of a drawn dungeon, and whether it is legal and unique.

    puzzle: its treasures and, as `monsters` says, its monsters are taken over; its clues are not, they follow from
    `board`. monsters: "drawn", those of the puzzle; "dead-ends", one in each dead end; "auto", the drawn ones if
    there are any. max_nodes: give the proof up after that many nodes of the engine.
    Raises `InputError` for a board with unknown cells.
    """
    unknown = board.unknown & ~puzzle.objects
    if unknown:
        cells = grid.cells(unknown, puzzle.width)
        message = f"{counted(len(cells), 'undecided cell')}, the first at {cell_list(cells[:1])}"
        raise input_error("undecided-cell", message, hint="`complete` fills them")
    drawn = clued(board.walls, puzzle)
    if monsters == DRAWN or (monsters == AUTO and puzzle.monsters):
        drawn = Puzzle(drawn.rows, drawn.columns, puzzle.monsters, puzzle.treasures, puzzle.name)
    board = Board.complete(puzzle.height, puzzle.width, board.walls)
    faults = tuple(rules.check(drawn, board))
    if faults:
        return Clued(drawn, board, faults)
    unique, other = _judged(drawn, board.walls, max_nodes)
    return Clued(drawn, board, unique=unique, other=other)


def cures(drawn: Clued, *, max_nodes: int | None = None) -> Iterator[Cure]:
    """All single cells of a legal dungeon that would make its puzzle unique if they became something else.

    A cell can become wall, floor or treasure; monsters and clues follow. Row by row, each when it is found.
    """
    height, width = drawn.puzzle.height, drawn.puzzle.width
    for index in range(height * width):
        for becomes, puzzle, walls in _changes(drawn, 1 << index):
            if not rules.check(puzzle, walls):
                unique, _ = _judged(puzzle, walls, max_nodes)
                if unique is not False:
                    board = Board.complete(height, width, walls)
                    yield Cure(divmod(index, width), becomes, puzzle, board, bool(unique), _moved(drawn.puzzle, puzzle))


def _changes(drawn: Clued, cell: int) -> Iterator[tuple[str, Puzzle, int]]:
    """What a cell can become: the name, the puzzle, its walls."""
    walls, treasures = drawn.board.walls & ~cell, drawn.puzzle.treasures & ~cell
    for becomes, new_walls, new_treasures in (
        ("wall", walls | cell, treasures),
        ("floor", walls, treasures),
        ("treasure", walls, treasures | cell),
    ):
        if (new_walls, new_treasures) != (drawn.board.walls, drawn.puzzle.treasures):
            bare = Puzzle(drawn.puzzle.rows, drawn.puzzle.columns, 0, new_treasures, drawn.puzzle.name)
            yield becomes, clued(new_walls, bare), new_walls


def _moved(before: Puzzle, after: Puzzle) -> tuple[str, ...]:
    """What a change does to the monsters."""
    gone = grid.cells(before.monsters & ~after.monsters, before.width)
    come = grid.cells(after.monsters & ~before.monsters, before.width)
    words = []
    if gone:
        words.append(f"the monster of {cell_list(gone)} goes" if len(gone) == 1 else f"those of {cell_list(gone)} go")
    if come:
        words.append(f"a monster comes to {cell_list(come)}" if len(come) == 1 else f"some come to {cell_list(come)}")
    return tuple(words)


def _judged(puzzle: Puzzle, walls: int, max_nodes: int | None) -> tuple[bool | None, Solution | None]:
    """Whether the solution `walls` is the only one (None: given up), and another."""
    found = solve(puzzle, 2, max_nodes=max_nodes)
    other = next((solution for solution in found.solutions if solution.walls != walls), None)
    return (False if other else True if found.complete else None), other


# ---------------------------------------------------------------- clues that can be left out


class Minimal(NamedTuple):
    """A puzzle with a minimal set of clues.

    certain: False when a proof was given up that might allow fewer. gone: the rows and columns, from 0, whose clues are
    left out.
    """

    puzzle: Puzzle
    certain: bool
    gone: Mapping[str, tuple[int, ...]]

    @property
    def clues(self) -> int:
        """How many clues it has."""
        return sum(clue is not None for clue in (*self.puzzle.rows, *self.puzzle.columns))


def minimise(puzzle: Puzzle, *, max_nodes: int | None = None) -> Minimal:
    """The puzzle without clues that it does not need: one minimal set, not the smallest.

    Clues near half of their line go first, those that say most stay. A clue whose proof would take more than max_nodes
    nodes stays. Raises `InputError` not-unique unless the puzzle is proved unique (within max_nodes).
    """
    search = _Clues(puzzle, max_nodes)
    kept, certain = search.all, True
    for line in sorted(grid.indices(search.all), key=search.weight):
        broken = search.broken_without(kept & ~(1 << line))
        certain = certain and broken is not None
        if broken == 0:
            kept &= ~(1 << line)
    return search.minimal_puzzle(kept, certain)


def minimal_sets(puzzle: Puzzle, *, max_nodes: int | None = None) -> Iterator[Minimal]:
    """All minimal sets of clues that leave the puzzle unique, each as a puzzle; smallest first, as they are found.

    Sets whose proof would take more than max_nodes nodes are passed over; sets that hold such a set are not certain to
    be minimal. Raises `InputError` not-unique unless the puzzle is proved unique (within max_nodes).
    """
    search = _Clues(puzzle, max_nodes)
    for kept in search.minimal():
        yield search.minimal_puzzle(kept, not any(left & ~kept == 0 for left in search.open))


class _Clues:
    """Questions about sets of clues; a set is a mask of lines, rows first.

    broken: for each second solution met, the clues that it breaks. enough: the minimal sets so far. open: sets whose
    proof was given up.
    """

    def __init__(self, puzzle: Puzzle, max_nodes: int | None) -> None:
        self.puzzle, self.max_nodes = puzzle, max_nodes
        self.clues = (*puzzle.rows, *puzzle.columns)
        self.lines = [grid.row_mask(row, puzzle.width) for row in range(puzzle.height)]
        self.lines += [grid.column_mask(column, puzzle.height, puzzle.width) for column in range(puzzle.width)]
        self.all = sum(1 << line for line, clue in enumerate(self.clues) if clue is not None)
        found = solve(puzzle, 2, max_nodes=max_nodes)
        if not found.unique:
            raise input_error("not-unique", "the puzzle is not proved to have exactly one solution")
        self.solution = found.solutions[0].walls
        self.broken: list[int] = []
        self.enough: list[int] = []
        self.open: set[int] = set()
        self._too_small = False

    def puzzle_with(self, kept: int) -> Puzzle:
        """The puzzle with a set of its clues."""
        clues = tuple(clue if kept >> line & 1 else None for line, clue in enumerate(self.clues))
        rows, columns = clues[: self.puzzle.height], clues[self.puzzle.height :]
        return Puzzle(rows, columns, self.puzzle.monsters, self.puzzle.treasures, self.puzzle.name)

    def minimal_puzzle(self, kept: int, certain: bool) -> Minimal:
        """The puzzle with those clues, and what is gone."""
        found = self.puzzle_with(kept)
        sides = {"rows": (self.puzzle.rows, found.rows), "columns": (self.puzzle.columns, found.columns)}
        gone = {
            side: tuple([line for line, (old, new) in enumerate(zip(*pair, strict=True)) if old != new])
            for side, pair in sides.items()
        }
        return Minimal(found, certain, gone)

    def weight(self, line: int) -> tuple[int, int]:
        """How much a clue says, roughly: the further from half of its line, the more."""
        cells = self.puzzle.width if line < self.puzzle.height else self.puzzle.height
        return abs(2 * (self.clues[line] or 0) - cells), -line

    def broken_without(self, kept: int) -> int | None:
        """The clues that a second solution breaks if only `kept` hold; 0 if there is none, None if that stays open."""
        found = solve(self.puzzle_with(kept), 2, max_nodes=self.max_nodes)
        for solution in found.solutions:
            if solution.walls != self.solution:
                return self._broken_by(solution.walls)
        return 0 if found.complete else None

    def _broken_by(self, walls: int) -> int:
        lines = grid.indices(self.all)
        return sum(1 << line for line in lines if (walls & self.lines[line]).bit_count() != self.clues[line])

    def _shrunk(self, broken: int) -> int:
        """A broken set within another, smaller if that is easy: second solutions that keep one more clue."""
        for line in grid.indices(broken):
            if broken >> line & 1:
                broken = self.broken_without(self.all & ~broken | 1 << line) or broken
        return broken

    def minimal(self) -> Iterator[int]:
        """The minimal sets, smallest first."""
        for size in range(self.all.bit_count() + 1):
            self._too_small = False
            for kept in self._hitting(0, 0, size):
                self.enough.append(kept)
                yield kept
            if not self._too_small:
                return

    def _hitting(self, kept: int, barred: int, size: int) -> Iterator[int]:
        """The minimal sets of `size` clues that hold `kept` and none of `barred`; smaller ones are known already."""
        if any(smaller & ~kept == 0 for smaller in self.enough):
            return
        while (choice := self._choice(kept, barred)) is None:
            broken = self.broken_without(kept)
            if broken == 0:
                yield kept
                return
            if broken:
                self.broken.append(self._shrunk(broken))
            else:
                self.open.add(kept)
        if choice and kept.bit_count() + self._least(kept, barred) > size:
            self._too_small = True
            return
        for line in grid.indices(choice):
            yield from self._hitting(kept | 1 << line, barred, size)
            barred |= 1 << line

    def _choice(self, kept: int, barred: int) -> int | None:
        """The smallest choice of clues one of which must be added, so that a broken set is hit.

        All of them if the set is open, None if all broken sets are hit.
        """
        if kept in self.open:
            return self.all & ~(kept | barred)
        choices = [broken & ~barred for broken in self.broken if not broken & kept]
        return min(choices, key=int.bit_count, default=None)

    def _least(self, kept: int, barred: int) -> int:
        """At least so many clues more: broken sets, not hit, that have no clue in common. (One, if all are hit.)"""
        used = count = 0
        for broken in self.broken:
            if not broken & (kept | used):
                used |= broken & ~barred
                count += 1
        return max(count, 1)
