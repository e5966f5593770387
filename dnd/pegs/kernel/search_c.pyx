# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
"""Peg solitaire, compiled: the seed's search, beam search, depth-first search with a table.

`docs/pegs-engine.md` says what each of them does and which are worth calling when. `search_py` has
the same functions, written separately; of `beam` and `search` the twins promise the same verdicts
where both reach one, not the same jumps.

`board` says how a position lies in four words.

A jump is numbered 256 * direction + the cell from which the peg starts. Those of a direction that
are possible are three shifted boards and a mask: peg & peg beside it & hole beyond & `starts`, the
cells whose two next cells in that direction belong to the board. `starts` also keeps shifts from
running into the next row, so that nothing else needs to look at edges.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from dnd.kernels.bits cimport GOLDEN, mixed, prefetch, trailing_zeros
from dnd.kernels.stop cimport flag
from dnd.pegs.kernel.board cimport CELLS, DOWN, LEFT, RIGHT, SIDE, UP, WORDS, has, lay_out, size_of, toggle
from dnd.pegs.kernel.board cimport STEP as STEPS

cdef extern from "field.h":
    enum:
        MARGIN "DND_MARGIN"
        STRIDE "DND_STRIDE"
    void spread_out "dnd_spread_out"(const uint64_t* words, int height, int16_t* field) noexcept nogil
    void add_up "dnd_add_up"(const int16_t* field, int height, const int16_t* own, const int32_t* offsets,
                             const int32_t* weights, int number, int16_t* sums) noexcept nogil

cdef enum:
    JUMPS = 1024               # 256 * direction + cell
    FIELD = 24 * 24            # STRIDE * STRIDE
    TERMS = 48                 # neighbours that can count, at most

cdef uint64_t ONE = 1
# A variable on purpose: where it is the array itself, GCC makes a beam 0.7 % more instructions.
cdef const int* STEP = STEPS

cdef struct Grid:
    int height
    int width
    uint64_t cells[WORDS]
    uint64_t pegs[WORDS]       # of the position asked about
    uint64_t finals[WORDS]     # cells in which the last peg may end
    uint64_t starts[4][WORDS]  # by direction: the cells whose two next ones belong to the board


# --- boards ---------------------------------------------------------------------------------------

cdef inline void play(uint64_t* words, int jump) noexcept nogil:
    """Make a jump, or take it back: both turn the same three cells over."""
    cdef int cell = jump & 255, step = STEP[jump >> 8]
    toggle(words, cell)
    toggle(words, cell + step)
    toggle(words, cell + 2 * step)


cdef inline void beside(const uint64_t* x, int direction, int far, uint64_t* y) noexcept nogil:
    """y: the board moved so that each cell holds what x holds `far` (1 or 2) cells on in that direction."""
    cdef int i, shift
    if direction == UP:
        shift = SIDE * far
        for i in range(WORDS - 1, 0, -1):
            y[i] = x[i] << shift | x[i - 1] >> 64 - shift
        y[0] = x[0] << shift
    elif direction == DOWN:
        shift = SIDE * far
        for i in range(WORDS - 1):
            y[i] = x[i] >> shift | x[i + 1] << 64 - shift
        y[WORDS - 1] = x[WORDS - 1] >> shift
    elif direction == LEFT:
        for i in range(WORDS):
            y[i] = x[i] << far
    else:
        for i in range(WORDS):
            y[i] = x[i] >> far


cdef void set_up(Grid* g, int height, int width, object cells, object pegs, object finals):
    """Read what callers give: masks of height * width bits."""
    g.height = height
    g.width = width
    lay_out(height, width, cells, g.cells)
    lay_out(height, width, pegs, g.pegs)
    lay_out(height, width, finals, g.finals)
    set_starts(g)


cdef void set_starts(Grid* g) noexcept nogil:
    """By direction, the cells from which a jump stays on the board."""
    cdef int d, i
    cdef uint64_t one[WORDS]
    cdef uint64_t two[WORDS]
    cdef uint64_t inside
    for d in range(4):
        beside(g.cells, d, 1, one)
        beside(g.cells, d, 2, two)
        inside = 0xFFFFFFFFFFFFFFFF
        if d == LEFT:
            inside = <uint64_t>0xFFFCFFFCFFFCFFFC       # no left turn into the row above
        elif d == RIGHT:
            inside = <uint64_t>0x3FFF3FFF3FFF3FFF
        for i in range(WORDS):
            g.starts[d][i] = g.cells[i] & one[i] & two[i] & inside


cdef inline void possible(const Grid* g, const uint64_t* x, uint64_t* jumps) noexcept nogil:
    """The cells from which a peg can jump: four words a direction."""
    cdef int i
    cdef uint64_t p, above, below
    for i in range(WORDS):
        p = x[i]
        above = x[i - 1] if i > 0 else 0
        below = x[i + 1] if i < WORDS - 1 else 0
        jumps[i] = p & (p << 16 | above >> 48) & ~(p << 32 | above >> 32) & g.starts[UP][i]
        jumps[4 + i] = p & (p >> 16 | below << 48) & ~(p >> 32 | below << 32) & g.starts[DOWN][i]
        jumps[8 + i] = p & p << 1 & ~(p << 2) & g.starts[LEFT][i]
        jumps[12 + i] = p & p >> 1 & ~(p >> 2) & g.starts[RIGHT][i]


cdef tuple as_jump(int jump):
    """(row, column, direction)."""
    return (jump & 255) >> 4, jump & 15, jump >> 8


# --- the seed's search ----------------------------------------------------------------------------

cdef enum:
    EDGE = 2                   # cells around the seed's array, so that nothing is read outside
    LINE = SIDE + 2 * EDGE
    FIRST = 1                  # the seed starts jumps in columns and rows 1 to 14
    LAST = 14
    REFERENCE_POLL = 1 << 14

cdef int* POLE_STEP = [-1, 1, -LINE, LINE]

# The seed's array in one with two more cells around it: its searches read up to two cells past the edge.
#
#     line 0, 1        2 2 2 2 ... 2 2         2 outside (what the seed would read outside its array, and what is
#     line 2           2 2 x x ... 2 2           no cell of the board)
#     ...                                      1 peg, 0 empty
#     line 18, 19      2 2 2 2 ... 2 2         a line is a column of the board: the seed has x first
cdef struct Pole:
    uint8_t pole[LINE * LINE]
    int steps[CELLS]           # jumps made: direction << 8 | x << 4 | y
    int count
    int longest[CELLS]         # the first of the records with the most steps; none is longer than one that wins
    int most                   # their number
    int win                    # so many win
    uint64_t nodes
    uint64_t max_nodes
    bint cut                   # ended by the bound, by another thread or by an exception
    const volatile uint8_t* stop


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
                if s.count > s.most:
                    s.most = s.count
                    memcpy(s.longest, s.steps, s.count * sizeof(int))
                if pole_work(s):
                    return True
                if s.cut:
                    return False
                s.pole[cell + 2 * step] = 0
                s.pole[cell + step] = s.pole[cell] = 1
                s.count -= 1
    return s.count >= s.win


def reference(int height, int width, object cells, object pegs, uint64_t max_nodes, const uint8_t[::1] stop=None):
    """The seed's recursive search: (verdict, jumps, nodes).

    verdict: 1, the jumps solve it (with one peg anywhere); 0, it has no solution, or -1, the bound or `stop` ended it:
    the jumps are the longest record that it had.

    The board lies in the seed's array of 16x16 with an edge of one cell where both sides are at most 14, else in its
    corner; jumps start in the array's rows and columns 1 to 14 only, so on larger boards not from all cells.
    nodes: calls of PoleWork, `max_nodes` at most (0: no bound).
    """
    cdef Pole s
    cdef int r, c, jump, offset = 1 if height <= LAST and width <= LAST else 0
    cdef bint won
    memset(s.pole, 2, LINE * LINE)
    for r in range(height):
        for c in range(width):
            if cells >> r * width + c & 1:
                s.pole[(c + offset + EDGE) * LINE + r + offset + EDGE] = pegs >> r * width + c & 1
    s.count = s.most = 0
    s.win = pegs.bit_count() - 1
    s.nodes = 0
    s.max_nodes = max_nodes
    s.cut = False
    s.stop = flag(stop)
    with nogil:
        won = pole_work(&s)
    jumps = []
    for r in range(s.most):
        jump = s.longest[r]
        jumps.append(((jump & 15) - offset, (jump >> 4 & 15) - offset, jump >> 8))
    return -1 if s.cut else 1 if won else 0, tuple(jumps), s.nodes


# --- beam -----------------------------------------------------------------------------------------

cdef enum:
    JUMP_BITS = 10
    BUCKETS = 4096
    BEAM_POLL = 1024           # positions between two looks at Ctrl-C and `stop`
    LARGEST = 1 << 22          # positions a level: a candidate has 22 bits for its parent
    PROBES = 8                 # slots looked at for a hash
    NOISE = 20                 # the first bit of a hash that makes noise
    MIXES = 3

cdef struct Mix:
    int one                    # weight of two pegs side by side
    int diagonal
    int two                    # weight of two pegs two cells apart in a line
    double spread              # cost of a squared distance from the middle of the pegs, or the focus
    int noise                  # bits
    int rounds                 # beams, each with what the earlier ones have taught
    double lesson              # cost of a peg where all positions ended with a peg
    double memory              # of a lesson that is left after a round

cdef Mix* MIX = [
    Mix(one=20, diagonal=0, two=0, spread=0, noise=4, rounds=1, lesson=0, memory=0),
    Mix(one=20, diagonal=10, two=10, spread=2, noise=4, rounds=1, lesson=0, memory=0),
    Mix(one=20, diagonal=10, two=10, spread=2, noise=4, rounds=16, lesson=30, memory=0.9),
]

SCORES = MIXES

# One level of a beam, and what stays of it:
#
#     nodes (a level)      candidates                     next (the level after)
#     0  ---expand-->      score, hash, parent | jump     0
#     1                    ... a pool of 4 `size`,        1
#     ...                  shrunk to `size` whenever      ...
#     kept - 1             it is full  ---advance-->
#                                      \-> history[level]: parent | jump of each, for the way back
#
# A position is built only when it is chosen; a candidate is 16 bytes.

cdef struct Node:
    uint64_t words[WORDS]
    uint64_t hash
    int32_t pairs              # the score but for distances and noise
    int32_t rows               # sums over the pegs: rows, columns, squares of both
    int32_t columns
    int32_t squares

cdef struct Candidate:
    uint64_t hash
    uint32_t back              # parent << JUMP_BITS | jump: 22 and 10 bits
    int32_t score

cdef struct Beam:
    Grid grid
    Mix mix
    int terms                  # neighbours that count: where they are in `field`, and their weights
    int32_t offsets[TERMS]
    int32_t weights[TERMS]
    int16_t own[CELLS]         # weight of a peg by its cell
    double lessons[CELLS]
    int size
    int left                   # pegs of the candidates
    int focus                  # the only cell for the last peg, or -1
    double scale               # cost of a squared distance, by pegs
    int levels                 # jumps made
    int kept                   # positions of this level
    int capacity
    int candidates
    int32_t limit              # candidates must be better than this
    uint32_t slots             # a power of two, less one
    Node* nodes
    Node* next
    Candidate* pool
    uint32_t* seen             # hashes of this level's candidates, their upper halves
    uint32_t* history[CELLS]   # by level and position: `back`
    int32_t buckets[BUCKETS]
    uint64_t keys[JUMPS]       # by jump: how it changes the hash and the sums
    int32_t rows[JUMPS]
    int32_t columns[JUMPS]
    int32_t squares[JUMPS]
    int16_t field[FIELD]
    int16_t sums[CELLS]
    uint64_t expanded
    int64_t winner             # `back` of a won position, or -1
    int best                   # jumps to the position with the fewest pegs of all rounds
    int line[CELLS]
    const volatile uint8_t* stop


cdef void add_place(const Beam* b, int cell, int sign, int32_t* rows, int32_t* columns,
                    int32_t* squares) noexcept nogil:
    """Add a peg to the sums, or take it out. Distances count from the middle of the pegs, or else from the focus."""
    cdef int r = cell >> 4, c = cell & 15
    if b.focus < 0:
        rows[0] += sign * r
        columns[0] += sign * c
    else:
        r -= b.focus >> 4
        c -= b.focus & 15
    squares[0] += sign * (r * r + c * c)


cdef void add_terms(Beam* b, int rows, int columns, int weight) noexcept nogil:
    """Let the neighbours so far away count, in all directions."""
    cdef int r, c
    for r in range(-MARGIN, MARGIN + 1):
        for c in range(-MARGIN, MARGIN + 1):
            if weight and (abs(r) == rows and abs(c) == columns or abs(r) == columns and abs(c) == rows):
                b.offsets[b.terms] = r * STRIDE + c
                b.weights[b.terms] = weight
                b.terms += 1


cdef void set_jumps(Beam* b, uint64_t seed) noexcept nogil:
    """The tables by jump, and the hash of the first position."""
    cdef int d, x, over, to, jump
    cdef uint64_t key[CELLS]
    b.nodes[0].hash = 0
    for x in range(CELLS):
        key[x] = mixed(mixed(seed) + <uint64_t>(x + 1) * GOLDEN)
        if has(b.grid.pegs, x):
            b.nodes[0].hash ^= key[x]
    for d in range(4):
        for x in range(CELLS):
            if not has(b.grid.starts[d], x):
                continue
            over = x + STEP[d]
            to = over + STEP[d]
            jump = d << 8 | x
            b.keys[jump] = key[x] ^ key[over] ^ key[to]
            b.rows[jump] = b.columns[jump] = b.squares[jump] = 0
            add_place(b, x, -1, &b.rows[jump], &b.columns[jump], &b.squares[jump])
            add_place(b, over, -1, &b.rows[jump], &b.columns[jump], &b.squares[jump])
            add_place(b, to, 1, &b.rows[jump], &b.columns[jump], &b.squares[jump])


cdef void begin(Beam* b, uint64_t seed) noexcept nogil:
    """The first position of a round."""
    cdef int cell, pairs = 0
    cdef Node* root = b.nodes
    memset(root, 0, sizeof(Node))
    set_jumps(b, seed)
    memcpy(root.words, b.grid.pegs, sizeof(root.words))
    memset(b.field, 0, sizeof(b.field))
    spread_out(root.words, b.grid.height, b.field)
    add_up(b.field, b.grid.height, b.own, b.offsets, b.weights, b.terms, b.sums)
    for cell in range(CELLS):
        if has(root.words, cell):
            add_place(b, cell, 1, &root.rows, &root.columns, &root.squares)
            pairs += b.sums[cell] + b.own[cell]
    root.pairs = pairs // 2
    b.kept = 1
    b.levels = 0
    b.winner = -1
    b.left = size_of(b.grid.pegs) - 1


cdef inline bint known(Beam* b, uint64_t hash) noexcept nogil:
    """Whether a candidate like this was met on this level; notes it. (An error costs a candidate, no more.)"""
    cdef uint32_t tag = <uint32_t>(hash >> 32) | 1, slot = <uint32_t>hash & b.slots
    for _ in range(PROBES):
        if b.seen[slot] == tag:
            return True
        if b.seen[slot] == 0:
            b.seen[slot] = tag
            return False
        slot = slot + 1 & b.slots
    return False


cdef inline int32_t cost(const Beam* b, int32_t rows, int32_t columns, int32_t squares, uint64_t hash) noexcept nogil:
    """What distances cost, less the noise."""
    cdef int64_t r = rows, c = columns, noise = hash >> NOISE & (ONE << b.mix.noise) - 1
    return <int32_t>(b.scale * <double>(b.left * <int64_t>squares - r * r - c * c) - <double>noise)


cdef void shrink(Beam* b) noexcept nogil:
    """Keep the `size` best candidates, of equals the first ones."""
    cdef int i, kept = 0, shift = 0, bucket = BUCKETS - 1, above = 0, ties, place
    cdef int32_t least, most
    cdef Candidate* pool = b.pool
    if b.candidates <= b.size:
        return
    least = most = pool[0].score
    for i in range(b.candidates):
        least = min(least, pool[i].score)
        most = max(most, pool[i].score)
    while most - least >> shift >= BUCKETS:
        shift += 1
    memset(b.buckets, 0, sizeof(b.buckets))
    for i in range(b.candidates):
        b.buckets[pool[i].score - least >> shift] += 1
    while above + b.buckets[bucket] < b.size:
        above += b.buckets[bucket]
        bucket -= 1
    ties = b.size - above
    for i in range(b.candidates):
        place = pool[i].score - least >> shift
        if place > bucket or place == bucket and ties:
            ties -= place == bucket
            pool[kept] = pool[i]
            kept += 1
    b.candidates = kept
    b.limit = least + (bucket + 1 << shift) - 1


cdef void expand(Beam* b, int parent) noexcept nogil:
    """Add the candidates of one position."""
    cdef const Node* node = &b.nodes[parent]
    cdef uint64_t jumps[4 * WORDS]
    cdef uint64_t froms, hash
    cdef int i, x, jump, step
    cdef int32_t score
    cdef const int16_t* sums = b.sums
    cdef Candidate* candidate
    if b.candidates + JUMPS > b.capacity:
        shrink(b)
    possible(&b.grid, node.words, jumps)
    spread_out(node.words, b.grid.height, b.field)
    add_up(b.field, b.grid.height, b.own, b.offsets, b.weights, b.terms, b.sums)
    for i in range(4 * WORDS):
        froms = jumps[i]
        step = STEP[i >> 2]
        while froms:
            x = (i & 3) << 6 | trailing_zeros(froms)
            froms &= froms - 1
            jump = i >> 2 << 8 | x
            hash = node.hash ^ b.keys[jump]
            # Two pegs side by side go and one comes two cells away: the pair counts once, the distance twice.
            score = node.pairs - sums[x] - sums[x + step] + sums[x + 2 * step] - b.mix.two
            score -= cost(b, node.rows + b.rows[jump], node.columns + b.columns[jump],
                          node.squares + b.squares[jump], hash)
            if score <= b.limit or known(b, hash):
                continue
            if b.left == 1 and has(b.grid.finals, x + 2 * step):
                b.winner = <int64_t>parent << JUMP_BITS | jump
                return
            candidate = &b.pool[b.candidates]
            b.candidates += 1
            candidate.hash = hash
            candidate.back = <uint32_t>parent << JUMP_BITS | <uint32_t>jump
            candidate.score = score


cdef void advance(Beam* b, uint32_t* history) noexcept nogil:
    """Make the candidates the positions of the next level."""
    cdef int i, jump
    cdef const Candidate* candidate
    cdef const Node* parent
    cdef Node* node
    for i in range(b.candidates):
        candidate = &b.pool[i]
        history[i] = candidate.back
        jump = candidate.back & JUMPS - 1
        parent = &b.nodes[candidate.back >> JUMP_BITS]
        node = &b.next[i]
        memcpy(node.words, parent.words, sizeof(node.words))
        play(node.words, jump)
        node.hash = candidate.hash
        node.rows = parent.rows + b.rows[jump]
        node.columns = parent.columns + b.columns[jump]
        node.squares = parent.squares + b.squares[jump]
        node.pairs = candidate.score + cost(b, node.rows, node.columns, node.squares, node.hash)
    b.history[b.levels] = history
    b.levels += 1
    b.nodes, b.next = b.next, b.nodes
    b.kept = b.candidates
    b.left -= 1


cdef bint sweep(Beam* b) except -1 nogil:
    """One beam, level by level: whether it has won. False also if `stop` ended it."""
    cdef int parent
    cdef uint32_t* history
    while b.left:
        b.candidates = 0
        b.limit = -0x7FFFFFFF
        b.scale = b.mix.spread / b.left
        memset(b.seen, 0, (<size_t>b.slots + 1) * sizeof(uint32_t))
        for parent in range(b.kept):
            if parent % BEAM_POLL == 0:
                if b.stop[0]:
                    return False
                with gil:
                    PyErr_CheckSignals()
            expand(b, parent)
            b.expanded += 1
            if b.winner >= 0:
                return True
        if not b.candidates:
            return False
        shrink(b)
        history = <uint32_t*>malloc(b.candidates * sizeof(uint32_t))
        if history is NULL:
            with gil:
                raise MemoryError
        advance(b, history)
    return False


cdef void forget(Beam* b) noexcept nogil:
    """The history of a round."""
    while b.levels:
        b.levels -= 1
        free(b.history[b.levels])


cdef void note_line(Beam* b) noexcept nogil:
    """The jumps to the won position, or to the best one of the last level if they are the best so far."""
    cdef int level = b.levels
    cdef uint32_t back, index = 0
    if b.winner < 0 and level <= b.best:
        return
    b.best = level
    if b.winner >= 0:
        b.line[level] = <int>(b.winner & JUMPS - 1)
        index = <uint32_t>(b.winner >> JUMP_BITS)
        b.best += 1
    while level:
        level -= 1
        back = b.history[level][index]
        b.line[level] = <int>(back & JUMPS - 1)
        index = back >> JUMP_BITS


cdef void learn(Beam* b) noexcept nogil:
    """Pegs were left in these cells: they shall cost more from now on, so that they go earlier."""
    cdef int i, cell
    cdef double share = b.mix.lesson / b.kept
    for cell in range(CELLS):
        b.lessons[cell] *= b.mix.memory
    for i in range(b.kept):
        for cell in range(CELLS):
            if has(b.nodes[i].words, cell):
                b.lessons[cell] += share
    for cell in range(CELLS):
        b.own[cell] = -<int16_t>(b.lessons[cell] + 0.5)


cdef bint run(Beam* b, uint64_t seed) except -1 nogil:
    """The rounds: whether one of them has won."""
    cdef int i
    cdef bint won
    for i in range(b.mix.rounds):
        begin(b, seed + <uint64_t>i * GOLDEN)
        won = sweep(b)
        note_line(b)
        if won or b.stop[0]:
            return won
        learn(b)
        forget(b)
    return False


cdef int class_of(const uint64_t* x) noexcept nogil:
    """What no jump changes: how the numbers of pegs on the three colours of diagonals, both ways, differ in parity."""
    cdef int cell, colours = 0
    for cell in range(CELLS):
        if has(x, cell):
            colours ^= 1 << ((cell >> 4) + (cell & 15)) % 3 ^ 8 << ((cell >> 4) + SIDE * 3 - (cell & 15)) % 3
    return (colours ^ colours >> 1) & 3 | (colours ^ colours >> 1) & 24


cdef int focus_of(const Beam* b, uint64_t seed) noexcept nogil:
    """The cell to draw pegs to: the only one allowed, or of those that their class allows one in turn; or none, -1."""
    cdef int places[CELLS]
    cdef int cell, n = 0, given = size_of(b.grid.finals)
    cdef uint64_t single[WORDS]
    if given > 1 and (b.mix.rounds == 1 or seed & 1):
        return -1
    for cell in range(CELLS):
        memset(single, 0, sizeof(single))
        toggle(single, cell)
        if has(b.grid.finals, cell) and (given == 1 or class_of(single) == class_of(b.grid.pegs)):
            places[n] = cell
            n += 1
    return places[(seed >> 1) % <uint64_t>n] if n else -1


cdef void prepare(Beam* b, int size) except *:
    """Memory and weights."""
    cdef uint32_t slots = 1
    b.size = max(1, min(size, LARGEST))
    b.capacity = 4 * b.size + 2 * JUMPS
    while slots < 2 * <uint32_t>b.capacity:
        slots *= 2
    b.slots = slots - 1
    b.nodes = <Node*>malloc(b.size * sizeof(Node))
    b.next = <Node*>malloc(b.size * sizeof(Node))
    b.pool = <Candidate*>malloc(b.capacity * sizeof(Candidate))
    b.seen = <uint32_t*>malloc(slots * sizeof(uint32_t))
    if b.nodes is NULL or b.next is NULL or b.pool is NULL or b.seen is NULL:
        raise MemoryError
    add_terms(b, 0, 1, b.mix.one)
    add_terms(b, 1, 1, b.mix.diagonal)
    add_terms(b, 0, 2, b.mix.two)


def beam(int height, int width, object cells, object pegs, object finals, int size, int score, uint64_t seed,
         const uint8_t[::1] stop=None):
    """Beam search, the `size` best positions a level: (verdict, jumps, nodes).

    score: 0 to SCORES - 1, which positions are good: 0 for full boards, 1 for scattered pegs, 2 the same in up to 16
    rounds, each of which learns where the ones before have left pegs behind; 1 and 2 draw the pegs together, or to the
    last peg's cell if `finals` has only one. seed: of the noise.
    verdict: 1, the jumps solve it; -1, not found: they lead to a position with the fewest pegs that were met.
    nodes: positions whose jumps were looked at. A byte in `stop` that is not 0 ends it.
    """
    cdef Beam* b = <Beam*>malloc(sizeof(Beam))
    cdef int i
    cdef bint won
    if b is NULL:
        raise MemoryError
    memset(b, 0, sizeof(Beam))
    try:
        set_up(&b.grid, height, width, cells, pegs, finals)
        b.mix = MIX[score]
        b.stop = flag(stop)
        if size_of(b.grid.pegs) == 1:
            return (1 if pegs & finals else -1), (), 1
        prepare(b, size)
        b.focus = focus_of(b, seed)
        with nogil:
            won = run(b, seed)
        return (1 if won else -1), tuple([as_jump(b.line[i]) for i in range(b.best)]), b.expanded
    finally:
        forget(b)
        free(b.nodes)
        free(b.next)
        free(b.pool)
        free(b.seen)
        free(b)


# --- depth first ----------------------------------------------------------------------------------

cdef enum:
    SEARCH_POLL = 1 << 12      # positions between two looks at Ctrl-C and `stop`
    SMALLEST = 1 << 12         # slots of a new table
    SLOTS = 8                  # to FILLED positions, at least
    FILLED = 5
    GROWTH = 4                 # of a small table; a large one is doubled
    LARGE = 1 << 16            # slots
    CHILDREN = 4 * CELLS

cdef struct Board:             # the four words
    uint64_t words[WORDS]

# The search is written once for both layouts: C compiles it twice, and `if Bits is uint64_t` is decided then.
cdef fused Bits:
    uint64_t                   # what matters of the board fits 64 cells: a smaller layout
    Board

# Positions wait on one stack, those of each depth behind those of the one before. The next one is the last.
#
#     depth            0     1           2                 3
#     stack            a  |  b  c  d  |  e  f  g  h  i  |  j  k
#                            ^first[1]   ^first[2]         ^first[3]    ^ end
#
# k is taken; its new children go behind j, as depth 4. Where nothing is left of a depth, the one before goes on.

cdef struct Search:
    Grid grid
    uint64_t starts[4]         # the smaller layout: cell (r, c) is bit stride * (r - top) + c - left
    uint64_t finals
    int stride                 # 0: it does not fit, all is done in the four words
    int top
    int left
    int pegs                   # of the first position
    int depth                  # jumps made
    int first[CELLS + 1]       # by depth: where its positions begin on the stack
    int jump[CELLS + 1]        # by depth: the jump that led there
    uint64_t possible[CELLS + 1][4 * WORDS]      # by depth: the jumps of its position
    void* stack                # positions to look at, the next one last
    int32_t* jumps             # the jumps that led to them
    void* table                # exact keys; no pegs at all: free
    uint64_t slots             # a power of two, less one
    uint64_t positions
    uint64_t max_positions
    int best                   # depth of the best position
    int line[CELLS]            # jumps to it
    bint cut
    const volatile uint8_t* stop


cdef void reach(const Grid* g, uint64_t* x) noexcept nogil:
    """Add to x all cells that could ever hold a peg if pegs were never used up."""
    cdef uint64_t over[WORDS]
    cdef uint64_t landed[WORDS]
    cdef uint64_t from_[WORDS]
    cdef int d, i
    cdef bint more = True
    while more:
        more = False
        for d in range(4):
            beside(x, d, 1, over)
            for i in range(WORDS):
                from_[i] = x[i] & over[i] & g.starts[d][i]
            beside(from_, d ^ 1, 2, landed)
            for i in range(WORDS):
                more = more or landed[i] & ~x[i] != 0
                x[i] |= landed[i]


cdef void narrow(Search* s, const uint64_t* cells) noexcept nogil:
    """The smaller layout for these cells, row by row; stride 0 if they do not fit."""
    cdef int top = SIDE, bottom = -1, left = SIDE, right = -1, cell
    for cell in range(CELLS):
        if has(cells, cell):
            top = min(top, cell >> 4)
            bottom = max(bottom, cell >> 4)
            left = min(left, cell & 15)
            right = max(right, cell & 15)
    s.top = top
    s.left = left
    s.stride = right - left + 1
    if s.stride * (bottom - top + 1) > 64:
        s.stride = 0


cdef uint64_t narrowed(const Search* s, const uint64_t* x) noexcept nogil:
    """A board in the smaller layout."""
    cdef uint64_t y = 0
    cdef int cell
    for cell in range(CELLS):
        if has(x, cell):
            y |= ONE << ((cell >> 4) - s.top) * s.stride + (cell & 15) - s.left
    return y


cdef inline uint64_t slot_of(const Bits* x) noexcept nogil:
    """Of a product's bits only the upper ones depend on all of the factor's, so that the lower ones need them."""
    cdef uint64_t product
    if Bits is uint64_t:
        product = x[0] * GOLDEN
        return product ^ product >> 32
    else:
        return mixed(x.words[0] * GOLDEN + x.words[1] * <uint64_t>0xBF58476D1CE4E5B9
                     + x.words[2] * <uint64_t>0x94D049BB133111EB + x.words[3] * <uint64_t>0xD6E8FEB86659FD93)


cdef inline bint empty(const Bits* x) noexcept nogil:
    """Whether a slot of the table is free: no position is without pegs."""
    if Bits is uint64_t:
        return x[0] == 0
    else:
        return (x.words[0] | x.words[1] | x.words[2] | x.words[3]) == 0


cdef inline bint same(const Bits* x, const Bits* y) noexcept nogil:
    """Whether two positions are equal."""
    if Bits is uint64_t:
        return x[0] == y[0]
    else:
        return memcmp(x.words, y.words, sizeof(x.words)) == 0


cdef inline bint in_finals(const Search* s, const Bits* x) noexcept nogil:
    """Whether a peg is in a cell where the last one may end."""
    if Bits is uint64_t:
        return x[0] & s.finals != 0
    else:
        return (x.words[0] & s.grid.finals[0] | x.words[1] & s.grid.finals[1]
                | x.words[2] & s.grid.finals[2] | x.words[3] & s.grid.finals[3]) != 0


cdef bint grow(Search* s, const Bits* _) noexcept nogil:
    """More slots; False without memory. (The second argument only says which layout is meant.)"""
    cdef uint64_t slots = (GROWTH if s.slots < LARGE else 2) * (s.slots + 1) - 1, i, slot
    cdef Bits* old = <Bits*>s.table
    cdef Bits* table = <Bits*>calloc(slots + 1, sizeof(Bits))
    if table is NULL:
        return False
    for i in range(s.slots + 1):
        if empty(&old[i]):
            continue
        slot = slot_of(&old[i]) & slots
        while not empty(&table[slot]):
            slot = slot + 1 & slots
        table[slot] = old[i]
    free(s.table)
    s.table = table
    s.slots = slots
    return True


cdef inline bint is_new(Search* s, const Bits* x) noexcept nogil:
    """Whether a position was not met before; notes it. There is a free slot."""
    cdef Bits* table = <Bits*>s.table
    cdef uint64_t slot = slot_of(x) & s.slots
    while not empty(&table[slot]):
        if same(&table[slot], x):
            return False
        slot = slot + 1 & s.slots
    table[slot] = x[0]
    s.positions += 1
    return True


cdef inline int children(Search* s, const Bits* x, Bits* to, int32_t* jumps) noexcept nogil:
    """Write the positions one jump on that are worth a look, and the jumps; their number.

    A jump that was possible before the latest one too is left out if its number is lower: the two do not touch each
    other, and what both lead to is met by playing them in the order of their numbers (docs/pegs-engine.md).
    """
    cdef uint64_t* starts = s.possible[s.depth]
    cdef const uint64_t* earlier = s.possible[max(s.depth - 1, 0)]
    cdef uint64_t froms, p, three
    cdef int i, cell, n = 0, stride, words = 1 if Bits is uint64_t else WORDS
    cdef int latest = s.jump[s.depth] if s.depth else 0
    # The place of the latest jump among the words: those before it go as a whole.
    cdef int place = (latest >> 8) * words + ((latest & 255) >> 6)
    cdef uint64_t lower = (ONE << (latest & 63)) - 1
    if Bits is uint64_t:
        p = x[0]
        stride = s.stride
        starts[0] = p & p << stride & ~(p << 2 * stride) & s.starts[0]
        starts[1] = p & p >> stride & ~(p >> 2 * stride) & s.starts[1]
        starts[2] = p & p << 1 & ~(p << 2) & s.starts[2]
        starts[3] = p & p >> 1 & ~(p >> 2) & s.starts[3]
    else:
        possible(&s.grid, x.words, starts)
    for i in range(4 * words):
        froms = starts[i]
        if s.depth and i <= place:
            froms &= ~(earlier[i] if i < place else earlier[i] & lower)
        if Bits is uint64_t:
            stride = s.stride if i < 2 else 1
            three = ONE | ONE << stride | ONE << 2 * stride
        while froms:
            if Bits is uint64_t:
                cell = trailing_zeros(froms)
                to[n] = p ^ three << (cell if i & 1 else cell - 2 * stride)
                jumps[n] = i << 8 | cell
            else:
                jumps[n] = i >> 2 << 8 | (i & 3) << 6 | trailing_zeros(froms)
                to[n] = x[0]
                play(to[n].words, jumps[n])
            froms &= froms - 1
            n += 1
    return n


cdef void note_best(Search* s) noexcept nogil:
    """The position at hand is the one with the fewest pegs so far: keep the jumps to it."""
    s.best = s.depth
    memcpy(s.line, s.jump + 1, s.depth * sizeof(int))


cdef inline int note_new(Search* s, Bits* stack, int end, int n) noexcept nogil:
    """Of n children at the stack's end keep those not met before, and note them; the new end.

    All their slots are asked for before the first is read: most of the time is waiting for memory.
    """
    cdef Bits* table = <Bits*>s.table
    cdef int i, kept = end
    for i in range(end, end + n):
        prefetch(&table[slot_of(&stack[i]) & s.slots])
    for i in range(end, end + n):
        if is_new(s, &stack[i]):
            stack[kept] = stack[i]
            s.jumps[kept] = s.jumps[i]
            kept += 1
    return kept


cdef int dig(Search* s, Bits* root) except -1 nogil:
    """1 won, 0 not: then all was searched unless `cut`.

    A position is noted when it is first met, not when its turn comes, so that it waits on the stack only once.
    """
    cdef Bits* stack = <Bits*>s.stack
    cdef Bits x
    cdef int end = 1, n
    cdef uint64_t looked = 0       # positions whose children were made
    stack[0] = root[0]
    is_new(s, root)
    s.depth = s.first[0] = s.jump[0] = 0
    while True:
        if end == s.first[s.depth]:
            if s.depth == 0:
                return 0
            s.depth -= 1
            continue
        end -= 1
        x = stack[end]
        s.jump[s.depth] = s.jumps[end]
        if s.depth > s.best:
            note_best(s)
        if s.depth == s.pegs - 1:
            if in_finals(s, &x):
                note_best(s)
                return 1
            continue
        if looked % SEARCH_POLL == 0:
            if s.stop[0]:
                s.cut = True
                return 0
            with gil:
                PyErr_CheckSignals()
        looked += 1
        n = children(s, &x, stack + end, s.jumps + end)
        if s.max_positions and s.positions + n > s.max_positions:
            s.cut = True
            return 0
        if SLOTS * (s.positions + n) > FILLED * s.slots and not grow(s, root):
            with gil:
                raise MemoryError
        s.depth += 1
        s.first[s.depth] = end
        end = note_new(s, stack, end, n)


cdef tuple line_of(const Search* s):
    """The jumps to the best position, as the caller numbers cells."""
    cdef int i, jump, cell
    jumps = []
    for i in range(s.best):
        jump = s.line[i]
        cell = jump & 255
        if s.stride:
            jumps.append((cell // s.stride + s.top, cell % s.stride + s.left, jump >> 8))
        else:
            jumps.append(as_jump(jump))
    return tuple(jumps)


def search(int height, int width, object cells, object pegs, object finals, uint64_t max_positions,
           const uint8_t[::1] stop=None):
    """Depth first with a table of all positions met: (verdict, jumps, positions).

    verdict: 1, the jumps solve it; 0, impossible: all positions that can be reached were looked at; -1, not decided
    within `max_positions` (0: no bound) or before a byte in `stop` was set: the jumps lead to a position with the
    fewest pegs that was met. Memory: 13 to 52 bytes a position where the cells that pegs can ever reach fit a
    rectangle of 64 cells, else four times that.
    """
    cdef Search* s = <Search*>malloc(sizeof(Search))
    cdef int found, d, i
    cdef size_t room
    cdef uint64_t root
    cdef Board board
    cdef uint64_t used[WORDS]
    if s is NULL:
        raise MemoryError
    memset(s, 0, sizeof(Search))
    try:
        set_up(&s.grid, height, width, cells, pegs, finals)
        s.pegs = size_of(s.grid.pegs)
        memcpy(used, s.grid.pegs, sizeof(used))
        reach(&s.grid, used)
        narrow(s, used)
        if s.stride:
            for i in range(WORDS):
                s.grid.cells[i] = used[i]
                s.grid.finals[i] &= used[i]
            set_starts(&s.grid)
            s.finals = narrowed(s, s.grid.finals)
            for d in range(4):
                s.starts[d] = narrowed(s, s.grid.starts[d])
        room = sizeof(uint64_t) if s.stride else sizeof(Board)
        s.slots = SMALLEST - 1
        s.stack = malloc((s.pegs + 1) * CHILDREN * room)
        s.jumps = <int32_t*>malloc((s.pegs + 1) * CHILDREN * sizeof(int32_t))
        s.table = calloc(SMALLEST, room)
        if s.stack is NULL or s.jumps is NULL or s.table is NULL:
            raise MemoryError
        s.max_positions = max_positions
        s.stop = flag(stop)
        with nogil:
            if s.stride:
                root = narrowed(s, s.grid.pegs)
                found = dig(s, &root)
            else:
                memcpy(board.words, s.grid.pegs, sizeof(board.words))
                found = dig(s, &board)
        return (1 if found else -1 if s.cut else 0), line_of(s), s.positions
    finally:
        free(s.stack)
        free(s.jumps)
        free(s.table)
        free(s)
