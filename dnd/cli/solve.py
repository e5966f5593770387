"""`dnd solve FILE...`: solutions, and whether they are unique."""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import Counter, deque
from collections.abc import Iterator

from dnd.batch import solve_timed
from dnd.cli.common import (
    GivenBoard,
    Inputs,
    Parsers,
    budget_of,
    command,
    not_offered,
    place_of,
    positive,
    read_board,
    size,
    slow_game_options,
    title,
    with_options,
)
from dnd.cli.output import Progress, complain, say, say_json
from dnd.diagnostic import counted, input_error
from dnd.game import Answer, AnswerForm, Entry, Puzzle, game, games
from dnd.kernels import KERNELS, kernel_name

_DEFAULT_LIMIT = 2  # enough to tell one solution from several


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    help_ = "solve puzzles; exit 1 unless each has exactly one solution (peg solitaire: has any)"
    parser = command(subparsers, "solve", help_, _run)
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--limit", type=positive, metavar="N", help=f"stop after N solutions (default {_DEFAULT_LIMIT})"
    )
    limits.add_argument("--all", action="store_true", help="find all solutions")
    parser.add_argument(
        "--method",
        metavar="METHOD",
        help="auto (the default): exact; reference: as the model program does (not Suguru); moves: few moves (pegs)",
    )
    parser.add_argument("--kernel", choices=KERNELS, help="compiled or pure kernel (default: $DND_KERNEL, else auto)")
    parser.add_argument(
        "--max-nodes", type=positive, metavar="N", help="give up on a puzzle, undecided, after about N nodes"
    )
    parser.add_argument("--board", metavar="BOARD", help="a file with a partial board that solutions must extend")
    parser.add_argument("--workers", type=positive, metavar="N", help="threads (default: one per processor)")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="one JSON object per puzzle")
    forms.add_argument(
        "--to",
        metavar="FORMAT",
        help="write answers as programs for this format print them: course, codingame "
        "(the default if --format names one of these)",
    )
    pegs = slow_game_options(parser, seconds="60")
    pegs.add_argument(
        "--memory", type=size, metavar="SIZE", help="use at most this much memory, such as 4GiB (the default)"
    )
    pegs.add_argument("--frames", action="store_true", help="show the board after each jump")
    pegs.add_argument("--log", metavar="LOG", help="append the results to a log, as the model program does")
    parser.add_argument("--stats", action="store_true", help="print a summary to stderr at the end")


def _run(arguments: argparse.Namespace) -> int:
    inputs, form = Inputs(arguments), _form(arguments)
    arguments.method = arguments.method or (form.method if form else "auto")
    progress, summary, log, good = Progress("puzzles"), _Summary(), _Log(arguments.log), True
    for number, (entry, result, seconds) in enumerate(_results(inputs, arguments, form)):
        good = good and result.good
        progress.step()
        summary.add(result)
        if arguments.json:
            say_json(_as_json(entry, result, seconds, arguments))
        elif form and (answer := _answer(number, entry, result, form)) is not None:
            say(answer)
        else:
            say(_as_text(entry, result, frames=arguments.frames))
        log.add(entry, result, seconds)
    progress.close()
    if arguments.stats:
        complain(summary.text())
    return 2 if log.failed else inputs.exit_code(good=good)


def _form(arguments: argparse.Namespace) -> AnswerForm | None:
    """The form in which answers are wanted: of --to, or of an input format with such a form; None: pictures or JSON."""
    name = arguments.to or arguments.format
    if name is None or arguments.json:
        return None
    forms = {format: form for owner in games() for format, form in owner.answers.items()}
    if arguments.to and name not in forms:
        message = f"answers cannot be written in the format {name[:40]!r}"
        raise input_error("unknown-format", message, hint=f"formats: {', '.join(forms)}")
    return forms.get(name)


def _results(
    inputs: Inputs, arguments: argparse.Namespace, form: AnswerForm | None
) -> Iterator[tuple[Entry, Answer, float]]:
    """Entries, as the options want them, with their results and the seconds each took."""
    entries: deque[Entry] = deque()
    limit = None if arguments.all else arguments.limit or (form.limit if form else _DEFAULT_LIMIT)
    options = {"method": arguments.method, "max_nodes": arguments.max_nodes, "kernel": arguments.kernel}
    options |= budget_of(arguments)

    def puzzles() -> Iterator[Puzzle]:
        for found in inputs:
            _check(found, arguments)
            entry, _ = with_options(found, arguments)
            entries.append(entry)
            yield entry.puzzle

    solved: Iterator[tuple[Answer, float]]
    if arguments.board is not None:
        board = read_board(arguments.board, arguments)
        solved = (_extended(puzzle, board, limit, options) for puzzle in puzzles())
    else:
        solved = solve_timed(puzzles(), limit, arguments.workers, **options)
    for result, seconds in solved:
        yield entries.popleft(), result, seconds


