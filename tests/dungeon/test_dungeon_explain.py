"""The dungeon's techniques, explanations, hints and ratings. (That no step is unsound: `test_dungeon_soundness.py`.)"""

from __future__ import annotations

import importlib
import random
import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given

import dnd
import rate_levels
from conftest import KERNELS, PURE_RUN, ROOT, Cli, interrupted, needs_compiled
from dnd import grid
from dnd.diagnostic import InputError, cell_name
from dnd.dungeon.completions import Completions
from dnd.dungeon.explainer import (
    COSTS,
    HORIZON,
    IMPOSSIBLE,
    LEVELS,
    SEARCH,
    SOLVED,
    TECHNIQUES,
    WHAT_IF,
    WRONG,
    Step,
    _canonical_symmetry,
    explain,
    hint,
    hints,
    rate,
)
from dnd.dungeon.generator import generate, parse_request
from dnd.dungeon.kernel import logic_py
from dnd.dungeon.puzzle import Board, Puzzle, picture
from dnd.dungeon.solver import solve
from dnd.dungeon.state import Layout, State
from dnd.dungeon.testing import checks
from dnd.game import Entry
from dnd.reading import entries, loads
from dungeon_replay import unsound
from fuzzing import partial_board, puzzles
from strategies import puzzles as any_puzzles

FIXTURES = sorted((ROOT / "fixtures" / "bbs").glob("*.toml"))
SOME = FIXTURES[:: 8 if PURE_RUN else 1]

# docs/hints.md: of each technique its name, a position in one line, that drawn, and the sentence of the first step.
EXAMPLE = re.compile(
    r"^### (\S+)\n\n(?:[^\n]+\n)+\n    (\S+)\n\n```\n(.*?)\n```\n\n> ([^\n]+)$", re.MULTILINE | re.DOTALL
)
EXAMPLES = EXAMPLE.findall((ROOT / "docs" / "hints.md").read_text(encoding="utf-8"))


def entry_of(line: str) -> Entry:
    (entry,) = entries(line.encode())
    return entry


def level(name: str) -> Puzzle:
    puzzle: Puzzle = dnd.load(ROOT / "fixtures" / "bbs" / f"{name}.toml")[0]
    return puzzle


def solution_of(puzzle: Puzzle) -> Board:
    found = solve(puzzle, 2)
    assert found.unique
    board: Board = found.solutions[0].board
    return board


# Techniques.


def test_every_technique_has_an_example() -> None:
    assert tuple(name for name, *_ in EXAMPLES) == TECHNIQUES


@pytest.mark.parametrize(("technique", "line", "drawn", "sentence"), EXAMPLES, ids=[name for name, *_ in EXAMPLES])
def test_examples(technique: str, line: str, drawn: str, sentence: str) -> None:
    """The position in the document has this technique as its easiest, and the sentence is what is said."""
    entry = entry_of(line)
    assert picture(entry.puzzle, entry.board) == drawn
    step = explain(entry.puzzle, entry.board).steps[0]
    assert (step.technique, step.sentence) == (technique, sentence)
    if not technique.startswith("room"):  # where a square is told by two of its corners
        assert all(cell_name(cell) in sentence for cell in (*step.walls, *step.floors))


def test_the_last_technique_can_be_left_out() -> None:
    line = EXAMPLES[-1][1]
    entry = entry_of(line)
    assert explain(entry.puzzle, entry.board, what_if=False).steps == ()
    assert WHAT_IF in explain(entry.puzzle, entry.board).techniques


def test_what_if_shows_its_chain() -> None:
    entry = entry_of(EXAMPLES[-1][1])
    step = explain(entry.puzzle, entry.board).steps[0]
    assert step.chain[-1].technique == IMPOSSIBLE
    assert all(TECHNIQUES.index(link.technique) < len(logic_py.EASY) for link in step.chain[:-1])


# Kernels.


def module(kernel: str) -> ModuleType:
    return importlib.import_module(f"dnd.dungeon.kernel.logic_{kernel}")


