# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The exact engine for boards of up to 64 cells, compiled.

`docs/engine.md` states the search exactly: the rules that are run until nothing changes, how a
state branches, what a node is. `search_py` is the same search, written separately; both return
the same solutions in the same order and the same number of nodes on every input. The numbers of
the rules below are those of that document, which also says why this is fast.

A board is a few 64-bit words. If no side exceeds 8 (`Small`), a row is a byte and the cells to
the right of and below the board are walls for ever:

    a 3x5 board       bit  0  1  2  3  4 | 5  6  7        up, down      x << 8, x >> 8
                           8  9 10 11 12 |13 14 15        left, right   x << 1, x >> 1, less the
                          16 17 18 19 20 |21 22 23                      bits that changed rows
                          -------------- +
                          24 25 ...          walls        (`x << 8` holds, at each cell, what x
                                                           holds at the cell above it)

so shifts and masks are constants and all 16 lines are counted together, a byte each. Any other
shape (`AnyShape`) keeps bit r * width + c and counts line by line: other code for the question
what a line lacks, the same answers, the same search.

Traps that were met: a shift by 64 is undefined and 2 * stride is 64 on a 2x32 board (shift
twice); a line counted in one state tells nothing about the unknown cells of another (mixing them
saved nodes, by false contradictions); Cython's `inline` does not make gcc specialise a long
function for constant arguments, a fused type does.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

from dnd.kernels.bits cimport expect, leading_zeros, popcount, several, trailing_zeros
from dnd.kernels.stop cimport flag

cdef extern from "lines.h":
    const uint64_t EVERY_BYTE "DND_EVERY_BYTE"
    const uint64_t NOT_FIRST "DND_NOT_FIRST"
    const uint64_t NOT_LAST "DND_NOT_LAST"
    const uint64_t BLOCKS "DND_BLOCKS"
    ctypedef struct Lines "dnd_lines":
        uint64_t row_wall
        uint64_t row_floor
        uint64_t column_wall
        uint64_t column_floor
    ctypedef struct Lanes "dnd_lanes":
        pass
    Lanes clue_lanes "dnd_clues"(const int8_t*, const int8_t*, int, int) noexcept nogil
    Lanes line_sums "dnd_sums"(uint64_t, uint64_t) noexcept nogil
    Lanes minus "dnd_minus"(Lanes, Lanes) noexcept nogil
    uint64_t any_negative "dnd_any_negative"(Lanes) noexcept nogil
    Lines equal "dnd_equal"(Lanes, int) noexcept nogil
    int scarcest "dnd_scarcest"(uint64_t, uint64_t) noexcept nogil

cdef enum:
    SMALL = 8                  # longest side of a small board
    LONGEST = 32               # longest side of any board
    MAX_ROOMS = 9              # 3x3 squares over one cell
    MAX_TREASURES = 7          # rooms do not overlap: 9 cells each, 64 cells
    STACK = 128                # at most 64 cells and 7 * 8 placements wait, and the root
    HELD = 512                 # nodes for which one call keeps the GIL
    POLL = 1 << 14             # nodes between two looks at Ctrl-C

cdef enum Status:
    INTERRUPTED = -1           # an exception is on its way
    EXHAUSTED, FOUND, PAUSED, STOPPED

cdef uint64_t ONE = 1
cdef uint64_t FULL = <uint64_t>0xFFFFFFFFFFFFFFFF
cdef uint64_t ROOMS = 511      # the placements of treasure 0

# Two types only to tell the functions below which of their two forms is meant: a fused argument named
# `layout` picks constants (Small) or fields of the board (AnyShape). Its value, always 0, is not used.
ctypedef short Small
ctypedef long AnyShape


cdef fused Layout:
    Small
    AnyShape


# A puzzle. Placement k of treasure t is entry 9 * t + k of the three lists; here one with its room (o), its border
# (b), and the upper left cells of its four blocks (x), which are asleep while it is possible:
#
#       . b b b .        . . . . .
#       b o o o b        . x x . .
#       b o o o b        . x x . .
#       b o o o b        . . . . .
#       . b b b .        . . . . .
cdef struct Board:
    int height
    int width
    bint small                 # no side exceeds 8
    int stride                 # bits from a cell to the one below it
    uint64_t outside           # bits that are no cell of the board
    uint64_t not_first         # cells that have a left neighbour
    uint64_t not_last          # cells that have a right neighbour
    uint64_t blocks            # upper left cells of the 2x2 blocks
    uint64_t row               # the cells of row 0
    uint64_t column            # the cells of column 0
    Lanes lanes                # clues of a small board: walls, floors
    int8_t rows[LONGEST]       # clues of any other board
    int8_t columns[LONGEST]
    uint64_t monsters
    int treasures
    uint64_t room[MAX_TREASURES * MAX_ROOMS]
    uint64_t border[MAX_TREASURES * MAX_ROOMS]
    uint64_t blocks_in[MAX_TREASURES * MAX_ROOMS]

