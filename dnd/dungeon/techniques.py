"""What a person can deduce about a dungeon: for each technique its deduction, its sentence and the facts it rests on.

Techniques, easy to hard. A technique is tried only where the ones above it find nothing on the whole board.

    line-full-of-walls      a line has all its walls: the rest is floor
    line-full-of-floors     a line has all its floors: the rest is wall
    dead-end                a cell that would be a dead end, without a monster: wall
    exit-forced             a monster has one way out left
    exit-found              a monster has its exit: walls around it
    dead-end-avoided        an open cell needs two ways, and has two left
    wide-hallway            the fourth cell of a 2x2 block is wall
    room-found              one square is left for a treasure's room
    room-closed             a room has its entrance: the rest of its border is wall
    room-entrance           one cell is left for a room's entrance
    room-common             cells that all squares left for a room have in common
    no-room                 the fourth cell of a 2x2 block, where no room can be any more
    only-way-out            a region of floors must go on through its only gap
    cut-off                 cells that no floor can reach
    bridge                  a cell without which the dungeon would be in two parts
    last-floor              a cell that, as the last floor of a line, would be a dead end
    last-wall               a cell that, as the last wall of a line, would make its neighbour a dead end
    closing-in              an exit, or entrance, that would close off a part of the dungeon
    claimed-walls           monsters, open blocks and rooms claim all walls of a line
    claimed-floors          cells that need a way out claim all floors of a line
    room-counts             squares for a room that the clues of their rows and columns forbid
    forbidden-exit          an exit, or entrance, that would break a rule at once by the walls it brings
    line-combinations       what all ways to fill a line agree on
    two-lines               the same claims for the walls of two lines side by side
    two-line-combinations   what all ways to fill two lines side by side agree on
    what-if                 one assumption that breaks a rule after a few easy steps

What follows on a board is found by the kernel, all of it at once, and here it is told: above each function `_tell...`
stands the deduction that it tells, by its readable twin (`kernel.logic_py`). It takes a state and the walls and floors
that it is to explain, and yields steps for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

from dnd import grid, hinting
from dnd.diagnostic import Cell, cell_list, cell_name
from dnd.dungeon import kernel as kernels
from dnd.dungeon.kernel import logic_py as logic
from dnd.dungeon.state import Placement, State, bits

Mark = hinting.Mark[str]

WALL, OPEN = "wall", "open"  # what a cell is


class Facts(NamedTuple):
    """What a step rests on; with nothing but this, and the rules, its conclusions follow.

    walls, floors: cells that are known. rows, columns: the lines whose clues it uses. Monsters and treasures are known
    to everybody, and that they are open; so are the rules that hold everywhere.
    """

    walls: tuple[Cell, ...] = ()
    floors: tuple[Cell, ...] = ()
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step(hinting.Step[str]):
    """One deduction: technique code, sentence, conclusions (cells that are wall, cells that are floor), reasons.

    chain: of a what-if the steps that follow from the assumption, the last one `impossible`; their facts include
    the assumption and each other. Of a wrong cell the steps that lead to where it shows, if there are several.
    """

    walls: tuple[Cell, ...] = ()
    floors: tuple[Cell, ...] = ()
    facts: Facts = Facts()
    chain: tuple[Step, ...] = ()

    @property
    def conclusions(self) -> hinting.Claims[str]:
        """The cells that are wall or open."""
        return marks(self.walls, self.floors), ()

    @property
    def premises(self) -> hinting.Claims[str]:
        """The walls and floors that it rests on."""
        return marks(self.facts.walls, self.facts.floors), ()

    def as_json(self) -> dict[str, object]:
        """The stable JSON form; rows and columns from 0, a cell is [row, column]."""

        def cells(some: Iterable[Cell]) -> list[list[int]]:
            return [list(cell) for cell in some]

        facts = self.facts
        return {
            "technique": self.technique,
            "sentence": self.sentence,
            "walls": cells(self.walls),
            "floors": cells(self.floors),
            "facts": {
                "walls": cells(facts.walls),
                "floors": cells(facts.floors),
                "rows": list(facts.rows),
                "columns": list(facts.columns),
            },
            "chain": [step.as_json() for step in self.chain],
        }


def marks(walls: Iterable[Cell], floors: Iterable[Cell]) -> tuple[Mark, ...]:
    """What is known of cells, as marks."""
    return (*((cell, WALL) for cell in walls), *((cell, OPEN) for cell in floors))


class Reasons:
    """Collects the facts of a step. `assumed`: cells that it supposes to be so, which are not facts."""

    def __init__(self, state: State, assumed: int = 0) -> None:
        self.state, self.assumed = state, assumed
        self.walls = self.floors = 0
        self.lines: set[int] = set()

    def facts(self) -> Facts:
        """All that was cited."""
        board, given = self.state.board, self.assumed | self.state.layout.objects
        return Facts(
            grid.cells(self.walls & ~self.assumed, board.width),
            grid.cells(self.floors & ~given, board.width),
            tuple(sorted(line for line in self.lines if line < board.height)),
            tuple(sorted(line - board.height for line in self.lines if line >= board.height)),
        )

    def step(self, technique: str, sentence: str, walls: int = 0, floors: int = 0) -> Step:
        """The step with these conclusions."""
        width = self.state.board.width
        return Step(technique, sentence, grid.cells(walls, width), grid.cells(floors, width), self.facts())

    def cite_walls_around(self, cell: int, left: int) -> int:
        """Cite walls beside a cell, as many as leave it only so many neighbours that may be open; those cited."""
        around = self.state.board.around(cell)
        walls = _some(around & self.state.walls, around.bit_count() - left, self.assumed)
        self.walls |= walls
        return walls

    def cite_part(self, part: int) -> tuple[int, int]:
        """Cite that a part of the board is walled in, with floors inside and outside: one of each, which it returns."""
        state = self.state
        self.walls |= state.board.around(part) & state.walls
        inside, outside = [self._one_floor(state.floors & cells) for cells in (part, ~part)]
        self.floors |= inside | outside
        return inside, outside

    def _one_floor(self, floors: int) -> int:
        return _some(floors, 1, self.state.layout.objects | self.assumed)

    def cite_no_room(self, places: Iterable[Placement]) -> str:
        """Cite why these placements, none of them possible, are not; in words, "" if there are none."""
        state, words, places = self.state, [], list(places)
        walled = [place.square for place in places if place.square & state.walls]
        in_the_way = 0
        while walled:
            wall = max(bits(reduce(or_, walled) & state.walls), key=lambda cell: self._blocks(cell, walled))
            in_the_way |= wall
            walled = [square for square in walled if not square & wall]
        if in_the_way:
            self.walls |= in_the_way
            several = in_the_way & (in_the_way - 1)
            words.append(
                f"the wall{'s' if several else ''} {names(state, in_the_way)} {'are' if several else 'is'} in the way"
            )
        words += [self._cite_bad_border(place) for place in places if not place.square & state.walls]
        return ", ".join(words)

    def _blocks(self, cell: int, squares: Sequence[int]) -> tuple[int, bool]:
        """How many squares a wall blocks, and whether it is cited anyway."""
        return sum(1 for square in squares if square & cell), bool(cell & self.walls)

    def _cite_bad_border(self, place: Placement) -> str:
        state = self.state
        ways = place.border & state.floors
        if ways:
            pair = _some(ways, 2, state.layout.objects | self.assumed | self.floors)
            self.floors |= pair
            return f"{square_name(state, place)} would have two entrances ({names(state, pair)})"
        self.walls |= place.border
        return f"{square_name(state, place)} would have no entrance"


def _some(cells: int, number: int, preferred: int) -> int:
    """So many of the cells, preferred ones first, then the lowest."""
    chosen = 0
    for each in (cells & preferred, cells & ~preferred):
        for cell in bits(each):
            if chosen.bit_count() < number:
                chosen |= cell
    return chosen


# ---------------------------------------------------------------------------------------------------------------
# Words.


def names(state: State, cells: int, last: str = "and") -> str:
    """`r1c1, r1c2 and r2c1`."""
    return cell_list(grid.cells(cells, state.board.width)).replace(" and ", f" {last} ")


def line_name(state: State, line: int) -> str:
    """`row 3`."""
    height = state.board.height
    return f"row {line + 1}" if line < height else f"column {line - height + 1}"


def square_name(state: State, place: Placement) -> str:
    """`r1c1-r3c3`."""
    first, *_, last = grid.cells(place.square, state.board.width)
    return f"{cell_name(first)}-{cell_name(last)}"


def treasure_name(state: State, number: int) -> str:
    """`the treasure at r4c5`."""
    return f"the treasure at {names(state, list(bits(state.layout.treasures))[number])}"


def _are(state: State, cells: int, what: str) -> str:
    """`r1c1 is wall`, `r1c1 and r1c2 are wall`."""
    return f"{names(state, cells)} {'are' if cells & (cells - 1) else 'is'} {what}"


def _both(state: State, walls: int, floors: int) -> str:
    """`r1c1 is wall and r1c2 and r1c3 are floor`."""
    told = [_are(state, cells, what) for cells, what in ((walls, "wall"), (floors, "floor")) if cells]
    return " and ".join(told)


def _counted(number: int, what: str) -> str:
    """`1 wall`, `2 walls`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


