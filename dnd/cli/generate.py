"""`dnd generate REQUEST`: new puzzles, proved unique; the same request and seed give the same puzzles everywhere."""

from __future__ import annotations

import argparse
import re
import secrets
import signal
import sys
from collections.abc import Generator as AbcGenerator
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, cast

from dnd.cli.common import Parsers, check_format, command, positive
from dnd.cli.output import Progress, put_puzzle
from dnd.diagnostic import InputError, input_error
from dnd.front import owner_of_request
from dnd.game import AnyGame, Entry, Generator, game
from dnd.reading import dumps, dumps_entry
from dnd.requests import RANGES

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(
        subparsers, "generate", "make new puzzles, such as `generate -n 5 12x12:hard#seed`", _run, files=False
    )
    parser.add_argument(
        "request",
        metavar="REQUEST",
        help="[GAME:]WIDTHxHEIGHT[:LEVEL][:SYMMETRY][#SEED], a dungeon if no GAME is named; or "
        "pegs:BOARD[:PEGS][:MISSING%%][:LEVEL][:final][#SEED], where BOARD is english, french, ... or WIDTHxHEIGHT",
    )
    parser.add_argument("-n", type=positive, default=1, metavar="N", dest="number", help="how many (default 1)")
    parser.add_argument("--shard", type=_shard, metavar="I/N", help="make only every Nth puzzle, starting with the Ith")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument(
        "--no-rating", action="store_true", help="leave out the ratings: rating takes longer than generating"
    )
    parser.add_argument("--to", metavar="FORMAT", help="the output's format (default: one line)")
    for title, ranges in RANGES.items():
        group = parser.add_argument_group(f"{title} only")
        for name, what in ranges.items():
            group.add_argument(f"--{name}", metavar="A-B", help=what)


def _shard(text: str) -> tuple[int, int]:
    parts = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if not parts or not 1 <= int(parts[1]) <= int(parts[2]):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a shard, such as 1/4 for the first of four")
    return int(parts[1]), int(parts[2])


def _run(arguments: argparse.Namespace) -> int:
    owner, _ = owner_of_request(arguments.request)
    assert owner.generator is not None, "checked by owner_of_request"
    check_format(arguments.to, owner)
    asked = _asked(owner, owner.generator, arguments)
    first, step = arguments.shard or (1, 1)
    start = cast(int, asked.pop("start", 0))
    numbers = range(start + first - 1, start + arguments.number, step)
    progress = Progress("puzzles")
    format = arguments.to or owner.notation.LINE_FORMATS[0]
    job = (owner.name, asked, format, not arguments.no_rating)
    with closing(_texts(job, numbers, arguments.workers)) as texts:
        for text in texts:
            put_puzzle(text, owner, format)
            progress.step()
    progress.close()
    return 0


def _asked(owner: AnyGame, generator: Generator, arguments: argparse.Namespace) -> dict[str, object]:
    """The arguments of the game's `generate`, with a seed."""
    text, hash_sign, seed = arguments.request.partition("#")
    if arguments.shard and not hash_sign:
        raise input_error("bad-request", "a shard needs a seed", hint=f"such as {text}#myseed")
    names = [name for ranges in RANGES.values() for name in ranges]
    given = {name: value for name in names if (value := getattr(arguments, name)) is not None}
    for name in given:
        if name not in generator.RANGES:
            raise owner.lacks(f"option --{name}")
    options = "".join(f":{name}={value}" for name, value in given.items())
    asked = generator.parse_request(text + options + hash_sign + seed)
    return {"seed": secrets.token_hex(4), **asked}


Texts = AbcGenerator[str, None, None]
Job = tuple[str, dict[str, object], str, bool]


def _texts(job: Job, numbers: range, workers: int) -> Texts:
    """The puzzles of these numbers as texts, in order; the number of workers changes nothing but the time."""
    if workers == 1:
        return (_text(job, number) for number in numbers)
    return _shared_out(job, numbers, workers)


def _shared_out(job: Job, numbers: range, workers: int) -> Texts:
    """The same by several processes: each takes every `workers`-th number, and waits while its pipe is full."""
    import multiprocessing  # slow to import, and rarely needed

    context = multiprocessing.get_context("spawn")
    team: list[tuple[BaseProcess, Connection]] = []
    try:
        with _interrupts_wait():
            for part in range(workers):
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(job, numbers[part::workers], there), daemon=True)
                process.start()
                there.close()  # so that only the worker holds this end, and its death ends the stream
                team.append((process, here))
        for turn, _ in enumerate(numbers):
            made = team[turn % workers][1].recv()
            if isinstance(made, InputError):
                raise made
            yield made
    finally:
        for worker, here in team:
            worker.terminate()
            worker.join()
            here.close()


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Hold back Ctrl-C here, and ignore it in processes started here: this process receives it and ends them."""
    if sys.platform == "win32":  # no signal masks there
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(job: Job, numbers: range, there: Connection) -> None:
    """What a worker does: send puzzles, or an error, through the pipe."""
    try:
        for number in numbers:
            there.send(_text(job, number))
    except InputError as error:
        there.send(error)
    except BrokenPipeError:  # the reader has gone
        pass


def _text(job: Job, number: int) -> str:
    """Puzzle `number`, written, with its rating where it has one and the format has room for it."""
    name, asked, format, with_rating = job
    owner = game(name)
    assert owner.generator is not None
    (puzzle,) = owner.generator.generate(**asked, start=number, count=1)
    rating = owner.generator.rating_of(puzzle) if with_rating and format == owner.notation.LINE_FORMATS[0] else None
    if rating is None or rating.number is None:
        return dumps(puzzle, format)
    fields = {"level": rating.level.replace(" ", "-"), "rating": str(rating.number)}
    return dumps_entry(Entry(name, puzzle, None, puzzle.name, fields=fields))
