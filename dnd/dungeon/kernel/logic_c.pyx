# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The compiled twin of `logic_py`: the same conclusions and rounds, word by word.

A set of cells is a `Mask` of 64-bit words, row by row, least bit first. Two words more, one before and one behind, are
always 0 and stand for what is outside: so what a cell sees above or below is a shift without a branch, and the bit
behind the last cell, which `beside` names for a neighbour outside the board, is in no mask.

    a 10x10 board      word[0]   word[1]         word[2]            word[3]
                       0 0 ...   cells 0 to 63   cells 64 to 99 0   0 0 ...
    x above            word[k] << width | word[k - 1] >> (64 - width)

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
from libc.string cimport memset

from dnd.kernels.bits cimport popcount, several, trailing_zeros

# How a path ends.
cdef enum:
    STILL_OPEN = 0
    IS_SOLVED = 1
    IS_BROKEN = 2

cdef enum:
    SIDE = 32
    CELLS = 1024
    LINES = 64
    WORDS = 16          # of a set of CELLS
    MANY = 99           # what a line without clue lacks: more than any line has cells
    MOST_ROUNDS = 12    # of easy techniques that a "what if" may take until it breaks
    CLAIMS = 512        # more than two lines can have
    PACKINGS = 1024     # sets of cells that the later of some claims might want: five places of two lines

# The neighbours of a cell: 3 - side is the side opposite.
cdef enum:
    ABOVE = 0
    LEFT = 1
    RIGHT = 2
    BELOW = 3

# What lines lack.
cdef enum:
    ITS_WALLS = 0
    ITS_FLOORS = 1

# What is known; what would be if an assumption held; what would follow at once from an exit.
cdef enum:
    HERE = 0
    TRIAL = 1
    DEEPER = 2

# Of the techniques in `TABLE`, below, so many are easy, so many do without assumptions; then comes "what if".
cdef enum:
    EASY = 17
    DIRECT = 25
    ASSUMING = 25

OPEN, SOLVED, BROKEN = STILL_OPEN, IS_SOLVED, IS_BROKEN
WHAT_IF = ASSUMING


# A set of cells: see above.
cdef struct Mask:
    uint64_t word[WORDS + 2]        # the words 1 to `layout.words` hold cells


# Conclusions; a cell in both is concluded to be both, which breaks the board.
cdef struct Found:
    Mask walls
    Mask floors


# A placement of a treasure's room:
#
#       . b b b .        . . . . .
#       b o o o b        . x x . .
#       b o o o b        . x x . .
#       b o o o b        . . . . .
#       . b b b .        . . . . .
cdef struct Place:
    Mask square                     # o
    Mask border                     # b, as far as it is on the board
    Mask blocks                     # x: the upper left cells of the four blocks in it


# A puzzle, and what follows from it alone. Lines: rows from the top, then columns from the left.
cdef struct Layout:
    int height, width, cells, lines, words
    int16_t beside[CELLS][4]        # `cells` for what is outside
    Mask all
    Mask not_first                  # the cells that are not in the first column
    Mask not_last
    Mask monsters
    Mask corners                    # the upper left cells of all blocks
    Mask hallways                   # of those that lie in no placement
    Mask line[LINES]
    int clue[LINES]
    int treasures
    int* first                      # of each treasure the number of its first placement; one more at the end
    Place* places


# A board and what can be seen on it at once: all but the first two is made by `look`.
cdef struct View:
    Mask walls
    Mask floors
    Mask maybe                      # what may be floor
    Mask unknown
    Mask one                        # the cells with at least one neighbour that may be floor
    Mask two
    Mask three
    Mask one_open                   # with at least one neighbour that is
    Mask two_open
    Mask reached                    # from the first floor, through what may be floor
    Mask awake                      # the upper left cells of blocks that lie in no possible placement
    Mask full[2]                    # the cells of lines that lack no walls, no floors
    Mask row_lacks_one[2]
    Mask column_lacks_one[2]
    int lacks[2][LINES]             # walls, floors
    uint8_t* possible               # of each placement
    int* room                       # of each treasure its only possible placement, -1 if it has several, -2 if none


# Some places of one or two lines, as bits (see the module), that need a number of walls or floors among them.
cdef struct Claim:
    uint64_t cells
    int need                        # so many of them at least are walls (or floors)


cdef struct Claims:
    Claim each[CLAIMS]
    int number


# What claims, so far, may take together: each set of cells once, with the most that it can need.
cdef struct Packings:
    uint64_t taken[PACKINGS]
    int total[PACKINGS]


# The walk that finds cells without which floors fall apart (Tarjan's low points). A cell cuts off what the walk went on
# to from it, if nothing there sees a cell that the walk came to before that cell:
#
#       order   1 2 3 4        low   1 1 2 3        3 cuts off 4, and 2 cuts off 3 and 4;
#               6 5                  1 1            5 and 6 see 1, so nothing cuts them off
cdef struct Cuts:
    int16_t order[CELLS]            # when the walk came to a cell, from 1 on; 0: not yet
    int16_t low[CELLS]              # the first of all cells that are seen from it, or from what hangs below it
    int time


# An assumption and what has followed.
cdef struct Trial:
    Found known
    int cell                        # assumed; -1 once nothing more follows
    bint floor                      # assumed to be floor, else wall


# A step of the path: the easiest technique that found something, and all it found.
cdef struct Round:
    Found found
    int technique


# All memory of a call: too much for the stack, and got once.
cdef struct Work:
    Layout layout
    View views[3]
    Found found                     # by the technique at work
    Claims claims
    Claims fewer                    # those of them without one cell
    Packings packings[2]
    Cuts cuts
    uint64_t* ends                  # of `agree_in_strip`
    uint64_t* starts
    uint8_t settled[2][LINES]       # of one line, of two: nothing near has changed since they agreed on nothing new
    Round* rounds                   # the path
    int number                      # of rounds so far


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
        return tuple([told_round(work, &work.rounds[number]) for number in range(work.number)]), status
    finally:
        free_work(work)


def easy(
    int height, int width, tuple rows, tuple columns, object monsters, object treasures, object walls, object floors
):
    """(walls, floors) for each easy technique: what it concludes from a board that is not broken."""
    cdef Work* work = new_work(height, width, rows, columns, monsters, treasures)
    cdef int number
    cdef list told = []
    try:
        read_board(work, walls, floors | monsters | treasures)
        look(&work.layout, &work.views[HERE])
        for number in range(EASY):
            clear(work, &work.found)
            TABLE[number].apply(work, &work.views[HERE], &work.found)
            told.append(told_found(work, &work.found))
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
    try:
        read_board(work, walls, floors | monsters)
        look(&work.layout, &work.views[HERE])
        read_mask(work, &work.views[HERE].awake, awake)
        clear(work, &work.found)
        agree_in_strip(work, &work.views[HERE], &work.found, first, second)
        return told_found(work, &work.found)
    finally:
        free_work(work)


cdef Work* new_work(int height, int width, tuple rows, tuple columns, object monsters, object treasures) except NULL:
    """Everything that a call needs, for a puzzle without a board; `free_work` is for the caller."""
    cdef Work* work = <Work*>malloc(sizeof(Work))
    cdef Layout* layout
    cdef int line, longest = max(height, width)
    if not work:
        raise MemoryError
    # Most of the rest is filled before it is read.
    memset(&work.layout, 0, sizeof(Layout))
    memset(work.views, 0, sizeof(work.views))
    memset(&work.found, 0, sizeof(Found))
    memset(work.settled, 0, sizeof(work.settled))
    work.number = 0
    layout = &work.layout
    layout.height, layout.width, layout.cells, layout.lines = height, width, height * width, height + width
    layout.words = (layout.cells + 63) // 64
    for line in range(height):
        layout.clue[line] = rows[line]
    for line in range(width):
        layout.clue[height + line] = columns[line]
    add_geometry(layout)
    read_mask(work, &layout.monsters, monsters)
    work.ends = <uint64_t*>malloc(longest * 16 * (longest + 1) * sizeof(uint64_t))
    work.starts = <uint64_t*>malloc(2 * 16 * (longest + 1) * sizeof(uint64_t))
    work.rounds = <Round*>malloc((layout.cells + 1) * sizeof(Round))
    if not (work.ends and work.starts and work.rounds and add_placements(work, treasures)):
        free_work(work)
        raise MemoryError
    return work


