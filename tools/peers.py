"""Dungeons & Diagrams in the languages of general solvers: peers to measure against, and witnesses.

Each peer states all rules anew, from their wording; nothing here comes from the package. All have one signature:

    solve(height, width, rows, columns, monsters, treasures, limit) -> (set of wall masks, complete)

Masks are ints, cell (r, c) is bit r * width + c; clues are None where unknown; limit 0 asks for all solutions.
`complete` is True when the peer proved that there are no solutions but those returned.

`PEERS` maps the four names to such functions, or to None where the solver's package is not installed. `MODELS`
gives the same in two steps, for measurements: `MODELS[name](Board(...))` builds the model, `run(limit)` solves it.

Connectivity is not stated at the start in three of the peers: a model that falls apart is answered with clauses
that forbid just that, and the solver goes on. In the answer-set program it is a rule like the others.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import combinations, product
from typing import Any, NamedTuple, Protocol

Clue = int | None
Clause = list[int]
Result = tuple[set[int], bool]
Solve = Callable[[int, int, Sequence[Clue], Sequence[Clue], int, int, int], Result]


class Square(NamedTuple):
    """A 3x3 square, the cells beside it, and both together as a mask."""

    cells: frozenset[int]
    mask: int
    border: tuple[int, ...]
    border_mask: int


class Shape:
    """What all boards of one shape share. Cells are numbers, row * width + column.

    Built once for each shape: the peers are to be measured with models that are built as fast as Python can.
    """

    def __init__(self, height: int, width: int) -> None:
        self.size = height * width
        self.rows = [list(range(row * width, (row + 1) * width)) for row in range(height)]
        self.columns = [list(range(column, self.size, width)) for column in range(width)]
        self.neighbours = [self._neighbours(cell) for cell in range(self.size)]
        self.blocks = self._squares(2)
        self.rooms = [self._room(cells) for cells in self._squares(3)]
        self.hallway = [list(hallway(cell, self.neighbours[cell])) for cell in range(self.size)]
        self.plain_blocks = [[wall(cell) for cell in block] for block in self.blocks]

    def _neighbours(self, cell: int) -> list[int]:
        row, column = divmod(cell, len(self.columns))
        around = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [self.rows[r][c] for r, c in around if 0 <= r < len(self.rows) and 0 <= c < len(self.columns)]

    def _squares(self, side: int) -> list[list[int]]:
        """All squares of side x side cells."""
        corners = product(range(len(self.rows) - side + 1), range(len(self.columns) - side + 1))
        return [[cell for line in self.rows[r : r + side] for cell in line[c : c + side]] for r, c in corners]

    def _room(self, cells: list[int]) -> Square:
        border = tuple(other for cell in cells for other in self.neighbours[cell] if other not in cells)
        return Square(frozenset(cells), mask_of(cells), border, mask_of(border))


shape_of = lru_cache(Shape)


class Board(NamedTuple):
    """A puzzle."""

    height: int
    width: int
    rows: Sequence[Clue]
    columns: Sequence[Clue]
    monsters: int
    treasures: int

    @property
    def shape(self) -> Shape:
        return shape_of(self.height, self.width)

    def lines(self) -> Iterator[tuple[list[int], int]]:
        """The cells of each line with a known clue, and the clue."""
        cells = self.shape.rows + self.shape.columns
        clues = [*self.rows, *self.columns]
        return ((line, clue) for line, clue in zip(cells, clues, strict=True) if clue is not None)

    def regions(self, walls: int) -> list[int]:
        """The connected regions of open cells, as masks, the largest last."""
        left = {cell for cell in range(self.shape.size) if not walls >> cell & 1}
        found = []
        while left:
            ahead, region = [left.pop()], 0
            while ahead:
                cell = ahead.pop()
                region |= 1 << cell
                more = left.intersection(self.shape.neighbours[cell])
                left -= more
                ahead += more
            found.append(region)
        return sorted(found, key=int.bit_count)


def mask_of(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def cells_of(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


class Model(Protocol):
    """A puzzle as some solver's model."""

    def __init__(self, board: Board) -> None: ...

    def run(self, limit: int) -> Result:
        """Up to `limit` solutions (0: all), and whether there are no others."""


