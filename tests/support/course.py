"""The course's nine problems as kernel tuples, with the answers its C program prints.

A problem is (monsters, treasures, row clues, column clues), cell (r, c) at bit 8*r + c.
"""

from __future__ import annotations

Problem = tuple[int, int, tuple[int, ...], tuple[int, ...]]

PROBLEMS: dict[str, Problem] = {
    "p1": (0x8400010000000020, 0x20000, (7, 3, 4, 1, 7, 1, 6, 3), (4, 4, 2, 6, 2, 3, 4, 7)),
    "p2": (0x0A00008000000000, 0x2800, (5, 2, 2, 3, 6, 0, 6, 1), (5, 3, 4, 3, 5, 1, 3, 1)),
    "p3": (
        0x8000008001000081,
        0x4000000000000,
        (6, 0, 4, 1, 5, 3, 3, 4),
        (4, 4, 1, 3, 6, 3, 4, 1),
    ),
    "p4": (0x8000800000000100, 0x2000, (2, 3, 4, 3, 7, 0, 4, 0), (1, 4, 1, 5, 1, 3, 2, 6)),
    "p5": (0x20001, 0x80000, (0, 7, 3, 3, 3, 5, 2, 5), (7, 2, 6, 1, 3, 2, 6, 1)),
    "p6": (0x802080208020, 0x40000, (6, 3, 3, 3, 5, 3, 4, 3), (5, 3, 2, 4, 6, 4, 1, 5)),
    "p7": (0x80010008, 0x80000000000000, (1, 4, 2, 6, 2, 3, 3, 1), (1, 5, 2, 2, 6, 1, 4, 1)),
    "p8": (0x4200801000800042, 0, (3, 6, 0, 5, 4, 0, 6, 3), (4, 2, 4, 2, 3, 4, 2, 6)),
    "p9": (0x40080, 0x200000000000000, (4, 1, 4, 2, 6, 2, 3, 2), (5, 2, 1, 2, 5, 4, 2, 3)),
}

CALLS: dict[str, int] = {
    "p1": 2685,
    "p2": 59454,
    "p3": 144679,
    "p4": 16077,
    "p5": 11258,
    "p6": 79146,
    "p7": 10036,
    "p8": 12194,
    "p9": 316445,
}
"""Calls of the course's recursive function, from the empty board, all solutions asked for."""

SOLUTIONS: dict[str, int] = {
    "p1": 0x0BEB80BF80E8C8DF,
    "p2": 0x047E005FC111111F,
    "p3": 0x7131915B025A007E,
    "p4": 0x00AA00FEE08B8A88,
    "p5": 0xC711754545457F00,
    "p6": 0xE08E389B3191319F,
    "p7": 0x101616C07B425A10,
    "p8": 0x85F500AABA00F585,
    "p9": 0x115111BBA0AA0471,
}
"""The one solution of each problem, as a word of walls."""