cdef void add_geometry(Layout* layout) noexcept:
    """Fill in the neighbours of each cell, and the sets that follow from the size of the board."""
    cdef int cell, row, column, height = layout.height, width = layout.width
    for cell in range(layout.cells):
        row, column = cell // width, cell % width
        layout.beside[cell][ABOVE] = cell - width if row else layout.cells
        layout.beside[cell][LEFT] = cell - 1 if column else layout.cells
        layout.beside[cell][RIGHT] = cell + 1 if column < width - 1 else layout.cells
        layout.beside[cell][BELOW] = cell + width if row < height - 1 else layout.cells
        add_cell(&layout.all, cell)
        add_cell(&layout.line[row], cell)
        add_cell(&layout.line[height + column], cell)
        if column:
            add_cell(&layout.not_first, cell)
        if column < width - 1:
            add_cell(&layout.not_last, cell)
            if row < height - 1:
                add_cell(&layout.corners, cell)


cdef bint add_placements(Work* work, object treasures):
    """List the placements of all treasures and make room for what views know of them; False if there is no memory."""
    cdef Layout* layout = &work.layout
    cdef Mask wanted
    cdef int number = treasures.bit_count(), cell, top, left, count = 0, row, column, word
    read_mask(work, &wanted, treasures)
    layout.first = <int*>calloc(number + 1, sizeof(int))
    layout.places = <Place*>calloc(9 * number + 1, sizeof(Place))
    if not (layout.first and layout.places):
        return False
    layout.hallways = layout.corners
    for cell in range(layout.cells):
        if not has(&wanted, cell):
            continue
        row, column = cell // layout.width, cell % layout.width
        layout.first[layout.treasures] = count
        for top in range(max(0, row - 2), min(row, layout.height - 3) + 1):
            for left in range(max(0, column - 2), min(column, layout.width - 3) + 1):
                if is_placement(layout, &wanted, top * layout.width + left, &layout.places[count]):
                    for word in range(1, layout.words + 1):
                        layout.hallways.word[word] &= ~layout.places[count].blocks.word[word]
                    count += 1
        layout.treasures += 1
    layout.first[number] = count
    for row in range(3):
        work.views[row].possible = <uint8_t*>malloc(count + 1)
        work.views[row].room = <int*>malloc((number + 1) * sizeof(int))
        if not (work.views[row].possible and work.views[row].room):
            return False
    return True


cdef bint is_placement(Layout* layout, Mask* treasures, int corner, Place* place) noexcept:
    """Fill in a placement by its upper left cell; False if it holds two treasures, or a monster even on its border."""
    cdef int row, column, cell, word, monsters = 0, found = 0
    memset(place, 0, sizeof(Place))
    for row in range(3):
        for column in range(3):
            cell = corner + row * layout.width + column
            add_cell(&place.square, cell)
            found += has(treasures, cell)
            if row < 2 and column < 2:
                add_cell(&place.blocks, cell)
    for word in range(1, layout.words + 1):
        place.border.word[word] = around(layout, &place.square, word) & ~place.square.word[word]
        monsters += popcount((place.square.word[word] | place.border.word[word]) & layout.monsters.word[word])
    return found == 1 and monsters == 0


cdef void free_work(Work* work) noexcept:
    """Give back what `new_work` got, also where it got only a part: the rest is NULL."""
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
    """Take over what is known."""
    read_mask(work, &work.views[HERE].walls, walls)
    read_mask(work, &work.views[HERE].floors, floors)
    return 0


cdef int read_mask(Work* work, Mask* mask, object cells) except -1:
    """Cut an int of any length into words."""
    cdef int word
    memset(mask, 0, sizeof(Mask))
    for word in range(1, work.layout.words + 1):
        mask.word[word] = cells & 0xFFFFFFFFFFFFFFFF
        cells >>= 64
    return 0


cdef tuple told_round(Work* work, Round* round):
    """A round as Python says it: (technique, walls, floors)."""
    walls, floors = told_found(work, &round.found)
    return round.technique, walls, floors


cdef tuple told_found(Work* work, Found* found):
    """The walls and floors among conclusions."""
    cdef int word, last = work.layout.words
    walls, floors = found.walls.word[last], found.floors.word[last]
    for word in range(last - 1, 0, -1):
        walls, floors = walls << 64 | found.walls.word[word], floors << 64 | found.floors.word[word]
    return walls, floors


# ---------------------------------------------------------------------------------------------------------------
# Sets of cells.


cdef inline bint has(const Mask* mask, int cell) noexcept nogil:
    """Whether a cell is in a set."""
    return mask.word[1 + (cell >> 6)] >> (cell & 63) & 1


cdef inline void add_cell(Mask* mask, int cell) noexcept nogil:
    """Put a cell into a set."""
    mask.word[1 + (cell >> 6)] |= <uint64_t>1 << (cell & 63)


# The cells whose neighbour above, below, on the left, on the right is in the set: one word of them.
cdef inline uint64_t above(const Layout* layout, const Mask* cells, int word) noexcept nogil:
    return (cells.word[word] << layout.width | cells.word[word - 1] >> (64 - layout.width)) & layout.all.word[word]


cdef inline uint64_t below(const Layout* layout, const Mask* cells, int word) noexcept nogil:
    return cells.word[word] >> layout.width | cells.word[word + 1] << (64 - layout.width)


cdef inline uint64_t left(const Layout* layout, const Mask* cells, int word) noexcept nogil:
    return (cells.word[word] << 1 | cells.word[word - 1] >> 63) & layout.not_first.word[word]


cdef inline uint64_t right(const Layout* layout, const Mask* cells, int word) noexcept nogil:
    return (cells.word[word] >> 1 | cells.word[word + 1] << 63) & layout.not_last.word[word]


cdef inline uint64_t around(const Layout* layout, const Mask* cells, int word) noexcept nogil:
    """The cells with a neighbour in the set."""
    return (
        above(layout, cells, word) | below(layout, cells, word)
        | left(layout, cells, word) | right(layout, cells, word)
    )


cdef inline uint64_t two_of(uint64_t one, uint64_t other, uint64_t third, uint64_t fourth) noexcept nogil:
    """The cells that are in at least two of four sets."""
    return one & other | third & fourth | (one | other) & (third | fourth)


cdef inline uint64_t three_of(uint64_t one, uint64_t other, uint64_t third, uint64_t fourth) noexcept nogil:
    """The cells that are in at least three of four sets."""
    return one & other & (third | fourth) | third & fourth & (one | other)


cdef inline uint64_t shifted_down(const Mask* cells, int word, int by) noexcept nogil:
    """A word of the set moved so many cells back."""
    return cells.word[word] >> by | cells.word[word + 1] << (64 - by)


cdef inline uint64_t shifted_up(const Mask* cells, int word, int by) noexcept nogil:
    """A word of the set moved so many cells forward."""
    return cells.word[word] << by | cells.word[word - 1] >> (64 - by)


cdef int first_of(const Layout* layout, const Mask* cells) noexcept nogil:
    """The first cell of a set, -1 if it is empty."""
    cdef int word
    for word in range(1, layout.words + 1):
        if cells.word[word]:
            return 64 * (word - 1) + trailing_zeros(cells.word[word])
    return -1


cdef bint meet(const Layout* layout, const Mask* cells, const Mask* others) noexcept nogil:
    """Whether two sets have a cell in common."""
    cdef int word
    for word in range(1, layout.words + 1):
        if cells.word[word] & others.word[word]:
            return True
    return False


cdef int common(const Layout* layout, const Mask* cells, const Mask* others) noexcept nogil:
    """How many cells two sets have in common."""
    cdef int word, number = 0
    for word in range(1, layout.words + 1):
        number += popcount(cells.word[word] & others.word[word])
    return number


cdef void flood(const Layout* layout, Mask* reached, const Mask* allowed) noexcept nogil:
    """Grow a set by all that can be reached from it through allowed cells."""
    cdef int word
    cdef uint64_t grown
    cdef bint more = True
    while more:
        more = False
        for word in range(1, layout.words + 1):
            grown = reached.word[word] | around(layout, reached, word) & allowed.word[word]
            if grown != reached.word[word]:
                reached.word[word] = grown
                more = True


