"""`--update-fixtures`: items report what should be rewritten, and one process writes it when all have run.

Items report through `user_properties`, which xdist brings to its controller; so a file is read and written by one
process only. Each file is replaced in one step: a reader sees the old text or the new one.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from dnd.texts import toml

PROPERTY = "dnd-update"

Changes = dict[int, dict[str, object]]


def report(file: Path, puzzle: int, changes: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """The property by which an item asks for changes in the expectations of the file's puzzle number `puzzle`."""
    return PROPERTY, {"file": str(file), "puzzle": puzzle, "changes": dict(changes)}


class Updates:
    """The plug-in object that gathers changes and writes them at the session's end."""

    def __init__(self) -> None:
        self.files: dict[Path, Changes] = {}
        self.lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or not report.passed:
            return
        for name, value in report.user_properties:
            if name == PROPERTY and isinstance(value, dict):
                puzzles = self.files.setdefault(Path(value["file"]), {})
                puzzles.setdefault(value["puzzle"], {}).update(value["changes"])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        for path, changes in sorted(self.files.items()):
            shown = os.path.relpath(path, session.config.invocation_params.dir)
            try:
                rewrite(path, changes)
            except (OSError, ValueError) as error:
                self.lines.append(f"{shown}: not updated: {error}")
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
            else:
                keys = sorted({key for puzzle in changes.values() for key in puzzle})
                self.lines.append(f"{shown}: updated {', '.join(keys)}")

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("dnd fixtures")
        for line in self.lines or ["all expectations are up to date"]:
            terminalreporter.line(line)


def rewrite(path: Path, changes: Changes) -> None:
    """Set expectations of some puzzles of a file, by their numbers from 0.

    Raises OSError, and ValueError (`InputError`) if the file has become one that cannot be read.
    """
    text = path.read_bytes().decode()
    for number, values in sorted(changes.items()):
        table = toml.read(text, str(path))[number]
        text = toml.edited(table.tables["expect"], values)
    toml.read(text, str(path))  # a text that does not read back must not replace one that does
    _replace(path.resolve(), text.encode())


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        shutil.copymode(path, name)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
