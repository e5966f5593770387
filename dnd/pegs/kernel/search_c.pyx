# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
"""Peg solitaire, compiled: the seed's search, beam search, depth-first search with a table.

`docs/pegs-engine.md` says what each of them does and which are worth calling when. `search_py` has
the same functions, written separately; of `beam` and `search` the twins promise the same verdicts
where both reach one, not the same jumps.

A board lies in four 64-bit words, sixteen columns to a row whatever its width, so that all shifts
are constants and cell (r, c) is bit 16 r + c of the four words in a row:

    word 0   rows 0 to 3        bit   0  1 ..  15         up     the cell 16 bits lower
    word 1   rows 4 to 7             16 17 ..  31         down   16 bits higher
    word 2   rows 8 to 11            32 33 ..  47         left   1 bit lower
    word 3   rows 12 to 15           48 49 ..  63         right  1 bit higher

A jump is numbered 256 * direction + the cell from which the peg starts. Those of a direction that
are possible are three shifted boards and a mask: peg & peg beside it & hole beyond & `starts`, the
cells whose two next cells in that direction belong to the board. `starts` also keeps shifts from
running into the next row, so that nothing else needs to look at edges.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* For every cell the sum of the weights of the pegs around it: pegs are spread out to a number a
       cell, 0 or 1, with a margin of empty cells, and the whole board is added up once for each
       weight, eight cells at a time. */

    #define DND_MARGIN 4
    #define DND_STRIDE (16 + 2 * DND_MARGIN)

    typedef int16_t dnd_cells __attribute__((vector_size(16)));

    static inline dnd_cells dnd_load(const int16_t *p)
    {
        dnd_cells cells;
        memcpy(&cells, p, sizeof cells);
        return cells;
    }

    static inline void dnd_spread_out(const uint64_t *words, int height, int16_t *field)
    {
        const dnd_cells bits = {1, 2, 4, 8, 16, 32, 64, 128};
        for (int r = 0; r < height; r++) {
            int row = (int)(words[r >> 2] >> 16 * (r & 3) & 0xffff);
            dnd_cells low = {0}, high = {0};
            low = ((low + (int16_t)(row & 255)) & bits) == bits;
            high = ((high + (int16_t)(row >> 8)) & bits) == bits;
            memcpy(field + (r + DND_MARGIN) * DND_STRIDE + DND_MARGIN, &low, 16);
            memcpy(field + (r + DND_MARGIN) * DND_STRIDE + DND_MARGIN + 8, &high, 16);
        }
    }

    static inline void dnd_add_up(const int16_t *field, int height, const int32_t *offsets,
                                  const int32_t *weights, int number, int16_t *sums)
    {
        for (int r = 0; r < height; r++)
            for (int c = 0; c < 16; c += 8) {
                const int16_t *here = field + (r + DND_MARGIN) * DND_STRIDE + DND_MARGIN + c;
                dnd_cells sum = {0};
                for (int k = 0; k < number; k++) {
                    dnd_cells weight = {0};
                    weight += (int16_t)weights[k];
                    sum += dnd_load(here + offsets[k]) & weight;
                }
                memcpy(sums + 16 * r + c, &sum, 16);
            }
    }
    """
    cdef enum:
        MARGIN "DND_MARGIN"
        STRIDE "DND_STRIDE"
    void spread_out "dnd_spread_out"(const uint64_t*, int, int16_t*) noexcept nogil
    void add_up "dnd_add_up"(const int16_t*, int, const int32_t*, const int32_t*, int, int16_t*) noexcept nogil
    int popcount "__builtin_popcountll"(uint64_t) noexcept nogil
    int lowest "__builtin_ctzll"(uint64_t) noexcept nogil

cdef enum:
    SIDE = 16
    CELLS = 256
    WORDS = 4
    JUMPS = 1024               # 256 * direction + cell
    FIELD = 24 * 24
    TERMS = 48

cdef uint64_t ONE = 1
cdef uint8_t NEVER = 0         # a byte nobody sets, for searches that nobody stops
cdef int* STEP = [-16, 16, -1, 1]