cdef void clear(Work* work, Found* found) noexcept nogil:
    """Have nothing concluded."""
    cdef int word
    for word in range(1, work.layout.words + 1):
        found.walls.word[word] = found.floors.word[word] = 0


cdef bint is_anything(Work* work, Found* found) noexcept nogil:
    """Whether something is concluded."""
    cdef int word
    for word in range(1, work.layout.words + 1):
        if found.walls.word[word] | found.floors.word[word]:
            return True
    return False


cdef void add_conclusions(Layout* layout, Mask* walls, Mask* floors, Found* found) noexcept nogil:
    """Have what is concluded known, or concluded, there too."""
    cdef int word
    for word in range(1, layout.words + 1):
        walls.word[word] |= found.walls.word[word]
        floors.word[word] |= found.floors.word[word]


# ---------------------------------------------------------------------------------------------------------------
# Looking at a board.


cdef void look(Layout* layout, View* view) noexcept nogil:
    """Make all of a view from its walls and floors."""
    cdef int word, first
    cdef uint64_t over, under, before, after
    for word in range(1, layout.words + 1):
        view.maybe.word[word] = layout.all.word[word] & ~view.walls.word[word]
        view.unknown.word[word] = view.maybe.word[word] & ~view.floors.word[word]
        view.reached.word[word] = 0
    for word in range(1, layout.words + 1):
        over, under = above(layout, &view.maybe, word), below(layout, &view.maybe, word)
        before, after = left(layout, &view.maybe, word), right(layout, &view.maybe, word)
        view.one.word[word] = over | under | before | after
        view.two.word[word] = two_of(over, under, before, after)
        view.three.word[word] = three_of(over, under, before, after)
        over, under = above(layout, &view.floors, word), below(layout, &view.floors, word)
        before, after = left(layout, &view.floors, word), right(layout, &view.floors, word)
        view.one_open.word[word] = over | under | before | after
        view.two_open.word[word] = two_of(over, under, before, after)
    look_at_lines(layout, view)
    look_at_rooms(layout, view)
    first = first_of(layout, &view.floors)
    if first >= 0:
        add_cell(&view.reached, first)
        flood(layout, &view.reached, &view.maybe)


cdef void look_at_lines(Layout* layout, View* view) noexcept nogil:
    """Count what each line lacks; gather the lines that lack none and one."""
    cdef int line, kind, word
    cdef Mask* with_lack
    for word in range(1, layout.words + 1):
        for kind in range(2):
            view.full[kind].word[word] = 0
            view.row_lacks_one[kind].word[word] = view.column_lacks_one[kind].word[word] = 0
    for line in range(layout.lines):
        if layout.clue[line] < 0:
            view.lacks[ITS_WALLS][line] = view.lacks[ITS_FLOORS][line] = MANY
            continue
        view.lacks[ITS_WALLS][line] = layout.clue[line] - common(layout, &layout.line[line], &view.walls)
        view.lacks[ITS_FLOORS][line] = (
            length_of(layout, line) - layout.clue[line] - common(layout, &layout.line[line], &view.floors)
        )
        for kind in range(2):
            if view.lacks[kind][line] == 0:
                with_lack = &view.full[kind]
            elif view.lacks[kind][line] == 1:
                with_lack = &view.row_lacks_one[kind] if line < layout.height else &view.column_lacks_one[kind]
            else:
                continue
            for word in range(1, layout.words + 1):
                with_lack.word[word] |= layout.line[line].word[word]


cdef void look_at_rooms(Layout* layout, View* view) noexcept nogil:
    """See which placements are possible, where rooms are found, and which blocks lie in no possible one."""
    cdef int treasure, place, word
    view.awake = layout.corners
    for treasure in range(layout.treasures):
        view.room[treasure] = -2
        for place in range(layout.first[treasure], layout.first[treasure + 1]):
            view.possible[place] = is_possible(layout, view, &layout.places[place])
            if view.possible[place]:
                view.room[treasure] = place if view.room[treasure] == -2 else -1
                for word in range(1, layout.words + 1):
                    view.awake.word[word] &= ~layout.places[place].blocks.word[word]


cdef bint is_possible(Layout* layout, View* view, Place* place) noexcept nogil:
    """Whether a placement has no wall, at most one open border cell, and may have one."""
    return (
        not meet(layout, &place.square, &view.walls)
        and common(layout, &place.border, &view.floors) < 2
        and meet(layout, &place.border, &view.maybe)
    )


cdef bint is_broken(Layout* layout, View* view) noexcept nogil:
    """Whether a rule is broken in plain sight, whatever the unknown cells are."""
    cdef int line, treasure, word
    cdef uint64_t wrong, monsters, floors
    for word in range(1, layout.words + 1):
        monsters, floors = layout.monsters.word[word], view.floors.word[word]
        wrong = view.walls.word[word] & floors
        wrong |= monsters & (~view.one.word[word] | view.two_open.word[word])
        wrong |= floors & ~monsters & ~view.two.word[word]
        wrong |= view.awake.word[word] & floors & shifted_down(&view.floors, word, 1) & (
            shifted_down(&view.floors, word, layout.width) & shifted_down(&view.floors, word, layout.width + 1)
        )
        wrong |= floors & ~view.reached.word[word]
        if wrong:
            return True
    for line in range(layout.lines):
        if view.lacks[ITS_WALLS][line] < 0 or view.lacks[ITS_FLOORS][line] < 0:
            return True
    for treasure in range(layout.treasures):
        if view.room[treasure] == -2:
            return True
    return False


# ---------------------------------------------------------------------------------------------------------------
# The techniques. Each adds to `found` what it concludes, and says nothing of cells that are known.


cdef int in_line(Layout* layout, int line, int place) noexcept nogil:
    """The cell at a place of a line."""
    return line * layout.width + place if line < layout.height else place * layout.width + line - layout.height


cdef int length_of(Layout* layout, int line) noexcept nogil:
    """How many cells a line has."""
    return layout.width if line < layout.height else layout.height


cdef void full_lines(Layout* layout, View* view, Found* found, int kind) noexcept nogil:
    """Lines that lack no more of a kind: the rest is of the other."""
    cdef int word
    cdef Mask* conclusions = &found.floors if kind == ITS_WALLS else &found.walls
    for word in range(1, layout.words + 1):
        conclusions.word[word] |= view.full[kind].word[word] & view.unknown.word[word]


cdef void line_has_its_walls(Work* work, View* view, Found* found) noexcept nogil:
    """The other cells of a line that lacks no wall are floor."""
    full_lines(&work.layout, view, found, ITS_WALLS)


cdef void line_has_its_floors(Work* work, View* view, Found* found) noexcept nogil:
    """The other cells of a line that lacks no floor are wall."""
    full_lines(&work.layout, view, found, ITS_FLOORS)


cdef void dead_end(Work* work, View* view, Found* found) noexcept nogil:
    """A cell that could have but one open neighbour is wall: it would be a dead end, and has no monster."""
    cdef Layout* layout = &work.layout
    cdef int word
    for word in range(1, layout.words + 1):
        found.walls.word[word] |= view.unknown.word[word] & ~view.two.word[word]


cdef void conclude_beside(Layout* layout, View* view, Mask* cells, Mask* conclusions) noexcept nogil:
    """Conclude all unknown neighbours of some cells."""
    cdef int word
    cells.word[0] = cells.word[layout.words + 1] = 0
    for word in range(1, layout.words + 1):
        conclusions.word[word] |= around(layout, cells, word) & view.unknown.word[word]


cdef void monster_exit_forced(Work* work, View* view, Found* found) noexcept nogil:
    """The only neighbour of a monster that may be open is open."""
    cdef Layout* layout = &work.layout
    cdef int word
    cdef Mask monsters
    for word in range(1, layout.words + 1):
        monsters.word[word] = layout.monsters.word[word] & ~view.two.word[word]
    conclude_beside(layout, view, &monsters, &found.floors)


