"""The validators: each rule alone, complete and partial boards, against the oracle, under symmetry, with plug-ins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT
from dnd import grid, reading
from dnd.diagnostic import InputError
from dnd.dungeon import draw, rules
from dnd.dungeon.puzzle import Board, Puzzle, Solution
from dnd.game import Entry
from witness import RULES, Dungeon, brute_force, completions, faults, is_legal

CODES = list(RULES)


class Case(NamedTuple):
    """A board as drawn rows of `#`, `.` and `?`, with its puzzle."""

    puzzle: Puzzle
    letters: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.letters)

    @property
    def board(self) -> Board:
        return rules.as_board(self.puzzle, self.text)

    def dungeon(self, letters: list[str] | tuple[str, ...]) -> Dungeon:
        puzzle = self.puzzle
        objects = set(puzzle.monster_cells), set(puzzle.treasure_cells)
        return Dungeon(puzzle.rows, puzzle.columns, letters, *objects)


def case(text: str, rows: str = "", columns: str = "") -> Case:
    """A case from drawn rows; `m` and `t` are a monster and a treasure in a wall. Clues default to unknown."""
    lines = text.split()
    found: dict[str, list[tuple[int, int]]] = {"m": [], "t": []}
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):
            if letter.lower() in found:
                found[letter.lower()].append((row, column))
    rows_, columns_ = [
        [None if clue == "?" else int(clue) for clue in drawn or "?" * count]
        for drawn, count in ((rows, len(lines)), (columns, len(lines[0])))
    ]
    letters = [line.translate(str.maketrans("mtMT", "##..")) for line in lines]
    return Case(Puzzle.of(rows_, columns_, found["m"], found["t"]), letters)


# --- each rule alone: what it says of a board, word for word ---------------------------------------------------------


def wide(*corners: str) -> list[str]:
    """What is said of the 2x2 blocks whose upper left cells are `corners`."""
    return [f"the 2x2 block at {corner} is open and not part of one treasure room" for corner in corners]


ROOM = "...# .T.# ...M ####"

SPEAKS = [
    # row-count and column-count
    ("row-count", "## #.", "12", "", ["row 1 has 2 walls, its clue is 1", "row 2 has 1 wall, its clue is 2"]),
    (
        "row-count",
        "#.?? ##??",
        "41",
        "",
        ["row 1 can have at most 3 walls, its clue is 4", "row 2 has 2 walls, its clue is 1"],
    ),
    ("row-count", "#M??", "4", "", ["row 1 can have at most 3 walls, its clue is 4"]),
    ("row-count", "#m", "1", "", ["row 1 has 2 walls, its clue is 1"]),
    ("row-count", ".. ..", "0?", "", []),
    ("row-count", "#?? ?..", "21", "", []),
    ("column-count", "## #.", "", "12", ["column 1 has 2 walls, its clue is 1", "column 2 has 1 wall, its clue is 2"]),
    ("column-count", "#? .?", "", "22", ["column 1 has 1 wall, its clue is 2"]),
    (
        "column-count",
        ".? ?T",
        "",
        "22",
        ["column 1 can have at most 1 wall, its clue is 2", "column 2 can have at most 1 wall, its clue is 2"],
    ),
    ("column-count", "#? ?.", "", "11", []),
    # object-on-wall
    (
        "object-on-wall",
        "m. ?t",
        "",
        "",
        ["the monster at r1c1 stands in a wall", "the treasure at r2c2 stands in a wall"],
    ),
    ("object-on-wall", "M# ?T", "", "", []),
    # dead-end
    ("dead-end", "M.M", "", "", []),
    ("dead-end", "..M", "", "", ["r1c1 is a dead end without a monster"]),
    ("dead-end", "#.#", "", "", ["r1c2 has no open neighbour"]),
    ("dead-end", "#T#", "", "", ["r1c2 has no open neighbour"]),
    ("dead-end", "#M#", "", "", ["the monster at r1c2 has no open neighbour, it must have exactly one"]),
    (
        "dead-end",
        ".M.",
        "",
        "",
        [
            "r1c1 is a dead end without a monster",
            "the monster at r1c2 has 2 open neighbours, it must have exactly one",
            "r1c3 is a dead end without a monster",
        ],
    ),
    (
        "dead-end",
        "m.M",
        "",
        "",
        [
            "the monster at r1c1 stands in a wall, it must stand in a dead end",
            "r1c2 is a dead end without a monster",
        ],
    ),
    ("dead-end", "?M?", "", "", []),
    ("dead-end", ".M. ???", "", "", ["the monster at r1c2 has 2 open neighbours, it must have exactly one"]),
    ("dead-end", "#.? ###", "", "", ["r1c2 is a dead end without a monster"]),
    ("dead-end", "#.? #?#", "", "", []),
    ("dead-end", "MM", "", "", []),
    ("dead-end", "###", "", "", []),
    ("dead-end", ".. ..", "", "", []),
    # treasure-room
    ("treasure-room", ROOM, "", "", ["the room of the treasure at r2c2 has a monster at its entrance r3c4"]),
    ("treasure-room", "...# .T.. ...# ####", "", "", []),
    ("treasure-room", "...# ..T# ...# ##.#", "", "", []),
    (
        "treasure-room",
        "...# T... ...# #.##",
        "",
        "",
        ["the room of the treasure at r2c1 has 2 entrances: r2c4 and r4c2"],
    ),
    ("treasure-room", "...# .T.# ...# ####", "", "", ["the room of the treasure at r2c2 has no entrance"]),
    ("treasure-room", "... .T. ...", "", "", ["the room of the treasure at r2c2 has no entrance"]),
    ("treasure-room", "...# .T.# ...? ##?#", "", "", []),
    ("treasure-room", "...# .T.# ...# ###?", "", "", ["the room of the treasure at r2c2 can have no entrance"]),
    ("treasure-room", "..## .T.. ...# ####", "", "", ["no 3x3 square of open cells is around the treasure at r2c2"]),
    (
        "treasure-room",
        "..#? .T?? ...? ?#??",
        "",
        "",
        ["no 3x3 square of open cells can be around the treasure at r2c2"],
    ),
    ("treasure-room", "T. ..", "", "", ["no 3x3 square of open cells is around the treasure at r1c1"]),
    (
        "treasure-room",
        "...# .TM. ...# ####",
        "",
        "",
        ["every 3x3 square around the treasure at r2c2 holds a wall, a monster or a second treasure"],
    ),
    (
        "treasure-room",
        "...# .TT. ...# ####",
        "",
        "",
        [
            "every 3x3 square around the treasure at r2c2 holds a wall, a monster or a second treasure",
            "every 3x3 square around the treasure at r2c3 holds a wall, a monster or a second treasure",
        ],
    ),
    (
        "treasure-room",
        ".... .T.. ....",
        "",
        "",
        ["no 3x3 square around the treasure at r2c2 has exactly one entrance, free of monsters"],
    ),
    ("treasure-room", "...# .t.. ...#", "", "", ["the treasure at r2c2 stands in a wall, it must stand in a room"]),
    # A walled monster on the border is no entrance.
    ("treasure-room", "...# .T.m ....", "", "", []),
    # wide-hallway
    ("wide-hallway", ".. ..", "", "", wide("r1c1")),
    ("wide-hallway", ".. .?", "", "", []),
    ("wide-hallway", ".? M.", "", "", []),
    ("wide-hallway", "...# .T.. ...# ####", "", "", []),
    # A 3x3 square without a treasure is no room: four blocks.
    (
        "wide-hallway",
        "...# .... ...# ####",
        "",
        "",
        wide("r1c1", "r1c2", "r2c1", "r2c2"),
    ),
    # The block at r1c3 has two cells in the square; that makes a second entrance, so the square is no room at all.
    (
        "wide-hallway",
        ".... .T.. ...# ####",
        "",
        "",
        wide("r1c1", "r1c2", "r1c3", "r2c1", "r2c2"),
    ),
    # A room whose entrance holds a monster is no room.
    (
        "wide-hallway",
        ROOM,
        "",
        "",
        wide("r1c1", "r1c2", "r2c1", "r2c2"),
    ),
    # The block's only square holds a wall.
    (
        "wide-hallway",
        "..#? .T?? ???? ????",
        "",
        "",
        wide("r1c1"),
    ),
    ("wide-hallway", "..?? .T?? ???? ????", "", "", []),
    # disconnected
    ("disconnected", "###", "", "", []),
    ("disconnected", "#.#", "", "", []),
    (
        "disconnected",
        ".#.?",
        "",
        "",
        [
            "the open cell r1c1 is cut off from the other open cells",
            "the open cell r1c3 is cut off from the other open cells",
        ],
    ),
    ("disconnected", ".#..", "", "", ["the open cell r1c1 is cut off from the other open cells"]),
    ("disconnected", ".?.", "", "", []),
    (
        "disconnected",
        "M# #T",
        "",
        "",
        [
            "the open cell r1c1 is cut off from the other open cells",
            "the open cell r2c2 is cut off from the other open cells",
        ],
    ),
    ("disconnected", "..# #.# ### ... ...", "", "", ["the open cells r1c1, r1c2 and r2c2 are cut off from the others"]),
    (
        "disconnected",
        "..... ##### ..... .....",
        "",
        "",
        ["the region of 5 open cells with r1c1 is cut off from the others"],
    ),
]


@pytest.mark.parametrize(("code", "text", "rows", "columns", "messages"), SPEAKS)
def test_what_a_rule_says(code: str, text: str, rows: str, columns: str, messages: list[str]) -> None:
    puzzle, letters = case(text, rows, columns)
    found = rules.check(puzzle, "\n".join(letters), [code])
    assert [diagnostic.message for diagnostic in found] == messages
    assert {diagnostic.code for diagnostic in found} <= {code}


@pytest.mark.parametrize("monster", [True, False])
def test_dead_end_of_a_cell_and_all_that_may_be_around_it(monster: bool) -> None:
    for around in product(".#?", repeat=4):
        up, left, right, down = around
        text = f"#{up}# {left}{'M' if monster else '.'}{right} #{down}#"
        puzzle, letters = case(text)
        found = rules.check(puzzle, "\n".join(letters), ["dead-end"])
        least, most = around.count("."), 4 - around.count("#")
        wrong = least > 1 or most < 1 if monster else most < 2
        assert ((1, 1) in [diagnostic.cells[0] for diagnostic in found]) == wrong, text


def test_objects_around_a_monster_are_open_where_nothing_is_drawn() -> None:
    puzzle, nothing = Puzzle.of([None], [None] * 4, [(0, 0), (0, 1), (0, 2)]), Board(1, 4, 0, 0)
    messages = [found.message for found in rules.check(puzzle, nothing, ["dead-end"])]
    assert messages == ["the monster at r1c2 has 2 open neighbours, it must have exactly one"]


@pytest.mark.parametrize(
    ("code", "text", "clues", "cells"),
    [
        ("row-count", "## ..", "1?", [((0, 0), (0, 1))]),
        ("column-count", ".# .#", "?1", [((0, 1), (1, 1))]),
        ("object-on-wall", ".m ..", "", [((0, 1),)]),
        ("dead-end", "#. ##", "", [((0, 1),)]),
        ("treasure-room", "...# T... ...# #.##", "", [((1, 0), (1, 3), (3, 1))]),
        ("wide-hallway", "... #.. ###", "", [((0, 1), (0, 2), (1, 1), (1, 2))]),
        ("disconnected", "..# ### M.M", "", [((0, 0), (0, 1))]),
    ],
)
def test_cells_concerned(code: str, text: str, clues: str, cells: list[tuple[tuple[int, int], ...]]) -> None:
    is_row = code == "row-count"
    puzzle, letters = case(text, clues if is_row else "", "" if is_row else clues)
    assert [diagnostic.cells for diagnostic in rules.check(puzzle, "\n".join(letters), [code])] == cells


def test_order_and_choice_of_rules() -> None:
    puzzle, letters = case("..# ### #m.", "000", "000")
    text = "\n".join(letters)
    found = list(dict.fromkeys(diagnostic.code for diagnostic in rules.check(puzzle, text)))
    assert found == ["row-count", "column-count", "object-on-wall", "dead-end", "disconnected"]
    # In the order of the rules, whatever the order of the request.
    chosen = rules.check(puzzle, text, ["dead-end", "object-on-wall"])
    assert list(dict.fromkeys(diagnostic.code for diagnostic in chosen)) == ["object-on-wall", "dead-end"]
    assert rules.check(puzzle, text, []) == []
    with pytest.raises(ValueError, match="there is no rule 'dead-ends'; the rules are row-count, "):
        rules.check(puzzle, text, ["dead-ends"])


def test_rules_are_the_oracles() -> None:
    assert [rule.code for rule in rules.RULES] == CODES
    assert all(rule.text for rule in rules.RULES)


# --- boards in every form --------------------------------------------------------------------------------------------


def test_every_form_of_a_board() -> None:
    puzzle = Puzzle.of([2, 0], [1, 0, 1], monsters=[(1, 0), (1, 2)])
    walls = 0b000101
    solution = Solution(puzzle, walls)
    boards: list[Board | Solution | int | str] = [
        walls,
        solution,
        solution.board,
        "#.#\nM.M",
        "#.#\n...",
        "\n#.#\n...\n",
    ]
    assert {rules.as_board(puzzle, board) for board in boards} == {Board.complete(2, 3, walls)}
    spoken = [rules.check(puzzle, board) for board in boards]
    assert [diagnostic.message for diagnostic in spoken[0]] == ["r1c2 is a dead end without a monster"]
    assert all(found == spoken[0] for found in spoken)


def test_a_partial_board_as_text() -> None:
    puzzle = Puzzle.of([1], [0, 1, 0])
    assert rules.as_board(puzzle, ".?#") == Board(1, 3, walls=0b100, floors=0b001)


@pytest.mark.parametrize(
    ("board", "code"),
    [
        (Board(2, 3), "board-conflict"),
        (Solution(Puzzle.of([0], [0]), 0), "board-conflict"),
        (1 << 9, "outside-board"),
        (-1, "outside-board"),
        (True, "mask-type"),
        ("...\n...", "row-number"),
        ("...\n....\n...", "row-length"),
        ("...\n.x.\n...", "bad-letter"),
        ("...\n...\nM..", "board-conflict"),
        ("T..\n...\n...", "board-conflict"),
    ],
)
def test_boards_that_do_not_fit(board: rules.AnyBoard, code: str) -> None:
    puzzle = Puzzle.of([0, 0, 0], [0, 0, 0], monsters=[(0, 0)])
    with pytest.raises(InputError) as caught:
        rules.check(puzzle, board)
    assert caught.value.diagnostic.code == code


def test_the_place_of_a_wrong_letter() -> None:
    with pytest.raises(InputError) as caught:
        rules.as_board(Puzzle.of([0, 0], [0, 0]), "..\n.x\n")
    span = caught.value.diagnostic.span
    assert span is not None
    assert (span.line, span.column, span.text) == (2, 2, ".x")


def test_no_board_at_all() -> None:
    with pytest.raises(TypeError, match="not float"):
        rules.check(Puzzle.of([0], [0]), 1.0)  # type: ignore[arg-type]


# --- random boards against the oracle --------------------------------------------------------------------------------


def _stamp(letters: list[list[str]], top: int, left: int, entrance: int) -> None:
    """An open 3x3 square with walls all around but at one place: else random boards hardly ever hold a room."""
    height, width = len(letters), len(letters[0])
    border = [
        cell
        for step in range(3)
        for cell in ((top - 1, left + step), (top + 3, left + step), (top + step, left - 1), (top + step, left + 3))
    ]
    inside = [(r, c) for r, c in border if 0 <= r < height and 0 <= c < width]
    for r, c in inside:
        letters[r][c] = "#"
    if inside:
        r, c = inside[entrance % len(inside)]
        letters[r][c] = "."
    for r in range(top, top + 3):
        letters[r][left : left + 3] = "..."


@st.composite
def cases(draw: st.DrawFn, most: tuple[int, int], unknowns: int) -> Case:
    """Boards of at most `most` rows and columns, at most `unknowns` cells of them unknown, objects anywhere."""
    height, width = (draw(st.integers(1, side)) for side in most)
    # One or two words of random bits: half of the cells are walls, or a quarter.
    words = draw(st.lists(st.integers(0, grid.full(height, width)), min_size=1, max_size=2))
    walls = words[0] & words[-1]
    letters = [["#" if walls >> row * width + column & 1 else "." for column in range(width)] for row in range(height)]
    every = [(row, column) for row in range(height) for column in range(width)]
    objects = draw(st.lists(st.sampled_from(every), unique=True, max_size=draw(st.sampled_from([0, 1, 4]))))
    treasures = [cell for cell in objects if draw(st.booleans())]
    if height >= 3 and width >= 3 and draw(st.booleans()):
        top, left = draw(st.integers(0, height - 3)), draw(st.integers(0, width - 3))
        _stamp(letters, top, left, draw(st.integers(0, 11)))
        treasures.append((top + draw(st.integers(0, 2)), left + draw(st.integers(0, 2))))
    treasures = sorted(set(treasures))
    monsters = sorted(set(objects) - set(treasures))
    for row, column in draw(st.lists(st.sampled_from(every), max_size=2)):
        letters[row][column] = "#" if letters[row][column] == "." else "."
    rows, columns = [
        [None if shift > 1 else max(0, line.count("#") - shift) for line, shift in zip(lines, shifts, strict=True)]
        for lines in (letters, list(zip(*letters, strict=True)))
        for shifts in [draw(st.lists(st.sampled_from([0, 0, 0, 0, 0, 1, 2]), min_size=len(lines), max_size=len(lines)))]
    ]
    for row, column in draw(st.lists(st.sampled_from(every), max_size=unknowns)):
        letters[row][column] = "?"
    return Case(Puzzle.of(rows, columns, monsters, treasures), ["".join(line) for line in letters])


def spoken(case: Case) -> list[str]:
    """The codes that check() gives, in order, each once."""
    return list(dict.fromkeys(diagnostic.code for diagnostic in rules.check(case.puzzle, case.text)))


def fillings(case: Case) -> Iterator[tuple[str, ...]]:
    """The complete boards that a partial board can become: a monster or treasure is open unless a wall is drawn."""
    objects = {*case.puzzle.monster_cells, *case.puzzle.treasure_cells}
    known = [
        "".join("." if letter == "?" and (row, column) in objects else letter for column, letter in enumerate(line))
        for row, line in enumerate(case.letters)
    ]
    return completions(known)


@settings(max_examples=400, deadline=None)
@given(cases((7, 7), 0))
def test_complete_boards_against_the_oracle(case: Case) -> None:
    puzzle = case.puzzle
    expected = faults(puzzle.rows, puzzle.columns, case.letters, puzzle.monster_cells, puzzle.treasure_cells)
    assert spoken(case) == expected
    for code in CODES:
        assert bool(rules.check(puzzle, case.text, [code])) == (code in expected)


# Rules whose validators promise to detect all there is to detect.
EXHAUSTIVE = {"row-count", "column-count", "object-on-wall", "disconnected"}


@pytest.mark.parametrize("code", CODES)
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_partial_boards_raise_no_false_alarm(code: str, data: st.DataObject) -> None:
    case = data.draw(cases((4, 5), 7))
    speaks = bool(rules.check(case.puzzle, case.text, [code]))
    can_hold = any(RULES[code](case.dungeon(letters)) for letters in fillings(case))
    assert not (speaks and can_hold)
    assert speaks or can_hold or code not in EXHAUSTIVE


@settings(max_examples=120, deadline=None)
@given(cases((6, 6), 12), st.sampled_from(grid.SYMMETRIES))
def test_symmetric_copies_have_the_same_faults(case: Case, symmetry: int) -> None:
    puzzle, board = case.puzzle, case.board
    swapped = {"row-count": "column-count", "column-count": "row-count"} if symmetry > 3 else {}
    expected = Counter(
        (
            swapped.get(found.code, found.code),
            frozenset(grid.move(symmetry, cell, puzzle.height, puzzle.width) for cell in found.cells),
        )
        for found in rules.check(puzzle, board)
    )
    moved = rules.check(puzzle.transformed(symmetry), board.transformed(symmetry))
    assert Counter((found.code, frozenset(found.cells)) for found in moved) == expected


@settings(max_examples=60, deadline=None)
@given(cases((5, 5), 10))
def test_diagnostics_are_well_formed(case: Case) -> None:
    for found in rules.check(case.puzzle, case.text):
        assert found.cells
        assert len(set(found.cells)) == len(found.cells)
        assert all(0 <= row < case.puzzle.height and 0 <= column < case.puzzle.width for row, column in found.cells)
        assert found.message[0] not in " ."
        assert not found.message.endswith(".")


# --- the boards of fixtures/ against the oracle ----------------------------------------------------------------------

ENTRIES = [
    entry
    for folder in ("invalid", "rules")
    for path in sorted((ROOT / "fixtures" / folder).glob("*.toml"))
    if not path.read_bytes().startswith(b"# error:")
    for entry in reading.entries(path)
]
JUDGED = [entry for entry in ENTRIES if "faults" in entry.expect]
SMALL = [entry for entry in ENTRIES if "solutions" in entry.expect and entry.puzzle.height * entry.puzzle.width <= 20]


@pytest.mark.parametrize("entry", JUDGED, ids=lambda entry: entry.name)
def test_verdict_of_a_fixture(entry: Entry) -> None:
    drawn = Case(
        entry.puzzle, draw.letters(entry.board.height, entry.board.width, 0, 0, entry.board.walls, entry.board.unknown)
    )
    boards = [drawn.dungeon(letters) for letters in fillings(drawn)]
    assert entry.expect["faults"] == [code for code, holds in RULES.items() if not any(map(holds, boards))]


@pytest.mark.parametrize("code", CODES)
def test_two_fixtures_show_each_rule_first(code: str) -> None:
    assert sum(entry.expect["faults"][:1] == [code] for entry in JUDGED) >= 2


@pytest.mark.parametrize("entry", SMALL, ids=lambda entry: entry.name)
def test_solutions_of_a_small_fixture(entry: Entry) -> None:
    puzzle, drawn = entry.puzzle, entry.expect.get("solution", [])
    expected = {tuple(board.split()) for board in ([drawn] if isinstance(drawn, str) else drawn)}
    assert brute_force(puzzle.rows, puzzle.columns, puzzle.monster_cells, puzzle.treasure_cells) == expected
    assert len(expected) == entry.expect["solutions"]


# --- plug-ins --------------------------------------------------------------------------------------------------------

PLUG_IN = """
from dnd.diagnostic import Diagnostic
from dnd.rule import Rule

