"""The exact engine for boards beyond 64 cells, in plain Python: the twin of `clause_learning_c`.

Same answers, but each twin has its own search: `nodes` and the order of the solutions differ (both are
always the same for the same input). This one learns from its contradictions (conflict-driven clause learning),
with the rules of `search_py` (docs/engine.md, section 1, which numbers them) as its propagation. The rules of a line
that lacks one wall or floor (11 to 13) are left out: they saved a third of the nodes, and cost as much time as that.

**Literals.** With n cells and m placements, what is known is one int; each of its bits is a statement, a *literal*:

        bit      0 .. n-1   n .. n+m-1      n+m .. 2n+m-1    2n+m .. 2n+2m-1
        of       cells      placements      cells            placements
        says     wall       not the room    floor            the room

The two halves have `size` = n + m bits each, and the opposite of a literal is `size` bits away. A *clash* is a cell
(or placement) of which both are known. Cells and placements are sets too, from bit 0 on, and so are single ones;
`floor`, `no_room` and `room` make them literals (a set of cells is its own "wall"), `split` takes a known apart.

**Trail.** Rules conclude many literals at once from what is known. The trail keeps what was known before each such step
and the rule that made it. So a rule need not say why it concludes something: when that is asked, `explain`
finds the reason, a set of literals known before the step from which the literal follows.

**Learning.** A clash follows from two reasons. Replacing literals by their reasons, the latest first, until one literal
of the current level is left, gives a *nogood*: a set of literals that are never all true. It is kept, and forbids
its last literal whenever the others are known (Marques-Silva, Sakallah 1996; Moskewicz et al. 2001: watched literals).

**Further solutions.** No solution is blocked by a nogood: the last decision is turned round, and from then on the
search does not jump back beyond it; the decisions before it are turned round one by one as in plain search (Gebser,
Kaufmann, Neumann, Schaub 2007). So memory does not grow with the number of solutions, and each is found once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from dnd.dungeon.kernel.search_py import Puzzle
from dnd.dungeon.state import Clues, Placement, bits

_ROOM = 9  # cells of a room
_RESTART = 200  # conflicts between restarts
_NOGOODS = 3000  # kept at first; more each time that the longer half is dropped
_GROWTH = 1.2
_DECAY = 1.05  # how much more each conflict weighs than the one before, in the order of decisions
_HUGE = 1e100


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
    stop: bytearray | None,
) -> tuple[tuple[int, ...], int, bool]:
    """(solutions as masks of walls, nodes, complete): docs/engine.md, "Counting and stopping"."""
    problem = _Problem(height, width, rows, columns, monsters, treasures)
    search = _Search(problem, walls, floors, limit, max_nodes, stop)
    return tuple(search.run()), search.nodes, search.complete


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
    stop: bytearray | None,
) -> tuple[int, int, bool]:
    """(number of solutions, nodes, complete): `solve` that keeps no solution."""
    problem = _Problem(height, width, rows, columns, monsters, treasures)
    search = _Search(problem, walls, floors, limit, max_nodes, stop)
    return sum(1 for _ in search.run()), search.nodes, search.complete


class _Problem:
    """A puzzle, and how its literals are numbered."""

    def __init__(self, height: int, width: int, rows: Clues, columns: Clues, monsters: int, treasures: int) -> None:
        self.puzzle = Puzzle(height, width, rows, columns, monsters, treasures)
        self.board = self.puzzle.board
        self.cells = height * width
        self.all = self.board.all
        self.neighbours = [self.board.around(1 << cell) for cell in range(self.cells)]
        self.places = [place for places in self.puzzle.placements for place in places]
        self.all_places = (1 << len(self.places)) - 1
        self.groups = self._groups()
        self.size = self.cells + len(self.places)
        self.negative = (1 << self.size) - 1  # "wall" and "not the room"
        too_many = _ROOM * treasures.bit_count() > self.cells  # rooms do not overlap
        self.impossible = too_many or 0 in self.groups

    def _groups(self) -> list[int]:
        """The placements of each treasure, as sets."""
        groups, first = [], 0
        for places in self.puzzle.placements:
            groups.append(((1 << len(places)) - 1) << first)
            first += len(places)
        return groups

    def opposite(self, literal: int) -> int:
        """The literal that says the contrary."""
        return literal >> self.size if literal > self.negative else literal << self.size

    def undecided(self, known: int) -> int:
        """The cells and placements of which nothing is known."""
        return self.negative & ~(known | known >> self.size)


class _Known(NamedTuple):
    """What is known, taken apart: sets of cells, sets of placements."""

    walls: int
    floors: int
    out: int  # placements that are not the room of their treasure
    rooms: int


class _Rule:
    """A rule: what it concludes, and why.

    `conclude` may repeat what is known, and may leave out what it concluded from `seen`, a part of the known.
    `reasons` yields reasons of a literal that the rule has concluded from what was known; the first is taken.
    """

    def __init__(self, problem: _Problem) -> None:
        self.problem = problem
        self.board, self.neighbours, self.monsters = problem.board, problem.neighbours, problem.puzzle.monsters
        self.all, self.cells, self.size = problem.all, problem.cells, problem.size

    def conclude(self, known: int, seen: int) -> int:
        raise NotImplementedError

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        raise NotImplementedError

    def explain(self, literal: int, known: int) -> int:
        return next(self.reasons(literal, known))

    def floor(self, cells: int) -> int:
        """The literals that say floor of these cells."""
        return cells << self.size

    def no_room(self, places: int) -> int:
        """The literals that say of these placements that they are not the room."""
        return places << self.cells

    def room(self, places: int) -> int:
        """The literals that say of these placements that they are the room."""
        return places << self.size + self.cells

    def colours(self, known: int) -> tuple[int, int]:
        """The cells known to be wall, and those known to be floor."""
        return known & self.all, known >> self.size & self.all

    def split(self, known: int) -> _Known:
        """All that is known, of cells and of placements."""
        floors = known >> self.size
        places = self.problem.all_places
        return _Known(known & self.all, floors & self.all, known >> self.cells & places, floors >> self.cells & places)

    def around(self, cell: int) -> int:
        """The neighbours of one cell."""
        return self.neighbours[cell.bit_length() - 1]

    def place(self, place: int) -> Placement:
        """The cells of one placement, given as a set of one."""
        return self.problem.places[place.bit_length() - 1]


class _Choice(_Rule):
    """No rule, but a decision of the search or its opposite: it has no reason but itself."""

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        yield literal


class _DeadEnds(_Rule):
    """Dead ends (rules 1 to 5): a monster has one floor beside it, every other floor at least two.

    Where a rule says *contradiction* the monster, or all the floors beside it, become wall.
    """

    def conclude(self, known: int, seen: int) -> int:
        board, monsters = self.board, self.monsters
        walls, floors = self.colours(known)
        maybe = self.all & ~walls
        maybe_one, maybe_two, maybe_three = board.neighbour_counts(maybe)
        floor_one, floor_two, _ = board.neighbour_counts(floors)
        # Too few ways out: wall.
        new_walls = self.all & ~monsters & ~maybe_two | monsters & ~maybe_one
        # A monster with its way out: the other neighbours are wall; with two: those too.
        if monsters & floor_one:
            new_walls |= board.around(monsters & floor_one) & ~floors | board.around(monsters & floor_two)
        # No way out to spare: all of them are floor.
        needy = floors & ~monsters & ~maybe_three | monsters & ~maybe_two
        return new_walls | self.floor(board.around(needy) & maybe)

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        walls, floors = self.colours(known)
        if literal <= self.all:
            return self._reasons_of_wall(literal, walls, floors)
        return self._reasons_of_floor(literal >> self.size, walls, floors)

    def _reasons_of_wall(self, cell: int, walls: int, floors: int) -> Iterator[int]:
        """The walls around it, all but one that does not help; or the one floor of a monster beside it."""
        around = self.around(cell)
        spare = 0 if cell & self.monsters else 1
        if (around & ~walls).bit_count() <= spare:
            yield _some(around & walls, around.bit_count() - spare)
        for monster in bits(around & self.monsters):
            for other in bits(self.around(monster) & floors & ~cell):
                yield self.floor(other)

    def _reasons_of_floor(self, cell: int, walls: int, floors: int) -> Iterator[int]:
        """A floor beside it, and so many walls around that one that it needs the rest."""
        for needy in bits(self.around(cell) & floors):
            around = self.around(needy)
            need = 1 if needy & self.monsters else 2
            if (around & ~walls).bit_count() <= need:
                yield _some(around & walls, around.bit_count() - need) | self.floor(needy)


class _Lines(_Rule):
    """Lines (rules 8 to 10): as many walls (floors) as the clue allows, so the rest is floor (wall).

    A line with too many walls (floors) makes all its cells floor (wall).
    """

    def __init__(self, problem: _Problem) -> None:
        super().__init__(problem)
        self.lines = [
            (mask, clue, mask.bit_count() - clue)
            for mask, clue in (*problem.puzzle.row_lines, *problem.puzzle.column_lines)
            if clue >= 0
        ]

    def conclude(self, known: int, seen: int) -> int:
        walls, floors = self.colours(known)
        fresh = known & ~seen if seen else known | self.all
        changed = fresh | fresh >> self.size
        new_walls = new_floors = 0
        for mask, wall_count, floor_count in self.lines:
            if mask & changed:
                lacks_walls = wall_count - (walls & mask).bit_count()
                lacks_floors = floor_count - (floors & mask).bit_count()
                if lacks_walls <= 0:
                    new_floors |= mask if lacks_walls else mask & ~walls
                if lacks_floors <= 0:
                    new_walls |= mask if lacks_floors else mask & ~floors
        return new_walls | self.floor(new_floors)

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        """Enough cells of the other kind in one of its lines."""
        is_wall = literal <= self.all
        shift = self.size if is_wall else 0  # walls follow from floors, and floors from walls
        cell = literal if is_wall else literal >> self.size
        others = known >> shift & self.all & ~cell
        for mask, wall_count, floor_count in self.lines:
            enough = floor_count if is_wall else wall_count
            if mask & cell and (mask & others).bit_count() >= enough:
                yield _some(mask & others, enough) << shift


class _Hallways(_Rule):
    """Wide hallways (rules 6 and 7): where three cells of a block are floor the fourth becomes wall.

    So four floors are a contradiction. A block is asleep, and free of this, while a possible placement contains it.
    """

    def __init__(self, problem: _Problem) -> None:
        super().__init__(problem)
        self.covering: dict[int, int] = {}  # the placements that contain a block
        for number, place in enumerate(problem.places):
            for block in bits(place.blocks):
                self.covering[block] = self.covering.get(block, 0) | 1 << number
        self.cached = -1, 0  # the placements that are out, and the blocks awake then

    def conclude(self, known: int, seen: int) -> int:
        awake = self._awake(known)
        floors, width = known >> self.size & self.all, self.board.width
        # The four cells of a block, brought to its upper left cell.
        corner, beside, under, across = floors, floors >> 1, floors >> width, floors >> width + 1
        upper, lower = awake & corner & beside, awake & under & across
        walls = beside & lower | (corner & lower) << 1
        return walls | (upper & across) << width | (upper & under) << width + 1

    def _awake(self, known: int) -> int:
        """The blocks in no possible placement."""
        out = known >> self.cells & self.problem.all_places
        if self.cached[0] != out:
            asleep = 0
            for place in bits(self.problem.all_places & ~out):
                asleep |= self.place(place).blocks
            self.cached = out, self.board.block_corners & ~asleep
        return self.cached[1]

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        """The other three cells of a block, and that no placement of it is the room."""
        awake = self._awake(known)
        floors, width = known >> self.size & self.all, self.board.width
        for distance in (0, 1, width, width + 1):
            block = literal >> distance & awake
            others = (block | block << 1 | block << width | block << width + 1) & ~literal
            if block and not others & ~floors:
                yield self.floor(others) | self.no_room(self.covering.get(block, 0))


class _Rooms(_Rule):
    """Treasure rooms (rules 14 to 17): a treasure has one room, and that room one entrance.

    A treasure without a possible placement gets all of them as its room: a contradiction.
    """

    def conclude(self, known: int, seen: int) -> int:
        state = self.split(known)
        walls = out = floors = rooms = 0
        for group in self.problem.groups:
            possible = group & ~state.out
            room = group & state.rooms
            if room:
                out |= group if _several(room) else group & ~room
            common = self.all if possible else 0
            for place in bits(possible):
                square, border, _ = self.place(place)
                common &= square
                if square & state.walls or _several(border & state.floors) or not border & ~state.walls:
                    out |= place
            floors |= common  # what all possible placements share
            if not _several(possible):
                rooms |= possible or group
                border = self._border(possible)
                maybe = border & ~state.walls
                if border & state.floors:  # the entrance: the rest of the border is wall
                    walls |= border & ~state.floors
                elif not _several(maybe):  # the last place for an entrance
                    floors |= maybe
        return walls | self.no_room(out) | self.floor(floors) | self.room(rooms)

    def _border(self, possible: int) -> int:
        """The border of the only possible placement, if there is one."""
        return self.place(possible).border if possible and not _several(possible) else 0

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        state = self.split(known)
        if literal <= self.all:
            return self._reasons_of_wall(literal, state)
        if literal <= self.problem.negative:
            return self._reasons_of_no_room(literal >> self.cells, state)
        if literal >> self.size <= self.all:
            return self._reasons_of_floor(literal >> self.size, state)
        return self._reasons_of_room(literal >> self.size + self.cells)

    def _reasons_of_wall(self, cell: int, state: _Known) -> Iterator[int]:
        """It is on the border of a room whose entrance is elsewhere."""
        for group in self.problem.groups:
            border = self._border(group & ~state.out)
            if border & cell:
                for entrance in bits(border & state.floors & ~cell):
                    yield self.no_room(group & state.out) | self.floor(entrance)

    def _reasons_of_no_room(self, place: int, state: _Known) -> Iterator[int]:
        """A wall in it, two entrances, none, or another room of its treasure."""
        square, border, _ = self.place(place)
        yield from bits(square & state.walls)
        doors = border & state.floors
        if _several(doors):
            yield self.floor(_some(doors, 2))
        if not border & ~state.walls:
            yield border
        for group in self.problem.groups:
            if group & place:
                for room in bits(group & state.rooms & ~place):
                    yield self.room(room)

    def _reasons_of_floor(self, cell: int, state: _Known) -> Iterator[int]:
        """It is in all placements that are not out; or it is the only way into a room."""
        for group in self.problem.groups:
            possible = group & ~state.out
            without = sum(place for place in bits(group) if not self.place(place).square & cell)
            if not possible & without:
                yield self.no_room(without)
            border = self._border(possible)
            if border & cell and not border & ~cell & ~state.walls:
                yield self.no_room(group & state.out) | border & ~cell

    def _reasons_of_room(self, place: int) -> Iterator[int]:
        """All other placements of its treasure are out."""
        for group in self.problem.groups:
            if group & place:
                yield self.no_room(group & ~place)


class _Connected(_Rule):
    """Connectivity (rule 19, and more): what cannot be reached from a floor is wall."""

    def conclude(self, known: int, seen: int) -> int:
        """Only a new wall can cut something off."""
        start, maybe = self._start(known), self.all & ~known
        if not start or (seen and not known & ~seen & self.all):
            return 0
        return maybe & ~self._flood(start, maybe)

    def _start(self, known: int) -> int:
        """A floor, and one with an object if possible: that needs no reason."""
        _, floors = self.colours(known)
        floors = floors & self.problem.puzzle.objects or floors
        return floors & -floors

    def _flood(self, cells: int, maybe: int) -> int:
        """The cells, and all of `maybe` that can be walked to from them."""
        reached = 0
        while cells != reached:
            reached = cells
            cells = (cells | self.board.around(cells)) & maybe
        return reached

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        """A floor elsewhere, and the walls around it or around the cell, as far as one can walk."""
        start, maybe = self._start(known), self.all & ~known
        for cell in (literal, start):
            yield self.floor(start) | self.board.around(self._flood(cell, maybe)) & known


class _Nogood:
    """Literals that are never all true, and the two of them that are watched (twice the same if there is but one).

    While neither of the two is known there is nothing to conclude.
    """

    __slots__ = "first", "literals", "second"

    def __init__(self, literals: int, first: int, second: int) -> None:
        self.literals, self.first, self.second = literals, first, second


class _Learned(_Rule):
    """The nogoods: where one literal is missing its opposite is true."""

    def __init__(self, problem: _Problem) -> None:
        super().__init__(problem)
        self.nogoods: list[_Nogood] = []
        self.watchers: list[list[_Nogood]] = [[] for _ in range(2 * self.size)]
        self.watched = 0
        self.most = _NOGOODS
        self.used: dict[int, int] = {}  # the literals of the nogood by which a literal was concluded last

    def add(self, nogood: _Nogood) -> None:
        self.nogoods.append(nogood)
        for literal in (nogood.first, nogood.second):
            self.watchers[literal.bit_length() - 1].append(nogood)
            self.watched |= literal

    def shrink(self) -> None:
        """Drop the longer half if there are too many."""
        if len(self.nogoods) > self.most:
            self.most = int(self.most * _GROWTH)
            by_length = sorted(self.nogoods, key=lambda nogood: nogood.literals.bit_count())
            self.nogoods, self.watched = [], 0
            self.watchers = [[] for _ in self.watchers]
            for nogood in by_length[: len(by_length) // 2]:
                self.add(nogood)

    def conclude(self, known: int, seen: int) -> int:
        """Written out, since this is the innermost loop of the search."""
        watchers, negative, size = self.watchers, self.problem.negative, self.size
        concluded = 0
        fresh = known & ~seen & self.watched
        while fresh:
            literal = fresh & -fresh
            fresh ^= literal
            number = literal.bit_length() - 1
            staying = []
            for nogood in watchers[number]:
                other = nogood.second if nogood.first == literal else nogood.first
                free = nogood.literals & ~(known | other)
                if free:  # watch another one instead
                    free &= -free
                    nogood.first, nogood.second = free, other
                    watchers[free.bit_length() - 1].append(nogood)
                    self.watched |= free
                else:
                    staying.append(nogood)
                    opposite = other >> size if other > negative else other << size
                    if not opposite & (known | concluded):
                        concluded |= opposite
                        self.used[opposite] = nogood.literals
            watchers[number] = staying
        return concluded

    def reasons(self, literal: int, known: int) -> Iterator[int]:
        yield self.used[literal] & ~self.problem.opposite(literal)


class _Step(NamedTuple):
    """A step of the trail: what was known before, and the rule that added to it."""

    before: int
    rule: _Rule


class _Level(NamedTuple):
    """A decision: what was known before (all of it closed), the number of steps then, and the literal decided."""

    before: int
    steps: int
    decision: int


class _Order:
    """Which cell or placement to decide next, and how: those that take part in conflicts, as they were last."""

    def __init__(self, problem: _Problem) -> None:
        self.weights = [0.0] * problem.cells + [1.0] * len(problem.places)
        self.weight = 1.0
        self.order = list(range(problem.size))  # numbers of cells and placements, the heaviest first unless stale
        self.positive = problem.negative  # those to be decided as floor (or room)
        self.problem = problem
        self.stale = True

    def blame(self, literals: int) -> None:
        """Weigh the cells and placements of a conflict."""
        weights, weight = self.weights, self.weight
        for bit in bits((literals | literals >> self.problem.size) & self.problem.negative):
            weights[bit.bit_length() - 1] += weight
        self.weight *= _DECAY
        if self.weight > _HUGE:
            self.weights = [weight / _HUGE for weight in self.weights]
            self.weight /= _HUGE
        self.stale = True

    def remember(self, known: int) -> None:
        """What is known now is what to decide the next time."""
        self.positive = self.positive & ~known | known >> self.problem.size

    def choose(self, undecided: int) -> int:
        """The literal to decide: of the heaviest cell or placement, what it was last."""
        if self.stale:
            self.order.sort(key=self.weights.__getitem__, reverse=True)
            self.stale = False
        bit = 1 << next(number for number in self.order if undecided >> number & 1)
        return bit << self.problem.size if bit & self.positive else bit


class _Search:
    """The search: decide, close, learn."""

    def __init__(
        self, problem: _Problem, walls: int, floors: int, limit: int, max_nodes: int, stop: bytearray | None
    ) -> None:
        self.problem = problem
        self.limit, self.max_nodes, self.stop = limit, max_nodes, stop
        self.found = self.nodes = 0
        self.complete = False
        self.choice, self.learned = _Choice(problem), _Learned(problem)
        # The cheap ones first: a rule is asked when those before it have nothing more to say.
        self.rules = [
            _DeadEnds(problem),
            _Lines(problem),
            _Hallways(problem),
            _Rooms(problem),
            self.learned,
            _Connected(problem),
        ]
        self.order = _Order(problem)
        self.known = walls | (floors | problem.puzzle.objects) << problem.size
        self.closed = 0
        self.steps: list[_Step] = []
        self.levels: list[_Level] = []
        self.fixed = 0  # the levels that are searched as plain search does, since a solution was found below
        self.conflicts = 0

    def run(self) -> Iterator[int]:
        """The solutions. Afterwards `complete` says whether there are no others."""
        more = True
        while more:
            if self.nodes == self.max_nodes != 0 or (self.stop and self.stop[0]):
                return
            self.nodes += 1
            clash = self.problem.impossible or self._close()
            if clash and len(self.levels) > self.fixed:
                self._learn(clash & -clash)
            elif clash:
                more = self._turn()
            elif self._is_complete():
                yield self.known & self.problem.all
                self.found += 1
                if self.found == self.limit:
                    return
                more = self._turn()
            else:
                self._decide()
        self.complete = True

    def _is_complete(self) -> bool:
        return not self.problem.undecided(self.known) & self.problem.all

    # ------------------------------------------------------------------------------------- closure

    def _close(self) -> int:
        """Ask the rules until none has anything to say; the clashes, or 0."""
        known, size, negative = self.known, self.problem.size, self.problem.negative
        seen = [self.closed] * len(self.rules)
        while not known & known >> size & negative:
            for number, rule in enumerate(self.rules):
                if seen[number] == known:
                    continue
                new = rule.conclude(known, seen[number]) & ~known
                seen[number] = known
                if new:
                    self._add(new, rule)
                    known = self.known
                    break
            else:
                self.closed = known
                return 0
        return known & known >> size & negative

    def _add(self, literals: int, rule: _Rule) -> None:
        self.steps.append(_Step(self.known, rule))
        self.known |= literals

    # -------------------------------------------------------------------------- decisions and back

    def _decide(self) -> None:
        if self.conflicts >= _RESTART:
            self.conflicts = 0
            self.learned.shrink()
            self._back_to(self.fixed)
        literal = self.order.choose(self.problem.undecided(self.known))
        self.levels.append(_Level(self.known, len(self.steps), literal))
        self._add(literal, self.choice)

    def _back_to(self, level: int) -> None:
        """Undo the decisions beyond the first `level`, and all that followed."""
        if level < len(self.levels):
            self.order.remember(self.known)
            self.known = self.closed = self.levels[level].before
            del self.steps[self.levels[level].steps :]
            del self.levels[level:]

    def _turn(self) -> bool:
        """Turn the last decision round, for good; False if there is none."""
        if not self.levels:
            return False
        decision = self.levels[-1].decision
        self.fixed = len(self.levels) - 1
        self._back_to(self.fixed)
        self._add(self.problem.opposite(decision), self.choice)
        return True

    # ------------------------------------------------------------------------------------ learning

    def _learn(self, clash: int) -> None:
        """Learn a nogood from a clash, and go back to where it would have concluded something."""
        literals, last, met = self._analyse(clash)
        literals = self._shorten(literals, last)
        self.order.blame(met)
        level = len(self.levels) - 1
        others = literals & ~last
        while level and not others & ~self.levels[level - 1].before:
            level -= 1
        # Watch the last two literals.
        second = others & ~self.levels[level - 1].before if level else last
        self._back_to(max(level, self.fixed))
        self.learned.add(_Nogood(literals, last, second & -second))
        conclusion = self.problem.opposite(last)
        self.learned.used[conclusion] = literals
        self._add(conclusion, self.learned)
        self.conflicts += 1

    def _analyse(self, clash: int) -> tuple[int, int, int]:
        """(a nogood, its only literal of the last level, all literals met on the way)."""
        before = self.levels[-1].before
        literals = met = clash | clash << self.problem.size
        number = len(self.steps) - 1
        step = self.steps[number]
        # What the last step added must go in any case: "wall and floor" is a nogood of no use.
        for literal in bits(literals & ~step.before):
            literals = literals & ~literal | step.rule.explain(literal, step.before)
        while (last := literals & ~before) & (last - 1):
            met |= literals
            step = self.steps[number]
            literal = literals & ~step.before
            if literal:
                literal &= -literal
                literals = literals & ~literal | step.rule.explain(literal, step.before)
            else:
                number -= 1
        return literals, last, met | literals

    def _shorten(self, literals: int, last: int) -> int:
        """Leave out what is known without any decision, and what follows at once from others."""
        root = self.levels[0].before
        kept = literals = literals & ~root
        for literal in bits(literals & ~last):
            step = self.steps[self._step_of(literal)]
            if not step.rule.explain(literal, step.before) & ~(literals & ~literal | root):
                kept ^= literal
        return kept

    def _step_of(self, literal: int) -> int:
        """The number of the step that added a literal."""
        return bisect_left(self.steps, True, key=lambda step: step.before & literal != 0) - 1


def _several(members: int) -> bool:
    """Whether a set has more than one member."""
    return members & (members - 1) != 0


def _some(cells: int, most: int) -> int:
    """At most so many of the cells: the last ones."""
    for _ in range(cells.bit_count() - max(0, most)):
        cells &= cells - 1
    return cells
