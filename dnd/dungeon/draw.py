"""Pictures of a dungeon from plain data: letters, text with clues, SVG. Knows no puzzle class."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

Clue = int | None
Cell = tuple[int, int]

_CELL = 32  # SVG user units a cell
_FILL = {"#": "#3d4f6b", "?": "#e4e4e4"}
_SIGN = {"M": "M", "T": "T", "?": "?"}


def letters(height: int, width: int, monsters: int, treasures: int, walls: int = 0, unknown: int = 0) -> list[str]:
    """One string per row: `#` wall (hiding what is in it), `M` monster, `T` treasure, `?` unknown, `.` the rest."""

    def letter(bit: int) -> str:
        for mask, sign in ((walls, "#"), (monsters, "M"), (treasures, "T"), (unknown, "?")):
            if mask >> bit & 1:
                return sign
        return "."

    return ["".join(letter(row * width + column) for column in range(width)) for row in range(height)]


def text(rows: Sequence[str], row_clues: Sequence[Clue], column_clues: Sequence[Clue]) -> str:
    """The picture in text: column clues on top, each row after its clue. Reads back with `dnd.loads`.

    Clues of two digits make all cells two wide, separated by blanks.
    """
    signs = [_clue(clue) for clue in (*row_clues, *column_clues)]
    wide = max(map(len, signs))
    gap = "" if wide == 1 else " "
    lines = [gap.join([" " * wide, *(_clue(clue).rjust(wide) for clue in column_clues)])]
    for clue, row in zip(row_clues, rows, strict=True):
        lines.append(gap.join([_clue(clue).rjust(wide), *(letter.rjust(wide) for letter in row)]))
    return "\n".join(lines)


def svg(
    rows: Sequence[str],
    row_clues: Sequence[Clue],
    column_clues: Sequence[Clue],
    marked: Collection[Cell] = (),
) -> str:
    """The picture as a stand-alone SVG text, clues above and at the left; `marked` cells get a red frame."""
    height, width = len(rows), len(rows[0])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {(width + 1) * _CELL} {(height + 1) * _CELL}" '
        f'width="{(width + 1) * _CELL}" height="{(height + 1) * _CELL}" '
        'font-family="sans-serif" font-size="18" text-anchor="middle" dominant-baseline="central">'
    ]
    parts += [_svg_sign(-1, column, _clue(clue)) for column, clue in enumerate(column_clues)]
    parts += [_svg_sign(row, -1, _clue(clue)) for row, clue in enumerate(row_clues)]
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            parts.append(_svg_square(row, column, _FILL.get(letter, "#ffffff")))
            if letter in _SIGN:
                parts.append(_svg_sign(row, column, _SIGN[letter]))
    parts += [_svg_square(row, column, "none", "#d02020", 3) for row, column in sorted(marked)]
    return "\n".join([*parts, "</svg>"])


def _clue(clue: Clue) -> str:
    return "?" if clue is None else str(clue)


def _svg_square(row: int, column: int, fill: str, stroke: str = "#9a9a9a", line: int = 1) -> str:
    place = f'x="{(column + 1) * _CELL}" y="{(row + 1) * _CELL}" width="{_CELL}" height="{_CELL}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}" stroke-width="{line}"/>'


def _svg_sign(row: int, column: int, sign: str) -> str:
    place = f'x="{(column + 1) * _CELL + _CELL // 2}" y="{(row + 1) * _CELL + _CELL // 2}"'
    return f"<text {place}>{escape(sign)}</text>"
