"""The kernels of peg solitaire, compiled and pure, against a naive witness, each other, and known facts."""

from __future__ import annotations

import importlib
import inspect
import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import KERNELS, SHARED, interrupted, needs_compiled, needs_shared, stopped_in_the_middle
from dnd.pegs import kernel as kernels
from dnd.pegs.kernel import moves_py, search_py
from pegs_fuzzing import MEMORY, Case, cases, disagreements, exact_answers, moved, text
from pegs_witness import Witness

if TYPE_CHECKING:
    from dnd.pegs.kernel import Levels, Search

SEARCHES = {"reference", "beam", "search"}
LEVELS = {"decide", "count", "positions", "winning", "games", "fewest"}


@pytest.fixture
def search(kernel: str) -> Search:
    return kernels.load("search", kernel)


@pytest.fixture
def levels(kernel: str) -> Levels:
    return kernels.load("levels", kernel)


def case_of(*rows: str, final: tuple[int, int] | None = None) -> Case:
    """A drawn board as kernels take it: o peg, . empty, # outside."""
    height, width = len(rows), max(map(len, rows))
    signs = "".join(row.ljust(width, "#") for row in rows)
    cells = sum(1 << cell for cell, sign in enumerate(signs) if sign != "#")
    pegs = sum(1 << cell for cell, sign in enumerate(signs) if sign == "o")
    return height, width, cells, pegs, cells if final is None else 1 << final[0] * width + final[1]


ENGLISH = case_of("##ooo##", "##ooo##", "ooooooo", "ooo.ooo", "ooooooo", "##ooo##", "##ooo##")
FULL_9X9 = case_of(*["ooooooooo"] * 4, "oooo.oooo", *["ooooooooo"] * 4)


# --- random boards --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_random_boards(seed: int) -> None:
    """All that `tools/fuzz_pegs.py` compares: verdicts, jumps, counts, bounds, copies, the seed's jumps and nodes."""
    rng, solvable, large = random.Random(seed), 0, 0
    for case in islice(cases(seed), 30):
        assert disagreements(case, KERNELS, rng) == []
        solvable += Witness(*case).is_solvable()
        large += case[2].bit_count() > 18
    assert 5 <= solvable <= 25  # both kinds were met
    assert large > 0


@st.composite
def drawn_cases(draw: st.DrawFn) -> Case:
    """Any cells, pegs and last cells on a small board, which hypothesis can shrink."""
    height, width = draw(st.sampled_from([(1, 5), (6, 1), (2, 4), (3, 3), (3, 4), (4, 3), (4, 4), (3, 5)]))
    masks = st.integers(0, (1 << height * width) - 1)
    cells = draw(masks | st.just((1 << height * width) - 1)) or 1
    pegs = draw(masks) & cells or cells & -cells
    return height, width, cells, pegs, draw(masks | st.just(cells)) & cells


@settings(max_examples=60)
@given(case=drawn_cases(), seed=st.integers(0, 9))
def test_drawn_boards(case: Case, seed: int) -> None:
    assert disagreements(case, KERNELS, random.Random(seed)) == []


@settings(max_examples=100)
@given(case=drawn_cases(), nodes=st.integers(0, 300))
@needs_compiled
def test_reference_twins_agree_in_jumps_and_nodes(case: Case, nodes: int) -> None:
    compiled, pure = (kernels.load("search", kernel) for kernel in ("c", "py"))
    height, width, cells, pegs, _ = case
    within = nodes or 3000
    assert compiled.reference(height, width, cells, pegs, within, None) == pure.reference(
        height, width, cells, pegs, within, None
    )


def test_all_positions_of_a_board(levels: Levels, search: Search) -> None:
    """No position of a board with an odd shape is left to chance."""
    height, width, cells, _, _ = board = case_of("oo#.", "oooo", ".ooo")
    places = [cell for cell in range(height * width) if cells >> cell & 1]
    solvable = 0
    for number in range(1, 1 << len(places)):
        pegs = sum(1 << cell for place, cell in enumerate(places) if number >> place & 1)
        case = (height, width, cells, pegs, board[4])
        witness = Witness(*case)
        verdict = int(witness.is_solvable())
        assert levels.decide(*case, MEMORY, None)[0] == search.search(*case, 0, None)[0] == verdict, text(case)
        assert levels.count(*case, MEMORY, None)[0] == witness.sequences(), text(case)
        solvable += verdict
    assert 100 < solvable < 1500