# ---------------------------------------------------------------------------------------------------------------
# The techniques.

Teller = Callable[[State, int, int], Iterator[Step]]
TELLERS: dict[str, Teller] = {}
_CODES: dict[logic.Technique, str] = {}

FULL_OF_WALLS = "line-full-of-walls"
FULL_OF_FLOORS = "line-full-of-floors"
DEAD_END = "dead-end"
EXIT_FORCED = "exit-forced"
EXIT_FOUND = "exit-found"
DEAD_END_AVOIDED = "dead-end-avoided"
WIDE_HALLWAY = "wide-hallway"
ROOM_FOUND = "room-found"
ROOM_CLOSED = "room-closed"
ROOM_ENTRANCE = "room-entrance"
ROOM_COMMON = "room-common"
NO_ROOM = "no-room"
ONLY_WAY_OUT = "only-way-out"
CUT_OFF = "cut-off"
BRIDGE = "bridge"
LAST_FLOOR = "last-floor"
LAST_WALL = "last-wall"
CLOSING_IN = "closing-in"
CLAIMED_WALLS = "claimed-walls"
CLAIMED_FLOORS = "claimed-floors"
ROOM_COUNTS = "room-counts"
FORBIDDEN_EXIT = "forbidden-exit"
LINE_COMBINATIONS = "line-combinations"
TWO_LINES = "two-lines"
TWO_LINE_COMBINATIONS = "two-line-combinations"
WHAT_IF = "what-if"


