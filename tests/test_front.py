"""The functions for all games: one test for the three, and the smallest game that can be as a plug-in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import dnd
from conftest import ROOT
from dnd import dungeon, pegs, suguru
from dnd.diagnostic import Diagnostic
from dnd.game import Answer, Board, Explanation, Puzzle, Rating, Step, game_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import assert_type

LINES = {
    "dungeon": "21313:12232:2m1m/5/5/5/5",
    "suguru": "2x1:AA:1.",
    "pegs": "3x1/oo.",
}
SOLVED = {"dungeon": "..M#M\n.##..\n..#.#\n#.#.#\n#...#", "suguru": "12", "pegs": "r1c1 right"}
PACKAGES: dict[str, ModuleType] = {"dungeon": dungeon, "suguru": suguru, "pegs": pegs}
REQUESTS = {"dungeon": "6x6:easy#front", "suguru": "suguru:4x4:2-4#front", "pegs": "pegs:4x4#front"}


@pytest.fixture(params=sorted(LINES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def puzzle(name: str) -> Puzzle:
    found: Puzzle
    (found,) = dnd.loads(LINES[name])
    return found


@pytest.fixture
def package(name: str) -> ModuleType:
    return PACKAGES[name]


def test_solving(puzzle: Puzzle, package: ModuleType) -> None:
    answer = dnd.solve(puzzle)
    assert isinstance(answer, pegs.Outcome if package is pegs else dnd.Solutions)
    assert answer == package.solve(puzzle)
    (solution,) = answer.solutions
    assert type(solution) is package.Solution
    (many,) = dnd.solve_many([puzzle])
    assert many.solutions == answer.solutions
    counted = dnd.count(puzzle)
    assert (counted.count, counted.complete) == (1, True)
    assert counted == package.count(puzzle)
    assert dnd.is_unique(puzzle) is True
    assert package.is_unique(puzzle) is True


def test_judging_and_showing(name: str, puzzle: Puzzle, package: ModuleType) -> None:
    (solution,) = dnd.solve(puzzle).solutions
    assert dnd.check(puzzle, solution.board) == []
    assert dnd.check(puzzle, SOLVED[name]) == []
    wrong = {"dungeon": "\n".join(["##M#M"] + ["#####"] * 4), "suguru": "11", "pegs": "r1c2 right"}[name]
    (first, *_) = dnd.check(puzzle, wrong)
    assert isinstance(first, Diagnostic)
    assert dnd.check(puzzle, wrong) == package.check(puzzle, wrong)
    assert dnd.show(puzzle) == game_of(puzzle).draw(puzzle)
    assert dnd.show(puzzle, SOLVED[name]) == dnd.show(solution) != dnd.show(puzzle)


def test_backbone(puzzle: Puzzle, package: ModuleType) -> None:
    if package is pegs:
        with pytest.raises(dnd.InputError, match="no backbone: its solutions are jumps"):
            dnd.backbone(puzzle)
        return
    (solution,) = dnd.solve(puzzle).solutions
    board = dnd.backbone(puzzle)
    assert dnd.show(puzzle, board) == dnd.show(solution)


def test_explaining(puzzle: Puzzle, package: ModuleType) -> None:
    step = dnd.hint(puzzle)
    assert type(step) is package.Step
    assert step == next(dnd.hints(puzzle)) == package.hint(puzzle)
    told = dnd.explain(puzzle)
    assert type(told) is package.Explanation
    assert told.solved
    assert not told.impossible
    assert len(list(told.pictures())) == len(told.steps) > 0
    assert told.end.startswith("solved, ")
    rating = dnd.rate(puzzle)
    assert type(rating) is package.Rating
    assert rating == package.rate(puzzle)
    assert rating.settled


def test_hints_from_a_board_in_any_form(name: str, puzzle: Puzzle, package: ModuleType) -> None:
    step = dnd.hint(puzzle, SOLVED[name])
    assert step.technique == ("won" if package is pegs else "solved")
    assert step == dnd.hint(puzzle, dnd.solve(puzzle).solutions[0].board) == package.hint(puzzle, SOLVED[name])


def test_generating(name: str, package: ModuleType) -> None:
    made = list(dnd.generate(REQUESTS[name], count=2))
    assert [one.game for one in made] == [name, name]
    text, seed = REQUESTS[name].split("#")
    again = list(dnd.generate(text, seed=seed, count=2))
    assert again == made
    for one in made:
        (same,) = dnd.generate(one.name)
        assert same == one
        assert dnd.solve(one).count
    with pytest.raises(dnd.InputError, match="seed is asked for twice"):
        dnd.generate(REQUESTS[name], seed="b")


def test_generating_a_dungeon_by_numbers() -> None:
    assert list(dnd.generate(6, 6, seed="front")) == list(dungeon.generate(6, 6, seed="front"))


def test_generating_for_an_unknown_game() -> None:
    with pytest.raises(dnd.InputError, match="begins with one of pegs, suguru, dungeon and a colon, not 'chess'"):
        dnd.generate("chess:8x8")


def test_writing(puzzle: Puzzle) -> None:
    (solution,) = dnd.solve(puzzle).solutions
    line = dnd.dumps(puzzle)
    assert dnd.dumps([puzzle, puzzle]) == f"{line}\n{line}"
    assert dnd.loads(dnd.dumps([puzzle, puzzle])) == [puzzle, puzzle]
    assert dnd.dumps(solution) == dnd.dumps(puzzle, board=solution.board)
    assert dnd.dumps(dnd.solve(puzzle).solutions) == dnd.dumps(solution)
    with pytest.raises(ValueError, match="a board goes with a single puzzle"):
        dnd.dumps([puzzle], board=solution.board)


FUNCTIONS: tuple[Callable[[Any], object], ...] = (
    dnd.solve,
    dnd.count,
    dnd.is_unique,
    dnd.backbone,
    dnd.hint,
    dnd.hints,
    dnd.explain,
    dnd.rate,
    dnd.show,
    dnd.dumps,
    lambda value: dnd.check(value, ""),
    lambda value: dnd.solvable(value, None),
    dnd.difference,
)


@pytest.mark.parametrize("ask", FUNCTIONS, ids=lambda ask: ask.__name__)
@pytest.mark.parametrize("value", [None, 7, [0], dnd.Diagnostic], ids=str)
def test_what_is_not_a_puzzle(ask: Callable[[Any], object], value: object) -> None:
    with pytest.raises(TypeError, match="not a puzzle: "):
        ask(value)


@pytest.mark.parametrize("function", ["solve", "count", "is_unique", "hint", "explain", "rate"])
def test_another_games_puzzle(package: ModuleType, name: str, function: str) -> None:
    """Each game's own functions refuse the others' puzzles with one sentence."""
    for other in LINES.keys() - {name}:
        (foreign,) = dnd.loads(LINES[other])
        with pytest.raises(dnd.InputError, match=f"expected a puzzle of the game {name}, not one of {other}"):
            getattr(package, function)(foreign)
    with pytest.raises(TypeError, match="not a puzzle: None"):
        getattr(package, function)(None)


def test_values_satisfy_the_protocols(puzzle: Puzzle) -> None:
    """What mypy compares: here that the attributes exist and can be asked for."""
    answer: Answer = dnd.solve(puzzle)
    step: Step = dnd.hint(puzzle)
    told: Explanation = dnd.explain(puzzle)
    rating: Rating = dnd.rate(puzzle)
    for value, protocol in ((answer, Answer), (step, Step), (told, Explanation), (rating, Rating)):
        names = [one for one in vars(protocol) if not one.startswith("_")]
        assert names
        for one in names:
            assert getattr(value, one) is not NotImplemented


# ---------------------------------------------------------------- what mypy knows

if TYPE_CHECKING:

    def of_dungeons(puzzle: dungeon.Puzzle) -> None:
        assert_type(dnd.solve(puzzle), dnd.Solutions[dungeon.Solution])
        assert_type(dnd.solve(puzzle, 2, max_nodes=9).solutions[0], dungeon.Solution)
        assert_type(next(dnd.solve_many([puzzle])), dnd.Solutions[dungeon.Solution])
        assert_type(dnd.count(puzzle), dnd.Solutions[dungeon.Solution])
        assert_type(dnd.difference(puzzle), tuple[dungeon.Solution, dungeon.Solution] | None)
        assert_type(dnd.backbone(puzzle), dungeon.Board | None)
        assert_type(dnd.check(puzzle, "#"), list[Diagnostic])
        assert_type(dnd.hints(puzzle), Iterator[dungeon.Step])
        assert_type(dnd.hint(puzzle), dungeon.Step)
        assert_type(dnd.explain(puzzle), dungeon.Explanation)
        assert_type(dnd.rate(puzzle), dungeon.Rating)
        assert_type(dnd.generate(6, 6), Iterator[dungeon.Puzzle])

    def of_sugurus(puzzle: suguru.Puzzle) -> None:
        assert_type(dnd.solve(puzzle), dnd.Solutions[suguru.Solution])
        assert_type(dnd.solve(puzzle).solutions[0], suguru.Solution)
        assert_type(next(dnd.solve_many([puzzle])), dnd.Solutions[suguru.Solution])
        assert_type(dnd.count(puzzle), dnd.Solutions[suguru.Solution])
        assert_type(dnd.difference(puzzle), tuple[suguru.Solution, suguru.Solution] | None)
        assert_type(dnd.backbone(puzzle), suguru.Board | None)
        assert_type(dnd.check(puzzle, "1"), list[Diagnostic])
        assert_type(dnd.hints(puzzle), Iterator[suguru.Step])
        assert_type(dnd.hint(puzzle), suguru.Step)
        assert_type(dnd.explain(puzzle), suguru.Explanation)
        assert_type(dnd.rate(puzzle), suguru.Rating)

    def of_peg_solitaire(puzzle: pegs.Puzzle) -> None:
        assert_type(dnd.solve(puzzle, seconds=1), pegs.Outcome)
        assert_type(dnd.solve(puzzle).solutions[0], pegs.Solution)
        assert_type(next(dnd.solve_many([puzzle])), pegs.Outcome)
        assert_type(dnd.count(puzzle), pegs.Tally)
        assert_type(dnd.check(puzzle, "r1c1 right"), list[Diagnostic])
        assert_type(dnd.hints(puzzle, seconds=1), Iterator[pegs.Step])
        assert_type(dnd.hint(puzzle), pegs.Step)
        assert_type(dnd.explain(puzzle), pegs.Explanation)
        assert_type(dnd.rate(puzzle), pegs.Rating)

    def of_any_game(puzzle: Puzzle) -> None:
        assert_type(dnd.solve(puzzle), Answer)
        assert_type(dnd.solve(puzzle).solutions[0].board, Board)
        assert_type(next(dnd.solve_many([puzzle])), Answer)
        assert_type(dnd.backbone(puzzle), Board | None)
        assert_type(dnd.check(puzzle, ""), list[Diagnostic])
        assert_type(dnd.hint(puzzle), Step)
        assert_type(dnd.explain(puzzle), Explanation)
        assert_type(dnd.rate(puzzle), Rating)


def test_what_mypy_knows() -> None:
    """Of the values above, and of the null game's rooms."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", __file__, str(ROOT / "tests" / "null_game")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


