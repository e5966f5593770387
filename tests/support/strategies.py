"""Hypothesis strategies: puzzles of any shape, boards that fit them, names."""

from __future__ import annotations

from hypothesis import strategies as st

from dnd.dungeon.puzzle import Board, Clue, Puzzle


@st.composite
def puzzles(draw: st.DrawFn, most: int = 8, most_clue: int = 32, unknown: bool = True, least: int = 1) -> Puzzle:
    """Puzzles of `least` to `most` rows and columns, solvable or not; clues to `most_clue`, unknown ones if wanted."""
    height, width = draw(st.integers(least, most)), draw(st.integers(least, most))

    def clues(number: int, cells: int) -> tuple[Clue, ...]:
        known = st.integers(0, min(cells, most_clue))
        return tuple(draw(st.lists(st.none() | known if unknown else known, min_size=number, max_size=number)))

    masks = st.integers(0, (1 << height * width) - 1)
    monsters, treasures = draw(masks), draw(masks)
    return Puzzle(clues(height, width), clues(width, height), monsters & ~treasures, treasures & ~monsters)


@st.composite
def boards(draw: st.DrawFn, puzzle: Puzzle, complete: bool = False) -> Board:
    """Boards of a puzzle, partial ones too; objects stand on floor."""
    everything = (1 << puzzle.height * puzzle.width) - 1
    walls = draw(st.integers(0, everything)) & ~puzzle.objects
    known = everything if complete else draw(st.integers(0, everything)) | puzzle.objects
    return Board(puzzle.height, puzzle.width, walls & known, ~walls & known)


@st.composite
def drawn(draw: st.DrawFn, most: int = 8, most_clue: int = 32, unknown: bool = True) -> tuple[Puzzle, Board | None]:
    """A puzzle and perhaps a board."""
    puzzle = draw(puzzles(most, most_clue, unknown))
    return puzzle, draw(st.none() | boards(puzzle) | boards(puzzle, complete=True))


def names() -> st.SearchStrategy[str]:
    """Names of puzzles: any text."""
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
