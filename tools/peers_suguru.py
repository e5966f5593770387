"""Suguru in the languages of general solvers: peers to measure against, and witnesses.

Each peer states all rules anew, from their wording; nothing here comes from the package. All have one signature:

    solve(height, width, cages, givens, limit) -> (set of solutions, complete)

Everything is row by row: cages are the numbers of the cells' cages, -1 for a hole; givens and solutions are numbers,
0 for none. limit 0 asks for all solutions. `complete` is True when the peer proved that there are no others.

`PEERS` maps the three names to such functions, or to None where the solver's package is not installed. `MODELS`
gives the same in two steps, for measurements: `MODELS[name](Board(...))` builds the model, `run(limit)` solves it.
"""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from itertools import combinations, product
from typing import Any, Protocol

HOLE = -1
Values = tuple[int, ...]
Result = tuple[set[Values], bool]
Solve = Callable[[int, int, Sequence[int], Sequence[int], int], Result]


class Board:
    """A puzzle, and its rules over numbered variables: variable `first[cell] + v` says that the cell holds v."""

    def __init__(self, height: int, width: int, cages: Sequence[int], givens: Sequence[int]) -> None:
        self.height, self.width, self.cages, self.givens = height, width, cages, givens
        members: dict[int, list[int]] = defaultdict(list)
        for cell, cage in enumerate(cages):
            if cage != HOLE:
                members[cage].append(cell)
        self.cage_cells = list(members.values())
        self.size = {cell: len(cells) for cells in self.cage_cells for cell in cells}
        self.first: dict[int, int] = {}
        self.variables = 0
        for cell, size in self.size.items():
            self.first[cell] = self.variables
            self.variables += size

    @cached_property
    def exactly_one(self) -> list[list[int]]:
        """The groups of variables of which one is true: a cell's values, the places of a value in its cage."""
        cells = [[self.first[cell] + value for value in self._values(cell)] for cell in self.size]
        places = [
            [self.first[cell] + value for cell in cage] for cage in self.cage_cells for value in self._values(cage[0])
        ]
        return cells + places

    @cached_property
    def at_most_one(self) -> list[list[int]]:
        """The groups of which at most one is true: a value's places in a 2x2 window, where all cells touch."""
        return [group for window in self._windows() for group in self._alike(window) if len(group) > 1]

    @cached_property
    def unlike(self) -> list[tuple[int, int]]:
        """The same as pairs of variables, but for those of one cage, where `exactly_one` has them."""
        touching = {pair for window in self._windows() for pair in combinations(window, 2)}
        pairs = [(a, b) for a, b in touching if self.cages[a] != self.cages[b]]
        return [(self.first[a] + value, self.first[b] + value) for a, b in pairs for value in self._common(a, b)]

    @cached_property
    def given(self) -> list[int] | None:
        """The variables that givens make true; None when a cage has no such value."""
        pairs = [(cell, value) for cell, value in enumerate(self.givens) if value]
        if any(value > self.size[cell] for cell, value in pairs):
            return None
        return [self.first[cell] + value for cell, value in pairs]

    def values(self, true: Callable[[int], bool]) -> Values:
        """The solution whose true variables are given."""
        found = [0] * len(self.cages)
        for cell in self.size:
            found[cell] = next(value for value in self._values(cell) if true(self.first[cell] + value))
        return tuple(found)

    def _values(self, cell: int) -> range:
        return range(1, self.size[cell] + 1)

    def _common(self, one: int, other: int) -> range:
        return range(1, min(self.size[one], self.size[other]) + 1)

    def _windows(self) -> Iterator[list[int]]:
        """The cells of each 2x2 window; a grid of one row or column has windows of two."""
        corners = product(range(max(self.height - 1, 1)), range(max(self.width - 1, 1)))
        for row, column in corners:
            rows, columns = range(row, min(row + 2, self.height)), range(column, min(column + 2, self.width))
            yield [cell for r in rows for c in columns if (cell := r * self.width + c) in self.size]

    def _alike(self, cells: list[int]) -> Iterator[list[int]]:
        """For each value its variables in some cells."""
        for value in range(1, max((self.size[cell] for cell in cells), default=0) + 1):
            yield [self.first[cell] + value for cell in cells if value <= self.size[cell]]


class Model(Protocol):
    """A puzzle as some solver's model."""

    def __init__(self, board: Board) -> None: ...

    def run(self, limit: int) -> Result:
        """Up to `limit` solutions (0: all), and whether there are no others."""


