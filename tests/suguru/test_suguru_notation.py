"""Suguru's text forms: each by example, round trips, and malformed inputs, each one error with its place."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import SHARED, needs_shared
from dnd.diagnostic import InputError
from dnd.dungeon import notation as dungeon
from dnd.dungeon.puzzle import Board as DungeonBoard
from dnd.dungeon.puzzle import Puzzle as Dungeon
from dnd.game import Entry
from dnd.suguru import notation
from dnd.suguru.foreign import codingame_answer
from dnd.suguru.notation import FORMATS_IN, FORMATS_OUT, LINE_FORMATS, detect, read, write
from dnd.suguru.puzzle import HOLE, Board, Puzzle, Solution
from dnd.texts import toml
from strategies import drawn as dungeons
from strategies import names
from suguru_strategies import boards, drawn, puzzles

LINK = Puzzle.of(
    ["AABCC", "AADDD", "ADDEE", "FFFEE", "FFGGG"],
    [[3, 0, 0, 0, 0], [0, 0, 0, 3, 0], [5, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1, 0, 2, 0]],
)
SMALL = Puzzle.of(["AAB", "AAB", "ACB"], [[1, 0, 0], [0, 0, 0], [0, 0, 3]])
SOLVED = Board(3, 3, (1, 4, 1, 2, 5, 2, 3, 1, 3))


def entries(text: str, format: str | None = None) -> list[Entry]:
    data = text.encode()
    if format == "toml":
        return [notation.read_table(table) for table in toml.read(text)]
    found = format or detect(data)
    assert found is not None
    return list(read(data, found))


def only(text: str, format: str | None = None) -> Entry:
    (entry,) = entries(text, format)
    return entry


# ---------------------------------------------------------------- round trips

ALL = [format for format in FORMATS_OUT if format not in ("codingame", "puzzlink", "areas", "janko", "picture")]


@pytest.mark.parametrize("format", ALL)
@given(case=drawn(), name=names())
def test_round_trip(format: str, case: tuple[Puzzle, Board | None], name: str) -> None:
    puzzle, board = case
    entry = only(write(puzzle, board, name, format), format)
    assert entry.puzzle == puzzle
    assert entry.name == name == entry.puzzle.name
    assert entry.board == (board and board.with_givens(puzzle))


def test_round_trip_of_a_changed_given_is_refused_or_kept() -> None:
    """Our own forms write what is known: the board's value where it has one."""
    changed = Board(3, 3, (2, 0, 0, 0, 0, 0, 0, 0, 0))
    assert only(SMALL.line(changed)).board == Board(3, 3, (2, 0, 0, 0, 0, 0, 0, 0, 3))
    with pytest.raises(InputError, match="not-writable"):
        write(SMALL, changed, "", "picture")


@given(puzzles(most_given=9, holes=False))
def test_round_trip_of_codingame(puzzle: Puzzle) -> None:
    text = write(puzzle, None, "", "codingame")
    assert detect(text.encode()) == "codingame"
    assert only(text).puzzle == puzzle


@given(puzzles(holes=False))
def test_round_trip_of_links(puzzle: Puzzle) -> None:
    text = write(puzzle, None, "", "puzzlink")
    assert detect(text.encode()) == "puzzlink"
    assert only(text).puzzle == puzzle


@given(puzzles())
def test_round_trip_of_areas(puzzle: Puzzle) -> None:
    text = write(puzzle, None, "", "areas")
    assert detect(text.encode()) == "areas"
    assert only(text).puzzle == puzzle


@given(drawn())
def test_round_trip_of_janko(case: tuple[Puzzle, Board | None]) -> None:
    puzzle, board = case
    text = write(puzzle, board, "A name", "janko")
    assert detect(text.encode()) == "janko"
    entry = only(text)
    assert (entry.puzzle, entry.board, entry.name) == (puzzle, board, "A name")


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(st.data())
def test_round_trip_of_pictures(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles())
    board = data.draw(boards(puzzle))
    kept = Board(board.height, board.width, tuple(g or v for v, g in zip(board.values, puzzle.givens, strict=True)))
    text = write(puzzle, kept, "A name", "picture")
    assert detect(text.encode()) == "picture"
    entry = only(text)
    assert (entry.puzzle, entry.name) == (puzzle, "A name")
    assert (entry.board or Board(board.height, board.width, puzzle.givens)) == kept


