/* The lines of a small board, all 16 at once: how many cells of a set each row and each column holds.

   A small board has a byte a row (search_c.pyx draws it). Two boards a, b side by side are 16 bytes, so one vector
   register counts both; in the search a is the walls and b the floors.

   Rows: the bits of each byte, by two look-ups of a nibble.
   Columns: the bits k and k + 4 of all rows stand in nibbles of their own once the bits between are masked out, and
   one sum of the 8 bytes adds up 8 rows in both nibbles (a sum is at most 8, so no nibble spills over):

       byte r         h g f e d c b a         (x >> 1) & 0x11         0 0 0 f 0 0 0 b
       sum over r                                                     sum f   sum b

   Four such sums are the 8 columns. There is no transposition and no carry between lines. */

#ifndef DND_LINES_H
#define DND_LINES_H

#include <stdint.h>

#define DND_EVERY_BYTE 0x0101010101010101ULL    /* column 0; times a byte: that byte in every row */
#define DND_NOT_FIRST 0xfefefefefefefefeULL     /* cells that have a left neighbour */
#define DND_NOT_LAST 0x7f7f7f7f7f7f7f7fULL      /* cells that have a right neighbour */
#define DND_BLOCKS 0x007f7f7f7f7f7f7fULL        /* upper left cells of the 2x2 blocks */
#define DND_NO_CLUE 0x7f                        /* a lack that no line uses up: 127 less at most 8 */

/* Some lines, each as the mask of its cells: of the walls' rows, the floors' rows, and likewise the columns. */
typedef struct {
    uint64_t row_wall, row_floor, column_wall, column_floor;
} dnd_lines;

#if defined(__SSSE3__)
#include <tmmintrin.h>

/* A number for each of 32 lines: bytes 0 to 7 belong to board a, 8 to 15 to board b.

       rows       a0 a1 a2 a3 a4 a5 a6 a7 | b0 b1 b2 b3 b4 b5 b6 b7
       columns    likewise */
typedef struct {
    __m128i rows, columns;
} dnd_lanes;

/* From the 8 clues of lines with `length` cells: how many walls (a) and floors (b) each line has. The cells outside a
   narrow board are walls, so each clue grows by 8 - length. A clue below 0 is none. */
static inline __m128i dnd_clue_lanes(const int8_t *clues, int length)
{
    __m128i clue = _mm_loadl_epi64((const __m128i *)clues);
    __m128i walls = _mm_add_epi8(clue, _mm_set1_epi8((char)(8 - length)));
    __m128i floors = _mm_sub_epi8(_mm_set1_epi8((char)length), clue);
    __m128i both = _mm_unpacklo_epi64(walls, floors);
    __m128i no_clue = _mm_cmplt_epi8(_mm_unpacklo_epi64(clue, clue), _mm_setzero_si128());
    return _mm_or_si128(_mm_andnot_si128(no_clue, both), _mm_and_si128(no_clue, _mm_set1_epi8(DND_NO_CLUE)));
}

/* How many cells of a and of b each line holds. */
static inline dnd_lanes dnd_sums(uint64_t a, uint64_t b)
{
    const __m128i nibble = _mm_set1_epi8(15), every4 = _mm_set1_epi8(0x11);
    const __m128i zero = _mm_setzero_si128();
    const __m128i bits = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    __m128i x = _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)a), _mm_cvtsi64_si128((long long)b));
    __m128i low = _mm_and_si128(x, nibble);
    __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), nibble);
    /* `sad` against zero adds 8 bytes at a time; columns k (low nibble) and k + 4 (high nibble) come out together. */
    __m128i c0 = _mm_sad_epu8(_mm_and_si128(x, every4), zero);
    __m128i c1 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(x, 1), every4), zero);
    __m128i c2 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(x, 2), every4), zero);
    __m128i c3 = _mm_sad_epu8(_mm_and_si128(_mm_srli_epi64(x, 3), every4), zero);
    __m128i c = _mm_or_si128(_mm_or_si128(c0, _mm_slli_epi64(c1, 8)),
                             _mm_or_si128(_mm_slli_epi64(c2, 16), _mm_slli_epi64(c3, 24)));
    /* The high nibbles of bytes 0 to 3 move to the low nibbles of bytes 4 to 7: a shift by 32 - 4. */
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

/* Not 0 if some line has a negative number. */
static inline uint64_t dnd_any_negative(dnd_lanes x)
{
    return (uint64_t)_mm_movemask_epi8(_mm_or_si128(x.rows, x.columns));
}