cdef void monster_exit_found(Work* work, View* view, Found* found) noexcept nogil:
    """The other neighbours of a monster that has an open neighbour are wall."""
    cdef Layout* layout = &work.layout
    cdef int word
    cdef Mask monsters
    for word in range(1, layout.words + 1):
        monsters.word[word] = layout.monsters.word[word] & view.one_open.word[word]
    conclude_beside(layout, view, &monsters, &found.walls)


cdef void way_through(Work* work, View* view, Found* found) noexcept nogil:
    """A floor without monster has two open neighbours; if only two may be, they are."""
    cdef Layout* layout = &work.layout
    cdef int word
    cdef Mask needy
    for word in range(1, layout.words + 1):
        needy.word[word] = view.floors.word[word] & ~layout.monsters.word[word] & ~view.three.word[word]
    conclude_beside(layout, view, &needy, &found.floors)


cdef void fourth_cells(Layout* layout, View* view, Found* found, const Mask* blocks) noexcept nogil:
    """Of some blocks, known by their upper left cells, that have three floors: the fourth cell is wall.

    Each cell in turn is taken for the fourth, at the upper left cell of its block, and moved to its own place.
    """
    cdef int word, width = layout.width
    cdef uint64_t corner, beside, under, across
    cdef Mask without[3]
    for word in range(3):
        without[word].word[0] = 0
    for word in range(1, layout.words + 1):
        corner = blocks.word[word] & view.floors.word[word]
        beside = blocks.word[word] & shifted_down(&view.floors, word, 1)
        under, across = shifted_down(&view.floors, word, width), shifted_down(&view.floors, word, width + 1)
        without[0].word[word] = corner & under & across
        without[1].word[word] = corner & beside & across
        without[2].word[word] = corner & beside & under
        found.walls.word[word] |= beside & under & across & view.unknown.word[word]
    for word in range(1, layout.words + 1):
        found.walls.word[word] |= view.unknown.word[word] & (
            shifted_up(&without[0], word, 1)
            | shifted_up(&without[1], word, width)
            | shifted_up(&without[2], word, width + 1)
        )


cdef void wide_hallway(Work* work, View* view, Found* found) noexcept nogil:
    """The fourth cell of a block with three floors is wall, where no room can ever be."""
    fourth_cells(&work.layout, view, found, &work.layout.hallways)


cdef void wide_hallway_no_room(Work* work, View* view, Found* found) noexcept nogil:
    """The fourth cell of a block with three floors is wall, if no room is possible there."""
    fourth_cells(&work.layout, view, found, &view.awake)


cdef void room_found(Work* work, View* view, Found* found) noexcept nogil:
    """The cells of the only square where a treasure's room can be are floor."""
    cdef Layout* layout = &work.layout
    cdef int treasure, word
    for treasure in range(layout.treasures):
        if view.room[treasure] >= 0:
            for word in range(1, layout.words + 1):
                found.floors.word[word] |= (
                    layout.places[view.room[treasure]].square.word[word] & view.unknown.word[word]
                )


cdef void room_closed(Work* work, View* view, Found* found) noexcept nogil:
    """The border of a room is wall but for the entrance."""
    cdef Layout* layout = &work.layout
    cdef int treasure, word
    cdef Place* room
    for treasure in range(layout.treasures):
        if view.room[treasure] >= 0:
            room = &layout.places[view.room[treasure]]
            if meet(layout, &room.border, &view.floors):
                for word in range(1, layout.words + 1):
                    found.walls.word[word] |= room.border.word[word] & view.unknown.word[word]


cdef void room_entrance(Work* work, View* view, Found* found) noexcept nogil:
    """The only cell of a room's border that may be open is the entrance."""
    cdef Layout* layout = &work.layout
    cdef int treasure, word
    cdef Place* room
    for treasure in range(layout.treasures):
        if view.room[treasure] >= 0:
            room = &layout.places[view.room[treasure]]
            if common(layout, &room.border, &view.maybe) < 2:
                for word in range(1, layout.words + 1):
                    found.floors.word[word] |= room.border.word[word] & view.unknown.word[word]


cdef void room_common(Work* work, View* view, Found* found) noexcept nogil:
    """Cells that lie in all possible squares of a treasure's room are floor."""
    cdef Layout* layout = &work.layout
    cdef int treasure, place, word
    cdef Mask shared
    for treasure in range(layout.treasures):
        if view.room[treasure] == -2:
            continue
        shared = view.unknown
        for place in range(layout.first[treasure], layout.first[treasure + 1]):
            if view.possible[place]:
                for word in range(1, layout.words + 1):
                    shared.word[word] &= layout.places[place].square.word[word]
        for word in range(1, layout.words + 1):
            found.floors.word[word] |= shared.word[word]


cdef void only_way_out(Work* work, View* view, Found* found) noexcept nogil:
    """A region of floors with one way to grow grows there, if there are floors elsewhere.

    Regions are taken out of `rest` one by one; `whole`: the first one was all there is.
    """
    cdef Layout* layout = &work.layout
    cdef int word, cell, ways
    cdef Mask rest = view.floors
    cdef Mask part
    cdef Mask way
    cdef bint whole = True
    memset(&part, 0, sizeof(Mask))
    while True:
        cell = first_of(layout, &rest)
        if cell < 0:
            return
        for word in range(1, layout.words + 1):
            part.word[word] = 0
        add_cell(&part, cell)
        flood(layout, &part, &rest)
        ways = 0
        for word in range(1, layout.words + 1):
            rest.word[word] &= ~part.word[word]
            whole = whole and not rest.word[word]
            way.word[word] = around(layout, &part, word) & view.unknown.word[word]
            ways += popcount(way.word[word])
        if ways == 1 and not whole:
            for word in range(1, layout.words + 1):
                found.floors.word[word] |= way.word[word]


cdef void cut_off(Work* work, View* view, Found* found) noexcept nogil:
    """Cells that no floor can reach are wall."""
    cdef Layout* layout = &work.layout
    cdef int word
    if first_of(layout, &view.floors) >= 0:
        for word in range(1, layout.words + 1):
            found.walls.word[word] |= view.unknown.word[word] & ~view.reached.word[word]


cdef void bridge(Work* work, View* view, Found* found) noexcept nogil:
    """A cell whose loss would cut floors off from others is floor: one walk over all cells finds all of them."""
    cdef int first = first_of(&work.layout, &view.floors)
    if first >= 0 and may_cut(&work.layout, view):
        memset(work.cuts.order, 0, work.layout.cells * sizeof(int16_t))
        work.cuts.time = 0
        walk(&work.layout, view, &work.cuts, found, first)


cdef bint may_cut(Layout* layout, View* view) noexcept nogil:
    """Whether there is an unknown cell whose neighbours do not hang together by the cells at its corners."""
    cdef int word
    cdef Mask before
    cdef Mask after
    cdef uint64_t over, under, to_left, to_right
    before.word[0] = after.word[0] = before.word[layout.words + 1] = after.word[layout.words + 1] = 0
    for word in range(1, layout.words + 1):
        before.word[word], after.word[word] = left(layout, &view.maybe, word), right(layout, &view.maybe, word)
    for word in range(1, layout.words + 1):
        over, under = above(layout, &view.maybe, word), below(layout, &view.maybe, word)
        to_left, to_right = before.word[word], after.word[word]
        # Going round the cell: neighbours that the next one does not follow by way of the corner between.
        if view.unknown.word[word] & two_of(
            over & ~(to_right & above(layout, &after, word)),
            to_right & ~(under & below(layout, &after, word)),
            under & ~(to_left & below(layout, &before, word)),
            to_left & ~(over & above(layout, &before, word)),
        ):
            return True
    return False


cdef bint walk(Layout* layout, View* view, Cuts* cuts, Found* found, int cell) noexcept nogil:
    """Walk over all that can be reached through a cell and was not yet; whether there is a floor."""
    cdef int side, other
    cdef bint floor = has(&view.floors, cell), below
    cuts.time += 1
    cuts.order[cell] = cuts.low[cell] = cuts.time
    for side in range(4):
        other = layout.beside[cell][side]
        if not has(&view.maybe, other):
            continue
        if cuts.order[other]:
            cuts.low[cell] = min(cuts.low[cell], cuts.order[other])
            continue
        below = walk(layout, view, cuts, found, other)
        cuts.low[cell] = min(cuts.low[cell], cuts.low[other])
        # The walk began on a floor, so there is always one on the other side.
        if below and cuts.low[other] >= cuts.order[cell] and has(&view.unknown, cell):
            add_cell(&found.floors, cell)
        floor |= below
    return floor


