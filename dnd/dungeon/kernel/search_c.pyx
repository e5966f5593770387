# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
"""The exact engine for boards of up to 64 cells, compiled.

`docs/engine.md` states the search exactly: which rules are run until nothing changes, how the
search branches, what a node is. `search_py` is the same search written separately; both return
the same solutions in the same order and the same number of nodes on every input.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.tuple cimport PyTuple_GET_ITEM
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

cdef extern from *:
    """
    #if defined(__SSSE3__)
    #include <tmmintrin.h>
    #endif
    #include <stdint.h>
    #include <string.h>

    /* How much every line of an 8x8 board still lacks, all 16 lines at once. */

    typedef struct {
        uint64_t row_wall, row_floor, column_wall, column_floor;
    } dnd_lines;                       /* sets of lines, each line as the mask of its cells */

    #define DND_ONES 0x0101010101010101ULL
    #define DND_UNKNOWN 0x7f           /* a lack no line can use up */

    #if defined(__SSSE3__)

    typedef struct { __m128i rows, columns; } dnd_clues;   /* lanes: 8 x walls, 8 x floors */
    typedef struct { __m128i rows, columns; } dnd_lack;

    static inline __m128i dnd_clue_lanes(const int8_t *clue, int length)
    {
        __m128i c = _mm_loadl_epi64((const __m128i *)clue);
        __m128i unknown = _mm_cmplt_epi8(c, _mm_setzero_si128());
        __m128i walls = _mm_add_epi8(c, _mm_set1_epi8((char)(8 - length)));
        __m128i floors = _mm_sub_epi8(_mm_set1_epi8((char)length), c);
        __m128i both = _mm_unpacklo_epi64(walls, floors);
        unknown = _mm_unpacklo_epi64(unknown, unknown);
        return _mm_or_si128(_mm_andnot_si128(unknown, both),
                            _mm_and_si128(unknown, _mm_set1_epi8(DND_UNKNOWN)));
    }

    static inline void dnd_set_clues(dnd_clues *k, const int8_t *rows, const int8_t *columns,
                                     int height, int width)
    {
        k->rows = dnd_clue_lanes(rows, width);
        k->columns = dnd_clue_lanes(columns, height);
    }

    static inline dnd_lack dnd_count(const dnd_clues *k, uint64_t walls, uint64_t floors)
    {
        const __m128i nibble = _mm_set1_epi8(15), every4 = _mm_set1_epi8(0x11);
        const __m128i zero = _mm_setzero_si128();
        const __m128i table = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        __m128i v = _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)walls),
                                       _mm_cvtsi64_si128((long long)floors));
        __m128i low = _mm_and_si128(v, nibble);
        __m128i high = _mm_and_si128(_mm_srli_epi16(v, 4), nibble);
        __m128i rows = _mm_add_epi8(_mm_shuffle_epi8(table, low), _mm_shuffle_epi8(table, high));
        __m128i c0 = _mm_sad_epu8(_mm_and_si128(v, every4), zero);
        __m128i c1 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(v, 1), every4), zero);
        __m128i c2 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(v, 2), every4), zero);
        __m128i c3 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(v, 3), every4), zero);
        __m128i c = _mm_or_si128(_mm_or_si128(c0, _mm_slli_epi64(c1, 8)),
                                 _mm_or_si128(_mm_slli_epi64(c2, 16), _mm_slli_epi64(c3, 24)));
        c = _mm_and_si128(_mm_or_si128(c, _mm_slli_epi64(c, 28)), nibble);
        dnd_lack lack = {_mm_sub_epi8(k->rows, rows), _mm_sub_epi8(k->columns, c)};
        return lack;
    }

    static inline int dnd_overrun(dnd_lack lack)
    {
        return _mm_movemask_epi8(_mm_or_si128(lack.rows, lack.columns));
    }

    static inline dnd_lines dnd_lacking(dnd_lack lack, int n)
    {
        __m128i want = _mm_set1_epi8((char)n);
        __m128i rows = _mm_cmpeq_epi8(lack.rows, want);
        uint64_t c = (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lack.columns, want));
        dnd_lines lines = {(uint64_t)_mm_cvtsi128_si64(rows),
                           (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(rows, rows)),
                           (c & 255) * DND_ONES, (c >> 8) * DND_ONES};
        return lines;
    }

    #else

    typedef struct { uint64_t rows[2], columns[2]; } dnd_clues;    /* [0] walls, [1] floors */
    typedef struct { uint64_t rows[2], columns[2]; } dnd_lack;

    static inline void dnd_set_clues(dnd_clues *k, const int8_t *rows, const int8_t *columns,
                                     int height, int width)
    {
        memset(k, 0, sizeof *k);
        for (int i = 0; i < 8; i++) {
            int r = rows[i], c = columns[i];
            k->rows[0] |= (uint64_t)(r < 0 ? DND_UNKNOWN : r + 8 - width) << (8 * i);
            k->rows[1] |= (uint64_t)(r < 0 ? DND_UNKNOWN : width - r) << (8 * i);
            k->columns[0] |= (uint64_t)(c < 0 ? DND_UNKNOWN : c + 8 - height) << (8 * i);
            k->columns[1] |= (uint64_t)(c < 0 ? DND_UNKNOWN : height - c) << (8 * i);
        }
    }

    #define DND_HIGH 0x8080808080808080ULL
    static inline uint64_t dnd_subtract(uint64_t a, uint64_t b)     /* bytewise, for b <= 8 */
    {
        return ((a | DND_HIGH) - b) ^ DND_HIGH;
    }
    static inline uint64_t dnd_row_counts(uint64_t x)
    {
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    }
    static inline uint64_t dnd_column_counts(uint64_t x)
    {
        const uint64_t every4 = 0x1111111111111111ULL;
        uint64_t c = ((x & every4) * DND_ONES >> 56)
                   | ((x >> 1 & every4) * DND_ONES >> 56) << 8
                   | ((x >> 2 & every4) * DND_ONES >> 56) << 16
                   | ((x >> 3 & every4) * DND_ONES >> 56) << 24;
        return (c | c << 28) & 0x0f0f0f0f0f0f0f0fULL;
    }
    static inline dnd_lack dnd_count(const dnd_clues *k, uint64_t walls, uint64_t floors)
    {
        dnd_lack lack;
        lack.rows[0] = dnd_subtract(k->rows[0], dnd_row_counts(walls));
        lack.rows[1] = dnd_subtract(k->rows[1], dnd_row_counts(floors));
        lack.columns[0] = dnd_subtract(k->columns[0], dnd_column_counts(walls));
        lack.columns[1] = dnd_subtract(k->columns[1], dnd_column_counts(floors));
        return lack;
    }
    static inline int dnd_overrun(dnd_lack lack)
    {
        return ((lack.rows[0] | lack.rows[1] | lack.columns[0] | lack.columns[1]) & DND_HIGH) != 0;
    }
    static inline uint64_t dnd_equal(uint64_t lack, int n)     /* bit 0 of each byte equal to n */
    {
        uint64_t x = lack ^ (uint64_t)n * DND_ONES;
        return (DND_HIGH - x) >> 7 & DND_ONES;
    }
    static inline uint64_t dnd_columns(uint64_t bytes)         /* byte i set -> column i */
    {
        return (bytes * 0x0102040810204080ULL >> 56) * DND_ONES;
    }
    static inline dnd_lines dnd_lacking(dnd_lack lack, int n)
    {
        dnd_lines lines = {dnd_equal(lack.rows[0], n) * 255, dnd_equal(lack.rows[1], n) * 255,
                           dnd_columns(dnd_equal(lack.columns[0], n)),
                           dnd_columns(dnd_equal(lack.columns[1], n))};
        return lines;
    }

    #endif
    """
    ctypedef struct Lines "dnd_lines":
        uint64_t row_wall
        uint64_t row_floor
        uint64_t column_wall
        uint64_t column_floor
    ctypedef struct Clues "dnd_clues":
        pass
    ctypedef struct Lack "dnd_lack":
        pass
    void set_clues "dnd_set_clues"(Clues*, const int8_t*, const int8_t*, int, int) noexcept nogil
    Lack count "dnd_count"(const Clues*, uint64_t, uint64_t) noexcept nogil
    int overrun "dnd_overrun"(Lack) noexcept nogil
    Lines lacking "dnd_lacking"(Lack, int) noexcept nogil

cdef extern from *:
    """
    #define DND_HIGHEST(x) (63 - __builtin_clzll(x))
    """
    int highest "DND_HIGHEST"(uint64_t) noexcept nogil
    int popcount "__builtin_popcountll"(uint64_t) noexcept nogil
    int lowest "__builtin_ctzll"(uint64_t) noexcept nogil


cdef enum:
    MAX_TREASURES = 7          # rooms never overlap: 9 cells each, 64 cells
    MAX_ROOMS = 9              # squares of 3x3 that hold one given cell
    STACK = 128                # at most 64 cells and 7 * 8 rooms wait, and the root
    HELD = 512                 # nodes for which one call keeps the GIL
    POLL = 1 << 14             # nodes between two looks at Ctrl-C

cdef enum Status:
    EXHAUSTED, FOUND, PAUSED

cdef uint64_t ONE = 1
cdef uint64_t FULL = <uint64_t>0xFFFFFFFFFFFFFFFF

# Boards whose sides are both at most 8 (`small`): a cell a byte's bit, a row a byte.
cdef enum:
    SMALL = 8
cdef extern from *:
    """
    #define DND_NOT_FIRST 0xfefefefefefefefeULL
    #define DND_NOT_LAST 0x7f7f7f7f7f7f7f7fULL
    #define DND_BLOCKS 0x007f7f7f7f7f7f7fULL
    """
    const uint64_t SMALL_NOT_FIRST "DND_NOT_FIRST"
    const uint64_t SMALL_NOT_LAST "DND_NOT_LAST"
    const uint64_t SMALL_BLOCKS "DND_BLOCKS"
    const uint64_t SMALL_COLUMN "DND_ONES"

cdef struct Board:
    int height
    int width
    bint small
    int stride                 # bits from a cell to the one below it
    uint64_t outside           # bits that are no cell of the board
    uint64_t not_first         # cells that have a left neighbour
    uint64_t not_last          # cells that have a right neighbour
    uint64_t blocks            # upper left cells of 2x2 blocks
    uint64_t row               # the cells of row 0
    uint64_t column            # the cells of column 0
    uint64_t monsters
    Clues clues                # of a small board
    int8_t clue[64]            # of any other board: rows, from 32 on columns
    int treasures
    uint64_t room[63]          # placement k of treasure t stands at 9 * t + k
    uint64_t border[63]
    uint64_t asleep[63]        # upper left cells of the four blocks in the room

cdef struct State:
    uint64_t walls
    uint64_t floors
    uint64_t rooms             # bit 9 * t + k: placement k of treasure t is still possible
    uint64_t asleep            # blocks inside a room that is still possible
    uint64_t core              # floors known to hang together through floors

cdef struct Search:
    Board board
    State stack[STACK]
    int depth
    uint64_t nodes
    uint64_t found


# --- geometry -----------------------------------------------------------------------------------

cdef inline uint64_t spread(uint64_t x, int stride, uint64_t not_first,
                            uint64_t not_last) noexcept nogil:
    """The cells beside a cell of x."""
    return x << stride | x >> stride | x << 1 & not_first | x >> 1 & not_last


cdef inline uint64_t squares_over(uint64_t x, int stride) noexcept nogil:
    """Upper left cells of the 3x3 squares that hold a cell of x (and wrapped ones)."""
    x |= x >> 1 | x >> 2
    return x | x >> stride | x >> 2 * stride


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


cdef uint64_t lay_out(const Board* b, uint64_t mask) noexcept nogil:
    """From bit r * width + c to this board's layout."""
    cdef uint64_t x = 0
    cdef int r
    if b.stride == b.width:
        return mask
    for r in range(b.height):
        x |= (mask >> r * b.width & b.row) << r * SMALL
    return x