def _tells(code: str, deduction: logic.Technique) -> Callable[[Teller], Teller]:
    """Has a technique's deduction and what tells it stand together, under the technique's code."""

    def register(teller: Teller) -> Teller:
        _CODES[deduction], TELLERS[code] = code, teller
        return teller

    return register


@_tells(FULL_OF_WALLS, logic.line_has_its_walls)
def _tell_full_of_walls(state: State, _: int, floors: int) -> Iterator[Step]:
    for number, line in enumerate(state.layout.lines):
        rest = line.mask & floors
        if state.lacks[number][0] == 0 and rest:
            floors &= ~rest
            reasons = Reasons(state)
            reasons.lines.add(number)
            reasons.walls = line.mask & state.walls
            has = f"has all its {line.clue} walls" if line.clue > 1 else "has its wall" if line.clue else "has no walls"
            sentence = f"{line_name(state, number)} {has}: {_are(state, rest, 'floor')}"
            yield reasons.step(FULL_OF_WALLS, sentence, 0, rest)


@_tells(FULL_OF_FLOORS, logic.line_has_its_floors)
def _tell_full_of_floors(state: State, walls: int, _: int) -> Iterator[Step]:
    for number, line in enumerate(state.layout.lines):
        rest = line.mask & walls
        if state.lacks[number][1] == 0 and rest:
            walls &= ~rest
            reasons = Reasons(state)
            reasons.lines.add(number)
            reasons.floors = line.mask & state.floors
            places = line.mask & state.unknown
            needs = f"{line_name(state, number)} still needs {_counted(state.lacks[number][0], 'wall')}"
            sentence = f"{needs} and only {names(state, places)} can be {'walls' if places & places - 1 else 'a wall'}"
            yield reasons.step(FULL_OF_FLOORS, sentence, rest)


@_tells(DEAD_END, logic.dead_end)
def _tell_dead_end(state: State, walls: int, _: int) -> Iterator[Step]:
    for cell in bits(walls):
        reasons = Reasons(state)
        reasons.cite_walls_around(cell, 1)
        ways = state.board.around(cell) & state.maybe
        only = f"could be open towards {names(state, ways)} only" if ways else "is shut in"
        sentence = f"{names(state, cell)} {only}: it would be a dead end without a monster, so it is wall"
        yield reasons.step(DEAD_END, sentence, cell)


@_tells(EXIT_FORCED, logic.monster_exit_forced)
def _tell_exit_forced(state: State, _: int, floors: int) -> Iterator[Step]:
    for monster in bits(state.layout.monsters):
        way = state.board.around(monster) & state.maybe
        if not way & (way - 1) and way & floors:
            floors &= ~way
            reasons = Reasons(state)
            reasons.cite_walls_around(monster, 1)
            sentence = f"the monster at {names(state, monster)} has no way out but {names(state, way)}"
            yield reasons.step(EXIT_FORCED, sentence, 0, way)


@_tells(EXIT_FOUND, logic.monster_exit_found)
def _tell_exit_found(state: State, walls: int, _: int) -> Iterator[Step]:
    for monster in bits(state.layout.monsters):
        around = state.board.around(monster)
        way, rest = around & state.floors, around & walls
        if way and rest:
            walls &= ~rest
            reasons = Reasons(state)
            reasons.floors = _some(way, 1, state.layout.objects)
            sentence = f"the monster at {names(state, monster)} has its exit at {names(state, reasons.floors)}"
            yield reasons.step(EXIT_FOUND, f"{sentence}: {_are(state, rest, 'wall')}", rest)


@_tells(DEAD_END_AVOIDED, logic.way_through)
def _tell_dead_end_avoided(state: State, _: int, floors: int) -> Iterator[Step]:
    for cell in bits(state.floors & ~state.layout.monsters):
        ways = state.board.around(cell) & state.maybe
        found = ways & floors
        if found and ways.bit_count() <= 2:
            floors &= ~found
            reasons = Reasons(state)
            reasons.floors = cell
            reasons.cite_walls_around(cell, 2)
            only = f"only {names(state, ways)} can be open beside it"
            sentence = f"{names(state, cell)} must not be a dead end, and {only}"
            yield reasons.step(DEAD_END_AVOIDED, sentence, 0, found)


@_tells(WIDE_HALLWAY, logic.wide_hallway)
def _tell_wide_hallway(state: State, walls: int, _: int) -> Iterator[Step]:
    for cell, others in _fourth_cells(state, walls, ~state.layout.asleep(state.layout.placements)):
        reasons = Reasons(state)
        reasons.floors = others
        sentence = f"{_are(state, others, 'open')}: with {names(state, cell)} the hallway would be two cells wide"
        yield reasons.step(WIDE_HALLWAY, sentence, cell)


