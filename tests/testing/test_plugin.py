"""The pytest plug-in tested with pytester: projects are made, run, and their reports read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

# Imported here although only the projects under test use them: pytester forgets what was imported within a run, and
# would compile half the package anew for each.
from conftest import KERNELS, PURE_RUN, ROOT
from dnd.diagnostic import Diagnostic
from dnd.dungeon import course_checks, kernel, rules, testing
from dnd.dungeon.puzzle import Board
from dnd.rule import Rule
from dnd.testing import call, items, solvers, updates
from dnd.testing.plugin import matches

LOADED = (testing, items, *(kernel.load(family, name) for family in ("search", "reference") for name in KERNELS))

CODES = [rule.code for rule in rules.RULES]
COURSE = len(course_checks.FUNCTIONS)  # items of a kernel on a puzzle of the course's size

# Monsters at the ends of a hallway: one solution.
HALL = '''\
name = "hall"
rows = [0, 3]
columns = [1, 1, 1]
board = """
M.M
...
"""

[expect]
solutions = 1  # by hand
solution = """
M.M
###
"""
'''

# A ring of hallway, at the left or at the right: two solutions.
RINGS = '''\
[[puzzle]]
name = "rings"
rows = [1, 2, 1]
columns = ["?", "?", "?", "?"]
board = """
....
....
....
"""

[puzzle.expect]
solutions = 2
solution = [
  """
  ...#
  .#.#
  ...#
  """,
  """
  #...
  #.#.
  #...
  """,
]

[[puzzle]]
name = "none"
rows = [1]
columns = [1, 0]
board = ".."

[puzzle.expect]
solutions = 0
reference_solutions = 0
'''

DEAD_END = '''\
name = "stub"
rows = [1, 3]
columns = ["?", "?", "?"]
board = """
M.#
###
"""

[expect]
faults = ["dead-end"]
'''

Project = Callable[..., None]


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    """Writes files, by default into fixtures/."""

    def write(**files: str) -> None:
        folder = pytester.mkdir("fixtures")
        for name, text in files.items():
            (folder / f"{name}.toml").write_text(text)

    return write


def outcomes(result: pytest.RunResult) -> dict[str, int]:
    """The numbers of passed, failed, ... items."""
    return {name: number for name, number in result.parseoutcomes().items() if name not in ("warnings", "deselected")}


def ids(pytester: pytest.Pytester, *arguments: str) -> list[str]:
    """The node ids that a run would have."""
    result = pytester.runpytest("--collect-only", "-q", *arguments)
    return [line for line in result.outlines if "::" in line]


def course(name: str) -> str:
    """One of the course's problems, as this project's fixture."""
    return (ROOT / "fixtures" / f"{name}.toml").read_text()


# ---------------------------------------------------------------- collection


def test_a_puzzle_expands_to_items(pytester: pytest.Pytester, project: Project) -> None:
    project(p1=course("p1"))
    kinds = ["solve", "reference", "reference-nodes", *(f"course:{name}" for name in course_checks.FUNCTIONS)]
    kernels = [f"{kind}-{kernel}" for kernel in ("c", "py") for kind in kinds]
    validators = [f"{kind}:{code}" for kind in ("rule", "flip") for code in CODES]
    assert ids(pytester, "fixtures") == [f"fixtures/p1.toml::p1[{name}]" for name in kernels + validators]


def test_ids_do_not_depend_on_the_run(pytester: pytest.Pytester, project: Project) -> None:
    project(a=RINGS, b=HALL, c=DEAD_END)
    first = ids(pytester, "fixtures")
    assert first == ids(pytester, "fixtures")
    assert len(set(first)) == len(first)
    assert [name for name in first if "stub" in name] == ["fixtures/c.toml::stub[faults]"]


def test_node_pins_make_items(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL + "nodes = 1\n")
    assert "fixtures/hall.toml::hall[nodes-py]" in ids(pytester, "fixtures")


@pytest.mark.parametrize(
    ("option", "kernels"),
    [("--kernel=c", {"c"}), ("--kernel=py", {"py"}), ("--kernel=both", {"c", "py"}), ("-rs", {"c", "py"})],
)
def test_kernels_are_chosen(pytester: pytest.Pytester, project: Project, option: str, kernels: set[str]) -> None:
    project(hall=HALL)
    found = {match[1] for name in ids(pytester, "fixtures", option) if (match := re.search(r"solve-(\w+)", name))}
    assert found == kernels


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-m", "rule"], [f"hall[rule:{code}]" for code in CODES] + ["stub[faults]"]),
        (["-m", "flip"], [f"hall[flip:{code}]" for code in CODES]),
        (["-m", "kernel_py"], ["hall[solve-py]"]),
        (["-m", "dnd and not rule and not flip and not kernel_c"], ["hall[solve-py]"]),
        (["-k", "dead-end"], ["hall[rule:dead-end]", "hall[flip:dead-end]", "stub[faults]"]),
        (["fixtures/hall.toml::hall[flip:row-count]"], ["hall[flip:row-count]"]),
    ],
)
def test_items_are_selected(
    pytester: pytest.Pytester, project: Project, arguments: list[str], expected: list[str]
) -> None:
    project(hall=HALL, stub=DEAD_END)
    assert [name.partition("::")[2] for name in ids(pytester, *arguments)] == expected


@pytest.mark.parametrize(
    ("pins", "slow"),
    [("reference_nodes = 20000", 0), ("reference_nodes = 20001", 1), ("reference_solutions = 1", 1)],
)
def test_long_reference_searches_are_slow(pytester: pytest.Pytester, project: Project, pins: str, slow: int) -> None:
    text = course("p1")
    project(p1=text[: text.index("reference_solutions")] + pins)
    names = ids(pytester, "-m", "slow", "fixtures")
    assert len(names) == slow
    assert all("-py]" in name for name in names)


def test_small_boards_are_never_slow(pytester: pytest.Pytester, project: Project) -> None:
    project(rings=RINGS)
    assert ids(pytester, "-m", "slow", "fixtures") == []
    assert any("none[reference-py]" in name for name in ids(pytester, "-m", "reference", "fixtures"))


def test_unnamed_puzzles_are_called_after_the_file(pytester: pytest.Pytester, project: Project) -> None:
    unnamed = re.sub("name = .*", "", RINGS)
    project(one=HALL.replace('name = "hall"', ""), two=unnamed)
    names = {name.partition("::")[2].partition("[")[0] for name in ids(pytester, "fixtures")}
    assert names == {"one", "two-1", "two-2"}


def test_a_puzzle_that_expects_nothing_is_read(pytester: pytest.Pytester, project: Project) -> None:
    project(bare='rows = [0]\ncolumns = [0, 0]\nboard = ".."\n')
    result = pytester.runpytest("-v", "fixtures")
    result.stdout.fnmatch_lines(["*bare[[]read[]] PASSED*"])


def test_files_are_found_by_the_ini_option(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ndnd_fixtures = puzzles/*.toml more/**/*.fixture.toml\n")
    for path in (
        "puzzles/a.toml",
        "puzzles/deep/b.toml",
        "more/c.fixture.toml",
        "more/x/y/d.fixture.toml",
        "more/e.toml",
    ):
        (pytester.path / path).parent.mkdir(parents=True, exist_ok=True)
        (pytester.path / path).write_text(HALL)
    files = {name.partition("::")[0] for name in ids(pytester, "-k", "solve")}
    assert files == {"puzzles/a.toml", "more/c.fixture.toml", "more/x/y/d.fixture.toml"}


def test_a_fixture_named_itself_is_collected_anywhere(pytester: pytest.Pytester) -> None:
    (pytester.path / "elsewhere.toml").write_text(HALL)
    (pytester.path / "pyproject.toml").write_text('[project]\nname = "no-fixture"\n')
    assert ids(pytester) == []
    assert any("elsewhere.toml::hall[solve-py]" in name for name in ids(pytester, "elsewhere.toml"))
    assert ids(pytester, "pyproject.toml") == []


def test_fixtures_below_the_rootdir_are_found_from_their_folder(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\n")
    (pytester.path / "week1" / "fixtures").mkdir(parents=True)
    (pytester.path / "week1" / "fixtures" / "hall.toml").write_text(HALL)
    assert ids(pytester, "-k", "solve-py") == []
    monkeypatch.chdir(pytester.path / "week1")
    assert ids(pytester, "fixtures", "-k", "solve-py") == ["week1/fixtures/hall.toml::hall[solve-py]"]


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("fixtures/a.toml", "fixtures/**/*.toml", True),
        ("fixtures/x/y/a.toml", "fixtures/**/*.toml", True),
        ("fixtures/a.txt", "fixtures/**/*.toml", False),
        ("a.toml", "fixtures/**/*.toml", False),
        ("x/a.toml", "*.toml", False),
        ("x/a.toml", "**", True),
    ],
)
def test_patterns(path: str, pattern: str, expected: bool) -> None:
    assert matches(path.split("/"), pattern.split("/")) is expected


def test_other_peoples_test_runs_stay_cheap(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_but_the_plugin_is_imported():
            ours = {name for name in sys.modules if name.startswith("dnd")}
            assert ours == {"dnd", "dnd.lazy", "dnd.testing", "dnd.testing.plugin"}
        """
    )
    assert outcomes(pytester.runpytest_subprocess()) == {"passed": 1}