# --- the rules as clauses -----------------------------------------------------------------------------------------


def wall(cell: int) -> int:
    """The variable that is true when the cell is wall; the literal -wall(cell) says that it is open."""
    return cell + 1


def clauses(board: Board) -> list[Clause]:
    """All rules but the counts and connectivity. Variables behind those of the cells are placements of rooms."""
    rooms = placements(board)
    stated = [[-wall(cell)] for cell in cells_of(board.monsters | board.treasures)]
    for cell, neighbours in enumerate(board.shape.neighbours):
        stated += dead_end(neighbours) if board.monsters >> cell & 1 else board.shape.hallway[cell]
    for treasure in cells_of(board.treasures):
        stated.append([variable for variable, square in rooms.items() if treasure in square.cells])
    for variable, square in rooms.items():
        stated += room(variable, square)
    return stated + blocks(board, rooms)


def hallway(cell: int, neighbours: list[int]) -> Iterator[Clause]:
    """If open, the cell has two open neighbours or more: whichever is left out, one of the rest is open."""
    around = [-wall(other) for other in neighbours]
    # With one neighbour or none there is no rest, and the cell cannot be open.
    return ([wall(cell), *rest] for rest in combinations(around, max(len(around) - 1, 0)))


def dead_end(neighbours: list[int]) -> list[Clause]:
    """Exactly one of a monster's neighbours is open."""
    around = [wall(other) for other in neighbours]
    return [[-other for other in around], *map(list, combinations(around, 2))]


def placements(board: Board) -> dict[int, Square]:
    """Where a room could be: squares with one treasure and no monster, whose border has no monster either.

    (A monster is open, so on the border it would stand in the entrance.) Each has a variable: there is a room.
    """
    fitting = (
        square
        for square in board.shape.rooms
        if (square.mask & board.treasures).bit_count() == 1 and not (square.mask | square.border_mask) & board.monsters
    )
    return dict(enumerate(fitting, wall(board.shape.size)))


def room(variable: int, square: Square) -> list[Clause]:
    """Where a room is, its cells are open, and so is exactly one cell of its border."""
    border = [wall(cell) for cell in square.border]
    inside = [[-variable, -wall(cell)] for cell in square.cells]
    at_most_one = [[-variable, one, other] for one, other in combinations(border, 2)]
    return [*inside, [-variable, *[-cell for cell in border]], *at_most_one]


def blocks(board: Board, rooms: dict[int, Square]) -> list[Clause]:
    """No 2x2 block is open, unless one room has all four cells."""
    return [
        plain + [variable for variable, square in rooms.items() if square.cells.issuperset(block)]
        for plain, block in zip(board.shape.plain_blocks, board.shape.blocks, strict=True)
    ]


def cuts(board: Board, regions: list[int]) -> Iterator[Clause]:
    """For each region but the largest: a cell in it, a cell beyond, and all its border walls are too much together."""
    for region in regions[:-1]:
        inside = set(cells_of(region))
        edge = {other for cell in inside for other in board.shape.neighbours[cell]} - inside
        yield [wall(witness(board, region)), wall(witness(board, regions[-1])), *[-wall(cell) for cell in edge]]


def witness(board: Board, region: int) -> int:
    """A cell of the region: one with an object if it can be, since that is open in every model."""
    return next(cells_of(region & (board.monsters | board.treasures) or region))


class Clausal:
    """The loop that three peers share. They give `add` (a clause) and `walls` (of a model, None when there is none)."""

    board: Board

    def add(self, clause: Clause) -> None:
        raise NotImplementedError

    def walls(self) -> int | None:
        raise NotImplementedError

    def run(self, limit: int) -> Result:
        found: set[int] = set()
        while (walls := self.walls()) is not None:
            regions = self.board.regions(walls)
            if len(regions) > 1:
                for cut in cuts(self.board, regions):
                    self.add(cut)
                continue
            found.add(walls)
            if len(found) == limit:
                return found, False
            self.add([-wall(cell) if walls >> cell & 1 else wall(cell) for cell in range(self.board.shape.size)])
        return found, True


