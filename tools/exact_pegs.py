"""What is known exactly of the standard boards of peg solitaire, computed afresh: answer, CPU seconds, peak memory.

    python tools/exact_pegs.py [--facts pegs-facts.json] [QUESTION...]

Each question runs in a process of its own, so that its peak memory is its own. With a file of known facts every answer
is compared; exit code 1 if one differs.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from dnd.pegs import kernel
from dnd.pegs.generator import BOARDS
from dnd.pegs.puzzle import Puzzle
from measure import duration

MEMORY = 4 << 30


class Question(NamedTuple):
    """What is asked, the facts that have its answer, and the function that finds it."""

    text: str
    facts: tuple[str, ...]
    ask: Callable[[], Any]


def _vacant(name: str, row: int, column: int, final: tuple[int, int] | None = None) -> Puzzle:
    full = Puzzle.of(BOARDS[name])
    return Puzzle(full.height, full.width, full.cells, full.cells ^ 1 << row * full.width + column, final, name)


def _levels() -> Any:
    return kernel.load("levels")


def _position_levels() -> dict[str, Any]:
    levels, _ = _levels().positions(*_vacant("english", 3, 3).kernel_arguments[:4], MEMORY, None)
    return {"eng-levels": list(levels), "eng-total": sum(levels)}


def _winning_levels() -> dict[str, Any]:
    levels, _ = _levels().winning(*_vacant("english", 3, 3, (3, 3)).kernel_arguments, MEMORY, None)
    return {"eng-winning": list(levels), "eng-winning-total": sum(levels)}


def _sequences(fact: str, final: tuple[int, int] | None) -> dict[str, Any]:
    number, _, _ = _levels().count(*_vacant("english", 3, 3, final).kernel_arguments, MEMORY, None)
    return {fact: number}


def _games() -> dict[str, Any]:
    return {"eng-games": _levels().games(*_vacant("english", 3, 3).kernel_arguments[:4], MEMORY, None)[0]}


def _fewest(fact: str, puzzle: Puzzle) -> dict[str, Any]:
    verdict, _, moves = _levels().fewest(*puzzle.kernel_arguments, MEMORY, None)
    return {fact: moves if verdict == 1 else None}


QUESTIONS = {
    "positions": Question("English board, centre vacant: positions up to symmetry", ("eng-levels",), _position_levels),
    "sequences": Question(
        "English board, centre to centre: solutions as jump sequences",
        ("eng-solutions",),
        lambda: _sequences("eng-solutions", (3, 3)),
    ),
    "anywhere": Question(
        "English board, centre vacant, last peg anywhere: solutions",
        ("eng-solutions-any",),
        lambda: _sequences("eng-solutions-any", None),
    ),
    "winning": Question("English board, centre to centre: winning positions", ("eng-winning",), _winning_levels),
    "games": Question("English board, centre vacant: games", ("eng-games",), _games),
    "moves": Question(
        "English board, centre to centre: fewest moves",
        ("eng-18",),
        lambda: _fewest("eng-18", _vacant("english", 3, 3, (3, 3))),
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description="Exact facts of the standard boards, computed afresh.")
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"of {', '.join(QUESTIONS)}; default: all")
    parser.add_argument("--facts", type=Path, help="known facts to compare with")
    options = parser.parse_args(arguments)
    if unknown := set(options.questions) - set(QUESTIONS):
        parser.error(f"no question is called {', '.join(sorted(unknown))}")
    known = _known(options.facts) if options.facts else {}
    wrong = 0
    print("| question | answer | CPU | peak memory |\n|---|---:|---:|---:|")
    for name in options.questions or QUESTIONS:
        # A fresh process for each; forks would inherit the peak of what was done before.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found, seconds, peak = pool.submit(_measured, name).result()
        for fact, answer in found.items():
            differs = fact in known and known[fact] != answer
            wrong += differs
            shown = f"{answer:,}" if isinstance(answer, int) else f"{len(answer)} levels" if answer else "not found"
            note = f" (known: {known[fact]})" if differs else ""
            print(
                f"| {QUESTIONS[name].text} [{fact}] | {shown}{note} | {duration(seconds)} | {peak / 2**20:,.0f} MiB |"
            )
        sys.stdout.flush()
    return 1 if wrong else 0


def _known(file: Path) -> dict[str, Any]:
    return {fact["id"]: fact["value"] for fact in json.loads(file.read_bytes())["facts"]}


def _measured(name: str) -> tuple[dict[str, Any], float, int]:
    """The answers, CPU seconds, and bytes of memory at the peak."""
    start = time.process_time()
    found = QUESTIONS[name].ask()
    return found, time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
