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
names literals that stood on the trail *before* the literal it explains; `position < limit` is
that test. Nothing is written in advance, so a consequence costs a few instructions.

The rules, and who looks after them
-----------------------------------
    dead-end       check_cell    walls and floors among the neighbours (the margin is wall)
    wide-hallway   check_square  open cells of a 2x2 block; placements that may still hold it
    treasure-room  check_border  walls and floors on a placement's border: exactly one is open
                   check_group   one placement per treasure; what all of those left share is floor
    row-, column-  check_line    the clue is reached: the rest is of the other kind
      count        check_walls   a wall for each pair of cells that cannot both be open
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

Cells lie in a grid with a margin, so that no neighbour needs a test:

    stride = width + 1       cell (r, c) has index (r + 1) * stride + 1 + c
      . . . . .              neighbours: - stride, - 1, + 1, + stride
      . 0 1 2 .              the margin on the right of one row is that on the left of the next
      . 3 4 5 .
      . . . . .
    variables: cells (with the margin: walls of level 0), then placements
    literals:  2 * variable true (wall, chosen), 2 * variable + 1 false (floor, not chosen)
               literal ^ 1 is the opposite

Lines, in the order of their index; each has words with one bit for each of its cells:

    0 | 1 .. height | height + 1 | height + 2 | height + 3 .. height + width + 2 | one more
    M       rows          M            M                      columns                  M
    M: margin, all walls

Clauses lie one behind the other in the arena; `reduce` moves those that stay together:

    ... | size | quality | literal literal literal ... | size | quality | ...
          ^ the clause's place; reasons and watches name it
    quality: how many levels its literals had (fewer is better); 0: it forbids a solution

Completeness
------------
A solution is forbidden by the clause of its decisions (they imply all else). After
BLOCKED_SOLUTIONS of them the search goes *chronological*: it turns the last decision round and
never goes back below a turned one before its branch is done, so that memory does not grow with
the number of solutions. Both modes end with a contradiction that needs no decision, or with no
decision left to turn; that is the proof that there are no others.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport abs, calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

cdef extern from *:
    int ctz "__builtin_ctz"(unsigned int) noexcept nogil
    int ctzll "__builtin_ctzll"(unsigned long long) noexcept nogil
    int popcount "__builtin_popcount"(unsigned int) noexcept nogil

# Kinds of cells; a margin cell is outside the board, a wall that was there before the search.
cdef enum:
    MARGIN = 0
    PLAIN = 1
    MONSTER = 2

# Reasons: three bits of kind, the rest says which one.
cdef enum:
    FREE = 0        # a decision, or a fact of level 0
    CLAUSE = 1      # a learned clause: its place in the arena
    DEGREE = 2      # the neighbours of a cell: the cell
    SQUARE = 3      # a 2x2 block: its upper left cell
    LINE = 4        # a row or column: its index; from `lines` on: that line and the next
    ROOM = 5        # the nine cells of a placement, or its border: the placement
    GROUP = 6       # the placements of one treasure: the treasure
    REGION = 7      # connectivity: the length of the trail when it was seen

cdef enum:
    RUNNING = 0
    EXHAUSTED = 1
    STOPPED = 2
    NO_MEMORY = 3

cdef enum:
    NEVER = 1 << 20             # what a line with an unknown clue needs
    END = 1 << 30               # later than all of the trail
    HEADER = 2                  # ints before the literals of a clause
    BLOCKED_SOLUTIONS = 32      # forbidden by a clause each; then the search goes chronological
    FIRST_LEARNED_LIMIT = 2000  # learned clauses before the first clearing; grows up to ...
    LEARNED_LIMIT = 30000
    RESTART = 1000              # conflicts, times the Luby sequence
    WORK_PER_POLL = 30000       # about 10 ms between two looks for Ctrl-C

cdef struct Watch:
    int clause
    int blocker

cdef struct Watches:
    Watch *items
    int size
    int room

cdef struct Engine:
    int height, width, stride, cells, places, groups, variables, lines
    char *block
    # the assignment: 1 true, 0 open, -1 false for each literal; the rest for each variable
    short *value
    int *level
    int *reason
    int *position
    int *trail
    int *level_start
    int trail_size, head, depth
    # static board
    short *kind
    int *row_line
    int *column_line
    # counters of what the trail up to head says
    int *around         # a cell's neighbours: walls, plus 8 times floors
    short *open_count   # floors of the block that has the cell in its upper left corner
    short *exempt       # placements left that hold the whole block
    # lines; words have bit k for the k-th cell; closed: no placement may hold the block any more
    int *line_first
    int *line_step
    int *line_length
    int *line_walls_needed
    int *line_floors_needed
    uint32_t *line_full
    uint32_t *wall_line
    uint32_t *floor_line
    uint32_t *monster_line
    uint32_t *closed_line
    uint64_t dirty_rows, dirty_columns
    uint8_t fence[32]
    int floors_known
    uint32_t *across_bit
    uint32_t *down_bit
    int *given
    int given_size
    # placements, by treasure; for each cell those that hold it and those that border on it
    int *corner
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
    int *place_at
    uint32_t *reach
    bint region_dirty
    # conflict
    int conflict_reason, conflict_literal
    # learned clauses
    int *arena
    int arena_size, arena_room, learned, learned_limit
    Watches *watches
    # order of decisions
    double *activity
    double bump
    int *heap
    int *heap_at
    int heap_size
    short *phase
    # conflict analysis
    short *seen
    int *touched
    int touched_size
    int *clause
    int clause_size
    int *why
    int why_size, why_room
    long long *stamp
    long long stamp_now
    int *queue
    long long *mark
    long long mark_now
    # search
    uint64_t conflicts, decisions, work, restart_at, restart_count, max_nodes
    uint64_t found, limit, solutions_room
    bint keep                  # false: solutions are only counted
    int barrier
    bint chronological
    short *flipped
    uint8_t *solutions
    size_t solution_bytes
    bint failed

# PARTING[above << 6 | here << 3 | below], three cells each, 1 = open: with a wall in the centre,
# its open neighbours hang together in more than one piece.
cdef uint8_t PARTING[512]


cdef void fill_parting() noexcept:
    cdef int pattern, k, pieces
    cdef int ring[8]
    for pattern in range(512):
        # once around, from the upper left corner
        ring[0] = pattern >> 6 & 1
        ring[1] = pattern >> 7 & 1
        ring[2] = pattern >> 8 & 1
        ring[3] = pattern >> 5 & 1
        ring[4] = pattern >> 2 & 1
        ring[5] = pattern >> 1 & 1
        ring[6] = pattern & 1
        ring[7] = pattern >> 3 & 1
        pieces = 0
        for k in range(1, 8, 2):
            # a side is the last of its piece when the way to the next side is closed
            if ring[k] and not (ring[(k + 1) & 7] and ring[(k + 2) & 7]):
                pieces += 1
        PARTING[pattern] = pieces > 1


fill_parting()


# ---------------------------------------------------------------- assignment

cdef inline bint put(Engine *e, int literal, int why) noexcept nogil:
    """Make a literal true. Returns True on a conflict."""
    cdef int v
    if e.value[literal]:
        if e.value[literal] > 0:
            return False
        e.conflict_reason = why
        e.conflict_literal = literal
        return True
    v = literal >> 1
    e.value[literal] = 1
    e.value[literal ^ 1] = -1
    e.level[v] = e.depth
    e.reason[v] = why
    e.position[v] = e.trail_size
    e.trail[e.trail_size] = literal
    e.trail_size += 1
    return False


cdef inline bint clash(Engine *e, int literal, int why) noexcept nogil:
    e.conflict_reason = why
    e.conflict_literal = literal
    return True


# ---------------------------------------------------------------- the rules as counters

