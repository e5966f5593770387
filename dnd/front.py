"""The functions that take puzzles of any game: each finds the puzzle's game and calls its function of that name.

Results and options are those of the puzzle's game; the overloads tell mypy and editors which. A value that is not a
puzzle is a TypeError; what a game does not offer is an `InputError` not-offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, overload

from dnd.diagnostic import Diagnostic, input_error
from dnd.game import (
    DEFAULT,
    Answer,
    AnyGame,
    Board,
    Explainer,
    Explanation,
    Puzzle,
    Rating,
    Solution,
    Solutions,
    Step,
    game,
    game_names,
    game_of,
)

if TYPE_CHECKING:
    from dnd import dungeon, pegs, suguru
    from dnd.dungeon.rules import AnyBoard as DungeonBoard
    from dnd.pegs.rules import AnyPlay
    from dnd.suguru.rules import AnyBoard as SuguruBoard

_SOLVE: dict[type, Callable[..., Answer]] = {}  # by class of puzzle: looked up once, since a call takes microseconds


@overload
def solve(
    puzzle: dungeon.Puzzle, limit: int | None = None, method: str = "auto", **options: object
) -> Solutions[dungeon.Solution]: ...
@overload
def solve(
    puzzle: suguru.Puzzle, limit: int | None = None, method: str = "auto", **options: object
) -> Solutions[suguru.Solution]: ...
@overload
def solve(puzzle: pegs.Puzzle, limit: int | None = None, method: str = "auto", **options: object) -> pegs.Outcome: ...
@overload
def solve(puzzle: Puzzle, limit: int | None = None, method: str = "auto", **options: object) -> Answer: ...
def solve(puzzle: object, limit: int | None = None, method: str = "auto", **options: object) -> Answer:
    """Solve a puzzle: a `Solutions`, of peg solitaire an `Outcome` (solved, impossible or undecided).

    limit: stop after that many solutions; None: find all (of peg solitaire, where jumps can be made in many orders, one
    is looked for in any case). method: "auto", or another of the game's. board: only solutions that extend this board
    of the game. max_nodes: give up after that much work. kernel: "c" or "py" instead of the default choice. stop: a
    byte that another thread sets to 1 to have the search given up soon. Peg solitaire takes seconds, memory and final
    besides.

    Raises `InputError` for a board that does not fit the puzzle, ValueError for arguments out of range.
    """
    try:
        solver = _SOLVE[type(puzzle)]
    except KeyError:
        solver = _SOLVE[type(puzzle)] = game_of(puzzle).solver.solve
    return solver(puzzle, limit, method, **options) if options else solver(puzzle, limit, method)


@overload
def count(puzzle: dungeon.Puzzle, limit: int | None = None, **options: object) -> Solutions[dungeon.Solution]: ...
@overload
def count(puzzle: suguru.Puzzle, limit: int | None = None, **options: object) -> Solutions[suguru.Solution]: ...
@overload
def count(puzzle: pegs.Puzzle, limit: int | None = None, **options: object) -> pegs.Tally: ...
@overload
def count(puzzle: Puzzle, limit: int | None = None, **options: object) -> Answer: ...
def count(puzzle: object, limit: int | None = None, **options: object) -> Answer:
    """Count the solutions without keeping them; of peg solitaire a `Tally` of the sequences of jumps that win.

    limit: stop counting there; None: count all. `complete` says whether the count is exact. options: max_nodes; of
    peg solitaire also seconds, memory, kernel.
    """
    return game_of(puzzle).solver.count(puzzle, limit, **options)


def is_unique(puzzle: Puzzle) -> bool:
    """True when it is proved that the puzzle has exactly one solution (of peg solitaire: one sequence of jumps)."""
    return game_of(puzzle).solver.is_unique(puzzle)


@overload
def difference(puzzle: dungeon.Puzzle) -> tuple[dungeon.Solution, dungeon.Solution] | None: ...
@overload
def difference(puzzle: suguru.Puzzle) -> tuple[suguru.Solution, suguru.Solution] | None: ...
def difference(puzzle: object) -> tuple[Solution[Board], Solution[Board]] | None:
    """Two different solutions, or None when there are not two."""
    owner = game_of(puzzle)
    if owner.slow:
        raise owner.lacks("two solutions to compare")
    found = owner.solver.solve(puzzle, 2).solutions
    return (found[0], found[1]) if len(found) == 2 else None


def solvable(puzzle: Puzzle, board: object) -> bool:
    """True when at least one solution extends the board. Raises `InputError` undecided where the solver gives up."""
    answer = game_of(puzzle).solver.solve(puzzle, 1, board=board)
    if not answer.count and not answer.complete:
        raise input_error("undecided", answer.words())
    return answer.count > 0


@overload
def backbone(puzzle: dungeon.Puzzle) -> dungeon.Board | None: ...
@overload
def backbone(puzzle: suguru.Puzzle) -> suguru.Board | None: ...
@overload
def backbone(puzzle: Puzzle) -> Board | None: ...
def backbone(puzzle: object) -> Board | None:
    """The cells that are the same in all solutions, as a partial board; None when there is no solution.

    Peg solitaire has none: its solutions are jumps, not cells.
    """
    return game_of(puzzle).solver.backbone(puzzle)


@overload
def check(puzzle: dungeon.Puzzle, board: DungeonBoard, rules: Iterable[str] | None = None) -> list[Diagnostic]: ...
@overload
def check(puzzle: suguru.Puzzle, board: SuguruBoard, rules: Iterable[str] | None = None) -> list[Diagnostic]: ...
@overload
def check(puzzle: pegs.Puzzle, board: AnyPlay, rules: Iterable[str] | None = None) -> list[Diagnostic]: ...
@overload
def check(puzzle: Puzzle, board: object, rules: Iterable[str] | None = None) -> list[Diagnostic]: ...
def check(puzzle: object, board: object, rules: Iterable[str] | None = None) -> list[Diagnostic]:
    """What a board, partial or complete, does wrong; [] for nothing. rules: their codes, None for all."""
    return game_of(puzzle).rules.check(puzzle, board, rules)


@overload
def hints(puzzle: dungeon.Puzzle, board: DungeonBoard | None = None) -> Iterator[dungeon.Step]: ...
@overload
def hints(puzzle: suguru.Puzzle, board: SuguruBoard | None = None) -> Iterator[suguru.Step]: ...
@overload
def hints(
    puzzle: pegs.Puzzle, board: AnyPlay | None = None, *, seconds: float | None = None
) -> Iterator[pegs.Step]: ...
@overload
def hints(puzzle: Puzzle, board: object = None, **options: object) -> Iterator[Step]: ...
def hints(puzzle: object, board: object = None, **options: object) -> Iterator[Step]:
    """The next steps from the puzzle alone or from a player's board, one after the other, to the end.

    Where the board is wrong, or no step is left, a single hint says so. options: seconds, of peg solitaire.
    """
    return _explainer(puzzle).hints(puzzle, board, **options)


@overload
def hint(puzzle: dungeon.Puzzle, board: DungeonBoard | None = None) -> dungeon.Step: ...
@overload
def hint(puzzle: suguru.Puzzle, board: SuguruBoard | None = None) -> suguru.Step: ...
@overload
def hint(puzzle: pegs.Puzzle, board: AnyPlay | None = None, *, seconds: float | None = None) -> pegs.Step: ...
@overload
def hint(puzzle: Puzzle, board: object = None, **options: object) -> Step: ...
def hint(puzzle: Puzzle, board: object = None, **options: object) -> Step:
    """The easiest next step: the first of `hints`."""
    return next(hints(puzzle, board, **options))


@overload
def explain(puzzle: dungeon.Puzzle, board: DungeonBoard | None = None) -> dungeon.Explanation: ...
@overload
def explain(puzzle: suguru.Puzzle, board: SuguruBoard | None = None) -> suguru.Explanation: ...
@overload
def explain(puzzle: pegs.Puzzle, *, seconds: float | None = None) -> pegs.Explanation: ...
@overload
def explain(puzzle: Puzzle, *arguments: object, **options: object) -> Explanation: ...
def explain(puzzle: object, *arguments: object, **options: object) -> Explanation:
    """The whole path to the solution in steps that a person can follow, from the puzzle or from a board."""
    return _explainer(puzzle).explain(puzzle, *arguments, **options)


@overload
def rate(puzzle: dungeon.Puzzle, **options: object) -> dungeon.Rating: ...
@overload
def rate(puzzle: suguru.Puzzle, **options: object) -> suguru.Rating: ...
@overload
def rate(puzzle: pegs.Puzzle, **options: object) -> pegs.Rating: ...
@overload
def rate(puzzle: Puzzle, **options: object) -> Rating: ...
def rate(puzzle: object, **options: object) -> Rating:
    """How hard a puzzle is for a person. options: memory, of peg solitaire; kernel."""
    return _explainer(puzzle).rate(puzzle, **options)


def _explainer(puzzle: object) -> Explainer:
    owner = game_of(puzzle)
    if owner.explainer is None:
        raise owner.lacks("explanations")
    return owner.explainer


def show(puzzle: object, board: object = None) -> str:
    """The picture in text of a puzzle, of a puzzle and a board, or of a solution."""
    puzzle, board = _parts(puzzle, board)
    owner = game_of(puzzle)
    return owner.draw(puzzle, None if board is None else owner.rules.as_board(puzzle, board))


def _parts(value: Any, board: object) -> tuple[object, object]:  # any: of any game
    """The puzzle and the board; a solution has both."""
    inner = getattr(value, "puzzle", None)
    return (value, board) if inner is None else (inner, value.board if board is None else board)


@overload
def generate(request: str, **options: object) -> Iterator[Any]: ...  # puzzles of the game that the request names
@overload
def generate(request: int | None = None, *arguments: object, **options: object) -> Iterator[dungeon.Puzzle]: ...
def generate(request: str | int | None = None, *arguments: object, **options: object) -> Iterator[Puzzle]:
    """New puzzles, unique by proof; the name of each is the request that makes it again.

    request: what the command line takes, `[GAME:]WIDTHxHEIGHT[:LEVEL][:SYMMETRY][#SEED]` or `pegs:BOARD[:PEGS]...`; a
    request that names no game is for a dungeon. options: those of the game's own `generate`; count: how many (1), None:
    no end. Without a request, or with numbers, it is `dnd.dungeon.generate(height, width, ...)`.

    Raises `InputError` bad-request for a request that no puzzle can meet, at once or after many attempts.
    """
    if not isinstance(request, str):
        sizes = () if request is None else (request, *arguments)
        return _generate(game(DEFAULT), *sizes, **options)
    owner, text = owner_of_request(request)
    asked = owner.generator.parse_request(text) if owner.generator else {}
    if repeated := sorted(asked.keys() & options.keys()):
        raise input_error("bad-request", f"{repeated[0]} is asked for twice, in the request and beside it")
    return _generate(owner, **asked, **options)


def _generate(owner: AnyGame, *arguments: object, **options: object) -> Iterator[Puzzle]:
    if owner.generator is None:
        raise owner.lacks("generator")
    return owner.generator.generate(*arguments, **options)


def owner_of_request(request: str) -> tuple[AnyGame, str]:
    """The game that a request names, and the request. Raises `InputError` bad-request."""
    name, colon, _ = request.partition(":")
    if not colon or not name.isalpha():
        return game(DEFAULT), request
    if name not in game_names() or game(name).generator is None:
        known = ", ".join(one for one in game_names() if game(one).generator)
        raise input_error("bad-request", f"a request begins with one of {known} and a colon, not {name[:40]!r}")
    return game(name), request