# What is known at a node, 40 bytes; a cell in neither of the first two words is unknown.
cdef struct State:
    uint64_t walls
    uint64_t floors
    uint64_t rooms             # bit 9 * t + k: placement k of treasure t is possible
    uint64_t asleep            # blocks in the possible rooms when last looked at (or more)
    uint64_t core              # some floors that hang together through floors

# For a set of cells, how many of its four neighbours each cell of the board has in it.
cdef struct Near:
    uint64_t one               # at least one
    uint64_t two
    uint64_t three

# One round of the closure: all its rules read what was known when it began, and write apart from that.
#
#       walls, floors  --look-->  possible, unknown, open, ...  --rules-->  wall, floor
#             ^------------------------- take_over --------------------------'
cdef struct Round:
    uint64_t walls             # what was known
    uint64_t floors
    uint64_t rooms             # of State, less those struck
    uint64_t asleep
    uint64_t possible          # what may be floor
    uint64_t unknown
    Near open                  # by neighbours that may be floor
    uint64_t awake             # blocks that are not asleep
    uint64_t both              # cells that are floor like the one to their right
    uint64_t wall              # that and what the rules found
    uint64_t floor

# Clues less what is there, as far as the closure asks for it.
cdef struct Lack:
    Lanes lanes                # what the lines of a small board lack
    Lines one                  # of any other shape: the lines that lack exactly one

# The states that wait lie on a stack: the next one on top, so the search goes depth first.
cdef struct Search:
    Board board
    State stack[STACK]         # states to close
    int depth
    uint64_t nodes
    uint64_t polled            # nodes since the last look at Ctrl-C, in this and earlier puzzles
    uint64_t found             # walls of the latest solution
    const volatile uint8_t* stop       # not 0: another thread wants the search given up


# --- the board ------------------------------------------------------------------------------------

cdef inline int step_down(const Board* b, Layout layout) noexcept nogil:
    """Bits from a cell to the one below it: on a small board a constant."""
    return SMALL if Layout is Small else b.stride


cdef inline uint64_t above(const Board* b, uint64_t x, Layout layout) noexcept nogil:
    """The cells whose upper neighbour is in x."""
    return x << step_down(b, layout)


cdef inline uint64_t below(const Board* b, uint64_t x, Layout layout) noexcept nogil:
    """The cells whose lower neighbour is in x."""
    return x >> step_down(b, layout)


cdef inline uint64_t left(const Board* b, uint64_t x, Layout layout) noexcept nogil:
    """The cells whose left neighbour is in x."""
    return x << 1 & (NOT_FIRST if Layout is Small else b.not_first)


cdef inline uint64_t right(const Board* b, uint64_t x, Layout layout) noexcept nogil:
    """The cells whose right neighbour is in x."""
    return x >> 1 & (NOT_LAST if Layout is Small else b.not_last)


cdef inline uint64_t around(const Board* b, uint64_t x, Layout layout) noexcept nogil:
    """The cells with a neighbour in x."""
    return above(b, x, layout) | below(b, x, layout) | left(b, x, layout) | right(b, x, layout)


cdef inline uint64_t squares_over(uint64_t x, int stride) noexcept nogil:
    """Upper left cells of all 3x3 squares that hold a cell of x (some wrap: mask them out)."""
    x |= x >> 1 | x >> 2
    return x | x >> stride | x >> stride >> stride


cdef void set_shape(Board* b, int height, int width) noexcept nogil:
    """Fill in what follows from the size of the board alone."""
    cdef int r
    b.height = height
    b.width = width
    b.small = height <= SMALL and width <= SMALL
    b.stride = SMALL if b.small else width
    b.row = (ONE << width) - 1
    b.column = 0
    for r in range(height):
        b.column |= ONE << r * b.stride
    b.not_first = b.column * (b.row - 1)
    b.not_last = b.column * (b.row >> 1)
    b.outside = ~(b.column * b.row)
    b.blocks = b.not_last & ~(b.row << (height - 1) * b.stride)


