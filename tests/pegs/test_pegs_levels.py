"""The exact searches of peg solitaire level by level: both twins against a brute force without symmetries.

The brute force knows positions as sets of (row, column), tries every jump in every position and follows every position
from the start: no keys, no bit tricks, no meeting in the middle.
"""

from __future__ import annotations

import importlib
import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from conftest import interrupted, needs_compiled, stopped_in_the_middle

Cells = frozenset[tuple[int, int]]
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))
MEMORY = 1 << 28


# --- boards ---------------------------------------------------------------------------------------


class Task:
    """A board in the form the kernels take, and as sets of cells."""

    def __init__(self, rows: list[str], finals: Cells | None = None) -> None:
        self.height, self.width = len(rows), len(rows[0])
        places = {(r, c): rows[r][c] for r in range(self.height) for c in range(self.width)}
        self.cells: Cells = frozenset(place for place, sign in places.items() if sign != "#")
        self.pegs: Cells = frozenset(place for place, sign in places.items() if sign == "o")
        self.finals: Cells = self.cells if finals is None else finals
        self.rows = rows

    def mask(self, cells: Cells) -> int:
        return sum(1 << row * self.width + column for row, column in cells)

    @property
    def start(self) -> tuple[int, int, int, int]:
        return self.height, self.width, self.mask(self.cells), self.mask(self.pegs)

    @property
    def whole(self) -> tuple[int, int, int, int, int]:
        return (*self.start, self.mask(self.finals))

    def __repr__(self) -> str:
        return "/".join(self.rows) + f" to {sorted(self.finals)}"


def random_tasks(number: int, seed: int) -> Iterator[Task]:
    """Boards of up to 20 cells, most of them with a symmetry or two, some solvable, with any set of last cells."""
    chooser = random.Random(seed)
    for _ in range(number):
        height, width = chooser.choice([(1, 7), (2, 6), (3, 3), (3, 5), (4, 4), (4, 4), (5, 4), (5, 5)])
        rows = [[chooser.choice("ooo..#") for _ in range(width)] for _ in range(height)]
        for row in range(height):
            for column in range(width):
                if chooser.random() < 0.8:
                    rows[row][column] = rows[height - 1 - row][column] if chooser.random() < 0.5 else "o"
        if height * width > 20:
            rows[0][0] = rows[0][-1] = rows[-1][0] = rows[-1][-1] = rows[2][2] = "#"
        task = Task(["".join(row) for row in rows])
        if not 0 < len(task.pegs) <= 14:
            continue
        finals = frozenset(chooser.sample(sorted(task.cells), chooser.randint(1, 3) if len(task.cells) > 3 else 1))
        yield Task(task.rows, task.cells if chooser.random() < 0.5 else finals)


SQUARE = ["ooooo", "ooooo", "ooooo", "ooooo", "ooooo"]
CROSS = ["#oo#", "oooo", "o.oo", "#oo#"]
ENGLISH = ["##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##"]
SIX = Task(["oooooo", "oooooo", "oo.ooo", "oooooo", "oooooo", "oooooo"])


# --- the brute force ------------------------------------------------------------------------------


def jumps(task: Task, pegs: Cells) -> Iterator[tuple[tuple[int, int, int], Cells]]:
    """All jumps in a position, and where each leads."""
    for row, column in pegs:
        for direction, (down, right) in enumerate(STEPS):
            over, to = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if over in pegs and to in task.cells and to not in pegs:
                yield (row, column, direction), pegs - {(row, column), over} | {to}


def all_levels(task: Task) -> list[Counter[Cells]]:
    """By number of jumps: each position and how many sequences lead to it."""
    levels = [Counter({task.pegs: 1})]
    while levels[-1]:
        following: Counter[Cells] = Counter()
        for pegs, sequences in levels[-1].items():
            for _, after in jumps(task, pegs):
                following[after] += sequences
        levels.append(following)
    return levels[:-1]


def symmetries(task: Task) -> list[dict[tuple[int, int], tuple[int, int]]]:
    """Those of the grid that keep the cells."""
    found = []
    for turned in (False, True) if task.height == task.width else (False,):
        for down in (False, True):
            for right in (False, True):
                moved = {}
                for row, column in task.cells:
                    place = task.height - 1 - row if down else row, task.width - 1 - column if right else column
                    moved[row, column] = place[::-1] if turned else place
                if set(moved.values()) == task.cells:
                    found.append(moved)
    return found


def up_to_symmetry(positions: set[Cells], shapes: list[dict[tuple[int, int], tuple[int, int]]]) -> int:
    return len({frozenset(frozenset(shape[cell] for cell in pegs) for shape in shapes) for pegs in positions})


