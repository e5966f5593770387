"""The dungeon's room for the pytest plug-in (`dnd.game.Fixtures`): what its fixtures let be tested, and how.

Two kinds of tests. *Checks* of this package: kernels against the expectations of a fixture, each validator alone
against the expected solutions (no false alarm on them, nor on what is left of them when cells are erased; and on
every board that is one cell away, the same verdict as the independent oracle). And the *judge* of other
people's solvers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from typing import Any

from dnd import grid
from dnd.diagnostic import Cell, Diagnostic, InputError, cell_name
from dnd.dungeon import draw, notation, oracle, rules
from dnd.dungeon.puzzle import Board, Puzzle, Solution
from dnd.dungeon.solver import padded, solve
from dnd.game import Check, Entry, Rule, Solutions

MANY = "many"

# The rules that the course's solver keeps exactly; in the others it is known to differ (docs/course.md).
_REFERENCE_RULES = ("row-count", "column-count", "object-on-wall", "dead-end")
_SLOW_NODES = 20_000  # calls that the pure reference kernel makes in about a second
_MOST_UPDATED = 1000  # more solutions than that are written as "many"
_KERNELS = {"c": "compiled", "py": "pure"}
_COURSE_SIDE = 8
_COURSE_LETTERS = frozenset("#.MT")


# ---------------------------------------------------------------- checks of this package


def checks(entry: Entry, kernels: Sequence[str]) -> Iterator[Check]:
    """The checks that the entry's expectations ask for: kernels first, then validators."""
    case = _Case(entry)
    for kernel in kernels:
        yield from _kernel_checks(case, _Runs(case, kernel))
    if case.solutions:
        for rule in rules.all_rules():
            yield Check(f"rule:{rule.code}", "solution", partial(_rule_alone, case, rule), marks=("rule",))
        for rule in rules.all_rules():
            if rule.code in oracle.RULES:
                yield Check(f"flip:{rule.code}", "solution", partial(_rule_flipped, case, rule), marks=("flip",))
    if "faults" in case.expect:
        words = tuple(case.expect["faults"])
        run, update = partial(_faults, case), partial(_update_faults, case)
        yield Check("faults", "faults", run, update, marks=("rule",), words=words)


@dataclass(frozen=True)
class _Case:
    """An entry and its expectations, in the form that checks want them."""

    entry: Entry

    @property
    def puzzle(self) -> Puzzle:
        puzzle: Puzzle = self.entry.puzzle
        return puzzle

    @property
    def expect(self) -> Mapping[str, Any]:
        return self.entry.expect

    @cached_property
    def solutions(self) -> tuple[Board, ...] | None:
        """The expected solutions; None if the fixture does not tell them."""
        drawn = self.expect.get("solution")
        if drawn is None:
            return None
        boards = drawn if isinstance(drawn, list | tuple) else [drawn]
        return tuple(rules.as_board(self.puzzle, board) for board in boards)

    @property
    def stated(self) -> int | str | None:
        """What the fixture says of the number: `solutions`, else as many as it draws, else None."""
        drawn = None if self.solutions is None else len(self.solutions)
        stated: int | str | None = self.expect.get("solutions", drawn)
        return stated

    @property
    def count(self) -> int | str | None:
        """The expected number of solutions, "many", or None: where all are drawn, "many" is a number too."""
        return self.stated if self.solutions is None else len(self.solutions)


class _Runs:
    """What one kernel finds for an entry; each search is run once, however many checks look at it."""

    def __init__(self, case: _Case, kernel: str) -> None:
        self.case, self.kernel = case, kernel

    @cached_property
    def expected(self) -> Solutions:
        """The exact search for one solution more than expected."""
        return self.exact(_limit(self.case.count))

    @cached_property
    def counted(self) -> Solutions:
        """The exact search whose nodes a fixture can pin."""
        return self.exact(_limit(self.case.stated))

    @cached_property
    def all(self) -> Solutions:
        """All solutions, if they are not too many for a file."""
        return self.exact(_MOST_UPDATED)

    @cached_property
    def reference(self) -> Solutions:
        """The course's answer, complete."""
        return solve(self.case.puzzle, method="reference", kernel=self.kernel)

    def exact(self, limit: int | None) -> Solutions:
        """The exact engine's answer to the puzzle, whatever the fixture's board has decided."""
        return solve(self.case.puzzle, limit, kernel=self.kernel)


