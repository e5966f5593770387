"""Hypothesis strategies for peg solitaire: boards of any shape, plays that fit them, legal ones and others."""

from __future__ import annotations

from hypothesis import strategies as st

from dnd.pegs.puzzle import Jump, Play, Puzzle, jumps_of, legal_part


@st.composite
def puzzles(draw: st.DrawFn, most: int = 6, least: int = 1, full: bool = False) -> Puzzle:
    """Puzzles of `least` to `most` rows and columns, winnable or not: any cells (all, if full), any pegs, any final."""
    height, width = draw(st.integers(least, most)), draw(st.integers(least, most))
    size = height * width
    everything = (1 << size) - 1
    cells = everything if full else draw(st.integers(1, everything))
    places = [cell for cell in range(size) if cells >> cell & 1]
    pegs = draw(st.integers(0, everything)) & cells or 1 << draw(st.sampled_from(places))
    final = draw(st.none() | st.sampled_from(places))
    return Puzzle(height, width, cells, pegs, None if final is None else divmod(final, width))


@st.composite
def legal_plays(draw: st.DrawFn, puzzle: Puzzle) -> Play:
    """Jumps that can be made, until somebody stops or none is left."""
    jumps: list[Jump] = []
    while draw(st.integers(0, 9)):
        pegs = legal_part(puzzle, jumps)[1]
        possible = [
            jump
            for jump, start, over, end in jumps_of(puzzle.height, puzzle.width, puzzle.cells)
            if pegs & start and pegs & over and not pegs & end
        ]
        if not possible:
            break
        jumps.append(draw(st.sampled_from(possible)))
    return Play(puzzle.height, puzzle.width, tuple(jumps))


@st.composite
def won(draw: st.DrawFn, most: int = 7) -> tuple[Puzzle, Play]:
    """A puzzle and jumps that leave one peg: drawn backwards from that."""
    height, width = draw(st.integers(1, most)), draw(st.integers(2, most))
    cells = (1 << height * width) - 1
    pegs, jumps = 1 << draw(st.integers(0, height * width - 1)), list[Jump]()
    while draw(st.integers(0, 9)):
        possible = [
            (jump, start | over | end)
            for jump, start, over, end in jumps_of(height, width, cells)
            if pegs & end and not pegs & start and not pegs & over
        ]
        if not possible:
            break
        jump, turned = draw(st.sampled_from(possible))
        jumps.insert(0, jump)
        pegs ^= turned
    return Puzzle(height, width, cells, pegs), Play(height, width, tuple(jumps))


@st.composite
def plays(draw: st.DrawFn, puzzle: Puzzle) -> Play:
    """Legal jumps, then perhaps others, on the board and off it."""
    legal = draw(legal_plays(puzzle))
    place = st.integers(-3, 20)
    others = draw(st.lists(st.tuples(place, place, st.integers(0, 3)), max_size=3))
    return Play(puzzle.height, puzzle.width, (*legal.jumps, *others))


@st.composite
def drawn(draw: st.DrawFn, most: int = 6) -> tuple[Puzzle, Play | None]:
    """A puzzle and perhaps jumps."""
    puzzle = draw(puzzles(most))
    return puzzle, draw(st.none() | plays(puzzle))
