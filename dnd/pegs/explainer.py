"""Hints that keep a game winnable, how many jumps to take back, why a board is impossible, and how hard one is.

Nobody deduces in peg solitaire as in the other games: what helps a player is whether the game can still be won, and
how. So hints come from the solver, and their reasons are its answers: jumps to the end, or a proof that there are none.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from dnd.diagnostic import cell_name, counted
from dnd.game import check_own
from dnd.pegs import draw, kernel, proofs, rules
from dnd.pegs.kernel import search_py
from dnd.pegs.proofs import ByExhaustion, Part, Proof
from dnd.pegs.puzzle import Jump, Play, Puzzle, after, picture
from dnd.pegs.rules import AnyPlay
from dnd.pegs.solver import IMPOSSIBLE, SECONDS, SOLVED, UNDECIDED, Outcome, exact_arguments, solve

JUMP = "jump"
WON = "won"
ILLEGAL = "illegal-jump"
LOST = "lost"
NEGATIVE = (ILLEGAL, LOST, UNDECIDED)  # hints that say no: a jump is wrong, the game is lost or may be

LEVELS = ("easy", "medium", "hard", "expert")
UNCOUNTED = "uncounted"
# A game is one way to jump until no jump is left. One in at most 2^n of them wins at each level but the last.
_BITS = (3, 7, 12)
_MEMORY = 1 << 30
_PATIENCE = 10.0  # seconds for the outlook of a play
_GLANCE = 0.2  # seconds for what is asked when all time is spent
_CONFIRMED = 1_000_000  # positions of a search that confirms another one: some ten seconds, some hundred MB


@dataclass(frozen=True)
class Step:
    """One next step, or a fact about the game.

    technique: `JUMP`, `WON`, `ILLEGAL`, `LOST`, "undecided", or the kind of a proof. jumps: what to do next.
    take_back: how many of the last jumps to undo. picture: what the sentence speaks of, drawn, or "". part: of a proof.
    """

    technique: str
    sentence: str
    jumps: tuple[Jump, ...] = ()
    take_back: int = 0
    picture: str = ""
    part: Part | None = None

    @property
    def chain(self) -> tuple[Step, ...]:
        """The steps within this one: none."""
        return ()

    @property
    def evidence(self) -> str:
        """The picture, where the sentence cannot be checked without it: of a proof."""
        return "" if self.jumps else self.picture

    def as_json(self) -> dict[str, object]:
        """The stable JSON form; jumps are [row, column, direction], and `part` is there for a proof's."""
        return {
            "technique": self.technique,
            "sentence": self.sentence,
            "jumps": [list(jump) for jump in self.jumps],
            "take_back": self.take_back,
            **({"part": self.part.as_json()} if self.part else {}),
        }


@dataclass(frozen=True)
class Explanation:
    """A solution move by move, or the parts of a proof that there is none."""

    puzzle: Puzzle
    steps: tuple[Step, ...]
    verdict: str

    @property
    def solved(self) -> bool:
        """Whether the steps are a solution."""
        return self.verdict == SOLVED

    @property
    def impossible(self) -> bool:
        """Whether the steps are a proof that there is no solution."""
        return self.verdict == IMPOSSIBLE

    @property
    def start(self) -> str:
        """The picture before the first step."""
        return picture(self.puzzle)

    def pictures(self) -> Iterator[str]:
        """After each step the board, or what a part of the proof has to show; "" where a step has no picture."""
        return (step.picture for step in self.steps)

    @property
    def beyond(self) -> None:
        """A hint for where the steps end: always none here."""
        return None

    @property
    def end(self) -> str:
        """What to say after the last step."""
        return f"solved, {counted(len(self.steps), 'move')}" if self.solved else self.verdict


class Outlook(NamedTuple):
    """Whether a play can still be won, in words, with pictures of a proof. good: it is. Also a verdict on a proof."""

    text: str
    good: bool


