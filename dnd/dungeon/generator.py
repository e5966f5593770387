"""New dungeons: drawn at random, unique by proof, with their rating.

The kernel draws a layout (`kernel.generate_py` says how): rooms, hallways, and with them monsters in the dead ends.
Its clues make a puzzle, and the exact engine counts its solutions up to two. A puzzle with one is kept; after one with
two the next layout is drawn. How many rooms, dead ends, loops and walls there are is drawn from what the 64 levels of
the game have (docs/generate.md).

The same request makes the same puzzles everywhere: puzzle n of a seed depends on nothing but the request, the seed and
n. Layouts are integer arithmetic, and of the engine only proofs are used, which no choice of kernel can change.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from dnd.diagnostic import input_error
from dnd.dungeon import kernel as kernels
from dnd.dungeon.puzzle import Puzzle, Solution, check_shape
from dnd.dungeon.solver import SEARCH_CELLS, engine
from dnd.requests import SYMMETRIES, Asked, Grammar, Range, bounds, choice, numbers, seed_text, symmetry_of, whole

if TYPE_CHECKING:
    from dnd.dungeon.explainer import Rating

LEVELS = ("easy", "medium", "hard", "expert", "beyond logic")
MAX_SIDE = 20
RANGES = ("treasures", "monsters")

_LAYOUTS = 50_000  # drawn for one puzzle, most of which end early, before a request is called out of reach
_PROOFS = 400_000  # layouts proved unique or not, times the cells of each, likewise
_PATIENCE = 3_000_000  # nodes; a proof that takes more ends in an error
_WORD = (1 << 64) - 1
_STRIDE = 0xD1342543DE82EF95  # between the seeds of two layouts; any odd number far from splitmix's own would do

# What the 64 levels have, as draws for 64 cells. Several rooms fail more often than one, so they are drawn more often.
_ROOMS = (0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3)
_WALLS = (22, 23, 24, 25, 26, 27, 28, 29, 30, 32)
_ENDS = (1, 1, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 8)
_LOOPS = (0, 0, 0, 0, 1, 1, 1, 2, 2, 3)
_BLOCKS = (0, 0, 0, 1, 1, 2, 3, 3)
# Beyond 200 cells, monsters must be many, or most layouts have several solutions and the others a long proof.
_LARGE = 200
_MANY_ENDS = (5, 6, 6, 7, 7, 8, 8)
# Nearly all dungeons beyond logic are of this kind.
_NO_ROOMS = (0,)
_FEW_ENDS = (1, 1, 2, 3, 3, 4)

# The least and the most nodes of a puzzle of each level, or nearly so: who is outside need not be rated. For the search
# engine alone, whose nodes do not depend on the kernel.
_NODES = {"easy": (1, 1), "medium": (1, 5), "hard": (1, 30), "expert": (3, 1 << 60), "beyond logic": (60, 1 << 60)}


@dataclass(frozen=True, eq=False, repr=False)
class NewPuzzle(Puzzle):
    """A puzzle as it was made: equal to any `Puzzle` with the same clues and objects, but knows more about itself."""

    walls: int = field(default=0, kw_only=True)

    @property
    def solution(self) -> Solution:
        """The only solution."""
        return Solution(self, self.walls)

    @cached_property
    def rating(self) -> Rating:
        """How hard it is (`dnd.dungeon.explainer.rate`)."""
        from dnd.dungeon.explainer import rate  # puzzles are made much faster than rated

        return rate(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Puzzle) and self.kernel_arguments == other.kernel_arguments

    __hash__ = Puzzle.__hash__


def rating_of(puzzle: NewPuzzle) -> Rating:
    """The rating of a puzzle that was made here: where a level was asked for, it is known already."""
    return puzzle.rating


_GRAMMAR = Grammar(
    "dungeon", "a request looks like 8x8, or 10x8:hard:treasures=1-2:monsters=3-6:half-turn#seed (width x height)"
)


class Request(NamedTuple):
    """What puzzles of a seed have in common. treasures, monsters: the least and the most of them."""

    height: int
    width: int
    difficulty: str | None
    treasures: Range | None
    monsters: Range | None
    symmetry: str | None
    seed: str

    def text(self, number: int) -> str:
        """The request for the puzzle of that number alone, as `parse_request` reads it."""
        level = self.difficulty and self.difficulty.replace(" ", "-")
        ranges = [f"{what}={_shown(known)}" for what, known in self.ranges() if known]
        fields = (f"{self.width}x{self.height}", level, *ranges, self.symmetry)
        return _GRAMMAR.text(fields, self.seed, number)

    def ranges(self) -> tuple[tuple[str, Range | None], ...]:
        """The ranges with their names."""
        return ("treasures", self.treasures), ("monsters", self.monsters)


def generate(
    height: int = 8,
    width: int = 8,
    *,
    difficulty: str | None = None,
    treasures: Range | int | None = None,
    monsters: Range | int | None = None,
    symmetry: str | None = None,
    seed: int | str | None = None,
    count: int | None = 1,
    start: int = 0,
) -> Iterator[NewPuzzle]:
    """Puzzles with exactly one solution, proved; the name of each is the request that makes it again.

    height, width: 1 to 20. difficulty: one of `LEVELS` (`dnd.rate`), None: as it comes. treasures, monsters: how many,
    or the least and the most; None: as the size makes it likely. symmetry: one of `SYMMETRIES`, for the whole dungeon;
    the last two need a square. seed: random if None. count: how many, None: no end. start: the number of the first
    puzzle in the seed's stream, for those who share a stream out among workers.

    Raises `InputError` for a request that no puzzle can meet, at once where counting shows it, else after many
    attempts; and where a proof takes too long, on large boards with few monsters.
    """
    request = Request(
        whole("height", height),
        whole("width", width),
        choice("difficulty", difficulty, LEVELS),
        None if treasures is None else bounds("treasures", treasures),
        None if monsters is None else bounds("monsters", monsters),
        symmetry_of(symmetry, height, width),
        seed_text(seed),
    )
    _check(request)
    return (_make(request, number) for number in numbers(start, count))


def _shown(known: Range) -> str:
    return "-".join(map(str, dict.fromkeys(known)))


# ---------------------------------------------------------------- requests

_RANGE = re.compile(r"(treasures|monsters)=([0-9]{1,9})(?:-([0-9]{1,9}))?")


def parse_request(text: str) -> Asked:
    """The arguments of `generate` that a text such as `8x8:hard:treasures=1-2:half-turn#seed/3` asks for.

    Width x height, then in any order a level, ranges of treasures and monsters, a symmetry; all but the size may be
    left out. After `#` a seed, of letters, digits and `_.-`, and after `/` the number of its first puzzle (from 0).
    Raises `InputError` bad-request.
    """
    return _GRAMMAR.parse(text, _GRAMMAR.size, _field)


def _field(text: str) -> tuple[str, object]:
    if (level := text.replace("-", " ")) in LEVELS:
        return "difficulty", level
    if text in SYMMETRIES:
        return "symmetry", text
    known = _RANGE.fullmatch(text)
    if known:
        return known[1], (int(known[2]), int(known[3] or known[2]))
    words = [level.replace(" ", "-") for level in LEVELS]
    raise _GRAMMAR.error(text, f"is not one of {', '.join((*words, *SYMMETRIES))}, nor treasures=A-B or monsters=A-B")


def _check(request: Request) -> None:
    """Raise `InputError` for a request that is out of range or that, by counting, no puzzle can meet."""
    height, width = request.height, request.width
    check_shape(height, width)
    if max(height, width) > MAX_SIDE:
        message = f"a board of {width}x{height} is too large; new dungeons have at most {MAX_SIDE} cells a side"
        raise input_error("too-large", message)
    for what, span in request.ranges():
        if span and not 0 <= span[0] <= span[1]:
            raise input_error("bad-range", f"{what} {_shown(span)}; the smaller number comes first, and is at least 0")
    _check_numbers(request)


def _check_numbers(request: Request) -> None:
    """Refuse what no dungeon of that size can hold.

    A room is nine cells, and of each of the twelve around it the quarter that faces it: twelve cells in all. Of these
    quarters one for each cell along the edge may lie outside the board. And a room needs an entrance and a way on.
    No cell has more than four ways, so n open cells have at most (2 n + 2) / 3 dead ends.
    """
    height, width = request.height, request.width
    cells = height * width
    if cells < 2:
        raise input_error("no-such-dungeon", "a single cell is not a dungeon: an open cell needs an open neighbour")
    most = (2 * cells + height + width) // 24 if min(height, width) >= 3 and height + width >= 8 else 0
    for (what, span), bound in zip(request.ranges(), (most, (2 * cells + 2) // 3), strict=True):
        if span and span[0] > bound:
            raise input_error(
                "no-such-dungeon", f"{width}x{height} dungeons have at most {bound} {what}, not {span[0]}"
            )
        if span and span[1] // _partners(request) * _partners(request) < span[0]:
            by = f"{_partners(request)} with symmetry {request.symmetry}"
            raise input_error("no-such-dungeon", f"the number of {what} is a multiple of {by}, not {_shown(span)}")


def _partners(request: Request) -> int:
    """How many of one another's images there are of each monster, and of each treasure.

    A cell that turns or a diagonal leave in its place has open neighbours in pairs: it is not a dead end. Nor do they
    leave a cell of a room's border in its place, such as its entrance.
    """
    sides = {"left-right": request.width, "up-down": request.height}
    if request.symmetry in sides:
        return 1 if sides[request.symmetry] % 2 else 2
    return {None: 1, "quarter-turn": 4}.get(request.symmetry, 2)


# ---------------------------------------------------------------- one puzzle


def _make(request: Request, number: int) -> NewPuzzle:
    for puzzle in _unique(request, number):
        if request.difficulty is None or puzzle.rating.level == request.difficulty:
            return puzzle
    message = f"no dungeon found in many attempts for {request.text(number)}"
    raise input_error("out-of-reach", message, hint="try a wider range, another level or another size")


def _unique(request: Request, number: int) -> Iterator[NewPuzzle]:
    """Puzzles with one solution that may be of the level, of which the first that is becomes puzzle `number`."""
    height, width = request.height, request.width
    name, count = request.text(number), engine(height, width).count
    least, most = _NODES.get(request.difficulty or "", (1, _PATIENCE))
    if height * width > SEARCH_CELLS:
        least, most = 1, _PATIENCE
    for rows, columns, monsters, treasures, walls in islice(_layouts(request, number), _PROOFS // (height * width)):
        found, nodes, complete = count(height, width, rows, columns, monsters, treasures, 0, 0, 2, _PATIENCE, None)
        if found < 2 and not complete:
            message = f"a proof took more than {_PATIENCE:,} nodes for {name}"
            raise input_error("out-of-reach", message, hint="proofs are shorter with more monsters")
        if found == 1 and least <= nodes <= most:
            yield NewPuzzle(rows, columns, monsters, treasures, name, walls=walls)


def _layouts(request: Request, number: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int, int, int]]:
    """Legal dungeons with as many treasures and monsters as asked for."""
    height, width = request.height, request.width
    choices = _choices(height, width, request.treasures, request.monsters, request.difficulty == LEVELS[-1])
    layout = kernels.load("generate").layout
    least, most = request.monsters or (0, height * width)
    symmetry = SYMMETRIES[request.symmetry] if request.symmetry else 0
    digest = hashlib.sha256(f"{request.seed}/{number}".encode()).digest()
    seed = int.from_bytes(digest[:8], "big")
    for _ in range(_LAYOUTS):
        drawn = layout(height, width, symmetry, seed, *choices)
        seed = seed + _STRIDE & _WORD
        if drawn and least <= drawn[2].bit_count() <= most:
            yield drawn


@cache
def _choices(
    height: int, width: int, treasures: Range | None, monsters: Range | None, beyond_logic: bool
) -> tuple[tuple[int, ...], ...]:
    """What the kernel draws from: numbers of rooms, walls, dead ends, loops, 2x2 squares of walls."""
    cells = height * width

    def scaled(draws: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([(draw * cells + 32) // 64 for draw in draws])

    def within(draws: tuple[int, ...], asked: Range | None) -> tuple[int, ...]:
        if asked is None:
            return draws
        return tuple([draw for draw in draws if asked[0] <= draw <= asked[1]]) or tuple(range(asked[0], asked[1] + 1))

    rooms = _NO_ROOMS if beyond_logic or min(height, width) <= 4 else scaled(_ROOMS)
    ends = scaled(_MANY_ENDS if cells > _LARGE else _FEW_ENDS if beyond_logic else _ENDS)
    return within(rooms, treasures), scaled(_WALLS), within(ends, monsters), scaled(_LOOPS), scaled(_BLOCKS)