# --- the witnesses themselves ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "sequences", "games", "moves", "levels"),
    [
        (["o"], 1, 1, 0, (1,)),
        (["oo."], 1, 1, 1, (1, 1)),
        (["ooo"], 0, 1, None, (1,)),
        (["o#o"], 0, 1, None, (1,)),
        ([".oo."], 2, 2, 1, (1, 2)),
        (["oo.o."], 2, 2, 1, (1, 1, 2)),  # the peg goes on to the right, or the other one jumps back over it
        (["oo.", "..o", "..."], 1, 1, 1, (1, 1, 1)),  # right, down
        (["o.oo"], 1, 1, 2, (1, 1, 1)),  # left by one peg, right by another
        ([".oo.", ".oo."], 0, 8, None, (1, 4, 4)),  # in any order, to the left or to the right
    ],
)
def test_worked_out_by_hand(
    rows: list[str], sequences: int, games: int, moves: int | None, levels: tuple[int, ...], kernel: str
) -> None:
    case = case_of(*rows)
    witness = Witness(*case)
    assert (witness.sequences(), witness.games(), witness.fewest_moves()) == (sequences, games, moves)
    assert tuple(map(len, witness.levels)) == levels
    said = exact_answers(kernels.load("levels", kernel), case, MEMORY)
    assert (said["count"], said["games"]) == ((sequences, levels, True), (games, True))
    assert said["fewest"] == ((0, 0) if moves is None else (1, moves))


@pytest.mark.parametrize("rows", [("oo.o#",), ("##.#", "oo..", "##o#")])
def test_a_peg_that_is_jumped_over_makes_no_move(rows: tuple[str, ...], levels: Levels) -> None:
    """Another peg jumps over the one that jumped last: that is a second move."""
    case = case_of(*rows)
    assert Witness(*case).fewest_moves() == levels.fewest(*case, MEMORY, None)[2] == 2


@pytest.mark.parametrize(("height", "width"), [(2, 15), (2, 16), (3, 11), (4, 16), (8, 8), (16, 4), (1, 16), (7, 9)])
def test_two_pegs_anywhere(height: int, width: int, levels: Levels, search: Search) -> None:
    """Two neighbours are one jump from the end if the line goes on: every bit of a word gets its turn."""
    full = (1 << height * width) - 1
    for cell in range(height * width):
        row, column = divmod(cell, width)
        for other, possible in ((cell + 1, width > 2), (cell + width, height > 2)):
            if (other == cell + 1 and column == width - 1) or (other == cell + width and row == height - 1):
                continue
            case = (height, width, full, 1 << cell | 1 << other, full)
            assert levels.decide(*case, MEMORY, None)[0] == search.search(*case, 0, None)[0] == possible, text(case)
            sequences, sizes, complete = levels.count(*case, MEMORY, None)
            assert complete
            assert (sequences > 0) == possible
            assert sum(sizes) == 1 + sequences


# --- the contract ---------------------------------------------------------------------------------


def parameters(module: Any, name: str) -> list[tuple[str, object, object]]:
    """What a caller must know of a function: annotations are the pure twin's own affair."""
    signature = inspect.signature(getattr(module, name))
    return [(each.name, each.kind, each.default) for each in signature.parameters.values()]


@needs_compiled
@pytest.mark.parametrize(("family", "names"), [("search", SEARCHES), ("levels", LEVELS), ("moves", {"few"})])
def test_twins_have_the_same_signatures(family: str, names: set[str]) -> None:
    compiled, pure = (importlib.import_module(f"dnd.pegs.kernel.{family}_{kernel}") for kernel in ("c", "py"))
    for name in names:
        assert parameters(compiled, name) == parameters(pure, name)
    if family == "search":
        assert compiled.SCORES == pure.SCORES


STOPPED: dict[str, Callable[[Search, Levels, bytearray], tuple[Any, Any]]] = {
    "reference": lambda search, levels, stop: (search.reference(*ENGLISH[:4], 0, stop), (-1, (), 0)),
    "beam": lambda search, levels, stop: (search.beam(*ENGLISH, 1000, 0, 1, stop)[0], -1),
    "search": lambda search, levels, stop: (search.search(*ENGLISH, 0, stop)[0], -1),
    "decide": lambda search, levels, stop: (levels.decide(*ENGLISH, MEMORY, stop)[0], -1),
    "count": lambda search, levels, stop: (levels.count(*ENGLISH, MEMORY, stop)[2], False),
    "positions": lambda search, levels, stop: (levels.positions(*ENGLISH[:4], MEMORY, stop)[1], False),
    "winning": lambda search, levels, stop: (levels.winning(*ENGLISH, MEMORY, stop)[1], False),
    "games": lambda search, levels, stop: (levels.games(*ENGLISH[:4], MEMORY, stop)[1], False),
    "fewest": lambda search, levels, stop: (levels.fewest(*ENGLISH, MEMORY, stop)[0], -1),
}


