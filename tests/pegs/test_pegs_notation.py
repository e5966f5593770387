"""Peg solitaire's text forms and its state file: each by example, round trips, detection among the other games."""

from __future__ import annotations

import gzip
import io
import re
import textwrap
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT, SHARED, Cli, needs_shared
from dnd import reading
from dnd.diagnostic import InputError
from dnd.dungeon import notation as dungeon
from dnd.dungeon.puzzle import Board as DungeonBoard
from dnd.dungeon.puzzle import Puzzle as Dungeon
from dnd.game import Entry
from dnd.pegs import foreign, notation, rules, solver, testing
from dnd.pegs.notation import FORMATS_IN, FORMATS_OUT, LINE_FORMATS, detect, read, write
from dnd.pegs.puzzle import Play, Puzzle, Solution, legal_part
from dnd.pegs.solver import Outcome
from dnd.suguru import notation as suguru
from dnd.suguru.puzzle import Board as SuguruBoard
from dnd.suguru.puzzle import Puzzle as Suguru
from dnd.texts import toml
from pegs_strategies import drawn, legal_plays, plays, puzzles, won
from strategies import drawn as dungeons
from strategies import names
from suguru_strategies import drawn as sugurus

ROWS = ["##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##"]
ENGLISH = Puzzle.of(ROWS, (3, 3), "english")
FREE = Puzzle.of(ROWS)
PLAY = Play(7, 7, ((5, 3, 0), (4, 1, 3)))
SOLVED, UNSOLVED = "Решение:", "решений нет"
LOG = """17.11.2015 23:09:05
125000
Решение:
4 6 0
2 5 3

18.11.2015 9:00:01
93
решений нет

"""


def entries(data: str | bytes, format: str | None = None) -> list[Entry]:
    data = data.encode() if isinstance(data, str) else data
    if format == "toml":
        return [notation.read_table(table) for table in toml.read(data.decode())]
    found = format or detect(data)
    assert found is not None
    return list(read(data, found))


def only(data: str | bytes, format: str | None = None) -> Entry:
    (entry,) = entries(data, format)
    return entry


def state(rows: list[str], outside: int = 2) -> bytes:
    """A state file of rows that are drawn from the array's corner, made byte by byte as the seed reads it."""
    data = bytearray([outside] * 256)
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            data[16 * x + y] = {"o": 1, ".": 0}.get(sign, outside)
    return bytes(data)


# ---------------------------------------------------------------- round trips


@pytest.mark.parametrize("format", ["pegs", "toml", "json"])
@given(case=drawn(), name=names())
def test_round_trip(format: str, case: tuple[Puzzle, Play | None], name: str) -> None:
    puzzle, board = case
    entry = only(write(puzzle, board, name, format), format)
    assert entry.puzzle == puzzle
    assert entry.name == name == entry.puzzle.name
    assert entry.board == board


@given(drawn(), names())
def test_round_trip_of_text(case: tuple[Puzzle, Play | None], name: str) -> None:
    """A play without jumps is none, and names are on one line."""
    puzzle, board = case
    entry = only(write(puzzle, board, name, "text"), "text")
    assert entry.puzzle == puzzle
    assert entry.board == (board if board and board.jumps else None)
    assert entry.name == " ".join(name.split())


@given(drawn(most=7))
def test_round_trip_of_pictures(case: tuple[Puzzle, Play | None]) -> None:
    from dnd.pegs.puzzle import picture

    puzzle, board = case
    entry = only(picture(puzzle, board), "text")
    assert (entry.puzzle, entry.board) == (puzzle, board if board and board.jumps else None)


@given(puzzles(most=16))
def test_round_trip_of_state_files(puzzle: Puzzle) -> None:
    free = Puzzle(puzzle.height, puzzle.width, puzzle.cells, puzzle.pegs)
    text = write(free, None, "", "bgs")
    data = text.encode()
    assert len(text) == len(data) == 256
    assert detect(data) == "bgs"
    entry = only(data)
    shift = 1 if max(free.height, free.width) <= 14 else 0
    assert entry.puzzle == free.placed(16, 16, shift, shift)
    assert write(entry.puzzle, None, "", "bgs") == text


