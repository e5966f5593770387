"""The value that describes an error or a fault, and how it is shown.

A `Diagnostic` is what a validator reports about a board and a reader about a file: a stable code (docs/errors.md), a
sentence, the cells concerned, and the place in the text. `InputError` carries one out of a reader. Nothing here prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

Cell = tuple[int, int]

# A 10 MB line must not become a 10 MB error message: only this many characters around the caret are shown.
_EXCERPT = 100


@dataclass(frozen=True)
class Span:
    """A place in a text: file name ("" for none), line and column from 1, the line's text, a width in letters."""

    file: str = ""
    line: int = 1
    column: int = 1
    text: str = ""
    width: int = 1

    def __str__(self) -> str:
        return f"{self.file or '<text>'}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Diagnostic:
    """One fault: `code` is stable, `message` is for people, `cells` are (row, column) pairs from 0."""

    code: str
    message: str
    cells: tuple[Cell, ...] = ()
    span: Span | None = None
    hint: str = ""

    def located(self, file: str) -> Diagnostic:
        """The same diagnostic with its span in `file`, for readers that were given only a text."""
        span = replace(self.span or Span(), file=file)
        return replace(self, span=span)

    def as_json(self) -> dict[str, object]:
        """The stable JSON form; absent parts are left out."""
        out: dict[str, object] = {"code": self.code, "message": self.message}
        if self.cells:
            out["cells"] = [list(cell) for cell in self.cells]
        if self.span:
            out["file"], out["line"], out["column"] = self.span.file, self.span.line, self.span.column
        if self.hint:
            out["hint"] = self.hint
        return out

    def __str__(self) -> str:
        return render(self)


class InputError(ValueError):
    """Input that cannot be read as a puzzle or board; `.diagnostic` says what is wrong and where."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    def __str__(self) -> str:
        return render(self.diagnostic)


def input_error(code: str, message: str, span: Span | None = None, hint: str = "") -> InputError:
    """An `InputError` ready to raise."""
    return InputError(Diagnostic(code, message, span=span, hint=hint))


def cell_name(cell: Cell) -> str:
    """`(0, 2)` -> `"r1c3"`: the form people read."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def counted(number: int, unit: str) -> str:
    """A number of things in words: `1 jump`, `1,234 positions`."""
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def cell_list(cells: tuple[Cell, ...]) -> str:
    """`"r1c1"`, `"r1c1 and r1c2"`, `"r1c1, r1c2 and r2c1"`."""
    names = [cell_name(cell) for cell in cells]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def span_at(text: str, offset: int, file: str = "", width: int = 1) -> Span:
    """The span of character `offset` of `text`."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : len(text) if end < 0 else end]
    return Span(file, text.count("\n", 0, start) + 1, offset - start + 1, line, width)


def render(diagnostic: Diagnostic) -> str:
    """A diagnostic as people read it: message and code, then place, line and caret, then the hint."""
    lines = [f"{diagnostic.message} [{diagnostic.code}]"]
    if diagnostic.span:
        lines.append(f" --> {diagnostic.span}")
        lines += _excerpt(diagnostic.span)
    if diagnostic.hint:
        lines.append(f" hint: {diagnostic.hint}")
    return "\n".join(lines)


def _excerpt(span: Span) -> list[str]:
    if not span.text:
        return []
    start = max(0, span.column - 1 - _EXCERPT // 2) if len(span.text) > _EXCERPT else 0
    shown = span.text[start : start + _EXCERPT].replace("\t", " ")
    shown = "".join(char if char.isprintable() else "\ufffd" for char in shown)
    caret = " " * (span.column - 1 - start) + "^" * max(1, min(span.width, len(shown) - (span.column - 1 - start)))
    number = str(span.line)
    return [f" {' ' * len(number)} |", f" {number} | {shown}", f" {' ' * len(number)} | {caret}"]


# The place of a part of a value, by what `PartError.where` says; games know which parts theirs have.
PartPlace = Callable[[str, Any], Span]


class PartError(InputError):
    """One part of a value is wrong. `where` names the part and its index or cell; ("", None) is the whole.

    Readers use it to point at the place in their text (`located`). Each game documents its parts.
    """

    def __init__(self, code: str, message: str, where: tuple[str, int | Cell | None] = ("", None)) -> None:
        cells = (where[1],) if isinstance(where[1], tuple) else ()
        super().__init__(Diagnostic(code, message, cells))
        self.args = code, message, where  # pickle and copy rebuild it from these
        self.where = where


@contextmanager
def located(place: PartPlace) -> Iterator[None]:
    """Turn `PartError`s raised inside into errors with a place in the text; `place` takes `PartError.where`."""
    try:
        yield
    except PartError as error:
        raise InputError(replace(error.diagnostic, span=place(*error.where))) from None