cdef uint64_t take_in(const Board* b, uint64_t x) noexcept nogil:
    """Back from this board's layout to bit r * width + c."""
    cdef uint64_t mask = 0
    cdef int r
    x &= ~b.outside
    if b.stride == b.width:
        return x
    for r in range(b.height):
        mask |= (x >> r * SMALL & b.row) << r * b.width
    return mask


cdef void set_clue(Board* b, const int8_t* rows, const int8_t* columns) noexcept nogil:
    """Take over the clues; `rows` and `columns` have as many entries as the board has lines."""
    cdef int i
    for i in range(SMALL if b.small else 32):
        b.clue[i] = rows[i] if i < b.height else -1
        b.clue[32 + i] = columns[i] if i < b.width else -1
    if b.small:
        set_clues(&b.clues, b.clue, b.clue + 32, b.height, b.width)


cdef void set_up(Search* search, uint64_t monsters, uint64_t treasures, uint64_t walls,
                 uint64_t floors) noexcept nogil:
    """The root of the search: the givens, and every place where a treasure's room may lie."""
    cdef Board* b = &search.board
    cdef State* root = &search.stack[0]
    cdef int stride = b.stride, k, i
    cdef uint64_t bad, squares, room, left
    monsters = lay_out(b, monsters)
    treasures = lay_out(b, treasures)
    search.depth = 1
    search.nodes = 0
    search.found = 0
    b.monsters = monsters
    b.treasures = 0
    root.walls = b.outside | lay_out(b, walls)
    root.floors = monsters | treasures | lay_out(b, floors)
    root.rooms = root.asleep = root.core = 0
    if 9 * popcount(treasures) > b.height * b.width:
        root.walls = root.floors = FULL       # a contradiction
        return
    # A monster in the room or on its border rules the place out. The square must fit: its
    # anchor has two cells to its right and two below.
    bad = squares_over(monsters | spread(monsters, stride, b.not_first, b.not_last), stride)
    squares = b.not_last & b.not_last >> 1
    squares &= ~b.outside >> 2 * stride & ~bad
    left = treasures
    while left:
        k = MAX_ROOMS * b.treasures
        bad = squares_over(left & -left, stride) & squares
        while bad:
            i = lowest(bad)
            bad &= bad - 1
            room = (ONE << stride | 1 | ONE << 2 * stride) * 7 << i
            if several(room & treasures):
                continue
            b.room[k] = room
            b.border[k] = spread(room, stride, b.not_first, b.not_last) & ~room
            b.asleep[k] = (ONE << stride | 1) * 3 << i
            root.asleep |= b.asleep[k]
            root.rooms |= ONE << k
            k += 1
        left &= left - 1
        b.treasures += 1


