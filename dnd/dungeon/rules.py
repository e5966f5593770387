"""The rules as named validators: one function per rule, each usable alone, on complete and on partial boards.

A validator yields one `Diagnostic` for each thing that is wrong. Of a complete board it says exactly whether
its rule holds (the essay in `puzzle.py`). Of a partial board it reports only what no filling of the unknown
cells can mend *under that rule alone*: never a false alarm; what it leaves undetected its docstring says.
Cells of monsters and treasures count as open unless the board puts a wall there.

Packages add rules through the entry-point group `dnd.rules`, each entry point loading a `dnd.rule.Rule`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from dnd import grid
from dnd.diagnostic import Cell, Diagnostic, Span, cell_list, cell_name, input_error
from dnd.dungeon import alphabet
from dnd.dungeon.puzzle import Board, Clue, Puzzle, PuzzleError, Solution
from dnd.game import check_own
from dnd.rule import Rule, judged, with_plug_ins

AnyBoard = Board | Solution | int | str


def check(puzzle: Puzzle, board: AnyBoard, rules: Iterable[str] | None = None) -> list[Diagnostic]:
    """What `board` does wrong, in the order of the rules; [] when nothing.

    board: anything `as_board` takes. rules: the codes of the rules to run, None for all.
    Raises ValueError for an unknown code, and what `as_board` raises.
    """
    check_own(puzzle, "dungeon")
    return judged(all_rules(), rules, puzzle, as_board(puzzle, board))


def as_board(puzzle: Puzzle, board: AnyBoard) -> Board:
    """The board in any of its forms: a Board, a Solution, the mask of walls of a complete board, or drawn rows.

    Drawn rows are lines of `#` wall, `.` `M` `T` open, `?` unknown; a wall may be drawn over a monster or treasure.
    Raises `InputError` (codes board-conflict, row-number, row-length, bad-letter, outside-board, mask-type) for a
    board that does not fit the puzzle, TypeError for what is not a board.
    """
    if isinstance(board, Board):
        return _fitting(puzzle, board)
    if isinstance(board, Solution):
        return _fitting(puzzle, board.board)
    if isinstance(board, str):
        return _drawn(puzzle, board)
    if isinstance(board, int):
        return Board.complete(puzzle.height, puzzle.width, board)
    raise TypeError(f"a board is a Board, a Solution, an int or a str, not {type(board).__name__}")


# Looking up entry points takes milliseconds, a check takes microseconds.
@cache
def all_rules() -> tuple[Rule, ...]:
    """The rules of the game in their order, then those of plug-ins.

    Raises RuntimeError when a plug-in is not a Rule or takes a code that is in use.
    """
    return with_plug_ins(RULES, "dnd.rules")


def row_count(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Rows whose number of walls cannot be their clue. Detects all there is to detect."""
    masks = [grid.row_mask(row, puzzle.width) for row in range(puzzle.height)]
    return _count_faults("row", puzzle.rows, masks, puzzle, board)


