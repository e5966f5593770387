"""Formats of other programs: CodinGame, janko, grids with areas, puzz.link, pzprv3; and our own pictures.

What each looks like is in docs/suguru.md. All of them end in `cells`: cages, values and places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dnd.diagnostic import Span, counted, input_error, located
from dnd.game import Entry
from dnd.suguru import alphabet
from dnd.suguru.alphabet import GAME_NAME
from dnd.suguru.puzzle import HOLE, MAX_CAGE, MAX_SIDE, Board, Puzzle, check_shape, components, numbered, picture
from dnd.texts.lines import Line, lines, short_lines

_WORD = re.compile(r"[^ \t]+")


class _Row(NamedTuple):
    """A line of cells and where each of them, and the end, stands in it."""

    line: Line
    cells: list[str]
    starts: list[int]


class _Grid:
    """Rows of cells with places."""

    def __init__(self, rows: Sequence[_Row], after: Span) -> None:
        self.rows = rows
        self.after = after
        self.cells = [row.cells for row in rows]

    def place(self, row: int, column: int) -> Span:
        """Where a cell stands; column = the row's length: after it; row = their number: after the last."""
        return self.rows[row].line.span(self.rows[row].starts[column]) if row < len(self.rows) else self.after


def _row(line: Line, pattern: re.Pattern[str] = _WORD) -> _Row:
    found = list(pattern.finditer(line.text))
    return _Row(line, [word[0] for word in found], [word.start() for word in found] + [len(line.text.rstrip())])


def _row_of(line: Line, width: int) -> _Row:
    """A row of `width` cells that blanks separate, or without blanks one character each."""
    row = _row(line)
    if len(row.cells) == 1 and len(row.cells[0]) == width:
        start = row.starts[0]
        return _Row(line, list(row.cells[0]), list(range(start, start + width + 1)))
    return row


def _grid(found: Sequence[Line], height: int, width: int, after: Span) -> _Grid:
    """A grid of that size; `InputError` row-length, row-number."""
    grid = _Grid([_row_of(line, width) for line in found], after)
    alphabet.check_rows(grid.cells, height, width, grid.place)
    return grid


class _Lines:
    """The lines of a text that are not blank, taken one by one."""

    def __init__(self, every: Iterable[Line]) -> None:
        self.found = [line for line in every if line.text.strip()]
        last = self.found[-1] if self.found else Line("", 1, "")
        self.end = last.span(len(last.text.rstrip()))
        self.at = 0

    def __bool__(self) -> bool:
        return self.at < len(self.found)

    @property
    def place(self) -> Span:
        """Where the next line, or the end, is."""
        return self.found[self.at].span() if self else self.end

    def take(self, number: int) -> list[Line]:
        """The next lines, fewer at the end."""
        taken = self.found[self.at : self.at + number]
        self.at += len(taken)
        return taken


_NUMBER = re.compile(r"[0-9]{1,9}")


def _sizes(line: Line, names: tuple[str, str]) -> tuple[int, int]:
    """The two numbers of a line, each of which a side may have."""
    row = _row(line)
    if len(row.cells) != 2:
        message = f"expected two numbers: {names[0]} and {names[1]}"
        raise input_error("bad-size", message, line.span(row.starts[0] if row.cells else 0))
    return _size(row.cells[0], line.span(row.starts[0])), _size(row.cells[1], line.span(row.starts[1]))


def _size(word: str, place: Span) -> int:
    if not _NUMBER.fullmatch(word):
        raise input_error("bad-size", f"{alphabet.shown(word)} is not a number of rows or columns", place)
    if not 1 <= int(word) <= MAX_SIDE:
        code = "too-large" if int(word) else "empty-board"
        raise input_error(code, f"a side of {counted(int(word), 'cell')}; it must be 1 to {MAX_SIDE}", place)
    return int(word)


def _no_board(board: Board | None, what: str) -> None:
    if board is not None:
        raise alphabet.refuse(f"{what} has no place for a board")


def _no_holes(puzzle: Puzzle, what: str) -> None:
    if HOLE in puzzle.cages:
        raise alphabet.refuse(f"{what} has no holes")


# ---------------------------------------------------------------- CodinGame

_CAGE_AND_VALUE = re.compile(r"([A-Za-z])[ \t]*([0-9]+|\.)|[^ \t]")
_SIZES = re.compile(r"[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]*")
_PAIRS = re.compile(r"[ \t]*[A-Za-z][ \t]*[.0-9].*")
_GLUED = 9  # the largest value with one digit


