"""The exact engine for boards of up to 64 cells, in plain Python: the readable twin of `search_c`.

docs/engine.md, section 1, is the specification that both twins follow; the numbers in the comments below are
its rules. A state is (walls, floors, placements): two masks and, for each treasure, the placements that are
still possible. A closed state has nothing left to conclude.

A set of cells is an int, so each rule is applied to all cells at once: see `dnd.dungeon.state`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from typing import NamedTuple

from dnd.dungeon.state import Clues, Placement, at_least, bits, board_of


class State(NamedTuple):
    """What is known at a node."""

    walls: int
    floors: int
    placements: tuple[tuple[Placement, ...], ...]


class Contradiction(Exception):  # noqa: N818 (it is no error: it ends a branch of the search)
    """The state has no solution."""


def solve(
    height: int,
    width: int,
    rows: Clues,
    columns: Clues,
    monsters: int,
    treasures: int,
    walls: int,
    floors: int,
    limit: int,
    max_nodes: int,
    stop: bytearray | None = None,
) -> tuple[tuple[int, ...], int, bool]:
    """(solutions as masks of walls, nodes, complete): docs/engine.md, "Counting and stopping"."""
    search = _Search(Puzzle(height, width, rows, columns, monsters, treasures), walls, floors, max_nodes, stop)
    found: list[int] = []
    for solution in search.run():
        found.append(solution)
        if len(found) == limit:
            return tuple(found), search.nodes, False
    return tuple(found), search.nodes, search.complete


def count(
    height: int,
    width: int,
    rows: Clues,
    columns: Clues,
    monsters: int,
    treasures: int,
    walls: int,
    floors: int,
    limit: int,
    max_nodes: int,
    stop: bytearray | None = None,
) -> tuple[int, int, bool]:
    """(number of solutions, nodes, complete): `solve` that keeps no solution."""
    search = _Search(Puzzle(height, width, rows, columns, monsters, treasures), walls, floors, max_nodes, stop)
    number = 0
    for _ in search.run():
        number += 1
        if number == limit:
            return number, search.nodes, False
    return number, search.nodes, search.complete


def solve_batch(
    height: int,
    width: int,
    clues: Sequence[int],
    monsters: Sequence[int],
    treasures: Sequence[int],
    limit: int,
    max_nodes: int,
    counts: MutableSequence[int],
    solutions: MutableSequence[int],
    nodes: MutableSequence[int],
    complete: MutableSequence[int],
    stop: bytearray | None = None,
) -> int:
    """Solve len(monsters) puzzles of one shape that lie in flat buffers; returns how many were done.

    clues: height + width signed bytes a puzzle, rows first. counts, nodes, complete: one place a puzzle;
    solutions: `limit` places a puzzle, 0 where there is no solution.
    """
    lines = height + width
    for index, (monster_mask, treasure_mask) in enumerate(zip(monsters, treasures, strict=True)):
        if stop and stop[0]:
            return index
        own = tuple(clues[index * lines : (index + 1) * lines])
        found, nodes[index], complete[index] = solve(
            height, width, own[:height], own[height:], monster_mask, treasure_mask, 0, 0, limit, max_nodes, stop
        )
        counts[index] = len(found)
        for place in range(limit):
            solutions[index * limit + place] = found[place] if place < len(found) else 0
    return len(monsters)


class _Search:
    """The tree of closed states, depth first."""

    def __init__(self, puzzle: Puzzle, walls: int, floors: int, max_nodes: int, stop: bytearray | None) -> None:
        self.puzzle = puzzle
        self.root = State(walls, floors | puzzle.objects, puzzle.placements)
        self.max_nodes, self.stop = max_nodes, stop
        self.nodes = 0
        self.complete = False

    def run(self) -> Iterator[int]:
        """The solutions. Afterwards `complete` says whether the tree was exhausted."""
        waiting = [self.root]
        while waiting:
            if self.nodes == self.max_nodes != 0 or (self.stop and self.stop[0]):
                return
            self.nodes += 1
            try:
                state = self.puzzle.close(waiting.pop())
            except Contradiction:
                continue
            children = self.puzzle.children(state)
            if not children:
                yield state.walls
            waiting += reversed(children)
        self.complete = True


class _Counted(NamedTuple):
    """The cells of the rows (or columns) that lack no floor, no wall, exactly one floor, exactly one wall."""

    no_floor: int
    no_wall: int
    one_floor: int
    one_wall: int


class _Lacking(NamedTuple):
    """The cells of the rows, and of the columns, that lack exactly one floor or one wall."""

    row_floor: int
    row_wall: int
    column_floor: int
    column_wall: int


class Puzzle:
    """Clues and objects, and what they let be concluded."""

    def __init__(self, height: int, width: int, rows: Clues, columns: Clues, monsters: int, treasures: int) -> None:
        self.board = board_of(height, width)
        self.monsters, self.treasures = monsters, treasures
        self.objects = monsters | treasures
        self.row_lines = list(zip(self.board.row_masks, rows, strict=True))
        self.column_lines = list(zip(self.board.column_masks, columns, strict=True))
        self.placements = self.board.placements(monsters, treasures)

    # ------------------------------------------------------------------------------------- closure

    def close(self, state: State) -> State:
        """The closed state; raises `Contradiction`."""
        if 9 * self.treasures.bit_count() > self.board.height * self.board.width:  # 18: the rooms have no space
            raise Contradiction
        before = None
        while state != before:
            before = state
            for rule in (self._dead_ends, self._treasures, self._hallways, self._lines):
                state = rule(state)
                if state.walls & state.floors:
                    raise Contradiction
        self._connected(state)
        return state

    def _dead_ends(self, state: State) -> State:
        """Rules 1 to 5: every floor has two ways on, a monster exactly one."""
        walls, floors, placements = state
        board, monsters = self.board, self.monsters
        maybe = board.all & ~walls
        maybe_one, maybe_two, maybe_three = board.neighbour_counts(maybe)
        floor_one, floor_two, _ = board.neighbour_counts(floors)
        if monsters & (~maybe_one | floor_two):  # 2: it has no way out, or two
            raise Contradiction
        walls |= board.all & ~monsters & ~maybe_two  # 1: it would be a dead end
        walls |= board.around(monsters & floor_one) & ~floors  # 5: the monster has its way out
        needy = floors & ~monsters & ~maybe_three | monsters & ~maybe_two
        return State(walls, floors | board.around(needy) & maybe, placements)  # 3, 4: no way to spare

    def _treasures(self, state: State) -> State:
        """Rules 14 to 17: what the possible placements of each treasure agree on."""
        walls, floors, placements = state
        placements = tuple(
            tuple([place for place in places if _possible(place, walls, floors)]) for places in placements
        )
        for places in placements:
            if not places:  # 15: no room
                raise Contradiction
            common = self.board.all
            for place in places:
                common &= place.square
            floors |= common  # 16: in all rooms
            if len(places) == 1:  # 17: the room has one entrance
                border = places[0].border
                maybe = border & ~walls
                if border & floors:
                    walls |= border & ~floors
                elif maybe & (maybe - 1) == 0:
                    floors |= maybe
        return State(walls, floors, placements)

    def _hallways(self, state: State) -> State:
        """Rules 6 and 7: a block with four floors lies in a room."""
        walls, floors, placements = state
        awake = self._awake(placements)
        # The four cells of a block, brought to its upper left cell.
        width = self.board.width
        corner, beside, under, across = floors, floors >> 1, floors >> width, floors >> width + 1
        if awake & corner & beside & under & across:  # 6: four floors
            raise Contradiction
        walls |= awake & beside & under & across  # 7: three floors, and the fourth cell
        walls |= (awake & corner & under & across) << 1
        walls |= (awake & corner & beside & across) << width
        walls |= (awake & corner & beside & under) << width + 1
        return State(walls, floors, placements)

    def _awake(self, placements: Sequence[Sequence[Placement]]) -> int:
        """The blocks in no possible placement."""
        asleep = 0
        for places in placements:
            for place in places:
                asleep |= place.blocks
        return self.board.block_corners & ~asleep

    def _lines(self, state: State) -> State:
        """Rules 8 to 13, all on the state as it came: what one concludes must not meet the counts of before."""
        walls, floors, placements = state
        rows, columns = _counted(self.row_lines, walls, floors), _counted(self.column_lines, walls, floors)
        lacking = _Lacking(rows.one_floor, rows.one_wall, columns.one_floor, columns.one_wall)
        unknown, maybe = self.board.all & ~(walls | floors), self.board.all & ~walls
        new_floors = (rows.no_wall | columns.no_wall) & unknown  # 9: all walls are there
        new_floors |= self._spared(unknown, maybe, lacking)  # 12: one wall left
        new_floors |= self._outside_pairs(unknown, floors, placements, lacking)  # 13: and a pair holds it
        new_walls = (rows.no_floor | columns.no_floor) & unknown  # 10: all floors are there
        new_walls |= unknown & ~self._lives_as_last_floor(maybe, floors, lacking)  # 11: one floor left
        return State(walls | new_walls, floors | new_floors, placements)

    def _lives_as_last_floor(self, maybe: int, floors: int, lacking: _Lacking) -> int:
        """The cells that keep two neighbours when the unknown ones in a line that lacks one floor do not count."""
        board = self.board

        def counted(step: Callable[[int], int], lines: int) -> int:
            # In a line that lacks one floor, unknown neighbours would become walls.
            return int(step(maybe) & ~lines | step(floors) & lines)

        _, two, _ = at_least(
            counted(board.above, lacking.column_floor),
            counted(board.below, lacking.column_floor),
            counted(board.left, lacking.row_floor),
            counted(board.right, lacking.row_floor),
        )
        return two

    def _spared(self, unknown: int, maybe: int, lacking: _Lacking) -> int:
        """The cells that cannot be the last wall of their line since a neighbour in it would die of it."""
        board = self.board
        _, _, three = board.neighbour_counts(maybe)
        frail = unknown & ~three
        across = lacking.row_wall & (board.left(frail) | board.right(frail))
        upright = lacking.column_wall & (board.above(frail) | board.below(frail))
        return unknown & (across | upright)

    def _outside_pairs(
        self, unknown: int, floors: int, placements: Sequence[Sequence[Placement]], lacking: _Lacking
    ) -> int:
        """The cells of lines that lack one wall, where a pair of other cells holds it."""
        board, width = self.board, self.board.width
        awake = self._awake(placements)
        # Pairs are known by their first cell: two neighbours over or under two floors, left or right of two floors.
        across = awake & unknown & unknown >> 1 & floors >> width & floors >> width + 1
        across |= (awake & floors & floors >> 1 & unknown >> width & unknown >> width + 1) << width
        upright = awake & unknown & unknown >> width & floors >> 1 & floors >> width + 1
        upright |= (awake & floors & floors >> width & unknown >> 1 & unknown >> width + 1) << 1
        # Or the two sides of a monster.
        astride = board.right(self.monsters & board.right(unknown)) & unknown
        above_and_below = board.below(self.monsters & board.below(unknown)) & unknown
        concluded = 0
        for masks, lines, near, far, step in (
            (board.row_masks, lacking.row_wall, across, astride, 1),
            (board.column_masks, lacking.column_wall, upright, above_and_below, width),
        ):
            for mask in masks:
                if mask & lines:
                    for first, distance in ((near, step), (far, 2 * step)):
                        for cell in bits(first & mask):
                            concluded |= unknown & mask & ~(cell | cell << distance)
        return concluded

    def _connected(self, state: State) -> None:
        """Rule 19: every floor can be reached from every other."""
        walls, floors, _ = state
        reached, grown = 0, floors & -floors
        while grown != reached:
            reached, grown = grown, (grown | self.board.around(grown)) & ~walls
        if floors & ~reached:
            raise Contradiction

    # ----------------------------------------------------------------------------------- branching

    def children(self, state: State) -> list[State]:
        """The states a closed state branches into, in order; none: it is a solution."""
        walls, floors, placements = state
        several = [len(places) for places in placements if len(places) > 1]
        if several:
            chosen = [len(places) for places in placements].index(min(several))
            before, after = placements[:chosen], placements[chosen + 1 :]
            return [State(walls, floors, (*before, (place,), *after)) for place in placements[chosen]]
        unknown = self.board.all & ~(walls | floors)
        if not unknown:
            return []
        cell = self._branch_cell(unknown, floors)
        return [State(walls, floors | cell, placements), State(walls | cell, floors, placements)]

    def _branch_cell(self, unknown: int, floors: int) -> int:
        """The first candidate of the line with the fewest unknown cells among those that hold a candidate."""
        candidates = unknown & self.board.around(floors) or unknown
        lines = [mask for mask, _ in (*self.row_lines, *self.column_lines) if mask & candidates]
        line = min(lines, key=lambda mask: (mask & unknown).bit_count())
        return line & candidates & -(line & candidates)


def _possible(place: Placement, walls: int, floors: int) -> bool:
    """Rule 14: a placement stays possible without a wall in it, and with one way in."""
    return not place.square & walls and (place.border & floors).bit_count() < 2 and bool(place.border & ~walls)


def _counted(lines: Sequence[tuple[int, int]], walls: int, floors: int) -> _Counted:
    """The lines, each the mask of its cells, by what they lack. Rule 8: nothing negative, else `Contradiction`."""
    no_floor = no_wall = one_floor = one_wall = 0
    for mask, clue in lines:
        if clue < 0:
            continue
        lacks_walls = clue - (walls & mask).bit_count()
        lacks_floors = mask.bit_count() - clue - (floors & mask).bit_count()
        if lacks_walls < 0 or lacks_floors < 0:
            raise Contradiction
        no_wall |= 0 if lacks_walls else mask
        no_floor |= 0 if lacks_floors else mask
        one_wall |= mask if lacks_walls == 1 else 0
        one_floor |= mask if lacks_floors == 1 else 0
    return _Counted(no_floor, no_wall, one_floor, one_wall)
