"""What each technique of `dnd.dungeon.explainer` concludes on a board, in plain Python: the readable twin of `logic_c`.

A *state* (`dnd.dungeon.state`) is a pair of masks, walls and floors; what is in neither is unknown. Monsters and
treasures are floors. A technique looks at a state and returns all that it can conclude there: (walls, floors), unknown
cells only. Nothing here depends on the order in which cells or lines are looked at, so symmetric boards have symmetric
conclusions; only "what if" takes the first of several equally good assumptions.

Techniques are known by their numbers, easy to hard (`DIRECT`, at the end). What they are called, and why they hold,
stands in `dnd.dungeon.techniques`. A technique keeps all solutions of a state that has any.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_

from dnd.dungeon.state import Clues, Layout, Line, Placement, State, at_least, bits

Conclusions = tuple[int, int]
Claim = tuple[int, int]  # cells, and how many of them at least are walls (or floors)

OPEN, SOLVED, BROKEN = range(3)
MOST_ROUNDS = 12  # of easy techniques that a "what if" may take until it breaks


# ---------------------------------------------------------------------------------------------------------------
# The techniques, easy to hard.


def line_has_its_walls(state: State) -> Conclusions:
    """The other cells of a line that lacks no wall are floor."""
    return 0, state.unknown & _lines_that_lack(state, walls=0)


def line_has_its_floors(state: State) -> Conclusions:
    """The other cells of a line that lacks no floor are wall."""
    return state.unknown & _lines_that_lack(state, floors=0), 0


def _lines_that_lack(state: State, walls: int | None = None, floors: int | None = None) -> int:
    """The cells of the lines that lack so many walls, or floors."""
    mask = 0
    for line, (lacks_walls, lacks_floors) in zip(state.layout.lines, state.lacks, strict=True):
        if lacks_walls == walls or lacks_floors == floors:
            mask |= line.mask
    return mask


def dead_end(state: State) -> Conclusions:
    """A cell that could have but one open neighbour is wall: it would be a dead end, and has no monster."""
    return state.unknown & ~state.may_be_beside[1], 0


def monster_exit_forced(state: State) -> Conclusions:
    """The only neighbour of a monster that may be open is open."""
    return 0, state.board.around(state.layout.monsters & ~state.may_be_beside[1]) & state.unknown


def monster_exit_found(state: State) -> Conclusions:
    """The other neighbours of a monster that has an open neighbour are wall."""
    return state.board.around(state.layout.monsters & state.floors_beside[0]) & state.unknown, 0


def way_through(state: State) -> Conclusions:
    """A floor without monster has two open neighbours; if only two may be, they are."""
    needy = state.floors & ~state.layout.monsters & ~state.may_be_beside[2]
    return 0, state.board.around(needy) & state.unknown


def wide_hallway(state: State) -> Conclusions:
    """The fourth cell of a block with three floors is wall, where no room can ever be."""
    return _fourth_cells(state, ~state.layout.asleep(state.layout.placements)), 0


def wide_hallway_no_room(state: State) -> Conclusions:
    """The fourth cell of a block with three floors is wall, if no room is possible there."""
    return _fourth_cells(state, state.awake), 0


def _fourth_cells(state: State, blocks: int) -> int:
    """Of those blocks that have three floors, the fourth cells."""
    blocks &= state.board.block_corners
    width, floors = state.board.width, state.floors
    beside, under, across = floors >> 1, floors >> width, floors >> width + 1
    walls = blocks & beside & under & across
    walls |= (blocks & floors & under & across) << 1
    walls |= (blocks & floors & beside & across) << width
    walls |= (blocks & floors & beside & under) << width + 1
    return walls & state.unknown


def room_found(state: State) -> Conclusions:
    """The cells of the only square where a treasure's room can be are floor."""
    return 0, reduce(or_, [room.square for room in state.rooms], 0) & state.unknown


def room_closed(state: State) -> Conclusions:
    """The border of a room is wall but for the entrance."""
    return reduce(or_, [room.border for room in state.rooms if room.border & state.floors], 0) & state.unknown, 0


def room_entrance(state: State) -> Conclusions:
    """The only cell of a room's border that may be open is the entrance."""
    ways = [room.border & state.maybe for room in state.rooms]
    return 0, reduce(or_, [way for way in ways if not way & (way - 1)], 0) & state.unknown