cdef void set_clues(Board* b, const int8_t* rows, const int8_t* columns) noexcept nogil:
    """Take over the clues, as many as the board has lines."""
    cdef int i
    if b.height == SMALL and b.width == SMALL:
        b.lanes = clue_lanes(rows, columns, SMALL, SMALL)
        return
    for i in range(SMALL if b.small else LONGEST):
        b.rows[i] = rows[i] if i < b.height else -1
        b.columns[i] = columns[i] if i < b.width else -1
    if b.small:
        b.lanes = clue_lanes(b.rows, b.columns, b.height, b.width)


cdef uint64_t lay_out(const Board* b, uint64_t mask) noexcept nogil:
    """From bit r * width + c to this board's bits."""
    cdef uint64_t x = 0
    cdef int r
    if b.stride == b.width:
        return mask
    for r in range(b.height):
        x |= (mask >> r * b.width & b.row) << r * SMALL
    return x


cdef uint64_t take_in(const Board* b, uint64_t x) noexcept nogil:
    """From this board's bits to bit r * width + c."""
    cdef uint64_t mask = 0
    cdef int r
    if b.stride == b.width:
        return x & ~b.outside
    for r in range(b.height):
        mask |= (x >> r * SMALL & b.row) << r * b.width
    return mask


cdef void list_placements(Board* b, State* root, uint64_t monsters,
                          uint64_t treasures) noexcept nogil:
    """List where the room of each treasure can be; all are possible at the root, and their blocks asleep."""
    cdef int stride = b.stride, k, i
    cdef uint64_t squares, corners, room, left = treasures
    # A square fits if its corner has two cells to the right and two below; a monster in the
    # square or on its border is a monster, or a neighbour of one, in the square.
    squares = b.not_last & b.not_last >> 1 & ~b.outside >> stride >> stride
    squares &= ~squares_over(monsters | around[AnyShape](b, monsters, 0), stride)
    while left:
        k = MAX_ROOMS * b.treasures
        corners = squares_over(left & -left, stride) & squares
        while corners:
            i = trailing_zeros(corners)
            corners &= corners - 1
            room = (ONE | ONE << stride | ONE << stride << stride) * 7 << i
            if several(room & treasures):
                continue
            b.room[k] = room
            b.border[k] = around[AnyShape](b, room, 0) & ~room
            b.blocks_in[k] = (ONE | ONE << stride) * 3 << i
            root.asleep |= b.blocks_in[k]
            root.rooms |= ONE << k
            k += 1
        left &= left - 1
        b.treasures += 1


cdef void set_up(Search* search, uint64_t monsters, uint64_t treasures, uint64_t walls,
                 uint64_t floors) noexcept nogil:
    """Put the root on the stack. The board has its shape and its clues."""
    cdef Board* b = &search.board
    cdef State* root = &search.stack[0]
    monsters = lay_out(b, monsters)
    treasures = lay_out(b, treasures)
    search.depth = 1
    search.nodes = 0
    b.monsters = monsters
    b.treasures = 0
    root.walls = b.outside | lay_out(b, walls)
    root.floors = monsters | treasures | lay_out(b, floors)
    root.rooms = root.asleep = root.core = 0
    if MAX_ROOMS * popcount(treasures) > b.height * b.width:
        root.walls = root.floors = FULL                   # rule 18, more rooms than space: a contradiction
    elif treasures:
        list_placements(b, root, monsters, treasures)


# --- the closure ----------------------------------------------------------------------------------

cdef inline Near at_least(uint64_t up, uint64_t down, uint64_t to_left, uint64_t to_right) noexcept nogil:
    """The cells that are in at least one, two, three of four sets: half adders for all 64 cells at once."""
    cdef uint64_t any_v = up | down, all_v = up & down
    cdef uint64_t any_h = to_left | to_right, all_h = to_left & to_right
    cdef Near near
    near.one = any_v | any_h
    near.two = all_v | all_h | any_v & any_h
    near.three = all_v & any_h | all_h & any_v
    return near


cdef inline Near neighbours_in(const Board* b, uint64_t x, Layout layout) noexcept nogil:
    """The cells with at least one, two, three neighbours in x."""
    return at_least(above(b, x, layout), below(b, x, layout), left(b, x, layout), right(b, x, layout))