cdef inline bint check_cell(Engine *e, int c) noexcept nogil:
    cdef int walls = e.around[c] & 7
    cdef int floors = e.around[c] >> 3
    cdef int s = e.stride
    cdef int why = (c << 3) | DEGREE
    if e.kind[c] == PLAIN:
        if walls < 2:
            return False
        if e.value[2 * c] < 0:
            if walls > 2:
                return clash(e, 2 * c, why)
            if floors < 2:
                if e.value[2 * (c - s)] == 0:
                    put(e, 2 * (c - s) + 1, why)
                if e.value[2 * (c - 1)] == 0:
                    put(e, 2 * (c - 1) + 1, why)
                if e.value[2 * (c + 1)] == 0:
                    put(e, 2 * (c + 1) + 1, why)
                if e.value[2 * (c + s)] == 0:
                    put(e, 2 * (c + s) + 1, why)
        elif walls > 2:
            return put(e, 2 * c, why)
    elif e.kind[c] == MONSTER:
        if walls == 4:
            return clash(e, 2 * first_around(e, c, 1) + 1, why)
        if floors > 1:
            return clash(e, 2 * first_around(e, c, -1), why)
        if walls == 3 and floors == 0:
            if e.value[2 * (c - s)] == 0:
                put(e, 2 * (c - s) + 1, why)
            if e.value[2 * (c - 1)] == 0:
                put(e, 2 * (c - 1) + 1, why)
            if e.value[2 * (c + 1)] == 0:
                put(e, 2 * (c + 1) + 1, why)
            if e.value[2 * (c + s)] == 0:
                put(e, 2 * (c + s) + 1, why)
        elif floors == 1 and walls < 3:
            if e.value[2 * (c - s)] == 0:
                put(e, 2 * (c - s), why)
            if e.value[2 * (c - 1)] == 0:
                put(e, 2 * (c - 1), why)
            if e.value[2 * (c + 1)] == 0:
                put(e, 2 * (c + 1), why)
            if e.value[2 * (c + s)] == 0:
                put(e, 2 * (c + s), why)
    return False


cdef int first_around(Engine *e, int c, int value) noexcept nogil:
    """A neighbour of c that is a wall (value 1; one of the margin last) or floor (value -1)."""
    cdef int ring[4]
    cdef int k, found = c
    ring[0] = c - e.stride
    ring[1] = c - 1
    ring[2] = c + 1
    ring[3] = c + e.stride
    for k in range(4):
        if e.value[2 * ring[k]] == value and (found == c or e.kind[found] == MARGIN):
            found = ring[k]
    return found


cdef inline bint check_square(Engine *e, int b) noexcept nogil:
    cdef int s = e.stride
    cdef int why = (b << 3) | SQUARE
    cdef int c, p
    if e.open_count[b] < 3:
        return False
    if e.exempt[b] == 0:
        if e.open_count[b] == 4:
            return clash(e, 2 * b, why)
        if e.value[2 * b] == 0:
            put(e, 2 * b, why)
        elif e.value[2 * (b + 1)] == 0:
            put(e, 2 * (b + 1), why)
        elif e.value[2 * (b + s)] == 0:
            put(e, 2 * (b + s), why)
        elif e.value[2 * (b + s + 1)] == 0:
            put(e, 2 * (b + s + 1), why)
    elif e.open_count[b] == 4 and e.exempt[b] == 1:
        for c in range(4):
            p = e.place_at[b - (c & 1) - (c >> 1) * s]
            if p >= 0 and e.value[2 * p] >= 0:
                return put(e, 2 * p, why)
    return False


cdef inline bint check_line(Engine *e, int i) noexcept nogil:
    """As many walls (floors) as the clue allows: the rest is floor (wall)."""
    cdef uint32_t left
    cdef int walls = popcount(e.wall_line[i]), floors = popcount(e.floor_line[i])
    cdef int why = (i << 3) | LINE
    if walls >= e.line_walls_needed[i]:
        if walls > e.line_walls_needed[i]:
            return clash(e, 2 * (e.line_first[i] + ctz(e.wall_line[i]) * e.line_step[i]) + 1, why)
        left = e.line_full[i] & ~(e.wall_line[i] | e.floor_line[i])
        while left:
            # the words may be behind the trail
            line_put(e, i, ctz(left), 1, why)
            left &= left - 1
    elif floors >= e.line_floors_needed[i]:
        if floors > e.line_floors_needed[i]:
            return clash(e, 2 * (e.line_first[i] + ctz(e.floor_line[i]) * e.line_step[i]), why)
        left = e.line_full[i] & ~(e.wall_line[i] | e.floor_line[i])
        while left:
            line_put(e, i, ctz(left), 0, why)
            left &= left - 1
    return False


cdef inline void line_put(Engine *e, int i, int at, int floor, int why) noexcept nogil:
    cdef int literal = 2 * (e.line_first[i] + at * e.line_step[i])
    if e.value[literal] == 0:
        put(e, literal + floor, why)


cdef bint check_walls(Engine *e, int i) noexcept nogil:
    """Walls the line must have: those known, and one for each pair that cannot both be open.

    Such a pair lies beside two open cells (a 2x2 block) or on both sides of a monster.
    """
    cdef uint32_t walls = e.wall_line[i], above = e.floor_line[i - 1], below = e.floor_line[i + 1]
    cdef uint32_t unknown = e.line_full[i] & ~(walls | e.floor_line[i])
    cdef uint32_t near = unknown & (unknown >> 1) & ((above & (above >> 1) & e.closed_line[i - 1])
                                                     | (below & (below >> 1) & e.closed_line[i]))
    cdef uint32_t far = unknown & (e.monster_line[i] >> 1) & (unknown >> 2)
    return check_pairs(e, i, near, far, unknown, e.line_walls_needed[i] - popcount(walls), 1)


cdef bint check_floors(Engine *e, int i) noexcept nogil:
    """Open cells the line must have: those known, and one for each pair that cannot both be walls.

    Such a pair lies on both sides of an open cell that has a wall across the line (a monster: two).
    """
    cdef uint32_t floors = e.floor_line[i], above = e.wall_line[i - 1], below = e.wall_line[i + 1]
    cdef uint32_t unknown = e.line_full[i] & ~(e.wall_line[i] | floors)
    cdef uint32_t middle = floors & ((above & below) | ((above | below) & ~e.monster_line[i]))
    cdef uint32_t far = unknown & (middle >> 1) & (unknown >> 2)
    return check_pairs(e, i, 0, far, unknown, e.line_floors_needed[i] - popcount(floors), 0)


cdef inline bint check_pairs(Engine *e, int i, uint32_t near, uint32_t far, uint32_t unknown,
                             int need, int floor) noexcept nogil:
    """The pairs are edges of paths through the unknown cells: near x-(x+1), far x-(x+2).

    need: how many more the clue allows. A largest matching of the paths says how many they take.
    """
    cdef uint32_t edges = near | far, taken = 0, bit, run
    cdef int count = 0, k, c
    if edges == 0 or popcount(edges) < need:
        return False
    while edges:
        bit = edges & (~edges + 1)
        edges ^= bit
        if not taken & bit:
            taken |= bit << 1 if near & bit else bit << 2
            count += 1
    if count < need:
        return False
    if count > need:
        e.conflict_reason = FREE
        e.given_size = explain_line(e, i, -1, floor, END, e.given)
        return True
    # A cell that some largest matching leaves out is of the other kind: the 1st, 3rd, 5th ...
    # of a path with an odd number of cells.
    while unknown:
        run = unknown & (~unknown + 1)
        bit = run
        k = 1
        while (near | far) & bit:
            bit = bit << 1 if near & bit else bit << 2
            run |= bit
            k += 1
        unknown &= ~run
        if k & 1:
            k = 0
            while run:
                c = e.line_first[i] + ctz(run) * e.line_step[i]
                if not k & 1 and put(e, 2 * c + floor, (i << 3) | LINE):
                    return True
                run &= run - 1
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
    cdef uint32_t bit, run, spare, rest = bare
    cdef int need = e.line_walls_needed[i] + e.line_walls_needed[i + 1]
    cdef int count = 0, k, c
    need -= popcount(one) + popcount(two)
    if popcount(edges) < need or edges == 0:
        return False
    spare = (one ^ two) & e.line_full[i]
    while rest:
        bit = rest & (~rest + 1)
        run = bit
        k = 1
        while edges & bit:
            bit <<= 1
            run |= bit
            k += 1
        rest &= ~run
        count += k / 2
        if k & 1:
            # all but the 2nd, 4th ...
            spare |= run & ~((run & (~run + 1)) * 2 * <uint32_t>0x55555555)
    if count < need:
        return False
    if count > need:
        e.conflict_reason = FREE
        e.given_size = explain_double(e, i, -1, END, e.given)
        return True
    for k in range(2):
        run = spare & ~(e.wall_line[i + k] | e.floor_line[i + k])
        while run:
            c = e.line_first[i + k] + ctz(run) * e.line_step[i]
            if put(e, 2 * c + 1, (e.lines + i) << 3 | LINE):
                return True
            run &= run - 1
    return False