def test_options_are_checked(pytester: pytest.Pytester) -> None:
    for arguments in (["--kernel=java"], ["--solver-timeout=0"], ["--update-fixtures", "--solver=x"]):
        assert pytester.runpytest(*arguments).ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize("solver", ["", " ", "\t\n", "''", '"" x', "'a"], ids=repr)
def test_a_solver_that_is_no_command(pytester: pytest.Pytester, project: Project, solver: str) -> None:
    """A script's empty variable must not make a run green that has tested no solver."""
    project(a=HALL)
    result = pytester.runpytest("--kernel=py", "--solver", solver, "fixtures")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    reason = "No closing quotation" if solver == "'a" else "it names no program"
    result.stderr.fnmatch_lines([f"ERROR: --solver {solver!r} is not a command line: {reason}"])


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_time_limits_that_limit_nothing(pytester: pytest.Pytester, project: Project, seconds: str) -> None:
    project(a=HALL)
    result = pytester.runpytest(f"--solver-timeout={seconds}", "--solver=true", "fixtures")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --solver-timeout must be more than 0 seconds, and finite"])


# ---------------------------------------------------------------- running


def test_right_fixtures_pass(pytester: pytest.Pytester, project: Project) -> None:
    project(a=RINGS, b=HALL, c=DEAD_END, p1=course("p1"))
    result = pytester.runpytest("--kernel=py", "--strict-markers", "fixtures")
    assert outcomes(result) == {"passed": (1 + 14) + (2) + (1 + 14) + 1 + (3 + COURSE + 14)}


