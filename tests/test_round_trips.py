"""Public values and errors go through pickle and copy, as they must to and from the workers of a process pool."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

import dnd
from conftest import ROOT
from dnd import pegs, reading, suguru
from dnd.cli.output import OutputError
from dnd.diagnostic import Diagnostic, InputError, PartError, Span, input_error
from dnd.dungeon import puzzle as dungeon_values
from dnd.dungeon import setters
from dnd.kernels import KernelError
from dnd.pegs import puzzle as pegs_values
from dnd.suguru import puzzle as suguru_values
from dnd.testing.items import FailedCheckError

P1 = "44262347:73417163:5m2/8/1t6/8/8/m7/8/2m4m"
SPAN = Span("a.ddn", 2, 3, "the line", 4)
DIAGNOSTIC = Diagnostic("some-code", "a message", ((0, 1),), SPAN, "a hint")
TWICE: list[Callable[[Any], Any]] = [
    *(lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol)) for protocol in (0, 2, 5)),
    copy.copy,
    copy.deepcopy,
]


def raised(call: Callable[..., object], *arguments: object) -> BaseException:
    """The error that a call raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 (any: it is the value)
        call(*arguments)
    return caught.value


ERRORS: list[BaseException] = [
    InputError(DIAGNOSTIC),
    input_error("some-code", "a message", SPAN, "a hint"),
    PartError("some-code", "a message", ("rows", 2)),
    KernelError("no such kernel"),
    OutputError("stdout is closed"),
    FailedCheckError(str(number) for number in range(5)),
    *(
        kind("some-code", "a message", where)
        for kind in (dungeon_values.PuzzleError, suguru_values.PuzzleError, pegs_values.PuzzleError)
        for where in (("", None), ("rows", 2), ("cell", (1, 2)))
    ),
    raised(dnd.Puzzle, (9,), (0,)),
    raised(dnd.Board, 0, 1),
    raised(suguru_values.Puzzle, 1, 1, (0,), (99,)),
    raised(pegs_values.Puzzle, 0, 1, 1, 1),
    raised(lambda: list(dnd.loads("nonsense"))),
    raised(lambda: list(dnd.loads("4:4:x"))),
]


@pytest.mark.parametrize("twice", TWICE, ids=["pickle-0", "pickle-2", "pickle-5", "copy", "deepcopy"])
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__module__ + "." + type(error).__name__)
def test_errors(error: BaseException, twice: Callable[[Any], Any]) -> None:
    if sys.version_info >= (3, 11):
        error.add_note("a note")
    twin = twice(error)
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin) == vars(error)


def values() -> Iterator[Any]:
    """Public values of all games, made by what makes them."""
    yield from (SPAN, DIAGNOSTIC)
    yield from _of_the_dungeon()
    for text in (_suguru(), "5x1/oo.o.", "4x1/o..o"):
        (puzzle,) = dnd.loads(text)
        yield from _of_any_game(puzzle)
    yield from (proof for proof in reading_proofs())


def _suguru() -> str:
    path = ROOT / "fixtures/suguru/codingame-4x5.toml"
    return suguru.GAME.one_line(next(iter(reading.entries(path))).puzzle)


def reading_proofs() -> Iterator[Any]:
    """Proofs of all kinds, with the puzzles that they are of."""
    yield from pegs.GAME.read_proofs((ROOT / "fixtures" / "pegs" / "proved.json").read_bytes(), "proved.json")


def _of_the_dungeon() -> Iterator[Any]:
    entry = next(iter(reading.entries(P1.encode())))
    yield entry
    yield from _of_any_game(entry.puzzle)
    yield from (dnd.Puzzle((None,), (0,)), dnd.Puzzle((0, 0), (1, 1)))
    board = dnd.solve(entry.puzzle).solutions[0].board
    yield board
    drawn = setters.clues(entry.puzzle, board)
    yield drawn
    yield from setters.cures(drawn)
    yield setters.minimise(entry.puzzle)
    yield from dnd.check(entry.puzzle, dnd.Board(8, 8, 3))


def _of_any_game(puzzle: Any) -> Iterator[Any]:
    yield puzzle
    found = dnd.solve(puzzle, 2)
    yield found
    for solution in found.solutions:
        yield from (solution, solution.board)
    yield from dnd.hints(puzzle)
    yield from (dnd.explain(puzzle), dnd.rate(puzzle))


@pytest.mark.parametrize("twice", TWICE, ids=["pickle-0", "pickle-2", "pickle-5", "copy", "deepcopy"])
def test_values(twice: Callable[[Any], Any]) -> None:
    kinds = set()
    for value in values():
        twin = twice(value)
        kinds.add(f"{type(value).__module__}.{type(value).__name__}")
        assert type(twin) is type(value)
        assert twin == value
        assert repr(twin) == repr(value)
    assert kinds >= {
        *(f"dnd.diagnostic.{name}" for name in ("Diagnostic", "Span")),
        *(f"dnd.game.{name}" for name in ("Entry", "Solutions")),
        *(f"dnd.dungeon.puzzle.{name}" for name in ("Puzzle", "Board", "Solution")),
        *(f"dnd.suguru.puzzle.{name}" for name in ("Puzzle", "Board", "Solution")),
        *(f"dnd.pegs.puzzle.{name}" for name in ("Puzzle", "Play", "Solution")),
        *(f"dnd.{name}.explainer.Explanation" for name in ("dungeon", "suguru", "pegs")),
        *(f"dnd.{name}.explainer.Rating" for name in ("dungeon", "suguru", "pegs")),
        *("dnd.dungeon.techniques.Step", "dnd.suguru.techniques.Step", "dnd.pegs.explainer.Step"),
        *("dnd.pegs.solver.Outcome", "dnd.pegs.proofs.Proof"),
        *("dnd.dungeon.setters.Clued", "dnd.dungeon.setters.Minimal"),
    }


def bad_puzzle(name: str) -> object:
    """For a worker: a value that is no puzzle."""
    if name == "dungeon":
        return dnd.Puzzle((9,), (0,))
    return suguru_values.Puzzle(1, 1, (0,), (99,)) if name == "suguru" else pegs_values.Puzzle(0, 1, 1, 1)


def test_errors_of_workers_arrive() -> None:
    """An error that cannot be unpickled would break the pool."""
    kinds = {"dungeon": dungeon_values, "suguru": suguru_values, "pegs": pegs_values}
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        for name, module in kinds.items():
            with pytest.raises(module.PuzzleError) as caught:
                pool.submit(bad_puzzle, name).result()
            here = raised(bad_puzzle, name)
            assert isinstance(here, PartError)
            assert (caught.value.diagnostic, caught.value.where) == (here.diagnostic, here.where)
