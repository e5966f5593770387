"""Random small tasks of peg solitaire, and the comparison of every kernel with the naive witness and with its twin.

Used by `test_pegs_twins.py` (some hundred boards) and by `tools/fuzz_pegs.py` (as many as you like).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from dnd import grid
from dnd.pegs import kernel as kernels
from dnd.pegs.kernel.search_py import SCORES
from pegs_witness import TURNS, Witness, cells_of, mask_of

if TYPE_CHECKING:
    from dnd.pegs.kernel import Levels, Search

Case = tuple[int, int, int, int, int]  # height, width, cells, pegs, finals

MEMORY = 1 << 30
_NODES = 2_000  # of the reference
_CELLS = 18  # of a small board
_LARGE = [(8, 8), (1, 16), (16, 1), (2, 16), (4, 16), (8, 9), (9, 9), (5, 13), (14, 14), (15, 3), (15, 16), (16, 16)]


def cases(seed: int) -> Iterator[Case]:
    """An endless stream of tasks: small boards of all shapes, and now and then a few pegs on a large one; with holes,
    with finals, solvable or not."""
    rng = random.Random(seed)
    while True:
        yield _large_case(rng) if rng.random() < 0.15 else _small_case(rng)


def _small_case(rng: random.Random) -> Case:
    """Up to 18 cells with any number of pegs: played backwards from one peg, all cells but one, or anything."""
    while True:
        height, width, holes = rng.randint(1, 7), rng.randint(1, 7), rng.choice([0, 0, 0.1, 0.3])
        cells = _random_cells(rng, height, width, holes)
        if 0 < cells.bit_count() <= _CELLS:
            break
    last, how = _one_of(rng, cells), rng.random()
    if how < 0.5:
        pegs = _played_backwards(rng, height, width, cells, last, rng.randint(0, _CELLS))
    elif how < 0.65:
        pegs = cells & ~_one_of(rng, cells)
    else:
        pegs = cells & _random_cells(rng, height, width, rng.choice([0.3, 0.6]))
    return height, width, cells, pegs or last, _finals(rng, cells, last)


def _large_case(rng: random.Random) -> Case:
    """A few pegs on a board that may have more cells than a word has bits."""
    height, width = rng.choice(_LARGE)
    cells = _random_cells(rng, height, width, rng.choice([0, 0, 0.1, 0.2])) or 1
    last = _one_of(rng, cells)
    pegs = _played_backwards(rng, height, width, cells, last, rng.randint(0, 6))
    if rng.random() < 0.3:  # most often lost
        pegs |= _one_of(rng, cells)
    return height, width, cells, pegs, _finals(rng, cells, last)


def _finals(rng: random.Random, cells: int, last: int) -> int:
    """Where the last peg may end: anywhere, in one cell, in any set of cells."""
    return rng.choice([cells, cells, last, cells & rng.getrandbits(cells.bit_length())])


def _random_cells(rng: random.Random, height: int, width: int, missing: float) -> int:
    """The mask of a board from which about that share of the cells is missing."""
    return sum(1 << cell for cell in range(height * width) if rng.random() >= missing)


def _one_of(rng: random.Random, cells: int) -> int:
    """The mask of one of some cells."""
    return 1 << rng.choice(list(grid.indices(cells)))


def _played_backwards(rng: random.Random, height: int, width: int, cells: int, last: int, jumps: int) -> int:
    """The pegs of a game played backwards from its last peg: forwards with pegs and empty cells exchanged."""
    witness = Witness(height, width, cells, cells & ~last, cells)
    empty = witness.start
    for _ in range(jumps):
        possible = witness.jumps(empty)
        if not possible:
            break
        empty = rng.choice(possible)[1]
    return cells & ~mask_of(empty, width)


def moved(case: Case, turn: int) -> Case:
    """The task's copy by one of the eight symmetries (of `pegs_witness.TURNS`)."""
    height, width, *masks = case
    shape = (height, width) if turn < 4 else (width, height)

    def image(mask: int) -> int:
        return mask_of((TURNS[turn](r, c, height, width) for r, c in cells_of(mask, height, width)), shape[1])

    pegs, cells, finals = map(image, masks)
    return (*shape, pegs, cells, finals)


def text(case: Case) -> str:
    """The task drawn in one line, a cell where the last peg may not end in brackets; and as kernels take it."""
    height, width, cells, pegs, finals = case

    def sign(cell: int) -> str:
        peg = "o" if pegs >> cell & 1 else "."
        return "#" if not cells >> cell & 1 else peg if finals >> cell & 1 else f"({peg})"

    rows = ["".join(sign(row * width + column) for column in range(width)) for row in range(height)]
    return f"{'/'.join(rows)} {case}"


