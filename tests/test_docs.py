"""The documents: every command and session shown behind `<!-- run -->` is run and prints what is shown.

`<!-- run c -->` is for what the compiled kernels print, where the pure ones give another answer that is as good. A line
`...` stands for any lines. Commands of a block share a folder, and `head -N FILE` looks at what they wrote. They run in
a folder that has `fixtures` and the data of CodinGame where the repository has them, but not the source, so that the
installed package answers. A block behind `<!-- file NAME -->` is a file there, for all sessions of its document.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

import dnd
from conftest import PURE_RUN, ROOT, needs_compiled
from dnd import cli
from dnd import game as room

ROOMS = (room.Notation, room.Solver, room.Judge, room.Explainer, room.Generator, room.Setters, room.Testing)
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"<!-- run( c)? -->\n```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"<!-- file (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLAIN_BLOCK = re.compile(r"(?<! -->\n)^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[ParameterSet]:
    """The blocks to run, each with its document's files and, as id, the document's name and its number."""
    found = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        files = dict(FILE.findall(text))
        for number, (compiled, kind, block) in enumerate(BLOCK.findall(text)):
            if kind == language:
                marks = [needs_compiled] if compiled else []
                found.append(pytest.param(block, files, id=f"{document.name}-{number}", marks=marks))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    (tmp_path / "tests" / "data").mkdir(parents=True)
    (tmp_path / "tests" / "data" / "codingame").symlink_to(ROOT / "tests" / "data" / "codingame")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_files(files: dict[str, str], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")


def run(command: str, folder: Path) -> str:
    """What a shown command prints; its streams are one, as on a terminal."""
    words = shlex.split(command)
    if words[0] == "head":
        lines = (folder / words[2]).read_text(encoding="utf-8").splitlines(keepends=True)
        return "".join(lines[: -int(words[1])])
    known = {
        "dnd": [sys.executable, "-m", "dnd"],
        "python": [sys.executable],
        "pytest": [sys.executable, "-m", "pytest"],
    }
    done = subprocess.run(
        [*known[words[0]], *words[1:]],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={**os.environ, "COLUMNS": "80"},
        check=False,
    )
    return done.stdout


def pattern(output: str) -> str:
    """A regular expression for output in which lines `...` stand for any lines."""
    return re.escape(output).replace(re.escape("...\n"), "(?:.*\n)*")


@pytest.mark.parametrize(("text", "files"), blocks(""))
def test_session(text: str, files: dict[str, str], folder: Path) -> None:
    write_files(files, folder)
    commands = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert commands, "a block to run shows commands behind `$ `"
    for shown in commands:
        command, _, output = shown.partition("\n")
        printed = run(command, folder)
        assert printed == output or re.fullmatch(pattern(output), printed), f"{command}\n{printed}"


@pytest.mark.parametrize(("text", "files"), blocks("python"))
def test_python_session(text: str, files: dict[str, str], folder: Path) -> None:
    write_files(files, folder)
    test = doctest.DocTestParser().get_doctest(text, {}, "document", None, 0)
    assert test.examples
    out: list[str] = []
    # Nodes and kernels are the same for both builds, so the sessions are too.
    doctest.DocTestRunner(verbose=False).run(test, out=out.append)
    assert not out, "".join(out)


def test_there_are_sessions() -> None:
    assert len(blocks("")) >= 2
    assert len(blocks("python")) >= 1


def readme_commands() -> list[str]:
    """The one-line blocks of the README that set up an environment."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return [block.strip() for block in PLAIN_BLOCK.findall(readme) if block.startswith("python3 -m venv")]


def test_ci_runs_the_test_command_of_the_readme() -> None:
    first, second = readme_commands()
    assert first.endswith("-m dnd fixtures/p1.toml")
    assert second in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The numbered lines that can be broken: none of blocks, tables, or quotes of what a program says."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if not (fenced or line.startswith(("```", "    ", "|", ">"))):
            yield number, line


def test_lines_of_prose_have_at_most_100_columns() -> None:
    lines = [(path.name, *line) for path in DOCUMENTS for line in prose(path.read_text(encoding="utf-8"))]
    assert len(lines) > 1000
    assert [line for line in lines if len(line[2]) > 100] == []


def anchors(document: Path) -> set[str]:
    """The anchors that GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ (.*)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken(document: Path, target: str) -> bool:
    """Whether a link in a document leads nowhere."""
    path, _, anchor = target.partition("#")
    found = document.parent / path if path else document
    return not found.exists() or (anchor != "" and anchor not in anchors(found))


def test_links_between_documents_lead_somewhere() -> None:
    links = [
        (document, target)
        for document in DOCUMENTS
        for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert len(links) > 20
    assert [link for link in links if broken(*link)] == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, new = set(), {ROOT / "README.md"}
    while new:
        document = new.pop()
        reached.add(document)
        links = re.findall(r"\]\(([^)\s:#]+\.md)", document.read_text(encoding="utf-8"))
        new |= {(document.parent / link).resolve() for link in links} - reached
    assert set(DOCUMENTS) - reached == set()


def test_the_page_of_commands_has_them_all() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    verbs = re.findall(r"^\| `(\w+) ?[^`]*` \|", page.partition("## Input")[0], re.MULTILINE)
    assert verbs == [module.__name__.rpartition(".")[2] for module in cli.VERBS]


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_the_page_on_adding_a_game_names_all_that_a_room_offers(room: type) -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| `\w+` \| `{room.__name__}`.*$", page, re.MULTILINE)
    assert [name for name in vars(room) if not name.startswith("_") and f"`{name}`" not in row] == []


def test_the_kernel_of_this_run_is_the_one_meant(folder: Path) -> None:
    assert f"kernel {'py' if PURE_RUN else 'c'}" in run("dnd --version", folder)


def blocks_of_puzzles() -> Iterator[tuple[str, str]]:
    """The code blocks of the documents whose language says that they hold puzzles: by page and number, their texts."""
    languages = {"c", "course", "ddn", "text", "daily", "jsonl", "json", "toml", "suguru", "pegs"}
    for page in sorted((ROOT / "docs").glob("*.md")):
        found = re.finditer(
            r"^```([\w-]+)[^\n]*\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
        for number, block in enumerate(found):
            is_program = block[2].startswith(("// cc ", "[project."))
            if block[1] in languages and not is_program:
                yield f"{page.name}-{number}-{block[1]}", block[2]


@pytest.mark.parametrize(("name", "text"), [*blocks_of_puzzles()], ids=[name for name, _ in blocks_of_puzzles()])
def test_puzzles_of_the_documents_are_read(name: str, text: str) -> None:
    assert dnd.loads(text)