@_tells(NO_ROOM, logic.wide_hallway_no_room)
def _tell_no_room(state: State, walls: int, _: int) -> Iterator[Step]:
    for cell, others in _fourth_cells(state, walls, state.awake):
        reasons = Reasons(state)
        reasons.floors = others
        why = reasons.cite_no_room(_places_over(state, cell | others))
        sentence = f"{_are(state, others, 'open')}; with {names(state, cell)} that would be a room, but {why}"
        yield reasons.step(NO_ROOM, sentence, cell)


def _fourth_cells(state: State, walls: int, blocks: int) -> Iterator[tuple[int, int]]:
    """Each cell that would open one of those blocks, with the three floors."""
    for corner in bits(blocks & state.board.block_corners):
        block = state.block(corner)
        cell = block & walls
        if cell and not cell & (cell - 1) and block & state.floors == block & ~cell:
            walls &= ~cell
            yield cell, block & ~cell


def _places_over(state: State, block: int) -> list[Placement]:
    """All placements of treasures in which a block lies, possible or not."""
    return [place for places in state.layout.placements for place in places if not block & ~place.square]


def _impossible_places(state: State, number: int) -> list[Placement]:
    return [place for place in state.layout.placements[number] if not state.is_possible(place)]


def _rooms(state: State) -> Iterator[tuple[int, Placement]]:
    """The treasures that have one possible placement, and this."""
    for number, places in enumerate(state.places):
        if len(places) == 1:
            yield number, places[0]


@_tells(ROOM_FOUND, logic.room_found)
def _tell_room_found(state: State, _: int, floors: int) -> Iterator[Step]:
    for number, room in _rooms(state):
        found = room.square & floors
        if found:
            floors &= ~found
            reasons = Reasons(state)
            why = reasons.cite_no_room(_impossible_places(state, number)) or "no other 3x3 square is there for it"
            sentence = f"the room of {treasure_name(state, number)} must be {square_name(state, room)}: {why}"
            yield reasons.step(ROOM_FOUND, sentence, 0, found)


@_tells(ROOM_CLOSED, logic.room_closed)
def _tell_room_closed(state: State, walls: int, _: int) -> Iterator[Step]:
    for number, room in _rooms(state):
        way, rest = room.border & state.floors, room.border & walls
        if way and rest:
            walls &= ~rest
            reasons = Reasons(state)
            reasons.cite_no_room(_impossible_places(state, number))
            reasons.floors |= way
            sentence = f"the room {square_name(state, room)} has its entrance at {names(state, way)}"
            yield reasons.step(ROOM_CLOSED, f"{sentence}: {_are(state, rest, 'wall')}", rest)


@_tells(ROOM_ENTRANCE, logic.room_entrance)
def _tell_room_entrance(state: State, _: int, floors: int) -> Iterator[Step]:
    for number, room in _rooms(state):
        way = room.border & state.maybe
        if not way & (way - 1) and way & floors:
            floors &= ~way
            reasons = Reasons(state)
            reasons.cite_no_room(_impossible_places(state, number))
            reasons.walls |= room.border & ~way
            sentence = f"the room {square_name(state, room)} can have its entrance only at {names(state, way)}"
            yield reasons.step(ROOM_ENTRANCE, sentence, 0, way)


@_tells(ROOM_COMMON, logic.room_common)
def _tell_room_common(state: State, _: int, floors: int) -> Iterator[Step]:
    for number, places in enumerate(state.places):
        found = reduce(lambda common, place: common & place.square, places, floors)
        if places and found:
            floors &= ~found
            reasons = Reasons(state)
            why = reasons.cite_no_room(_impossible_places(state, number))
            wherever = f"wherever the room of {treasure_name(state, number)} is, {_are(state, found, 'in it')}"
            yield reasons.step(ROOM_COMMON, f"{wherever}{f' ({why})' if why else ''}", 0, found)


@_tells(ONLY_WAY_OUT, logic.only_way_out)
def _tell_only_way_out(state: State, _: int, floors: int) -> Iterator[Step]:
    for part in state.parts():
        way = state.board.around(part) & state.unknown
        if part != state.floors and not way & (way - 1) and way & floors:
            floors &= ~way
            reasons = Reasons(state)
            inside, _ = reasons.cite_part(part)
            sentence = f"the dungeon must go on from {names(state, inside)}, and has only {names(state, way)} left"
            yield reasons.step(ONLY_WAY_OUT, sentence, 0, way)


@_tells(CUT_OFF, logic.cut_off)
def _tell_cut_off(state: State, walls: int, _: int) -> Iterator[Step]:
    for cell in bits(walls):
        part = state.flood(cell, state.maybe)
        if cell & walls:
            walls &= ~part
            reasons = Reasons(state)
            reasons.walls = state.board.around(part) & state.walls
            reasons.floors = _some(state.floors, 1, state.layout.objects)
            sentence = f"{names(state, part)} cannot be reached from {names(state, reasons.floors)}, so there is wall"
            yield reasons.step(CUT_OFF, sentence, part)


@_tells(BRIDGE, logic.bridge)
def _tell_bridge(state: State, _: int, floors: int) -> Iterator[Step]:
    for cell in bits(floors):
        reasons = Reasons(state.with_conclusions(cell, 0), cell)
        sentence = f"{names(state, cell)} must be open: otherwise {_cite_split(reasons)}"
        yield reasons.step(BRIDGE, sentence, 0, cell)