cdef int explain_double(Engine *e, int i, int v, int limit, int *out) noexcept nogil:
    """Why the cell v of lines i, i + 1 is floor; v < 0: why their clues are broken."""
    cdef int need = e.line_walls_needed[i] + e.line_walls_needed[i + 1]
    cdef int step = e.line_step[i], length = e.line_length[i]
    cdef int across = e.line_first[i + 1] - e.line_first[i]
    cdef int n = 0, c, j, k, p
    cdef uint32_t walled = 0
    if v < 0:
        need += 1
    for k in range(length):
        c = e.line_first[i] + k * step
        for _ in range(2):
            if c == v:
                walled |= <uint32_t>1 << k
            elif known(e, 2 * c, limit):
                walled |= <uint32_t>1 << k
                if need:
                    out[n] = 2 * c
                    n += 1
                    need -= 1
            c += across
    k = 0
    while need and k < length - 1:
        if walled >> k & 3:
            k += 1
            continue
        c = e.line_first[i] + k * step
        p = 0
        for j in range(4):
            p = e.place_at[c - (j & 1) - (j >> 1) * e.stride]
            if p >= 0 and not known(e, 2 * p + 1, limit):
                break
        else:
            for j in range(4):
                p = e.place_at[c - (j & 1) - (j >> 1) * e.stride]
                if p >= 0:
                    out[n] = 2 * p + 1
                    n += 1
            need -= 1
            k += 1
        k += 1
    return n


cdef bint check_lines(Engine *e) noexcept nogil:
    cdef int i
    while e.dirty_rows:
        i = ctzll(e.dirty_rows)
        e.dirty_rows &= e.dirty_rows - 1
        if 0 < i <= e.height and e.line_walls_needed[i] != NEVER:
            if check_walls(e, i) or check_floors(e, i):
                return True
            if e.head < e.trail_size:
                return False
            if e.line_walls_needed[i + 1] != NEVER:
                if check_double(e, i):
                    return True
                if e.head < e.trail_size:
                    return False
    while e.dirty_columns:
        i = ctzll(e.dirty_columns)
        e.dirty_columns &= e.dirty_columns - 1
        if 0 < i <= e.width and e.line_walls_needed[e.height + 2 + i] != NEVER:
            i += e.height + 2
            if check_walls(e, i) or check_floors(e, i):
                return True
            if e.head < e.trail_size:
                return False
            if e.line_walls_needed[i + 1] != NEVER:
                if check_double(e, i):
                    return True
                if e.head < e.trail_size:
                    return False
    return False


cdef bint check_border(Engine *e, int p) noexcept nogil:
    """p counts from 0; its variable is cells + p."""
    cdef int v = e.cells + p
    cdef int k, c
    cdef int why = (p << 3) | ROOM
    cdef int size = e.border_size[p]
    if e.value[2 * v] < 0:
        return False
    if e.border_floors[p] > 1 or e.border_walls[p] == size:
        return put(e, 2 * v + 1, why)
    if e.value[2 * v] == 0:
        return False
    if e.border_floors[p] == 1:
        if e.border_walls[p] < size - 1:
            for k in range(size):
                c = e.border[12 * p + k]
                if e.value[2 * c] == 0:
                    put(e, 2 * c, why)
    elif e.border_walls[p] == size - 1:
        for k in range(size):
            c = e.border[12 * p + k]
            if e.value[2 * c] == 0:
                put(e, 2 * c + 1, why)
    return False


cdef bint check_group(Engine *e, int g) noexcept nogil:
    """Cells that all placements left have in common are floor; a last placement is the one."""
    cdef int p, v, c, r, top, left, bottom, right, last = -1, alive = 0
    cdef int s = e.stride
    cdef int why = (g << 3) | GROUP
    top = left = 0
    bottom = right = END
    for p in range(e.group_start[g], e.group_start[g + 1]):
        v = e.cells + p
        if e.value[2 * v] < 0:
            continue
        alive += 1
        last = p
        r = e.corner[p] / s
        c = e.corner[p] - r * s
        if r > top:
            top = r
        if c > left:
            left = c
        if r < bottom:
            bottom = r
        if c < right:
            right = c
    if alive == 0:
        return clash(e, 2 * (e.cells + e.group_start[g]), why)
    if alive == 1:
        return put(e, 2 * (e.cells + last), why)
    for r in range(top, bottom + 3):
        for c in range(left, right + 3):
            if e.value[2 * (r * s + c)] == 0:
                put(e, 2 * (r * s + c) + 1, why)
    return False


# ---------------------------------------------------------------- propagation

cdef inline void touch(Engine *e, int row, int column) noexcept nogil:
    """The rules beyond single cells must look again at what is near."""
    e.dirty_rows |= <uint64_t>7 << (row - 1)
    e.dirty_columns |= <uint64_t>7 << (column - e.height - 3)


cdef inline void shut(Engine *e, int b) noexcept nogil:
    """One placement less that could hold the block b."""
    e.exempt[b] -= 1
    if e.exempt[b] == 0:
        e.closed_line[e.row_line[b]] |= e.across_bit[b]
        e.closed_line[e.column_line[b]] |= e.down_bit[b]
        touch(e, e.row_line[b], e.column_line[b])


cdef inline void reopen(Engine *e, int b) noexcept nogil:
    if e.exempt[b] == 0:
        e.closed_line[e.row_line[b]] &= ~e.across_bit[b]
        e.closed_line[e.column_line[b]] &= ~e.down_bit[b]
    e.exempt[b] += 1


cdef inline unsigned int open_near(Engine *e, int row, int at) noexcept nogil:
    """The three cells of a row around a column, 1 = open."""
    return <unsigned int>(~(<uint64_t>e.wall_line[row] << 1) >> at) & e.fence[at]


cdef inline bint may_part(Engine *e, int row, int at) noexcept nogil:
    """A new wall may part the region: its neighbours are not joined through the cells around."""
    return PARTING[open_near(e, row - 1, at) << 6 | (open_near(e, row, at) & 5) << 3
                   | open_near(e, row + 1, at)]


cdef inline bint assign_wall(Engine *e, int c) noexcept nogil:
    cdef int s = e.stride, k, p
    cdef int row = e.row_line[c], column = e.column_line[c]
    e.around[c - s] += 1
    e.around[c - 1] += 1
    e.around[c + 1] += 1
    e.around[c + s] += 1
    e.wall_line[row] |= e.across_bit[c]
    e.wall_line[column] |= e.down_bit[c]
    touch(e, row, column)
    if not e.region_dirty:
        e.region_dirty = may_part(e, row, column - e.height - 3)
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
        if put(e, 2 * (e.cells + p) + 1, (p << 3) | ROOM):
            return True
    for k in range(e.beside_start[c], e.beside_start[c + 1]):
        if e.value[2 * (e.cells + e.beside_list[k])] >= 0 and check_border(e, e.beside_list[k]):
            return True
    return False


cdef inline bint assign_floor(Engine *e, int c) noexcept nogil:
    cdef int s = e.stride, k
    cdef int row = e.row_line[c], column = e.column_line[c]
    e.around[c - s] += 8
    e.around[c - 1] += 8
    e.around[c + 1] += 8
    e.around[c + s] += 8
    e.open_count[c] += 1
    e.open_count[c - 1] += 1
    e.open_count[c - s] += 1
    e.open_count[c - s - 1] += 1
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
    # Only a monster asks for few open neighbours.
    if e.kind[c - s] == MONSTER and check_cell(e, c - s):
        return True
    if e.kind[c - 1] == MONSTER and check_cell(e, c - 1):
        return True
    if e.kind[c + 1] == MONSTER and check_cell(e, c + 1):
        return True
    if e.kind[c + s] == MONSTER and check_cell(e, c + s):
        return True
    if check_square(e, c) or check_square(e, c - 1):
        return True
    if check_square(e, c - s) or check_square(e, c - s - 1):
        return True
    if check_line(e, row) or check_line(e, column):
        return True
    for k in range(e.beside_start[c], e.beside_start[c + 1]):
        if e.value[2 * (e.cells + e.beside_list[k])] >= 0 and check_border(e, e.beside_list[k]):
            return True
    return False


cdef bint assign_place(Engine *e, int p, bint chosen) noexcept nogil:
    cdef int s = e.stride, k, c, q
    cdef int corner = e.corner[p], g = e.group_of[p]
    if chosen:
        for k in range(3):
            c = corner + k * s
            if put(e, 2 * c + 1, (p << 3) | ROOM):
                return True
            if put(e, 2 * c + 3, (p << 3) | ROOM):
                return True
            if put(e, 2 * c + 5, (p << 3) | ROOM):
                return True
        for q in range(e.group_start[g], e.group_start[g + 1]):
            if q != p and put(e, 2 * (e.cells + q) + 1, (g << 3) | GROUP):
                return True
        return check_border(e, p)
    shut(e, corner)
    shut(e, corner + 1)
    shut(e, corner + s)
    shut(e, corner + s + 1)
    return (check_square(e, corner) or check_square(e, corner + 1) or check_square(e, corner + s)
            or check_square(e, corner + s + 1) or check_group(e, g))