@pytest.mark.parametrize("format", LINE_FORMATS)
@settings(max_examples=25)
@given(found=st.lists(puzzles(most=4, holes=False), min_size=1, max_size=4))
def test_lines_can_be_put_together(format: str, found: list[Puzzle]) -> None:
    text = "\n".join(write(puzzle, None, "", "json" if format == "jsonl" else format) for puzzle in found)
    assert [entry.puzzle for entry in entries(text, format)] == found


@pytest.mark.parametrize("format", ["toml", "codingame", "areas", "janko", "picture", "json"])
@settings(max_examples=25)
@given(found=st.lists(puzzles(most=4, most_given=9, holes=False), min_size=1, max_size=4))
def test_blocks_can_be_put_together(format: str, found: list[Puzzle]) -> None:
    text = "\n\n".join(write(puzzle, None, "", format) for puzzle in found)
    assert [entry.puzzle for entry in entries(text, format)] == found


@given(case=drawn(), name=names())
def test_what_is_written_is_detected(case: tuple[Puzzle, Board | None], name: str) -> None:
    for format, found in (("line", "line"), ("json", "jsonl")):
        assert detect(write(*case, name, format).encode()) == found


@given(dungeons(), names())
def test_dungeons_are_left_to_the_dungeon(case: tuple[Dungeon, DungeonBoard | None], name: str) -> None:
    for format in ("ddn", "json", "text"):
        assert detect(dungeon.write(*case, name, format).encode()) is None


