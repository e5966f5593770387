# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
"""The compiled twin of `logic_py`: the same conclusions and rounds, cell by cell instead of with masks.

A board is one byte a cell, row by row, and one byte more that stands for all that is outside and is always WALL.
*Conclusions* are collected in bytes too; there WALL | FLOOR is a cell concluded to be both, which breaks the board.

    0 unknown    1 WALL    2 FLOOR

A *view* is a board and what can be seen on it at once: neighbours, what lines lack, possible placements. It is made
anew (`look`) whenever the board has changed; that is cheaper than to keep it right.

Where one or two lines are looked at along their length, place p of line j is bit 2 * p + j of a word: a side has at
most 32 cells.

                      place  0 1 2 3 4 5
    first line, bits         0 2 4 6 8 .
    second line, bits        1 3 5 7 9 .
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

cdef extern from *:
    int popcount "__builtin_popcountll"(unsigned long long) noexcept nogil

OPEN, SOLVED, BROKEN = range(3)
WHAT_IF = 25  # its number; so many techniques do without assumptions

cdef enum:
    STILL_OPEN = 0
    IS_SOLVED = 1
    IS_BROKEN = 2

cdef enum:
    UNKNOWN = 0
    WALL = 1
    FLOOR = 2

cdef enum:
    SIDE = 32
    CELLS = 1024
    LINES = 64
    WORDS = 16          # of a mask of CELLS
    MANY = 99           # what a line without clue lacks: more than any line has cells
    MOST_ROUNDS = 12    # of easy techniques that a "what if" may take until it breaks
    CLAIMS = 512        # more than two lines can have
    PACKINGS = 2048     # sets of cells that the later of some claims might want

# The neighbours of a cell: 3 - side is the side opposite.
cdef enum:
    ABOVE = 0
    LEFT = 1
    RIGHT = 2
    BELOW = 3

# What is known; what would be if an assumption held; what would follow at once from an exit.
cdef enum:
    HERE = 0
    TRIAL = 1
    DEEPER = 2

# Techniques, as in `logic_py`.
cdef enum:
    EASY = 17
    DIRECT = 25
    ASSUMING = 25


cdef struct Place:
    # A placement of a treasure's room; corners: the upper left cells of its four blocks.
    int16_t square[9]
    int16_t border[12]
    int16_t corners[4]
    int borders


cdef struct Layout:
    int height, width, cells, lines
    int16_t beside[CELLS][4]        # `cells` for what is outside
    uint8_t monster[CELLS + 1]
    uint8_t ever_asleep[CELLS]      # blocks, known by their upper left cells, that lie in some placement
    int clue[LINES]
    int treasures
    int* first                      # of each treasure the number of its first placement; one more at the end
    Place* places


cdef struct View:
    uint8_t board[CELLS + 1]
    uint8_t may[CELLS]              # how many neighbours may be floor
    uint8_t open[CELLS]             # how many are
    uint8_t awake[CELLS]            # 1 for a block that lies in no possible placement
    int lacks[2][LINES]             # walls, floors
    uint8_t* possible               # of each placement
    int* room                       # of each treasure its only possible placement, -1 if it has several, -2 if none
    int some_floor                  # -1: there is none
    int unknown
    bint clash                      # some cell is both wall and floor


cdef struct Flood:
    int16_t stack[CELLS]
    uint8_t reached[CELLS + 1]


cdef struct Claim:
    uint64_t cells
    int need                        # so many of them at least are walls (or floors)


cdef struct Claims:
    Claim each[CLAIMS]
    int number


cdef struct Packings:
    uint64_t taken[PACKINGS]
    int total[PACKINGS]


cdef struct Cuts:
    # The search for cells without which floors fall apart.
    int16_t order[CELLS]
    int16_t low[CELLS]
    int floors, time
    uint8_t* found


cdef struct Work:
    Layout layout
    View views[3]
    Flood flood
    Claims claims
    Claims fewer
    Packings packings[2]
    Cuts cuts
    uint8_t found[CELLS]
    uint64_t* ends                  # of `agree_in_strip`
    uint64_t* starts
    uint8_t* rounds                 # of each round its technique, then its conclusions
    int number


# ---------------------------------------------------------------------------------------------------------------
# From Python and back.


def rounds(
    int height, int width, tuple rows, tuple columns, object monsters, object treasures, object walls, object floors,
    int hardest
):
    """(rounds, status): the path from what is known, as far as techniques up to number `hardest` lead.

    In each round the easiest technique that finds something concludes all it can: (technique, walls, floors).
    status: OPEN if cells are left, SOLVED, or BROKEN: what is known after the last round breaks a rule in plain sight.
    """
    cdef Work* work = new_work(height, width, rows, columns, monsters, treasures)
    cdef int status
    try:
        read_board(work, walls, floors | monsters | treasures)
        with nogil:
            status = run(work, hardest)
        return tuple([told_round(work, number) for number in range(work.number)]), status
    finally:
        free_work(work)


def easy(
    int height, int width, tuple rows, tuple columns, object monsters, object treasures, object walls, object floors
):
    """(walls, floors) for each easy technique: what it concludes from what is known."""
    cdef Work* work = new_work(height, width, rows, columns, monsters, treasures)
    cdef int number
    cdef list told = []
    try:
        read_board(work, walls, floors | monsters | treasures)
        look(&work.layout, &work.views[HERE])
        for number in range(EASY):
            memset(work.found, 0, work.layout.cells)
            apply_technique(work, &work.views[HERE], work.found, number)
            told.append(masks(work.found, work.layout.cells))
        return tuple(told)
    finally:
        free_work(work)


def agreement(
    int height, int width, tuple rows, tuple columns, object monsters, object walls, object floors, object awake,
    int first, int second
):
    """(walls, floors): what all ways to fill a line agree on, or two lines side by side (second: -1 for one line).

    awake: the blocks, known by their upper left cells, that cannot be open. Monsters are floors.
    """
    cdef Work* work = new_work(height, width, rows, columns, monsters, 0)
    cdef bytes awake_bits = awake.to_bytes(CELLS // 8, "little")
    cdef const uint8_t* bits = awake_bits
    cdef int cell
    try:
        read_board(work, walls, floors | monsters)
        for cell in range(work.layout.cells):
            work.views[HERE].awake[cell] = bits[cell >> 3] >> (cell & 7) & 1
        memset(work.found, 0, work.layout.cells)
        agree_in_strip(work, &work.views[HERE], first, second)
        return masks(work.found, work.layout.cells)
    finally:
        free_work(work)


cdef Work* new_work(int height, int width, tuple rows, tuple columns, object monsters, object treasures) except NULL:
    cdef Work* work = <Work*>malloc(sizeof(Work))
    cdef Layout* layout
    cdef bytes monster_bits = monsters.to_bytes(CELLS // 8, "little")
    cdef const uint8_t* bits = monster_bits
    cdef int line, cell, row, column, longest = max(height, width)
    if not work:
        raise MemoryError
    # Most of it is filled before it is read; so only what `free_work` looks at, and what is added up.
    memset(&work.layout, 0, sizeof(Layout))
    for line in range(3):
        work.views[line].possible, work.views[line].room, work.views[line].clash = NULL, NULL, False
    work.ends = work.starts = NULL
    work.rounds = NULL
    work.number = 0
    layout = &work.layout
    layout.height, layout.width, layout.cells, layout.lines = height, width, height * width, height + width
    for line in range(height):
        layout.clue[line] = rows[line]
    for line in range(width):
        layout.clue[height + line] = columns[line]
    for cell in range(layout.cells):
        row, column = cell // width, cell % width
        layout.beside[cell][ABOVE] = cell - width if row else layout.cells
        layout.beside[cell][LEFT] = cell - 1 if column else layout.cells
        layout.beside[cell][RIGHT] = cell + 1 if column < width - 1 else layout.cells
        layout.beside[cell][BELOW] = cell + width if row < height - 1 else layout.cells
        layout.monster[cell] = bits[cell >> 3] >> (cell & 7) & 1
    work.ends = <uint64_t*>malloc(longest * 16 * (longest + 1) * sizeof(uint64_t))
    work.starts = <uint64_t*>malloc(2 * 16 * (longest + 1) * sizeof(uint64_t))
    work.rounds = <uint8_t*>malloc((layout.cells + 1) * (layout.cells + 1))
    if not (work.ends and work.starts and work.rounds and add_placements(work, treasures)):
        free_work(work)
        raise MemoryError
    return work


cdef bint add_placements(Work* work, object treasures):
    """List the placements of all treasures and make room for what views know of them; False if there is no memory."""
    cdef Layout* layout = &work.layout
    cdef bytes treasure_bits = treasures.to_bytes(CELLS // 8, "little")
    cdef const uint8_t* bits = treasure_bits
    cdef int number = treasures.bit_count(), cell, top, left, count = 0, row, column
    layout.first = <int*>calloc(number + 1, sizeof(int))
    layout.places = <Place*>malloc((9 * number + 1) * sizeof(Place))
    if not (layout.first and layout.places):
        return False
    for cell in range(layout.cells):
        if not bits[cell >> 3] >> (cell & 7) & 1:
            continue
        row, column = cell // layout.width, cell % layout.width
        layout.first[layout.treasures] = count
        for top in range(max(0, row - 2), min(row, layout.height - 3) + 1):
            for left in range(max(0, column - 2), min(column, layout.width - 3) + 1):
                if is_placement(layout, bits, top * layout.width + left, &layout.places[count]):
                    count += 1
        layout.treasures += 1
    layout.first[number] = count
    for cell in range(count):
        for row in range(4):
            layout.ever_asleep[layout.places[cell].corners[row]] = 1
    for row in range(3):
        work.views[row].possible = <uint8_t*>malloc(count + 1)
        work.views[row].room = <int*>malloc((number + 1) * sizeof(int))
        if not (work.views[row].possible and work.views[row].room):
            return False
    return True


cdef bint is_placement(Layout* layout, const uint8_t* treasures, int corner, Place* place) noexcept:
    """Fill in a placement by its upper left cell; False if it holds two treasures, or a monster even on its border."""
    cdef int row, column, cell, number = 0, found = 0
    place.borders = 0
    for row in range(3):
        for column in range(3):
            cell = corner + row * layout.width + column
            place.square[3 * row + column] = cell
            found += treasures[cell >> 3] >> (cell & 7) & 1
            number += layout.monster[cell]
            if row == 0:
                add_border(layout, place, layout.beside[cell][ABOVE])
            if row == 2:
                add_border(layout, place, layout.beside[cell][BELOW])
            if column == 0:
                add_border(layout, place, layout.beside[cell][LEFT])
            if column == 2:
                add_border(layout, place, layout.beside[cell][RIGHT])
    for cell in range(4):
        place.corners[cell] = corner + (cell >> 1) * layout.width + (cell & 1)
    for cell in range(place.borders):
        number += layout.monster[place.border[cell]]
    return found == 1 and number == 0


cdef void add_border(Layout* layout, Place* place, int cell) noexcept:
    if cell < layout.cells:
        place.border[place.borders] = cell
        place.borders += 1


cdef void free_work(Work* work) noexcept:
    cdef int number
    for number in range(3):
        free(work.views[number].possible)
        free(work.views[number].room)
    free(work.layout.first)
    free(work.layout.places)
    free(work.ends)
    free(work.starts)
    free(work.rounds)
    free(work)


cdef int read_board(Work* work, object walls, object floors) except -1:
    cdef bytes wall_bits = walls.to_bytes(CELLS // 8, "little"), floor_bits = floors.to_bytes(CELLS // 8, "little")
    cdef const uint8_t* wall = wall_bits
    cdef const uint8_t* floor = floor_bits
    cdef int cell, kinds
    for cell in range(work.layout.cells):
        kinds = (wall[cell >> 3] >> (cell & 7) & 1) | (floor[cell >> 3] >> (cell & 7) & 1) << 1
        work.views[HERE].board[cell] = kinds
        work.views[HERE].clash |= kinds == WALL | FLOOR
    work.views[HERE].board[work.layout.cells] = WALL
    return 0


cdef tuple told_round(Work* work, int number):
    cdef uint8_t* told = work.rounds + number * (work.layout.cells + 1)
    walls, floors = masks(told + 1, work.layout.cells)
    return told[0], walls, floors


cdef tuple masks(uint8_t* found, int cells):
    """The walls and floors among conclusions, as masks."""
    cdef uint64_t words[2][WORDS]
    cdef int cell, word, last = (cells - 1) // 64
    memset(words, 0, sizeof(words))
    for cell in range(cells):
        words[0][cell >> 6] |= <uint64_t>(found[cell] & 1) << (cell & 63)
        words[1][cell >> 6] |= <uint64_t>(found[cell] >> 1 & 1) << (cell & 63)
    walls, floors = words[0][last], words[1][last]
    for word in range(last - 1, -1, -1):
        walls, floors = walls << 64 | words[0][word], floors << 64 | words[1][word]
    return walls, floors


# ---------------------------------------------------------------------------------------------------------------
# Looking at a board.


cdef void look(Layout* layout, View* view) noexcept nogil:
    """Make all of a view from its board."""
    cdef int cell, side, kind, line
    cdef uint8_t* board = view.board
    cdef int* walls_lacking = view.lacks[0]
    cdef int* floors_lacking = view.lacks[1]
    view.unknown, view.some_floor = 0, -1
    for line in range(layout.lines):
        walls_lacking[line] = layout.clue[line]
        floors_lacking[line] = (layout.width if line < layout.height else layout.height) - layout.clue[line]
    cell = 0
    for line in range(layout.height):
        for side in range(layout.width):
            kind = board[cell]
            if kind == UNKNOWN:
                view.unknown += 1
            elif kind == WALL:
                walls_lacking[line] -= 1
                walls_lacking[layout.height + side] -= 1
            else:
                floors_lacking[line] -= 1
                floors_lacking[layout.height + side] -= 1
                if view.some_floor < 0:
                    view.some_floor = cell
            cell += 1
    for line in range(layout.lines):
        if layout.clue[line] < 0:
            walls_lacking[line] = floors_lacking[line] = MANY
    for cell in range(layout.cells):
        view.may[cell] = view.open[cell] = 0
        for side in range(4):
            kind = board[layout.beside[cell][side]]
            view.may[cell] += kind != WALL
            view.open[cell] += kind == FLOOR
    look_at_rooms(layout, view)


cdef void look_at_rooms(Layout* layout, View* view) noexcept nogil:
    cdef int treasure, place, corner
    if not layout.treasures:
        memset(view.awake, 1, layout.cells)
        return
    for corner in range(layout.cells):
        view.awake[corner] = 1
    for treasure in range(layout.treasures):
        view.room[treasure] = -2
        for place in range(layout.first[treasure], layout.first[treasure + 1]):
            view.possible[place] = is_possible(view, &layout.places[place])
            if view.possible[place]:
                view.room[treasure] = place if view.room[treasure] == -2 else -1
                for corner in range(4):
                    view.awake[layout.places[place].corners[corner]] = 0


cdef bint is_possible(View* view, Place* place) noexcept nogil:
    cdef int number
    for number in range(9):
        if view.board[place.square[number]] == WALL:
            return False
    return border_cells(view, place, FLOOR) < 2 and border_cells(view, place, WALL) < place.borders


cdef int border_cells(View* view, Place* place, int kind) noexcept nogil:
    """How many border cells are of a kind."""
    cdef int number, found = 0
    for number in range(place.borders):
        found += view.board[place.border[number]] == kind
    return found


cdef bint is_block(Layout* layout, int cell) noexcept nogil:
    """Whether a cell is the upper left one of a block."""
    return layout.beside[cell][RIGHT] < layout.cells and layout.beside[cell][BELOW] < layout.cells


cdef int flood(Layout* layout, View* view, Flood* flood, int start) noexcept nogil:
    """Mark what can be reached from a cell through all that may be floor; how many known floors that are."""
    cdef int height = 1, cell, side, other, floors = 0
    flood.stack[0] = start
    flood.reached[start] = 1
    while height:
        height -= 1
        cell = flood.stack[height]
        floors += view.board[cell] == FLOOR
        for side in range(4):
            other = layout.beside[cell][side]
            if not flood.reached[other] and view.board[other] != WALL:
                flood.reached[other] = 1
                flood.stack[height] = other
                height += 1
    return floors


cdef int floors_of(Layout* layout, View* view) noexcept nogil:
    cdef int cell, floors = 0
    for cell in range(layout.cells):
        floors += view.board[cell] == FLOOR
    return floors


cdef bint is_split(Work* work, View* view) noexcept nogil:
    """Whether some floor is cut off from another."""
    if view.some_floor < 0:
        return False
    memset(work.flood.reached, 0, work.layout.cells)
    return flood(&work.layout, view, &work.flood, view.some_floor) < floors_of(&work.layout, view)


cdef bint is_broken(Work* work, View* view) noexcept nogil:
    """Whether a rule is broken in plain sight, whatever the unknown cells are."""
    cdef Layout* layout = &work.layout
    cdef int cell, line, treasure
    if view.clash:
        return True
    for line in range(layout.lines):
        if view.lacks[0][line] < 0 or view.lacks[1][line] < 0:
            return True
    for cell in range(layout.cells):
        if layout.monster[cell]:
            if view.may[cell] < 1 or view.open[cell] > 1:
                return True
        elif view.board[cell] == FLOOR and view.may[cell] < 2:
            return True
        if view.awake[cell] and is_block(layout, cell) and floors_in_block(layout, view, cell) == 4:
            return True
    for treasure in range(layout.treasures):
        if view.room[treasure] == -2:
            return True
    return is_split(work, view)


cdef int floors_in_block(Layout* layout, View* view, int corner) noexcept nogil:
    cdef int under = layout.beside[corner][BELOW]
    return (
        (view.board[corner] == FLOOR) + (view.board[corner + 1] == FLOOR)
        + (view.board[under] == FLOOR) + (view.board[under + 1] == FLOOR)
    )


# ---------------------------------------------------------------------------------------------------------------
# The techniques. Each adds to `found` what it concludes, and says nothing of cells that are known.


cdef inline void conclude(View* view, uint8_t* found, int cell, int kind) noexcept nogil:
    if view.board[cell] == UNKNOWN:
        found[cell] |= kind


cdef void conclude_beside(Layout* layout, View* view, uint8_t* found, int cell, int kind) noexcept nogil:
    """Conclude all unknown neighbours."""
    cdef int side, other
    for side in range(4):
        other = layout.beside[cell][side]
        if other < layout.cells:
            conclude(view, found, other, kind)


cdef int in_line(Layout* layout, int line, int place) noexcept nogil:
    """The cell at a place of a line."""
    return line * layout.width + place if line < layout.height else place * layout.width + line - layout.height


cdef int length_of(Layout* layout, int line) noexcept nogil:
    return layout.width if line < layout.height else layout.height


cdef void full_lines(Work* work, View* view, uint8_t* found, int kind) noexcept nogil:
    """Lines that lack no more of a kind (0 walls, 1 floors): the rest is of the other."""
    cdef Layout* layout = &work.layout
    cdef int line, place
    for line in range(layout.lines):
        if view.lacks[kind][line] == 0:
            for place in range(length_of(layout, line)):
                conclude(view, found, in_line(layout, line, place), WALL if kind else FLOOR)


cdef void dead_end(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef int cell
    for cell in range(work.layout.cells):
        if view.may[cell] < 2:
            conclude(view, found, cell, WALL)


cdef void monster_exits(Work* work, View* view, uint8_t* found, int kind) noexcept nogil:
    """An exit that is forced (FLOOR), or walls around one that is found (WALL)."""
    cdef int cell
    for cell in range(work.layout.cells):
        if work.layout.monster[cell] and (view.may[cell] < 2 if kind == FLOOR else view.open[cell] > 0):
            conclude_beside(&work.layout, view, found, cell, kind)


cdef void way_through(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef int cell
    for cell in range(work.layout.cells):
        if view.board[cell] == FLOOR and not work.layout.monster[cell] and view.may[cell] < 3:
            conclude_beside(&work.layout, view, found, cell, FLOOR)


cdef void wide_hallway(Work* work, View* view, uint8_t* found, bint ever) noexcept nogil:
    """The fourth cells of blocks that no placement can ever hold, or that none can now."""
    cdef Layout* layout = &work.layout
    cdef int cell, under
    cdef bint awake
    for cell in range(layout.cells):
        awake = layout.ever_asleep[cell] == 0 if ever else view.awake[cell] == 1
        if awake and is_block(layout, cell) and floors_in_block(layout, view, cell) == 3:
            under = layout.beside[cell][BELOW]
            conclude(view, found, cell, WALL)
            conclude(view, found, cell + 1, WALL)
            conclude(view, found, under, WALL)
            conclude(view, found, under + 1, WALL)


cdef void room_found(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef int treasure, number
    for treasure in range(work.layout.treasures):
        if view.room[treasure] >= 0:
            for number in range(9):
                conclude(view, found, work.layout.places[view.room[treasure]].square[number], FLOOR)


cdef void room_border(Work* work, View* view, uint8_t* found, int kind) noexcept nogil:
    """Walls around a room with its entrance (WALL), or the entrance of one with a single way (FLOOR)."""
    cdef int treasure, number
    cdef Place* place
    for treasure in range(work.layout.treasures):
        if view.room[treasure] >= 0:
            place = &work.layout.places[view.room[treasure]]
            if (
                border_cells(view, place, FLOOR) > 0
                if kind == WALL
                else border_cells(view, place, WALL) >= place.borders - 1
            ):
                for number in range(place.borders):
                    conclude(view, found, place.border[number], kind)


cdef void room_common(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef Layout* layout = &work.layout
    cdef int treasure, place, number, possible
    cdef uint8_t seen[CELLS]
    for treasure in range(layout.treasures):
        memset(seen, 0, layout.cells)
        possible = 0
        for place in range(layout.first[treasure], layout.first[treasure + 1]):
            if view.possible[place]:
                possible += 1
                for number in range(9):
                    seen[layout.places[place].square[number]] += 1
        for number in range(layout.cells):
            if possible and seen[number] == possible:
                conclude(view, found, number, FLOOR)


cdef void only_way_out(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef Layout* layout = &work.layout
    cdef int cell, side, other, number, way, total = floors_of(layout, view), height
    cdef Flood* region = &work.flood
    memset(region.reached, 0, sizeof(region.reached))
    for cell in range(layout.cells):
        if view.board[cell] != FLOOR or region.reached[cell]:
            continue
        # A flood of its own: the stack keeps the whole region.
        region.stack[0] = cell
        region.reached[cell] = 1
        height, number, way = 1, 0, -1
        while number < height:
            for side in range(4):
                other = layout.beside[region.stack[number]][side]
                if view.board[other] == UNKNOWN:
                    way = other if way == -1 or way == other else -2
                elif view.board[other] == FLOOR and not region.reached[other]:
                    region.reached[other] = 1
                    region.stack[height] = other
                    height += 1
            number += 1
        if way >= 0 and height < total:
            conclude(view, found, way, FLOOR)


cdef void cut_off(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef int cell
    if view.some_floor < 0:
        return
    memset(work.flood.reached, 0, work.layout.cells)
    flood(&work.layout, view, &work.flood, view.some_floor)
    for cell in range(work.layout.cells):
        if not work.flood.reached[cell]:
            conclude(view, found, cell, WALL)


cdef void bridge(Work* work, View* view, uint8_t* found) noexcept nogil:
    """Cells that every way between two floors passes: one walk over all cells (Tarjan's low points)."""
    if view.some_floor < 0:
        return
    memset(work.cuts.order, 0, work.layout.cells * sizeof(int16_t))
    work.cuts.time, work.cuts.floors, work.cuts.found = 0, floors_of(&work.layout, view), found
    walk(&work.layout, view, &work.cuts, view.some_floor)


cdef int walk(Layout* layout, View* view, Cuts* cuts, int cell) noexcept nogil:
    """Walk over all that hangs on a cell; how many floors that are."""
    cdef int side, other, below, floors = view.board[cell] == FLOOR
    cuts.time += 1
    cuts.order[cell] = cuts.low[cell] = cuts.time
    for side in range(4):
        other = layout.beside[cell][side]
        if view.board[other] == WALL:
            continue
        if cuts.order[other]:
            cuts.low[cell] = min(cuts.low[cell], cuts.order[other])
            continue
        below = walk(layout, view, cuts, other)
        cuts.low[cell] = min(cuts.low[cell], cuts.low[other])
        # The walk began on a floor, so there is always one on the other side.
        if below and cuts.low[other] >= cuts.order[cell]:
            conclude(view, cuts.found, cell, FLOOR)
        floors += below
    return floors


cdef void closing(Work* work, View* view, uint8_t* found, bint any_rule) noexcept nogil:
    """Cells that as an exit, or entrance, would bring walls that cut floors off, or break any rule."""
    cdef Layout* layout = &work.layout
    cdef View* then = &work.views[DEEPER]
    cdef int cell
    then.clash = False
    for cell in range(layout.cells):
        if view.board[cell] == UNKNOWN:
            memcpy(then.board, view.board, layout.cells + 1)
            then.board[cell] = FLOOR
            if close_around(layout, view, then.board, cell):
                if any_rule:
                    look(layout, then)
                    if is_broken(work, then):
                        conclude(view, found, cell, WALL)
                else:
                    then.some_floor = cell
                    if is_split(work, then):
                        conclude(view, found, cell, WALL)


cdef int close_around(Layout* layout, View* view, uint8_t* board, int cell) noexcept nogil:
    """Put the walls that follow at once if a cell is floor; how many."""
    cdef int side, other, around, treasure, number, closed = 0
    cdef Place* place
    for side in range(4):
        other = layout.beside[cell][side]
        if layout.monster[other]:
            for around in range(4):
                closed += close_cell(layout, board, layout.beside[other][around])
    for treasure in range(layout.treasures):
        if view.room[treasure] >= 0:
            place = &layout.places[view.room[treasure]]
            for number in range(place.borders):
                if place.border[number] == cell:
                    for around in range(place.borders):
                        closed += close_cell(layout, board, place.border[around])
    return closed


cdef int close_cell(Layout* layout, uint8_t* board, int cell) noexcept nogil:
    if board[cell] != UNKNOWN:
        return 0
    board[cell] = WALL
    return 1


cdef void last_floor(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef Layout* layout = &work.layout
    cdef int cell, side, kind, ways, line
    for cell in range(layout.cells):
        if view.board[cell] == UNKNOWN:
            ways = 0
            for side in range(4):
                kind = view.board[layout.beside[cell][side]]
                line = line_towards(layout, cell, side)
                ways += kind == FLOOR or kind == UNKNOWN and view.lacks[1][line] != 1
            if ways < 2:
                conclude(view, found, cell, WALL)


cdef int line_towards(Layout* layout, int cell, int side) noexcept nogil:
    """The line in which a cell and its neighbour on a side lie."""
    if side == LEFT or side == RIGHT:
        return cell // layout.width
    return layout.height + cell % layout.width


cdef void last_wall(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef Layout* layout = &work.layout
    cdef int cell, side, other
    for cell in range(layout.cells):
        if view.board[cell] == UNKNOWN:
            for side in range(4):
                other = layout.beside[cell][side]
                if view.board[other] == UNKNOWN and view.may[other] < 3:
                    if view.lacks[0][line_towards(layout, cell, side)] == 1:
                        conclude(view, found, cell, FLOOR)


# ---------------------------------------------------------------------------------------------------------------
# Claims.


cdef inline uint64_t bit(int place, int number) noexcept nogil:
    return <uint64_t>1 << (2 * place + number)


cdef void add_claim(Claims* claims, uint64_t cells, int need) noexcept nogil:
    claims.each[claims.number].cells = cells
    claims.each[claims.number].need = need
    claims.number += 1


cdef void claim_walls_at(Layout* layout, View* view, Claims* claims, int line, int number, int here) noexcept nogil:
    """The claims of walls that begin at a place of a line, which is number 0 or 1 of its strip."""
    cdef int cell = in_line(layout, line, here), next = in_line(layout, line, here + 1), third
    cdef int before = ABOVE if line < layout.height else LEFT
    if view.board[cell] != UNKNOWN:
        return
    if view.board[next] == UNKNOWN and (
        is_narrow(layout, view, cell, next, before) or is_narrow(layout, view, cell, next, 3 - before)
    ):
        add_claim(claims, bit(here, number) | bit(here + 1, number), 1)
    if here + 2 < length_of(layout, line) and layout.monster[next]:
        third = in_line(layout, line, here + 2)
        if view.board[third] == UNKNOWN:
            add_claim(claims, bit(here, number) | bit(here + 2, number), 1)


cdef bint is_narrow(Layout* layout, View* view, int cell, int next, int side) noexcept nogil:
    """Whether two cells in a line make an open block with two floors on a side of theirs."""
    cdef int one = layout.beside[cell][side], other = layout.beside[next][side]
    return (
        one < layout.cells
        and view.board[one] == FLOOR
        and view.board[other] == FLOOR
        and view.awake[min(cell, one)]
    )


cdef void claim_borders(Layout* layout, View* view, Claims* claims, int line, int number) noexcept nogil:
    """Of the unknown border cells of a room without entrance yet, all but one are walls."""
    cdef int treasure, each, place
    cdef uint64_t cells
    cdef Place* room
    for treasure in range(layout.treasures):
        if view.room[treasure] < 0:
            continue
        room = &layout.places[view.room[treasure]]
        if border_cells(view, room, FLOOR):
            continue
        cells = 0
        for each in range(room.borders):
            if view.board[room.border[each]] == UNKNOWN:
                place = place_in(layout, line, room.border[each])
                if place >= 0:
                    cells |= bit(place, number)
        if cells & (cells - 1):
            add_claim(claims, cells, popcount(cells) - 1)


cdef int place_in(Layout* layout, int line, int cell) noexcept nogil:
    """The place of a cell in a line, -1 if it is not there."""
    if line < layout.height:
        return cell % layout.width if cell // layout.width == line else -1
    return cell // layout.width if cell % layout.width == line - layout.height else -1


cdef void claim_floors(Layout* layout, View* view, Claims* claims, int line) noexcept nogil:
    """Pairs of which one at least is floor: the neighbours in the line of a floor that needs one of them."""
    cdef int here, cell, side = ABOVE if line < layout.height else LEFT, outside
    for here in range(1, length_of(layout, line) - 1):
        cell = in_line(layout, line, here)
        if view.board[cell] != FLOOR:
            continue
        if view.board[in_line(layout, line, here - 1)] or view.board[in_line(layout, line, here + 1)]:
            continue
        outside = (view.board[layout.beside[cell][side]] != WALL) + (view.board[layout.beside[cell][3 - side]] != WALL)
        if outside == (0 if layout.monster[cell] else 1):
            add_claim(claims, bit(here - 1, 0) | bit(here + 1, 0), 1)


cdef void claim_block(Layout* layout, View* view, Claims* claims, int line, int here) noexcept nogil:
    """A block of two lines, this and the next, that has no wall yet."""
    cdef int number, along, cell
    cdef uint64_t cells = 0
    if not view.awake[in_line(layout, line, here)]:
        return
    for number in range(2):
        for along in range(2):
            cell = in_line(layout, line + number, here + along)
            if view.board[cell] == WALL:
                return
            if view.board[cell] == UNKNOWN:
                cells |= bit(here + along, number)
    add_claim(claims, cells, 1)


cdef void leave_over(Work* work, View* view, uint8_t* found, int line, int lines, int kind) noexcept nogil:
    """Conclude the cells that are in none of some claims which, apart from each other, need all that lines lack."""
    cdef Layout* layout = &work.layout
    cdef Claims* claims = &work.claims
    cdef Claims* fewer = &work.fewer
    cdef int lacks = 0, number, here, cell, each
    for number in range(lines):
        lacks += view.lacks[kind][line + number]
    if not claims.number or packed(work, claims) < lacks:
        return
    for number in range(lines):
        for here in range(length_of(layout, line)):
            cell = in_line(layout, line + number, here)
            if view.board[cell] == UNKNOWN:
                fewer.number = 0
                for each in range(claims.number):
                    if not claims.each[each].cells & bit(here, number):
                        add_claim(fewer, claims.each[each].cells, claims.each[each].need)
                if packed(work, fewer) >= lacks:
                    conclude(view, found, cell, WALL if kind else FLOOR)


cdef int packed(Work* work, Claims* claims) noexcept nogil:
    """How much claims that do not overlap need together, at most: as in the pure twin, from claim to claim."""
    cdef uint64_t later[CLAIMS + 1]
    cdef int each, known = 1, state, grown, best = 0
    cdef Packings* most = &work.packings[0]
    cdef Packings* next = &work.packings[1]
    cdef Claim* claim
    later[claims.number] = 0
    for each in range(claims.number - 1, -1, -1):
        later[each] = later[each + 1] | claims.each[each].cells
    most.taken[0] = most.total[0] = 0
    for each in range(claims.number):
        claim, grown = &claims.each[each], 0
        for state in range(known):
            grown = add_packing(next, grown, most.taken[state] & later[each + 1], most.total[state])
            if not most.taken[state] & claim.cells:
                grown = add_packing(
                    next, grown, (most.taken[state] | claim.cells) & later[each + 1], most.total[state] + claim.need
                )
        most, next, known = next, most, grown
    for state in range(known):
        best = max(best, most.total[state])
    return best


cdef int add_packing(Packings* packings, int number, uint64_t taken, int total) noexcept nogil:
    cdef int each
    for each in range(number):
        if packings.taken[each] == taken:
            packings.total[each] = max(packings.total[each], total)
            return number
    packings.taken[number] = taken
    packings.total[number] = total
    return number + 1


cdef void claimed(Work* work, View* view, uint8_t* found, int kind) noexcept nogil:
    """Lines whose walls (kind 0), or floors (kind 1), are all claimed."""
    cdef Layout* layout = &work.layout
    cdef int line, here
    for line in range(layout.lines):
        if view.lacks[kind][line] == MANY:
            continue
        work.claims.number = 0
        if kind:
            claim_floors(layout, view, &work.claims, line)
        else:
            for here in range(length_of(layout, line) - 1):
                claim_walls_at(layout, view, &work.claims, line, 0, here)
            claim_borders(layout, view, &work.claims, line, 0)
        leave_over(work, view, found, line, 1, kind)


cdef void two_lines_claimed(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef Layout* layout = &work.layout
    cdef int line, here
    for line in range(layout.lines - 1):
        if line + 1 == layout.height or view.lacks[0][line] == MANY or view.lacks[0][line + 1] == MANY:
            continue
        work.claims.number = 0
        for here in range(length_of(layout, line) - 1):
            claim_walls_at(layout, view, &work.claims, line, 0, here)
            claim_walls_at(layout, view, &work.claims, line + 1, 1, here)
            claim_block(layout, view, &work.claims, line, here)
        claim_borders(layout, view, &work.claims, line, 0)
        claim_borders(layout, view, &work.claims, line + 1, 1)
        leave_over(work, view, found, line, 2, 0)


# ---------------------------------------------------------------------------------------------------------------
# Rooms and counts.


cdef void room_counted(Work* work, View* view, uint8_t* found) noexcept nogil:
    cdef Layout* layout = &work.layout
    cdef int treasure, number, cell
    cdef uint8_t agreed[CELLS]
    cdef uint8_t brought[CELLS]
    for treasure in range(layout.treasures):
        memset(agreed, WALL | FLOOR, layout.cells)
        for number in range(layout.first[treasure], layout.first[treasure + 1]):
            if view.possible[number]:
                bring(layout, view, &layout.places[number], brought)
                if counts_allow(layout, view, &layout.places[number], brought):
                    for cell in range(layout.cells):
                        agreed[cell] &= brought[cell]
        for cell in range(layout.cells):
            if agreed[cell]:
                conclude(view, found, cell, agreed[cell])


cdef void bring(Layout* layout, View* view, Place* place, uint8_t* brought) noexcept nogil:
    """What a room makes of its square and its border at once, as far as unknown."""
    cdef int number
    cdef int kind = UNKNOWN
    if border_cells(view, place, FLOOR):
        kind = WALL
    elif border_cells(view, place, WALL) == place.borders - 1:
        kind = FLOOR
    memset(brought, 0, layout.cells)
    for number in range(9):
        conclude(view, brought, place.square[number], FLOOR)
    for number in range(place.borders):
        conclude(view, brought, place.border[number], kind)


cdef bint counts_allow(Layout* layout, View* view, Place* place, uint8_t* brought) noexcept nogil:
    """Whether the lines of a room can have its floors, and the walls of its border, of which one may be open."""
    cdef int needs[2][LINES]
    cdef uint8_t spare[LINES]
    cdef int number, cell, line, along
    cdef bint has_entrance = border_cells(view, place, FLOOR) > 0
    memset(needs, 0, sizeof(needs))
    memset(spare, 0, sizeof(spare))
    for number in range(9):
        cell = place.square[number]
        if brought[cell]:
            needs[1][cell // layout.width] += 1
            needs[1][layout.height + cell % layout.width] += 1
    for number in range(place.borders):
        cell = place.border[number]
        if view.board[cell] != UNKNOWN:
            continue
        for along in range(2):
            line = layout.height + cell % layout.width if along else cell // layout.width
            needs[0][line] += 1
            spare[line] = not has_entrance
            needs[1][line] += brought[cell] == FLOOR
    for line in range(layout.lines):
        if needs[0][line] - spare[line] > view.lacks[0][line] or needs[1][line] > view.lacks[1][line]:
            return False
    return True


# ---------------------------------------------------------------------------------------------------------------
# The ways to fill one or two lines.


cdef struct Strip:
    # A slice: what stands across the lines at one place; bit j is set for a wall in line j. A way to fill the lines
    # is a sequence of slices, and what one may be depends on the slices before and after it.
    int length, lines, slices
    int rows                            # of counts: for each number of walls in the first of two lines (one row for a
    int line[2]                         # single line) a word that has bit n for n walls in the last line
    uint64_t goal[SIDE + 1]             # the counts of a whole way
    uint8_t fits[SIDE][4]               # 1 for a slice that what is known allows
    signed char least[SIDE][2]          # how many open neighbours within the strip an open cell has
    signed char most[SIDE][2]
    uint8_t narrow[SIDE][4]             # sets of lines that cannot all be open both here and at the next place
    int narrows[SIDE]


cdef void agree_in_strip(Work* work, View* view, int first, int second) noexcept nogil:
    """Conclude what all ways to fill one line, or two side by side, agree on; if there is none, that all is both."""
    cdef Strip strip
    cdef int here, number, cell, seen, walled
    open_strip(&work.layout, view, &strip, first, second)
    find_ends(work, &strip)
    for here in range(strip.length):
        step_on(work, &strip, here)
        seen = slices_seen(work, &strip, here)
        for number in range(strip.lines):
            cell = in_line(&work.layout, strip.line[number], here)
            walled = 0b1100 if number else 0b1010  # the slices that have a wall in this line
            if not seen & walled:
                conclude(view, work.found, cell, FLOOR)
            if not seen & ~walled & 0b1111:
                conclude(view, work.found, cell, WALL)


cdef void open_strip(Layout* layout, View* view, Strip* strip, int first, int second) noexcept nogil:
    cdef int here, number, each, cell, row
    strip.line[0], strip.line[1] = first, second
    strip.lines = 1 if second < 0 else 2
    strip.slices = 1 << strip.lines
    strip.length = length_of(layout, first)
    strip.rows = 1 if second < 0 else strip.length + 1
    for row in range(strip.rows):
        if second < 0:
            strip.goal[row] = goal_of(layout, first)
        else:
            strip.goal[row] = goal_of(layout, second) if layout.clue[first] < 0 or layout.clue[first] == row else 0
    for here in range(strip.length):
        for each in range(strip.slices):
            strip.fits[here][each] = 1
            for number in range(strip.lines):
                cell = in_line(layout, strip.line[number], here)
                if view.board[cell] == (FLOOR if each >> number & 1 else WALL):
                    strip.fits[here][each] = 0
        strip.narrows[here] = 0
        for number in range(strip.lines):
            need_at(layout, view, strip, here, number)
            if here + 1 < strip.length:
                narrow_at(layout, view, strip, here, number)


cdef uint64_t goal_of(Layout* layout, int line) noexcept nogil:
    """The numbers of walls that a line may have."""
    return ~<uint64_t>0 if layout.clue[line] < 0 else <uint64_t>1 << layout.clue[line]


cdef void need_at(Layout* layout, View* view, Strip* strip, int here, int number) noexcept nogil:
    cdef int cell = in_line(layout, strip.line[number], here), other, may = 0, sure = 0
    cdef int side = ABOVE if strip.line[0] < layout.height else LEFT
    # A line of a pair has its partner on one side.
    if number == 0:
        other = layout.beside[cell][side]
        may += view.board[other] != WALL
        sure += view.board[other] == FLOOR
    if number == strip.lines - 1:
        other = layout.beside[cell][3 - side]
        may += view.board[other] != WALL
        sure += view.board[other] == FLOOR
    strip.least[here][number] = 1 - may if layout.monster[cell] else 2 - may
    strip.most[here][number] = 1 - sure if layout.monster[cell] else 4


cdef void narrow_at(Layout* layout, View* view, Strip* strip, int here, int number) noexcept nogil:
    cdef int cell = in_line(layout, strip.line[number], here), next = in_line(layout, strip.line[number], here + 1)
    cdef int side = ABOVE if strip.line[0] < layout.height else LEFT
    if number == 0 and is_narrow(layout, view, cell, next, side):
        add_narrow(strip, here, 1)
    if number == strip.lines - 1 and is_narrow(layout, view, cell, next, 3 - side):
        add_narrow(strip, here, 1 << number)
    if number == 0 and strip.lines == 2 and view.awake[cell]:
        add_narrow(strip, here, 0b11)


cdef void add_narrow(Strip* strip, int here, int lines) noexcept nogil:
    strip.narrow[here][strip.narrows[here]] = lines
    strip.narrows[here] += 1


cdef bint is_allowed(Strip* strip, int here, int before, int each, int after) noexcept nogil:
    """Whether a slice may stand between two others."""
    cdef int number, beside
    if here + 1 < strip.length:
        for number in range(strip.narrows[here]):
            if not strip.narrow[here][number] & (each | after):
                return False
    for number in range(strip.lines):
        if not each >> number & 1:
            beside = 2 - (before >> number & 1) - (after >> number & 1)
            if strip.lines == 2:
                beside += not each >> (1 - number) & 1
            if beside < strip.least[here][number] or beside > strip.most[here][number]:
                return False
    return True


cdef uint64_t* ends_at(Work* work, Strip* strip, int here, int before, int each) noexcept nogil:
    """For two slices, the second at a place: the counts so far that some end makes good."""
    return work.ends + ((here * 4 + before) * 4 + each) * strip.rows


cdef uint64_t* starts_at(Work* work, Strip* strip, int here, int before, int each) noexcept nogil:
    """For two slices, the second at a place: the counts of all beginnings. Only two places are kept."""
    return work.starts + (((here & 1) * 4 + before) * 4 + each) * strip.rows


cdef bint may_precede(Strip* strip, int here, int before) noexcept nogil:
    """Whether a slice may stand before a place, as far as what is known tells; before the first all is wall."""
    return before == strip.slices - 1 if here == 0 else strip.fits[here - 1][before] == 1


cdef void find_ends(Work* work, Strip* strip) noexcept nogil:
    cdef int here, before, each, after, closed = strip.slices - 1
    cdef uint64_t* ends
    for here in range(strip.length - 1, -1, -1):
        for before in range(strip.slices):
            if not may_precede(strip, here, before):
                continue
            for each in range(strip.slices):
                ends = ends_at(work, strip, here, before, each)
                memset(ends, 0, strip.rows * sizeof(uint64_t))
                if not strip.fits[here][each]:
                    continue
                if here == strip.length - 1:
                    if is_allowed(strip, here, before, each, closed):
                        memcpy(ends, strip.goal, strip.rows * sizeof(uint64_t))
                    continue
                for after in range(strip.slices):
                    if strip.fits[here + 1][after] and is_allowed(strip, here, before, each, after):
                        take_back(strip, ends, ends_at(work, strip, here + 1, each, after), after)


cdef void take_back(Strip* strip, uint64_t* counts, uint64_t* later, int slice) noexcept nogil:
    """Add the counts that become one of `later` with the walls of a slice."""
    cdef int row, down = slice & 1 if strip.lines == 2 else 0, along = slice >> 1 if strip.lines == 2 else slice
    for row in range(strip.rows - down):
        counts[row] |= later[row + down] >> along


cdef void step_on(Work* work, Strip* strip, int here) noexcept nogil:
    """Make the counts of all beginnings up to a place from those up to the place before."""
    cdef int before, each, after, closed = strip.slices - 1
    memset(work.starts + (here & 1) * 16 * strip.rows, 0, 16 * strip.rows * sizeof(uint64_t))
    if here == 0:
        for each in range(strip.slices):
            if strip.fits[0][each]:
                if strip.lines == 2:
                    starts_at(work, strip, 0, closed, each)[each & 1] = <uint64_t>1 << (each >> 1)
                else:
                    starts_at(work, strip, 0, closed, each)[0] = <uint64_t>1 << each
        return
    for before in range(strip.slices):
        for each in range(strip.slices):
            if strip.fits[here - 1][each]:
                for after in range(strip.slices):
                    if strip.fits[here][after] and is_allowed(strip, here - 1, before, each, after):
                        add_walls(
                            strip,
                            starts_at(work, strip, here, each, after),
                            starts_at(work, strip, here - 1, before, each),
                            after,
                        )


cdef void add_walls(Strip* strip, uint64_t* counts, uint64_t* earlier, int slice) noexcept nogil:
    """Add the counts that are those of `earlier` and the walls of a slice."""
    cdef int row, down = slice & 1 if strip.lines == 2 else 0, along = slice >> 1 if strip.lines == 2 else slice
    for row in range(strip.rows - down):
        counts[row + down] |= earlier[row] << along


cdef int slices_seen(Work* work, Strip* strip, int here) noexcept nogil:
    """The slices that some way has at a place, as bits."""
    cdef int before, each, row, seen = 0
    cdef uint64_t* starts
    cdef uint64_t* ends
    for before in range(strip.slices):
        if not may_precede(strip, here, before):
            continue
        for each in range(strip.slices):
            starts, ends = starts_at(work, strip, here, before, each), ends_at(work, strip, here, before, each)
            for row in range(strip.rows):
                if starts[row] & ends[row]:
                    seen |= 1 << each
    return seen


cdef void combinations(Work* work, View* view, int lines) noexcept nogil:
    """What all ways to fill a line, or two lines side by side, agree on."""
    cdef Layout* layout = &work.layout
    cdef int line, place
    cdef bint unknown
    for line in range(layout.lines - lines + 1):
        if lines == 2 and line + 1 == layout.height:
            continue
        unknown = False
        for place in range(length_of(layout, line)):
            unknown |= view.board[in_line(layout, line, place)] == UNKNOWN
            unknown |= lines == 2 and view.board[in_line(layout, line + 1, place)] == UNKNOWN
        if unknown:
            agree_in_strip(work, view, line, line + 1 if lines == 2 else -1)


# ---------------------------------------------------------------------------------------------------------------
# The path.


cdef void apply_technique(Work* work, View* view, uint8_t* found, int number) noexcept nogil:
    """Add what a technique concludes. `found` is work.found for those that are not easy."""
    if number == 0:
        full_lines(work, view, found, 0)
    elif number == 1:
        full_lines(work, view, found, 1)
    elif number == 2:
        dead_end(work, view, found)
    elif number == 3:
        monster_exits(work, view, found, FLOOR)
    elif number == 4:
        monster_exits(work, view, found, WALL)
    elif number == 5:
        way_through(work, view, found)
    elif number == 6:
        wide_hallway(work, view, found, True)
    elif number == 7:
        room_found(work, view, found)
    elif number == 8:
        room_border(work, view, found, WALL)
    elif number == 9:
        room_border(work, view, found, FLOOR)
    elif number == 10:
        room_common(work, view, found)
    elif number == 11:
        wide_hallway(work, view, found, False)
    elif number == 12:
        only_way_out(work, view, found)
    elif number == 13:
        cut_off(work, view, found)
    elif number == 14:
        bridge(work, view, found)
    elif number == 15:
        last_floor(work, view, found)
    elif number == 16:
        last_wall(work, view, found)
    elif number == 17:
        closing(work, view, found, False)
    elif number == 18:
        claimed(work, view, found, 0)
    elif number == 19:
        claimed(work, view, found, 1)
    elif number == 20:
        room_counted(work, view, found)
    elif number == 21:
        closing(work, view, found, True)
    elif number == 22:
        combinations(work, view, 1)
    elif number == 23:
        two_lines_claimed(work, view, found)
    elif number == 24:
        combinations(work, view, 2)


cdef bint is_anything(uint8_t* found, int cells) noexcept nogil:
    cdef int cell
    for cell in range(cells):
        if found[cell]:
            return True
    return False


cdef void add_conclusions(Layout* layout, View* view, uint8_t* found) noexcept nogil:
    cdef int cell
    for cell in range(layout.cells):
        view.board[cell] |= found[cell]
        view.clash |= view.board[cell] == WALL | FLOOR


cdef int run(Work* work, int hardest) except -1 nogil:
    """Fill `rounds`; the status."""
    cdef Layout* layout = &work.layout
    cdef uint8_t* told
    cdef int number
    while True:
        with gil:
            PyErr_CheckSignals()
        look(layout, &work.views[HERE])
        if is_broken(work, &work.views[HERE]):
            return IS_BROKEN
        if not work.views[HERE].unknown:
            return IS_SOLVED
        number = easiest(work, hardest)
        if number < 0:
            return STILL_OPEN
        told = work.rounds + work.number * (layout.cells + 1)
        told[0] = number
        memcpy(told + 1, work.found, layout.cells)
        work.number += 1
        add_conclusions(layout, &work.views[HERE], work.found)


cdef int easiest(Work* work, int hardest) except -2 nogil:
    """Have `found` what the easiest technique concludes that concludes anything: its number, -1 if there is none."""
    cdef int number
    memset(work.found, 0, work.layout.cells)
    for number in range(min(hardest + 1, DIRECT)):
        apply_technique(work, &work.views[HERE], work.found, number)
        if is_anything(work.found, work.layout.cells):
            return number
    if hardest >= ASSUMING and what_if(work):
        return ASSUMING
    return -1


cdef bint what_if(Work* work) except -1 nogil:
    """Conclude the opposite of the assumption that breaks first; of several, of the first cell, floor before wall.

    All trials go on round by round together, so that none goes further than the one that breaks.
    """
    cdef Layout* layout = &work.layout
    cdef int size = layout.cells + 1, cell, number, trials = 2 * work.views[HERE].unknown, kind, _
    cdef uint8_t* boards = <uint8_t*>malloc(trials * size)
    cdef int16_t* assumed = <int16_t*>malloc(trials * sizeof(int16_t))
    cdef bint found = False
    if boards == NULL or assumed == NULL:
        free(boards)
        free(assumed)
        with gil:
            raise MemoryError
    number = 0
    for cell in range(layout.cells):
        if work.views[HERE].board[cell] == UNKNOWN:
            for kind in range(FLOOR, UNKNOWN, -1):
                memcpy(boards + number * size, work.views[HERE].board, size)
                boards[number * size + cell] = kind
                assumed[number] = cell
                number += 1
    try:
        for _ in range(MOST_ROUNDS + 1):
            number = go_on(work, boards, assumed, trials)
            if number >= 0:
                # Trials with even numbers assume floor.
                work.found[assumed[number]] = FLOOR if number & 1 else WALL
                found = True
                break
    finally:
        free(boards)
        free(assumed)
    return found


cdef int go_on(Work* work, uint8_t* boards, int16_t* assumed, int trials) except -2 nogil:
    """Take all trials on by a round; the number of the first that is broken, -1 if none is.

    A round is all that the easy techniques conclude, each from what is known before. A trial where they find nothing is
    given up: its last byte, which stands for what is outside, becomes UNKNOWN.
    """
    cdef Layout* layout = &work.layout
    cdef View* trial = &work.views[TRIAL]
    cdef uint8_t found[CELLS]
    cdef uint8_t* board
    cdef int number, technique
    for number in range(trials):
        board = boards + number * (layout.cells + 1)
        if board[layout.cells] == UNKNOWN:
            continue
        if number % 16 == 0:
            with gil:
                PyErr_CheckSignals()
        memcpy(trial.board, board, layout.cells + 1)
        trial.clash = has_clash(layout, board)
        look(layout, trial)
        if is_broken(work, trial):
            return number
        memset(found, 0, layout.cells)
        for technique in range(EASY):
            apply_technique(work, trial, found, technique)
        if is_anything(found, layout.cells):
            add_conclusions(layout, trial, found)
            memcpy(board, trial.board, layout.cells)
        else:
            board[layout.cells] = UNKNOWN
    return -1


cdef bint has_clash(Layout* layout, uint8_t* board) noexcept nogil:
    cdef int cell
    for cell in range(layout.cells):
        if board[cell] == WALL | FLOOR:
            return True
    return False