def _cite_split(reasons: Reasons) -> str:
    """Cite why floors cannot be connected: the part that takes the fewest walls; in words."""
    state = reasons.state
    parts, rest = [], state.floors
    while rest:
        parts.append(state.flood(rest & -rest, state.maybe))
        rest &= ~parts[-1]
    given = reasons.assumed
    part = min(parts, key=lambda cells: (state.board.around(cells) & state.walls & ~given).bit_count())
    inside, outside = reasons.cite_part(part)
    return f"{names(state, inside)} would be cut off from {names(state, outside)}"


@_tells(LAST_FLOOR, logic.last_floor)
def _tell_last_floor(state: State, walls: int, _: int) -> Iterator[Step]:
    for cell in bits(walls):
        lines = [number for number, line in enumerate(state.layout.lines) if line.mask & cell]
        lines = [number for number in lines if state.lacks[number][1] == 1]
        # The fewest lines that do it: often one of two.
        for some in (lines[:1], lines[1:], lines):
            spared = reduce(or_, [state.layout.lines[number].mask for number in some], 0)
            ways = state.board.around(cell) & state.maybe & ~(spared & state.unknown)
            if some and not ways & (ways - 1):
                yield _last_floor(state, cell, some, ways)
                break


def _last_floor(state: State, cell: int, lines: Sequence[int], ways: int) -> Step:
    reasons, around = Reasons(state), state.board.around(cell)
    reasons.lines.update(lines)
    mask = reduce(or_, [state.layout.lines[number].mask for number in lines])
    reasons.floors = mask & state.floors
    spared = around & mask & state.unknown
    reasons.walls = _some(around & state.walls, around.bit_count() - spared.bit_count() - 1, 0)
    line = " and ".join(line_name(state, number) for number in lines)
    only = f"open towards {names(state, ways)} only" if ways else "shut in"
    sentence = f"{names(state, cell)} cannot be the last open cell of {line}: it would be {only}, a dead end"
    return reasons.step(LAST_FLOOR, sentence, cell)


@_tells(LAST_WALL, logic.last_wall)
def _tell_last_wall(state: State, _: int, floors: int) -> Iterator[Step]:
    frail = state.unknown & ~state.may_be_beside[2]
    for cell in bits(floors):
        number, other = next(
            (number, other)
            for number, line in enumerate(state.layout.lines)
            if line.mask & cell and state.lacks[number][0] == 1
            for other in bits(state.board.around(cell) & line.mask & frail)
        )
        reasons = Reasons(state)
        reasons.lines.add(number)
        reasons.walls = state.layout.lines[number].mask & state.walls
        around = state.board.around(other)
        enough = around.bit_count() - 2 - (around & reasons.walls).bit_count()
        reasons.walls |= _some(around & state.walls & ~reasons.walls, enough, 0)
        last = f"{names(state, cell)} cannot be the last wall of {line_name(state, number)}"
        sentence = f"{last}: {names(state, other)} would be open, and a dead end"
        yield reasons.step(LAST_WALL, sentence, 0, cell)


@_tells(CLOSING_IN, logic.closing_in)
def _tell_closing_in(state: State, walls: int, _: int) -> Iterator[Step]:
    return (_closing(CLOSING_IN, state, cell, _cite_split) for cell in bits(walls))


@_tells(FORBIDDEN_EXIT, logic.closing_breaks)
def _tell_forbidden_exit(state: State, walls: int, _: int) -> Iterator[Step]:
    return (_closing(FORBIDDEN_EXIT, state, cell, cite_violation) for cell in bits(walls))


def _closing(technique: str, state: State, cell: int, cite: Callable[[Reasons], str]) -> Step:
    """The step for a cell that, as an exit or entrance, would bring walls that break a rule."""
    closed = logic.closed_by(state, cell)
    reasons = Reasons(state.with_conclusions(closed, cell), closed | cell)
    broken = cite(reasons)
    used = reasons.walls & closed
    ways = []
    for monster in bits(state.board.around(cell) & state.layout.monsters):
        if used & state.board.around(monster):
            ways.append(f"the exit of the monster at {names(state, monster)}")
            used &= ~state.board.around(monster)
    for number, room in _rooms(state):
        if room.border & cell and used & room.border:
            ways.append(f"the entrance of the room {square_name(state, room)}")
            others = Reasons(state)
            others.cite_no_room(_impossible_places(state, number))
            reasons.walls |= others.walls
            reasons.floors |= others.floors
    as_way = f" as {' and '.join(ways)}" if ways else ""
    return reasons.step(technique, f"{names(state, cell)} cannot be open{as_way}: then {broken}", cell)


@_tells(CLAIMED_WALLS, logic.claimed_walls)
def _tell_claimed_walls(state: State, _: int, floors: int) -> Iterator[Step]:
    lines = [([number], logic.wall_claims(state, line)) for number, line in enumerate(state.layout.lines)]
    return _claimed(CLAIMED_WALLS, state, lines, 0, floors)


