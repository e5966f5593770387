"""New dungeons: legal, with one solution, as asked for, and the same everywhere."""

from __future__ import annotations

import hashlib
import math
import pickle
import random
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import witness
from conftest import EVER, PURE_RUN, Cli, heed_interrupts, kernel_module, needs_compiled, run_tool
from dnd import grid
from dnd.diagnostic import InputError
from dnd.dungeon import explainer, oracle, solver
from dnd.dungeon import generator as generator
from dnd.dungeon.generator import LEVELS, NewPuzzle, generate, parse_request
from dnd.dungeon.puzzle import Puzzle, Solution
from dnd.reading import loads
from dnd.requests import SYMMETRIES

# Width x height: lines, slender and small boards, odd ones and even ones, beyond one word of 64 cells.
SHAPES = ["2x1", "9x1", "1x9", "2x2", "8x2", "3x3", "5x3", "4x4", "4x5", "6x6", "20x3", "8x7", "8x8", "9x9"]
LARGE = ["13x10", "12x12", "16x16", "20x20"]


def assert_sound(puzzle: NewPuzzle) -> None:
    """Legal for the oracle, which shares no code with the rest, and the only solution for the engine."""
    solution = puzzle.solution
    objects = puzzle.monster_cells, puzzle.treasure_cells
    assert oracle.faults(puzzle.rows, puzzle.columns, solution.letters(), *objects) == []
    found = solver.solve(puzzle, 2)
    assert found.unique
    assert found.solutions == (solution,)


def some(count: int, *arguments: object, **options: object) -> list[NewPuzzle]:
    """So many new puzzles, no fewer."""
    puzzles = list(generate(*arguments, **options, count=count))  # type: ignore[arg-type]
    assert len(puzzles) == count
    return puzzles


# ---------------------------------------------------------------- layouts