cdef inline void look(const Board* b, Round* r, Layout layout) noexcept nogil:
    """Begin a round: see what its rules read, from its walls, floors and sleeping blocks."""
    r.possible = ~r.walls
    r.unknown = r.possible & ~r.floors
    r.open = neighbours_in(b, r.possible, layout)
    r.awake = (BLOCKS if Layout is Small else b.blocks) & ~r.asleep
    r.both = r.floors & r.floors >> 1
    r.wall = r.walls
    r.floor = r.floors


cdef inline bint has_news(const Round* r) noexcept nogil:
    """Whether the rules found a wall or a floor that was not known."""
    return (r.wall ^ r.walls) | (r.floor ^ r.floors) != 0


cdef inline void take_over(Round* r) noexcept nogil:
    """End a round: what was found is known from now on."""
    r.walls = r.wall
    r.floors = r.floor


cdef inline uint64_t dead_ends(const Board* b, Round* r, Layout layout) noexcept nogil:
    """Rules 1 to 5: every floor has two ways on, a monster one. Not 0: a monster has none, or two."""
    cdef uint64_t monsters = b.monsters, needy
    cdef Near known = neighbours_in(b, r.floors, layout)
    r.wall |= ~r.open.two & ~monsters                                           # 1: it would be a dead end
    r.wall |= around(b, monsters & known.one, layout) & ~r.floors               # 5: the monster has its way
    needy = r.floors & ~monsters & ~r.open.three | monsters & ~r.open.two
    r.floor |= around(b, needy, layout) & r.possible                            # 3, 4: no way to spare
    return monsters & (~r.open.one | known.two)                                 # 2


cdef inline uint64_t wide_hallways(const Board* b, Round* r, Layout layout) noexcept nogil:
    """Rules 6 and 7: three floors of a block awake make the fourth cell wall. Not 0: a block has four."""
    cdef uint64_t either = r.floors | r.floors >> 1        # `both`, `either`: of a cell and the one to its right
    cdef uint64_t three = r.both & below(b, either, layout) | either & below(b, r.both, layout)
    three &= r.awake
    three |= three << 1                                    # from the upper left cell to all four
    r.wall |= (three | above(b, three, layout)) & ~r.floors
    return r.both & below(b, r.both, layout) & r.awake


cdef inline uint64_t full_lines(const Board* b, Round* r, Lack* lack, Layout layout) noexcept nogil:
    """Rules 8 to 10: a line that has all its walls, or all its floors. Not 0: one has too many."""
    cdef Lines full
    cdef uint64_t bad
    if Layout is Small:
        lack.lanes = minus(b.lanes, line_sums(r.walls, r.floors))
        bad = any_negative(lack.lanes)
        full = equal(lack.lanes, 0)
    else:
        bad = not count_lines(b, r.walls, r.floors, &full, &lack.one)
    r.wall |= r.unknown & (full.row_floor | full.column_floor)
    r.floor |= r.unknown & (full.row_wall | full.column_wall)
    return bad


cdef bint count_lines(const Board* b, uint64_t walls, uint64_t floors, Lines* none,
                      Lines* one) noexcept nogil:
    """Lines that lack none and one, on any shape; False if a line lacks a negative number."""
    cdef int i, wall, floor
    cdef uint64_t line
    none.row_wall = none.row_floor = none.column_wall = none.column_floor = 0
    one[0] = none[0]
    for i in range(b.height):
        if b.rows[i] < 0:
            continue
        line = b.row << i * b.stride
        wall = b.rows[i] - popcount(walls & line)
        floor = b.width - b.rows[i] - popcount(floors & line)
        if wall < 0 or floor < 0:
            return False
        none.row_wall |= line if wall == 0 else 0
        none.row_floor |= line if floor == 0 else 0
        one.row_wall |= line if wall == 1 else 0
        one.row_floor |= line if floor == 1 else 0
    for i in range(b.width):
        if b.columns[i] < 0:
            continue
        line = b.column << i
        wall = b.columns[i] - popcount(walls & line)
        floor = b.height - b.columns[i] - popcount(floors & line)
        if wall < 0 or floor < 0:
            return False
        none.column_wall |= line if wall == 0 else 0
        none.column_floor |= line if floor == 0 else 0
        one.column_wall |= line if wall == 1 else 0
        one.column_floor |= line if floor == 1 else 0
    return True