@pytest.mark.skipif(PURE_RUN, reason="this run is for the pure build")
def test_both_kernels_pass(pytester: pytest.Pytester, project: Project) -> None:
    project(a=RINGS, p1=course("p1"))
    assert outcomes(pytester.runpytest("-m", "kernel_c or kernel_py", "fixtures")) == {
        "passed": 2 * (1 + 2 + 3 + COURSE)
    }


def test_runs_are_the_same_under_xdist(pytester: pytest.Pytester, project: Project) -> None:
    pytest.importorskip("xdist")
    project(a=RINGS, b=HALL.replace("M.M\n###", "M.M\n#.#"), c=DEAD_END)

    def verdicts(*arguments: str) -> list[tuple[str, str]]:
        result = pytester.runpytest_subprocess("--kernel=py", "-rA", "fixtures", *arguments)
        found = (re.match(r"(PASSED|FAILED) (\S+)", line) for line in result.outlines)
        return sorted((match[2], match[1]) for match in found if match)

    alone = verdicts()
    assert {verdict for _, verdict in alone} == {"PASSED", "FAILED"}
    assert verdicts("-n", "2") == alone


def test_a_wrong_number_is_red(pytester: pytest.Pytester, project: Project) -> None:
    project(rings=RINGS.replace("solutions = 0\n", "solutions = 1\n", 1))
    result = pytester.runpytest("--kernel=py", "fixtures")
    assert outcomes(result)["failed"] == 1
    result.stdout.fnmatch_lines(
        [
            "*none[[]solve-py[]]*",
            "the pure kernel finds no solution, the fixture expects 1",
            " --> fixtures/rings.toml:33",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_a_wrong_solution_is_drawn_with_its_faults(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL.replace("M.M\n###", "M.M\n#.#"))
    result = pytester.runpytest("--kernel=py", "-k", "rule:row-count or solve", "fixtures")
    result.stdout.fnmatch_lines(
        [
            "the pure kernel does not find:",
            "     0  M  .  M",
            "     3  #  .  #",
            " --> fixtures/hall.toml:10",
            "the validator row-count refuses an expected solution:",
            "        1  1  1",
            "     0  M  .  M",
            "     3 [[]#[]][[].[]][[]#[]]",
            "    - row 2 has 2 walls, its clue is 3 [[]row-count[]]",
            " --> fixtures/hall.toml:11",
        ]
    )


def test_wrong_pins_are_red(pytester: pytest.Pytester, project: Project) -> None:
    text = course("p1").replace("2685", "2686").replace("reference_solutions = 1", "reference_solutions = 3\nnodes = 0")
    project(p1=text)
    result = pytester.runpytest("--kernel=py", "-m", "kernel_py and not course", "fixtures")
    assert outcomes(result) == {"passed": 1, "failed": 3}
    result.stdout.fnmatch_lines(
        [
            "solutions of the course's solver: the pure kernel counts 1, the fixture expects 3",
            "calls of the course's solver: the pure kernel counts 2685, the fixture expects 2686",
            "nodes of the exact engine: the pure kernel counts *, the fixture expects 0",
        ]
    )


def test_many_solutions(pytester: pytest.Pytester, project: Project) -> None:
    head, _, tail = RINGS.partition("solutions = 2")
    many = f'{head}solutions = "many"{tail}'
    unlisted = re.sub(r"solution = \[.*?\n\]\n", "", many, flags=re.DOTALL)
    project(listed=many, unlisted=unlisted, wrong=HALL.partition("solutions")[0] + 'solutions = "many"')
    result = pytester.runpytest("--kernel=py", "-k", "solve and not none", "fixtures")
    assert outcomes(result) == {"passed": 2, "failed": 1}
    result.stdout.fnmatch_lines(["the pure kernel finds 1 solution, the fixture expects two or more"])


def test_wrong_faults_are_drawn(pytester: pytest.Pytester, project: Project) -> None:
    project(stub=DEAD_END.replace('"dead-end"', '"wide-hallway"'))
    result = pytester.runpytest("fixtures")
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines(
        [
            "the validators find dead-end, the fixture expects wide-hallway:",
            "     1  M [[].[]] #",
            "    - r1c2 is a dead end without a monster [[]dead-end[]]",
            " --> fixtures/stub.toml:10",
        ]
    )


def test_a_missing_compiled_kernel_is_red_unless_deselected(pytester: pytest.Pytester, project: Project) -> None:
    project(p1=course("p1"))
    pytester.makeconftest(
        """
        import sys

        for family in ("search", "reference", "clause_learning"):
            sys.modules[f"dnd.dungeon.kernel.{family}_c"] = None  # as if it had not been built
        """
    )
    selected = ("-m", "kernel_c or kernel_py", "fixtures")
    result = pytester.runpytest_subprocess(*selected)
    assert outcomes(result) == {"passed": 3 + COURSE, "failed": 3 + COURSE}
    result.stdout.fnmatch_lines(
        ["the compiled kernel is not built: run with --kernel=py, or build it (DND_BUILD=require *"]
    )
    assert outcomes(pytester.runpytest_subprocess(*selected, "--kernel=py")) == {"passed": 3 + COURSE}


# ---------------------------------------------------------------- broken on purpose


def silent(puzzle: object, board: object) -> Iterator[Diagnostic]:
    return iter(())


@pytest.mark.parametrize("code", CODES)
def test_a_silent_validator_turns_its_own_flips_red(
    pytester: pytest.Pytester, project: Project, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    broken = tuple(Rule(rule.code, rule.text, silent) if rule.code == code else rule for rule in rules.RULES)
    monkeypatch.setattr(rules, "all_rules", lambda: broken)
    project(p1=course("p1"))
    result = pytester.runpytest("-m", "rule or flip", "fixtures", "-rf")
    assert outcomes(result) == {"passed": 13, "failed": 1}
    result.stdout.fnmatch_lines([f"*of an expected solution flipped: {code} finds no fault, the oracle does:"])
    assert f"p1[flip:{code}]" in result.stdout.str()


@pytest.mark.parametrize("code", CODES)
def test_a_false_alarm_on_partial_boards_is_red(
    pytester: pytest.Pytester, project: Project, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    def hasty(rule: Rule) -> Rule:
        """The validator takes unknown cells for faults."""

        def check(puzzle: object, board: Board) -> Iterator[Diagnostic]:
            yield from rule.check(puzzle, board)
            if not board.is_complete:
                yield Diagnostic(rule.code, "hasty")

        return Rule(rule.code, rule.text, check)

    broken = tuple(hasty(rule) if rule.code == code else rule for rule in rules.RULES)
    monkeypatch.setattr(rules, "all_rules", lambda: broken)
    project(p1=course("p1"))
    result = pytester.runpytest("-m", "rule or flip", "fixtures", "-rf")
    assert outcomes(result) == {"passed": 13, "failed": 1}
    result.stdout.fnmatch_lines(
        [
            f"*p1[[]rule:{code}[]]*",
            f"the validator {code} refuses an expected solution without r1c1:",
            "... and 77 more*",
        ]
    )


def test_a_validator_broken_in_a_conftest_is_red(pytester: pytest.Pytester, project: Project) -> None:
    pytester.makeconftest(
        """
        import dnd.dungeon.rules as rules
        from dnd.rule import Rule

        def check(puzzle, board):
            return iter(list(rules.dead_end(puzzle, board))[1:])

        broken = tuple(Rule(r.code, r.text, check) if r.code == "dead-end" else r for r in rules.RULES)
        rules.all_rules = lambda: broken
        """
    )
    project(p1=course("p1"), stub=DEAD_END)
    result = pytester.runpytest_subprocess("-m", "rule or flip", "fixtures", "-rf")
    assert outcomes(result) == {"passed": 13, "failed": 2}
    result.stdout.fnmatch_lines(["FAILED *p1[[]flip:dead-end[]]*", "FAILED *stub[[]faults[]]*"])


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("search_py.solve = lambda *arguments: ((0,), 1, True)", "solve-py"),
        ("search_py.solve = lambda *arguments: ((), 1, True)", "solve-py"),
        ("search_py.solve = lambda *arguments, solve=search_py.solve: (*solve(*arguments)[:2], False)", "solve-py"),
        ("reference_py.test_trapped_monster = lambda p, b: False", "reference-nodes-py"),
        ("reference_py.test_empty_squares = lambda p, b: True", "reference-py"),
    ],
)
def test_a_broken_kernel_is_red(pytester: pytest.Pytester, project: Project, line: str, item: str) -> None:
    pytester.makeconftest(f"from dnd.dungeon.kernel import reference_py, search_py\n\n{line}\n")
    project(p1=course("p1"))
    result = pytester.runpytest_subprocess("-m", "kernel_py", "fixtures", "-rf")
    assert f"p1[{item}]" in result.stdout.str()
    assert outcomes(result)["failed"] >= 1


# ---------------------------------------------------------------- files that cannot be read


def test_an_unknown_key_is_red(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL.replace("solutions = 1", "solution_count = 1"))
    result = pytester.runpytest("-v", "fixtures")
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines(
        [
            "fixtures/hall.toml::hall[[]read[]] FAILED*",
            "*unknown-key*",
            " --> fixtures/hall.toml:10:1",
            "*solution_count = 1*",
        ]
    )


def test_names_are_unique_in_a_file(pytester: pytest.Pytester, project: Project) -> None:
    project(rings=RINGS.replace('"none"', '"rings"'))
    result = pytester.runpytest("fixtures")
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines(["2 puzzles of the file are named 'rings' [[]repeated-name[]]"])


BAD = 'rows = [0, 9]\ncolumns = [0]\nboard = "."\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"# error: clue-range 2:12\n{BAD}", None),
        (f"# error: clue-range 2:11\n{BAD}", "expected clue-range 2:11, but reading says"),
        (f"# error: clue-type 2:12\n{BAD}", "expected clue-type 2:12, but reading says"),
        (f"# error: clue-range\n{BAD}", "the first line must be `# error: CODE LINE:COLUMN`*"),
        (f"# error: clue-range 2:12\n{HALL}", "expected the error clue-range, but the file is read without any"),
    ],
)
def test_files_whose_reading_must_fail(
    pytester: pytest.Pytester, project: Project, text: str, complaint: str | None
) -> None:
    project(bad=text)
    result = pytester.runpytest("-v", "fixtures")
    if complaint is None:
        result.stdout.fnmatch_lines(["fixtures/bad.toml::bad[[]error[]] PASSED*"])
    else:
        assert outcomes(result) == {"failed": 1}
        result.stdout.fnmatch_lines([complaint])


