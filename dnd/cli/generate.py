"""`dnd generate REQUEST`: new puzzles, unique by proof, that the request and its seed make again anywhere."""

from __future__ import annotations

import argparse
import re
import secrets
import signal
import sys
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from dnd.cli.common import Parsers, check_format, command, positive
from dnd.cli.output import Progress, put_puzzle
from dnd.diagnostic import InputError, fault
from dnd.game import Entry, Game, game, game_names, games
from dnd.reading import dumps, dumps_entry

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess


_MEMORY = 1 << 26  # bytes of a rating, where it takes memory: what needs more takes seconds, and stays without one
_RANGES = ("treasures", "monsters", "cages")  # options that are parts of some games' requests


def add(subparsers: Parsers) -> None:
    """Add the verb."""
    parser = command(
        subparsers, "generate", "make new puzzles, such as `generate -n 5 12x12:hard#seed`", _run, files=False
    )
    parser.add_argument(
        "request",
        metavar="REQUEST",
        help="[GAME:]WIDTHxHEIGHT[:LEVEL][:SYMMETRY][#SEED], where no game is a dungeon, or "
        "pegs:BOARD[:PEGS][:MISSING%%][:LEVEL][:final][#SEED], where BOARD is english, french... or WIDTHxHEIGHT",
    )
    parser.add_argument("-n", type=positive, default=1, metavar="N", dest="number", help="how many (default 1)")
    parser.add_argument("--treasures", metavar="A-B", help="the least and the most treasures (dungeon)")
    parser.add_argument("--monsters", metavar="A-B", help="the least and the most monsters (dungeon)")
    parser.add_argument("--cages", metavar="A-B", help="the least and the largest cage (suguru)")
    parser.add_argument("--shard", type=_shard, metavar="I/N", help="of the puzzles only each Nth, from the Ith on")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument("--no-rating", action="store_true", help="leave the rating out: rating is slower than making")
    parser.add_argument("--to", metavar="FORMAT", help="the output's format (default: one line)")


def _shard(text: str) -> tuple[int, int]:
    parts = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if not parts or not 1 <= int(parts[1]) <= int(parts[2]):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no shard such as 1/4, the first of four")
    return int(parts[1]), int(parts[2])


def _run(arguments: argparse.Namespace) -> int:
    owner = _owner(arguments.request)
    check_format(arguments.to, owner)
    asked = _asked(owner, arguments)
    first, step = arguments.shard or (1, 1)
    start = asked.pop("start", 0)
    numbers = range(start + first - 1, start + arguments.number, step)
    progress = Progress("puzzles")
    format = arguments.to or owner.line_formats[0]
    job = (owner.name, asked, format, not arguments.no_rating)
    with closing(_texts(job, numbers, arguments.workers)) as texts:
        for text in texts:
            put_puzzle(text, owner, format)
            progress.step()
    progress.close()
    return 0


def _owner(request: str) -> Game:
    """The game whose puzzles are asked for: a request that names none is for a dungeon."""
    name = request.partition(":")[0] if re.match(r"[a-z]+:", request) else "dungeon"
    makers = [owner.name for owner in games() if owner.generate]
    if name not in game_names() or name not in makers:
        raise fault("bad-request", f"a request begins with one of {', '.join(makers)} and a colon, not {name[:40]!r}")
    return game(name)


def _asked(owner: Game, arguments: argparse.Namespace) -> dict[str, Any]:
    """The arguments of the game's `generate`, with a seed."""
    text, hash_sign, seed = arguments.request.partition("#")
    if arguments.shard and not hash_sign:
        raise fault("bad-request", "a shard needs a seed", hint=f"such as {text}#myseed")
    given = {name: value for name in _RANGES if (value := getattr(arguments, name)) is not None}
    options = [f":{value}" if name == "cages" else f":{name}={value}" for name, value in given.items()]
    assert owner.requested is not None
    asked = owner.requested(text + "".join(options) + hash_sign + seed)
    for name in given:
        if name not in asked:  # the game took it for something else
            raise fault("not-offered", f"the game {owner.name} has no option --{name}")
    return {"seed": secrets.token_hex(4)} | asked


Job = tuple[str, dict[str, Any], str, bool]


def _texts(job: Job, numbers: range, workers: int) -> Generator[str, None, None]:
    """The puzzles of these numbers as texts, in order; the number of workers changes nothing but the time."""
    if workers == 1:
        return (_text(job, number) for number in numbers)
    return _shared_out(job, numbers, workers)


def _shared_out(job: Job, numbers: range, workers: int) -> Generator[str, None, None]:
    """The same by several processes: each has every so manyth number, and waits when its pipe is full."""
    import multiprocessing  # takes as long as the rest of the start, and most have no use for it

    context = multiprocessing.get_context("spawn")
    team: list[tuple[BaseProcess, Connection]] = []
    try:
        with _interrupts_wait():
            for part in range(workers):
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(job, numbers[part::workers], there), daemon=True)
                process.start()
                there.close()  # so that the worker's end is the only one, and its death the end of what comes
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
    """Ctrl-C waits, and for ever for processes that start here: it is for this one, which then ends them."""
    if sys.platform == "win32":  # it has no such masks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(job: Job, numbers: range, there: Connection) -> None:
    """A worker's whole life: puzzles into the pipe, and an error if there is one."""
    try:
        for number in numbers:
            there.send(_text(job, number))
    except InputError as error:
        there.send(error)
    except BrokenPipeError:  # nobody is left to read
        pass


def _text(job: Job, number: int) -> str:
    """Puzzle `number`, written, with its rating where it has one and the format has room for it."""
    name, asked, format, with_rating = job
    owner = game(name)
    assert owner.generate is not None
    (puzzle,) = owner.generate(**asked, start=number, count=1)
    rating = _rating(owner, puzzle) if with_rating and format == owner.line_formats[0] else None
    if rating is None or rating.number is None:
        return dumps(puzzle, format)
    fields = {"level": rating.level.replace(" ", "-"), "rating": str(rating.number)}
    return dumps_entry(Entry(name, puzzle, None, puzzle.name, fields=fields))


def _rating(owner: Game, puzzle: Any) -> Any:
    """How hard a new puzzle is: the rating that it was made with, else the game's, if it has one."""
    made_with = getattr(puzzle, "rating", None)
    if made_with is not None or owner.rate is None:
        return made_with
    return owner.rate(puzzle, **({"memory": _MEMORY} if "memory" in owner.options else {}))