@_tells(CLAIMED_FLOORS, logic.claimed_floors)
def _tell_claimed_floors(state: State, walls: int, _: int) -> Iterator[Step]:
    lines = [([number], logic.floor_claims(state, line)) for number, line in enumerate(state.layout.lines)]
    return _claimed(CLAIMED_FLOORS, state, lines, 1, walls)


@_tells(TWO_LINES, logic.two_lines_claimed)
def _tell_two_lines(state: State, _: int, floors: int) -> Iterator[Step]:
    strips = [(strip, logic.strip_claims(state, *strip)) for strip in state.layout.strips]
    return _claimed(TWO_LINES, state, strips, 0, floors)


def _claimed(
    technique: str, state: State, claimed: Iterable[tuple[Sequence[int], list[logic.Claim]]], kind: int, cells: int
) -> Iterator[Step]:
    """Steps for the cells that are left over where claims need all walls (kind 0), or floors (kind 1), of lines."""
    for numbers, claims in claimed:
        mask = reduce(or_, [state.layout.lines[number].mask for number in numbers])
        lacks = sum(state.lacks[number][kind] for number in numbers)
        for cell in bits(mask & cells):
            chosen = _chosen([claim for claim in claims if not claim[0] & cell], lacks) if cell & cells else None
            if chosen is not None:
                left = mask & cells & ~reduce(or_, [claim for claim, _ in chosen])
                cells &= ~left
                yield _all_claimed(technique, Reasons(state), numbers, chosen, kind, left)


def _all_claimed(
    technique: str, reasons: Reasons, numbers: Sequence[int], claims: Sequence[logic.Claim], kind: int, left: int
) -> Step:
    state = reasons.state
    masks = [state.layout.lines[number].mask for number in numbers]
    mask = reduce(or_, masks)
    reasons.lines.update(numbers)
    if kind:
        reasons.floors = mask & state.floors
    else:
        reasons.walls = mask & state.walls
    told = "; ".join(_cite_claim(reasons, masks, claim, kind) for claim in claims)
    lacks = _counted(sum(state.lacks[number][kind] for number in numbers), ("wall", "floor")[kind])
    who = " and ".join(line_name(state, number) for number in numbers)
    lack = f"{who} together lack {lacks}" if len(numbers) > 1 else f"{who} lacks {lacks}"
    sentence = f"{lack}: {told}; so {_are(state, left, ('floor', 'wall')[kind])}"
    return reasons.step(technique, sentence, *((left, 0) if kind else (0, left)))


def _chosen(claims: Sequence[logic.Claim], lacks: int) -> list[logic.Claim] | None:
    """Some of the claims that do not overlap and need so much together; None if there are none."""
    if lacks <= 0:
        return []
    if logic.packed(claims) < lacks:
        return None
    first, rest = claims[0], claims[1:]
    taken = _chosen([claim for claim in rest if not claim[0] & first[0]], lacks - first[1])
    return _chosen(rest, lacks) if taken is None else [first, *taken]


def _cite_claim(reasons: Reasons, lines: Sequence[int], claim: logic.Claim, kind: int) -> str:
    """Cite why so many of some cells are wall (kind 0) or floor (kind 1), in words. Only blocks lie in two lines."""
    state, (cells, need) = reasons.state, claim
    either = names(state, cells, "or")
    middle = _between(state, cells)
    if kind:
        return _cite_needy(reasons, middle, lines[0], f"one is {either}")
    if middle & state.layout.monsters:
        return f"one is {either}, beside the monster at {names(state, middle)}"
    for number, room in _rooms(state):
        borders = [room.border & line & state.unknown for line in lines]
        if cells in borders and not room.border & state.floors:
            reasons.cite_no_room(_impossible_places(state, number))
            told = f"one is {either}" if need == 1 else f"{need} are among {names(state, cells)}"
            return f"{told}, since the room {square_name(state, room)} has one entrance"
    block = next(
        block
        for block in map(state.block, bits(state.awake))
        if not cells & ~block and block & ~cells & ~state.floors == 0
    )
    reasons.floors |= block & ~cells
    reasons.cite_no_room(_places_over(state, block))
    return f"one is {either}, lest a 2x2 block be open"


def _between(state: State, pair: int) -> int:
    """The cell between two cells that have one, or two, common neighbours in their line; 0 if there is none."""
    first, *others = bits(pair)
    if len(others) != 1:
        return 0
    distance = others[0].bit_length() - first.bit_length()
    middle = first << 1 if distance == 2 else first << state.board.width if distance == 2 * state.board.width else 0
    return middle & state.board.around(first) & state.board.around(others[0])


def _cite_needy(reasons: Reasons, cell: int, line: int, told: str) -> str:
    """Cite why a floor needs one of its two neighbours in a line."""
    state = reasons.state
    outside = state.board.around(cell) & ~line
    spare = 0 if cell & state.layout.monsters else 1
    reasons.floors |= cell
    reasons.walls |= _some(outside & state.walls, outside.bit_count() - spare, 0)
    return f"{told}, as {names(state, cell)} needs a way"