class Sat(Clausal):
    """What python-sat's solvers share; they live through all of `run`, so nothing learnt is lost."""

    name: str

    def __init__(self, board: Board) -> None:
        self.board = board
        self.solver = importlib.import_module("pysat.solvers").Solver(name=self.name)
        stated = clauses(board)
        self.top = board.shape.size + len(placements(board))
        self.solver.append_formula(stated)
        for cells, clue in board.lines():
            self.exactly([wall(cell) for cell in cells], clue)

    def exactly(self, literals: list[int], count: int) -> None:
        raise NotImplementedError

    def add(self, clause: Clause) -> None:
        self.solver.add_clause(clause)

    def walls(self) -> int | None:
        if not self.solver.solve():
            return None
        literals: list[int] = self.solver.get_model()[: self.board.shape.size]
        return sum(1 << literal - 1 for literal in literals if literal > 0)

    def run(self, limit: int) -> Result:
        with self.solver:
            return super().run(limit)


class MiniCard(Sat):
    """python-sat's MiniCard: a line's clue is a constraint that the solver knows natively."""

    name = "minicard"

    def exactly(self, literals: list[int], count: int) -> None:
        self.solver.add_atmost(literals, count)
        self.solver.add_atmost([-literal for literal in literals], len(literals) - count)


class Cadical(Sat):
    """python-sat's CaDiCaL: a line's clue becomes clauses, as sequential counters (the fastest of five encodings)."""

    name = "cadical153"

    def exactly(self, literals: list[int], count: int) -> None:
        card = importlib.import_module("pysat.card")
        encoding = card.CardEnc.equals(literals, count, top_id=self.top, encoding=card.EncType.seqcounter)
        self.top = max(self.top, encoding.nv)
        self.solver.append_formula(encoding.clauses)


class CpSat(Clausal):
    """OR-tools' CP-SAT: clues are sums. It cannot go on from a model, so each cut starts it anew."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self.model = self.cp.CpModel()
        count = board.shape.size + len(placements(board))
        self.variables = [self.model.new_bool_var("") for _ in range(count)]
        for clause in clauses(board):
            self.add(clause)
        for cells, clue in board.lines():
            self.model.add(self.cp.LinearExpr.sum([self.variables[cell] for cell in cells]) == clue)

    def add(self, clause: Clause) -> None:
        self.model.add_bool_or(
            [self.variables[lit - 1] if lit > 0 else self.variables[-lit - 1].negated() for lit in clause]
        )

    def walls(self) -> int | None:
        solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        # On these boards (8x8 to 12x12) both cost more than they save; without them it is up to four times faster.
        solver.parameters.cp_model_presolve = False
        solver.parameters.linearization_level = 0
        status = solver.solve(self.model)
        if status == self.cp.INFEASIBLE:
            return None
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            raise RuntimeError(f"CP-SAT gave up: {solver.status_name(status)}")
        return sum(1 << cell for cell in range(self.board.shape.size) if solver.boolean_value(self.variables[cell]))


# --- the rules as an answer-set program ---------------------------------------------------------------------------

PROGRAM = """
{ wall(R,C) } :- cell(R,C,_).
open(R,C) :- cell(R,C,_), not wall(R,C).
next(R,C, R+D,C+E) :- cell(R,C,_), (D,E) = (1,0;-1,0;0,1;0,-1), cell(R+D,C+E,_).

% The counts.
:- row(R,N), #count { C : wall(R,C) } != N.
:- column(C,N), #count { R : wall(R,C) } != N.

% Objects are open; monsters stand exactly in the dead ends; no open cell stands alone.
object(R,C) :- monster(R,C).
object(R,C) :- treasure(R,C).
:- object(R,C), wall(R,C).
:- monster(R,C), #count { X,Y : open(X,Y), next(R,C,X,Y) } != 1.
:- open(R,C), not monster(R,C), #count { X,Y : open(X,Y), next(R,C,X,Y) } < 2.