cdef struct Grid:
    int height
    int width
    int words
    uint64_t cells[WORDS]
    uint64_t pegs[WORDS]
    uint64_t finals[WORDS]
    uint64_t starts[4][WORDS]


# --- boards ---------------------------------------------------------------------------------------

cdef void lay_out(int height, int width, object mask, uint64_t* words):
    """From bit r * width + c of a Python int to the four words."""
    cdef int r
    cdef uint64_t row
    memset(words, 0, WORDS * sizeof(uint64_t))
    for r in range(height):
        row = <uint64_t>(mask >> r * width & (1 << width) - 1)
        words[r >> 2] |= row << SIDE * (r & 3)


cdef inline bint has(const uint64_t* words, int cell) noexcept nogil:
    return words[cell >> 6] >> (cell & 63) & 1


cdef inline void toggle(uint64_t* words, int cell) noexcept nogil:
    words[cell >> 6] ^= ONE << (cell & 63)


cdef inline void play(uint64_t* words, int jump) noexcept nogil:
    cdef int cell = jump & 255, step = STEP[jump >> 8]
    toggle(words, cell)
    toggle(words, cell + step)
    toggle(words, cell + 2 * step)


cdef inline int number(const uint64_t* words) noexcept nogil:
    return popcount(words[0]) + popcount(words[1]) + popcount(words[2]) + popcount(words[3])


cdef inline void beside(const uint64_t* x, int direction, int far, uint64_t* y) noexcept nogil:
    """y: the board moved so that each cell holds what x holds `far` (1 or 2) cells on in that direction."""
    cdef int i, shift
    if direction == 0:
        shift = SIDE * far
        for i in range(WORDS - 1, 0, -1):
            y[i] = x[i] << shift | x[i - 1] >> 64 - shift
        y[0] = x[0] << shift
    elif direction == 1:
        shift = SIDE * far
        for i in range(WORDS - 1):
            y[i] = x[i] >> shift | x[i + 1] << 64 - shift
        y[WORDS - 1] = x[WORDS - 1] >> shift
    elif direction == 2:
        for i in range(WORDS):
            y[i] = x[i] << far
    else:
        for i in range(WORDS):
            y[i] = x[i] >> far


cdef void set_up(Grid* g, int height, int width, object cells, object pegs, object finals):
    cdef int d, i
    cdef uint64_t one[WORDS]
    cdef uint64_t two[WORDS]
    cdef uint64_t inside
    g.height = height
    g.width = width
    g.words = (height + 3) // 4
    lay_out(height, width, cells, g.cells)
    lay_out(height, width, pegs, g.pegs)
    lay_out(height, width, finals, g.finals)
    for d in range(4):
        beside(g.cells, d, 1, one)
        beside(g.cells, d, 2, two)
        inside = 0xFFFFFFFFFFFFFFFF
        if d == 2:
            inside = <uint64_t>0xFFFCFFFCFFFCFFFC       # no left turn into the row above
        elif d == 3:
            inside = <uint64_t>0x3FFF3FFF3FFF3FFF
        for i in range(WORDS):
            g.starts[d][i] = g.cells[i] & one[i] & two[i] & inside


cdef inline void possible(const Grid* g, const uint64_t* x, uint64_t* jumps) noexcept nogil:
    """The cells from which a peg can jump: four words a direction."""
    cdef int i
    cdef uint64_t p, before, after_, hole_before, hole_after, here
    for i in range(WORDS):
        p = x[i]
        if i > 0:
            before = x[i - 1]
        else:
            before = 0
        if i < WORDS - 1:
            after_ = x[i + 1]
        else:
            after_ = 0
        jumps[i] = p & (p << 16 | before >> 48) & ~(p << 32 | before >> 32) & g.starts[0][i]
        jumps[4 + i] = p & (p >> 16 | after_ << 48) & ~(p >> 32 | after_ << 32) & g.starts[1][i]
        jumps[8 + i] = p & p << 1 & ~(p << 2) & g.starts[2][i]
        jumps[12 + i] = p & p >> 1 & ~(p >> 2) & g.starts[3][i]