def test_the_game_of_json_is_found_behind_much_else() -> None:
    assert detect(b'{"name": "%s", "game": "pegs"}' % (b"x" * 60_000)) == "jsonl"


@given(st.data())
def test_round_trip_of_logs(data: st.DataObject) -> None:
    """The least puzzle that the jumps solve is part of the one that was played, and has the same jumps."""
    puzzle = data.draw(puzzles(most=7))
    assert_logged(puzzle, data.draw(legal_plays(puzzle)))


@given(won())
def test_round_trip_of_logs_of_solutions(found: tuple[Puzzle, Play]) -> None:
    puzzle, play = found
    assert legal_part(puzzle, play.jumps)[1].bit_count() == 1
    assert_logged(puzzle, play)


def assert_logged(puzzle: Puzzle, play: Play) -> None:
    record = write(puzzle, play, "", "log")
    if not play.jumps:
        assert entries(record) == []
        return
    entry = only(record)
    assert rules.as_board(puzzle, entry.board) == play
    assert rules.check(entry.puzzle, entry.board, ["illegal-jump"]) == []
    shift = 1 if max(puzzle.height, puzzle.width) <= 14 else 0
    whole = puzzle.placed(16, 16, shift, shift)
    assert not entry.puzzle.cells & ~whole.cells
    left = legal_part(puzzle, play.jumps)[1].bit_count()
    if left == 1:
        assert entry.puzzle.pegs == whole.pegs & entry.puzzle.cells
        assert entry.board.is_complete(entry.puzzle)


@pytest.mark.parametrize("format", LINE_FORMATS)
@settings(max_examples=25)
@given(found=st.lists(puzzles(most=4), min_size=1, max_size=4))
def test_lines_can_be_put_together(format: str, found: list[Puzzle]) -> None:
    text = "".join(f"{write(puzzle, None, '', 'json' if format == 'jsonl' else format)}\n" for puzzle in found)
    assert [entry.puzzle for entry in entries(text, format)] == found


@pytest.mark.parametrize("format", ["toml", "text", "json"])
@settings(max_examples=25)
@given(found=st.lists(drawn(most=4), min_size=1, max_size=4))
def test_blocks_can_be_put_together(format: str, found: list[tuple[Puzzle, Play | None]]) -> None:
    text = "\n\n".join(write(puzzle, board, "", format) for puzzle, board in found)
    assert [entry.puzzle for entry in entries(text, format)] == [puzzle for puzzle, _ in found]


# ---------------------------------------------------------------- each form by example


def test_one_line_form() -> None:
    line = "7x7/2_3o2_/2_3o2_/7o/3o.3o/7o/2_3o2_/2_3o2_:3,3:53u,41r name=english source=mine"
    entry = only(f"# a comment\n\n{line}\n")
    assert (entry.puzzle, entry.board, entry.name, entry.fields) == (ENGLISH, PLAY, "english", {"source": "mine"})
    assert write(ENGLISH, PLAY, "english", "pegs") + " source=mine" == line
    assert only("7x7/__ooo__/2_ooo2_/7o/ooo.ooo/5o1o1o/__3o__/2_3o2_").puzzle == FREE
    assert only("4x1/2o2.:0,3").puzzle == Puzzle.of(["oo.x"])
    assert only("4x1/2o2.::00r").board == Play(1, 4, ((0, 0, 3),))
    assert only("4x1/2o2.:0,3:").board == Play(1, 4, ())


def test_toml() -> None:
    text = write(ENGLISH, PLAY, "english", "toml")
    assert 'final = [3, 3]\njumps = "r6c4 up, r5c2 right"' in text
    assert only(text, "toml").board == PLAY
    indented = 'board = """\n   oo.x\n   ....\n"""\njumps = """\n   r1c1 right\n"""\n'
    entry = only(indented, "toml")
    assert (entry.puzzle, entry.board) == (Puzzle.of(["oo.x", "...."]), Play(2, 4, ((0, 0, 3),)))