def questions(seed: int, number: int) -> Iterator[tuple[Puzzle, int, int]]:
    """Puzzles of all shapes with walls and floors that may be wrong, or even both."""
    rng = random.Random(seed)
    for puzzle in islice(puzzles(seed, 6), number):
        board = partial_board(puzzle, rng)
        keep = rng.choice([0, 0, (1 << 36) - 1, rng.getrandbits(36)])
        yield puzzle, board.walls & keep, board.floors & keep
    yield Puzzle((1, None), (1, 1), 1), 1, 0
    yield Puzzle((1, None), (1, 1), 1), 2, 2


@needs_compiled
def test_both_kernels_number_techniques_alike() -> None:
    one, other = module("c"), module("py")
    assert one.NAMES == other.NAMES
    assert one.WHAT_IF == other.WHAT_IF == len(one.NAMES)


@needs_compiled
@pytest.mark.parametrize("seed", range(4))
def test_both_kernels_make_the_same_rounds(seed: int) -> None:
    one, other = module("c"), module("py")
    statuses = Counter[int]()
    for puzzle, walls, floors in questions(seed, 150):
        told = one.rounds(*puzzle.kernel_arguments, walls, floors, one.WHAT_IF)
        assert told == other.rounds(*puzzle.kernel_arguments, walls, floors, other.WHAT_IF), puzzle.ddn()
        statuses[told[1]] += 1
    assert set(statuses) == {one.OPEN, one.SOLVED, one.BROKEN}


@needs_compiled
@pytest.mark.parametrize("path", FIXTURES[::4], ids=lambda path: path.stem)
def test_both_kernels_make_the_same_rounds_of_levels(path: Path) -> None:
    for entry in entries(path):
        asked = (*entry.puzzle.kernel_arguments, 0, 0)
        for hardest in (*range(0, 25, 6), 25):
            assert module("c").rounds(*asked, hardest) == module("py").rounds(*asked, hardest)


@needs_compiled
@pytest.mark.parametrize("shape", [(10, 10), (3, 32), (32, 3), (17, 9)])
def test_both_kernels_make_the_same_rounds_on_large_boards(shape: tuple[int, int]) -> None:
    height, width = shape
    puzzle = next(Completions(Puzzle((None,) * height, (None,) * width), seed=5)).puzzle
    asked = (*puzzle.kernel_arguments, 0, 0, module("c").WHAT_IF - 1)
    assert module("c").rounds(*asked) == module("py").rounds(*asked)


@needs_compiled
def test_both_kernels_find_the_same_agreement() -> None:
    rng, found = random.Random(1), 0
    for puzzle, walls, floors in questions(11, 150):
        height, width, rows, columns, monsters, _ = puzzle.kernel_arguments
        awake = rng.getrandbits(height * width) & Layout(*puzzle.kernel_arguments).board.block_corners
        for first in range(height + width):
            beside = first + 1 not in (height, height + width)
            for second in (-1, first + 1) if beside else (-1,):
                known = (height, width, rows, columns, monsters, walls & ~monsters, floors & ~walls, awake)
                told = module("c").agreement(*known, first, second)
                assert told == module("py").agreement(*known, first, second)
                found += bool(any(told))
    assert found > 100


@needs_compiled
def test_ctrl_c(tmp_path: Path) -> None:
    """It is neither lost nor printed. On a board without clues everything is tried in vain."""
    program = """
        from dnd.dungeon.kernel.logic_c import WHAT_IF, rounds
        print("ready", flush=True)
        try:
            while True:
                rounds(32, 32, (-1,) * 32, (-1,) * 32, 1 << 33 | 1 << 500, 0, 0, 0, WHAT_IF)
        except KeyboardInterrupt:
            print("interrupted")
    """
    assert interrupted(textwrap.dedent(program), tmp_path) == "interrupted\n"


def test_numbers_of_techniques(kernel: str) -> None:
    assert len(TECHNIQUES) == module(kernel).WHAT_IF + 1
    assert TECHNIQUES[module(kernel).WHAT_IF] == WHAT_IF
    assert (module(kernel).OPEN, module(kernel).SOLVED, module(kernel).BROKEN) == (0, 1, 2)


