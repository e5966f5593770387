"""Suguru's room for the pytest plug-in (`dnd.game.Fixtures`): what its fixtures let be tested, and how.

Two kinds of tests. *Checks* of this package: kernels against the expectations of a fixture, each validator alone
against the expected solutions (no false alarm on them, nor on what is left of them when cells are erased; and on
boards that have another value in one cell, the same verdict as the independent oracle). And the *judge* of other
people's solvers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from typing import Any

from dnd.diagnostic import Diagnostic, InputError, cell_name
from dnd.game import Check, Entry, Rule, Solutions
from dnd.suguru import draw, notation, oracle, rules
from dnd.suguru.puzzle import HOLE, SIGNS, Board, Puzzle, Solution
from dnd.suguru.solver import solve

MANY = "many"

_MOST_UPDATED = 1000  # more solutions than that are written as "many"
_KERNELS = {"c": "compiled", "py": "pure"}
# Cells that a validator looks at in one check; so large boards are changed in some of their cells only.
_WORK = 10_000
_ANSWER = frozenset(SIGNS[1:] + "#")


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
    def board(self) -> Board:
        """What the fixture has drawn; without a board, nothing but the givens."""
        empty = Board(self.puzzle.height, self.puzzle.width, (0,) * len(self.puzzle.cages))
        board: Board = self.entry.board or empty
        return board

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
        """The search for one solution more than expected."""
        return self.exact(_limit(self.case.count))

    @cached_property
    def counted(self) -> Solutions:
        """The search whose nodes a fixture can pin."""
        return self.exact(_limit(self.case.stated))

    @cached_property
    def all(self) -> Solutions:
        """All solutions, if they are not too many for a file."""
        return self.exact(_MOST_UPDATED)

    def exact(self, limit: int | None) -> Solutions:
        """The engine's answer to the puzzle, whatever the fixture's board has decided."""
        return solve(self.case.puzzle, limit, kernel=self.kernel)


def _limit(count: int | str | None) -> int | None:
    """How many solutions to look for when `count` are expected."""
    if isinstance(count, int):
        return count + 1
    return 2 if count == MANY else None


def _kernel_checks(case: _Case, runs: _Runs) -> Iterator[Check]:
    def checked(
        name: str, key: str, run: Callable[[_Runs], Iterator[str]], update: Callable[[_Runs], Mapping[str, Any]]
    ) -> Check:
        marks = (f"kernel_{runs.kernel}",)
        return Check(f"{name}-{runs.kernel}", key, partial(run, runs), partial(update, runs), marks)

    if case.count is not None:
        key = "solutions" if "solutions" in case.expect else "solution"
        yield checked("solve", key, _solve, _update_solutions)
    if "nodes" in case.expect:
        yield checked("nodes", "nodes", _nodes, _update_nodes)


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
    expected, found = runs.case.expect["nodes"], runs.counted.nodes
    if found != expected:
        yield f"nodes: the {_KERNELS[runs.kernel]} kernel counts {found}, the fixture expects {expected}"


def _rule_alone(case: _Case, rule: Rule) -> Iterator[str]:
    for solution in case.solutions or ():
        refused = list(_spoken(case.puzzle, solution, rule, "an expected solution"))
        if refused:
            yield from refused
            continue  # that it refuses most parts of the board too would add nothing
        for erased, cells in _some(list(_erasures(case.puzzle)), case.puzzle):
            rest = [0 if cell in cells else value for cell, value in enumerate(solution.values)]
            board = Board(solution.height, solution.width, tuple(rest))
            yield from _spoken(case.puzzle, board, rule, f"an expected solution without {erased}")


def _spoken(puzzle: Puzzle, board: Board, rule: Rule, what: str) -> Iterator[str]:
    diagnostics = list(rule.check(puzzle, board))
    if diagnostics:
        yield f"the validator {rule.code} refuses {what}:\n{_report(puzzle, board, diagnostics)}"


def _some(tries: Sequence[Any], puzzle: Puzzle) -> Sequence[Any]:
    """As many of them, evenly spread, as are not too much work."""
    most = max(1, _WORK // len(puzzle.cages))
    return tries[:: -(-len(tries) // most)]


def _erasures(puzzle: Puzzle) -> Iterator[tuple[str, range]]:
    """What to erase: names and cells of single cells, rows and columns."""
    width, size = puzzle.width, len(puzzle.cages)
    for cell in range(size):
        yield cell_name(divmod(cell, width)), range(cell, cell + 1)
    for row in range(puzzle.height):
        yield f"row {row + 1}", range(row * width, (row + 1) * width)
    for column in range(width):
        yield f"column {column + 1}", range(column, size, width)


def _rule_flipped(case: _Case, rule: Rule) -> Iterator[str]:
    puzzle = case.puzzle
    for solution in case.solutions or ():
        for cell, value in _some(list(_flips(puzzle, solution)), puzzle):
            values = list(solution.values)
            values[cell] = value
            board = Board(puzzle.height, puzzle.width, tuple(values))
            diagnostics = list(rule.check(puzzle, board))
            is_broken = not oracle.RULES[rule.code](_grid(puzzle, board))
            if bool(diagnostics) != is_broken:
                says = "speaks, the oracle does not" if diagnostics else "is silent, the oracle is not"
                place = divmod(cell, puzzle.width)
                # Without diagnostics of its own the changed cell is what to look at.
                marked = _report(puzzle, board, diagnostics or [Diagnostic(rule.code, "the changed cell", (place,))])
                yield f"{cell_name(place)} of an expected solution set to {value}: {rule.code} {says}:\n{marked}"


def _flips(puzzle: Puzzle, solution: Board) -> Iterator[tuple[int, int]]:
    """Cells and other values for them, one too large among them."""
    for cell, old in enumerate(solution.values):
        if puzzle.cages[cell] != HOLE:
            for value in range(1, min(puzzle.size_at(cell) + 2, len(SIGNS))):
                if value != old:
                    yield cell, value


def _grid(puzzle: Puzzle, board: Board) -> oracle.Grid:
    cages = [None if cage == HOLE else cage for cage in puzzle.cages]
    values = board.with_givens(puzzle).values
    return oracle.Grid(*(_rows(part, puzzle.width) for part in (cages, puzzle.givens, values)))


def _rows(cells: Sequence[Any], width: int) -> list[Sequence[Any]]:
    return [cells[start : start + width] for start in range(0, len(cells), width)]


def _faults(case: _Case) -> Iterator[str]:
    diagnostics = rules.check(case.puzzle, case.board)
    found, expected = _codes(diagnostics), list(case.expect["faults"])
    if found != expected:
        yield (
            f"the validators find {_listed(found)}, the fixture expects {_listed(expected)}:\n"
            f"{_report(case.puzzle, case.board, diagnostics)}"
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
    if case.solutions is not None and set(case.solutions) != set(boards):
        if not found.complete:
            raise ValueError(f"{found.count} solutions and more are too many to be written down")
        changes |= {"solution": _drawn(case.puzzle, boards)} if boards else {"solution": None, "solutions": 0}
    return changes


def _drawn(puzzle: Puzzle, boards: Iterable[Board]) -> str | list[str]:
    """Boards as a fixture draws them: one, or a list."""
    drawings = ["".join(f"{row}\n" for row in puzzle.signs(board)) for board in boards]
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
    return {} if runs.case.expect["nodes"] == found.nodes else {"nodes": found.nodes}


def _refuse_wrong_boards(puzzle: Puzzle, boards: Iterable[Board]) -> None:
    for problem in _wrong_boards(puzzle, boards):
        raise ValueError(f"the kernel's answer is not written into the fixture: {problem}")


def _update_faults(case: _Case) -> dict[str, Any]:
    found = _codes(rules.check(case.puzzle, case.board))
    if case.board.is_complete(case.puzzle):
        told = [code for code, holds in oracle.RULES.items() if not holds(_grid(case.puzzle, case.board))]
        if told != [code for code in found if code in oracle.RULES]:
            raise ValueError(f"the validators find {_listed(found)}, the oracle {_listed(told)}: not written")
    return {} if found == list(case.expect["faults"]) else {"faults": found}


# ---------------------------------------------------------------- other people's solvers


def question(entry: Entry, form: str) -> str | None:
    """The puzzle as a solver reads it: in the one-line form, or ("course") as CodinGame's tests have it.

    None when there are no expected solutions to judge by. Raises `InputError` where CodinGame's form cannot hold it.
    """
    if _Case(entry).count is None:
        return None
    return notation.write(entry.puzzle, None, "", "codingame" if form == "course" else "line") + "\n"


def answers(entry: Entry, form: str, output: str) -> list[Board | str]:
    """The boards that a program printed as rows of digits; a text instead of each drawing that is no board.

    Lines of 1-9, a-w and `#` only (blanks at the end apart) that are as long as the grid is wide are rows of a board;
    all other lines are skipped and end a drawing. A drawing has as many rows as the grid, or a multiple: several
    boards.
    """
    return [_answer(entry.puzzle, drawing) for drawing in _drawings(output, entry.puzzle)]


def _drawings(output: str, puzzle: Puzzle) -> Iterator[list[str]]:
    lines = (line.rstrip() for line in output.splitlines())
    for is_drawing, group in groupby(lines, lambda line: len(line) == puzzle.width and _ANSWER.issuperset(line)):
        if not is_drawing:
            continue
        rows = list(group)
        # A number of rows that does not come out even says that something is wrong with all of them.
        size = puzzle.height if len(rows) % puzzle.height == 0 else len(rows)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


def _answer(puzzle: Puzzle, drawing: list[str]) -> Board | str:
    text = "\n".join(drawing)
    try:
        return rules.as_board(puzzle, text)
    except InputError as error:
        return f"{error.diagnostic.message}:\n{_indented(text)}"


def boards(puzzle: Puzzle, result: Any) -> Iterator[Board]:
    """The boards that a solver function returned: `Solutions`, one board, or an iterable of boards; None is no board.

    A board is anything that `rules.as_board` takes.
    """
    result = getattr(result, "solutions", result)
    if result is None:
        return
    is_board = isinstance(result, Board | Solution | str | bytes)
    if not is_board:
        result = list(result)
        is_board = bool(result) and isinstance(result[0], int)
    for board in [result] if is_board else result:
        yield rules.as_board(puzzle, board)


def judge(entry: Entry, answers: Sequence[Board | str | None]) -> Iterator[str]:
    """What is wrong with a solver's answers: boards that are none or break rules, repeated, missing, extra ones."""
    case, puzzle = _Case(entry), entry.puzzle
    empty = Board(puzzle.height, puzzle.width, (0,) * len(puzzle.cages))
    given = [empty if answer is None else answer for answer in answers]
    drawn = [answer for answer in given if isinstance(answer, Board)]
    decided = [board.with_givens(puzzle) for board in drawn if board.is_complete(puzzle)]
    yield from (f"an answer that is no board: {answer}" for answer in given if isinstance(answer, str))
    yield from (
        f"a board with unknown cells:\n{_report(puzzle, board, ())}" for board in drawn if not board.is_complete(puzzle)
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


# ---------------------------------------------------------------- reports


def _wrong_boards(puzzle: Puzzle, found: Iterable[Board]) -> Iterator[str]:
    for board in found:
        if not board.is_complete(puzzle):
            yield f"a board with unknown cells:\n{_report(puzzle, board, ())}"
        diagnostics = rules.check(puzzle, board)
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
    expected, given = set(case.solutions), set(found)
    for verdict, boards_ in ((missing, expected - given), (extra, given - expected)):
        for board in sorted(boards_, key=lambda board: board.values):
            yield f"{verdict}\n{_report(case.puzzle, board, ())}"


def _report(puzzle: Puzzle, board: Board, diagnostics: Iterable[Diagnostic]) -> str:
    """The board with the diagnostics' cells starred, and the diagnostics below."""
    told = list(diagnostics)
    marked = {cell for diagnostic in told for cell in diagnostic.cells}
    values = board.with_givens(puzzle).values
    shown = draw.text(puzzle.height, puzzle.width, puzzle.cages, values, puzzle.givens, marked)
    return _indented("\n".join([shown, *(f"- {diagnostic.message} [{diagnostic.code}]" for diagnostic in told)]))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
