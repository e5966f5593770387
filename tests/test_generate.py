"""What the streams of new puzzles of all games that have one promise alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from dnd.diagnostic import InputError
from dnd.dungeon import generator as dungeon
from dnd.suguru import generator as suguru

Generate = Callable[..., Iterator[Any]]


@pytest.fixture(params=[dungeon, suguru], ids=["dungeon", "suguru"])
def module(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def generate(module: Any) -> Generate:
    made: Generate = module.generate
    return made


def test_a_puzzle_depends_on_its_number_alone(generate: Generate) -> None:
    three = list(generate(6, 6, seed=5, count=3))
    assert list(generate(6, 6, seed="5", start=2)) == three[2:]
    assert list(islice(generate(6, 6, seed=5, count=None), 3)) == three
    assert len(set(three)) == 3
    assert list(generate(6, 6, seed=6)) != three[:1]


def test_without_a_seed_one_is_drawn(generate: Generate) -> None:
    assert len({next(generate(5, 5)).name for _ in range(5)}) == 5


def test_a_stream_starts_at_0(generate: Generate) -> None:
    with pytest.raises(ValueError, match="starts at 0"):
        list(generate(seed=1, start=-1))


@pytest.mark.parametrize(
    "text", ["", "8", "8x", "8x8:", "8x8:heavy", "8x8:hard:easy", "8x8#", "8x8#a/b", "8x8#a b", "-8x8"]
)
def test_bad_requests(module: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        module.parse_request(text)
    assert caught.value.diagnostic.code == "bad-request"