def room_common(state: State) -> Conclusions:
    """Cells that lie in all possible squares of a treasure's room are floor."""
    return 0, _common(state.places) & state.unknown


def _common(possible: Iterable[Sequence[Placement]]) -> int:
    """The cells that all squares of some treasure have in common."""
    return reduce(or_, [reduce(and_, [place.square for place in places]) for places in possible if places], 0)


def only_way_out(state: State) -> Conclusions:
    """A region of floors with one way to grow grows there, if there are floors elsewhere."""
    floors = 0
    for part in state.parts():
        ways = state.board.around(part) & state.unknown
        if part != state.floors and not ways & (ways - 1):
            floors |= ways
    return 0, floors


def cut_off(state: State) -> Conclusions:
    """Cells that no floor can reach are wall."""
    reached = state.flood(state.floors & -state.floors, state.maybe)
    return (state.unknown & ~reached if state.floors else 0), 0


def bridge(state: State) -> Conclusions:
    """A cell whose loss would cut floors off from others is floor."""
    return 0, reduce(or_, [cell for cell in bits(state.unknown) if state.is_split(cell)], 0)


def closing_in(state: State) -> Conclusions:
    """A cell is wall when, as a monster's exit or a room's entrance, it would close so much that floors are cut off."""
    walls = 0
    for cell in bits(state.unknown):
        closed = closed_by(state, cell)
        if closed and state.with_conclusions(0, cell).is_split(closed):
            walls |= cell
    return walls, 0


def closed_by(state: State, cell: int) -> int:
    """The unknown cells that become wall at once if this one is floor: by monsters beside it, and by rooms it opens."""
    closed = state.board.around(state.board.around(cell) & state.layout.monsters)
    for room in state.rooms:
        if room.border & cell:
            closed |= room.border
    return closed & state.unknown & ~cell


def last_floor(state: State) -> Conclusions:
    """A cell is wall that, as the last floor of its line (or of both), would be a dead end."""
    row_floor, column_floor = _lines_lacking_one(state, 1)
    board, maybe, floors = state.board, state.maybe, state.floors

    def beside(side: Callable[[int], int], lines: int) -> int:
        # In a line that lacks one floor, unknown neighbours would become walls.
        return side(maybe) & ~lines | side(floors) & lines

    _, two, _ = at_least(
        beside(board.above, column_floor),
        beside(board.below, column_floor),
        beside(board.left, row_floor),
        beside(board.right, row_floor),
    )
    return state.unknown & ~two, 0


def last_wall(state: State) -> Conclusions:
    """A cell is floor that, as the last wall of its line, would make a neighbour in the line a dead end."""
    row_wall, column_wall = _lines_lacking_one(state, 0)
    board, frail = state.board, state.unknown & ~state.may_be_beside[2]
    across = row_wall & (board.left(frail) | board.right(frail))
    upright = column_wall & (board.above(frail) | board.below(frail))
    return 0, state.unknown & (across | upright)


def _lines_lacking_one(state: State, kind: int) -> tuple[int, int]:
    """The cells of the rows, and of the columns, that lack one wall (kind 0) or floor (kind 1)."""
    height = state.board.height
    masks = [line.mask if lacks[kind] == 1 else 0 for line, lacks in zip(state.layout.lines, state.lacks, strict=True)]
    return reduce(or_, masks[:height]), reduce(or_, masks[height:])


def claimed_walls(state: State) -> Conclusions:
    """If parts of a line, apart from each other, need all its walls, its other cells are floor."""
    floors = 0
    for number, line in enumerate(state.layout.lines):
        floors |= _left_over(line.mask & state.unknown, state.lacks[number][0], wall_claims(state, line))
    return 0, floors


def claimed_floors(state: State) -> Conclusions:
    """If parts of a line, apart from each other, need all its floors, its other cells are wall."""
    walls = 0
    for number, line in enumerate(state.layout.lines):
        walls |= _left_over(line.mask & state.unknown, state.lacks[number][1], floor_claims(state, line))
    return walls, 0


def two_lines_claimed(state: State) -> Conclusions:
    """The same for the walls of two lines side by side, where each open block needs one."""
    floors = 0
    for first, second in state.layout.strips:
        lacks = state.lacks[first][0] + state.lacks[second][0]
        unknown = (state.layout.lines[first].mask | state.layout.lines[second].mask) & state.unknown
        floors |= _left_over(unknown, lacks, strip_claims(state, first, second))
    return 0, floors