def _check(entry: Entry, arguments: argparse.Namespace) -> None:
    """Refuse a method or an answer form that the entry's game does not have."""
    if arguments.to and arguments.to not in game(entry.game).answers:
        raise not_offered(entry, f"answers in the form {arguments.to}")
    methods = game(entry.game).solver.METHODS
    if arguments.method not in methods:
        message = f"the game {entry.game} has no method {arguments.method[:40]!r}"
        raise input_error("unknown-method", message, place_of(entry), f"methods: {', '.join(methods)}")


def _extended(puzzle: Puzzle, board: GivenBoard, limit: int | None, options: dict[str, object]) -> tuple[Answer, float]:
    start = time.perf_counter()
    result = game(puzzle.game).solver.solve(puzzle, limit, board=board.on(puzzle), **options)
    return result, time.perf_counter() - start


def _answer(number: int, entry: Entry, result: Answer, form: AnswerForm) -> str | None:
    """The answer in the form that is wanted; None where the form cannot express it, such as an undecided search."""
    if not result.count and not result.complete:
        return None
    return form.write(number, entry.puzzle, [solution.board for solution in result.solutions])


def _as_text(entry: Entry, result: Answer, *, frames: bool) -> str:
    owner, puzzle = game(entry.game), entry.puzzle
    pictures = [owner.draw(puzzle, solution.board) for solution in result.solutions] or [owner.draw(puzzle)]
    if frames and result.solutions:
        pictures = list(owner.frames(puzzle, result.solutions[0].board))
    colon, best = (":", [result.picture]) if result.picture else ("", [])
    return "\n".join([title(entry), *pictures, result.words() + colon, *best, ""])


def _as_json(entry: Entry, result: Answer, seconds: float, arguments: argparse.Namespace) -> dict[str, object]:
    owner, puzzle = game(entry.game), entry.puzzle
    return {
        "name": entry.name,
        "puzzle": owner.one_line(puzzle),
        "count": result.count,
        "complete": result.complete,
        "solutions": [owner.one_line(puzzle, solution.board) for solution in result.solutions],
        "nodes": result.nodes,
        "method": arguments.method,
        "kernel": kernel_name(owner.solver.engine(puzzle.height, puzzle.width, arguments.kernel)),
        "seconds": round(seconds, 9),
        **result.details(),
    }


class _Log:
    """The file of `--log`. Where it cannot be written that is said once; the results are printed all the same."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.failed = False

    def add(self, entry: Entry, result: Answer, seconds: float) -> None:
        """Append one result."""
        if self.path is None or self.failed:
            return
        try:
            # The end of a device is never found.
            if os.path.exists(self.path) and not os.path.isdir(self.path) and not os.path.isfile(self.path):
                raise OSError("it is not a file")
            game(entry.game).log(self.path, result, seconds)
        except OSError as error:
            self.failed = True
            complain(f"{self.path}: the log cannot be written: {error.strerror or error}")


class _Summary:
    """The figures of `--stats`."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.nodes: list[int] = []
        self.tally: Counter[str] = Counter()

    def add(self, result: Answer) -> None:
        """Count one result in."""
        self.nodes.append(result.nodes)
        self.tally.update(dict.fromkeys(result.kinds, 0))
        self.tally[result.kind] += 1

    def text(self) -> str:
        """The summary, two lines."""
        number, seconds, nodes = len(self.nodes), time.perf_counter() - self.start, self.nodes
        if not number:
            return "0 puzzles"
        return (
            f"{counted(number, 'puzzle')}: "
            + ", ".join(f"{count} {kind}" for kind, count in self.tally.items())
            + f"; {_rate(number / seconds)} puzzles/s\n"
            f"dnd: nodes: mean {statistics.fmean(nodes):.1f}, median {statistics.median(nodes):g}, max {max(nodes)}"
        )


def _rate(number: float) -> str:
    """A number per second: whole, unless it is small."""
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"
