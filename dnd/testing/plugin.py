"""Options and markers of the pytest plug-in, and which files it takes for fixtures.

Every pytest run on a machine with dnd installed loads this module, so it imports no other part of the package
before there is a fixture to collect.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

_MARKERS = (
    "dnd: an item of a dnd fixture",
    "kernel_c: runs the compiled kernel",
    "kernel_py: runs the pure kernel",
    "rule: a validator against boards of a fixture",
    "flip: a validator on boards that are one cell away from a solution",
    "reference: runs the course's solver",
    "course: one of the course's functions on boards of a fixture",
    "slow: takes the pure reference kernel more than 20,000 calls",
    "solver: runs the solver given by --solver",
)
_LOOKS_LIKE_FIXTURE = re.compile(rb"^\s*(# error: |\[\[puzzle\]\]|game\s*=|rows\s*=|board\s*=)", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "dnd_fixtures",
        "patterns of fixture files, relative to the rootdir or the current folder",
        "args",
        ["fixtures/**/*.toml"],
    )
    group = parser.getgroup("dnd", "puzzle fixtures (dnd)")
    group.addoption(
        "--kernel", choices=("c", "py", "both"), help="which kernels get items: the compiled, the pure, both (default)"
    )
    group.addoption(
        "--update-fixtures", action="store_true", help="rewrite the fixtures' expectations with what the kernel finds"
    )
    group.addoption(
        "--solver", metavar="CMD", help='test this solver, a command line ("./d_and_d") or "module:function"'
    )
    group.addoption(
        "--solver-input",
        choices=("ddn", "course"),
        default="ddn",
        help="what the program reads: one-line notation (default) or the course's C struct",
    )
    group.addoption(
        "--solver-timeout", type=float, default=10.0, metavar="SECONDS", help="for each puzzle (default: %(default)s)"
    )


def pytest_configure(config: pytest.Config) -> None:
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    if not 0 < config.getoption("--solver-timeout") < math.inf:
        raise pytest.UsageError("--solver-timeout must be more than 0 seconds, and finite")
    _check_solver(config.getoption("--solver"))
    if config.getoption("--update-fixtures"):
        if config.getoption("--solver"):
            raise pytest.UsageError("--update-fixtures and --solver cannot be combined")
        if not hasattr(config, "workerinput"):  # under xdist, the controller alone writes
            from dnd.testing.updates import Updates

            config.pluginmanager.register(Updates(), "dnd-updates")


def _check_solver(solver: str | None) -> None:
    """Refuse an empty command: an empty variable in a script must not look like a run without `--solver`."""
    if solver is None:
        return
    import shlex

    try:
        words, problem = shlex.split(solver), "it names no program"
    except ValueError as error:
        words, problem = [], str(error)
    if not any(words[:1]):
        raise pytest.UsageError(f"--solver {solver!r} is not a command line: {problem}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if not _is_fixture(file_path, parent):
        return None
    from dnd.testing.items import FixtureFile

    return FixtureFile.from_parent(parent, path=file_path)


def _is_fixture(path: Path, parent: pytest.Collector) -> bool:
    config = parent.config
    # The rootdir may lie above the folder in which `pytest fixtures/` is run.
    for base in {config.rootpath, config.invocation_params.dir}:
        inside = Path(os.path.relpath(path, base)).parts
        if any(matches(inside, pattern.split("/")) for pattern in config.getini("dnd_fixtures")):
            return True
    # A TOML file that was named itself, but is not where fixtures are kept: pyproject.toml is none.
    named = path.suffix == ".toml" and parent.session.isinitpath(path)
    return named and _LOOKS_LIKE_FIXTURE.search(path.read_bytes()) is not None


def matches(parts: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether the parts of a path match those of a pattern; `**` matches any number of folders."""
    if not patterns:
        return not parts
    head, *rest = patterns
    if head == "**":
        return any(matches(parts[skipped:], rest) for skipped in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], head) and matches(parts[1:], rest)