/* The lines whose number is n. */
static inline dnd_lines dnd_equal(dnd_lanes x, int n)
{
    __m128i rows = _mm_cmpeq_epi8(x.rows, _mm_set1_epi8((char)n));
    __m128i columns = _mm_cmpeq_epi8(x.columns, _mm_set1_epi8((char)n));
    uint64_t c = (uint64_t)_mm_movemask_epi8(columns);
    dnd_lines lines = {(uint64_t)_mm_cvtsi128_si64(rows), (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(rows, rows)),
                       (c & 255) * DND_EVERY_BYTE, (c >> 8) * DND_EVERY_BYTE};
    return lines;
}

/* Of the lines that hold a candidate the first of those with the fewest unknown cells: 0 to 7 rows, 8 to 15 columns.
   Lines without candidate count as 255; then the least of 16 bytes is found by halves. */
static inline int dnd_scarcest(uint64_t unknown, uint64_t candidates)
{
    dnd_lanes sums = dnd_sums(unknown, candidates);
    __m128i none = _mm_cmpeq_epi8(_mm_unpackhi_epi64(sums.rows, sums.columns), _mm_setzero_si128());
    __m128i keys = _mm_or_si128(_mm_unpacklo_epi64(sums.rows, sums.columns), none);
    __m128i least = _mm_min_epu8(keys, _mm_srli_si128(keys, 8));
    least = _mm_min_epu8(least, _mm_srli_si128(least, 4));
    least = _mm_min_epu8(least, _mm_srli_si128(least, 2));
    least = _mm_min_epu8(least, _mm_srli_si128(least, 1));
    least = _mm_shuffle_epi8(least, _mm_setzero_si128());
    return __builtin_ctz((unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(keys, least)));
}

#else    /* the same in plain 64-bit words, for processors without these instructions */

/* 8 bytes for board a, 8 for board b. */
typedef struct {
    uint64_t a, b;
} dnd_pair;

typedef struct {
    dnd_pair rows, columns;
} dnd_lanes;

#define DND_HIGH 0x8080808080808080ULL    /* the sign of each byte */

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

/* Fields of 1, 2, 4 bits are added two by two until each byte has its sum. */
static inline uint64_t dnd_row_sums(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
}

/* A product with DND_EVERY_BYTE has the sum of all bytes in its highest one. */
static inline uint64_t dnd_column_sums(uint64_t x)
{
    uint64_t c = 0;
    for (int k = 0; k < 4; k++)
        c |= ((x >> k & 0x1111111111111111ULL) * DND_EVERY_BYTE >> 56) << 8 * k;
    return (c | c << 28) & 0x0f0f0f0f0f0f0f0fULL;
}

static inline dnd_lanes dnd_sums(uint64_t a, uint64_t b)
{
    dnd_lanes sums = {{dnd_row_sums(a), dnd_row_sums(b)}, {dnd_column_sums(a), dnd_column_sums(b)}};
    return sums;
}

/* Byte by byte, for 0 <= a, b < 128: the sign set first keeps a byte from borrowing of the next one. */
static inline uint64_t dnd_minus8(uint64_t a, uint64_t b)
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

/* A 1 in each byte that is n. */
static inline uint64_t dnd_equal8(uint64_t x, int n)
{
    x ^= (uint64_t)n * DND_EVERY_BYTE;
    return (DND_HIGH - (x & ~DND_HIGH)) >> 7 & ~(x >> 7) & DND_EVERY_BYTE;
}

/* From a 1 in byte i to the cells of column i: the product gathers the 8 bits in the highest byte. */
static inline uint64_t dnd_columns(uint64_t bytes)
{
    return (bytes * 0x0102040810204080ULL >> 56) * DND_EVERY_BYTE;
}

static inline dnd_lines dnd_equal(dnd_lanes x, int n)
{
    dnd_lines lines = {dnd_equal8(x.rows.a, n) * 255, dnd_equal8(x.rows.b, n) * 255,
                       dnd_columns(dnd_equal8(x.columns.a, n)), dnd_columns(dnd_equal8(x.columns.b, n))};
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

/* What the clues of a whole board say: walls are board a, floors board b. */
static inline dnd_lanes dnd_clues(const int8_t *rows, const int8_t *columns, int height, int width)
{
    dnd_lanes clues = {dnd_clue_lanes(rows, width), dnd_clue_lanes(columns, height)};
    return clues;
}

#endif