def test_json() -> None:
    text = '{"game": "pegs", "board": ["oo..", "...."], "final": [0, 3], "jumps": [[0, 0, 3]], "more": 7}'
    entry = only(text)
    assert (entry.puzzle, entry.board) == (Puzzle.of(["oo.x", "...."]), Play(2, 4, ((0, 0, 3),)))
    assert [found.name for found in entries(f'{{"puzzles": [{text}, {{"id": "b", "board": ["oo."]}}]}}')] == ["", "b"]
    assert only('[{"board": ["oo."], "jumps": "r1c1 right", "final": null}]').board == Play(1, 3, ((0, 0, 3),))


def test_text() -> None:
    text = """
// english
    o o o
    o o o
o o o o o o o
o o o x o o o
o o o o o o o
    o o o
    o o o

1. r6c4 up
2. r5c2 right

// a line
oo.x
"""
    first, second = entries(text)
    assert (first.puzzle, first.board, first.name) == (ENGLISH, PLAY, "english")
    assert (second.puzzle, second.board, second.name) == (Puzzle.of(["oo.x"]), None, "a line")
    assert (first.span.line, second.span.line) == (3, 15)
    assert only("  ooo\n  ooo\nooooooo\nooo.ooo\nooooooo\n  ooo\n  ooo\n").puzzle == FREE
    assert only("o\no\n.\n").puzzle == Puzzle.of(["o", "o", "."])


def test_state_file() -> None:
    """x outer, y inner: byte 16 x + y is column x and row y; an edge of anything around."""
    bordered = ["#" * 9, *(f"#{row}#" for row in ROWS), "#" * 9]
    expected = FREE.placed(16, 16, 1, 1)
    for outside in (2, 3, 32, 255):
        entry = only(state(bordered, outside))
        assert entry.puzzle == expected
        assert entry.puzzle.final is None
    assert only(state(bordered) + b"more bytes are ignored" + bytes(range(256))).puzzle == expected
    upright = only(state(["###", "#o#", "#o#", "#.#"])).puzzle
    assert upright.pegs == 1 << 17 | 1 << 33
    assert write(upright, None, "", "bgs").encode() == state(["###", "#o#", "#o#", "#.#"])


def test_state_files_of_full_boards() -> None:
    full = Puzzle.of(["o" * 16] * 16)
    assert only(b"\1" * 256).puzzle == full
    assert write(full, None, "", "bgs").encode() == b"\1" * 256
    one = only(state(["###", "#o#"]))
    assert one.puzzle.number == 1
    assert only(b"\1" + b"\0" * 255).puzzle == Puzzle.of(["o" + "." * 15, *["." * 16] * 15])


def test_state_files_of_many_values_must_be_called_so() -> None:
    data = bytes(value if value < 2 else 2 + value % 200 for value in range(256))
    assert detect(data) is None
    assert only(data, "bgs").puzzle.number == 1


def test_log() -> None:
    for data in (LOG.encode(), LOG.encode("cp1251"), LOG.replace("\n", "\r\n").encode("cp1251")):
        assert detect(data) == "log"
        entry = only(data)
        assert (entry.name, entry.fields) == ("17.11.2015 23:09:05", {"milliseconds": "125000"})
        assert rules.as_board(ENGLISH, entry.board) == PLAY
        first, second = foreign.log_records(foreign.log_text(data))
        assert (first.when, first.milliseconds, first.jumps) == (entry.name, 125000, ((6, 4, 0), (5, 2, 3)))
        assert (second.when, second.milliseconds, second.jumps, second.span.line) == ("18.11.2015 9:00:01", 93, None, 7)


def test_log_of_a_won_position() -> None:
    (record,) = foreign.log_records(f"1.1.2020 1:02:03\n0\n{SOLVED}\n\n")
    assert record.jumps == ()


@pytest.mark.parametrize(
    ("when", "date"),
    [
        (datetime(2015, 11, 17, 23, 9, 5, 700_000), "17.11.2015 23:09:05"),
        (datetime(2015, 1, 7, 9, 0, 5), "07.01.2015 9:00:05"),
        (datetime(2015, 1, 7, 0, 0, 5), "07.01.2015 0:00:05"),
        (datetime(2015, 1, 7, 0, 0, 0, 999), "07.01.2015"),
    ],
)
def test_log_record(when: datetime, date: str) -> None:
    assert foreign.log_record(FREE, PLAY.jumps, 12, when) == f"{date}\n12\n{SOLVED}\n4 6 0\n2 5 3\n\n"
    assert foreign.log_record(FREE, None, 12, when) == f"{date}\n12\n{UNSOLVED}\n\n"
    wide = Puzzle.of(["o" * 15 + "."])
    assert foreign.log_record(wide, [(0, 13, 3)], 0, when) == f"{date}\n0\n{SOLVED}\n13 0 3\n\n"


