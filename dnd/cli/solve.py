"""`dnd solve FILE...`: solutions, and whether they are unique."""

from __future__ import annotations

import argparse
import statistics
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

from dnd.batch import solve_timed
from dnd.chooser import KERNELS, kernel_name
from dnd.cli.common import (
    Inputs,
    Parsers,
    Progress,
    command,
    complain,
    positive,
    read_board,
    say,
    say_json,
    title,
)
from dnd.game import Entry, Solutions, game

_DEFAULT_LIMIT = 2  # enough to tell one solution from several


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(subparsers, "solve", "solve puzzles; exit 0 only if each has exactly one solution", _run)
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--limit", type=positive, metavar="N", help=f"stop after N solutions (default {_DEFAULT_LIMIT})"
    )
    limits.add_argument("--all", action="store_true", help="find all solutions")
    parser.add_argument(
        "--method",
        choices=("auto", "reference"),
        default="auto",
        help="auto: exact; reference: the model program's",
    )
    parser.add_argument("--kernel", choices=KERNELS, help="compiled or pure kernel (default: $DND_KERNEL, else auto)")
    parser.add_argument("--max-nodes", type=positive, metavar="N", help="give a puzzle up, undecided, after N nodes")
    parser.add_argument("--board", metavar="BOARD", help="a file with a partial board that solutions must extend")
    parser.add_argument("--workers", type=positive, metavar="N", help="threads (default: one a processor)")
    parser.add_argument("--json", action="store_true", help="one JSON object a puzzle")
    parser.add_argument("--stats", action="store_true", help="end with a summary on stderr")


def verdict(result: Solutions) -> str:
    """What a result says, in words."""
    if result.unique:
        return "1 solution, unique"
    plural = "" if result.count == 1 else "s"
    if result.complete:
        return f"{result.count} solutions" if result.count else "no solution"
    if result.count == 0:
        return f"undecided after {result.nodes} nodes"
    return f"{result.count} or more solution{plural}"


def _run(arguments: argparse.Namespace) -> int:
    inputs = Inputs(arguments)
    progress, summary, good = Progress("puzzles"), _Summary(), True
    for entry, result, seconds in _results(inputs, arguments):
        good = good and result.unique
        progress.step()
        summary.add(result)
        if arguments.json:
            say_json(_as_json(entry, result, seconds, arguments))
        elif (answer := _answer(entry, result, arguments.format)) is not None:
            say(answer)
        else:
            say(_as_text(entry, result))
    progress.close()
    if arguments.stats:
        complain(summary.text())
    return inputs.exit_code(good=good)


def _results(inputs: Inputs, arguments: argparse.Namespace) -> Iterator[tuple[Entry, Solutions, float]]:
    """Entries with their results and the seconds each took."""
    entries: deque[Entry] = deque()

    def puzzles() -> Iterator[Any]:
        for entry in inputs:
            entries.append(entry)
            yield entry.puzzle

    limit = None if arguments.all else arguments.limit or _DEFAULT_LIMIT
    options = {"method": arguments.method, "max_nodes": arguments.max_nodes, "kernel": arguments.kernel}
    solved: Iterator[tuple[Solutions, float]]
    if arguments.board:
        board = read_board(arguments.board, arguments)
        solved = (_extended(puzzle, board, limit, options) for puzzle in puzzles())
    else:
        solved = solve_timed(puzzles(), limit, arguments.workers, **options)
    for result, seconds in solved:
        yield entries.popleft(), result, seconds


def _extended(puzzle: Any, board: Any, limit: int | None, options: dict[str, Any]) -> tuple[Solutions, float]:
    start = time.perf_counter()
    owner = game(puzzle.game)
    result = owner.solve(puzzle, limit, board=owner.as_board(puzzle, board), **options)
    return result, time.perf_counter() - start


def _answer(entry: Entry, result: Solutions, format: str | None) -> str | None:
    """Where the input's format was named, and its setters expect answers of a certain form: just that."""
    door = game(entry.game).answer
    if door is None or format is None or not result.count:
        return None
    return door(entry.puzzle, result.solutions[0].board, format)


def _as_text(entry: Entry, result: Solutions) -> str:
    draw = game(entry.game).draw
    pictures = [draw(entry.puzzle, solution.board) for solution in result.solutions] or [draw(entry.puzzle, None)]
    return "\n".join([title(entry), *pictures, verdict(result), ""])


def _as_json(entry: Entry, result: Solutions, seconds: float, arguments: argparse.Namespace) -> dict[str, Any]:
    owner, puzzle = game(entry.game), entry.puzzle
    return {
        "name": entry.name,
        "puzzle": owner.one_line(puzzle),
        "count": result.count,
        "complete": result.complete,
        "solutions": [owner.one_line(puzzle, solution.board) for solution in result.solutions],
        "nodes": result.nodes,
        "method": arguments.method,
        "kernel": kernel_name(owner.engine(puzzle.height, puzzle.width, arguments.kernel)),
        "seconds": round(seconds, 9),
    }


class _Summary:
    """The figures of `--stats`."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.nodes: list[int] = []
        self.tally = {"unique": 0, "none": 0, "many": 0, "undecided": 0}

    def add(self, result: Solutions) -> None:
        """Count one result in."""
        self.nodes.append(result.nodes)
        self.tally[_kind(result)] += 1

    def text(self) -> str:
        """The summary, two lines."""
        number, seconds = len(self.nodes), time.perf_counter() - self.start
        nodes = self.nodes or [0]
        return (
            f"{number} puzzles: "
            + ", ".join(f"{count} {kind}" for kind, count in self.tally.items())
            + f"; {number / seconds:.0f} puzzles/s\n"
            f"dnd: nodes: mean {statistics.fmean(nodes):.1f}, median {statistics.median(nodes):g}, max {max(nodes)}"
        )


def _kind(result: Solutions) -> str:
    if result.count > 1:
        return "many"
    if not result.complete:
        return "undecided"
    return "unique" if result.count else "none"