# ---------------------------------------------------------------- --update-fixtures


STALE = '''\
# Rings, before anybody has counted.
[[puzzle]]
name = "rings"
rows = [1, 2, 1]
columns = ["?", "?", "?", "?"]
board = """
....
....
....
"""

[puzzle.expect]
solutions = 1  # to be counted
solution = """
...#
.#.#
...#
"""
nodes = 0

[[puzzle]]
name = "stub"  # a dead end
rows = [1, 3]
columns = ["?", "?", "?"]
board = """
M.#
###
"""
[puzzle.expect]
faults = []
reference_solutions = 7
'''


LEFT_RING, RIGHT_RING = '"""\n...#\n.#.#\n...#\n"""', '"""\n#...\n#.#.\n#...\n"""'


def updated(nodes: str, *rings: str) -> str:
    """What `--update-fixtures` must make of STALE."""
    text = STALE
    for old, new in [
        ("solutions = 1", "solutions = 2"),
        (LEFT_RING, "[\n" + "".join(f"{ring},\n" for ring in rings) + "]"),
        ("nodes = 0", f"nodes = {nodes}"),
        ("faults = []", 'faults = ["dead-end"]'),
        ("reference_solutions = 7", "reference_solutions = 0"),
    ]:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("workers", ["0", "2"])
