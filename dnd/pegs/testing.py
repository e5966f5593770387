"""Peg solitaire's room for the pytest plug-in (`dnd.game.Testing`): what its fixtures let be tested, and how.

Two kinds of tests. *Checks* of this package: the solver and the exact kernels against the expectations of a fixture,
each validator alone against the expected solution (no false alarm on it, nor on what of it was played before a cell was
touched; and on plays that differ in one jump, the same verdict as the independent oracle). And the *judge* of other
people's solvers. What is the same in every game stands in `dnd.testing.cases`.

A solution is not the only one: a solver may find another. So it is never compared, only replayed.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, ClassVar, TypeVar

from dnd.diagnostic import Cell, InputError
from dnd.game import Entry, Judge, Solutions
from dnd.pegs import alphabet, draw, kernel, notation, oracle, proofs, rules, solver
from dnd.pegs.kernel import search_py
from dnd.pegs.puzzle import Jump, Play, Puzzle, Solution, legal_part, run_count, words
from dnd.testing import cases as shared
from dnd.testing.cases import kernel_check, wrong_boards
from dnd.testing.check import Check

Runs = shared.Runs[Puzzle, Play]
T = TypeVar("T")

# Jumps that are replayed in one check of a validator; so long plays are changed in some of their jumps only.
_JUMPS = 5_000
_MEMORY = 4 << 30
_CONFIRMED = 5_000
_SECONDS = 600.0  # more than any fixture needs; that it was too little must not look like a wrong verdict
_PENCIL = ("class", "marks")  # proofs that need no linear programme, and so not the extra `proof`
# Beyond so many positions, or pegs of a board to be solved, a check is a slow one; or might never end.
_QUICK_POSITIONS = {"c": 2_000_000, "py": 20_000}
_MOST_POSITIONS = {"c": 1 << 60, "py": 1_000_000}
_QUICK_PEGS = {"c": 256, "py": 24}
_MOST_PEGS = {"c": 256, "py": 36}

# What the exact kernel is asked for: its function, and whether that wants the cells of the last peg.
_EXACT = {"positions": False, "winning": True, "games": False}


# ---------------------------------------------------------------- checks of this package


def checks(entry: Entry, kernels: Sequence[str]) -> Iterator[Check]:
    """The checks that the entry's expectations ask for: kernels first, then validators, then the proof."""
    case = Case(entry)
    yield from shared.checks(case, kernels)
    if "proof" in case.expect:
        has_programmes = bool(importlib.util.find_spec("highspy"))
        skip = "" if has_programmes or case.expect["proof"] in _PENCIL else "needs the extra proof (highspy)"
        yield Check("proof", "proof", partial(_prove, case), partial(_update_proof, case), skip=skip)


class Case(shared.Case[Puzzle, Play]):
    """An entry of peg solitaire."""

    validators: ClassVar[Judge[Puzzle, Play]] = rules
    witness = oracle.RULES
    changed = "changed"
    undecided = "missing"
    nodes = "nodes"

    @property
    def stated(self) -> None:
        """Solutions are not counted by finding them all."""

    count = stated

    def own_checks(self, runs: Runs) -> Iterator[Check]:
        for key, (name, run, found) in _CHECKS.items():
            if key in self.expect and _is_at_most(self, key, _MOST_POSITIONS[runs.kernel], _MOST_PEGS[runs.kernel]):
                is_quick = _is_at_most(self, key, _QUICK_POSITIONS[runs.kernel], _QUICK_PEGS[runs.kernel])
                marks = () if is_quick else ("slow",)
                yield kernel_check(runs.kernel, name, key, partial(run, runs, key), partial(found, runs, key), *marks)

    def solve(self, limit: int | None, kernel: str) -> Solutions[Solution]:
        raise NotImplementedError("peg solitaire has no list of all solutions")

    def empty(self) -> Play:
        return Play(self.puzzle.height, self.puzzle.width, ())

    def whole(self, board: Play) -> Play:
        return board

    def order(self, board: Play) -> tuple[Jump, ...]:
        return board.jumps

    def without(self, board: Play, cells: Sequence[Cell]) -> Play:
        """What was played before one of the cells was touched."""
        untouched = 0
        for jump in board.jumps:
            if {jump[:2], draw.over(jump), draw.landing(jump)} & set(cells):
                break
            untouched += 1
        return Play(board.height, board.width, board.jumps[:untouched])

    def erasures(self) -> Sequence[tuple[str, Sequence[Cell]]]:
        return _some(list(super().erasures()), self.puzzle)

    def changes(self, board: Play) -> Iterator[tuple[Cell, str, Play]]:
        yield from _some(list(_changes(board)), self.puzzle)

    def position(self, board: Play) -> oracle.Game:
        return oracle.Game(self.puzzle.rows(marked=False), self.puzzle.final, board.jumps)

    def rows(self, board: Play) -> list[str]:
        return words(board.jumps).split("\n")

    def picture(self, board: Play, marked: set[Cell]) -> str:
        """The position at the end of the legal jumps, marked cells starred, and all jumps."""
        puzzle = self.puzzle
        pegs = legal_part(puzzle, board.jumps)[1]
        drawn = draw.text(puzzle.height, puzzle.width, puzzle.cells, pegs, puzzle.final, marked)
        return f"{drawn}\n{board}" if board.jumps else drawn