def no_corner(puzzle, board):
    if board.walls & 1:
        yield Diagnostic("open-corner", "the corner r1c1 must be open", ((0, 0),))

RULE = Rule("open-corner", "the upper left corner is open", no_corner)
CLASH = Rule("dead-end", "another rule of that name", no_corner)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Puts a distribution with the given `dnd.rules` entry points on the path."""

    def put(*points: str) -> None:
        info = tmp_path / "extra_rules-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: extra-rules\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[dnd.rules]\n" + "\n".join(points) + "\n")
        (tmp_path / "extra_rules.py").write_text(PLUG_IN)
        monkeypatch.syspath_prepend(tmp_path)
        rules.all_rules.cache_clear()

    yield put
    rules.all_rules.cache_clear()


def test_a_plug_in_rule_runs_last(install: Callable[..., None]) -> None:
    install("corner = extra_rules:RULE")
    assert [rule.code for rule in rules.all_rules()] == [*CODES, "open-corner"]
    puzzle = Puzzle.of([0], [0, 0, 0])
    assert [found.code for found in rules.check(puzzle, "#..")][-1] == "open-corner"
    assert [found.message for found in rules.check(puzzle, "#..", ["open-corner"])] == ["the corner r1c1 must be open"]
    assert rules.check(puzzle, "..#", ["open-corner"]) == []


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (["a = extra_rules:CLASH"], "'dead-end' .extra_rules:CLASH. takes a code that is in use"),
        (["a = extra_rules:RULE", "b = extra_rules:RULE"], "'open-corner' .extra_rules:RULE. takes a code"),
        (["a = extra_rules:no_corner"], "a = extra_rules:no_corner of dnd.rules is not a dnd.rule.Rule"),
    ],
)
def test_bad_plug_ins_are_errors(install: Callable[..., None], points: list[str], message: str) -> None:
    install(*points)
    with pytest.raises(RuntimeError, match=message):
        rules.check(Puzzle.of([0], [0]), 0)


# --- the witnesses themselves ----------------------------------------------------------------------------------------


def test_brute_force_finds_a_known_set() -> None:
    # The straight way and the way round.
    assert brute_force([None, None], [None] * 3, [(0, 0), (0, 2)], []) == {("M.M", "###"), ("M#M", "...")}
    assert brute_force([None] * 2, [None] * 2, [], []) == {("##", "##")}
    assert brute_force([2, 2], [2, 2], [], []) == {("##", "##")}
    assert brute_force([0], [0, 0], [(0, 0), (0, 1)], []) == {("MM",)}


def test_oracle_on_a_legal_room() -> None:
    legal = ["....M", ".T.##", "...##"]
    assert faults([0, 2, 2], [0, 0, 0, 2, 2], legal) == []
    assert is_legal([0, 2, 2], [0, 0, 0, 2, 2], legal)
    assert faults([0, 2, 2], [0, 0, 0, 2, 2], ["...M#", ".T.##", "...##"]) == [
        "row-count",
        "column-count",
        "treasure-room",
        "wide-hallway",
    ]