def wall_claims(state: State, line: Line) -> list[Claim]:
    """Cells of a line of which so many at least are walls: beside a monster, opposite two floors, around a room."""
    claims = [claim for here in range(len(line.cells) - 1) for claim in _wall_claims_at(state, line, here)]
    return _in_order(claims + _border_claims(state, line), [line])


def _in_order(claims: Iterable[Claim], lines: Iterable[Line]) -> list[Claim]:
    """Claims in the order in which they begin along their lines, as `packed` likes them."""
    places = {1 << cell: place for line in lines for place, cell in enumerate(line.cells)}
    return sorted(claims, key=lambda claim: min(places[cell] for cell in bits(claim[0])))


def _wall_claims_at(state: State, line: Line, here: int) -> Iterator[Claim]:
    """Those that begin at the cell `here` of the line."""
    first, second, *third = [1 << cell for cell in line.cells[here : here + 3]]
    if (first | second) & ~state.unknown == 0 and any(
        opposite & ~state.floors == 0 and is_awake(state, first | second | opposite)
        for opposite in _opposite(line, here)
    ):
        yield first | second, 1
    if third and second & state.layout.monsters and (first | third[0]) & ~state.unknown == 0:
        yield first | third[0], 1


def _opposite(line: Line, here: int) -> list[int]:
    """The two cells before, and the two after, the cells `here` and `here + 1` of a line; the board may end there."""
    pairs = [side[here] | side[here + 1] for side in (line.before, line.after)]
    return [pair for pair in pairs if pair]


def is_awake(state: State, block: int) -> bool:
    """Whether a block, given by its four cells, lies in no possible placement."""
    return bool(state.awake & block & -block)


def _border_claims(state: State, line: Line) -> list[Claim]:
    """Of the unknown border cells of a room without entrance yet, all but one are walls."""
    claims = []
    for room in state.rooms:
        border = room.border & line.mask & state.unknown
        if border & (border - 1) and not room.border & state.floors:
            claims.append((border, border.bit_count() - 1))
    return claims


def floor_claims(state: State, line: Line) -> list[Claim]:
    """Pairs of cells of a line of which one at least is floor: the neighbours of a floor that needs one of them."""
    claims = []
    for here in range(1, len(line.cells) - 1):
        cell = 1 << line.cells[here]
        pair = 1 << line.cells[here - 1] | 1 << line.cells[here + 1]
        outside = (line.before[here] | line.after[here]) & state.maybe
        needs = 0 if cell & state.layout.monsters else 1
        if cell & state.floors and pair & ~state.unknown == 0 and outside.bit_count() == needs:
            claims.append((pair, 1))
    return claims


def strip_claims(state: State, first: int, second: int) -> list[Claim]:
    """The claims of walls of two lines side by side, and their blocks that have no wall yet."""
    lines = state.layout.lines[first], state.layout.lines[second]
    claims = []
    for here in range(len(lines[0].cells) - 1):
        block = reduce(or_, [1 << cell for line in lines for cell in line.cells[here : here + 2]])
        claims += [claim for line in lines for claim in _wall_claims_at(state, line, here)]
        if not block & state.walls and is_awake(state, block):
            claims.append((block & state.unknown, 1))
    return _in_order(claims + [claim for line in lines for claim in _border_claims(state, line)], lines)


def _left_over(unknown: int, lacks: int, claims: Sequence[Claim]) -> int:
    """The unknown cells that are in none of some claims which, apart from each other, need all that lacks."""
    if not claims or packed(claims) < lacks:
        return 0
    cells = [cell for cell in bits(unknown) if packed([claim for claim in claims if not claim[0] & cell]) >= lacks]
    return reduce(or_, cells, 0)


def packed(claims: Sequence[Claim]) -> int:
    """How much claims that do not overlap need together, at most.

    Of what is taken only the cells matter that later claims might want: few, where claims come in the order in which
    they begin along the lines.
    """
    wanted = [0]
    for cells, _ in reversed(claims):
        wanted.append(wanted[-1] | cells)
    most = {0: 0}
    for (cells, need), later in zip(claims, wanted[-2::-1], strict=True):
        grown: dict[int, int] = {}
        for taken, total in most.items():
            grown[taken & later] = max(total, grown.get(taken & later, 0))
            if not taken & cells:
                key = (taken | cells) & later
                grown[key] = max(total + need, grown.get(key, 0))
        most = grown
    return max(most.values())


