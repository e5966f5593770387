"""What `tools/mutate.py` breaks: the mutants of a source, the draw, the tests that belong to a source, the verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

import mutate
from conftest import EVER, ROOT
from mutants import mutants

SOURCE = b'''"""A module."""
Number = int | str


def f(x: int | None = 1) -> bool:
    """A function."""
    if x < 2 and not x:
        g(x, sure=True)
    y["\xc3\xa9"] = {"a": x + 1}
    x -= 1
    assert x > 3, f"{x + 1}"
    return False
'''


def broken(source: bytes) -> set[tuple[int, str, str, str]]:
    return {(each.line, each.kind, each.before, each.after) for each in mutants("a.py", source)}


def test_what_is_broken() -> None:
    head, key, sure = "if x < 2 and not x:", 'y["é"] = {"a": x + 1}', "g(x, sure=True)"
    assert broken(SOURCE) == {
        (5, "constant", "def f(x: int | None = 1) -> bool:", "def f(x: int | None = 2) -> bool:"),
        (5, "constant", "def f(x: int | None = 1) -> bool:", "def f(x: int | None = 0) -> bool:"),
        (7, "and/or", head, "if (x < 2 or not x):"),
        (7, "comparison", head, "if (x <= 2) and not x:"),
        (7, "constant", head, "if x < 3 and not x:"),
        (7, "constant", head, "if x < 1 and not x:"),
        (7, "not", head, "if x < 2 and (x):"),
        (8, "body of if", sure, "pass"),
        (8, "deleted", sure, "pass"),
        (8, "flag", sure, "g(x, sure=False)"),
        (9, "key", key, "y['é_'] = {\"a\": x + 1}"),
        (9, "key", key, "y[\"é\"] = {'a_': x + 1}"),
        (9, "operator", key, 'y["é"] = {"a": (x - 1)}'),
        (9, "constant", key, 'y["é"] = {"a": x + 2}'),
        (9, "constant", key, 'y["é"] = {"a": x + 0}'),
        (9, "deleted", key, "pass"),
        (10, "deleted", "x -= 1", "pass"),
        (10, "constant", "x -= 1", "x -= 2"),
        (10, "constant", "x -= 1", "x -= 0"),
        (12, "return", "return False", "return True"),
        (12, "deleted", "return False", "pass"),
    }


def test_a_mutant_is_the_source_with_one_thing_changed() -> None:
    (last,) = [each for each in mutants("a.py", SOURCE) if each.kind == "return"]
    assert last.applied(SOURCE) == SOURCE.replace(b"False", b"True")
    assert last.function == "f"
    assert all(each.compiles(SOURCE) for each in mutants("a.py", SOURCE))


def test_the_draw_takes_the_areas_in_turn() -> None:
    tasks = mutate.draw("*", 2 * len(mutate.AREAS), 1)
    assert mutate.draw("*", 2 * len(mutate.AREAS), 1) == tasks
    assert {area.name for area in mutate.AREAS} <= {task.area for task in tasks}
    assert len({(task.mutant.path, task.mutant.start, task.mutant.text) for task in tasks}) == len(tasks)


def test_every_source_has_tests_and_every_area_sources() -> None:
    for area in mutate.AREAS:
        for path in mutate._files(area.sources):
            tests = mutate._tests(area.tests, path)
            assert all((ROOT / test).exists() for test in tests)
            assert not ("suguru" in path and any("pegs" in test for test in tests))


@pytest.mark.parametrize(
    ("test", "word"),
    [
        ("assert broken.double(2) == 4", "killed"),
        ("assert broken.double(0) == 0", "survived"),
        ("assert broken.double(2) == 5", "unsure"),
    ],
)
def test_verdicts(test: str, word: str, tmp_path: Path) -> None:
    for name, text in (("sound", "x * 2"), ("mutant", "x * 3")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "broken.py").write_text(f"def double(x):\n    return {text}\n")
        (folder / "test_it.py").write_text(f"import broken\n\n\ndef test_it():\n    {test}\n")
    assert mutate._tested(tmp_path / "mutant", tmp_path / "sound", ("test_it.py",), timeout=EVER).word == word