def test_update_rewrites_expectations_only(pytester: pytest.Pytester, project: Project, workers: str) -> None:
    pytest.importorskip("xdist")
    project(stale=STALE, hall=HALL)
    folder = pytester.path / "fixtures"
    result = pytester.runpytest_subprocess("--update-fixtures", "--kernel=py", "-n", workers, "fixtures")
    assert outcomes(result) == {"passed": 5}
    result.stdout.fnmatch_lines(
        ["fixtures/stale.toml: updated faults, nodes, reference_solutions, solution, solutions"]
    )
    text = (folder / "stale.toml").read_text()
    nodes = re.search(r"nodes = ([1-9]\d*)", text)
    assert nodes is not None
    assert text in (updated(nodes[1], LEFT_RING, RIGHT_RING), updated(nodes[1], RIGHT_RING, LEFT_RING))
    assert (folder / "hall.toml").read_text() == HALL
    assert sorted(os.listdir(folder)) == ["hall.toml", "stale.toml"]
    assert "failed" not in outcomes(pytester.runpytest_subprocess("--kernel=py", "fixtures"))


def test_update_with_nothing_to_do(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL)
    before = os.stat(pytester.path / "fixtures" / "hall.toml")
    result = pytester.runpytest("--update-fixtures", "--kernel=py", "fixtures")
    result.stdout.fnmatch_lines(["all expectations are up to date"])
    after = os.stat(pytester.path / "fixtures" / "hall.toml")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_update_of_a_puzzle_without_solution(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL.replace("rows = [0, 3]", "rows = [0, 2]"))
    result = pytester.runpytest("--update-fixtures", "--kernel=py", "fixtures")
    assert outcomes(result) == {"passed": 1}
    text = (pytester.path / "fixtures" / "hall.toml").read_text()
    assert "solutions = 0  # by hand" in text
    assert "solution =" not in text


def test_update_refuses_what_the_validators_refuse(pytester: pytest.Pytester, project: Project) -> None:
    wrong = HALL + "nodes = 0\n"
    project(hall=wrong)
    pytester.makeconftest(
        "from dnd.dungeon.kernel import search_py\n\nsearch_py.solve = lambda *arguments: ((7,), 5, True)\n"
    )
    result = pytester.runpytest_subprocess("--update-fixtures", "--kernel=py", "fixtures")
    assert outcomes(result) == {"failed": 2}
    result.stdout.fnmatch_lines(["the kernel's answer is not written into the fixture: a board that breaks the rules*"])
    assert (pytester.path / "fixtures" / "hall.toml").read_text() == wrong


