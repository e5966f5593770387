"""The two reference kernels, compiled and pure, agree function by function.

They were written separately, so each is the other's witness: same public functions, same
parameters, same values (types included: True is not 1), on words that hypothesis draws.  Words
drawn blindly are nearly always rejected by the `test_*` functions, so half of the cases are the
course's problems and their solutions with a few bits and clues changed: there the answer is in the
balance.  One test per function and aspect: a fault in `monster` turns `test_twin[monster]` red.

`twins` is the pair (compiled module, pure module), from conftest.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from course import PROBLEMS, SOLUTIONS, Problem

Twins = tuple[ModuleType, ModuleType]
Case = tuple[object, ...]

FULL = 2**64 - 1
SQUARE = 0x0303
ROOM = 0x070707
UNKNOWN = -1

SETTINGS = settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


# --- what the functions are called with -----------------------------------------------------------

positions = st.integers(0, 63)
lines = st.integers(0, 7)
clues = st.integers(UNKNOWN, 8)
eight_clues = st.tuples(*[clues] * 8)

even_words = st.binary(min_size=8, max_size=8).map(lambda data: int.from_bytes(data, "little"))
sparse_words = st.builds(lambda a, b, c: a & b & c, even_words, even_words, even_words)
holed_words = st.builds(lambda hole, pos: FULL & ~(hole << pos), st.sampled_from([SQUARE, ROOM]), positions)
words = st.one_of(
    even_words,
    sparse_words,
    sparse_words.map(lambda word: FULL ^ word),
    holed_words,
    st.integers(0, FULL),
)

any_problem = st.tuples(words, words, eight_clues, eight_clues)


@st.composite
def near_course(draw: st.DrawFn) -> tuple[Problem, int]:
    """A course problem and its solution with up to three bits or clues changed."""
    name = draw(st.sampled_from(sorted(PROBLEMS)))
    monsters, treasures, rows, columns = PROBLEMS[name]
    boards = [monsters, treasures, SOLUTIONS[name]]
    sides = [list(rows), list(columns)]
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()):
            boards[draw(st.integers(0, 2))] ^= 1 << draw(positions)
        else:
            sides[draw(st.integers(0, 1))][draw(lines)] = draw(clues)
    return (boards[0], boards[1], tuple(sides[0]), tuple(sides[1])), boards[2]


@st.composite
def near_rooms(draw: st.DrawFn) -> tuple[Problem, int]:
    """Rooms with a treasure and about one opening in a solid board, at the edges too.

    Some corners are so far right that the square wraps around: no room, though its bits look so.
    """
    walls, treasures = FULL, 0
    for _ in range(draw(st.integers(1, 2))):
        corner = draw(st.integers(0, 45))
        walls &= ~(ROOM << corner)
        treasures |= 1 << (corner + 8 * draw(st.integers(0, 2)) + draw(st.integers(0, 2)))
        for _ in range(draw(st.sampled_from([1, 1, 1, 0, 2]))):
            side, step = draw(st.sampled_from([-1, 3])), draw(st.integers(0, 2))
            opening = corner + (8 * side + step if draw(st.booleans()) else 8 * step + side)
            if 0 <= opening <= 63:
                walls &= ~(1 << opening)
    return (0, treasures, (UNKNOWN,) * 8, (UNKNOWN,) * 8), walls


situations = st.one_of(near_course(), st.tuples(any_problem, words))
lone_problems = situations.map(lambda situation: situation[:1])
filled_situations = st.one_of(
    near_rooms(),
    near_rooms(),
    near_course().map(lambda s: (s[0], s[1] | s[0][0])),
    situations,
)


def rows_before(word: int, row: int) -> int:
    """The part of a word in the rows before `row`, which is all that a search starts with."""
    return word & ((1 << 8 * row) - 1)


@st.composite
def closed_searches(draw: st.DrawFn) -> Case:
    """The end of a search that knows its clues, but for the last row's: a few thousand calls."""
    (monsters, treasures, rows, columns), walls = draw(st.one_of(near_course(), situations))
    row = draw(st.integers(5, 8))
    known_rows = tuple(max(clue, 0) for clue in rows[:7])
    known_columns = tuple(max(clue, 0) for clue in columns)
    problem = (monsters, treasures, known_rows + rows[7:], known_columns)
    return problem, row, rows_before(walls, row)


@st.composite
def open_searches(draw: st.DrawFn) -> Case:
    """The last two rows with most clues unknown: many solutions in a few thousand calls."""
    name = draw(st.sampled_from(sorted(PROBLEMS)))
    monsters, treasures, rows, columns = PROBLEMS[name]
    problem = (monsters, treasures, (*rows[:7], UNKNOWN), (*columns[:2], *[UNKNOWN] * 6))
    return problem, 6, rows_before(SOLUTIONS[name], 6)