cdef void undo(Engine *e, int literal) noexcept nogil:
    """Take the counters of a propagated literal back."""
    cdef int s = e.stride, k, row, column, corner
    cdef int c = literal >> 1
    if c >= e.cells:
        if literal & 1:
            corner = e.corner[c - e.cells]
            reopen(e, corner)
            reopen(e, corner + 1)
            reopen(e, corner + s)
            reopen(e, corner + s + 1)
        return
    row = e.row_line[c]
    column = e.column_line[c]
    if literal & 1:
        e.around[c - s] -= 8
        e.around[c - 1] -= 8
        e.around[c + 1] -= 8
        e.around[c + s] -= 8
        e.open_count[c] -= 1
        e.open_count[c - 1] -= 1
        e.open_count[c - s] -= 1
        e.open_count[c - s - 1] -= 1
        e.floors_known -= 1
        e.floor_line[row] &= ~e.across_bit[c]
        e.floor_line[column] &= ~e.down_bit[c]
        for k in range(e.beside_start[c], e.beside_start[c + 1]):
            e.border_floors[e.beside_list[k]] -= 1
    else:
        e.around[c - s] -= 1
        e.around[c - 1] -= 1
        e.around[c + 1] -= 1
        e.around[c + s] -= 1
        e.wall_line[row] &= ~e.across_bit[c]
        e.wall_line[column] &= ~e.down_bit[c]
        for k in range(e.beside_start[c], e.beside_start[c + 1]):
            e.border_walls[e.beside_list[k]] -= 1


cdef bint visit_watches(Engine *e, int literal) noexcept nogil:
    """literal became true: clauses that watch its negation look for another watch."""
    cdef int lost = literal ^ 1
    cdef Watches *list = &e.watches[lost]
    cdef Watch *read = list.items
    cdef Watch *end = list.items + list.size
    cdef Watch *write = list.items
    cdef int *lits
    cdef int k, size, first
    cdef bint conflict = False
    cdef short *value = e.value
    while read < end:
        if value[read.blocker] > 0:
            write[0] = read[0]
            write += 1
            read += 1
            continue
        lits = e.arena + read.clause + HEADER
        size = lits[-HEADER]
        if lits[0] == lost:
            lits[0] = lits[1]
            lits[1] = lost
        first = lits[0]
        if value[first] > 0:
            write.clause = read.clause
            write.blocker = first
            write += 1
            read += 1
            continue
        for k in range(2, size):
            if value[lits[k]] >= 0:
                lits[1] = lits[k]
                lits[k] = lost
                watch(e, lits[1], read.clause, first)
                break
        else:
            write[0] = read[0]
            write += 1
            if put(e, first, (read.clause << 3) | CLAUSE):
                conflict = True
                read += 1
                while read < end:
                    write[0] = read[0]
                    write += 1
                    read += 1
                break
        read += 1
    list.size = <int>(write - list.items)
    return conflict


cdef inline void watch(Engine *e, int literal, int clause, int blocker) noexcept nogil:
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
    """To the fixpoint of every rule. Returns True on a conflict."""
    cdef int literal, v
    cdef bint conflict
    while True:
        while e.head < e.trail_size:
            literal = e.trail[e.head]
            e.head += 1
            e.work += 1
            v = literal >> 1
            if v >= e.cells:
                conflict = assign_place(e, v - e.cells, not literal & 1)
            elif literal & 1:
                conflict = assign_floor(e, v)
            else:
                conflict = assign_wall(e, v)
            if conflict or visit_watches(e, literal):
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
    """The open cell that has been known for longest, or -1."""
    cdef int k, v
    for k in range(e.trail_size):
        v = e.trail[k] >> 1
        if e.trail[k] & 1 and v < e.cells:
            return v
    return -1


cdef inline uint32_t spread(uint32_t seed, uint32_t open) noexcept nogil:
    """All runs of `open` that touch `seed`."""
    cdef uint32_t m = open
    seed &= open
    seed |= open & ((seed << 1) | (seed >> 1))
    # upwards by the carry of an addition, downwards by doubling steps
    seed |= open & ~(open + (seed & ~(seed << 1)))
    m = open
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


cdef bint check_region(Engine *e) noexcept nogil:
    cdef int start = first_floor(e)
    cdef int r, c, why
    cdef uint32_t grown, lost
    cdef bint changed
    cdef uint32_t *reach = e.reach
    if start < 0:
        return False
    e.work += 4
    why = (e.trail_size << 3) | REGION
    for r in range(e.height + 2):
        reach[r] = 0
    r = start / e.stride
    reach[r] = e.across_bit[start]
    reach[r] = spread(reach[r], e.line_full[1] & ~e.wall_line[r])
    while True:
        changed = False
        for r in range(1, e.height + 1):
            grown = reach[r - 1] & ~reach[r] & ~e.wall_line[r]
            if grown:
                reach[r] = spread(reach[r] | grown, e.line_full[1] & ~e.wall_line[r])
                changed = True
        for r in range(e.height, 0, -1):
            grown = reach[r + 1] & ~reach[r] & ~e.wall_line[r]
            if grown:
                reach[r] = spread(reach[r] | grown, e.line_full[1] & ~e.wall_line[r])
                changed = True
        if not changed:
            break
    for r in range(1, e.height + 1):
        lost = e.floor_line[r] & ~reach[r]
        if lost:
            return clash(e, 2 * (r * e.stride + 1 + ctz(lost)), why)
    for r in range(1, e.height + 1):
        lost = e.line_full[1] & ~e.wall_line[r] & ~reach[r]
        while lost:
            c = r * e.stride + 1 + ctz(lost)
            lost &= lost - 1
            put(e, 2 * c, why)
    return False


cdef inline bint was_wall(Engine *e, int c, int limit) noexcept nogil:
    return e.value[2 * c] > 0 and e.position[c] < limit


cdef int cut(Engine *e, int source, int target, int limit, int *out) noexcept nogil:
    """Walls known before `limit` that part source from target.

    The region of the source is filled first; then the target's side is filled through everything,
    walls too: the walls beside the region that it meets first are the cut. Walls of level 0 need no
    mention and stop the second fill.
    """
    cdef int count = 0, n, k, c, d, x
    cdef int s = e.stride
    cdef int *queue = e.queue
    cdef long long inside, edge, passed
    e.mark_now += 3
    inside = e.mark_now
    edge = inside + 1
    passed = inside + 2
    cdef int step[4]
    step[0] = -s
    step[1] = -1
    step[2] = 1
    step[3] = s
    queue[0] = source
    e.mark[source] = inside
    n = 1
    k = 0
    while k < n:
        c = queue[k]
        k += 1
        for d in range(4):
            x = c + step[d]
            if e.mark[x] >= inside:
                continue
            if was_wall(e, x, limit):
                e.mark[x] = edge
            else:
                e.mark[x] = inside
                queue[n] = x
                n += 1
    queue[0] = target
    e.mark[target] = passed
    n = 1
    k = 0
    while k < n:
        c = queue[k]
        k += 1
        for d in range(4):
            x = c + step[d]
            if e.mark[x] == inside or e.mark[x] == passed:
                continue
            if e.value[2 * x] > 0 and e.level[x] == 0:
                continue
            if e.mark[x] == edge:
                out[count] = 2 * x
                count += 1
                e.mark[x] = passed
            else:
                e.mark[x] = passed
                queue[n] = x
                n += 1
    return count


cdef int explain_region(Engine *e, int literal, int limit, int *out) noexcept nogil:
    cdef int c = literal >> 1
    cdef int root = first_floor(e)
    cdef int a, b
    out[0] = 2 * root + 1
    a = cut(e, c, root, limit, out + 1)
    b = cut(e, root, c, limit, out + 1 + a)
    if b < a:
        memcpy(out + 1, out + 1 + a, b * sizeof(int))
        a = b
    return a + 1


# ---------------------------------------------------------------- reasons

cdef inline bint known(Engine *e, int literal, int limit) noexcept nogil:
    return e.value[literal] > 0 and e.position[literal >> 1] < limit


