"""Half-drawn dungeons: every way to finish one so that its puzzle is legal and has no second solution.

A drawing decides some cells: walls, floors, monsters, treasures. The others become wall, floor or monster (a monster
stands where a dead end arises, for it must). What is drawn stays: a floor drawn as floor is not a dead end, a monster
drawn stands in one, treasures are as drawn and no more come. The clues are those of the finished dungeon; a clue
that is known already must come out. A finished dungeon that keeps the rules is a *completion*; it is *unique*
when its puzzle (clues, monsters, treasures) has no other solution, proved by the exact engine.

The search
----------
Branch on an unknown cell, wall or open; after each choice apply the rules as in docs/engine.md (section 1), where a
dead end in an undecided cell is not a fault. The cell is one beside an open cell that has no two ways yet, so that
hallways are followed to their ends. Which way is tried first is drawn by lot, anew in each *run*: a run that has
not found a unique completion within its share of nodes is broken off, and the next one gets a larger share. (How long
it takes varies wildly; a fresh beginning costs little.) The run that finds one goes on to the end.

What makes the search end is *nogoods*. A completion that is not unique has a second solution: some cells are turned
round, and every line keeps its number of walls. That the turned board is legal hangs on a few cells around those
that turned, on the rooms near by, and on paths around the new walls: its *support*. Any other completion that agrees
on the support can be turned in the same way, so it is not unique either. The support, as far as the drawing left
it undecided, is forbidden from then on. A support that is drawn whole proves that no completion is unique.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from dnd import grid
from dnd.diagnostic import Cell
from dnd.dungeon.puzzle import Board, Puzzle, Solution
from dnd.dungeon.rules import placements
from dnd.dungeon.solver import solve

_FIRST_RUN = 150  # nodes, and one for each unknown cell
_GROWTH = 1.2  # of the next run's share
_NOGOODS = 400  # kept at most; all of them are looked at in each node
_WALLS_FIRST = 0.3  # how likely a cell is to be tried as a wall first ...
_WAYS_ON = 5  # ... while so many cells are left through which the dungeon can go on; to keep it from being closed early
_OTHERS = 5  # solutions, found in so many nodes, among which the one with the smallest support is learned from
_OTHERS_NODES = 500


def dead_ends(walls: int, height: int, width: int) -> int:
    """The open cells that have exactly one open neighbour."""
    open_ = grid.full(height, width) & ~walls
    one, two = grid.with_neighbours(open_, height, width)
    return open_ & one & ~two


def clued(walls: int, puzzle: Puzzle) -> Puzzle:
    """The puzzle of a complete dungeon: its clues, monsters in its dead ends, treasures and name from `puzzle`."""
    height, width = puzzle.height, puzzle.width
    rows = tuple((walls & grid.row_mask(row, width)).bit_count() for row in range(height))
    columns = tuple((walls & grid.column_mask(column, height, width)).bit_count() for column in range(width))
    monsters = dead_ends(walls, height, width) & ~puzzle.treasures
    return Puzzle(rows, columns, monsters, puzzle.treasures, puzzle.name)


class Draft(NamedTuple):
    """A half-drawn dungeon: a puzzle with the clues that are known and the objects drawn, and masks of cells.

    walls; floors: open cells that are not dead ends, treasures among them; unknown: what is to be filled.
    """

    puzzle: Puzzle
    walls: int
    floors: int
    unknown: int

    @classmethod
    def of(cls, puzzle: Puzzle, board: Board | None) -> Draft:
        """What `board` has decided, None for nothing; the puzzle's objects are drawn."""
        walls, floors = (board.walls, board.floors) if board else (0, 0)
        floors = (floors | puzzle.treasures) & ~puzzle.monsters
        full = grid.full(puzzle.height, puzzle.width)
        return cls(puzzle, walls, floors, full & ~(walls | floors | puzzle.monsters))


