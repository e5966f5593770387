"""The front of the solver: a portfolio that ends in one of three answers, and exact counts.

Whether a board can be played down to one peg is NP-complete, so an honest solver says **solved** (with the jumps),
**impossible** (with a proof) or **undecided** (the budget is spent; with the best position reached).

The portfolio is a schedule of attempts, cheap ones first: narrow beams find most solutions in milliseconds, classes and
resource counts refute most of what cannot be solved, depth-first search with a table decides what has few positions,
search by levels exhausts what fits memory, and wide beams with ever new noise use up the rest of the time.
Each attempt is deterministic; how many of them the seconds allow is not.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count as count_from
from itertools import product
from typing import Any, NoReturn, TypeVar

from dnd import grid
from dnd.diagnostic import Cell, counted, input_error
from dnd.game import check_own
from dnd.kernels import kernel_name
from dnd.pegs import draw, proofs, rules
from dnd.pegs import kernel as kernels
from dnd.pegs.alphabet import offset
from dnd.pegs.draw import landing
from dnd.pegs.proofs import Proof
from dnd.pegs.puzzle import Jump, KernelArguments, Play, Puzzle, Solution, after, jumps_of, run_count

METHODS = ("auto", "moves", "reference")
SECONDS = 60.0
MEMORY = 4 << 30

SOLVED, IMPOSSIBLE, UNDECIDED = VERDICTS = ("solved", "impossible", "undecided")

# Attempts: the name, the share of the time it may take, and its options, which are
# of "beam" the size, score and seed of a beam, of "search" the most positions, and the most pegs for which it is made,
# of "refute" the most nodes of a tree and whether to leave off at the first cell that cannot be refuted.
_Attempt = tuple[Any, ...]  # the options differ
_Found = TypeVar("_Found")
_SCHEDULE: tuple[_Attempt, ...] = (  # docs/pegs-engine.md tells what each beam is for
    ("beam", 1, 30, 0, 1),
    ("beam", 1, 30, 1, 1),
    ("search", 1, 400_000, 18),
    ("beam", 1, 100, 1, 1),
    ("beam", 1, 100, 0, 1),
    ("search", 1, 60_000),
    ("beam", 1, 300, 0, 1),
    ("beam", 1, 300, 1, 1),
    ("search", 1, 300_000),
    ("refute", 0.1, 0, True),
    ("beam", 1, 300, 2, 1),
    ("refute", 0.05, 10, True),
    ("beam", 1, 3_000, 0, 1),
    ("beam", 1, 1_000, 2, 3),
    ("beam", 1, 3_000, 2, 1),
    ("search", 1, 3_000_000),
    ("beam", 1, 30_000, 1, 1),
    ("decide", 0.3),
    *[("beam", 1, 300, 2, seed) for seed in range(2, 10, 2)],
    ("beam", 1, 3_000, 2, 3),
    ("beam", 1, 3_000, 2, 2),
    ("refute", 0.1, 300, True),
    *[("beam", 1, 300, 2, seed) for seed in range(10, 50, 2)],
    ("beam", 1, 10_000, 2, 5),
    ("refute", 0.1, 300, False),
)

# Beams for few moves: their sizes before and after the exact search, and what pairs of pegs are worth.
_NARROW, _WIDE = (100, 1_000), (10_000, 50_000)
_WEIGHTS = (28, 35, 42, 50, 60, 80)

_MOST_PEGS = 256  # of any board

# Bytes of a position in a table, and in a beam: once, and once more for each level that leads to it.
_TABLED, _BEAMED = 200, {"c": (500, 16), "py": (6_000, 200)}

# Exact searches take turns, so that several threads keep to one bound of memory.
_memory_in_use = threading.Lock()


@dataclass(frozen=True)
class Outcome:
    """What the portfolio answers (`dnd.game.Answer`).

    verdict: one of `VERDICTS`. solutions: one where solved. proof: where impossible. best: the jumps to the position
    with the fewest pegs that was met, the solution's where solved. nodes: positions looked at. fewest: whether it is
    proved that no solution that begins with the jumps made already has fewer moves. unit: what nodes are.
    """

    puzzle: Puzzle
    verdict: str
    solutions: tuple[Solution, ...]
    proof: Proof | None
    nodes: int
    best: Play
    fewest: bool = False
    unit: str = proofs.POSITION

    @property
    def count(self) -> int:
        """Solutions found, 0 or 1."""
        return len(self.solutions)

    @property
    def complete(self) -> bool:
        """Whether it is proved that there are no other solutions: where there are none."""
        return self.verdict == IMPOSSIBLE

    @property
    def good(self) -> bool:
        """Whether there is a solution."""
        return self.verdict == SOLVED

    @property
    def kinds(self) -> tuple[str, ...]:
        """All that `kind` may be."""
        return VERDICTS

    @property
    def kind(self) -> str:
        """The verdict."""
        return self.verdict

    def words(self) -> str:
        """The answer in a sentence or two."""
        if self.verdict == SOLVED:
            solution = self.solutions[0]
            proved = ", the fewest possible" if self.fewest else ""
            return f"solved: {counted(len(solution.jumps), 'jump')}, {counted(solution.moves, 'move')}{proved}"
        if self.proof is not None:
            return f"impossible: {self.proof.sentence}"
        left = after(self.puzzle, self.best.jumps).bit_count()
        return f"undecided after {counted(self.nodes, self.unit)}; the best position reached has {counted(left, 'peg')}"

    @property
    def picture(self) -> str:
        """The best position, where undecided; else ""."""
        if self.verdict != UNDECIDED:
            return ""
        puzzle, pegs = self.puzzle, after(self.puzzle, self.best.jumps)
        return draw.text(puzzle.height, puzzle.width, puzzle.cells, pegs, puzzle.final)

    def details(self) -> dict[str, object]:
        """Verdict, jumps [row, column, direction], moves and proof; where undecided the jumps to the best position too.

        fewest: the number of moves is proved to be the least.
        """
        jumps = [list(jump) for jump in self.best.jumps]
        return {
            "verdict": self.verdict,
            "jumps": jumps if self.verdict == SOLVED else None,
            "moves": self.solutions[0].moves if self.solutions else None,
            "fewest": self.fewest,
            "proof": self.proof.as_json() if self.proof else None,
            **({"best": jumps} if self.verdict == UNDECIDED else {}),
        }


@dataclass(frozen=True)
class Tally:
    """How many solutions there are (`dnd.game.Answer`): count, the jump sequences that leave one peg.

    levels: the number of positions after 0, 1, 2... jumps. complete: whether both are exact; else there may be more
    solutions, and `why` says what ended the count.
    """

    count: int
    levels: tuple[int, ...]
    complete: bool
    why: str = ""

    solutions: tuple[Solution, ...] = ()
    picture: str = ""

    @property
    def nodes(self) -> int:
        """Positions in all."""
        return sum(self.levels)

    @property
    def good(self) -> bool:
        """Whether there is a solution."""
        return self.count > 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """All that `kind` may be."""
        return VERDICTS

    @property
    def kind(self) -> str:
        """What the count says of the puzzle."""
        return SOLVED if self.count else IMPOSSIBLE if self.complete else UNDECIDED

    def words(self) -> str:
        """The count in words, and the levels on a line of their own."""
        found = f"{counted(self.count, 'jump sequence')}, {counted(self.nodes, 'position')}"
        said = f"undecided: {self.why}" if self.kind == UNDECIDED else found if self.complete else f"at least {found}"
        by_level = f"\nby jumps made: {', '.join(f'{level:,}' for level in self.levels)}" if self.levels else ""
        return said + by_level

    def details(self) -> dict[str, object]:
        """The levels; where undecided why."""
        return {"levels": list(self.levels), **({"why": self.why} if self.kind == UNDECIDED else {})}


def solve(
    puzzle: Puzzle,
    limit: int | None = None,
    method: str = "auto",
    *,
    board: Play | None = None,
    final: Cell | None = None,
    seconds: float | None = None,
    memory: int | None = None,
    max_nodes: int | None = None,
    kernel: str | None = None,
    stop: bytearray | None = None,
) -> Outcome:
    """Play a puzzle down to one peg, prove that this cannot be done, or say that the budget did not suffice.

    limit: of no effect, as one solution is looked for: jumps can be made in many orders, so `count` counts them.
    method: "auto", the portfolio; "moves": a solution with few moves, with as few as can be where the board is small;
    "reference": the recursive search of the seed, which may not see jumps that start on the edge of a board beyond
    14x14.
    board: jumps made already, with which the solution begins. final: the cell of the last peg, instead of the puzzle's.
    seconds: the budget, 60 by default. memory: bytes that a search may take, 4 GiB by default; less makes beams narrow
    and exact searches give up early. max_nodes: give up after about so many positions. stop: a byte that another thread
    sets to 1 to have the search given up.

    Raises `InputError` for jumps that cannot be made and for a final cell that is none of the board's, `ValueError`
    for arguments out of range.
    """
    check_own(puzzle, "pegs")
    _check_arguments(limit, method, seconds, memory, max_nodes)
    if final is not None:
        puzzle = replace(puzzle, final=final)
    made = _legal(puzzle, board)
    hunt, budget = _Hunt(puzzle, made, memory or MEMORY, max_nodes or 0, kernel), seconds or SECONDS
    if not hunt.finals and method != "reference":
        return hunt.outcome(IMPOSSIBLE)
    with _Alarm(budget, stop) as alarm:
        if method == "reference":
            return hunt.reference(alarm)
        return hunt.few_moves(alarm, budget) if method == "moves" else hunt.portfolio(alarm, budget)


def solve_runs(puzzles: Sequence[Puzzle], limit: int | None = None, **options: Any) -> Iterator[list[Outcome]]:
    """`solve` for several puzzles: their results in order, in lists, each as soon as it is there."""
    for puzzle in puzzles:
        yield [solve(puzzle, limit, **options)]


def count(
    puzzle: Puzzle,
    limit: int | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    max_nodes: int | None = None,
    kernel: str | None = None,
) -> Tally:
    """Count jump sequences that end with one peg (where the puzzle wants it), and positions by level, exactly.

    limit: a count from there on is given as `limit`, not complete. seconds: None, no bound. memory: 4 GiB by default.
    max_nodes: positions beyond which it is given up. The compiled kernel gives up at once where pegs can get to more
    than 64 cells.
    """
    check_own(puzzle, "pegs")
    _check_arguments(limit, "auto", seconds, memory, max_nodes)
    bound = min(memory or MEMORY, max_nodes * _BYTES_A_POSITION) if max_nodes else memory or MEMORY
    exact, question = kernels.load("levels", kernel), exact_arguments(puzzle)
    if (number := question[2].bit_count()) > exact.MOST_CELLS:
        why = f"pegs can get to {number} cells; exact counts allow at most {exact.MOST_CELLS}"
        return Tally(0, (), complete=False, why=why)
    with _Alarm(seconds, None) as alarm:
        sequences, levels, complete = exact.count(*question, bound, alarm)
    if not complete:
        why = "more positions than fit the memory, the time or the bound on nodes"
        return Tally(0, tuple(levels), complete=False, why=why)
    if limit is not None and sequences >= limit:
        return Tally(limit, tuple(levels), complete=False)
    return Tally(sequences, tuple(levels), complete=True)


def is_unique(puzzle: Puzzle) -> bool:
    """True when exactly one sequence of jumps wins, proved."""
    tally = count(puzzle, 2)
    return tally.complete and tally.count == 1


def backbone(puzzle: Puzzle) -> NoReturn:
    """Solutions are jumps here: they share no cells. Raises `InputError`."""
    check_own(puzzle, "pegs")
    raise input_error("not-offered", "the game pegs has no backbone: its solutions are jumps, not cells")


def candidates(puzzle: Puzzle) -> tuple[()]:
    """Solutions are jumps here."""
    return ()


def exact_arguments(puzzle: Puzzle) -> KernelArguments:
    """What exact searches are asked: the puzzle without the cells where no peg ever gets.

    That changes no game that can be played, and the compiled kernel takes no more than 64 cells.
    """
    height, width, cells, pegs, finals = puzzle.kernel_arguments
    jumps, before, reached = jumps_of(height, width, cells), 0, pegs
    while reached != before:
        before = reached
        for _, from_bit, over_bit, to_bit in jumps:
            if reached & from_bit and reached & over_bit:
                reached |= to_bit
    return height, width, reached, pegs, finals & reached


def engine(height: int, width: int, kernel: str | None = None) -> kernels.Search:
    """The kernel for boards of this shape."""
    return kernels.load("search", kernel)


_BYTES_A_POSITION = 64  # of a count, about
_NO_BOUND = 1 << 62  # nodes: never reached, and fits a word of the kernels


def _check_arguments(
    limit: int | None, method: str, seconds: float | None, memory: int | None, max_nodes: int | None
) -> None:
    for argument, value in (("limit", limit), ("memory", memory), ("max_nodes", max_nodes)):
        if value is not None and value < 1:
            raise ValueError(f"{argument} must be 1 or more, or None, not {value}")
    if seconds is not None and not seconds > 0:
        raise ValueError(f"seconds must be above 0, or None, not {seconds}")
    if method not in METHODS:
        known = ", ".join(METHODS)
        raise input_error("unknown-method", f"there is no method {method!r} for peg solitaire (methods: {known})")


def _legal(puzzle: Puzzle, board: Play | None) -> tuple[Jump, ...]:
    """The jumps made already, if they can be made."""
    if board is None:
        return ()
    for wrong in rules.check(puzzle, board, ["illegal-jump"]):
        raise input_error("board-conflict", wrong.message)
    return board.jumps


class _Alarm:
    """A byte that becomes 1 when the time is up or when the caller's byte does: kernels look at one only.

    Without a time it is the caller's byte: to start a thread takes longer than a narrow beam.
    """

    def __init__(self, seconds: float | None, outer: bytearray | None) -> None:
        self.byte = bytearray(1) if outer is None or seconds is not None else outer
        self.outer = outer
        self.over = threading.Event()
        self.end = math.inf if seconds is None else time.monotonic() + seconds

    def __enter__(self) -> bytearray:
        if self.end < math.inf:
            threading.Thread(target=self._watch, daemon=True).start()
        return self.byte

    def __exit__(self, *_: object) -> None:
        self.over.set()

    def _watch(self) -> None:
        while not self.over.wait(self._pause()):
            if (self.outer is not None and self.outer[0]) or self._left() <= 0:
                self.byte[0] = 1
                return

    def _left(self) -> float:
        return self.end - time.monotonic()

    def _pause(self) -> float:
        # Waits have a limit, which is less than some people's patience.
        return min(max(self._left(), 0.0), 60.0 if self.outer is None else 0.02)


class _Hunt:
    """One run of the portfolio: what was found and spent so far.

    proof: what was proved, refuting all cells in which the last peg might be but those of the mask `finals`.
    searched: up to how many positions a depth-first search was made in vain.
    """

    def __init__(self, puzzle: Puzzle, made: tuple[Jump, ...], memory: int, max_nodes: int, kernel: str | None) -> None:
        self.puzzle, self.made, self.memory, self.max_nodes = puzzle, made, memory, min(max_nodes, _NO_BOUND)
        self.now = replace(puzzle, pegs=after(puzzle, made))
        self.search, self.levels = kernels.load("search", kernel), kernels.load("levels", kernel)
        self.moves = kernels.load("moves", kernel)
        once, each = _BEAMED[kernel_name(self.search)]
        self.widest = memory // (once + each * self.now.number)
        self._prove(proofs.by_class(self.now))
        self.nodes = self.searched = 0
        self.best: tuple[Jump, ...] = ()

    def _prove(self, proof: Proof) -> None:
        self.proof = proof
        self.finals = self.now.finals & ~proof.refuted(self.now)

    @property
    def question(self) -> KernelArguments:
        """What kernels are asked."""
        return *self.now.kernel_arguments[:4], self.finals

    @property
    def exact_question(self) -> KernelArguments:
        """What kernels for exact searches are asked."""
        height, width, cells, pegs, finals = exact_arguments(self.now)
        return height, width, cells, pegs, finals & self.finals

    def portfolio(self, alarm: bytearray, seconds: float) -> Outcome:
        """The attempts of the schedule, one by one."""
        for name, share, *options in _attempts():
            with _Alarm(share * seconds if share < 1 else None, alarm) as bell:
                outcome: Outcome | None = getattr(self, f"_{name}")(bell, *options)
            if outcome is not None:
                return outcome
            if not self.finals:
                return self.outcome(IMPOSSIBLE)
            if alarm[0] or self._is_spent():
                break
        return self.outcome(UNDECIDED)

    def few_moves(self, alarm: bytearray, seconds: float) -> Outcome:
        """Beams for a start, the exact search as far as memory and half the time allow, wider beams."""
        self._few(alarm, _NARROW)
        if not self._is_won(self.best):
            self._refute(alarm, 10, True)
            if not self.finals:
                return self.outcome(IMPOSSIBLE)
        with _Alarm(seconds / 2, alarm) as bell:
            found = self._in_turn(self._fewest, bell)
        if found == 1:
            return replace(self.outcome(SOLVED), fewest=True)
        if found != 0:
            with _Alarm(seconds / 4, alarm) as bell:
                self._few(bell, _WIDE)
        # Where there is no solution the portfolio has the proof.
        return self.outcome(SOLVED) if self._is_won(self.best) else self.portfolio(alarm, seconds)

    def _few(self, alarm: bytearray, sizes: Sequence[int]) -> None:
        for size, weight in product(sizes, _WEIGHTS):
            if alarm[0] or self._is_spent():
                return
            found, jumps, nodes = self.moves.few(*self.question, self._width(size), weight, 1, alarm)
            self.nodes += nodes
            if found == 1 and not (self._is_won(self.best) and self._move_count(self.best) <= self._move_count(jumps)):
                self.best = jumps

    def _fewest(self, alarm: bytearray) -> int:
        """1: the best solution has the fewest moves; 0: there is none; -1: not told.

        The kernel begins with a new move, but the peg that has jumped last may go on with its own: each of the runs by
        which it can is asked for.
        """
        ways: list[tuple[Jump, ...]] = []
        for run, pegs in self._goings_on():
            question = exact_arguments(replace(self.now, pegs=pegs))
            found, jumps, _ = self.levels.fewest(*question[:4], question[4] & self.finals, self._room(), alarm)
            if found == -1:
                return -1
            if found == 1:
                ways.append((*run, *jumps))
        if ways:
            self.best = min(ways, key=self._move_count)
        return int(bool(ways))

    def _goings_on(self) -> Iterator[tuple[tuple[Jump, ...], int]]:
        """The runs by which the peg that has jumped last can go on, none first, with the pegs after them."""
        waiting: list[tuple[tuple[Jump, ...], int]] = [((), self.now.pegs)]
        seen: set[tuple[Cell, int]] = set()
        for run, pegs in waiting:  # it grows
            yield run, pegs
            if not (jumps := (*self.made, *run)):
                return
            for jump, left in self._jumps_from(landing(jumps[-1]), pegs):
                if (reached := (landing(jump), left)) not in seen:
                    seen.add(reached)
                    waiting.append(((*run, jump), left))

    def _jumps_from(self, cell: Cell, pegs: int) -> Iterator[tuple[Jump, int]]:
        """The jumps of the peg in a cell, with the pegs after each."""
        for jump, start, over, end in jumps_of(self.now.height, self.now.width, self.now.cells):
            if jump[:2] == cell and pegs & over and not pegs & end:
                yield jump, pegs ^ start ^ over ^ end

    def _move_count(self, jumps: tuple[Jump, ...]) -> int:
        """The number of moves with such jumps after those made already."""
        return run_count((*self.made, *jumps))

    def _is_spent(self) -> bool:
        """Whether as many positions were looked at as may be."""
        return bool(self.max_nodes) and self.nodes >= self.max_nodes

    def _bounded(self, positions: int) -> int:
        """At most so many positions, and one at least."""
        return max(1, min(positions, self.max_nodes - self.nodes)) if self.max_nodes else max(1, positions)

    def _width(self, size: int) -> int:
        """The size of a beam, as far as memory and nodes go."""
        return self._bounded(min(size, self.widest))

    def _room(self) -> int:
        """The memory of an exact search, less where few positions may be looked at."""
        return min(self.memory, self._bounded(self.memory) * _BYTES_A_POSITION)

    def _is_won(self, jumps: tuple[Jump, ...]) -> bool:
        left = after(self.now, jumps)
        return left.bit_count() == 1 and bool(left & self.finals)

    def reference(self, alarm: bytearray) -> Outcome:
        """The seed's search. That it finds nothing proves nothing where pegs on its edge take no part."""
        height, width, cells, pegs, _ = self.now.kernel_arguments
        found, self.best, self.nodes = self.search.reference(height, width, cells, pegs, self.max_nodes, alarm)
        if self._is_won(self.best):
            return self.outcome(SOLVED)
        if found == 0 and offset(height, width):
            return self._exhausted(self.nodes, proofs.CALL)
        return replace(self.outcome(UNDECIDED), unit=proofs.CALL)

    def _beam(self, alarm: bytearray, size: int, score: int, seed: int) -> Outcome | None:
        return self._noted(*self.search.beam(*self.question, self._width(size), score, seed, alarm))

    def _search(self, alarm: bytearray, positions: int, most_pegs: int = _MOST_PEGS) -> Outcome | None:
        bound = self._bounded(min(positions, self.memory // _TABLED))
        if bound <= self.searched or self.now.number > most_pegs:
            return None
        self.searched = bound
        return self._noted(*self.search.search(*self.question, bound, alarm))

    def _decide(self, alarm: bytearray) -> Outcome | None:
        return self._in_turn(self._decided, alarm)

    def _decided(self, alarm: bytearray) -> Outcome | None:
        return self._noted(*self.levels.decide(*self.exact_question, self._room(), alarm))

    def _in_turn(self, search: Callable[[bytearray], _Found], alarm: bytearray) -> _Found | None:
        """A search that may take all the memory, when no other thread's does."""
        while not _memory_in_use.acquire(timeout=0.02):
            if alarm[0]:
                return None
        try:
            return search(alarm)
        finally:
            _memory_in_use.release()

    def _refute(self, alarm: bytearray, max_nodes: int, hasty: bool) -> None:
        self._prove(proofs.examine(self.now, alarm, max_nodes, hasty=hasty, known=self.proof))

    def _noted(self, found: int, jumps: tuple[Jump, ...], nodes: int) -> Outcome | None:
        self.nodes += nodes
        if found == 1:
            return self._solved(jumps)
        if found == 0:
            return self._exhausted(nodes)
        self.best = max(self.best, jumps, key=len)
        return None

    def _solved(self, jumps: tuple[Jump, ...]) -> Outcome:
        self.best = jumps
        return self.outcome(SOLVED)

    def _exhausted(self, number: int, unit: str = proofs.POSITION) -> Outcome:
        cells = grid.cells(self.finals, self.now.width) if self.proof.parts else ()
        self._prove(Proof((*self.proof.parts, *Proof.exhaustion(number, cells, unit).parts)))
        return self.outcome(IMPOSSIBLE)

    def outcome(self, verdict: str) -> Outcome:
        """The answer, with what was found so far."""
        play = Play(self.puzzle.height, self.puzzle.width, (*self.made, *self.best))
        solutions = (Solution(self.puzzle, play.jumps),) if verdict == SOLVED else ()
        return Outcome(self.puzzle, verdict, solutions, self.proof if verdict == IMPOSSIBLE else None, self.nodes, play)


def _attempts() -> Iterator[_Attempt]:
    """The schedule, then beams with new noise, in turn those that help most often, for as long as there is time."""
    yield from _SCHEDULE
    for number in count_from(1):
        yield "beam", 1, 300, 2, 2 * number + 48
        yield "beam", 1, 10_000, 2, 2 * number + 5
        yield "beam", 1, 30_000, 1, number + 1
        yield "beam", 1, 30_000, 0, number
