"""Many puzzles over threads: results in input order, as soon as they are ready, in bounded memory.

Kernels release the GIL, so threads are the right workers. A reader thread draws puzzles from the caller's
iterable, worker threads take whatever has arrived (a lone puzzle at once, up to `_CHUNK` in a single call
of the game's solver when they come fast), and the caller gets results in order. At most `_IN_FLIGHT`
puzzles are between reading and yielding, so the input may be endless.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, overload

from dnd.game import Answer, Entry, Puzzle, Solutions, game

if TYPE_CHECKING:
    from dnd import dungeon, pegs, suguru

_CHUNK = 256
_IN_FLIGHT = 4096
_GIVEN_UP = -1

Timed = tuple[Answer, float]


@overload
def solve_many(
    puzzles: Iterable[dungeon.Puzzle], limit: int | None = 2, workers: int | None = None, **options: object
) -> Iterator[Solutions[dungeon.Solution]]: ...
@overload
def solve_many(
    puzzles: Iterable[suguru.Puzzle], limit: int | None = 2, workers: int | None = None, **options: object
) -> Iterator[Solutions[suguru.Solution]]: ...
@overload
def solve_many(
    puzzles: Iterable[pegs.Puzzle], limit: int | None = 2, workers: int | None = None, **options: object
) -> Iterator[pegs.Outcome]: ...
@overload
def solve_many(
    puzzles: Iterable[Puzzle], limit: int | None = 2, workers: int | None = None, **options: object
) -> Iterator[Answer]: ...
def solve_many(
    puzzles: Iterable[Puzzle], limit: int | None = 2, workers: int | None = None, **options: object
) -> Iterator[Answer]:
    """Solve puzzles of any shapes and games; yields one `Solutions` for each, in input order.

    limit: as for `dnd.solve`, but 2 by default: enough to prove uniqueness. workers: number of threads, by
    default one a processor. options: method, max_nodes, kernel, as for `dnd.solve`, and those of the puzzles' games.
    An error of the iterable is raised after the results of the puzzles before it; so is the TypeError for an item that
    is not a puzzle. There is no `stop`: closing the iterator stops the work.
    """
    return (result for result, _ in solve_timed(puzzles, limit, workers, **options))


def solve_timed(
    puzzles: Iterable[Puzzle], limit: int | None = 2, workers: int | None = None, **options: object
) -> Iterator[Timed]:
    """The same, each result with the seconds it took (puzzles solved together share the time equally)."""
    if "stop" in options:
        raise TypeError("solve_many takes no stop; close its iterator to give up the search")
    number = workers if workers is not None else os.cpu_count() or 1
    if number < 1:
        raise ValueError(f"workers must be 1 or more, not {number}")
    return _Line({"limit": limit, **options}).run(puzzles, number)


class _Line:
    """The line from the reader through the workers to the caller.

    `waiting` holds puzzles that no worker has taken; the first of them has the number `taken`. `done` maps the
    number of a puzzle to the results from it on that the caller has not fetched. `idle` counts the workers
    without work, `fetched` the results that the caller has. `total` is the length of the input, once known. `slow`
    says of each game that was met whether it is.

    The three conditions share one lock. Appending to `waiting` and looking at `idle` and `fetched` need no lock,
    so the reader takes the lock only when another thread is waiting.
    """

    def __init__(self, options: dict[str, object]) -> None:
        lock = threading.Lock()
        self.arrived, self.finished, self.room = (threading.Condition(lock) for _ in range(3))
        self.stop = bytearray(1)  # set to 1, it makes kernels give up
        self.options = {**options, "stop": self.stop}
        self.waiting: deque[Puzzle] = deque()
        self.taken = self.idle = self.fetched = 0
        self.done: dict[int, list[Timed] | list[BaseException]] = {}
        self.total: int | None = None
        self.failure: BaseException | None = None
        self.slow: dict[str, bool] = {}

    def run(self, puzzles: Iterable[Puzzle], workers: int) -> Iterator[Timed]:
        try:
            threading.Thread(target=self._read, args=(puzzles,), daemon=True).start()
            for _ in range(workers):
                threading.Thread(target=self._work, daemon=True).start()
            while results := self._next_results():
                for result in results:
                    if isinstance(result, BaseException):
                        raise result
                    yield result
            if self.failure is not None:
                raise self.failure
        finally:
            self._give_up()

    def _next_results(self) -> list[Timed] | list[BaseException] | None:
        with self.finished:
            self.room.notify()
            self.finished.wait_for(lambda: self.fetched in self.done or self.fetched == self.total)
            results = self.done.pop(self.fetched, None)
            self.fetched += len(results or ())
            return results

    def _give_up(self) -> None:
        self.stop[0] = 1
        with self.arrived:
            self.waiting.clear()
            self.total = _GIVEN_UP
            self.arrived.notify_all()
            self.room.notify_all()

    def _read(self, puzzles: Iterable[Puzzle]) -> None:
        count = 0
        try:
            for puzzle in puzzles:
                self._check(puzzle, count + 1)
                self.waiting.append(puzzle)
                count += 1
                if (self.idle or count - self.fetched >= _IN_FLIGHT) and not self._hand_over(count):
                    return
        except BaseException as error:  # the caller must see it, whatever it is
            self.failure = error
        with self.arrived:
            if self.total is None:
                self.total = count
            self.arrived.notify_all()
            self.finished.notify_all()

    def _check(self, puzzle: object, number: int) -> None:
        """Raise TypeError for what is not a puzzle of any game: the workers ask an item what game it belongs to."""
        name = getattr(puzzle, "game", None)
        if not isinstance(name, str) or isinstance(puzzle, type):
            raise TypeError(f"item {number} is not a puzzle but of type {type(puzzle).__name__}")
        if isinstance(puzzle, Entry):
            raise TypeError(f"item {number} is an Entry; pass its .puzzle")
        if name not in self.slow:
            try:
                self.slow[name] = game(name).slow
            except KeyError:
                raise TypeError(f"item {number} belongs to the game {name!r}, which is not installed") from None

    def _hand_over(self, count: int) -> bool:
        """Wake a worker, wait until there is room for another puzzle; False when no more are wanted."""
        with self.arrived:
            self.arrived.notify()
            self.room.wait_for(lambda: count - self.fetched < _IN_FLIGHT or self.total == _GIVEN_UP)
            return self.total != _GIVEN_UP

    def _work(self) -> None:
        while chunk := self._take():
            number, puzzles = chunk
            for results in self._solve(puzzles):
                with self.finished:
                    self.done[number] = results
                    self.finished.notify_all()
                number += len(results)

    def _solve(self, puzzles: list[Puzzle]) -> Iterator[list[Timed] | list[BaseException]]:
        start = time.perf_counter()
        try:
            owner, left = game(puzzles[0].game), len(puzzles)
            for results in owner.solver.solve_runs(puzzles, **self.options):
                now = time.perf_counter()
                left -= len(results)
                if left < 0:  # the surplus would be taken for answers to other puzzles
                    break
                if results:
                    yield [(result, (now - start) / len(results)) for result in results]
                start = now
            if left:
                raise RuntimeError(f"the game {owner.name!r} answered {len(puzzles) - left} of {len(puzzles)} puzzles")
        except BaseException as error:  # the caller must see it, whatever it is
            yield [error]

    def _take(self) -> tuple[int, list[Puzzle]] | None:
        """The next puzzles of one game and the number of the first; None when there will be no more."""
        with self.arrived:
            # In this order: the reader appends first and looks at `idle` then, so one of the two sees the other.
            self.idle += 1
            self.arrived.wait_for(lambda: self.waiting or self.total is not None)
            self.idle -= 1
            if not self.waiting:
                return None
            number, chunk = self.taken, [self.waiting.popleft()]
            try:
                name = chunk[0].game
                most = 1 if self.slow[name] else _CHUNK
                while self.waiting and len(chunk) < most and self.waiting[0].game == name:
                    chunk.append(self.waiting.popleft())
            except BaseException as error:  # if it killed the worker, the caller would wait forever
                self.done[number] = [error]
                self.finished.notify_all()
                return None
            finally:
                self.taken += len(chunk)
            return number, chunk
