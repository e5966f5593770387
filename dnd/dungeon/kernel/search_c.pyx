# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
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

cdef extern from *:
    """
    #include <stdint.h>

    /* The lines of a small board, all 16 at once.

       Two boards a, b side by side are 16 bytes, a byte a row: 8 rows of a, 8 rows of b.
       Rows: count the bits of each byte (two look-ups of a nibble).
       Columns: the bits k and k + 4 of all rows stand in nibbles of their own once the bits
       between are masked out; a sum of the 8 bytes adds 8 rows in both nibbles at once:

           byte r       h g f e d c b a      (x >> 1) & 0x11      0 0 0 f 0 0 0 b
           sum over r                                             sum f   sum b

       Four such sums are the 8 columns. No transposition, no carry between lines. */

    #define DND_EVERY_BYTE 0x0101010101010101ULL
    #define DND_NOT_FIRST 0xfefefefefefefefeULL
    #define DND_NOT_LAST 0x7f7f7f7f7f7f7f7fULL
    #define DND_BLOCKS 0x007f7f7f7f7f7f7fULL
    #define DND_NO_CLUE 0x7f           /* a lack that no line uses up */

    typedef struct {                   /* lines, each as the mask of its cells */
        uint64_t row_wall, row_floor, column_wall, column_floor;
    } dnd_lines;

    #if defined(__SSSE3__)
    #include <tmmintrin.h>

    typedef struct { __m128i rows, columns; } dnd_lanes;      /* 8 bytes for a, 8 for b */

    static inline __m128i dnd_clue_lanes(const int8_t *clues, int length)
    {
        __m128i clue = _mm_loadl_epi64((const __m128i *)clues);
        __m128i walls = _mm_add_epi8(clue, _mm_set1_epi8((char)(8 - length)));
        __m128i floors = _mm_sub_epi8(_mm_set1_epi8((char)length), clue);
        __m128i both = _mm_unpacklo_epi64(walls, floors);
        __m128i no_clue = _mm_cmplt_epi8(_mm_unpacklo_epi64(clue, clue), _mm_setzero_si128());
        return _mm_or_si128(_mm_andnot_si128(no_clue, both),
                            _mm_and_si128(no_clue, _mm_set1_epi8(DND_NO_CLUE)));
    }

    static inline dnd_lanes dnd_sums(uint64_t a, uint64_t b)
    {
        const __m128i nibble = _mm_set1_epi8(15), every4 = _mm_set1_epi8(0x11);
        const __m128i zero = _mm_setzero_si128();
        const __m128i bits = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        __m128i x = _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)a),
                                       _mm_cvtsi64_si128((long long)b));
        __m128i low = _mm_and_si128(x, nibble);
        __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), nibble);
        __m128i c0 = _mm_sad_epu8(_mm_and_si128(x, every4), zero);
        __m128i c1 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(x, 1), every4), zero);
        __m128i c2 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(x, 2), every4), zero);
        __m128i c3 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(x, 3), every4), zero);
        __m128i c = _mm_or_si128(_mm_or_si128(c0, _mm_slli_epi64(c1, 8)),
                                 _mm_or_si128(_mm_slli_epi64(c2, 16), _mm_slli_epi64(c3, 24)));
        dnd_lanes sums = {
            _mm_add_epi8(_mm_shuffle_epi8(bits, low), _mm_shuffle_epi8(bits, high)),
            _mm_and_si128(_mm_or_si128(c, _mm_slli_epi64(c, 28)), nibble)};
        return sums;
    }

    static inline dnd_lanes dnd_minus(dnd_lanes a, dnd_lanes b)
    {
        dnd_lanes difference = {_mm_sub_epi8(a.rows, b.rows), _mm_sub_epi8(a.columns, b.columns)};
        return difference;
    }

    static inline uint64_t dnd_any_negative(dnd_lanes x)
    {
        return (uint64_t)_mm_movemask_epi8(_mm_or_si128(x.rows, x.columns));
    }

    static inline dnd_lines dnd_equal(dnd_lanes x, int n)
    {
        __m128i rows = _mm_cmpeq_epi8(x.rows, _mm_set1_epi8((char)n));
        __m128i columns = _mm_cmpeq_epi8(x.columns, _mm_set1_epi8((char)n));
        uint64_t c = (uint64_t)_mm_movemask_epi8(columns);
        dnd_lines lines = {(uint64_t)_mm_cvtsi128_si64(rows),
                           (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(rows, rows)),
                           (c & 255) * DND_EVERY_BYTE, (c >> 8) * DND_EVERY_BYTE};
        return lines;
    }

    static inline int dnd_scarcest(uint64_t unknown, uint64_t candidates)
    {
        dnd_lanes sums = dnd_sums(unknown, candidates);
        __m128i none = _mm_cmpeq_epi8(_mm_unpackhi_epi64(sums.rows, sums.columns),
                                      _mm_setzero_si128());
        __m128i keys = _mm_or_si128(_mm_unpacklo_epi64(sums.rows, sums.columns), none);
        __m128i least = _mm_min_epu8(keys, _mm_srli_si128(keys, 8));
        least = _mm_min_epu8(least, _mm_srli_si128(least, 4));
        least = _mm_min_epu8(least, _mm_srli_si128(least, 2));
        least = _mm_min_epu8(least, _mm_srli_si128(least, 1));
        least = _mm_shuffle_epi8(least, _mm_setzero_si128());
        return __builtin_ctz((unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(keys, least)));
    }

    #else                              /* the same in plain 64-bit words */

    typedef struct { uint64_t a, b; } dnd_pair;
    typedef struct { dnd_pair rows, columns; } dnd_lanes;

    #define DND_HIGH 0x8080808080808080ULL

    static inline dnd_pair dnd_clue_lanes(const int8_t *clues, int length)
    {
        dnd_pair lanes = {0, 0};
        for (int i = 0; i < 8; i++) {
            int walls = clues[i] < 0 ? DND_NO_CLUE : clues[i] + 8 - length;
            int floors = clues[i] < 0 ? DND_NO_CLUE : length - clues[i];
            lanes.a |= (uint64_t)walls << 8 * i;
            lanes.b |= (uint64_t)floors << 8 * i;
        }
        return lanes;
    }

    static inline uint64_t dnd_row_sums(uint64_t x)
    {
        x -= x >> 1 & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
        return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    }

    static inline uint64_t dnd_column_sums(uint64_t x)
    {
        uint64_t c = 0;
        for (int k = 0; k < 4; k++)
            c |= ((x >> k & 0x1111111111111111ULL) * DND_EVERY_BYTE >> 56) << 8 * k;
        return (c | c << 28) & 0x0f0f0f0f0f0f0f0fULL;
    }

    static inline dnd_lanes dnd_sums(uint64_t a, uint64_t b)
    {
        dnd_lanes sums = {{dnd_row_sums(a), dnd_row_sums(b)},
                          {dnd_column_sums(a), dnd_column_sums(b)}};
        return sums;
    }

    static inline uint64_t dnd_minus8(uint64_t a, uint64_t b)    /* bytes: 0 <= a, b < 128 */
    {
        return ((a | DND_HIGH) - b) ^ DND_HIGH;
    }

    static inline dnd_lanes dnd_minus(dnd_lanes a, dnd_lanes b)
    {
        dnd_lanes difference = {
            {dnd_minus8(a.rows.a, b.rows.a), dnd_minus8(a.rows.b, b.rows.b)},
            {dnd_minus8(a.columns.a, b.columns.a), dnd_minus8(a.columns.b, b.columns.b)}};
        return difference;
    }

    static inline uint64_t dnd_any_negative(dnd_lanes x)
    {
        return (x.rows.a | x.rows.b | x.columns.a | x.columns.b) & DND_HIGH;
    }

    static inline uint64_t dnd_equal8(uint64_t x, int n)          /* 1 in each byte equal to n */
    {
        x ^= (uint64_t)n * DND_EVERY_BYTE;
        return (DND_HIGH - (x & ~DND_HIGH)) >> 7 & ~(x >> 7) & DND_EVERY_BYTE;
    }

    static inline uint64_t dnd_columns(uint64_t bytes)            /* byte i -> column i */
    {
        return (bytes * 0x0102040810204080ULL >> 56) * DND_EVERY_BYTE;
    }

    static inline dnd_lines dnd_equal(dnd_lanes x, int n)
    {
        dnd_lines lines = {dnd_equal8(x.rows.a, n) * 255, dnd_equal8(x.rows.b, n) * 255,
                           dnd_columns(dnd_equal8(x.columns.a, n)),
                           dnd_columns(dnd_equal8(x.columns.b, n))};
        return lines;
    }

    static inline int dnd_scarcest(uint64_t unknown, uint64_t candidates)
    {
        dnd_lanes sums = dnd_sums(unknown, candidates);
        int best = 0, fewest = 9;
        for (int i = 0; i < 16; i++) {
            dnd_pair line = i < 8 ? sums.rows : sums.columns;
            int n = (int)(line.a >> 8 * (i & 7) & 255);
            if (line.b >> 8 * (i & 7) & 255 && n < fewest) {
                fewest = n;
                best = i;
            }
        }
        return best;
    }

    #endif

    static inline dnd_lanes dnd_clues(const int8_t *rows, const int8_t *columns,
                                      int height, int width)
    {
        dnd_lanes clues = {dnd_clue_lanes(rows, width), dnd_clue_lanes(columns, height)};
        return clues;
    }

    #define DND_HIGHEST(x) (63 - __builtin_clzll(x))
    """
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
    int popcount "__builtin_popcountll"(uint64_t) noexcept nogil
    int lowest "__builtin_ctzll"(uint64_t) noexcept nogil
    int highest "DND_HIGHEST"(uint64_t) noexcept nogil
    bint expect "__builtin_expect"(bint, long) noexcept nogil

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
cdef uint8_t NEVER = 0         # a byte nobody sets, for searches that nobody stops

