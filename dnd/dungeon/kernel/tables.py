"""The three tables that both reference kernels read: the 256 rows of walls, by number of walls.

A row of an 8x8 board is a byte, its leftmost cell the least significant bit. Listing the bytes by
popcount lets a search run through exactly the rows that a clue allows:

    BYTES_BY_POPCOUNT     0 | 1 2 4 ... 128 | 3 5 6 ... 192 | 7 ... | ... | 255
    FIRST_WITH_POPCOUNT   0   1               9               37          255   256

so the rows with k walls are the entries from `FIRST_WITH_POPCOUNT[k]` to just before
`FIRST_WITH_POPCOUNT[k + 1]` of `BYTES_BY_POPCOUNT`.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

POPCOUNT_OF_BYTE: Final[tuple[int, ...]] = tuple(byte.bit_count() for byte in range(256))
"""The number of ones of each byte (the course's `enum_popcount_byte`)."""

BYTES_BY_POPCOUNT: Final[tuple[int, ...]] = tuple(sorted(range(256), key=lambda byte: (POPCOUNT_OF_BYTE[byte], byte)))
"""The 256 bytes, those with fewer ones first, equal ones by value (the course's `enum_byte`)."""

# Ten entries, not nine: the last one ends the rows with eight walls.
FIRST_WITH_POPCOUNT: Final[tuple[int, ...]] = tuple(
    bisect_left(BYTES_BY_POPCOUNT, count, key=POPCOUNT_OF_BYTE.__getitem__) for count in range(10)
)
"""Where the bytes with 0, 1, ..., 8 ones start, then 256 (the course's `enum_byte_idx`)."""