@pytest.mark.parametrize("format", ["line", "codingame", "janko", "areas", "puzzlink", "picture", "json"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_line_ends_and_a_byte_order_mark(format: str, ends: str) -> None:
    text = write(LINK, None, "", format) + "\n  \n"
    data = b"\xef\xbb\xbf" + "".join(f"{line}  {ends}" for line in text.split("\n")).encode()
    found = detect(data)
    assert found is not None
    assert [entry.puzzle for entry in read(data, found)] == [LINK]


# ---------------------------------------------------------------- by example


def test_codingame() -> None:
    text = "4 2\nA1 A. B. B2\nA. C. C. B.\n"
    assert only(text).puzzle == Puzzle.of(["AABB", "ACCB"], [[1, 0, 0, 2], [0, 0, 0, 0]])
    assert only(text.replace(" ", "").replace("42", "4 2")).puzzle == only(text).puzzle
    assert only(text.replace(".", "0")).puzzle == only(text).puzzle
    assert only(text.lower()).puzzle == only(text).puzzle
    assert only(text.replace("\n", "\r\n")).puzzle == only(text).puzzle


def test_codingame_letters_are_used_again() -> None:
    assert only("2 2\nA. B.\nB. A.").puzzle.cages == (0, 1, 2, 3)


def test_codingame_answer() -> None:
    assert codingame_answer(0, SMALL, [SOLVED]) == "141\n252\n313"
    assert codingame_answer(0, SMALL, []) is None
    tall = Puzzle.of(["A" * 10])
    with pytest.raises(InputError, match="above 9"):
        codingame_answer(0, tall, [Board(1, 10, tuple(range(1, 11)))])


def test_the_example_of_puzz_link() -> None:
    for head in ("", "https://puzz.link/p?", "http://pzv.jp/p.html?", "  https://puzz.link/p.html?"):
        assert only(f"{head}suguru/5/5/cih47bs73m3g5p1g2g").puzzle == LINK
    assert write(LINK, None, "", "puzzlink") == "https://puzz.link/p?suguru/5/5/cih47bs73m3g5p1g2g"
    assert only("suguru/5/5/cih47bs73m3g5p1g2g my own").name == "my own"


def test_links_with_large_numbers_and_question_marks() -> None:
    assert only("suguru/3/1/0-20g.").puzzle.givens == (32, 0, 0)
    assert only("suguru/3/1/o+001fg").puzzle == Puzzle.of(["ABC"], [[1, 15, 0]])
    assert only("suguru/22/1/00000zh").puzzle.givens == (0,) * 22
    assert write(Puzzle.of(["A" * 22]), None, "", "puzzlink").endswith("/22/1/00000zh")


def test_janko() -> None:
    text = "begin\npuzzle suguru\nauthor A\nsize 2\nproblem\n1 -\n- -\nareas\n1 1\n1 1\n"
    text += "solution\n1 2\n3 4\nmoves\n2,3\nend\n"
    entry = only(text)
    assert entry.puzzle == Puzzle.of(["AA", "AA"], [[1, 0], [0, 0]])
    assert entry.board == Board(2, 2, (1, 2, 3, 4))
    assert only("problem\n1 -\n\nareas\n7 8\n").puzzle == Puzzle.of(["AB"], [[1, 0]])
    assert only(text.replace("author A", "title A b")).name == "A b"


def test_areas() -> None:
    assert only("2 3\n1..\n..2\n\nAAB\nACB\n").puzzle == Puzzle.of(["AAB", "ACB"], [[1, 0, 0], [0, 0, 2]])
    assert only("2 3\n1 0 0\n- _ 2\n10 10 2\n10 3 2\n").puzzle == Puzzle.of(["AAB", "ACB"], [[1, 0, 0], [0, 0, 2]])
    assert only("2 2\n..\n..\nAB\nBA\n").puzzle.cages == (0, 1, 2, 3)


PZPR = (
    "pzprv3\nsuguru\n5\n5\n0 1 1 0 \n0 1 0 0 \n1 0 1 0 \n0 0 1 0 \n0 1 0 0 \n0 0 1 1 1 \n0 1 0 1 1 \n1 1 1 0 0 \n"
    "0 0 1 1 1 \n3 . . . . \n. . . 3 . \n5 . . . . \n. . . . . \n. 1 . 2 . \n"
)


def test_pzprv3() -> None:
    assert only(PZPR).puzzle == LINK
    assert only(PZPR).board is None
    filled = only(PZPR + ". 2 +[1,2,,] -[,,,] .\n. . . . 5[1,2]\n. . . . .\n. = % . .\n. . 1 . 4\n")
    assert filled.board is not None
    assert [(cell, value) for cell, value in enumerate(filled.board.values) if value] == [
        (1, 2),
        (9, 5),
        (22, 1),
        (24, 4),
    ]
    assert only(PZPR.replace("\n", "/")).puzzle == LINK
    assert only(PZPR.replace("pzprv3", "pzprv3.1")).puzzle == LINK
    assert only("pzprv3\nsuguru\n1\n1\n.\n").puzzle == Puzzle.of(["A"])


def test_one_line_form() -> None:
    entry = only("3x3:AABAABACB:1.......3:141252313 name=a%20b source=x  # seen somewhere")
    assert (entry.puzzle, entry.board, entry.name) == (SMALL, SOLVED, "a b")
    assert entry.fields == {"source": "x"}
    assert only("# two\n\n2x2:AB_b:2._.").puzzle == Puzzle.of(["AB", "#C"], [[2, 0], [0, 0]])
    assert only("12x1:AAAAAAAAAAAA:..........bc").puzzle.givens[-2:] == (11, 12)
    assert Solution(SMALL, SOLVED.values).line() == "3x3:AABAABACB:1.......3:141252313"


def test_json_keeps_letters_as_they_are() -> None:
    assert '"name": "\u00e9"' in write(Puzzle.of(["AA"]), None, "\u00e9", "json")


def test_json() -> None:
    text = '{"game": "suguru", "name": "s", "cages": ["AAB", "AAB", "ACB"], "givens": ["1..", "...", "..3"]}'
    assert (only(text).puzzle, only(text).name) == (SMALL, "s")
    numbers = '{"cages": [[7,7,2],[7,7,2],[7,3,2]], "givens": [[1,0,0],[0,0,0],[0,0,3]], '
    numbers += '"solution": [[1,4,1],[2,5,2],[3,1,3]]}'
    assert only(numbers).puzzle == SMALL
    assert only(numbers).board == SOLVED
    assert only('{"cages": [[0, -1], [0, 0]]}').puzzle == Puzzle.of(["A#", "AA"])
    both = entries(f'{{"note": "x", "puzzles": [{text}, {numbers}]}}')
    assert [entry.puzzle for entry in both] == [SMALL, SMALL]
    assert detect(f"[{text},\n{numbers}]".encode()) == "json"


def test_toml() -> None:
    entry = only(
        'game = "suguru"\ncages = """\n  AAB\n  AAB\n  ACB\n"""\ngivens = "1..\\n...\\n..3"\n'
        'board = """\n14.\n...\n..3"""\n'
        '[expect]\nsolutions = 1\nfaults = []\nrating = "easy"\nnodes = 3\nsolution = """\n141\n252\n313\n"""\n',
        "toml",
    )
    assert entry.puzzle == SMALL
    assert entry.board == Board(3, 3, (1, 4, 0, 0, 0, 0, 0, 0, 3))
    assert entry.expect["rating"] == "easy"


def test_pictures() -> None:
    text = str(Solution(SMALL, SOLVED.values))
    assert (only(text).puzzle, only(text).board) == (SMALL, SOLVED)
    assert only(str(SMALL)).board is None


def test_not_writable() -> None:
    holes, large = Puzzle.of(["A#"]), Puzzle.of(["A" * 12], [[12, *[0] * 11]])
    for puzzle, board, format in [
        (holes, None, "codingame"),
        (holes, None, "puzzlink"),
        (large, None, "codingame"),
        (SMALL, SOLVED, "codingame"),
        (SMALL, SOLVED, "areas"),
        (SMALL, SOLVED, "puzzlink"),
        (SMALL, Board(1, 1, (1,)), "line"),
        (holes, Board(1, 2, (1, 1)), "line"),
    ]:
        with pytest.raises(InputError, match="not-writable"):
            write(puzzle, board, "", format)


def test_formats() -> None:
    assert set(LINE_FORMATS) <= set(FORMATS_IN)
    assert set(FORMATS_OUT) - {"toml"} <= set(FORMATS_IN)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "# nothing",
        "8 8",
        "8 8\n",
        "8 8\n1 2 3 4 5 6 7 8\n1 . . . . . . . .",
        "2 2\n1 . .\n2 # M\n3 # #",
        "hello",
        "1111:1111:4/4/4/4",
        "{}",
    ],
)
def test_what_is_not_ours(text: str) -> None:
    assert detect(text.encode()) is None