cdef tuple as_jump(int jump):
    return (jump & 255) >> 4, jump & 15, jump >> 8


cdef const uint8_t* flag(const uint8_t[::1] stop) noexcept:
    """The byte to watch. The memoryview keeps it in its place as long as the caller holds it."""
    if stop is None:
        return &NEVER
    return &stop[0]


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    """A number that looks random, another one for each x (the finaliser of splitmix64)."""
    x = (x ^ x >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ x >> 27) * <uint64_t>0x94D049BB133111EB
    return x ^ x >> 31


# --- the seed's search ----------------------------------------------------------------------------

cdef enum:
    EDGE = 2                   # cells around the seed's array, so that nothing is read outside
    LINE = SIDE + 2 * EDGE
    FIRST = 1                  # the seed starts jumps in columns and rows 1 to 14
    LAST = 14
    REFERENCE_POLL = 1 << 14

cdef int* POLE_STEP = [-1, 1, -LINE, LINE]

cdef struct Pole:
    uint8_t pole[LINE * LINE]  # the seed's array: 0 empty, 1 peg, 2 outside; x outer, y inner
    int steps[CELLS]
    int count
    int win
    uint64_t nodes
    uint64_t max_nodes
    bint cut                   # ended by the bound, by another thread or by an exception
    const volatile uint8_t* stop


cdef bint reference_interrupted() noexcept with gil:
    try:
        PyErr_CheckSignals()
    except BaseException:
        return True
    return False


cdef bint pole_work(Pole* s) except -1 nogil:
    """The seed's PoleWork."""
    cdef int x, y, n, cell, step
    if s.stop[0] or s.max_nodes and s.nodes == s.max_nodes:
        s.cut = True
        return False
    if s.nodes % REFERENCE_POLL == 0:
        with gil:
            PyErr_CheckSignals()
    s.nodes += 1
    for x in range(FIRST, LAST + 1):
        for y in range(FIRST, LAST + 1):
            cell = (x + EDGE) * LINE + y + EDGE
            if s.pole[cell] != 1:
                continue
            for n in range(4):
                step = POLE_STEP[n]
                if s.pole[cell + step] != 1 or s.pole[cell + 2 * step] != 0:
                    continue
                s.pole[cell] = s.pole[cell + step] = 0
                s.pole[cell + 2 * step] = 1
                s.steps[s.count] = n << 8 | x << 4 | y
                s.count += 1
                if pole_work(s):
                    return True
                if s.cut:
                    return False
                s.pole[cell + 2 * step] = 0
                s.pole[cell + step] = s.pole[cell] = 1
                s.count -= 1
    return s.count >= s.win


def reference(int height, int width, object cells, object pegs, uint64_t max_nodes, const uint8_t[::1] stop=None):
    """The seed's recursive search: (jumps or None, nodes, complete).

    The board lies in the seed's array of 16x16 with an edge of one cell where both sides are at most 14, else in its
    corner; jumps start in the array's rows and columns 1 to 14 only, so on larger boards not from all cells.
    nodes: calls of PoleWork, `max_nodes` at most (0: no bound). complete: neither the bound nor `stop` ended it.
    """
    cdef Pole s
    cdef int r, c, jump, offset = 1 if height <= LAST and width <= LAST else 0
    cdef bint won
    memset(s.pole, 2, LINE * LINE)
    for r in range(height):
        for c in range(width):
            if cells >> r * width + c & 1:
                s.pole[(c + offset + EDGE) * LINE + r + offset + EDGE] = pegs >> r * width + c & 1
    s.count = 0
    s.win = pegs.bit_count() - 1
    s.nodes = 0
    s.max_nodes = max_nodes
    s.cut = False
    s.stop = flag(stop)
    with nogil:
        won = pole_work(&s)
    if not won:
        return None, s.nodes, not s.cut
    jumps = []
    for r in range(s.count):
        jump = s.steps[r]
        jumps.append(((jump & 15) - offset, (jump >> 4 & 15) - offset, jump >> 8))
    return tuple(jumps), s.nodes, True


