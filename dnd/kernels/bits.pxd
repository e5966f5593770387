"""The words that all compiled kernels have for 64-bit words: each name stands here once.

C inlines all of it, so a `cimport` costs nothing at run time. What a pure twin says with `int.bit_count` and
`x & -x` stands here under the same idea:

    word          0b...0010_1100
    popcount(word)              3     how many ones
    trailing_zeros(word)        2     the place of the lowest one; the word must not be 0
    leading_zeros(word)        58     63 less the place of the highest one; the word must not be 0
    several(word)               True  whether there is more than one
"""

from libc.stdint cimport uint64_t


cdef extern from *:
    """
    #define DND_GOLDEN 0x9E3779B97F4A7C15ULL
    """
    # A library call unless the target has the instruction: setup.py builds for x86-64-v2 at least.
    int popcount "__builtin_popcountll"(uint64_t word) noexcept nogil
    int trailing_zeros "__builtin_ctzll"(uint64_t word) noexcept nogil
    int leading_zeros "__builtin_clzll"(uint64_t word) noexcept nogil
    void prefetch "__builtin_prefetch"(const void* place) noexcept nogil
    bint expect "__builtin_expect"(bint condition, long value) noexcept nogil
    # 2^64 by the golden ratio, made odd: multiples of it are spread evenly, as hashes and as seeds for `mixed`.
    const uint64_t GOLDEN "DND_GOLDEN"


cdef inline bint several(uint64_t word) noexcept nogil:
    """Whether a word has more than one 1."""
    return word & (word - 1) != 0


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    """The word with its bits well mixed: the finaliser of splitmix64 (Steele, Lea and Flood, 2014)."""
    word = (word ^ word >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    word = (word ^ word >> 27) * <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31
