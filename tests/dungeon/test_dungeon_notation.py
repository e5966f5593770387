"""Every text form, in and out: round trips of anything that can be written, and each dialect by hand."""

from __future__ import annotations

import gzip
import io
import struct
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, SHARED, needs_shared
from dnd import reading
from dnd.diagnostic import InputError
from dnd.dungeon import GAME, notation
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.game import Entry
from dnd.texts import toml
from strategies import boards, drawn, names, puzzles

P1 = Puzzle((7, 3, 4, 1, 7, 1, 6, 3), (4, 4, 2, 6, 2, 3, 4, 7), 0x8400010000000020, 0x20000, "p1")
P1_DDN = "44262347:73417163:5m2/8/1t6/8/8/m7/8/2m4m"
P1_WALLS = 0xBEB80BF80E8C8DF
P1_ROWS = [".....M..", "........", ".T......", "........", "........", "M.......", "........", "..M....M"]


def read(text: str | bytes) -> Entry:
    """The one entry of a text."""
    data = text if isinstance(text, bytes) else text.encode()
    (entry,) = reading.entries(data)
    return entry


def detected(text: str) -> str | None:
    """The format that a text is taken for."""
    return "toml" if toml.looks_like(text) else GAME.notation.detect(text.encode())


def told(puzzle: Puzzle, board: Board | None, format: str) -> Board | None:
    """What of a board a format tells: drawings without `#` and `?` tell nothing, nor lines without wall and floor."""
    if board is None or format == "course":
        return None
    letters = "".join(puzzle.letters(board))
    signs = {"json": "#.MT?", "toml": "#?", "text": "#?", "ddn": "#.", "daily": "#."}[format]
    return board if any(sign in letters for sign in signs) else None


# ---------------------------------------------------------------- round trips

ANY = st.one_of(*(drawn(most, unknown=unknown) for most in (3, 8, 12) for unknown in (True, False)))


@pytest.mark.parametrize("format", ["ddn", "toml", "json", "text"])
@given(case=ANY, name=names())
def test_round_trip(format: str, case: tuple[Puzzle, Board | None], name: str) -> None:
    puzzle, board = case
    named = Puzzle(puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures, name)
    text = reading.dumps(named, format, board)
    assert detected(text) == {"json": "jsonl"}.get(format, format)
    entry = read(text)
    assert (entry.puzzle, entry.board) == (puzzle, told(puzzle, board, format))
    # A comment line holds what is printable; the other forms hold any name.
    kept = name if format != "text" or (name.isprintable() and name.strip() == name) else ""
    assert entry.name == entry.puzzle.name == kept
    assert reading.dumps_entry(entry, format) == reading.dumps(entry.puzzle, format, entry.board)


@given(case=drawn(most_clue=9, unknown=False), name=st.from_regex(r"[A-Za-z][A-Za-z0-9 .,:-]*[a-z]", fullmatch=True))
def test_round_trip_daily(case: tuple[Puzzle, Board | None], name: str) -> None:
    puzzle, board = case
    entry = read(notation.write(puzzle, board, name, "daily"))
    assert (entry.puzzle, entry.board, entry.name) == (puzzle, told(puzzle, board, "daily"), name)


@given(puzzle=puzzles(unknown=False))
def test_round_trip_course(puzzle: Puzzle) -> None:
    entry = read(notation.write(puzzle, None, "p7", "course"))
    assert entry.name == "p7"
    read_ = entry.puzzle
    assert (read_.height, read_.width) == (8, 8)
    assert (read_.monster_cells, read_.treasure_cells) == (puzzle.monster_cells, puzzle.treasure_cells)
    assert read_.rows == tuple([(clue or 0) + 8 - puzzle.width for clue in puzzle.rows] + [8] * (8 - puzzle.height))
    assert read_.columns == tuple(
        [(clue or 0) + 8 - puzzle.height for clue in puzzle.columns] + [8] * (8 - puzzle.width)
    )