def test_rounds_of_symmetric_copies_are_symmetric(kernel: str) -> None:
    """Of those that need no assumption."""
    puzzle = level("8-3")
    rounds, status = module(kernel).rounds(*puzzle.kernel_arguments, 0, 0, module(kernel).WHAT_IF - 1)
    assert status == 1
    for symmetry in grid.SYMMETRIES:
        copy = puzzle.transformed(symmetry)
        moved = tuple((n, *(grid.move_mask(symmetry, mask, 8, 8) for mask in masks)) for n, *masks in rounds)
        assert module(kernel).rounds(*copy.kernel_arguments, 0, 0, module(kernel).WHAT_IF - 1) == (moved, status)


def test_a_round_is_of_the_easiest_technique(kernel: str) -> None:
    """Whatever is left out of the harder ones, the beginning is the same."""
    asked = (*level("8-8").kernel_arguments, 0, 0)
    all_rounds, _ = module(kernel).rounds(*asked, module(kernel).WHAT_IF)
    for hardest in range(-1, module(kernel).WHAT_IF):
        some, _ = module(kernel).rounds(*asked, hardest)
        shared = next((at for at, (number, *_) in enumerate(all_rounds) if number > hardest), len(all_rounds))
        assert some[:shared] == all_rounds[:shared]
        assert all(number <= hardest for number, *_ in some)


@pytest.mark.parametrize("seed", range(2))
def test_easy_conclusions_are_those_of_every_technique_alone(seed: int) -> None:
    """A "what if" takes all easy techniques at once; what each finds is part of it."""
    found = Counter[str]()
    for puzzle, walls, floors in questions(seed + 20, 60):
        state = State(Layout(*puzzle.kernel_arguments), walls & ~floors, floors)
        if not state.is_broken:
            all_walls, all_floors = logic_py.all_easy(state)
            for technique in logic_py.EASY:
                some_walls, some_floors = technique(state)
                assert not some_walls & ~all_walls | some_floors & ~all_floors
                assert not (some_walls | some_floors) & ~state.unknown
                found[technique.__name__] += bool(some_walls | some_floors)
    assert sum(number > 0 for number in found.values()) > len(logic_py.EASY) // 2


def rooms_in_a_row(number: int, tiers: int) -> tuple[Puzzle, int, int]:
    """A board of 16 rows with rooms side by side, drawn but for the walls above and below; one line may lack a wall."""
    width = 4 * number
    walls = floors = 0
    for top in (6, 1)[:tiers]:
        for row, column in product(range(top, top + 3), range(width)):
            cell = 1 << row * width + column
            walls, floors = (walls | cell, floors) if column % 4 == 3 else (walls, floors | cell)
    treasures = [(top + 1, column) for top in (6, 1)[:tiers] for column in range(1, width, 4)]
    rows = [4 * number - 4 if row in (4, 5)[2 - tiers :] else None for row in range(16)]
    return Puzzle.of(rows, [None] * width, treasures=treasures), walls, floors


@needs_compiled
@pytest.mark.parametrize(("number", "tiers"), [(2, 1), (5, 1), (8, 1), (3, 2), (8, 2)])
def test_many_rooms_claim_the_walls_of_a_line(number: int, tiers: int) -> None:
    """Each claims all but one of the cells above it; how much is weighed at once must not grow with their number."""
    puzzle, walls, floors = rooms_in_a_row(number, tiers)
    asked = (*puzzle.kernel_arguments, walls, floors, TECHNIQUES.index("two-lines"))
    told = module("c").rounds(*asked)
    assert told[1] == logic_py.OPEN
    assert told == module("py").rounds(*asked)