searches = st.builds(
    lambda start, limit, use_loop: (*start, limit, use_loop),
    st.one_of(closed_searches(), open_searches()),
    st.integers(0, 2),
    st.booleans(),
)


CASES: dict[str, st.SearchStrategy[Case]] = {
    "mask_column": st.just(()),
    "map_to_board": st.tuples(st.tuples(*[st.booleans()] * 64)),
    "board_to_map": st.tuples(words),
    "popcount_slow": st.tuples(words),
    "popcount_byte": st.just(()),
    "popcount": st.tuples(words),
    "popcount_builtin": st.tuples(words),
    "bit": st.just(()),
    "neighbours": st.just(()),
    "count_non_wall": situations,
    "empty": situations,
    "treasure": lone_problems,
    "monster": lone_problems,
    "test_columns_overload": situations,
    "test_columns_underload": situations,
    "test_no_deadend_upto_row": situations,
    "test_trapped_monster": situations,
    "test_deadends": situations,
    "test_treasure_rooms": filled_situations,
    "test_empty_squares": situations,
    "moves_loop": lone_problems,
    "moves_table": lone_problems,
    "print_board": situations,
    "solve": searches,
}

# The last argument, where it is a cell, a row or a column, is not drawn: every value gets its turn.
LAST_ARGUMENTS: dict[str, range] = {
    "mask_column": range(8),
    "popcount_byte": range(256),
    "bit": range(64),
    "neighbours": range(64),
    "count_non_wall": range(64),
    "empty": range(64),
    "treasure": range(64),
    "monster": range(64),
    "test_no_deadend_upto_row": range(9),
    "moves_loop": range(8),
    "moves_table": range(8),
}

# A solid board with one hole, in every place: chance alone would leave some place out.
FIXED_CASES: dict[str, list[Case]] = {
    "test_empty_squares": [(PROBLEMS["p1"], FULL & ~(SQUARE << pos)) for pos in range(64)]
}


def completed(name: str, case: Case) -> list[Case]:
    """The calls to compare when `case` was drawn for the function `name`."""
    if name in LAST_ARGUMENTS:
        return [(*case, last) for last in LAST_ARGUMENTS[name]]
    return [case, *FIXED_CASES.get(name, [])]


PREDICATES = [name for name in CASES if name.startswith("test_")]


# --- the comparisons ------------------------------------------------------------------------------


def public_functions(module: ModuleType) -> set[str]:
    """The functions that a module defines itself, as seen from outside."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and inspect.isroutine(value)
        and getattr(value, "__module__", None) == module.__name__
    }


def parameters(module: ModuleType, name: str) -> list[tuple[str, object, object]]:
    """What a caller must know of a function: annotations are the pure twin's own affair."""
    signature = inspect.signature(getattr(module, name))
    return [(each.name, each.kind, each.default) for each in signature.parameters.values()]


def test_public_functions(twins: Twins) -> None:
    compiled, pure = twins
    assert public_functions(compiled) == set(CASES)
    assert public_functions(pure) == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_signature(name: str, twins: Twins) -> None:
    compiled, pure = twins
    assert parameters(compiled, name) == parameters(pure, name)


@pytest.mark.parametrize("name", CASES)
@SETTINGS
@given(data=st.data())
def test_twin(name: str, twins: Twins, data: st.DataObject) -> None:
    compiled, pure = twins
    for case in completed(name, data.draw(CASES[name], label=name)):
        # repr tells True from 1 and a tuple from a list.
        assert repr(getattr(compiled, name)(*case)) == repr(getattr(pure, name)(*case))


# --- the cases above reach what matters -----------------------------------------------------------


def reach(name: str, condition: Callable[[Case], bool]) -> None:
    """Fail unless some case of the function `name` meets the condition."""
    generate_only = settings(SETTINGS, max_examples=2000, phases=[Phase.generate])
    find(CASES[name], condition, settings=generate_only)


@pytest.mark.parametrize("answer", [True, False])
@pytest.mark.parametrize("name", PREDICATES)
def test_cases_reach_both_answers(name: str, answer: bool, twins: Twins) -> None:
    _, pure = twins

    def answers(case: Case) -> bool:
        results = [getattr(pure, name)(*each) for each in completed(name, case)]
        return any((r[0] if isinstance(r, tuple) else r) is answer for r in results)

    reach(name, answers)


@pytest.mark.parametrize("use_loop", [True, False])
@pytest.mark.parametrize("limit", [0, 1, 2])
def test_cases_reach_searches_with_more_solutions_than_the_limit(limit: int, use_loop: bool, twins: Twins) -> None:
    _, pure = twins

    def overflows(case: Case) -> bool:
        problem, row, walls, *options = case
        if options != [limit, use_loop]:
            return False
        solutions, _ = pure.solve(problem, row, walls, 0, use_loop)
        return len(solutions) > limit

    reach("solve", overflows)
