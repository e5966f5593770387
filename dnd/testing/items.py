"""Fixture files and their items: from what a game can check to what pytest collects and reports."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dnd import reading
from dnd.diagnostic import InputError, Span, input_error, render
from dnd.game import AnyGame, Entry, Testing, game
from dnd.kernels import KernelError
from dnd.testing import solvers, updates
from dnd.testing.check import Check

_SHOWN = 3  # problems of one item that are shown; a broken validator has one for every cell
_ERROR_LINE = re.compile(r"# error: (?P<code>[\w-]+) (?P<line>\d+):(?P<column>\d+)\s*")


class FailedCheckError(Exception):
    """An item's problems, as texts."""

    def __init__(self, problems: Iterable[str]) -> None:
        rest = iter(problems)
        self.problems = list(islice(rest, _SHOWN))
        self.unshown = sum(1 for _ in rest) if len(self.problems) == _SHOWN else 0
        super().__init__(str(self))

    def __str__(self) -> str:
        more = [f"... and {self.unshown} more like these"] if self.unshown else []
        return "\n\n".join([*self.problems, *more])


class FixtureFile(pytest.File):
    """A file of puzzles with expectations, or one whose reading must fail."""

    def collect(self) -> Iterator[FixtureItem]:
        data = self.path.read_bytes()
        head = data.partition(b"\n")[0].decode(errors="replace")
        if head.startswith("# error:"):
            if _tests_dnd(self.config):
                yield self._item(self.path.stem, Check("error", "", partial(self._error, data, head)))
            return
        try:
            entries = self._entries(data)
            _refuse_repeated_names(entries)
        except InputError as error:
            problem = render(error.diagnostic)
            yield self._item(self.path.stem, Check("read", "", lambda: iter([problem])))
            return
        for number, entry in enumerate(entries):
            for check in _checks(entry, self.config):
                yield self._item(_name(entry, self.path, number, len(entries)), check, entry, number)

    @cached_property
    def shown(self) -> str:
        """The file's name relative to the folder in which pytest was called."""
        return os.path.relpath(self.path, self.config.invocation_params.dir)

    def _item(self, name: str, check: Check, entry: Entry | None = None, number: int = 0) -> FixtureItem:
        return FixtureItem.from_parent(self, name=f"{name}[{check.name}]", check=check, entry=entry, number=number)

    def _entries(self, data: bytes) -> list[Entry]:
        form = "toml" if self.path.suffix == ".toml" else None
        return list(reading.entries(data, file=self.shown, format=form))

    def _error(self, data: bytes, head: str) -> Iterator[str]:
        """`# error: CODE LINE:COLUMN` in the first line: reading the file must raise just that."""
        wanted = _ERROR_LINE.fullmatch(head)
        if not wanted:
            yield f"the first line must be `# error: CODE LINE:COLUMN`, not `{head}`"
            return
        try:
            self._entries(data)
        except InputError as error:
            found = error.diagnostic
            span = found.span or Span()
            expected = (wanted["code"], int(wanted["line"]), int(wanted["column"]))
            if (found.code, span.line, span.column) != expected:
                yield f"expected {head[len('# error:') :].strip()}, but reading says\n{render(found)}"
        else:
            yield f"expected the error {wanted['code']}, but the file is read without any"