@pytest.mark.parametrize("format", ["ddn", "toml", "json", "text"])
@settings(max_examples=10)
@given(case=drawn(32))
def test_round_trip_of_large_boards(format: str, case: tuple[Puzzle, Board | None]) -> None:
    puzzle, board = case
    entry = read(reading.dumps(puzzle, format, board))
    assert (entry.puzzle, entry.board) == (puzzle, told(puzzle, board, format))


@given(puzzle=puzzles(), data=st.data())
def test_the_one_line_notation_is_unique(puzzle: Puzzle, data: st.DataObject) -> None:
    """Two texts are equal exactly if what they tell is."""
    other = data.draw(st.one_of(puzzles(2), st.just(puzzle)))
    one, two = data.draw(boards(puzzle)), data.draw(boards(other))
    same = (puzzle, told(puzzle, one, "ddn")) == (other, told(other, two, "ddn"))
    assert (puzzle.ddn(one) == other.ddn(two)) == same


@given(case=drawn(5), symmetry=st.integers(0, 7))
def test_symmetric_copies_are_read_alike(case: tuple[Puzzle, Board | None], symmetry: int) -> None:
    puzzle, board = case
    moved = None if board is None else board.transformed(symmetry)
    for format in ("ddn", "text", "toml", "json"):
        entry = read(reading.dumps(puzzle.transformed(symmetry), format, moved))
        assert entry.puzzle == puzzle.transformed(symmetry)
        assert entry.board == told(entry.puzzle, moved, format)


@pytest.mark.parametrize("format", ["ddn", "toml", "jsonl", "text", "daily", "course"])
@given(some=st.lists(puzzles(8, 8, unknown=False, least=8), min_size=1, max_size=4))
@settings(max_examples=20)
def test_texts_can_be_put_together(format: str, some: list[Puzzle]) -> None:
    texts = [reading.dumps(puzzle, format.removesuffix("l") if format == "jsonl" else format) for puzzle in some]
    assert reading.loads(("\n\n" if format == "text" else "\n").join(texts) + "\n") == some


# ---------------------------------------------------------------- each form by hand

