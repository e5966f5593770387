"""Hypothesis strategies for Suguru: puzzles of any shape, boards that fit them."""

from __future__ import annotations

from hypothesis import strategies as st

from dnd.suguru.puzzle import HOLE, MAX_CAGE, Board, Puzzle


@st.composite
def puzzles(draw: st.DrawFn, most: int = 5, most_given: int = MAX_CAGE, holes: bool = True) -> Puzzle:
    """Puzzles of 1 to `most` (5 at most) rows and columns, solvable or not: any cages, any givens."""
    height, width = draw(st.integers(1, most)), draw(st.integers(1, most))
    size = height * width
    signs = st.sampled_from("AB#" if holes else "ABC")
    letters = draw(st.text(signs, min_size=size, max_size=size))
    letters = letters if letters.strip("#") else "A" * size
    given = st.just(0) | st.integers(1, most_given)
    givens = draw(st.lists(given, min_size=size, max_size=size))
    rows = [letters[start : start + width] for start in range(0, size, width)]
    flat = [0 if letter == "#" else given for letter, given in zip(letters, givens, strict=True)]
    return Puzzle.of(rows, [flat[start : start + width] for start in range(0, size, width)])


@st.composite
def boards(draw: st.DrawFn, puzzle: Puzzle, most: int = MAX_CAGE, complete: bool = False) -> Board:
    """Boards of a puzzle, partial ones too; they may change givens and break rules."""
    value = st.integers(1, most) if complete else st.just(0) | st.integers(1, most)
    values = draw(st.lists(value, min_size=len(puzzle.cages), max_size=len(puzzle.cages)))
    kept = [0 if cage == HOLE else value for cage, value in zip(puzzle.cages, values, strict=True)]
    return Board(puzzle.height, puzzle.width, tuple(kept))


@st.composite
def drawn(draw: st.DrawFn, most: int = 5) -> tuple[Puzzle, Board | None]:
    """A puzzle and perhaps a board."""
    puzzle = draw(puzzles(most))
    return puzzle, draw(st.none() | boards(puzzle) | boards(puzzle, complete=True))
