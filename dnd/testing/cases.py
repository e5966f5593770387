"""What the games' rooms for the pytest plug-in (`testing.py`) share: checks of fixtures, and the judge. Knows no game.

A game derives its own class from `Case`: how its boards are solved, drawn, erased, changed and shown. The checks of
kernels and validators, the updates of expectations, the verdict on other people's solvers and the reports stand here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Generic, cast

from dnd.diagnostic import Cell, Diagnostic, cell_name
from dnd.game import B, Entry, Judge, P, Solution, Solutions
from dnd.rule import Rule
from dnd.testing.check import Check
from dnd.testing.expectations import MANY

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

_MOST_UPDATED = 1000  # more solutions than that are written as "many"
_KERNELS = {"c": "compiled", "py": "pure"}


@dataclass(frozen=True)
class Case(ABC, Generic[P, B]):
    """An entry and its expectations, in the form that checks want them. Boards are the game's own.

    A game sets: validators, its module of rules (`all_rules`, `check`, `as_board`). witness: the independent
    judgement by the code of a rule. And the words of its reports: changed, what a board of `changes` is called;
    undecided, what a cell is that a board does not tell; nodes, what a fixture's `nodes` are.
    """

    # Class variables cannot be generic.
    validators: ClassVar[Judge[Any, Any]]
    witness: ClassVar[Mapping[str, Callable[[Any], bool]]]  # of what `position` gives
    changed: ClassVar[str]
    undecided: ClassVar[str]
    nodes: ClassVar[str]

    entry: Entry

    @property
    def puzzle(self) -> P:
        return cast(P, self.entry.puzzle)

    @property
    def board(self) -> B:
        """What the fixture has drawn; without a board, nothing."""
        return cast(B, self.entry.board) or self.empty()

    @property
    def expect(self) -> Mapping[str, Any]:  # as in `Entry`
        return self.entry.expect

    @cached_property
    def solutions(self) -> tuple[B, ...] | None:
        """The expected solutions; None if the fixture does not tell them."""
        drawn = self.expect.get("solution")
        if drawn is None:
            return None
        boards = drawn if isinstance(drawn, list | tuple) else [drawn]
        return tuple(self.validators.as_board(self.puzzle, board) for board in boards)

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

    def is_decided(self, board: B) -> bool:
        """Whether every cell is known from the puzzle and the board."""
        return not board.unknown_in(self.puzzle)

    def erasures(self) -> Iterable[tuple[str, Sequence[Cell]]]:
        """What to erase from a solution: names and cells of single cells, rows and columns."""
        height, width = range(self.puzzle.height), range(self.puzzle.width)
        yield from ((cell_name((row, column)), [(row, column)]) for row in height for column in width)
        yield from ((f"row {row + 1}", [(row, column) for column in width]) for row in height)
        yield from ((f"column {column + 1}", [(row, column) for row in height]) for column in width)

    def own_checks(self, runs: Runs[P, B]) -> Iterator[Check]:
        """Checks of a kernel that only this game has."""
        yield from ()

    @abstractmethod
    def solve(self, limit: int | None, kernel: str) -> Solutions[Solution[B]]:
        """The exact engine's answer to the puzzle, whatever the fixture's board has decided."""

    @abstractmethod
    def empty(self) -> B:
        """The board that decides nothing."""

    @abstractmethod
    def whole(self, board: B) -> B:
        """A decided board with what the puzzle tells listed too, so that equal boards are equal."""

    @abstractmethod
    def order(self, board: B) -> SupportsRichComparison:
        """The key by which reports sort boards."""

    @abstractmethod
    def without(self, board: B, cells: Sequence[Cell]) -> B:
        """The board with those cells unknown."""

    @abstractmethod
    def changes(self, board: B) -> Iterator[tuple[Cell, str, B]]:
        """Boards that differ from this one in a cell: the cell, what was done to it, and the board."""

    @abstractmethod
    def position(self, board: B) -> object:
        """The decided board as the oracle takes it."""

    @abstractmethod
    def rows(self, board: B) -> list[str]:
        """The board as a fixture draws it."""

    @abstractmethod
    def picture(self, board: B, marked: set[Cell]) -> str:
        """The board as a picture, with some cells marked."""


class Runs(Generic[P, B]):
    """What one kernel finds for an entry; each search runs once, however many checks use it."""

    def __init__(self, case: Case[P, B], kernel: str) -> None:
        self.case, self.kernel = case, kernel

    @cached_property
    def expected(self) -> Solutions[Solution[B]]:
        """The exact search for one solution more than expected."""
        return self.exact(_limit(self.case.count))

    @cached_property
    def counted(self) -> Solutions[Solution[B]]:
        """The exact search whose nodes a fixture can pin."""
        return self.exact(_limit(self.case.stated))

    @cached_property
    def all(self) -> Solutions[Solution[B]]:
        """All solutions, if they are not too many for a file."""
        return self.exact(_MOST_UPDATED)

    def exact(self, limit: int | None) -> Solutions[Solution[B]]:
        """The exact engine's answer."""
        return self.case.solve(limit, self.kernel)


