"""Fixtures of the test-suite: the kernels, one by one and as twins.

The run is for the compiled build unless `DND_KERNEL=py` says otherwise; in a run for the compiled build a
kernel that is not built is an error, not a skip.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from dnd.cli import main
from dnd.pegs import explainer, solver

pytest_plugins = ["pytester"]

# Times are measured by benchmarks; a test must not fail because the machine is busy, and what passed once passes again.
# `--hypothesis-profile=explore` draws other examples in each run.
settings.register_profile("dnd", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", settings.get_profile("dnd"), derandomize=False)
settings.load_profile("dnd")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"
PURE_RUN = os.environ.get("DND_KERNEL") == "py"
KERNELS = ["py"] if PURE_RUN else ["c", "py"]
# Of all games, such as "dnd.dungeon.kernel.search": a pure twin with the source of a compiled one beside it.
FAMILIES = [
    ".".join(path.relative_to(ROOT).parts).removesuffix("_py.py")
    for path in sorted(ROOT.glob("dnd/*/kernel/*_py.py"))
    if path.with_name(path.name.removesuffix("_py.py") + "_c.pyx").exists()
]

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the folder of shared data is absent")
needs_compiled = pytest.mark.skipif(PURE_RUN, reason="this run is for the pure build")


def kernel_module(family: str, kernel: str) -> ModuleType:
    return importlib.import_module(f"dnd.dungeon.kernel.{family}_{kernel}")


EVER = 300.0  # seconds: what is not done by then, on however busy a machine, will never be


def heed_interrupts() -> None:
    """For a new process: what a shell starts in the background ignores Ctrl-C, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(program: str, cwd: Path) -> str:
    """What a Python program that first prints `ready` goes on to print when Ctrl-C comes in the midst of its work."""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=cwd, preexec_fn=heed_interrupts) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
            wait_for_work(process)
            process.send_signal(signal.SIGINT)
            return process.communicate(timeout=EVER)[0]
        finally:
            process.kill()


_A_WHILE = 0.3  # seconds of work after which a search is in the middle: of the processor's time, whatever else it does


def wait_for_work(process: subprocess.Popen[str]) -> None:
    """Wait until a process has computed for a while; where there is no /proc to tell, until so much time has passed."""
    if not Path("/proc/self/stat").exists():
        time.sleep(_A_WHILE)
        return
    end = _computed(process) + _A_WHILE
    while process.poll() is None and _computed(process) < end:
        time.sleep(0.01)


def _computed(process: subprocess.Popen[str]) -> float:
    """The processor's time that a process has used, in seconds."""
    numbers = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def run_tool(command: str, folder: Path) -> str:
    """What a tool prints; it must exit with 0."""
    script, *arguments = command.split()
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / script), *arguments], capture_output=True, text=True, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def stopped_in_the_middle() -> Iterator[bytearray]:
    """A byte that another thread sets to 1 when this process has computed for a while: not before, so that what ends
    earlier was not stopped."""
    stop, over, end = bytearray(1), threading.Event(), time.process_time() + _A_WHILE

    def watch() -> None:
        while not over.wait(0.01):
            stop[0] = time.process_time() > end

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield stop
        assert stop[0], "it gave up before it was told to"
    finally:
        over.set()
        watcher.join()


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """What peg solitaire's solver finds in seconds on a machine at rest it must find on a busy one too."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((solver, "SECONDS"), (explainer, "SECONDS"), (explainer, "_PATIENCE")):
            patch.setattr(module, name, 600.0)
        yield


@pytest.fixture(params=KERNELS)
def kernel(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def reference(kernel: str) -> ModuleType:
    return kernel_module("reference", kernel)


@pytest.fixture
def search(kernel: str) -> ModuleType:
    return kernel_module("search", kernel)


@pytest.fixture
def clause_learning(kernel: str) -> ModuleType:
    return kernel_module("clause_learning", kernel)


@pytest.fixture
def twins() -> tuple[ModuleType, ModuleType]:
    """The compiled and the pure reference kernel."""
    if PURE_RUN:
        pytest.skip("this run is for the pure build")
    return kernel_module("reference", "c"), kernel_module("reference", "py")


class Ticking:
    """In place of the module `time`: each look at the clock is two seconds after the one before."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 2.0
        return self.now


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """What solvers are timed by, so that a test can say how long a puzzle took."""
    for module in ("dnd.batch", "dnd.cli.solve"):
        monkeypatch.setattr(importlib.import_module(module), "time", Ticking())


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


class Ran:
    """What a command left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> list[dict[str, Any]]:
        """The objects it printed, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


class Cli:
    """The command line, called in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch

    def __call__(self, *argv: object, stdin: str | bytes = "") -> Ran:
        """What `dnd ARGV...` leaves behind."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            code = main([str(argument) for argument in argv])
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        return Ran(code, *self._capsys.readouterr())


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    return Cli(capsys, monkeypatch)
