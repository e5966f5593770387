# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
"""The exact engine for boards of up to 32x32 cells (compiled twin): a search that learns clauses.

The idea
--------
Every undecided cell is a variable (true: wall), and so is every 3x3 square that might be the
room of a treasure (a *placement*). The search decides a variable, draws all consequences,
decides the next. When the consequences clash, it asks which of the decisions were to blame,
keeps the answer as a clause ("not all of these together"), goes back to the decision that the
clause settles, and never fails for the same cause again (conflict-driven clause learning, first
unique implication point).

Only what is *learned* is stored as clauses. The rules themselves are not: each is a small piece
of code over counters and words that finds the consequences (`check_...`) and, only when conflict
analysis asks, looks at the trail again and writes down the reasons (`explain_...`). A reason
names literals that stood on the trail *before* the literal it explains; `known(e, literal, limit)`
is that test. Nothing is written in advance, so a consequence costs a few instructions.

The rules, and who looks after them
-----------------------------------
    dead-end       check_cell    walls and floors among the neighbours (the margin is wall)
    wide-hallway   check_block   floors of a 2x2 block; placements that may still hold it
    treasure-room  check_border  walls and floors on a placement's border: exactly one is floor
                   check_group   one placement per treasure; what all of those left share is floor
    row-, column-  check_line    the clue is reached: the rest is of the other kind
      count        check_walls   a wall for each pair of cells that cannot both be floor
                   check_floors  a floor for each pair that cannot both be walls
                   check_double  two lines together: a wall for each block of two columns
    disconnected   check_region  a flood from the oldest known floor; what it misses is wall

A clash of a count with a packing of blocks is a pigeonhole argument, which clauses alone can
only learn case by case: `check_walls` and `check_double` save most conflicts (see docs/clause-learning.md).

Trail and levels
----------------
    trail      | facts | d1 c c c | d2 c c c c | d3 c . .      d decision, c consequence
    level        0       1          2            3
                                             ^ head: what is before it has been counted

Counters and words say what the trail says up to `head`; `value` says all of it. So a rule that
reads counters may find a cell undecided in them that is decided already, and asks `value` again.

Completeness
------------
A solution is forbidden by the clause of its decisions (they imply all else). After
BLOCKED_SOLUTIONS of them the search goes *chronological*: it turns the last decision round and
never goes back below a turned one before its branch is done, so that memory does not grow with
the number of solutions. Both modes end with a contradiction that needs no decision, or with no
decision left to turn; that is the proof that there are no others.

In the code `e` is the engine, `c` a cell, `b` a block by its upper left cell, `p` a placement, `i` a line,
`v` a variable, `s` the stride from a row to the next, `why` a reason, `n` the literals written to `out` so far.
A `check_...`, `assign_...` or `put` returns True on a conflict.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport abs, calloc, free, malloc, realloc
from libc.string cimport memcpy, memmove, memset

from dnd.kernels.bits cimport popcount, trailing_zeros
from dnd.kernels.stop cimport flag

# Kinds of cells; a margin cell is outside the board, a wall that was there before the search.
cdef enum:
    MARGIN = 0
    PLAIN = 1
    MONSTER = 2

# What a literal says of its variable: of a cell, or of a placement.
cdef enum:
    WALL = 0
    FLOOR = 1
    CHOSEN = 0
    REFUSED = 1

# Reasons: a few bits of kind, the rest says which one.
cdef enum:
    REASON_BITS = 3
    FREE = 0        # a decision, or a fact of level 0; of a conflict: it stands in `given`
    CLAUSE = 1      # a learned clause: its place in the arena
    DEGREE = 2      # the neighbours of a cell: the cell
    BLOCK = 3       # a 2x2 block: its upper left cell
    LINE = 4        # a row or column: its index; two lines: see `two_lines`
    ROOM = 5        # the nine cells of a placement, or its border: the placement
    GROUP = 6       # the placements of one treasure: the treasure
    REGION = 7      # connectivity: the length of the trail when it was seen

# How a turn of the search ended.
cdef enum:
    RUNNING = 0
    EXHAUSTED = 1
    STOPPED = 2
    NO_MEMORY = 3

# What conflict analysis knows of a variable (`seen`).
cdef enum:
    UNSEEN = 0
    BLAMED = 1      # in the clause, or replaced by its reasons
    IMPLIED = 2     # follows from literals of the clause
    NEEDED = 3      # does not

# A clause in the arena: two ints, then its literals.
cdef enum:
    SIZE = 0
    QUALITY = 1
    HEADER = 2

cdef enum:
    MAX_SIDE = 32
    MAX_LINES = 2 * (MAX_SIDE + 2)  # rows and columns, with a margin on each side
    ROOM_SIDE = 3
    ROOM_CELLS = 9
    MAX_BORDER = 12             # cells beside a room
    UNKNOWN_CLUE = 1 << 20      # walls and floors needed by a line without a clue: never reached
    END = 1 << 30               # a limit later than all of the trail
    EVEN_BITS = 0x55555555      # bits 0, 2, 4 ...
    AROUND_BITS = 3             # `around` has so many for the walls, the rest for the floors:
    WALL_AROUND = 1             # what a wall and ...
    FLOOR_AROUND = 1 << AROUND_BITS     # ... a floor add to those of their neighbours
    ALIGNMENT = 8               # of each array in memory, in bytes

# How the search is tuned (docs/clause-learning.md).
cdef enum:
    BLOCKED_SOLUTIONS = 32      # forbidden by a clause each; then the search goes chronological
    FIRST_LEARNED_LIMIT = 2000  # learned clauses before the first clearing; grows up to ...
    LEARNED_LIMIT = 30000
    GOOD_QUALITY = 2            # clauses of so few levels are never forgotten
    QUALITIES = 64              # told apart at a clearing
    RESTART = 1000              # conflicts, times the Luby sequence
    DEEPEST_PROOF = 12          # reasons of reasons that are looked at to shorten a clause
    FIRST_ARENA = 4096          # ints
    WORK_PER_POLL = 30000       # about 10 ms between two looks for Ctrl-C; a literal propagated is 1
    WORK_OF_CONFLICT = 20
    WORK_OF_SOLUTION = 50
    WORK_OF_FLOOD = 4

cdef extern from *:
    # The quoted text stands in the C code as it is, so these are constants there.
    const double GROWTH "1.25"                  # of the weight that a conflict gives, from one to the next
    const double TOO_HEAVY "1e100"              # from there on ...
    const double RELIEF "1e-100"                # ... all weights are multiplied by this
    const double FIRST_PLACE_WEIGHT "10"
    const double FIRST_CELL_WEIGHT "0.15"       # for each half row and half column from the centre


# ---------------------------------------------------------------- the data
#
# The grid has a margin of wall, so that no neighbour needs a test:
#
#     stride = width + 1       cell (r, c) has index (r + 1) * stride + 1 + c
#       . . . . .              neighbours: - stride, - 1, + 1, + stride
#       . 0 1 2 .              the margin on the right of one row is that on the left of the next
#       . 3 4 5 .
#       . . . . .
#
# Lines, in the order of their index; each has words with one bit for each of its cells:
#
#     0 | 1 .. height | height + 1 | height + 2 | height + 3 .. height + width + 2 | one more
#     M       rows          M            M                      columns                  M      M: margin, all walls
#
#     wall_line[i]   0 0 1 0 1     bit k: the k-th cell of the line, from the left or from the top
#     floor_line[i]  1 0 0 0 0     both 0: undecided
#
# Variables are the cells, with the margin (walls of level 0), then the placements, by treasure. A variable has
# two literals, side by side; literal ^ 1 is the opposite:
#
#     variable   0           1           ...  cells                    cells + 1  ...
#     literal    0    1      2    3           2 * cells   + 1
#     says       wall floor  wall floor       the room    not the room
#
# One block of `memory`, cut by `layout`, holds an array for each of these:
#
#     literal    value, watches -> | clause, blocker | clause, blocker | ...
#     variable   level, reason, position; trail and heap (in their own order); phase, activity, seen
#     cell       kind, row_line, column_line, across_bit, down_bit, around, block_floors, exempt, place_at
#     line       line_first, line_step, ..., wall_line, floor_line, ...
#     placement  corner, group_of, border (MAX_BORDER ints each), border_size, border_walls, border_floors
#
# For each cell the placements that hold it (`inside`) and those that border on it (`beside`) lie one behind the
# other in a list, and a table says where each cell's begin:
#
#     beside_start   0     0     2     5 ...      cell 0 has none, cell 1 has two, cell 2 has three
#     beside_list    p p | p p p | ...
#
# What grows lies elsewhere: the watch lists, the solutions, and the arena, where clauses lie one behind the other
# and `reduce` moves those that stay together:
#
#     ... | size | quality | literal literal literal ... | size | quality | ...
#           ^ the clause's place; reasons and watches name it
#     quality: how many levels its literals had (fewer is better); 0: it forbids a solution

cdef struct Watch:
    int clause
    int blocker                 # another literal of the clause: while it is true the clause says nothing

cdef struct Watches:
    Watch *items
    int size
    int room

cdef struct Memory:
    char *start                 # NULL: only the size is asked
    size_t used

# The board as it is given; clues in the order of the lines, -1 where unknown; bit r * width + c of a mask.
cdef struct Given:
    int clues[MAX_LINES]
    const uint8_t *monsters
    const uint8_t *treasures
    const uint8_t *walls
    const uint8_t *floors

cdef struct Engine:
    int height, width, stride, cells, places, groups, variables, lines
    int around_step[4]          # from a cell to its neighbours
    int block_step[4]           # from a block to its cells; back: from a cell to its blocks
    char *memory
    # the assignment
    short *value                # 1 true, 0 undecided, -1 false
    int *level
    int *reason
    int *position               # on the trail; -1: the margin
    int *trail
    int *level_start            # the place of each level's decision on the trail
    int trail_size, head, depth
    # what the trail up to head says of cells
    short *kind
    int *row_line
    int *column_line
    int *around                 # neighbours: WALL_AROUND for each wall, FLOOR_AROUND for each floor
    short *block_floors         # floors of the block that has the cell in its upper left corner
    short *exempt               # placements left that hold the whole block
    # what it says of lines
    int *line_first
    int *line_step
    int *line_length
    int *line_walls_needed
    int *line_floors_needed
    uint32_t *line_full
    uint32_t *wall_line
    uint32_t *floor_line
    uint32_t *monster_line
    uint32_t *closed_line       # blocks, by their upper left cell, that no placement may hold any more
    uint64_t dirty_rows, dirty_columns      # bit k: line k, or k after the margin before the columns, changed
    uint8_t fence[MAX_SIDE]     # of the three cells around a column: those on the board
    int floors_known
    uint32_t *across_bit        # a cell's bit in the words of its row ...
    uint32_t *down_bit          # ... and of its column
    # placements
    int *corner                 # the upper left cell
    int *group_of
    int *group_start
    int *border
    int *border_size
    int *border_walls
    int *border_floors
    int *inside_start
    int *inside_list
    int *beside_start
    int *beside_list
    int *place_at               # the placement with this upper left cell, or -1
    # connectivity
    bint region_dirty           # walls may have parted the floors since the last flood
    uint32_t *reach             # for each row the cells that the flood reached
    int *queue
    long long *mark
    long long mark_now
    # the conflict: the literal that had to be true and is false, and why; or all of it in `given`
    int conflict_reason, conflict_literal
    int *given
    int given_size
    # learned clauses
    int *arena
    int arena_size, arena_room, learned, learned_limit
    Watches *watches
    # order of decisions
    double *activity
    double bump
    int *heap                   # undecided variables, the heaviest first (decided ones may be left in it)
    int *heap_at                # the place in the heap, or -1
    int heap_size
    short *phase                # what to say of the variable: what it was last
    # conflict analysis
    short *seen
    int *touched                # variables whose `seen` must be cleared
    int touched_size
    int *clause
    int clause_size
    int *why
    int why_size, why_room
    long long *stamp
    long long stamp_now
    # search
    uint64_t conflicts, decisions, work, restart_at, restart_count, max_nodes
    uint64_t found, limit, solutions_room
    bint keep                   # false: solutions are only counted
    bint chronological
    int barrier                 # chronological: the level of the last turned decision
    short *flipped              # levels whose decision was turned
    uint8_t *solutions
    size_t solution_bytes
    bint failed                 # there was no memory


# ---------------------------------------------------------------- literals, reasons, places

cdef inline int literal_of(int v, int what) noexcept nogil:
    """The literal that says WALL or FLOOR of a cell, CHOSEN or REFUSED of a placement."""
    return 2 * v + what


cdef inline int wall(int c) noexcept nogil:
    """Cell c is wall."""
    return literal_of(c, WALL)


cdef inline int floor(int c) noexcept nogil:
    """Cell c is floor."""
    return literal_of(c, FLOOR)


cdef inline int room(Engine *e, int p) noexcept nogil:
    """Placement p (from 0) is the room of its treasure."""
    return literal_of(e.cells + p, CHOSEN)


cdef inline int no_room(Engine *e, int p) noexcept nogil:
    """Placement p is not the room of its treasure."""
    return literal_of(e.cells + p, REFUSED)


cdef inline int opposite(int literal) noexcept nogil:
    """The literal that says the contrary."""
    return literal ^ 1


cdef inline int variable(int literal) noexcept nogil:
    """The cell, or cells + the placement, of which the literal speaks."""
    return literal >> 1


cdef inline int said(int literal) noexcept nogil:
    """WALL or FLOOR, CHOSEN or REFUSED."""
    return literal & 1


cdef inline bint is_true(Engine *e, int literal) noexcept nogil:
    """Whether the trail has the literal."""
    return e.value[literal] > 0


cdef inline bint is_false(Engine *e, int literal) noexcept nogil:
    """Whether the trail has its opposite."""
    return e.value[literal] < 0


cdef inline bint undecided(Engine *e, int literal) noexcept nogil:
    """Whether the trail has neither."""
    return e.value[literal] == 0


cdef inline bint known(Engine *e, int literal, int limit) noexcept nogil:
    """Whether the literal stood on the trail before `limit`: only then may a reason name it."""
    return e.value[literal] > 0 and e.position[variable(literal)] < limit


cdef inline int because(int kind, int which) noexcept nogil:
    """A reason as one int."""
    return which << REASON_BITS | kind


cdef inline int kind_of(int why) noexcept nogil:
    """CLAUSE, DEGREE ..."""
    return why & ((1 << REASON_BITS) - 1)


cdef inline int which_of(int why) noexcept nogil:
    """The clause, cell, line ... of a reason."""
    return why >> REASON_BITS


cdef inline int two_lines(Engine *e, int i) noexcept nogil:
    """What a LINE reason names when it means lines i and i + 1: an index beyond all lines."""
    return e.lines + i


cdef inline int add(int *out, int n, int literal) noexcept nogil:
    """Write one more literal of a reason; how many there are now."""
    out[n] = literal
    return n + 1


cdef inline int cell_at(Engine *e, int r, int c) noexcept nogil:
    """The index of the cell in row r and column c of the board."""
    return (r + 1) * e.stride + 1 + c


cdef inline int margin_of_columns(Engine *e) noexcept nogil:
    """The index of the line before the first column."""
    return e.height + 2


cdef inline int line_cell(Engine *e, int i, int k) noexcept nogil:
    """The k-th cell of a line."""
    return e.line_first[i] + k * e.line_step[i]


cdef inline int holder(Engine *e, int b, int k) noexcept nogil:
    """The k-th of the four placements that can hold a block, or -1."""
    return e.place_at[b - e.block_step[k]]


cdef inline uint32_t lowest_bit(uint32_t word) noexcept nogil:
    """The word with its lowest 1 alone."""
    return word & (~word + 1)


cdef inline bint bit_of(const uint8_t *mask, int bit) noexcept nogil:
    """A bit of a mask of any length."""
    return mask[bit >> 3] >> (bit & 7) & 1


cdef inline int *literals_of(Engine *e, int clause) noexcept nogil:
    """The literals of the clause at this place of the arena."""
    return e.arena + clause + HEADER


# PARTING[above << 6 | here << 3 | below], three cells each, 1 = open: with a wall in the centre,
# its open neighbours hang together in more than one piece.
cdef uint8_t PARTING[512]


cdef void fill_parting() noexcept:
    """Go round the centre and count the pieces, for each pattern of the cells around it."""
    cdef int[8] shift = [6, 7, 8, 5, 2, 1, 0, 3]    # once around, from a corner: odd ones are neighbours
    cdef int ring[8]
    cdef int pattern, k, pieces
    for pattern in range(512):
        for k in range(8):
            ring[k] = pattern >> shift[k] & 1
        pieces = 0
        for k in range(1, 8, 2):
            # a side is the last of its piece when the way to the next side is closed
            if ring[k] and not (ring[(k + 1) & 7] and ring[(k + 2) & 7]):
                pieces += 1
        PARTING[pattern] = pieces > 1


fill_parting()


# ---------------------------------------------------------------- assignment

cdef inline bint put(Engine *e, int literal, int why) noexcept nogil:
    """Make a literal true."""
    cdef int v
    if e.value[literal]:
        if e.value[literal] > 0:
            return False
        return clash(e, literal, why)
    v = variable(literal)
    e.value[literal] = 1
    e.value[opposite(literal)] = -1
    e.level[v] = e.depth
    e.reason[v] = why
    e.position[v] = e.trail_size
    e.trail[e.trail_size] = literal
    e.trail_size += 1
    return False


cdef inline bint clash(Engine *e, int literal, int why) noexcept nogil:
    """The literal has to be true for this reason, and is false: a conflict."""
    e.conflict_reason = why
    e.conflict_literal = literal
    return True


cdef inline void fill(Engine *e, int c, int what, int why) noexcept nogil:
    """Make a cell WALL or FLOOR if nothing is known of it."""
    if undecided(e, wall(c)):
        put(e, literal_of(c, what), why)


cdef inline void fill_around(Engine *e, int c, int what, int why) noexcept nogil:
    """Make the undecided neighbours of a cell WALL or FLOOR."""
    fill(e, c - e.stride, what, why)
    fill(e, c - 1, what, why)
    fill(e, c + 1, what, why)
    fill(e, c + e.stride, what, why)


# ---------------------------------------------------------------- the rules of cells and blocks

cdef inline bint check_cell(Engine *e, int c) noexcept nogil:
    """Dead ends: how many walls and floors a cell has around it."""
    if e.kind[c] == PLAIN:
        return check_plain(e, c)
    if e.kind[c] == MONSTER:
        return check_monster(e, c)
    return False


cdef inline bint check_plain(Engine *e, int c) noexcept nogil:
    """A floor without monster has at most two walls around it."""
    cdef int walls = e.around[c] & (FLOOR_AROUND - 1), floors = e.around[c] >> AROUND_BITS
    cdef int why = because(DEGREE, c)
    if walls < 2:
        return False
    if is_false(e, wall(c)):
        if walls > 2:
            return clash(e, wall(c), why)
        if floors < 2:
            fill_around(e, c, FLOOR, why)
    elif walls > 2:
        return put(e, wall(c), why)
    return False


cdef inline bint check_monster(Engine *e, int c) noexcept nogil:
    """A monster has exactly one floor around it."""
    cdef int walls = e.around[c] & (FLOOR_AROUND - 1), floors = e.around[c] >> AROUND_BITS
    cdef int why = because(DEGREE, c)
    if walls == 4:
        return clash(e, floor(first_around(e, c, WALL)), why)
    if floors > 1:
        return clash(e, wall(first_around(e, c, FLOOR)), why)
    if walls == 3 and floors == 0:
        fill_around(e, c, FLOOR, why)
    elif floors == 1 and walls < 3:
        fill_around(e, c, WALL, why)
    return False


cdef int first_around(Engine *e, int c, int what) noexcept nogil:
    """A neighbour of c that is WALL (one of the margin only if there is no other) or FLOOR."""
    cdef int k, x, found = c
    for k in range(4):
        x = c + e.around_step[k]
        if is_true(e, literal_of(x, what)) and (found == c or e.kind[found] == MARGIN):
            found = x
    return found


cdef inline bint check_block(Engine *e, int b) noexcept nogil:
    """Wide hallways: a block with four floors lies in a room."""
    cdef int k, p
    if e.block_floors[b] < 3:
        return False
    if e.exempt[b] == 0:
        if e.block_floors[b] == 4:
            return clash(e, wall(b), because(BLOCK, b))
        for k in range(4):
            if undecided(e, wall(b + e.block_step[k])):
                return put(e, wall(b + e.block_step[k]), because(BLOCK, b))
    elif e.block_floors[b] == 4 and e.exempt[b] == 1:
        for k in range(4):
            p = holder(e, b, k)
            if p >= 0 and not is_false(e, room(e, p)):
                return put(e, room(e, p), because(BLOCK, b))
    return False


# ---------------------------------------------------------------- the rules of lines

cdef inline bint check_line(Engine *e, int i) noexcept nogil:
    """As many walls (floors) as the clue allows: the rest is floor (wall)."""
    cdef int walls = popcount(e.wall_line[i]), floors = popcount(e.floor_line[i])
    if walls >= e.line_walls_needed[i]:
        return fill_line(e, i, e.wall_line[i], walls > e.line_walls_needed[i], FLOOR)
    if floors >= e.line_floors_needed[i]:
        return fill_line(e, i, e.floor_line[i], floors > e.line_floors_needed[i], WALL)
    return False


cdef inline bint fill_line(Engine *e, int i, uint32_t there, bint too_many, int rest) noexcept nogil:
    """The undecided cells of a line become `rest`; a conflict if there are too many of the other kind already."""
    cdef uint32_t left
    cdef int why = because(LINE, i)
    if too_many:
        return clash(e, literal_of(line_cell(e, i, trailing_zeros(there)), rest), why)
    left = e.line_full[i] & ~(e.wall_line[i] | e.floor_line[i])
    while left:
        fill(e, line_cell(e, i, trailing_zeros(left)), rest, why)
        left &= left - 1
    return False


cdef bint check_walls(Engine *e, int i) noexcept nogil:
    """Walls the line must have: those known, and one for each pair that cannot both be floor.

    Such a pair lies beside two floors (a 2x2 block) or on both sides of a monster.
    """
    cdef uint32_t walls = e.wall_line[i], above = e.floor_line[i - 1], below = e.floor_line[i + 1]
    cdef uint32_t unknown = e.line_full[i] & ~(walls | e.floor_line[i])
    cdef uint32_t near = unknown & (unknown >> 1) & ((above & (above >> 1) & e.closed_line[i - 1])
                                                     | (below & (below >> 1) & e.closed_line[i]))
    cdef uint32_t far = unknown & (e.monster_line[i] >> 1) & (unknown >> 2)
    return check_pairs(e, i, near, far, unknown, e.line_walls_needed[i] - popcount(walls), FLOOR)


cdef bint check_floors(Engine *e, int i) noexcept nogil:
    """Floors the line must have: those known, and one for each pair that cannot both be walls.

    Such a pair lies on both sides of a floor that has a wall across the line (a monster: two).
    """
    cdef uint32_t floors = e.floor_line[i], above = e.wall_line[i - 1], below = e.wall_line[i + 1]
    cdef uint32_t unknown = e.line_full[i] & ~(e.wall_line[i] | floors)
    cdef uint32_t middle = floors & ((above & below) | ((above | below) & ~e.monster_line[i]))
    cdef uint32_t far = unknown & (middle >> 1) & (unknown >> 2)
    return check_pairs(e, i, 0, far, unknown, e.line_floors_needed[i] - popcount(floors), WALL)


cdef inline uint32_t partner(uint32_t cell, uint32_t near) noexcept nogil:
    """The other cell of the pair that starts at this one: the next, or the one after that."""
    return cell << 1 if near & cell else cell << 2


cdef inline bint check_pairs(Engine *e, int i, uint32_t near, uint32_t far, uint32_t unknown,
                             int need, int rest) noexcept nogil:
    """The pairs are edges of paths through the unknown cells: near x-(x+1), far x-(x+2).

    need: how many more the clue allows. A largest matching of the paths says how many they take;
    if all, the cells that some largest matching leaves out are of the other kind, `rest`.
    """
    cdef uint32_t edges = near | far, taken = 0, bit
    cdef int count = 0
    if edges == 0 or popcount(edges) < need:
        return False
    while edges:
        bit = lowest_bit(edges)
        edges ^= bit
        if not taken & bit:
            taken |= partner(bit, near)
            count += 1
    if count < need:
        return False
    if count > need:
        e.conflict_reason = FREE
        e.given_size = explain_line(e, i, -1, rest, END, e.given)
        return True
    return fill_spare(e, i, near, far, unknown, rest)


cdef inline bint fill_spare(Engine *e, int i, uint32_t near, uint32_t far, uint32_t unknown,
                            int rest) noexcept nogil:
    """The cells that some largest matching leaves out: the 1st, 3rd, 5th ... of each path with an odd number."""
    cdef uint32_t bit, path
    cdef int k
    while unknown:
        bit = path = lowest_bit(unknown)
        k = 1
        while (near | far) & bit:
            bit = partner(bit, near)
            path |= bit
            k += 1
        unknown &= ~path
        if k & 1:
            k = 0
            while path:
                if not k & 1 and put(e, literal_of(line_cell(e, i, trailing_zeros(path)), rest), because(LINE, i)):
                    return True
                path &= path - 1
                k += 1
    return False


cdef bint check_double(Engine *e, int i) noexcept nogil:
    """Walls that lines i and i + 1 must have together: those known, and one for each block.

    A column is here a cell of each line, side by side; two bare ones in succession are a 2x2 block
    that needs a wall. Disjoint blocks are a matching of the paths of bare columns.
    """
    cdef uint32_t one = e.wall_line[i], two = e.wall_line[i + 1]
    cdef uint32_t bare = e.line_full[i] & ~(one | two)
    cdef uint32_t edges = bare & (bare >> 1) & e.closed_line[i]
    cdef uint32_t path, spare, left = bare
    cdef int need = e.line_walls_needed[i] + e.line_walls_needed[i + 1] - popcount(one) - popcount(two)
    cdef int count = 0, length
    if popcount(edges) < need or edges == 0:
        return False
    # beside a wall the clue allows no other: those columns, and the bare ones that a matching can leave out
    spare = (one ^ two) & e.line_full[i]
    while left:
        path = bare_path(left, edges)
        left &= ~path
        length = popcount(path)
        count += length / 2
        if length & 1:
            spare |= path & ~(lowest_bit(path) * 2 * <uint32_t>EVEN_BITS)     # not the 2nd, 4th ...
    if count < need:
        return False
    if count > need:
        e.conflict_reason = FREE
        e.given_size = explain_double(e, i, -1, END, e.given)
        return True
    return fill_columns(e, i, spare)


cdef inline uint32_t bare_path(uint32_t columns, uint32_t edges) noexcept nogil:
    """The first of the columns, and those that edges join to it one after the other."""
    cdef uint32_t bit = lowest_bit(columns), path = bit
    while edges & bit:
        bit <<= 1
        path |= bit
    return path


cdef inline bint fill_columns(Engine *e, int i, uint32_t columns) noexcept nogil:
    """The undecided cells of lines i and i + 1 in these columns are floor."""
    cdef uint32_t left
    cdef int k
    for k in range(i, i + 2):
        left = columns & ~(e.wall_line[k] | e.floor_line[k])
        while left:
            if put(e, floor(line_cell(e, k, trailing_zeros(left))), because(LINE, two_lines(e, i))):
                return True
            left &= left - 1
    return False


cdef bint check_lines(Engine *e) noexcept nogil:
    """The rules of pairs, for lines that changed or lie beside such a line, until one of them says something."""
    if check_dirty(e, &e.dirty_rows, 0, e.height):
        return True
    return e.head == e.trail_size and check_dirty(e, &e.dirty_columns, margin_of_columns(e), e.width)


cdef inline bint check_dirty(Engine *e, uint64_t *dirty, int margin, int length) noexcept nogil:
    """The same for the rows, or the columns: `length` lines after the one of the margin."""
    cdef int k
    while dirty[0]:
        k = trailing_zeros(dirty[0])
        dirty[0] &= dirty[0] - 1
        if 0 < k <= length and e.line_walls_needed[margin + k] != UNKNOWN_CLUE:
            if check_counts(e, margin + k):
                return True
            if e.head < e.trail_size:
                return False
    return False


cdef inline bint check_counts(Engine *e, int i) noexcept nogil:
    """The rules of pairs for one line with a clue, alone and with the next."""
    if check_walls(e, i) or check_floors(e, i):
        return True
    return e.head == e.trail_size and e.line_walls_needed[i + 1] != UNKNOWN_CLUE and check_double(e, i)


# ---------------------------------------------------------------- the rules of rooms

cdef bint check_border(Engine *e, int p) noexcept nogil:
    """The border of a room has exactly one floor, the entrance."""
    cdef int why = because(ROOM, p), size = e.border_size[p], what, k
    if is_false(e, room(e, p)):
        return False
    if e.border_floors[p] > 1 or e.border_walls[p] == size:
        return put(e, no_room(e, p), why)
    if undecided(e, room(e, p)):
        return False
    if e.border_floors[p] == 1 and e.border_walls[p] < size - 1:
        what = WALL
    elif e.border_floors[p] == 0 and e.border_walls[p] == size - 1:
        what = FLOOR
    else:
        return False
    for k in range(size):
        fill(e, e.border[MAX_BORDER * p + k], what, why)
    return False


cdef bint check_group(Engine *e, int g) noexcept nogil:
    """Cells that all placements left have in common are floor; a last placement is the one."""
    cdef int why = because(GROUP, g)
    cdef int p, c, r, last = -1, alive = 0
    cdef int top = 0, left = 0, bottom = e.cells, right = e.cells      # of the upper left cells: lowest, highest ...
    for p in range(e.group_start[g], e.group_start[g + 1]):
        if is_false(e, room(e, p)):
            continue
        alive += 1
        last = p
        r = e.corner[p] / e.stride
        c = e.corner[p] % e.stride
        top = max(top, r)
        left = max(left, c)
        bottom = min(bottom, r)
        right = min(right, c)
    if alive == 0:
        return clash(e, room(e, e.group_start[g]), why)
    if alive == 1:
        return put(e, room(e, last), why)
    for r in range(top, bottom + ROOM_SIDE):
        for c in range(left, right + ROOM_SIDE):
            fill(e, r * e.stride + c, FLOOR, why)
    return False


# ---------------------------------------------------------------- propagation

cdef inline void touch(Engine *e, int row, int column) noexcept nogil:
    """The rules of pairs must look again at two lines, and at those beside them."""
    e.dirty_rows |= <uint64_t>0b111 << (row - 1)
    e.dirty_columns |= <uint64_t>0b111 << (column - margin_of_columns(e) - 1)


cdef inline void shut(Engine *e, int b) noexcept nogil:
    """One placement less that could hold the block b."""
    e.exempt[b] -= 1
    if e.exempt[b] == 0:
        e.closed_line[e.row_line[b]] |= e.across_bit[b]
        e.closed_line[e.column_line[b]] |= e.down_bit[b]
        touch(e, e.row_line[b], e.column_line[b])


cdef inline void reopen(Engine *e, int b) noexcept nogil:
    """Take `shut` back."""
    if e.exempt[b] == 0:
        e.closed_line[e.row_line[b]] &= ~e.across_bit[b]
        e.closed_line[e.column_line[b]] &= ~e.down_bit[b]
    e.exempt[b] += 1


cdef inline unsigned int open_near(Engine *e, int row, int at) noexcept nogil:
    """The three cells of a row around a column, 1 = not wall."""
    return <unsigned int>(~(<uint64_t>e.wall_line[row] << 1) >> at) & e.fence[at]


cdef inline bint may_part(Engine *e, int row, int at) noexcept nogil:
    """A new wall may part the region: its neighbours are not joined through the cells around."""
    return PARTING[open_near(e, row - 1, at) << 6 | (open_near(e, row, at) & 0b101) << 3
                   | open_near(e, row + 1, at)]


cdef inline void count_around(Engine *e, int c, int amount) noexcept nogil:
    """Tell the neighbours of a cell what it is, or (amount < 0) no longer is."""
    e.around[c - e.stride] += amount
    e.around[c - 1] += amount
    e.around[c + 1] += amount
    e.around[c + e.stride] += amount


cdef inline void count_blocks(Engine *e, int c, int amount) noexcept nogil:
    """Tell the four blocks of a cell that it is (1), or no longer is (-1), floor."""
    e.block_floors[c] += amount
    e.block_floors[c - 1] += amount
    e.block_floors[c - e.stride] += amount
    e.block_floors[c - e.stride - 1] += amount


cdef inline bint check_beside(Engine *e, int c) noexcept nogil:
    """The borders that a cell lies on, of placements that are not refused."""
    cdef int k
    for k in range(e.beside_start[c], e.beside_start[c + 1]):
        if not is_false(e, room(e, e.beside_list[k])) and check_border(e, e.beside_list[k]):
            return True
    return False


cdef inline bint assign_wall(Engine *e, int c) noexcept nogil:
    """Count a cell as wall, and ask the rules that look at it."""
    cdef int s = e.stride, k, p
    cdef int row = e.row_line[c], column = e.column_line[c]
    count_around(e, c, WALL_AROUND)
    e.wall_line[row] |= e.across_bit[c]
    e.wall_line[column] |= e.down_bit[c]
    touch(e, row, column)
    if not e.region_dirty:
        e.region_dirty = may_part(e, row, column - margin_of_columns(e) - 1)
    for k in range(e.beside_start[c], e.beside_start[c + 1]):
        e.border_walls[e.beside_list[k]] += 1
    if check_cell(e, c - s) or check_cell(e, c - 1):
        return True
    if check_cell(e, c + 1) or check_cell(e, c + s):
        return True
    if check_line(e, row) or check_line(e, column):
        return True
    for k in range(e.inside_start[c], e.inside_start[c + 1]):
        p = e.inside_list[k]
        if put(e, no_room(e, p), because(ROOM, p)):
            return True
    return check_beside(e, c)


cdef inline bint assign_floor(Engine *e, int c) noexcept nogil:
    """Count a cell as floor, and ask the rules that look at it."""
    cdef int s = e.stride, k
    cdef int row = e.row_line[c], column = e.column_line[c]
    count_around(e, c, FLOOR_AROUND)
    count_blocks(e, c, 1)
    e.floor_line[row] |= e.across_bit[c]
    e.floor_line[column] |= e.down_bit[c]
    touch(e, row, column)
    # walls may have parted the board while there was no floor to start from
    if e.floors_known == 0:
        e.region_dirty = True
    e.floors_known += 1
    for k in range(e.beside_start[c], e.beside_start[c + 1]):
        e.border_floors[e.beside_list[k]] += 1
    if check_cell(e, c):
        return True
    # of the neighbours only a monster asks for few floors
    if e.kind[c - s] == MONSTER and check_monster(e, c - s):
        return True
    if e.kind[c - 1] == MONSTER and check_monster(e, c - 1):
        return True
    if e.kind[c + 1] == MONSTER and check_monster(e, c + 1):
        return True
    if e.kind[c + s] == MONSTER and check_monster(e, c + s):
        return True
    if check_block(e, c) or check_block(e, c - 1):
        return True
    if check_block(e, c - s) or check_block(e, c - s - 1):
        return True
    if check_line(e, row) or check_line(e, column):
        return True
    return check_beside(e, c)


cdef bint assign_room(Engine *e, int p) noexcept nogil:
    """The placement is the room of its treasure: nine floors, and no other placement is."""
    cdef int c, r, q, g = e.group_of[p]
    for r in range(ROOM_SIDE):
        for c in range(e.corner[p] + r * e.stride, e.corner[p] + r * e.stride + ROOM_SIDE):
            if put(e, floor(c), because(ROOM, p)):
                return True
    for q in range(e.group_start[g], e.group_start[g + 1]):
        if q != p and put(e, no_room(e, q), because(GROUP, g)):
            return True
    return check_border(e, p)


cdef bint assign_no_room(Engine *e, int p) noexcept nogil:
    """The placement is not the room: its four blocks, and those left of its treasure, are looked at."""
    cdef int s = e.stride, b = e.corner[p]
    shut(e, b)
    shut(e, b + 1)
    shut(e, b + s)
    shut(e, b + s + 1)
    if check_block(e, b) or check_block(e, b + 1) or check_block(e, b + s) or check_block(e, b + s + 1):
        return True
    return check_group(e, e.group_of[p])


cdef inline bint assign(Engine *e, int literal) noexcept nogil:
    """Count a literal of the trail, and ask the rules that look at it."""
    cdef int v = variable(literal)
    if v >= e.cells:
        return assign_room(e, v - e.cells) if said(literal) == CHOSEN else assign_no_room(e, v - e.cells)
    return assign_floor(e, v) if said(literal) == FLOOR else assign_wall(e, v)


cdef void undo(Engine *e, int literal) noexcept nogil:
    """Take the counters of an assigned literal back."""
    cdef int v = variable(literal), k
    if v >= e.cells:
        if said(literal) == REFUSED:
            for k in range(4):
                reopen(e, e.corner[v - e.cells] + e.block_step[k])
    elif said(literal) == FLOOR:
        count_around(e, v, -FLOOR_AROUND)
        count_blocks(e, v, -1)
        e.floors_known -= 1
        e.floor_line[e.row_line[v]] &= ~e.across_bit[v]
        e.floor_line[e.column_line[v]] &= ~e.down_bit[v]
        for k in range(e.beside_start[v], e.beside_start[v + 1]):
            e.border_floors[e.beside_list[k]] -= 1
    else:
        count_around(e, v, -WALL_AROUND)
        e.wall_line[e.row_line[v]] &= ~e.across_bit[v]
        e.wall_line[e.column_line[v]] &= ~e.down_bit[v]
        for k in range(e.beside_start[v], e.beside_start[v + 1]):
            e.border_walls[e.beside_list[k]] -= 1


cdef bint visit_watches(Engine *e, int literal) noexcept nogil:
    """literal became true: clauses that watch its opposite look for another watch."""
    cdef int lost = opposite(literal)
    cdef Watches *list = &e.watches[lost]
    cdef Watch *read = list.items       # what stays is written over what was read
    cdef Watch *write = read
    cdef Watch *end
    cdef int *lits
    cdef int first
    cdef bint conflict = False
    if list.size == 0:
        return False
    end = read + list.size
    while read < end and not conflict:
        if is_true(e, read.blocker):
            write[0] = read[0]
            write += 1
            read += 1
            continue
        # the watched literals are the first two; the lost one becomes the second
        lits = literals_of(e, read.clause)
        if lits[0] == lost:
            lits[0] = lits[1]
            lits[1] = lost
        first = lits[0]
        if is_true(e, first):
            write.clause = read.clause
            write.blocker = first
            write += 1
        elif not watch_another(e, read.clause, lits):
            write[0] = read[0]
            write += 1
            conflict = put(e, first, because(CLAUSE, read.clause))
        read += 1
    if read < end and write < read:
        memmove(write, read, (end - read) * sizeof(Watch))
    list.size = <int>(write - list.items) + <int>(end - read)
    return conflict


cdef inline bint watch_another(Engine *e, int clause, int *lits) noexcept nogil:
    """Watch a literal that is not false instead of the second; False: there is none."""
    cdef int k, lost = lits[1]
    for k in range(2, lits[SIZE - HEADER]):
        if not is_false(e, lits[k]):
            lits[1] = lits[k]
            lits[k] = lost
            watch(e, lits[1], clause, lits[0])
            return True
    return False


cdef inline void watch(Engine *e, int literal, int clause, int blocker) noexcept nogil:
    """Have the clause looked at when this literal becomes false."""
    cdef Watches *list = &e.watches[literal]
    cdef Watch *grown
    if list.size == list.room:
        grown = <Watch *>realloc(list.items, sizeof(Watch) * (2 * list.room + 4))
        if grown == NULL:
            e.failed = True
            return
        list.items = grown
        list.room = 2 * list.room + 4
    list.items[list.size].clause = clause
    list.items[list.size].blocker = blocker
    list.size += 1


cdef bint propagate(Engine *e) noexcept nogil:
    """To the fixpoint of every rule, the cheap ones first."""
    cdef int literal
    while True:
        while e.head < e.trail_size:
            literal = e.trail[e.head]
            e.head += 1
            e.work += 1
            if assign(e, literal) or visit_watches(e, literal):
                return True
        if check_lines(e):
            return True
        if e.head < e.trail_size:
            continue
        if not e.region_dirty:
            return False
        e.region_dirty = False
        if check_region(e):
            return True
        if e.head == e.trail_size:
            return False


# ---------------------------------------------------------------- connectivity

cdef int first_floor(Engine *e) noexcept nogil:
    """The floor that has been known for longest, or -1."""
    cdef int k, v
    for k in range(e.trail_size):
        v = variable(e.trail[k])
        if said(e.trail[k]) == FLOOR and v < e.cells:
            return v
    return -1


cdef inline uint32_t spread(uint32_t seed, uint32_t open) noexcept nogil:
    """All runs of `open` that touch `seed`."""
    cdef uint32_t m = open
    seed &= open
    seed |= open & ((seed << 1) | (seed >> 1))
    # upwards by the carry of an addition, downwards by doubling steps
    seed |= open & ~(open + (seed & ~(seed << 1)))
    seed |= m & (seed >> 1)
    m &= m >> 1
    seed |= m & (seed >> 2)
    m &= m >> 2
    seed |= m & (seed >> 4)
    m &= m >> 4
    seed |= m & (seed >> 8)
    m &= m >> 8
    seed |= m & (seed >> 16)
    return seed


cdef inline uint32_t may_be_floor(Engine *e, int row) noexcept nogil:
    """The cells of a row that are not known to be wall."""
    return e.line_full[1] & ~e.wall_line[row]


cdef inline bint flow(Engine *e, int row, int source) noexcept nogil:
    """Let the flood run from one row into the next; whether it reached something new."""
    cdef uint32_t grown = e.reach[source] & ~e.reach[row] & ~e.wall_line[row]
    if grown == 0:
        return False
    e.reach[row] = spread(e.reach[row] | grown, may_be_floor(e, row))
    return True


cdef void flood(Engine *e, int start) noexcept nogil:
    """Fill `reach` with all that can be walked to from a cell: down, up, down ... until nothing is new."""
    cdef int row = start / e.stride
    cdef bint grows = True
    e.work += WORK_OF_FLOOD
    memset(e.reach, 0, (e.height + 2) * sizeof(uint32_t))
    e.reach[row] = spread(e.across_bit[start], may_be_floor(e, row))
    while grows:
        grows = False
        for row in range(1, e.height + 1):
            grows |= flow(e, row, row - 1)
        for row in range(e.height, 0, -1):
            grows |= flow(e, row, row + 1)


cdef bint check_region(Engine *e) noexcept nogil:
    """All floors hang together: what cannot be reached from one of them is wall."""
    cdef int start = first_floor(e), why = because(REGION, e.trail_size), row
    cdef uint32_t lost
    if start < 0:
        return False
    flood(e, start)
    for row in range(1, e.height + 1):
        lost = e.floor_line[row] & ~e.reach[row]
        if lost:
            return clash(e, wall(line_cell(e, row, trailing_zeros(lost))), why)
    for row in range(1, e.height + 1):
        lost = may_be_floor(e, row) & ~e.reach[row]
        while lost:
            put(e, wall(line_cell(e, row, trailing_zeros(lost))), why)
            lost &= lost - 1
    return False


cdef int cut(Engine *e, int source, int target, int limit, int *out) noexcept nogil:
    """Write walls known before `limit` that part source from target; how many.

    The region of the source is filled first; then the target's side is filled through everything, walls
    too: the walls beside the region that it meets first are the cut. Marks count upwards, so that those
    of earlier calls mean nothing: mark_now is in the region, + 1 a wall beside it, + 2 on the other side.
    """
    e.mark_now += 3
    mark_region(e, source, limit)
    return meet_region(e, target, out)


cdef void mark_region(Engine *e, int source, int limit) noexcept nogil:
    """Mark the cells that can be reached from the source, and the walls known before `limit` beside them."""
    cdef int n = 1, k = 0, d, x
    cdef int *queue = e.queue
    cdef long long inside = e.mark_now, edge = inside + 1
    queue[0] = source
    e.mark[source] = inside
    while k < n:
        for d in range(4):
            x = queue[k] + e.around_step[d]
            if e.mark[x] >= inside:
                continue
            if known(e, wall(x), limit):
                e.mark[x] = edge
            else:
                e.mark[x] = inside
                queue[n] = x
                n += 1
        k += 1


cdef int meet_region(Engine *e, int target, int *out) noexcept nogil:
    """Fill from the target up to the region; write the walls that are met, how many.

    Walls of level 0 need no mention, and nothing beyond them either: they stop the fill.
    """
    cdef int n = 1, k = 0, count = 0, d, x
    cdef int *queue = e.queue
    cdef long long inside = e.mark_now, edge = inside + 1, passed = inside + 2
    queue[0] = target
    e.mark[target] = passed
    while k < n:
        for d in range(4):
            x = queue[k] + e.around_step[d]
            if e.mark[x] == inside or e.mark[x] == passed or (is_true(e, wall(x)) and e.level[x] == 0):
                continue
            if e.mark[x] == edge:
                count = add(out, count, wall(x))
            else:
                queue[n] = x
                n += 1
            e.mark[x] = passed
        k += 1
    return count


# ---------------------------------------------------------------- reasons
#
# Each writes to `out` the literals that together force a literal (v is its variable; -1: that break a clue), and
# returns how many. All of them were true before `limit`.

cdef int explain(Engine *e, int why, int literal, int limit, int *out) noexcept nogil:
    """The reasons of `literal`, by the kind of its reason."""
    cdef int kind = kind_of(why), which = which_of(why), v = variable(literal)
    if kind == CLAUSE:
        return explain_clause(e, which, v, out)
    if kind == DEGREE:
        return explain_degree(e, which, literal, limit, out)
    if kind == BLOCK:
        return explain_block(e, which, v, out)
    if kind == LINE and which > e.lines:
        return explain_double(e, which - e.lines, v, limit, out)
    if kind == LINE:
        return explain_line(e, which, v, said(literal), limit, out)
    if kind == ROOM and v < e.cells:
        return explain_room_cell(e, which, literal, limit, out)
    if kind == ROOM:
        return explain_no_room(e, which, limit, out)
    if kind == GROUP:
        return explain_group(e, which, literal, limit, out)
    if kind == REGION:
        return explain_region(e, v, which, out)
    return 0


cdef inline int explain_clause(Engine *e, int clause, int v, int *out) noexcept nogil:
    """The other literals of the clause are false."""
    cdef int *lits = literals_of(e, clause)
    cdef int n = 0, k
    for k in range(lits[SIZE - HEADER]):
        if variable(lits[k]) != v:
            n = add(out, n, opposite(lits[k]))
    return n


cdef inline int explain_degree(Engine *e, int c, int literal, int limit, int *out) noexcept nogil:
    """Around a monster: one floor, so the others are walls; three walls, so the last is floor.

    Of a plain cell: with three walls around it it is wall; if it is floor, two walls are enough.
    """
    cdef int v = variable(literal), n = 0, need = 3, k, x
    if e.kind[c] == MONSTER and said(literal) == WALL:
        for k in range(4):
            x = c + e.around_step[k]
            if x != v and known(e, floor(x), limit):
                return add(out, 0, floor(x))
    if e.kind[c] != MONSTER and said(literal) == FLOOR:
        n = add(out, n, floor(c))
        need = 2
    for k in range(4):
        x = c + e.around_step[k]
        if need and x != v and known(e, wall(x), limit):
            n = add(out, n, wall(x))
            need -= 1
    return n


cdef inline int explain_block(Engine *e, int b, int v, int *out) noexcept nogil:
    """The other cells of the block are floor, and its other holders are no rooms."""
    cdef int n = 0, k, p
    for k in range(4):
        if b + e.block_step[k] != v:
            n = add(out, n, floor(b + e.block_step[k]))
    for k in range(4):
        p = holder(e, b, k)
        if p >= 0 and e.cells + p != v:
            n = add(out, n, no_room(e, p))
    return n


cdef inline int explain_closed(Engine *e, int b, int limit, int *out) noexcept nogil:
    """The holders of a block are no rooms; -1 if that was not known of one of them."""
    cdef int n = 0, k, p
    for k in range(4):
        p = holder(e, b, k)
        if p >= 0:
            if not known(e, no_room(e, p), limit):
                return -1
            n = add(out, n, no_room(e, p))
    return n


cdef int explain_line(Engine *e, int i, int v, int rest, int limit, int *out) noexcept nogil:
    """Why the cell v of a line is of the kind `rest`; v < 0: why the clue is broken.

    First the cells known to be of the other kind; if they are too few, pairs that hold one each.
    """
    cdef int need = e.line_walls_needed[i] if rest == FLOOR else e.line_floors_needed[i]
    cdef int other = WALL if rest == FLOOR else FLOOR
    cdef int n = 0, k = 0, c
    if v < 0:
        need += 1
    while need and k < e.line_length[i]:
        c = line_cell(e, i, k)
        if c != v and known(e, literal_of(c, other), limit):
            n = add(out, n, literal_of(c, other))
            need -= 1
        k += 1
    return explain_pairs(e, i, v, rest, need, limit, out, n) if need else n


cdef int explain_pairs(Engine *e, int i, int v, int rest, int need, int limit, int *out, int n) noexcept nogil:
    """Pairs of the line that hold `need` more cells of the other kind: packed afresh, from the first cell on."""
    cdef int step = e.line_step[i], length = e.line_length[i]
    cdef int across = e.stride if step == 1 else 1
    cdef int other = WALL if rest == FLOOR else FLOOR
    cdef int k = 0, c, far, more
    while need and k < length - 1:
        c = line_cell(e, i, k)
        k += 1
        if c == v or known(e, literal_of(c, other), limit):
            continue
        if rest == FLOOR and c + step != v and not known(e, wall(c + step), limit):
            more = near_pair(e, c, step, across, limit, out + n)
            if more:
                n += more
                need -= 1
                k += 1
                continue
        far = c + 2 * step
        if k < length - 1 and far != v and not known(e, literal_of(far, other), limit):
            if rest == FLOOR:
                more = e.kind[c + step] == MONSTER      # needs no reason
            else:
                more = far_pair(e, c + step, across, limit, out + n)
                n += more
            if more:
                need -= 1
                k += 2
    return n


cdef int near_pair(Engine *e, int c, int step, int across, int limit, int *out) noexcept nogil:
    """Why c and c + step cannot both be floor: two floors beside them, and no room there; 0: they can."""
    cdef int side, beside, closed
    for side in range(-1, 2, 2):
        beside = c + side * across
        if known(e, floor(beside), limit) and known(e, floor(beside + step), limit):
            closed = explain_closed(e, min(c, beside), limit, out + 2)
            if closed >= 0:
                out[0] = floor(beside)
                out[1] = floor(beside + step)
                return 2 + closed
    return 0


cdef int far_pair(Engine *e, int c, int across, int limit, int *out) noexcept nogil:
    """Why the neighbours of c in the line are not both walls: it is floor, with walls across; 0: they can be."""
    cdef int need = 2 if e.kind[c] == MONSTER else 1, n = 0, side, x
    if not known(e, floor(c), limit):
        return 0
    for side in range(-1, 2, 2):
        x = c + side * across
        if n < need and known(e, wall(x), limit):
            n = add(out, n, wall(x))
    return n if n == need else 0


cdef int explain_double(Engine *e, int i, int v, int limit, int *out) noexcept nogil:
    """Why the cell v of lines i, i + 1 is floor: enough walls known, and blocks that hold one each.

    v < 0: why their clues are broken.
    """
    cdef int need = e.line_walls_needed[i] + e.line_walls_needed[i + 1]
    cdef int n = 0, c, k, side, closed
    cdef uint32_t walled = 0        # columns that a block may not use
    if v < 0:
        need += 1
    for k in range(e.line_length[i]):
        for side in range(i, i + 2):
            c = line_cell(e, side, k)
            if c == v:
                walled |= <uint32_t>1 << k
            elif known(e, wall(c), limit):
                walled |= <uint32_t>1 << k
                if need:
                    n = add(out, n, wall(c))
                    need -= 1
    k = 0
    while need and k < e.line_length[i] - 1:
        closed = -1
        if not walled >> k & 0b11:
            closed = explain_closed(e, line_cell(e, i, k), limit, out + n)
        if closed >= 0:
            n += closed
            need -= 1
            k += 1
        k += 1
    return n


cdef inline bint covers(Engine *e, int p, int c) noexcept nogil:
    """Whether the cell is one of the nine of the placement."""
    cdef int d = c - e.corner[p]
    return 0 <= d < 2 * e.stride + ROOM_SIDE and d % e.stride < ROOM_SIDE


cdef inline int explain_room_cell(Engine *e, int p, int literal, int limit, int *out) noexcept nogil:
    """Why a cell in or beside the room p is what it is: for the room itself; for the entrance."""
    cdef int v = variable(literal), n = add(out, 0, room(e, p)), k, c
    if said(literal) == FLOOR and covers(e, p, v):
        return n
    for k in range(e.border_size[p]):
        c = e.border[MAX_BORDER * p + k]
        if c == v:
            continue
        if said(literal) == FLOOR:
            n = add(out, n, wall(c))
        elif known(e, floor(c), limit):
            return add(out, n, floor(c))
    return n


cdef inline int explain_no_room(Engine *e, int p, int limit, int *out) noexcept nogil:
    """Why p is not the room: a wall in it; two entrances; or none."""
    cdef int r, c, k, n = 0
    for r in range(ROOM_SIDE):
        for c in range(e.corner[p] + r * e.stride, e.corner[p] + r * e.stride + ROOM_SIDE):
            if known(e, wall(c), limit):
                return add(out, 0, wall(c))
    for k in range(e.border_size[p]):
        c = e.border[MAX_BORDER * p + k]
        if known(e, floor(c), limit):
            n = add(out, n, floor(c))
            if n == 2:
                return n
    for k in range(e.border_size[p]):
        out[k] = wall(e.border[MAX_BORDER * p + k])
    return e.border_size[p]


cdef inline int explain_group(Engine *e, int g, int literal, int limit, int *out) noexcept nogil:
    """Why p is not the room: another one is. Why it is, or a cell is floor: those without it are no rooms."""
    cdef int v = variable(literal), n = 0, p
    if v >= e.cells and said(literal) == REFUSED:
        for p in range(e.group_start[g], e.group_start[g + 1]):
            if e.cells + p != v and known(e, room(e, p), limit):
                return add(out, 0, room(e, p))
    for p in range(e.group_start[g], e.group_start[g + 1]):
        if e.cells + p != v and not (v < e.cells and covers(e, p, v)):
            n = add(out, n, no_room(e, p))
    return n


cdef int explain_region(Engine *e, int c, int limit, int *out) noexcept nogil:
    """Why c cannot be reached: the oldest floor, and the smaller of the cuts around it and around c."""
    cdef int root = first_floor(e)
    cdef int n = add(out, 0, floor(root))
    cdef int here = cut(e, c, root, limit, out + n)
    cdef int there = cut(e, root, c, limit, out + n + here)
    if there < here:
        memcpy(out + n, out + n + here, there * sizeof(int))
        return n + there
    return n + here


# ---------------------------------------------------------------- order of decisions

cdef inline void sift_up(Engine *e, int v) noexcept nogil:
    """Move a variable of the heap towards the top, past lighter ones."""
    cdef int k = e.heap_at[v], parent
    cdef double weight = e.activity[v]
    while k:
        parent = (k - 1) >> 1
        if e.activity[e.heap[parent]] >= weight:
            break
        e.heap[k] = e.heap[parent]
        e.heap_at[e.heap[k]] = k
        k = parent
    e.heap[k] = v
    e.heap_at[v] = k


cdef inline void sift_down(Engine *e, int v) noexcept nogil:
    """Move a variable of the heap away from the top, past heavier ones."""
    cdef int k = e.heap_at[v], child
    cdef double weight = e.activity[v]
    while True:
        child = 2 * k + 1
        if child >= e.heap_size:
            break
        if child + 1 < e.heap_size and e.activity[e.heap[child + 1]] > e.activity[e.heap[child]]:
            child += 1
        if e.activity[e.heap[child]] <= weight:
            break
        e.heap[k] = e.heap[child]
        e.heap_at[e.heap[k]] = k
        k = child
    e.heap[k] = v
    e.heap_at[v] = k


cdef inline void heap_insert(Engine *e, int v) noexcept nogil:
    """Put a variable into the heap if it is not there."""
    if e.heap_at[v] < 0:
        e.heap_at[v] = e.heap_size
        e.heap[e.heap_size] = v
        e.heap_size += 1
        sift_up(e, v)


cdef inline int heap_pop(Engine *e) noexcept nogil:
    """Take the heaviest variable out."""
    cdef int top = e.heap[0]
    e.heap_at[top] = -1
    e.heap_size -= 1
    if e.heap_size:
        e.heap_at[e.heap[e.heap_size]] = 0
        sift_down(e, e.heap[e.heap_size])
    return top


cdef inline int next_variable(Engine *e) noexcept nogil:
    """The heaviest undecided variable; -1 if all are decided."""
    cdef int v
    while e.heap_size:
        v = heap_pop(e)
        if undecided(e, literal_of(v, WALL)):
            return v
    return -1


cdef inline void bump(Engine *e, int v) noexcept nogil:
    """More weight for a variable that took part in a conflict."""
    cdef int k
    e.activity[v] += e.bump
    if e.activity[v] > TOO_HEAVY:
        for k in range(e.variables):
            e.activity[k] *= RELIEF
        e.bump *= RELIEF
    if e.heap_at[v] >= 0:
        sift_up(e, v)


cdef void backtrack(Engine *e, int depth) noexcept nogil:
    """Undo all levels beyond this one."""
    cdef int start, k, literal
    if depth >= e.depth:
        return
    start = e.level_start[depth + 1]
    for k in range(e.trail_size - 1, start - 1, -1):
        literal = e.trail[k]
        if k < e.head:
            undo(e, literal)
        e.value[literal] = 0
        e.value[opposite(literal)] = 0
        e.phase[variable(literal)] = said(literal)
        heap_insert(e, variable(literal))
    e.trail_size = start
    if e.head > start:
        e.head = start
    e.depth = depth
    # the flood of the shorter trail was done when that level was at its fixpoint; so were the lines
    e.region_dirty = False
    e.dirty_rows = 0
    e.dirty_columns = 0


cdef inline void decide(Engine *e, int literal) noexcept nogil:
    """A new level that begins with this literal."""
    e.depth += 1
    e.level_start[e.depth] = e.trail_size
    e.flipped[e.depth] = False
    put(e, literal, FREE)


# ---------------------------------------------------------------- conflict analysis

cdef inline int level_of(Engine *e, int literal) noexcept nogil:
    """The level on which the literal, or its opposite, became true."""
    return e.level[variable(literal)]


cdef inline uint32_t level_bit(int level) noexcept nogil:
    """A set of levels as a word, a bit for every 32nd: it may hold too much, never too little."""
    return <uint32_t>1 << (level & 31)


cdef inline void note(Engine *e, int v, int what) noexcept nogil:
    """Remember what analysis found out of a variable."""
    e.seen[v] = what
    e.touched[e.touched_size] = v
    e.touched_size += 1


cdef inline int blame(Engine *e, int literal) noexcept nogil:
    """A true literal led to the conflict: 1 if it is of the last level and must be followed up, else 0.

    Literals of earlier levels go into the clause, turned round.
    """
    cdef int v = variable(literal)
    if e.seen[v] or e.level[v] == 0:
        return 0
    note(e, v, BLAMED)
    bump(e, v)
    if e.level[v] == e.depth:
        return 1
    e.clause_size = add(e.clause, e.clause_size, opposite(literal))
    return 0


cdef int conflict_literals(Engine *e) noexcept nogil:
    """Write to `why` the literals that cannot all be true, but are; how many."""
    cdef int n
    if e.conflict_reason == FREE:
        memcpy(e.why, e.given, e.given_size * sizeof(int))
        return e.given_size
    n = explain(e, e.conflict_reason, e.conflict_literal, END, e.why)
    return add(e.why, n, opposite(e.conflict_literal))


cdef int analyse(Engine *e) noexcept nogil:
    """The clause that the conflict teaches in e.clause; the level to go back to returned.

    -1: the conflict needs no decision.
    """
    cdef int n = conflict_literals(e), top = 0, k
    for k in range(n):
        top = max(top, level_of(e, e.why[k]))
    # it may be older than the last decision
    if top < e.depth:
        backtrack(e, top)
    if top == 0:
        return -1
    resolve(e, n)
    shorten(e)
    return place_second(e)


cdef void resolve(Engine *e, int n) noexcept nogil:
    """Replace the n literals of the conflict that are of the last level by their reasons, the latest first,
    until one is left: the first unique implication point. Its opposite is clause[0]."""
    cdef int index = e.trail_size, pending = 0, literal, k
    e.clause_size = 1
    e.touched_size = 0
    while True:
        for k in range(n):
            pending += blame(e, e.why[k])
        while True:
            index -= 1
            literal = e.trail[index]
            if e.seen[variable(literal)] and level_of(e, literal) == e.depth:
                break
        pending -= 1
        if pending == 0:
            break
        n = explain(e, e.reason[variable(literal)], literal, index, e.why)
    e.clause[0] = opposite(literal)


cdef void shorten(Engine *e) noexcept nogil:
    """Leave out the literals of the clause that follow from others of it; forget what was seen."""
    cdef int kept = 1, k
    cdef uint32_t levels = 0
    for k in range(1, e.clause_size):
        levels |= level_bit(level_of(e, e.clause[k]))
    e.why_size = 0
    for k in range(1, e.clause_size):
        if not redundant(e, opposite(e.clause[k]), levels, 0):
            kept = add(e.clause, kept, e.clause[k])
    e.clause_size = kept
    for k in range(e.touched_size):
        e.seen[e.touched[k]] = UNSEEN


cdef bint redundant(Engine *e, int literal, uint32_t levels, int depth) noexcept nogil:
    """Whether the (true) literal follows from other literals of the clause, whose levels are given.

    `why` is the stack of the recursion: the reasons of this literal lie from `start` on. A reason has fewer
    than 3 literals for each variable, hence the test for room.
    """
    cdef int v = variable(literal), start = e.why_size, n, k, q
    cdef bint good = True
    if e.reason[v] == FREE or depth > DEEPEST_PROOF or start + 3 * e.variables > e.why_room:
        return False
    n = explain(e, e.reason[v], literal, e.position[v], e.why + start)
    e.why_size += n
    for k in range(start, start + n):
        q = variable(e.why[k])
        if e.level[q] == 0 or e.seen[q] == BLAMED or e.seen[q] == IMPLIED:
            continue
        good = (e.seen[q] != NEEDED and levels & level_bit(e.level[q]) != 0
                and redundant(e, e.why[k], levels, depth + 1))
        if not good:
            break
    e.why_size = start
    if e.seen[v] == UNSEEN:
        note(e, v, IMPLIED if good else NEEDED)
    return good


cdef int place_second(Engine *e) noexcept nogil:
    """Bring a literal of the highest level but the last to place 1, where it is watched; that level (or 0)."""
    cdef int back = 0, k, literal
    for k in range(1, e.clause_size):
        literal = e.clause[k]
        if level_of(e, literal) > back:
            back = level_of(e, literal)
            e.clause[k] = e.clause[1]
            e.clause[1] = literal
    return back


cdef int count_levels(Engine *e) noexcept nogil:
    """The quality of e.clause: how many levels its literals have."""
    cdef int n = 0, k, level
    e.stamp_now += 1
    for k in range(e.clause_size):
        level = level_of(e, e.clause[k])
        if e.stamp[level] != e.stamp_now:
            e.stamp[level] = e.stamp_now
            n += 1
    return n


# ---------------------------------------------------------------- learned clauses

cdef int store(Engine *e, int quality) noexcept nogil:
    """Put e.clause into the arena, watch its first two literals; its place."""
    cdef int at = e.arena_size, need = HEADER + e.clause_size
    cdef int *grown
    if at + need > e.arena_room:
        grown = <int *>realloc(e.arena, sizeof(int) * (2 * e.arena_room + need))
        if grown == NULL:
            e.failed = True
            return 0
        e.arena = grown
        e.arena_room = 2 * e.arena_room + need
    e.arena[at + SIZE] = e.clause_size
    e.arena[at + QUALITY] = quality
    memcpy(literals_of(e, at), e.clause, sizeof(int) * e.clause_size)
    e.arena_size += need
    watch_first_two(e, at)
    return at


cdef inline void watch_first_two(Engine *e, int at) noexcept nogil:
    """Watch the first two literals of the clause, each with the other as its blocker."""
    cdef int first = literals_of(e, at)[0], second = literals_of(e, at)[1]
    watch(e, first, at, second)
    watch(e, second, at, first)


cdef void reduce(Engine *e) noexcept nogil:
    """Forget the worse half of the learned clauses; move the others together."""
    cdef int at = 0, to = 0, size, quality, first, literal
    cdef int cutoff = worst_to_keep(e)
    cdef int surplus = e.learned - e.learned / 2        # how many may go; the oldest go first
    cdef bint locked            # the reason of a literal on the trail
    for literal in range(2 * e.variables):
        e.watches[literal].size = 0
    e.learned = 0
    while at < e.arena_size:
        size = HEADER + e.arena[at + SIZE]
        quality = e.arena[at + QUALITY]
        first = literals_of(e, at)[0]
        locked = is_true(e, first) and e.reason[variable(first)] == because(CLAUSE, at)
        if quality > GOOD_QUALITY and quality >= cutoff and surplus > 0 and not locked:
            surplus -= 1
        else:
            if quality:
                e.learned += 1
            memmove(e.arena + to, e.arena + at, size * sizeof(int))
            if locked:
                e.reason[variable(first)] = because(CLAUSE, to)
            watch_first_two(e, to)
            to += size
        at += size
    e.arena_size = to


cdef int worst_to_keep(Engine *e) noexcept nogil:
    """The quality below which at most half of the clauses lie: those all stay."""
    cdef int histogram[QUALITIES]
    cdef int at = 0, cutoff = 0, below = 0
    memset(histogram, 0, sizeof(histogram))
    while at < e.arena_size:
        histogram[min(e.arena[at + QUALITY], QUALITIES - 1)] += 1
        at += HEADER + e.arena[at + SIZE]
    while cutoff < QUALITIES - 1 and below + histogram[cutoff] <= e.learned / 2:
        below += histogram[cutoff]
        cutoff += 1
    return cutoff


cdef bint learn(Engine *e) noexcept nogil:
    """After a conflict: learn, go back, go on. Returns False when the search is exhausted."""
    cdef int back, at, quality
    e.conflicts += 1
    e.work += WORK_OF_CONFLICT
    if e.chronological and e.depth <= e.barrier:
        return advance(e)
    back = analyse(e)
    if back < 0:
        return False
    # analysis may have gone back
    if e.chronological and e.depth <= e.barrier:
        return advance(e)
    quality = count_levels(e)
    if e.chronological and back < e.barrier:
        back = e.barrier
    backtrack(e, back)
    e.bump *= GROWTH
    if e.clause_size == 1:
        put(e, e.clause[0], FREE)
        e.level[variable(e.clause[0])] = 0
        return True
    at = store(e, quality)
    e.learned += 1
    put(e, e.clause[0], because(CLAUSE, at))
    return True


# ---------------------------------------------------------------- the search

cdef bint advance(Engine *e) noexcept nogil:
    """Chronological mode: the branch of the deepest decision is done, take its other side.

    Returns False when all decisions are turned: the search is exhausted.
    """
    cdef int literal
    while e.depth and e.flipped[e.depth]:
        backtrack(e, e.depth - 1)
    if e.depth == 0:
        return False
    literal = e.trail[e.level_start[e.depth]]
    backtrack(e, e.depth - 1)
    decide(e, opposite(literal))
    e.flipped[e.depth] = True
    e.barrier = e.depth
    return True


cdef void record(Engine *e) noexcept nogil:
    """Count the solution on the trail, and keep its mask of walls if solutions are asked for."""
    cdef int r, c, bit
    cdef uint8_t *board
    cdef uint8_t *grown
    e.work += WORK_OF_SOLUTION
    e.found += 1
    if not e.keep:
        return
    if e.found > e.solutions_room:
        grown = <uint8_t *>realloc(e.solutions, e.solution_bytes * (2 * e.solutions_room + 2))
        if grown == NULL:
            e.failed = True
            return
        e.solutions = grown
        e.solutions_room = 2 * e.solutions_room + 2
    board = e.solutions + e.solution_bytes * (e.found - 1)
    memset(board, 0, e.solution_bytes)
    for r in range(e.height):
        for c in range(e.width):
            if e.wall_line[r + 1] >> c & 1:
                bit = r * e.width + c
                board[bit >> 3] |= 1 << (bit & 7)


cdef bint go_on(Engine *e) noexcept nogil:
    """After a solution: forbid it, keep looking. Returns False when there can be no other."""
    cdef int k, at
    if e.depth == 0:
        return False
    if e.found >= BLOCKED_SOLUTIONS:
        if not e.chronological:
            e.chronological = True
            e.barrier = 0
        return advance(e)
    # not all of these decisions again
    e.clause_size = 0
    for k in range(e.depth, 0, -1):
        e.clause_size = add(e.clause, e.clause_size, opposite(e.trail[e.level_start[k]]))
    backtrack(e, e.depth - 1)
    if e.clause_size == 1:
        put(e, e.clause[0], FREE)
    else:
        at = store(e, 0)
        put(e, e.clause[0], because(CLAUSE, at))
    return True


cdef uint64_t luby(uint64_t i) noexcept nogil:
    """The i-th (from 0) of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ... (Luby, Sinclair, Zuckerman, 1993)."""
    cdef uint64_t k
    while True:
        k = 1
        while (<uint64_t>1 << k) - 1 < i + 1:
            k += 1
        if (<uint64_t>1 << k) - 1 == i + 1:
            return <uint64_t>1 << (k - 1)
        i -= (<uint64_t>1 << (k - 1)) - 1


cdef void restart(Engine *e) noexcept nogil:
    """Begin again from level 0, with what was learned."""
    e.restart_count += 1
    e.restart_at = e.conflicts + RESTART * luby(e.restart_count)
    backtrack(e, 0)


cdef void clear_out(Engine *e) noexcept nogil:
    """Forget clauses, and allow a few more the next time."""
    reduce(e)
    if e.learned_limit < LEARNED_LIMIT:
        e.learned_limit += e.learned_limit / 8


cdef inline int step(Engine *e) noexcept nogil:
    """Propagate; then learn from a conflict, restart, note a solution, or decide. How the search stands."""
    cdef int v
    cdef bint conflict = propagate(e)
    if e.failed:
        return NO_MEMORY
    if conflict:
        return RUNNING if learn(e) else EXHAUSTED
    if e.conflicts >= e.restart_at and not e.chronological:
        restart(e)
        return RUNNING
    if e.learned >= e.learned_limit:
        clear_out(e)
    v = next_variable(e)
    if v < 0:
        record(e)
        if e.failed:
            return NO_MEMORY
        if e.found == e.limit:
            return STOPPED
        return RUNNING if go_on(e) else EXHAUSTED
    if e.max_nodes and e.decisions + 1 >= e.max_nodes:
        return STOPPED
    e.decisions += 1
    decide(e, literal_of(v, e.phase[v]))
    return RUNNING


cdef int run(Engine *e, uint64_t budget) noexcept nogil:
    """The main loop, until the search ends or `budget` units of work are done."""
    cdef uint64_t stop = e.work + budget
    cdef int status = RUNNING
    while status == RUNNING and e.work <= stop:
        status = step(e)
    return status


# ---------------------------------------------------------------- memory

cdef inline void *take(Memory *memory, size_t count, size_t size) noexcept nogil:
    """The next array of the block; NULL while only the size is asked."""
    cdef size_t start = memory.used
    memory.used += (count * size + ALIGNMENT - 1) & ~<size_t>(ALIGNMENT - 1)
    return NULL if memory.start == NULL else memory.start + start


cdef size_t layout(Engine *e, char *start) noexcept nogil:
    """Cut one block of memory into all arrays; start NULL: only the bytes they need, returned."""
    cdef Memory memory
    memory.start = start
    memory.used = 0
    take_variables(e, &memory)
    take_cells(e, &memory)
    take_lines(e, &memory)
    take_places(e, &memory)
    take_analysis(e, &memory)
    return memory.used


cdef void take_variables(Engine *e, Memory *memory) noexcept nogil:
    """Arrays by literal, variable and level: the assignment, the order of decisions."""
    cdef int variables = e.variables
    e.watches = <Watches *>take(memory, 2 * variables, sizeof(Watches))
    e.value = <short *>take(memory, 2 * variables, sizeof(short))
    e.level = <int *>take(memory, variables, sizeof(int))
    e.reason = <int *>take(memory, variables, sizeof(int))
    e.position = <int *>take(memory, variables, sizeof(int))
    e.trail = <int *>take(memory, variables, sizeof(int))
    e.level_start = <int *>take(memory, variables + 1, sizeof(int))
    e.flipped = <short *>take(memory, variables + 1, sizeof(short))
    e.activity = <double *>take(memory, variables, sizeof(double))
    e.heap = <int *>take(memory, variables, sizeof(int))
    e.heap_at = <int *>take(memory, variables, sizeof(int))
    e.phase = <short *>take(memory, variables, sizeof(short))


cdef void take_cells(Engine *e, Memory *memory) noexcept nogil:
    """Arrays by cell."""
    cdef int cells = e.cells
    e.kind = <short *>take(memory, cells, sizeof(short))
    e.row_line = <int *>take(memory, cells, sizeof(int))
    e.column_line = <int *>take(memory, cells, sizeof(int))
    e.around = <int *>take(memory, cells, sizeof(int))
    e.block_floors = <short *>take(memory, cells, sizeof(short))
    e.exempt = <short *>take(memory, cells, sizeof(short))
    e.across_bit = <uint32_t *>take(memory, cells, sizeof(uint32_t))
    e.down_bit = <uint32_t *>take(memory, cells, sizeof(uint32_t))
    e.place_at = <int *>take(memory, cells, sizeof(int))
    e.inside_start = <int *>take(memory, cells + 1, sizeof(int))
    e.beside_start = <int *>take(memory, cells + 1, sizeof(int))
    e.queue = <int *>take(memory, cells, sizeof(int))
    e.mark = <long long *>take(memory, cells, sizeof(long long))


cdef void take_lines(Engine *e, Memory *memory) noexcept nogil:
    """Arrays by line."""
    cdef int lines = e.lines
    e.line_first = <int *>take(memory, lines, sizeof(int))
    e.line_step = <int *>take(memory, lines, sizeof(int))
    e.line_length = <int *>take(memory, lines, sizeof(int))
    e.line_walls_needed = <int *>take(memory, lines, sizeof(int))
    e.line_floors_needed = <int *>take(memory, lines, sizeof(int))
    e.line_full = <uint32_t *>take(memory, lines, sizeof(uint32_t))
    e.wall_line = <uint32_t *>take(memory, lines, sizeof(uint32_t))
    e.floor_line = <uint32_t *>take(memory, lines, sizeof(uint32_t))
    e.monster_line = <uint32_t *>take(memory, lines, sizeof(uint32_t))
    e.closed_line = <uint32_t *>take(memory, lines, sizeof(uint32_t))
    e.reach = <uint32_t *>take(memory, e.height + 2, sizeof(uint32_t))


cdef void take_places(Engine *e, Memory *memory) noexcept nogil:
    """Arrays by placement and by treasure, and the lists of placements."""
    cdef int places = e.places
    e.corner = <int *>take(memory, places, sizeof(int))
    e.group_of = <int *>take(memory, places, sizeof(int))
    e.group_start = <int *>take(memory, e.groups + 1, sizeof(int))
    e.border = <int *>take(memory, MAX_BORDER * places, sizeof(int))
    e.border_size = <int *>take(memory, places, sizeof(int))
    e.border_walls = <int *>take(memory, places, sizeof(int))
    e.border_floors = <int *>take(memory, places, sizeof(int))
    e.inside_list = <int *>take(memory, ROOM_CELLS * places, sizeof(int))
    e.beside_list = <int *>take(memory, MAX_BORDER * places, sizeof(int))


cdef void take_analysis(Engine *e, Memory *memory) noexcept nogil:
    """Arrays for the analysis of conflicts."""
    cdef int variables = e.variables
    e.given = <int *>take(memory, variables, sizeof(int))
    e.seen = <short *>take(memory, variables, sizeof(short))
    e.touched = <int *>take(memory, variables, sizeof(int))
    e.clause = <int *>take(memory, variables, sizeof(int))
    e.why_room = 16 * variables
    e.why = <int *>take(memory, e.why_room, sizeof(int))
    e.stamp = <long long *>take(memory, variables + 1, sizeof(long long))


cdef void release(Engine *e) noexcept nogil:
    """Free all memory, also of an engine that was given up half made."""
    cdef int k
    if e.memory != NULL:
        for k in range(2 * e.variables):
            free(e.watches[k].items)
    free(e.memory)
    free(e.arena)
    free(e.solutions)


# ---------------------------------------------------------------- setting up

cdef bint is_room(Engine *e, const Given *given, int top, int left) noexcept nogil:
    """The 3x3 square with this corner has one treasure, no monster, and none on its border."""
    cdef int r, c, bit, found = 0
    cdef bint row_inside, column_inside
    if top < 0 or left < 0 or top + ROOM_SIDE > e.height or left + ROOM_SIDE > e.width:
        return False
    for r in range(max(top - 1, 0), min(top + ROOM_SIDE + 1, e.height)):
        for c in range(max(left - 1, 0), min(left + ROOM_SIDE + 1, e.width)):
            row_inside = top <= r < top + ROOM_SIDE
            column_inside = left <= c < left + ROOM_SIDE
            bit = r * e.width + c
            # a cell at a corner of the border is no neighbour of the square
            if (row_inside or column_inside) and bit_of(given.monsters, bit):
                return False
            found += row_inside and column_inside and bit_of(given.treasures, bit)
    return found == 1


cdef void measure(Engine *e, const Given *given) noexcept nogil:
    """How many there are of all that needs memory."""
    cdef int r, c, top, left
    e.stride = e.width + 1
    e.cells = (e.height + 2) * e.stride + 2
    e.lines = e.height + e.width + 4
    for r in range(e.height):
        for c in range(e.width):
            if bit_of(given.treasures, r * e.width + c):
                e.groups += 1
                for top in range(r - ROOM_SIDE + 1, r + 1):
                    for left in range(c - ROOM_SIDE + 1, c + 1):
                        e.places += is_room(e, given, top, left)
    e.variables = e.cells + e.places
    e.around_step[0] = -e.stride
    e.around_step[1] = -1
    e.around_step[2] = 1
    e.around_step[3] = e.stride
    e.block_step[0] = 0
    e.block_step[1] = 1
    e.block_step[2] = e.stride
    e.block_step[3] = e.stride + 1


cdef bint set_up(Engine *e, const Given *given) noexcept nogil:
    """Fill the arrays, state what is known from the start. True when that is a contradiction."""
    set_up_lines(e, given)
    set_up_cells(e, given)
    set_up_places(e, given)
    index_places(e)
    set_up_blocks(e)
    set_up_order(e)
    return state_known(e, given) or check_all(e)


cdef void set_up_lines(Engine *e, const Given *given) noexcept nogil:
    """Where the lines lie, their clues; those of the margin have no length and are walls."""
    cdef int i, k
    for k in range(e.height):
        i = k + 1
        e.line_first[i] = cell_at(e, k, 0)
        e.line_step[i] = 1
        e.line_length[i] = e.width
    for k in range(e.width):
        i = margin_of_columns(e) + k + 1
        e.line_first[i] = cell_at(e, 0, k)
        e.line_step[i] = e.stride
        e.line_length[i] = e.height
        # the lowest of the three bits is the cell on the left
        e.fence[k] = (0b110 if k == 0 else 0b111) & (0b011 if k == e.width - 1 else 0b111)
    for i in range(e.lines):
        e.line_walls_needed[i] = e.line_floors_needed[i] = UNKNOWN_CLUE
        if e.line_length[i] == 0:
            e.wall_line[i] = 0xFFFFFFFF
            continue
        e.line_full[i] = <uint32_t>0xFFFFFFFF >> (MAX_SIDE - e.line_length[i])
        if given.clues[i] >= 0:
            e.line_walls_needed[i] = given.clues[i]
            e.line_floors_needed[i] = e.line_length[i] - given.clues[i]


cdef void set_up_cells(Engine *e, const Given *given) noexcept nogil:
    """The margin is wall; the cells of the board are undecided, and know their place and the margin beside them."""
    cdef int r, c, x
    for x in range(e.cells):
        e.value[wall(x)] = 1
        e.value[floor(x)] = -1
        e.position[x] = -1
        e.place_at[x] = -1
    for r in range(e.height):
        for c in range(e.width):
            x = cell_at(e, r, c)
            e.value[wall(x)] = e.value[floor(x)] = 0
            e.row_line[x] = r + 1
            e.column_line[x] = margin_of_columns(e) + c + 1
            e.across_bit[x] = <uint32_t>1 << c
            e.down_bit[x] = <uint32_t>1 << r
            e.kind[x] = PLAIN
            if bit_of(given.monsters, r * e.width + c):
                e.kind[x] = MONSTER
                e.monster_line[e.row_line[x]] |= e.across_bit[x]
                e.monster_line[e.column_line[x]] |= e.down_bit[x]
            e.around[x] = WALL_AROUND * ((r == 0) + (r == e.height - 1) + (c == 0) + (c == e.width - 1))


cdef void set_up_places(Engine *e, const Given *given) noexcept nogil:
    """The placements, treasure by treasure."""
    cdef int r, c, top, left, p = 0, g = 0
    for r in range(e.height):
        for c in range(e.width):
            if not bit_of(given.treasures, r * e.width + c):
                continue
            e.group_start[g] = p
            for top in range(r - ROOM_SIDE + 1, r + 1):
                for left in range(c - ROOM_SIDE + 1, c + 1):
                    if is_room(e, given, top, left):
                        add_place(e, p, g, cell_at(e, top, left))
                        p += 1
            g += 1
    e.group_start[g] = p


cdef void add_place(Engine *e, int p, int g, int corner) noexcept nogil:
    """A placement of treasure g, its border, and the blocks it holds."""
    cdef int s = e.stride, k
    e.corner[p] = corner
    e.group_of[p] = g
    e.place_at[corner] = p
    for k in range(ROOM_SIDE):
        add_border(e, p, corner - s + k)
        add_border(e, p, corner + ROOM_SIDE * s + k)
        add_border(e, p, corner + k * s - 1)
        add_border(e, p, corner + k * s + ROOM_SIDE)
    for k in range(4):
        e.exempt[corner + e.block_step[k]] += 1


cdef void add_border(Engine *e, int p, int x) noexcept nogil:
    """A cell beside a placement, unless it is outside the board."""
    if e.kind[x] != MARGIN:
        e.border[MAX_BORDER * p + e.border_size[p]] = x
        e.border_size[p] += 1


cdef inline int room_cell(Engine *e, int p, int k) noexcept nogil:
    """The k-th of the nine cells of a placement."""
    return e.corner[p] + k / ROOM_SIDE * e.stride + k % ROOM_SIDE


cdef void index_places(Engine *e) noexcept nogil:
    """For each cell the placements that hold it, and those that have it on their border."""
    cdef int p, k, c
    # how many each cell has stands with the next one; added up, that is where the next one's begin
    for p in range(e.places):
        for k in range(ROOM_CELLS):
            e.inside_start[room_cell(e, p, k) + 1] += 1
        for k in range(e.border_size[p]):
            e.beside_start[e.border[MAX_BORDER * p + k] + 1] += 1
    for c in range(e.cells):
        e.inside_start[c + 1] += e.inside_start[c]
        e.beside_start[c + 1] += e.beside_start[c]
    # `mark` counts those of each cell that stand in the list
    for p in range(e.places):
        for k in range(ROOM_CELLS):
            c = room_cell(e, p, k)
            e.inside_list[e.inside_start[c] + e.mark[c]] = p
            e.mark[c] += 1
    memset(e.mark, 0, sizeof(long long) * e.cells)
    for p in range(e.places):
        for k in range(e.border_size[p]):
            c = e.border[MAX_BORDER * p + k]
            e.beside_list[e.beside_start[c] + e.mark[c]] = p
            e.mark[c] += 1
    memset(e.mark, 0, sizeof(long long) * e.cells)


cdef void set_up_blocks(Engine *e) noexcept nogil:
    """The blocks that no placement holds."""
    cdef int x
    for x in range(e.cells):
        if e.kind[x] != MARGIN and e.exempt[x] == 0:
            e.closed_line[e.row_line[x]] |= e.across_bit[x]
            e.closed_line[e.column_line[x]] |= e.down_bit[x]


cdef void set_up_order(Engine *e) noexcept nogil:
    """All variables into the heap: placements first, then cells from the corners inwards."""
    cdef int r, c, v
    for v in range(e.variables):
        e.heap_at[v] = -1
    for v in range(e.cells, e.variables):
        e.activity[v] = FIRST_PLACE_WEIGHT
        heap_insert(e, v)
    for r in range(e.height):
        for c in range(e.width):
            v = cell_at(e, r, c)
            e.activity[v] = FIRST_CELL_WEIGHT * (abs(2 * r + 1 - e.height) + abs(2 * c + 1 - e.width))
            heap_insert(e, v)


cdef bint state_known(Engine *e, const Given *given) noexcept nogil:
    """Put the walls and floors that are given on the trail."""
    cdef int r, c, bit
    cdef bint wrong = False
    for r in range(e.height):
        for c in range(e.width):
            bit = r * e.width + c
            if bit_of(given.monsters, bit) or bit_of(given.treasures, bit) or bit_of(given.floors, bit):
                wrong |= put(e, floor(cell_at(e, r, c)), FREE)
            if bit_of(given.walls, bit):
                wrong |= put(e, wall(cell_at(e, r, c)), FREE)
    return wrong


cdef bint check_all(Engine *e) noexcept nogil:
    """Ask each rule about the empty board: later they are asked only where something changed."""
    cdef int x, i, p, g
    for x in range(e.cells):
        if check_cell(e, x):
            return True
    for i in range(e.lines):
        if e.line_length[i] and check_line(e, i):
            return True
    for p in range(e.places):
        if check_border(e, p):
            return True
    for g in range(e.groups):
        if e.group_start[g] == e.group_start[g + 1] or check_group(e, g):
            return True
    return False


# ---------------------------------------------------------------- the doors

def solve(int height, int width, tuple rows, tuple columns, monsters, treasures, walls, floors,
          uint64_t limit, uint64_t max_nodes, const uint8_t[::1] stop):
    """Wall masks of up to `limit` solutions (0: all), nodes, and whether there are no others.

    Masks are ints, cell (r, c) is bit r * width + c; a clue is -1 where it is unknown; height and
    width are 1 to 32; all was validated before. A node is a decision or the root; the search stops
    after `max_nodes` (0: no bound), or when the byte `stop` (None: there is none) is set; then the
    third value is False.
    """
    return search(height, width, rows, columns, monsters, treasures, walls, floors, limit, max_nodes, stop, True)


def count(int height, int width, tuple rows, tuple columns, monsters, treasures, walls, floors,
          uint64_t limit, uint64_t max_nodes, const uint8_t[::1] stop):
    """`solve` that keeps no solution: their number, nodes, and whether there are no others."""
    return search(height, width, rows, columns, monsters, treasures, walls, floors, limit, max_nodes, stop, False)


cdef tuple search(int height, int width, tuple rows, tuple columns, monsters, treasures, walls, floors,
                  uint64_t limit, uint64_t max_nodes, const uint8_t[::1] stop, bint keep):
    """Both doors: make the engine, run it with a look for Ctrl-C and `stop` now and then, free it."""
    cdef Engine e
    cdef Given given
    cdef int k, status = RUNNING
    cdef int size = (height * width + 7) // 8
    cdef const uint8_t *stopped = flag(stop)
    # these live as long as the pointers into them
    cdef bytes monster_mask = monsters.to_bytes(size, "little")
    cdef bytes treasure_mask = treasures.to_bytes(size, "little")
    cdef bytes wall_mask = walls.to_bytes(size, "little")
    cdef bytes floor_mask = floors.to_bytes(size, "little")
    given.monsters = monster_mask
    given.treasures = treasure_mask
    given.walls = wall_mask
    given.floors = floor_mask
    memset(&e, 0, sizeof(Engine))
    e.height, e.width = height, width
    e.limit, e.max_nodes, e.keep = limit, max_nodes, keep
    e.solution_bytes = size
    for k in range(height):
        given.clues[k + 1] = rows[k]
    for k in range(width):
        given.clues[margin_of_columns(&e) + k + 1] = columns[k]
    try:
        allocate(&e, &given)
        with nogil:
            if set_up(&e, &given):
                status = EXHAUSTED
        while status == RUNNING and not stopped[0]:
            with nogil:
                status = run(&e, WORK_PER_POLL)
            PyErr_CheckSignals()
        if status == NO_MEMORY:
            raise MemoryError
        return found_by(&e), e.decisions + 1, status == EXHAUSTED
    finally:
        release(&e)


cdef int allocate(Engine *e, const Given *given) except -1:
    """Memory for all arrays, and what does not start at 0."""
    measure(e, given)
    e.memory = <char *>calloc(layout(e, NULL), 1)
    e.arena_room = FIRST_ARENA
    e.arena = <int *>malloc(sizeof(int) * e.arena_room)
    if e.memory == NULL or e.arena == NULL:
        raise MemoryError
    layout(e, e.memory)
    e.bump = 1
    e.mark_now = 1
    e.restart_at = RESTART
    e.learned_limit = FIRST_LEARNED_LIMIT
    return 0


cdef object found_by(Engine *e):
    """The masks of the solutions, or their number if they were not kept."""
    cdef size_t size = e.solution_bytes, n
    if not e.keep:
        return e.found
    return tuple([int.from_bytes(e.solutions[n * size:(n + 1) * size], "little") for n in range(e.found)])
