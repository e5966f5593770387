"""Pictures of peg solitaire from plain data: boards and tables in text, jumps in words, SVG. Knows no puzzle class."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from dnd.diagnostic import cell_name

Cell = tuple[int, int]
Jump = tuple[int, int, int]

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # of the directions 0 to 3: up, down, left, right
DIRECTIONS = ("up", "down", "left", "right")

_UNIT = 32  # SVG user units a cell
_BOARD, _HOLE, _PEG = "#e8d5b0", "#8a6d3b", "#2b4c7e"


# ---------------------------------------------------------------- jumps


def landing(jump: Jump) -> Cell:
    """The cell where a jump ends."""
    row, column, direction = jump
    down, right = STEPS[direction]
    return row + 2 * down, column + 2 * right


def over(jump: Jump) -> Cell:
    """The cell that a jump goes over."""
    row, column, direction = jump
    down, right = STEPS[direction]
    return row + down, column + right


def runs(jumps: Iterable[Jump]) -> list[tuple[Jump, ...]]:
    """The jumps cut into moves: a move is a run of jumps by one peg, each from where the one before has landed."""
    found: list[tuple[Jump, ...]] = []
    for jump in jumps:
        if found and landing(found[-1][-1]) == jump[:2]:
            found[-1] += (jump,)
        else:
            found.append((jump,))
    return found


def move_words(run: Sequence[Jump]) -> str:
    """A move in words: `r5c4 up`, or `r5c4 up left` for two jumps by that peg."""
    return " ".join([cell_name(run[0][:2]), *(DIRECTIONS[direction] for _, _, direction in run)])


def rows(height: int, width: int, cells: int, pegs: int, final: Cell | None = None, outside: str = "#") -> list[str]:
    """The board, one string per row: `o` peg, `.` empty, `outside` where there is no cell.

    cells, pegs: masks. The cell in which the last peg must end is `x` while it is empty and `X` with a peg in it.
    """
    signs = [".o"[pegs >> cell & 1] if cells >> cell & 1 else outside for cell in range(height * width)]
    if final is not None:
        cell = final[0] * width + final[1]
        signs[cell] = "xX"[pegs >> cell & 1]
    return ["".join(signs[start : start + width]) for start in range(0, len(signs), width)]


def text(
    height: int, width: int, cells: int, pegs: int, final: Cell | None = None, marked: Collection[Cell] = ()
) -> str:
    """The picture in text: the signs of `rows`, two columns a cell, and a star after `marked` cells.

    Outside is blank beside cells, and `#` in rows and columns that have no cell at all. Without marks it reads back.
    """
    drawn = rows(height, width, cells, pegs, final)
    is_empty_column = ["".join(column).count("#") == height for column in zip(*drawn, strict=True)]
    lines = []
    for number, row in enumerate(drawn):
        signs = [
            " " if sign == "#" and row.count("#") < width and not is_empty else sign
            for sign, is_empty in zip(row, is_empty_column, strict=True)
        ]
        stars = ["*" if (number, column) in marked else " " for column in range(width)]
        lines.append("".join(sign + star for sign, star in zip(signs, stars, strict=True)).rstrip())
    return "\n".join(lines)


def table(height: int, width: int, cells: int, entries: Sequence[object], bracketed: int = 0) -> str:
    """Numbers or words on the board, one a cell, in columns of one width; blank outside.

    entries: one for each position, row by row; those outside are not shown. bracketed: the mask of cells whose entries
    stand in brackets, such as the pegs.
    """
    words = [str(entry) if cells >> cell & 1 else "" for cell, entry in enumerate(entries)]
    size = max(map(len, words))
    shown = [f"[{word:>{size}}]" if bracketed >> cell & 1 else f" {word:>{size}} " for cell, word in enumerate(words)]
    return "\n".join("".join(shown[start : start + width]).rstrip() for start in range(0, height * width, width))


def frames(
    height: int, width: int, cells: int, final: Cell | None, positions: Iterable[int], jumps: Sequence[Jump]
) -> Iterator[str]:
    """A picture of each position with the jump that has led to it in words, its landing starred; the start first.

    positions: the masks of pegs before the first jump and after each one.
    """
    for number, pegs in enumerate(positions):
        jump = jumps[number - 1] if number else None
        title = "start" if jump is None else f"{number}. {move_words([jump])}"
        yield f"{title}\n{text(height, width, cells, pegs, final, [] if jump is None else [landing(jump)])}"


# ---------------------------------------------------------------- SVG


def svg(height: int, width: int, cells: int, pegs: int, final: Cell | None = None) -> str:
    """The picture as a stand-alone SVG text: pegs are discs; the final cell has a square."""
    size = f'width="{(width + 1) * _UNIT}" height="{(height + 1) * _UNIT}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>']
    places = [divmod(cell, width) for cell in range(height * width) if cells >> cell & 1]
    parts += [_square(place, _UNIT, _BOARD, _BOARD) for place in places]
    parts += [] if final is None else [_square(final, _UNIT * 3 // 4, "none", _HOLE)]
    for row, column in places:
        is_peg = pegs >> row * width + column & 1
        parts.append(_circle((row, column), 10 if is_peg else 4, _PEG if is_peg else _HOLE))
    return "\n".join([*parts, "</svg>"])


def _square(place: Cell, side: int, fill: str, stroke: str) -> str:
    row, column = ((index + 1) * _UNIT - side // 2 for index in place)
    return f'<rect x="{column}" y="{row}" width="{side}" height="{side}" fill="{fill}" stroke="{stroke}"/>'


def _circle(place: Cell, radius: int, fill: str) -> str:
    row, column = ((index + 1) * _UNIT for index in place)
    return f'<circle cx="{column}" cy="{row}" r="{radius}" fill="{fill}"/>'