class FixtureItem(pytest.Item):
    """One check of one puzzle."""

    def __init__(self, *, check: Check, entry: Entry | None, number: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.check, self.entry, self.number = check, entry, number
        for marker in ("dnd", *check.marks):
            self.add_marker(marker)
        if check.skip:
            self.add_marker(pytest.mark.skip(reason=check.skip))
        self.extra_keyword_matches.update(check.words)

    def runtest(self) -> None:
        if self.check.update is not None and self.config.getoption("--update-fixtures"):
            self._update(self.check.update)
            return
        failure = FailedCheckError(self.check.run())
        if failure.problems:
            raise failure

    def _update(self, update: Callable[[], Mapping[str, object]]) -> None:
        try:
            changes = update()
        except ValueError as error:
            raise FailedCheckError([str(error)]) from None
        if changes:
            self.user_properties.append(updates.report(self.path, self.number, changes))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # as pytest
        error = excinfo.value
        if isinstance(error, KernelError):
            return (
                f"{error}\nthe compiled kernel is not built: "
                "run with --kernel=py, or build it (DND_BUILD=require pip install ...)"
            )
        if isinstance(error, FailedCheckError | InputError):
            return f"{error}\n --> {self.span.file}:{self.span.line}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.span.line - 1, self.name

    @cached_property
    def span(self) -> Span:
        """Where the expectation stands that the item is about, else its puzzle, else the file."""
        if self.entry is None:
            assert isinstance(self.parent, FixtureFile)
            return Span(self.parent.shown)
        expect = self.entry.table.tables.get("expect") if self.entry.table else None
        return expect.span(self.check.key) if expect and self.check.key in expect.values else self.entry.span


def _name(entry: Entry, path: Path, number: int, of: int) -> str:
    """The puzzle's name as it stands in ids: its own, or the file's, numbered from 1 if there are several."""
    name = entry.name or (path.stem if of == 1 else f"{path.stem}-{number + 1}")
    return name if name.isprintable() else name.encode("unicode_escape").decode()


def _refuse_repeated_names(entries: Iterable[Entry]) -> None:
    names = Counter(entry.name for entry in entries if entry.name)
    for entry in entries:
        if names[entry.name] > 1:
            span = entry.table.span("name") if entry.table and "name" in entry.table.values else entry.span
            raise input_error(
                "repeated-name", f"{names[entry.name]} puzzles of the file are named {entry.name!r}", span
            )


def _tests_dnd(config: pytest.Config) -> bool:
    """Whether the run is a test of this package: no update, nor only of a given solver."""
    if config.getoption("--update-fixtures"):
        return False
    return not config.getoption("--solver") or bool(config.getoption("--kernel"))


def _checks(entry: Entry, config: pytest.Config) -> Iterator[Check]:
    """The checks of an entry that the options ask for; a puzzle without checks has at least been read."""
    solver, kernel = config.getoption("--solver"), config.getoption("--kernel")
    room = game(entry.game)
    testing = room.testing
    if testing is None:
        yield Check("read", "", lambda: iter([f"the game {entry.game!r} has no checks for its fixtures"]))
        return
    if config.getoption("--update-fixtures"):
        found = testing.checks(entry, [kernel] if kernel == "py" else ["c"])
        yield from (check for check in found if check.update is not None)
        return
    if solver:
        yield from _solver_checks(entry, room, testing, config)
    if _tests_dnd(config):
        kernels = ["c", "py"] if kernel in (None, "both") else [kernel]
        found = list(testing.checks(entry, kernels))
        yield from found or [Check("read", "", lambda: iter(()))]


def _solver_checks(entry: Entry, room: AnyGame, testing: Testing, config: pytest.Config) -> Iterator[Check]:
    form = config.getoption("--solver-input")
    try:
        question = testing.question(entry, form)
    except InputError as error:
        yield Check("solver", "", lambda: iter(()), marks=("solver",), skip=error.diagnostic.message)
        return
    if question is not None:
        keys = [key for key in ("solutions", "solution") if key in entry.expect]
        run = partial(_ask, entry, room, testing, config, question)
        yield Check("solver", keys[0], run, marks=("solver",))


def _ask(entry: Entry, room: AnyGame, testing: Testing, config: pytest.Config, question: str) -> Iterator[str]:
    """Run the solver on the entry and judge what it answers."""
    solver, form = config.getoption("--solver"), config.getoption("--solver-input")
    timeout, folder = config.getoption("--solver-timeout"), config.invocation_params.dir
    run = solvers.run(solver, entry.game, question, timeout, folder)
    if run.problem:
        return iter([run.problem])
    if solvers.is_function(solver):
        lines = room.notation.read(run.output.encode(), room.notation.LINE_FORMATS[0], "") if run.output else ()
        answers: Sequence[object] = [answer.board for answer in lines]
    else:
        answers = testing.answers(entry, form, run.output)
    return testing.judge(entry, answers)