class Rating(NamedTuple):
    """How hard it is to win.

    number: one in 2^number games that a player may play wins, so that 0 cannot be lost; None where no game wins or
    there are too many to be counted. level: one of `LEVELS`, "impossible", or `UNCOUNTED`. hardest: "" (nothing is
    deduced here). counts: all games and those that win, each a sequence of jumps until none is possible.
    """

    number: float | None
    level: str
    hardest: str
    counts: dict[str, int]

    @property
    def settled(self) -> bool:
        """True: to win takes one solution, however many there are."""
        return True

    @property
    def told(self) -> str:
        """The counts in words, "" where there are none."""
        if not self.counts:
            return ""
        games, winning = self.counts.values()
        return f"{winning:,} of {counted(games, 'game')} win{'s' if winning == 1 else ''}"


def hints(puzzle: Puzzle, board: AnyPlay | None = None, *, seconds: float | None = None) -> Iterator[Step]:
    """What to do next after the jumps of `board`, in any form that `dnd.pegs.check` takes, jump by jump up to the end.

    Or a single hint: that the game is lost, and what to take back; or which jump of the board cannot be made.
    seconds: 60 by default, and as many again to find out what to take back.
    """
    check_own(puzzle, "pegs")
    play = Play(puzzle.height, puzzle.width, ()) if board is None else rules.as_board(puzzle, board)
    for wrong in rules.check(puzzle, play, [ILLEGAL]):
        yield Step(ILLEGAL, wrong.message)
        return
    outcome = solve(puzzle, board=play, seconds=seconds)
    if outcome.verdict == SOLVED:
        yield from _jumps(puzzle, outcome.best.jumps, len(play.jumps))
    elif outcome.verdict == UNDECIDED:
        yield Step(UNDECIDED, f"whether the game can still be won was not found out; {outcome.words()}")
    else:
        yield _lost(puzzle, play, outcome, seconds or SECONDS)


def hint(puzzle: Puzzle, board: AnyPlay | None = None) -> Step:
    """The first of `hints`."""
    return next(hints(puzzle, board))


def explain(puzzle: Puzzle, *, seconds: float | None = None) -> Explanation:
    """The moves of a solution, or why there is none. seconds: 60 by default."""
    outcome = solve(puzzle, seconds=seconds)
    if outcome.verdict == SOLVED:
        return Explanation(puzzle, tuple(_moves(puzzle, outcome.best.jumps)), SOLVED)
    if outcome.proof is not None:
        return Explanation(puzzle, tuple(_reasons(puzzle, outcome.proof)), IMPOSSIBLE)
    return Explanation(puzzle, (Step(UNDECIDED, outcome.words()),), UNDECIDED)


def outlook(puzzle: Puzzle, board: Play, *, seconds: float = _PATIENCE) -> Outlook | None:
    """Whether a play that breaks no rule can still be won, and why not; None where it is won."""
    now = replace(puzzle, pegs=after(puzzle, board.jumps))
    if now.number == 1:
        return None
    outcome = solve(now, seconds=seconds)
    if outcome.proof is not None:
        return Outlook(f"it cannot be won\n{_checkable(now, outcome.proof).picture(now)}", good=False)
    if outcome.verdict == SOLVED:
        return Outlook("it can be won", good=True)
    return Outlook(f"whether it can be won was not found out in {seconds:g} seconds", good=True)


def verify(puzzle: Puzzle, proof: Proof) -> Outlook:
    """Whether a given proof that the puzzle is impossible holds; good: it does.

    The result of a search can only be confirmed by another search: that of the pure twin, which shares no code with the
    compiled kernels; it is tried for up to `_CONFIRMED` positions.
    """
    if not proofs.check_proof(puzzle, proof):
        return Outlook("the proof does not hold", good=False)
    left = puzzle.finals & ~_without_search(proof).refuted(puzzle)
    if not left:
        return Outlook(f"the proof holds ({proof.kind})", good=True)
    found, _, positions = search_py.search(*puzzle.kernel_arguments[:4], left, _CONFIRMED, None)
    if found == 0:
        return Outlook(f"the proof holds (exhaustion, confirmed: {counted(positions, 'position')})", good=True)
    if found == 1:
        return Outlook("the proof does not hold: there is a solution", good=False)
    return Outlook(f"the proof was not confirmed: there are more than {_CONFIRMED:,} positions to look at", good=False)