# --- beam -----------------------------------------------------------------------------------------

cdef enum:
    JUMP_BITS = 10
    ROOM = JUMPS               # candidates that one position can have
    BUCKETS = 4096
    BEAM_POLL = 1024           # positions between two looks at Ctrl-C and `stop`
    LARGEST = 1 << 22          # positions a level: a candidate has 22 bits for its parent
    PROBES = 8

cdef struct Mix:
    int terms
    int32_t offsets[TERMS]
    int32_t weights[TERMS]
    int two                    # weight of a pair two cells apart in a line
    double spread              # weight of the squared distances to the centroid
    double centre              # the same to the final cell
    int isolated
    int noise                  # bits

cdef struct Node:
    uint64_t words[WORDS]
    uint64_t hash
    int32_t pairs
    int32_t rows               # sums over the pegs: rows, columns, their squares
    int32_t columns
    int32_t squares

cdef struct Candidate:
    uint64_t hash
    uint32_t back              # parent << 10 | jump
    int32_t score

cdef struct Beam:
    Grid grid
    Mix mix
    int size
    int left                   # pegs of the candidates
    int levels                 # jumps made
    int kept                   # positions of this level
    int capacity
    int candidates
    int32_t limit              # candidates must be better than this
    uint32_t slots             # a power of two, less one
    Node* nodes
    Node* next
    Candidate* pool
    uint32_t* seen
    uint32_t* history[CELLS]
    int32_t buckets[BUCKETS]
    uint64_t keys[JUMPS]
    int32_t d_rows[JUMPS]
    int32_t d_columns[JUMPS]
    int32_t d_squares[JUMPS]
    int16_t field[FIELD]
    int16_t sums[CELLS]
    uint64_t expanded
    int64_t winner             # candidate's `back`, or -1
    const volatile uint8_t* stop


cdef void set_mix(Mix* m, object mix):
    """mix: {(dr, dc): weight}, spread, centre, isolated, noise."""
    cdef int dr, dc
    m.terms = 0
    m.two = 0
    weights, m.spread, m.centre, m.isolated, m.noise = mix
    for dr in range(-MARGIN, MARGIN + 1):
        for dc in range(-MARGIN, MARGIN + 1):
            key = tuple(sorted((abs(dr), abs(dc))))
            w = weights.get(key, 0)
            if w and (dr or dc):
                m.offsets[m.terms] = dr * STRIDE + dc
                m.weights[m.terms] = w
                m.terms += 1
            if key == (0, 2):
                m.two = w


cdef void prepare(Beam* b, uint64_t seed) noexcept nogil:
    """Tables by jump, and the first position."""
    cdef int d, x, over, to, cell
    cdef uint64_t key[CELLS]
    cdef Node* root = b.nodes
    for x in range(CELLS):
        key[x] = mixed(mixed(seed) + <uint64_t>(x + 1) * <uint64_t>0x9E3779B97F4A7C15)
    for d in range(4):
        for x in range(CELLS):
            over = x + STEP[d]
            to = over + STEP[d]
            if not has(b.grid.starts[d], x):
                continue
            b.keys[d << 8 | x] = key[x] ^ key[over] ^ key[to]
            b.d_rows[d << 8 | x] = (to >> 4) - (x >> 4) - (over >> 4)
            b.d_columns[d << 8 | x] = (to & 15) - (x & 15) - (over & 15)
            b.d_squares[d << 8 | x] = square(to) - square(x) - square(over)
    memset(b.field, 0, sizeof(b.field))
    memset(root, 0, sizeof(Node))
    memcpy(root.words, b.grid.pegs, sizeof(root.words))
    for cell in range(CELLS):
        if has(root.words, cell):
            root.hash ^= key[cell]
            root.rows += cell >> 4
            root.columns += cell & 15
            root.squares += square(cell)
    spread_out(root.words, b.grid.height, b.field)
    add_up(b.field, b.grid.height, b.mix.offsets, b.mix.weights, b.mix.terms, b.sums)
    for cell in range(CELLS):
        if has(root.words, cell):
            root.pairs += b.sums[cell]
    root.pairs //= 2
    b.kept = 1