@pytest.mark.parametrize(("encoding", "ends"), [("utf-8", "\n"), ("cp1251", "\r\n"), ("cp1251", "\n")])
def test_a_log_is_appended_as_it_was_begun(tmp_path: Path, encoding: str, ends: str) -> None:
    file = tmp_path / "PW.log"
    before = LOG.replace("\n", ends).encode(encoding)
    file.write_bytes(before)
    record = foreign.log_record(FREE, PLAY.jumps, 12, datetime(2015, 1, 7, 9, 0, 5))
    foreign.append_log(str(file), record)
    assert file.read_bytes() == before + record.replace("\n", ends).encode(encoding)
    assert len(list(foreign.log_records(foreign.log_text(file.read_bytes())))) == 3


@pytest.mark.parametrize(("encoding", "ends"), [("utf-8", "\n"), ("cp1251", "\r\n"), ("cp1251", "\n")])
@pytest.mark.parametrize("kept", [0, 1])
def test_a_log_without_its_last_line_ends_stays_readable(tmp_path: Path, encoding: str, ends: str, kept: int) -> None:
    file = tmp_path / "PW.log"
    for log in (LOG, LOG[LOG.index("18.11.") :]):
        file.write_bytes((log.rstrip("\n") + "\n" * kept).replace("\n", ends).encode(encoding))
        record = foreign.log_record(FREE, None, 12, datetime(2015, 1, 7, 9, 0, 5))
        foreign.append_log(str(file), record)
        assert file.read_bytes() == (log + record).replace("\n", ends).encode(encoding)


def test_a_new_log(tmp_path: Path) -> None:
    file = tmp_path / "PW.log"
    foreign.append_log(str(file), "один\n")
    assert file.read_bytes() == "один\n".encode()


def answered(verdict: str, jumps: tuple[tuple[int, int, int], ...] | None = None) -> Outcome:
    return Outcome(FREE, verdict, () if jumps is None else (Solution(FREE, jumps),), None, 0, PLAY)


def test_what_a_solver_answers_is_logged(tmp_path: Path) -> None:
    file = tmp_path / "PW.log"
    notation.log(str(file), answered(solver.SOLVED, PLAY.jumps), 0.0126)
    notation.log(str(file), answered(solver.IMPOSSIBLE), 2)
    records = list(foreign.log_records(file.read_text(encoding="utf-8")))
    assert [(record.milliseconds, record.jumps) for record in records] == [(13, ((6, 4, 0), (5, 2, 3))), (2000, None)]
    notation.log(str(file), answered(solver.UNDECIDED), 2)
    assert len(list(foreign.log_records(file.read_text(encoding="utf-8")))) == 2


# ---------------------------------------------------------------- through the front door


def test_every_form_is_found_among_all_games(tmp_path: Path) -> None:
    for format in FORMATS_OUT:
        board = None if format == "bgs" else PLAY
        data = write(FREE, board, "", format).encode()
        for source in (data, gzip.compress(data), io.BytesIO(data)):
            (entry,) = reading.entries(source)
            assert entry.game == "pegs"
            if format not in ("bgs", "log"):
                assert (entry.puzzle, entry.board) == (FREE, PLAY)
        file = tmp_path / "state_m1616.bgs000"
        file.write_bytes(data)
        assert [found.game for found in reading.entries(file)] == ["pegs"]


def test_the_game_may_be_named(tmp_path: Path) -> None:
    (entry,) = reading.entries(b'board = "oo."', game="pegs")
    assert entry.puzzle == Puzzle.of(["oo."])
    with pytest.raises(InputError, match="no-pegs"):
        list(reading.entries(b"#..\n...", game="pegs"))
    with pytest.raises(InputError, match="unknown-format"):
        list(reading.entries(b"#..\n..."))


