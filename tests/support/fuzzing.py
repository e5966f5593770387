"""Random small puzzles and the comparison of every engine with the brute force on all their solutions.

Used by `test_dungeon_engines.py` (some hundred boards) and by `tools/fuzz.py` (as many as you like).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from math import comb
from typing import Literal

import dnd
from dnd import grid
from dnd.dungeon.puzzle import Board, Puzzle
from dnd.dungeon.solver import SEARCH_CELLS
from dnd.kernels import kernel_module as family_kernel
from witness import brute_force, is_legal

Engine = Literal["search", "clause_learning"]
FAMILIES: tuple[Engine, ...] = ("search", "clause_learning")
_MOST_BOARDS = 6_000  # that the brute force has to look at


def puzzles(seed: int, most: int = 5) -> Iterator[Puzzle]:
    """An endless stream of puzzles of all shapes up to most x most, solvable ones and others."""
    rng = random.Random(seed)
    while True:
        height, width = rng.randint(1, most), rng.randint(1, most)
        puzzle = _clued(rng, _objects(rng, height, width))
        if _boards(puzzle) <= _MOST_BOARDS:
            yield puzzle


def partial_board(puzzle: Puzzle, rng: random.Random) -> Board:
    """Some walls and floors, drawn without regard to the puzzle."""
    walls, floors = (rng.getrandbits(puzzle.height * puzzle.width) for _ in range(2))
    keep = rng.getrandbits(puzzle.height * puzzle.width) & rng.getrandbits(puzzle.height * puzzle.width)
    return Board(puzzle.height, puzzle.width, walls & keep, floors & keep & ~walls)


def expected(puzzle: Puzzle) -> set[int]:
    """The masks of all solutions, by brute force."""
    found = brute_force(puzzle.rows, puzzle.columns, puzzle.monster_cells, puzzle.treasure_cells)
    return {
        grid.to_mask(
            ((r, c) for r, row in enumerate(board) for c, letter in enumerate(row) if letter == "#"), len(board[0])
        )
        for board in found
    }


def disagreements(puzzle: Puzzle, kernels: Iterable[str], rng: random.Random) -> list[str]:
    """What the engines say wrong of a puzzle: all solutions, with a partial board, of a symmetric copy; [] is well."""
    truth, given, symmetry = expected(puzzle), partial_board(puzzle, rng), rng.choice(grid.SYMMETRIES)
    under_given = {walls for walls in truth if not given.walls & ~walls and not given.floors & walls}
    shape = puzzle.height, puzzle.width
    moved = {grid.move_mask(symmetry, walls, *shape) for walls in truth}
    out = []
    for kernel in kernels:
        for family in FAMILIES:
            for what, question, board, answer in (
                ("all solutions", puzzle, None, truth),
                (f"extending {puzzle.ddn(given)}", puzzle, given, under_given),
                (f"symmetry {symmetry}", puzzle.transformed(symmetry), None, moved),
            ):
                said = solutions(question, family, kernel, board)
                if len(said) != len(set(said)) or set(said) != answer:
                    out.append(f"{puzzle.ddn()}: {family}_{kernel}, {what}: {len(said)} instead of {len(answer)}")
    return out


def solutions(puzzle: Puzzle, family: Engine, kernel: str, board: Board | None = None) -> tuple[int, ...]:
    """All solutions by the kernel named, whatever the board's size."""
    walls, floors = (board.walls, board.floors) if board else (0, 0)
    module = family_kernel(f"dnd.dungeon.kernel.{family}", kernel)
    found: tuple[int, ...]
    found, _, complete = module.solve(*puzzle.kernel_arguments, walls, floors, 0, 0, None)
    assert complete
    return found


def clues_of_8x8(seed: int) -> Iterator[Puzzle]:
    """An endless stream of 8x8 puzzles whose clues are those of a random legal dungeon."""
    rng = random.Random(seed)
    while True:
        found = dnd.solve(_random_objects(rng), 1, max_nodes=3000).solutions
        if found:
            yield from_letters(found[0].letters())


def reference_disagreements(puzzle: Puzzle) -> list[str]:
    """Where the exact engines differ from the reference solver sifted by the independent checker.

    That is the truth where no two rooms touch, which needs a board with nothing else.
    """
    local = dnd.solve(puzzle, None, "reference").solutions
    truth = {board.walls for board in local if is_legal(puzzle.rows, puzzle.columns, board.letters())}
    return [
        f"{puzzle.ddn()}: {family} finds {len(found)}, the reference {len(truth)}"
        for family in FAMILIES
        if set(found := solutions(puzzle, family, "auto")) != truth
    ]


def _random_objects(rng: random.Random) -> Puzzle:
    """An 8x8 board with a few monsters, perhaps a treasure, and random row clues."""
    cells = rng.sample([(r, c) for r in range(8) for c in range(8)], 8)
    monsters = rng.randint(0, 7)
    rows = [rng.randint(1, 6) for _ in range(8)]
    return Puzzle.of(rows, [None] * 8, cells[:monsters], cells[7:] if rng.random() < 0.4 else [])


def from_letters(letters: list[str]) -> Puzzle:
    """The puzzle whose clues and objects are those of a drawn dungeon."""
    found = {sign: [(r, c) for r, row in enumerate(letters) for c, x in enumerate(row) if x == sign] for sign in "MT"}
    rows = [row.count("#") for row in letters]
    columns = [column.count("#") for column in zip(*letters, strict=True)]
    return Puzzle.of(rows, columns, found["M"], found["T"])


def _objects(rng: random.Random, height: int, width: int) -> Puzzle:
    """A board with some monsters and treasures and no clue."""
    cells = [(r, c) for r in range(height) for c in range(width)]
    rng.shuffle(cells)
    monsters = rng.choice([0, 0, 1, 2, 2, 3])
    treasures = rng.choice([0, 0, 0, 1, 1, 2]) if min(height, width) >= 3 else rng.choice([0] * 9 + [1])
    return Puzzle.of([None] * height, [None] * width, cells[:monsters], cells[monsters : monsters + treasures])


def _clued(rng: random.Random, bare: Puzzle) -> Puzzle:
    """Clues for it: those of a solution if it has one (three times of four), else any; some unknown."""
    height, width = bare.height, bare.width
    found = dnd.solve(bare, 40).solutions if height * width <= SEARCH_CELLS else ()
    if found and rng.random() < 0.75:
        letters = rng.choice(found).letters()
        rows = [row.count("#") for row in letters]
        columns = [column.count("#") for column in zip(*letters, strict=True)]
        if rng.random() < 0.15:
            columns[rng.randrange(width)] = rng.randint(0, height)
    else:
        rows = [rng.randint(0, width) for _ in range(height)]
        columns = [rng.randint(0, height) for _ in range(width)]
    # Unknown columns cost the brute force nothing, and make several solutions likely; unknown rows cost much.
    hidden_rows, hidden_columns = rng.choice([0, 0.3, 0.6, 1]), rng.choice([0, 0.5, 1, 1])

    def veiled(clues: list[int], hidden: float) -> list[int | None]:
        return [None if rng.random() < hidden else clue for clue in clues]

    return Puzzle(
        tuple(veiled(rows, hidden_rows)), tuple(veiled(columns, hidden_columns)), bare.monsters, bare.treasures
    )


def _boards(puzzle: Puzzle) -> int:
    """How many boards fit the row clues."""
    number = 1
    for row, clue in enumerate(puzzle.rows):
        free = puzzle.width - (puzzle.objects & grid.row_mask(row, puzzle.width)).bit_count()
        number *= 2**free if clue is None else comb(free, clue)
    return number
