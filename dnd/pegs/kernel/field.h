/* For every cell of a board its own weight and those of the pegs around it.
 *
 * Pegs are spread out to a mask a cell, 0 or -1, with a margin of empty cells. Then the whole board is added up once
 * for each neighbour that counts, eight cells at a time:
 *
 *     the field                            the sums, 16 a row
 *     . . . . . . . . . . . . . .
 *     . . . . . . . . . . . . . .          sum of a cell = its own weight
 *     . . . . o . o o . o . . . .                          + the sum over all neighbours k that count of
 *     . . . . o o . o o . . . . .                              weights[k] where field[cell + offsets[k]] has a peg
 *     | margin | ...
 *
 * The margin is as wide as the farthest neighbour, so nobody asks where the board ends.
 */

#ifndef DND_FIELD_H
#define DND_FIELD_H

#include <stdint.h>
#include <string.h>

#define DND_MARGIN 4
#define DND_STRIDE (16 + 2 * DND_MARGIN)
/* Where the inner part of a row of the field begins. (As a function it costs a beam two percent.) */
#define DND_ROW(row) (((row) + DND_MARGIN) * DND_STRIDE + DND_MARGIN)

/* Eight cells: GCC and Clang make vector instructions of what is done to them, on any machine. */
typedef int16_t dnd_cells __attribute__((vector_size(16)));

/* A vector from wherever it lies: memcpy, as the address need not be a multiple of 16. */
static inline dnd_cells dnd_load(const int16_t *from)
{
    dnd_cells cells;
    memcpy(&cells, from, sizeof cells);
    return cells;
}

/* Write the rows of a board into the field, whose margin is left alone. */
static inline void dnd_spread_out(const uint64_t *words, int height, int16_t *field)
{
    const dnd_cells bits = {1, 2, 4, 8, 16, 32, 64, 128};
    for (int r = 0; r < height; r++) {
        int row = (int)(words[r >> 2] >> 16 * (r & 3) & 0xffff);
        dnd_cells low = {0}, high = {0};
        low = ((low + (int16_t)(row & 255)) & bits) == bits;
        high = ((high + (int16_t)(row >> 8)) & bits) == bits;
        memcpy(field + DND_ROW(r), &low, 16);
        memcpy(field + DND_ROW(r) + 8, &high, 16);
    }
}

/* The sums of all cells; `number` neighbours count. */
static inline void dnd_add_up(const int16_t *field, int height, const int16_t *own, const int32_t *offsets,
                              const int32_t *weights, int number, int16_t *sums)
{
    for (int r = 0; r < height; r++)
        for (int c = 0; c < 16; c += 8) {
            const int16_t *here = field + DND_ROW(r) + c;
            dnd_cells sum = dnd_load(own + 16 * r + c);
            for (int k = 0; k < number; k++) {
                dnd_cells weight = {0};
                weight += (int16_t)weights[k];
                sum += dnd_load(here + offsets[k]) & weight;
            }
            memcpy(sums + 16 * r + c, &sum, 16);
        }
}

#endif