def arguments_of_layouts(seed: int, most: int) -> Any:
    """What the kernel is asked for: shapes to `most` cells a side, all symmetries, numbers sensible or not."""
    rng = random.Random(seed)
    height, width = rng.choice([(h, w) for h, w in product(range(1, most), range(1, most)) if h * w > 1])
    symmetry = rng.choice([0, 0, *range(6 if height == width else 4)])
    cells = height * width
    rooms = tuple(rng.randint(0, cells // 20) for _ in range(3))
    walls = tuple(rng.randint(0, cells) for _ in range(2))
    return height, width, symmetry, rng.getrandbits(64), rooms, walls, (1, 4, 4, 9), (0, 1, 2), (0, 3)


@needs_compiled
def test_twins_draw_the_same_layouts() -> None:
    drawn = 0
    for seed in range(150):
        asked = arguments_of_layouts(seed, 13)
        layout = kernel_module("generate", "c").layout(*asked)
        assert kernel_module("generate", "py").layout(*asked) == layout
        drawn += bool(layout)
    assert drawn > 50


def test_layouts_are_legal_and_symmetric(kernel: str) -> None:
    drawn = 0
    for seed in range(60 if kernel == "py" else 1000):
        height, width, symmetry, *rest = arguments_of_layouts(seed, 10)
        layout = kernel_module("generate", kernel).layout(height, width, symmetry, *rest)
        if layout:
            rows, columns, monsters, treasures, walls = layout
            puzzle = Puzzle(rows, columns, monsters, treasures)
            assert oracle.faults(rows, columns, Solution(puzzle, walls).letters()) == [], seed
            assert treasures.bit_count() in rest[1]
            for mask in (walls, treasures):
                assert grid.move_mask(symmetry, mask, height, width) == mask
            drawn += 1
    assert drawn > 20


def test_layouts_differ_from_seed_to_seed(kernel: str) -> None:
    layout = kernel_module("generate", kernel).layout
    drawn = [layout(8, 8, 0, seed, (0, 1), (27,), (5,), (1,), (1,)) for seed in range(20)]
    assert len(set(drawn)) > 15


# ---------------------------------------------------------------- puzzles


@pytest.mark.parametrize("size", SHAPES)
def test_sound_and_of_the_size_asked_for(size: str) -> None:
    for puzzle in some(2 if PURE_RUN else 10, **parse_request(size), seed="sizes"):
        assert f"{puzzle.width}x{puzzle.height}" == size
        assert_sound(puzzle)


@needs_compiled
@pytest.mark.parametrize("size", LARGE)
def test_large_boards(size: str) -> None:
    (puzzle,) = generate(**parse_request(size), seed="large")
    assert_sound(puzzle)


def test_unique_by_brute_force_too() -> None:
    for puzzle in some(20, 4, 5, seed="brute"):
        assert witness.brute_force(puzzle.rows, puzzle.columns, puzzle.monster_cells, puzzle.treasure_cells) == {
            tuple(puzzle.solution.letters())
        }


@pytest.mark.parametrize("level", LEVELS)
def test_levels(level: str) -> None:
    if PURE_RUN and level in LEVELS[3:]:
        pytest.skip("rating hard puzzles takes the pure kernel long")
    for puzzle in some(2, difficulty=level, seed="levels"):
        assert_sound(puzzle)
        assert explainer.rate(puzzle).level == level


def test_levels_are_those_of_the_ratings() -> None:
    assert explainer.LEVELS == LEVELS


@pytest.mark.parametrize(
    "asked",
    [
        {"treasures": 2},
        {"treasures": (0, 1)},
        {"treasures": 0, "monsters": 0},
        {"monsters": (3, 4)},
        {"monsters": 10},
        {"treasures": 1, "monsters": (1, 2)},
    ],
    ids=str,
)
def test_numbers_of_objects(asked: dict[str, int | tuple[int, int]]) -> None:
    for puzzle in some(2 if PURE_RUN else 20, seed="numbers", **asked):
        assert_sound(puzzle)
        for what, mask in (("treasures", puzzle.treasures), ("monsters", puzzle.monsters)):
            least, most = parsed if isinstance(parsed := asked.get(what, (0, 64)), tuple) else (parsed, parsed)
            assert least <= mask.bit_count() <= most


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetric_walls(symmetry: str) -> None:
    for puzzle in some(2, 7, 7, symmetry=symmetry, seed="symmetric"):
        assert_sound(puzzle)
        for mask in (puzzle.walls, puzzle.monsters, puzzle.treasures):
            assert grid.move_mask(SYMMETRIES[symmetry], mask, 7, 7) == mask


def test_rooms_of_a_symmetric_dungeon() -> None:
    for puzzle in some(2 if PURE_RUN else 10, 9, 9, symmetry="left-right", treasures=(1, 2), seed="rooms"):
        assert puzzle.treasures
        assert_sound(puzzle)


@needs_compiled
def test_they_look_like_dungeons() -> None:
    """The figures of docs/generate.md, roughly: what the 64 levels have on average and some of each kind."""
    puzzles = some(300, seed="looks")
    walls = sum(puzzle.walls.bit_count() for puzzle in puzzles) / 300
    ends = [puzzle.monsters.bit_count() for puzzle in puzzles]
    rooms = [puzzle.treasures.bit_count() for puzzle in puzzles]
    assert 25 < walls < 29
    assert 4 < sum(ends) / 300 < 5.5
    assert set(range(1, 8)) <= set(ends)
    assert {0, 1, 2} <= set(rooms)
    assert {cell for puzzle in puzzles for cell in puzzle.treasure_cells} == set(product(range(8), range(8)))
    for puzzle in puzzles:
        assert grid.square_corners(puzzle.walls, 8, 8).bit_count() <= 7


def test_a_new_puzzle_is_a_puzzle() -> None:
    (puzzle,) = generate(6, 6, seed="value")
    plain = Puzzle(puzzle.rows, puzzle.columns, puzzle.monsters, puzzle.treasures)
    assert plain == puzzle
    assert puzzle == plain
    assert len({plain, puzzle}) == 1
    assert puzzle != replace(plain, monsters=0)
    assert puzzle != puzzle.ddn()
    assert repr(puzzle) == repr(plain)
    assert puzzle.rating == explainer.rate(plain)
    copy = pickle.loads(pickle.dumps(puzzle))
    assert (copy, copy.name, copy.walls, copy.rating) == (puzzle, puzzle.name, puzzle.walls, puzzle.rating)


# ---------------------------------------------------------------- the same everywhere

# Whoever changes this number changes the puzzles that people have made and named by their seeds.
PINNED = "6d00eec160e22157ee319d81cc69dd021b6946bd8bacba3c446cc1c7149f3125"
PINNED_REQUESTS = (
    "8x8#pin",
    "5x6#pin",
    "9x9#pin",
    "7x7:half-turn#pin",
    "8x8:treasures=2#pin",
    "6x6:monsters=2-3:left-right#pin",
    "3x11#pin",
)


def test_a_seed_makes_the_same_puzzles_for_ever() -> None:
    puzzles = [puzzle for text in PINNED_REQUESTS for puzzle in generate(**parse_request(text), count=3)]
    text = "\n".join(f"{puzzle.name} {puzzle.ddn()}" for puzzle in puzzles)
    assert hashlib.sha256(text.encode()).hexdigest() == PINNED


def test_a_name_makes_the_puzzle_again() -> None:
    asked: list[dict[str, object]] = [
        {"seed": 7},
        {"symmetry": "half-turn", "difficulty": "easy"},
        {"monsters": (2, 4), "start": 3},
        {"treasures": 1, "seed": "a-b_c.d"},
    ]
    for arguments in asked:
        (puzzle,) = generate(6, 7, **arguments)  # type: ignore[arg-type]
        assert puzzle.name.startswith("dungeon:7x6")
        assert list(generate(**parse_request(puzzle.name))) == [puzzle]


# ---------------------------------------------------------------- requests


def test_requests() -> None:
    assert parse_request("12x9:hard#my-seed") == {"width": 12, "height": 9, "difficulty": "hard", "seed": "my-seed"}
    assert parse_request("dungeon:8x8") == {"width": 8, "height": 8}
    assert parse_request("8x8:half-turn:treasures=1-2:beyond-logic:monsters=3#a/3") == {
        "width": 8, "height": 8, "symmetry": "half-turn", "treasures": (1, 2), "difficulty": "beyond logic",
        "monsters": (3, 3), "seed": "a", "start": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["dungeon", "8x8:treasures", "8x8:treasures=", "8x8:treasures=1-", "8x8:monsters=1:monsters=2", "8x8:2-5"],
)
def test_bad_requests(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_request(text)
    assert caught.value.diagnostic.code == "bad-request"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"height": 33}, "too-large"),
        ({"height": 21}, "too-large"),
        ({"width": 0}, "empty-board"),
        ({"height": 1, "width": 1}, "no-such-dungeon"),
        ({"treasures": (2, 1)}, "bad-range"),
        ({"monsters": (-1, 1)}, "bad-range"),
        ({"treasures": 7}, "no-such-dungeon"),
        ({"height": 3, "width": 4, "treasures": 1}, "no-such-dungeon"),
        ({"height": 2, "width": 20, "treasures": (1, 3)}, "no-such-dungeon"),
        ({"monsters": 44}, "no-such-dungeon"),
        ({"symmetry": "left-right", "monsters": 5}, "no-such-dungeon"),
        ({"height": 9, "width": 9, "symmetry": "half-turn", "monsters": 5}, "no-such-dungeon"),
        ({"symmetry": "diagonal", "treasures": 1}, "no-such-dungeon"),
        ({"height": 9, "width": 9, "symmetry": "quarter-turn", "monsters": (5, 7)}, "no-such-dungeon"),
        ({"difficulty": "heavy"}, "bad-request"),
        ({"symmetry": "mirror"}, "bad-request"),
        ({"width": 9, "symmetry": "diagonal"}, "bad-request"),
        ({"seed": "a/1"}, "bad-request"),
    ],
    ids=str,
)
def test_requests_that_no_puzzle_meets(arguments: dict[str, object], code: str) -> None:
    with pytest.raises(InputError) as caught:
        generate(**arguments)  # type: ignore[arg-type]
    assert caught.value.diagnostic.code == code