# --- what follows: the rules, run until nothing changes --------------------------------------------

cdef bint count_lines(const Board* b, uint64_t walls, uint64_t floors, Lines* none,
                      Lines* one) noexcept nogil:
    """Any shape: the lines that lack nothing and those that lack one; False when one overran."""
    cdef int i, length, clue
    cdef uint64_t line
    cdef int wall, floor
    none.row_wall = none.row_floor = none.column_wall = none.column_floor = 0
    one[0] = none[0]
    for i in range(b.height):
        clue = b.clue[i]
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
        clue = b.clue[32 + i]
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


cdef inline uint64_t others(uint64_t pairs, uint64_t pair, int back, uint64_t line, int stride,
                            bint row) noexcept nogil:
    """For each pair (anchored `back` bits after its first cell) the rest of its line."""
    cdef uint64_t rest = 0
    cdef int i
    while pairs:
        i = lowest(pairs)
        pairs &= pairs - 1
        rest |= line << (i - i % stride if row else i % stride) & ~(pair << i - back)
    return rest


cdef inline bint close(const Board* b, State* s, const int stride, const uint64_t not_first,
                       const uint64_t not_last, const uint64_t blocks, const uint64_t row,
                       const uint64_t column, const bint small) noexcept nogil:
    """Run the rules on s until nothing changes; False on a contradiction."""
    cdef uint64_t walls = s.walls, floors = s.floors, rooms = s.rooms, asleep = s.asleep
    cdef uint64_t monsters = b.monsters
    cdef uint64_t possible, unknown, up, down, left, right, any_v, all_v, any_h, all_h
    cdef uint64_t one, two, three, known_one, known_two, wall, floor, awake, pairs
    cdef uint64_t top, both, either, x, y, border, common, alive, seen, now_asleep
    cdef Lack lack
    cdef Lines full, short_by_one
    cdef int t, k

    while True:
        # Neighbours that may be floor, then those that are: at least 1, 2, 3 of them.
        possible = ~walls
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

        if monsters & (~one | known_two):
            return False
        wall = ~two & ~monsters | spread(monsters & known_one, stride, not_first, not_last) & ~floors
        floor = spread(floors & ~monsters & ~three | monsters & ~two, stride, not_first,
                       not_last) & possible

        # Three floors in a block outside all rooms: the fourth cell is wall.
        awake = blocks & ~asleep
        top = floors >> 1
        both = floors & top
        either = floors | top
        if both & both >> stride & awake:
            return False
        x = (both & either >> stride | either & both >> stride) & awake
        x |= x << 1
        wall |= (x | x << stride) & ~floors

        wall |= walls
        floor |= floors
        if wall & floor:
            return False

        # Lines that lack no wall are floor else, lines that lack no floor are wall else.
        if small:
            lack = count(&b.clues, wall, floor)
            if overrun(lack):
                return False
            full = lacking(lack, 0)
        elif not count_lines(b, wall, floor, &full, &short_by_one):
            return False
        unknown = ~(wall | floor)
        wall |= unknown & (full.row_floor | full.column_floor)
        floor |= unknown & (full.row_wall | full.column_wall)
        if wall & floor:
            return False
        if wall != walls or floor != floors:
            walls = wall
            floors = floor
            continue

        # Lines that lack one floor or one wall. (Nothing moved: `lack`, `three` still hold.)
        if small:
            short_by_one = lacking(lack, 1)
        x = possible & ~(unknown & short_by_one.row_floor)
        y = possible & ~(unknown & short_by_one.column_floor)
        up = y << stride
        down = y >> stride
        left = x << 1 & not_first
        right = x >> 1 & not_last
        wall |= unknown & ~(up & down | left & right | (up | down) & (left | right))

        x = unknown & ~three & short_by_one.row_wall
        y = unknown & ~three & short_by_one.column_wall
        floor |= unknown & (x << 1 & not_first | x >> 1 & not_last | y << stride | y >> stride)

        x = unknown & unknown >> 1 & not_last
        pairs = (awake & both & x >> stride) << stride | awake & x & both >> stride
        floor |= unknown & others(pairs & short_by_one.row_wall, 3, 0, row, stride, True)
        pairs = monsters & unknown << 1 & not_first & unknown >> 1 & not_last
        floor |= unknown & others(pairs & short_by_one.row_wall, 5, 1, row, stride, True)
        x = unknown & unknown >> stride
        y = floors & floors >> stride
        pairs = (awake & y & x >> 1) << 1 | awake & x & y >> 1
        floor |= unknown & others(pairs & short_by_one.column_wall, ONE << stride | 1, 0, column,
                                  stride, False)
        pairs = monsters & unknown << stride & unknown >> stride
        floor |= unknown & others(pairs & short_by_one.column_wall, ONE << 2 * stride | 1, stride,
                                  column, stride, False)
        if wall & floor:
            return False
        if wall != walls or floor != floors:
            walls = wall
            floors = floor
            continue

        # Rooms.
        if rooms:
            now_asleep = 0
            for t in range(b.treasures):
                alive = rooms & <uint64_t>511 << MAX_ROOMS * t
                common = FULL
                x = alive
                while x:
                    k = lowest(x)
                    x &= x - 1
                    border = b.border[k]
                    if b.room[k] & walls or not border & possible or several(border & floors):
                        alive ^= ONE << k
                        rooms ^= ONE << k
                        continue
                    common &= b.room[k]
                    now_asleep |= b.asleep[k]
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
            if wall != walls or floor != floors or now_asleep != asleep:
                walls = wall
                floors = floor
                asleep = now_asleep
                continue
        elif b.treasures:
            return False

        # Connected: from the floors that hang together, through all that may be floor.
        if floors:
            seen = s.core if s.core else floors & -floors
            while True:
                x = seen | spread(seen, stride, not_first, not_last) & floors
                if x == seen:
                    break
                seen = x
            s.core = seen
            while floors & ~seen:
                x = seen | spread(seen, stride, not_first, not_last) & possible
                if x == seen:
                    return False
                seen = x
        s.walls = walls
        s.floors = floors
        s.rooms = rooms
        s.asleep = asleep
        return True