def can_win(task: Task, levels: list[Counter[Cells]]) -> list[set[Cells]]:
    """By number of jumps: the positions from which a single peg in `finals` can be left."""
    winners: list[set[Cells]] = []
    for level in reversed(levels):
        later = winners[-1] if winners else set[Cells]()
        winners.append(
            {
                pegs
                for pegs in level
                if (len(pegs) == 1 and pegs <= task.finals) or any(after in later for _, after in jumps(task, pegs))
            }
        )
    return winners[::-1]


@cache
def fewest_moves(task: Task) -> int | None:
    """The least number of moves of a solution: a search over (position, cell of the peg that moved last)."""
    states: dict[tuple[Cells, tuple[int, int] | None], int] = {(task.pegs, None): 0}
    for _ in range(len(task.pegs) - 1):
        following: dict[tuple[Cells, tuple[int, int] | None], int] = {}
        for (pegs, last), moves in states.items():
            for (row, column, direction), after in jumps(task, pegs):
                down, right = STEPS[direction]
                state = after, (row + 2 * down, column + 2 * right)
                cost = moves + ((row, column) != last)
                following[state] = min(cost, following.get(state, cost))
        states = following
    return min((moves for (pegs, _), moves in states.items() if pegs <= task.finals), default=None)


def replayed(task: Task, sequence: tuple[tuple[int, int, int], ...]) -> tuple[Cells, int]:
    """Where a sequence of legal jumps leads, and in how many moves."""
    pegs, last, moves = task.pegs, None, 0
    for jump in sequence:
        pegs = dict(jumps(task, pegs))[jump]
        row, column, direction = jump
        moves += (row, column) != last
        last = row + 2 * STEPS[direction][0], column + 2 * STEPS[direction][1]
    return pegs, moves


@cache
def known() -> list[tuple[Task, list[Counter[Cells]]]]:
    """Tasks and all that can be reached in them: chosen ones and random ones."""
    chosen = [
        Task(["o"]),
        Task(["o."], frozenset({(0, 1)})),
        Task(["oo."]),
        Task(["o#o", "###", "o.o"]),
        Task(CROSS),
        Task(CROSS, frozenset({(1, 1)})),
        Task(["oooo", "o.oo", "oooo"]),
        Task(["oooo", "o.oo", "oooo"], frozenset({(1, 1)})),
        Task(["o.oooo", "oooooo", "oooooo"], frozenset({(0, 1)})),  # the end is the complement of the start
        Task(["##o##", "#ooo#", "oo.oo", "#ooo#", "##o##"]),
        Task(["oooooo", "o.....", "......"]),
        Task(["#ooo", "oo.o", "oooo"], frozenset({(1, 2), (2, 0)})),
    ]
    tasks = [*chosen, *random_tasks(120, 5)]
    return [(task, all_levels(task)) for task in tasks]


def test_the_random_boards_are_of_all_kinds() -> None:
    won = [any(can_win(task, levels)[0]) for task, levels in known()]
    assert 10 < sum(won) < len(won) - 10
    assert len({len(symmetries(task)) for task, _ in known()}) == 4
    assert any(len(levels) > 8 for _, levels in known())


# --- the twins against it -------------------------------------------------------------------------


@pytest.fixture
def levels_kernel(kernel: str) -> ModuleType:
    return importlib.import_module(f"dnd.pegs.kernel.levels_{kernel}")


def test_count(levels_kernel: ModuleType) -> None:
    for task, levels in known():
        sequences = sum(
            number for level in levels for pegs, number in level.items() if len(pegs) == 1 and pegs <= task.finals
        )
        expected = sequences, tuple(map(len, levels)), True
        assert levels_kernel.count(*task.whole, MEMORY, None) == expected, task


def test_positions(levels_kernel: ModuleType) -> None:
    for task, levels in known():
        expected = tuple(up_to_symmetry(set(level), symmetries(task)) for level in levels)
        assert levels_kernel.positions(*task.start, MEMORY, None) == (expected, True), task


def test_winning(levels_kernel: ModuleType) -> None:
    for task, levels in known():
        kept = [shape for shape in symmetries(task) if {shape[cell] for cell in task.finals} == task.finals]
        winners = can_win(task, levels)
        expected = tuple(up_to_symmetry(level, kept) for level in winners) if winners[0] else ()
        assert levels_kernel.winning(*task.whole, MEMORY, None) == (expected, True), task


def test_games(levels_kernel: ModuleType) -> None:
    for task, levels in known():
        ended = sum(number for level in levels for pegs, number in level.items() if not any(jumps(task, pegs)))
        assert levels_kernel.games(*task.start, MEMORY, None) == (ended, True), task


