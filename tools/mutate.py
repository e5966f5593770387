"""Whether the tests can fail: `python tools/mutate.py [-n 100] [--seed S] [--area GLOB] [--jobs J]`.

Copies the project to a temporary folder, breaks ONE thing there, runs the tests that could see it until the first
failure, and does so N times. What is broken is drawn by the seed, equally often from each area (`AREAS`, `--area` names
some of them), each kind of fault (`tools/mutants.py`) equally often. A mutant is killed when a test fails, or does not
end, that passes on the sound source. Survivors are printed at the end, with exit code 1: each asks for a test, or, if
it can change nothing, for an entry with the reason in `tools/equivalent_mutants.toml`.

`--at FILE:LINE` tries all mutants of one line, `--list` shows the draw and tries nothing. Compiled kernels (the area
`compiled`) have mutants written by hand (`COMPILED`): the kernel is built anew for each of them.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mutants import Mutant, mutants

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "tools" / "equivalent_mutants.toml"
GAMES = ("dungeon", "suguru", "pegs")
_MEMORY = 6 << 30  # bytes: a mutant that fills the memory ends before the machine suffers
_NO_TESTS = 5  # pytest's exit code


class Area(NamedTuple):
    """Sources, and the tests that could see a fault of theirs, the likeliest first.

    Both are globs of paths in the project; `*` crosses folders, so that moving a file needs no change here. Tests of
    another game than the source's are left out.
    """

    name: str
    sources: tuple[str, ...]
    tests: tuple[str, ...]


# [!c]: the games have modules of these names, and so has dnd/cli.
_NAMES = ("dnd/[!c]*/dialects.py", "dnd/[!c]*/foreign.py", "dnd/[!c]*/cells.py", "dnd/[!c]*/alphabet.py")
AREAS = (
    Area("validators", ("dnd/[!c]*/rules.py",), ("*rules.py", "*fixtures.py", "*soundness.py", "*twins.py")),
    Area("search", ("dnd/*/kernel/search_py.py",), ("*engines.py", "*search.py", "*twins.py", "*solver.py")),
    Area("learning", ("dnd/*/kernel/clause_learning_py.py",), ("*engines.py",)),
    Area("reference", ("dnd/*/kernel/reference_py.py",), ("*reference_*.py", "*/test_dungeon_solver.py")),
    Area("logic", ("dnd/*/kernel/logic_py.py",), ("*explain*.py", "*soundness.py", "*setters.py")),
    Area("moves", ("dnd/*/kernel/moves_py.py", "dnd/*/kernel/levels_py.py"), ("*moves.py", "*levels.py", "*twins.py")),
    Area("notation", ("dnd/[!c]*/notation.py",), ("*notation.py", "*bad_input.py", "*values.py", "*fixtures.py")),
    Area("dialects", _NAMES, ("*notation.py", "*bad_input.py", "*values.py")),
    Area(
        "reading",
        ("dnd/texts/*.py", "dnd/reading.py", "dnd/diagnostic.py"),
        ("*texts*.py", "*toml.py", "*notation.py", "*bad_input.py", "*cli*.py"),
    ),
    Area(
        "values",
        ("dnd/[!c]*/puzzle.py", "dnd/grid.py", "dnd/game.py", "dnd/diagnostic.py"),
        ("*values.py", "*notation.py", "*rules.py"),
    ),
    Area(
        "drawings",
        ("dnd/[!c]*/draw.py", "dnd/*/drawings.py", "dnd/*/sketches.py"),
        ("*values.py", "*setters.py", "*notation.py", "*explain*.py", "*cli*.py"),
    ),
    Area(
        "cli",
        ("dnd/cli/*.py",),
        ("*cli*.py", "*bad_input.py", "*batch.py", "*requests.py", "*setters.py", "*generat*.py"),
    ),
    Area("chooser", ("dnd/kernels/*.py",), ("*package.py", "*solver.py")),
    Area(
        "ratings",
        ("dnd/[!c]*/explain*.py", "dnd/[!c]*/techniques.py"),
        ("*explain*.py", "*soundness.py", "*hints.py", "*front.py"),
    ),
    Area("setters", ("dnd/[!c]*/setters.py", "dnd/[!c]*/completions.py"), ("*setters.py", "*cli.py")),
    Area(
        "generator",
        ("dnd/[!c]*/generat*.py", "dnd/requests.py", "dnd/*/kernel/generate_py.py"),
        ("*generat*.py", "*requests.py"),
    ),
    Area("solvers", ("dnd/[!c]*/solver.py", "dnd/batch.py"), ("*solver.py", "*batch.py", "*engines.py", "*proofs.py")),
    Area(
        "proofs",
        ("dnd/[!c]*/proof*.py", "dnd/[!c]*/certificates.py", "dnd/[!c]*/programme.py"),
        ("*proof*.py", "*facts.py"),
    ),
    Area(
        "judge",
        ("dnd/harness/*.py", "dnd/testing/*.py", "dnd/checks.py", "dnd/expect.py"),
        ("*testing*.py", "*fixtures.py", "*toml.py", "*bad_input.py"),
    ),
    Area(
        "fixtures",
        ("dnd/[!c]*/fixtures.py", "dnd/[!c]*/testing.py"),
        ("*rules.py", "*solver.py", "*fixtures.py", "*testing*.py", "*toml.py"),
    ),
)


class Compiled(NamedTuple):
    """A text in a compiled kernel, which stands there once, and what to break it to."""

    source: str
    old: str
    new: str
    tests: tuple[str, ...]


_ENGINES, _EXPLAINED = ("*engines.py", "*twins.py", "*solver.py"), ("*explain*.py", "*soundness.py")
COMPILED = (
    Compiled("dnd/dungeon/kernel/search_c.pyx", "if 1 < n < fewest:", "if 1 < n <= fewest:", _ENGINES),
    Compiled(
        "dnd/dungeon/kernel/search_c.pyx", "if candidates & line and n <", "if candidates & line and n <=", _ENGINES
    ),
    Compiled(
        "dnd/suguru/kernel/search_c.pyx", "if n > 1 and n * best_weight <", "if n > 1 and n * best_weight <=", _ENGINES
    ),
    Compiled("dnd/suguru/kernel/search_c.pyx", "if givens[i] > 32 or", "if givens[i] > 31 or", _ENGINES),
    Compiled(
        "dnd/dungeon/kernel/clause_learning_c.pyx",
        "if e.kind[c - s] == MONSTER and check_monster(e, c - s):",
        "if e.kind[c - s] != MONSTER and check_monster(e, c - s):",
        _ENGINES,
    ),
    Compiled(
        "dnd/dungeon/kernel/logic_c.pyx",
        "if common(layout, &room.border, &view.maybe) < 2:",
        "if common(layout, &room.border, &view.maybe) < 3:",
        _EXPLAINED,
    ),
    Compiled(
        "dnd/dungeon/kernel/logic_c.pyx", "if here == strip.length - 1:", "if here == strip.length - 2:", _EXPLAINED
    ),
    Compiled(
        "dnd/dungeon/kernel/reference_c.pyx",
        "if count_ones(b & c_mask_column(column)) > p.columns[column]:",
        "if count_ones(b & c_mask_column(column)) >= p.columns[column]:",
        ("*reference_*.py",),
    ),
    Compiled(
        "dnd/pegs/kernel/moves_c.pyx", "if size_of(state.words) != 1:", "if size_of(state.words) > 2:", ("*moves.py",)
    ),
    Compiled(
        "dnd/pegs/kernel/levels_c.pyx",
        "if popcount(level.entries[0]) == 1:",
        "if popcount(level.entries[0]) != 1:",
        ("*levels.py", "*twins.py"),
    ),
    Compiled("dnd/pegs/kernel/search_c.pyx", "if s.count > s.most:", "if s.count >= s.most:", ("*search.py",)),
    Compiled(
        "dnd/dungeon/kernel/generate_c.pyx",
        "if symmetry == 2 or symmetry == 3:",
        "if symmetry == 2 or symmetry == 4:",
        ("*generat*.py",),
    ),
)


class Task(NamedTuple):
    area: str
    mutant: Mutant
    tests: tuple[str, ...]


class Verdict(NamedTuple):
    """How a mutant fared: "killed", "survived" or "unsure", and by which test, or why."""

    word: str
    reason: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-n", "--number", type=int, default=100, metavar="N", help="so many mutants (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default 1)")
    parser.add_argument("--area", default="*", metavar="GLOB", help="only from the areas whose names match")
    parser.add_argument("--at", metavar="FILE:LINE", help="all mutants of this line instead")
    parser.add_argument("--jobs", type=int, default=1, metavar="J", help="so many mutants at a time (default 1)")
    parser.add_argument("--timeout", type=float, default=180, metavar="S", help="for the tests of one mutant (180)")
    parser.add_argument("--list", action="store_true", help="print the mutants, try none")
    options = parser.parse_args(arguments)
    tasks = _at(options.at) if options.at else draw(options.area, options.number, options.seed)
    if not tasks:
        parser.error("there are no such mutants")
    equivalent = {task: reason for task in tasks if (reason := _equivalent(task.mutant))}
    if options.list:
        for task in tasks:
            print(_told(task), f"    equivalent: {equivalent[task]}\n" if task in equivalent else "", sep="\n")
        return 0
    tried = [task for task in tasks if task not in equivalent]
    verdicts = _try_all(tried, options.jobs, options.timeout)
    lost = [(task, verdict) for task, verdict in zip(tried, verdicts, strict=True) if verdict.word != "killed"]
    for task, verdict in lost:
        print(f"{verdict.word}: {_told(task)}\n    {verdict.reason}\n")
    survived = sum(verdict.word == "survived" for _, verdict in lost)
    print(
        f"{len(tasks)} mutants: {len(tried) - len(lost)} killed, {survived} survived, {len(lost) - survived} unsure, "
        f"{len(equivalent)} equivalent"
    )
    return 1 if lost else 0


# ------------------------------------------------------------------------------------------------ choosing


def draw(areas: str, number: int, seed: int) -> list[Task]:
    """Some mutants, the areas in turn; fewer if there are no more."""
    rng = random.Random(seed)
    stocks = [_shuffled(area, rng) for area in AREAS if fnmatch(area.name, areas)]
    if fnmatch("compiled", areas):
        stocks.append(iter(rng.sample(by_hand := list(_by_hand()), len(by_hand))))
    tasks: list[Task] = []
    while stocks and len(tasks) < number:
        for stock in list(stocks):
            if (task := next(stock, None)) is None:
                stocks.remove(stock)
            elif len(tasks) < number:
                tasks.append(task)
    return tasks


def _shuffled(area: Area, rng: random.Random) -> Iterator[Task]:
    """The mutants of an area in the order of the draw: a file, then a kind, then one of its mutants."""
    stock: dict[str, dict[str, list[Task]]] = {}
    for path in _files(area.sources):
        kinds: dict[str, list[Task]] = defaultdict(list)
        for task in _tasks(area, path):
            kinds[task.mutant.kind].append(task)
        if kinds:
            stock[path] = kinds
    while stock:
        path = rng.choice(sorted(stock))
        kinds = stock[path]
        kind = rng.choice(sorted(kinds))
        task = kinds[kind].pop(rng.randrange(len(kinds[kind])))
        if task.mutant.compiles((ROOT / path).read_bytes()):
            yield task
        if not kinds[kind]:
            del kinds[kind]
        if not kinds:
            del stock[path]


def _tasks(area: Area, path: str) -> Iterator[Task]:
    tests = _tests(area.tests, path)
    for mutant in mutants(path, (ROOT / path).read_bytes()):
        yield Task(area.name, mutant, tests)


def _at(place: str) -> list[Task]:
    path, _, line = place.rpartition(":")
    for area in AREAS:
        if any(fnmatch(path, glob) for glob in area.sources):
            source = (ROOT / path).read_bytes()
            here = (task for task in _tasks(area, path) if task.mutant.line == int(line))
            return [task for task in here if task.mutant.compiles(source)]
    return []


def _by_hand() -> Iterator[Task]:
    for entry in COMPILED:
        for path in _files((entry.source,)):
            source, old = (ROOT / path).read_bytes(), entry.old.encode()
            if source.count(old) != 1:
                raise SystemExit(f"{path}: {entry.old!r} stands there {source.count(old)} times, not once")
            start = source.index(old)
            line = source.count(b"\n", 0, start) + 1
            place = start, start + len(old), entry.new.encode()
            mutant = Mutant(path, line, "", "by hand", *place, entry.old.strip(), entry.new.strip())
            yield Task("compiled", mutant, _tests(entry.tests, path))


@cache
def _files(globs: tuple[str, ...]) -> tuple[str, ...]:
    every = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "dnd").rglob("*.py*"))
    found = tuple(path for path in every if any(fnmatch(path, glob) for glob in globs))
    if not found:
        raise SystemExit(f"no source is called {' or '.join(globs)}")
    return found


def _tests(globs: tuple[str, ...], source: str) -> tuple[str, ...]:
    """The test files for a source, in the order of the globs."""
    others = [game for game in GAMES if game not in source] if any(game in source for game in GAMES) else []
    every = sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "tests").rglob("test_*.py"))
    mine = [path for path in every if not any(game in path for game in others)]
    found = dict.fromkeys(path for glob in globs for path in mine if fnmatch(path, glob))
    if not found:
        raise SystemExit(f"no test of {source} is called {' or '.join(globs)}")
    return tuple(found)


@cache
def _table() -> list[dict[str, str]]:
    found: list[dict[str, str]] = tomllib.loads(EQUIVALENT.read_text())["mutant"]
    return found


def _equivalent(mutant: Mutant) -> str:
    """Why a mutant changes nothing, "" if nobody has said so."""
    for entry in _table():
        same = (mutant.function, mutant.before, mutant.after) == (entry["function"], entry["line"], entry["becomes"])
        if same and fnmatch(mutant.path, entry["file"]):
            return entry["reason"]
    return ""


def _told(task: Task) -> str:
    mutant = task.mutant
    head = f"{mutant.path}:{mutant.line}: {mutant.kind} in {mutant.function or 'the module'} ({task.area})"
    return f"{head}\n  - {mutant.before}\n  + {mutant.after}"


# -------------------------------------------------------------------------------------------------- trying


def _try_all(tasks: list[Task], jobs: int, timeout: float) -> list[Verdict]:
    verdicts = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        sound = Path(folder, "sound")
        _copy(sound, compiled=False)
        tries = [
            pool.submit(_try, task, Path(folder, str(number)), sound, timeout) for number, task in enumerate(tasks)
        ]
        for number, (task, done) in enumerate(zip(tasks, tries, strict=True), start=1):
            verdict = done.result()
            verdicts.append(verdict)
            place = f"{task.mutant.path}:{task.mutant.line}"
            print(f"{number}/{len(tasks)} {verdict.word}: {place} {verdict.reason}", file=sys.stderr, flush=True)
    return verdicts


def _copy(folder: Path, *, compiled: bool) -> None:
    """The project, without what tests and tools have left there; what builds made if a kernel is to be built."""
    left_out = [".*", "__pycache__", *([] if compiled else ["build"])]
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*left_out))


def _try(task: Task, folder: Path, sound: Path, timeout: float) -> Verdict:
    """Break a fresh copy in `folder`, test it, remove it."""
    compiled = task.mutant.path.endswith(".pyx")
    try:
        _copy(folder, compiled=compiled)
        file = folder / task.mutant.path
        file.write_bytes(task.mutant.applied(file.read_bytes()))
        if compiled and (built := _run(folder, timeout, "setup.py", "-q", "build_ext", "--inplace"))[0]:
            return Verdict("unsure", f"it does not build: {built[1]}")
        return _tested(folder, sound, task.tests, timeout)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tested(folder: Path, sound: Path, tests: tuple[str, ...], timeout: float) -> Verdict:
    # Both copies remember failures in one place, so that the sound one can repeat the test that failed.
    command = ("-m", "pytest", "-x", "-q", "--tb=no", "-o", f"cache_dir={folder / 'cache'}", *tests)
    code, said = _run(folder, timeout, *command)
    if code == 0:
        return Verdict("survived", said)
    if code is None:
        late = f"no end after {timeout:g} s"
        # On a busy machine that says nothing, unless the sound source is done by then.
        return Verdict("killed", late) if _run(sound, timeout, *command)[0] == 0 else Verdict("unsure", late)
    if code == _NO_TESTS:
        return Verdict("unsure", "no tests ran")
    again, _ = _run(sound, timeout, *command, "--lf", "--lfnf=none")
    # Nothing to repeat: the broken package could not be imported, or the run ended in the midst of a test.
    if again in (0, _NO_TESTS):
        return Verdict("killed", said)
    return Verdict("unsure", f"the sound source fails too: {said}")


def _run(folder: Path, timeout: float, *arguments: str) -> tuple[int | None, str]:
    """The exit code of a Python program in a copy (None: out of time), and the line that says most of its failure."""
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=_bound_memory,
    ) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, ""
    lines = output.splitlines() or [""]
    failures = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
    return process.returncode, (failures or lines[-1:])[0]


def _bound_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    sys.exit(main())