def _limit(count: int | str | None) -> int | None:
    """How many solutions to look for when `count` are expected."""
    if isinstance(count, int):
        return count + 1
    return 2 if count == MANY else None


# ---------------------------------------------------------------- checks of this package


def checks(case: Case[P, B], kernels: Sequence[str]) -> Iterator[Check]:
    """The checks that the entry's expectations ask for: kernels first, then validators."""
    for kernel in kernels:
        yield from _kernel_checks(Runs(case, kernel))
    if case.solutions:
        for rule in case.validators.all_rules():
            yield Check(f"rule:{rule.code}", "solution", partial(_rule_alone, case, rule), marks=("rule",))
        for rule in case.validators.all_rules():
            if rule.code in case.witness:
                yield Check(f"flip:{rule.code}", "solution", partial(_rule_flipped, case, rule), marks=("flip",))
    if "faults" in case.expect:
        words = tuple(case.expect["faults"])
        run, update = partial(_faults, case), partial(_update_faults, case)
        yield Check("faults", "faults", run, update, marks=("rule",), words=words)


def _kernel_checks(runs: Runs[P, B]) -> Iterator[Check]:
    expect = runs.case.expect
    if runs.case.count is not None:
        key = "solutions" if "solutions" in expect else "solution"
        yield kernel_check(runs.kernel, "solve", key, partial(_solve, runs), partial(_update_solutions, runs))
    yield from runs.case.own_checks(runs)
    if "nodes" in expect:
        yield kernel_check(runs.kernel, "nodes", "nodes", partial(_nodes, runs), partial(_update_nodes, runs))


def kernel_check(
    kernel: str,
    name: str,
    key: str,
    run: Callable[[], Iterator[str]],
    update: Callable[[], Mapping[str, object]],
    *marks: str,
) -> Check:
    """A check of one kernel."""
    return Check(f"{name}-{kernel}", key, run, update, (f"kernel_{kernel}", *marks))


def _solve(runs: Runs[P, B]) -> Iterator[str]:
    case, found = runs.case, runs.expected
    boards = [solution.board for solution in found.solutions]
    yield from wrong_boards(case, boards)
    yield from _repeated_boards(case, boards)
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


def _nodes(runs: Runs[P, B]) -> Iterator[str]:
    yield from pinned(runs, "nodes", runs.counted.nodes, runs.case.nodes)


def pinned(runs: Runs[P, B], key: str, found: int, what: str) -> Iterator[str]:
    """A problem if the kernel's number is not the one that the fixture expects."""
    expected = runs.case.expect[key]
    if found != expected:
        yield f"{what}: the {_KERNELS[runs.kernel]} kernel counts {found}, the fixture expects {expected}"


def _rule_alone(case: Case[P, B], rule: Rule) -> Iterator[str]:
    for solution in case.solutions or ():
        refused = list(_spoken(case, solution, rule, "an expected solution"))
        if refused:
            yield from refused
            continue  # that it refuses most parts of the board too would add nothing
        for erased, cells in case.erasures():
            yield from _spoken(case, case.without(solution, cells), rule, f"an expected solution without {erased}")


def _spoken(case: Case[P, B], board: B, rule: Rule, what: str) -> Iterator[str]:
    diagnostics = list(rule.check(case.puzzle, board))
    if diagnostics:
        yield f"the validator {rule.code} refuses {what}:\n{_report(case, board, diagnostics)}"