def test_decide(levels_kernel: ModuleType) -> None:
    for task, levels in known():
        verdict, sequence, positions = levels_kernel.decide(*task.whole, MEMORY, None)
        assert verdict == bool(can_win(task, levels)[0]), task
        assert positions > 0
        if verdict:
            pegs, _ = replayed(task, sequence)
            assert len(pegs) == 1
            assert pegs <= task.finals
        else:
            assert sequence == ()


def test_fewest(levels_kernel: ModuleType) -> None:
    for task, _ in known():
        least = fewest_moves(task)
        verdict, sequence, moves = levels_kernel.fewest(*task.whole, MEMORY, None)
        if least is None:
            assert (verdict, sequence, moves) == (0, (), 0), task
            continue
        pegs, made = replayed(task, sequence)
        assert (verdict, moves, made) == (1, least, least), task
        assert len(pegs) == 1
        assert pegs <= task.finals


def test_symmetric_copies_have_the_same_counts(levels_kernel: ModuleType) -> None:
    rows, finals = ["#ooo.", "oo.oo", "ooooo"], frozenset({(0, 1), (2, 2)})
    expected = None
    for turned in (False, True):
        for down in (False, True):
            for right in (False, True):
                copy = rows[::-1] if down else rows
                copy = [row[::-1] for row in copy] if right else copy
                ends = {(2 - r if down else r, 4 - c if right else c) for r, c in finals}
                if turned:
                    copy, ends = ["".join(column) for column in zip(*copy, strict=True)], {(c, r) for r, c in ends}
                task = Task(copy, frozenset(ends))
                answers = (
                    levels_kernel.count(*task.whole, MEMORY, None),
                    levels_kernel.positions(*task.start, MEMORY, None),
                    levels_kernel.winning(*task.whole, MEMORY, None),
                    levels_kernel.games(*task.start, MEMORY, None),
                    levels_kernel.fewest(*task.whole, MEMORY, None)[::2],
                )
                expected = expected or answers
                assert answers == expected, task
    assert expected
    assert expected[0][0] > 0


# --- bounds ---------------------------------------------------------------------------------------

UNDECIDED = {
    "decide": (-1, (), 0),
    "count": (0, False),
    "positions": (False,),
    "winning": ((), False),
    "games": (0, False),
    "fewest": (-1, (), 0),
}


def arguments(question: str, task: Task) -> tuple[int, ...]:
    return task.start if question in ("positions", "games") else task.whole


def ask(
    levels_kernel: ModuleType, question: str, task: Task, memory: int, stop: bytearray | None
) -> tuple[object, ...]:
    """The answer to a question, levels that were finished before it was given up left out."""
    answer: tuple[object, ...] = getattr(levels_kernel, question)(*arguments(question, task), memory, stop)
    if question == "count":
        return answer[0], answer[2]
    return answer[1:] if question == "positions" else answer


@pytest.mark.parametrize("question", UNDECIDED)
def test_set_stop_ends_it(levels_kernel: ModuleType, question: str) -> None:
    assert ask(levels_kernel, question, SIX, MEMORY, bytearray([1])) == UNDECIDED[question]


@pytest.mark.parametrize("question", UNDECIDED)
def test_another_thread_stops_it(levels_kernel: ModuleType, question: str) -> None:
    with stopped_in_the_middle() as stop:
        assert ask(levels_kernel, question, SIX, 1 << 34, stop) == UNDECIDED[question]


@pytest.mark.parametrize("question", UNDECIDED)
def test_memory_ends_it(levels_kernel: ModuleType, question: str) -> None:
    for memory in (0, 1000, 1 << 20):
        assert ask(levels_kernel, question, SIX, memory, None) == UNDECIDED[question]


@needs_compiled
@pytest.mark.parametrize("question", UNDECIDED)
def test_little_memory_gives_the_same_answer_or_none(question: str) -> None:
    compiled = importlib.import_module("dnd.pegs.kernel.levels_c")
    task = Task(["oooo", "oooo", "oooo", "oo.o", "oooo"])
    full = ask(compiled, question, task, MEMORY, None)
    answers = [ask(compiled, question, task, memory, None) for memory in range(100_000, 1_500_000, 50_000)]
    assert full != UNDECIDED[question]
    assert UNDECIDED[question] in answers
    assert full in answers
    assert {UNDECIDED[question], full} == set(answers)


