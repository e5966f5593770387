"""New boards of peg solitaire, solvable by construction: played backwards from one peg.

A jump backwards takes a peg out of a cell and puts two into the empty cells in line beside it. From a single peg, drawn
backward jumps reach the number of pegs asked for; where none is possible before, the play begins anew. Where all such
plays get stuck, as they do when about a sixth of the cells is left empty, many are made side by side in a beam. So each
board has a solution, the way back; whether it is hard is measured (`dnd.pegs.rate`: how many of all games win).

The same request makes the same boards everywhere: board n of a seed depends on nothing but the request, the seed and n,
and of Python's generator only `random()` is used, whose numbers Python promises to keep.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from random import Random
from typing import NamedTuple, TypeVar

from dnd.diagnostic import input_error
from dnd.grid import indices
from dnd.pegs.draw import STEPS
from dnd.pegs.explainer import LEVELS, UNCOUNTED, Rating, rate
from dnd.pegs.kernel.search_py import Board, pairs_of
from dnd.pegs.puzzle import Puzzle, check_shape, jumps_of
from dnd.requests import Asked, Grammar, choice, flag, numbers, seed_text, whole, word

T = TypeVar("T")

RANGES = ()
BOARDS = {
    "english": ("##ooo##", "##ooo##", "ooooooo", "ooooooo", "ooooooo", "##ooo##", "##ooo##"),
    "french": ("##ooo##", "#ooooo#", "ooooooo", "ooooooo", "ooooooo", "#ooooo#", "##ooo##"),
    "asymmetric": ("##ooo###", "##ooo###", "##ooo###", "oooooooo", "oooooooo", "oooooooo", "##ooo###", "##ooo###"),
    "diamond": (
        "####o####",
        "###ooo###",
        "##ooooo##",
        "#ooooooo#",
        "ooooooooo",
        "#ooooooo#",
        "##ooooo##",
        "###ooo###",
        "####o####",
    ),
    "wiegleb": (
        "###ooo###",
        "###ooo###",
        "###ooo###",
        "ooooooooo",
        "ooooooooo",
        "ooooooooo",
        "###ooo###",
        "###ooo###",
        "###ooo###",
    ),
}

_RATING_MEMORY = 1 << 26  # bytes
_ATTEMPTS = 500  # plays at random
_WIDTHS = (*[30] * 20, *[100] * 20, *[300] * 5)  # of beams, one after the other, where no play at random gets so far


_GRAMMAR = Grammar(
    "pegs", "a request looks like pegs:english, pegs:9x9:40#seed or pegs:12x12:60:10%:final#seed (width x height)"
)


class Request(NamedTuple):
    """What boards of a seed have in common.

    board: a name of `BOARDS` or WIDTHxHEIGHT. pegs: how many; None: half the cells. missing: the percentage of a
    rectangle's cells that are left out. final: whether the last peg's cell is part of the task.
    """

    board: str
    pegs: int | None
    missing: int
    difficulty: str | None
    final: bool
    seed: str

    def text(self, number: int) -> str:
        """The request for the board of that number alone, as `parse_request` reads it."""
        fields = (
            self.board,
            None if self.pegs is None else str(self.pegs),
            f"{self.missing}%" if self.missing else None,
            self.difficulty,
            "final" if self.final else None,
        )
        return _GRAMMAR.text(fields, self.seed, number)


def generate(
    board: str = "english",
    *,
    pegs: int | None = None,
    missing: int = 0,
    difficulty: str | None = None,
    final: bool = False,
    seed: int | str | None = None,
    count: int | None = 1,
    start: int = 0,
) -> Iterator[Puzzle]:
    """Boards that can be won; the name of each is the request that makes it again.

    board: a name of `BOARDS`, or `WxH` for a rectangle of W columns and H rows. pegs: how many, None: half the cells.
    missing: percentage of a rectangle's cells that are left out at random. difficulty: one of `explainer.LEVELS`, None:
    as it comes. final: whether the puzzle names the last peg's cell. seed: random if None. count: how many, None: no
    end. start: the number of the first board in the seed's stream.

    Raises `InputError` for a request that no board can meet, or none was found to meet after many attempts.
    """
    request = Request(
        word("board", board),
        None if pegs is None else whole("pegs", pegs),
        whole("missing", missing),
        choice("difficulty", difficulty, LEVELS),
        flag("final", final),
        seed_text(seed),
    )
    _check(request)
    return (_make(request, number) for number in numbers(start, count))


def rating_of(puzzle: Puzzle) -> Rating:
    """The rating of a puzzle that was made here; uncounted where that takes more than some seconds."""
    return rate(puzzle, memory=_RATING_MEMORY)


_SIZE = re.compile(r"([0-9]{1,4})x([0-9]{1,4})")


def parse_request(text: str) -> Asked:
    """The arguments of `generate` that a text such as `pegs:9x9:40:10%:final#seed/3` or `pegs:english:hard` asks for.

    The board, then in any order the number of pegs, a percentage of missing cells, a level, the word `final`. Behind
    `#` a seed, of letters, digits and `_.-`, and after `/` the number of its first board (from 0).
    Raises `InputError` bad-request.
    """
    return _GRAMMAR.parse(text, lambda board: {"board": board}, _field)


def _field(text: str) -> tuple[str, object]:
    if text in LEVELS:
        return "difficulty", text
    if text == "final":
        return "final", True
    if found := re.fullmatch(r"([0-9]{1,4})(%?)", text):
        return "missing" if found[2] else "pegs", int(found[1])
    raise _GRAMMAR.error(text, f"is not a number of pegs, a percentage, or one of {', '.join((*LEVELS, 'final'))}")


def _check(request: Request) -> None:
    """Raise `InputError` for a request that is out of range."""
    sides = _SIZE.fullmatch(request.board)
    if request.board not in BOARDS and not sides:
        raise _GRAMMAR.error(request.board, f"is not the size of a board, or one of {', '.join(BOARDS)}")
    if sides:
        check_shape(int(sides[2]), int(sides[1]))
    elif request.missing:
        raise _GRAMMAR.error(f"{request.missing}%", "of the cells cannot be left out of a board with a name")
    if not 0 <= request.missing <= 50:
        raise _GRAMMAR.error(f"{request.missing}%", "is not from 0 to 50 percent")
    number = _full(request, None).cells.bit_count()
    if request.pegs is not None and not 1 <= request.pegs < number:
        raise _GRAMMAR.error(str(request.pegs), f"pegs do not fit: a board of {number} cells takes 1 to {number - 1}")


def _full(request: Request, rng: Random | None) -> Puzzle:
    """The board with a peg in every cell; a rectangle without its missing cells, drawn from the generator if given."""
    if request.board in BOARDS:
        return Puzzle.of(BOARDS[request.board])
    width, height = map(int, request.board.split("x"))
    size = height * width
    kept = list(range(size))
    for _ in range(size * request.missing // 100):
        kept.pop(int(rng.random() * len(kept)) if rng else -1)
    cells = sum(1 << cell for cell in kept)
    return Puzzle(height, width, cells, cells)


def _make(request: Request, number: int) -> Puzzle:
    digest = hashlib.sha256(f"{request.seed}/{number}".encode()).digest()
    rng = Random(int.from_bytes(digest, "big"))
    name = request.text(number)
    wanted = request.pegs or _full(request, None).cells.bit_count() // 2
    most = 0
    for width in (*[0] * _ATTEMPTS, *_WIDTHS):
        if width and most == wanted:
            raise input_error("out-of-reach", f"no {request.difficulty} board found in {_ATTEMPTS} attempts for {name}")
        board = _full(request, rng)
        last = _drawn(list(indices(board.cells)), rng)
        play = Backwards(board.height, board.width, board.cells)
        pegs = play.beam(last, wanted, width, rng) if width else play.at_random(last, wanted, rng)
        most = max(most, pegs.bit_count())
        if pegs.bit_count() < wanted:
            continue
        final = divmod(last, board.width) if request.final else None
        puzzle = Puzzle(board.height, board.width, board.cells, pegs, final, name)
        if request.difficulty is None or _level(puzzle) == request.difficulty:
            return puzzle
    attempts = _ATTEMPTS + len(_WIDTHS)
    message = f"no board with {wanted} pegs found; the fullest of {attempts} attempts got to {most}: {name}"
    raise input_error("out-of-reach", message)


def _level(puzzle: Puzzle) -> str:
    """How hard a board is. That it cannot be told ends the request: what one machine can count another may not."""
    level = rate(puzzle).level
    if level == UNCOUNTED:
        raise input_error("out-of-reach", f"a board has too many cells or positions to be rated: {puzzle.name}")
    return level


@lru_cache(maxsize=16)
def _ways(height: int, width: int, cells: int) -> tuple[tuple[int, int], ...]:
    """For each direction its step from cell to cell, and the mask of the cells from which the board has a jump."""
    starts = [0] * len(STEPS)
    for (*_, way), start, _, _ in jumps_of(height, width, cells):
        starts[way] |= start
    return tuple((down * width + right, mask) for (down, right), mask in zip(STEPS, starts, strict=True))


class Backwards:
    """Plays backwards from a single peg on a board."""

    def __init__(self, height: int, width: int, cells: int) -> None:
        self.height, self.width, self.cells = height, width, cells
        self.ways = _ways(height, width, cells)

    def at_random(self, last: int, number: int, rng: Random) -> int:
        """The pegs after `number` - 1 jumps, each drawn from those possible; fewer pegs where the play gets stuck."""
        pegs = 1 << last
        for _ in range(number - 1):
            possible = self._possible(pegs)
            total = sum(map(int.bit_count, possible))
            if not total:
                break
            cell, way = self._place(possible, int(rng.random() * total))
            step, _ = self.ways[way]
            pegs ^= 1 << cell | 1 << cell + step | 1 << cell + 2 * step
        return pegs

    def _possible(self, pegs: int) -> list[int]:
        """For each direction the empty cells from which a peg can have jumped."""
        empty = self.cells & ~pegs
        return [starts & empty & _moved(empty, -step) & _moved(pegs, -2 * step) for step, starts in self.ways]

    def _place(self, possible: Sequence[int], index: int) -> tuple[int, int]:
        """Cell and direction of a possible jump by its index, in the order of cells, then of directions."""

        def before(cell: int) -> int:
            mask = (1 << cell) - 1
            return sum((cells & mask).bit_count() for cells in possible)

        cell = bisect_right(range(self.height * self.width), index, key=before) - 1
        here = [way for way, cells in enumerate(possible) if cells >> cell & 1]
        return cell, here[index - before(cell)]

    def beam(self, last: int, number: int, width: int, rng: Random) -> int:
        """The same with `width` plays side by side, one of which is drawn in the end: those get further in which the
        empty cells keep together.

        Empty cells are played, as a jump backwards is a jump of theirs. Of the kernels' beams each keeps other
        positions, and this one must make the same boards on all machines.
        """
        game, pairs = Board(self.height, self.width, self.cells), pairs_of(self.height, self.width)
        level = [self.cells ^ 1 << last]
        for _ in range(number - 1):
            found = dict.fromkeys(chain.from_iterable(map(game.after, level)))
            if not found:
                break
            level = sorted(found, key=lambda empty: pairs(empty) + rng.random(), reverse=True)[:width]
        return self.cells ^ _drawn(level, rng)


def _moved(mask: int, step: int) -> int:
    return mask << step if step >= 0 else mask >> -step


def _drawn(some: Sequence[T], rng: Random) -> T:
    """One of a sequence, drawn."""
    return some[int(rng.random() * len(some))]