def _without_search(proof: Proof) -> Proof:
    """The parts that can be checked without a search."""
    return Proof(tuple(part for part in proof.parts if not isinstance(part, ByExhaustion)))


def rate(puzzle: Puzzle, *, memory: int = _MEMORY) -> Rating:
    """How hard a puzzle is: how many of all games win. Exact, hence the same for symmetric boards and on all kernels.

    `UNCOUNTED` where the positions do not fit the memory, a GiB by default.
    """
    check_own(puzzle, "pegs")
    levels, (height, width, cells, pegs, finals) = kernel.load("levels"), exact_arguments(puzzle)
    winning, _, counted = levels.count(height, width, cells, pegs, finals, memory, None)
    if counted and not winning:
        return Rating(None, IMPOSSIBLE, "", {})
    games, complete = levels.games(height, width, cells, pegs, memory, None) if counted else (0, False)
    if not complete:
        return Rating(None, UNCOUNTED, "", {})
    # Of the exact fraction: the logarithms of two large numbers would differ in more than the last digit.
    number = round(math.log2(games / winning), 1)
    level = LEVELS[sum(winning << bits < games for bits in _BITS)]
    return Rating(number, level, "", {"games": games, "winning games": winning})


def _jumps(puzzle: Puzzle, jumps: tuple[Jump, ...], made: int) -> Iterator[Step]:
    if made == len(jumps):
        yield Step(WON, "one peg is left: the game is won")
    for number in range(made, len(jumps)):
        left = puzzle.number - number - 1
        then = "the game can still be won" if left > 1 else "that wins the game"
        yield Step(JUMP, f"{_words(jumps[number])}; {counted(left, 'peg')} left, and {then}", (jumps[number],))


def _moves(puzzle: Puzzle, jumps: tuple[Jump, ...]) -> Iterator[Step]:
    number = 0
    for run in draw.runs(jumps):
        number += len(run)
        pegs = after(puzzle, jumps[:number])
        drawn = draw.text(puzzle.height, puzzle.width, puzzle.cells, pegs, puzzle.final)
        yield Step(JUMP, "; ".join(map(_words, run)), tuple(run), picture=drawn)


def _words(jump: Jump) -> str:
    return f"jump from {cell_name(jump[:2])} over {cell_name(draw.over(jump))} to {cell_name(draw.landing(jump))}"


def _lost(puzzle: Puzzle, play: Play, outcome: Outcome, seconds: float) -> Step:
    """That the game is lost, with the least number of jumps to take back after which it is known to be winnable.

    Earlier positions are easier to win and harder to refute, so that all of them together get the time of one.
    """
    reason = f"the game is lost: {outcome.proof.sentence if outcome.proof else ''}"
    doubt, end = "", time.monotonic() + seconds
    for number in range(1, len(play.jumps) + 1):
        before = replace(play, jumps=play.jumps[:-number])
        earlier = solve(puzzle, board=before, seconds=min(_PATIENCE, max(_GLANCE, end - time.monotonic())))
        if earlier.verdict == SOLVED:
            back = f"take back {counted(number, 'jump')}{doubt}"
            following = earlier.best.jumps[len(before.jumps) :][:1]
            return Step(LOST, f"{reason}; {back}", following, number)
        if earlier.verdict == UNDECIDED:
            doubt = " (fewer may do)"
    return Step(LOST, f"{reason}; it was lost from the start" if not doubt else reason)


def _reasons(puzzle: Puzzle, proof: Proof) -> Iterator[Step]:
    """The parts of the proof, each with its picture."""
    for part in _checkable(puzzle, proof).parts:
        yield Step(part.kind, part.sentence(), picture=part.picture(puzzle), part=part)


def _checkable(puzzle: Puzzle, proof: Proof) -> Proof:
    """A proof by weights, which a person can check, instead of one by search, where there is one."""
    return (proof.kind == "exhaustion" and proofs.refute(puzzle, max_nodes=0)) or proof