cdef inline void last_floors(const Board* b, Round* r, const Lines* one, Layout layout) noexcept nogil:
    """Rule 11: a cell that, as the last floor of its line, would be a dead end is wall.

    Unknown neighbours in a line that lacks one floor would become walls then, so they do not count.
    """
    cdef uint64_t beside = r.possible & ~(r.unknown & one.row_floor)
    cdef uint64_t upright = r.possible & ~(r.unknown & one.column_floor)
    cdef Near ways = at_least(
        above(b, upright, layout), below(b, upright, layout), left(b, beside, layout), right(b, beside, layout)
    )
    r.wall |= r.unknown & ~ways.two


cdef inline void last_walls(const Board* b, Round* r, const Lines* one, Layout layout) noexcept nogil:
    """Rule 12: a cell that, as the last wall of its line, would make a neighbour there a second one is floor."""
    cdef uint64_t frail = r.unknown & ~r.open.three
    cdef uint64_t in_row = frail & one.row_wall, in_column = frail & one.column_wall
    r.floor |= r.unknown & (
        left(b, in_row, layout) | right(b, in_row, layout) | above(b, in_column, layout) | below(b, in_column, layout)
    )


cdef inline void paired_in_rows(const Board* b, Round* r, uint64_t short_of_one, Layout layout) noexcept nogil:
    """Rule 13 in rows that lack one wall: if one of a pair of cells is that wall, all others are floor.

    (a) two neighbours over or under two floors of a block awake  (b) the neighbours of a monster. A pair
    is held as one bit: its first cell in (a), the monster in (b).

        ? ?      . .                                                ? M ?
        . .      ? ?
    """
    cdef uint64_t row = 255 if Layout is Small else b.row
    cdef uint64_t two = r.unknown & right(b, r.unknown, layout)
    cdef uint64_t pairs = above(b, r.awake & r.both & below(b, two, layout), layout)
    pairs = (pairs | r.awake & two & below(b, r.both, layout)) & short_of_one
    r.floor |= r.unknown & row_without(pairs, 0b11, 0, step_down(b, layout), row)
    pairs = b.monsters & left(b, r.unknown, layout) & right(b, r.unknown, layout) & short_of_one
    r.floor |= r.unknown & row_without(pairs, 0b101, 1, step_down(b, layout), row)


cdef inline void paired_in_columns(const Board* b, Round* r, uint64_t short_of_one, Layout layout) noexcept nogil:
    """Rule 13 in columns: the same, turned by a quarter."""
    cdef int step = step_down(b, layout)
    cdef uint64_t column = EVERY_BYTE if Layout is Small else b.column
    cdef uint64_t two = r.unknown & below(b, r.unknown, layout)
    cdef uint64_t both = r.floors & below(b, r.floors, layout)
    cdef uint64_t pairs = ((r.awake & both & two >> 1) << 1 | r.awake & two & both >> 1) & short_of_one
    r.floor |= r.unknown & column_without(pairs, ONE | ONE << step, 0, step, column)
    pairs = b.monsters & above(b, r.unknown, layout) & below(b, r.unknown, layout) & short_of_one
    # Shifted twice: on a 2x32 board two steps are 64 bits.
    r.floor |= r.unknown & column_without(pairs, ONE | ONE << step << step, step, step, column)


cdef inline uint64_t row_without(uint64_t pairs, uint64_t pair, int back, int stride,
                                 uint64_t row) noexcept nogil:
    """For each bit of pairs its row less the pair, whose first cell is `back` bits earlier."""
    cdef uint64_t rest = 0
    cdef int i
    while expect(pairs != 0, 0):
        i = trailing_zeros(pairs)
        pairs &= pairs - 1
        rest |= row << i - i % stride & ~(pair << i - back)
    return rest


cdef inline uint64_t column_without(uint64_t pairs, uint64_t pair, int back, int stride,
                                    uint64_t column) noexcept nogil:
    """For each bit of pairs its column less the pair, whose first cell is `back` bits earlier."""
    cdef uint64_t rest = 0
    cdef int i
    while expect(pairs != 0, 0):
        i = trailing_zeros(pairs)
        pairs &= pairs - 1
        rest |= column << i % stride & ~(pair << i - back)
    return rest