cdef inline int32_t square(int cell) noexcept nogil:
    return (cell >> 4) * (cell >> 4) + (cell & 15) * (cell & 15)


cdef inline bint known(Beam* b, uint64_t hash) noexcept nogil:
    """Whether a candidate like this was met on this level; notes it."""
    cdef uint32_t tag = <uint32_t>(hash >> 32) | 1, slot = <uint32_t>hash & b.slots
    cdef int probe
    for probe in range(PROBES):
        if b.seen[slot] == tag:
            return True
        if b.seen[slot] == 0:
            b.seen[slot] = tag
            return False
        slot = slot + 1 & b.slots
    return False


cdef inline int32_t apart(const Beam* b, int32_t rows, int32_t columns, int32_t squares) noexcept nogil:
    """What distance costs."""
    cdef int64_t r = rows, c = columns
    return <int32_t>(b.mix.spread * <double>(b.left * <int64_t>squares - r * r - c * c) / b.left)


cdef void shrink(Beam* b) noexcept nogil:
    """Keep the `size` best candidates, of equals the first ones."""
    cdef int i, kept = 0, shift = 0, bucket, above = 0, ties
    cdef int32_t least, most, score
    cdef Candidate* pool = b.pool
    if b.candidates <= b.size:
        return
    least = most = pool[0].score
    for i in range(b.candidates):
        score = pool[i].score
        if score < least:
            least = score
        if score > most:
            most = score
    while most - least >> shift >= BUCKETS:
        shift += 1
    memset(b.buckets, 0, sizeof(b.buckets))
    for i in range(b.candidates):
        b.buckets[pool[i].score - least >> shift] += 1
    bucket = BUCKETS - 1
    while above + b.buckets[bucket] < b.size:
        above += b.buckets[bucket]
        bucket -= 1
    ties = b.size - above
    for i in range(b.candidates):
        score = pool[i].score - least >> shift
        if score < bucket:
            continue
        if score == bucket:
            if not ties:
                continue
            ties -= 1
        pool[kept] = pool[i]
        kept += 1
    b.candidates = kept
    b.limit = least + (bucket + 1 << shift) - 1


cdef void expand(Beam* b, int parent) noexcept nogil:
    """Add the candidates of one position."""
    cdef Node* node = &b.nodes[parent]
    cdef uint64_t jumps[4 * WORDS]
    cdef uint64_t froms, hash
    cdef int i, x, jump, step, noise = b.mix.noise
    cdef int32_t score
    cdef int16_t* sums = b.sums
    cdef Candidate* candidate
    cdef uint64_t child[WORDS]
    possible(&b.grid, node.words, jumps)
    spread_out(node.words, b.grid.height, b.field)
    add_up(b.field, b.grid.height, b.mix.offsets, b.mix.weights, b.mix.terms, sums)
    if b.candidates + ROOM > b.capacity:
        shrink(b)
    for i in range(4 * WORDS):
        froms = jumps[i]
        step = STEP[i >> 2]
        while froms:
            x = (i & 3) << 6 | lowest(froms)
            froms &= froms - 1
            jump = i >> 2 << 8 | x
            score = node.pairs - sums[x] - sums[x + step] + sums[x + 2 * step] - b.mix.two
            hash = node.hash ^ b.keys[jump]
            if b.mix.spread != 0:
                score -= apart(b, node.rows + b.d_rows[jump], node.columns + b.d_columns[jump],
                               node.squares + b.d_squares[jump])
            if noise:
                score += <int32_t>(hash >> 20 & (ONE << noise) - 1)
            if b.mix.isolated:
                memcpy(child, node.words, sizeof(child))
                play(child, jump)
                score -= b.mix.isolated * alone(child)
            if score <= b.limit or known(b, hash):
                continue
            if b.left == 1:
                if has(b.grid.finals, x + 2 * step):
                    b.winner = <int64_t>parent << JUMP_BITS | jump
                    return
            candidate = &b.pool[b.candidates]
            b.candidates += 1
            candidate.hash = hash
            candidate.back = <uint32_t>parent << JUMP_BITS | <uint32_t>jump
            candidate.score = score