cdef void last_floor(Work* work, View* view, Found* found) noexcept nogil:
    """A cell is wall that, as the last floor of its line (or of both), would be a dead end."""
    cdef Layout* layout = &work.layout
    cdef int word
    cdef uint64_t rows, columns
    for word in range(1, layout.words + 1):
        rows, columns = view.row_lacks_one[ITS_FLOORS].word[word], view.column_lacks_one[ITS_FLOORS].word[word]
        found.walls.word[word] |= view.unknown.word[word] & ~two_of(
            above(layout, &view.maybe, word) & ~columns | above(layout, &view.floors, word) & columns,
            below(layout, &view.maybe, word) & ~columns | below(layout, &view.floors, word) & columns,
            left(layout, &view.maybe, word) & ~rows | left(layout, &view.floors, word) & rows,
            right(layout, &view.maybe, word) & ~rows | right(layout, &view.floors, word) & rows,
        )


cdef void last_wall(Work* work, View* view, Found* found) noexcept nogil:
    """A cell is floor that, as the last wall of its line, would make a neighbour in the line a dead end."""
    cdef Layout* layout = &work.layout
    cdef int word
    cdef Mask frail
    frail.word[0] = frail.word[layout.words + 1] = 0
    for word in range(1, layout.words + 1):
        frail.word[word] = view.unknown.word[word] & ~view.three.word[word]
    for word in range(1, layout.words + 1):
        found.floors.word[word] |= view.unknown.word[word] & (
            view.row_lacks_one[ITS_WALLS].word[word] & (left(layout, &frail, word) | right(layout, &frail, word))
            | view.column_lacks_one[ITS_WALLS].word[word] & (above(layout, &frail, word) | below(layout, &frail, word))
        )


cdef void closing(Work* work, View* view, Found* found, bint any_rule) noexcept nogil:
    """Cells that as an exit, or entrance, would bring walls that cut floors off, or break any rule."""
    cdef Layout* layout = &work.layout
    cdef View* then = &work.views[DEEPER]
    cdef Mask closers
    cdef int word, treasure, cell
    for word in range(1, layout.words + 1):
        closers.word[word] = around(layout, &layout.monsters, word)
    for treasure in range(layout.treasures):
        if view.room[treasure] >= 0:
            for word in range(1, layout.words + 1):
                closers.word[word] |= layout.places[view.room[treasure]].border.word[word]
    for word in range(1, layout.words + 1):
        closers.word[word] &= view.unknown.word[word]
        while closers.word[word]:
            cell = 64 * (word - 1) + trailing_zeros(closers.word[word])
            closers.word[word] &= closers.word[word] - 1
            if close_around(layout, view, then, cell):
                look(layout, then)
                if is_broken(layout, then) if any_rule else is_split(layout, then):
                    add_cell(&found.walls, cell)


cdef void closing_in(Work* work, View* view, Found* found) noexcept nogil:
    """A cell is wall when, as a monster's exit or a room's entrance, it would close so much that floors are cut off."""
    closing(work, view, found, False)


cdef void closing_breaks(Work* work, View* view, Found* found) noexcept nogil:
    """A cell is wall when, as a monster's exit or a room's entrance, it would close cells so that a rule is broken."""
    closing(work, view, found, True)


cdef bint close_around(Layout* layout, View* view, View* then, int cell) noexcept nogil:
    """Make the board as if a cell were floor, with the walls that follow at once; whether there are any."""
    cdef int word, treasure
    cdef Mask exits
    cdef uint64_t closed
    cdef bint any_closed = False
    memset(&exits, 0, sizeof(Mask))
    then.floors = view.floors
    add_cell(&then.floors, cell)
    add_cell(&exits, cell)
    for word in range(1, layout.words + 1):
        then.walls.word[word] = around(layout, &exits, word) & layout.monsters.word[word]
    exits = then.walls
    for word in range(1, layout.words + 1):
        closed = around(layout, &exits, word)
        for treasure in range(layout.treasures):
            if view.room[treasure] >= 0 and has(&layout.places[view.room[treasure]].border, cell):
                closed |= layout.places[view.room[treasure]].border.word[word]
        closed &= view.unknown.word[word] & ~then.floors.word[word]
        any_closed |= closed != 0
        then.walls.word[word] = view.walls.word[word] | closed
    return any_closed


cdef bint is_split(Layout* layout, View* view) noexcept nogil:
    """Whether some floor is cut off from another."""
    cdef int word
    for word in range(1, layout.words + 1):
        if view.floors.word[word] & ~view.reached.word[word]:
            return True
    return False


# ---------------------------------------------------------------------------------------------------------------
# Claims.


cdef inline uint64_t bit(int place, int number) noexcept nogil:
    """The place of a line, as a set: see the module."""
    return <uint64_t>1 << (2 * place + number)


cdef void add_claim(Claims* claims, uint64_t cells, int need) noexcept nogil:
    """Put a claim behind the others."""
    claims.each[claims.number].cells = cells
    claims.each[claims.number].need = need
    claims.number += 1


cdef void claim_walls_at(Layout* layout, View* view, Claims* claims, int line, int number, int here) noexcept nogil:
    """The claims of walls that begin at a place of a line, which is number 0 or 1 of its strip."""
    cdef int cell = in_line(layout, line, here), next = in_line(layout, line, here + 1)
    cdef int before = ABOVE if line < layout.height else LEFT
    if not has(&view.unknown, cell):
        return
    if has(&view.unknown, next) and (
        is_narrow(layout, view, cell, next, before) or is_narrow(layout, view, cell, next, 3 - before)
    ):
        add_claim(claims, bit(here, number) | bit(here + 1, number), 1)
    if here + 2 < length_of(layout, line) and has(&layout.monsters, next):
        if has(&view.unknown, in_line(layout, line, here + 2)):
            add_claim(claims, bit(here, number) | bit(here + 2, number), 1)


cdef bint is_narrow(Layout* layout, View* view, int cell, int next, int side) noexcept nogil:
    """Whether two cells in a line make an open block with two floors on a side of theirs."""
    cdef int one = layout.beside[cell][side], other = layout.beside[next][side]
    return has(&view.floors, one) and has(&view.floors, other) and has(&view.awake, min(cell, one))


cdef void claim_borders(Layout* layout, View* view, Claims* claims, int line, int number) noexcept nogil:
    """Of the unknown border cells of a room without entrance yet, all but one are walls."""
    cdef int treasure, here, cell
    cdef uint64_t cells
    cdef Place* room
    for treasure in range(layout.treasures):
        if view.room[treasure] < 0:
            continue
        room = &layout.places[view.room[treasure]]
        if meet(layout, &room.border, &view.floors):
            continue
        cells = 0
        for here in range(length_of(layout, line)):
            cell = in_line(layout, line, here)
            if has(&room.border, cell) and has(&view.unknown, cell):
                cells |= bit(here, number)
        if several(cells):
            add_claim(claims, cells, popcount(cells) - 1)


cdef void claim_floors(Layout* layout, View* view, Claims* claims, int line) noexcept nogil:
    """Pairs of which one at least is floor: the neighbours in the line of a floor that needs one of them."""
    cdef int here, cell, side = ABOVE if line < layout.height else LEFT, outside
    for here in range(1, length_of(layout, line) - 1):
        cell = in_line(layout, line, here)
        if not has(&view.floors, cell):
            continue
        if has(&view.unknown, in_line(layout, line, here - 1)) and has(&view.unknown, in_line(layout, line, here + 1)):
            outside = has(&view.maybe, layout.beside[cell][side]) + has(&view.maybe, layout.beside[cell][3 - side])
            if outside == (0 if has(&layout.monsters, cell) else 1):
                add_claim(claims, bit(here - 1, 0) | bit(here + 1, 0), 1)


cdef void claim_block(Layout* layout, View* view, Claims* claims, int line, int here) noexcept nogil:
    """A block of two lines, this and the next, that has no wall yet."""
    cdef int number, along, cell
    cdef uint64_t cells = 0
    if not has(&view.awake, in_line(layout, line, here)):
        return
    for number in range(2):
        for along in range(2):
            cell = in_line(layout, line + number, here + along)
            if not has(&view.maybe, cell):
                return
            if has(&view.unknown, cell):
                cells |= bit(here + along, number)
    add_claim(claims, cells, 1)