cdef inline bint treasure_rooms(const Board* b, Round* r, uint64_t* asleep) noexcept nogil:
    """Rules 14 to 17: what the possible rooms of each treasure agree on; False if a treasure has none.

    asleep: the blocks in the rooms that are left. When a room goes its blocks wake up, which asks for
    another round also if walls and floors stayed.
    """
    cdef uint64_t alive, common, border
    cdef int t
    asleep[0] = 0
    for t in range(b.treasures):
        alive = r.rooms & ROOMS << MAX_ROOMS * t
        common = rooms_left(b, r, &alive, asleep)
        if not alive:                                      # 15
            return False
        r.floor |= common                                  # 16
        if not several(alive):                             # 17: this is the room, with one way in
            border = b.border[trailing_zeros(alive)]
            if border & r.floors:
                r.wall |= border & ~r.floors
            elif not several(border & r.possible):
                r.floor |= border & r.possible
    return True


cdef inline uint64_t rooms_left(const Board* b, Round* r, uint64_t* alive, uint64_t* asleep) noexcept nogil:
    """Rule 14: strike the rooms of a treasure that became impossible; the cells that those left share."""
    cdef uint64_t common = FULL, rest = alive[0], border
    cdef int k
    while rest:
        k = trailing_zeros(rest)
        rest &= rest - 1
        border = b.border[k]
        # A wall in its square, no way in, or two.
        if (b.room[k] & r.walls != 0) | (border & r.possible == 0) | several(border & r.floors):
            alive[0] ^= ONE << k
            r.rooms ^= ONE << k
            continue
        common &= b.room[k]
        asleep[0] |= b.blocks_in[k]
    return common


cdef inline bint is_connected(const Board* b, const Round* r, State* s, Layout layout) noexcept nogil:
    """Rule 19: whether every floor can be reached from every other through cells that may be floor.

    Floors once connected through floors stay so: this core is handed down to the children.
    """
    cdef uint64_t reached, grown
    if not r.floors:
        return True
    reached = s.core if s.core else r.floors & -r.floors
    reached |= around(b, reached, layout) & r.floors
    reached |= around(b, reached, layout) & r.floors
    s.core = reached
    while r.floors & ~reached:
        grown = reached | around(b, reached, layout) & r.possible
        grown |= around(b, grown, layout) & r.possible
        if grown == reached:
            return False
        reached = grown
    return True


cdef bint close(const Board* b, State* s, Layout layout) noexcept nogil:
    """Run the rules on s until nothing changes; False on a contradiction.

    In each round all rules read the same walls and floors, so the processor works on several of them at
    a time; what they find is joined at the end of the round. Rules that cost more look only when the
    cheaper ones are at rest, and whatever finds something starts the rounds again.
    """
    cdef Round r
    cdef Lack lack
    cdef Lines one
    cdef uint64_t bad, asleep
    r.walls, r.floors, r.rooms, r.asleep = s.walls, s.floors, s.rooms, s.asleep
    while True:
        look(b, &r, layout)
        # All contradictions of a round are collected and tested once.
        bad = dead_ends(b, &r, layout) | wide_hallways(b, &r, layout)
        bad |= full_lines(b, &r, &lack, layout)
        if bad | r.wall & r.floor:
            return False
        if has_news(&r):
            take_over(&r)
            continue

        if Layout is Small:
            one = equal(lack.lanes, 1)
        else:
            one = lack.one
        last_floors(b, &r, &one, layout)
        last_walls(b, &r, &one, layout)
        paired_in_rows(b, &r, one.row_wall, layout)
        paired_in_columns(b, &r, one.column_wall, layout)
        if r.wall & r.floor:
            return False
        if has_news(&r):
            take_over(&r)
            continue

        if b.treasures:
            if not treasure_rooms(b, &r, &asleep) or r.wall & r.floor:
                return False
            if has_news(&r) or asleep != r.asleep:
                take_over(&r)
                r.asleep = asleep
                continue

        if not is_connected(b, &r, s, layout):
            return False
        s.walls, s.floors, s.rooms, s.asleep = r.walls, r.floors, r.rooms, r.asleep
        return True


# --- the search -----------------------------------------------------------------------------------

cdef int choose_treasure(const Board* b, uint64_t rooms) noexcept nogil:
    """The first treasure with the fewest placements, of those that have several; or -1."""
    cdef int t, n, best = -1, fewest = MAX_ROOMS + 1
    if popcount(rooms) == b.treasures:
        return -1
    for t in range(b.treasures):
        n = popcount(rooms & ROOMS << MAX_ROOMS * t)
        if 1 < n < fewest:
            fewest = n
            best = t
    return best