# --- the search ------------------------------------------------------------------------------------

cdef int choose_treasure(const Board* b, uint64_t rooms) noexcept nogil:
    """The treasure with the fewest places left, of those that have several; -1 for none."""
    cdef int t, n, best = -1, fewest = MAX_ROOMS + 1
    for t in range(b.treasures):
        n = popcount(rooms >> MAX_ROOMS * t & 511)
        if 1 < n < fewest:
            fewest = n
            best = t
    return best


cdef uint64_t choose_cell(const Board* b, uint64_t unknown, uint64_t floors) noexcept nogil:
    """First candidate of the line with the fewest unknown cells; a candidate lies by a floor."""
    cdef uint64_t candidates, line, best = 0
    cdef int i, n, fewest = 65
    candidates = spread(floors, b.stride, b.not_first, b.not_last) & unknown
    if not candidates:
        candidates = unknown
    for i in range(b.height):
        line = b.row << i * b.stride
        n = popcount(unknown & line)
        if candidates & line and n < fewest:
            fewest = n
            best = candidates & line
    for i in range(b.width):
        line = b.column << i
        n = popcount(unknown & line)
        if candidates & line and n < fewest:
            fewest = n
            best = candidates & line
    return best & -best


cdef Status advance(Search* search, uint64_t pause) noexcept nogil:
    """Search on to the next solution (left on top of the stack, popped), the end, or `pause` nodes."""
    cdef const Board* b = &search.board
    cdef State* s
    cdef uint64_t unknown, cell, rooms, others_rooms
    cdef int t
    cdef bint sound
    while search.depth:
        if search.nodes == pause:
            return PAUSED
        search.nodes += 1
        s = &search.stack[search.depth - 1]
        if b.small:
            sound = close(b, s, SMALL, SMALL_NOT_FIRST, SMALL_NOT_LAST, SMALL_BLOCKS, 255,
                          SMALL_COLUMN, True)
        else:
            sound = close(b, s, b.stride, b.not_first, b.not_last, b.blocks, b.row, b.column, False)
        if not sound:
            search.depth -= 1
            continue
        t = choose_treasure(b, s.rooms)
        if t >= 0:
            rooms = s.rooms & <uint64_t>511 << MAX_ROOMS * t
            others_rooms = s.rooms ^ rooms
            while True:                              # the last placement lies deepest
                cell = ONE << highest(rooms)
                rooms ^= cell
                s.rooms = others_rooms | cell
                if not rooms:
                    break
                s[1] = s[0]
                s += 1
                search.depth += 1
            continue
        unknown = ~(s.walls | s.floors)
        if not unknown:
            search.depth -= 1
            search.found = s.walls
            return FOUND
        cell = choose_cell(b, unknown, s.floors)
        s[1] = s[0]
        search.depth += 1
        s.walls |= cell
        s[1].floors |= cell
    return EXHAUSTED