def test_convert_writes_bytes(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "english.peg"
    file.write_text("\n".join(ROWS), encoding="utf-8")
    ran = cli("convert", "--to", "bgs", file)
    assert (ran.code, ran.out.encode()) == (0, write(FREE, None, "", "bgs").encode())
    ran = cli("convert", "--to", "text", stdin=ran.out)
    assert ran.out.startswith("#" * 16 + "\n###ooo##")


def test_check_replays_a_log(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(write(FREE, None, "", "bgs").encode())
    (tmp_path / "PW.log").write_text(LOG, encoding="cp1251")
    ran = cli("check", tmp_path / "state", "--board", tmp_path / "PW.log")
    assert (ran.code, ran.err) == (0, "")
    (tmp_path / "PW.log").write_text(LOG.replace("2 5 3", "2 6 3"), encoding="utf-8")
    ran = cli("check", tmp_path / "state", "--board", tmp_path / "PW.log", "--json")
    assert ran.code == 1
    (fault,) = ran.json[0]["faults"]
    assert (fault["code"], fault["cells"]) == ("illegal-jump", [[6, 2], [6, 3], [6, 4]])


def test_a_state_with_many_values_for_the_outside_gets_a_hint(tmp_path: Path) -> None:
    data = bytearray(write(FREE, None, "", "bgs").encode())
    outside = [at for at, byte in enumerate(data) if byte == 2]
    for many in (range(0xC8, 0xCD), range(65, 70)):  # no UTF-8, and ASCII
        for at, byte in zip(outside, many, strict=False):
            data[at] = byte
        with pytest.raises(InputError) as caught:
            list(reading.entries(bytes(data)))
        assert caught.value.diagnostic.code == ("encoding" if many[0] > 127 else "unknown-format")
        assert caught.value.diagnostic.hint == "a state file of peg solitaire is read with --format bgs"
        (entry,) = reading.entries(bytes(data), format="bgs")
        assert entry.puzzle.cropped() == FREE.cropped()
    with pytest.raises(InputError) as caught:
        list(reading.entries(bytes(range(255, -1, -1))[:200]))
    assert "bgs" not in (caught.value.diagnostic.hint or "")


def test_files_called_peg_are_drawings(tmp_path: Path) -> None:
    file = tmp_path / "typo.peg"
    file.write_text("ooo\no?o\n")
    with pytest.raises(InputError) as caught:
        list(reading.entries(file))
    place = caught.value.diagnostic.span
    assert (caught.value.diagnostic.code, place and (place.line, place.column)) == ("bad-letter", (2, 2))
    file.write_text(write(FREE, None, "", "json"))
    assert [entry.puzzle for entry in reading.entries(file)] == [FREE]


# ---------------------------------------------------------------- whose a text is


@given(case=drawn(), name=names())
def test_what_is_written_is_detected(case: tuple[Puzzle, Play | None], name: str) -> None:
    puzzle, board = case
    for format in ("pegs", "json", "text"):
        data = write(puzzle, board, name, format).encode()
        found = detect(data)
        assert found == ("jsonl" if format == "json" else format)
        assert suguru.detect(data) is None


@given(dungeons(), names())
def test_dungeons_are_left_to_the_dungeon(case: tuple[Dungeon, DungeonBoard | None], name: str) -> None:
    for format in ("ddn", "text", "json"):
        assert detect(dungeon.write(*case, name, format).encode()) is None


@given(sugurus(), names())
def test_sugurus_are_left_to_suguru(case: tuple[Suguru, SuguruBoard | None], name: str) -> None:
    puzzle, board = case
    for format in ("line", "json", "picture"):
        shown = board if format != "picture" else None
        assert detect(suguru.write(puzzle, shown, name, format).encode()) is None


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"#..\n...\n",
        b"o?.\n",
        b"7x7",
        b"3x3:AABAABACB:.4.2....3",
        b'{"rows": [1], "columns": [1]}',
        b'{"board": ["..M"]}',
        b"2 3\n1 . .\n. . 2\n1 1 2\n1 3 2\n",
        b"17.11.2015 23:09:05\n125\nSolution:\n4 6 0\n",
        b" " * 65_000 + b"x",
        b"\xff\xfe" + "oo.".encode("utf-16-le") * 60,
        b"\x89PNG\r\n\x1a\n\0\0",
        bytes(range(256)),
        b"\2\0\0\0" + (b"\1\0\0\0a" + b"\0" * 80) * 2 + b"\1\0\0\0",
        b"\3\0\0\0" + (b"\0\0\0\0" + b"\0" * 80) * 3,
        b"\5\0\0\0" + (b"\0\0\0\0" + b"\1" * 80) * 5,
    ],
    ids=lambda value: repr(value[:20]),
)
def test_what_is_not_ours(data: bytes) -> None:
    assert detect(data) is None


