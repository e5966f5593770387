"""`dnd.course`, the course's functions at their own door: answers as the kernels', bad arguments refused in words.

What the functions answer is tested in test_reference_facts.py and test_reference_twins.py.
"""

from __future__ import annotations

import doctest
import inspect
import re
from types import SimpleNamespace
from typing import Any, get_type_hints

import numpy
import pytest

import dnd
from conftest import ROOT, kernel_module, needs_compiled
from course import CALLS, PROBLEMS, SOLUTIONS
from dnd import course
from dnd.dungeon import course_checks, testing
from dnd.reading import entries

P1 = course.Problem(*PROBLEMS["p1"])
B1 = SOLUTIONS["p1"]
WORD = 0xFFFF_FFFF_FFFF_FFFF

# Good arguments of each function of the kernels.
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "map_to_board": ([pos % 3 == 0 for pos in range(64)],),
    "board_to_map": (B1,),
    "popcount_slow": (B1,),
    "popcount_byte": (173,),
    "popcount": (B1,),
    "popcount_builtin": (B1,),
    "bit": (63,),
    "mask_column": (7,),
    "empty": (P1, B1, 8),
    "treasure": (P1, 17),
    "monster": (P1, 5),
    "neighbours": (9,),
    "count_non_wall": (P1, B1, 8),
    "test_columns_overload": (P1, B1),
    "test_columns_underload": (P1, 0),
    "test_deadends": (P1, B1 ^ 1),
    "test_no_deadend_upto_row": (P1, B1, 8),
    "test_trapped_monster": (P1, B1),
    "test_empty_squares": (P1, B1),
    "test_treasure_rooms": (P1, B1 | P1.monsters),
    "moves_loop": (P1, 7),
    "moves_table": (P1, 7),
    "print_board": (P1, B1),
    "solve": (P1, 0, 0),
}
# What the course does not have, or the kernels do not.
OURS = {"problem", "main", "answer"}


def functions() -> dict[str, Any]:
    return {
        name: value
        for name, value in vars(course).items()
        if inspect.isfunction(value) and value.__module__ == course.__name__ and not name.startswith("_")
    }


def kernel_arguments(name: str) -> tuple[Any, ...]:
    """`solve` has two more at the kernel's door."""
    return (*ARGUMENTS[name], 0, False) if name == "solve" else ARGUMENTS[name]


# ---------------------------------------------------------------- the door