@pytest.mark.parametrize(
    ("height", "width", "symmetry"),
    [(*sides, way) for sides in ((3, 3), (4, 4)) for way in SYMMETRIES]
    + [(*sides, way) for sides in ((3, 4), (4, 3)) for way in ("left-right", "up-down", "half-turn")],
)
def test_numbers_of_monsters_that_a_symmetry_allows(height: int, width: int, symmetry: str) -> None:
    """Multiples of the greatest common divisor of all numbers of dead ends that walls with the symmetry have."""
    every, numbers = grid.full(height, width), set()
    for walls in range(1 << height * width):
        if grid.move_mask(SYMMETRIES[symmetry], walls, height, width) == walls:
            numbers.add(dead_ends(set(grid.cells(every & ~walls, width))))
    for monsters in range(1, 5):
        if monsters % math.gcd(*numbers):
            with pytest.raises(InputError, match="multiple of"):
                generate(height, width, symmetry=symmetry, monsters=monsters)
        else:
            generate(height, width, symmetry=symmetry, monsters=monsters)


def dead_ends(floors: set[tuple[int, int]]) -> int:
    return sum(
        len(floors & {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}) == 1
        for row, column in floors
    )


@pytest.mark.parametrize("sides", [(3, 5), (4, 4), (5, 6)], ids=str)
def test_no_possible_number_of_treasures_is_refused(sides: tuple[int, int]) -> None:
    """Two rooms on 5x6 touch at their entrances; such a pair is legal, if seldom drawn."""
    generate(*sides, treasures=2 if sides == (5, 6) else 1)


def test_what_cannot_be_found_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_LAYOUTS", 200)
    with pytest.raises(InputError, match="no dungeon found in many attempts for dungeon:8x8:treasures=6#1/0"):
        list(generate(8, 8, treasures=6, seed=1))
    with pytest.raises(InputError, match="no dungeon found"):
        list(generate(4, 4, difficulty="beyond logic", seed=1))