@needs_compiled
@pytest.mark.parametrize("request_", ["20x20:treasures=12-14#d", "7x16#l", "16x9:monsters=20-30#l", "20x3#l", "3x20#l"])
def test_both_kernels_make_the_same_rounds_of_large_boards(request_: str) -> None:
    """Of more than one word, some with so many rooms that several claim the walls of one line."""
    for puzzle in generate(**parse_request(request_), count=7):
        asked = (*puzzle.kernel_arguments, 0, 0, logic_py.WHAT_IF - 1)
        assert module("c").rounds(*asked) == module("py").rounds(*asked), puzzle.name


def test_packing() -> None:
    """Against all subsets."""
    rng = random.Random(3)
    for _ in range(200):
        claims = [(rng.getrandbits(10) & rng.getrandbits(10) or 1, rng.randint(1, 2)) for _ in range(rng.randint(0, 6))]
        best = 0
        for chosen in range(1 << len(claims)):
            some = [claim for number, claim in enumerate(claims) if chosen >> number & 1]
            if (
                sum(cells.bit_count() for cells, _ in some) == (grid_union := _union(some)).bit_count()
                or not grid_union
            ):
                best = max(best, sum(need for _, need in some))
        assert logic_py.packed(claims) == best


def _union(claims: list[tuple[int, int]]) -> int:
    mask = 0
    for cells, _ in claims:
        mask |= cells
    return mask


# Explanations.


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_levels(path: Path) -> None:
    """All are solved, none needs an assumption, and the rating is that of the path."""
    for entry in entries(path):
        told, rating = explain(entry.puzzle), rate(entry.puzzle)
        assert told.solved
        assert told.board.walls == solution_of(entry.puzzle).walls
        assert list(told.boards())[-1].walls == told.board.walls
        cells = Counter[str]()
        for step in told.steps:
            cells[step.technique] += len(step.walls) + len(step.floors)
        assert cells == rating.counts
        assert rating.hardest != WHAT_IF


def test_boards_grow_step_by_step() -> None:
    puzzle = level("1-5")
    told = explain(puzzle, "?" * 7 + "#\n" + ("?" * 8 + "\n") * 7)
    before = told.known
    assert before.walls == 1 << 7
    for step, board in zip(told.steps, told.boards(), strict=True):
        new = board.walls & ~before.walls, board.floors & ~before.floors
        assert new == tuple(grid.to_mask(cells, 8) for cells in (step.walls, step.floors))
        before = board


def test_json() -> None:
    told: dict[str, Any] = explain(level("1-5")).steps[0].as_json()
    assert set(told) == {"technique", "sentence", "walls", "floors", "facts", "chain"}
    assert set(told["facts"]) == {"walls", "floors", "rows", "columns"}
    assert told["technique"] in TECHNIQUES


def test_a_complete_board_needs_no_steps() -> None:
    puzzle = level("2-1")
    told = explain(puzzle, solution_of(puzzle))
    assert (told.solved, told.steps, told.impossible) == (True, (), False)


def test_trivial_boards() -> None:
    assert explain(Puzzle((1,), (1,))).solved
    assert explain(Puzzle((None,), (None,))).board.walls == 1
    assert explain(Puzzle((0,), (0,))).impossible
    alone = explain(Puzzle((0,), (0, 0), 3))
    assert (alone.solved, alone.steps) == (True, ())


def test_impossible_puzzles_end_in_a_proof() -> None:
    puzzle = replace(level("1-5"), rows=(8, *level("1-5").rows[1:]))
    told = explain(puzzle)
    assert told.impossible
    assert not told.solved
    assert told.techniques[IMPOSSIBLE] == 1


VIOLATIONS = [
    ("...:...:mw1/w2/3", "the monster at r1c1 has no way out"),
    (".....:..0..:5/5/1w3/5/5", "row 3 has 1 wall, its clue is 0"),
    (".....:..5..:5/5/1f3/5/5", "row 3 has room for 4 walls only, its clue is 5"),
    (".....:.....:5/1f3/fmf2/5/5", "the monster at r3c2 has two open neighbours, r2c2 and r3c1"),
    (".....:.....:fw3/w4/5/5/5", "r1c1 is a dead end without a monster"),
    (".....:.....:ff3/ff3/5/5/5", "r1c1, r1c2, r2c1 and r2c2 are open, a 2x2 block"),
    (".....:.....:5/5/1wtw1/5/5", "the treasure at r3c3 has no room: the walls r3c2 and r3c4 are in the way"),
    ("..:..:2/1t", "the treasure at r2c2 has no room"),
    (".....:.....:m4/wwwww/5/5/4m", "r1c1 would be cut off from r5c5"),
]


