"""The command line: `python -m dnd ...`, also installed as `dnd`.

Exit codes: 0 yes; 1 the puzzle says no (not exactly one solution, a board with faults, no way on); 2 usage, input
that cannot be read, output that cannot be written; 130 Ctrl-C. Data goes to stdout, talk to stderr. A verb is a module
with `add(subparsers)`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import dnd
from dnd.cli import (
    backbone,
    check,
    clues,
    complete,
    convert,
    count,
    explain,
    generate,
    hint,
    minimise,
    rate,
    rules,
    show,
    solve,
)
from dnd.cli.output import OutputError, complain, keep_lines_whole, lines_are_whole, put
from dnd.diagnostic import InputError
from dnd.kernels import KernelError

VERBS = (
    solve,
    check,
    count,
    backbone,
    hint,
    explain,
    rate,
    generate,
    clues,
    minimise,
    complete,
    show,
    convert,
    rules,
)
INTERRUPTED = 130


def run() -> NoReturn:
    """Run the command line of this process and leave."""
    keep_lines_whole()
    try:
        code = _guarded(sys.argv[1:])
    except Exception:  # a fault of ours: a traceback
        sys.excepthook(*sys.exc_info())
        code = 1
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process at once, once all is written.

    Not by `sys.exit`: a reader thread may sit in a read of stdin, whose lock Python wants at its end; it would wait for
    more input, or abort.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):  # what cannot be written has been complained of
                stream.flush()
    os._exit(code)


def _guarded(argv: Sequence[str]) -> int:
    try:
        return _flushed(argv)
    except KeyboardInterrupt:
        whole = "what was printed is complete" if lines_are_whole() else "the last line is cut off"
        complain(f"interrupted; {whole}")
        return INTERRUPTED
    except BrokenPipeError:  # the reader (head, less) has enough
        _forget_stdout()
        return 0
    except OutputError as error:
        _forget_stdout()
        complain(str(error))
        return 2


def _flushed(argv: Sequence[str]) -> int:
    """The exit code, when what argparse prints by itself is written too."""
    try:
        code = main(argv)
    except SystemExit as end:
        code = int(end.code or 0)
    if sys.stdout is not None:
        put("", end="")
    return code


def _forget_stdout() -> None:
    """What could not be written Python would try to write once more at its end, and complain."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(argv: Sequence[str]) -> int:
    """Run one command; returns the exit code. Raises SystemExit(2) for wrong usage, as argparse does."""
    arguments = _parser().parse_args(_with_verb(list(argv)))
    try:
        return int(arguments.run(arguments))
    except InputError as error:
        complain(str(error))
    except KernelError as error:
        complain(f"{error}")
    return 2


def _with_verb(argv: list[str]) -> list[str]:
    """`dnd FILE...` is `dnd solve FILE...`."""
    names = {module.__name__.rpartition(".")[2] for module in VERBS}
    if argv and argv[0] not in {*names, "-h", "--help", "--version"}:
        return ["solve", *argv]
    return argv


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dnd",
        description="Dungeons & Diagrams, Suguru: solve, check, convert and more. `dnd FILE...` solves.",
        epilog="exit codes: 0 yes, 1 the puzzle says no, 2 usage or unreadable input, 130 Ctrl-C",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and which kernel runs")
    subparsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for module in VERBS:
        module.add(subparsers)
    return parser


class _Version(argparse.Action):
    """Print the version; the kernel is looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from dnd.dungeon import kernel
        from dnd.kernels import kernel_name

        try:
            name = kernel_name(kernel.load("search"))
        except KernelError as error:
            parser.error(str(error))
        put(f"dnd {dnd.__version__}, kernel {name} ({'compiled' if name == 'c' else 'pure Python'})")
        parser.exit()
