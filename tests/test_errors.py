"""The catalogue of error codes (docs/errors.md): it has all codes of the source, and each example raises its code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import error_catalogue as catalogue
from conftest import ROOT

MAKERS = {"input_error", "Diagnostic", "PartError", "PuzzleError"}  # what takes a code as its first argument
# Codes that are put together from words, by their source, and calls that pass on a code that they were given.
MADE = {
    "f'{line}-count'": {"row-count", "column-count"},
    "f'{what}-range'": {"given-range", "value-range"},
}
PASSED_ON = {"code", "rule.code"}
CODE = re.compile(r"[a-z]+(-[a-z]+)*")
SHOWN = re.compile(r"\[([a-z]+(?:-[a-z]+)*)\]$|^  ([a-z]+(?:-[a-z]+)*): ", re.MULTILINE)


def source_codes() -> tuple[set[str], set[str]]:
    """The codes in the source, and the sources of first arguments that are not codes themselves."""
    found: set[str] = set()
    others: set[str] = set()
    for path in sorted((ROOT / "dnd").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            # `code = "too-large" if ... else "empty-board"`, which is passed on.
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["code"]:
                found |= {code for part in ast.walk(node.value) if (code := code_of(part))}
            if not isinstance(node, ast.Call) or not node.args:
                continue
            code = code_of(node.args[0])
            if name_of(node.func) == "error" and code:  # readers' own, which know the place
                found.add(code)
            if name_of(node.func) not in MAKERS:
                continue
            if code:
                found.add(code)
            else:
                others.add(ast.unparse(node.args[0]))
    return found, others


def code_of(node: ast.AST) -> str | None:
    """The code that a node of the source is."""
    text = isinstance(node, ast.Constant) and node.value
    return text if isinstance(text, str) and CODE.fullmatch(text) else None


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def test_catalogue_has_all_codes_of_the_source() -> None:
    found, others = source_codes()
    assert others == MADE.keys() | PASSED_ON
    listed = [code.code for code in catalogue.codes()]
    assert sorted(listed) == sorted(found.union(*MADE.values()))


@pytest.mark.parametrize("code", catalogue.codes(), ids=lambda code: code.code)
def test_example_makes_its_code_happen(code: catalogue.Code, tmp_path: Path) -> None:
    shown = catalogue.printed(code, tmp_path)
    assert {one or other for one, other in SHOWN.findall(shown)} == {code.code}


def test_page_is_what_the_catalogue_says() -> None:
    """`python tools/error_catalogue.py` writes it anew."""
    assert catalogue.PAGE.read_text(encoding="utf-8") == catalogue.page()