@pytest.mark.parametrize(("line", "sentence"), VIOLATIONS, ids=range(len(VIOLATIONS)))
def test_violations(line: str, sentence: str) -> None:
    entry = entry_of(line)
    told = explain(entry.puzzle, entry.board)
    assert told.impossible
    assert told.steps[-1].sentence == sentence


def test_monster_in_a_wall() -> None:
    told = explain(Puzzle((None,) * 3, (None,) * 3, 1), "#??\n???\n???")
    assert told.steps[-1].sentence == "the monster at r1c1 is in a wall"


def test_conclusions_that_contradict_each_other() -> None:
    """Both are told: one as a step, the other as what is impossible."""
    paths = (explain(puzzle) for puzzle in islice(puzzles(7), 2000))
    told = next(told for told in paths if told.impossible and "; but r" in told.steps[-1].sentence)
    assert told.steps[-1].sentence.endswith("is wall")
    assert set(told.steps[-1].facts.walls) & {cell for step in told.steps for cell in step.walls}


def test_a_room_that_claims_walls_in_one_of_two_lines() -> None:
    """Its border has unknown cells in both lines, but the claim is about those in one."""
    line = "..13.:........:fff2/tff2/fff2/5/5/5/5/5"
    (entry,) = entries(line)
    told = explain(entry.puzzle, entry.board)
    assert list(unsound(told, None, entry.board)) == []
    first = told.steps[0]
    assert first.technique == "two-lines"
    assert "2 are among r1c4, r2c4 and r3c4, since the room r1c1-r3c3 has one entrance" in first.sentence
    assert next(hints(entry.puzzle, entry.board))


def test_boards_that_do_not_fit() -> None:
    for call in (explain, hint):
        with pytest.raises(InputError):
            call(level("1-1"), Board(2, 2))


# Hints.


def drawn(puzzle: Puzzle, changes: dict[tuple[int, int], str], fill: str = "?") -> str:
    """A board with these letters, and others."""
    cells = ([changes.get((r, c), fill) for c in range(puzzle.width)] for r in range(puzzle.height))
    return "\n".join(map("".join, cells))


def test_hints_lead_to_the_solution() -> None:
    puzzle = level("3-1")
    steps = list(hints(puzzle))
    assert steps[:-1] == list(explain(puzzle).steps)
    assert steps[-1].technique == SOLVED
    assert hint(puzzle) == steps[0]
    assert hint(puzzle, solution_of(puzzle)).technique == SOLVED


WRONG_CELLS = [
    ({(1, 4): "#"}, "r2c5 cannot be wall: column 5 has 1 wall, its clue is 0"),
    ({(0, 7): "."}, "r1c8 cannot be open: column 8 has room for 3 walls only, its clue is 4"),
    ({(1, 7): "#"}, "r2c8 cannot be wall: the monster at r2c8 is in a wall"),
    ({(7, 6): "#"}, "r8c7 cannot be wall: a step on, the monster at r8c8 has no way out but r8c7"),
    ({(0, 0): "#"}, "r1c1 cannot be wall: 11 steps on, row 1 has all its 3 walls: r1c1, r1c2, r1c3 and r1c4 are floor"),
    ({(7, 6): "#", (0, 0): "#"}, "r8c7 cannot be wall: a step on, "),
]


@pytest.mark.parametrize(("cells", "beginning"), WRONG_CELLS)
def test_reasons_for_wrong_cells(cells: dict[tuple[int, int], str], beginning: str) -> None:
    puzzle = level("1-1")
    step = hint(puzzle, drawn(puzzle, cells))
    assert step.technique == WRONG
    assert step.sentence.startswith(beginning)


