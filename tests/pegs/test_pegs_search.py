"""The search kernel of peg solitaire: what it says is replayed and recounted here by naive code on sets of cells."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conftest import interrupted, needs_compiled
from dnd.pegs import kernel as kernels

if TYPE_CHECKING:
    from dnd.pegs.kernel import Search

Cell = tuple[int, int]
Case = tuple[int, int, int, int, int]
Jump = tuple[int, int, int]

AWAY = ((-1, 0), (1, 0), (0, -1), (0, 1))  # up, down, left, right

# Made by reverse play from one peg; beams of the width used below do not solve it with any score but the last.
SCATTERED = """
..##oo.oo.o.o.o.
....##ooooooo#oo
...oo..oooooooo.
....oooooooooo.o
....ooooooo.oooo
.#....o#oooo.o..
....#.o.#o#.#oo.
...#..#o.ooo#o..
.o.......oo.ooo.
o.o.#..##o#.o.o.
o...o.oo..##.ooo
#o...ooooo.o.oo#
...#.o..ooo.#oo.
.o#..ooo#...#oo.
.o....#.ooo#...o
...........oo..o
"""


@pytest.fixture
def search(kernel: str) -> Search:
    return kernels.load("search", kernel)


@pytest.fixture
def compiled() -> Search:
    return kernels.load("search", "c")


# --- naive code -----------------------------------------------------------------------------------


def drawn(text: str, final: Cell | None = None) -> Case:
    rows = text.split()
    height, width = len(rows), len(rows[0])
    cells = mask_of({(r, c) for r in range(height) for c in range(width) if rows[r][c] != "#"}, width)
    pegs = mask_of({(r, c) for r in range(height) for c in range(width) if rows[r][c] == "o"}, width)
    return height, width, cells, pegs, mask_of({final}, width) if final else cells


def mask_of(cells: set[Cell], width: int) -> int:
    return sum(1 << r * width + c for r, c in cells)


def set_of(mask: int, width: int) -> frozenset[Cell]:
    return frozenset(divmod(bit, width) for bit in range(mask.bit_length()) if mask >> bit & 1)


def triple(jump: Jump) -> tuple[Cell, Cell, Cell]:
    row, column, direction = jump
    down, right = AWAY[direction]
    return (row, column), (row + down, column + right), (row + 2 * down, column + 2 * right)


def after(case: Case, jumps: tuple[Jump, ...]) -> frozenset[Cell]:
    """The pegs after these jumps, each of which must be legal."""
    width, cells, pegs = case[1], set_of(case[2], case[1]), set(set_of(case[3], case[1]))
    for jump in jumps:
        start, over, end = triple(jump)
        assert {start, over} <= pegs, jump
        assert end in cells - pegs, jump
        pegs = (pegs - {start, over}) | {end}
    assert pegs <= set_of(case[2], width)
    return frozenset(pegs)


def all_jumps(case: Case) -> list[tuple[Cell, Cell, Cell]]:
    """Every jump for which there are cells: from, over, to."""
    height, width, cells, _, _ = case
    board = set_of(cells, width)
    jumps = [triple((r, c, d)) for r in range(height) for c in range(width) for d in range(4)]
    return [jump for jump in jumps if board.issuperset(jump)]


def all_positions(case: Case) -> set[frozenset[Cell]]:
    """Every position that can be reached."""
    jumps = all_jumps(case)
    seen = {set_of(case[3], case[1])}
    waiting = list(seen)
    while waiting:
        here = waiting.pop()
        for start, over, end in jumps:
            if start in here and over in here and end not in here:
                there = here - {start, over} | {end}
                if there not in seen:
                    seen.add(there)
                    waiting.append(there)
    return seen


def is_won(case: Case, position: frozenset[Cell]) -> bool:
    return len(position) == 1 and position <= set_of(case[4], case[1])


def random_case(rng: random.Random, height: int, width: int, pegs: int) -> Case:
    cells = mask_of({(r, c) for r in range(height) for c in range(width) if rng.random() < 0.9}, width) or 1
    places = sorted(set_of(cells, width))
    start = mask_of(set(rng.sample(places, min(pegs, len(places)))), width)
    finals = mask_of({rng.choice(places)}, width) if rng.random() < 0.3 else cells
    return height, width, cells, start, finals


def won_case(rng: random.Random, height: int, width: int, pegs: int) -> Case:
    """Played backwards from one peg, to so many if that goes."""
    height, width, cells, start, _ = case = random_case(rng, height, width, 1)
    position = set_of(start, width)
    while len(position) < pegs:
        back = [jump for jump in all_jumps(case) if jump[2] in position and not {*jump[:2]} & position]
        if not back:
            break
        start_cell, over, end = rng.choice(back)
        position = position - {end} | {start_cell, over}
    return height, width, cells, mask_of(set(position), width), cells


def far_apart(rng: random.Random) -> Case:
    """Pegs in opposite corners of a large board: no small rectangle holds all that they can reach."""
    height, width = rng.choice([(9, 9), (5, 16), (16, 16), (16, 5)])
    near = random_case(rng, 3, 4, 6)
    pegs = mask_of(set(set_of(near[3], 4)), width)
    pegs |= mask_of({(height - 1 - rng.randrange(2), width - 1 - rng.randrange(3)) for _ in range(3)}, width)
    full = (1 << height * width) - 1
    return height, width, full, pegs, full


# --- depth first ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_search_agrees_with_all_positions(search: Search, seed: int) -> None:
    rng, won = random.Random(seed), 0
    shapes = [(1, 9, 5), (9, 1, 5), (2, 6, 6), (3, 3, 6), (4, 4, 8), (3, 5, 8), (4, 5, 9)]
    for kind, (height, width, pegs) in product((random_case, won_case), shapes):
        case = kind(rng, height, width, pegs)
        possible = any(is_won(case, position) for position in all_positions(case))
        verdict, jumps, positions = search.search(*case, 0, None)
        assert verdict == possible, case
        assert positions >= 1
        assert is_won(case, after(case, jumps)) or not possible
        won += possible
    assert len(shapes) <= won < 2 * len(shapes)


@needs_compiled
@pytest.mark.parametrize("seed", range(8))
def test_what_is_impossible_was_searched_whole(compiled: Search, seed: int) -> None:
    """Leaving out jumps whose order does not matter must not lose a position, in neither layout."""
    rng, impossible = random.Random(seed), 0
    for number in range(12):
        case = far_apart(rng) if number % 2 else random_case(rng, 5, 5, 10)
        verdict, _, positions = compiled.search(*case, 0, None)
        if verdict == 0:
            assert positions == len(all_positions(case)), case
            impossible += 1
    assert impossible >= 6


def test_a_bound_on_positions(search: Search) -> None:
    case = drawn("oooooo oooooo oo.ooo oooooo oooooo oooooo")
    for bound in (1, 10, 20):
        verdict, jumps, positions = search.search(*case, bound, None)
        assert (verdict, positions <= bound) == (-1, True)
        after(case, jumps)
    assert search.search(*drawn("oo.o. ..... ..oo."), 10_000, None)[0] == 0


@pytest.mark.parametrize(("final", "verdict"), [((0, 0), 0), ((1, 1), 1)])
def test_one_peg_is_won_or_lost_at_once(search: Search, final: Cell, verdict: int) -> None:
    case = drawn("... .o. ...", final)
    assert search.search(*case, 0, None)[:2] == (verdict, ())
    assert search.beam(*case, 10, 0, 1, None)[:2] == (verdict or -1, ())


@needs_compiled
def test_ctrl_c_ends_a_search(tmp_path: Path) -> None:
    program = """