def test_update_refuses_faults_that_the_oracle_does_not_see(
    pytester: pytest.Pytester, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = tuple(rule for rule in rules.RULES if rule.code != "dead-end")
    project(stub=DEAD_END)
    monkeypatch.setattr(
        rules, "check", lambda puzzle, board, codes=None: [x for r in others for x in r.check(puzzle, board)]
    )
    result = pytester.runpytest("--update-fixtures", "fixtures")
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines(["the validators find nothing wrong, the oracle dead-end: not written"])
    assert (pytester.path / "fixtures" / "stub.toml").read_text() == DEAD_END


def test_a_file_that_cannot_be_replaced_is_an_error(
    pytester: pytest.Pytester, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise PermissionError("read-only")

    monkeypatch.setattr(updates, "_replace", refuse)
    project(hall=HALL + "nodes = 99\n")
    result = pytester.runpytest("--update-fixtures", "--kernel=py", "fixtures")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["fixtures/hall.toml: not updated: read-only"])


def test_replacing_keeps_mode_and_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(HALL)
    file.chmod(0o640)
    link = tmp_path / "link.toml"
    link.symlink_to(file)
    updates.rewrite(link, {0: {"solutions": 7}})
    assert link.is_symlink()
    assert file.read_text() == HALL.replace("solutions = 1", "solutions = 7")
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["hall.toml", "link.toml"]


def test_update_of_a_solution_where_there_is_none(pytester: pytest.Pytester, project: Project) -> None:
    project(none='rows = [1]\ncolumns = [1, 0]\nboard = ".."\n\n[expect]\nsolution = "#."\n')
    pytester.runpytest("--update-fixtures", "--kernel=py", "fixtures")
    text = (pytester.path / "fixtures" / "none.toml").read_text()
    assert text == 'rows = [1]\ncolumns = [1, 0]\nboard = ".."\n\n[expect]\nsolutions = 0\n'


# ---------------------------------------------------------------- --solver


PATIENT = "--solver-timeout=600"  # no machine is so busy


def run_solver(pytester: pytest.Pytester, code: str, *arguments: str) -> pytest.RunResult:
    """Test the program `code` (Python; `question` is what it reads)."""
    pytester.makepyfile(mine="import sys\nquestion = sys.stdin.read()\n" + dedent(code))
    return pytester.runpytest("--solver", f"{sys.executable} mine.py", PATIENT, "fixtures", *arguments)


def test_only_the_solver_is_tested(pytester: pytest.Pytester, project: Project) -> None:
    project(a=RINGS, b=HALL, c=DEAD_END, d=f"# error: clue-range 2:12\n{BAD}")
    names = ["a.toml::rings[solver]", "a.toml::none[solver]", "b.toml::hall[solver]"]
    assert ids(pytester, "--solver=x", "fixtures") == [f"fixtures/{name}" for name in names]
    assert ids(pytester, "--solver=x", "-m", "solver", "fixtures") == [f"fixtures/{name}" for name in names]
    assert len(ids(pytester, "--solver=x", "--kernel=py", "fixtures")) > 3


RIGHT = """
    print("Solving problem 0")
    print("M.M\\n...")
    print("Solution 38")
    print("M.M\\n###")
"""


def test_a_right_program_passes(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL)
    result = run_solver(pytester, f"assert question == '111:03:m1m/3\\n', question\n{dedent(RIGHT)}")
    assert outcomes(result) == {"passed": 1}


@pytest.mark.parametrize(
    ("code", "complaints"),
    [
        pytest.param("", ["no solution, the puzzle has 1", "missing:", "     3  #  #  #"], id="missing"),
        pytest.param(
            'print("M.M\\n#.#")',
            [
                "a board that breaks the rules (row-count, column-count, dead-end):",
                "     3 [[]#[]][[].[]][[]#[]]",
                "    - row 2 has 2 walls, its clue is 3 [[]row-count[]]",
                "    - r2c2 is a dead end without a monster [[]dead-end[]]",
            ],
            id="wrong",
        ),
        pytest.param('print("M.M\\n###\\nM.M\\n###")', ["the same board 2 times:", "     3  #  #  #"], id="repeated"),
        # Behind the first drawing a board without walls is an answer, and a wrong one.
        pytest.param('print("M.M\\n...\\n\\nM.M\\n...")', ["a board that breaks the rules (row-count*"], id="no walls"),
        pytest.param(
            'print("M.M\\n###\\n###")',
            ["an answer that is not a board: 3 rows drawn for 2 row clues:"],
            id="rows",
        ),
        pytest.param('print("M.M.\\n####")', ["an answer that is not a board: row 1 has 4 cells*"], id="width"),
        pytest.param(
            'print("MMM\\n###")', ["an answer that is not a board: the puzzle has no monster at r1c2:"], id="monster"
        ),
        pytest.param("sys.exit(3)", ["crash: exit code 3"], id="exit code"),
        pytest.param("1 / 0", ["crash: exit code 1", "    ZeroDivisionError: division by zero"], id="exception"),
        pytest.param("import os; os.kill(os.getpid(), 11)", ["crash: killed by SIGSEGV"], id="signal"),
        pytest.param("while True: print('.' * 70)", ["stopped: it printed more than 8 MiB"], id="endless output"),
    ],
)
def test_what_a_wrong_program_is_told(
    pytester: pytest.Pytester, project: Project, code: str, complaints: list[str]
) -> None:
    project(hall=HALL)
    result = run_solver(pytester, code)
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines([*complaints, " --> fixtures/hall.toml:10"])
    assert "items.py" not in result.stdout.str()


def test_an_extra_board_is_one_that_the_rules_allow(pytester: pytest.Pytester, project: Project) -> None:
    project(
        rings=RINGS.replace("solutions = 2", "solutions = 1")
        .replace('"""\n  #...\n  #.#.\n  #...\n  """,', "@")
        .replace("  @\n", "")
    )
    result = run_solver(pytester, 'print("...#\\n.#.#\\n...#\\n#...\\n#.#.\\n#...")', "-k", "rings and not none")
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines(["2 solutions, the puzzle has 1", "an extra board, legal but not expected:"])


def test_boards_are_counted_where_none_is_listed(pytester: pytest.Pytester, project: Project) -> None:
    unlisted = re.sub(r"solution = \[.*?\n\]\n", "", RINGS, flags=re.DOTALL)
    project(rings=unlisted)
    both = 'print("...#\\n.#.#\\n...#\\nSolution\\n#...\\n#.#.\\n#...")'
    assert outcomes(run_solver(pytester, both, "-k", "rings and not none")) == {"passed": 1}
    result = run_solver(pytester, 'print("...#\\n.#.#\\n...#")', "-k", "rings and not none")
    result.stdout.fnmatch_lines(["1 solution, the puzzle has 2"])
    assert outcomes(run_solver(pytester, "", "-k", "none")) == {"passed": 1}


def test_the_first_empty_board_counts_where_no_clue_asks_for_walls(pytester: pytest.Pytester, project: Project) -> None:
    project(hall='rows = [0]\ncolumns = [0, 0, 0]\nboard = "M.M"\n[expect]\nsolutions = 1\n')
    assert outcomes(run_solver(pytester, 'print("M.M")')) == {"passed": 1}


class Clock:
    """Stands still until a file is there, and for one look more, in which what was written before it is read."""

    def __init__(self, file: Path) -> None:
        self.file, self.looks = file, 0

    def monotonic(self) -> float:
        self.looks += self.file.exists()
        return 1e9 if self.looks > 1 else 0.0


def test_a_slow_program_is_stopped_with_all_that_it_started(
    pytester: pytest.Pytester, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(hall=HALL)
    pytester.makefile(".sh", mine="sleep 100 & echo $! > child; echo thinking >&2; echo > spoken; wait; echo > ended")
    monkeypatch.setattr(solvers, "time", Clock(pytester.path / "spoken"))
    result = pytester.runpytest("--solver=sh mine.sh", "--solver-timeout=2", "fixtures")
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines(["time-out: no end after 2 seconds", "    its stderr ends in:", "    thinking"])
    assert not (pytester.path / "ended").exists()
    assert not is_running(int((pytester.path / "child").read_text()))


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    for _ in range(3000):  # a minute, for the system to do as it was told
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state == "Z":
            return False
        time.sleep(0.02)
    return True


def test_a_process_left_behind_does_not_hold_the_run(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL)
    code = """
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
        open("child", "w").write(str(child.pid))
        print("M.M\\n###", flush=True)
    """
    assert outcomes(run_solver(pytester, code)) == {"passed": 1}
    assert not is_running(int((pytester.path / "child").read_text()))


def test_no_such_program(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL)
    result = pytester.runpytest("--solver", "./no_such_program", "fixtures", "-k", "solver")
    assert outcomes(result) == {"failed": 1}
    result.stdout.fnmatch_lines(["cannot run './no_such_program': *No such file*"])


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("return [0b111000]", {"passed": 1}),
        ("yield 'M.M/###'.replace('/', chr(10))", {"passed": 1}),
        ("from dnd import Solution; return Solution(puzzle, 0b111000)", {"passed": 1}),
        ("print('M.M'); print('#.#'); return 0b111000", {"passed": 1}),
        ("import dnd; return dnd.solve(puzzle)", {"passed": 1}),
        ("return None", {"failed": 1}),
        ("yield 'M.M/###'.replace('/', chr(10)); yield 0b111000", {"failed": 1}),
        ("yield 0", {"failed": 1}),
        ("yield 'M.M/?##'.replace('/', chr(10))", {"failed": 1}),
        ("raise RuntimeError('no idea')", {"failed": 1}),
    ],
)
def test_functions(pytester: pytest.Pytester, project: Project, body: str, verdict: dict[str, int]) -> None:
    pytester.makepyfile(mine=f"def solve(puzzle):\n    {body}\n")
    project(hall=HALL)
    result = pytester.runpytest("--solver=mine:solve", PATIENT, "fixtures")
    assert outcomes(result) == verdict