def test_a_wrong_cell_comes_before_everything() -> None:
    """Any wrong cell on a board that is otherwise right, and on an empty one, is named."""
    puzzle = level("2-6")
    solution = solution_of(puzzle)
    for cell in list(grid.indices(grid.full(8, 8) & ~puzzle.objects))[::5]:
        bit = 1 << cell
        for kept in (0, grid.full(8, 8)):
            walls, floors = solution.walls & kept & ~bit, solution.floors & kept & ~bit
            walls, floors = (walls, floors | bit) if bit & solution.walls else (walls | bit, floors)
            step = hint(puzzle, Board(8, 8, walls, floors))
            assert step.technique == WRONG
            assert (step.walls, step.floors) == (
                ((divmod(cell, 8),), ()) if bit & solution.walls else ((), (divmod(cell, 8),))
            )


def test_hints_for_several_solutions() -> None:
    puzzle = entry_of("....:....:4/4/4/3m").puzzle
    steps = list(hints(puzzle))
    assert steps[-1].technique == HORIZON
    assert all("several solutions" in step.sentence for step in steps)


def test_hints_for_no_solution() -> None:
    assert hint(Puzzle((0,), (0,))).technique == IMPOSSIBLE
    # Nine cells have no place for two rooms.
    told = hint(Puzzle((None,) * 3, (None,) * 3, 0, 0b11))
    assert told.technique == IMPOSSIBLE


def test_search_and_after() -> None:
    """Where techniques end, a cell that is so in all solutions; then they may go on."""
    found = None
    for puzzle in islice(puzzles(41, 6), 600):
        steps = list(hints(puzzle))
        if SEARCH in {step.technique for step in steps}:
            found = steps
            break
    assert found
    number = [step.technique for step in found].index(SEARCH)
    assert found[number].sentence.startswith("no technique goes on from here")
    assert len(found[number].walls) + len(found[number].floors) == 1


@pytest.mark.parametrize("text", ["....:....:4/m3/4/4", "2...:...2:4/m3/4/4", "0...:....:m3/m3/4/4"])
def test_trying_everything_rests_on_the_clues_that_there_are(text: str) -> None:
    """And on no monster or treasure, which everybody knows to be open."""
    (puzzle,) = loads(text)
    cited = [step.facts for step in hints(puzzle) if step.technique in (SEARCH, IMPOSSIBLE)]
    cited += [hint(puzzle, Board(4, 4, 0b11 << 14, 0)).facts]
    for facts in cited:
        assert not [row for row in facts.rows if puzzle.rows[row] is None]
        assert not [column for column in facts.columns if puzzle.columns[column] is None]
        assert not grid.to_mask(facts.floors, 4) & puzzle.objects


# Ratings.


def test_ratings_are_those_of_symmetric_copies() -> None:
    for puzzle in (level("1-6"), level("6-5"), entry_of(WITH_ASSUMPTION).puzzle):
        assert [rate(copy) for copy in puzzle.symmetries()] == [rate(puzzle)] * 8


WITH_ASSUMPTION = EXAMPLES[-1][1].rpartition(":")[0] + ":6/6/6/6/6"


@pytest.mark.parametrize("kernel", KERNELS)
def test_ratings_of_all_kernels(kernel: str) -> None:
    """One of each level of difficulty, and one that needs an assumption."""
    expected = {"1-5": "easy 61", "1-6": "medium 118", "1-8": "hard 114", "8-8": "expert 530"}
    for name, rating in expected.items():
        assert rate(level(name), kernel=kernel).text.startswith(rating)
    assumed = rate(entry_of(WITH_ASSUMPTION).puzzle, kernel=kernel)
    assert (assumed.level, assumed.hardest) == ("expert", WHAT_IF)


def test_number_is_made_of_counts() -> None:
    rating = rate(level("4-4"))
    assert rating.number == sum(COSTS[technique] * count for technique, count in rating.counts.items())
    assert list(rating.counts) == sorted(rating.counts, key=TECHNIQUES.index)
    assert rating.hardest == list(rating.counts)[-1]