@pytest.mark.parametrize("name", STOPPED)
def test_stop_ends_it_at_once(name: str, search: Search, levels: Levels) -> None:
    said, expected = STOPPED[name](search, levels, bytearray([1]))
    assert said == expected


@pytest.mark.parametrize("empty", [b"", bytearray()])
def test_an_empty_flag_is_none(empty: bytes | bytearray, kernel: str, search: Any, levels: Any) -> None:
    """It has no byte to look at, and what lies behind it in memory is none of ours."""
    case = case_of("oo.", "..o", "...")
    moves: Any = kernels.load("moves", kernel)  # any: `stop` may be left out, although the package never does so
    for stop in ({"stop": empty}, {}):
        assert search.reference(*case[:4], 0, **stop)[0] == search.beam(*case, 10, 0, 1, **stop)[0] == 1
        assert search.search(*case, 0, **stop)[0] == moves.few(*case, 10, 42, 1, **stop)[0] == 1
        assert levels.decide(*case, MEMORY, **stop)[0] == levels.fewest(*case, MEMORY, **stop)[0] == 1
        assert levels.count(*case, MEMORY, **stop) == (1, (1, 1, 1), True)
        assert levels.winning(*case, MEMORY, **stop) == ((1, 1, 1), True)
        assert levels.games(*case[:4], MEMORY, **stop) == (1, True)
        assert levels.positions(*case[:4], MEMORY, **stop) == ((1, 1, 1), True)


@pytest.mark.parametrize("name", ["reference", "count", "games", "decide"])
def test_stop_is_heard_in_the_middle(name: str, search: Search, levels: Levels) -> None:
    """None of these ends by itself in the memory of a machine or the time of a test."""
    task, memory = case_of(*["ooooooo"] * 3, "oo.oooo", *["ooooooo"] * 3), 64 << 30
    answers: dict[str, Callable[[bytearray], Any]] = {
        "reference": lambda stop: search.reference(*task[:4], 0, stop)[0] != -1,
        "count": lambda stop: levels.count(*task, memory, stop)[2],
        "games": lambda stop: levels.games(*task[:4], memory, stop)[1],
        "decide": lambda stop: levels.decide(*task, memory, stop)[0] != -1,
    }
    with stopped_in_the_middle() as stop:
        assert answers[name](stop) is False


class Bell(bytearray):
    """A byte to stop by that becomes 1 when it has been looked at so often."""

    def __init__(self, number: float) -> None:
        super().__init__(1)
        self.looks, self.number = 0, number

    def __getitem__(self, _: object) -> int:  # type: ignore[override]
        self.looks += 1
        return int(self.looks > self.number)