class Nogood(NamedTuple):
    """Walls and open cells that no unique completion has all together."""

    walls: int
    opens: int

    @property
    def size(self) -> int:
        """How many cells it is about."""
        return (self.walls | self.opens).bit_count()


class Completions:
    """The unique completions of a half-drawn dungeon, as an iterator of `Solution`s (the puzzle and its walls).

    seed: decides which completions come first. most_monsters: in all, None for any number. max_nodes: give up after
    that many nodes. check_nodes: give each proof of uniqueness up after that many nodes of the engine. stop: a byte
    that another thread sets to 1 to have the search given up soon.

    After the last one `exhausted` is True if it is proved that there are no others. So far: `nodes`, the work;
    `legal`, how many completions were looked at, unique or not (the nogoods spare many); `undecided`, how many were
    given up because of check_nodes; `always`, the mask of cells that can be turned round in every completion, 0 if
    none are known.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        board: Board | None = None,
        *,
        seed: object = 0,
        most_monsters: int | None = None,
        max_nodes: int | None = None,
        check_nodes: int | None = None,
        stop: bytearray | None = None,
    ) -> None:
        self.draft = Draft.of(puzzle, board)
        self.max_nodes, self.check_nodes, self.stop = max_nodes, check_nodes, stop
        self.nodes = self.legal = self.undecided = self.always = 0
        self.exhausted = self._ended = self._doubt = False
        self._closure = _Closure(self.draft, most_monsters)
        self._chance = random.Random(str(seed).encode("utf-8", "surrogatepass"))
        self._found = self._runs()

    @property
    def always_cells(self) -> tuple[Cell, ...]:
        """The cells of `always`."""
        return grid.cells(self.always, self.draft.puzzle.width)

    def __iter__(self) -> Iterator[Solution]:
        return self._found

    def __next__(self) -> Solution:
        return next(self._found)

    def _runs(self) -> Iterator[Solution]:
        share = float(_FIRST_RUN + self.draft.unknown.bit_count())
        while not (self._given_up() or self._ended):
            yield from self._run(self.nodes + int(share))
            share *= _GROWTH

    def _given_up(self) -> bool:
        return self.nodes == self.max_nodes or self._stopped()

    def _stopped(self) -> bool:
        return bool(self.stop and self.stop[0])

    def _run(self, end: int) -> Iterator[Solution]:
        """One search, broken off at `end` nodes if it has found nothing by then."""
        draft, fruitless = self.draft, True
        cells = range(draft.puzzle.height * draft.puzzle.width)
        walls_first = sum(1 << cell for cell in cells if self._chance.random() < _WALLS_FIRST)
        waiting = [(draft.walls, draft.floors | draft.puzzle.objects)]
        self._doubt = False
        while waiting:
            if self._given_up() or (fruitless and self.nodes >= end):
                return
            self.nodes += 1
            state = self._closure.close(*waiting.pop())
            if state is None:
                continue
            walls, opens = state
            cell = self._closure.to_decide(walls, opens)
            if not cell:
                for solution in self._judged(walls):
                    fruitless = False
                    yield solution
                continue
            children = [(walls | cell, opens), (walls, opens | cell)]
            waiting += children[::-1] if walls_first & cell and self._closure.ways_on(walls, opens) else children
        self._ended = True
        self.exhausted = not self._doubt

    def _judged(self, walls: int) -> Iterator[Solution]:
        """The completion if it is unique; else a nogood is learned from its second solutions."""
        puzzle = clued(walls, self.draft.puzzle)
        found = solve(puzzle, 2, max_nodes=self.check_nodes, stop=self.stop)
        others = {solution.walls for solution in found.solutions} - {walls}
        if not others and not found.complete:
            self._doubt = True
            self.undecided += not self._stopped()
            return
        self.legal += 1
        if not others:
            assert found.unique, "a completion is a solution of its puzzle"
            yield Solution(puzzle, walls)
            return
        others |= {solution.walls for solution in solve(puzzle, _OTHERS, max_nodes=_OTHERS_NODES).solutions} - {walls}
        supports = [(_support(self.draft, walls, other), other) for other in sorted(others)]
        support, other = min(supports, key=lambda pair: (pair[0] & self.draft.unknown).bit_count())
        self._closure.learn(support, walls)
        if not support & self.draft.unknown:
            self.always = walls ^ other


class _Closure:
    """What follows from the rules and the nogoods."""

    def __init__(self, draft: Draft, most_monsters: int | None) -> None:
        puzzle = draft.puzzle
        self.height, self.width = puzzle.height, puzzle.width
        self.full = grid.full(self.height, self.width)
        self.not_right = self.full & ~grid.column_mask(self.width - 1, self.height, self.width)
        self.not_left = self.full & ~grid.column_mask(0, self.height, self.width)
        self.unknown = draft.unknown
        self.monsters = puzzle.monsters
        self.plain = draft.floors
        self.most_monsters = self.height * self.width if most_monsters is None else most_monsters
        self.lines = [
            (mask, clue)
            for mask, clue in (
                *((grid.row_mask(row, self.width), clue) for row, clue in enumerate(puzzle.rows)),
                *((grid.column_mask(c, self.height, self.width), clue) for c, clue in enumerate(puzzle.columns)),
            )
            if clue is not None
        ]
        self.rooms = [
            [
                (square, border)
                for square, border in placements(treasure, self.height, self.width)
                if square & puzzle.treasures == 1 << treasure and not (square | border) & puzzle.monsters
            ]
            for treasure in grid.indices(puzzle.treasures)
        ]
        self.nogoods: list[Nogood] = []

    def learn(self, support: int, walls: int) -> None:
        """Forbid what the completion `walls` has on `support`. Of too many nogoods the smaller half stays."""
        support &= self.unknown
        self.nogoods.append(Nogood(support & walls, support & ~walls))
        if len(self.nogoods) > _NOGOODS:
            self.nogoods.sort(key=lambda nogood: nogood.size)
            del self.nogoods[_NOGOODS // 2 :]

    def to_decide(self, walls: int, opens: int) -> int:
        """The unknown cell to branch on, as a mask; 0 if all are known."""
        unknown = self.full & ~(walls | opens)
        down, up, right, left = self._neighbours(opens)
        two = down & up | right & left | (down | up) & (right | left)
        beside = self._spread(opens & ~two) & unknown or self._spread(opens) & unknown or unknown
        return beside & -beside

    def ways_on(self, walls: int, opens: int) -> bool:
        """Whether many unknown cells are beside open ones."""
        return (self._spread(opens) & ~(walls | opens)).bit_count() >= _WAYS_ON

    def close(self, walls: int, opens: int) -> tuple[int, int] | None:
        """Walls and open cells with all that follows from them; None if they contradict the rules or a nogood."""
        while True:
            before = walls, opens
            walls, opens = self._around(walls, opens)
            if walls & opens:
                return None
            rooms = self._rooms(walls, opens)
            if rooms is None:
                return None
            walls, opens, asleep = rooms
            walls, opens = self._blocks(walls, opens, asleep)
            if self.lines:
                walls, opens = self._counted(walls, opens)
            if walls & opens:
                return None
            if (walls, opens) != before:
                continue
            if not self._connected(walls, opens):
                return None
            walls, opens = self._learned(walls, opens)
            if walls & opens:
                return None
            if (walls, opens) == before:
                return before

    def _neighbours(self, cells: int) -> tuple[int, int, int, int]:
        width, full = self.width, self.full
        return (cells << width) & full, cells >> width, (cells & self.not_right) << 1, (cells & self.not_left) >> 1

    def _around(self, walls: int, opens: int) -> tuple[int, int]:
        """Dead ends: each open cell has a way on, plain floors two, monsters exactly one."""
        possible = self.full & ~walls
        down, up, right, left = self._neighbours(possible)
        either, both, sides, two_sides = down | up, down & up, right | left, right & left
        one = either | sides
        two = both | two_sides | either & sides
        three = both & sides | two_sides & either
        ends = opens & ~two
        plain = self.plain
        if ends.bit_count() >= self.most_monsters:
            if ends.bit_count() > self.most_monsters:
                return self.full, self.full
            plain |= self.full & ~ends
        walls |= self.full & ~one | plain & ~two
        narrow = opens & plain & ~three | ends
        opens |= self._spread(narrow) & possible
        if self.monsters:
            down, up, right, left = self._neighbours(opens)
            if self.monsters & (down & up | right & left | (down | up) & (right | left)):
                return self.full, self.full
            walls |= self._spread(self.monsters & (down | up | right | left)) & ~opens
        return walls, opens

    def _spread(self, cells: int) -> int:
        down, up, right, left = self._neighbours(cells)
        return down | up | right | left

    def _rooms(self, walls: int, opens: int) -> tuple[int, int, int] | None:
        """What treasures ask for; also the blocks (their upper left cells) that lie in a possible room."""
        asleep = 0
        for places in self.rooms:
            left = [
                (square, border)
                for square, border in places
                if not square & walls and border & ~walls and (border & opens).bit_count() < 2
            ]
            if not left:
                return None
            for square, _ in left:
                asleep |= square & square >> 1 & square >> self.width & square >> self.width + 1
            common = left[0][0]
            for square, _ in left:
                common &= square
            opens |= common
            if len(left) == 1:
                border = left[0][1]
                if border & opens:
                    walls |= border & ~opens
                    # An entrance is not a dead end.
                    entrance = border & opens
                    ways = self._spread(entrance) & ~walls
                    if ways.bit_count() < 2:
                        return None
                    if ways.bit_count() == 2:
                        opens |= ways
                elif (border & ~walls).bit_count() == 1:
                    opens |= border & ~walls
        return walls, opens, asleep

    def _blocks(self, walls: int, opens: int, asleep: int) -> tuple[int, int]:
        """The fourth cell of an open block that lies in no possible room is wall."""
        width = self.width
        corners = self.full & self.not_right & ~asleep
        a, b, c, d = opens, opens >> 1, opens >> width, opens >> width + 1
        walls |= (b & c & d & corners) | (a & c & d & corners) << 1
        walls |= (a & b & d & corners) << width | (a & b & c & corners) << width + 1
        return walls & self.full, opens

    def _counted(self, walls: int, opens: int) -> tuple[int, int]:
        for mask, clue in self.lines:
            has, most = (walls & mask).bit_count(), (mask & ~opens).bit_count()
            if not has <= clue <= most:
                return self.full, self.full
            if has == clue:
                opens |= mask & ~walls
            elif most == clue:
                walls |= mask & ~opens
        return walls, opens

    def _connected(self, walls: int, opens: int) -> bool:
        if not opens:
            return True
        possible = self.full & ~walls
        reached, grown = 0, opens & -opens
        while grown != reached:
            reached, grown = grown, (grown | self._spread(grown)) & possible
        return not opens & ~reached

    def _learned(self, walls: int, opens: int) -> tuple[int, int]:
        for nogood in self.nogoods:
            lacks_walls, lacks_opens = nogood.walls & ~walls, nogood.opens & ~opens
            if lacks_walls & opens or lacks_opens & walls:
                continue
            lacks = lacks_walls | lacks_opens
            if not lacks:
                return self.full, self.full
            if not lacks & lacks - 1:
                if lacks_walls:
                    opens |= lacks
                else:
                    walls |= lacks
        return walls, opens


def _support(draft: Draft, walls: int, other: int) -> int:
    """The cells on which hangs that completion `walls` can be turned into `other`, a second solution of its puzzle.

    Any completion that agrees with `walls` on them keeps the rules when the same cells are turned round.
    """
    puzzle = draft.puzzle
    height, width = puzzle.height, puzzle.width
    full = grid.full(height, width)
    before, after = full & ~walls, full & ~other
    turned = walls ^ other
    support = turned | grid.spread(turned, height, width)
    monsters = dead_ends(walls, height, width)
    known = full & ~draft.unknown

    def ways(cell: int, opens: int) -> int:
        """Two open neighbours of a cell, decided ones before others."""
        around = grid.spread(cell, height, width) & opens
        chosen = around & (support | known)
        chosen = chosen & -chosen or around & -around
        rest = around & ~chosen
        second = rest & (support | known)
        return chosen | (second & -second or rest & -rest)

    # Who stands in a dead end before and after.
    near = support
    for index in grid.indices(near & (before | after)):
        cell = 1 << index
        if cell & monsters:
            support |= grid.spread(cell, height, width)
            continue
        if cell & before and not cell & draft.floors:
            support |= ways(cell, before)
        if cell & after:
            support |= ways(cell, after)
    # Rooms of treasures near by, and their entrances, which are not dead ends.
    for treasure in grid.indices(puzzle.treasures):
        places = placements(treasure, height, width)
        if not any((square | border) & turned for square, border in places):
            continue
        for opens in (before, after):
            for square, border in places:
                if not square & ~opens and (border & opens).bit_count() == 1:
                    support |= square | border
                    support |= ways(border & opens, after)
    # A cell that opens makes no open block.
    opened = turned & after
    for index in grid.indices(opened):
        row, column = divmod(index, width)
        for top in (row - 1, row):
            for left in (column - 1, column):
                if 0 <= top < height - 1 and 0 <= left < width - 1:
                    block = (0b11 | 0b11 << width) << (top * width + left)
                    shut = block & ~after
                    if shut and not shut & (support | known):
                        support |= shut & -shut
    return support | _paths(walls, other, support | known, height, width)


def _paths(walls: int, other: int, known: int, height: int, width: int) -> int:
    """Cells of ways in the turned board between the neighbours of each part that was closed; `known` ones cost nothing.

    Whoever walked through that part can walk there instead. The cells that were opened must touch such neighbours, or
    other open cells; if they do not, everything is returned.
    """
    full = grid.full(height, width)
    before, after = full & ~walls, full & ~other
    opened, closed = after & ~before, before & ~after
    used = 0
    for part in grid.components(opened, height, width):
        if not grid.spread(part, height, width) & after & ~opened:
            return full
    for part in grid.components(closed, height, width):
        targets = grid.spread(part, height, width) & after & ~opened
        if not targets:
            return full
        used |= _joined(targets, after, known | used, height, width)
    return used


def _joined(targets: int, opens: int, free: int, height: int, width: int) -> int:
    """Cells through which all targets hang together within `opens`, few of them not in `free`."""

    def flood(cells: int, within: int) -> int:
        reached = 0
        while cells != reached:
            reached, cells = cells, (cells | grid.spread(cells, height, width)) & within
        return reached

    used = 0
    free &= opens
    joined = flood(targets & -targets, free)
    while targets & ~joined:
        layers = [joined]
        reached = joined
        while not layers[-1] & targets & ~joined:
            step = grid.spread(layers[-1], height, width) & opens & ~reached
            if not step:
                return grid.full(height, width)
            layer = step | flood(step & free, free & ~reached)
            layers.append(layer)
            reached |= layer
        goal = layers[-1] & targets & ~joined
        cell = goal & -goal
        for depth in range(len(layers) - 1, 0, -1):
            # Back to the layer before: through free cells of this one, then one step.
            piece = flood(cell, (free & layers[depth]) | cell)
            touching = piece & grid.spread(layers[depth - 1], height, width)
            used |= piece
            ahead = grid.spread(touching & -touching, height, width) & layers[depth - 1]
            cell = ahead & -ahead
        joined = flood(targets & -targets, free | used)
    return used