def test_every_function_of_the_kernels_is_there() -> None:
    kernel = kernel_module("reference", "py")
    public = {name for name, value in vars(kernel).items() if inspect.isfunction(value) and name[0] != "_"}
    assert functions().keys() - OURS == public == ARGUMENTS.keys()


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_function_answers_as_its_kernel(name: str, kernel: str) -> None:
    expected = getattr(kernel_module("reference", kernel), name)(*kernel_arguments(name))
    found = getattr(course, name)(*ARGUMENTS[name], kernel=kernel)
    assert found == expected
    assert type(found) is type(expected) or isinstance(found, course.Rooms | course.Found)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_the_twin_that_is_asked_for_runs(name: str, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the argument `kernel`; without it the default choice."""
    asked = []

    def load(family: str, wanted: str | None = None) -> object:
        asked.append((family, wanted))
        return kernel_module("reference", wanted or "py")

    monkeypatch.setattr(course, "load", load)
    getattr(course, name)(*ARGUMENTS[name], kernel=kernel)
    getattr(course, name)(*ARGUMENTS[name])
    assert asked == [("reference", kernel), ("reference", None)]


@pytest.mark.parametrize("name", functions())
def test_a_function_is_typed_and_documented(name: str) -> None:
    function = functions()[name]
    assert get_type_hints(function).keys() == {*inspect.signature(function).parameters, "return"}
    assert name in OURS or re.search(r"[Qq]uestion|The whole", function.__doc__)


def test_examples_of_the_docstrings() -> None:
    result = doctest.testmod(course)
    assert result.failed == 0
    assert result.attempted > len(ARGUMENTS)


def test_the_package_has_it() -> None:
    assert dnd.course is course
    assert dnd.course.popcount_byte(173) == 5


def test_tables() -> None:
    assert course.enum_popcount_byte[173] == 5
    assert course.enum_byte[course.enum_byte_idx[8]] == 255


def test_a_problem_of_a_puzzle(root: Any) -> None:
    (puzzle,) = dnd.load(root / "fixtures" / "p1.toml")
    assert course.problem(puzzle) == P1
    assert course.problem(dnd.Puzzle((1,), (1,), 0, 0)).columns == (8,) * 8
    with pytest.raises(ValueError, match="boards up to 8x8, not 1x9"):
        course.problem(dnd.Puzzle((0,), (0,) * 9, 0, 0))
    with pytest.raises(TypeError, match=re.escape("a problem is made of a dnd.Puzzle, not of a tuple of 4")):
        course.problem(P1)  # type: ignore[arg-type]


def test_what_a_problem_leaves_out_is_0_as_in_c() -> None:
    assert course.Problem(rows=[8] * 8) == (0, 0, [8] * 8, (0,) * 8)


def test_whole_numbers_of_numpy_will_do() -> None:
    clues: Any = numpy.array(PROBLEMS["p1"][2], numpy.int8)
    p = course.Problem(numpy.uint64(P1.monsters), P1.treasures, clues, P1.columns)
    assert course.solve(p).solutions == (B1,)


def test_a_rejected_room_is_true_as_in_the_course(kernel: str) -> None:
    assert course.test_treasure_rooms(P1, WORD, kernel=kernel)
    assert not course.test_treasure_rooms(P1, B1 | P1.monsters, kernel=kernel)
    assert course.test_treasure_rooms(P1, B1 | P1.monsters, kernel=kernel).board == B1 | P1.monsters | 0x07070700


@pytest.mark.parametrize("use_loop", [False, True])
def test_solve(use_loop: bool, kernel: str) -> None:
    assert course.solve(P1, use_loop=use_loop, kernel=kernel) == ((B1,), CALLS["p1"])
    open_end = course.Problem(P1.monsters, P1.treasures, (*P1.rows[:7], -1), (-1,) * 8)
    start = B1 & (1 << 48) - 1
    every = course.solve(open_end, 6, start, kernel=kernel).solutions
    assert len(every) > 1
    assert course.solve(open_end, 6, start, limit=1, use_loop=use_loop, kernel=kernel).solutions == every[:1]


# ---------------------------------------------------------------- bad arguments

NO_NUMBERS = [(True, "bool"), (1.0, "float"), (None, "None"), ("1", "str"), (numpy.float64(1), "float64")]
# (function, which argument, its name, the largest value)
NUMBERS = [
    ("board_to_map", 0, "b", WORD),
    ("popcount_slow", 0, "v", WORD),
    ("popcount_byte", 0, "x", 255),
    ("popcount", 0, "v", WORD),
    ("popcount_builtin", 0, "v", WORD),
    ("bit", 0, "pos", 63),
    ("mask_column", 0, "i", 7),
    ("empty", 1, "b", WORD),
    ("empty", 2, "pos", 63),
    ("treasure", 1, "pos", 63),
    ("monster", 1, "pos", 63),
    ("neighbours", 0, "pos", 63),
    ("count_non_wall", 1, "b", WORD),
    ("count_non_wall", 2, "pos", 63),
    ("test_columns_overload", 1, "b", WORD),
    ("test_columns_underload", 1, "b", WORD),
    ("test_deadends", 1, "b", WORD),
    ("test_no_deadend_upto_row", 1, "b", WORD),
    ("test_no_deadend_upto_row", 2, "row", 8),
    ("test_trapped_monster", 1, "b", WORD),
    ("test_empty_squares", 1, "b", WORD),
    ("test_treasure_rooms", 1, "b", WORD),
    ("moves_loop", 1, "row", 7),
    ("moves_table", 1, "row", 7),
    ("print_board", 1, "b", WORD),
    ("solve", 1, "row", 8),
    ("solve", 2, "b", WORD),
]


def call(name: str, place: int, value: object, **options: object) -> object:
    arguments = list(ARGUMENTS[name])
    arguments[place] = value
    return getattr(course, name)(*arguments, **options)


def test_all_numbers_are_tried() -> None:
    """Each parameter that is a number has its line in the table above."""
    named = {
        (name, parameter)
        for name, function in functions().items()
        for parameter, hint in get_type_hints(function).items()
        if hint is int and parameter != "return" and name not in OURS
    }
    assert {(name, parameter) for name, _, parameter, _ in NUMBERS} == named


@pytest.mark.parametrize(("name", "place", "parameter", "largest"), NUMBERS)
def test_no_whole_number(name: str, place: int, parameter: str, largest: int) -> None:
    for value, kind in NO_NUMBERS:
        with pytest.raises(TypeError, match=f"^{parameter} must be a whole number, not .*{kind}"):
            call(name, place, value)


@pytest.mark.parametrize(("name", "place", "parameter", "largest"), NUMBERS)
def test_out_of_range(name: str, place: int, parameter: str, largest: int) -> None:
    for value in (-1, largest + 1):
        with pytest.raises(ValueError, match=f"^{parameter} must be 0 to .*, not {value}$"):
            call(name, place, value)
    with pytest.raises(ValueError, match=f"^{parameter} must be 0 to .*, not one of 100001 bits$"):
        call(name, place, 1 << 100_000)
    if name != "solve":
        call(name, place, 0)
        call(name, place, largest)


def changed(**fields: Any) -> course.Problem:
    """P1 with other fields, of whatever type."""
    return P1._replace(**fields)


@pytest.mark.parametrize(
    ("problem", "error", "message"),
    [
        (None, TypeError, "p must be a Problem: monsters, treasures, rows, columns; not None"),
        (P1[:3], TypeError, "p must be a Problem: monsters, treasures, rows, columns; not a tuple of 3"),
        (dnd.Puzzle((1,), (1,), 0, 0), TypeError, "not a value of type Puzzle; course.problem(puzzle) makes one"),
        (
            changed(monsters=1 << 64),
            ValueError,
            "p.monsters must be 0 to 0xffffffffffffffff, not 18446744073709551616",
        ),
        (
            changed(treasures=1.5),
            TypeError,
            "p.treasures must be a whole number, not a value of type float",
        ),
        (changed(rows=(1,) * 7), ValueError, "p.rows must be 8 clues, not 7"),
        (changed(rows=None), TypeError, "p.rows must be a list or tuple of 8 clues, not None"),
        (changed(rows="73417163"), TypeError, "p.rows must be a list or tuple of 8 clues, not a value of type str"),
        (changed(columns=(1,) * 7 + (9,)), ValueError, "p.columns[7] must be -1 to 8, not 9"),
        (changed(columns=(None,) * 8), TypeError, "p.columns[0] must be a whole number, not None"),
        (changed(columns=(-2,) * 8), ValueError, "p.columns[0] must be -1 to 8, not -2"),
        (changed(rows=(True,) * 8), TypeError, "p.rows[0] must be a whole number, not a value of type bool"),
    ],
)
@pytest.mark.parametrize("name", [name for name, arguments in ARGUMENTS.items() if arguments[0] is P1])
def test_bad_problem(name: str, problem: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        call(name, 0, problem)


@pytest.mark.parametrize(
    ("m", "error", "message"),
    [
        ([0] * 63, ValueError, "m must be 64 truth values, not 63"),
        ("0" * 64, TypeError, "m must be a list or tuple of 64 truth values, not a value of type str"),
        (None, TypeError, "m must be a list or tuple of 64 truth values, not None"),
        ([0] * 63 + [2], ValueError, "m[63] must be 0 to 1, not 2"),
        ([0] * 63 + [None], TypeError, "m[63] must be a whole number, not None"),
        ([0.0] * 64, TypeError, "m[0] must be a whole number, not a value of type float"),
    ],
)
def test_bad_map(m: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        course.map_to_board(m)  # type: ignore[arg-type]


def test_bad_search() -> None:
    with pytest.raises(ValueError, match="b has walls in row 1 or below it"):
        course.solve(P1, 1, 1 << 8)
    for limit in (0, -1):
        with pytest.raises(ValueError, match="limit must be 1 to"):
            course.solve(P1, limit=limit)
    with pytest.raises(TypeError, match="use_loop must be True or False, not None"):
        course.solve(P1, use_loop=None)  # type: ignore[arg-type]


def test_unknown_kernel() -> None:
    with pytest.raises(RuntimeError, match="no kernel 'fortran'"):
        course.popcount(1, kernel="fortran")


# ---------------------------------------------------------------- what the course's program prints

# Bytes that the course's program has printed for its nine problems.
PRINTED = (ROOT / "tests" / "data" / "course" / "nine.out.txt").read_text(encoding="ascii")
NINE = [ROOT / "fixtures" / f"{name}.toml" for name in PROBLEMS]
STARTS = [found.start() for found in re.finditer("Solving problem", PRINTED)]


def printed(number: int) -> str:
    """What the program prints for one of its problems, were it the first."""
    text = PRINTED[STARTS[number] : [*STARTS, None][number + 1]]
    return text.replace(f"Solving problem {number}", "Solving problem 0")


def test_main(kernel: str) -> None:
    quick = ["p1", "p5", "p7", "p8"] if kernel == "py" else list(PROBLEMS)
    for name in quick:
        assert "".join(course.main([PROBLEMS[name]], kernel=kernel)) == printed(list(PROBLEMS).index(name))
    if kernel == "c":
        assert "".join(course.main(PROBLEMS.values(), kernel="c")) == PRINTED


@needs_compiled
def test_solve_prints_what_the_program_prints(cli: Any) -> None:
    """All nine, read from a C source, and from fixtures."""
    structs = "".join(f"{dnd.dumps(puzzle, 'course')}\n" for file in NINE for puzzle in dnd.load(file))
    done = cli("solve", "--format", "course", stdin=structs)
    assert (done.code, done.out, done.err) == (0, PRINTED, "")
    assert cli("solve", "--to", "course", *NINE).out == PRINTED
    assert cli("--to", "course", *NINE).out == PRINTED


def test_solve_prints_one_problem(cli: Any) -> None:
    done = cli("solve", "--to", "course", NINE[0])
    assert (done.code, done.out, done.err) == (0, printed(0), "")


def test_solve_prints_what_the_program_takes_for_a_solution(cli: Any) -> None:
    """The bonus of question 3: a solution for the course; none under the rules, and only the puzzle is drawn."""
    bonus = "problem bonus = { 0x8100810081008100, 0, { 8,0,8,0,8,0,8,0 }, { 4,4,4,4,4,4,4,4 } };"
    done = cli("solve", "--format", "course", stdin=bonus)
    lines = done.out.splitlines()
    assert (done.code, len(lines), lines[9]) == (0, 18, "Solution ff00ff00ff00ff")
    exact = cli("solve", "--format", "course", "--method", "auto", stdin=bonus)
    assert (exact.code, exact.out.splitlines()) == (1, lines[:9])


def test_solve_prints_all_solutions_unless_a_limit_is_given(cli: Any) -> None:
    rings = dnd.Puzzle((1, 2, 1), (None,) * 4, 0, 0)
    line = dnd.dumps(rings)
    everything = cli("solve", "--to", "course", line).out
    assert everything.count("Solution") == 2
    # A smaller board comes in the top left corner of walls, as it does in the struct.
    assert everything.splitlines()[1:9] == ["." * 8] * 8
    assert everything.splitlines()[10:14] == ["#...####", "#.#.####", "#...####", "########"]
    assert cli("solve", "--to", "course", "--limit", "1", line).out.count("Solution") == 1


def test_json_is_as_ever(cli: Any) -> None:
    """JSON is of the exact engine, also where the input's format is named."""
    struct = dnd.dumps(dnd.load(NINE[0])[0], "course")
    (line,) = cli("solve", "--json", "--format", "course", stdin=struct).json
    assert (line["method"], line["count"]) == ("auto", 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "toml"], "answers cannot be written in the format 'toml' [unknown-format]"),
        (["--to", "codingame"], "the game dungeon has no answers in the form codingame [not-offered]"),
        (["--to", "course", "fixtures/large/20x20-2.toml"], "the reference solver takes boards up to 8x8, not "),
        (["--to", "course", "fixtures/suguru/seed.toml"], "the game suguru has no answers in the form course"),
        (["--to", "course", "--json"], "argument --json: not allowed with argument --to"),
    ],
)
def test_answers_that_cannot_be_had(cli: Any, arguments: list[str], message: str) -> None:
    files = [str(ROOT / each) if each.endswith(".toml") else each for each in arguments]
    done = cli("solve", *files, *([] if files != arguments else [NINE[0]]))
    assert (done.code, done.out) == (2, "")
    assert message in done.err