def is_codingame(found: Sequence[str]) -> bool:
    """Whether lines begin with a size and a row of letters with values."""
    return len(found) > 1 and bool(_SIZES.fullmatch(found[0]) and _PAIRS.fullmatch(found[1]))


def read_codingame(text: str, file: str) -> Iterator[Entry]:
    """`width height`, then rows of a cage letter and a digit or a dot for each cell; one or more puzzles."""
    source = _Lines(lines(text, file))
    while source:
        header = source.take(1)[0]
        width, height = _sizes(header, ("the width", "the height"))
        rows = [_row(line, _CAGE_AND_VALUE) for line in source.take(height)]
        grid = _Grid(rows, source.place)
        for number, row in enumerate(grid.cells):
            _check_pairs(row, number, grid)
        alphabet.check_rows(grid.cells, height, width, grid.place)
        labels = [pair[0] for row in grid.cells for pair in row]
        values = alphabet.numbers([[pair[1:].strip() for pair in row] for row in grid.cells], grid.place)
        puzzle = alphabet.puzzle(components(labels, width), values, width, "", grid.place, grid.place)
        yield Entry(GAME_NAME, puzzle, span=header.span())


def _check_pairs(row: list[str], number: int, grid: _Grid) -> None:
    for column, pair in enumerate(row):
        if len(pair) < 2:
            message = f"{pair!r} is not a letter followed by a digit or a dot"
            raise input_error("bad-letter", message, grid.place(number, column))


