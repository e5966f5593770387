"""Pictures of a Suguru from plain data: text with framed cages, SVG. Knows no puzzle class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from html import escape

Cell = tuple[int, int]

_CELL = 32  # SVG user units a cell
_HOLE = -1
_OUTSIDE = -2
_BOLD = {ord(digit): 0x1D7CE + value for value, digit in enumerate("0123456789")}  # mathematical bold digits
# Corner signs by the heavy lines that meet there: 1 up, 2 right, 4 down, 8 left.
_CORNERS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"


def text(
    height: int,
    width: int,
    cages: Sequence[int],
    values: Sequence[int],
    givens: Sequence[int],
    marked: Collection[Cell] = (),
) -> str:
    """The picture in text: heavy lines between cages, three columns a cell, `.` where unknown, `#` in holes.

    cages: a number a cell, row by row, -1 for holes. values: likewise, 0 for unknown; those that are givens are
    written in bold digits, which are signs of their own. `marked` cells get a star; without any it reads back with
    `dnd.loads`.
    """
    across, down = _borders(height, width, cages)
    shown = [_value(cage, value, value == given) for cage, value, given in zip(cages, values, givens, strict=True)]
    for row, column in marked:
        shown[row * width + column] = shown[row * width + column][:2] + "*"
    lines = []
    for row in range(height + 1):
        lines.append(_line(row, width, across, down))
        if row < height:
            lines.append(_row(row, shown[row * width : (row + 1) * width], down))
    return "\n".join(lines)


Border = Callable[[int, int], bool]


def _borders(height: int, width: int, cages: Sequence[int]) -> tuple[Border, Border]:
    """Is there a border above cell (row, column), and is there one left of it? One further than the grid either way.

    The grid as a whole has a frame, holes at its edge too.
    """

    def cage(row: int, column: int) -> int:
        return cages[row * width + column] if 0 <= row < height and 0 <= column < width else _OUTSIDE

    def across(row: int, column: int) -> bool:
        return cage(row - 1, column) != cage(row, column)

    def down(row: int, column: int) -> bool:
        return cage(row, column - 1) != cage(row, column)

    return across, down


def _line(row: int, width: int, across: Border, down: Border) -> str:
    """The line above a row of cells."""
    line = ""
    for column in range(width + 1):
        arms = down(row - 1, column), across(row, column), down(row, column), across(row, column - 1)
        line += _CORNERS[sum(arm << bit for bit, arm in enumerate(arms))]
        line += ("━" if arms[1] else " ") * 3 if column < width else ""
    return line


def _row(row: int, shown: Sequence[str], down: Border) -> str:
    """A row of cells with the lines between them."""
    walls = ["┃" if down(row, column) else " " for column in range(len(shown) + 1)]
    return walls[0] + "".join(value + wall for value, wall in zip(shown, walls[1:], strict=True))


def _value(cage: int, value: int, is_given: bool) -> str:
    if cage == _HOLE and not value:
        return " # "
    number = str(value or ".").rjust(2) + " "
    return number.translate(_BOLD) if is_given else number


def svg(
    height: int,
    width: int,
    cages: Sequence[int],
    values: Sequence[int],
    givens: Sequence[int],
    marked: Collection[Cell] = (),
) -> str:
    """The picture as a stand-alone SVG text, givens bold; `marked` cells get a red frame."""
    size = f"{(width + 1) * _CELL}", f"{(height + 1) * _CELL}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" width="{size[0]}" '
        f'height="{size[1]}" font-family="sans-serif" font-size="18" text-anchor="middle" dominant-baseline="central">'
    ]
    for cell, (cage, value) in enumerate(zip(cages, values, strict=True)):
        row, column = divmod(cell, width)
        parts.append(_svg_square(row, column, "#9a9a9a" if cage == _HOLE else "#ffffff"))
        if value:
            parts.append(_svg_sign(row, column, str(value), bold=value == givens[cell]))
    parts.append(_svg_borders(height, width, cages))
    parts += [_svg_square(row, column, "none", "#d02020", 3) for row, column in sorted(marked)]
    return "\n".join([*parts, "</svg>"])


def _svg_borders(height: int, width: int, cages: Sequence[int]) -> str:
    across, down = _borders(height, width, cages)
    strokes = []
    for row in range(height + 1):
        for column in range(width + 1):
            start = f"M{column * _CELL + _CELL // 2} {row * _CELL + _CELL // 2}"
            strokes += [f"{start}h{_CELL}"] if across(row, column) else []
            strokes += [f"{start}v{_CELL}"] if down(row, column) else []
    return f'<path d="{"".join(strokes)}" fill="none" stroke="#000000" stroke-width="3" stroke-linecap="square"/>'


def _svg_square(row: int, column: int, fill: str, stroke: str = "#9a9a9a", line: int = 1) -> str:
    place = f'x="{column * _CELL + _CELL // 2}" y="{row * _CELL + _CELL // 2}" width="{_CELL}" height="{_CELL}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}" stroke-width="{line}"/>'


def _svg_sign(row: int, column: int, sign: str, bold: bool) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{(column + 1) * _CELL}" y="{(row + 1) * _CELL}"{weight}>{escape(sign)}</text>'