def disagreements(case: Case, names: Iterable[str], rng: random.Random) -> list[str]:
    """What the kernels named ("c", "py") say wrong of a task, and where they differ from one another; [] is well."""
    witness, names = Witness(*case), tuple(names)
    searches = [kernels.load("search", name) for name in names]
    wrong = []
    for name, search in zip(names, searches, strict=True):
        wrong += [f"search_{name}: {line}" for line in _search_faults(search, case, witness, rng)]
    for name in names:
        levels = kernels.load("levels", name)
        wrong += [f"levels_{name}: {line}" for line in _level_faults(levels, case, witness, rng)]
    for nodes in (_NODES, rng.randint(1, _NODES)):
        said = {search.reference(*case[:4], nodes, None) for search in searches}
        if len(said) > 1:
            wrong.append(f"reference within {nodes} nodes: {said}")
    return [f"{text(case)}: {line}" for line in wrong]


def _search_faults(search: Search, case: Case, witness: Witness, rng: random.Random) -> Iterator[str]:
    """Faults of the kernel that looks for one solution."""
    solvable, bound = witness.is_solvable(), rng.randint(1, 50)
    yield from _verdict_faults("search", witness, search.search(*case, 0, None), {int(solvable)})
    said = search.search(*case, bound, None)
    yield from _verdict_faults(f"search within {bound}", witness, said, {int(solvable), -1})
    if said[2] > bound:
        yield f"search within {bound} looks at {said[2]}"
    everything = max(map(len, witness.levels))
    for score in range(SCORES):
        seed, size = rng.getrandbits(32), rng.randint(1, 5)
        said = search.beam(*case, everything, score, seed, None)
        yield from _verdict_faults(f"beam of all {everything}, score {score}", witness, said, {1 if solvable else -1})
        said = search.beam(*case, size, score, seed, None)
        yield from _verdict_faults(f"beam of {size}, score {score}", witness, said, {1, -1} if solvable else {-1})
        if search.beam(*case, size, score, seed, None) != said:
            yield f"beam of {size}, score {score}, seed {seed} answers in two ways"
    yield from _reference_faults(search, case, witness)


def _reference_faults(search: Search, case: Case, witness: Witness) -> Iterator[str]:
    """Faults of the seed's search, which knows no last cells."""
    verdict, jumps, _ = search.reference(*case[:4], _NODES, None)
    sees_all = max(case[:2]) <= 14  # beyond, no peg on the edge of the seed's array jumps
    if verdict == 0 and sees_all and witness.last_cells():
        yield "reference: no solution"
    left = witness.replay(jumps)
    if not left or (verdict == 1 and len(left) != 1):
        yield f"reference: {verdict}, and {jumps} leave {left}"


def _verdict_faults(what: str, witness: Witness, said: tuple[Any, ...], allowed: set[int]) -> Iterator[str]:
    """Faults of (verdict, jumps, ...): a verdict not allowed, jumps that cannot be made or do not solve."""
    verdict, jumps = said[:2]
    if verdict not in allowed:
        yield f"{what}: verdict {verdict}, not {allowed}"
    end = witness.replay(jumps)
    if end is None or (verdict == 1 and not witness.is_end(end)):
        yield f"{what}: verdict {verdict}, jumps {jumps}"


def _level_faults(levels: Levels, case: Case, witness: Witness, rng: random.Random) -> Iterator[str]:
    """Faults of the exact kernel: with all the memory that it wants, with little, on a symmetric copy.

    It may give up where memory is little and on boards beyond 64 cells.
    """
    turn, memory, large = rng.randrange(8), rng.choice([1, 1_000, 10_000, 100_000]), case[0] * case[1] > 64
    true = {name: truth(witness) for name, truth in _TRUTHS.items()}
    for what, task, room, may_give_up in (
        ("", case, MEMORY, large),
        (f" in {memory} bytes", case, memory, True),
        (f" of copy {turn}", moved(case, turn), MEMORY, large),
    ):
        for name, said in exact_answers(levels, task, room).items():
            if said != true[name] and not (may_give_up and (said[0] == -1 or said[-1] is False)):
                yield f"{name}{what}: {said}, not {true[name]}"
    for name in ("decide", "fewest"):
        said = getattr(levels, name)(*case, MEMORY, None)
        yield from _verdict_faults(name, witness, said, {true[name][0], -1} if large else {true[name][0]})
        if name == "fewest" and said[0] == 1 and witness.moves(said[1]) != said[2]:
            yield f"fewest: {said[1]} are not {said[2]} moves"


def exact_answers(levels: Levels, case: Case, memory: int) -> dict[str, Any]:
    """What the exact kernel says of a task, without the jumps."""
    return {
        "decide": levels.decide(*case, memory, None)[:1],
        "count": levels.count(*case, memory, None),
        "positions": levels.positions(*case[:4], memory, None),
        "winning": levels.winning(*case, memory, None),
        "games": levels.games(*case[:4], memory, None),
        "fewest": levels.fewest(*case, memory, None)[::2],
    }


_TRUTHS: dict[str, Callable[[Witness], Any]] = {
    "decide": lambda w: (int(w.is_solvable()),),
    "count": lambda w: (w.sequences(), tuple(map(len, w.levels)), True),
    "positions": lambda w: (w.up_to_symmetry(w.levels), True),
    "winning": lambda w: (w.up_to_symmetry(w.winning_levels(), w.finals), True),
    "games": lambda w: (w.games(), True),
    "fewest": lambda w: (0, 0) if (moves := w.fewest_moves()) is None else (1, moves),
}
