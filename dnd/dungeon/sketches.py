"""Drawn dungeons without clues, as setters sketch them: rows of letters, an empty line between two drawings.

    // the name, if any            # wall   . floor   M monster   T treasure   ? not decided yet
    ##M#
    #..?                           Blanks within a row are skipped: `# # M #` is the same row.

Here `.` is always a floor. (In a puzzle with clues a drawing without walls has only undecided cells.)
"""

from __future__ import annotations

from collections.abc import Iterator

from dnd.diagnostic import Span, counted, input_error, located
from dnd.dungeon import alphabet
from dnd.dungeon.puzzle import Puzzle, check_shape
from dnd.game import Entry
from dnd.texts.lines import Line, lines, short_lines

_COMMENT = "//"
_SIGNS = frozenset(alphabet.LETTERS)
_ELSEWHERE = frozenset("0123456789=:{}[]\"'/")  # some of these are in every other format


def is_drawing(text: str) -> bool:
    """Whether a text can be nothing else: rows of drawings, and comments, perhaps with a few signs that are none."""
    signs = "".join("".join(line.text.split()) for line in lines(text) if not _is_comment(line))
    return _ELSEWHERE.isdisjoint(signs) and 2 * sum(sign in _SIGNS for sign in signs) > len(signs)


def read(text: str, file: str) -> Iterator[Entry]:
    """The drawings of a text, each as a puzzle whose clues are unknown, with its board. `InputError` with the place."""
    name = ""
    block: list[Line] = []
    for line in short_lines(text, file):
        if _is_comment(line):
            name = name or line.text.strip().removeprefix(_COMMENT).strip()
        elif line.text.strip():
            block.append(line)
        elif block:
            yield _entry(block, name)
            name, block = "", []
    if block:
        yield _entry(block, name)


def _is_comment(line: Line) -> bool:
    return line.text.lstrip().startswith(_COMMENT)


def _entry(block: list[Line], name: str) -> Entry:
    width = len("".join(block[0].text.split()))
    with located(lambda *_: block[0].span()):
        check_shape(len(block), width)
    signs = [[(at, sign) for at, sign in enumerate(line.text) if not sign.isspace()] for line in block]
    rows = [[sign for _, sign in row] for row in signs]

    def place(row: int, column: int) -> Span:
        if row >= len(block):
            return block[-1].span(len(block[-1].text))
        return block[row].span(signs[row][column][0] if column < len(signs[row]) else len(block[row].text))

    for number, row in enumerate(rows):
        if len(row) != width:
            message = f"row {number + 1} has {counted(len(row), 'cell')}, the first row has {width}"
            raise input_error("row-length", message, place(number, min(len(row), width)))
    letters = alphabet.translated(rows, alphabet.LETTERS, place)
    puzzle = Puzzle(
        (None,) * len(rows), (None,) * width, alphabet.mask(letters, "M"), alphabet.mask(letters, "T"), name
    )
    return Entry(alphabet.GAME_NAME, puzzle, alphabet.board(letters, puzzle.objects), name, span=block[0].span())