def _rule_flipped(case: Case[P, B], rule: Rule) -> Iterator[str]:
    for solution in case.solutions or ():
        for cell, done, board in case.changes(solution):
            diagnostics = list(rule.check(case.puzzle, board))
            is_broken = not case.witness[rule.code](case.position(board))
            if bool(diagnostics) != is_broken:
                says = "finds a fault, the oracle does not" if diagnostics else "finds no fault, the oracle does"
                # Without diagnostics of its own the changed cell is what to look at.
                touched = Diagnostic(rule.code, f"the {case.changed} cell", (cell,))
                marked = _report(case, board, diagnostics or [touched])
                yield f"{cell_name(cell)} of an expected solution {done}: {rule.code} {says}:\n{marked}"


def _faults(case: Case[P, B]) -> Iterator[str]:
    diagnostics = case.validators.check(case.puzzle, case.board)
    found, expected = _codes(diagnostics), list(case.expect["faults"])
    if found != expected:
        yield (
            f"the validators find {_listed(found)}, the fixture expects {_listed(expected)}:\n"
            f"{_report(case, case.board, diagnostics)}"
        )


def _codes(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Distinct codes in the order of the rules, which is the order of `check`."""
    return list(dict.fromkeys(diagnostic.code for diagnostic in diagnostics))


def _listed(codes: Sequence[str]) -> str:
    return ", ".join(codes) or "nothing wrong"


def _solutions(count: int) -> str:
    return f"{count or 'no'} solution{'s' if count > 1 else ''}"


# ---------------------------------------------------------------- updates of expectations


def _update_solutions(runs: Runs[P, B]) -> dict[str, object]:
    case, found = runs.case, runs.all
    boards = [solution.board for solution in found.solutions]
    refuse_wrong_boards(case, boards)
    changes: dict[str, object] = {}
    if "solutions" in case.expect and not _is_counted(case.expect["solutions"], found):
        changes["solutions"] = found.count if found.complete else MANY
    if case.solutions is not None and _distinct(case, case.solutions) != _distinct(case, boards):
        if not found.complete:
            raise ValueError(f"{found.count} solutions or more are too many to write down")
        changes |= {"solution": _drawn(case, boards)} if boards else {"solution": None, "solutions": 0}
    return changes


def _drawn(case: Case[P, B], boards: Iterable[B]) -> str | list[str]:
    """Boards as a fixture draws them: one, or a list."""
    drawings = ["".join(f"{row}\n" for row in case.rows(board)) for board in boards]
    return drawings[0] if len(drawings) == 1 else drawings


def _is_counted(expected: int | str, found: Solutions[Solution[B]]) -> bool:
    """Whether an expected number of solutions agrees with what was found."""
    return found.count >= 2 if expected == MANY else found.complete and found.count == expected


def _update_nodes(runs: Runs[P, B]) -> dict[str, object]:
    stated, found = runs.case.stated, runs.counted
    if stated is not None:
        # It may be rewritten in the same run: the limit is the one that it will then make.
        is_many = not runs.all.complete or (stated == MANY and runs.all.count > 1)
        found = runs.exact(_limit(MANY if is_many else runs.all.count))
    refuse_wrong_boards(runs.case, [solution.board for solution in found.solutions])
    return rewritten(runs, "nodes", found.nodes)


def rewritten(runs: Runs[P, B], key: str, found: int | str) -> dict[str, object]:
    """The expectation with what was found, nothing if it is the same."""
    return {} if runs.case.expect[key] == found else {key: found}


def refuse_wrong_boards(case: Case[P, B], boards: Iterable[B], codes: Iterable[str] | None = None) -> None:
    """`ValueError` if one of a kernel's boards breaks a rule, of those codes or of all."""
    for problem in wrong_boards(case, boards, codes):
        raise ValueError(f"the kernel's answer is not written into the fixture: {problem}")


def _update_faults(case: Case[P, B]) -> dict[str, object]:
    found = _codes(case.validators.check(case.puzzle, case.board))
    if case.is_decided(case.board):
        told = [code for code, holds in case.witness.items() if not holds(case.position(case.board))]
        if told != [code for code in found if code in case.witness]:
            raise ValueError(f"the validators find {_listed(found)}, the oracle {_listed(told)}: not written")
    return {} if found == list(case.expect["faults"]) else {"faults": found}


# ---------------------------------------------------------------- other people's solvers


def drawings(output: str, height: int, is_row: Callable[[str], bool]) -> Iterator[list[str]]:
    """The boards that a program printed: lines that are rows, blanks at the end apart; all others end a drawing."""
    lines = (line.rstrip() for line in output.splitlines())
    for is_drawing, group in groupby(lines, is_row):
        if not is_drawing:
            continue
        rows = list(group)
        # A number of rows that does not come out even says that something is wrong with all of them.
        size = height if len(rows) % height == 0 else len(rows)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]