@_tells(ROOM_COUNTS, logic.room_counted)
def _tell_room_counts(state: State, walls: int, floors: int) -> Iterator[Step]:
    for number, places in enumerate(state.places):
        left = [place for place in places if logic.counts_allow(state, place)]
        forced = [logic.consequences(state, place) for place in left]
        some_walls = reduce(lambda common, told: common & told[0], forced, walls)
        some_floors = reduce(lambda common, told: common & told[1], forced, floors)
        if some_walls | some_floors:
            walls, floors = walls & ~some_walls, floors & ~some_floors
            reasons = Reasons(state)
            why = [reasons.cite_no_room(_impossible_places(state, number))]
            why += [_cite_counts(reasons, place) for place in places if place not in left]
            for place in left:
                _cite_consequences(reasons, place, some_walls, some_floors)
            where = " or ".join(square_name(state, place) for place in left) or "nowhere"
            room = f"the room of {treasure_name(state, number)} can only be {where}"
            sentence = f"{room} ({', '.join(filter(None, why))}): {_both(state, some_walls, some_floors)}"
            yield reasons.step(ROOM_COUNTS, sentence, some_walls, some_floors)


def _cite_counts(reasons: Reasons, place: Placement) -> str:
    """Cite why a line cannot have what a room brings."""
    state = reasons.state
    _, floors = logic.consequences(state, place)
    for number, (line, needs) in enumerate(zip(state.layout.lines, logic.needs(state, place), strict=True)):
        lacks_walls, lacks_floors = state.lacks[number]
        if needs[0] > lacks_walls:
            reasons.lines.add(number)
            reasons.walls |= line.mask & state.walls
            reasons.floors |= place.border & state.floors
            return f"at {square_name(state, place)} {line_name(state, number)} would get too many walls"
        if needs[1] > lacks_floors:
            reasons.lines.add(number)
            reasons.floors |= line.mask & state.floors & ~place.square
            if floors & place.border & line.mask:
                reasons.walls |= place.border & state.walls
            return f"at {square_name(state, place)} {line_name(state, number)} would get too few walls"
    raise AssertionError("some line forbids the room")


def _cite_consequences(reasons: Reasons, place: Placement, walls: int, floors: int) -> None:
    """Cite why a room brings these walls, and these floors."""
    if walls:
        reasons.floors |= place.border & reasons.state.floors
    if floors & ~place.square:
        reasons.walls |= place.border & reasons.state.walls


@_tells(LINE_COMBINATIONS, logic.line_combinations)
def _tell_line_combinations(state: State, walls: int, floors: int) -> Iterator[Step]:
    return _combined(LINE_COMBINATIONS, state, [(number,) for number in range(len(state.layout.lines))], walls, floors)


@_tells(TWO_LINE_COMBINATIONS, logic.two_line_combinations)
def _tell_two_line_combinations(state: State, walls: int, floors: int) -> Iterator[Step]:
    return _combined(TWO_LINE_COMBINATIONS, state, state.layout.strips, walls, floors)


def _combined(
    technique: str, state: State, strips: Iterable[tuple[int, ...]], walls: int, floors: int
) -> Iterator[Step]:
    for numbers in strips:
        if not reduce(or_, [state.layout.lines[number].mask for number in numbers]) & (walls | floors):
            continue
        ways = _Ways(state, numbers)
        all_walls, all_floors = ways.agreed()
        some_walls, some_floors = all_walls & walls, all_floors & floors
        if some_walls | some_floors:
            walls, floors = walls & ~some_walls, floors & ~some_floors
            reasons = ways.reasons(some_walls, some_floors)
            ways_to_fill = f"{_fillings(state, numbers, reasons.lines)} without dead end and open 2x2 block"
            sentence = f"{ways_to_fill} agree that {_both(state, some_walls, some_floors)}"
            yield reasons.step(technique, sentence, some_walls, some_floors)


def _fillings(state: State, numbers: Sequence[int], counted: set[int]) -> str:
    """`row 3 lacks 2 walls: all ways to fill it`: what lines lack whose clues matter, and which lines are filled."""
    known = [number for number in numbers if number in counted]
    lacking = [f"{line_name(state, number)} lacks {_counted(state.lacks[number][0], 'wall')}" for number in known]
    filled = " and ".join(line_name(state, number) for number in numbers)
    if len(lacking) == len(numbers):
        filled = "it" if len(numbers) == 1 else "both"
    return f"{' and '.join(lacking)}{': ' if lacking else ''}all ways to fill {filled}"