cdef void put_in_order(Claims* claims) noexcept nogil:
    """Have claims stand in the order in which they begin along the lines."""
    cdef int number, place
    cdef Claim claim
    for number in range(1, claims.number):
        claim, place = claims.each[number], number
        while place and trailing_zeros(claims.each[place - 1].cells) > trailing_zeros(claim.cells):
            claims.each[place] = claims.each[place - 1]
            place -= 1
        claims.each[place] = claim


cdef void leave_over(Work* work, View* view, Found* found, int line, int lines, int kind) noexcept nogil:
    """Conclude the cells that are in none of some claims which, apart from each other, need all that lines lack."""
    cdef Layout* layout = &work.layout
    cdef Claims* claims = &work.claims
    cdef Claims* fewer = &work.fewer
    cdef int lacks = 0, number, here, cell, each
    for number in range(lines):
        lacks += view.lacks[kind][line + number]
    put_in_order(claims)
    if not claims.number or packed(work, claims) < lacks:
        return
    for number in range(lines):
        for here in range(length_of(layout, line)):
            cell = in_line(layout, line + number, here)
            if has(&view.unknown, cell):
                fewer.number = 0
                for each in range(claims.number):
                    if not claims.each[each].cells & bit(here, number):
                        add_claim(fewer, claims.each[each].cells, claims.each[each].need)
                if packed(work, fewer) >= lacks:
                    add_cell(&found.floors if kind == ITS_WALLS else &found.walls, cell)


cdef int packed(Work* work, Claims* claims) noexcept nogil:
    """How much claims that do not overlap need together, at most: as in the pure twin, from claim to claim.

    A claim spans five places at most, those of a room's border on both sides of its square. So in the order in which
    they begin, the cells that are taken and that a later one might want lie in five places.
    """
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
    """Put a packing into a list, or have the better total of two that take the same cells; how many there are."""
    cdef int each
    for each in range(number):
        if packings.taken[each] == taken:
            packings.total[each] = max(packings.total[each], total)
            return number
    packings.taken[number] = taken
    packings.total[number] = total
    return number + 1


cdef void claimed(Work* work, View* view, Found* found, int kind) noexcept nogil:
    """Lines whose walls, or floors, are all claimed."""
    cdef Layout* layout = &work.layout
    cdef int line, here
    for line in range(layout.lines):
        if view.lacks[kind][line] == MANY:
            continue
        work.claims.number = 0
        if kind == ITS_FLOORS:
            claim_floors(layout, view, &work.claims, line)
        else:
            for here in range(length_of(layout, line) - 1):
                claim_walls_at(layout, view, &work.claims, line, 0, here)
            claim_borders(layout, view, &work.claims, line, 0)
        leave_over(work, view, found, line, 1, kind)


cdef void claimed_walls(Work* work, View* view, Found* found) noexcept nogil:
    """If parts of a line, apart from each other, need all its walls, its other cells are floor."""
    claimed(work, view, found, ITS_WALLS)


cdef void claimed_floors(Work* work, View* view, Found* found) noexcept nogil:
    """If parts of a line, apart from each other, need all its floors, its other cells are wall."""
    claimed(work, view, found, ITS_FLOORS)


cdef void two_lines_claimed(Work* work, View* view, Found* found) noexcept nogil:
    """The same as `claimed_walls` for two lines side by side, where each open block needs a wall."""
    cdef Layout* layout = &work.layout
    cdef int line, here
    for line in range(layout.lines - 1):
        if line + 1 == layout.height:
            continue
        if view.lacks[ITS_WALLS][line] == MANY or view.lacks[ITS_WALLS][line + 1] == MANY:
            continue
        work.claims.number = 0
        for here in range(length_of(layout, line) - 1):
            claim_walls_at(layout, view, &work.claims, line, 0, here)
            claim_walls_at(layout, view, &work.claims, line + 1, 1, here)
            claim_block(layout, view, &work.claims, line, here)
        claim_borders(layout, view, &work.claims, line, 0)
        claim_borders(layout, view, &work.claims, line + 1, 1)
        leave_over(work, view, found, line, 2, ITS_WALLS)


# ---------------------------------------------------------------------------------------------------------------
# Rooms and counts.


cdef void room_counted(Work* work, View* view, Found* found) noexcept nogil:
    """What all squares agree on where a treasure's room can be by the counts of its lines."""
    cdef Layout* layout = &work.layout
    cdef int treasure, place, word
    cdef Found agreed
    cdef Found brought
    for treasure in range(layout.treasures):
        agreed.walls = agreed.floors = view.unknown
        for place in range(layout.first[treasure], layout.first[treasure + 1]):
            if view.possible[place]:
                bring(layout, view, &layout.places[place], &brought)
                if counts_allow(layout, view, &layout.places[place], &brought):
                    for word in range(1, layout.words + 1):
                        agreed.walls.word[word] &= brought.walls.word[word]
                        agreed.floors.word[word] &= brought.floors.word[word]
        add_conclusions(layout, &found.walls, &found.floors, &agreed)


cdef void bring(Layout* layout, View* view, Place* place, Found* brought) noexcept nogil:
    """What a room makes of its square and its border at once, as far as unknown."""
    cdef int word
    cdef bint has_entrance = meet(layout, &place.border, &view.floors)
    cdef bint has_way = not has_entrance and common(layout, &place.border, &view.maybe) < 2
    cdef uint64_t border
    for word in range(1, layout.words + 1):
        border = place.border.word[word] & view.unknown.word[word]
        brought.walls.word[word] = border if has_entrance else 0
        brought.floors.word[word] = place.square.word[word] & view.unknown.word[word] | (border if has_way else 0)


cdef bint counts_allow(Layout* layout, View* view, Place* place, Found* brought) noexcept nogil:
    """Whether the lines of a room can have its floors, and the walls of its border, of which one may be open."""
    cdef int line, word, walls, floors
    cdef bint has_entrance = meet(layout, &place.border, &view.floors)
    cdef Mask border
    for word in range(1, layout.words + 1):
        border.word[word] = place.border.word[word] & view.unknown.word[word]
    for line in range(layout.lines):
        walls = common(layout, &layout.line[line], &border)
        floors = common(layout, &layout.line[line], &brought.floors)
        if walls and not has_entrance:
            walls -= 1
        if walls > view.lacks[ITS_WALLS][line] or floors > view.lacks[ITS_FLOORS][line]:
            return False
    return True


# ---------------------------------------------------------------------------------------------------------------
# The ways to fill one or two lines.


# A slice: what stands across the lines at one place; bit j is set for a wall in line j. A way to fill the lines is a
# sequence of slices, and what one may be depends on the slices before and after it:
#
#       place          0 1 2 3 4 5
#       first line     # # . . # .
#       second line    # . . # # .
#       slice          3 1 0 2 3 0        before and behind all is wall: 3
#
# Counts are of the walls put into unknown cells: for each number in the first of two lines (one row for a single line,
# or if the first has no clue) a word that has bit n for n walls in the last line.
cdef struct Strip:
    int length                      # places
    int lines                       # 1 or 2
    int slices                      # 2 or 4
    int rows                        # of counts
    int line[2]
    uint64_t goal                       # the last row of the counts of a whole way; the others are 0
    int fits[SIDE + 2]                  # the slices that what is known allows, as bits; from the one before the first
    uint8_t down[SIDE][4]               # what a slice adds to the counts: rows,
    uint8_t along[SIDE][4]              # and bits
    int least[SIDE][2]                  # how many open neighbours within the strip an open cell has
    int most[SIDE][2]
    int next[SIDE][4]                   # behind each slice those that fit the next place and leave no open block
    uint64_t allowed[SIDE]              # three slices in a row, the middle one here: bit 16 * before + 4 * each + after