def test_ratings_beyond_logic() -> None:
    assert rate(Puzzle((0,), (0,))).level == LEVELS[-1]
    several = rate(entry_of("....:....:4/4/4/3m").puzzle)
    assert several.level == LEVELS[-1]
    assert several.number >= 100
    assert rate(Puzzle((None,) * 8, (None,) * 8)) == (6400, LEVELS[-1], "", {})


def test_rating_where_nothing_is_left() -> None:
    assert rate(Puzzle((0,), (0, 0), 3)) == (0, "easy", "", {})


def test_costs_rise() -> None:
    assert list(COSTS) == list(TECHNIQUES)
    assert max(COSTS, key=COSTS.__getitem__) == WHAT_IF


def test_pinned_ratings_are_checked_and_rewritten() -> None:
    (entry,) = entries(FIXTURES[0])
    wrong = replace(entry, expect={**entry.expect, "rating": "easy 1"})
    (check,) = [check for check in checks(wrong, ["py"]) if check.key == "rating"]
    assert check.name == "rating-py"
    (fault,) = check.run()
    assert "the fixture expects 'easy 1'" in fault
    assert check.update
    assert check.update() == {"rating": rate(entry.puzzle).text}
    (right,) = [check for check in checks(entry, ["py"]) if check.key == "rating"]
    assert list(right.run()) == []
    assert right.update
    assert right.update() == {}


def test_all_levels_are_pinned() -> None:
    assert all(entry.expect.get("rating") for path in FIXTURES for entry in entries(path))


# The tool.