# ---------------------------------------------------------------- malformed inputs

CASES: list[tuple[str, str, str, int, int]] = [
    ("codingame", "4\nA.A.A.A.", "bad-size", 1, 1),
    ("codingame", "4 x\nA.A.A.A.", "bad-size", 1, 3),
    ("codingame", "0 1\nA.", "empty-board", 1, 1),
    ("codingame", "65 1\nA.", "too-large", 1, 1),
    ("codingame", "2 1\nA. A. A.", "row-length", 2, 7),
    ("codingame", "2 1\nA.", "row-length", 2, 3),
    ("codingame", "2 2\nA. A.", "row-number", 2, 6),
    ("codingame", "2 1\nA. AA", "bad-letter", 2, 4),
    ("codingame", "2 1\nA. 1.", "bad-letter", 2, 4),
    ("codingame", "2 1\nA. A33", "given-range", 2, 4),
    ("codingame", "2 1\nA. A?", "bad-letter", 2, 4),
    ("codingame", "33 1\n" + "A." * 33, "cage-size", 2, 1),
    ("codingame", "1 1\nA.\nrest", "bad-size", 3, 1),
    ("areas", "2 2\n..\n..\nAA\n", "row-number", 4, 3),
    ("areas", "1 2\n. .\nA A A", "row-length", 3, 5),
    ("areas", "1 2\n. x\nA A", "bad-letter", 2, 3),
    ("areas", "1 2\n. 99\nA A", "given-range", 2, 3),
    ("areas", "1 2\n. .\nA ?", "bad-letter", 3, 3),
    ("areas", "1 3\n. . .\n1 2 1", "cage-disconnected", 3, 5),
    ("areas", "1 2\n. 1\n1 -", "given-in-hole", 2, 3),
    ("areas", "1 2\n. .\n- -", "no-cells", 3, 1),
    ("janko", "puzzle suguru\nproblem\n1 -\n", "missing-key", 3, 4),
    ("janko", "puzzle suguru\nareas\n1 1\n", "missing-key", 3, 4),
    ("janko", "size x\nproblem\n1 -\nareas\n1 1\n", "bad-size", 1, 6),
    ("janko", "size\nproblem\n1 -\nareas\n1 1\n", "bad-size", 1, 5),
    ("janko", "size 2\nproblem\n1 -\nareas\n1 1\n", "row-number", 3, 4),
    ("janko", "problem\n1 -\nareas\n1 1\nproblem\n", "bad-field", 5, 1),
    ("janko", "problem\n1 -\nareas\n1 1\n1 1\n", "row-number", 5, 1),
    ("janko", "problem\nareas\n", "empty-board", 2, 6),
    ("janko", "problem\n1 -\nareas\n1 1\nsolution\n1 x", "bad-letter", 6, 3),
    ("janko", "problem\n1 -\nareas\n1 -\nsolution\n1 1", "board-conflict", 6, 3),
    ("puzzlink", "suguru/5/5", "bad-link", 1, 11),
    ("puzzlink", "suguru/x/5/", "bad-size", 1, 8),
    ("puzzlink", "suguru/5/65/", "too-large", 1, 10),
    ("puzzlink", "suguru/5/5/cih4", "truncated", 1, 16),
    ("puzzlink", "suguru/5/5/cihz", "bad-link", 1, 15),
    ("puzzlink", "suguru/5/5/cih47bs73m3g5p1g2", "truncated", 1, 29),
    ("puzzlink", "suguru/5/5/cih47bs73m3g5p1g2h", "bad-link", 1, 29),
    ("puzzlink", "suguru/5/5/cih47bs73m3g5p1g2g1", "trailing-data", 1, 30),
    ("puzzlink", "suguru/5/5/cih47bs73m3g5p1g!g", "bad-link", 1, 28),
    ("puzzlink", "suguru/2/1/hh", "bad-link", 1, 12),
    ("puzzlink", "suguru/2/1/0-21g", "given-range", 1, 13),
    ("puzzlink", "suguru/2/1/0-2", "truncated", 1, 15),
    ("puzzlink", "suguru/2/1/00g", "given-range", 1, 13),
    ("pzprv3", "pzprv3\nsuguru\n5", "truncated", 3, 2),
    ("pzprv3", "pzprv3\nsudoku\n5\n5", "truncated", 1, 1),
    ("pzprv3", "pzprv3\nsuguru\n1\nx\n.", "bad-size", 4, 1),
    ("pzprv3", "pzprv3\nsuguru\n1\n3\n0 2\n. . .", "bad-letter", 5, 3),
    ("pzprv3", "pzprv3\nsuguru\n1\n3\n0\n. . .", "row-length", 5, 2),
    ("pzprv3", "pzprv3\nsuguru\n1\n3\n0 1\n. .", "row-length", 6, 4),
    ("pzprv3", "pzprv3\nsuguru\n1\n3\n0 1", "row-number", 5, 4),
    ("pzprv3", "pzprv3/suguru/1/2/0/. z", "bad-letter", 1, 23),
    ("line", "3x3:AABAABACB", "bad-line", 1, 14),
    ("line", "1x1:A:.:.:.", "bad-line", 1, 10),
    ("line", "3y3:AABAABACB:.", "bad-size", 1, 1),
    ("line", "3x0::", "empty-board", 1, 1),
    ("line", "3x3:AABAABAC:.........", "cell-number", 1, 13),
    ("line", "3x1:AAB:....", "cell-number", 1, 12),
    ("line", "3x1:A1B:...", "bad-letter", 1, 6),
    ("line", "3x1:AAB:..x", "bad-letter", 1, 11),
    ("line", "3x1:AAB:.._", "board-conflict", 1, 11),
    ("line", "3x1:AA_:..1", "given-in-hole", 1, 11),
    ("line", "3x1:AA_:...:..1", "board-conflict", 1, 15),
    ("line", "3x1:AAB:... x", "", 0, 0),
    ("line", "3x1:AAB:... a=1 b", "bad-field", 1, 17),
    ("line", "3x1:AAB:... a=1 a=2", "bad-field", 1, 17),
    ("json", '{"cages": 1}', "wrong-type", 1, 11),
    ("json", '{"cages": ["A", 1]}', "wrong-type", 1, 11),
    ("json", '{"game": "suguru"}', "missing-key", 1, 1),
    ("json", '{"game": "pegs", "cages": ["A"]}', "wrong-type", 1, 10),
    ("json", '{"cages": []}', "empty-board", 1, 11),
    ("json", '{"cages": ["AA", "A"]}', "row-length", 1, 20),
    ("json", '{"cages": ["A?"]}', "bad-letter", 1, 14),
    ("json", '{"cages": [[0, 1.5]]}', "value-type", 1, 16),
    ("json", '{"cages": [[0, 1, 0]]}', "cage-disconnected", 1, 19),
    ("json", '{"cages": ["A"], "givens": ["x"]}', "bad-letter", 1, 30),
    ("json", '{"cages": ["A"], "givens": [[33]]}', "given-range", 1, 30),
    ("json", '{"cages": ["A"], "givens": [[-1]]}', "bad-letter", 1, 30),
    ("json", '{"cages": ["A"], "givens": [[true]]}', "value-type", 1, 30),
    ("json", '{"cages": ["A"], "board": ["11"]}', "row-length", 1, 30),
    ("json", '{"cages": ["A"], "name": 1}', "wrong-type", 1, 26),
    ("json", '{"cages": ["A"]', "bad-json", 1, 16),
    ("json", '{"puzzles": {}, "cages": 0}', "wrong-type", 1, 13),
    ("picture", "┏━━━┓\n┃ . ┃", "row-number", 2, 1),
    ("picture", "┏━━━┓\n┃ x ┃\n┗━━━┛", "bad-letter", 2, 3),
    ("picture", "┏━━━┓\n┃33 ┃\n┗━━━┛", "given-range", 2, 3),
    ("picture", "┏━━━┓", "empty-board", 1, 1),
    ("picture", "┏━━━┓\n┃   ┃\n┗━━━┛", "bad-letter", 2, 3),
]


