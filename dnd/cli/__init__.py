"""The command line: `python -m dnd ...`, also installed as `dnd`.

Exit codes: 0 yes; 1 the puzzle says no (not exactly one solution, a board with faults, no step left); 2 usage, input
that cannot be read, output that cannot be written; 130 Ctrl-C. Data goes to stdout, messages to stderr. Each verb is a
module with `add(subparsers)`.
"""

from __future__ import annotations

import argparse
import difflib
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
    formats,
    generate,
    hint,
    minimise,
    rate,
    rules,
    show,
    solve,
)
from dnd.cli.output import OutputError, complain, keep_lines_whole, lines_are_whole, on_terminal, put
from dnd.diagnostic import InputError, input_error
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
    formats,
    rules,
)
_NAMES = tuple(module.__name__.rpartition(".")[2] for module in VERBS)
INTERRUPTED = 130


def run() -> NoReturn:
    """Run the command line of this process and exit."""
    keep_lines_whole()
    try:
        code = _guarded(sys.argv[1:])
    except Exception:  # a bug: show the traceback
        sys.excepthook(*sys.exc_info())
        code = 1
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End the process as soon as everything is written.

    `sys.exit` will not do: a reader thread may be waiting for stdin and holds its lock, which Python needs when it
    exits; it would wait for more input, or abort.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with suppress(OSError, ValueError):  # reported already
                stream.flush()
    os._exit(code)


def _guarded(argv: Sequence[str]) -> int:
    try:
        return _flushed(argv)
    except KeyboardInterrupt:
        whole = "what was printed is complete" if lines_are_whole() else "the last line is cut off"
        complain(f"interrupted; {whole}")
        return INTERRUPTED
    except BrokenPipeError:  # the reader (head, less) has read enough
        _forget_stdout()
        return 0
    except OutputError as error:
        _forget_stdout()
        complain(str(error))
        return 2


def _flushed(argv: Sequence[str]) -> int:
    """The exit code, after everything is flushed, argparse's own output included."""
    try:
        code = main(argv)
    except SystemExit as end:
        code = int(end.code or 0)
    if sys.stdout is not None:
        put("", end="")
    return code


def _forget_stdout() -> None:
    """Drop what could not be written: Python would try again when it exits, and complain."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(argv: Sequence[str]) -> int:
    """Run one command; returns the exit code. Raises SystemExit(2) for wrong usage, as argparse does."""
    if not argv and on_terminal(sys.stdin):
        put(_parser().format_help(), end="")
        return 0
    try:
        arguments = _parser().parse_args(_with_verb(list(argv)))
        return int(arguments.run(arguments))
    except InputError as error:
        complain(str(error))
    except KernelError as error:
        complain(f"{error}")
    return 2


def _with_verb(argv: list[str]) -> list[str]:
    """`dnd FILE...` is `dnd solve FILE...`. Raises `InputError` for what looks like a misspelt command."""
    if not argv or argv[0] in (*_NAMES, "-h", "--help", "--version"):
        return argv
    if argv[0].isalpha() and not os.path.exists(argv[0]):  # no puzzle is written in letters alone
        for name in difflib.get_close_matches(argv[0].lower(), _NAMES, n=1):
            message = f"there is no command {argv[0]!r}, and no file of that name"
            raise input_error("unknown-command", message, hint=f"did you mean `dnd {name}`?")
    return ["solve", *argv]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dnd",
        description="Dungeons & Diagrams, Suguru and peg solitaire: solve, check, explain, generate, convert. "
        "`dnd FILE...` solves.",
        epilog="exit codes: 0 yes, 1 the puzzle says no, 2 usage or unreadable input, 130 Ctrl-C",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and which kernel runs")
    subparsers = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for module in VERBS:
        module.add(subparsers)
    return parser


class _Version(argparse.Action):
    """Print the version; the kernel is loaded only for this option."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from dnd.game import DEFAULT, game
        from dnd.kernels import kernel_name

        try:
            name = kernel_name(game(DEFAULT).solver.engine(8, 8))
        except KernelError as error:
            parser.error(str(error))
        put(f"dnd {dnd.__version__}, kernel {name} ({'compiled' if name == 'c' else 'pure Python'})")
        parser.exit()