cdef int explain(Engine *e, int why, int literal, int limit, int *out) noexcept nogil:
    """Write the literals that together force `literal`; all were true before `limit`."""
    cdef int kind = why & 7, which = why >> 3
    cdef int v = literal >> 1
    cdef int s = e.stride
    cdef int n = 0, k, p, need
    cdef int *lits
    cdef int ring[4]
    if kind == CLAUSE:
        lits = e.arena + which + HEADER
        for k in range(lits[-HEADER]):
            if lits[k] >> 1 != v:
                out[n] = lits[k] ^ 1
                n += 1
    elif kind == DEGREE:
        ring[0] = which - s
        ring[1] = which - 1
        ring[2] = which + 1
        ring[3] = which + s
        if e.kind[which] == MONSTER and not literal & 1:
            for k in range(4):
                if ring[k] != v and known(e, 2 * ring[k] + 1, limit):
                    out[0] = 2 * ring[k] + 1
                    return 1
        need = 3
        if e.kind[which] != MONSTER and literal & 1:
            out[0] = 2 * which + 1
            n = 1
            need = 2
        for k in range(4):
            if need and ring[k] != v and known(e, 2 * ring[k], limit):
                out[n] = 2 * ring[k]
                n += 1
                need -= 1
    elif kind == SQUARE:
        ring[0] = which
        ring[1] = which + 1
        ring[2] = which + s
        ring[3] = which + s + 1
        for k in range(4):
            if ring[k] != v:
                out[n] = 2 * ring[k] + 1
                n += 1
        ring[1] = which - 1
        ring[2] = which - s
        ring[3] = which - s - 1
        for k in range(4):
            p = e.place_at[ring[k]]
            if p >= 0 and p != v:
                out[n] = 2 * p + 1
                n += 1
    elif kind == LINE and which > e.lines:
        return explain_double(e, which - e.lines, v, limit, out)
    elif kind == LINE:
        return explain_line(e, which, v, literal & 1, limit, out)
    elif kind == ROOM:
        return explain_room(e, which, literal, limit, out)
    elif kind == GROUP:
        if v >= e.cells and literal & 1:
            for p in range(e.group_start[which], e.group_start[which + 1]):
                if p + e.cells != v and known(e, 2 * (p + e.cells), limit):
                    out[0] = 2 * (p + e.cells)
                    return 1
        for p in range(e.group_start[which], e.group_start[which + 1]):
            if p + e.cells != v and not (v < e.cells and covers(e, p, v)):
                out[n] = 2 * (p + e.cells) + 1
                n += 1
    elif kind == REGION:
        return explain_region(e, literal, which, out)
    return n


cdef int explain_line(Engine *e, int i, int v, int floor, int limit, int *out) noexcept nogil:
    """Why the cell v of a line is floor (floor 0: wall); v < 0: why the clue is broken.

    First the walls (floors) known; if they are too few, pairs that hold one each.
    """
    cdef int need = e.line_walls_needed[i] if floor else e.line_floors_needed[i]
    cdef int first = e.line_first[i], step = e.line_step[i], length = e.line_length[i]
    cdef int across = e.stride if step == 1 else 1
    cdef int n = 0, k, c, far, more
    if v < 0:
        need += 1
    c = first
    k = 0
    while need and k < length:
        if c != v and known(e, 2 * c + 1 - floor, limit):
            out[n] = 2 * c + 1 - floor
            n += 1
            need -= 1
        c += step
        k += 1
    k = 0
    while need and k < length - 1:
        c = first + k * step
        k += 1
        if c == v or known(e, 2 * c + 1 - floor, limit):
            continue
        if floor and c + step != v and not known(e, 2 * (c + step), limit):
            more = near_pair(e, c, step, across, limit, out + n)
            if more:
                n += more
                need -= 1
                k += 1
                continue
        far = c + 2 * step
        if k < length - 1 and far != v and not known(e, 2 * far + 1 - floor, limit):
            if floor:
                more = e.kind[c + step] == MONSTER
            else:
                more = far_pair(e, c + step, across, limit, out + n)
                n += more
            if more:
                need -= 1
                k += 2
    return n


cdef int near_pair(Engine *e, int c, int step, int across, int limit, int *out) noexcept nogil:
    """Why c and c + step cannot both be open: two open cells beside them, and no room there."""
    cdef int side, b, k, p, n
    for side in range(2):
        if not side:
            b = c - across
            k = b
        else:
            b = c
            k = c + across
        if not (known(e, 2 * k + 1, limit) and known(e, 2 * (k + step) + 1, limit)):
            continue
        out[0] = 2 * k + 1
        out[1] = 2 * (k + step) + 1
        n = 2
        for k in range(4):
            p = e.place_at[b - (k & 1) - (k >> 1) * e.stride]
            if p >= 0:
                if not known(e, 2 * p + 1, limit):
                    n = 0
                    break
                out[n] = 2 * p + 1
                n += 1
        if n:
            return n
    return 0


cdef int far_pair(Engine *e, int c, int across, int limit, int *out) noexcept nogil:
    """Why the neighbours of c in the line are not both walls: it is open, with walls across."""
    cdef int n = 0
    if not known(e, 2 * c + 1, limit):
        return 0
    if known(e, 2 * (c - across), limit):
        out[0] = 2 * (c - across)
        n = 1
    if known(e, 2 * (c + across), limit) and (n == 0 or e.kind[c] == MONSTER):
        out[n] = 2 * (c + across)
        n += 1
    return 0 if e.kind[c] == MONSTER and n < 2 else n


cdef inline bint covers(Engine *e, int p, int c) noexcept nogil:
    cdef int d = c - e.corner[p]
    cdef int s = e.stride
    return 0 <= d < 3 or s <= d < s + 3 or 2 * s <= d < 2 * s + 3


cdef int explain_room(Engine *e, int p, int literal, int limit, int *out) noexcept nogil:
    cdef int v = literal >> 1, me = 2 * (e.cells + p)
    cdef int size = e.border_size[p]
    cdef int k, c, n = 0, walls = 0
    if v < e.cells:
        out[0] = me
        n = 1
        if literal & 1 and covers(e, p, v):
            return n
        for k in range(size):
            c = e.border[12 * p + k]
            if c == v:
                continue
            if literal & 1:
                out[n] = 2 * c
                n += 1
            elif known(e, 2 * c + 1, limit):
                out[n] = 2 * c + 1
                return n + 1
        return n
    for k in range(3):
        for c in range(e.corner[p] + k * e.stride, e.corner[p] + k * e.stride + 3):
            if known(e, 2 * c, limit):
                out[0] = 2 * c
                return 1
    for k in range(size):
        c = e.border[12 * p + k]
        if known(e, 2 * c, limit):
            walls += 1
        elif known(e, 2 * c + 1, limit):
            out[n] = 2 * c + 1
            n += 1
            if n == 2:
                return n
    n = 0
    for k in range(size):
        out[k] = 2 * e.border[12 * p + k]
    return size


# ---------------------------------------------------------------- order of decisions

cdef inline void sift_up(Engine *e, int v) noexcept nogil:
    cdef int k = e.heap_at[v], parent
    cdef double a = e.activity[v]
    while k:
        parent = (k - 1) >> 1
        if e.activity[e.heap[parent]] >= a:
            break
        e.heap[k] = e.heap[parent]
        e.heap_at[e.heap[k]] = k
        k = parent
    e.heap[k] = v
    e.heap_at[v] = k


cdef inline void sift_down(Engine *e, int v) noexcept nogil:
    cdef int k = e.heap_at[v], child
    cdef double a = e.activity[v]
    while True:
        child = 2 * k + 1
        if child >= e.heap_size:
            break
        if child + 1 < e.heap_size and e.activity[e.heap[child + 1]] > e.activity[e.heap[child]]:
            child += 1
        if e.activity[e.heap[child]] <= a:
            break
        e.heap[k] = e.heap[child]
        e.heap_at[e.heap[k]] = k
        k = child
    e.heap[k] = v
    e.heap_at[v] = k


cdef inline void heap_insert(Engine *e, int v) noexcept nogil:
    if e.heap_at[v] < 0:
        e.heap_at[v] = e.heap_size
        e.heap[e.heap_size] = v
        e.heap_size += 1
        sift_up(e, v)


cdef inline int heap_pop(Engine *e) noexcept nogil:
    cdef int top = e.heap[0]
    e.heap_at[top] = -1
    e.heap_size -= 1
    if e.heap_size:
        e.heap_at[e.heap[e.heap_size]] = 0
        sift_down(e, e.heap[e.heap_size])
    return top


