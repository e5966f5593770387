"""The catalogue of error codes: what each means, and an example that makes it happen. Run it to write docs/errors.md.

    python tools/error_catalogue.py

tests/test_errors.py compares the codes with those in the source, and the page with what the examples print now.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple
from unittest.mock import patch

import dnd
from dnd.cli import main
from dnd.diagnostic import InputError

PAGE = Path(__file__).resolve().parent.parent / "docs" / "errors.md"
WIDEST = 100  # characters of a line of a file that the page shows


class Code(NamedTuple):
    """A code, when it is raised, and an example: a command line (dnd ..., pytest ...) or, behind `>>>`, Python.

    files: what the files contain that the example uses. given: that it is typed at a terminal, so that nothing is piped
    in; or that the solver of peg solitaire has run out of time.
    """

    code: str
    when: str
    example: str
    files: Mapping[str, str] = {}
    given: Literal["", "terminal", "no time"] = ""


def one(text: str, name: str = "bad.toml") -> dict[str, str]:
    """A single file."""
    return {name: text}


SMALL = "012:12:2m/3"  # a dungeon of two rows
BOARD = 'rows = [1, 2]\ncolumns = [0, 1, 2]\nboard = """\n..M\n.#.\n"""\n'
PEGS = 'game = "pegs"\nboard = "oo."\n'
CATALOGUE: dict[str, tuple[Code, ...]] = {
    "The input as a whole": (
        Code("unreadable-file", "A file is missing or cannot be read.", "dnd show nofile.toml"),
        Code("empty-input", "There is nothing but blanks in the input.", "dnd show empty.ddn", one("\n", "empty.ddn")),
        Code(
            "no-puzzle",
            "The input contains only comments, or an empty list.",
            "dnd show bad.ddn",
            one("# none\n", "bad.ddn"),
        ),
        Code(
            "unknown-format",
            "No game knows the format, or a name for a format is wrong.",
            "dnd show bad.txt",
            one("Lorem ipsum\n", "bad.txt"),
        ),
        Code(
            "encoding",
            "The text is not UTF-8.",
            "dnd show bad.json",
            one('{"rows": [0], "columns": [0], "monsters": [], "treasures": [], "name": "\\ud800"}\n', "bad.json"),
        ),
        Code(
            "line-too-long",
            "A line is too long for a puzzle.",
            "dnd show bad.ddn",
            one(f"{SMALL} x={'y' * 70000}\n", "bad.ddn"),
        ),
        Code("truncated", "The text breaks off in the middle of a puzzle.", "dnd show 'x!.012'"),
        Code(
            "trailing-data",
            "There is text after the last puzzle.",
            "dnd show bad.txt",
            one(" 012\n1..M\n2.#.\n\nThe end\n", "bad.txt"),
        ),
        Code("too-large", "The board or the input is larger than allowed.", f"dnd show {'0' * 33}:1:33"),
        Code("empty-board", "A board has no rows or no columns.", "dnd show 012::2m/3"),
    ),
    "Fixtures (TOML)": (
        Code("toml-syntax", "The text is not valid TOML.", "dnd show bad.toml", one("rows = [1,, 2]\n")),
        Code("unknown-key", "A key is not known here.", "dnd show bad.toml", one(BOARD + "nmae = 'p'\n")),
        Code(
            "unknown-name",
            "Only running the C source would tell a value.",
            "dnd show bad.c",
            one("problem p = { .monsters = f(m) };\n", "bad.c"),
        ),
        Code("missing-key", "A key is missing.", "dnd show bad.toml", one("rows = [1, 2]\nboard = '..'\n")),
        Code(
            "wrong-type", "A value has the wrong type.", "dnd show bad.toml", one("rows = '12'\ncolumns = [0, 1, 2]\n")
        ),
        Code("unknown-game", "There is no game of this name.", "dnd show bad.toml", one("game = 'chess'\n")),
        Code(
            "bad-hexadecimal",
            "Monsters or treasures are not a hexadecimal number.",
            "dnd show bad.toml",
            one("rows = [1, 2]\ncolumns = [0, 1, 2]\nmonsters = '0x4g'\ntreasures = '0'\n"),
        ),
        Code(
            "expect-conflict",
            "The expectations contradict each other or the puzzle.",
            "dnd show bad.toml",
            one(PEGS + "[expect]\nproof = 'class'\n"),
        ),
        Code(
            "repeated-name",
            "Two puzzles of a fixture file have the same name, so that tests cannot tell them apart.",
            "pytest bad.toml",
            one("".join(f"[[puzzle]]\nname = 'twin'\n{BOARD}" for _ in range(2))),
        ),
    ),
    "The form of a text": (
        Code("bad-ddn", "A line is not in the one-line notation of dungeons.", "dnd show 012:12:2m/1x1"),
        Code("bad-line", "A line is not in the one-line notation of its game.", "dnd show 3x1:AAB"),
        Code(
            "bad-size",
            "A size is not two whole numbers.",
            "dnd show bad.txt --format codingame",
            one("4 x\nA.A.A.A.\n", "bad.txt"),
        ),
        Code(
            "bad-field", "A field behind a puzzle is not `key=value`, or appears twice.", f"dnd show '{SMALL} a=1 a=2'"
        ),
        Code("bad-json", "The text is not valid JSON.", "dnd show bad.json", one('{"rows": [1, 2}\n', "bad.json")),
        Code("bad-link", "The link of a puzzle is broken.", "dnd show '?puzzle=x!.012!1..m!2%2'"),
        Code(
            "bad-log",
            "A log of peg solitaire is broken.",
            "dnd show bad.log --format log",
            one("1.1.2020\n", "bad.log"),
        ),
        Code(
            "bad-number",
            "A number of a C struct is not a whole number.",
            "dnd show bad.c",
            one("problem p = { .rows = { x } };\n", "bad.c"),
        ),
        Code(
            "bad-letter",
            "A character stands for nothing that can be in a cell.",
            "dnd show bad.txt",
            one(" 012\n1..M\n2.x.\n", "bad.txt"),
        ),
        Code("row-length", "A row is too short or too long.", "dnd show 012:12:2m/2"),
        Code("row-number", "There are too few or too many rows.", "dnd show 012:12:2m"),
        Code("cell-number", "There are too few or too many cells.", "dnd show 3x1:AAB:...."),
    ),
    "Dungeons": (
        Code("clue-type", "A clue is not a whole number.", "dnd show 0A2:12:2m/3"),
        Code("clue-range", "A clue is greater than its line is long.", "dnd show 012:14:2m/3"),
        Code(
            "clue-count",
            "A C struct has more than eight clues on a side.",
            "dnd show bad.c",
            one("problem p = { .rows = {1,2,3,4,5,6,7,8,9} };\n", "bad.c"),
        ),
        Code(
            "monster-on-treasure",
            "A cell holds both a monster and a treasure.",
            "dnd show bad.json",
            one('{"rows": [1], "columns": [0, 1], "monsters": [[0, 0]], "treasures": [[0, 0]]}\n', "bad.json"),
        ),
        Code(
            "outside-board",
            "A cell lies outside the board.",
            "dnd show bad.json",
            one('{"rows": [1], "columns": [0, 1], "monsters": [[0, 2]], "treasures": []}\n', "bad.json"),
        ),
        Code(
            "repeated-cell",
            "A cell is listed twice.",
            "dnd show bad.json",
            one('{"rows": [1], "columns": [0, 1], "monsters": [[0, 0], [0, 0]], "treasures": []}\n', "bad.json"),
        ),
        Code(
            "board-conflict", "A board contradicts the puzzle.", "dnd show bad.toml", one(BOARD + "treasures = '0x1'\n")
        ),
        Code("mask-type", "A set of cells is not a whole number.", ">>> dnd.Board(1, 1, walls='1')"),
        Code("wall-and-floor", "A cell is both wall and floor.", ">>> dnd.Board(1, 2, walls=1, floors=1)"),
        Code(
            "undecided-cell",
            "A drawing for `clues` has undecided cells.",
            "dnd clues bad.txt",
            one("#.\n?.\n", "bad.txt"),
        ),
        Code(
            "not-unique",
            "A puzzle for `minimise` has more than one solution, or none.",
            ">>> dnd.dungeon.setters.minimise(dnd.Puzzle([None] * 4, [None] * 4))",
        ),
    ),
    "Suguru": (
        Code(
            "cage-disconnected",
            "The cells of a cage do not hang together.",
            "dnd show bad.txt --format areas",
            one("1 3\n. . .\n1 2 1\n", "bad.txt"),
        ),
        Code("cage-size", "A cage has more cells than there are values.", f"dnd show 33x1:{'A' * 33}:{'.' * 33}"),
        Code(
            "cage-order",
            "Cages are not numbered in the order of their first cells.",
            ">>> dnd.suguru.Puzzle(1, 2, (1, 0), (0, 0))",
        ),
        Code(
            "no-cells", "A grid has only holes.", "dnd show bad.txt --format areas", one("1 2\n. .\n- -\n", "bad.txt")
        ),
        Code("given-in-hole", "A hole has a given.", "dnd show 3x1:AA_:..1"),
        Code("given-range", "A given is not a value that a cell can have.", "dnd show suguru/2/1/00g"),
        Code(
            "value-type",
            "A value is not a whole number.",
            "dnd show bad.json",
            one('{"cages": [[0, 1.5]]}\n', "bad.json"),
        ),
        Code("value-range", "A value is not one that a cell can have.", ">>> dnd.suguru.Board(1, 1, (99,))"),
    ),
    "Peg solitaire": (
        Code("no-pegs", "A board has no pegs.", "dnd show 3x1/3."),
        Code("peg-outside", "A peg stands outside the board.", ">>> dnd.pegs.Puzzle(1, 3, cells=0b011, pegs=0b100)"),
        Code(
            "mask-range",
            "A set of cells has cells outside the grid, or is not a whole number.",
            ">>> dnd.pegs.Puzzle(1, 3, cells=0b1111, pegs=1)",
        ),
        Code("final-outside", "The final cell is not a cell of the board.", "dnd show 3x1/2o.:0,3"),
        Code("final-twice", "Two cells are marked as the final one.", "dnd show bad.peg", one("x.x\noo.\n", "bad.peg")),
        Code("bad-jump", "A jump is not written as one.", "dnd show 3x1/2o.::00r,00x"),
        Code(
            "no-proof",
            "An answer that is to be checked has no proof.",
            "dnd check 3x1/2o. --proof bad.json",
            one('{"verdict": "solved", "proof": null}\n', "bad.json"),
        ),
        Code(
            "proof-number",
            "There are more or fewer proofs than puzzles.",
            "dnd check 3x1/2o. --proof bad.json",
            one("[]\n", "bad.json"),
        ),
    ),
    "Commands and functions": (
        Code("unknown-command", "The first word is neither a command nor a file.", "dnd hnt"),
        Code("no-file", "No file is named, and nothing is piped in.", "dnd show", given="terminal"),
        Code("bad-option", "The value of `--game` or `--format` is unknown.", f"dnd show {SMALL} --game chess"),
        Code("unknown-method", "The game has no such method of solving.", f"dnd solve {SMALL} --method magic"),
        Code("unknown-rule", "There is no rule of this code.", f"dnd check {SMALL} --rule magic"),
        Code("not-offered", "The game does not offer this.", f"dnd solve {SMALL} --frames"),
        Code("not-writable", "The format cannot hold the puzzle or the board.", "dnd convert --to course 0.:0.:2/2"),
        Code("no-board", "`check` needs a board, and the file has none.", f"dnd check {SMALL}"),
        Code(
            "board-number",
            "A file for `--board` does not hold exactly one board.",
            f"dnd hint {SMALL} --board two.ddn",
            one("012:12:2m/1w1\n012:12:2m/w2\n", "two.ddn"),
        ),
        Code(
            "other-game",
            "The board belongs to another game than the puzzle.",
            f"dnd check {SMALL} --board board.txt",
            one("2x1:AA:..:1.\n", "board.txt"),
        ),
        Code(
            "shape-mismatch",
            "The board has another size than the puzzle.",
            ">>> dnd.solve(dnd.Puzzle([0], [0]), board=dnd.Board(2, 2))",
        ),
        Code(
            "foreign-puzzle",
            "A function of one game was given a puzzle of another.",
            ">>> dnd.suguru.solve(dnd.Puzzle([0], [0]))",
        ),
        Code(
            "undecided",
            "`solvable` could not decide in time.",
            ">>> dnd.solvable(dnd.loads('9x9/9o/9o/9o/9o/4o.4o/9o/9o/9o/9o')[0], None)",
            given="no time",
        ),
    ),
    "Requests to `generate`": (
        Code("bad-request", "A request cannot be read.", "dnd generate 8x8:heavy"),
        Code("bad-range", "A range is empty or negative.", "dnd generate 8x8:monsters=6-3"),
        Code("no-such-dungeon", "No dungeon can be as requested.", "dnd generate 5x5:treasures=9"),
        Code("cage-range", "Sizes of cages are out of range, or in the wrong order.", "dnd generate suguru:6x6:5-2"),
        Code("no-such-cages", "No grid can have only cages of these sizes.", "dnd generate suguru:6x6:1"),
        Code(
            "out-of-reach",
            "No such puzzle was found in many attempts, or it cannot be rated.",
            "dnd generate pegs:3x3:8#1",
        ),
    ),
    "Rules of dungeons": (
        Code(
            "row-count",
            "A row has more or fewer walls than its clue says, or must have.",
            "dnd check --rule row-count 01:20:ff/ff",
        ),
        Code("column-count", "The same of a column.", "dnd check --rule column-count 02:00:ff/fw"),
        Code(
            "object-on-wall",
            "A monster or a treasure stands in a wall.",
            "dnd check bad.toml --rule object-on-wall",
            one("rows = [1]\ncolumns = [1, 0]\nmonsters = '0x1'\ntreasures = '0'\nboard = '#.'\n"),
        ),
        Code(
            "dead-end",
            "A dead end has no monster, or a monster stands elsewhere; or an open cell is shut in.",
            "dnd check --rule dead-end 000:0:fff",
        ),
        Code(
            "treasure-room",
            "A treasure is not in a 3x3 room with exactly one entrance.",
            "dnd check --rule treasure-room 000:0:tff",
        ),
        Code(
            "wide-hallway",
            "A 2x2 block of open cells is not part of a treasure room.",
            "dnd check --rule wide-hallway 00:00:ff/ff",
        ),
        Code("disconnected", "The open cells are not connected.", "dnd check --rule disconnected 010:1:fwf"),
    ),
    "Rules of Suguru": (
        Code("cage-repeat", "A value appears twice in a cage.", "dnd check --rule cage-repeat 2x1:AA:..:11"),
        Code(
            "cage-value-range",
            "A value is greater than its cage has cells.",
            "dnd check --rule cage-value-range 2x1:AA:..:13",
        ),
        Code("touching-equals", "Equal values touch.", "dnd check --rule touching-equals 2x1:AB:..:11"),
        Code(
            "given-changed",
            "A given was changed.",
            "dnd check --rule given-changed 2x1:AA:1. --board board.txt",
            one("21\n", "board.txt"),
        ),
    ),
    "Rules of peg solitaire": (
        Code("illegal-jump", "A jump cannot be made.", "dnd check --rule illegal-jump 3x1/2o.::02l"),
        Code(
            "too-many-left",
            "More than one peg is left, and none can jump.",
            "dnd check --rule too-many-left 3x2/2o./o2.::00r",
        ),
        Code(
            "wrong-final-cell",
            "The last peg stands in another cell than the final one.",
            "dnd check --rule wrong-final-cell 3x1/2o.:0,0:00r",
        ),
    ),
}


