"""Many puzzles over threads: order, streaming, bounds, errors, interrupts."""

from __future__ import annotations

import itertools
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import dnd
from conftest import EVER, KERNELS, interrupted
from course import PROBLEMS
from dnd.batch import solve_timed
from dnd.dungeon import GAME
from dnd.dungeon.puzzle import Puzzle
from dnd.game import Entry

COURSE = [Puzzle(rows, columns, monsters, treasures) for monsters, treasures, rows, columns in PROBLEMS.values()]
SMALL = [Puzzle((0, 2, 0), (1, 1, 0)), Puzzle((None,), (None, None)), Puzzle((1, 1), (1, 1))]
MIXED = [*COURSE[:2], *SMALL, COURSE[2], SMALL[0], Puzzle((None,) * 9, (9,) * 9)]


def test_results_are_those_of_solve_in_input_order(kernel: str) -> None:
    puzzles = MIXED * 3
    expected = [dnd.solve(puzzle, 2, kernel=kernel) for puzzle in puzzles]
    assert list(dnd.solve_many(puzzles, kernel=kernel, workers=3)) == expected


@pytest.mark.parametrize("limit", [1, 2, 5, None])
def test_limits(limit: int | None) -> None:
    expected = [dnd.solve(puzzle, limit) for puzzle in MIXED]
    assert list(dnd.solve_many(MIXED, limit)) == expected


def test_bound_on_nodes() -> None:
    puzzles = [*MIXED, Puzzle((None,) * 8, (None,) * 8), Puzzle((None,) * 9, (None,) * 9)]
    expected = [dnd.solve(puzzle, 2, max_nodes=1) for puzzle in puzzles]
    assert list(dnd.solve_many(puzzles, max_nodes=1)) == expected
    assert not all(result.complete for result in expected)


@pytest.mark.usefixtures("ticking")
def test_seconds_are_those_between_two_looks_at_the_clock() -> None:
    """Of puzzles that are solved together each took its share."""
    (alone,) = solve_timed(COURSE[:1], workers=1)
    assert alone == (dnd.solve(COURSE[0], 2), 2.0)
    shares = Counter(seconds for _, seconds in solve_timed(COURSE, workers=1))
    assert sum(shares.values()) == len(COURSE)
    for seconds, number in shares.items():
        assert number % (2.0 / seconds) == 0


def test_reference_method() -> None:
    puzzles = [COURSE[0], SMALL[0]]
    assert list(dnd.solve_many(puzzles, None, method="reference")) == [
        dnd.solve(puzzle, None, "reference") for puzzle in puzzles
    ]


@pytest.mark.parametrize("kernel_asked", KERNELS)
def test_flat_arrays(kernel_asked: str) -> None:
    clues, monsters, treasures = flat(COURSE)
    answers = dnd.solve_flat(8, 8, clues, monsters, treasures, kernel=kernel_asked)
    for index, puzzle in enumerate(COURSE):
        one = dnd.solve(puzzle, 2)
        assert (answers.counts[index], answers.nodes[index], answers.complete[index]) == (1, one.nodes, 1)
        assert list(answers.solutions[2 * index : 2 * index + 2]) == [one.solutions[0].walls, 0]


def flat(puzzles: list[Puzzle]) -> tuple[array[int], array[int], array[int]]:
    clues = array("b", [clue for puzzle in puzzles for clue in puzzle.kernel_arguments[2] + puzzle.kernel_arguments[3]])
    return clues, array("Q", [p.monsters for p in puzzles]), array("Q", [p.treasures for p in puzzles])


def test_flat_arrays_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    arrays = [numpy.array(values) for values in flat(COURSE)]
    arrays[0] = arrays[0].astype(numpy.int8)
    assert list(dnd.solve_flat(8, 8, *arrays).counts) == [1] * 9


def test_flat_arrays_that_hold_no_puzzles() -> None:
    clues, monsters, treasures = flat(COURSE)
    with pytest.raises(dnd.InputError, match="flat arrays hold boards of up to 64 cells, not 9x8"):
        dnd.solve_flat(9, 8, clues, monsters, treasures)
    with pytest.raises(ValueError, match="9 treasure masks and 144 clues"):
        dnd.solve_flat(8, 8, clues, monsters, treasures[1:])
    with pytest.raises(ValueError, match="array of signed bytes"):
        dnd.solve_flat(8, 8, array("i", clues), monsters, treasures)
    with pytest.raises(dnd.InputError, match="puzzle 0: a cell holds both"):
        dnd.solve_flat(8, 8, clues, monsters, monsters)
    with pytest.raises(dnd.InputError, match="puzzle 0: a mask has cells outside the 7x8 board"):
        dnd.solve_flat(7, 8, clues[:15], array("Q", [1 << 60]), array("Q", [0]))
    clues[16 + 9] = 9
    with pytest.raises(dnd.InputError, match="puzzle 1: the clue of column 2 is 9; it must be 0 to 8, or -1"):
        dnd.solve_flat(8, 8, clues, monsters, treasures)


def test_empty_input_gives_nothing() -> None:
    assert list(dnd.solve_many([])) == []


def test_result_comes_before_the_next_puzzle_is_read() -> None:
    """A lone puzzle of a slow producer is not kept waiting for company."""
    seen = threading.Event()

    def producer() -> Iterator[Puzzle]:
        yield COURSE[0]
        assert seen.wait(EVER), "the first result did not come while the producer waited"
        yield COURSE[1]

    results = dnd.solve_many(producer())
    assert next(results).unique
    seen.set()
    assert [result.unique for result in results] == [True]