def _limit(count: int | str | None) -> int | None:
    """How many solutions to look for when `count` are expected."""
    if isinstance(count, int):
        return count + 1
    return 2 if count == MANY else None


def _kernel_checks(case: _Case, runs: _Runs) -> Iterator[Check]:
    kernel, expect = runs.kernel, case.expect

    def checked(
        name: str,
        key: str,
        run: Callable[[_Runs], Iterator[str]],
        update: Callable[[_Runs], Mapping[str, Any]],
        *marks: str,
    ) -> Check:
        return Check(f"{name}-{kernel}", key, partial(run, runs), partial(update, runs), (f"kernel_{kernel}", *marks))

    if case.count is not None:
        yield checked("solve", "solutions" if "solutions" in expect else "solution", _solve, _update_solutions)
    reference = ("reference", "slow") if _is_slow(case, kernel) else ("reference",)
    if "reference_solutions" in expect:
        yield checked("reference", "reference_solutions", _reference, _update_reference, *reference)
    if "reference_nodes" in expect:
        yield checked("reference-nodes", "reference_nodes", _reference_nodes, _update_reference_nodes, *reference)
    if "nodes" in expect:
        yield checked("nodes", "nodes", _nodes, _update_nodes)


def _is_slow(case: _Case, kernel: str) -> bool:
    """Whether the reference search takes the kernel long, as far as one can know before."""
    unknown = _SLOW_NODES + 1 if case.puzzle.height * case.puzzle.width == _COURSE_SIDE**2 else 0
    return kernel == "py" and bool(case.expect.get("reference_nodes", unknown) > _SLOW_NODES)


def _solve(runs: _Runs) -> Iterator[str]:
    case, found = runs.case, runs.expected
    boards = [solution.board for solution in found.solutions]
    yield from _wrong_boards(case.puzzle, boards)
    yield from _repeated_boards(case.puzzle, boards)
    count, who = case.count, f"the {_KERNELS[runs.kernel]} kernel"
    if count == MANY:
        if found.count < 2:
            yield f"{who} finds {_solutions(found.count)}, the fixture expects two or more"
    elif found.count != count:
        number = _solutions(found.count) + ("" if found.complete else " or more")
        yield f"{who} finds {number}, the fixture expects {count}"
    elif not found.complete:
        yield f"{who} finds {_solutions(found.count)} but does not prove that there are no others"
    yield from _differences(case, boards, f"{who} does not find:", f"{who} finds, unexpectedly:")


def _nodes(runs: _Runs) -> Iterator[str]:
    yield from _pinned(runs, "nodes", runs.counted.nodes, "nodes of the exact engine")


def _reference(runs: _Runs) -> Iterator[str]:
    found = runs.reference
    yield from _wrong_boards(runs.case.puzzle, [solution.board for solution in found.solutions], _REFERENCE_RULES)
    yield from _pinned(runs, "reference_solutions", found.count, "solutions of the course's solver")


def _reference_nodes(runs: _Runs) -> Iterator[str]:
    yield from _pinned(runs, "reference_nodes", runs.reference.nodes, "calls of the course's solver")


def _pinned(runs: _Runs, key: str, found: int, what: str) -> Iterator[str]:
    expected = runs.case.expect[key]
    if found != expected:
        yield f"{what}: the {_KERNELS[runs.kernel]} kernel counts {found}, the fixture expects {expected}"


def _rule_alone(case: _Case, rule: Rule) -> Iterator[str]:
    for solution in case.solutions or ():
        refused = list(_spoken(case.puzzle, solution, rule, "an expected solution"))
        if refused:
            yield from refused
            continue  # that it refuses most parts of the board too would add nothing
        for erased, mask in _erasures(case.puzzle):
            rest = Board(solution.height, solution.width, solution.walls & ~mask, solution.floors & ~mask)
            yield from _spoken(case.puzzle, rest, rule, f"an expected solution without {erased}")


def _spoken(puzzle: Puzzle, board: Board, rule: Rule, what: str) -> Iterator[str]:
    diagnostics = list(rule.check(puzzle, board))
    if diagnostics:
        yield f"the validator {rule.code} refuses {what}:\n{_report(puzzle, board, diagnostics)}"


def _erasures(puzzle: Puzzle) -> Iterator[tuple[str, int]]:
    """What to erase: names and masks of single cells, rows and columns."""
    for cell in grid.cells(grid.full(puzzle.height, puzzle.width), puzzle.width):
        yield cell_name(cell), grid.to_mask((cell,), puzzle.width)
    for row in range(puzzle.height):
        yield f"row {row + 1}", grid.row_mask(row, puzzle.width)
    for column in range(puzzle.width):
        yield f"column {column + 1}", grid.column_mask(column, puzzle.height, puzzle.width)