def column_count(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Columns whose number of walls cannot be their clue. Detects all there is to detect."""
    masks = [grid.column_mask(column, puzzle.height, puzzle.width) for column in range(puzzle.width)]
    return _count_faults("column", puzzle.columns, masks, puzzle, board)


def object_on_wall(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Monsters and treasures in walls. Detects all there is to detect."""
    for cell in grid.cells(puzzle.objects & board.walls, puzzle.width):
        message = f"the {_object_name(puzzle, cell)} at {cell_name(cell)} stands in a wall"
        yield Diagnostic("object-on-wall", message, (cell,))


def dead_end(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Dead ends without a monster, open cells without any open neighbour, monsters that are in no dead end.

    Looks at each cell alone: of a partial board it does not see that two cells need the same unknown
    neighbour, one as floor and one as wall.
    """
    shape = puzzle.height, puzzle.width
    floors, possible = _floors_and_possible(puzzle, board)
    may_have_one, may_have_two = grid.with_neighbours(possible, *shape)
    _, has_two = grid.with_neighbours(floors, *shape)
    monsters = puzzle.monsters & (board.walls | ~may_have_one | has_two)
    plain = floors & ~puzzle.monsters & ~may_have_two
    for cell in grid.cells(monsters | plain, puzzle.width):
        yield Diagnostic("dead-end", _dead_end_message(puzzle, board, cell), (cell,))


def treasure_room(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Treasures for which no 3x3 square can be the room.

    Looks at each treasure alone: of a partial board it does not see that the rooms left to two treasures
    exclude each other.
    """
    floors, possible = _floors_and_possible(puzzle, board)
    for treasure in grid.indices(puzzle.treasures):
        around = placements(treasure, puzzle.height, puzzle.width)
        if not any(_may_be_room(puzzle, floors, possible, *place) for place in around):
            yield _no_room(puzzle, board, treasure)


def wide_hallway(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """2x2 blocks of open cells that do not lie in one square that can be a treasure's room.

    Looks at each block alone: of a partial board it does not see that two blocks need rooms that exclude
    each other, nor what follows from making a square a room.
    """
    floors, possible = _floors_and_possible(puzzle, board)
    corners = grid.square_corners(floors, puzzle.height, puzzle.width)
    if not corners:
        return
    rooms = _rooms(puzzle, floors, possible)
    for corner in grid.indices(corners):
        block = (0b11 | 0b11 << puzzle.width) << corner
        if not any(block & ~room == 0 for room in rooms):
            around = grid.cells(block, puzzle.width)
            message = f"the 2x2 block at {cell_name(around[0])} is open and not part of one treasure room"
            yield Diagnostic("wide-hallway", message, around)


def disconnected(puzzle: Puzzle, board: Board) -> Iterator[Diagnostic]:
    """Regions of open cells, all but the largest, that no unknown cells can join. Detects all there is to detect.

    When several regions are the largest each of them is reported.
    """
    floors, possible = _floors_and_possible(puzzle, board)
    parts = [part & floors for part in grid.components(possible, puzzle.height, puzzle.width) if part & floors]
    if len(parts) < 2:
        return
    sizes = [part.bit_count() for part in parts]
    most = max(sizes)
    for part, size in zip(parts, sizes, strict=True):
        if size < most or sizes.count(most) > 1:
            region = grid.cells(part, puzzle.width)
            yield Diagnostic("disconnected", _cut_off_message(region), region)


RULES = (
    Rule("row-count", "each row has as many walls as its clue says", row_count),
    Rule("column-count", "each column has as many walls as its clue says", column_count),
    Rule("object-on-wall", "no monster and no treasure stands in a wall", object_on_wall),
    Rule(
        "dead-end",
        "monsters stand in all dead ends and nowhere else; every open cell has an open neighbour",
        dead_end,
    ),
    Rule(
        "treasure-room",
        "every treasure lies in a 3x3 room without monsters or a second treasure, with exactly one entrance, "
        "on which no monster stands",
        treasure_room,
    ),
    Rule("wide-hallway", "no 2x2 block of open cells outside the treasure rooms", wide_hallway),
    Rule("disconnected", "the open cells form one connected region", disconnected),
)


@cache
def placements(treasure: int, height: int, width: int) -> tuple[tuple[int, int], ...]:
    """The 3x3 squares of the board that hold cell number `treasure`, each with its border: (square, border) masks."""
    row, column = divmod(treasure, width)
    places = []
    for top in range(max(0, row - 2), min(row, height - 3) + 1):
        for left in range(max(0, column - 2), min(column, width - 3) + 1):
            square = (0b111 | 0b111 << width | 0b111 << 2 * width) << (top * width + left)
            places.append((square, grid.spread(square, height, width) & ~square))
    return tuple(places)


def _floors_and_possible(puzzle: Puzzle, board: Board) -> tuple[int, int]:
    """The masks of the cells known to be open and of those that may be."""
    return (board.floors | puzzle.objects) & ~board.walls, grid.full(puzzle.height, puzzle.width) & ~board.walls


def _count_faults(
    line: str, clues: tuple[Clue, ...], masks: list[int], puzzle: Puzzle, board: Board
) -> Iterator[Diagnostic]:
    floors, _ = _floors_and_possible(puzzle, board)
    for number, (clue, mask) in enumerate(zip(clues, masks, strict=True), start=1):
        if clue is None:
            continue
        least, most = (board.walls & mask).bit_count(), (mask & ~floors).bit_count()
        if not least <= clue <= most:
            has, count = ("has", least) if least > clue or least == most else ("can have at most", most)
            message = f"{line} {number} {has} {count or 'no'} wall{'s' if count > 1 else ''}, its clue is {clue}"
            yield Diagnostic(f"{line}-count", message, grid.cells(mask, puzzle.width))


def _object_name(puzzle: Puzzle, cell: Cell) -> str:
    return "monster" if puzzle.monsters & grid.to_mask((cell,), puzzle.width) else "treasure"


def _dead_end_message(puzzle: Puzzle, board: Board, cell: Cell) -> str:
    floors, possible = _floors_and_possible(puzzle, board)
    bit = grid.to_mask((cell,), puzzle.width)
    around = grid.spread(bit, puzzle.height, puzzle.width)
    if puzzle.monsters & bit:
        monster = f"the monster at {cell_name(cell)}"
        if board.walls & bit:
            return f"{monster} stands in a wall, it must stand in a dead end"
        count = (around & floors).bit_count()
        return f"{monster} has {count or 'no'} open neighbour{'s' if count > 1 else ''}, it must have exactly one"
    if not around & possible:
        return f"{cell_name(cell)} has no open neighbour"
    return f"{cell_name(cell)} is a dead end without a monster"


def _may_be_room(puzzle: Puzzle, floors: int, possible: int, square: int, border: int) -> bool:
    """Whether a square can be (on a complete board: is) the room of a treasure: rule 4, condition by condition."""
    return (
        not square & ~possible
        and _holds_one_treasure(puzzle, square)
        and bool(border & possible)
        and (border & floors).bit_count() <= 1
        # An open monster on the border would be the entrance.
        and not border & floors & puzzle.monsters
    )


def _holds_one_treasure(puzzle: Puzzle, square: int) -> bool:
    """Whether a square holds one treasure and no monster."""
    return (square & puzzle.treasures).bit_count() == 1 and not square & puzzle.monsters


def _rooms(puzzle: Puzzle, floors: int, possible: int) -> list[int]:
    """The squares that can be the room of a treasure."""
    return [
        square
        for treasure in grid.indices(puzzle.treasures)
        for square, border in placements(treasure, puzzle.height, puzzle.width)
        if _may_be_room(puzzle, floors, possible, square, border)
    ]


def _no_room(puzzle: Puzzle, board: Board, treasure: int) -> Diagnostic:
    """Why a treasure has no room: what stops the squares that come furthest through the conditions."""
    cell = divmod(treasure, puzzle.width)
    floors, possible = _floors_and_possible(puzzle, board)
    around = placements(treasure, puzzle.height, puzzle.width)
    free = [place for place in around if not place[0] & ~possible]
    lone = [place for place in free if _holds_one_treasure(puzzle, place[0])]
    name = f"the treasure at {cell_name(cell)}"
    entrances: tuple[Cell, ...] = ()
    if board.walls >> treasure & 1:
        message = f"{name} stands in a wall, it must stand in a room"
    elif not free:
        message = f"no 3x3 square of open cells {'is' if board.is_complete else 'can be'} around {name}"
    elif not lone:
        message = f"every 3x3 square around {name} holds a wall, a monster or a second treasure"
    elif len(lone) > 1:
        message = f"no 3x3 square around {name} has exactly one entrance, free of monsters"
    else:
        entrances = grid.cells(lone[0][1] & floors, puzzle.width)
        message = f"the room of {name} {_entrance_fault(entrances, board.is_complete)}"
    return Diagnostic("treasure-room", message, (cell, *entrances))


def _entrance_fault(entrances: tuple[Cell, ...], complete: bool) -> str:
    if not entrances:
        return "has no entrance" if complete else "can have no entrance"
    if len(entrances) == 1:
        return f"has a monster at its entrance {cell_name(entrances[0])}"
    return f"has {len(entrances)} entrances: {cell_list(entrances)}"


def _cut_off_message(region: tuple[Cell, ...]) -> str:
    if len(region) == 1:
        return f"the open cell {cell_name(region[0])} is cut off from the other open cells"
    if len(region) <= 4:
        return f"the open cells {cell_list(region)} are cut off from the others"
    return f"the region of {len(region)} open cells with {cell_name(region[0])} is cut off from the others"


def _fitting(puzzle: Puzzle, board: Board) -> Board:
    if (board.height, board.width) != (puzzle.height, puzzle.width):
        message = (
            f"a board of {board.height} rows and {board.width} columns "
            f"for a puzzle of {puzzle.height} rows and {puzzle.width} columns"
        )
        raise PuzzleError("board-conflict", message)
    return board


def _drawn(puzzle: Puzzle, text: str) -> Board:
    rows = [line.strip() for line in text.strip().splitlines()]

    def place(row: int, column: int) -> Span:
        return Span(line=row + 1, column=column + 1, text=rows[row] if row < len(rows) else "")

    alphabet.check_rows(rows, puzzle.height, puzzle.width, place)
    letters = alphabet.translated(rows, alphabet.LETTERS, place)
    # Walls may hide objects: to say so is what object-on-wall is for.
    for letter, name, mask in (("M", "monster", puzzle.monsters), ("T", "treasure", puzzle.treasures)):
        for cell in grid.cells(alphabet.mask(letters, letter) & ~mask, puzzle.width)[:1]:
            raise input_error("board-conflict", f"the puzzle has no {name} at {cell_name(cell)}", place(*cell))
    return alphabet.board(letters, puzzle.objects)
