"""The command line in bad hands: each fault is one clear error, exit code 2, and nothing printed before is lost."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import EVER, ROOT, Cli, heed_interrupts
from dnd.cli import common

P1 = "44262347:73417163:5m2/8/1t6/8/8/m7/8/2m4m"
SUGURU = ROOT / "fixtures/suguru/codingame-4x5.toml"
PEGS = "5x1/.oo.."
HALF = ROOT / "fixtures/setters/half.txt"

# What int() and float() take, and people do not mean; and what nobody takes.
NO_NUMBERS = [
    "\uff13",
    "\u0663",
    "\u00b2",
    "1_0",
    "+3",
    " 3",
    "3 ",
    "3\n",
    "-1",
    "0",
    "1e3",
    "0x10",
    "",
    "one",
    "9" * 5000,
]
NUMBERS = [
    ("solve", P1, ("--limit", "--max-nodes", "--workers")),
    ("count", P1, ("--limit", "--max-nodes")),
    ("solve", PEGS, ("--seconds", "--memory", "--final")),
    ("count", PEGS, ("--seconds", "--memory")),
    ("hint", P1, ("-n",)),
    ("clues", P1, ("--max-nodes",)),
    ("minimise", P1, ("--limit", "--max-nodes")),
    ("complete", P1, ("-n", "--seconds", "--max-nodes", "--check-nodes")),
    ("generate", "5x5#a", ("-n", "--workers", "--shard")),
]


@pytest.mark.parametrize("read", [common.positive, common.duration, common.size, common.cell])
@pytest.mark.parametrize("text", NO_NUMBERS, ids=lambda text: ascii(text[:9]))
def test_numbers_are_plain_digits(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        read(text)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("verb", "what", "option"), [(verb, what, option) for verb, what, options in NUMBERS for option in options]
)
def test_options_that_are_numbers(cli: Cli, verb: str, what: str, option: str) -> None:
    done = cli(verb, what, f"{option}=\uff13")
    assert (done.code, done.out) == (2, "")
    assert f"argument {option}" in done.err


def test_numbers_that_are_right() -> None:
    assert common.positive(str((1 << 63) - 1)) == (1 << 63) - 1
    assert [common.duration(text) for text in (".5", "5.", "0.5", "1000000000")] == [0.5, 5, 0.5, 1e9]
    sizes = {"1000": 1000, "4GiB": 4 << 30, "500m": 500 << 20, "1 k": 1024, "2tb": 2 << 40, "7 B": 7}
    assert {text: common.size(text) for text in sizes} == sizes
    assert common.cell("3,4") == common.cell("r4c5") == (3, 4)
    for read, text in ((common.positive, str(1 << 63)), (common.duration, "1000000001"), (common.size, "99999999999T")):
        with pytest.raises(argparse.ArgumentTypeError, match="or is too large"):
            read(text)


@pytest.mark.parametrize(
    "argv",
    [
        ["clues", P1, "--to", "ddn", "--json"],
        ["minimise", P1, "--to", "ddn", "--json"],
        ["complete", P1, "--to", "ddn", "--json"],
        ["complete", P1, "-n", "1", "--all"],
        ["solve", P1, "--limit", "2", "--all"],
        ["explain", P1, "--json", "--markdown"],
    ],
    ids=" ".join,
)
def test_options_that_exclude_each_other(cli: Cli, argv: list[str]) -> None:
    done = cli(*argv)
    assert (done.code, done.out) == (2, "")
    assert "not allowed with" in done.err


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["convert", SUGURU, "--to", "ddn"], "unknown-format"),
        (["convert", P1, "--to", "bgs"], "unknown-format"),
        (["convert", P1, "--to", ""], "unknown-format"),
        (["clues", HALF, "--to", "bgs"], "unknown-format"),
        (["minimise", P1, "--to", "codingame"], "unknown-format"),
        (["complete", HALF, "--to", ""], "unknown-format"),
        (["generate", "suguru:6x6#a", "--to", "ddn"], "unknown-format"),
        (["generate", "5x5#a", "--to", ""], "unknown-format"),
        (["generate", "5x5#a", "--treasures", ""], "bad-request"),
        (["generate", "suguru:6x6#a", "--cages", ""], "bad-request"),
        (["generate", "suguru:6x6#a", "--treasures", "1"], "not-offered"),
        (["generate", "pegs:english#a", "--cages", "3"], "not-offered"),
        (["solve", P1, "--method", "magic"], "unknown-method"),
        (["solve", P1, "--method", "moves"], "unknown-method"),
        (["solve", P1, "--board", ""], "unreadable-file"),
        (["check", P1, "--board", ""], "unreadable-file"),
        (["hint", P1, "--board", ""], "unreadable-file"),
        (["hint", P1, "--board", ROOT / "fixtures/pegs/english.peg"], "other-game"),
        (["hint", P1, "--board", ROOT / "fixtures/p1.toml", "--game", "chess"], "bad-option"),
        (["solve", ROOT / "fixtures/p1.toml", "--format", "morse"], "bad-option"),
        (["show", ROOT / "fixtures/p1.toml", "--format", ""], "bad-option"),
        (["show", ROOT / "fixtures/p1.toml", "--game", ""], "bad-option"),
        (["count", ROOT], "unreadable-file"),
    ],
    ids=lambda value: " ".join(map(ascii, value)) if isinstance(value, list) else value,
)
def test_options_that_do_not_fit(cli: Cli, argv: list[object], code: str) -> None:
    done = cli(*argv)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("dnd: ")
    assert done.err.count("[") == done.err.count(f"[{code}]") == 1


def test_a_method_is_one_of_the_puzzles_game(cli: Cli) -> None:
    done = cli("solve", "--method", "reference", P1, SUGURU)
    assert done.code == 2
    assert done.out.endswith("1 solution, unique\n\n")  # what came before stays
    assert re.search(
        r"the game suguru has no method 'reference' \[unknown-method\]\n --> .*\.toml:2:1\n hint: methods: auto\n",
        done.err,
    )


def test_conversion_stops_at_what_cannot_be_written(cli: Cli) -> None:
    done = cli("convert", P1, SUGURU, "--to", "text")
    assert done.code == 2
    assert done.out.startswith(" 44262347\n")
    assert "the game suguru has no output format 'text' [unknown-format]" in done.err


def test_a_format_of_bytes_ends_where_it_ends(cli: Cli) -> None:
    state = cli("convert", PEGS, "--to", "bgs").out
    assert len(state) == 256
    assert cli("generate", "pegs:5x5:8#a", "--to", "bgs", "-n", "2").out[256:].startswith("\x02")
    assert cli("convert", "-", "--to", "pegs", stdin=state).out.startswith("16x16/")


def test_statistics_of_nothing(cli: Cli) -> None:
    assert cli("solve", "--stats", "-", stdin="").err.endswith("dnd: 0 puzzles\n")


def test_drawings_beyond_all_bounds(cli: Cli) -> None:
    """They are refused before their cells are looked at one by one."""
    for text, code in (("..#\n" * 100_000, "too-large"), ("." * 100_000, "line-too-long"), ("." * 99, "too-large")):
        done = cli("clues", "-", stdin=text)
        assert (done.code, done.out) == (2, "")
        assert done.err.count(f"[{code}]\n") == 1


def test_seeds_of_any_letters(cli: Cli) -> None:
    """An argument that is no UTF-8 is a text to Python all the same."""
    assert cli("complete", HALF, "--seed", "\udcff").code == 0


# ---------------------------------------------------------------- streams


def command(
    *argv: object, cwd: Path, redirect: str = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """What a command does in a shell, with a redirection."""
    words = [sys.executable, "-m", "dnd", *map(str, argv)]
    line = ["sh", "-c", f'"$@" {redirect}', "sh", *words]
    return subprocess.run(line, capture_output=True, cwd=cwd, env=env, timeout=EVER)


FULL = "dnd: stdout cannot be written: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "argv",
    [[P1], ["--json", P1], ["rules"], ["generate", "4x4#a"], ["--help"], ["solve", "--help"], ["--version"]],
    ids=" ".join,
)
def test_a_full_disk(argv: list[str], tmp_path: Path) -> None:
    done = command(*argv, cwd=tmp_path, redirect=">/dev/full")
    assert (done.returncode, done.stderr.decode()) == (2, FULL)


@pytest.mark.parametrize("verb", ["solve", "count", "check"])
def test_output_that_ends_before_the_input(verb: str, tmp_path: Path) -> None:
    """Where the reader has enough, the command leaves, although its stdin is still open and somebody waits for it."""
    puzzle = "22:22:ww/ww" if verb == "check" else P1
    argv = [sys.executable, "-m", "dnd", verb, "-"]
    with subprocess.Popen(
        argv, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdin
            assert process.stdout
            assert process.stderr
            process.stdout.close()
            process.stdin.write(f"{puzzle}\n".encode())
            process.stdin.flush()
            assert process.wait(EVER) == 0
            assert process.stderr.read() == b""
        finally:
            process.kill()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("verb", ["solve", "count", "check"])
def test_a_full_disk_while_the_input_is_open(verb: str, tmp_path: Path) -> None:
    puzzle = "22:22:ww/ww" if verb == "check" else P1
    argv = [sys.executable, "-m", "dnd", verb, "-"]
    with (
        open("/dev/full", "w") as full,
        subprocess.Popen(argv, cwd=tmp_path, stdout=full, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process,
    ):
        try:
            assert process.stdin
            assert process.stderr
            process.stdin.write(f"{puzzle}\n".encode())
            process.stdin.flush()
            assert process.wait(EVER) == 2
            assert process.stderr.read().decode() == FULL
        finally:
            process.kill()


def test_a_fault_of_ours_while_the_input_is_open(tmp_path: Path) -> None:
    """Whatever ends a command, the thread that waits for its stdin must not abort it: a traceback is a traceback."""
    program = (
        "import sys\n"
        "import dnd.cli.solve as solve\n"
        "def say(text):\n"
        "    raise ZeroDivisionError('a fault of ours')\n"
        "solve.say = say\n"
        "sys.argv[1:] = ['solve', '-']\n"
        "from dnd.cli import run\n"
        "run()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdin
            assert process.stderr
            process.stdin.write(f"{P1}\n".encode())
            process.stdin.flush()
            assert process.wait(EVER) == 1
            assert process.stderr.read().endswith(b"ZeroDivisionError: a fault of ours\n")
        finally:
            process.kill()


def test_streams_that_are_closed(tmp_path: Path) -> None:
    closed = command(P1, cwd=tmp_path, redirect=">&-")
    assert (closed.returncode, closed.stderr) == (2, b"dnd: stdout is closed\n")
    for verb in ("count", "clues"):
        for files in ([], ["-"]):
            done = command(verb, *files, cwd=tmp_path, redirect="<&-")
            assert (done.returncode, done.stdout) == (2, b"")
            assert done.stderr.startswith(b"dnd: stdin is closed [unreadable-file]\n")
    # Talk must not become data where nobody listens.
    silent = command("count", P1, "nothing", cwd=tmp_path, redirect="2>&-")
    assert (silent.returncode, silent.stdout) == (2, f"{P1}: 1\n".encode())


def test_an_encoding_that_lacks_a_letter(tmp_path: Path) -> None:
    (tmp_path / "names.ddn").write_text(f"{P1} plain\n{P1} caf\u00e9\n", encoding="utf-8")
    done = command("count", "names.ddn", cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stdout) == (2, b"plain: 1\n")
    assert done.stderr == b"dnd: stdout cannot be written: its encoding, ascii, has no '\\xe9'\n"


def test_boards_that_come_through_pipes(tmp_path: Path) -> None:
    """A pipe can be read once."""
    os.mkfifo(tmp_path / "board")
    for text in ("##\n##\n", "\ufeff##\r\n##\r\n", "22:22:ww/ww\n"):
        with subprocess.Popen(["sh", "-c", "cat >board"], stdin=subprocess.PIPE, cwd=tmp_path) as writer:
            assert writer.stdin
            writer.stdin.write(text.encode("utf-8"))
            writer.stdin.close()
            done = command("check", "22:22:2/2", "--board", "board", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, b"22:22:2/2: no fault\n")


def test_errors_in_boards_name_the_file(cli: Cli, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    for text, code, place in (("##\n#x\n", "bad-letter", "2:2"), ("##\n###\n", "unknown-format", "1:1")):
        board.write_text(text)
        done = cli("check", "22:22:2/2", "--board", board)
        assert done.code == 2
        assert f"--> {board}:{place}" in done.err, code


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")
@pytest.mark.parametrize("verb", ["show", "clues"])
def test_input_without_end(cli: Cli, verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dnd.reading._LARGEST", 1 << 20)
    done = cli(verb, "/dev/zero")
    assert (done.code, done.out) == (2, "")
    assert done.err == "dnd: the input has more than 1 MiB [too-large]\n --> /dev/zero:1:1\n"
    assert "the board has more than" in cli("check", P1, "--board", "/dev/zero").err


def sleeps(process: subprocess.Popen[bytes], more_than: int) -> int:
    """How often a process has gone to sleep, when it sleeps and that is more often than so many times."""
    while True:
        status = Path(f"/proc/{process.pid}/status").read_text()
        (number,) = map(int, re.findall(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.MULTILINE))
        if number > more_than and re.search(r"^State:\s*S", status, re.MULTILINE):
            return number
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_leaves_no_half_line(presses: int, unbuffered: str, tmp_path: Path) -> None:
    """Where the reader has stopped in the middle of a line, Ctrl-C waits for its end; a second one does not."""
    name = "\u00e9" * 60_000  # more bytes than a pipe holds
    (tmp_path / "long.ddn").write_text(f"{P1} name={name}\n", encoding="utf-8")
    argv = [sys.executable, "-m", "dnd", "count", "--json", "long.ddn"]
    env = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(
        argv, cwd=tmp_path, env=env, preexec_fn=heed_interrupts, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout
            assert process.stderr
            out = process.stdout.read(1)
            naps = sleeps(process, more_than=0)
            process.send_signal(signal.SIGINT)
            if presses == 2:
                sleeps(process, more_than=naps)  # it has heard the first and waits again: two at once were one
                process.send_signal(signal.SIGINT)
                assert process.wait(EVER) == 130
            out += process.stdout.read()
            assert process.wait(EVER) == 130
            talk = process.stderr.read()
        finally:
            process.kill()
    if presses == 1:
        assert talk == b"dnd: interrupted; what was printed is complete\n"
        assert json.loads(out)["count"] == 1
        assert out.endswith(b"}\n")
    else:
        assert talk == b"dnd: interrupted; the last line is cut off\n"
        assert not out.endswith(b"\n")