def _rule_flipped(case: _Case, rule: Rule) -> Iterator[str]:
    puzzle = case.puzzle
    for solution in case.solutions or ():
        for cell in grid.cells(grid.full(puzzle.height, puzzle.width), puzzle.width):
            walls = solution.walls ^ grid.to_mask((cell,), puzzle.width)
            board = Board.complete(puzzle.height, puzzle.width, walls)
            diagnostics = list(rule.check(puzzle, board))
            is_broken = not oracle.RULES[rule.code](_dungeon(puzzle, board))
            if bool(diagnostics) != is_broken:
                says = "speaks, the oracle does not" if diagnostics else "is silent, the oracle is not"
                # Without diagnostics of its own the flipped cell is what to look at.
                marked = _report(puzzle, board, diagnostics or [Diagnostic(rule.code, "the flipped cell", (cell,))])
                yield f"{cell_name(cell)} of an expected solution flipped: {rule.code} {says}:\n{marked}"


def _dungeon(puzzle: Puzzle, board: Board) -> oracle.Dungeon:
    return oracle.Dungeon(
        puzzle.rows,
        puzzle.columns,
        draw.letters(puzzle.height, puzzle.width, 0, 0, board.walls),
        set(puzzle.monster_cells),
        set(puzzle.treasure_cells),
    )


def _faults(case: _Case) -> Iterator[str]:
    board: Board = case.entry.board
    diagnostics = rules.check(case.puzzle, board)
    found, expected = _codes(diagnostics), list(case.expect["faults"])
    if found != expected:
        yield (
            f"the validators find {_listed(found)}, the fixture expects {_listed(expected)}:\n"
            f"{_report(case.puzzle, board, diagnostics)}"
        )


