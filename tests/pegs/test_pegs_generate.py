"""The generator of peg boards: they can be won, they are as asked, and the same request makes them again."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from conftest import PURE_RUN
from dnd import grid
from dnd.diagnostic import InputError
from dnd.pegs import generator as generator
from dnd.pegs.explainer import UNCOUNTED, Rating, rate
from dnd.pegs.generator import BOARDS, Backwards, generate, parse_request
from dnd.pegs.solver import SOLVED, solve
from pegs_witness import Witness

REQUESTS = (
    "pegs:english#t",
    "pegs:english:20#t",
    "pegs:6x5:12:final#t",
    "pegs:9x7:20:25%#t",
    "pegs:4x4:7:easy#t",
    "pegs:5x4:8:medium:final#t/3",
    "pegs:1x3:2#t",
    "pegs:4x3:11#t",
    "pegs:diamond:1#t",
)


@pytest.mark.parametrize("request_", REQUESTS)
def test_boards_are_as_asked(request_: str) -> None:
    arguments = parse_request(request_)
    made = list(generate(**arguments, count=3))
    assert len(made) == 3
    for puzzle in made:
        assert solve(puzzle).verdict == SOLVED
        assert puzzle.number == arguments.get("pegs", puzzle.cells.bit_count() // 2)
        assert (puzzle.final is not None) == arguments.get("final", False)
        if level := arguments.get("difficulty"):
            assert rate(puzzle).level == level
    assert made == list(generate(**arguments, count=3))
    assert [next(generate(**parse_request(puzzle.name))) for puzzle in made] == made


def test_missing_cells() -> None:
    (puzzle,) = generate("10x10", pegs=20, missing=25, seed="m")
    assert puzzle.cells.bit_count() == 75


@pytest.mark.skipif(PURE_RUN, reason="large boards are for the compiled kernels")
def test_large_boards() -> None:
    (puzzle,) = generate("16x16", pegs=100, seed="large")
    assert puzzle.number == 100


def test_the_largest_board_with_one_hole() -> None:
    """No play at random leaves one: they end when a sixth of the cells is empty. Pinned, as below."""
    (puzzle,) = generate("16x16", pegs=255, final=True, seed="full")
    (hole,) = grid.cells(puzzle.cells & ~puzzle.pegs, puzzle.width)
    assert (hole, puzzle.final) == ((1, 15), (14, 3))
    if not PURE_RUN:
        assert solve(puzzle, seconds=600).verdict == SOLVED


@pytest.mark.parametrize(("board", "pegs"), [("9x9", 80), ("wiegleb", 44), ("8x7", 50)])
def test_boards_that_are_nearly_full(board: str, pegs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_ATTEMPTS", 5)
    (puzzle,) = generate(board, pegs=pegs, final=True, seed="n")
    assert puzzle.number == pegs
    assert solve(puzzle, seconds=600).verdict == SOLVED
    assert puzzle == next(generate(**parse_request(puzzle.name)))


@pytest.mark.parametrize(("height", "width"), [(1, 7), (3, 4), (4, 4), (5, 3)])
def test_plays_backwards_lead_back(height: int, width: int) -> None:
    """With holes in the board; what no play reaches is not said to be reached."""
    rng, reached = Random(height), Counter[bool]()
    for _ in range(40):
        cells = sum(1 << cell for cell in range(height * width) if rng.random() < 0.9) | 1
        last = rng.choice(list(grid.indices(cells)))
        number = rng.randint(1, cells.bit_count())
        play = Backwards(height, width, cells)
        for pegs in (play.at_random(last, number, rng), play.beam(last, number, 5, rng)):
            assert pegs & ~cells == 0
            assert 1 <= pegs.bit_count() <= number
            assert Witness(height, width, cells, pegs, 1 << last).is_solvable()
            reached[pegs.bit_count() == number] += 1
    assert len(reached) == 2


def test_pinned() -> None:
    """What a request makes must not change from one machine or version to the next."""
    (puzzle,) = generate("5x5", pegs=9, seed="pin")
    assert puzzle.rows() == PINNED


PINNED = [".o.oo", "o..o.", "..oo.", ".o.o.", "....."]


def test_a_stream_is_endless_and_can_be_shared_out() -> None:
    stream = list(islice(generate("5x5", pegs=6, seed="s", count=None), 4))
    assert list(generate("5x5", pegs=6, seed="s", count=2, start=2)) == stream[2:]
    assert len(set(stream)) > 1


def test_named_boards() -> None:
    assert {name: sum(row.count("o") for row in rows) for name, rows in BOARDS.items()} == {
        "english": 33,
        "french": 37,
        "asymmetric": 39,
        "diamond": 41,
        "wiegleb": 45,
    }


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("pegs:", "bad-request"),
        ("pegs:round", "bad-request"),
        ("pegs:17x3", "too-large"),
        ("pegs:0x3", "empty-board"),
        ("pegs:english:33", "bad-request"),
        ("pegs:english:0", "bad-request"),
        ("pegs:english:5:6", "bad-request"),
        ("pegs:english:10%", "bad-request"),
        ("pegs:9x9:60%", "bad-request"),
        ("pegs:9x9:heavy", "bad-request"),
        ("pegs:9x9#", "bad-request"),
        ("pegs:9x9#a b", "bad-request"),
        ("pegs:2x2:2", "out-of-reach"),
    ],
)
def test_requests_that_no_board_meets(request_: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        list(generate(**parse_request(request_)))
    assert caught.value.diagnostic.code == code


def test_a_level_out_of_reach_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_ATTEMPTS", 3)
    with pytest.raises(InputError, match="no expert board found in 3 attempts"):
        list(generate("3x3", pegs=2, difficulty="expert", seed=1))


def test_how_many_pegs_were_reached_is_said() -> None:
    """In two rows pegs only jump along them."""
    with pytest.raises(InputError, match="no board with 6 pegs found; the fullest of 545 attempts got to 5"):
        list(generate("7x2", pegs=6, seed=1))


def test_a_level_that_cannot_be_told_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not by trying other boards: which of them can be counted depends on the kernel."""
    made: list[object] = []

    def uncounted(puzzle: object) -> Rating:
        made.append(puzzle)
        return Rating(None, UNCOUNTED, "", {})

    monkeypatch.setattr(generator, "rate", uncounted)
    with pytest.raises(InputError, match="too many cells or positions to be rated"):
        list(generate("english", pegs=20, difficulty="hard", seed=1))
    assert len(made) == 1


def test_a_stream_starts_at_0() -> None:
    with pytest.raises(ValueError, match="starts at 0"):
        list(generate(seed=1, start=-1))
