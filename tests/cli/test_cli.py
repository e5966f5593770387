"""The command line as a user meets it: output, exit codes, streams, interrupts."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import dnd
from conftest import EVER, PURE_RUN, ROOT, Cli, heed_interrupts, wait_for_work
from course import PROBLEMS
from dnd.cli import VERBS
from dnd.dungeon.puzzle import Puzzle
from dnd.dungeon.rules import RULES
from dnd.game import game, games

P1 = "44262347:73417163:5m2/8/1t6/8/8/m7/8/2m4m"
P1_SOLVED = "44262347:73417163:wwwwwmww/fffwffww/ftfwfwww/fffffffw/wwwwwwfw/mffffffw/wwfwfwww/wwmwfffm"
NONE = "00:11:2/2"
MANY = "....:....:4/4/4/4"


@contextmanager
def dnd_command(*argv: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A running command with pipes; killed if a test fails while it runs."""
    with subprocess.Popen(
        [sys.executable, "-m", "dnd", *argv],
        text=True,
        cwd=cwd,
        preexec_fn=heed_interrupts,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_main_job_draws_the_solution(cli: Cli, root: Path) -> None:
    done = cli(root / "fixtures" / "p1.toml")
    assert done.code == 0
    assert done.err == ""
    assert done.out == (
        "p1\n 44262347\n7#####M##\n3...#..##\n4.T.#.###\n1.......#\n7######.#\n1M......#\n6##.#.###\n3##M#...M\n"
        "1 solution, unique\n\n"
    )


@pytest.mark.parametrize(
    ("puzzle", "code", "words"),
    [(P1, 0, "1 solution, unique"), (NONE, 1, "no solution"), (MANY, 1, "2 or more solutions")],
)
def test_verdict_and_exit_code(cli: Cli, puzzle: str, code: int, words: str) -> None:
    done = cli(puzzle)
    assert done.code == code
    assert words in done.out.splitlines()


def test_solving_several_files_fails_if_one_is_not_unique(cli: Cli, root: Path) -> None:
    assert cli(root / "fixtures/p1.toml", root / "fixtures/p2.toml").code == 0
    done = cli(root / "fixtures/p1.toml", "-", stdin=NONE)
    assert done.code == 1
    assert "no solution" in done.out


def test_stdin(cli: Cli) -> None:
    done = cli("-", stdin=f"# two puzzles\n{P1} first\n{P1} name=second\n")
    assert done.code == 0
    assert done.out.count("1 solution, unique") == 2
    assert done.out.splitlines()[0] == "first"


def test_json(cli: Cli) -> None:
    done = cli("--json", "-", stdin=f"{P1} p1\n{NONE}\n")
    first, second = done.json
    assert list(first) == ["name", "puzzle", "count", "complete", "solutions", "nodes", "method", "kernel", "seconds"]
    assert first["name"] == "p1"
    assert first["puzzle"] == P1
    assert first["solutions"] == [P1_SOLVED]
    assert (first["count"], first["complete"], first["method"]) == (1, True, "auto")
    assert first["kernel"] == ("py" if PURE_RUN else "c")
    assert isinstance(first["seconds"], float)
    assert (second["count"], second["complete"], second["solutions"]) == (0, True, [])


GAMES = {"dungeon": f"{P1} name=n", "suguru": "3x1:AAA:1.3 name=n", "pegs": "4x1/2o.. name=n"}
KEYS = [
    ("count", "dungeon suguru", "count complete nodes"),
    ("count", "pegs", "count complete nodes levels"),
    ("backbone", "dungeon", "backbone"),
    ("backbone", "suguru", "backbone candidates"),
    ("check", "pegs", "board faults text good"),
    ("rate", "dungeon suguru pegs", "number level hardest counts"),
    ("hint", "dungeon", "technique sentence walls floors facts chain"),
    ("hint", "suguru", "technique sentence placed removed facts chain"),
    ("hint", "pegs", "technique sentence jumps take_back"),
    ("explain", "dungeon suguru pegs", "solved steps beyond"),
    ("minimise", "dungeon", "puzzle clues gone certain"),
]


@pytest.mark.parametrize(("verb", "games", "keys"), KEYS)
def test_keys_of_json(verb: str, games: str, keys: str, cli: Cli) -> None:
    """Programs read them, so that none changes its name or place."""
    for name in games.split():
        (line,) = cli(verb, "--json", GAMES[name]).json
        assert list(line) == ["name", *keys.split()]
        assert line["name"] == "n"


@pytest.mark.usefixtures("ticking")
def test_json_has_seconds(cli: Cli, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("\n".join(["?" * 8] * 8))
    for options in ([], ["--board", board]):
        assert cli("solve", "--json", P1, *options).json[0]["seconds"] == 2.0


def test_limits(cli: Cli) -> None:
    total = dnd.count(Puzzle((None,) * 4, (None,) * 4)).count
    assert len(cli("--json", "--all", MANY).json[0]["solutions"]) == total
    three = cli("--json", "--limit", "3", MANY).json[0]
    assert (three["count"], three["complete"]) == (3, False)
    assert f"{total} solutions" in cli("--all", MANY).out
    assert "1 or more solution" in cli("--limit", "1", MANY).out


def test_reference_method_and_kernel(cli: Cli) -> None:
    found = cli("--json", "--method", "reference", "--kernel", "py", "--all", P1).json[0]
    assert (found["nodes"], found["method"], found["kernel"]) == (2685, "reference", "py")


def test_max_nodes_is_undecided(cli: Cli) -> None:
    done = cli("--max-nodes", "1", "........:........:8/8/8/8/8/8/8/8")
    assert done.code == 1
    assert "undecided after 1 node" in done.out


@pytest.mark.usefixtures("ticking")
def test_stats(cli: Cli) -> None:
    done = cli("--stats", "-", stdin=f"{P1}\n{NONE}\n{MANY}\n")
    assert done.err == (
        "dnd: 3 puzzles: 1 unique, 1 none, 1 many, 0 undecided; 1.5 puzzles/s\ndnd: nodes: mean 2.7, median 1, max 6\n"
    )


def test_board_that_solutions_must_extend(cli: Cli, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text("\n".join(["?##?????", *["????????"] * 7]))
    assert cli("solve", "--board", board, P1).code == 0
    board.write_text("\n".join([".???????", *["????????"] * 7]))
    done = cli("solve", "--board", board, P1)
    assert (done.code, "no solution" in done.out) == (1, True)


def test_check_of_the_drawn_and_of_another_board(cli: Cli, root: Path, tmp_path: Path) -> None:
    p1 = root / "fixtures/p1.toml"
    done = cli("check", p1)
    assert (done.code, done.out) == (0, "p1: no fault\n")
    board = tmp_path / "board.txt"
    board.write_text(P1_SOLVED.replace("wwwwwm", "fwwwwm"))
    done = cli("check", p1, "--board", board)
    assert done.code == 1
    assert "row-count: row 1 has 6 walls, its clue is 7" in done.out
    assert "column-count: column 1 has 3 walls, its clue is 4" in done.out
    only = cli("check", p1, "--board", board, "--rule", "column-count", "--json")
    assert [fault["code"] for fault in only.json[0]["faults"]] == ["column-count"]
    assert cli("check", p1, "--board", board, "--rule", "disconnected").code == 0


def test_check_without_a_board(cli: Cli) -> None:
    done = cli("check", P1)
    assert done.code == 2
    assert "no drawn board to check [no-board]" in done.err


def test_check_unknown_rule(cli: Cli, root: Path) -> None:
    done = cli("check", root / "fixtures/p1.toml", "--rule", "colour")
    assert done.code == 2
    assert "there is no rule 'colour' [unknown-rule]" in done.err


def test_partial_board_has_no_fault_so_far(cli: Cli) -> None:
    done = cli("check", "22:22:wf/2")
    assert done.code == 1
    assert cli("check", "22:22:w1/2").out.endswith("no fault so far, 3 cells unknown\n")


def test_count_and_backbone(cli: Cli) -> None:
    total = dnd.count(Puzzle((None,) * 4, (None,) * 4)).count
    assert cli("count", f"{MANY} open").out == f"open: {total}\n"
    assert cli("count", "--limit", "2", f"{MANY} open").out == "open: 2 or more\n"
    assert cli("count", P1).code == 0
    assert cli("count", "--json", P1).json[0]["count"] == 1
    done = cli("backbone", f"{P1} p1")
    assert done.code == 0
    assert "0 cells differ between solutions" in done.out
    assert cli("backbone", "--json", f"{P1} p1").json == [{"name": "p1", "backbone": P1_SOLVED}]
    assert cli("backbone", NONE).code == 1


@pytest.mark.parametrize("form", ["toml", "ddn", "json", "text", "course", "daily"])
def test_convert_and_read_again(cli: Cli, form: str, root: Path) -> None:
    done = cli("convert", root / "fixtures/p1.toml", "--to", form)
    assert done.code == 0
    back = cli("convert", "-", "--to", "ddn", stdin=done.out)
    assert back.out.split()[0] == P1


@pytest.mark.parametrize(
    "argv",
    [
        ["convert", P1, "--to", "morse"],
        ["show", P1, "--format", "morse"],
        ["show", P1, "--game", "chess"],
        ["rules", "--game", "chess"],
        ["generate", "suguru:6x6", "--to", "morse"],
    ],
    ids=" ".join,
)
def test_unknown_games_and_formats(cli: Cli, argv: list[str]) -> None:
    done = cli(*argv)
    assert (done.code, done.out) == (2, "")
    assert f"{argv[-1]!r}" in done.err
    assert "Traceback" not in done.err


def test_convert_keeps_fields(cli: Cli) -> None:
    line = f"{P1} name=p1 author=me rating=3"
    assert cli("convert", "-", "--to", "ddn", stdin=line).out == line + "\n"


def test_show_draws_what_is_there(cli: Cli) -> None:
    assert " 22\n2#.\n2??\n" in cli("show", "22:22:wf/2").out


def test_rules_are_listed(cli: Cli) -> None:
    done = cli("rules")
    assert [line.split()[0] for line in done.out.splitlines()] == [
        "row-count",
        "column-count",
        "object-on-wall",
        "dead-end",
        "treasure-room",
        "wide-hallway",
        "disconnected",
    ]
    told = [{"code": rule.code, "text": rule.text} for rule in RULES]
    assert cli("rules", "--json").json == told
    assert len(told) == 7


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["--limit", "0", P1],
        ["--limit", "many", P1],
        ["--limit", "2", "--all", P1],
        ["--kernel", "z80", P1],
        ["--workers", "0", P1],
        ["convert", P1],
        ["--nonsense", P1],
    ],
    ids=" ".join,
)
def test_wrong_usage(cli: Cli, argv: list[str]) -> None:
    done = cli(*argv)
    assert done.code == 2
    assert done.out == ""
    assert "usage:" in done.err


@pytest.mark.parametrize("verb", ["solve", "check", "count", "backbone", "show", "convert"])
def test_bad_input_is_one_clear_error(cli: Cli, verb: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('rows = [1, 9]\ncolumns = [1, 1]\nboard = """\n..\n..\n"""\n')
    done = cli(verb, bad, *(["--to", "ddn"] if verb == "convert" else []))
    assert done.code == 2
    assert done.out == ""
    assert f"{bad}:1:12" in done.err
    assert "the clue of row 2 is 9" in done.err
    assert done.err.count("[clue-range]") == 1


ERROR_FILES = [
    path for path in sorted((ROOT / "fixtures").glob("**/invalid/*.toml")) if path.read_bytes().startswith(b"# error:")
]


@pytest.mark.parametrize("path", ERROR_FILES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_every_malformed_fixture_is_one_clear_error(cli: Cli, path: Path) -> None:
    _, _, code, place = path.read_bytes().partition(b"\n")[0].decode().split()
    done = cli(path)
    assert done.code == 2
    assert done.err.startswith("dnd: ")
    assert done.err.count(f"[{code}]\n --> {path}:{place}\n") == 1
    assert done.err.count(" --> ") == 1
    assert "Traceback" not in done.err


def test_work_done_before_bad_input_is_kept_and_the_next_file_goes_on(cli: Cli, tmp_path: Path) -> None:
    bad = tmp_path / "bad.ddn"
    bad.write_text(f"{P1} good\n{P1[:-1]} bad\n")
    done = cli(bad, f"{P1} after")
    assert done.code == 2
    assert done.out.count("1 solution, unique") == 2
    assert f"{bad}:2:" in done.err


def test_missing_file(cli: Cli, tmp_path: Path) -> None:
    done = cli(tmp_path / "nowhere.toml")
    assert done.code == 2
    assert "nowhere.toml" in done.err
    assert "[unreadable-file]" in done.err


MISSING = ["nofile.toml", "folder/nofile", "nofile", "nofile.toml --format ddn", "nofile.toml --game dungeon"]


@pytest.mark.parametrize("words", MISSING)
def test_missing_file_is_not_taken_for_a_text(cli: Cli, words: str) -> None:
    done = cli("show", *words.split())
    assert (done.code, done.out) == (2, "")
    name = words.split()[0]
    assert done.err == f"dnd: there is no such file [unreadable-file]\n --> {name}:1:1\n"


def test_text_that_may_be_meant_as_a_puzzle(cli: Cli) -> None:
    done = cli("show", "4: no puzzle")
    assert (done.code, done.out) == (2, "")
    assert "there is no such file, and the text is not a puzzle in a known format [unreadable-file]" in done.err
    assert "hint: `dnd formats` lists the formats" in done.err


def test_misspelt_command(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = cli("hnt", P1)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "dnd: there is no command 'hnt', and no file of that name [unknown-command]\n hint: did you mean `dnd hint`?\n"
    )
    assert "[unreadable-file]" in cli("something").err
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hnt").write_text(P1)
    assert cli("hnt").code == 0


def test_formats_are_listed(cli: Cli) -> None:
    done = cli("formats", "--json")
    assert done.code == 0
    for owner in games():
        notation = owner.notation
        listed = [row for row in done.json if row["game"] == owner.name]
        names = {row["format"] for row in listed}
        assert names == {"toml", *notation.FORMATS_IN, *notation.FORMATS_OUT}
        assert {row["format"] for row in listed if row["read"]} == {"toml", *notation.FORMATS_IN}
        assert {row["format"] for row in listed if row["written"]} == set(notation.FORMATS_OUT)
        assert all(row["what"] for row in listed)
    text = cli("formats", "--game", "dungeon").out
    assert text.startswith("dungeon:\n  ddn     in, out  one line")
    assert "  tokyo   in       the game's data file, tokyo.dat (Last Call BBS)\n" in text
    assert "suguru" not in text


def ranges_of(name: str) -> list[str]:
    """The options that a game alone has when it makes puzzles."""
    generator = game(name).generator
    assert generator is not None
    return list(generator.RANGES)


def test_options_of_one_game_are_grouped_by_it(cli: Cli) -> None:
    for verb in ("solve", "check", "count", "hint", "explain"):
        assert "--seconds" in cli(verb, "--help").out.partition("\npeg solitaire only:\n")[2]
    text = cli("generate", "--help").out
    _, dungeon, suguru = re.split(r"\n(?:Dungeons & Diagrams|Suguru) only:\n", text)
    assert re.findall(r"^  --(\w+)", dungeon, re.MULTILINE) == ranges_of("dungeon")
    assert re.findall(r"^  --(\w+)", suguru, re.MULTILINE) == ranges_of("suguru")


def test_option_of_another_game_is_named(cli: Cli) -> None:
    done = cli("generate", "8x8", "--cages", "2-3")
    assert (done.code, done.out) == (2, "")
    assert done.err == "dnd: the game dungeon has no option --cages [not-offered]\n"


def test_too_large_for_the_reference(cli: Cli) -> None:
    done = cli("--method", "reference", "1" * 9 + ":" + "1" * 9 + ":" + "/".join("9" * 9))
    assert done.code == 2
    assert "the reference solver takes boards up to 8x8, not 9x9" in done.err


def test_results_stream(tmp_path: Path) -> None:
    """The answer to a line comes before the next line is written."""
    with dnd_command("-", cwd=tmp_path) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(f"{P1} here\n")
            process.stdin.flush()
            lines = [process.stdout.readline() for _ in range(12)]
            assert lines[0] == "here\n"
            assert lines[10] == "1 solution, unique\n"
        process.stdin.close()
        assert process.wait(EVER) == 0


def test_interrupt_keeps_what_was_found(tmp_path: Path) -> None:
    endless = "........:........:8/8/8/8/8/8/8/8"
    (tmp_path / "endless.ddn").write_text(f"{P1} quick\n{endless} endless\n")
    with dnd_command("--all", "endless.ddn", cwd=tmp_path) as process:
        assert process.stdout
        assert [process.stdout.readline() for _ in range(12)][::10] == ["quick\n", "1 solution, unique\n"]
        wait_for_work(process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=EVER)
        assert process.returncode == 130
        assert "Traceback" not in err
        assert "interrupted" in err


def test_closed_pipe_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "many.ddn").write_text(f"{P1}\n" * 3000)
    with dnd_command("many.ddn", cwd=tmp_path) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(EVER) == 0


def on_terminal(argv: list[str], cwd: Path, **environment: str) -> str:
    """What a command prints on a terminal."""
    leader, follower = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | environment
    process = subprocess.Popen(
        [sys.executable, "-m", "dnd", *argv], stdout=follower, stderr=follower, stdin=follower, cwd=cwd, env=env
    )
    os.close(follower)
    shown = b""
    try:
        while chunk := os.read(leader, 65536):
            shown += chunk
    except OSError:  # Linux says so when the other end is closed
        pass
    process.wait(EVER)
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


def test_colour_on_a_terminal_adds_nothing_but_colour(tmp_path: Path) -> None:
    pytest.importorskip("rich")
    plain = subprocess.run([sys.executable, "-m", "dnd", P1], capture_output=True, text=True, cwd=tmp_path).stdout
    assert "\x1b" not in plain
    coloured = on_terminal([P1], tmp_path)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert on_terminal([P1], tmp_path, NO_COLOR="1") == plain


def test_bare_command_on_a_terminal_lists_the_commands(tmp_path: Path) -> None:
    shown = on_terminal([], tmp_path)
    assert "peg solitaire" in shown
    for module in VERBS:
        assert f"\n    {module.__name__.rpartition('.')[2]} " in shown


def test_all_course_examples_in_one_stream(cli: Cli) -> None:
    lines = [Puzzle(rows, columns, m, t, name).ddn() + f" {name}" for name, (m, t, rows, columns) in PROBLEMS.items()]
    done = cli("--json", "-", stdin="\n".join(lines))
    assert [line["name"] for line in done.json] == list(PROBLEMS)
    assert done.code == 0


@pytest.mark.parametrize(
    "options", [("--limit", "9" * 30), ("--max-nodes", "9" * 5000), ("--method", "reference", "--max-nodes", "5")]
)
def test_numbers_beyond_a_word_and_options_that_exclude_each_other(
    cli: Cli, root: Path, options: tuple[str, ...]
) -> None:
    done = cli("solve", root / "fixtures/p1.toml", *options)
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