cdef inline void bump(Engine *e, int v) noexcept nogil:
    cdef int k
    e.activity[v] += e.bump
    if e.activity[v] > 1e100:
        for k in range(e.variables):
            e.activity[k] *= 1e-100
        e.bump *= 1e-100
    if e.heap_at[v] >= 0:
        sift_up(e, v)


cdef void backtrack(Engine *e, int depth) noexcept nogil:
    cdef int start, k, literal, v
    if depth >= e.depth:
        return
    start = e.level_start[depth + 1]
    for k in range(e.trail_size - 1, start - 1, -1):
        literal = e.trail[k]
        v = literal >> 1
        if k < e.head:
            undo(e, literal)
        e.value[literal] = 0
        e.value[literal ^ 1] = 0
        e.phase[v] = literal & 1
        heap_insert(e, v)
    e.trail_size = start
    if e.head > start:
        e.head = start
    e.depth = depth
    # the flood of the shorter trail was done when that level was at its fixpoint
    e.region_dirty = False
    e.dirty_rows = 0
    e.dirty_columns = 0


cdef inline void decide(Engine *e, int literal) noexcept nogil:
    e.depth += 1
    e.level_start[e.depth] = e.trail_size
    e.flipped[e.depth] = False
    put(e, literal, FREE)


# ---------------------------------------------------------------- conflict analysis

cdef inline void see(Engine *e, int literal, int *open_count) noexcept nogil:
    cdef int v = literal >> 1
    if e.seen[v] or e.level[v] == 0:
        return
    e.seen[v] = 1
    e.touched[e.touched_size] = v
    e.touched_size += 1
    bump(e, v)
    if e.level[v] == e.depth:
        open_count[0] += 1
    else:
        e.clause[e.clause_size] = literal ^ 1
        e.clause_size += 1


cdef bint redundant(Engine *e, int literal, uint32_t levels, int depth) noexcept nogil:
    """literal (true) follows from other literals of the clause."""
    cdef int v = literal >> 1, start = e.why_size, n, k, q
    cdef bint good = True
    if e.reason[v] == FREE or depth > 12 or start + 3 * e.variables > e.why_room:
        return False
    n = explain(e, e.reason[v], literal, e.position[v], e.why + start)
    e.why_size += n
    for k in range(start, start + n):
        q = e.why[k] >> 1
        if e.level[q] == 0 or e.seen[q] == 1 or e.seen[q] == 2:
            continue
        good = (e.seen[q] != 3 and levels >> (e.level[q] & 31) & 1
                and redundant(e, e.why[k], levels, depth + 1))
        if not good:
            break
    e.why_size = start
    if e.seen[v] == 0:
        e.seen[v] = 2 if good else 3
        e.touched[e.touched_size] = v
        e.touched_size += 1
    return good


cdef int analyse(Engine *e) noexcept nogil:
    """First unique implication point: the clause in e.clause, the level to go back to returned.

    -1: the conflict needs no decision.
    """
    cdef int n, k, literal, v, top = 0, open_count = 0, index, kept, back
    cdef uint32_t levels = 0
    if e.conflict_reason == FREE:
        n = e.given_size
        memcpy(e.why, e.given, n * sizeof(int))
    else:
        n = explain(e, e.conflict_reason, e.conflict_literal, END, e.why)
        e.why[n] = e.conflict_literal ^ 1
        n += 1
    for k in range(n):
        v = e.why[k] >> 1
        if e.level[v] > top:
            top = e.level[v]
    if top < e.depth:
        backtrack(e, top)
    if top == 0:
        return -1
    e.clause_size = 1
    e.touched_size = 0
    index = e.trail_size
    while True:
        for k in range(n):
            see(e, e.why[k], &open_count)
        while True:
            index -= 1
            literal = e.trail[index]
            if e.seen[literal >> 1] and e.level[literal >> 1] == e.depth:
                break
        open_count -= 1
        if open_count == 0:
            break
        v = literal >> 1
        n = explain(e, e.reason[v], literal, index, e.why)
    e.clause[0] = literal ^ 1
    for k in range(1, e.clause_size):
        levels |= <uint32_t>1 << (e.level[e.clause[k] >> 1] & 31)
    e.why_size = 0
    kept = 1
    for k in range(1, e.clause_size):
        if not redundant(e, e.clause[k] ^ 1, levels, 0):
            e.clause[kept] = e.clause[k]
            kept += 1
    e.clause_size = kept
    for k in range(e.touched_size):
        e.seen[e.touched[k]] = 0
    back = 0
    for k in range(1, kept):
        v = e.clause[k] >> 1
        if e.level[v] > back:
            back = e.level[v]
            literal = e.clause[k]
            e.clause[k] = e.clause[1]
            e.clause[1] = literal
    return back


cdef int count_levels(Engine *e) noexcept nogil:
    cdef int k, n = 0, level
    e.stamp_now += 1
    for k in range(e.clause_size):
        level = e.level[e.clause[k] >> 1]
        if e.stamp[level] != e.stamp_now:
            e.stamp[level] = e.stamp_now
            n += 1
    return n


cdef int store(Engine *e, int quality) noexcept nogil:
    """Put e.clause into the arena, watch its first two literals."""
    cdef int at = e.arena_size, need = HEADER + e.clause_size
    cdef int *grown
    if at + need > e.arena_room:
        grown = <int *>realloc(e.arena, sizeof(int) * (2 * e.arena_room + need))
        if grown == NULL:
            e.failed = True
            return 0
        e.arena = grown
        e.arena_room = 2 * e.arena_room + need
    e.arena[at] = e.clause_size
    e.arena[at + 1] = quality
    memcpy(e.arena + at + HEADER, e.clause, sizeof(int) * e.clause_size)
    e.arena_size += need
    watch(e, e.clause[0], at, e.clause[1])
    watch(e, e.clause[1], at, e.clause[0])
    return at


cdef void reduce(Engine *e) noexcept nogil:
    """Forget the worse half of the learned clauses; move the others together."""
    cdef int at, to = 0, size, k, v, quality, cutoff = 0, half, seen_so_far = 0
    cdef int histogram[64]
    cdef bint locked
    memset(histogram, 0, sizeof(histogram))
    at = 0
    while at < e.arena_size:
        quality = e.arena[at + 1]
        histogram[quality if quality < 63 else 63] += 1
        at += HEADER + e.arena[at]
    half = e.learned / 2
    cutoff = 0
    while cutoff < 63 and seen_so_far + histogram[cutoff] <= half:
        seen_so_far += histogram[cutoff]
        cutoff += 1
    # clauses of quality < cutoff stay; of the others the newest stay until half is full
    half = (e.learned - half)  # how many may go
    for k in range(2 * e.variables):
        e.watches[k].size = 0
    at = 0
    e.learned = 0
    while at < e.arena_size:
        size = HEADER + e.arena[at]
        quality = e.arena[at + 1]
        v = e.arena[at + HEADER] >> 1
        locked = e.value[e.arena[at + HEADER]] > 0 and e.reason[v] == (at << 3 | CLAUSE)
        if quality > 2 and quality >= cutoff and half > 0 and not locked:
            half -= 1
        else:
            if quality:
                e.learned += 1
            if to != at:
                for k in range(size):
                    e.arena[to + k] = e.arena[at + k]
            if locked:
                e.reason[v] = to << 3 | CLAUSE
            watch(e, e.arena[to + HEADER], to, e.arena[to + HEADER + 1])
            watch(e, e.arena[to + HEADER + 1], to, e.arena[to + HEADER])
            to += size
        at += size
    e.arena_size = to


cdef bint learn(Engine *e) noexcept nogil:
    """After a conflict: learn, go back, go on. Returns False when the search is exhausted."""
    cdef int back, at, quality
    e.conflicts += 1
    e.work += 20
    if e.chronological and e.depth <= e.barrier:
        return advance(e)
    back = analyse(e)
    if back < 0:
        return False
    if e.chronological and e.depth <= e.barrier:
        return advance(e)
    quality = count_levels(e)
    if e.chronological and back < e.barrier:
        back = e.barrier
    backtrack(e, back)
    e.bump *= 1.25
    if e.clause_size == 1:
        put(e, e.clause[0], FREE)
        e.level[e.clause[0] >> 1] = 0
        return True
    at = store(e, quality)
    e.learned += 1
    put(e, e.clause[0], (at << 3) | CLAUSE)
    return True


# ---------------------------------------------------------------- the search