# Two types only to tell `close` which of its two forms is meant; no value of them is used.
ctypedef short Small
ctypedef long AnyShape


cdef fused Layout:
    Small
    AnyShape


cdef struct Board:
    int height
    int width
    bint small
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
    uint64_t room[MAX_TREASURES * MAX_ROOMS]      # placement k of treasure t: 9 * t + k
    uint64_t border[MAX_TREASURES * MAX_ROOMS]
    uint64_t blocks_in[MAX_TREASURES * MAX_ROOMS]

cdef struct State:
    uint64_t walls
    uint64_t floors
    uint64_t rooms             # bit 9 * t + k: placement k of treasure t is possible
    uint64_t asleep            # blocks in the possible rooms when last looked at (or more)
    uint64_t core              # some floors that hang together through floors

cdef struct Search:
    Board board
    State stack[STACK]         # states to close, the next one on top
    int depth
    uint64_t nodes
    uint64_t polled            # nodes since the last look at Ctrl-C, in this and earlier puzzles
    uint64_t found             # walls of the latest solution
    const volatile uint8_t* stop       # not 0: another thread wants the search given up


# --- the board ------------------------------------------------------------------------------------

cdef inline uint64_t spread(uint64_t x, int stride, uint64_t not_first,
                            uint64_t not_last) noexcept nogil:
    """The neighbours of the cells of x."""
    return x << stride | x >> stride | x << 1 & not_first | x >> 1 & not_last