cdef inline int alone(const uint64_t* x) noexcept nogil:
    """Pegs without a neighbour (a row's end touches the next row's beginning here)."""
    cdef int i, n = 0
    cdef uint64_t before, beyond, p
    for i in range(WORDS):
        before = x[i - 1] if i > 0 else 0
        beyond = x[i + 1] if i < WORDS - 1 else 0
        p = x[i]
        n += popcount(p & ~(p << 1 & <uint64_t>0xFFFEFFFEFFFEFFFE | p >> 1 & <uint64_t>0x7FFF7FFF7FFF7FFF
                            | p << 16 | before >> 48 | p >> 16 | beyond << 48))
    return n


cdef bint descend(Beam* b) noexcept nogil:
    """Make the candidates the positions of the next level; False without memory."""
    cdef int i, jump
    cdef Candidate* candidate
    cdef Node* parent
    cdef Node* node
    cdef uint32_t* history
    shrink(b)
    history = <uint32_t*>malloc((b.candidates or 1) * sizeof(uint32_t))
    if history is NULL:
        return False
    b.history[b.levels] = history
    b.levels += 1
    for i in range(b.candidates):
        candidate = &b.pool[i]
        jump = candidate.back & JUMPS - 1
        parent = &b.nodes[candidate.back >> JUMP_BITS]
        node = &b.next[i]
        memcpy(node.words, parent.words, sizeof(node.words))
        play(node.words, jump)
        node.hash = candidate.hash
        node.rows = parent.rows + b.d_rows[jump]
        node.columns = parent.columns + b.d_columns[jump]
        node.squares = parent.squares + b.d_squares[jump]
        node.pairs = candidate.score
        if b.mix.spread != 0:
            node.pairs += apart(b, node.rows, node.columns, node.squares)
        if b.mix.isolated:
            node.pairs += b.mix.isolated * alone(node.words)
        if b.mix.noise:
            node.pairs -= <int32_t>(node.hash >> 20 & (ONE << b.mix.noise) - 1)
        history[i] = candidate.back
    b.nodes, b.next = b.next, b.nodes
    b.kept = b.candidates
    return True


cdef int run(Beam* b) except -1 nogil:
    """Level by level: 1 won, 0 not."""
    cdef int parent
    while b.left:
        b.candidates = 0
        b.limit = -0x7FFFFFFF
        memset(b.seen, 0, (<size_t>b.slots + 1) * sizeof(uint32_t))
        for parent in range(b.kept):
            if parent % BEAM_POLL == 0:
                if b.stop[0]:
                    return 0
                with gil:
                    PyErr_CheckSignals()
            expand(b, parent)
            b.expanded += 1
            if b.winner >= 0:
                return 1
        if not b.candidates:
            return 0
        if not descend(b):
            with gil:
                raise MemoryError
        b.left -= 1
    return 0


cdef void release(Beam* b) noexcept nogil:
    cdef int i
    free(b.nodes)
    free(b.next)
    free(b.pool)
    free(b.seen)
    for i in range(b.levels):
        free(b.history[i])


cdef tuple retrace(Beam* b):
    """The jumps to the winner, or to the best position of the last level."""
    cdef int level = b.levels
    cdef uint32_t back
    jumps = []
    cdef uint32_t index = 0
    if b.winner >= 0:
        jumps.append(as_jump(<int>(b.winner & JUMPS - 1)))
        index = <uint32_t>(b.winner >> JUMP_BITS)
    while level:
        level -= 1
        back = b.history[level][index]
        jumps.append(as_jump(<int>(back & JUMPS - 1)))
        index = back >> JUMP_BITS
    jumps.reverse()
    return tuple(jumps)