cdef inline uint64_t pause_after(uint64_t nodes, uint64_t more, uint64_t max_nodes) noexcept nogil:
    """Where to pause next: after `more` nodes, or at max_nodes (0 = no bound) if that is nearer."""
    return max_nodes if max_nodes and max_nodes - nodes < more else nodes + more


cdef Py_ssize_t run(Search* search, Py_ssize_t limit, uint64_t max_nodes, uint64_t* solutions,
                    uint8_t* complete, uint64_t* polled) except -1 nogil:
    """Write up to `limit` solutions, and zeros behind them; their number.

    `polled` counts the nodes since the last look at Ctrl-C, across puzzles.
    """
    cdef Py_ssize_t count = 0, i
    cdef uint64_t before
    cdef Status status = PAUSED
    while count < limit:
        before = search.nodes
        status = advance(search, pause_after(before, POLL - polled[0], max_nodes))
        polled[0] += search.nodes - before
        if polled[0] >= POLL:
            polled[0] = 0
            with gil:
                PyErr_CheckSignals()
        if status == FOUND:
            solutions[count] = take_in(&search.board, search.found)
            count += 1
        elif status == EXHAUSTED or search.nodes == max_nodes:
            break
    for i in range(count, limit):
        solutions[i] = 0
    complete[0] = status == EXHAUSTED
    return count