def _some(tries: Sequence[T], puzzle: Puzzle) -> Sequence[T]:
    """As many of them, evenly spread, as are not too much work."""
    most = max(1, _JUMPS // puzzle.number)
    return tries[:: -(-len(tries) // most) or 1]


def _changes(board: Play) -> Iterator[tuple[Cell, str, Play]]:
    """Plays with a jump in another direction, or left out, or before the one in front of it."""
    for index, (row, column, old) in enumerate(board.jumps):
        before, behind = board.jumps[:index], board.jumps[index + 1 :]
        changed = {
            f"turned {draw.DIRECTIONS[direction]}": (*before, (row, column, direction), *behind)
            for direction in range(4)
            if direction != old
        }
        changed["left out"] = (*before, *behind)
        changed["made too soon"] = (*before[:-1], (row, column, old), *before[-1:], *behind)
        for done, jumps in changed.items():
            yield (row, column), f"jump {index + 1} {done}", Play(board.height, board.width, jumps)


def _is_at_most(case: Case, key: str, positions: int, pegs: int) -> bool:
    """Whether a check is no more work than that, as far as the fixture tells: by its levels, if there are some."""
    if key == "verdict":
        return bool(case.puzzle.number <= pegs)
    if key == "reference_nodes":
        return bool(case.expect[key] <= positions)
    return all(sum(case.expect[levels]) <= positions for levels in ("levels", "positions") if levels in case.expect)


# ---------------------------------------------------------------- checks of kernels


def _answer(runs: Runs) -> solver.Outcome:
    return solver.solve(runs.case.puzzle, seconds=_SECONDS, kernel=runs.kernel)


def _solve(runs: Runs, key: str) -> Iterator[str]:
    case, answer = runs.case, _answer(runs)
    if answer.verdict != case.expect["verdict"]:
        yield f"the answer is {answer.verdict}, the fixture expects {case.expect['verdict']}"
    yield from wrong_boards(case, [solution.board for solution in answer.solutions])
    if answer.proof is not None and not proofs.check_proof(case.puzzle, answer.proof, _is_confirmed):
        yield f"a proof that does not hold: {answer.proof}"


def _is_confirmed(puzzle: Puzzle) -> bool:
    """Whether a search in plain Python finds no solution either, as far as `_CONFIRMED` positions go."""
    return bool(search_py.search(*puzzle.kernel_arguments, _CONFIRMED, None)[0] != 1)


def _update_verdict(runs: Runs, key: str) -> dict[str, str]:
    answer = _answer(runs)
    shared.refuse_wrong_boards(runs.case, [solution.board for solution in answer.solutions])
    if answer.verdict not in notation.DECIDED:
        raise ValueError(f"the answer is {answer.verdict}: not written")
    return {} if answer.verdict == runs.case.expect[key] else {key: answer.verdict}


def _found(runs: Runs, key: str) -> object:
    """What the kernel makes of a number or a list of numbers that a fixture can pin."""
    puzzle: Puzzle = runs.case.puzzle
    height, width, board, pegs, finals = puzzle.kernel_arguments
    found: int | tuple[int, ...]
    if key == "reference_nodes":
        verdict, _, found = kernel.load("search", runs.kernel).reference(height, width, board, pegs, 0, None)
        complete = verdict >= 0
    elif key in ("sequences", "levels"):
        tally = _count(puzzle, runs.kernel)
        found, complete = (tally.count if key == "sequences" else tally.levels), tally.complete
    elif key == "moves":
        verdict, jumps, found = kernel.load("levels", runs.kernel).fewest(*puzzle.kernel_arguments, _MEMORY, None)
        complete = verdict == 1 and not rules.check(puzzle, jumps) and run_count(jumps) == found
    else:
        ends = (finals,) if _EXACT[key] else ()
        function = getattr(kernel.load("levels", runs.kernel), key)
        found, complete = function(height, width, board, pegs, *ends, _MEMORY, None)
    if not complete:
        raise ValueError(f"{key}: the {runs.kernel} kernel does not finish")
    return list(found) if isinstance(found, tuple) else found


@lru_cache(maxsize=4)
def _count(puzzle: Puzzle, kernel: str) -> solver.Tally:
    """What two checks of a fixture look at."""
    return solver.count(puzzle, memory=_MEMORY, kernel=kernel)


def _pinned(runs: Runs, key: str) -> Iterator[str]:
    try:
        found = _found(runs, key)
    except ValueError as error:
        yield str(error)
        return
    if found != runs.case.expect[key]:
        yield f"{key}: the {runs.kernel} kernel counts {found}, the fixture expects {runs.case.expect[key]}"


def _update_pinned(runs: Runs, key: str) -> dict[str, object]:
    found = _found(runs, key)
    return {} if found == runs.case.expect[key] else {key: found}


_Run = Callable[[Runs, str], Iterator[str]]
_Update = Callable[[Runs, str], Mapping[str, object]]
# By expectation: the check's name, what it runs and how the expectation is rewritten.
_CHECKS: dict[str, tuple[str, _Run, _Update]] = {
    "verdict": ("solve", _solve, _update_verdict),
    "sequences": ("count", _pinned, _update_pinned),
    "levels": ("levels", _pinned, _update_pinned),
    "positions": ("positions", _pinned, _update_pinned),
    "winning": ("winning", _pinned, _update_pinned),
    "games": ("games", _pinned, _update_pinned),
    "moves": ("moves", _pinned, _update_pinned),
    "reference_nodes": ("reference-nodes", _pinned, _update_pinned),
}


# ---------------------------------------------------------------- checks of proofs


def _proved(case: Case) -> str:
    """The kind of the cheapest proof that the puzzle is impossible, "exhaustion" if only a search can tell.

    (What the solver gives depends on what it tries first.)
    """
    proof = proofs.refute(case.puzzle)
    if proof is None:
        return "exhaustion"
    if not proofs.check_proof(case.puzzle, proof):
        raise ValueError(f"a proof that does not hold: {proof}")
    return proof.kind


def _prove(case: Case) -> Iterator[str]:
    try:
        kind = _proved(case)
    except ValueError as error:
        yield str(error)
        return
    if kind != case.expect["proof"]:
        yield f"the cheapest proof is by {kind}, the fixture expects {case.expect['proof']}"


def _update_proof(case: Case) -> dict[str, str]:
    kind = _proved(case)
    return {} if kind == case.expect["proof"] else {"proof": kind}


# ---------------------------------------------------------------- other people's solvers

_JUMP_LINE = re.compile(r"\d{1,2} \d{1,2} [0-3]|\[\[?\d.*|(?:\d+\. )?r\d+c\d+ .*|[0-9a-f]{2}[udlr]\b.*")


def question(entry: Entry, form: str) -> str | None:
    """The puzzle as a solver reads it: in the one-line form, or ("course") as the seed's state file, which may have to
    be refused. None where no solution is expected, or one without jumps."""
    if not entry.expect.get("solution"):
        return None
    if form == "course":
        return notation.write(Case(entry).puzzle, None, "", "bgs")
    return notation.write(Case(entry).puzzle, None, "", notation.LINE_FORMATS[0]) + "\n"


def answers(entry: Entry, form: str, output: str) -> list[Play | str]:
    """The plays that a program printed: lines of jumps, in any form that `rules.as_board` takes (the seed's log too).

    All other lines are skipped and end a play. A text instead of each that cannot be read.
    """
    lines = (line.strip() for line in output.splitlines())
    groups = [
        list(group) for is_jumps, group in groupby(lines, lambda line: bool(_JUMP_LINE.fullmatch(line))) if is_jumps
    ]
    return [_read_play(Case(entry).puzzle, "\n".join(group)) for group in groups]


def _read_play(puzzle: Puzzle, text: str) -> Play | str:
    try:
        return alphabet.play(puzzle, text)
    except InputError as error:
        return f"{error.diagnostic.message}:\n{shared.indented(text)}"


def boards(puzzle: Puzzle, result: Any) -> Iterator[Play]:
    """The plays that a solver function returned: an `Outcome`, one play, or an iterable of plays; None: no play.

    A play is anything that `rules.as_board` takes; a list of jumps is one play.
    """
    result = getattr(result, "solutions", result)
    if result is None:
        return
    is_play = isinstance(result, Play | Solution | str)
    if not is_play:
        result = list(result)
        is_play = bool(result) and all(isinstance(jump, list | tuple) and isinstance(jump[0], int) for jump in result)
    for play in [result] if is_play else result:
        yield rules.as_board(puzzle, play)


def judge(entry: Entry, answers: Sequence[Play | str | None]) -> Iterator[str]:
    """What is wrong with a solver's answers: plays that cannot be read, that break rules or do not end; or none."""
    case = Case(entry)
    plays = [answer for answer in answers if isinstance(answer, Play)]
    yield from (f"an answer that is not a list of jumps: {answer}" for answer in answers if isinstance(answer, str))
    yield from wrong_boards(case, plays)
    if not any(play.is_complete(case.puzzle) and not rules.check(case.puzzle, play) for play in plays):
        yield "no solution, the puzzle has one"
