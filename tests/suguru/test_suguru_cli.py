"""Suguru on the command line: the verbs pick the game from the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import ROOT, Cli

CODINGAME = ROOT / "tests" / "data" / "codingame"
SIZES = sorted(path.name.partition(".")[0] for path in CODINGAME.glob("*.in.txt"))


@pytest.mark.parametrize("size", SIZES)
def test_answers_codingame(cli: Cli, size: str) -> None:
    """`solve --format codingame < test.txt` prints what CodinGame expects and nothing else."""
    asked = (CODINGAME / f"{size}.in.txt").read_text()
    done = cli("solve", "--format", "codingame", stdin=asked)
    assert (done.code, done.err) == (0, "")
    assert done.out == (CODINGAME / f"{size}.out.txt").read_text()


def test_there_are_codingame_tests() -> None:
    assert SIZES == ["15x10", "20x20", "4x5", "8x8"]


def test_codingame_without_solution(cli: Cli) -> None:
    done = cli("solve", "--format", "codingame", stdin="3 1\nA1 B1 C1\n")
    assert done.code == 1
    assert "no solution" in done.out


def test_games_may_be_mixed(cli: Cli, root: Path) -> None:
    done = cli(
        "--json", root / "fixtures/p1.toml", root / "fixtures/suguru/codingame-4x5.toml", root / "fixtures/p2.toml"
    )
    assert [line["count"] for line in done.json] == [1, 1, 1]
    assert done.code == 0


def test_generated_puzzles_are_solved_and_made_again(cli: Cli) -> None:
    made = cli("generate", "-n", "2", "suguru:6x6#cli", "--cages", "2-5")
    assert made.code == 0
    assert len(made.out.splitlines()) == 2
    assert cli("-", stdin=made.out).code == 0
    assert cli("generate", "-n", "2", "suguru:6x6#cli", "--cages", "2-5").out == made.out
    name = made.out.splitlines()[1].rpartition("name=")[2].split()[0]
    assert cli("generate", name).out == made.out.splitlines()[1] + "\n"


def test_hint_explain_and_rate(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text(cli("generate", "suguru:6x6:easy#cli").out)
    hinted = cli("hint", file, "-n", "3", "--json")
    assert hinted.code == 0
    assert [step["technique"] for step in hinted.json] == ["naked-single"] * 3
    explained = cli("explain", file)
    assert explained.code == 0
    assert explained.out.splitlines()[-2].startswith("solved, ")
    assert cli("explain", file, "--json").json[0]["solved"] is True
    assert ": easy, " in cli("rate", file).out
    assert cli("rate", file, "--json").json[0]["level"] == "easy"


def test_markdown_has_the_board_after_each_step(cli: Cli) -> None:
    asked = "3x1:AAA:2.."
    done = cli("explain", "--markdown", "3x1:AAA:2.3")
    assert done.code == 0
    pictures = done.out.split("```\n")[1::2]
    assert len(pictures) == 2
    assert "1" in pictures[1]
    assert "1" not in pictures[0]
    assert cli("explain", "--markdown", asked).code == 1


def test_what_a_game_does_not_offer_is_said(cli: Cli, root: Path) -> None:
    done = cli("backbone", root / "fixtures/pegs/english.peg")
    assert done.code == 2
    assert "the game pegs has no backbone" in done.err
    assert "[not-offered]" in done.err


@pytest.mark.parametrize(
    "request_", ["dungeon:88", "chess:8x8", "suguru", "suguru:8x8:impossible", "suguru:99x99", "suguru:8x8#a b"]
)
def test_requests_that_cannot_be_met(cli: Cli, request_: str) -> None:
    done = cli("generate", request_)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("dnd: ")


def test_board_of_bare_digits(cli: Cli, tmp_path: Path) -> None:
    puzzle = ROOT / "fixtures/suguru/codingame-4x5.toml"
    solved = (CODINGAME / "4x5.out.txt").read_text()
    board = tmp_path / "board.txt"
    board.write_text(solved)
    assert cli("check", puzzle, "--board", board).code == 0
    assert cli("solve", puzzle, "--board", board).code == 0
    wrong = solved.replace("2541", "2544")
    board.write_text(wrong)
    assert cli("check", puzzle, "--board", board).code == 1
    assert cli("solve", puzzle, "--board", board).code == 1
    assert cli("hint", puzzle, "--board", board).out == "codingame-4x5: r2c4 cannot be 4: it touches the 4 at r2c3\n"


def test_backbone_and_candidates(cli: Cli) -> None:
    asked = "3x1:AAA:2.."
    assert "2 cells differ between solutions" in cli("backbone", asked).out
    told = cli("backbone", "--json", asked).json[0]
    assert told["candidates"] == [[2], [1, 3], [1, 3]]
    assert cli("backbone", "--json", "3x1:ABC:...").json[0]["candidates"] is None


def test_reference_is_no_method_of_suguru(cli: Cli) -> None:
    done = cli("--method", "reference", ROOT / "fixtures/suguru/codingame-4x5.toml")
    assert (done.code, done.out) == (2, "")
    assert "the game suguru has no method 'reference' [unknown-method]" in done.err
    assert "hint: methods: auto\n" in done.err


@pytest.mark.parametrize(("file", "game"), [("p1.toml", "dungeon"), ("suguru/codingame-4x5.toml", "suguru")])
def test_json_of_both_games_with_the_format_named(cli: Cli, file: str, game: str) -> None:
    written = cli("convert", ROOT / "fixtures" / file, "--to", "json").out
    for named in ([], ["--format", "json"], ["--game", game]):
        assert cli("-", *named, stdin=written).code == 0


def test_check_and_rules(cli: Cli) -> None:
    done = cli("check", ROOT / "fixtures/suguru/invalid/cage-repeat.toml", "--json")
    assert done.code == 1
    assert {fault["code"] for line in done.json for fault in line["faults"]} >= {"cage-repeat"}
    assert cli("check", ROOT / "fixtures/suguru/codingame-4x5.toml").code == 0
    assert [line.split()[0] for line in cli("rules", "--game", "suguru").out.splitlines()] == [
        "cage-repeat",
        "cage-value-range",
        "touching-equals",
        "given-changed",
    ]
