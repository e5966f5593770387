"""The linear programmes behind resource counts, by HiGHS (the extra `proof`) or by a small simplex method of our own.

Jump j is made x_j >= 0 times. For every cell, the jumps that take a peg from it less those that bring one are the pegs
at the start less those at the end. The programme asks for counts that break these equations, and musts, as little as
possible. If they can be kept, the counts are an answer; else the dual values of the equations are weights, and those
of the musts prices, which show why not. All of it is done in floating point: nothing here proves anything, the
certificates are made of whole numbers and checked elsewhere (`dnd.pegs.certificates`).
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from random import Random
from types import ModuleType
from typing import Any, NamedTuple, Protocol

Columns = tuple[int, ...]  # numbers of jumps


class Answer(NamedTuple):
    """excess: by how much the equations must be broken, 0 if they can be kept. counts: one a jump. weights: one an
    equation, prices: one a must, both as `dnd.pegs.certificates` has them."""

    excess: float
    counts: list[float]
    weights: list[float]
    prices: list[float]


class Programme(Protocol):
    """The equations of a board: one a cell in use, one column a jump with the rows of its three cells."""

    def solve(
        self, right: Sequence[int], low: Sequence[int], high: Sequence[int | None], musts: Sequence[Columns]
    ) -> Answer | None:
        """The answer for right-hand sides, bounds of counts and musts; None where the method gave up."""


def programme(rows: int, columns: Sequence[tuple[int, int, int]], stop: bytearray | None = None) -> Programme:
    """The best method there is: HiGHS if it is installed. columns: rows of (from, over, to) of each jump."""
    try:
        highspy = importlib.import_module("highspy")
    except ImportError:
        return Simplex(rows, columns, stop)
    return Highs(highspy, rows, columns)


# The primal method (4): nearly all equations have the right-hand side 0, where the dual one takes ten times as long now
# and then.
_OPTIONS = {"output_flag": False, "threads": 1, "presolve": "off", "solver": "simplex", "simplex_strategy": 4}


class Highs:
    """The programme in HiGHS, which keeps what it knows from one question to the next.

    Its columns are: the jumps, a surplus and a lack for each row, and one that fills up any must.
    """

    def __init__(self, highspy: ModuleType, rows: int, columns: Sequence[tuple[int, int, int]]) -> None:
        self.infinity = highspy.kHighsInf
        self.rows, self.columns = rows, len(columns)
        self.optimal = highspy.HighsModelStatus.kOptimal
        self.model = _quiet(highspy)
        for option, value in _OPTIONS.items():
            self.model.setOptionValue(option, value)
        self.model.passModel(self._linear(highspy, columns))
        self.right = [0] * rows
        self.low: list[int] = [0] * self.columns
        self.high: list[int | None] = [None] * self.columns
        self.musts: list[Columns] = []

    def _linear(self, highspy: ModuleType, columns: Sequence[tuple[int, int, int]]) -> object:
        linear = highspy.HighsLp()
        linear.num_row_ = self.rows
        linear.num_col_ = width = self.columns + 2 * self.rows + 1
        linear.col_cost_ = [0.0] * self.columns + [1.0] * (width - self.columns)
        linear.col_lower_, linear.col_upper_ = [0.0] * width, [self.infinity] * width
        linear.row_lower_ = linear.row_upper_ = [0.0] * self.rows
        linear.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        jumps, excesses = 3 * self.columns, 2 * self.rows
        linear.a_matrix_.start_ = [*range(0, jumps, 3), *range(jumps, jumps + excesses), *[jumps + excesses] * 2]
        rows = [row for column in columns for row in column]
        linear.a_matrix_.index_ = rows + [row for row in range(self.rows) for _ in range(2)]
        linear.a_matrix_.value_ = [1.0, 1.0, -1.0] * self.columns + [1.0, -1.0] * self.rows
        return linear

    def solve(
        self, right: Sequence[int], low: Sequence[int], high: Sequence[int | None], musts: Sequence[Columns]
    ) -> Answer | None:
        """See `Programme`."""
        self._set_right(right)
        self._set_bounds(low, high)
        self._set_musts(musts)
        self.model.run()
        if self.model.getModelStatus() != self.optimal:
            return None
        solution = self.model.getSolution()
        duals = list(solution.row_dual)
        excess = self.model.getInfo().objective_function_value
        return Answer(
            excess, list(solution.col_value)[: self.columns], [-dual for dual in duals[: self.rows]], duals[self.rows :]
        )

    def _set_right(self, right: Sequence[int]) -> None:
        for row, (old, new) in enumerate(zip(self.right, right, strict=True)):
            if old != new:
                self.model.changeRowBounds(row, float(new), float(new))
        self.right = list(right)

    def _set_bounds(self, low: Sequence[int], high: Sequence[int | None]) -> None:
        for column in range(self.columns):
            if (self.low[column], self.high[column]) != (low[column], high[column]):
                top = high[column]
                self.model.changeColBounds(column, float(low[column]), self.infinity if top is None else float(top))
        self.low, self.high = list(low), list(high)

    def _set_musts(self, musts: Sequence[Columns]) -> None:
        same = 0
        while same < min(len(musts), len(self.musts)) and musts[same] == self.musts[same]:
            same += 1
        if same < len(self.musts):
            last = [self.rows + number for number in range(same, len(self.musts))]
            self.model.deleteRows(len(last), last)
        for must in musts[same:]:
            entries = [*must, self.columns + 2 * self.rows]
            self.model.addRow(1.0, self.infinity, len(entries), entries, [1.0] * len(entries))
        self.musts = list(musts)


def _quiet(highspy: ModuleType) -> Any:  # highspy may not be there
    """An empty model. HiGHS 1.16 prints its name when callbacks, which are not needed, are switched on."""
    silent = type("Silent", (highspy.Highs,), {"enableCallbacks": lambda self: None})
    return silent()


class Simplex:
    """The programme by the simplex method on a dense table, from the start each time; for small boards.

    The columns of the table: jumps, slacks of the bounds and musts, one excess a row, the right-hand side, and the same
    shifted a little, each row by a different amount. Each row is turned so that its right-hand side is not negative;
    then the excesses are a basis to start from. Nearly all right-hand sides are 0 or 1, so that many rows would be
    as good as each other to leave the basis, and the method would go in circles: the shifted ones decide.
    """

    work = 200_000_000  # numbers of tables to be computed in all, for all questions: up to half a minute
    _tiny = 1e-9
    _shift = 1e-5

    def __init__(self, rows: int, columns: Sequence[tuple[int, int, int]], stop: bytearray | None = None) -> None:
        self.rows, self.columns, self.stop = rows, columns, stop

    def solve(
        self, right: Sequence[int], low: Sequence[int], high: Sequence[int | None], musts: Sequence[Columns]
    ) -> Answer | None:
        """See `Programme`."""
        table, signs = self._table(right, low, high, musts)
        width, height = len(table[0]) - 2, len(table)
        costs = [-sum(row[column] for row in table) for column in range(width + 2)]
        costs[width - height : width] = [0.0] * height
        basis = list(range(width - height, width))
        if not self._optimise(table, costs, basis, width):
            return None
        values = [0.0] * width
        for row, column in zip(table, basis, strict=True):
            values[column] = row[-2]
        counts = [value + least for value, least in zip(values, low, strict=False)]
        duals = [sign * (1 - cost) for sign, cost in zip(signs, costs[width - height : width], strict=True)]
        prices = duals[self.rows : self.rows + len(musts)]
        return Answer(-costs[-2], counts, [-dual for dual in duals[: self.rows]], prices)

    def _table(
        self, right: Sequence[int], low: Sequence[int], high: Sequence[int | None], musts: Sequence[Columns]
    ) -> tuple[list[list[float]], list[int]]:
        """The table and the sign by which each row was turned. Counts are taken from their lower bounds."""
        entries: list[dict[int, int]] = [{} for _ in range(self.rows)]
        for column, (start, over, end) in enumerate(self.columns):
            entries[start][column], entries[over][column], entries[end][column] = 1, 1, -1
        ends = list(right)
        slack = len(self.columns)
        for must in musts:
            entries.append({**dict.fromkeys(must, 1), slack: -1})
            ends.append(1)
            slack += 1
        for column, top in enumerate(high):
            if top is not None:
                entries.append({column: 1, slack: 1})
                ends.append(top)
                slack += 1
        for number, row in enumerate(entries):
            ends[number] -= sum(sign * low[column] for column, sign in row.items() if column < len(self.columns))
        signs = [-1 if end < 0 else 1 for end in ends]
        table, shifts = [], Random(1)
        for number, (row, end, sign) in enumerate(zip(entries, ends, signs, strict=True)):
            line = [0.0] * (slack + len(entries) + 2)
            for column, value in row.items():
                line[column] = float(sign * value)
            line[slack + number] = 1.0
            line[-2] = float(sign * end)
            line[-1] = line[-2] + self._shift * (1 + shifts.random())
            table.append(line)
        return table, signs

    def _optimise(self, table: list[list[float]], costs: list[float], basis: list[int], width: int) -> bool:
        """Exchange columns until no cost is negative; False when `stop` or the bound of work came first."""
        while True:
            column = min(range(width), key=costs.__getitem__)
            if costs[column] > -self._tiny:
                return True
            leaving = self._leaving(table, column)
            if leaving is None or self.work < 0 or (self.stop and self.stop[0]):
                return False
            self.work -= self._exchange(table, costs, leaving, column)
            basis[leaving] = column

    def _leaving(self, table: list[list[float]], column: int) -> int | None:
        rows = [(number, row) for number, row in enumerate(table) if row[column] > self._tiny]
        return min(rows, key=lambda entry: entry[1][-1] / entry[1][column], default=(None, []))[0]

    @staticmethod
    def _exchange(table: list[list[float]], costs: list[float], row: int, column: int) -> int:
        """Make a column basic in a row; returns how many numbers were computed."""
        factor = 1 / table[row][column]
        pivot = table[row] = [value * factor for value in table[row]]
        entries = [(place, value) for place, value in enumerate(pivot) if value]  # one in five or so
        lines = [line for line in (*table[:row], *table[row + 1 :], costs) if line[column]]
        for line in lines:
            factor = line[column]
            for place, value in entries:
                line[place] -= factor * value
            line[column] = 0.0
        return len(lines) * len(entries)
