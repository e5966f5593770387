"""The engine of Suguru, both twins, against the brute force, each other, symmetry, its specification, real puzzles."""

from __future__ import annotations

import gzip
import inspect
import random
from array import array
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conftest import SHARED, interrupted, needs_compiled, needs_shared, stopped_in_the_middle
from dnd import grid, reading
from dnd.suguru import kernel as kernels
from dnd.suguru.notation import read
from dnd.suguru.puzzle import Board, KernelArguments, Puzzle, components
from suguru_witness import brute_force, random_cages, random_givens, rows_of

if TYPE_CHECKING:
    from dnd.suguru.kernel import Search

# Rows of straight cages of five: more solutions than anybody can count.
ENDLESS = Puzzle.of(["AAAAABBBBB", "CCCCCDDDDD"] * 5)


@pytest.fixture
def engine(kernel: str) -> Search:
    return kernels.load("search", kernel)


def question_of(
    rng: random.Random, height: int, width: int, most: int, holes: float = 0.0, share: float = 0.0
) -> KernelArguments:
    """A random grid, solvable or not, as kernels take it; some givens are larger than any cage."""
    cages = random_cages(height, width, rng, most, holes)
    givens = random_givens(cages, rng, share, most + 1)
    numbers = components([cage for row in cages for cage in row], width)
    return height, width, numbers, tuple(given for row in givens for given in row)


SMALL = [(1, 1), (1, 7), (7, 1), (2, 3), (3, 2), (2, 5), (5, 2), (3, 3), (4, 2)]


def small_questions(seed: int) -> Iterator[KernelArguments]:
    """An endless stream of grids small enough for the brute force."""
    rng = random.Random(seed)
    while True:
        most, holes, share = rng.randint(3, 7), rng.choice([0, 0.2]), rng.choice([0, 0, 0.2])
        yield question_of(rng, *rng.choice(SMALL), most, holes, share)
        yield question_of(rng, *rng.choice([(3, 4), (4, 3)]), 5, holes, 0.2)


def truth(question: KernelArguments) -> list[bytes]:
    """All solutions by brute force, in the order of their values."""
    _, width, cages, givens = question
    names = [[None if cage < 0 else cage for cage in row] for row in rows_of(cages, width)]
    return [bytes(value for row in board for value in row) for board in brute_force(names, rows_of(givens, width))]


# ------------------------------------------------------------------------------- the brute force


@pytest.mark.parametrize("seed", range(6))
def test_all_solutions_are_those_of_the_brute_force(seed: int, engine: Search) -> None:
    solvable = 0
    for question in islice(small_questions(seed), 60):
        expected = truth(question)
        found, _, complete = engine.solve(*question, 0, 0, None)
        assert complete
        assert sorted(found) == expected, question
        assert engine.count(*question, 0, 0, None)[::2] == (len(expected), True)
        solvable += len(expected) > 0
    assert 5 <= solvable <= 55  # both kinds of grids were met


@pytest.mark.parametrize("seed", range(3))
def test_symmetric_copies_have_symmetric_solutions(seed: int, engine: Search) -> None:
    for question in islice(small_questions(seed + 50), 25):
        if max(question[2]) < 0:
            continue  # holes only: no puzzle
        puzzle = Puzzle(*question)
        boards = [
            Board(puzzle.height, puzzle.width, tuple(values)) for values in engine.solve(*question, 0, 0, None)[0]
        ]
        for symmetry in grid.SYMMETRIES:
            copies, _, _ = engine.solve(*puzzle.transformed(symmetry).kernel_arguments, 0, 0, None)
            assert sorted(map(tuple, copies)) == sorted(board.transformed(symmetry).values for board in boards)