def judge(case: Case[P, B], answers: Sequence[B | str | None]) -> Iterator[str]:
    """The problems of a solver's answers: wrong, repeated, missing or superfluous boards.

    An answer is a board of the game, a text about what is not a board, or None for no board at all.
    """
    drawn = [case.empty() if answer is None else answer for answer in answers if not isinstance(answer, str)]
    decided = [case.whole(board) for board in drawn if case.is_decided(board)]
    yield from (f"an answer that is not a board: {answer}" for answer in answers if isinstance(answer, str))
    yield from _undecided_boards(case, drawn)
    verdicts = {board: case.validators.check(case.puzzle, board) for board in decided}
    yield from (_wrong_board(case, board, verdict) for board, verdict in verdicts.items() if verdict)
    yield from _repeated_boards(case, decided)
    legal = [board for board, verdict in verdicts.items() if not verdict]
    yield from _miscounted(case.count, len(legal))
    yield from _differences(case, legal, "missing:", "an extra board, legal but not expected:")


def _miscounted(count: int | str | None, legal: int) -> Iterator[str]:
    """If there are as many different legal boards as solutions, they are all the solutions."""
    if count == MANY:
        if legal < 2:
            yield f"{_solutions(legal)}, the puzzle has two or more"
    elif legal != count:
        yield f"{_solutions(legal)}, the puzzle has {count}"


# ---------------------------------------------------------------- reports


def wrong_boards(case: Case[P, B], found: Iterable[B], codes: Iterable[str] | None = None) -> Iterator[str]:
    """Boards that are undecided or break a rule, of those codes or of all."""
    for board in found:
        yield from _undecided_boards(case, [board])
        diagnostics = case.validators.check(case.puzzle, board, codes)
        if diagnostics:
            yield _wrong_board(case, board, diagnostics)


def _undecided_boards(case: Case[P, B], found: Iterable[B]) -> Iterator[str]:
    for board in found:
        if not case.is_decided(board):
            yield f"a board with {case.undecided} cells:\n{_report(case, board, ())}"


def _wrong_board(case: Case[P, B], board: B, diagnostics: Sequence[Diagnostic]) -> str:
    return f"a board that breaks the rules ({_listed(_codes(diagnostics))}):\n{_report(case, board, diagnostics)}"


def _repeated_boards(case: Case[P, B], found: Iterable[B]) -> Iterator[str]:
    for board, times in Counter(found).items():
        if times > 1:
            yield f"the same board {times} times:\n{_report(case, board, ())}"


def _differences(case: Case[P, B], found: Iterable[B], missing: str, extra: str) -> Iterator[str]:
    """Boards that were expected and not found, and the other way round, if the fixture lists the solutions."""
    if case.solutions is None:
        return
    expected, given = _distinct(case, case.solutions), _distinct(case, found)
    for verdict, boards in ((missing, expected - given), (extra, given - expected)):
        for board in sorted(boards, key=case.order):
            yield f"{verdict}\n{_report(case, board, ())}"


def _distinct(case: Case[P, B], found: Iterable[B]) -> set[B]:
    return {case.whole(board) for board in found}


def _report(case: Case[P, B], board: B, diagnostics: Iterable[Diagnostic]) -> str:
    """The board with the diagnostics' cells marked, and the diagnostics below."""
    told = list(diagnostics)
    marked = {cell for diagnostic in told for cell in diagnostic.cells}
    lines = [f"- {diagnostic.message} [{diagnostic.code}]" for diagnostic in told]
    return indented("\n".join([case.picture(board, marked), *lines]))


def indented(text: str) -> str:
    """The text indented, as reports show boards."""
    return "\n".join(f"    {line}" for line in text.splitlines())
