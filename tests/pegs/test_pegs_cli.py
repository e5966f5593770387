"""Peg solitaire on the command line: the seed's task, and the verbs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Cli

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


def test_does_what_the_seed_does(cli: Cli, state: Path, tmp_path: Path) -> None:
    """The state file in, the log out: date, milliseconds, heading, 79 jumps, a blank line; appended each time."""
    log = tmp_path / "PW.log"
    done = cli("solve", state, "--log", log)
    assert (done.code, done.err) == (0, "")
    first = log.read_text(encoding="utf-8")
    lines = first.splitlines()
    assert re.fullmatch(r"\d\d\.\d\d\.\d{4}( \d?\d:\d\d:\d\d)?", lines[0])  # none at midnight
    assert lines[1].isdigit()
    assert lines[2] == "Решение:"
    assert len(lines) == 3 + 79 + 1
    assert all(re.fullmatch(r"\d+ \d+ [0-3]", line) for line in lines[3:-1])
    checked = cli("check", state, "--board", log)
    assert checked.code == 0, checked.out + checked.err
    assert cli("solve", state, "--log", log).code == 0
    assert log.read_text(encoding="utf-8").startswith(first)
    assert len(log.read_text(encoding="utf-8")) > len(first)


def test_impossible_is_logged_and_explained(cli: Cli, tmp_path: Path) -> None:
    file, log = tmp_path / "five.peg", tmp_path / "PW.log"
    file.write_text("ooooo\nooooo\noo.oo\nooooo\nooooo\n")
    done = cli("solve", file, "--log", log)
    assert done.code == 1
    assert "impossible: the class of the position is" in done.out
    assert log.read_text(encoding="utf-8").splitlines()[2] == "решений нет"
    told = cli("explain", file)
    assert told.code == 1
    assert "class" in told.out


def test_json(cli: Cli, english: Path) -> None:
    (solved,) = cli("solve", "--json", english, "--final", "3,3").json
    assert (solved["verdict"], solved["proof"], len(solved["jumps"])) == ("solved", None, 31)
    assert solved["jumps"][-1][:2] in ([1, 3], [5, 3], [3, 1], [3, 5])
    (impossible,) = cli("solve", "--json", english, "--final", "r4c5").json
    assert (impossible["verdict"], impossible["jumps"], impossible["proof"]["kind"]) == ("impossible", None, "class")


def test_stats_count_verdicts(cli: Cli, english: Path) -> None:
    done = cli("solve", "--stats", english, english, "--final", "3,3")
    assert re.search(r"2 puzzles: 2 solved, 0 impossible, 0 undecided; ", done.err)


def test_frames(cli: Cli, english: Path) -> None:
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
def test_wrong_options(cli: Cli, english: Path, options: tuple[str, str]) -> None:
    done = cli("solve", english, *options)
    assert done.code == 2
    assert done.out == ""
    assert "Traceback" not in done.err


def test_options_of_pegs_alone(cli: Cli, root: Path) -> None:
    for options in (["--final", "3,3"], ["--seconds", "5"], ["--memory", "1G"], ["--frames"], ["--log", "x.log"]):
        done = cli("solve", root / "fixtures/p1.toml", *options)
        assert done.code == 2
        assert "not-offered" in done.err


def test_count_hint_rate_generate(cli: Cli, tmp_path: Path) -> None:
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


def test_games_may_be_mixed(cli: Cli, root: Path, english: Path) -> None:
    done = cli("--json", root / "fixtures/p1.toml", english, root / "fixtures/suguru/codingame-4x5.toml")
    assert [line["count"] for line in done.json] == [1, 1, 1]
    assert done.code == 0


def test_check_says_what_may_come(cli: Cli, english: Path, tmp_path: Path) -> None:
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


def test_one_of_a_kind_is_said_in_the_singular(cli: Cli) -> None:
    assert cli("check", "3x1/2o.").out.endswith(": no fault so far, 1 jump to go\nit can be won\n")
    done = cli("solve", "--stats", "3x1/2o.")
    assert done.out.endswith("\nsolved: 1 jump, 1 move\n\n")
    assert re.search(r"1 puzzle: 1 solved, 0 impossible, 0 undecided; (?!0 )[\d.e-]+ puzzles/s", done.err)
    assert cli("rate", "3x1/2o.").out.endswith(": easy, 0.0 (1 of 1 game wins)\n")
    assert cli("explain", "3x1/2o.").out.endswith("\nsolved, 1 move\n\n")


@pytest.mark.parametrize("text", ["r6c4 up, r5c2 right", "53u,41r"])
def test_boards_that_are_bare_jumps(cli: Cli, english: Path, tmp_path: Path, text: str) -> None:
    jumps = tmp_path / "jumps.txt"
    jumps.write_text(text)
    done = cli("check", english, "--board", jumps)
    assert (done.code, done.err) == (0, "")
    assert "29 jumps to go" in done.out


def test_every_record_of_a_log_is_checked(cli: Cli, root: Path, tmp_path: Path) -> None:
    """And each is named by its line and date, where there are several."""
    state, log = root / "fixtures/pegs/state_m1616.bgs000", tmp_path / "PW.log"
    assert cli("solve", state, "--log", log).code == 0
    one = cli("check", state, "--board", log)
    assert (one.code, one.out.count("no fault"), str(log) in one.out) == (0, 1, False)
    right = log.read_text(encoding="utf-8")
    assert cli("solve", "5x1/o3.o", "--log", log).code == 1  # a record without jumps
    before = log.read_text(encoding="utf-8")
    log.write_text(before + right.replace(right.splitlines()[3], "1 1 0", 1), encoding="utf-8")
    both = cli("check", state, "--board", log)
    assert both.code == 1
    good, bad, reason = both.out.splitlines()
    date, line = right.splitlines()[0], before.count("\n") + 1
    assert good.endswith(f", {log}:1 {date}: no fault")
    assert bad.endswith(f", {log}:{line} {date}: 1 fault")
    assert reason.startswith("  illegal-jump: jump 1, ")
    found = cli("check", state, "--board", log, "--json").json
    assert [(one["which"], len(one["faults"])) for one in found] == [
        (f"{log}:1 {date}", 0),
        (f"{log}:{line} {date}", 1),
    ]


def test_errors_in_boards_name_their_file(cli: Cli, english: Path, tmp_path: Path) -> None:
    jumps = tmp_path / "jumps.txt"
    for text, place in (("r6c4 up,\nr5c2 sideways", "2:1"), ("53u,4", "1:5")):
        jumps.write_text(text)
        for verb in ("check", "solve", "hint"):
            done = cli(verb, english, "--board", jumps)
            assert done.code == 2
            assert f"\n --> {jumps}:{place}\n" in done.err


def test_boards_that_are_nothing(cli: Cli, english: Path, root: Path, tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense.txt"
    for data in (b"hello\n", b"\xff\xfe\xfd", b"r1c1 up " * 200_000):
        nonsense.write_bytes(data)
        for puzzle in (english, root / "fixtures/p1.toml", root / "fixtures/suguru/codingame-4x5.toml"):
            done = cli("check", puzzle, "--board", nonsense)
            assert done.code == 2
            assert done.err.startswith("dnd: ")


def test_a_log_that_cannot_be_written_loses_nothing(cli: Cli, english: Path, tmp_path: Path) -> None:
    for log in (tmp_path / "no folder" / "PW.log", tmp_path):
        done = cli("solve", english, english, "--log", log)
        assert done.code == 2
        assert done.out.count("solved: 31 jumps") == 2
        assert done.err.startswith(f"dnd: {log}: the log cannot be written: ")
        assert done.err.count("\n") == 1


def test_a_log_is_a_file(cli: Cli, english: Path) -> None:
    """A device that never ends would be read for ever."""
    done = cli("solve", english, "--log", "/dev/zero")
    assert done.code == 2
    assert done.err == "dnd: /dev/zero: the log cannot be written: it is not a file\n"


def test_counts_have_budgets(cli: Cli, english: Path, root: Path) -> None:
    (given_up,) = cli("count", "--json", english, "--memory", "1M").json
    assert (given_up["count"], given_up["complete"]) == (0, False)
    assert given_up["why"] == "more positions than fit the memory, the time or the bound on nodes"
    assert "undecided: more positions than fit" in cli("count", english, "--memory", "1M").out
    (late,) = cli("count", "--json", english, "--seconds", "0.001").json
    assert not late["complete"]
    for options in (["--seconds", "5"], ["--memory", "1G"]):
        done = cli("count", root / "fixtures/p1.toml", *options)
        assert done.code == 2
        assert "not-offered" in done.err


def test_counts_have_levels(cli: Cli, root: Path) -> None:
    counted = cli("count", "4x1/2o..")
    assert counted.out == "4x1/2o2.: 1 jump sequence, 2 positions\nby jumps made: 1, 1\n"
    assert cli("count", "4x1/2o..", "--final", "0,3").out.startswith("4x1/2o2.:0,3: 0 jump sequences, 2 positions\n")
    (limited, _) = cli("count", "3x3/2o./2o./3.", "--limit", "2").out.splitlines()
    assert ": at least 2 jump sequences, " in limited


def test_the_final_cell_can_be_asked_for_wherever_it_is_asked_whether_a_game_is_won(cli: Cli, root: Path) -> None:
    for verb in ("hint", "check", "explain", "count"):
        for final, code in (("0,2", 0), ("0,1", 1)):
            done = cli(verb, "4x1/2o..", "--final", final, "--seconds", "5")
            assert (done.code, done.err) == (code, ""), verb
        outside = cli(verb, "4x1/2o..", "--final", "0,4")
        assert outside.code == 2
        assert "final-outside" in outside.err
        for option in (["--final", "0,2"], ["--seconds", "5"]):
            refused = cli(verb, root / "fixtures/p1.toml", *option)
            assert refused.code == 2
            assert "not-offered" in refused.err


def test_undecided_is_drawn(cli: Cli, english: Path) -> None:
    done = cli("solve", english, "--max-nodes", "1", "--final", "3,3")
    title, picture = done.out.rstrip("\n").split(" pegs:\n")
    assert "\nundecided after " in title
    assert picture.replace(" ", "").count("o") + picture.count("X") == int(title.rpartition(" ")[2])


def test_large_boards_without_a_name_are_called_as_their_file(cli: Cli, state: Path, tmp_path: Path) -> None:
    assert cli("check", state).out.startswith("state_m1616.bgs000: no fault so far, 79 jumps to go\n")
    lines = tmp_path / "lines.pegs"
    lines.write_text("3x1/2o.\n" + cli("convert", "--to", "pegs", state).out)
    small, large = cli("check", lines, "--rule", "illegal-jump").out.splitlines()
    assert small.startswith("3x1/2o.: ")
    assert large.startswith("lines.pegs:2: ")


def test_help_tells_what_is_true_of_pegs(cli: Cli) -> None:
    assert "pegs:BOARD[:PEGS][:MISSING%][:LEVEL][:final][#SEED]" in " ".join(cli("generate", "--help").out.split())
    for verb in ("solve", "count"):
        assert "(peg solitaire: has any)" in " ".join(cli(verb, "--help").out.split())


def test_new_boards_have_ratings(cli: Cli) -> None:
    line = cli("generate", "pegs:5x5:10#cli").out
    bare = cli("generate", "pegs:5x5:10#cli", "--no-rating").out
    rated = cli("rate", "--json", bare.split()[0]).json[0]
    assert line == f"{bare.rstrip()} level={rated['level']} rating={rated['number']}\n"
    uncounted = cli("generate", "pegs:12x12:40#cli").out
    assert "level=" not in uncounted


def test_the_final_cell_asked_for_is_shown(cli: Cli, english: Path) -> None:
    (solved,) = cli("solve", "--json", english, "--final", "3,3").json
    assert solved["puzzle"].endswith(":3,3")
    assert " x " in cli("solve", english, "--final", "3,3").out


def test_rating_of_what_cannot_be_won(cli: Cli) -> None:
    assert cli("rate", "5x1/o3.o").out.endswith(": impossible\n")
