"""The byte by which another thread ends a search, as a kernel watches it.

It is not in `bits.pxd`, because whatever cimports a function with a memoryview compiles all of Cython's code for them:
0.7 MB of machine code, which a kernel that nobody can stop has no use for.
"""

from libc.stdint cimport uint8_t


cdef extern from *:
    """
    static const uint8_t dnd_never = 0;
    """
    const uint8_t dnd_never             # a byte that nobody sets


cdef inline const uint8_t* flag(const uint8_t[::1] stop) noexcept:
    """The byte that another thread may set to end a search; of None, or of an empty buffer, one that nobody sets.

    The memoryview keeps the byte in its place as long as the caller holds it.
    """
    if stop is None or stop.shape[0] == 0:
        return &dnd_never
    return &stop[0]