SPACED = (
    "* "
    + " ".join("44262347")
    + "\n"
    + "\n".join(
        f"{clue} {' '.join(row).replace('.', '_').lower()}" for clue, row in zip("73417163", P1_ROWS, strict=True)
    )
)
CLOSE = " 44262347\n" + "\n".join(clue + row for clue, row in zip("73417163", P1_ROWS, strict=True))
DAILY = "p1!.44262347!7.....m!3!4.t!1!7!1m!6!3..m....m"
POSITIONAL = "problem p1 = { 0x8400010000000020, 0x20000ULL, {7,3,4,1,7,1,6,3}, { 4,4,2,6,2,3,4,7, }, };"
JSON = (
    '{"rows": [7,3,4,1,7,1,6,3], "columns": [4,4,2,6,2,3,4,7],'
    ' "monsters": [[0,5],[5,0],[7,2],[7,7]], "treasures": [[2,1]], "name": "p1"}'
)
HEXADECIMAL = (
    'name = "p1"\nrows = [7,3,4,1,7,1,6,3]\ncolumns = [4,4,2,6,2,3,4,7]\n'
    'monsters = "0x8400010000000020"\ntreasures = "20000"\n'
)
FORMS = {
    "ddn": P1_DDN + " name=p1",
    "ddn, bare name": P1_DDN + " p1",
    "ddn, comments": f"# levels\n\n  {P1_DDN}\tname=p1 # the first\n",
    "ddn, comma lists": "4,4,2,6,2,3,4,7:7,3,4,1,7,1,6,3:5m2/8/1t6/8/8/m7/8/2m4m name=p1",
    "ddn, link": f"https://example.org/dnd/#{P1_DDN} name=p1",
    "toml": reading.dumps(P1, "toml"),
    "toml, top level": reading.dumps(P1, "toml").replace("[[puzzle]]\n", ""),
    "toml, hexadecimal": HEXADECIMAL,
    "toml, both": HEXADECIMAL + "board = '''\n" + "\n".join(P1_ROWS) + "'''\n",
    "toml, inline": "puzzle = [{" + ", ".join(HEXADECIMAL.splitlines()) + "}]",
    "toml, one-line board": f'name = "p1"\nrows=[7,3,4,1,7,1,6,3]\ncolumns=[4,4,2,6,2,3,4,7]\nboard = "{chr(92)}n'
    + "\\n".join(P1_ROWS) + '"',
    "json": JSON,
    "json, list": f"[\n{JSON}\n]",
    "json, wrapped": f'{{"note": "one", "puzzles": [{JSON}], "of": 1}}',
    "json, spread": JSON.replace(",", ",\n"),
    "json, id": JSON.replace('"name"', '"id"'),
    "text": "p1\n" + CLOSE,
    "text, comment": "// p1\n" + CLOSE,
    "text, margin lost": "p1\n" + CLOSE.lstrip(),
    "text, corner": "p1\n+" + CLOSE[1:],
    "text, indented": "p1\n\n" + "\n".join("    " + line for line in CLOSE.splitlines()),
    "text, other letters": "p1\n" + CLOSE.replace("M", "@").replace("T", "$"),
    "text, blanks behind": "p1\n" + CLOSE.replace("\n", "   \n"),
    "text, gap": "p1\n " + CLOSE.replace("\n", "\n ").replace("\n ", "\n", 0),
    "text, spaced": "p1\n" + SPACED.replace("_", "."),
    "daily": DAILY,
    "daily, link": "https://example.org/?puzzle=" + quote(DAILY.replace("m", "q", 1), safe="") + "&x=1",
    "course": reading.dumps(P1, "course"),
    "course, positional": "#include <stdint.h>\n/* problem p0 = { 1 }; */\n" + POSITIONAL,
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("change", ["as it is", "bom", "crlf", "cr"])
def test_p1_in_every_form(name: str, change: str) -> None:
    text = FORMS[name]
    if change == "cr" and name.startswith("toml"):
        pytest.skip("TOML has no such line ends")
    data = text.encode("utf-8-sig" if change == "bom" else "utf-8")
    data = data.replace(b"\n", {"crlf": b"\r\n", "cr": b"\r"}.get(change, b"\n"))
    entry = read(data)
    assert (entry.puzzle, entry.puzzle.name, entry.name, entry.board) == (P1, "p1", "p1", None)
    assert entry.game == "dungeon"


def test_unknown_cells_of_the_spaced_form() -> None:
    entry = read(SPACED)
    assert entry.puzzle == P1
    assert entry.board == Board(8, 8, 0, P1.objects)


def test_blanks_are_unknown_cells() -> None:
    entry = read(" 10\n1# \n0.M\n")
    assert entry.puzzle == Puzzle.of([1, 0], [1, 0], [(1, 1)])
    assert entry.board == Board(2, 2, 1, 0b1100)


def test_the_same_drawing_means_the_same_in_toml_and_text() -> None:
    for row, walls in (("..M", None), (".?M", 0), ("#.M", 1)):
        board = None if walls is None else Board(1, 3, walls, (0b101 if walls == 0 else 0b110))
        assert read(f" 000\n1{row}").board == board
        assert read(f'rows=[1]\ncolumns=[0,0,0]\nboard="{row}"').board == board


def test_clues_of_two_digits_and_unknown_ones() -> None:
    puzzle = Puzzle.of([12, None, 3], [None, 0, 1, 2, 3] + [1] * 7, [(0, 11)], [(2, 0)])
    assert read(str(puzzle)).puzzle == puzzle
    assert read(puzzle.ddn()).puzzle == puzzle
    tall = Puzzle.of([1] * 12, [11])
    assert read(str(tall)).puzzle == tall
    assert read("* 12\n" + "0 .\n" * 12).puzzle == Puzzle.of([0] * 12, [12])


def test_several_grids_with_titles() -> None:
    text = "// all of them\n12\n 01\n1..\n// in between\n0.M\n\n\nThe second: a = b\n\n ?\n?T\n"
    found = list(reading.entries(text))
    assert [(e.name, e.puzzle, e.span.line) for e in found] == [
        ("12", Puzzle.of([1, 0], [0, 1], [(1, 1)]), 3),
        ("The second: a = b", Puzzle.of([None], [None], [], [(0, 0)]), 11),
    ]


def test_daily_letters_and_names() -> None:
    entry = read("The_Deep!.210!0aBt!2*x!1#.X")
    assert entry.name == "The Deep"
    assert entry.puzzle == Puzzle.of([0, 2, 1], [2, 1, 0], [(0, 0), (0, 1), (2, 2)], [(0, 2)])
    assert entry.board == Board(3, 3, 0b001001000, 0b100010111)
    assert read("https://x.y/?puzzle=%C3%89t%C3%A9!.1!1").name == "Été"


def test_course_source_as_it_is() -> None:
    text = """
        struct problem { board monsters; board treasures; constraint rows; constraint columns; };
        typedef struct problem problem;
        static const problem  q = {
            .rows = { 1, 010, 3 }, // the rest is 0
            .monsters = 0b11 /* two */ , .treasures=4u,
        };
        problem *problems[] = { &p1 };
        problem empty = {};
        bool test(problem *p) { return p == 0; }
    """
    found = list(reading.entries(text))
    assert [entry.name for entry in found] == ["q", "empty"]
    assert found[0].puzzle == Puzzle((1, 8, 3, 0, 0, 0, 0, 0), (0,) * 8, 3, 4)
    assert found[1].puzzle == Puzzle((0,) * 8, (0,) * 8)


def tokyo(*levels: tuple[str, str]) -> bytes:
    """The game's file, from titles and drawings of 64 cells."""
    data = struct.pack("<I", len(levels))
    for title, cells in levels:
        data += struct.pack("<I", len(title)) + title.encode() + bytes(".#MT".index(cell) for cell in cells)
        data += struct.pack("<4I", 1, 2, 3, 4)
    return data


@pytest.mark.parametrize("title", ["Two\nlines", "Two\r\nlines", "Two \nlines", "\nTwo\tlines\n"])
def test_titles_of_the_games_own_file_hold_line_ends(title: str) -> None:
    """42 of the 64 real ones do, and the length before them counts the line ends."""
    found = list(reading.entries(tokyo((title, "." * 64), ("next", "#" * 64))))
    assert [entry.name for entry in found] == ["Two lines", "next"]
    assert [entry.puzzle.rows for entry in found] == [(0,) * 8, (8,) * 8]


def test_blanks_of_titles_stay() -> None:
    assert read(tokyo(("Two  blanks\n and a line", "." * 64))).name == "Two  blanks and a line"


def test_tokyo() -> None:
    solved = "".join(P1.letters(Board.complete(8, 8, P1_WALLS)))
    found = list(reading.entries(tokyo(("p1", solved), ("", "." * 64))))
    assert [entry.puzzle for entry in found] == [P1, Puzzle.of([0] * 8, [0] * 8)]
    assert found[0].board == Board.complete(8, 8, P1_WALLS)
    assert [entry.name for entry in found] == ["p1", ""]
    assert [entry.span.column for entry in found] == [5, 5 + 4 + 2 + 64 + 16]


def test_json_board_and_solution() -> None:
    base = '"rows": [0, "?"], "columns": [null, 1], "monsters": [[0, 0]], "treasures": []'
    puzzle = Puzzle.of([0, None], [None, 1], [(0, 0)])
    for extra, board in (
        ("", None),
        (', "board": null', None),
        (', "board": ["M.", "?#"], "solution": 3', Board(2, 2, 8, 3)),
        (', "solution": ["..", ".#"]', Board.complete(2, 2, 8)),
        (', "board": ["..", ".."], "n": [1, {}]', Board.complete(2, 2, 0)),
    ):
        entry = read(f"{{{base}{extra}}}")
        assert (entry.puzzle, entry.board) == (puzzle, board)


SOLVED = "\n".join(P1.letters(Board.complete(8, 8, P1_WALLS)))


def fixture_of(expect: str, board: str = "\n".join(P1_ROWS)) -> str:
    return f"rows=[7,3,4,1,7,1,6,3]\ncolumns=[4,4,2,6,2,3,4,7]\nboard='''\n{board}\n'''\n[expect]\n{expect}\n"


def test_expectations() -> None:
    expect = f"solutions = 1\nsolution = '''\n{SOLVED}'''\nreference_nodes = 2685\nnodes=0\nreference_solutions=1"
    entry = read(fixture_of(expect))
    assert entry.expect == {
        "solutions": 1, "solution": SOLVED, "reference_nodes": 2685, "nodes": 0, "reference_solutions": 1
    }  # fmt: skip
    assert entry.table is not None
    assert entry.table.tables["expect"].span("nodes").line == 25
    dots = SOLVED.replace("M", ".").replace("T", ".")
    assert read(fixture_of(f"solution = ['''{dots}''']")).expect == {"solution": [dots]}
    assert read(fixture_of("solution = []\nsolutions = 0")).expect["solution"] == []
    assert read(fixture_of('faults = ["row-count", "dead-end"]', "#" + "\n".join(P1_ROWS)[1:])).expect == {
        "faults": ["row-count", "dead-end"]
    }


def test_a_wall_may_hide_an_object_in_a_fixture() -> None:
    """Otherwise no fixture could show a board that breaks object-on-wall."""
    entry = read('rows=[1]\ncolumns=[1,0]\nboard="#."\nmonsters="1"\ntreasures="0"')
    assert entry.puzzle == Puzzle.of([1], [1, 0], [(0, 0)])
    assert entry.board == Board(1, 2, 1, 2)


# ---------------------------------------------------------------- fields, names, files, streams


def test_fields_are_kept() -> None:
    line = f"{P1_DDN} name=The%20first source=a=b%20c rating=3"
    entry = read(line)
    assert entry.name == "The first"
    assert entry.fields == {"source": "a=b%20c", "rating": "3"}
    assert reading.dumps_entry(entry) == line


def test_sources(tmp_path: Path) -> None:
    path = tmp_path / "p1.ddn"
    path.write_text(P1_DDN)
    packed = tmp_path / "p1.ddn.gz"
    packed.write_bytes(gzip.compress(P1_DDN.encode()))
    with path.open("rb") as stream:
        for source in (path, str(path), packed, P1_DDN, P1_DDN.encode(), io.BytesIO(P1_DDN.encode()), stream):
            assert reading.load(source) == [P1]
        assert not stream.closed
    assert next(reading.entries(path)).span.file == str(path)
    with pytest.raises(InputError, match="in none of the known formats"):
        reading.loads(str(path))


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="there is no format 'csv'; the formats are toml, "):
        reading.entries(P1_DDN, format="csv")
    with pytest.raises(ValueError, match="there is no game 'chess'; the games are pegs, suguru, dungeon"):
        reading.entries(P1_DDN, game="chess")
    with pytest.raises(ValueError, match="there is no format 'tokyo'; the formats are ddn"):
        reading.dumps(P1, "tokyo")
    assert [e.puzzle for e in reading.entries(P1_DDN, game="dungeon", format="ddn")] == [P1]
    assert [e.puzzle for e in reading.entries(FORMS["toml"], game="dungeon", format="toml")] == [P1]