def test_endless_input_is_read_only_as_far_as_needed() -> None:
    read = itertools.count()
    results = dnd.solve_many(COURSE[next(read) % 9] for _ in itertools.count())
    for _ in range(10):
        assert next(results).unique
    assert isinstance(results, Generator)
    results.close()
    assert next(read) < 20_000


def test_error_of_the_input_comes_behind_the_results_before_it() -> None:
    def producer() -> Iterator[Puzzle]:
        yield from COURSE[:3]
        raise OSError("the disk is gone")

    results = dnd.solve_many(producer())
    assert [next(results).unique for _ in range(3)] == [True] * 3
    with pytest.raises(OSError, match="the disk is gone"):
        next(results)


def test_error_of_the_solver_is_raised() -> None:
    results = dnd.solve_many([COURSE[0], Puzzle((9,) * 9, (9,) * 9)], method="reference")
    with pytest.raises(dnd.InputError, match="up to 8x8"):
        list(results)


@pytest.mark.parametrize("options", [{"workers": 0}, {"limit": 0}, {"max_nodes": 0}, {"method": "magic"}])
def test_arguments_out_of_range(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"must be 1 or more|no method"):
        list(dnd.solve_many([COURSE[0], COURSE[1]], **options))


def test_closing_stops_the_workers() -> None:
    endless = Puzzle((None,) * 8, (None,) * 8)
    before = set(threading.enumerate())
    results = dnd.solve_many(itertools.chain([COURSE[0]], itertools.repeat(endless)), None)
    assert next(results).unique
    team = set(threading.enumerate()) - before
    assert team
    assert isinstance(results, Generator)
    results.close()
    for thread in team:
        thread.join(EVER)
    assert not any(thread.is_alive() for thread in team)


def test_interrupt_of_a_batch(tmp_path: Path) -> None:
    program = (
        "import dnd, itertools, sys\n"
        "endless = dnd.Puzzle((None,) * 8, (None,) * 8)\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    list(dnd.solve_many(itertools.repeat(endless), None))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', flush=True)\n"
    )
    assert interrupted(program, tmp_path) == "stopped\n"


class Foreign:
    """A puzzle of a game that is not installed."""

    game = "chess"


class Half:
    """Something that claims to be a puzzle of the dungeon and is none."""

    game = "dungeon"


NO_PUZZLES = [
    ([COURSE[0], None], 1, "item 2 is not a puzzle but of type NoneType"),
    ("abc", 0, "item 1 is not a puzzle but of type str"),
    ([COURSE[0], COURSE[1], 7, COURSE[2]], 2, "item 3 is not a puzzle but of type int"),
    ([SMALL[0], Foreign()], 1, "item 2 belongs to the game 'chess', which is not installed"),
    ([*SMALL, Puzzle], 3, "item 4 is not a puzzle but of type type"),
    ([SMALL[0], Entry("dungeon", SMALL[0])], 1, "item 2 is an Entry; pass its .puzzle"),
]


@pytest.mark.parametrize(("puzzles", "number", "words"), NO_PUZZLES, ids=[words for _, _, words in NO_PUZZLES])
@pytest.mark.parametrize("workers", [1, 3])
def test_what_is_no_puzzle(puzzles: Sequence[Any], number: int, words: str, workers: int) -> None:
    results, error = in_time(puzzles, workers=workers)
    assert len(results) == number
    assert isinstance(error, TypeError)
    assert str(error) == words


def test_what_only_looks_like_a_puzzle() -> None:
    """Nobody can foresee what a solver meets in it, but the caller gets the error."""
    results, error = in_time([COURSE[0], Half(), COURSE[1]])
    assert len(results) <= 1
    assert isinstance(error, AttributeError)


class Fickle(Foreign):
    """A puzzle that says once what game it belongs to, to the reader, and no more to the worker."""

    def __init__(self) -> None:
        self.names = iter(["dungeon"])

    @property
    def game(self) -> str:  # type: ignore[override]
        return next(self.names)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_worker_that_dies(workers: int) -> None:
    results, error = in_time([Fickle(), COURSE[0]], workers=workers)
    assert results == []
    assert isinstance(error, StopIteration | RuntimeError)


@pytest.mark.parametrize("number", [0, 3])
def test_a_game_that_answers_too_little_or_too_much(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in's fault must not leave the caller waiting."""

    def wrong(_puzzles: Sequence[Any], **_: Any) -> Iterator[list[Any]]:
        yield [None] * number

    monkeypatch.setattr(GAME.solver, "solve_runs", wrong)
    _, error = in_time(COURSE[:2])
    assert isinstance(error, RuntimeError)
    assert "dungeon" in str(error)


@pytest.mark.parametrize("call", [dnd.solve_many, solve_timed])
def test_a_stop_of_the_callers_is_refused(call: Callable[..., Iterator[Any]]) -> None:
    with pytest.raises(TypeError, match="solve_many takes no stop; close its iterator"):
        call([COURSE[0]], stop=bytearray(1))


def in_time(puzzles: Iterable[Any], **options: Any) -> tuple[list[Any], BaseException | None]:
    """The results and the error of `solve_many`; a failure where it never ends."""
    results: list[Any] = []
    errors: list[BaseException] = []

    def consume() -> None:
        try:
            for result in dnd.solve_many(puzzles, **options):
                results.append(result)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=consume, daemon=True)
    thread.start()
    thread.join(EVER)
    assert not thread.is_alive(), "solve_many hangs"
    return results, errors[0] if errors else None