cdef void combinations(Work* work, View* view, Found* found, int lines) noexcept nogil:
    """What all ways to fill a line, or two lines side by side, agree on."""
    cdef Layout* layout = &work.layout
    cdef int line
    for line in range(layout.lines - lines + 1):
        if work.settled[lines - 1][line] or (lines == 2 and line + 1 == layout.height):
            continue
        if meet(layout, &layout.line[line], &view.unknown) or (
            lines == 2 and meet(layout, &layout.line[line + 1], &view.unknown)
        ):
            agree_in_strip(work, view, found, line, line + 1 if lines == 2 else -1)
        work.settled[lines - 1][line] = True


cdef void line_combinations(Work* work, View* view, Found* found) noexcept nogil:
    """What all ways to fill a line agree on."""
    combinations(work, view, found, 1)


cdef void two_line_combinations(Work* work, View* view, Found* found) noexcept nogil:
    """What all ways to fill two lines side by side agree on."""
    combinations(work, view, found, 2)


cdef void unsettle(Work* work) noexcept nogil:
    """Have the lines looked at again that the conclusions in `found` touch: they, and two on each side."""
    cdef Layout* layout = &work.layout
    cdef int line, first, last, other
    for line in range(layout.lines):
        if not meet(layout, &layout.line[line], &work.found.walls):
            if not meet(layout, &layout.line[line], &work.found.floors):
                continue
        first = 0 if line < layout.height else layout.height
        last = layout.height if line < layout.height else layout.lines
        for other in range(max(first, line - 2), min(last, line + 3)):
            work.settled[0][other] = work.settled[1][other] = False


cdef void agree_in_strip(Work* work, View* view, Found* found, int first, int second) noexcept nogil:
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
            if has(&view.unknown, cell):
                walled = slices_with_wall(1 << number)
                if not seen & walled:
                    add_cell(&found.floors, cell)
                if not seen & ~walled & 0b1111:
                    add_cell(&found.walls, cell)


cdef void open_strip(Layout* layout, View* view, Strip* strip, int first, int second) noexcept nogil:
    """Fill in a strip from the board: its lines, and what may stand at each place."""
    cdef int here, number, cell, last
    strip.line[0], strip.line[1] = first, second
    strip.lines = 1 if second < 0 else 2
    strip.slices = 1 << strip.lines
    strip.length = length_of(layout, first)
    last = strip.line[strip.lines - 1]
    strip.goal = goal_of(layout, view, last)
    strip.rows = 1
    if strip.lines == 2 and layout.clue[first] >= 0:
        strip.rows = max(1, view.lacks[ITS_WALLS][first] + 1)
        if view.lacks[ITS_WALLS][first] < 0:
            strip.goal = 0
    # Before the first place and behind the last one all is wall.
    strip.fits[0] = strip.fits[strip.length + 1] = 1 << strip.slices - 1
    for here in range(strip.length):
        open_slices(layout, view, strip, here)
    for here in range(strip.length):
        for number in range(strip.slices):
            strip.next[here][number] = strip.fits[here + 2]
        for number in range(strip.lines):
            cell = in_line(layout, strip.line[number], here)
            need_at(layout, view, strip, cell, here, number)
            if here + 1 < strip.length:
                narrow_at(layout, view, strip, cell, here, number)
        allow_at(strip, here)


cdef uint64_t goal_of(Layout* layout, View* view, int line) noexcept nogil:
    """The numbers of walls that the unknown cells of a line may have, as bits."""
    if layout.clue[line] < 0:
        return 1  # they are not counted
    return <uint64_t>1 << view.lacks[ITS_WALLS][line] if view.lacks[ITS_WALLS][line] >= 0 else 0


cdef void open_slices(Layout* layout, View* view, Strip* strip, int here) noexcept nogil:
    """What slices fit at a place, and what they add to the counts."""
    cdef int each, number, cell, counted, walls = 0, floors = 0, adds = 0
    for number in range(strip.lines):
        cell = in_line(layout, strip.line[number], here)
        walls |= has(&view.walls, cell) << number
        floors |= has(&view.floors, cell) << number
        counted = has(&view.unknown, cell) and layout.clue[strip.line[number]] >= 0
        adds |= counted << number
    strip.fits[here + 1] = 0
    for each in range(strip.slices):
        if each & walls == walls and not each & floors:
            strip.fits[here + 1] |= 1 << each
        strip.down[here][each] = each & adds & 1 if strip.lines == 2 else 0
        strip.along[here][each] = (each & adds) >> (strip.lines - 1)


cdef void need_at(Layout* layout, View* view, Strip* strip, int cell, int here, int number) noexcept nogil:
    """How many open neighbours within the strip a cell needs, and may have, if it is open."""
    cdef int other, may = 0, sure = 0
    cdef int side = ABOVE if strip.line[0] < layout.height else LEFT
    # A line of a pair has its partner on one side.
    if number == 0:
        other = layout.beside[cell][side]
        may += has(&view.maybe, other)
        sure += has(&view.floors, other)
    if number == strip.lines - 1:
        other = layout.beside[cell][3 - side]
        may += has(&view.maybe, other)
        sure += has(&view.floors, other)
    strip.least[here][number] = 1 - may if has(&layout.monsters, cell) else 2 - may
    strip.most[here][number] = 1 - sure if has(&layout.monsters, cell) else 4


cdef void narrow_at(Layout* layout, View* view, Strip* strip, int cell, int here, int number) noexcept nogil:
    """Have no open block at a place and the next one: of two cells with floors beside them, or of two lines."""
    cdef int next = in_line(layout, strip.line[number], here + 1)
    cdef int side = ABOVE if strip.line[0] < layout.height else LEFT
    if number == 0 and is_narrow(layout, view, cell, next, side):
        add_narrow(strip, here, 1)
    if number == strip.lines - 1 and is_narrow(layout, view, cell, next, 3 - side):
        add_narrow(strip, here, 1 << number)
    if number == 0 and strip.lines == 2 and has(&view.awake, cell):
        add_narrow(strip, here, 0b11)


cdef void add_narrow(Strip* strip, int here, int lines) noexcept nogil:
    """Have no way with these lines open both here and at the next place."""
    cdef int each
    for each in range(strip.slices):
        if not each & lines:
            strip.next[here][each] &= slices_with_wall(lines)


cdef inline int slices_with_wall(int lines) noexcept nogil:
    """The slices, as bits, that have a wall in some of these lines."""
    return (0b1010 if lines & 1 else 0) | (0b1100 if lines & 2 else 0)


cdef void allow_at(Strip* strip, int here) noexcept nogil:
    """Find the slices that may follow each other round a place."""
    cdef int before, each
    strip.allowed[here] = 0
    for before in range(strip.slices):
        if strip.fits[here] >> before & 1:
            for each in range(strip.slices):
                if strip.fits[here + 1] >> each & 1:
                    strip.allowed[here] |= <uint64_t>afters(strip, here, before, each) << (16 * before + 4 * each)


cdef int afters(Strip* strip, int here, int before, int each) noexcept nogil:
    """The slices that may stand behind two others, as bits."""
    cdef int number, beside, walled, slices = strip.next[here][each]
    for number in range(strip.lines):
        if not each >> number & 1:
            # Open neighbours if the cell behind is wall.
            beside = 1 - (before >> number & 1) + (strip.lines == 2 and not each >> (1 - number) & 1)
            walled = slices_with_wall(1 << number)
            if not strip.least[here][number] <= beside <= strip.most[here][number]:
                slices &= ~walled
            if not strip.least[here][number] <= beside + 1 <= strip.most[here][number]:
                slices &= walled
    return slices


cdef inline uint64_t* ends_at(Work* work, Strip* strip, int here, int pair) noexcept nogil:
    """For two slices, 4 * before + each, the second at a place: the counts so far that some end makes good."""
    return work.ends + (16 * here + pair) * strip.rows


cdef inline uint64_t* starts_at(Work* work, Strip* strip, int here, int pair) noexcept nogil:
    """For two slices, the second at a place: the counts of all beginnings. Only two places are kept."""
    return work.starts + (16 * (here & 1) + pair) * strip.rows