# ---------------------------------------------------------------- the items `course:NAME-KERNEL` of fixtures

# The pure kernel with one thing changed: each is to turn the item of just that function red. (Mutants that would give
# the same answers, such as a room that is looked for but not asked whether it was found, have no place here.)
MUTANTS = [
    ("map_to_board", "2 * board + bool(value)", "2 * board + (not value)"),
    ("board_to_map", "tuple((b >> pos) & 1 == 1", "tuple((b >> pos) & 1 == 0"),
    ("popcount_slow", "ones += v % 2", "ones += 1"),
    ("popcount_byte", "0xCC) >> 2", "0x4C) >> 2"),
    ("popcount", "0xCCCC_CCCC_CCCC_CCCC", "0x0CCC_CCCC_CCCC_CCCC"),
    ("popcount_builtin", "return v.bit_count()", "return v.bit_length()"),
    ("bit", "return 1 << pos", "return 1 << pos & 31"),
    ("mask_column", "_FIRST_COLUMN << i", "_FIRST_COLUMN << 7 - i"),
    ("empty", "(b | p[0] | p[1]) & bit(pos)", "(b | p[0]) & bit(pos)"),
    ("treasure", "return p[1] & bit(pos)", "return p[0] & bit(pos)"),
    ("monster", "return p[0] & bit(pos)", "return p[1] & bit(pos)"),
    ("neighbours", "if pos % 8 != 7", "if pos % 8 != 6"),
    ("count_non_wall", "popcount_builtin(~b & _NEIGHBOURS[pos])", "popcount_builtin(~(b | p[0]) & _NEIGHBOURS[pos])"),
    ("test_columns_overload", "count > clue for", "count >= clue for"),
    ("test_columns_overload", "count > clue for", "count > clue + 1 for"),
    ("test_columns_underload", "count < clue for", "count <= clue for"),
    ("test_columns_underload", "count < clue for", "count < clue - 1 for"),
    ("test_no_deadend_upto_row", "<= 1 for pos in range(8 * row)", "< 1 for pos in range(8 * row)"),
    ("test_no_deadend_upto_row", "<= 1 for pos in range(8 * row)", "== 1 for pos in range(8 * row)"),
    ("test_no_deadend_upto_row", "for pos in range(8 * row)", "for pos in range(8 * (row - 1))"),
    ("test_no_deadend_upto_row", "for pos in range(8 * row)", "for pos in range(64)"),
    ("test_trapped_monster", "== 0 for pos in range(64)", "<= 1 for pos in range(64)"),
    ("test_trapped_monster", "== 0 for pos in range(64)", "== 0 for pos in range(32)"),
    ("test_deadends", "count_non_wall(p, b, pos) != 1", "count_non_wall(p, b, pos) > 1"),
    ("test_deadends", "count_non_wall(p, b, pos) != 1", "count_non_wall(p, b, pos) == 0"),
    ("test_deadends", "count_non_wall(p, b, pos) <= 1:", "count_non_wall(p, b, pos) == 0:"),
    ("test_treasure_rooms", "!= 1:\n            return True, b", "> 1:\n            return True, b"),
    ("test_treasure_rooms", "!= 1:\n            return True, b", "< 1:\n            return True, b"),
    ("test_treasure_rooms", "b |= room", "pass"),
    ("test_treasure_rooms", "min(x, 5) + 1", "min(x, 4) + 1"),
    ("test_empty_squares", "for row in range(7)", "for row in range(6)"),
    ("test_empty_squares", "for col in range(7)", "for col in range(6)"),
    ("test_empty_squares", "for col in range(7)", "for col in range(8)"),
    ("moves_loop", "POPCOUNT_OF_BYTE[byte])", "7 - POPCOUNT_OF_BYTE[byte])"),
    ("moves_table", "BYTES_BY_POPCOUNT[start:end]", "BYTES_BY_POPCOUNT[start : end - 1]"),
    ("print_board", "(pos % 8 == 7)", "(pos % 8 == 6)"),
]


