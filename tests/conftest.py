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
import time
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from dnd.cli import main

pytest_plugins = ["pytester"]

# Times are measured by benchmarks; a test must not fail because the machine is busy.
settings.register_profile("dnd", deadline=None)
settings.load_profile("dnd")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "data"
PURE_RUN = os.environ.get("DND_KERNEL") == "py"
KERNELS = ["py"] if PURE_RUN else ["c", "py"]

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the folder of shared data is absent")
needs_compiled = pytest.mark.skipif(PURE_RUN, reason="this run is for the pure build")


def kernel_module(family: str, kernel: str) -> ModuleType:
    return importlib.import_module(f"dnd.dungeon.kernel.{family}_{kernel}")


def heed_interrupts() -> None:
    """For a new process: what a shell starts in the background ignores Ctrl-C, and so would all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(program: str, cwd: Path) -> str:
    """What a Python program that first prints `ready` goes on to print when Ctrl-C comes a little later."""
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=cwd, preexec_fn=heed_interrupts) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            return process.communicate(timeout=60)[0]
        finally:
            process.kill()


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
def wide(kernel: str) -> ModuleType:
    return kernel_module("wide", kernel)


@pytest.fixture
def twins() -> tuple[ModuleType, ModuleType]:
    """The compiled and the pure reference kernel."""
    if PURE_RUN:
        pytest.skip("this run is for the pure build")
    return kernel_module("reference", "c"), kernel_module("reference", "py")


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


class Ran:
    """What a command left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    def run(*argv: object, stdin: str | bytes = "") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            code = main([str(argument) for argument in argv])
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        return Ran(code, *capsys.readouterr())

    return run