def room_counted(state: State) -> Conclusions:
    """What all squares agree on where a treasure's room can be by the counts of its lines."""
    walls = floors = 0
    for places in state.places:
        forced = [consequences(state, place) for place in places if counts_allow(state, place)]
        # Where nothing is left all the board is both: the state is broken.
        walls |= reduce(and_, [walled for walled, _ in forced], state.board.all)
        floors |= reduce(and_, [floored for _, floored in forced], state.board.all)
    return walls & state.unknown, floors & state.unknown


def consequences(state: State, place: Placement) -> Conclusions:
    """What a room makes of its square and its border at once, as far as unknown."""
    border, way = place.border & state.unknown, place.border & state.maybe
    if place.border & state.floors:
        return border, place.square & state.unknown
    return 0, (place.square | (0 if way & (way - 1) else way)) & state.unknown


def counts_allow(state: State, place: Placement) -> bool:
    """Whether the lines of a room can have what it needs of them."""
    return all(
        walls <= lacks_walls and floors <= lacks_floors
        for (walls, floors), (lacks_walls, lacks_floors) in zip(needs(state, place), state.lacks, strict=True)
    )


def needs(state: State, place: Placement) -> Iterator[tuple[int, int]]:
    """How many more walls and floors each line would have with a room: of its border one cell may be open."""
    walls, floors = consequences(state, place)
    spare = 0 if place.border & state.floors else place.border & state.unknown
    for line in state.layout.lines:
        yield (
            ((walls | spare) & line.mask).bit_count() - (1 if spare & line.mask else 0),
            (floors & line.mask).bit_count(),
        )


def closing_breaks(state: State) -> Conclusions:
    """A cell is wall when, as a monster's exit or a room's entrance, it would close cells so that a rule is broken."""
    walls = 0
    for cell in bits(state.unknown):
        closed = closed_by(state, cell)
        if closed and state.with_conclusions(closed, cell).is_broken:
            walls |= cell
    return walls, 0


def line_combinations(state: State) -> Conclusions:
    """What all ways to fill a line agree on."""
    return _all_agree(state, [(line,) for line in state.layout.lines])


def two_line_combinations(state: State) -> Conclusions:
    """What all ways to fill two lines side by side agree on."""
    lines = state.layout.lines
    return _all_agree(state, [(lines[first], lines[second]) for first, second in state.layout.strips])


def _all_agree(state: State, strips: Iterable[tuple[Line, ...]]) -> Conclusions:
    """What all ways to fill a strip agree on, for each strip."""
    walls = floors = 0
    for lines in strips:
        some_walls, some_floors = agreed(state, lines, state.awake)
        walls, floors = walls | some_walls, floors | some_floors
    return walls, floors


def agreed(state: State, lines: Sequence[Line], awake: int) -> Conclusions:
    """What all ways to fill one line, or two side by side, agree on.

    A way has the lines' numbers of walls, no open block of those `awake`, and no floor with too few or too many open
    neighbours, as far as these lines and what is known of the lines beside them tell. If there is no way, all is
    both wall and floor.
    """
    if not reduce(or_, [line.mask for line in lines]) & state.unknown:
        return 0, 0
    return _Strip(state, lines, awake).agreed()


