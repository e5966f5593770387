"""Runs other people's solvers: a program that reads a puzzle and prints boards, or a Python function.

A function runs in a process of its own (`dnd.testing.call`), for the sake of time limits and crashes. A run is bounded
in time and output, and its whole process group ends with it.
"""

from __future__ import annotations

import os
import re
import selectors
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_FUNCTION = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")
_MOST_OUTPUT = 8 << 20  # bytes
_MOST_TALK = 4 << 10  # bytes kept of the end of stderr
_TICK = 0.05  # seconds between looks whether the program has ended


@dataclass(frozen=True)
class Run:
    """How a program ran: what it printed, or the `problem`, a text that says why there is no answer."""

    output: str = ""
    problem: str = ""


def is_function(solver: str) -> bool:
    """Whether `--solver` names a function, "package.module:function", and not a command line."""
    return _FUNCTION.fullmatch(solver) is not None


def run(solver: str, game: str, question: str, timeout: float, folder: Path) -> Run:
    """Ask a solver: its standard input is `question`, its working folder `folder`; `timeout` in seconds.

    A function gets the puzzle read from `question` (DDN), and its boards come back as DDN lines.
    """
    # The function's module is found where this process would find it.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    try:
        if is_function(solver):
            command = [sys.executable, "-m", "dnd.testing.call", solver, game]
            return _run(command, question, timeout, folder, environment)
        return _run(shlex.split(solver), question, timeout, folder, None)
    except (OSError, ValueError) as error:
        return Run(problem=f"cannot run {solver!r}: {error}")


def _run(command: list[str], question: str, timeout: float, folder: Path, environment: dict[str, str] | None) -> Run:
    if not command:
        raise ValueError("an empty command")
    with tempfile.TemporaryFile() as stdin:
        # From a file, so that a program that never reads cannot block us.
        stdin.write(question.encode())
        stdin.seek(0)
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
    try:
        return _listen(process, timeout)
    finally:
        # Whatever it has started ends too; nothing is left of the group when all went well.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe:
                pipe.close()


def _listen(process: subprocess.Popen[bytes], timeout: float) -> Run:
    """Read what a program prints until it has ended, its time is up, or it has printed too much."""
    output, talk = bytearray(), bytearray()
    deadline = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        for pipe, sink in ((process.stdout, output), (process.stderr, talk)):
            if pipe:
                selector.register(pipe, selectors.EVENT_READ, sink)
        while selector.get_map():
            ended = process.poll() is not None
            ready = selector.select(0 if ended else _TICK)
            if ended and not ready:
                break  # a process that it left behind holds the pipes open
            for key, _ in ready:
                _read(selector, key)
            del talk[:-_MOST_TALK]
            if len(output) > _MOST_OUTPUT:
                return Run(problem=f"stopped: it printed more than {_MOST_OUTPUT >> 20} MiB")
            if time.monotonic() > deadline:
                return _late(timeout, talk)
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return _late(timeout, talk)
    if process.returncode:
        return Run(problem=f"crash: {_exit(process.returncode)}{_quoted(talk)}")
    return Run(output.decode(errors="replace"))


def _late(timeout: float, talk: bytearray) -> Run:
    return Run(problem=f"time-out: no end after {timeout:g} seconds{_quoted(talk)}")


def _read(selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
    data = os.read(key.fd, 1 << 16)
    key.data.extend(data)
    if not data:
        selector.unregister(key.fileobj)


def _exit(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _quoted(talk: bytearray) -> str:
    """The end of what a program wrote on stderr, indented."""
    text = talk.decode(errors="replace").strip()
    return "".join(f"\n    {line}" for line in ["its stderr ends in:", *text.splitlines()[-15:]]) if text else ""