cdef void read_clues(tuple clues, int8_t* to, int n):
    cdef int i
    for i in range(n):
        to[i] = <int8_t><long><object>PyTuple_GET_ITEM(clues, i)


def solve(int height, int width, tuple rows, tuple columns, uint64_t monsters,
          uint64_t treasures, uint64_t walls, uint64_t floors, int64_t limit,
          uint64_t max_nodes):
    """Solutions of one puzzle, nodes, and whether that is proved to be all of them."""
    cdef Search search
    cdef int8_t row_clues[32]
    cdef int8_t column_clues[32]
    cdef Status status
    cdef uint64_t polled = 0
    cdef list solutions = []
    read_clues(rows, row_clues, height)
    read_clues(columns, column_clues, width)
    set_shape(&search.board, height, width)
    set_clue(&search.board, row_clues, column_clues)
    set_up(&search, monsters, treasures, walls, floors)
    # Short searches keep the GIL: giving it up costs more than they do.
    while True:
        if search.nodes < HELD:
            status = advance(&search, pause_after(search.nodes, HELD - search.nodes, max_nodes))
        else:
            with nogil:
                status = advance(&search, pause_after(search.nodes, POLL, max_nodes))
            if search.nodes - polled >= POLL:
                polled = search.nodes
                PyErr_CheckSignals()
        if status == FOUND:
            solutions.append(take_in(&search.board, search.found))
            if len(solutions) == limit:
                break
        elif status == EXHAUSTED or search.nodes == max_nodes:
            break
    return tuple(solutions), search.nodes, status == EXHAUSTED


def solve_batch(int height, int width, const int8_t[::1] clues, const uint64_t[::1] monsters,
                const uint64_t[::1] treasures, Py_ssize_t limit, uint64_t max_nodes,
                int64_t[::1] counts, uint64_t[::1] solutions, int64_t[::1] nodes,
                uint8_t[::1] complete):
    """Solve many puzzles of one shape in flat buffers; the number of puzzles is returned.

    `clues` holds height row clues and width column clues a puzzle, -1 for unknown; `solutions`
    has `limit` (at least 1) slots a puzzle, those beyond its count are set to 0.
    """
    cdef Search search
    cdef Py_ssize_t n = monsters.shape[0], i, lines = height + width
    cdef uint64_t polled = 0
    if n == 0:
        return 0
    set_shape(&search.board, height, width)
    with nogil:
        for i in range(n):
            set_clue(&search.board, &clues[i * lines], &clues[i * lines + height])
            set_up(&search, monsters[i], treasures[i], 0, 0)
            counts[i] = run(&search, limit, max_nodes, &solutions[i * limit], &complete[i],
                            &polled)
            nodes[i] = <int64_t>search.nodes
    return n
