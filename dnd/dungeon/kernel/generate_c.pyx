# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Layouts of new dungeons, compiled.

`generate_py` says what a layout is and how one is drawn, step by step; this is the same, written
separately for speed. Both draw the same random numbers in the same order, so that a seed gives the
same layout everywhere: whoever changes one must change both, and changes all puzzles ever named.

Cells lie in rows of width + 1, with a margin that is wall for ever, so that no neighbour needs a
test; the margin's column serves as the right edge of one row and the left edge of the next:

    index = (r + 1) * (width + 1) + 1 + c          m m m m
                                                   m 0 1 2       neighbours: - stride, - 1,
                                                   m 3 4 5                   + 1, + stride
                                                   m m m m m
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from dnd.kernels.bits cimport mixed

cdef enum:
    LONGEST = 32
    CELLS = LONGEST * LONGEST
    BYTES = CELLS / 8
    SIZE = (LONGEST + 2) * (LONGEST + 1) + 1
    STEPS = 30                    # changes tried, for each cell
    SOLID = 16                    # cells that excuse one more 2x2 square of walls than wanted
    ORBIT = 4                     # most cells that a symmetry moves to each other

# What a cell is fixed to be. The odd ones, 1 and 3, are what no other room may lie beside.
#
#       . B B B .
#       B R R R B
#       B R R R E      R room   B border: wall for ever   E entrance   . free
#       B R R R B
#       . B B B .
cdef enum Mark:
    FREE, ROOM, BORDER, ENTRANCE

# Thresholds of 32 bits: what makes a layout worse by k is accepted with probability 0.4 ** k.
cdef uint64_t ACCEPT[8]
ACCEPT[:] = [4294967296, 1717986918, 687194767, 274877906, 109951162, 43980465, 17592186, 7036874]

# A layout that is being drawn. All arrays of SIZE have a place for each cell and for the margin around the board.
cdef struct Layout:
    int height
    int width
    int stride
    int cells
    uint64_t state                # of the random numbers
    int index[CELLS]              # of each cell of the board, row by row
    uint8_t open[SIZE]            # 1 for open cells
    uint8_t wall[SIZE]            # 1 for walls of the board: the margin is none
    uint8_t mark[SIZE]            # a Mark; the margin is BORDER
    uint8_t seen[SIZE]            # by the last flood
    int orbit[SIZE][ORBIT]        # the cells that the symmetry moves to each other, this one first
    int orbit_size[SIZE]
    int free[CELLS]               # the first cells of the orbits that are free
    int free_size
    int walls                     # as they are
    int ends
    int loops                     # that are not within a room
    int blocks                    # 2x2 squares of walls
    int want_walls                # as they should be
    int want_ends
    int want_loops
    int want_blocks               # at most
    int treasure[CELLS]           # their cells, one a room
    int rooms


# --- random numbers: splitmix64 -------------------------------------------------------------------

cdef inline uint64_t draw(Layout* t) noexcept nogil:
    """32 random bits."""
    t.state += <uint64_t>0x9e3779b97f4a7c15
    return mixed(t.state) >> 32


cdef inline int below(Layout* t, int bound) noexcept nogil:
    """A random number from 0 to bound - 1."""
    return <int>(draw(t) * <uint64_t>bound >> 32)


cdef int pick(Layout* t, tuple choices):
    """One of some numbers."""
    return choices[below(t, <int>len(choices))]


# --- the board ------------------------------------------------------------------------------------

cdef inline int degree(const Layout* t, int x) noexcept nogil:
    """The number of open neighbours."""
    return t.open[x - 1] + t.open[x + 1] + t.open[x - t.stride] + t.open[x + t.stride]


cdef inline int squares(const Layout* t, const uint8_t* cells, int x) noexcept nogil:
    """How many 2x2 squares around a cell have their other three cells in `cells`."""
    cdef int up = x - t.stride, down = x + t.stride
    return ((cells[x - 1] & cells[up] & cells[up - 1]) + (cells[x + 1] & cells[up] & cells[up + 1])
            + (cells[x - 1] & cells[down] & cells[down - 1])
            + (cells[x + 1] & cells[down] & cells[down + 1]))


cdef inline bint is_wide(const Layout* t, int x) noexcept nogil:
    """Whether a cell, if it is open, is in a 2x2 of open cells."""
    return squares(t, t.open, x) > 0