cdef inline uint64_t squares_over(uint64_t x, int stride) noexcept nogil:
    """Upper left cells of all 3x3 squares that hold a cell of x (some wrap: mask them out)."""
    x |= x >> 1 | x >> 2
    return x | x >> stride | x >> stride >> stride


cdef inline bint several(uint64_t x) noexcept nogil:
    return x & (x - 1) != 0


cdef void set_shape(Board* b, int height, int width) noexcept nogil:
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
    cdef int stride = b.stride, k, i
    cdef uint64_t squares, corners, room, left = treasures
    # A square fits if its corner has two cells to the right and two below; a monster in the
    # square or on its border is a monster, or a neighbour of one, in the square.
    squares = b.not_last & b.not_last >> 1 & ~b.outside >> stride >> stride
    squares &= ~squares_over(monsters | spread(monsters, stride, b.not_first, b.not_last), stride)
    while left:
        k = MAX_ROOMS * b.treasures
        corners = squares_over(left & -left, stride) & squares
        while corners:
            i = lowest(corners)
            corners &= corners - 1
            room = (ONE | ONE << stride | ONE << stride << stride) * 7 << i
            if several(room & treasures):
                continue
            b.room[k] = room
            b.border[k] = spread(room, stride, b.not_first, b.not_last) & ~room
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
        root.walls = root.floors = FULL                   # rule 18: a contradiction
    elif treasures:
        list_placements(b, root, monsters, treasures)


# --- the closure ----------------------------------------------------------------------------------

cdef bint count_lines(const Board* b, uint64_t walls, uint64_t floors, Lines* none,
                      Lines* one) noexcept nogil:
    """Lines that lack none and one, on any shape; False if a line lacks a negative number."""
    cdef int i, clue, wall, floor
    cdef uint64_t line
    none.row_wall = none.row_floor = none.column_wall = none.column_floor = 0
    one[0] = none[0]
    for i in range(b.height):
        clue = b.rows[i]
        if clue < 0:
            continue
        line = b.row << i * b.stride
        wall = clue - popcount(walls & line)
        floor = b.width - clue - popcount(floors & line)
        if wall < 0 or floor < 0:
            return False
        none.row_wall |= line if wall == 0 else 0
        none.row_floor |= line if floor == 0 else 0
        one.row_wall |= line if wall == 1 else 0
        one.row_floor |= line if floor == 1 else 0
    for i in range(b.width):
        clue = b.columns[i]
        if clue < 0:
            continue
        line = b.column << i
        wall = clue - popcount(walls & line)
        floor = b.height - clue - popcount(floors & line)
        if wall < 0 or floor < 0:
            return False
        none.column_wall |= line if wall == 0 else 0
        none.column_floor |= line if floor == 0 else 0
        one.column_wall |= line if wall == 1 else 0
        one.column_floor |= line if floor == 1 else 0
    return True


