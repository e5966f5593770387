"""The generator of peg boards: they can be won, they are as asked, and the same request makes them again."""

from __future__ import annotations

from itertools import islice

import pytest

from conftest import PURE_RUN
from dnd.diagnostic import InputError
from dnd.pegs import generate as generator
from dnd.pegs.explain import UNCOUNTED, Rating, rate
from dnd.pegs.generate import BOARDS, generate, parse_request
from dnd.pegs.solver import SOLVED, solve

REQUESTS = (
    "pegs:english#t",
    "pegs:english:20#t",
    "pegs:6x5:12:final#t",
    "pegs:9x7:20:25%#t",
    "pegs:4x4:7:easy#t",
    "pegs:5x4:8:medium:final#t/3",
    "pegs:1x3:2#t",
    "pegs:diamond:1#t",
)


@pytest.mark.parametrize("request_", REQUESTS)
def test_boards_are_as_asked(request_: str) -> None:
    arguments = parse_request(request_)
    made = list(generate(**arguments, count=3))
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


def test_a_level_that_cannot_be_told_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not by trying other boards: which of them can be counted depends on the kernel."""
    made: list[object] = []

    def uncounted(puzzle: object) -> Rating:
        made.append(puzzle)
        return Rating(None, UNCOUNTED, "", {})

    monkeypatch.setattr(generator, "rate", uncounted)
    with pytest.raises(InputError, match="too many positions to be rated"):
        list(generate("english", pegs=20, difficulty="hard", seed=1))
    assert len(made) == 1


def test_a_stream_starts_at_0() -> None:
    with pytest.raises(ValueError, match="starts at 0"):
        list(generate(seed=1, start=-1))