@pytest.mark.parametrize("share", [0.1, 0.4, 1.0])
def test_values_of_a_solution_as_givens_lead_back_to_it(share: float, engine: Search) -> None:
    """What is found under givens are those of all 1,920 solutions that have them."""
    rng = random.Random(4)
    height, width, cages, givens = Puzzle.of(["AAAAA", "BBBBB", "CCCCC"]).kernel_arguments
    everything, _, complete = engine.solve(height, width, cages, givens, 0, 0, None)
    assert (len(everything), complete) == (1920, True)
    for solution in rng.sample(everything, 5):
        givens = tuple(value if rng.random() < share else 0 for value in solution)
        agreeing = [other for other in everything if all(g in (0, v) for g, v in zip(givens, other, strict=True))]
        found, _, complete = engine.solve(height, width, cages, givens, 0, 0, None)
        assert solution in found
        assert (sorted(found), complete) == (sorted(agreeing), True)
        assert share < 1.0 or found == (solution,)


# ---------------------------------------------------------------------------- the specification


def test_order_and_nodes_worked_out_by_hand(engine: Search) -> None:
    """A cage of three in a row: the first cell with 1, then not; below each, the next open cell likewise."""
    found, nodes, complete = engine.solve(1, 3, (0, 0, 0), (0, 0, 0), 0, 0, None)
    assert found == (b"\1\2\3", b"\1\3\2", b"\2\1\3", b"\2\3\1", b"\3\1\2", b"\3\2\1")
    assert (nodes, complete) == (11, True)


@pytest.mark.parametrize(
    ("question", "solutions"),
    [
        ((1, 1, (0,), (0,)), (b"\1",)),
        ((1, 1, (0,), (1,)), (b"\1",)),
        ((1, 1, (0,), (2,)), ()),  # larger than the cage
        ((1, 2, (0, 1), (0, 0)), ()),  # two cages of one cell touch
        ((2, 2, (0, -1, -1, 1), (0, 0, 0, 0)), ()),  # over a corner as well
        ((1, 3, (0, -1, 1), (0, 0, 0)), (b"\1\0\1",)),
        ((2, 2, (-1,) * 4, (0,) * 4), (b"\0\0\0\0",)),
        ((1, 2, (0, 0), (1, 1)), ()),
        ((1, 2, (0, 0), (2, 0)), (b"\2\1",)),
        ((2, 2, (0, 0, 1, 1), (0, 0, 0, 0)), ()),
    ],
)
def test_what_the_root_settles(question: KernelArguments, solutions: tuple[bytes, ...], engine: Search) -> None:
    assert engine.solve(*question, 0, 0, None) == (solutions, 1, True)
    assert engine.solve(*question, 0, 1, None) == (solutions, 1, True)
    assert engine.count(*question, 0, 0, None) == (len(solutions), 1, True)
    assert engine.solve(*question, 1, 0, None) == (solutions, 1, not solutions)
    assert engine.solve(*question, 0, 0, bytearray(1)) == (solutions, 1, True)
    assert engine.solve(*question, 0, 0, bytearray([1])) == ((), 0, False)


def searched(engine: Search) -> Iterator[tuple[KernelArguments, tuple[tuple[bytes, ...], int, bool]]]:
    """Grids with several solutions and what the whole search of each finds."""
    number = 0
    for question in small_questions(9):
        whole = engine.solve(*question, 0, 0, None)
        if 2 < len(whole[0]) < 25:
            yield question, whole
            number += 1
        if number == 12:
            return


def test_limits(engine: Search) -> None:
    for question, (everything, nodes, _) in searched(engine):
        for limit in range(1, len(everything) + 1):
            found, visited, complete = engine.solve(*question, limit, 0, None)
            assert (found, complete) == (everything[:limit], False)
            assert visited <= nodes
            assert engine.count(*question, limit, 0, None) == (limit, visited, False)
        assert engine.solve(*question, len(everything) + 1, 0, None) == (everything, nodes, True)


def test_bounds_on_nodes(engine: Search) -> None:
    for question, whole in searched(engine):
        everything, nodes, _ = whole
        before = 0
        for bound in range(1, nodes):
            found, visited, complete = engine.solve(*question, 0, bound, None)
            assert (visited, complete) == (bound, False)
            assert found == everything[: len(found)]
            assert before <= len(found) <= before + 1
            before = len(found)
            assert engine.count(*question, 0, bound, None) == (len(found), bound, False)
        for bound in (nodes, nodes + 1):
            assert engine.solve(*question, 0, bound, None) == whole


