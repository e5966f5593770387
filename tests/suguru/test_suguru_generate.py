"""New Sugurus: legal, with one solution, minimal, as asked for, and the same everywhere."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

import suguru_witness as witness
from conftest import ROOT, needs_compiled
from dnd import grid
from dnd.diagnostic import InputError
from dnd.requests import SYMMETRIES
from dnd.suguru import explainer, notation, oracle, solver
from dnd.suguru import generator as generator
from dnd.suguru.generator import LEVELS, generate, parse_request
from dnd.suguru.puzzle import Puzzle

CODINGAME = sorted((ROOT / "tests" / "data" / "codingame").glob("*.in.txt"))
FIXTURES = ROOT / "fixtures" / "suguru"

# Height, width, sizes of cages: lines, slender and odd grids, small and large cages, and none but one size.
SHAPES = [
    (1, 1, (1, 6)),
    (1, 9, (1, 3)),
    (9, 1, (1, 6)),
    (1, 20, (1, 2)),
    (1, 8, (2, 2)),
    (1, 7, (3, 4)),
    (2, 2, (4, 4)),
    (2, 9, (1, 6)),
    (7, 7, (1, 4)),
    (8, 8, (4, 4)),
    (5, 11, (2, 5)),
    (10, 10, (2, 5)),
    (10, 10, (5, 5)),
    (9, 12, (6, 6)),
    (12, 6, (3, 9)),
    (6, 6, (9, 12)),
    (15, 15, (1, 6)),
]


def rows(values: tuple[int, ...], width: int) -> list[list[int]]:
    return [list(values[at : at + width]) for at in range(0, len(values), width)]


def assert_one_solution(puzzle: Puzzle) -> None:
    """The engine finds one solution, and the oracle, which shares no code with it, finds no fault in that."""
    found = solver.solve(puzzle, 2)
    assert found.unique
    cages, givens, values = [
        rows(flat, puzzle.width) for flat in (puzzle.cages, puzzle.givens, found.solutions[0].values)
    ]
    assert oracle.faults(cages, givens, values) == []


def some(count: int, *arguments: object, **options: object) -> list[Puzzle]:
    """So many new puzzles, no fewer."""
    puzzles = list(generate(*arguments, **options, count=count))  # type: ignore[arg-type]
    assert len(puzzles) == count
    return puzzles


def without(puzzle: Puzzle, cells: set[int]) -> Puzzle:
    givens = [0 if cell in cells else given for cell, given in enumerate(puzzle.givens)]
    return Puzzle(puzzle.height, puzzle.width, puzzle.cages, tuple(givens))


def clues(puzzle: Puzzle) -> list[int]:
    return [cell for cell, given in enumerate(puzzle.givens) if given]


@pytest.mark.parametrize(("height", "width", "cages"), SHAPES, ids=str)
def test_legal_unique_minimal_and_with_the_cages_asked_for(height: int, width: int, cages: tuple[int, int]) -> None:
    (puzzle,) = generate(height, width, cages=cages, seed="shapes")
    assert (puzzle.height, puzzle.width) == (height, width)
    assert all(cages[0] <= len(cells) <= cages[1] for cells in puzzle.cage_cells)
    assert_one_solution(puzzle)
    for cell in clues(puzzle):
        assert solver.solve(without(puzzle, {cell}), 2).count == 2, f"given {cell} is not needed"


@pytest.mark.parametrize("cages", [(1, 6), (2, 5)], ids=str)
def test_unique_by_brute_force_too(cages: tuple[int, int]) -> None:
    for puzzle in some(10, 4, 5, cages=cages, seed="brute"):
        cages_drawn, givens = rows(puzzle.cages, 5), rows(puzzle.givens, 5)
        assert len(witness.brute_force(cages_drawn, givens)) == 1


@needs_compiled
@pytest.mark.parametrize(("side", "cages"), [(15, (2, 5)), (30, (1, 6)), (20, (5, 6))], ids=str)
def test_large_grids(side: int, cages: tuple[int, int]) -> None:
    (puzzle,) = generate(side, side, cages=cages, seed="large")
    assert_one_solution(puzzle)


def test_sizes_of_cages_vary() -> None:
    sizes = {len(cells) for puzzle in generate(12, 12, seed="sizes", count=5) for cells in puzzle.cage_cells}
    assert sizes == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetric_givens(symmetry: str) -> None:
    for puzzle in some(3, 7, 7, symmetry=symmetry, seed="symmetric"):
        assert_one_solution(puzzle)
        places = set(clues(puzzle))
        moved = {cell: grid.move(SYMMETRIES[symmetry], divmod(cell, 7), 7, 7) for cell in places}
        assert {row * 7 + column for row, column in moved.values()} == places
        for cell in places:
            orbit, other = {cell}, cell
            while (other := moved[other][0] * 7 + moved[other][1]) != cell:
                orbit.add(other)
            assert solver.solve(without(puzzle, orbit), 2).count == 2


def test_symmetric_givens_of_rectangles() -> None:
    (puzzle,) = generate(6, 9, symmetry="half-turn", seed=1)
    assert clues(puzzle) == sorted(53 - cell for cell in clues(puzzle))


@pytest.mark.parametrize("level", LEVELS)
def test_levels(level: str) -> None:
    for puzzle in some(2, difficulty=level, seed="levels"):
        assert_one_solution(puzzle)
        assert explainer.rate(puzzle).level == level


# Whoever changes this number changes the puzzles that people have made and named by their seeds.
PINNED = "17442d28b4d91eb91a381edf405d4290dddefa24fe53c9f84770d1a0260851f9"


def test_a_seed_makes_the_same_puzzles_for_ever() -> None:
    requests = ["8x8#pin", "10x6:2-5#pin", "7x7:half-turn#pin", "6x6:1-4#pin", "12x12#pin", "8x8:hard#pin"]
    puzzles = [puzzle for text in requests for puzzle in generate(**parse_request(text), count=3)]
    text = "\n".join(f"{puzzle.name} {puzzle.line()}" for puzzle in puzzles)
    assert hashlib.sha256(text.encode()).hexdigest() == PINNED


def test_a_name_makes_the_puzzle_again() -> None:
    requests: list[dict[str, Any]] = [
        {"seed": 7},
        {"symmetry": "half-turn", "difficulty": "medium"},
        {"cages": (2, 5), "start": 3},
    ]
    for arguments in requests:
        (puzzle,) = generate(6, 7, **arguments)
        assert puzzle.name.startswith("suguru:7x6:")
        assert list(generate(**parse_request(puzzle.name))) == [puzzle]


def test_requests() -> None:
    assert parse_request("suguru:12x9:hard#my-seed") == {
        "width": 12, "height": 9, "difficulty": "hard", "seed": "my-seed",
    }  # fmt: skip
    assert parse_request("8x8") == {"width": 8, "height": 8}
    assert parse_request("8x8:half-turn:2-5#a/3") == {
        "width": 8, "height": 8, "symmetry": "half-turn", "cages": (2, 5), "seed": "a", "start": 3,
    }  # fmt: skip
    assert parse_request("8x8:5")["cages"] == (5, 5)


@pytest.mark.parametrize("text", ["suguru", "8x8:treasures=1", "8x8:5-"])
def test_bad_requests(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_request(text)
    assert caught.value.diagnostic.code == "bad-request"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"height": 65}, "too-large"),
        ({"width": 0}, "empty-board"),
        ({"cages": (0, 4)}, "cage-range"),
        ({"cages": (5, 4)}, "cage-range"),
        ({"cages": (1, 33)}, "cage-range"),
        ({"cages": (1, 3)}, "no-such-cages"),
        ({"height": 2, "width": 2, "cages": (5, 6)}, "no-such-cages"),
        ({"height": 1, "width": 7, "cages": (4, 6)}, "no-such-cages"),
        ({"height": 1, "width": 2, "cages": (1, 1)}, "no-such-cages"),
        ({"height": 15, "width": 15, "cages": (3, 4)}, "out-of-reach"),
        ({"difficulty": "heavy"}, "bad-request"),
        ({"symmetry": "mirror"}, "bad-request"),
        ({"width": 9, "symmetry": "diagonal"}, "bad-request"),
        ({"seed": "a/1"}, "bad-request"),
    ],
    ids=str,
)
def test_requests_that_no_puzzle_meets(arguments: dict[str, object], code: str) -> None:
    with pytest.raises(InputError) as caught:
        list(generate(**arguments))  # type: ignore[arg-type]
    assert caught.value.diagnostic.code == code


def test_a_level_out_of_reach_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_ATTEMPTS", 3)
    with pytest.raises(InputError, match="no expert puzzle"):
        list(generate(2, 2, difficulty="expert", seed=1))


def test_there_are_tests_as_codingame_has_them() -> None:
    assert [path.name.split(".")[0] for path in CODINGAME] == ["15x10", "20x20", "4x5", "8x8"]


@pytest.mark.parametrize("path", CODINGAME, ids=lambda path: path.name)
def test_codingame_files(path: Path) -> None:
    (entry,) = notation.read(path.read_bytes(), "codingame", str(path))
    puzzle = entry.puzzle
    assert path.name.startswith(f"{puzzle.width}x{puzzle.height}.")
    assert_one_solution(puzzle)
    found = solver.solve(puzzle, 2).solutions[0]
    expected = path.with_name(path.name.replace(".in.", ".out.")).read_text(encoding="ascii")
    assert expected == "".join(f"{row}\n" for row in found.signs())


@needs_compiled
@pytest.mark.parametrize("path", CODINGAME, ids=lambda path: path.name)
def test_codingame_files_can_be_made_again(path: Path) -> None:
    (entry,) = notation.read(path.read_bytes(), "codingame", str(path))
    assert list(generate(**parse_request(_request(path)))) == [entry.puzzle]


def _request(path: Path) -> str:
    """The request in the comment of the fixture that goes with a test."""
    fixture = FIXTURES / f"codingame-{path.name.split('.')[0]}.toml"
    return fixture.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
