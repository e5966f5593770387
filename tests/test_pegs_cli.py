"""Peg solitaire on the command line: the seed's task, and the verbs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BOARD = """\
  ooo
  ooo
ooooooo
ooo.ooo
ooooooo
  ooo
  ooo
"""


@pytest.fixture
def english(tmp_path: Path) -> Path:
    file = tmp_path / "english.peg"
    file.write_text(BOARD)
    return file


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """The seed's task: 80 pegs on 9x9."""
    data = bytearray([2] * 256)
    for x in range(3, 12):
        for y in range(3, 12):
            data[16 * x + y] = 1
    data[16 * 7 + 7] = 0
    file = tmp_path / "state_m1616.bgs000"
    file.write_bytes(data)
    return file


def test_does_what_the_seed_does(cli, state: Path, tmp_path: Path) -> None:
    """The state file in, the log out: date, milliseconds, heading, 79 jumps, a blank line; appended each time."""
    log = tmp_path / "PW.log"
    done = cli("solve", state, "--log", log)
    assert (done.code, done.err) == (0, "")
    first = log.read_text(encoding="utf-8")
    lines = first.splitlines()
    assert re.fullmatch(r"\d\d\.\d\d\.\d{4} \d?\d:\d\d:\d\d", lines[0])
    assert lines[1].isdigit()
    assert lines[2] == "Решение:"
    assert len(lines) == 3 + 79 + 1
    assert all(re.fullmatch(r"\d+ \d+ [0-3]", line) for line in lines[3:-1])
    checked = cli("check", state, "--board", log)
    assert checked.code == 0, checked.out + checked.err
    assert cli("solve", state, "--log", log).code == 0
    assert log.read_text(encoding="utf-8").startswith(first)
    assert len(log.read_text(encoding="utf-8")) > len(first)


def test_impossible_is_logged_and_explained(cli, tmp_path: Path) -> None:
    file, log = tmp_path / "five.peg", tmp_path / "PW.log"
    file.write_text("ooooo\nooooo\noo.oo\nooooo\nooooo\n")
    done = cli("solve", file, "--log", log)
    assert done.code == 1
    assert "impossible: the class of the position is" in done.out
    assert log.read_text(encoding="utf-8").splitlines()[2] == "решений нет"
    told = cli("explain", file)
    assert told.code == 1
    assert "class" in told.out


def test_json(cli, english: Path) -> None:
    (solved,) = cli("solve", "--json", english, "--final", "3,3").json
    assert (solved["verdict"], solved["proof"], len(solved["jumps"])) == ("solved", None, 31)
    assert solved["jumps"][-1][:2] in ([1, 3], [5, 3], [3, 1], [3, 5])
    (impossible,) = cli("solve", "--json", english, "--final", "r4c5").json
    assert (impossible["verdict"], impossible["jumps"], impossible["proof"]["kind"]) == ("impossible", None, "class")


def test_stats_count_verdicts(cli, english: Path) -> None:
    done = cli("solve", "--stats", english, english, "--final", "3,3")
    assert re.search(r"2 puzzles: 2 solved, 0 impossible, 0 undecided; ", done.err)


def test_frames(cli, english: Path) -> None:
    done = cli("solve", "--frames", english)
    assert done.code == 0
    assert len(re.findall(r"(?m)^(?:[o.*] ?){7}|^ {4}", done.out)) == 32 * 7


@pytest.mark.parametrize(
    "options",
    [
        ("--final", "3"),
        ("--final", "r0c1"),
        ("--seconds", "0"),
        ("--seconds", "nan"),
        ("--memory", "much"),
        ("--memory", "0"),
        ("--final", "0,0"),
    ],
)
def test_wrong_options(cli, english: Path, options: tuple[str, str]) -> None:
    done = cli("solve", english, *options)
    assert done.code == 2
    assert done.out == ""
    assert "Traceback" not in done.err


def test_options_of_pegs_alone(cli, root: Path) -> None:
    for options in (["--final", "3,3"], ["--seconds", "5"], ["--memory", "1G"], ["--frames"], ["--log", "x.log"]):
        done = cli("solve", root / "fixtures/p1.toml", *options)
        assert done.code == 2
        assert "not-offered" in done.err