# ---------------------------------------------------------------------------- stop and interrupt


def test_another_thread_stops_a_search(engine: Search) -> None:
    with stopped_in_the_middle() as stop:
        number, nodes, complete = engine.count(*ENDLESS.kernel_arguments, 0, 0, stop)
    assert number > 0
    assert nodes > number
    assert not complete


@pytest.mark.parametrize(
    "call",
    [
        "engine.solve(*{grid}, 0, 0, None)",
        "engine.count(*{grid}, 0, 0, None)",
        "engine.solve_batch(10, 10, *many, 1, 0, *room, None)",
    ],
    ids=["solve", "count", "batch"],
)
def test_interrupt(call: str, kernel: str, tmp_path: Path) -> None:
    """Ctrl-C stops an endless search soon, and a batch of more puzzles than anybody waits for."""
    program = (
        "from array import array\n"
        "from dnd.suguru.kernel import load\n"
        f"engine = load('search', '{kernel}')\n"
        f"many = array('h', {ENDLESS.cages}) * 300_000, bytes(100 * 300_000)\n"
        "numbers = array('q', [0]) * 300_000\n"
        "room = numbers, bytearray(100 * 300_000), numbers[:], bytearray(300_000)\n"
        "print('ready', flush=True)\n"
        f"try:\n    {call.format(grid=ENDLESS.kernel_arguments)}\n"
        "except KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    assert interrupted(program, tmp_path) == "stopped\n"


# --------------------------------------------------------------------------------------- batches


def batch(
    engine: Search, alike: list[KernelArguments], limit: int, max_nodes: int, stop: bytearray | None = None
) -> tuple[int, list[int], bytes, list[int], list[int]]:
    """What `solve_batch` returns and writes, over buffers full of ones."""
    height, width = alike[0][:2]
    cages = array("h", [cage for question in alike for cage in question[2]])
    givens = array("B", [given for question in alike for given in question[3]])
    counts, nodes = array("q", [1] * len(alike)), array("q", [1] * len(alike))
    solutions, complete = bytearray([1]) * (len(alike) * limit * height * width), bytearray([1]) * len(alike)
    done = engine.solve_batch(height, width, cages, givens, limit, max_nodes, counts, solutions, nodes, complete, stop)
    return done, list(counts), bytes(solutions), list(nodes), list(complete)


@pytest.mark.parametrize(("limit", "max_nodes"), [(1, 0), (2, 0), (5, 0), (2, 3)])
def test_batches_are_single_calls(limit: int, max_nodes: int, engine: Search) -> None:
    for height, width in ((1, 1), (3, 4), (7, 2)):
        rng = random.Random(3)
        alike = [question_of(rng, height, width, 4, 0.1, 0.1) for _ in range(15)]
        results = [engine.solve(*question, limit, max_nodes, None) for question in alike]
        solutions = b"".join(b"".join(found).ljust(limit * height * width, b"\0") for found, _, _ in results)
        assert batch(engine, alike, limit, max_nodes) == (
            len(alike),
            [len(found) for found, _, _ in results],
            solutions,
            [nodes for _, nodes, _ in results],
            [complete for _, _, complete in results],
        )


def test_a_stopped_batch_has_done_nothing(engine: Search) -> None:
    done, *_ = batch(engine, [ENDLESS.kernel_arguments] * 3, 1, 0, bytearray([1]))
    assert done == 0


def test_an_empty_flag_is_none(engine: Any) -> None:
    """It has no byte to look at, and what lies behind it in memory is none of ours."""
    question = (1, 3, (0, 0, 0), (0, 0, 0), 0, 0)
    flags: tuple[Any, ...] = (b"", bytearray())  # any: neither is what the package gives
    for empty in flags:
        assert engine.solve(*question, stop=empty) == engine.solve(*question)
        assert engine.count(*question, stop=empty) == engine.count(*question) == (6, 11, True)
        assert batch(engine, [question[:4]], 1, 0, empty)[0] == 1


# ----------------------------------------------------------------------------------------- twins


@needs_compiled
@pytest.mark.parametrize("name", ["solve", "count", "solve_batch"])
def test_twins_have_the_same_signatures(name: str) -> None:
    """Annotations apart: they are the pure twin's own affair."""
    compiled, pure = (
        [(each.name, each.kind, each.default) for each in inspect.signature(getattr(module, name)).parameters.values()]
        for module in (kernels.load("search", "c"), kernels.load("search", "py"))
    )
    assert compiled == pure


def assert_alike(question: KernelArguments) -> None:
    compiled, pure = kernels.load("search", "c"), kernels.load("search", "py")
    for limit, max_nodes in ((0, 30), (1, 100), (2, 100), (3, 5)):
        asked = (*question, limit, max_nodes, None)
        assert compiled.solve(*asked) == pure.solve(*asked), asked
        assert compiled.count(*asked) == pure.count(*asked), asked


@needs_compiled
@pytest.mark.parametrize("seed", range(5))
def test_twins_search_alike(seed: int) -> None:
    """Same solutions in the same order, same nodes, same completeness, for every shape, limit and bound."""
    rng = random.Random(seed)
    for _ in range(40):
        shape = rng.randint(1, 12), rng.randint(1, 12)
        holes, share = rng.choice([0, 0, 0.1, 0.4]), rng.choice([0, 0.03, 0.1])
        assert_alike(question_of(rng, *shape, rng.randint(1, 8), holes, share))


@needs_compiled
def test_twins_learn_alike(root: Path) -> None:
    """On hard puzzles, where the search is many times as long without the weights."""
    for entry in reading.entries(root / "fixtures" / "suguru" / "hard.toml"):
        asked = (*entry.puzzle.kernel_arguments, 2, 0, None)
        compiled, pure = (kernels.load("search", kernel).solve(*asked) for kernel in ("c", "py"))
        assert compiled == pure, entry.name
        assert (len(pure[0]), pure[2]) == (1, True), entry.name


@needs_compiled
@pytest.mark.parametrize("shape", [(1, 64), (64, 1), (2, 40), (16, 16)])
def test_twins_search_alike_on_odd_shapes(shape: tuple[int, int]) -> None:
    for most in (3, 6, 32):
        assert_alike(question_of(random.Random(most), *shape, most, 0.05, 0.02))


@needs_compiled
@pytest.mark.parametrize("most", [1, 6, 32])
def test_twins_search_alike_on_the_largest_grid(most: int) -> None:
    question = question_of(random.Random(most), 64, 64, most)
    compiled, pure = (kernels.load("search", kernel).solve(*question, 1, 6, None) for kernel in ("c", "py"))
    assert compiled == pure


@needs_compiled
def test_twins_fill_buffers_alike() -> None:
    rng = random.Random(6)
    alike = [question_of(rng, 5, 6, 6, 0.05, 0.05) for _ in range(20)]
    compiled, pure = (batch(kernels.load("search", kernel), alike, 3, 40) for kernel in ("c", "py"))
    assert compiled == pure


# --------------------------------------------------------------------------------- real puzzles


@needs_shared
@pytest.mark.parametrize("file", ["suguru-public.json.gz", "suguru-hard.json.gz"])
def test_shared_puzzles(file: str, engine: Search) -> None:
    unique = 0
    for entry in read(gzip.decompress((SHARED / file).read_bytes()), "json"):
        assert isinstance(entry.puzzle, Puzzle)
        found, _, complete = engine.solve(*entry.puzzle.kernel_arguments, 2, 0, None)
        if entry.board:  # the file has the solution of those that have one
            assert [(found, complete)] == [((bytes(entry.board.values),), True)], entry.name
            unique += 1
        else:
            assert (len(found), complete) == (2, False), entry.name
    assert unique > 50