cdef int flood(Layout* t, int start) noexcept nogil:
    """Mark as seen the open cells that are connected with an open cell; their number."""
    cdef int queue[CELLS]
    cdef int done = 0, number = 1, x, k
    cdef int[4] step
    step[0] = -1
    step[1] = 1
    step[2] = -t.stride
    step[3] = t.stride
    memset(t.seen, 0, SIZE)
    queue[0] = start
    t.seen[start] = 1
    while done < number:
        for k in range(4):
            x = queue[done] + step[k]
            if t.open[x] and not t.seen[x]:
                t.seen[x] = 1
                queue[number] = x
                number += 1
        done += 1
    return number


cdef bint is_connected(Layout* t) noexcept nogil:
    """Whether all open cells are connected, and there are some."""
    cdef int i
    for i in range(t.cells):
        if t.open[t.index[i]]:
            return flood(t, t.index[i]) == t.cells - t.walls
    return False


cdef void flip(Layout* t, int x) noexcept nogil:
    """Turn a wall into an open cell or the other way round, and keep the counts."""
    cdef int now = degree(t, x), k, y
    cdef int sign = -1 if t.open[x] else 1
    cdef int[4] step
    step[0] = -1
    step[1] = 1
    step[2] = -t.stride
    step[3] = t.stride
    for k in range(4):
        y = x + step[k]
        if t.open[y]:
            # its degree is going from d to d + sign
            t.ends += (degree(t, y) + sign == 1) - (degree(t, y) == 1)
    t.open[x] ^= 1
    t.wall[x] ^= 1
    t.blocks -= sign * squares(t, t.wall, x)
    t.ends += sign * (now == 1)
    t.walls -= sign
    t.loops += sign * (now - 1)


cdef void flip_orbit(Layout* t, int x) noexcept nogil:
    """Turn a cell and those that the symmetry makes of it."""
    cdef int k
    for k in range(t.orbit_size[x]):
        flip(t, t.orbit[x][k])


cdef bint is_entrance_shut(const Layout* t, int x) noexcept nogil:
    """Whether a wall leaves an entrance beside it without a way out."""
    cdef int s = t.stride
    return (t.mark[x - 1] == ENTRANCE and degree(t, x - 1) < 2
            or t.mark[x + 1] == ENTRANCE and degree(t, x + 1) < 2
            or t.mark[x - s] == ENTRANCE and degree(t, x - s) < 2
            or t.mark[x + s] == ENTRANCE and degree(t, x + s) < 2)


# --- rooms ----------------------------------------------------------------------------------------

cdef bint has_space(const Layout* t, int x) noexcept nogil:
    """Whether a room may lie around x: on free cells, and no other room or entrance beside it."""
    cdef int i, j, y
    for i in range(-1, 2):
        for j in range(-1, 2):
            y = x + i * t.stride + j
            if t.mark[y] != FREE:
                return False
    for i in range(-1, 2):
        if (t.mark[x - 2 * t.stride + i] & 1 or t.mark[x + 2 * t.stride + i] & 1
                or t.mark[x + i * t.stride - 2] & 1 or t.mark[x + i * t.stride + 2] & 1):
            return False
    return True


cdef int border_cell(const Layout* t, int x, int k) noexcept nogil:
    """Cell k of the 12 around the room whose middle is x."""
    cdef int along = k % 3 - 1, side = k // 3
    if side < 2:
        return x + (4 * side - 2) * t.stride + along
    return x + along * t.stride + 4 * side - 10


cdef int edges(const Layout* t, int x) noexcept nogil:
    """How many edges of the board a room lies against."""
    cdef int k, number = 0
    for k in range(1, 12, 3):
        number += not t.wall[border_cell(t, x, k)]
    return number


cdef bint mark_room(Layout* t, int x) noexcept nogil:
    """Mark a room around x and its border."""
    cdef int i, j
    if not has_space(t, x):
        return False
    for i in range(-1, 2):
        for j in range(-1, 2):
            t.mark[x + i * t.stride + j] = ROOM
    for i in range(12):
        t.mark[border_cell(t, x, i)] = BORDER
    return True


cdef bint has_way_out(const Layout* t, int x) noexcept nogil:
    """Whether a cell beside x is free."""
    return (t.mark[x - 1] == FREE or t.mark[x + 1] == FREE
            or t.mark[x - t.stride] == FREE or t.mark[x + t.stride] == FREE)