def codes() -> list[Code]:
    """All of them, in the page's order."""
    return [code for section in CATALOGUE.values() for code in section]


def printed(code: Code, folder: Path) -> str:
    """What the example prints, both streams as on a terminal; its files are written into the folder."""
    for name, content in code.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    out = io.StringIO()
    with _inside(folder), redirect_stdout(out), redirect_stderr(out), _set_up(code):
        if code.example.startswith(">>> "):
            _evaluate(code.example[4:])
        elif code.example.startswith("pytest "):
            out.write(_of_pytest(code.example.split()[1:]))
        else:
            main(shlex.split(code.example)[1:])
    return out.getvalue()


@contextmanager
def _set_up(code: Code) -> Iterator[None]:
    """What an example needs that is not typed (`Code.given`)."""
    stdin = io.StringIO()
    with patch.object(stdin, "isatty", lambda: code.given == "terminal"), patch("sys.stdin", stdin):
        if code.given == "no time":
            with patch("dnd.pegs.solver.SECONDS", 1e-9):
                yield
        else:
            yield


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _evaluate(expression: str) -> None:
    names: dict[str, Any] = {"dnd": dnd}
    try:
        exec("import dnd.dungeon.setters, dnd.suguru, dnd.pegs", names)
        eval(expression, names)
    except InputError as error:
        print(f"dnd.diagnostic.InputError: {error}")