def test_table_of_ratings(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    copy = tmp_path / "1-5.toml"
    shutil.copy(ROOT / "fixtures" / "bbs" / "1-5.toml", copy)
    copy.write_text(copy.read_text().replace('rating = "easy', 'rating = "hard'))
    other = tmp_path / "8-8.toml"
    other.write_text("\n".join(line for line in FIXTURES[-1].read_text().splitlines() if "rating" not in line) + "\n")
    assert rate_levels.main(["--pin", str(copy), str(other)]) == 0
    assert "1 easy, 0 medium, 0 hard, 1 expert, 0 beyond logic" in capsys.readouterr().out
    for path in (copy, other):
        (entry,) = entries(path)
        assert entry.expect["rating"] == rate(entry.puzzle).text
        assert path.read_text() == (ROOT / "fixtures" / "bbs" / path.name).read_text()


def test_table_as_markdown_is_that_of_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    if PURE_RUN:
        pytest.skip("takes long in pure Python")
    assert rate_levels.main(["--markdown"]) == 0
    table = capsys.readouterr().out.strip()
    assert table.count("|") > len(FIXTURES)
    assert table in (ROOT / "docs" / "rating.md").read_text(encoding="utf-8")


def test_rank_correlation() -> None:
    assert rate_levels.spearman([1, 2, 3], [10, 20, 30]) == 1.0
    assert rate_levels.spearman([1, 2, 3], [3, 2, 1]) == -1.0
    assert rate_levels.spearman([1, 1, 1], [3, 2, 1]) == 0.0
    assert rate_levels.spearman([1, 1, 2, 3], [1, 2, 3, 4]) == pytest.approx(0.9486833)


# Commands.


def test_explain_command(cli: Cli, root: Path) -> None:
    done = cli("explain", root / "fixtures/bbs/1-5.toml")
    assert done.code == 0
    assert done.out.splitlines()[0] == "1-5"
    assert done.out.splitlines()[-2].startswith("solved, ")
    (told,) = cli("explain", "--json", root / "fixtures/bbs/1-5.toml").json
    assert told["solved"] is True
    assert len(told["steps"]) == len(explain(level("1-5")).steps)


def test_explain_as_markdown(cli: Cli, root: Path) -> None:
    """Each step is followed by the picture after it; the last one is the solution."""
    out = cli("explain", "--markdown", root / "fixtures/bbs/1-5.toml").out
    pictures = re.findall(r"^```\n(.*?)\n```$", out, re.MULTILINE | re.DOTALL)
    told = explain(level("1-5"))
    assert len(pictures) == len(told.steps) + 1
    assert pictures[0] == picture(told.puzzle, told.known) == told.start
    assert pictures[-1] == picture(told.puzzle, solution_of(told.puzzle))
    assert out.count("\n*") == 1


def test_explain_as_markdown_where_steps_have_no_picture(cli: Cli, root: Path) -> None:
    out = cli("explain", "--markdown", root / "fixtures/suguru/codingame-4x5.toml").out
    assert out.startswith("## codingame-4x5\n\n```\n")
    assert "\n\n1. *naked-single*: r1c2 must be 1: its cage has 2" in out


def test_explain_shows_chains(cli: Cli) -> None:
    told = cli("explain", WITH_ASSUMPTION)
    assert re.search(r"^ +\d+\. what if .*\n     - ", told.out, re.MULTILINE)
    marked = cli("explain", "--markdown", WITH_ASSUMPTION)
    assert re.search(r"^\d+\. \*what-if\*: what if .*\n   - ", marked.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("text", "code", "end"),
    [
        ("00:00:mm/2", 1, "; no solution"),
        ("....:....:4/4/4/4", 1, "; 2 or more solutions"),
        ("2x1:AA:..", 1, "; 2 or more solutions"),
        ("51535153:24525343:8/8/8/8/8/8/8/1m1m3m", 0, ")"),
        ("21313:12232:2m1m/5/5/5/5", 0, ")"),
    ],
)
def test_rating_what_is_beyond_logic(cli: Cli, text: str, code: int, end: str) -> None:
    """A puzzle with no or several solutions is not merely hard."""
    done = cli("rate", text)
    assert done.code == code
    assert done.out.endswith(f"{end}\n")
    (told,) = cli("rate", "--json", text).json
    assert told.get("unique", True) == (code == 0)
    assert ("unique" in told) == (told["level"] == LEVELS[-1])


def test_explain_what_has_no_solution(cli: Cli) -> None:
    done = cli("explain", "0:0:1")
    assert done.code == 1
    assert done.out.splitlines()[-2] == "there is no solution, 2 steps"
    done = cli("explain", ".....:.....:5/5/5/5/5")
    assert done.code == 1
    why = "the puzzle has several solutions, and they agree on no cell that is still unknown"
    assert done.out.splitlines()[-2] == f"the steps lead no further, 0 steps: {why}"


def test_hint_command(cli: Cli, root: Path, tmp_path: Path) -> None:
    file = root / "fixtures/bbs/1-1.toml"
    assert cli("hint", file, "-n", "3").out.count("1-1: ") == 3
    board = tmp_path / "board.txt"
    board.write_text(drawn(level("1-1"), {(7, 6): "#"}))
    lines = cli("hint", file, "--board", board).out.splitlines()
    assert lines[0].startswith("1-1: r8c7 cannot be wall: a step on, ")
    assert [line[:4] for line in lines[1:]] == ["  - "] * 2
    (step,) = cli("hint", file, "--board", board, "--json").json
    assert (step["technique"], step["floors"]) == (WRONG, [[7, 6]])


def test_rate_command(cli: Cli, root: Path) -> None:
    out = cli("rate", root / "fixtures/bbs/8-8.toml").out
    assert out.startswith("8-8: expert, 530 (")
    (told,) = cli("rate", "--json", root / "fixtures/bbs/8-8.toml").json
    assert (told["level"], told["hardest"]) == ("expert", "two-line-combinations")


def test_steps_are_values() -> None:
    assert explain(level("1-5")) == explain(level("1-5"))
    assert isinstance(explain(level("1-5")).steps[0], Step)
    (puzzle,) = loads(WITH_ASSUMPTION)
    assert explain(puzzle).solved


@given(any_puzzles())
def test_clues_tell_the_canonical_copy(puzzle: Puzzle) -> None:
    found = puzzle.transformed(_canonical_symmetry(puzzle))
    assert (found.height, found.ddn()) == (puzzle.canonical().height, puzzle.canonical().ddn())