@pytest.mark.parametrize(
    "ask",
    [
        lambda stop: search_py.beam(*FULL_9X9, 40, 1, 1, stop),
        lambda stop: search_py.beam(*FULL_9X9, 40, 2, 1, stop),
        lambda stop: moves_py.few(*FULL_9X9, 40, 28, 1, stop),
    ],
    ids=["beam", "rounds", "few"],
)
def test_pure_beams_hear_stop_between_two_positions(ask: Callable[[bytearray], Any]) -> None:
    """To rate the candidates of a wide beam takes seconds, so that it is not enough to listen level by level."""
    patient = Bell(float("inf"))
    *_, nodes = ask(patient)
    assert patient.looks > nodes
    for part in range(1, 20):
        bell = Bell(patient.looks * part // 20)
        assert ask(bell)[0] == -1
        assert bell.looks - bell.number <= 3


@pytest.mark.parametrize(
    "call", ["S.reference(*a[:4], 0, None)", "S.beam(*a, 2000000, 0, 1, None)", "L.count(*a, 64 << 30, None)"]
)
def test_ctrl_c(call: str, kernel: str, tmp_path: Path) -> None:
    program = f"""
from dnd.pegs import kernel as kernels
S, L = (kernels.load(name, {kernel!r}) for name in ("search", "levels"))
cells = (1 << 49) - 1
a = 7, 7, cells, cells ^ 1 << 24, 1
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""
    assert interrupted(program, tmp_path) == "interrupted\n"


# --- known boards ---------------------------------------------------------------------------------


def solves(search: Search, case: Case, size: int, score: int = 0) -> bool:
    """Whether a beam solves a board; its jumps are replayed."""
    verdict, jumps, _ = search.beam(*case, size, score, 1, None)
    witness = Witness(*case)
    end = witness.replay(jumps)
    assert end is not None
    return verdict == 1 and witness.is_end(end)


def test_beams_solve_full_boards(search: Search) -> None:
    centre = 1 << 24
    assert any(solves(search, (*ENGLISH[:4], centre), size) for size in (30, 300, 3000))
    assert any(solves(search, FULL_9X9, size) for size in (30, 300))


@needs_shared
def test_beams_solve_the_shared_boards(search: Search) -> None:
    boards = json.loads((SHARED / "pegs-boards.json").read_text())["boards"]
    solvable = {board["name"]: case_of(*board["rows"]) for board in boards}
    for name in ("wiegleb45", "french37", "asym39", "sq6", "rect4x6", "sq10s", "sq12", "sq15"):
        case = solvable[name]
        assert any(solves(search, case, size, score) for size in (30, 300, 3000) for score in (0, 1)), name


@needs_shared
def test_the_shared_unsolvable_tasks(search: Search, levels: Levels) -> None:
    """Refuted by exhaustion in two ways where that is short; the solvable ones among them are solved."""
    tasks = json.loads((SHARED / "pegs-unsolvable.json").read_text())["boards"]
    verdicts = Counter[int]()
    for task in tasks:
        case = case_of(*task["rows"], final=tuple(task["final"]))
        verdict, jumps, _ = search.search(*case, 50_000, None)
        verdicts[verdict] += 1
        if task["known"] == "solvable":
            assert verdict in (1, -1)
        else:
            assert verdict in (0, -1)
            assert levels.decide(*case, MEMORY, None)[0] == 0
        if verdict == 1:
            witness = Witness(*case)
            assert witness.is_end(witness.replay(jumps) or frozenset())
    assert verdicts[0] >= 8
    assert verdicts[1] >= 2


@needs_shared
def test_first_levels_of_the_english_board(levels: Levels) -> None:
    facts = {fact["id"]: fact["value"] for fact in json.loads((SHARED / "pegs-facts.json").read_text())["facts"]}
    said, complete = levels.positions(*ENGLISH[:4], 4 << 20, None)
    assert not complete
    assert len(said) > 6
    assert list(said) == facts["eng-levels"][: len(said)]


def test_rectangle_of_four_by_five(levels: Levels) -> None:
    """Each twin was once the only source of these numbers; that the winning levels are mirrored follows from the rules:
    complement and reverse."""
    case = case_of("ooooo", "oo.oo", "ooooo", "ooooo")
    sequences, sizes, complete = levels.count(*case, MEMORY, None)
    assert (sequences, sum(sizes), complete) == (692307772, 37133, True)
    winning, complete = levels.winning(*case[:4], 1 << 12, MEMORY, None)
    assert complete
    assert winning == winning[::-1] != ()


@needs_compiled
def test_rectangle_of_four_by_six() -> None:
    """Numbers that the pure twin takes seconds to count."""
    levels = kernels.load("levels", "c")
    case = case_of("oooooo", "o.oooo", "oooooo", "oooooo")
    sizes = (1, 2, 7, 31, 138, 507, 1680, 4920, 12532, 27184, 49389, 74047, 90673, 88965, 69349, 43091, 21316, 8330)
    assert levels.count(*case, MEMORY, None) == (5008195973752, (*sizes, 2645, 696, 126, 12, 2), True)
    assert levels.games(*case[:4], MEMORY, None) == (39187832804544, True)
    first = (1, 2, 5, 22, 91, 339, 1085, 3027, 6948, 12813, 18550)
    assert levels.winning(*case, MEMORY, None) == ((*first, 21017, *reversed(first)), True)
    assert levels.fewest(*case, MEMORY, None)[::2] == (1, 11)


def test_copies_of_a_larger_board(levels: Levels, search: Search) -> None:
    case = case_of("oo.oo", "o#ooo", "ooooo", "##oo.")
    numbers = {str(exact_answers(levels, moved(case, turn), MEMORY)) for turn in range(8)}
    assert len(numbers) == 1
    verdicts = {search.search(*moved(case, turn), 0, None)[0] for turn in range(8)}
    assert verdicts == {levels.decide(*case, MEMORY, None)[0]}