cdef inline uint64_t row_without(uint64_t pairs, uint64_t pair, int back, int stride,
                                 uint64_t row) noexcept nogil:
    """For each bit of pairs its row less the pair, whose first cell is `back` bits earlier."""
    cdef uint64_t rest = 0
    cdef int i
    while expect(pairs != 0, 0):
        i = lowest(pairs)
        pairs &= pairs - 1
        rest |= row << i - i % stride & ~(pair << i - back)
    return rest


cdef inline uint64_t column_without(uint64_t pairs, uint64_t pair, int back, int stride,
                                    uint64_t column) noexcept nogil:
    """For each bit of pairs its column less the pair, whose first cell is `back` bits earlier."""
    cdef uint64_t rest = 0
    cdef int i
    while expect(pairs != 0, 0):
        i = lowest(pairs)
        pairs &= pairs - 1
        rest |= column << i % stride & ~(pair << i - back)
    return rest


cdef bint close(const Board* b, State* s, Layout layout) noexcept nogil:
    """Run the rules on s until nothing changes; False on a contradiction.

    In each round all rules read the same walls and floors, so the processor works on several
    of them at a time; what they find is joined at the end of the round.
    """
    cdef int stride = SMALL if Layout is Small else b.stride
    cdef uint64_t not_first = NOT_FIRST if Layout is Small else b.not_first
    cdef uint64_t not_last = NOT_LAST if Layout is Small else b.not_last
    cdef uint64_t blocks = BLOCKS if Layout is Small else b.blocks
    cdef uint64_t row = 255 if Layout is Small else b.row
    cdef uint64_t column = EVERY_BYTE if Layout is Small else b.column
    cdef uint64_t walls = s.walls, floors = s.floors, rooms = s.rooms, asleep = s.asleep
    cdef uint64_t monsters = b.monsters
    cdef uint64_t wall, floor, bad, possible, unknown, awake
    cdef uint64_t up, down, left, right, any_v, all_v, any_h, all_h
    cdef uint64_t one, two, three, known_one, known_two
    cdef uint64_t both, either, pairs, x, y
    cdef uint64_t border, common, alive, still_asleep, reached
    cdef Lanes lack
    cdef Lines full, short_by_one
    cdef int t, k

    while True:
        # At least one, two, three neighbours that may be floor; that are floor.
        possible = ~walls
        unknown = possible & ~floors
        up = possible << stride
        down = possible >> stride
        left = possible << 1 & not_first
        right = possible >> 1 & not_last
        any_v = up | down
        all_v = up & down
        any_h = left | right
        all_h = left & right
        one = any_v | any_h
        two = all_v | all_h | any_v & any_h
        three = all_v & any_h | all_h & any_v
        up = floors << stride
        down = floors >> stride
        left = floors << 1 & not_first
        right = floors >> 1 & not_last
        any_v = up | down
        any_h = left | right
        known_one = any_v | any_h
        known_two = up & down | left & right | any_v & any_h

        # Rules 1 to 5.
        bad = monsters & (~one | known_two)
        wall = walls | ~two & ~monsters
        wall |= spread(monsters & known_one, stride, not_first, not_last) & ~floors
        x = floors & ~monsters & ~three | monsters & ~two
        floor = floors | spread(x, stride, not_first, not_last) & possible

        # Rules 6 and 7: `both`, `either` of a cell and the one to its right are floor.
        awake = blocks & ~asleep
        both = floors & floors >> 1
        either = floors | floors >> 1
        bad |= both & both >> stride & awake
        x = (both & either >> stride | either & both >> stride) & awake
        x |= x << 1
        wall |= (x | x << stride) & ~floors

        # Rules 8 to 10.
        if Layout is Small:
            lack = minus(b.lanes, line_sums(walls, floors))
            bad |= any_negative(lack)
            full = equal(lack, 0)
        else:
            if not count_lines(b, walls, floors, &full, &short_by_one):
                return False
        wall |= unknown & (full.row_floor | full.column_floor)
        floor |= unknown & (full.row_wall | full.column_wall)

        if bad | wall & floor:
            return False
        if (wall ^ walls) | (floor ^ floors):
            walls = wall
            floors = floor
            continue

        # Rule 11.
        if Layout is Small:
            short_by_one = equal(lack, 1)
        x = possible & ~(unknown & short_by_one.row_floor)
        y = possible & ~(unknown & short_by_one.column_floor)
        up = y << stride
        down = y >> stride
        left = x << 1 & not_first
        right = x >> 1 & not_last
        wall |= unknown & ~(up & down | left & right | (up | down) & (left | right))

        # Rule 12.
        x = unknown & ~three & short_by_one.row_wall
        y = unknown & ~three & short_by_one.column_wall
        floor |= unknown & (x << 1 & not_first | x >> 1 & not_last | y << stride | y >> stride)

        # Rule 13, in rows, then in columns: (a) a pair stands at its first cell, below or
        # above two floors, (b) at the monster between.
        x = unknown & unknown >> 1 & not_last
        pairs = (awake & both & x >> stride) << stride | awake & x & both >> stride
        pairs &= short_by_one.row_wall
        floor |= unknown & row_without(pairs, 3, 0, stride, row)
        pairs = monsters & unknown << 1 & not_first & unknown >> 1 & not_last
        pairs &= short_by_one.row_wall
        floor |= unknown & row_without(pairs, 5, 1, stride, row)
        x = unknown & unknown >> stride
        y = floors & floors >> stride
        pairs = (awake & y & x >> 1) << 1 | awake & x & y >> 1
        pairs &= short_by_one.column_wall
        floor |= unknown & column_without(pairs, ONE | ONE << stride, 0, stride, column)
        pairs = monsters & unknown << stride & unknown >> stride & short_by_one.column_wall
        floor |= unknown & column_without(pairs, ONE | ONE << stride << stride, stride, stride,
                                          column)

        if wall & floor:
            return False
        if (wall ^ walls) | (floor ^ floors):
            walls = wall
            floors = floor
            continue

        # Rules 14 to 17. When a room goes, blocks wake up: that too asks for another round.
        if b.treasures:
            still_asleep = 0
            for t in range(b.treasures):
                alive = rooms & ROOMS << MAX_ROOMS * t
                common = FULL
                x = alive
                while x:
                    k = lowest(x)
                    x &= x - 1
                    border = b.border[k]
                    if ((b.room[k] & walls != 0) | (border & possible == 0)
                            | several(border & floors)):
                        alive ^= ONE << k
                        rooms ^= ONE << k
                        continue
                    common &= b.room[k]
                    still_asleep |= b.blocks_in[k]
                if not alive:
                    return False
                floor |= common
                if not several(alive):
                    border = b.border[lowest(alive)]
                    if border & floors:
                        wall |= border & ~floors
                    elif not several(border & possible):
                        floor |= border & possible
            if wall & floor:
                return False
            if (wall ^ walls) | (floor ^ floors) | (still_asleep ^ asleep):
                walls = wall
                floors = floor
                asleep = still_asleep
                continue

        # Rule 19. Floors once connected through floors stay so: the core is handed down.
        if floors:
            reached = s.core if s.core else floors & -floors
            reached |= spread(reached, stride, not_first, not_last) & floors
            reached |= spread(reached, stride, not_first, not_last) & floors
            s.core = reached
            while floors & ~reached:
                x = reached | spread(reached, stride, not_first, not_last) & possible
                x |= spread(x, stride, not_first, not_last) & possible
                if x == reached:
                    return False
                reached = x
        s.walls = walls
        s.floors = floors
        s.rooms = rooms
        s.asleep = asleep
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
    candidates = spread(s.floors, b.stride, b.not_first, b.not_last) & unknown
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
        placement = ONE << highest(placements)
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


cdef const uint8_t* flag(const uint8_t[::1] stop) noexcept:
    """The byte to watch. The memoryview keeps it in its place as long as the caller holds it."""
    if stop is None:
        return &NEVER
    return &stop[0]


cdef void read_clues(tuple clues, int8_t* to, int n):
    cdef int i
    for i in range(n):
        to[i] = <int8_t><long><object>PyTuple_GET_ITEM(clues, i)


cdef void read_puzzle(Search* search, int height, int width, tuple rows, tuple columns,
                      uint64_t monsters, uint64_t treasures, uint64_t walls, uint64_t floors,
                      const uint8_t* stop):
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