cdef uint64_t choose_line(const Board* b, uint64_t unknown, uint64_t candidates) noexcept nogil:
    """The line that holds a candidate and the fewest unknown cells."""
    cdef uint64_t line, best = 0
    cdef int i, n, fewest = LONGEST + 1
    if b.small:
        i = scarcest(unknown, candidates)
        return b.row << i * SMALL if i < SMALL else EVERY_BYTE << i - SMALL
    for i in range(b.height + b.width):
        line = b.row << i * b.stride if i < b.height else b.column << i - b.height
        n = popcount(unknown & line)
        if candidates & line and n < fewest:
            fewest = n
            best = line
    return best


cdef uint64_t choose_cell(const Board* b, const State* s) noexcept nogil:
    """The cell to branch on; 0 if no cell is unknown."""
    cdef uint64_t unknown = ~(s.walls | s.floors)
    cdef uint64_t candidates
    if not unknown:
        return 0
    candidates = around[AnyShape](b, s.floors, 0) & unknown
    if not candidates:
        candidates = unknown
    candidates &= choose_line(b, unknown, candidates)
    return candidates & -candidates


cdef void branch_on_treasure(Search* search, int t) noexcept nogil:
    """Replace the top of the stack by one state a placement, the first one on top."""
    cdef State* s = &search.stack[search.depth - 1]
    cdef uint64_t placements = s.rooms & ROOMS << MAX_ROOMS * t
    cdef uint64_t rest = s.rooms ^ placements, placement
    while True:
        placement = ONE << 63 - leading_zeros(placements)
        placements ^= placement
        s.rooms = rest | placement
        if not placements:
            return
        s[1] = s[0]
        s += 1
        search.depth += 1


cdef void branch_on_cell(Search* search, uint64_t cell) noexcept nogil:
    """Replace the top of the stack by two states: the cell is wall; on top, it is floor."""
    cdef State* s = &search.stack[search.depth - 1]
    s[1] = s[0]
    s[0].walls |= cell
    s[1].floors |= cell
    search.depth += 1


cdef Status advance(Search* search, uint64_t pause) noexcept nogil:
    """Search on to the next solution, to the end, or until `pause` nodes were closed."""
    cdef const Board* b = &search.board
    cdef State* s
    cdef uint64_t cell
    cdef int t
    cdef bint sound
    while search.depth:
        if search.nodes == pause:
            return PAUSED
        if search.stop[0]:
            return STOPPED
        search.nodes += 1
        s = &search.stack[search.depth - 1]
        sound = close[Small](b, s, 0) if b.small else close[AnyShape](b, s, 0)
        if not sound:
            search.depth -= 1
            continue
        t = choose_treasure(b, s.rooms)
        if t >= 0:
            branch_on_treasure(search, t)
            continue
        cell = choose_cell(b, s)
        if not cell:
            search.depth -= 1
            search.found = s.walls
            return FOUND
        branch_on_cell(search, cell)
    return EXHAUSTED


cdef inline uint64_t pause_after(uint64_t nodes, uint64_t more, uint64_t max_nodes) noexcept nogil:
    """Where to pause next: after `more` nodes, or at max_nodes (0 = no bound) if that is nearer."""
    return max_nodes if max_nodes and max_nodes - nodes < more else nodes + more


cdef Status step(Search* search, uint64_t max_nodes) except INTERRUPTED nogil:
    """The next solution (FOUND) or the reason why there is none; looks at Ctrl-C at times."""
    cdef Status status = PAUSED
    cdef uint64_t before
    while status == PAUSED:
        before = search.nodes
        status = advance(search, pause_after(before, POLL - search.polled, max_nodes))
        search.polled += search.nodes - before
        if search.polled >= POLL:
            search.polled = 0
            with gil:
                PyErr_CheckSignals()
        if search.nodes == max_nodes:
            break
    return status


cdef Py_ssize_t fill(Search* search, Py_ssize_t limit, uint64_t max_nodes, uint64_t* solutions,
                     uint8_t* complete) except -1 nogil:
    """Write up to `limit` solutions, and zeros behind them; their number."""
    cdef Py_ssize_t number = 0, i
    cdef Status status = FOUND
    while number < limit:
        status = step(search, max_nodes)
        if status != FOUND:
            break
        solutions[number] = take_in(&search.board, search.found)
        number += 1
    for i in range(number, limit):
        solutions[i] = 0
    complete[0] = status == EXHAUSTED
    return number