def test_a_function_that_hangs_is_stopped(pytester: pytest.Pytester, project: Project) -> None:
    pytester.makepyfile(mine="def solve(puzzle):\n    while True:\n        pass\n")
    project(hall=HALL)
    result = pytester.runpytest("--solver=mine:solve", "--solver-timeout=0.5", "fixtures")
    result.stdout.fnmatch_lines(["time-out: no end after 0.5 seconds"])


def test_what_a_wrong_function_is_told(pytester: pytest.Pytester, project: Project) -> None:
    pytester.makepyfile(mine="def solve(puzzle):\n    yield 0\n    yield 'M.M\\n?##'\n    yield 'nonsense'\n")
    project(hall=HALL)
    result = pytester.runpytest("--solver=mine:solve", PATIENT, "fixtures")
    result.stdout.fnmatch_lines(["crash: exit code 1", "*not a board of this puzzle: *"])
    pytester.makepyfile(mine="def solve(puzzle):\n    yield 0\n    yield 'M.M\\n?##'\n")
    result = pytester.runpytest("--solver=mine:solve", PATIENT, "fixtures")
    result.stdout.fnmatch_lines(
        ["a board with undecided cells:", "     3  [?]  #  #", "a board that breaks the rules*"]
    )
    result = pytester.runpytest("--solver=mine:resolve", PATIENT, "fixtures")
    result.stdout.fnmatch_lines(["crash: exit code 1", "*has no attribute 'resolve'*"])