def _codes(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Distinct codes in the order of the rules, which is the order of `check`."""
    return list(dict.fromkeys(diagnostic.code for diagnostic in diagnostics))


def _listed(codes: Sequence[str]) -> str:
    return ", ".join(codes) or "nothing wrong"


def _solutions(count: int) -> str:
    return f"{count or 'no'} solution{'s' if count > 1 else ''}"


# ---------------------------------------------------------------- updates of expectations


def _update_solutions(runs: _Runs) -> dict[str, Any]:
    case, found = runs.case, runs.all
    boards = [solution.board for solution in found.solutions]
    _refuse_wrong_boards(case.puzzle, boards)
    changes: dict[str, Any] = {}
    if "solutions" in case.expect and not _is_counted(case.expect["solutions"], found):
        changes["solutions"] = found.count if found.complete else MANY
    if case.solutions is not None and _walls(case.solutions) != _walls(boards):
        if not found.complete:
            raise ValueError(f"{found.count} solutions and more are too many to be written down")
        changes |= {"solution": _drawn(case.puzzle, boards)} if boards else {"solution": None, "solutions": 0}
    return changes


def _drawn(puzzle: Puzzle, boards: Iterable[Board]) -> str | list[str]:
    """Boards as a fixture draws them: one, or a list."""
    drawings = ["".join(f"{row}\n" for row in puzzle.letters(board)) for board in boards]
    return drawings[0] if len(drawings) == 1 else drawings


def _is_counted(expected: int | str, found: Solutions) -> bool:
    """Whether an expected number of solutions agrees with what was found."""
    return found.count >= 2 if expected == MANY else found.complete and found.count == expected


def _update_nodes(runs: _Runs) -> dict[str, Any]:
    stated, found = runs.case.stated, runs.counted
    if stated is not None:
        # It may be rewritten in the same run: the limit is the one that it will then make.
        is_many = not runs.all.complete or (stated == MANY and runs.all.count > 1)
        found = runs.exact(_limit(MANY if is_many else runs.all.count))
    _refuse_wrong_boards(runs.case.puzzle, [solution.board for solution in found.solutions])
    return _changed(runs, "nodes", found.nodes)


def _update_reference(runs: _Runs) -> dict[str, Any]:
    return _changed(runs, "reference_solutions", _trusted_reference(runs).count)


def _update_reference_nodes(runs: _Runs) -> dict[str, Any]:
    return _changed(runs, "reference_nodes", _trusted_reference(runs).nodes)


def _trusted_reference(runs: _Runs) -> Solutions:
    boards = [solution.board for solution in runs.reference.solutions]
    _refuse_wrong_boards(runs.case.puzzle, boards, _REFERENCE_RULES)
    return runs.reference


def _changed(runs: _Runs, key: str, found: int) -> dict[str, Any]:
    return {} if runs.case.expect[key] == found else {key: found}


def _refuse_wrong_boards(puzzle: Puzzle, boards: Iterable[Board], codes: Iterable[str] | None = None) -> None:
    for problem in _wrong_boards(puzzle, boards, codes):
        raise ValueError(f"the kernel's answer is not written into the fixture: {problem}")


def _update_faults(case: _Case) -> dict[str, Any]:
    board: Board = case.entry.board
    found = _codes(rules.check(case.puzzle, board))
    if _is_decided(case.puzzle, board):
        told = [code for code, holds in oracle.RULES.items() if not holds(_dungeon(case.puzzle, board))]
        if told != [code for code in found if code in oracle.RULES]:
            raise ValueError(f"the validators find {_listed(found)}, the oracle {_listed(told)}: not written")
    return {} if found == list(case.expect["faults"]) else {"faults": found}


# ---------------------------------------------------------------- other people's solvers


def question(entry: Entry, form: str) -> str | None:
    """The puzzle as a solver reads it: its DDN line, or the course's C struct, smaller boards padded with walls.

    None when there are no expected solutions to judge by. Raises `InputError` where the struct cannot hold the puzzle.
    """
    if _Case(entry).count is None:
        return None
    return notation.write(entry.puzzle, None, "", form) + "\n"


def _in_course_struct(puzzle: Puzzle) -> Puzzle:
    """The puzzle as the 8x8 one that the course's struct holds."""
    monsters, treasures, rows, columns = padded(puzzle)
    return Puzzle(rows, columns, monsters, treasures)


def answers(entry: Entry, form: str, output: str) -> list[Board | str]:
    """The boards that a program printed in the course's format; a text instead of each drawing that is no board.

    Lines of `#`, `.`, `M`, `T` only (blanks at the end apart) are rows of a board; all other lines are skipped and
    end a drawing. A drawing has as many rows as the board, or a multiple: several boards.

    The course's program draws the puzzle before it solves it. So the first board does not count when it is the
    puzzle's own picture, without any wall, although some clue asks for walls: it cannot be a solution.
    """
    puzzle = _in_course_struct(entry.puzzle) if form == "course" else entry.puzzle
    drawings = list(_drawings(output, puzzle))
    asks_for_walls = any((*puzzle.rows, *puzzle.columns))
    if drawings and asks_for_walls and drawings[0] == puzzle.letters():
        del drawings[0]
    return [_answer(entry.puzzle, puzzle, drawing) for drawing in drawings]


def _drawings(output: str, puzzle: Puzzle) -> Iterator[list[str]]:
    lines = (line.rstrip() for line in output.splitlines())
    for is_drawing, group in groupby(lines, lambda line: bool(line) and _COURSE_LETTERS.issuperset(line)):
        if not is_drawing:
            continue
        rows = list(group)
        # A number of rows that does not come out even says that something is wrong with all of them.
        size = puzzle.height if len(rows) % puzzle.height == 0 else len(rows)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


def _answer(puzzle: Puzzle, asked: Puzzle, drawing: list[str]) -> Board | str:
    picture = "\n".join(drawing)
    try:
        board = rules.as_board(asked, picture)
    except InputError as error:
        return f"{error.diagnostic.message}:\n{_indented(picture)}"
    inside = grid.to_mask(((r, c) for r in range(puzzle.height) for c in range(puzzle.width)), asked.width)
    if board.floors & ~inside:
        return f"open cells outside the {puzzle.height}x{puzzle.width} board:\n{_indented(picture)}"
    walls = grid.to_mask(grid.cells(board.walls & inside, asked.width), puzzle.width)
    return Board.complete(puzzle.height, puzzle.width, walls)


def boards(puzzle: Puzzle, result: Any) -> Iterator[Board]:
    """The boards that a solver function returned: `Solutions`, one board, or an iterable of boards; None is no board.

    A board is anything that `rules.as_board` takes.
    """
    result = getattr(result, "solutions", result)
    if result is None:
        return
    for board in [result] if isinstance(result, Board | Solution | int | str) else result:
        yield rules.as_board(puzzle, board)


def judge(entry: Entry, answers: Sequence[Board | str | None]) -> Iterator[str]:
    """What is wrong with a solver's answers: boards that are none or break rules, repeated, missing, extra ones."""
    case, puzzle = _Case(entry), entry.puzzle
    given = [Board(puzzle.height, puzzle.width) if answer is None else answer for answer in answers]
    unreadable = [f"an answer that is no board: {answer}" for answer in given if isinstance(answer, str)]
    drawn = [answer for answer in given if isinstance(answer, Board)]
    decided = [_whole(puzzle, board) for board in drawn if _is_decided(puzzle, board)]
    yield from unreadable
    yield from (
        f"a board with undecided cells:\n{_report(puzzle, board, ())}"
        for board in drawn
        if not _is_decided(puzzle, board)
    )
    verdicts = {board: rules.check(puzzle, board) for board in decided}
    yield from (_wrong_board(puzzle, board, verdict) for board, verdict in verdicts.items() if verdict)
    yield from _repeated_boards(puzzle, decided)
    legal = [board for board, verdict in verdicts.items() if not verdict]
    yield from _miscounted(case.count, len(legal))
    yield from _differences(case, legal, "missing:", "an extra board, legal but not expected:")


def _miscounted(count: int | str | None, legal: int) -> Iterator[str]:
    """As many different legal boards as there are solutions are all solutions."""
    if count == MANY:
        if legal < 2:
            yield f"{_solutions(legal)}, the puzzle has two or more"
    elif legal != count:
        yield f"{_solutions(legal)}, the puzzle has {count}"


def _is_decided(puzzle: Puzzle, board: Board) -> bool:
    return not board.unknown & ~puzzle.objects


def _whole(puzzle: Puzzle, board: Board) -> Board:
    """A decided board with the objects' cells listed too, so that equal boards are equal."""
    return Board.complete(puzzle.height, puzzle.width, board.walls)


# ---------------------------------------------------------------- reports


def _wrong_boards(puzzle: Puzzle, found: Iterable[Board], codes: Iterable[str] | None = None) -> Iterator[str]:
    for board in found:
        diagnostics = rules.check(puzzle, board, codes)
        if diagnostics:
            yield _wrong_board(puzzle, board, diagnostics)


def _wrong_board(puzzle: Puzzle, board: Board, diagnostics: Sequence[Diagnostic]) -> str:
    return f"a board that breaks the rules ({_listed(_codes(diagnostics))}):\n{_report(puzzle, board, diagnostics)}"


def _repeated_boards(puzzle: Puzzle, found: Iterable[Board]) -> Iterator[str]:
    for board, times in Counter(found).items():
        if times > 1:
            yield f"the same board {times} times:\n{_report(puzzle, board, ())}"


def _differences(case: _Case, found: Iterable[Board], missing: str, extra: str) -> Iterator[str]:
    """Boards that were expected and not found, and the other way round, if the fixture lists the solutions."""
    if case.solutions is None:
        return
    expected, given = _walls(case.solutions), _walls(found)
    for verdict, walls in ((missing, expected - given), (extra, given - expected)):
        for mask in sorted(walls):
            board = Board.complete(case.puzzle.height, case.puzzle.width, mask)
            yield f"{verdict}\n{_report(case.puzzle, board, ())}"


def _walls(found: Iterable[Board]) -> set[int]:
    return {board.walls for board in found}


def _report(puzzle: Puzzle, board: Board, diagnostics: Iterable[Diagnostic]) -> str:
    """The board with the diagnostics' cells in brackets, and the diagnostics below."""
    told = list(diagnostics)
    marked = {cell for diagnostic in told for cell in diagnostic.cells}
    lines = [f"- {diagnostic.message} [{diagnostic.code}]" for diagnostic in told]
    return _indented("\n".join([_picture(puzzle, board, marked), *lines]))


def _picture(puzzle: Puzzle, board: Board, marked: set[Cell]) -> str:
    """The board with its clues, marked cells in brackets."""
    lines = ["   " + "".join(f"{_clue(clue)} " for clue in puzzle.columns)]
    for row, (clue, letters) in enumerate(zip(puzzle.rows, puzzle.letters(board), strict=True)):
        signs = (f"[{letter}]" if (row, column) in marked else f" {letter} " for column, letter in enumerate(letters))
        lines.append(f"{_clue(clue)} {''.join(signs)}")
    return "\n".join(line.rstrip() for line in lines)


def _clue(clue: int | None) -> str:
    return f"{'?' if clue is None else clue:>2}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