% Each treasure has a room, named by its middle. A monster beside it would stand in the entrance.
middle(R+D,C+E) :- treasure(R,C), D = -1..1, E = -1..1, cell(R+D-1,C+E-1,_), cell(R+D+1,C+E+1,_).
inside(R,C, R+D,C+E) :- middle(R,C), D = -1..1, E = -1..1.
beside(R,C, X,Y) :- inside(R,C,A,B), next(A,B,X,Y), not inside(R,C,X,Y).
spoilt(R,C) :- inside(R,C,X,Y), monster(X,Y).
spoilt(R,C) :- beside(R,C,X,Y), monster(X,Y).
spoilt(R,C) :- inside(R,C,X,Y), treasure(X,Y), inside(R,C,V,W), treasure(V,W), (X,Y) < (V,W).
1 { room(R,C) : inside(R,C,X,Y), not spoilt(R,C) } :- treasure(X,Y).
:- room(R,C), inside(R,C,X,Y), wall(X,Y).
:- room(R,C), #count { X,Y : open(X,Y), beside(R,C,X,Y) } != 1.

% No 2x2 block is open unless one room has it all.
:- open(R,C), open(R,C+1), open(R+1,C), open(R+1,C+1), not room(X,Y) : X = R..R+1, Y = C..C+1.

% One region: every open cell is reached from the first object, or, where there is none, from the first open cell.
start(R,C) :- K = #min { J : object(X,Y), cell(X,Y,J) }, cell(R,C,K).
clear(0) :- not object(X,Y) : cell(X,Y,_).
clear(K+1) :- clear(K), cell(R,C,K), wall(R,C).
start(R,C) :- clear(K), cell(R,C,K), open(R,C).
reached(R,C) :- start(R,C).
reached(X,Y) :- reached(R,C), next(R,C,X,Y), open(X,Y).
:- open(R,C), not reached(R,C).

#show wall/2.
"""


class Clingo:
    """clingo: an answer set is a board and its rooms, of which only the walls count as different."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.control = importlib.import_module("clingo").Control(["--project=show", "--warn=none"])
        self.control.add("base", [], PROGRAM + " ".join(facts(board)))
        self.control.ground([("base", [])])

    def run(self, limit: int) -> Result:
        self.control.configuration.solve.models = limit
        with self.control.solve(yield_=True) as models:
            found = {self.walls(model.symbols(shown=True)) for model in models}
        return found, limit == 0 or len(found) < limit

    def walls(self, atoms: Sequence[Any]) -> int:
        places = (atom.arguments for atom in atoms)
        return sum(1 << (row.number * self.board.width + column.number) for row, column in places)


def facts(board: Board) -> Iterator[str]:
    """The puzzle in the words of the program."""
    for cell in range(board.shape.size):
        row, column = divmod(cell, board.width)
        yield f"cell({row},{column},{cell})."
        if board.monsters >> cell & 1:
            yield f"monster({row},{column})."
        if board.treasures >> cell & 1:
            yield f"treasure({row},{column})."
    for name, clues in (("row", board.rows), ("column", board.columns)):
        yield from (f"{name}({line},{clue})." for line, clue in enumerate(clues) if clue is not None)


# --- the table of peers -------------------------------------------------------------------------------------------

_ALL: dict[str, tuple[str, type[Model]]] = {
    "minicard": ("pysat", MiniCard),
    "cadical": ("pysat", Cadical),
    "cpsat": ("ortools", CpSat),
    "clingo": ("clingo", Clingo),
}


def _solver(model: type[Model]) -> Solve:
    def solve(
        height: int,
        width: int,
        rows: Sequence[Clue],
        columns: Sequence[Clue],
        monsters: int,
        treasures: int,
        limit: int,
    ) -> Result:
        return model(Board(height, width, rows, columns, monsters, treasures)).run(limit)

    return solve


MODELS: dict[str, type[Model] | None] = {
    name: model if find_spec(package) else None for name, (package, model) in _ALL.items()
}
PEERS: dict[str, Solve | None] = {name: None if model is None else _solver(model) for name, model in MODELS.items()}
