"""Times and tables, for the benchmarks of every game.

A time is the median of several measurements. One measurement of something short repeats it, so that clocks and
their calls do not count.
"""

from __future__ import annotations

import gc
import os
import platform
import random
import re
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

LONG = 0.02  # seconds: a measurement of a whole set takes at least this
SHORT = 50e-6  # the same for one puzzle


class Row(NamedTuple):
    """One line of a table. Times are seconds; total, mean, solving and both ratios are over the same `boards`.

    clock: "cpu" or "wall". solving: the part of the total that is not building a model. call_ratio, batch_ratio: the
    total over that of our engine called puzzle by puzzle, or as one batch. None: not measured.
    """

    contender: str
    boards: int
    clock: str
    total: float
    median: float | None = None
    solving: float | None = None
    call_ratio: float | None = None
    batch_ratio: float | None = None

    @property
    def mean(self) -> float:
        return self.total / self.boards


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds of one call."""
    return _loop(work, 1, clock)


def each(work: Callable[[T], object], items: Sequence[T], repeat: int) -> list[float]:
    """CPU seconds of `work` for each item: medians of `repeat` rounds, after one that is thrown away."""

    def one(item: T, number: int) -> float:
        return _loop(lambda: work(item), number, time.process_time)

    numbers = [min(100, 1 + int(SHORT / max(one(item, 1), 1e-7))) for item in items]
    rounds = [[one(item, number) for item, number in zip(items, numbers, strict=True)] for _ in range(repeat)]
    return [median(times) for times in zip(*rounds, strict=True)]


def sampled(
    work: Callable[[T], tuple[float, ...]], items: Sequence[T], repeat: int, budget: float
) -> dict[int, tuple[float, ...]]:
    """{index: medians} of the times that `work` reports, for as many items as `repeat` rounds have time for.

    budget: seconds in all. The items come in an order drawn once for all, and what ends the first round is the
    time used up, not an item: a long one is not left out for being long.
    """
    order = random.Random(0).sample(range(len(items)), len(items))
    end = time.perf_counter() + budget / repeat
    times: dict[int, list[tuple[float, ...]]] = {}
    for index in order:
        times[index] = [work(items[index])]
        if time.perf_counter() > end:
            break
    for _ in range(repeat - 1):
        for index, rounds in times.items():
            rounds.append(work(items[index]))
    return {index: tuple(map(median, zip(*rounds, strict=True))) for index, rounds in times.items()}


def _loop(work: Callable[[], object], number: int, clock: Callable[[], float]) -> float:
    """Seconds of one of `number` calls."""
    rounds = range(number)
    # Without the collector nobody pays for another's garbage.
    gc.disable()
    start = clock()
    for _ in rounds:
        work()
    end = clock()
    gc.enable()
    return (end - start) / number


def machine(flags: str, kernels: Sequence[Any], packages: Sequence[str]) -> dict[str, str]:
    """What the figures were measured on."""
    facts = {
        "processor": f"{_processor()}, {os.cpu_count()} seen by the system",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "compiler": " and ".join(sorted({_compiler(kernel) for kernel in kernels})),
        "flags": flags,
    }
    return facts | {package: _version(package) for package in packages}


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", info.read_text()) if info.exists() else []
    return names[0] if names else platform.processor() or platform.machine()


def _compiler(kernel: Any) -> str:
    """The compiler's name, which gcc and clang leave in what they build."""
    path = Path(kernel.__file__)
    found = re.search(rb"(?:GCC: \([^)]*\)|clang version) [0-9.]+", path.read_bytes())
    return found.group().decode() if found else f"unknown ({path.suffix})"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def table(rows: Sequence[Row]) -> str:
    """Rows in Markdown."""
    heads = ["", "boards", "clock", "total", "mean", "median", "without building", "to a call", "to the batch"]
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *map(_cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: Row) -> list[str]:
    times = [duration(time) for time in (row.total, row.mean, row.median)]
    solving = duration(None if row.solving is None else row.solving / row.boards)
    return [
        row.contender,
        f"{row.boards:,}",
        row.clock,
        *times,
        solving,
        factor(row.call_ratio),
        factor(row.batch_ratio),
    ]


def duration(time: float | None) -> str:
    """Seconds to three digits, in a unit that fits."""
    if time is None:
        return ""
    unit, size = next((unit for unit in (("s", 1.0), ("ms", 1e-3)) if time >= unit[1]), ("µs", 1e-6))
    return f"{_digits(time / size)} {unit}"


def factor(ratio: float | None) -> str:
    """A ratio to three digits."""
    return "" if ratio is None else _digits(ratio)


def _digits(number: float) -> str:
    decimals = next((2 - power for power in (2, 1, 0) if number >= 10**power), 3)
    return f"{number:,.{decimals}f}"