class Cadical:
    """python-sat's CaDiCaL: every group as clauses, at most one by pairs. It lives on, so nothing learnt is lost."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.solver = importlib.import_module("pysat.solvers").Solver(name="cadical153")
        self.solver.append_formula(board.exactly_one)
        self.solver.append_formula([[-a, -b] for group in board.exactly_one for a, b in combinations(group, 2)])
        self.solver.append_formula([[-a, -b] for a, b in board.unlike])
        self.solver.append_formula([[1], [-1]] if board.given is None else [[variable] for variable in board.given])

    def run(self, limit: int) -> Result:
        found: set[Values] = set()
        with self.solver:
            while self.solver.solve():
                true = {literal for literal in self.solver.get_model() if literal > 0}
                found.add(self.board.values(true.__contains__))
                if len(found) == limit:
                    return found, False
                self.solver.add_clause([-variable for variable in true])
        return found, True


class CpSat:
    """OR-tools' CP-SAT: the groups as they are (it knows "exactly one"), one worker, all solutions."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cp: Any = importlib.import_module("ortools.sat.python.cp_model")
        self.model = self.cp.CpModel()
        self.variables = [self.model.new_bool_var("") for _ in range(board.variables + 1)]
        self.model.add(self.variables[0] == 0)  # variables are numbered from 1
        for group in board.exactly_one:
            self.model.add_exactly_one([self.variables[variable] for variable in group])
        for group in board.at_most_one:
            self.model.add_at_most_one([self.variables[variable] for variable in group])
        for variable in board.given or ():
            self.model.add(self.variables[variable] == 1)
        if board.given is None:
            self.model.add_bool_or([])

    def run(self, limit: int) -> Result:
        found: set[Values] = set()

        class Notes(self.cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(notes) -> None:  # noqa: N805 (self is the model)
                true = [notes.boolean_value(variable) for variable in self.variables]
                found.add(self.board.values(true.__getitem__))
                if len(found) == limit:
                    notes.stop_search()

        solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        # Without presolve and linear relaxation it is faster on nearly all grids.
        solver.parameters.cp_model_presolve = False
        solver.parameters.linearization_level = 0
        status = solver.solve(self.model, Notes())
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE, self.cp.INFEASIBLE):
            raise RuntimeError(f"CP-SAT gave up: {solver.status_name(status)}")
        return found, limit == 0 or len(found) < limit


PROGRAM = """
{ is(R,C,V) : V = 1..N } = 1 :- cell(R,C,A), size(A,N).
{ is(R,C,V) : cell(R,C,A) } = 1 :- size(A,N), V = 1..N.
near(R,C, R+D,C+E) :- cell(R,C,_), (D,E) = (0,1; 1,-1; 1,0; 1,1), cell(R+D,C+E,_).
:- near(R,C, X,Y), is(R,C,V), is(X,Y,V).
:- given(R,C,V), not is(R,C,V).
#show is/3.
"""


class Clingo:
    """clingo: an answer-set program, and the puzzle as facts."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.control = importlib.import_module("clingo").Control(["--warn=none"])
        self.control.add("base", [], PROGRAM + " ".join(facts(board)))
        self.control.ground([("base", [])])

    def run(self, limit: int) -> Result:
        self.control.configuration.solve.models = limit
        with self.control.solve(yield_=True) as models:
            found = {self.values(model.symbols(shown=True)) for model in models}
        return found, limit == 0 or len(found) < limit

    def values(self, atoms: Sequence[Any]) -> Values:
        found = [0] * len(self.board.cages)
        for atom in atoms:
            row, column, value = (argument.number for argument in atom.arguments)
            found[row * self.board.width + column] = value
        return tuple(found)


def facts(board: Board) -> Iterator[str]:
    """The puzzle in the words of the program."""
    for cage in board.cage_cells:
        yield f"size({board.cages[cage[0]]},{len(cage)})."
    for cell in board.size:
        place = "{},{}".format(*divmod(cell, board.width))
        yield f"cell({place},{board.cages[cell]})."
        if board.givens[cell]:
            yield f"given({place},{board.givens[cell]})."


_ALL: dict[str, tuple[str, type[Model]]] = {
    "cadical": ("pysat", Cadical),
    "cpsat": ("ortools", CpSat),
    "clingo": ("clingo", Clingo),
}


def _solver(model: type[Model]) -> Solve:
    def solve(height: int, width: int, cages: Sequence[int], givens: Sequence[int], limit: int) -> Result:
        return model(Board(height, width, cages, givens)).run(limit)

    return solve


MODELS: dict[str, type[Model] | None] = {
    name: model if find_spec(package) else None for name, (package, model) in _ALL.items()
}
PEERS: dict[str, Solve | None] = {name: None if model is None else _solver(model) for name, model in MODELS.items()}