def write_codingame(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """The puzzle as CodinGame's tests have it."""
    _no_board(board, "CodinGame's format")
    _no_holes(puzzle, "CodinGame's format")
    if max(puzzle.givens) > _GLUED:
        raise alphabet.refuse(f"CodinGame's format has one digit a cell, no given above {_GLUED}")
    rows = zip(puzzle.letters(), puzzle.signs(), strict=True)
    drawn = [" ".join(map("".join, zip(letters, signs, strict=True))) for letters, signs in rows]
    return "\n".join([f"{puzzle.width} {puzzle.height}", *drawn])


def codingame_answer(_number: int, puzzle: Puzzle, boards: Sequence[Board]) -> str | None:
    """The first solution as CodinGame expects it: rows of digits, glued together. `InputError` not-writable."""
    if not boards:
        return None
    _no_holes(puzzle, "CodinGame's answer")
    if max(boards[0].values) > _GLUED:
        raise alphabet.refuse(f"CodinGame's answer glues digits, it cannot hold a value above {_GLUED}")
    return "\n".join(puzzle.signs(boards[0]))


# ---------------------------------------------------------------- grids with areas

_AREA_VALUES = re.compile(r"[ \t]*[-._?0-9][-._?0-9 \t]*")
_AREA_NAMES = re.compile(r"[-0-9 \t]+|[-A-Za-z \t]+")
_AREA_HOLES = frozenset("-.#_")


def is_areas(found: Sequence[str]) -> bool:
    """Whether lines begin with a size, a grid of values of that size and rows of areas, holes written as `-`."""
    sizes = _SIZES.fullmatch(found[0]) if found else None
    if not sizes or max(map(len, sizes.groups())) > 2:
        return False
    height, width = map(int, sizes.groups())
    grid, areas = found[1 : height + 1], found[height + 1 : 2 * height + 1]
    is_wide = all(len(_row_of(Line("", 0, line), width).cells) == width for line in [*grid, *areas[:1]])
    are_named = any(char.isalnum() for line in areas for char in line) and all(map(_AREA_NAMES.fullmatch, areas))
    return is_wide and are_named and all(map(_AREA_VALUES.fullmatch, grid))


def read_areas(text: str, file: str) -> Iterator[Entry]:
    """`height width`, the grid of values, the grid of areas (numbers, each one cage, or letters); puzzle by puzzle."""
    source = _Lines(lines(text, file))
    while source:
        header = source.take(1)[0]
        height, width = _sizes(header, ("the height", "the width"))
        values = _grid(source.take(height), height, width, source.place)
        areas = _grid(source.take(height), height, width, source.place)
        yield Entry(GAME_NAME, _with_areas(values, areas, width, ""), span=header.span())


def _with_areas(values: _Grid, areas: _Grid, width: int, name: str) -> Puzzle:
    """The puzzle of a grid of values and one of areas."""
    names = [None if word in _AREA_HOLES else word for row in areas.cells for word in row]
    for cell, word in enumerate(names):
        if word is not None and not (word.isascii() and word.isalnum()):
            place = areas.place(*divmod(cell, width))
            raise input_error("bad-letter", f"{alphabet.shown(word)} is not an area", place, "a number or a letter")
    are_letters = any(word and word.isalpha() for word in names)
    cages = components(names, width) if are_letters else numbered(names)
    givens = alphabet.numbers(values.cells, values.place)
    return alphabet.puzzle(cages, givens, width, name, areas.place, values.place)


def _written(values: Sequence[int], width: int, empty: str) -> list[str]:
    """Rows of numbers, blanks between."""
    words = [str(value) if value else empty for value in values]
    return [" ".join(words[start : start + width]) for start in range(0, len(words), width)]


def _written_areas(puzzle: Puzzle) -> list[str]:
    return _written([cage + 1 for cage in puzzle.cages], puzzle.width, "-")


def write_areas(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """`height width`, the givens with `.` for none, the cages numbered from 1 with `-` for holes."""
    _no_board(board, "a grid with areas")
    givens = _written(puzzle.givens, puzzle.width, ".")
    return "\n".join([f"{puzzle.height} {puzzle.width}", *givens, *_written_areas(puzzle)])


# ---------------------------------------------------------------- janko

_JANKO_GAME = re.compile(r"[ \t]*puzzle[ \t]+suguru[ \t]*", re.IGNORECASE)
_JANKO_WORDS = ("problem", "areas", "solution", "moves", "end", "begin")
_JANKO_BLOCKS = ("problem", "areas", "solution")


def is_janko(found: Sequence[str]) -> bool:
    """Whether some line says so, or there are blocks for the values and the areas."""
    words = [line.strip().lower() for line in found]
    return any(map(_JANKO_GAME.fullmatch, found)) or ("problem" in words and "areas" in words)


def read_janko(text: str, file: str) -> Iterator[Entry]:
    """Puzzles of blocks `problem`, `areas` and perhaps `solution`, between `begin` and `end` if there are several."""
    source = _Lines(lines(text, file))
    while source:
        start = source.place
        fields, blocks = _janko_parts(source)
        if not fields and not blocks:
            continue  # begin and end with nothing between
        yield _janko_entry(fields, blocks, start, source.place)


def _janko_parts(source: _Lines) -> tuple[dict[str, Line], dict[str, list[Line]]]:
    """The lines before the blocks by their first word, and the blocks by their title, up to `end`."""
    fields: dict[str, Line] = {}
    blocks: dict[str, list[Line]] = {}
    title = ""
    for line in iter(lambda: source.take(1), []):
        word = line[0].text.split()[0].lower()
        if word == "end":
            break
        if line[0].text.strip().lower() in _JANKO_WORDS:
            title = word
            if title in blocks:
                raise input_error("bad-field", f"there is a second block {title}", line[0].span())
            if title != "begin":
                blocks[title] = []
        elif title in blocks:
            blocks[title].append(line[0])
        else:
            fields.setdefault(word, line[0])
    return fields, blocks


def _janko_entry(fields: dict[str, Line], blocks: dict[str, list[Line]], start: Span, after: Span) -> Entry:
    for title in _JANKO_BLOCKS[:2]:
        if title not in blocks:
            raise input_error("missing-key", f"the block {title} is missing", after)
    height, width = _janko_shape(fields, blocks["problem"], after)
    grids = {
        title: _grid(blocks[title], height, width, _behind(blocks[title], after))
        for title in _JANKO_BLOCKS
        if title in blocks
    }
    title = fields["title"].text.strip()[len("title") :].strip() if "title" in fields else ""
    puzzle = _with_areas(grids["problem"], grids["areas"], width, title)
    board = None
    if "solution" in grids:
        solution = grids["solution"]
        board = alphabet.board(puzzle, alphabet.numbers(solution.cells, solution.place), solution.place)
    return Entry(GAME_NAME, puzzle, board, title, span=start)


def _behind(block: list[Line], after: Span) -> Span:
    return block[-1].span(len(block[-1].text.rstrip())) if block else after


def _janko_shape(fields: dict[str, Line], problem: list[Line], after: Span) -> tuple[int, int]:
    """Height and width: of the lines `size`, `rows` and `cols` if there are any, else as they are drawn."""
    sizes = {}
    for word in ("size", "rows", "cols"):
        if word in fields:
            row = _row(fields[word])
            number = row.cells[1] if len(row.cells) > 1 else ""
            sizes[word] = _size(number, fields[word].span(row.starts[1]))
    height, width = sizes.get("rows", sizes.get("size", len(problem))), sizes.get("cols", sizes.get("size", 0))
    place = problem[0].span() if problem else after
    width = width or (len(_row(problem[0]).cells) if problem else 0)
    with located(lambda *_: place):
        check_shape(height, width)
    return height, width


def write_janko(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """A janko text; what the board has decided as its solution."""
    title = [f"title {name}"] if name.isprintable() and name.strip() == name != "" else []
    parts = ["begin", "puzzle suguru", *title, f"rows {puzzle.height}", f"cols {puzzle.width}"]
    parts += ["problem", *_written(puzzle.givens, puzzle.width, "-"), "areas", *_written_areas(puzzle)]
    if board is not None:
        parts += ["solution", *_written(board.values, puzzle.width, "-")]
    return "\n".join([*parts, "end"])


# ---------------------------------------------------------------- puzz.link

_LINK = re.compile(r"(?:\S*[?/])?suguru/\S*")
_LINK_PARTS = re.compile(r"(?:.*[?/])?suguru/([^/]*)/([^/]*)/([^/?#&]*)")
_BITS = "0123456789abcdefghijklmnopqrstuv"
_RUNS = "ghijklmnopqrstuvwxyz"
_HEXADECIMAL = re.compile(r"[0-9a-f]+")
_WIDE = {"-": 2, "+": 3, "=": 3, "%": 3}  # signs before numbers of two or three digits
_LINK_HEAD = "https://puzz.link/p?suguru"


def is_link(line: str) -> bool:
    """Whether a line begins with a link, or its end, be it broken."""
    words = line.split(maxsplit=1)
    return bool(words) and bool(_LINK.fullmatch(words[0]))


def read_links(text: str, file: str) -> Iterator[Entry]:
    """Links, or what follows the question mark in one, one a line; what follows after blanks is the name."""
    for line in short_lines(text, file):
        words = line.text.split(maxsplit=1)
        if words and not words[0].startswith("#"):
            name = words[1].strip() if len(words) > 1 else ""
            yield _linked(words[0], line, len(line.text) - len(line.text.lstrip()), name)


def _linked(link: str, line: Line, start: int, name: str) -> Entry:
    found = _LINK_PARTS.match(link)
    if not found:
        raise input_error("bad-link", "a link ends in suguru/<columns>/<rows>/<body>", line.span(start + len(link)))
    width, height = (_size(found[number], line.span(start + found.start(number))) for number in (1, 2))
    body = _Body(found[3], line.piece(start + found.start(3)))
    right, below = body.bits((width - 1) * height), body.bits(width * (height - 1))
    givens = body.givens(height * width)
    cages = alphabet.bordered(height, width, lambda cell: right[cell - cell // width], lambda cell: below[cell])
    place = line.span(start)
    puzzle = alphabet.puzzle(cages, givens, width, name, lambda *_: place, lambda *_: place)
    return Entry(GAME_NAME, puzzle, name=name, span=place)


class _Body:
    """The last part of a link, read from the front."""

    def __init__(self, text: str, line: Line) -> None:
        self.text, self.line, self.at = text, line, 0

    def place(self, offset: int = 0) -> Span:
        return self.line.span(self.at + offset)

    def take(self, number: int, known: str, what: str) -> str:
        """The next signs, all of them known ones."""
        taken = self.text[self.at : self.at + number]
        for offset, sign in enumerate(taken):
            if sign not in known:
                raise input_error("bad-link", f"{sign!r} is not allowed in the {what}", self.place(offset))
        if len(taken) < number:
            raise input_error("truncated", f"the link breaks off in the {what}", self.place(len(taken)))
        self.at += number
        return taken

    def bits(self, number: int) -> list[bool]:
        """Borders, five to a sign."""
        signs = self.take(-(-number // 5), _BITS, "borders")
        bits = [bool(_BITS.index(sign) >> shift & 1) for sign in signs for shift in (4, 3, 2, 1, 0)]
        if any(bits[number:]):
            self.at -= 1
            raise input_error("bad-link", "there are more borders than the grid has", self.place())
        return bits[:number]

    def givens(self, number: int) -> list[int]:
        """A given a cell, 0 for none; runs of empty cells are letters."""
        givens: list[int] = []
        while len(givens) < number:
            at = self.at
            sign = self.take(1, f"0123456789abcdef.{_RUNS}{''.join(_WIDE)}", "givens")
            if sign in _RUNS:
                givens += [0] * (_RUNS.index(sign) + 1)
            else:
                givens.append(0 if sign == "." else self.given(sign))
            if len(givens) > number:
                raise input_error("bad-link", "there are more cells in the givens than in the grid", self.line.span(at))
        if self.at < len(self.text):
            raise input_error("trailing-data", "there is text after the last given", self.place())
        return givens

    def given(self, sign: str) -> int:
        at = self.at - 1
        digits = self.take(_WIDE[sign], "0123456789abcdef", "digits of a given") if sign in _WIDE else sign
        value = int(digits, 16) + {"=": 4096, "%": 8192}.get(sign, 0)
        if not 1 <= value <= MAX_CAGE:
            raise input_error("given-range", f"a given of {value}; it must be 1 to {MAX_CAGE}", self.line.span(at))
        return value


def write_link(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """A puzz.link address."""
    _no_board(board, "a link")
    _no_holes(puzzle, "a link")
    cages, width = puzzle.cages, puzzle.width
    right = [cages[cell] != cages[cell + 1] for cell in range(len(cages)) if cell % width < width - 1]
    below = [cages[cell] != cages[cell + width] for cell in range(len(cages) - width)]
    body = _packed(right) + _packed(below) + _link_givens(puzzle.givens)
    return f"{_LINK_HEAD}/{width}/{puzzle.height}/{body}"


def _packed(bits: Sequence[bool]) -> str:
    fives = [[*bits[start : start + 5], *[False] * 5][:5] for start in range(0, len(bits), 5)]
    return "".join(_BITS[sum(bit << 4 - place for place, bit in enumerate(five))] for five in fives)


def _link_givens(givens: Sequence[int]) -> str:
    out, run = "", 0
    for given in givens:
        if given or run == len(_RUNS):
            out, run = out + (_RUNS[run - 1] if run else ""), 0
        if given:
            out += f"{given:x}" if given < 16 else f"-{given:x}"
        else:
            run += 1
    return out + (_RUNS[run - 1] if run else "")


# ---------------------------------------------------------------- pzprv3, puzz.link's files

_PZPR_HEAD = re.compile(r"pzprv3(\.[0-9]+)?[/\n]suguru[/\n]")
_PZPR_PIECE = re.compile(r"[^/\n]*")
_PZPR_NOTES = re.compile(r"\[[0-9,]*\]")
_PZPR_MARKS = ("+", "-", "=", "%", ".")


def is_pzprv3(head: str) -> bool:
    """Whether a text begins as such a file."""
    return bool(_PZPR_HEAD.match(head.lstrip()))


def read_pzprv3(text: str, file: str) -> Iterator[Entry]:
    """One puzzle: borders right of cells, borders below them, givens, and what has been filled in."""
    source = _Lines(_pzpr_lines(text, file))
    heads = source.take(4)
    if len(heads) < 4 or not is_pzprv3("\n".join(line.text.strip() for line in heads)):
        message = "expected pzprv3, suguru, and the numbers of rows and columns, each on a line"
        raise input_error("truncated", message, source.place if len(heads) < 4 else heads[0].span())
    height, width = (_size(line.text.strip(), line.span(_row(line).starts[0])) for line in heads[2:])
    right = _pzpr_borders(source, height, width - 1)
    below = _pzpr_borders(source, height - 1, width)
    cages = alphabet.bordered(height, width, lambda cell: right[cell - cell // width], lambda cell: below[cell])
    givens = _grid(source.take(height), height, width, source.place)
    values = alphabet.numbers(givens.cells, givens.place)
    puzzle = alphabet.puzzle(cages, values, width, "", givens.place, givens.place)
    yield Entry(GAME_NAME, puzzle, _pzpr_board(source, puzzle), span=heads[0].span())


def _pzpr_lines(text: str, file: str) -> Iterator[Line]:
    """The lines that are not blank; a file in one line has slashes between them."""
    for line in lines(text, file):
        for piece in _PZPR_PIECE.finditer(line.text):
            if piece[0].strip():
                # Blanks in place of what stands before it keep its columns.
                yield Line(file, line.number, " " * piece.start() + piece[0])


def _pzpr_borders(source: _Lines, height: int, width: int) -> list[bool]:
    """Rows of 0 and 1; a row of none is not written."""
    if not height or not width:
        return []
    grid = _grid(source.take(height), height, width, source.place)
    for row, words in enumerate(grid.cells):
        for column, word in enumerate(words):
            if word not in ("0", "1"):
                raise input_error("bad-letter", f"{alphabet.shown(word)} is neither 0 nor 1", grid.place(row, column))
    return [word == "1" for words in grid.cells for word in words]


def _pzpr_board(source: _Lines, puzzle: Puzzle) -> Board | None:
    """What has been filled in, None if nothing; pencil marks are left out."""
    if not source:
        return None
    grid = _grid(source.take(puzzle.height), puzzle.height, puzzle.width, source.place)
    words = [[_PZPR_NOTES.sub("", word) for word in row] for row in grid.cells]
    plain = [["." if word in _PZPR_MARKS or not word else word for word in row] for row in words]
    values = alphabet.numbers(plain, grid.place)
    return alphabet.board(puzzle, values, grid.place) if any(values) else None


# ---------------------------------------------------------------- pictures

_FRAME = frozenset("╹╺┗╻┃┏┣╸┛━┻┓┫┳╋")
_BOLD = {0x1D7CE + value: str(value) for value in range(10)}
_STEP = 4  # characters from cell to cell


def has_frame(head: str) -> bool:
    """Whether a text shows a picture: a line from frame to frame (a title or a name may hold any character)."""
    drawn = [line.text.strip() for line in lines(head)]
    return any(len(line) > 1 and line[0] in _FRAME and line[-1] in _FRAME for line in drawn)


def read_pictures(text: str, file: str) -> Iterator[Entry]:
    """Pictures as `draw.text` makes them, bold digits givens; a line of other text before one is its name."""
    title = ""
    block: list[Line] = []
    for line in [*lines(text, file), Line(file, 0, "")]:
        if not _FRAME.isdisjoint(line.text):
            block.append(line)
        elif block:
            yield _framed(block, title)
            title, block = line.text.strip(), []
        elif line.text.strip():
            title = line.text.strip()


def _framed(block: list[Line], name: str) -> Entry:
    height, width = len(block) // 2, (max(len(line.text.rstrip()) for line in block) - 1) // _STEP
    if len(block) % 2 == 0:
        raise input_error("row-number", "a picture has a line of frame above and below each row", block[-1].span())
    with located(lambda *_: block[0].span()):
        check_shape(height, width)
    texts = [line.text.ljust(width * _STEP + 1) for line in block]
    words = [[texts[2 * r + 1][_STEP * c + 1 : _STEP * c + _STEP].strip() for c in range(width)] for r in range(height)]

    def place(row: int, column: int) -> Span:
        return block[2 * row + 1].span(min(_STEP * column + 2, len(block[2 * row + 1].text)))

    def right(cell: int) -> bool:
        row, column = divmod(cell, width)
        return texts[2 * row + 1][_STEP * (column + 1)] != " "

    def below(cell: int) -> bool:
        row, column = divmod(cell, width)
        return texts[2 * row + 2][_STEP * column + 2] != " "

    labels = alphabet.bordered(height, width, right, below)
    flat = [word for row in words for word in row]
    cages = numbered([None if word == alphabet.HOLE_SIGN else label for label, word in zip(labels, flat, strict=True)])
    values = alphabet.numbers([[_plain(word) for word in row] for row in words], place)
    givens = [value if ord(word[:1] or ".") in _BOLD else 0 for word, value in zip(flat, values, strict=True)]
    puzzle = alphabet.puzzle(cages, givens, width, name, place, place)
    board = alphabet.board(puzzle, values, place) if givens != values else None
    return Entry(GAME_NAME, puzzle, board, name, span=block[0].span())


def _plain(word: str) -> str:
    """A cell's number in plain digits, or a dot."""
    return "." if word == alphabet.HOLE_SIGN else word.translate(_BOLD)


def write_picture(puzzle: Puzzle, board: Board | None, name: str) -> str:
    """The picture of `draw.text`, under the name if that can stand in a line."""
    if board is not None and alphabet.changed_given(puzzle, board):
        raise alphabet.refuse("a picture cannot show both a given and another value in its cell")
    is_title = name.isprintable() and name.strip() == name != "" and _FRAME.isdisjoint(name)
    return f"{name}\n{picture(puzzle, board)}" if is_title else picture(puzzle, board)