cdef bint advance(Engine *e) noexcept nogil:
    """Chronological mode: the branch of the deepest decision is done, take its other side."""
    cdef int literal
    while e.depth and e.flipped[e.depth]:
        backtrack(e, e.depth - 1)
    if e.depth == 0:
        return False
    literal = e.trail[e.level_start[e.depth]]
    backtrack(e, e.depth - 1)
    decide(e, literal ^ 1)
    e.flipped[e.depth] = True
    e.barrier = e.depth
    return True


cdef void record(Engine *e) noexcept nogil:
    cdef int r, c, bit
    cdef uint8_t *board
    cdef uint8_t *grown
    if not e.keep:
        e.found += 1
        return
    if e.found == e.solutions_room:
        grown = <uint8_t *>realloc(e.solutions, e.solution_bytes * (2 * e.solutions_room + 2))
        if grown == NULL:
            e.failed = True
            return
        e.solutions = grown
        e.solutions_room = 2 * e.solutions_room + 2
    board = e.solutions + e.solution_bytes * e.found
    memset(board, 0, e.solution_bytes)
    for r in range(e.height):
        for c in range(e.width):
            if e.wall_line[r + 1] >> c & 1:
                bit = r * e.width + c
                board[bit >> 3] |= 1 << (bit & 7)
    e.found += 1


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
    e.clause_size = 0
    for k in range(e.depth, 0, -1):
        e.clause[e.clause_size] = e.trail[e.level_start[k]] ^ 1
        e.clause_size += 1
    backtrack(e, e.depth - 1)
    if e.clause_size == 1:
        put(e, e.clause[0], FREE)
    else:
        at = store(e, 0)
        put(e, e.clause[0], (at << 3) | CLAUSE)
    return True


cdef uint64_t luby(uint64_t i) noexcept nogil:
    cdef uint64_t k
    while True:
        k = 1
        while (<uint64_t>1 << k) - 1 < i + 1:
            k += 1
        if (<uint64_t>1 << k) - 1 == i + 1:
            return <uint64_t>1 << (k - 1)
        i -= (<uint64_t>1 << (k - 1)) - 1


cdef int run(Engine *e, uint64_t budget) noexcept nogil:
    """The main loop, until the search ends or `budget` units of work are done."""
    cdef uint64_t stop = e.work + budget
    cdef bint conflict
    cdef int v
    while True:
        conflict = propagate(e)
        if e.failed:
            return NO_MEMORY
        if conflict:
            if not learn(e):
                return EXHAUSTED
            if e.work > stop:
                return RUNNING
            continue
        if e.conflicts >= e.restart_at and not e.chronological:
            e.restart_count += 1
            e.restart_at = e.conflicts + RESTART * luby(e.restart_count)
            backtrack(e, 0)
            continue
        if e.learned >= e.learned_limit:
            reduce(e)
            if e.learned_limit < LEARNED_LIMIT:
                e.learned_limit += e.learned_limit / 8
        v = -1
        while e.heap_size:
            v = heap_pop(e)
            if e.value[2 * v] == 0:
                break
            v = -1
        if v < 0:
            record(e)
            if e.failed:
                return NO_MEMORY
            e.work += 50
            if e.found == e.limit:
                return STOPPED
            if not go_on(e):
                return EXHAUSTED
        else:
            if e.max_nodes and e.decisions + 1 >= e.max_nodes:
                return STOPPED
            e.decisions += 1
            decide(e, 2 * v + e.phase[v])
        if e.work > stop:
            return RUNNING

# ---------------------------------------------------------------- setting up

cdef inline bint bit_of(const uint8_t *mask, int bit) noexcept nogil:
    return mask[bit >> 3] >> (bit & 7) & 1


cdef inline char *take(char *base, size_t *at, size_t count, size_t size) noexcept nogil:
    """The next array of the block, on a multiple of eight bytes."""
    cdef char *start = base + at[0]
    at[0] += (count * size + 7) & ~<size_t>7
    return start


cdef size_t layout(Engine *e, char *base) noexcept nogil:
    """Cut the one block of memory into arrays (or, base NULL, only add up their sizes)."""
    cdef size_t at = 0
    cdef int cells = e.cells, places = e.places, variables = e.variables, lines = e.lines
    e.activity = <double *>take(base, &at, variables, sizeof(double))
    e.stamp = <long long *>take(base, &at, variables + 1, sizeof(long long))
    e.mark = <long long *>take(base, &at, cells, sizeof(long long))
    e.watches = <Watches *>take(base, &at, 2 * variables, sizeof(Watches))
    e.level = <int *>take(base, &at, variables, sizeof(int))
    e.reason = <int *>take(base, &at, variables, sizeof(int))
    e.position = <int *>take(base, &at, variables, sizeof(int))
    e.trail = <int *>take(base, &at, variables, sizeof(int))
    e.level_start = <int *>take(base, &at, variables + 1, sizeof(int))
    e.row_line = <int *>take(base, &at, cells, sizeof(int))
    e.column_line = <int *>take(base, &at, cells, sizeof(int))
    e.around = <int *>take(base, &at, cells, sizeof(int))
    e.line_first = <int *>take(base, &at, lines, sizeof(int))
    e.line_step = <int *>take(base, &at, lines, sizeof(int))
    e.line_length = <int *>take(base, &at, lines, sizeof(int))
    e.line_walls_needed = <int *>take(base, &at, lines, sizeof(int))
    e.line_floors_needed = <int *>take(base, &at, lines, sizeof(int))
    e.line_full = <uint32_t *>take(base, &at, lines, sizeof(uint32_t))
    e.wall_line = <uint32_t *>take(base, &at, lines, sizeof(uint32_t))
    e.floor_line = <uint32_t *>take(base, &at, lines, sizeof(uint32_t))
    e.monster_line = <uint32_t *>take(base, &at, lines, sizeof(uint32_t))
    e.closed_line = <uint32_t *>take(base, &at, lines, sizeof(uint32_t))
    e.across_bit = <uint32_t *>take(base, &at, cells, sizeof(uint32_t))
    e.down_bit = <uint32_t *>take(base, &at, cells, sizeof(uint32_t))
    e.given = <int *>take(base, &at, variables, sizeof(int))
    e.corner = <int *>take(base, &at, places + 1, sizeof(int))
    e.group_of = <int *>take(base, &at, places + 1, sizeof(int))
    e.group_start = <int *>take(base, &at, e.groups + 1, sizeof(int))
    e.border = <int *>take(base, &at, 12 * places, sizeof(int))
    e.border_size = <int *>take(base, &at, places, sizeof(int))
    e.border_walls = <int *>take(base, &at, places, sizeof(int))
    e.border_floors = <int *>take(base, &at, places, sizeof(int))
    e.inside_start = <int *>take(base, &at, cells + 1, sizeof(int))
    e.inside_list = <int *>take(base, &at, 9 * places, sizeof(int))
    e.beside_start = <int *>take(base, &at, cells + 1, sizeof(int))
    e.beside_list = <int *>take(base, &at, 12 * places, sizeof(int))
    e.place_at = <int *>take(base, &at, cells, sizeof(int))
    e.reach = <uint32_t *>take(base, &at, e.height + 2, sizeof(uint32_t))
    e.heap = <int *>take(base, &at, variables, sizeof(int))
    e.heap_at = <int *>take(base, &at, variables, sizeof(int))
    e.touched = <int *>take(base, &at, variables, sizeof(int))
    e.clause = <int *>take(base, &at, variables, sizeof(int))
    e.why_room = 16 * variables
    e.why = <int *>take(base, &at, e.why_room, sizeof(int))
    e.queue = <int *>take(base, &at, cells, sizeof(int))
    e.value = <short *>take(base, &at, 2 * variables, sizeof(short))
    e.kind = <short *>take(base, &at, cells, sizeof(short))
    e.open_count = <short *>take(base, &at, cells, sizeof(short))
    e.exempt = <short *>take(base, &at, cells, sizeof(short))
    e.phase = <short *>take(base, &at, variables, sizeof(short))
    e.seen = <short *>take(base, &at, variables, sizeof(short))
    e.flipped = <short *>take(base, &at, variables + 1, sizeof(short))
    return at


cdef bint is_room(int height, int width, const uint8_t *monsters, const uint8_t *treasures, int r,
                  int c) noexcept nogil:
    """The 3x3 square at (r, c) has one treasure, no monster, and none on its border."""
    cdef int i, j, bit, found = 0
    if r < 0 or c < 0 or r + 3 > height or c + 3 > width:
        return False
    for i in range(r - 1, r + 4):
        for j in range(c - 1, c + 4):
            if i < 0 or j < 0 or i >= height or j >= width:
                continue
            if (i == r - 1 or i == r + 3) and (j == c - 1 or j == c + 3):
                continue
            bit = i * width + j
            if bit_of(monsters, bit):
                return False
            if r <= i < r + 3 and c <= j < c + 3 and bit_of(treasures, bit):
                found += 1
    return found == 1