def test_a_proof_that_takes_too_long_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "_PATIENCE", 1)
    with pytest.raises(InputError, match="a proof took more than 1 nodes"):
        list(generate(9, 9, seed="patience", count=20))


# ---------------------------------------------------------------- the command


def test_generated_puzzles_are_solved_and_made_again(cli: Cli) -> None:
    made = cli("generate", "-n", "3", "6x6:easy#cli", "--treasures", "0-1", "--monsters", "1-9")
    assert made.code == 0
    puzzles = loads(made.out)
    request = "dungeon:6x6:easy:treasures=0-1:monsters=1-9#cli"
    assert [puzzle.name for puzzle in puzzles] == [f"{request}/{number}" for number in range(3)]
    assert all(f" level=easy rating={explainer.rate(puzzle).number}\n" in made.out for puzzle in puzzles)
    assert cli("-", stdin=made.out).code == 0
    assert cli("generate", puzzles[1].name).out == made.out.splitlines()[1] + "\n"


def test_a_rating_can_be_left_out(cli: Cli) -> None:
    (line,) = cli("generate", "6x6#cli", "--no-rating").out.splitlines()
    assert line.endswith("name=dungeon:6x6#cli/0")
    assert cli("generate", "6x6#cli").out.startswith(line + " level=")


def test_other_formats(cli: Cli) -> None:
    (line,) = cli("generate", "6x6#cli", "--to", "json").json
    assert line["name"] == "dungeon:6x6#cli/0"


def test_shards_are_the_stream(cli: Cli) -> None:
    whole = cli("generate", "-n", "7", "5x5#shard/2").out.splitlines()
    parts = [cli("generate", "-n", "7", "5x5#shard/2", "--shard", f"{part}/3").out.splitlines() for part in (1, 2, 3)]
    assert [len(part) for part in parts] == [3, 2, 2]
    assert parts == [whole[part::3] for part in range(3)]


def test_workers_change_nothing(cli: Cli) -> None:
    for request_ in ("5x5#work", "suguru:4x4#work"):
        alone = cli("generate", "-n", "5", request_)
        assert alone.code == 0
        assert cli("generate", "-n", "5", request_, "--workers", "2").out == alone.out


def test_an_error_of_a_worker_is_told(cli: Cli) -> None:
    done = cli("generate", "-n", "5", "4x4:treasures=2#w", "--workers", "2")
    assert (done.code, done.out) == (2, "")
    assert "[no-such-dungeon]" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["chess:8x8"],
        ["8x8", "--treasures", "two"],
        ["8x8", "--cages", "1-2"],
        ["8x8", "--shard", "1/2"],
        ["8x8#a", "--shard", "3/2"],
        ["8x8#a", "--shard", "0/2"],
        ["8x8", "--workers", "0"],
        ["1x1"],
    ],
    ids=" ".join,
)
def test_wrong_usage(cli: Cli, arguments: list[str]) -> None:
    done = cli("generate", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_keeps_what_was_made(workers: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dnd", "generate", "-n", "1000000", "5x5#stop", "--workers", workers]
    with subprocess.Popen(
        command, cwd=tmp_path, preexec_fn=heed_interrupts, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout
            assert process.stderr
            lines = [process.stdout.readline() for _ in range(5)]
            process.send_signal(signal.SIGINT)
            lines += process.stdout.readlines()
            assert process.stderr.read() == "dnd: interrupted; what was printed is complete\n"
            assert process.wait(EVER) == 130
        finally:
            process.kill()
    puzzles = loads("".join(lines))
    assert len(puzzles) >= 5
    assert [puzzle.name for puzzle in puzzles] == [f"dungeon:5x5#stop/{number}" for number in range(len(puzzles))]


def test_ctrl_c_while_workers_start_is_heard_afterwards(tmp_path: Path) -> None:
    program = """
import os, signal
from dnd.cli.generate import _interrupts_wait
try:
    with _interrupts_wait():
        os.kill(os.getpid(), signal.SIGINT)
        print("went on")
    print("not heard")
except KeyboardInterrupt:
    print("heard")
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, preexec_fn=heed_interrupts, capture_output=True, text=True, check=True)
    assert done.stdout == "went on\nheard\n"


# ---------------------------------------------------------------- the tools


@needs_compiled
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("bench_dungeon_generate.py -n 0.01 6x6 6x6:easy", "| `6x6:easy` |"),
        ("check_generated.py -n 100", "100 different puzzles of 49 sizes"),
        ("variety.py -n 5 5x5", "| loops |"),
    ],
)
def test_tools(command: str, said: str, tmp_path: Path) -> None:
    assert said in run_tool(command, tmp_path)
