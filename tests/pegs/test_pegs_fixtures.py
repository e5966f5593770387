"""Peg solitaire's room of the pytest plug-in: checks that pass and fail as they should, other people's solvers."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import KERNELS, ROOT
from dnd import reading
from dnd.diagnostic import InputError
from dnd.game import Entry
from dnd.pegs import notation, solver, testing
from dnd.pegs.proofs import Proof
from dnd.pegs.puzzle import Play, Puzzle, Solution
from dnd.pegs.solver import IMPOSSIBLE, Outcome
from dnd.testing.check import Check
from dnd.texts import toml

SOLVED, UNSOLVED = "Решение:", "решений нет"
HOOK = '''game = "pegs"
board = """
oo.
..o
..x
"""
jumps = "r1c1 right"
[expect]
verdict = "solved"
solution = "r1c1 right, r1c3 down"
faults = []
sequences = 1
levels = [1, 1, 1]
positions = [1, 1, 1]
winning = [1, 1, 1]
games = 1
moves = 1
reference_nodes = 3
'''
APART = 'game = "pegs"\nboard = "oo"\n[expect]\nverdict = "impossible"\nproof = "class"\nsequences = 0\n'


def entry_of(text: str) -> Entry:
    (table,) = toml.read(text)
    return notation.read_table(table)


def checks(text: str, kernels: list[str] | None = None) -> dict[str, Check]:
    return {check.name: check for check in testing.checks(entry_of(text), kernels or ["py"])}


def told(text: str) -> dict[str, list[str]]:
    """The checks that fail, and what they say."""
    found = {name: list(check.run()) for name, check in checks(text).items()}
    return {name: problems for name, problems in found.items() if problems}


def test_all_checks_of_a_good_fixture() -> None:
    assert told(HOOK) == told(APART) == {}
    exact = ("solve", "count", "levels", "positions", "winning", "games", "moves", "reference-nodes")
    codes = ("illegal-jump", "too-many-left", "wrong-final-cell")
    assert list(checks(HOOK, ["c", "py"])) == [
        *(f"{name}-{kernel}" for kernel in ("c", "py") for name in exact),
        *(f"{kind}:{code}" for kind in ("rule", "flip") for code in codes),
        "faults",
    ]
    assert list(checks(APART)) == ["solve-py", "count-py", "proof"]
    assert checks('game = "pegs"\nboard = "oo."\n') == {}


@pytest.mark.parametrize(
    ("old", "new", "name", "words"),
    [
        ('verdict = "solved"', 'verdict = "impossible"', "solve-py", "the answer is solved, the fixture expects impos"),
        ("sequences = 1", "sequences = 2", "count-py", "sequences: the py kernel counts 1, the fixture expects 2"),
        ("levels = [1, 1, 1]", "levels = [1, 1]", "levels-py", "counts [1, 1, 1], the fixture expects [1, 1]"),
        ("positions = [1, 1, 1]", "positions = [1, 2, 1]", "positions-py", "expects [1, 2, 1]"),
        ("winning = [1, 1, 1]", "winning = [1, 2, 1]", "winning-py", "expects [1, 2, 1]"),
        ("games = 1", "games = 0", "games-py", "games: the py kernel counts 1"),
        ("moves = 1", "moves = 2", "moves-py", "moves: the py kernel counts 1"),
        ("reference_nodes = 3", "reference_nodes = 4", "reference-nodes-py", "counts 3, the fixture expects 4"),
        ("faults = []", 'faults = ["too-many-left"]', "faults", "the validators find nothing wrong"),
        ("r1c3 down", "r1c3 up", "rule:illegal-jump", "jump 2, r1c3 up: outside the board"),
        ("..x", "x..", "rule:wrong-final-cell", "the last peg stands at r3c3, it must end at r3c1"),
    ],
)
def test_what_is_wrong_is_told(old: str, new: str, name: str, words: str) -> None:
    text = HOOK.replace(old, new)
    if new.startswith("verdict"):
        text = text.replace('solution = "r1c1 right, r1c3 down"\n', "")
    problems = told(text)
    assert name in problems
    assert words in "\n".join(problems[name])


def test_a_wrong_proof_is_told_and_mended() -> None:
    text = APART.replace('"class"', '"exhaustion"')
    assert told(text) == {"proof": ["the cheapest proof is by class, the fixture expects exhaustion"]}
    update = checks(text)["proof"].update
    assert update is not None
    assert update() == {"proof": "class"}


def test_an_exhaustion_is_confirmed_by_a_second_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(puzzle: Puzzle, **_: object) -> Outcome:
        return Outcome(puzzle, IMPOSSIBLE, (), Proof.exhaustion(1), 1, Play(puzzle.height, puzzle.width, ()))

    monkeypatch.setattr(solver, "solve", wrong)
    text = HOOK.replace('"solved"', '"impossible"').replace('solution = "r1c1 right, r1c3 down"\n', "")
    problems = list(checks(text)["solve-py"].run())
    assert len(problems) == 1
    assert problems[0].startswith("a proof that does not hold: an exhaustive search looked at 1 position ")
    assert not list(checks(APART)["solve-py"].run())


@pytest.mark.parametrize("kernel", KERNELS)
def test_updates(kernel: str) -> None:
    wrong = HOOK
    for key in ("sequences", "games", "moves", "reference_nodes"):
        wrong = wrong.replace(f"{key} = ", f"{key} = 9")
    for key in ("levels", "positions", "winning"):
        wrong = wrong.replace(f"{key} = [1, ", f"{key} = [")
    found: dict[str, object] = {}
    for check in checks(wrong, [kernel]).values():
        if check.update is not None:
            found |= check.update()
    expected = entry_of(HOOK).expect
    assert found == {key: expected[key] for key in expected if key not in ("verdict", "solution", "faults")}
    for check in checks(HOOK, [kernel]).values():
        assert check.update is None or check.update() == {}


def test_what_takes_long_is_marked_or_left_out() -> None:
    text = 'game = "pegs"\nboard = "oo."\n[expect]\nsequences = 1\nlevels = [1, {}]\n'
    for many, marks in ((100, {"c": False, "py": False}), (900_000, {"c": False, "py": True})):
        found = checks(text.format(many), ["c", "py"])
        assert {name[-2:].strip("-"): "slow" in check.marks for name, check in found.items()} == marks
    assert list(checks(text.format(10_000_000), ["c", "py"])) == ["count-c", "levels-c"]


def test_what_is_changed_in_a_play_must_be_a_fault() -> None:
    play = Play(3, 3, ((0, 0, 1), (2, 2, 3)))
    changes = [(done, changed.jumps) for _, done, changed in testing._changes(play)]
    assert changes == [
        ("jump 1 turned up", ((0, 0, 0), (2, 2, 3))),
        ("jump 1 turned left", ((0, 0, 2), (2, 2, 3))),
        ("jump 1 turned right", ((0, 0, 3), (2, 2, 3))),
        ("jump 1 left out", ((2, 2, 3),)),
        ("jump 1 made too soon", ((0, 0, 1), (2, 2, 3))),
        ("jump 2 turned up", ((0, 0, 1), (2, 2, 0))),
        ("jump 2 turned down", ((0, 0, 1), (2, 2, 1))),
        ("jump 2 turned left", ((0, 0, 1), (2, 2, 2))),
        ("jump 2 left out", ((0, 0, 1),)),
        ("jump 2 made too soon", ((2, 2, 3), (0, 0, 1))),
    ]


# ---------------------------------------------------------------- other people's solvers


def test_question() -> None:
    entry = entry_of(HOOK)
    assert testing.question(entry, "ddn") == "3x3/2o./2.o/3.:2,2\n"
    assert testing.question(entry_of(APART), "ddn") is None
    free = entry_of(HOOK.replace("..x", "..."))
    state = testing.question(free, "course")
    assert state is not None
    (read,) = reading.entries(state.encode())
    assert read.puzzle.cropped() == free.puzzle
    with pytest.raises(InputError, match="no final cell"):
        testing.question(entry, "course")
    won = 'game = "pegs"\nboard = "o"\n[expect]\nsolution = ""\n'
    assert testing.question(entry_of(won), "ddn") is None


@pytest.mark.parametrize(
    "output",
    [
        f"17.11.2015 9:00:00\n12\n{SOLVED}\n1 1 3\n3 1 1\n\n",
        "I have it!\nr1c1 right, r1c3 down\nin 3 ms",
        "1. r1c1 right\n2. r1c3 down\n",
        "00r 02d",
        "[[0, 0, 3], [0, 2, 1]]",
    ],
)
def test_answers(output: str) -> None:
    entry = entry_of(HOOK)
    (play,) = testing.answers(entry, "ddn", output)
    assert play == Play(3, 3, ((0, 0, 3), (0, 2, 1)))
    assert list(testing.judge(entry, [play])) == []


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (f"{UNSOLVED}\n", ["no solution, the puzzle has one"]),
        ("", ["no solution, the puzzle has one"]),
        ("r1c1 right\n", ["a board with missing cells", "no solution, the puzzle has one"]),
        (
            "00r\n\n02d\n",
            ["a board with missing cells", "a board with missing", "that breaks the rules (illegal-jump)"],
        ),
        ("r1c1 right, r1c3 wards\n", ["an answer that is not a list of jumps", "no solution"]),
        ("r1c1 right, r1c3 left\n", ["a board that breaks the rules (illegal-jump)", "no solution"]),
    ],
)
def test_wrong_answers(output: str, words: list[str]) -> None:
    entry = entry_of(HOOK)
    problems = list(testing.judge(entry, testing.answers(entry, "ddn", output)))
    assert problems
    assert all(any(word in problem for problem in problems) for word in words), problems


def test_what_a_function_returns() -> None:
    puzzle = Puzzle.of(["oo.", "..o", "..x"])
    jumps = [(0, 0, 3), (0, 2, 1)]
    play = Play(3, 3, tuple(jumps))
    solution = Solution(puzzle, play.jumps)
    for result in (jumps, play, solution, "00r 02d", [play], iter([jumps]), [solution]):
        assert list(testing.boards(puzzle, result)) == [play]
    assert list(testing.boards(puzzle, None)) == list(testing.boards(puzzle, [])) == []


def test_the_other_files_hold_what_the_fixtures_hold() -> None:
    folder = ROOT / "fixtures" / "pegs"
    named = {entry.name: entry.puzzle for file in folder.glob("*.toml") for entry in reading.entries(file)}
    for file, name in (
        ("state_m1616.bgs000", "sq9"),
        ("seventeen.bgs000", "seventeen-1"),
        ("english.peg", "english-centre"),
    ):
        (entry,) = reading.entries(folder / file)
        assert entry.puzzle.cropped() == named[name]


def test_the_fixtures_of_the_project_are_named_apart() -> None:
    files: list[Path] = sorted((ROOT / "fixtures" / "pegs").glob("*.toml"))
    names = [entry.name for file in files for entry in reading.entries(file)]
    assert len(names) == len(set(names)) > 60
    assert all(names)