cdef void read_clues(tuple clues, int8_t* to, int n):
    """Copy n clues; unchecked access, since a call is about as long as a puzzle."""
    cdef int i
    for i in range(n):
        to[i] = <int8_t><long><object>PyTuple_GET_ITEM(clues, i)


cdef void read_puzzle(Search* search, int height, int width, tuple rows, tuple columns,
                      uint64_t monsters, uint64_t treasures, uint64_t walls, uint64_t floors,
                      const uint8_t* stop):
    """Make ready to search one puzzle that came as Python values."""
    cdef int8_t row_clues[LONGEST]
    cdef int8_t column_clues[LONGEST]
    read_clues(rows, row_clues, height)
    read_clues(columns, column_clues, width)
    set_shape(&search.board, height, width)
    set_clues(&search.board, row_clues, column_clues)
    set_up(search, monsters, treasures, walls, floors)
    search.polled = 0
    search.stop = stop


def solve(int height, int width, tuple rows, tuple columns, uint64_t monsters,
          uint64_t treasures, uint64_t walls, uint64_t floors, Py_ssize_t limit,
          uint64_t max_nodes, const uint8_t[::1] stop=None):
    """Solve one puzzle of height * width <= 64 cells: (solutions, nodes, complete).

    Masks have bit r * width + c for cell (r, c); a clue of -1 is unknown. `walls` and `floors` are
    cells already decided. `limit` ends the search at so many solutions, `max_nodes` at so many
    nodes (0 means no bound), a byte in `stop` that is not 0 at once. `complete`: there are no
    solutions but those returned.
    """
    cdef Search search
    cdef Status status = FOUND
    cdef list solutions = []
    read_puzzle(&search, height, width, rows, columns, monsters, treasures, walls, floors,
                flag(stop))
    while True:
        # A short search keeps the GIL: giving it up takes longer than the search.
        if search.nodes < HELD:
            status = advance(&search, pause_after(search.nodes, HELD - search.nodes, max_nodes))
            if status == PAUSED and search.nodes != max_nodes:
                continue
        else:
            with nogil:
                status = step(&search, max_nodes)
        if status != FOUND:
            break
        solutions.append(take_in(&search.board, search.found))
        if len(solutions) == limit:
            break
    return tuple(solutions), search.nodes, status == EXHAUSTED


def count(int height, int width, tuple rows, tuple columns, uint64_t monsters,
          uint64_t treasures, uint64_t walls, uint64_t floors, Py_ssize_t limit,
          uint64_t max_nodes, const uint8_t[::1] stop=None):
    """`solve` that keeps no solution: (number of solutions, nodes, complete)."""
    cdef Search search
    cdef Status status = FOUND
    cdef Py_ssize_t number = 0
    read_puzzle(&search, height, width, rows, columns, monsters, treasures, walls, floors,
                flag(stop))
    with nogil:
        while True:
            status = step(&search, max_nodes)
            if status != FOUND:
                break
            number += 1
            if number == limit:
                break
    return number, search.nodes, status == EXHAUSTED


def solve_batch(int height, int width, const int8_t[::1] clues, const uint64_t[::1] monsters,
                const uint64_t[::1] treasures, Py_ssize_t limit, uint64_t max_nodes,
                int64_t[::1] counts, uint64_t[::1] solutions, int64_t[::1] nodes,
                uint8_t[::1] complete, const uint8_t[::1] stop=None):
    """Solve n puzzles of one shape, given and answered in flat buffers; returns how many were done.

    n is the length of `monsters`. `clues` has height row clues, then width column clues, a puzzle
    (-1 = unknown); `solutions` has `limit` (at least 1) slots a puzzle, and 0 in those beyond its
    count; `counts`, `nodes` and `complete` (0 or 1) one entry. All n are done unless `stop` is
    set on the way. Nothing is allocated; the GIL is released throughout.
    """
    cdef Search search
    cdef Py_ssize_t n = monsters.shape[0], i = 0, lines = height + width
    set_shape(&search.board, height, width)
    search.polled = 0
    search.stop = flag(stop)
    with nogil:
        while i < n and not search.stop[0]:
            set_clues(&search.board, &clues[i * lines], &clues[i * lines + height])
            set_up(&search, monsters[i], treasures[i], 0, 0)
            counts[i] = fill(&search, limit, max_nodes, &solutions[i * limit], &complete[i])
            nodes[i] = <int64_t>search.nodes
            i += 1
    return i
