"""Many puzzles over threads: results in input order, as soon as they are there, in bounded memory.

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
from typing import Any

from dnd.game import game

_CHUNK = 256
_IN_FLIGHT = 4096
_GIVEN_UP = -1

Timed = tuple[Any, float]


def solve_many(puzzles: Iterable[Any], limit: int | None = 2, workers: int | None = None, **options: Any) -> Iterator[Any]:
    """Solve puzzles of any shapes and games; yields one `Solutions` for each, in input order.

    limit: as for `dnd.solve`, but 2 by default: enough to prove uniqueness. workers: number of threads, by
    default one a processor. options: method, max_nodes, kernel, as for `dnd.solve`.
    An error of the iterable is raised behind the results of what it had given.
    """
    return (result for result, _ in solve_timed(puzzles, limit, workers, **options))


def solve_timed(
    puzzles: Iterable[Any], limit: int | None = 2, workers: int | None = None, **options: Any
) -> Iterator[Timed]:
    """The same, each result with the seconds it took (puzzles solved together share the time equally)."""
    number = workers if workers is not None else os.cpu_count() or 1
    if number < 1:
        raise ValueError(f"workers must be 1 or more, not {number}")
    return _Line({"limit": limit, **options}).run(puzzles, number)


class _Line:
    """The line from the reader through the workers to the caller.

    `waiting` holds puzzles that no worker has taken; the first of them has the number `taken`. `done` maps
    numbers to results that the caller has not fetched. `total` is the length of the input, once known.
    All four are guarded by the lock that `arrived` (for workers) and `finished` (for the caller) share.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        self.stop = bytearray(1)  # set to 1, it makes kernels give up
        self.options = {**options, "stop": self.stop}
        lock = threading.Lock()
        self.arrived, self.finished = threading.Condition(lock), threading.Condition(lock)
        self.room = threading.Semaphore(_IN_FLIGHT)
        self.waiting: deque[Any] = deque()
        self.taken = 0
        self.done: dict[int, Timed | BaseException] = {}
        self.total: int | None = None
        self.failure: BaseException | None = None

    def run(self, puzzles: Iterable[Any], workers: int) -> Iterator[Timed]:
        for target, arguments in [(self._read, (puzzles,)), *[(self._work, ())] * workers]:
            threading.Thread(target=target, args=arguments, daemon=True).start()
        try:
            number = 0
            while (result := self._result(number)) is not None:
                if isinstance(result, BaseException):
                    raise result
                self.room.release()
                yield result
                number += 1
            if self.failure is not None:
                raise self.failure
        finally:
            self.stop[0] = 1
            with self.arrived:
                self.waiting.clear()
                self.total = _GIVEN_UP
                self.arrived.notify_all()
            self.room.release()

    def _result(self, number: int) -> Timed | BaseException | None:
        with self.finished:
            self.finished.wait_for(lambda: number in self.done or number == self.total)
            return self.done.pop(number, None)

    def _read(self, puzzles: Iterable[Any]) -> None:
        count = 0
        try:
            for puzzle in puzzles:
                self.room.acquire()
                with self.arrived:
                    if self.total == _GIVEN_UP:
                        return
                    self.waiting.append(puzzle)
                    self.arrived.notify()
                count += 1
        except BaseException as error:  # whatever it is, the caller must see it
            self.failure = error
        with self.arrived:
            if self.total is None:
                self.total = count
            self.arrived.notify_all()
            self.finished.notify_all()

    def _work(self) -> None:
        while chunk := self._take():
            number, puzzles = chunk
            for results in self._solve(puzzles):
                with self.finished:
                    self.done.update(enumerate(results, number))
                    self.finished.notify_all()
                number += len(results)

    def _solve(self, puzzles: list[Any]) -> Iterator[list[Timed] | list[BaseException]]:
        start = time.perf_counter()
        try:
            for results in game(puzzles[0].game).solve_runs(puzzles, **self.options):
                now = time.perf_counter()
                yield [(result, (now - start) / len(results)) for result in results]
                start = now
        except BaseException as error:  # whatever it is, the caller must see it
            yield [error]

    def _take(self) -> tuple[int, list[Any]] | None:
        """The next puzzles of one game and the number of the first; None when there will be no more."""
        with self.arrived:
            self.arrived.wait_for(lambda: self.waiting or self.total is not None)
            if not self.waiting:
                return None
            number, chunk = self.taken, [self.waiting.popleft()]
            while self.waiting and len(chunk) < _CHUNK and self.waiting[0].game == chunk[0].game:
                chunk.append(self.waiting.popleft())
            self.taken += len(chunk)
            return number, chunk