def _of_pytest(arguments: list[str]) -> str:
    """The error that pytest shows: it is one of collecting a file, between lines of pytest's own."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "80"})
    lines = done.stdout.splitlines()
    start = next((number for number, line in enumerate(lines) if re.search(r" \[[a-z-]+\]$", line)), 0)
    end = next((number for number, line in enumerate(lines) if line.startswith("=") and number > start), len(lines))
    return "\n".join(["...", *lines[start:end], "..."]) + "\n"


def page() -> str:
    """The text of docs/errors.md."""
    head = (
        "# Error codes\n\n"
        "Every error and every fault of a board has a code. Codes are stable: programs may rely on them,\n"
        "while the sentences may change. In Python they are `error.diagnostic.code` of an `InputError`,\n"
        "and `code` of what `dnd.check` returns; in JSON the key `code`. Commands exit with 2 after an\n"
        "error, with 1 after a fault.\n\n"
        "This page is written by `tools/error_catalogue.py`; a test makes all examples happen.\n"
    )
    blocks = [head]
    for section, found in CATALOGUE.items():
        blocks.append(f"## {section}\n")
        blocks += [_entry(code) for code in found]
    return "\n".join(blocks)


def _entry(code: Code) -> str:
    with TemporaryDirectory() as folder:
        output = printed(code, Path(folder))
    shown = ""
    for name, content in code.files.items():
        lines = (line if len(line) <= WIDEST else line[:WIDEST] + "..." for line in content.splitlines())
        shown += f"$ cat {name}\n" + "".join(f"{line}\n" for line in lines)
    prompt = "" if code.example.startswith(">>> ") else "$ "
    block = f"```console\n{shown}{prompt}{code.example}\n{output.rstrip()}\n```"
    return f"### {code.code}\n\n{textwrap.fill(code.when, 100)}\n\n{block}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