class _Ways:
    """All ways to fill one line, or two side by side, by what is known in and beside them; and what they hang on."""

    def __init__(self, state: State, numbers: Sequence[int]) -> None:
        self.state, self.numbers = state, numbers
        lines = [state.layout.lines[number] for number in numbers]
        self.inside = reduce(or_, [line.mask for line in lines])
        near = reduce(or_, [cell for line in lines for cell in (*line.before, *line.after)], self.inside)
        self.walls, self.floors, self.awake = state.walls & near, state.floors & near, state.awake
        self.clues = [line.clue for line in state.layout.lines]
        self.agreement = kernels.load("logic").agreement

    def agreed(self) -> logic.Conclusions:
        """What they agree on, of the cells that are not known here."""
        board, height = self.state.board, self.state.board.height
        rows, columns = tuple(self.clues[:height]), tuple(self.clues[height:])
        where = self.numbers[0], self.numbers[1] if len(self.numbers) > 1 else -1
        told: logic.Conclusions = self.agreement(
            height, board.width, rows, columns, self.state.layout.monsters, self.walls, self.floors, self.awake, *where
        )
        return told

    def reasons(self, walls: int, floors: int) -> Reasons:
        """What it takes that they agree on these. One thing after the other is left out, and stays out if they do."""
        reasons = Reasons(self.state)
        self._spare_blocks(walls, floors)
        for cell in [*bits((self.walls | self.floors) & ~self.inside), *bits(self.walls | self.floors)]:
            self._spare_cell(cell, walls, floors)
        for number in self.numbers:
            clue, self.clues[number] = self.clues[number], -1
            if not self._still(walls, floors):
                self.clues[number] = clue
                reasons.lines.add(number)
        reasons.walls, reasons.floors = self.walls, self.floors
        for corner in bits(self.awake & self.state.layout.asleep(self.state.layout.placements)):
            reasons.cite_no_room(_places_over(self.state, self.state.block(corner)))
        return reasons

    def _still(self, walls: int, floors: int) -> bool:
        all_walls, all_floors = self.agreed()
        return not (walls & ~all_walls or floors & ~all_floors)

    def _spare_blocks(self, walls: int, floors: int) -> None:
        """Do without blocks of which it takes reasons why no room can be there."""
        for corner in bits(self.awake & self.state.layout.asleep(self.state.layout.placements)):
            self.awake ^= corner
            if not self._still(walls, floors):
                self.awake ^= corner

    def _spare_cell(self, cell: int, walls: int, floors: int) -> None:
        known = self.walls, self.floors
        # Treasures are known to everybody; here they count as cells that are known.
        if not cell & self.state.layout.objects:
            self.walls, self.floors = self.walls & ~cell, self.floors & ~cell
            if not self._still(walls, floors):
                self.walls, self.floors = known


# ---------------------------------------------------------------------------------------------------------------
# What is wrong with a board.


def cite_violation(reasons: Reasons) -> str:
    """Cite a rule that is broken in plain sight, in words: the first, of the kinds in this order."""
    for cite in (_cite_object, _cite_line, _cite_monster, _cite_lone_floor, _cite_block, _cite_treasure):
        told = cite(reasons)
        if told:
            return told
    return _cite_split(reasons)


def _cite_object(reasons: Reasons) -> str:
    state = reasons.state
    for cell in bits(state.walls & state.layout.objects):
        reasons.walls |= cell
        return f"the {'monster' if cell & state.layout.monsters else 'treasure'} at {names(state, cell)} is in a wall"
    return ""


def _cite_line(reasons: Reasons) -> str:
    state, given = reasons.state, reasons.assumed | reasons.state.layout.objects
    for number, line in enumerate(state.layout.lines):
        lacks_walls, lacks_floors = state.lacks[number]
        if lacks_walls < 0:
            reasons.lines.add(number)
            reasons.walls |= _some(line.mask & state.walls, line.clue + 1, given)
            has = _counted(line.clue - lacks_walls, "wall")
            return f"{line_name(state, number)} has {has}, its clue is {line.clue}"
        if lacks_floors < 0:
            reasons.lines.add(number)
            reasons.floors |= _some(line.mask & state.floors, len(line.cells) - line.clue + 1, given)
            room = line.clue + lacks_floors
            return f"{line_name(state, number)} has room for {_counted(room, 'wall')} only, its clue is {line.clue}"
    return ""


def _cite_monster(reasons: Reasons) -> str:
    state = reasons.state
    for monster in bits(state.layout.monsters & ~state.may_be_beside[0]):
        reasons.walls |= state.board.around(monster)
        return f"the monster at {names(state, monster)} has no way out"
    for monster in bits(state.layout.monsters & state.floors_beside[1]):
        ways = _some(state.board.around(monster) & state.floors, 2, reasons.assumed | state.layout.objects)
        reasons.floors |= ways
        return f"the monster at {names(state, monster)} has two open neighbours, {names(state, ways)}"
    return ""


def _cite_lone_floor(reasons: Reasons) -> str:
    state = reasons.state
    for cell in bits(state.floors & ~state.layout.monsters & ~state.may_be_beside[1]):
        reasons.floors |= cell
        reasons.cite_walls_around(cell, 1)
        return f"{names(state, cell)} is a dead end without a monster"
    return ""


def _cite_block(reasons: Reasons) -> str:
    state = reasons.state
    for corner in bits(state.awake & state.square_corners(state.floors)):
        block = state.block(corner)
        reasons.floors |= block
        why = reasons.cite_no_room(_places_over(state, block))
        return f"{_are(state, block, 'open')}, a 2x2 block{f' (no room: {why})' if why else ''}"
    return ""


def _cite_treasure(reasons: Reasons) -> str:
    state = reasons.state
    for number, places in enumerate(state.places):
        if not places:
            why = reasons.cite_no_room(state.layout.placements[number])
            return f"{treasure_name(state, number)} has no room{f': {why}' if why else ''}"
    return ""


# By the kernels' numbers.
TECHNIQUES = (*(_CODES[deduction] for deduction in logic.DIRECT), WHAT_IF)