class _Strip:
    """The ways to fill one or two lines, place by place along them.

    A *slice* is what stands across the lines at one place, as a number: bit j is set for a wall in line j. A way is a
    sequence of slices; what one may be depends on the slices before and after it. *Counts* are sets of numbers of
    walls so far, as bits: number n, or with two lines n * base + m.
    """

    def __init__(self, state: State, lines: Sequence[Line], awake: int) -> None:
        self.length, self.closed = len(lines[0].cells), (1 << len(lines)) - 1
        self.lines = lines
        base = self.length + 1
        self.shifts = (0, 1) if len(lines) == 1 else (0, base, 1, base + 1)
        self.goal = reduce(lambda counts, line: _product(counts, _goal(line, base), base), lines, 1)
        self.slices = [self._slices(state, here) for here in range(self.length)]
        self.needs = [[self._needs(state, line, here) for line in lines] for here in range(self.length)]
        self.narrow = [self._narrow(state, awake, here) for here in range(self.length - 1)]
        self.state = state

    def _slices(self, state: State, here: int) -> list[int]:
        """The slices that what is known allows."""
        walls = sum(1 << number for number, line in enumerate(self.lines) if state.walls >> line.cells[here] & 1)
        floors = sum(1 << number for number, line in enumerate(self.lines) if state.floors >> line.cells[here] & 1)
        return [each for each in range(self.closed + 1) if each & walls == walls and not each & floors]

    def _needs(self, state: State, line: Line, here: int) -> tuple[int, int]:
        """How many open neighbours within the strip a cell that is open has, at least and at most."""
        cells = reduce(or_, [1 << other.cells[here] for other in self.lines])
        outside = (line.before[here] | line.after[here]) & ~cells
        may, sure = (outside & state.maybe).bit_count(), (outside & state.floors).bit_count()
        return (1 - may, 1 - sure) if state.layout.monsters >> line.cells[here] & 1 else (2 - may, 4)

    def _narrow(self, state: State, awake: int, here: int) -> tuple[int, ...]:
        """Sets of lines, as slices, that cannot all be open both here and at the next place: it would be a block."""
        found = []
        for number, line in enumerate(self.lines):
            pair = 1 << line.cells[here] | 1 << line.cells[here + 1]
            for side in (line.before, line.after):
                opposite = side[here] | side[here + 1]
                block = pair | opposite
                if opposite and awake & block & -block:
                    within = [1 << other for other, its in enumerate(self.lines) if opposite & its.mask]
                    if within or opposite & ~state.floors == 0:
                        found.append(1 << number | sum(within))
        return tuple(found)

    def agreed(self) -> Conclusions:
        """The cells that are wall, and those that are floor, in all ways; unknown cells only."""
        ends, starts = self._ends(), {(self.closed, each): 1 << self.shifts[each] for each in self.slices[0]}
        may_be_wall = may_be_floor = 0
        for here in range(self.length):
            seen = {each for (_, each), counts in starts.items() if counts & ends[here].get((_, each), 0)}
            for number, line in enumerate(self.lines):
                cell = 1 << line.cells[here]
                may_be_wall |= cell if any(each >> number & 1 for each in seen) else 0
                may_be_floor |= cell if any(not each >> number & 1 for each in seen) else 0
            starts = self._next(here, starts)
        cells = reduce(or_, [line.mask for line in self.lines]) & self.state.unknown
        return cells & ~may_be_floor, cells & ~may_be_wall

    def _next(self, here: int, starts: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        """From the counts of beginnings that end in two slices, the last one `here`: those one place on."""
        grown: dict[tuple[int, int], int] = {}
        if here + 1 < self.length:
            for (before, each), counts in starts.items():
                for after in self.slices[here + 1]:
                    if self._is_allowed(here, before, each, after):
                        key = each, after
                        grown[key] = grown.get(key, 0) | counts << self.shifts[after]
        return grown

    def _ends(self) -> list[dict[tuple[int, int], int]]:
        """For each place, and the slices before and at it: the counts so far that some end makes good."""
        last = self.length - 1
        ends: list[dict[tuple[int, int], int]] = [{} for _ in range(self.length)]
        for here in range(last, -1, -1):
            for before in self.slices[here - 1] if here else [self.closed]:
                for each in self.slices[here]:
                    counts = 0
                    if here == last:
                        counts = self.goal if self._is_allowed(here, before, each, self.closed) else 0
                    else:
                        for after in self.slices[here + 1]:
                            good = ends[here + 1].get((each, after), 0)
                            if good and self._is_allowed(here, before, each, after):
                                counts |= good >> self.shifts[after]
                    if counts:
                        ends[here][before, each] = counts
        return ends

    def _is_allowed(self, here: int, before: int, each: int, after: int) -> bool:
        """Whether a slice may stand between two others."""
        if here + 1 < self.length and any(not lines & (each | after) for lines in self.narrow[here]):
            return False
        for number, (least, most) in enumerate(self.needs[here]):
            if not each >> number & 1:
                beside = 2 - (before >> number & 1) - (after >> number & 1)
                beside += (self.closed & ~each & ~(1 << number)).bit_count()
                if not least <= beside <= most:
                    return False
        return True


def _goal(line: Line, base: int) -> int:
    """The numbers of walls that a line may have."""
    return (1 << base) - 1 if line.clue < 0 else 1 << line.clue


def _product(counts: int, others: int, base: int) -> int:
    """All n * base + m, for n in one set and m in the other."""
    return reduce(or_, [others << base * number for number in range(base) if counts >> number & 1], 0)


# ---------------------------------------------------------------------------------------------------------------
# The path.

Technique = Callable[[State], Conclusions]

# A technique's number is its place.
EASY: tuple[Technique, ...] = (
    line_has_its_walls,
    line_has_its_floors,
    dead_end,
    monster_exit_forced,
    monster_exit_found,
    way_through,
    wide_hallway,
    room_found,
    room_closed,
    room_entrance,
    room_common,
    wide_hallway_no_room,
    only_way_out,
    cut_off,
    bridge,
    last_floor,
    last_wall,
)
DIRECT: tuple[Technique, ...] = (
    *EASY,
    closing_in,
    claimed_walls,
    claimed_floors,
    room_counted,
    closing_breaks,
    line_combinations,
    two_lines_claimed,
    two_line_combinations,
)
NAMES = tuple([technique.__name__ for technique in DIRECT])
WHAT_IF = len(DIRECT)  # its number


def rounds(
    height: int,
    width: int,
    rows: Clues,
    columns: Clues,
    monsters: int,
    treasures: int,
    walls: int,
    floors: int,
    hardest: int,
) -> tuple[tuple[tuple[int, int, int], ...], int]:
    """(rounds, status): the path from what is known, as far as techniques up to number `hardest` lead.

    In each round the easiest technique that finds something concludes all it can: (technique, walls, floors).
    status: OPEN if cells are left, SOLVED, or BROKEN: what is known after the last round breaks a rule in plain sight.
    """
    state = State(Layout(height, width, rows, columns, monsters, treasures), walls, floors)
    path: list[tuple[int, int, int]] = []
    while not state.is_broken:
        if not state.unknown:
            return tuple(path), SOLVED
        found = next(_findings(state, hardest), None)
        if found is None:
            return tuple(path), OPEN
        path.append(found)
        state = state.with_conclusions(*found[1:])
    return tuple(path), BROKEN


def easy(
    height: int, width: int, rows: Clues, columns: Clues, monsters: int, treasures: int, walls: int, floors: int
) -> tuple[Conclusions, ...]:
    """(walls, floors) for each easy technique: what it concludes from a board that is not broken."""
    state = State(Layout(height, width, rows, columns, monsters, treasures), walls, floors)
    return tuple([technique(state) for technique in EASY])


def agreement(
    height: int,
    width: int,
    rows: Clues,
    columns: Clues,
    monsters: int,
    walls: int,
    floors: int,
    awake: int,
    first: int,
    second: int,
) -> Conclusions:
    """(walls, floors): what all ways to fill a line agree on, or two lines side by side (second: -1 for one line).

    awake: the blocks, known by their upper left cells, that cannot be open. Monsters are floors.
    """
    state = State(Layout(height, width, rows, columns, monsters, 0), walls, floors)
    lines = [state.layout.lines[number] for number in (first, second) if number >= 0]
    return agreed(state, lines, awake)


def _findings(state: State, hardest: int) -> Iterator[tuple[int, int, int]]:
    """What each technique concludes, easiest first, where it concludes something."""
    for number, technique in enumerate(DIRECT[: hardest + 1]):
        walls, floors = technique(state)
        if walls | floors:
            yield number, walls, floors
    if hardest >= WHAT_IF:
        walls, floors = what_if(state)
        if walls | floors:
            yield WHAT_IF, walls, floors


def what_if(state: State) -> Conclusions:
    """The opposite of the assumption that breaks first; of several, of the first cell, floor before wall."""
    best, conclusions = MOST_ROUNDS + 1, (0, 0)
    for cell in bits(state.unknown):
        for floor in (True, False):
            assumed = state.with_conclusions(0, cell) if floor else state.with_conclusions(cell, 0)
            took = rounds_to_break(assumed, best - 1)
            if took is not None:
                best, conclusions = took, (cell, 0) if floor else (0, cell)
    return conclusions


def rounds_to_break(state: State, most: int) -> int | None:
    """How many rounds of all easy techniques at once it takes until a rule is broken; None if more than `most`."""
    for number in range(most + 1):
        if state.is_broken:
            return number
        walls, floors = all_easy(state)
        if not walls | floors:
            return None
        state = state.with_conclusions(walls, floors)
    return None


def all_easy(state: State) -> Conclusions:
    """What all easy techniques conclude, each on this state."""
    walls = floors = 0
    for technique in EASY:
        some_walls, some_floors = technique(state)
        walls, floors = walls | some_walls, floors | some_floors
    return walls, floors
