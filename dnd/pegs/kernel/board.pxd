"""Boards of peg solitaire in four 64-bit words, for the compiled kernels `search_c` and `moves_c`.

Sixteen columns to a row whatever the width, so that all shifts are constants and cell (r, c) is bit 16 r + c of the
four words in a row:

    word 0   rows 0 to 3        bit   0  1 ..  15         up     the cell 16 bits lower
    word 1   rows 4 to 7             16 17 ..  31         down   16 bits higher
    word 2   rows 8 to 11            32 33 ..  47         left   1 bit lower
    word 3   rows 12 to 15           48 49 ..  63         right  1 bit higher

All is inlined, so sharing it costs nothing at run time.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from dnd.kernels.bits cimport popcount


cdef extern from *:
    """
    static const int dnd_step[4] = {-16, 16, -1, 1};
    """
    const int* STEP "dnd_step"          # by direction: from a cell to the one beside it

cdef enum:
    SIDE = 16
    CELLS = 256
    WORDS = 4

cdef enum:                              # directions
    UP, DOWN, LEFT, RIGHT


cdef inline void lay_out(int height, int width, object mask, uint64_t* words):
    """From bit r * width + c of a Python int to the four words."""
    cdef int r
    cdef uint64_t row
    memset(words, 0, WORDS * sizeof(uint64_t))
    for r in range(height):
        row = <uint64_t>(mask >> r * width & (1 << width) - 1)
        words[r >> 2] |= row << SIDE * (r & 3)


cdef inline bint has(const uint64_t* words, int cell) noexcept nogil:
    """Whether a cell is in the set that the four words are."""
    return words[cell >> 6] >> (cell & 63) & 1


cdef inline void toggle(uint64_t* words, int cell) noexcept nogil:
    """Put a peg into a cell, or take it out."""
    words[cell >> 6] ^= <uint64_t>1 << (cell & 63)


cdef inline int size_of(const uint64_t* words) noexcept nogil:
    """The number of cells in the set, such as pegs on a board."""
    return popcount(words[0]) + popcount(words[1]) + popcount(words[2]) + popcount(words[3])