def test_count_hint_rate_generate(cli, tmp_path: Path) -> None:
    made = cli("generate", "-n", "2", "pegs:5x5:8#cli")
    assert made.code == 0
    assert len(made.out.splitlines()) == 2
    file = tmp_path / "made.txt"
    file.write_text(made.out)
    assert cli("solve", file).code == 0
    (counted, _) = cli("count", "--json", file).json
    assert counted["complete"]
    assert counted["nodes"] == sum(counted["levels"])
    (rated, _) = cli("rate", "--json", file).json
    assert rated["counts"]["winning games"] == counted["count"]
    hinted = cli("hint", file, "-n", "2")
    assert hinted.out.count("the game can still be won") == 4
    assert cli("explain", file).code == 0


def test_games_may_be_mixed(cli, root: Path, english: Path) -> None:
    done = cli("--json", root / "fixtures/p1.toml", english, root / "fixtures/suguru/codingame-4x5.toml")
    assert [line["count"] for line in done.json] == [1, 1, 1]
    assert done.code == 0


def test_check_says_what_may_come(cli, english: Path, tmp_path: Path) -> None:
    done = cli("check", english)
    assert done.code == 0
    assert done.out.endswith(": no fault so far, 31 jumps to go\nit can be won\n")
    five = tmp_path / "five.peg"
    five.write_text("ooooo\nooooo\noo.oo\nooooo\nooooo\n")
    done = cli("check", five)
    assert done.code == 1
    assert "it cannot be won\nthe class of the position is " in done.out
    (found,) = cli("check", five, "--json").json
    assert (found["faults"], found["good"]) == ([], False)
    assert cli("check", five, "--rule", "illegal-jump").code == 0


@pytest.mark.parametrize("text", ["r6c4 up, r5c2 right", "53u,41r"])
def test_boards_that_are_bare_jumps(cli, english: Path, tmp_path: Path, text: str) -> None:
    jumps = tmp_path / "jumps.txt"
    jumps.write_text(text)
    done = cli("check", english, "--board", jumps)
    assert (done.code, done.err) == (0, "")
    assert "29 jumps to go" in done.out


def test_boards_that_are_nothing(cli, english: Path, root: Path, tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense.txt"
    for data in (b"hello\n", b"\xff\xfe\xfd", b"r1c1 up " * 10_000):
        nonsense.write_bytes(data)
        for puzzle in (english, root / "fixtures/p1.toml", root / "fixtures/suguru/codingame-4x5.toml"):
            done = cli("check", puzzle, "--board", nonsense)
            assert done.code == 2
            assert done.err.startswith("dnd: ")


def test_a_log_that_cannot_be_written_loses_nothing(cli, english: Path, tmp_path: Path) -> None:
    for log in (tmp_path / "no folder" / "PW.log", tmp_path):
        done = cli("solve", english, english, "--log", log)
        assert done.code == 2
        assert done.out.count("solved: 31 jumps") == 2
        assert done.err.startswith(f"dnd: {log}: the log cannot be written: ")
        assert done.err.count("\n") == 1


def test_a_log_is_a_file(cli, english: Path) -> None:
    """A device that never ends would be read for ever."""
    done = cli("solve", english, "--log", "/dev/zero")
    assert done.code == 2
    assert done.err == "dnd: /dev/zero: the log cannot be written: it is no file\n"


def test_counts_have_budgets(cli, english: Path, root: Path) -> None:
    (given_up,) = cli("count", "--json", english, "--memory", "1M").json
    assert (given_up["count"], given_up["complete"]) == (0, False)
    (late,) = cli("count", "--json", english, "--seconds", "0.001").json
    assert not late["complete"]
    for options in (["--seconds", "5"], ["--memory", "1G"]):
        done = cli("count", root / "fixtures/p1.toml", *options)
        assert done.code == 2
        assert "not-offered" in done.err


def test_the_final_cell_asked_for_is_shown(cli, english: Path) -> None:
    (solved,) = cli("solve", "--json", english, "--final", "3,3").json
    assert solved["puzzle"].endswith(":3,3")
    assert " x " in cli("solve", english, "--final", "3,3").out


def test_rating_of_what_cannot_be_won(cli) -> None:
    assert cli("rate", "5x1/o3.o").out.endswith(": impossible\n")