cdef bint set_up(Engine *e, const int *clues, const uint8_t *monsters, const uint8_t *treasures,
                 const uint8_t *walls, const uint8_t *floors) noexcept nogil:
    """Fill the arrays, state what is known from the start. True when that is a contradiction."""
    cdef int height = e.height, width = e.width, s = e.stride
    cdef int r, c, i, j, k, p, g, x, bit
    cdef bint wrong = False
    for c in range(e.cells):
        e.value[2 * c] = 1
        e.value[2 * c + 1] = -1
        e.position[c] = -1
        e.place_at[c] = -1
    for r in range(height):
        i = r + 1
        e.line_first[i] = (r + 1) * s + 1
        e.line_step[i] = 1
        e.line_length[i] = width
    for c in range(width):
        i = height + 3 + c
        e.line_first[i] = s + 1 + c
        e.line_step[i] = s
        e.line_length[i] = height
    for i in range(e.lines):
        k = clues[i] if e.line_length[i] else -1
        e.line_walls_needed[i] = k if k >= 0 else NEVER
        e.line_floors_needed[i] = e.line_length[i] - k if k >= 0 else NEVER
        # the margins are walls
        if e.line_length[i]:
            e.line_full[i] = <uint32_t>0xFFFFFFFF >> (32 - e.line_length[i])
        else:
            e.wall_line[i] = 0xFFFFFFFF
    for r in range(height):
        for c in range(width):
            x = (r + 1) * s + 1 + c
            bit = r * width + c
            e.kind[x] = MONSTER if bit_of(monsters, bit) else PLAIN
            e.value[2 * x] = e.value[2 * x + 1] = 0
            e.row_line[x] = r + 1
            e.column_line[x] = height + 3 + c
            e.across_bit[x] = <uint32_t>1 << c
            e.down_bit[x] = <uint32_t>1 << r
            if bit_of(monsters, bit):
                e.monster_line[r + 1] |= e.across_bit[x]
                e.monster_line[height + 3 + c] |= e.down_bit[x]
            e.around[x] = (r == 0) + (r == height - 1) + (c == 0) + (c == width - 1)
            e.phase[x] = 0
    for c in range(width):
        e.fence[c] = (6 if c == 0 else 7) & (3 if c == width - 1 else 7)
    # placements, treasure by treasure
    p = g = 0
    for r in range(height):
        for c in range(width):
            if not bit_of(treasures, r * width + c):
                continue
            e.group_start[g] = p
            for i in range(r - 2, r + 1):
                for j in range(c - 2, c + 1):
                    if is_room(height, width, monsters, treasures, i, j):
                        x = (i + 1) * s + 1 + j
                        e.corner[p] = x
                        e.group_of[p] = g
                        e.place_at[x] = e.cells + p
                        for k in range(3):
                            add_border(e, p, x - s + k)
                            add_border(e, p, x + 3 * s + k)
                            add_border(e, p, x + k * s - 1)
                            add_border(e, p, x + k * s + 3)
                        e.exempt[x] += 1
                        e.exempt[x + 1] += 1
                        e.exempt[x + s] += 1
                        e.exempt[x + s + 1] += 1
                        e.phase[e.cells + p] = 0
                        p += 1
            g += 1
    e.group_start[g] = p
    index_places(e)
    for r in range(height):
        for c in range(width):
            x = (r + 1) * s + 1 + c
            if e.exempt[x] == 0:
                e.closed_line[r + 1] |= e.across_bit[x]
                e.closed_line[height + 3 + c] |= e.down_bit[x]
    for k in range(e.cells):
        e.heap_at[k] = -1
    for k in range(e.cells, e.variables):
        e.heap_at[k] = -1
        e.activity[k] = 10
        heap_insert(e, k)
    for r in range(height):
        for c in range(width):
            x = (r + 1) * s + 1 + c
            e.activity[x] = 0.15 * (abs(2 * r + 1 - height) + abs(2 * c + 1 - width))
            heap_insert(e, x)
    # what is known
    for r in range(height):
        for c in range(width):
            x = (r + 1) * s + 1 + c
            bit = r * width + c
            if bit_of(monsters, bit) or bit_of(treasures, bit) or bit_of(floors, bit):
                wrong |= put(e, 2 * x + 1, FREE)
            if bit_of(walls, bit):
                wrong |= put(e, 2 * x, FREE)
    if wrong:
        return True
    for x in range(e.cells):
        if e.kind[x] != MARGIN and check_cell(e, x):
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


cdef void add_border(Engine *e, int p, int x) noexcept nogil:
    if e.kind[x] != MARGIN:
        e.border[12 * p + e.border_size[p]] = x
        e.border_size[p] += 1


cdef void index_places(Engine *e) noexcept nogil:
    """For each cell the placements that hold it, and those that have it on their border."""
    cdef int p, k, c, n
    for p in range(e.places):
        for k in range(9):
            e.inside_start[e.corner[p] + k / 3 * e.stride + k % 3 + 1] += 1
        for k in range(e.border_size[p]):
            e.beside_start[e.border[12 * p + k] + 1] += 1
    for c in range(e.cells):
        e.inside_start[c + 1] += e.inside_start[c]
        e.beside_start[c + 1] += e.beside_start[c]
    # fill from the back: the starts move down to their place
    for p in range(e.places):
        for k in range(9):
            c = e.corner[p] + k / 3 * e.stride + k % 3
            n = e.inside_start[c]
            e.inside_list[n + e.mark[c]] = p
            e.mark[c] += 1
    memset(e.mark, 0, sizeof(long long) * e.cells)
    for p in range(e.places):
        for k in range(e.border_size[p]):
            c = e.border[12 * p + k]
            e.beside_list[e.beside_start[c] + e.mark[c]] = p
            e.mark[c] += 1
    memset(e.mark, 0, sizeof(long long) * e.cells)


cdef void release(Engine *e) noexcept nogil:
    cdef int k
    if e.block != NULL:
        for k in range(2 * e.variables):
            free(e.watches[k].items)
    free(e.block)
    free(e.arena)
    free(e.solutions)


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
    cdef Engine e
    cdef int clues[68]
    cdef int k, r, c, status = RUNNING
    cdef uint64_t n
    cdef int size = (height * width + 7) // 8
    cdef bytes m = monsters.to_bytes(size, "little")
    cdef bytes t = treasures.to_bytes(size, "little")
    cdef bytes w = walls.to_bytes(size, "little")
    cdef bytes f = floors.to_bytes(size, "little")
    cdef const uint8_t *mp = m
    cdef const uint8_t *tp = t
    cdef const uint8_t *wp = w
    cdef const uint8_t *fp = f
    for k in range(height):
        clues[k + 1] = rows[k]
    for k in range(width):
        clues[height + 3 + k] = columns[k]
    memset(&e, 0, sizeof(Engine))
    e.height = height
    e.width = width
    e.stride = width + 1
    e.cells = (height + 2) * e.stride + 2
    e.lines = height + width + 4
    e.limit = limit
    e.max_nodes = max_nodes
    e.bump = 1.0
    e.mark_now = 1
    e.restart_at = RESTART
    e.learned_limit = FIRST_LEARNED_LIMIT
    e.solution_bytes = size
    e.keep = keep
    try:
        for r in range(height):
            for c in range(width):
                if bit_of(tp, r * width + c):
                    e.groups += 1
        if e.groups:
            for r in range(height - 2):
                for c in range(width - 2):
                    e.places += is_room(height, width, mp, tp, r, c)
        e.variables = e.cells + e.places
        e.block = <char *>calloc(layout(&e, NULL), 1)
        e.arena_room = 4096
        e.arena = <int *>malloc(sizeof(int) * e.arena_room)
        if e.block == NULL or e.arena == NULL:
            raise MemoryError
        layout(&e, e.block)
        with nogil:
            if set_up(&e, clues, mp, tp, wp, fp):
                status = EXHAUSTED
        while status == RUNNING and not (stop is not None and stop[0]):
            with nogil:
                status = run(&e, WORK_PER_POLL)
            PyErr_CheckSignals()
        if status == NO_MEMORY:
            raise MemoryError
        found = e.found if not keep else tuple([
            int.from_bytes(e.solutions[n * size:(n + 1) * size], "little") for n in range(e.found)
        ])
        return found, e.decisions + 1, status == EXHAUSTED
    finally:
        release(&e)