@pytest.mark.parametrize(
    ("form", "puzzle", "board", "what"),
    [
        ("daily", Puzzle((None,), (0,)), None, "from 0 to 9"),
        ("daily", Puzzle((10,), (0,) * 10), None, "from 0 to 9"),
        ("course", Puzzle((None,), (0,)), None, "unknown clues"),
        ("course", Puzzle((1,) * 9, (0,)), None, "holds 8x8 cells, not 9x1"),
        ("course", Puzzle((1,), (0,)), Board(1, 1), "no place for a board"),
        ("ddn", Puzzle((1,), (0,)), Board(1, 2), "a board of 1x2 for a puzzle of 1x1"),
        ("json", Puzzle.of([1], [0], [(0, 0)]), Board(1, 1, 1), "a wall at r1c1, where the puzzle has a monster"),
    ],
)
def test_what_cannot_be_written(form: str, puzzle: Puzzle, board: Board | None, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        notation.write(puzzle, board, "", form)
    assert caught.value.diagnostic.code == "not-writable"


class Endless(io.RawIOBase):
    """A pipe that never ends and gives its lines in pieces of seven bytes."""

    def __init__(self, line: bytes) -> None:
        self.line, self.at = line, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        piece = (self.line * 2)[self.at : self.at + 7]
        self.at = (self.at + 7) % len(self.line)
        buffer[:7] = piece
        return 7


@pytest.mark.parametrize("format", ["ddn", "json", "daily"])
def test_endless_lines_are_read_as_they_come(format: str) -> None:
    stream = io.BufferedReader(Endless(reading.dumps(P1, format).encode() + b"\n"))
    found = list(islice(reading.entries(stream), 1000))
    assert [entry.puzzle for entry in found] == [P1] * 1000
    assert [entry.span.line for entry in found] == list(range(1, 1001))


def test_places_in_later_blocks() -> None:
    lines = [P1_DDN] * 3000 + [P1_DDN.replace("t", "x")]
    with pytest.raises(InputError) as caught:
        reading.load("\n".join(lines))
    span = caught.value.diagnostic.span
    assert span is not None
    assert (span.line, span.column, span.text) == (3001, 26, lines[-1])


# ---------------------------------------------------------------- the documentation, shared data


def blocks() -> list[tuple[str, str, int]]:
    """(information string, text, line) of the fenced blocks of docs/formats.md."""
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    parts = text.split("```")
    return [
        (*part.split("\n", 1), text[: text.index(part)].count("\n") + 1)  # type: ignore[misc]
        for part in parts[1::2]
    ]


@pytest.mark.parametrize(("info", "text", "line"), blocks())
def test_examples_of_the_documentation(info: str, text: str, line: int) -> None:
    """A block is marked with its format, and with "not p1" where it shows another puzzle."""
    format, _, other = info.partition(" ")
    found = list(reading.entries(text.encode()))
    assert detected(text) == format
    assert any(entry.puzzle == P1 for entry in found) == (other != "not p1")


@needs_shared
@pytest.mark.parametrize("name", ["bbs64.json", "booklet.json", "random12-unique.json"])
def test_shared_json(name: str) -> None:
    found = list(reading.entries(SHARED / name))
    assert all(entry.board is not None and entry.board.is_complete and entry.name for entry in found)
    assert len(found) == {"bbs64.json": 64, "booklet.json": 11, "random12-unique.json": 26}[name]


@needs_shared
def test_the_course_program_loads_whole() -> None:
    (seed,) = (SHARED.parent / "seeds").glob("000_*.txt")
    text = seed.read_text(encoding="utf-8")
    found = list(reading.entries(text[text.index("#include <stdio.h>") :]))
    assert [entry.name for entry in found] == [*(f"p{number}" for number in range(1, 10)), "test"]
    assert found[0].puzzle == P1