def beam_mix(int height, int width, object cells, object pegs, object finals, int size, object mix,
             uint64_t seed, const uint8_t[::1] stop=None):
    cdef Beam* b = <Beam*>malloc(sizeof(Beam))
    cdef int found, i
    if b is NULL:
        raise MemoryError
    memset(b, 0, sizeof(Beam))
    try:
        set_up(&b.grid, height, width, cells, pegs, finals)
        set_mix(&b.mix, mix)
        b.size = min(size, LARGEST)
        b.capacity = 4 * b.size + 2 * ROOM
        i = 1
        while i < 2 * b.capacity:
            i *= 2
        b.slots = i - 1
        b.nodes = <Node*>malloc(b.size * sizeof(Node))
        b.next = <Node*>malloc(b.size * sizeof(Node))
        b.pool = <Candidate*>malloc(b.capacity * sizeof(Candidate))
        b.seen = <uint32_t*>malloc((<size_t>b.slots + 1) * sizeof(uint32_t))
        if b.nodes is NULL or b.next is NULL or b.pool is NULL or b.seen is NULL:
            raise MemoryError
        b.stop = flag(stop)
        b.winner = -1
        b.left = number(b.grid.pegs) - 1
        prepare(b, seed)
        if b.left == 0:
            return (1 if pegs & finals else -1), (), 1
        with nogil:
            found = run(b)
        return (1 if found else -1), retrace(b), b.expanded
    finally:
        release(b)
        free(b)


_MIXES = (
    ({(0, 1): 20}, 0.0, 0.0, 0, 4),
    ({(0, 1): 20, (1, 1): 10, (0, 2): 10}, 2.0, 0.0, 0, 4),
)
SCORES = len(_MIXES)


def beam(int height, int width, object cells, object pegs, object finals, int size, int score, uint64_t seed,
         const uint8_t[::1] stop=None):
    """One beam search: (verdict, jumps, nodes)."""
    return beam_mix(height, width, cells, pegs, finals, size, _MIXES[score], seed, stop)


# --- depth first ----------------------------------------------------------------------------------

cdef enum:
    SEARCH_POLL = 1 << 12      # positions between two looks at Ctrl-C and `stop`
    SMALLEST = 1 << 10         # slots of a new table
    LOAD = 2                   # slots to a position, at least

cdef struct Frame:
    uint64_t words[WORDS]
    int first                  # its jumps in `jumps`, the next one last
    int jump                   # the jump that is being tried

cdef struct Search:
    Grid grid
    Frame frames[CELLS]
    int depth
    int* jumps
    uint64_t* table            # exact keys, four words each; no pegs at all: free
    uint64_t slots             # a power of two, less one
    uint64_t positions
    uint64_t max_positions
    int best                   # depth of the best position
    int line[CELLS]            # jumps to it
    bint cut
    const volatile uint8_t* stop


cdef inline uint64_t slot_of(const uint64_t* x) noexcept nogil:
    return mixed(x[0] ^ mixed(x[1] ^ mixed(x[2] ^ mixed(x[3]))))


cdef bint grow(Search* s) noexcept nogil:
    """Twice as many slots; False without memory."""
    cdef uint64_t slots = 2 * s.slots + 1, i, slot
    cdef uint64_t* table = <uint64_t*>malloc((slots + 1) * 4 * sizeof(uint64_t))
    if table is NULL:
        return False
    memset(table, 0, (slots + 1) * 4 * sizeof(uint64_t))
    for i in range(s.slots + 1):
        if not number(s.table + 4 * i):
            continue
        slot = slot_of(s.table + 4 * i) & slots
        while number(table + 4 * slot):
            slot = slot + 1 & slots
        memcpy(table + 4 * slot, s.table + 4 * i, 4 * sizeof(uint64_t))
    free(s.table)
    s.table = table
    s.slots = slots
    return True


cdef inline bint is_new(Search* s, const uint64_t* x) noexcept nogil:
    """Whether a position was not met before; notes it. There is a free slot."""
    cdef uint64_t slot = slot_of(x) & s.slots
    cdef uint64_t* key = s.table + 4 * slot
    while key[0] | key[1] | key[2] | key[3]:
        if memcmp(key, x, 4 * sizeof(uint64_t)) == 0:
            return False
        slot = slot + 1 & s.slots
        key = s.table + 4 * slot
    memcpy(key, x, 4 * sizeof(uint64_t))
    s.positions += 1
    return True


