"""What is known of the standard boards: tasks from one empty cell to one peg, counted by class and all solved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from conftest import ROOT, needs_compiled
from dnd import reading
from dnd.diagnostic import Cell
from dnd.game import Entry
from dnd.pegs import proofs, rules, solver
from dnd.pegs.puzzle import Puzzle
from pegs_witness import Witness

# Names in fixtures/pegs/boards.toml: tasks that the class allows, those different by symmetry, and by reversal too.
FACTS = {
    "english33": (125, 21, 16),
    "french37": (64, 10, 7),
    "asym39": (173, 88, 57),
    "wiegleb45": (225, 36, 25),
    "diamond41": (100, 17, 11),
    "sq6": (144, 21, 16),
}
SOLVED = ("english33", "french37", "asym39", "sq6")


@cache
def board(name: str) -> Puzzle:
    if name == "english33":
        return Puzzle.of(["##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##"])
    found: Puzzle
    (found,) = (
        entry.puzzle for entry in reading.entries(ROOT / "fixtures" / "pegs" / "boards.toml") if entry.name == name
    )
    return found


def task(puzzle: Puzzle, empty: int, last: int) -> Puzzle:
    """All cells full but one, the last peg in another or the same; as indices of cells."""
    width = puzzle.width
    return Puzzle(puzzle.height, width, puzzle.cells, puzzle.cells ^ 1 << empty, divmod(last, width))


def cells(puzzle: Puzzle) -> list[int]:
    return [cell for cell in range(puzzle.height * puzzle.width) if puzzle.cells >> cell & 1]


def tasks(puzzle: Puzzle) -> Iterator[Puzzle]:
    for empty in cells(puzzle):
        for last in cells(puzzle):
            if proofs.possible_finals(found := task(puzzle, empty, last)):
                yield found


def index(puzzle: Puzzle, place: Cell) -> int:
    return place[0] * puzzle.width + place[1]


def backwards(puzzle: Puzzle) -> Puzzle:
    """The same task with start and end exchanged: solvable exactly if this one is."""
    assert puzzle.final is not None
    empty = (puzzle.cells ^ puzzle.pegs).bit_length() - 1
    return task(puzzle, index(puzzle, puzzle.final), empty)


@pytest.mark.parametrize("name", FACTS)
def test_tasks_that_the_class_allows(name: str) -> None:
    found = list(tasks(board(name)))
    different = {puzzle.canonical() for puzzle in found}
    either_way = {min((puzzle, backwards(puzzle).canonical()), key=Puzzle.line) for puzzle in different}
    assert (len(found), len(different), len(either_way)) == FACTS[name]


@needs_compiled
@pytest.mark.parametrize("name", SOLVED)
def test_all_tasks_are_solved(name: str) -> None:
    """One of each pair of a task and its reversal, up to symmetry."""
    different = {puzzle.canonical() for puzzle in tasks(board(name))}
    for puzzle in {min((puzzle, backwards(puzzle).canonical()), key=Puzzle.line) for puzzle in different}:
        answer = solver.solve(puzzle, seconds=600, kernel="c")
        assert answer.verdict == solver.SOLVED, puzzle
        (solution,) = answer.solutions
        assert rules.check(puzzle, solution) == []
        assert solution.board.is_complete(puzzle)


def test_the_shortest_lost_english_game() -> None:
    """No game from the empty centre ends before its sixth jump, and one does then."""
    witness = Witness(*board("english33").kernel_arguments)
    level, jumps = {witness.start}, 0
    while all(map(witness.jumps, level)):
        level, jumps = {after for pegs in level for _, after in witness.jumps(pegs)}, jumps + 1
    assert jumps == 6


def test_where_the_full_square_of_sixteen_may_be_empty() -> None:
    """The class of 255 pegs allows a last peg exactly if the empty cell is on none of two thirds of the diagonals."""
    full = (1 << 256) - 1
    for empty in range(256):
        row, column = divmod(empty, 16)
        is_allowed = bool(proofs.possible_finals(Puzzle(16, 16, full, full ^ 1 << empty)))
        assert is_allowed == bool((row + column) % 3 and (row - column) % 3)


def test_reversal_is_its_own_reversal() -> None:
    for puzzle in tasks(board("english33")):
        assert backwards(backwards(puzzle)) == puzzle


# ---------------------------------------------------------------- the counts of the fixtures, by the naive witness

SMALL = [entry for entry in reading.entries(ROOT / "fixtures" / "pegs" / "small.toml") if entry.puzzle.number < 23]


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=entry.name, marks=[pytest.mark.slow] if sum(entry.expect["levels"]) > 5_000 else [])
        for entry in SMALL
    ],
)
def test_counts_by_the_witness(entry: Entry) -> None:
    puzzle: Puzzle = entry.puzzle
    witness = Witness(*puzzle.kernel_arguments)
    levels, winning = witness.levels, witness.winning_levels()
    found = {
        "verdict": "solved" if witness.is_solvable() else "impossible",
        "sequences": witness.sequences(),
        "levels": [len(level) for level in levels],
        "positions": list(witness.up_to_symmetry(levels)),
        "winning": list(witness.up_to_symmetry(winning, witness.finals)),
        "games": witness.games(),
        "moves": witness.fewest_moves(),
    }
    told = {key: value for key, value in entry.expect.items() if key in found}
    assert {key: found[key] for key in told} == told


def test_there_are_counts_to_confirm() -> None:
    assert len(SMALL) == 10