def red_items(names: tuple[str, ...]) -> set[str]:
    """The items of the course's functions on the pure kernel that find something wrong with these fixtures."""
    red = set()
    for name in names:
        (entry,) = entries(ROOT / "fixtures" / f"{name}.toml")
        case = testing.Case(entry)
        for check in course_checks.checks(case.puzzle, case.solutions, "py"):
            if list(check.run()):
                red.add(check.name)
    return red


def test_no_item_is_red() -> None:
    assert red_items(("p1", "p7")) == set()


@pytest.mark.parametrize(("name", "old", "new"), MUTANTS, ids=[f"{name}-{i}" for i, (name, *_) in enumerate(MUTANTS)])
def test_a_broken_function_turns_its_item_red_and_no_other(
    name: str, old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = kernel_module("reference", "py")
    source = inspect.getsource(sound)
    assert source.count(old) == 1, "the mutant must change one place"
    mutant: dict[str, Any] = {"__name__": sound.__name__}
    exec(source.replace(old, new), mutant)
    broken = SimpleNamespace(**{**vars(sound), name: mutant[name]})
    monkeypatch.setattr(course, "load", lambda family, kernel=None: broken)
    assert red_items(("p1", "p7")) == {f"course:{name}-py"}


def test_every_function_has_an_item_and_a_mutant() -> None:
    assert course_checks.FUNCTIONS.keys() == ARGUMENTS.keys() - {"solve"} == {name for name, *_ in MUTANTS}


def test_a_report_shows_the_board_and_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "test_trapped_monster", lambda p, b, kernel: False)
    (entry,) = entries(ROOT / "fixtures" / "p1.toml")
    case = testing.Case(entry)
    run = {check.name: check.run for check in course_checks.checks(case.puzzle, case.solutions, "py")}
    first, *_ = run["course:test_trapped_monster-py"]()
    head, *rows = first.splitlines()
    what = "the first 2 rows of an expected solution with r2c6 changed"
    assert head == f"test_trapped_monster accepts {what}; the oracle rejects it:"
    assert rows[0] == "     #  #  #  #  # [M] #  #"
    assert [row for row in rows if "[" in row] == rows[:1]


def test_only_fixtures_of_the_courses_size_have_such_items() -> None:
    small = dnd.Puzzle((0,), (0, 0), 0b11, 0)
    assert list(course_checks.checks(small, (dnd.Board.complete(1, 2, 0),), "py")) == []
    assert list(course_checks.checks(dnd.Puzzle(*PROBLEMS["p1"][2:], *PROBLEMS["p1"][:2]), None, "py")) == []