cdef int list_jumps(Search* s, const uint64_t* words, int first) noexcept nogil:
    """Write the jumps that are possible from `first` on; the end."""
    cdef uint64_t starts[4 * WORDS]
    cdef uint64_t froms
    cdef int i
    possible(&s.grid, words, starts)
    for i in range(4 * WORDS):
        froms = starts[i]
        while froms:
            s.jumps[first] = i >> 2 << 8 | (i & 3) << 6 | lowest(froms)
            froms &= froms - 1
            first += 1
    return first


cdef void note_best(Search* s) noexcept nogil:
    cdef int i
    s.best = s.depth
    for i in range(s.depth):
        s.line[i] = s.frames[i].jump


cdef int dig(Search* s, int pegs) except -1 nogil:
    """1 won, 0 not: then all was searched unless `cut`."""
    cdef Frame* frame = &s.frames[0]
    cdef Frame* child
    cdef int end = 0
    cdef uint64_t polled = 0
    frame.first = 0
    end = list_jumps(s, frame.words, 0)
    is_new(s, frame.words)
    while True:
        frame = &s.frames[s.depth]
        if end == frame.first:
            if s.depth == 0:
                return 0
            end = frame.first
            s.depth -= 1
            continue
        end -= 1
        frame.jump = s.jumps[end]
        child = frame + 1
        memcpy(child.words, frame.words, sizeof(child.words))
        play(child.words, frame.jump)
        if s.depth + 1 == pegs - 1:
            s.depth += 1
            if s.depth > s.best:
                note_best(s)
            if child.words[0] & s.grid.finals[0] or child.words[1] & s.grid.finals[1] or \
                    child.words[2] & s.grid.finals[2] or child.words[3] & s.grid.finals[3]:
                note_best(s)
                return 1
            s.depth -= 1
            continue
        polled += 1
        if polled % SEARCH_POLL == 0:
            if s.stop[0]:
                s.cut = True
                return 0
            with gil:
                PyErr_CheckSignals()
        if s.max_positions and s.positions >= s.max_positions:
            s.cut = True
            return 0
        if LOAD * (s.positions + 1) > s.slots and not grow(s):
            with gil:
                raise MemoryError
        if not is_new(s, child.words):
            continue
        s.depth += 1
        child.first = end
        end = list_jumps(s, child.words, end)
        if s.depth > s.best:
            note_best(s)


def search(int height, int width, object cells, object pegs, object finals, uint64_t max_positions,
           const uint8_t[::1] stop=None):
    """Depth first with a table of all positions met: (verdict, jumps, positions)."""
    cdef Search* s = <Search*>malloc(sizeof(Search))
    cdef int found, pegs_left = pegs.bit_count(), i
    if s is NULL:
        raise MemoryError
    memset(s, 0, sizeof(Search))
    try:
        set_up(&s.grid, height, width, cells, pegs, finals)
        if pegs_left == 1:
            return (1 if pegs & finals else 0), (), 1
        s.jumps = <int*>malloc(CELLS * JUMPS * sizeof(int))
        s.slots = SMALLEST - 1
        s.table = <uint64_t*>malloc(SMALLEST * 4 * sizeof(uint64_t))
        if s.jumps is NULL or s.table is NULL:
            raise MemoryError
        memset(s.table, 0, SMALLEST * 4 * sizeof(uint64_t))
        s.max_positions = max_positions
        s.stop = flag(stop)
        memcpy(s.frames[0].words, s.grid.pegs, sizeof(s.grid.pegs))
        with nogil:
            found = dig(s, pegs_left)
        return (1 if found else -1 if s.cut else 0), tuple([as_jump(s.line[i]) for i in range(s.best)]), s.positions
    finally:
        free(s.jumps)
        free(s.table)
        free(s)