@pytest.mark.parametrize(("format", "text", "code", "line", "column"), CASES, ids=lambda value: repr(value)[:30])
def test_malformed(format: str, text: str, code: str, line: int, column: int) -> None:
    if not code:
        assert entries(text, format)
        return
    with pytest.raises(InputError) as caught:
        entries(text, format)
    told = caught.value.diagnostic
    assert told.span is not None
    assert (told.code, told.span.line, told.span.column) == (code, line, column), str(caught.value)


def test_there_are_enough_malformed_inputs() -> None:
    assert len(CASES) >= 40


def read_or_refused(text: str, format: str) -> None:
    refusals = []
    try:
        list(read(text.encode("utf-8", "replace"), format))
    except InputError as error:
        refusals.append(error.diagnostic)
    assert all(told.span and told.code for told in refusals)


@pytest.mark.parametrize("format", FORMATS_IN)
@settings(max_examples=60)
@given(data=st.data())
def test_any_damage_is_one_input_error(format: str, data: st.DataObject) -> None:
    """Whatever is done to a text, reading it gives puzzles or an `InputError` with a place."""
    text = PZPR if format == "pzprv3" else write(LINK, None, "n", "json" if format == "jsonl" else format)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    put = data.draw(st.text('ABx0159.-_#/:|"[]{}, \n┃━' + "é", max_size=4))
    damaged = text[:start] + put + text[end:]
    read_or_refused(damaged, format)
    detect(damaged.encode())


@pytest.mark.parametrize("format", FORMATS_IN)
@given(st.text(max_size=60))
def test_any_text_in_a_format_that_it_is_not_in(format: str, text: str) -> None:
    read_or_refused(text, format)


@given(st.binary(max_size=80))
def test_detection_takes_any_bytes(data: bytes) -> None:
    assert detect(data) in (None, *FORMATS_IN)


@needs_shared
def test_shared_puzzles_are_read_and_their_solutions_pass() -> None:
    from dnd.suguru.rules import check

    for name in ("suguru-hard.json.gz", "suguru-public.json.gz"):
        data = gzip.decompress((SHARED / name).read_bytes())
        found = list(read(data, "json"))
        assert len(found) == len(json.loads(data)["puzzles"])
        for entry in found:
            assert HOLE not in entry.puzzle.cages
            assert entry.board is None or check(entry.puzzle, entry.board) == []
