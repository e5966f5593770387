"""One thing that a fixture lets be tested: what a game's room for the pytest plug-in (`dnd.game.Testing`) hands out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One thing that can be tested with a fixture: an item of the pytest plug-in.

    name: the item's id after the fixture's name, such as "solve-c". key: the expectation it is about.
    run() yields a text for each problem.
    update() gives the expectations to rewrite, with what was found, ValueError if that cannot be right; None: the
    check is not about an expectation that a program may write.
    marks: names of pytest markers. words: what `-k` finds the item by beside its name. skip: why it cannot run.
    """

    name: str
    key: str
    run: Callable[[], Iterator[str]]
    update: Callable[[], Mapping[str, object]] | None = None
    marks: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    skip: str = ""
