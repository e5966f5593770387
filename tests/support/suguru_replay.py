"""A witness for the explanations of `dnd.suguru.explainer`: what follows from cited facts alone, by exhaustive search.

It shares no code with the techniques and knows of a puzzle only its shape and, of the cages that a step cites, the
cells. A cell whose cage is not cited may hold any number.
"""

from __future__ import annotations

from collections.abc import Iterator

from dnd.suguru.explainer import IMPOSSIBLE, Explanation, Facts, Mark, Step
from dnd.suguru.puzzle import Puzzle

ANY = frozenset(range(1, 34))  # one more than any cage has, so that an unknown cage restricts nothing

Cell = tuple[int, int]
Domains = dict[Cell, frozenset[int]]


def unsound(told: Explanation, solution: tuple[int, ...] | None) -> Iterator[str]:
    """What is wrong with an explanation: a text for each step that does not follow, or that the solution denies.

    solution: the puzzle's solution; None for a puzzle that has none, or several.
    """
    for number, step in enumerate(told.steps):
        if not follows(told.puzzle, step):
            yield f"{told.puzzle!r} step {number} does not follow: {step}"
        if solution and not agrees(step, solution, told.puzzle.width):
            yield f"{told.puzzle!r} step {number} is not so: {step}"
    yield from (f"{told.puzzle!r} cites what nobody knows: {mark}" for mark in unfounded(told))


def follows(puzzle: Puzzle, step: Step) -> bool:
    """Whether the step's conclusions are forced by its facts; for `impossible`: whether these admit nothing."""
    if step.technique == IMPOSSIBLE:
        return not possible(puzzle, step.facts)
    denials = [(cell, ANY - {value}) for cell, value in step.placed]
    denials += [(cell, frozenset({value})) for cell, value in step.removed]
    chained = all(follows(puzzle, link) for link in step.chain)
    return bool(denials) and chained and not any(possible(puzzle, step.facts, denial) for denial in denials)


def agrees(step: Step, solution: tuple[int, ...], width: int) -> bool:
    """Whether a solution has what the step concludes."""

    def at(cell: Cell) -> int:
        return solution[cell[0] * width + cell[1]]

    return all(at(cell) == value for cell, value in step.placed) and all(
        at(cell) != value for cell, value in step.removed
    )


def unfounded(told: Explanation) -> Iterator[Mark]:
    """Facts that a step cites though they are neither given nor concluded before. (Of a path from the givens.)"""
    width = told.puzzle.width
    values = {(divmod(cell, width), value) for cell, value in enumerate(told.puzzle.givens) if value}
    removed: set[Mark] = set()
    for step in told.steps:
        yield from set(step.facts.values) - values
        yield from set(step.facts.removed) - removed
        values.update(step.placed)
        removed.update(step.removed)


def possible(puzzle: Puzzle, facts: Facts, denial: tuple[Cell, frozenset[int]] | None = None) -> bool:
    """Whether numbers can be written into the cited cells so that all facts hold, and the denial."""
    cages = [[divmod(cell, puzzle.width) for cell in puzzle.cage_cells[cage]] for cage in facts.cages]
    domains: Domains = dict.fromkeys(facts.cells, ANY)
    domains |= {cell: ANY for cell, _ in (*facts.values, *facts.removed)}
    for cells in cages:
        domains |= dict.fromkeys(cells, frozenset(range(1, len(cells) + 1)))
    for cell, value in facts.values:
        domains[cell] &= {value}
    for cell, value in facts.removed:
        domains[cell] -= {value}
    if denial:
        domains[denial[0]] = domains.get(denial[0], ANY) & denial[1]
    mates = {cell: set(cells) for cells in cages for cell in cells}
    differ = {
        cell: [other for other in domains if other != cell and (_touch(cell, other) or other in mates.get(cell, ()))]
        for cell in domains
    }
    return _fill(domains, differ)


def _touch(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def _fill(domains: Domains, differ: dict[Cell, list[Cell]]) -> bool:
    """Try every value of the cell with the fewest, then the rest."""
    if not domains:
        return True
    cell = min(domains, key=lambda each: len(domains[each]))
    for value in domains[cell]:
        rest = {other: values for other, values in domains.items() if other != cell}
        for other in differ[cell]:
            if other in rest:
                rest[other] -= {value}
        if all(rest.values()) and _fill(rest, differ):
            return True
    return False