# ---------------------------------------------------------------- a game of another package


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python in which the null game is installed."""
    meta = tmp_path / "null_game-1.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: null-game\nVersion: 1\n")
    (meta / "entry_points.txt").write_text("[dnd.games]\nnull = null_game:GAME\n")
    paths = [str(tmp_path), str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def dnd_command(
    installed: dict[str, str], folder: Path, *argv: str, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dnd", *argv]
    return subprocess.run(command, input=stdin, env=installed, cwd=folder, capture_output=True, text=True)


def test_a_game_of_another_package(installed: dict[str, str], tmp_path: Path) -> None:
    done = dnd_command(installed, tmp_path, "solve", "-", stdin="lamps/3\n")
    assert (done.stderr, done.stdout, done.returncode) == ("", "lamps/3\nooo\n1 solution, unique\n\n", 0)
    done = dnd_command(installed, tmp_path, "check", "-", stdin="lamps/3/o.?\n")
    assert (done.stdout, done.returncode) == ("lamps/3: 1 fault\n  dark-lamp: lamp 2 is dark\n", 1)
    done = dnd_command(installed, tmp_path, "count", "-", stdin="lamps/2\n21313:12232:2m1m/5/5/5/5\n")
    assert done.returncode == 2  # each reader takes all lines of a stream for its own game's
    assert done.stdout == "lamps/2: 1\n"
    done = dnd_command(installed, tmp_path, "backbone", "-", stdin="lamps/2\n")
    assert "oo" in done.stdout
    done = dnd_command(installed, tmp_path, "convert", "--to", "lamps", "-", stdin='game = "null"\nlamps = 4\n')
    assert (done.stderr, done.stdout) == ("", "lamps/4\n")


@pytest.mark.parametrize(
    ("verb", "what"),
    [("hint", "hints"), ("explain", "explanations"), ("rate", "ratings"), ("clues", "tools for setters")],
)
def test_what_a_game_does_not_offer(installed: dict[str, str], tmp_path: Path, verb: str, what: str) -> None:
    done = dnd_command(installed, tmp_path, verb, "-", stdin="lamps/3\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"dnd: the game null has no {what} [not-offered]\n")


def test_a_game_of_another_package_in_python(installed: dict[str, str], tmp_path: Path) -> None:
    code = (
        "import dnd\n"
        "puzzle, = dnd.loads('lamps/3')\n"
        "assert dnd.solve(puzzle).unique and dnd.is_unique(puzzle)\n"
        "assert dnd.show(puzzle) == '???' and dnd.dumps([puzzle]) == 'lamps/3'\n"
        "assert [one.unique for one in dnd.solve_many([puzzle] * 3)] == [True] * 3\n"
        "for ask in (dnd.hint, dnd.explain, dnd.rate):\n"
        "    try: ask(puzzle)\n"
        "    except dnd.InputError as error: assert error.diagnostic.code == 'not-offered'\n"
        "    else: raise AssertionError(ask)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=installed, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