from dnd.pegs import kernel
cells = (1 << 81) - 1
print("ready", flush=True)
try:
    kernel.load("search", "c").search(9, 9, cells, cells ^ 1 << 40, 1 << 40, 0, None)
except KeyboardInterrupt:
    print("interrupted")
"""
    assert interrupted(program, tmp_path) == "interrupted\n"


# --- beam -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", range(3))
def test_beams_play_by_the_rules(search: Search, score: int) -> None:
    rng, won = random.Random(score), 0
    for number in range(24):
        height, width = rng.choice([(4, 4), (5, 5), (3, 7), (1, 12), (6, 4)])
        case = far_apart(rng) if number % 6 == 5 else random_case(rng, height, width, rng.randrange(1, 9))
        verdict, jumps, _ = search.beam(*case, 20, score, number, None)
        end = after(case, jumps)
        assert verdict == (1 if is_won(case, end) else -1), case
        won += verdict == 1
    assert won


def test_a_wide_beam_overlooks_nothing(search: Search) -> None:
    """Wider than any level is large, a beam meets every position."""
    rng, possible = random.Random(7), 0
    for number in range(12):
        case = random_case(rng, 4, 4, 3 + number % 4)
        won = any(is_won(case, position) for position in all_positions(case))
        assert (search.beam(*case, 3000, 0, 1, None)[0] == 1) == won, case
        possible += won
    assert 0 < possible < 12


def test_beams_are_deterministic(search: Search) -> None:
    case = drawn(SCATTERED)
    runs = [search.beam(*case, 3, 1, seed, None) for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0][1] != runs[2][1]


@needs_compiled
@pytest.mark.parametrize("size", [1, 30, 300])
def test_a_beam_keeps_so_many_positions(compiled: Search, size: int) -> None:
    case = drawn(SCATTERED)
    _, jumps, nodes = compiled.beam(*case, size, 1, 1, None)
    assert len(jumps) < nodes <= size * (len(jumps) + 1)


@needs_compiled
def test_rounds_learn(compiled: Search) -> None:
    """What beams of one round leave in the corners is fetched first in later rounds."""
    case = drawn(SCATTERED)
    plain = [compiled.beam(*case, 300, 1, seed, None)[0] for seed in range(1, 5)]
    verdict, jumps, _ = compiled.beam(*case, 300, 2, 1, None)
    assert plain == [-1] * 4
    assert verdict == 1
    assert is_won(case, after(case, jumps))


@needs_compiled
@pytest.mark.parametrize("score", [1, 2])
def test_a_chosen_cell(compiled: Search, score: int) -> None:
    """On the 9x9 board less its middle, the last peg in the middle or in one of the cells like it."""
    for final in [(4, 4), (1, 4), (4, 7)]:
        case = drawn("ooooooooo " * 4 + "oooo.oooo" + " ooooooooo" * 4, final)
        sizes = (30, 300, 3000)
        verdict, jumps, _ = next(said for size in sizes if (said := compiled.beam(*case, size, score, 1, None))[0] == 1)
        assert verdict == 1
        assert after(case, jumps) == {final}


# --- the seed's search ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_the_seeds_search(search: Search, seed: int) -> None:
    """Where it ends it is right: it visits a position as often as there are ways to it, and stops at the first win."""
    rng = random.Random(seed)
    for number in range(10):
        kind = won_case if number % 2 else random_case
        height, width, cells, pegs, _ = case = kind(rng, *rng.choice([(4, 4), (3, 5), (2, 7)]), 6)
        verdict, jumps, nodes = search.reference(height, width, cells, pegs, 0, None)
        everywhere, positions = (*case[:4], cells), all_positions(case)
        assert verdict == any(is_won(everywhere, position) for position in positions)
        assert verdict or kind is random_case
        assert nodes >= len(positions) or verdict
        # Without a solution the jumps lead as far as any can.
        assert len(after(case, jumps)) == min(map(len, positions))


def test_the_seeds_search_does_not_see_the_edge(search: Search) -> None:
    """Beyond 14x14 no jump starts in the outermost rows and columns of its array; up to 14x14 the board lies inside."""
    wide = drawn("oo" + "." * 13)
    small = drawn("oo" + "." * 12)
    assert search.reference(*small[:4], 0, None) == (1, ((0, 0, 3),), 2)
    assert search.reference(*wide[:4], 0, None) == (0, (), 1)


@pytest.mark.parametrize("bound", [1, 7, 50])
def test_a_bound_on_nodes(search: Search, bound: int) -> None:
    case = drawn("oooooo oooooo oo.ooo oooooo oooooo oooooo")
    verdict, jumps, nodes = search.reference(*case[:4], bound, None)
    assert (verdict, nodes) == (-1, bound)
    assert 0 < len(jumps) <= bound
    assert len(after(case, jumps)) == 35 - len(jumps)
