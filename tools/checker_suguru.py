"""A judge of complete Suguru grids that shares nothing with the package and nothing with the peers.

Cells are complex numbers, row + column * 1j.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

# Two cells touch when their distance is 1 or the square root of 2.
NEAR = 1.5


def is_legal(height: int, width: int, cages: Sequence[int], givens: Sequence[int], values: Sequence[int]) -> bool:
    """Whether the values solve the puzzle. All row by row; a hole has cage -1 and value 0, a given of 0 is none."""
    cells = [complex(row, column) for row in range(height) for column in range(width)]
    holders: dict[int, list[complex]] = defaultdict(list)
    groups: dict[int, list[int]] = defaultdict(list)
    for cell, cage, value in zip(cells, cages, values, strict=True):
        if cage >= 0:
            holders[value].append(cell)
            groups[cage].append(value)
        elif value:
            return False
    return (
        all(given in (0, value) for given, value in zip(givens, values, strict=True))
        and all(sorted(group) == list(range(1, len(group) + 1)) for group in groups.values())
        and not any(0 < abs(one - other) < NEAR for alike in holders.values() for one in alike for other in alike)
    )