cdef bint place_room(Layout* t, int most) noexcept nogil:
    """Place a room, and those that the symmetry makes of it, at most so many; False if that fails."""
    cdef uint8_t before[SIZE]
    cdef int found[3 * CELLS]     # a room at an edge is as likely as two others, in a corner as three
    cdef int number = 0, x, y, n, i, k
    # The room's middle, of all places where one fits.
    for i in range(t.cells):
        x = t.index[i]
        if t.orbit_size[x] <= most and has_space(t, x):
            n = 1 + edges(t, x)
            for k in range(n):
                found[number + k] = x
            number += n
    if number == 0:
        return False
    x = found[below(t, number)]
    n = t.orbit_size[x]
    memcpy(before, t.mark, SIZE)
    for i in range(n):
        if not mark_room(t, t.orbit[x][i]):
            return False
    # The entrance: a border cell from which a way may lead on, moved along with the room by the symmetry.
    number = 0
    for i in range(12):
        y = border_cell(t, x, i)
        if before[y] == FREE and t.orbit_size[y] == n and has_way_out(t, y):
            found[number] = y
            number += 1
    if number == 0:
        return False
    y = found[below(t, number)]
    for i in range(n):
        t.mark[t.orbit[y][i]] = ENTRANCE
    # The treasure, likewise.
    number = 0
    for i in range(9):
        y = x + (i // 3 - 1) * t.stride + i % 3 - 1
        if t.orbit_size[y] == n:
            found[number] = y
            number += 1
    y = found[below(t, number)]
    for i in range(n):
        t.treasure[t.rooms] = t.orbit[y][i]
        t.rooms += 1
    return True


cdef bint place_rooms(Layout* t, int number) noexcept nogil:
    """Place so many rooms; False if that fails."""
    while t.rooms < number:
        if not place_room(t, number - t.rooms):
            return False
    return True


# --- hallways -------------------------------------------------------------------------------------

cdef bint open_all(Layout* t) noexcept nogil:
    """Open all cells that one can walk to; False if rooms are apart or shut."""
    cdef int i, x
    for i in range(t.cells):
        if t.mark[t.index[i]] != BORDER:
            flip(t, t.index[i])
    if t.rooms:
        flood(t, t.treasure[0])
        for i in range(t.cells):
            x = t.index[i]
            if t.open[x] and not t.seen[x]:
                if t.mark[x] != FREE:
                    return False
                flip(t, x)
    for i in range(t.cells):
        x = t.index[i]
        if t.mark[x] == ENTRANCE and degree(t, x) < 2:
            return False
    return True


cdef bint is_sound(Layout* t, int x, bint connected) noexcept nogil:
    """Whether the cells of an orbit, just turned, leave a legal layout. connected: that needs no look."""
    cdef int k, y
    for k in range(t.orbit_size[x]):
        y = t.orbit[x][k]
        if is_wide(t, y) if t.open[y] else is_entrance_shut(t, y):
            return False
    return t.walls < t.cells - 1 and (connected or is_connected(t))


cdef void shuffle(Layout* t) noexcept nogil:
    """Put the free cells into a random order (Fisher and Yates)."""
    cdef int i, k
    for i in range(t.free_size - 1, 0, -1):
        k = below(t, i + 1)
        t.free[i], t.free[k] = t.free[k], t.free[i]


cdef bint thin_out(Layout* t) noexcept nogil:
    """Wall up cells of wide places until there are none but rooms; False if that fails."""
    cdef int i, x
    shuffle(t)
    for i in range(2 * t.free_size):
        x = t.free[i % t.free_size]
        if t.open[x] and is_wide(t, x):
            flip_orbit(t, x)
            if not is_sound(t, x, False):
                flip_orbit(t, x)
    for i in range(t.free_size):
        x = t.free[i]
        if t.open[x] and is_wide(t, x):
            return False
    return True


cdef inline int badness(const Layout* t) noexcept nogil:
    """How far the layout is from what was asked for."""
    return (abs(t.walls - t.want_walls) + 2 * abs(t.ends - t.want_ends)
            + 2 * abs(t.loops - t.want_loops) + max(0, t.blocks - t.want_blocks))


cdef void change(Layout* t, int x, bint cold) noexcept nogil:
    """Turn an orbit if that is legal and makes the layout better, or by chance."""
    cdef int before = badness(t), ways = degree(t, x), worse
    cdef bint alone = t.orbit_size[x] == 1
    if alone and (ways == 0 or (ways > 1 and t.loops <= 0 if t.open[x] else is_wide(t, x))):
        return
    flip_orbit(t, x)
    worse = badness(t) - before
    if worse > 0 and (cold or worse > 7 or draw(t) >= ACCEPT[worse]):
        flip_orbit(t, x)
    elif not is_sound(t, x, alone and (t.open[x] or ways == 1)):
        flip_orbit(t, x)


cdef void anneal(Layout* t, int steps) noexcept nogil:
    """Try so many small changes; in the last third none that makes it worse."""
    cdef int i
    for i in range(steps if t.free_size else 0):
        change(t, t.free[below(t, t.free_size)], 3 * i > 2 * steps)


# --- in and out -----------------------------------------------------------------------------------

cdef void move(const Layout* t, int symmetry, int* r, int* c) noexcept nogil:
    """The symmetries of `dnd.grid` that are asked for: mirrors, half turn, diagonal, quarter turn."""
    if symmetry > 3:
        r[0], c[0] = c[0], r[0]
    if symmetry == 1 or symmetry == 3 or symmetry == 5:
        c[0] = t.width - 1 - c[0]
    if symmetry == 2 or symmetry == 3:
        r[0] = t.height - 1 - r[0]


cdef void set_up(Layout* t, int height, int width, int symmetry, uint64_t seed) noexcept nogil:
    """Begin a layout: all cells are free and wall."""
    cdef int r, c, x, y, i = 0, n
    t.height = height
    t.width = width
    t.stride = width + 1
    t.cells = height * width
    t.state = seed
    t.walls = t.cells
    t.ends = 0
    t.loops = 1
    t.rooms = 0
    t.blocks = (height - 1) * (width - 1)
    memset(t.open, 0, SIZE)
    memset(t.wall, 0, SIZE)
    memset(t.mark, BORDER, SIZE)
    for r in range(height):
        for c in range(width):
            t.index[i] = (r + 1) * t.stride + 1 + c
            i += 1
    for i in range(t.cells):
        x = t.index[i]
        t.mark[x] = FREE
        t.wall[x] = 1
        # Its orbit: the symmetry, again and again, until it leads back.
        r = i // width
        c = i % width
        n = 0
        y = x
        while n == 0 or y != x:
            t.orbit[x][n] = y
            n += 1
            move(t, symmetry, &r, &c)
            y = t.index[r * width + c]
        t.orbit_size[x] = n


cdef void list_free(Layout* t) noexcept nogil:
    """List the orbits that are free, by their first cells."""
    cdef int i, x, k, first
    t.free_size = 0
    for i in range(t.cells):
        x = t.index[i]
        first = x
        for k in range(t.orbit_size[x]):
            first = min(first, t.orbit[x][k])
        if first == x and t.mark[x] == FREE:
            t.free[t.free_size] = x
            t.free_size += 1


cdef object mask(const Layout* t, const uint8_t* cells, uint8_t value):
    """The cells of the board with that value, as a mask."""
    cdef uint8_t packed[BYTES]
    cdef int i
    memset(packed, 0, BYTES)
    for i in range(t.cells):
        if cells[t.index[i]] == value:
            packed[i >> 3] |= 1 << (i & 7)
    return int.from_bytes(packed[:(t.cells + 7) // 8], "little")


cdef tuple described(Layout* t):
    """(row clues, column clues, monsters, treasures, walls)"""
    cdef uint8_t objects[SIZE]
    cdef int i, x
    cdef list rows = [0] * t.height, columns = [0] * t.width
    memset(objects, 0, SIZE)
    for i in range(t.cells):
        x = t.index[i]
        if not t.open[x]:
            rows[i // t.width] += 1
            columns[i % t.width] += 1
        elif degree(t, x) == 1:
            objects[x] = 1
    for i in range(t.rooms):
        objects[t.treasure[i]] = 2
    return (tuple(rows), tuple(columns), mask(t, objects, 1), mask(t, objects, 2),
            mask(t, t.open, 0))


def layout(int height, int width, int symmetry, uint64_t seed, tuple rooms, tuple walls,
           tuple ends, tuple loops, tuple blocks):
    """A dungeon: (row clues, column clues, monsters, treasures, walls), or () if this seed gives none.

    symmetry: 0 none, else one of `dnd.grid`, 1 to 5. rooms, walls, ends, loops, blocks: numbers to
    choose from, of treasure rooms, walls, dead ends, loops, and 2x2 squares of walls (at most);
    only that of rooms is a must.
    """
    cdef Layout t
    cdef int number
    cdef bint done
    set_up(&t, height, width, symmetry, seed)
    number = pick(&t, rooms)
    t.want_walls = pick(&t, walls)
    t.want_ends = pick(&t, ends)
    t.want_loops = pick(&t, loops)
    t.want_blocks = pick(&t, blocks)
    with nogil:
        t.loops -= 4 * number
        done = place_rooms(&t, number)
        if done:
            list_free(&t)
            done = open_all(&t) and thin_out(&t)
        if done:
            anneal(&t, STEPS * t.cells)
            done = t.blocks <= t.want_blocks + t.cells // SOLID
    return described(&t) if done else ()