cdef void find_ends(Work* work, Strip* strip) noexcept nogil:
    """From the last place back: for each two slices the counts that some way to go on makes good."""
    cdef int here, each, after, next
    cdef uint64_t rest
    cdef uint64_t* ends
    for here in range(strip.length - 1, -1, -1):
        memset(ends_at(work, strip, here, 0), 0, 16 * strip.rows * sizeof(uint64_t))
        rest = strip.allowed[here]
        while rest:
            each, after = trailing_zeros(rest) >> 2, trailing_zeros(rest) & 3
            rest &= rest - 1
            ends = ends_at(work, strip, here, each)
            if here == strip.length - 1:
                ends[strip.rows - 1] = strip.goal
            else:
                next = 4 * (each & 3) + after
                take_back(strip, ends, ends_at(work, strip, here + 1, next), here + 1, after)


cdef inline void take_back(Strip* strip, uint64_t* counts, uint64_t* later, int place, int slice) noexcept nogil:
    """Add the counts that become one of `later` with the walls of a slice."""
    cdef int row, down = strip.down[place][slice], along = strip.along[place][slice]
    for row in range(strip.rows - down):
        counts[row] |= later[row + down] >> along


cdef void step_on(Work* work, Strip* strip, int here) noexcept nogil:
    """Make the counts of all beginnings up to a place from those up to the place before."""
    cdef int each, after
    cdef uint64_t rest
    memset(starts_at(work, strip, here, 0), 0, 16 * strip.rows * sizeof(uint64_t))
    if here == 0:
        for each in range(strip.slices):
            if strip.fits[1] >> each & 1 and strip.down[0][each] < strip.rows:
                starts_at(work, strip, 0, 4 * (strip.slices - 1) + each)[strip.down[0][each]] = (
                    <uint64_t>1 << strip.along[0][each]
                )
        return
    rest = strip.allowed[here - 1]
    while rest:
        each, after = trailing_zeros(rest) >> 2, trailing_zeros(rest) & 3
        rest &= rest - 1
        add_walls(
            strip,
            starts_at(work, strip, here, 4 * (each & 3) + after),
            starts_at(work, strip, here - 1, each),
            here,
            after,
        )


cdef inline void add_walls(Strip* strip, uint64_t* counts, uint64_t* earlier, int place, int slice) noexcept nogil:
    """Add the counts that are those of `earlier` and the walls of a slice."""
    cdef int row, down = strip.down[place][slice], along = strip.along[place][slice]
    for row in range(strip.rows - down):
        counts[row + down] |= earlier[row] << along


cdef int slices_seen(Work* work, Strip* strip, int here) noexcept nogil:
    """The slices that some way has at a place, as bits."""
    cdef int pair, row, seen = 0
    cdef uint64_t* starts = starts_at(work, strip, here, 0)
    cdef uint64_t* ends = ends_at(work, strip, here, 0)
    for pair in range(16):
        for row in range(strip.rows * pair, strip.rows * (pair + 1)):
            if starts[row] & ends[row]:
                seen |= 1 << (pair & 3)
    return seen


# ---------------------------------------------------------------------------------------------------------------
# The path.


ctypedef void (*Apply)(Work* work, View* view, Found* found) noexcept nogil


cdef struct Technique:
    const char* name                # of its function in `logic_py`
    Apply apply                     # adds to `found` what it concludes


# Easy to hard, in the order of the pure twin; a technique's number is its place.
cdef Technique TABLE[DIRECT]
TABLE[:] = [
    Technique(b"line_has_its_walls", line_has_its_walls),
    Technique(b"line_has_its_floors", line_has_its_floors),
    Technique(b"dead_end", dead_end),
    Technique(b"monster_exit_forced", monster_exit_forced),
    Technique(b"monster_exit_found", monster_exit_found),
    Technique(b"way_through", way_through),
    Technique(b"wide_hallway", wide_hallway),
    Technique(b"room_found", room_found),
    Technique(b"room_closed", room_closed),
    Technique(b"room_entrance", room_entrance),
    Technique(b"room_common", room_common),
    Technique(b"wide_hallway_no_room", wide_hallway_no_room),
    Technique(b"only_way_out", only_way_out),
    Technique(b"cut_off", cut_off),
    Technique(b"bridge", bridge),
    Technique(b"last_floor", last_floor),
    Technique(b"last_wall", last_wall),    # the last of the EASY ones
    Technique(b"closing_in", closing_in),
    Technique(b"claimed_walls", claimed_walls),
    Technique(b"claimed_floors", claimed_floors),
    Technique(b"room_counted", room_counted),
    Technique(b"closing_breaks", closing_breaks),
    Technique(b"line_combinations", line_combinations),
    Technique(b"two_lines_claimed", two_lines_claimed),
    Technique(b"two_line_combinations", two_line_combinations),
]

NAMES = tuple([TABLE[number].name.decode("ascii") for number in range(DIRECT)])


cdef int run(Work* work, int hardest) except -1 nogil:
    """Fill `rounds`; the status."""
    cdef Layout* layout = &work.layout
    cdef View* view = &work.views[HERE]
    cdef Mask awake
    cdef int number
    look(layout, view)
    while not is_broken(layout, view):
        if first_of(layout, &view.unknown) < 0:
            return IS_SOLVED
        with gil:
            PyErr_CheckSignals()
        number = easiest(work, hardest)
        if number < 0:
            return STILL_OPEN
        work.rounds[work.number].technique = number
        work.rounds[work.number].found = work.found
        work.number += 1
        add_conclusions(layout, &view.walls, &view.floors, &work.found)
        unsettle(work)
        awake = view.awake
        look(layout, view)
        if has_changed(layout, &awake, &view.awake):
            memset(work.settled, 0, sizeof(work.settled))
    return IS_BROKEN


cdef bint has_changed(Layout* layout, Mask* cells, Mask* others) noexcept nogil:
    """Whether two sets differ."""
    cdef int word
    for word in range(1, layout.words + 1):
        if cells.word[word] != others.word[word]:
            return True
    return False


cdef int easiest(Work* work, int hardest) except -2 nogil:
    """Have `found` what the easiest technique concludes that concludes anything: its number, -1 if there is none."""
    cdef int number
    clear(work, &work.found)
    for number in range(min(hardest + 1, DIRECT)):
        TABLE[number].apply(work, &work.views[HERE], &work.found)
        if is_anything(work, &work.found):
            return number
    if hardest >= ASSUMING and what_if(work):
        return ASSUMING
    return -1


cdef bint what_if(Work* work) except -1 nogil:
    """Conclude the opposite of the assumption that breaks first; of several, of the first cell, floor before wall.

    All trials go on round by round together, so that none goes further than the one that breaks.
    """
    cdef Layout* layout = &work.layout
    cdef View* view = &work.views[HERE]
    cdef int cell, number = 0, _
    cdef bint floor
    cdef Trial* trials = <Trial*>malloc(2 * layout.cells * sizeof(Trial))
    if trials == NULL:
        with gil:
            raise MemoryError
    for cell in range(layout.cells):
        if has(&view.unknown, cell):
            for floor in range(1, -1, -1):
                trials[number].known.walls, trials[number].known.floors = view.walls, view.floors
                add_cell(&trials[number].known.floors if floor else &trials[number].known.walls, cell)
                trials[number].cell, trials[number].floor = cell, floor
                number += 1
    try:
        for _ in range(MOST_ROUNDS + 1):
            cell = go_on(work, trials, number)
            if cell >= 0:
                add_cell(&work.found.walls if trials[cell].floor else &work.found.floors, trials[cell].cell)
                return True
        return False
    finally:
        free(trials)


cdef int go_on(Work* work, Trial* trials, int number) except -2 nogil:
    """Take all trials on by a round; the number of the first that is broken, -1 if none is.

    A round is all that the easy techniques conclude, each from what is known before. A trial where they find nothing is
    given up.
    """
    cdef Layout* layout = &work.layout
    cdef View* view = &work.views[TRIAL]
    cdef Found found
    cdef int each, technique
    for each in range(number):
        if trials[each].cell < 0:
            continue
        if each % 64 == 0:
            with gil:
                PyErr_CheckSignals()
        view.walls, view.floors = trials[each].known.walls, trials[each].known.floors
        look(layout, view)
        if is_broken(layout, view):
            return each
        clear(work, &found)
        for technique in range(EASY):
            TABLE[technique].apply(work, view, &found)
        if is_anything(work, &found):
            add_conclusions(layout, &trials[each].known.walls, &trials[each].known.floors, &found)
        else:
            trials[each].cell = -1
    return -1