@given(st.binary(max_size=600))
def test_detection_takes_any_bytes(data: bytes) -> None:
    assert detect(data) is None or detect(data) in FORMATS_IN


def test_formats() -> None:
    assert set(LINE_FORMATS) < set(FORMATS_IN)
    assert {"bgs", "log", "text", "pegs", "toml", "json"} == set(FORMATS_OUT)


@pytest.mark.parametrize("format", [format for format in FORMATS_IN if format not in ("bgs", "log")])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark(format: str, ends: str) -> None:
    text = write(ENGLISH, PLAY, "", "json" if format == "jsonl" else format) + "\n"
    (entry,) = read(("\ufeff" + text.replace("\n", ends)).encode(), format)
    assert (entry.puzzle, entry.board) == (ENGLISH, PLAY)


# ---------------------------------------------------------------- the document


def document_blocks(kind: str) -> list[str]:
    text = (ROOT / "docs" / "pegs.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for language, block in blocks if language == kind]


def test_the_fixture_of_the_document_holds() -> None:
    (text,) = document_blocks("toml")
    entry = only(text, "toml")
    checks = list(testing.checks(entry, ["py"]))
    assert checks
    for check in checks:
        assert list(check.run()) == []


def test_the_other_examples_of_the_document_are_read() -> None:
    (text,) = document_blocks("text")
    assert (only(text).puzzle, only(text).board, only(text).name) == (ENGLISH, PLAY, "English")
    logs = [block for block in document_blocks("") if detect(block.encode()) == "log"]
    assert [rules.as_board(FREE, entry.board) for entry in entries(logs[0])] == [PLAY]
    document = (ROOT / "docs" / "pegs.md").read_text(encoding="utf-8")
    shown = [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n)+", document, re.MULTILINE)]
    (lines, corner) = [block for block in shown if detect(block.encode()) in ("pegs", "json", "jsonl")]
    assert [only(line).puzzle for line in lines.splitlines()] == [FREE, ENGLISH]
    assert only(corner).board == Play(3, 3, ((0, 0, 3),))


# ---------------------------------------------------------------- what cannot be written


@pytest.mark.parametrize(
    ("puzzle", "board", "format", "message"),
    [
        (ENGLISH, None, "bgs", "no final cell"),
        (FREE, PLAY, "bgs", "no jumps"),
        (FREE, None, "log", "holds jumps only"),
        (FREE, Play(6, 7, ()), "pegs", "jumps for a board of 6x7"),
    ],
)
def test_not_writable(puzzle: Puzzle, board: Play | None, format: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        write(puzzle, board, "", format)
    assert caught.value.diagnostic.code == "not-writable"


@given(st.data())
def test_plays_with_jumps_off_the_board_are_written(data: st.DataObject) -> None:
    puzzle = data.draw(puzzles())
    play = data.draw(plays(puzzle))
    assert only(puzzle.line(play)).board == play


@needs_shared
def test_shared_boards_are_read_in_every_form() -> None:
    import json

    for file in ("boards", "hard", "unsolvable"):
        for board in json.loads((SHARED / f"pegs-{file}.json").read_text(encoding="utf-8"))["boards"]:
            puzzle = Puzzle.of(board["rows"], board.get("final") and tuple(board["final"]))
            assert puzzle.number == board["pegs"]
            for format in ("pegs", "toml", "json", "text"):
                assert only(write(puzzle, None, "", format), format).puzzle == puzzle