def test_a_function_for_a_game_that_cannot_judge() -> None:
    program = (
        f"import {call.__name__} as call\ncall.game('dungeon').testing = None\ncall.main('math:sqrt', 'dungeon')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], input="00:11:2/2\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("ValueError: the game 'dungeon' has no tests for solvers\n")


COURSE_SOLVER = """
    import re

    def numbers(key):
        return [int(number) for number in re.search(key + r" = \\{([^}]*)\\}", question)[1].split(",")]

    def word(key):
        return int(re.search(key + r" = (0x[0-9a-fA-F]+)", question)[1], 16)

    from dnd.dungeon.kernel.reference_py import print_board, solve

    problem = word("monsters"), word("treasures"), tuple(numbers("rows")), tuple(numbers("columns"))
    print("Solving problem 0")
    print(print_board(problem, 0), end="")
    for board in solve(problem, 0, 0, 0, False)[0]:
        print(f"Solution {board:x}")
        print(print_board(problem, board), end="")
"""


def test_the_courses_struct_as_input(pytester: pytest.Pytester, project: Project) -> None:
    wide = 'rows = [1]\ncolumns = [1,1,1,1,1,1,1,1,1]\nboard = "........."\n[expect]\nsolutions = 0\n'
    project(p1=course("p1"), hall=HALL, rings=RINGS, wide=wide)
    result = run_solver(pytester, COURSE_SOLVER, "--solver-input=course", "-rs")
    assert outcomes(result) == {"passed": 3, "skipped": 2}
    result.stdout.fnmatch_lines(["SKIPPED*wide.toml:*the course's struct holds 8x8 cells, not 1x9"])
    result.stdout.fnmatch_lines(["SKIPPED*rings.toml:*the course's struct has no unknown clues"])


SUGURU = 'game = "suguru"\ncages = """\nAAA\n"""\ngivens = """\n1.3\n"""\n[expect]\nsolutions = 1\n'
PEGS = 'game = "pegs"\nboard = "oo."\n[expect]\nsolution = "r1c1 right"\n'
STATE = bytes({17: 1, 33: 1, 49: 0}.get(place, 2) for place in range(256)).decode()  # 16 * column + row, from 1


@pytest.mark.parametrize(
    ("text", "form", "question", "answer"),
    [
        (SUGURU, "ddn", "3x1:AAA:1.3\n", "123"),
        (SUGURU, "course", "3 1\nA1 A. A3\n", "123"),
        (PEGS, "ddn", "3x1/2o.\n", "r1c1 right"),
        (PEGS, "course", STATE, "1 1 3"),
    ],
    ids=["suguru", "suguru course", "pegs", "pegs course"],
)
def test_the_question_of_each_game(
    pytester: pytest.Pytester, project: Project, text: str, form: str, question: str, answer: str
) -> None:
    project(a=text)
    code = f"assert question == {question!r}, ascii(question)\nprint({answer!r})"
    assert outcomes(run_solver(pytester, code, f"--solver-input={form}")) == {"passed": 1}


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_skeleton_of_the_manual_reads_the_struct(pytester: pytest.Pytester, project: Project) -> None:
    skeleton = re.search(r"```c\n(.*?)```", (ROOT / "docs" / "harness.md").read_text(), re.DOTALL)
    assert skeleton is not None
    searching = "if (p->rows[0] == 7 && p->rows[7] == 3 && p->columns[7] == 7) print_board(p, 0xbeb80bf80e8c8df);"
    code = re.sub("// your search.*", f"print_board(p, 0); {searching}", skeleton[1])
    assert searching in code
    (pytester.path / "mine.c").write_text(code)
    subprocess.run(["cc", "-o", "mine", "mine.c"], check=True)
    project(p1=course("p1"))
    result = pytester.runpytest("--solver=./mine", "--solver-input=course", PATIENT, "fixtures")
    assert outcomes(result) == {"passed": 1}


def test_padding_must_be_walls(pytester: pytest.Pytester, project: Project) -> None:
    project(hall=HALL)
    code = 'print("M.M####.\\n" + "########\\n" * 7)'
    result = run_solver(pytester, code, "--solver-input=course")
    result.stdout.fnmatch_lines(["an answer that is not a board: open cells outside the 2x3 board:"])


def test_solvers_under_xdist(pytester: pytest.Pytester, project: Project) -> None:
    pytest.importorskip("xdist")
    pytester.makepyfile(mine="def solve(puzzle):\n    import dnd\n    return dnd.solve(puzzle, kernel='py')\n")
    project(a=RINGS, b=HALL)
    result = pytester.runpytest_subprocess("--solver=mine:solve", "-n", "2", PATIENT, "fixtures")
    assert outcomes(result) == {"passed": 3}


def test_the_plugin_is_registered() -> None:
    """The entry point of the installed package is what all tests above run."""
    from importlib.metadata import entry_points

    assert {point.value for point in entry_points(group="pytest11", name="dnd")} == {"dnd.testing.plugin"}
