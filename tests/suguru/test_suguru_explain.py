"""The explanations of Suguru: every step follows from what it cites alone, and agrees with the solutions."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

import technique_coverage_suguru as coverage_suguru
from conftest import SHARED, needs_shared
from dnd.diagnostic import InputError
from dnd.suguru import solver
from dnd.suguru.explainer import (
    COSTS,
    HORIZON,
    IMPOSSIBLE,
    LEVELS,
    SEARCH,
    SOLVED,
    TECHNIQUES,
    WRONG,
    Explanation,
    Facts,
    Step,
    explain,
    hint,
    hints,
    rate,
)
from dnd.suguru.puzzle import HOLE, Board, Puzzle
from suguru_replay import agrees, follows, unfounded, unsound

SIGNS = ".123456789"


def puzzle_of(line: str) -> Puzzle:
    """A puzzle in the one-line form, with values to 9 and `_` for holes."""
    shape, letters, signs = line.split(":")
    width = int(shape.partition("x")[0])
    givens = [max(0, SIGNS.find(sign)) for sign in signs]
    starts = range(0, len(letters), width)
    cages = [letters[start : start + width].replace("_", "#") for start in starts]
    return Puzzle.of(cages, [givens[start : start + width] for start in starts])


# Minimal puzzles of our own.
PUZZLES = {
    "singles": "5x5:AAAABAACBBDDCBBDCCCBDDCCE:.4.14653....4.2...6532...",
    "neighbour": "5x5:ABBCCDDBCCDDEFCDGEEEGGEEH:......4.54.1.....5.3.....",
    "naked pair": "6x6:AABBCCAABBCCADDECFGHDDCFHHDDFFHHHIII:1..........52....3..6..........24..1",
    "hidden pair": "6x6:AAAABBAACCDDECCCFDEEEGFDEHEHFDHHHHFF:.253.......3.4.....1...2.25.....6...",
    "outside": "5x5:AABBBCAAADCEEDDCEEFFEEFFF:........5....3...15..5.2.",
    "what if": "5x5:AAAAABBCCABBCCABDCCDBDDDD:.362.2...5.....32..11.4.3",
    "few neighbours": "5x5:AAABBAABBBCCCCDEEECFEEGFF:.4.....2....5..54........",
    "more neighbours": "5x5:AAABCAABBBDEEEEDDFEGDDGGG:.2...15........3.....4.2.",
}
# Its rating takes many trials, most of which lead nowhere (from the shared hard ones).
TRYING = "8x8:AABBCDEEAFBGCCEEFFBGGCCHIFBJGHHHIFJJJJKHILLLMKKKINLLMMOKNNNMMOOO:" + (
    "...............32.............2...2............................."
)
# Built around techniques that small cages have no room for; with several solutions.
POSITIONS = {
    "naked triple": "8x3:AAAAAAAABBBBBBBBCCCCCCCC:756..283....8...4657....",
    "hidden triple": "7x9:_AAAA____AAA_BCCDDDBBC_EEDBBC_E_DBBC_E_D__C_E_D__C___D______D__:"
    "_....____657_..7...6.._...5.._._87.._._9__._._.__.___.______.__",
}
# One that no technique finishes (from the shared hard ones).
BEYOND = "8x8:AABBCDDEAABBDDEEFGGBHHHEFGGIHHJEFKGIIIJJFKKKILJJMMNNLLLOMMNNLOOO:" + (
    ".......3......4.................................3..............."
)


@pytest.fixture(params=PUZZLES)
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    return puzzle_of(PUZZLES[request.param])


def solution_of(puzzle: Puzzle) -> tuple[int, ...]:
    found = solver.solve(puzzle, 2)
    assert found.unique
    values: tuple[int, ...] = found.solutions[0].values
    return values


def all_steps(told: Explanation) -> Iterator[Step]:
    for step in told.steps:
        yield step
        yield from step.chain


def first_of(technique: str) -> Step:
    """The first step of a technique in our puzzles."""
    paths = (explain(puzzle_of(line)) for line in (PUZZLES | POSITIONS).values())
    return next(step for told in paths for step in told.steps if step.technique == technique)


def test_solved_and_sound(puzzle: Puzzle) -> None:
    told = explain(puzzle)
    assert list(unsound(told, solution_of(puzzle))) == []
    assert told.solved
    assert told.board.values == solution_of(puzzle)
    assert not told.impossible


@pytest.mark.parametrize("name", POSITIONS)
def test_positions(name: str) -> None:
    puzzle = puzzle_of(POSITIONS[name])
    told, found = explain(puzzle), solver.solve(puzzle, 50)
    assert name.replace(" ", "-") in told.techniques
    assert list(unsound(told, None)) == []
    assert found.count == 50
    assert all(agrees(step, solution.values, puzzle.width) for step in told.steps for solution in found.solutions)


def test_each_placement_is_made_once(puzzle: Puzzle) -> None:
    placed = [cell for step in explain(puzzle).steps for cell, _ in step.placed]
    empty = [divmod(cell, puzzle.width) for cell, given in enumerate(puzzle.givens) if not given]
    assert sorted(placed) == empty


def test_no_step_is_idle(puzzle: Puzzle) -> None:
    steps = explain(puzzle).steps
    for number, step in enumerate(steps):
        cited = {mark for later in steps[number + 1 :] for mark in later.facts.removed}
        assert step.placed or cited & set(step.removed), step


def test_easier_techniques_come_first(puzzle: Puzzle) -> None:
    """Where the values alone determine a cell, whatever was removed before, the step is a naked single."""
    values, met = list(puzzle.givens), 0
    for step in explain(puzzle).steps:
        first = explain(puzzle, Board(puzzle.height, puzzle.width, tuple(values))).steps[0]
        if first.technique == "naked-single":
            met += 1
            assert step.technique == "naked-single"
        for (row, column), value in step.placed:
            values[row * puzzle.width + column] = value
    assert met


# What the replay is worth: it must refuse steps that are not so, or that cite too little.


def test_replay_needs_the_facts(puzzle: Puzzle) -> None:
    for step in all_steps(explain(puzzle)):
        if step.facts.values or step.facts.removed:
            bare = replace(step, facts=step.facts._replace(values=(), removed=()), chain=())
            assert not follows(puzzle, bare), step


def test_replay_needs_the_cages(puzzle: Puzzle) -> None:
    for step in all_steps(explain(puzzle)):
        if step.facts.cages:
            assert not follows(puzzle, replace(step, facts=step.facts._replace(cages=()), chain=())), step


def test_replay_refuses_other_conclusions(puzzle: Puzzle) -> None:
    solution = solution_of(puzzle)
    for step in explain(puzzle).steps:
        for cell, value in step.placed:
            for other in {value - 1, value + 1} - {0}:
                false = replace(step, placed=((cell, other),))
                assert not follows(puzzle, false)
                assert not agrees(false, solution, puzzle.width)
        for cell, _ in step.removed:
            false = replace(step, removed=((cell, solution[cell[0] * puzzle.width + cell[1]]),))
            assert not follows(puzzle, false)
            assert not agrees(false, solution, puzzle.width)


def test_replay_refuses_a_false_chain() -> None:
    step = first_of("contradiction")
    broken = replace(step.chain[-1], facts=Facts())
    assert not follows(puzzle_of(PUZZLES["what if"]), replace(step, chain=(*step.chain[:-1], broken)))


def test_unfounded_facts_are_seen(puzzle: Puzzle) -> None:
    told = explain(puzzle)
    assert list(unfounded(Explanation(told.puzzle, told.known, told.steps[1:], told.board, told.solved)))


# Sentences.

SENTENCES = {
    "naked-single": "r1c3 must be 2: its cage has 1, 4, 5 and 6, it touches the 3 at r2c3",
    "hidden-single": "in the cage of r1c2 only r1c3 can be 1: the 1 at r1c1 touches r1c2, the 1 at r3c2 touches r2c3",
    "forbidden-neighbour": "the cage of r2c1 has its 3 at r3c1 or r4c1, each of which touches r4c2: no 3 there",
    "naked-pair": "r2c5 and r3c5 have only 2 and 4 between them, so no other cell of their cage has one of these",
    "hidden-pair": "1 and 2 of the cage of r3c5 fit only into r6c5 and r6c6, which therefore have no other value",
    "naked-triple": "r2c1, r2c2 and r2c4 have only 1, 2 and 3 between them, "
    "so no other cell of their cage has one of these",
    "hidden-triple": "5, 6 and 7 of the cage of r3c3 fit only into r7c5, r8c5 and r9c5, "
    "which therefore have no other value",
    "outside-pair": "r1c3 and r2c3 touch each other and have only 1 and 2 between them; "
    "each touches r1c4 and r2c2 or is in one cage with it, so these values are not there",
    "outside-triple": "r1c3, r2c2 and r2c3 touch each other and have only 1, 2 and 4 between them; "
    "each touches r1c2 or is in one cage with it, so these values are not there",
    "forbidden-triple": "3 at r1c3 would keep it out of r1c4 and r1c5: "
    "r1c4, r1c5 and r2c5, which touch each other, would have 1 and 2 for three cells",
    "contradiction": "what if r3c1 were 4? Then r3c2 is 6, r2c2 is 5, r4c4 is 5, r3c4 is 2 and "
    "no cell of the cage of r2c3 can be 6: r3c4 and r4c4 have other values, "
    "the 6 at r1c3 touches r2c3 and r2c4, the 6 at r3c2 touches r3c3 and r4c3",
}


@pytest.mark.parametrize("technique", TECHNIQUES)
def test_sentence(technique: str) -> None:
    assert first_of(technique).sentence == SENTENCES[technique]


def test_sentences_name_the_conclusion(puzzle: Puzzle) -> None:
    for step in explain(puzzle).steps:
        for (row, column), value in step.placed + step.removed:
            assert f"r{row + 1}c{column + 1}" in step.sentence or step.technique.startswith(("naked-p", "naked-t"))
            assert str(value) in step.sentence or step.technique.startswith("hidden-")


def test_json(puzzle: Puzzle) -> None:
    for step in explain(puzzle).steps:
        plain = json.loads(json.dumps(step.as_json()))
        assert plain["technique"] == step.technique
        assert [((row, column), value) for row, column, value in plain["placed"]] == list(step.placed)
        assert [((row, column), value) for row, column, value in plain["facts"]["values"]] == list(step.facts.values)
        assert len(plain["chain"]) == len(step.chain)


# Random grids: with one solution, several, none; with holes; with givens that contradict.


def random_puzzle(rng: random.Random) -> Puzzle:
    height, width = rng.randint(1, 5), rng.randint(1, 5)
    labels = [[rng.choice("ABC#" if rng.random() < 0.5 else "AB") for _ in range(width)] for _ in range(height)]
    if all(label == "#" for row in labels for label in row):
        labels[0][0] = "A"
    bare = Puzzle.of(labels)
    share = rng.random() * 0.5
    solved = solver.solve(bare, 1).solutions
    values = solved[0].values if solved and rng.random() < 0.7 else None
    givens = [
        0
        if cage == HOLE or rng.random() > share
        else values[cell]
        if values
        else rng.randint(1, bare.size_at(cell) + 1)
        for cell, cage in enumerate(bare.cages)
    ]
    return replace(bare, givens=tuple(givens))


@pytest.mark.parametrize("seed", range(4))
def test_random_grids(seed: int) -> None:
    rng, kinds = random.Random(seed), set()
    for _ in range(150):
        puzzle = random_puzzle(rng)
        told, found = explain(puzzle), solver.solve(puzzle, 200)
        kinds.add((min(found.count, 2), told.solved, told.impossible))
        assert list(unsound(told, None)) == []
        assert all(agrees(step, solution.values, puzzle.width) for step in told.steps for solution in found.solutions)
        if told.solved:
            assert found.unique
            assert found.solutions[0].values == told.board.values
        if told.impossible:
            assert not found.count
    assert {(0, False, True), (1, True, False), (2, False, False)} <= kinds


def test_large_cages_and_lone_cells() -> None:
    line = Puzzle(1, 32, (0,) * 32, (*range(1, 32), 0))
    assert explain(line).board.values == tuple(range(1, 33))
    lone = explain(Puzzle.of(["A"]))
    assert (lone.solved, lone.steps[0].sentence) == (True, "r1c1 must be 1: its cage is this one cell")
    assert not explain(Puzzle(1, 32, (0,) * 32, (0,) * 32)).solved


def test_holes_keep_cells_apart() -> None:
    told = explain(puzzle_of("3x1:A_B:..."))
    assert told.solved
    assert told.board.values == (1, 0, 1)
    assert explain(puzzle_of("2x1:AB:..")).impossible


# From a player's board.


def test_from_a_board(puzzle: Puzzle) -> None:
    solution = solution_of(puzzle)
    half = tuple([value if cell % 2 else 0 for cell, value in enumerate(solution)])
    told = explain(puzzle, half)
    assert told.board.values == solution
    known = {(divmod(cell, puzzle.width), value) for cell, value in enumerate(half) if value}
    assert set(unfounded(told)) <= known
    assert all(follows(puzzle, step) for step in told.steps)


def test_a_complete_board_needs_no_steps(puzzle: Puzzle) -> None:
    told = explain(puzzle, solution_of(puzzle))
    assert (told.solved, told.steps) == (True, ())


def test_a_wrong_board_is_impossible(puzzle: Puzzle) -> None:
    solution = list(solution_of(puzzle))
    cell = next(cell for cell, given in enumerate(puzzle.givens) if not given and puzzle.size_at(cell) > 1)
    solution[cell] = solution[cell] % puzzle.size_at(cell) + 1
    told = explain(puzzle, tuple(solution))
    assert told.impossible
    assert not told.solved
    assert follows(puzzle, told.steps[-1])


def test_boards_that_do_not_fit(puzzle: Puzzle) -> None:
    other = Board(1, 1, (0,))
    for call in (explain, hint):
        with pytest.raises(InputError):
            call(puzzle, other)
    with pytest.raises(InputError):
        explain(puzzle_of("3x1:A_B:..."), (1, 1, 1))


# Hints.

REASONS = [
    ("......5..................", "r2c2 cannot be 5: 4 is given there"),
    ("2........................", "r1c1 cannot be 2: its cage has only 1 cell"),
    ("...4.....................", "r1c4 cannot be 4: it touches the 4 at r2c5"),
    ("............3............", "r3c3 cannot be 3: it is in one cage with the 3 at r4c5"),
    (
        "1.2......................",
        "r1c3 cannot be 2: in the cage of r1c2 only r1c3 can be 1: "
        "the 1 at r1c1 touches r1c2, the 1 at r3c2 touches r2c3",
    ),
    (
        "..2......................",
        "r1c3 cannot be 2: a step on, in the cage of r1c2 only r1c3 can be 1: "
        "the 1 at r1c1 touches r1c2, the 1 at r3c2 touches r2c3",
    ),
    ("....2....................", "r1c5 cannot be 2: 5 steps on, r1c5 must be 1: its cage has 2, 3, 4 and 5"),
]


def test_hints_lead_to_the_solution(puzzle: Puzzle) -> None:
    steps = list(hints(puzzle))
    assert steps[:-1] == list(explain(puzzle).steps)
    assert steps[-1].technique == SOLVED
    assert hint(puzzle) == steps[0]


def test_hint_on_a_solved_board(puzzle: Puzzle) -> None:
    assert hint(puzzle, solution_of(puzzle)).technique == SOLVED


def test_hint_where_techniques_end() -> None:
    puzzle = puzzle_of(BEYOND)
    solution = solution_of(puzzle)
    steps = list(hints(puzzle))
    assert SEARCH in {step.technique for step in steps}
    assert steps[-1].technique == SOLVED
    assert all(agrees(step, solution, puzzle.width) for step in steps)


def test_hint_for_a_wrong_cell(puzzle: Puzzle) -> None:
    """Any single wrong value, on an empty board and on one that is otherwise right, is named, and the reason holds."""
    solution = solution_of(puzzle)
    for around in ((0,) * len(solution), solution):
        for cell, true in enumerate(solution):
            for value in {1, puzzle.size_at(cell), puzzle.size_at(cell) + 1} - {true}:
                board = (*around[:cell], value, *around[cell + 1 :])
                step = hint(puzzle, board)
                mark = divmod(cell, puzzle.width), value
                assert (step.technique, step.placed, step.removed) == (WRONG, (), (mark,))
                assert follows(puzzle, step)
                assert step.sentence.startswith(f"r{mark[0][0] + 1}c{mark[0][1] + 1} cannot be {value}: ")


@pytest.mark.parametrize(("board", "sentence"), REASONS)
def test_reasons_for_wrong_cells(board: str, sentence: str) -> None:
    puzzle = puzzle_of(PUZZLES["neighbour"])
    assert hint(puzzle, [max(0, SIGNS.find(sign)) for sign in board]).sentence == sentence


def test_hint_for_several_solutions() -> None:
    puzzle = puzzle_of("4x1:AABB:....")
    steps = list(hints(puzzle))
    assert [step.technique for step in steps] == [HORIZON]
    started = list(hints(puzzle, (1, 0, 0, 0)))
    assert [step.placed for step in started[:-1]] == [(((0, 1), 2),), (((0, 2), 1),), (((0, 3), 2),)]
    assert all("several solutions" in step.sentence for step in started)
    assert started[-1].technique == SOLVED


def test_wrong_cell_where_there_are_several_solutions() -> None:
    puzzle = puzzle_of("4x1:AABB:....")
    step = hint(puzzle, (1, 0, 2, 0))
    assert (step.technique, step.removed) == (WRONG, (((0, 2), 2),))
    assert follows(puzzle, step)


def test_hint_for_no_solution() -> None:
    step = hint(puzzle_of("2x1:AB:.."))
    assert (step.technique, step.sentence) == (IMPOSSIBLE, "no value is left for r1c2: it touches the 1 at r1c1")


def test_many_trials() -> None:
    puzzle = puzzle_of(TRYING)
    told = explain(puzzle)
    assert told.solved
    assert told.techniques["contradiction"] > 5
    assert list(unsound(told, solution_of(puzzle))) == []


# Ratings.


def test_rating_is_that_of_symmetric_copies(puzzle: Puzzle) -> None:
    ratings = [rate(copy) for copy in puzzle.symmetries()]
    assert ratings == [ratings[0]] * 8


RATINGS = {
    "singles": (13, "easy", "naked-single"),
    "few neighbours": (31, "medium", "forbidden-neighbour"),
    "more neighbours": (29, "hard", "forbidden-neighbour"),
    "neighbour": (26, "medium", "forbidden-neighbour"),
    "naked pair": (61, "hard", "naked-pair"),
    "hidden pair": (50, "hard", "hidden-pair"),
    "outside": (67, "hard", "forbidden-triple"),
    "what if": (82, "expert", "contradiction"),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_rating(name: str) -> None:
    rating = rate(puzzle_of(PUZZLES[name]))
    assert (rating.number, rating.level, rating.hardest) == RATINGS[name]
    assert list(rating.counts) == sorted(rating.counts, key=TECHNIQUES.index)


def test_rating_beyond_logic() -> None:
    rating = rate(puzzle_of(BEYOND))
    assert rating.level == LEVELS[-1]
    assert rating.number > 100 * rating.counts.get("naked-single", 0)
    assert rate(puzzle_of("2x1:AB:..")).level == rate(puzzle_of("2x1:AA:..")).level == LEVELS[-1]


def test_rating_of_a_filled_grid() -> None:
    assert rate(puzzle_of("2x1:AA:12")) == (0, "easy", "", {})


def test_costs_rise_with_the_techniques_of_a_kind() -> None:
    assert list(COSTS) == list(TECHNIQUES)
    assert min(COSTS, key=COSTS.__getitem__) == "naked-single"
    assert max(COSTS, key=COSTS.__getitem__) == "contradiction"


# The tool, and the shared puzzles.


def written(path: Path, lines: list[str]) -> Path:
    """A file in the shared form."""
    records = []
    for number, line in enumerate(lines):
        puzzle = puzzle_of(line)

        def rows(values: tuple[int, ...], width: int = puzzle.width) -> list[list[int]]:
            return [list(values[start : start + width]) for start in range(0, len(values), width)]

        grids = {"cages": rows(puzzle.cages), "givens": rows(puzzle.givens), "solution": rows(solution_of(puzzle))}
        shape = {"height": puzzle.height, "width": puzzle.width}
        records.append({"source": "ours", "id": str(number), "n_solutions": "1", **shape, **grids})
    path.write_bytes(gzip.compress(json.dumps({"puzzles": records}).encode()))
    return path


def test_coverage_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "ours.json.gz", [*PUZZLES.values(), BEYOND])
    assert coverage_suguru.main([str(path)]) == 0
    printed = capsys.readouterr().out
    assert f"ours.json.gz: {len(PUZZLES)} of {len(PUZZLES) + 1} unique puzzles solved" in printed
    assert ", 0 unsound" in printed
    assert f"unsolved: ours {len(PUZZLES)}\n" in printed


def test_coverage_tool_fails_for_unsound_steps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "ours.json.gz", [PUZZLES["singles"]])
    monkeypatch.setattr(coverage_suguru, "unsound", lambda told, solution: iter(["a lie"]))
    assert coverage_suguru.main([str(path)]) == 1
    assert "UNSOUND ours 0: a lie" in capsys.readouterr().out


@needs_shared
def test_shared_public_puzzles() -> None:
    """All unique ones are solved, and every step is sound."""
    number = 0
    for name, puzzle, solution in coverage_suguru.unique_puzzles(SHARED / "suguru-public.json.gz"):
        told = explain(puzzle)
        assert told.board.values == solution, name
        assert list(unsound(told, solution)) == [], name
        number += 1
    assert number == 791


@needs_shared
def test_shared_hard_puzzles() -> None:
    """Steps are sound, chains and all. (The larger ones: tools/technique_coverage_suguru.py.)"""
    small = (
        record for record in coverage_suguru.unique_puzzles(SHARED / "suguru-hard.json.gz") if record[1].height <= 10
    )
    solved = 0
    for name, puzzle, solution in islice(small, 13):
        told = explain(puzzle)
        assert list(unsound(told, solution)) == [], name
        solved += told.solved
    assert solved == 7