@needs_compiled
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("question", UNDECIDED)
def test_memory_is_a_promise(question: str, tmp_path: Path) -> None:
    """The process does not grow by more than it was told."""
    memory = 48 << 20
    program = (
        "from dnd.pegs.kernel import levels_c\n"
        "def peak():\n"
        "    with open('/proc/self/status') as status:\n"
        "        return next(1024 * int(line.split()[1]) for line in status if line.startswith('VmHWM'))\n"
        f"levels_c.{question}(*{arguments(question, Task(CROSS))}, {memory}, None)\n"
        "before = peak()\n"
        f"answer = levels_c.{question}(*{arguments(question, SIX)}, {memory}, None)\n"
        "print(peak() - before)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert memory // 4 < int(run.stdout) <= memory + (2 << 20)


@needs_compiled
def test_interrupt(tmp_path: Path) -> None:
    program = (
        "from dnd.pegs.kernel import levels_c\n"
        "print('ready', flush=True)\n"
        "try:\n"
        f"    levels_c.positions(*{SIX.start}, 1 << 36, None)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    assert interrupted(program, tmp_path) == "interrupted\n"


@needs_compiled
def test_boards_of_more_than_64_cells_are_left_undecided() -> None:
    compiled = importlib.import_module("dnd.pegs.kernel.levels_c")
    task = Task(["oo......."] * 9)
    for question, undecided in UNDECIDED.items():
        assert ask(compiled, question, task, MEMORY, None) == undecided


@needs_compiled
def test_64_cells_of_a_larger_grid() -> None:
    compiled = importlib.import_module("dnd.pegs.kernel.levels_c")
    small = Task(["oo.oo.oo", "........"])
    for rows in (
        [*small.rows, *["........"] * 6],
        ["#" * 16, *["####" + row + "####" for row in (*small.rows, *["........"] * 6)], "#" * 16],
    ):
        task = Task(rows)
        levels = all_levels(task)
        assert compiled.positions(*task.start, MEMORY, None)[0] == tuple(
            up_to_symmetry(set(level), symmetries(task)) for level in levels
        )
        assert compiled.decide(*task.whole, MEMORY, None)[0] == any(can_win(task, levels)[0])


# --- large numbers and the English board ----------------------------------------------------------


@needs_compiled
def test_numbers_beyond_64_bits() -> None:
    compiled = importlib.import_module("dnd.pegs.kernel.levels_c")
    number = 21  # jumps that have nothing to do with each other: any order is a game
    rows = [("oo.#" * 4)[:15] if row % 2 == 0 else "#" * 15 for row in range(9)]
    rows.append("#" * 15)
    rows.append("oo.".ljust(15, "#"))
    task = Task(rows)
    assert len(task.pegs) == 2 * number
    assert compiled.games(*task.start, MEMORY, None) == (math.factorial(number), True)
    assert math.factorial(number) > 1 << 64


def halves_mirrored(half: list[int]) -> tuple[int, ...]:
    return (*half, *reversed(half))


# fmt: off
WINNING = [1, 1, 2, 8, 38, 164, 635, 2089, 6174, 16020, 35749, 68326, 112788, 162319, 204992, 230230]
POSITIONS = (
    1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312, 89927, 229614, 517854, 1022224, 1753737, 2598215, 3312423, 3626632,
    3413313, 2765623, 1930324, 1160977, 600372, 265865, 100565, 32250, 8688, 1917, 348, 50, 7, 2,
)
# fmt: on


@needs_compiled
def test_english_centre_game_in_the_middle() -> None:
    compiled = importlib.import_module("dnd.pegs.kernel.levels_c")
    task = Task(ENGLISH, frozenset({(3, 3)}))
    levels, complete = compiled.winning(*task.whole, 1 << 30, None)
    assert complete
    assert levels == halves_mirrored(WINNING)
    assert sum(levels) == 1_679_072


@pytest.mark.slow
@needs_compiled
def test_english_centre_game_whole() -> None:
    """Facts computed independently before (the issue's figures), and the fewest moves known since 1912."""
    compiled = importlib.import_module("dnd.pegs.kernel.levels_c")
    task = Task(ENGLISH, frozenset({(3, 3)}))
    assert compiled.positions(*task.start, 1 << 30, None) == (POSITIONS, True)
    sequences, levels, complete = compiled.count(*task.whole, 1 << 30, None)
    assert complete
    assert sequences == 40_861_647_040_079_968
    assert sum(levels) == 187_636_299
    assert compiled.games(*task.start, 1 << 30, None) == (577_116_156_815_309_849_672, True)
    verdict, sequence, moves = compiled.fewest(*task.whole, 1 << 30, None)
    assert (verdict, moves) == (1, 18)
    assert replayed(task, sequence) == (task.finals, 18)
