"""The setters' tools against brute force: drawings to puzzles, cures, minimal sets of clues, completions."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

import pytest

import dnd
from conftest import EVER, PURE_RUN, ROOT, Cli, heed_interrupts, needs_compiled, stopped_in_the_middle
from dnd import grid
from dnd.diagnostic import InputError
from dnd.dungeon import completions, draw, setters, sketches
from dnd.dungeon.completions import Completions, Draft, clued, dead_ends
from dnd.dungeon.puzzle import Board, Puzzle, Solution
from dnd.dungeon.solver import is_unique, solve
from dnd.game import Entry
from fuzzing import puzzles
from witness import faults, is_legal

SOME = 8 if PURE_RUN else 1

# A legal dungeon with a second solution: r2c2, r2c3, r4c2 and r4c3 can be turned round.
GALLOWS = """
M..M#
#.###
#....
##.#.
M....
"""
# The same in a corner: whatever stands elsewhere, it can be turned round.
NEVER = """
M..M#???
#.###???
#....#??
##.#.#??
M....???
######??
"""
HALF = """
##M#????
...#????
.#.#.???
.....???
?.??????
????????
"""


def entry_of(text: str) -> Entry:
    (entry,) = sketches.read(text.strip("\n"), "")
    return entry


def drawn(text: str, monsters: str = setters.AUTO) -> setters.Clued:
    entry = entry_of(text)
    return setters.clues(entry.puzzle, entry.board, monsters)


def letters_of(solution: Solution) -> str:
    return "\n".join(solution.letters())


def legal(solution: Solution) -> bool:
    return is_legal(solution.puzzle.rows, solution.puzzle.columns, solution.letters())


# ---------------------------------------------------------------- clues


@pytest.mark.parametrize("path", sorted((ROOT / "fixtures" / "bbs").glob("*.toml"))[::SOME], ids=lambda path: path.stem)
def test_solved_levels_become_the_levels_again(path: Path) -> None:
    (puzzle,) = dnd.load(path)
    (solution,) = solve(puzzle, 2).solutions
    for monsters in setters.MONSTERS:
        found = drawn(letters_of(solution), monsters)
        assert (found.puzzle, found.faults, found.unique, found.other) == (puzzle, (), True, None)
    assert drawn(letters_of(solution).replace("M", ".")).puzzle == puzzle


def test_a_second_solution_and_where_it_differs() -> None:
    found = drawn(GALLOWS)
    assert found.unique is False
    assert found.other
    assert legal(found.other)
    assert found.other.walls != found.board.walls
    assert found.differing == ((1, 1), (1, 2), (3, 1), (3, 2))
    assert found.puzzle.rows == (1, 4, 1, 3, 0)
    assert found.puzzle.columns == (3, 1, 1, 2, 2)


def test_monsters_as_drawn_or_in_the_dead_ends() -> None:
    forgotten = GALLOWS.replace("M..M#", "M...#")
    assert [fault.code for fault in drawn(forgotten).faults] == ["dead-end"]
    assert drawn(forgotten, setters.DEAD_ENDS).puzzle == drawn(GALLOWS).puzzle
    bare = GALLOWS.replace("M", ".")
    assert drawn(bare).puzzle == drawn(GALLOWS).puzzle
    assert [fault.code for fault in drawn(bare, setters.DRAWN).faults] == ["dead-end"] * 3


@pytest.mark.parametrize("seed", range(2))
def test_faults_are_those_of_the_independent_checker(seed: int) -> None:
    rng, codes = random.Random(seed), set()
    for _ in range(300 // SOME):
        height, width = rng.randint(1, 5), rng.randint(1, 5)
        signs = rng.choices("#.MT", (6, 5, 1, 1), k=height * width)
        rows = ["".join(signs[start : start + width]) for start in range(0, height * width, width)]
        found = drawn("\n".join(rows), setters.DRAWN)
        expected = faults(found.puzzle.rows, found.puzzle.columns, rows)
        assert list(dict.fromkeys(fault.code for fault in found.faults)) == expected
        assert (found.unique is None) == bool(expected)
        codes.update(expected)
    assert codes == {"dead-end", "treasure-room", "wide-hallway", "disconnected"}


def test_an_object_in_a_wall_is_reported() -> None:
    puzzle = Puzzle.of([None] * 3, [None] * 3, treasures=[(1, 1)])
    found = setters.clues(puzzle, Board.complete(3, 3, grid.full(3, 3)))
    assert [fault.code for fault in found.faults] == ["object-on-wall", "treasure-room"]


def test_unknown_cells_are_refused() -> None:
    with pytest.raises(InputError, match=r"undecided cells, the first at r1c6.*undecided-cell"):
        drawn(NEVER)


def test_a_proof_that_is_given_up() -> None:
    entry = entry_of(GALLOWS)
    found = setters.clues(entry.puzzle, entry.board, max_nodes=1)
    assert (found.unique, found.other) == (None, None)


# ---------------------------------------------------------------- cures


def all_cures(text: str) -> set[tuple[str, ...]]:
    """The dungeons one cell away that are legal and unique, by the independent checker; monsters in the dead ends."""
    bare = [row.replace("M", ".") for row in text.split()]
    found = set()
    for row, column, sign in product(range(len(bare)), range(len(bare[0])), "#.T"):
        if bare[row][column] != sign:
            rows = list(bare)
            rows[row] = bare[row][:column] + sign + bare[row][column + 1 :]
            puzzle = drawn("\n".join(rows), setters.DEAD_ENDS).puzzle
            walls = {(r, c) for r, line in enumerate(rows) for c, letter in enumerate(line) if letter == "#"}
            picture = Solution(puzzle, grid.to_mask(walls, puzzle.width)).letters()
            if is_legal(puzzle.rows, puzzle.columns, picture) and is_unique(puzzle):
                found.add(tuple(picture))
    return found


# Second: a hallway that becomes a room when its middle becomes a treasure.
RING = """
##########
#...##...#
#.#....#.#
#...##...#
##########
"""


@pytest.mark.parametrize("text", [GALLOWS, RING], ids=["gallows", "ring"])
def test_all_cures(text: str) -> None:
    found = drawn(text)
    cures = list(setters.cures(found))
    assert {tuple(Solution(cure.puzzle, cure.board.walls).letters()) for cure in cures} == all_cures(text)
    assert len(cures) == len({(cure.cell, cure.becomes) for cure in cures}) > 0
    for cure in cures:
        assert cure.proved
        row, column = cure.cell
        letter = Solution(cure.puzzle, cure.board.walls).letters()[row][column]
        assert {"wall": "#", "floor": ".M", "treasure": "T"}[cure.becomes].count(letter) == 1
        assert (cure.board.walls ^ found.board.walls | cure.puzzle.treasures).bit_count() == 1


def test_a_cell_can_become_a_treasure() -> None:
    assert "treasure" in {cure.becomes for cure in setters.cures(drawn(RING))}


def test_cures_that_stay_open_are_marked() -> None:
    found = drawn(GALLOWS)
    cures = list(setters.cures(found, max_nodes=1))
    assert {(cure.cell, cure.becomes) for cure in setters.cures(found)} <= {(cure.cell, cure.becomes) for cure in cures}
    assert not all(cure.proved for cure in cures)
    assert all(is_unique(cure.puzzle) for cure in cures if cure.proved)


# ---------------------------------------------------------------- minimal sets of clues


def unique_puzzles(seed: int, most: int = 5) -> Iterator[Puzzle]:
    return filter(is_unique, puzzles(seed, most))


def with_clues(puzzle: Puzzle, kept: tuple[bool, ...]) -> Puzzle:
    clues = [clue if keep else None for clue, keep in zip((*puzzle.rows, *puzzle.columns), kept, strict=True)]
    rows, columns = clues[: puzzle.height], clues[puzzle.height :]
    return Puzzle(tuple(rows), tuple(columns), puzzle.monsters, puzzle.treasures)


def minimal_by_trying_all(puzzle: Puzzle) -> set[Puzzle]:
    """Every set of clues is tried; the minimal ones are those that no other one is part of."""
    known = [clue is not None for clue in (*puzzle.rows, *puzzle.columns)]
    subsets = list(product(*((False, True) if clue else (False,) for clue in known)))
    enough = {kept for kept in subsets if is_unique(with_clues(puzzle, kept))}

    def without(kept: tuple[bool, ...], line: int) -> tuple[bool, ...]:
        return (*kept[:line], False, *kept[line + 1 :])

    return {
        with_clues(puzzle, kept)
        for kept in enough
        if not any(keep and without(kept, line) in enough for line, keep in enumerate(kept))
    }


def number_of_clues(puzzle: Puzzle) -> int:
    return sum(clue is not None for clue in (*puzzle.rows, *puzzle.columns))


@pytest.mark.parametrize("seed", range(1, 4))
def test_minimal_sets_are_all_there(seed: int) -> None:
    sizes = set()
    for puzzle in islice(unique_puzzles(seed), 40 // SOME):
        found = list(setters.minimal_sets(puzzle))
        assert all(minimal.certain for minimal in found)
        assert len(found) == len({minimal.puzzle for minimal in found})
        assert {minimal.puzzle for minimal in found} == minimal_by_trying_all(puzzle)
        clues = [minimal.clues for minimal in found]
        assert clues == sorted(clues) == [number_of_clues(minimal.puzzle) for minimal in found]
        assert setters.minimise(puzzle).puzzle in {minimal.puzzle for minimal in found}
        sizes.add(len(found))
    assert len(sizes) > 3 or PURE_RUN


@needs_compiled
@pytest.mark.parametrize("name", ["1-1", "5-5", "8-8"])
def test_minimal_sets_of_a_level(name: str) -> None:
    """Each is unique and needs every clue; a symmetric copy has as many of each size."""
    (puzzle,) = dnd.load(ROOT / "fixtures" / "bbs" / f"{name}.toml")
    found = list(setters.minimal_sets(puzzle))
    for minimal in found[::10]:
        assert is_unique(minimal.puzzle)
        assert not any(is_unique(poorer) for poorer in one_clue_less(minimal.puzzle))
    turned = list(setters.minimal_sets(puzzle.transformed(5)))
    assert [minimal.clues for minimal in turned] == [minimal.clues for minimal in found]
    assert {minimal.puzzle for minimal in turned} == {minimal.puzzle.transformed(5) for minimal in found}


def one_clue_less(puzzle: Puzzle) -> Iterator[Puzzle]:
    known = [clue is not None for clue in (*puzzle.rows, *puzzle.columns)]
    for line, clue in enumerate(known):
        if clue:
            yield with_clues(puzzle, (*known[:line], False, *known[line + 1 :]))


@pytest.mark.parametrize("bound", [1, 3, 10])
def test_proofs_given_up_are_admitted(bound: int) -> None:
    """Whatever comes is unique, and what is certain is minimal; the rest is said to be uncertain."""
    doubted = 0
    for puzzle in islice(unique_puzzles(7), 60 // SOME):
        truth = minimal_by_trying_all(puzzle)
        if not solve(puzzle, 2, max_nodes=bound).unique:
            with pytest.raises(InputError, match="not-unique"):
                setters.minimise(puzzle, max_nodes=bound)
            continue
        for minimal in (setters.minimise(puzzle, max_nodes=bound), *setters.minimal_sets(puzzle, max_nodes=bound)):
            assert is_unique(minimal.puzzle)
            assert not minimal.certain or minimal.puzzle in truth
            doubted += not minimal.certain
    assert doubted or bound > 1


def test_minimise_more_than_64_cells() -> None:
    puzzle = next(Completions(Puzzle((None,) * 9, (None,) * 9), seed=2)).puzzle
    minimal = setters.minimise(puzzle)
    assert minimal.certain
    assert minimal.clues < 18
    assert is_unique(minimal.puzzle)
    assert not any(is_unique(poorer) for poorer in one_clue_less(minimal.puzzle))


def test_puzzles_that_are_not_unique_cannot_be_minimised() -> None:
    for puzzle in (Puzzle((None,) * 4, (None,) * 4), Puzzle((0, 0), (1, 1))):
        with pytest.raises(InputError, match="not-unique"):
            setters.minimise(puzzle)
        with pytest.raises(InputError, match="not-unique"):
            next(setters.minimal_sets(puzzle))


# ---------------------------------------------------------------- completions


def by_trying_all(puzzle: Puzzle, board: Board, most_monsters: int | None) -> tuple[set[int], set[int]]:
    """The masks of walls of all completions, and of the unique ones; every filling is judged when complete."""
    draft = Draft.of(puzzle, board)
    height, width = puzzle.height, puzzle.width
    cells = list(grid.indices(draft.unknown))
    every, unique = set(), set()
    for filling in product((0, 1), repeat=len(cells)):
        walls = draft.walls | sum(bit << cell for bit, cell in zip(filling, cells, strict=True))
        monsters = {(r, c) for r, c in product(range(height), range(width)) if is_dead_end(walls, r, c, height, width)}
        mask = grid.to_mask(monsters, width)
        finished = clued(walls, puzzle)
        clues = zip((*puzzle.rows, *puzzle.columns), (*finished.rows, *finished.columns), strict=True)
        if mask & draft.floors or puzzle.monsters & ~mask or not all(given in (None, clue) for given, clue in clues):
            continue
        picture = draw.letters(height, width, mask, puzzle.treasures, walls)
        few = most_monsters is None or len(monsters) <= most_monsters
        if few and not faults(finished.rows, finished.columns, picture):
            every.add(walls)
            if is_unique(finished):
                unique.add(walls)
    return every, unique


def is_dead_end(walls: int, row: int, column: int, height: int, width: int) -> bool:
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    ways = [(r, c) for r, c in around if 0 <= r < height and 0 <= c < width and not walls >> (r * width + c) & 1]
    return not walls >> (row * width + column) & 1 and len(ways) == 1


def drafts(seed: int) -> Iterator[tuple[Puzzle, Board]]:
    """Half-drawn dungeons, most of them rubbed out of legal ones, some with a clue; with at most 11 unknown cells."""
    rng = random.Random(seed)
    while True:
        height, width = rng.randint(1, 5), rng.randint(1, 6)
        size, treasures = height * width, 0
        if min(height, width) >= 3 and rng.random() < 0.4:
            treasures = 1 << rng.randrange(size)
        whole = next(legal_dungeons(height, width, treasures, rng.random()), None)
        walls = rng.getrandbits(size) & ~treasures if whole is None or rng.random() < 0.2 else whole
        yield rubbed_out(rng, walls, clued(walls, Puzzle((None,) * height, (None,) * width, 0, treasures)))


def legal_dungeons(height: int, width: int, treasures: int, seed: float) -> Iterator[int]:
    search = Completions(Puzzle((None,) * height, (None,) * width, 0, treasures), seed=seed)
    return (solution.walls for solution in search)


def rubbed_out(rng: random.Random, walls: int, puzzle: Puzzle) -> tuple[Puzzle, Board]:
    size = puzzle.height * puzzle.width
    unknown = sum(1 << cell for cell in rng.sample(range(size), min(size, rng.randint(0, 11)))) & ~puzzle.treasures
    clues = [[clue if rng.random() < 0.1 else None for clue in side] for side in (puzzle.rows, puzzle.columns)]
    left = Puzzle(tuple(clues[0]), tuple(clues[1]), puzzle.monsters & ~unknown & ~walls, puzzle.treasures)
    full = grid.full(puzzle.height, puzzle.width)
    return left, Board(puzzle.height, puzzle.width, walls & ~unknown, full & ~walls & ~unknown)


def assert_all_found(puzzle: Puzzle, board: Board, most_monsters: int | None, seed: int) -> tuple[int, int]:
    """How many completions there are, and how many are unique."""
    every, unique = by_trying_all(puzzle, board, most_monsters)
    search = Completions(puzzle, board, seed=seed, most_monsters=most_monsters)
    found = list(search)
    assert search.exhausted
    assert len(found) == len({solution.walls for solution in found})
    assert {solution.walls for solution in found} == unique
    assert all(solution.puzzle == clued(solution.walls, puzzle) for solution in found)
    assert len(unique) <= search.legal <= len(every)
    return len(every), len(unique)


@pytest.mark.parametrize("seed", range(1, 4))
def test_completions_are_all_there(seed: int) -> None:
    rng, counts = random.Random(seed), []
    for puzzle, board in islice(drafts(seed), 40 // SOME):
        counts.append(assert_all_found(puzzle, board, rng.choice([None, None, 1, 2, 3]), seed))
    assert any(unique for _, unique in counts)
    assert not all(every for every, _ in counts) or PURE_RUN


@pytest.mark.parametrize("seed", range(1, 4))
def test_completions_around_second_solutions(seed: int) -> None:
    """Where nogoods are learned: dungeons with a second solution, rubbed out around the cells that differ."""
    rng, spared, some = random.Random(seed), 0, 0
    for height, width, treasures in ((5, 5, 0), (6, 6, 0), (6, 7, 1 << 9), (5, 8, 1 << 18)):
        for walls, other in islice(ambiguous(height, width, treasures, seed), 5 // SOME or 1):
            near = walls ^ other
            for _ in range(rng.randrange(3)):
                near |= grid.spread(near, height, width)
            pool = list(grid.indices(near & ~treasures))
            unknown = sum(1 << cell for cell in rng.sample(pool, min(len(pool), 8)))
            puzzle = clued(walls, Puzzle((None,) * height, (None,) * width, 0, treasures))
            bare = Puzzle((None,) * height, (None,) * width, puzzle.monsters & ~unknown, treasures)
            full = grid.full(height, width)
            board = Board(height, width, walls & ~unknown, full & ~walls & ~unknown)
            every, unique = assert_all_found(bare, board, None, seed)
            spared += every > unique
            some += 0 < unique < every
    assert spared
    assert some or PURE_RUN


def ambiguous(height: int, width: int, treasures: int, seed: int) -> Iterator[tuple[int, int]]:
    """Legal dungeons with a second solution: the walls of both."""
    met: list[tuple[int, int]] = []

    class Watching(Completions):
        def _judged(self, walls: int) -> Iterator[Solution]:
            others = [found.walls for found in solve(clued(walls, self.draft.puzzle), 2).solutions]
            if len(others) == 2:
                met.append((walls, others[others[0] == walls]))
                yield Solution(self.draft.puzzle, walls)

    blank = Puzzle((None,) * height, (None,) * width, 0, treasures)
    for _ in Watching(blank, seed=seed, most_monsters=3, max_nodes=20_000):
        yield met.pop()


@pytest.mark.parametrize(("height", "width", "treasures"), [(6, 6, 0), (7, 7, 1 << 24), (6, 8, 1 << 10)])
def test_what_a_support_promises(height: int, width: int, treasures: int) -> None:
    """Whatever agrees with a dungeon on the support of its second solution can be turned in the same way, legally."""
    tried, moved = 0, 0
    for walls, other in islice(ambiguous(height, width, treasures, 3), 12 // SOME or 1):
        whole = clued(walls, Puzzle((None,) * height, (None,) * width, 0, treasures))
        blank = Puzzle((None,) * height, (None,) * width, 0, treasures)
        support = completions._support(Draft.of(blank, None), walls, other)
        assert support & (walls ^ other) == walls ^ other
        board = Board(height, width, walls & support, ~walls & support)
        # A floor of the support may be a dead end: the drawing says only that it is open.
        dead = dead_ends(walls, height, width) & support
        left = Puzzle(blank.rows, blank.columns, dead, treasures)
        for found in islice(agreeing(left, board), 40):
            turned = found.walls ^ walls ^ other
            assert clued(turned, left) == clued(found.walls, left)
            assert legal(Solution(clued(turned, left), turned))
            tried += 1
            moved += found.walls != walls
        assert whole.monsters & ~dead_ends(other, height, width) == 0
    assert tried
    assert moved or PURE_RUN


def agreeing(puzzle: Puzzle, board: Board) -> Iterator[Solution]:
    """Legal dungeons that have the cells of a board, unique or not."""

    class Any(Completions):
        def _judged(self, walls: int) -> Iterator[Solution]:
            yield Solution(clued(walls, puzzle), walls)

    return Any(puzzle, board, seed=4, max_nodes=3000)


def test_a_completion_keeps_what_is_drawn() -> None:
    entry = entry_of(HALF)
    for solution in islice(Completions(entry.puzzle, entry.board, seed=1), 50 // SOME):
        assert legal(solution)
        assert is_unique(solution.puzzle)
        for drawn_row, row in zip(HALF.split(), solution.letters(), strict=True):
            assert all(sign in ("?", letter) for sign, letter in zip(drawn_row, row, strict=True))


def test_a_floor_that_is_drawn_gets_no_monster_where_these_are_bounded() -> None:
    """Walls around r1c3 would bring exactly the three monsters that are allowed, one of them onto the drawn floor."""
    puzzle, board = Puzzle.of([None] * 2, [None] * 5, monsters=[(1, 0)]), Board(2, 5, 0, 0b10111_00100)
    assert assert_all_found(puzzle, board, 3, 0) == (0, 0)


def test_no_completion_and_what_can_always_be_turned_round() -> None:
    entry = entry_of(NEVER)
    search = Completions(entry.puzzle, entry.board)
    assert list(search) == []
    assert search.exhausted
    assert grid.cells(search.always, 8) == ((1, 1), (1, 2), (3, 1), (3, 2))
    assert search.legal == 1


def test_no_legal_completion() -> None:
    entry = entry_of("..?\n..?\n???")
    search = Completions(entry.puzzle, entry.board)
    assert list(search) == []
    assert (search.exhausted, search.legal, search.always) == (True, 0, 0)


def test_clues_that_are_known_must_come_out() -> None:
    puzzle = Puzzle((None, 3, None, None, 0), (None,) * 5)
    found = list(islice(Completions(puzzle), 20))
    assert found
    assert all((solution.puzzle.rows[1], solution.puzzle.rows[4]) == (3, 0) for solution in found)


def test_the_seed_decides() -> None:
    blank = Puzzle((None,) * 6, (None,) * 6)

    def some(seed: object) -> list[int]:
        return [solution.walls for solution in islice(Completions(blank, seed=seed), 5)]

    assert some("a") == some("a") != some("b")
    # The first of a seed, so that all builds and machines agree.
    assert next(Completions(blank, seed=0)).ddn() == FIRST


FIRST = "031232:222212:ffffww/fwwfff/fffwwm/fwfffw/fffwff/mwfmwm"


def test_a_search_that_is_given_up_says_so() -> None:
    blank = Puzzle((None,) * 8, (None,) * 8)
    search = Completions(blank, max_nodes=10)
    assert list(search) == []
    assert (search.nodes, search.exhausted) == (10, False)
    search = Completions(blank, stop=bytearray([1]))
    assert list(search) == []
    assert (search.nodes, search.exhausted) == (0, False)


def test_proofs_given_up_leave_it_undecided() -> None:
    entry = entry_of(GALLOWS.replace("#.###", "#.??#"))
    search = Completions(entry.puzzle, entry.board, check_nodes=1)
    assert list(search) == []
    assert search.undecided
    assert not search.exhausted


def test_another_thread_stops_it() -> None:
    with stopped_in_the_middle() as stop:
        search = Completions(Puzzle((None,) * 10, (None,) * 10), stop=stop)
        assert all(is_unique(solution.puzzle) for solution in search)
    assert search.nodes > 0
    assert not search.exhausted


def test_more_than_64_cells() -> None:
    puzzle = Puzzle.of([None] * 9, [None] * 11, treasures=[(4, 5)])
    for solution in islice(Completions(puzzle, most_monsters=6), 2):
        assert legal(solution)
        assert is_unique(solution.puzzle)
        assert solution.puzzle.monsters.bit_count() <= 6


# ---------------------------------------------------------------- drawings


def test_drawings_are_read() -> None:
    text = "// One\n# # M\n. . .\n\n\n??T\r\n"
    one, two = sketches.read(text.replace("\r", ""), "")
    assert one.name == "One"
    assert one.puzzle == Puzzle.of([None] * 2, [None] * 3, [(0, 2)])
    assert (one.board.walls, one.board.floors) == (0b011, 0b111100)
    assert (two.name, two.puzzle.treasures, two.board.unknown) == ("", 0b100, 0b011)
    assert sketches.is_drawing(text)


@pytest.mark.parametrize("text", ["", "\n", "// only talk", " 12\n1.#\n2##", "abc", "12:11:2/2"])
def test_texts_that_are_no_drawings(text: str) -> None:
    assert not sketches.is_drawing(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("##\n#", "row 2 has 1 cell, the first row has 2 [row-length]\n --> a.txt:2:2"),
        ("##\n###", "row 2 has 3 cells, the first row has 2 [row-length]\n --> a.txt:2:3"),
        ("##\n# x", "'x' is not a cell [bad-letter]\n --> a.txt:2:3"),
        ("#" * 33, "a board of height 1 and width 33; each must be 1 to 32 [too-large]\n --> a.txt:1:1"),
    ],
)
def test_faults_of_drawings_have_their_place(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        list(sketches.read(text, "a.txt"))
    assert str(caught.value).startswith(words)


# ---------------------------------------------------------------- commands


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, text in (("gallows", GALLOWS), ("never", NEVER), ("half", HALF), ("open", "..\n..")):
        (tmp_path / f"{name}.txt").write_text(f"// {name}\n{text.strip()}\n")
    return tmp_path


P1 = "44262347:73417163:5m2/8/1t6/8/8/m7/8/2m4m"


def test_clues_in_words(cli: Cli, files: Path) -> None:
    done = cli("clues", files / "gallows.txt")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == "gallows"
    assert "legal, 2 or more solutions" in lines
    assert "they differ in r2c2, r2c3, r4c2 and r4c3" in lines
    assert "  r1c4 becomes wall, the monster of r1c4 goes, a monster comes to r1c3" in lines
    assert cli("clues", ROOT / "fixtures" / "p1.toml").code == 0
    done = cli("clues", files / "open.txt")
    assert done.code == 1
    assert "illegal: 1 fault\n  wide-hallway: " in done.out


def test_clues_as_json(cli: Cli, files: Path) -> None:
    done = cli("clues", "--json", files / "gallows.txt", ROOT / "fixtures" / "p1.toml", files / "open.txt")
    assert done.code == 1
    gallows, p1, wide = done.json
    assert gallows["puzzle"] == "31122:14130:m2m1/5/5/5/m4"
    assert (gallows["unique"], p1["unique"], wide["unique"]) == (False, True, None)
    assert [1, 1] in gallows["differing"]
    assert {"wall", "floor"} == {cure["becomes"] for cure in gallows["cures"]}
    assert (p1["other"], p1["cures"], p1["faults"]) == (None, None, [])
    assert [fault["code"] for fault in wide["faults"]] == ["wide-hallway"]


def test_clues_as_puzzles_for_the_next_command(cli: Cli, files: Path) -> None:
    done = cli("clues", "--to", "ddn", files / "gallows.txt", files / "open.txt")
    assert (done.code, done.out) == (1, "31122:14130:m2m1/5/5/5/m4 name=gallows\n")
    assert "open: illegal: 1 fault" in done.err


def test_clues_of_what_is_not_finished(cli: Cli, files: Path) -> None:
    """One dungeon that cannot be read does not keep the others from being judged."""
    done = cli("clues", files / "never.txt", files / "gallows.txt", "--no-cures")
    assert done.code == 2
    assert "undecided cells, the first at r1c6" in done.err
    assert done.out.startswith("gallows\n")
    assert "becomes" not in done.out


@pytest.mark.parametrize("verb", ["clues", "minimise", "complete"])
def test_input_that_is_no_dungeon(cli: Cli, files: Path, verb: str) -> None:
    assert cli(verb, files / "missing.txt").code == 2
    assert cli(verb, "-", stdin="").code == 2
    assert cli(verb, "-", stdin="xyz").code == 2
    assert cli(verb, "-", "--game", "chess", stdin="##\n##").code == 2
    done = cli(verb, "--to", "gold", "-", stdin=GALLOWS)
    assert done.code == 2
    assert "there is no output format 'gold'" in done.err
    done = cli(verb, sorted((ROOT / "fixtures" / "suguru").glob("*.toml"))[0])
    assert done.code == 2
    assert "the game suguru has no tools for setters" in done.err


def test_drawings_with_faults_are_shown_where(cli: Cli) -> None:
    done = cli("clues", "-", stdin="###\n#X#\n###\n")
    assert done.code == 2
    assert "'X' is not a cell [bad-letter]\n --> <stdin>:2:2" in done.err


def test_minimise_in_words(cli: Cli) -> None:
    done = cli("minimise", "-", stdin=P1)
    assert done.code == 0
    assert done.out.endswith("\n7 of 16 clues\n\n")
    done = cli("minimise", "--limit", "2", "--json", "-", stdin=f"{P1} p1")
    assert [line["clues"] for line in done.json] == [7, 7]
    assert all(line["name"] == "p1" and line["certain"] for line in done.json)
    for line in done.json:
        (puzzle,) = dnd.loads(line["puzzle"])
        assert is_unique(puzzle)
        assert [row for row, clue in enumerate(puzzle.rows) if clue is None] == line["gone"]["rows"]
        assert [column for column, clue in enumerate(puzzle.columns) if clue is None] == line["gone"]["columns"]


def test_minimise_all_and_pipe(cli: Cli) -> None:
    puzzle = next(Completions(Puzzle((None,) * 5, (None,) * 5), seed=1)).puzzle
    done = cli("minimise", "--all", "--to", "ddn", "-", stdin=puzzle.ddn())
    assert done.code == 0
    assert {minimal.puzzle for minimal in setters.minimal_sets(puzzle)} == set(dnd.loads(done.out))


def test_minimise_what_is_not_unique(cli: Cli) -> None:
    done = cli("minimise", "-", stdin="....:....:4/4/4/4 open\n" + P1)
    assert done.code == 1
    assert "open: not proved to have exactly one solution" in done.err
    assert "7 of 16 clues" in done.out
    # Its proof takes more than a node.
    assert cli("minimise", "--max-nodes", "1", ROOT / "fixtures" / "bbs" / "8-8.toml").code == 1


def test_complete_in_words(cli: Cli, files: Path) -> None:
    done = cli("complete", files / "half.txt", "--seed", "a", "-n", "2")
    assert done.code == 0
    assert done.out.count("half\n") == done.out.count("legal, 1 solution, unique") == 2
    done = cli("complete", files / "never.txt")
    assert done.code == 1
    assert done.out == (
        "never: impossible: whatever is filled in, a second solution differs in r2c2, r2c3, r4c2 and r4c3\n"
    )
    done = cli("complete", files / "open.txt")
    assert done.code == 1
    assert done.out == (
        "open: impossible: no way to fill it is legal\n"
        "  wide-hallway: the 2x2 block at r1c1 is open and not part of one treasure room\n"
    )


def test_complete_all_and_undecided(cli: Cli, files: Path) -> None:
    done = cli("complete", "--all", "-", stdin="M..M#\n#.###\n#....\n##.??\nM..??")
    assert done.code == 0
    assert f"{done.out.count('unique')} in all\n" in done.out
    done = cli("complete", "--max-nodes", "3", files / "half.txt")
    assert (done.code, done.out) == (1, "half: undecided; 3 nodes searched\n")
    # Nobody finds all of them; how many are found in that time is the machine's affair.
    done = cli("complete", "--all", "--seconds", "0.3", "-", stdin="\n".join(["?" * 9] * 9))
    found = done.out.count("unique")
    assert done.code == (0 if found else 1)
    verdict = f"{found} found, there may be more" if found else "undecided"
    assert re.search(rf": {verdict}; [0-9,]+ nodes searched(, [0-9,]+ proofs? of uniqueness given up)?\n$", done.out)
    done = cli("complete", "--monsters", "0", "--all", "-", stdin="???\n???\n???")
    assert "2 in all\n" in done.out
    assert "M" not in done.out


def test_complete_as_json_and_pipe(cli: Cli, files: Path) -> None:
    done = cli("complete", "--json", "-n", "3", files / "half.txt", files / "never.txt")
    assert done.code == 1
    *found, half, never = done.json
    assert list(half) == ["name", "found", "complete", "nodes", "legal", "undecided", "faults", "always"]
    assert (half["name"], never["name"]) == ("half", "never")
    assert len(found) == half["found"] == 3
    for line in found:
        assert list(line) == ["name", "puzzle", "dungeon"]
        assert line["name"] == "half"
        (puzzle,) = dnd.loads(line["puzzle"])
        assert solve(puzzle, 2).solutions[0].ddn() == line["dungeon"]
    assert (never["found"], never["complete"], never["legal"]) == (0, True, 1)
    assert never["always"] == [[1, 1], [1, 2], [3, 1], [3, 2]]
    done = cli("complete", "--to", "ddn", files / "half.txt", files / "never.txt")
    assert len(dnd.loads(done.out)) == 1
    assert "never: impossible" in done.err


@pytest.mark.parametrize("option", [["--seconds", "0"], ["--seconds", "x"], ["--monsters", "-1"], ["-n", "0"]])
def test_complete_refuses_numbers_that_are_none(cli: Cli, option: list[str]) -> None:
    assert cli("complete", *option, "-", stdin=HALF).code == 2


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["complete", "--all", "--to", "ddn"], "\n".join(["?" * 12] * 12)),
        # More than a pipe holds, so that it cannot come to its end before Ctrl-C.
        (["minimise", "--all", "--to", "ddn"], "\n".join([P1] * 100)),
    ],
)
def test_interrupt_keeps_what_was_found(tmp_path: Path, command: list[str], text: str) -> None:
    (tmp_path / "input").write_text(text + "\n")
    words = [sys.executable, "-m", "dnd", *command, "input"]
    with subprocess.Popen(
        words, cwd=tmp_path, preexec_fn=heed_interrupts, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            first = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=EVER)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert all(is_unique(puzzle) for puzzle in dnd.loads(first + out)[:5])
