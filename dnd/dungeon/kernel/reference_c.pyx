# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The course's functions, compiled: 8x8 boards in 64-bit words.

The twin of ``reference_py``: same names, same parameters, same values, same order of search, same
number of calls; written separately.  ``reference_py`` asks its questions cell by cell as the course
does; here most of them are put to all 64 cells at once, by shifts and masks, which gives the same
answers by another road and makes the two modules witnesses of each other.

A *problem* ``p`` is ``(monsters, treasures, rows, columns)``: two words and two tuples of 8 clues,
-1 for a clue that is unknown and constrains nothing.  ``b`` is the word of the walls.  A function
``test_*`` is True when it *rejects*.  Arguments were validated before they come here.

The bit of a cell, and the four neighbours that a shift of the whole board brings onto it:

      column   0  1  2 ..  7                      b << 8   the cell above
    row 0      0  1  2 ..  7                        |
    row 1      8  9 10 .. 15      (b << 1) & ~C0 -- . -- (b >> 1) & ~C7
     ..                               left          |         right
    row 7     56 57 58 .. 63                      b >> 8   the cell below

A sideways shift carries the end of one row into the next: hence the masks C0 and C7 (the outer
columns).  Shifts fill with zeros, so a word of *open* cells meets walls outside the board.

Traps of Cython and gcc that this file keeps clear of:

- ``1 << n`` on a C int is 32-bit arithmetic, silently wrong from n = 31 on: ``<uint64_t>1 << n``.
- A 64-bit constant that is not typed becomes a Python object in the hot loop: the masks are C
  constants, of an unsigned type (the top bit is cell 63, not a sign).
- A ``uint64_t`` parameter takes 1.5 (as 1) and True without a word: validation comes before.
- What is raised in a ``noexcept`` function is printed and lost: only the search can raise (Ctrl-C,
  no memory), so it alone is ``except -1``.
- ``a < b`` with one unsigned side is wrong for negative values, and a clue may be -1: counts and
  clues are both ``int``.
- gcc may not inline the global functions of a shared library: all helpers are ``cdef inline``.
- A long ``nogil`` loop is deaf to Ctrl-C unless it asks for it every 2**k steps.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc
from cpython.exc cimport PyErr_CheckSignals

# Under another name, since `popcount` is the course's own function here.
from dnd.kernels.bits cimport popcount as count_ones, trailing_zeros

from dnd.dungeon.kernel.tables import BYTES_BY_POPCOUNT, FIRST_WITH_POPCOUNT, POPCOUNT_OF_BYTE


cdef extern from "course.h":
    const uint64_t COLUMN_0 "DND_COLUMN_0"
    const uint64_t COLUMN_7 "DND_COLUMN_7"
    const uint64_t ROOM "DND_ROOM"


cdef enum:
    UNKNOWN = -1
    SIDE = 8
    CELLS = 64
    BYTES = 256
    POLL_MASK = (1 << 16) - 1    # a few milliseconds of calls, also with the slower moves_loop


# The course's ``p``, read from Python once.
cdef struct Problem:
    uint64_t monsters
    uint64_t treasures
    int rows[SIDE]
    int columns[SIDE]


# Of all cells at once, how many open neighbours they have; those with more are in neither.
cdef struct Degrees:
    uint64_t none    # cells without an open neighbour
    uint64_t one     # cells with exactly one


# What one call of ``solve`` keeps from call to call of the recursion.
cdef struct Search:
    const Problem *problem
    bint use_loop
    uint64_t limit       # 0: no limit
    uint64_t calls
    uint64_t *found      # the solutions so far, in the order of the search
    size_t count
    size_t capacity


# The tables of ``tables.py`` as C arrays.
cdef int popcount_of_byte[BYTES]
cdef uint64_t byte_by_popcount[BYTES]
cdef int first_with_popcount[SIDE + 2]


cdef int load_tables() except -1:
    """Copy the tables; called once, below."""
    cdef int i
    for i in range(BYTES):
        popcount_of_byte[i] = POPCOUNT_OF_BYTE[i]
        byte_by_popcount[i] = BYTES_BY_POPCOUNT[i]
    for i in range(SIDE + 2):
        first_with_popcount[i] = FIRST_WITH_POPCOUNT[i]
    return 0


load_tables()


cdef int read_problem(p, Problem *problem) except -1:
    """Take a problem apart. It was validated before."""
    cdef int i
    monsters, treasures, rows, columns = p
    problem.monsters = monsters
    problem.treasures = treasures
    for i in range(SIDE):
        problem.rows[i] = rows[i]
        problem.columns[i] = columns[i]
    return 0


# Functions ``c_*`` are the C side of the public function of that name: no Python value, no GIL.

# --- words and bits -----------------------------------------------------------------------------


cdef inline uint64_t c_bit(int pos) noexcept nogil:
    """The word with the single cell ``pos``."""
    return <uint64_t>1 << pos


cdef inline uint64_t c_mask_column(int i) noexcept nogil:
    """The word of column ``i``."""
    return COLUMN_0 << i


cdef inline uint64_t c_map_to_board(const bint *m) noexcept nogil:
    """The word of the cells that are true."""
    cdef uint64_t b = 0
    cdef int pos
    for pos in range(CELLS):
        if m[pos]:
            b |= c_bit(pos)
    return b


cdef inline void c_board_to_map(uint64_t b, bint *m) noexcept nogil:
    """Write the 64 bits of a word as truth values."""
    cdef int pos
    for pos in range(CELLS):
        m[pos] = (b >> pos) & 1


cdef inline int c_popcount_slow(uint64_t v) noexcept nogil:
    """Bit by bit (question 8)."""
    cdef int ones = 0
    while v:
        ones += v & 1
        v >>= 1
    return ones


cdef inline int c_popcount_byte(unsigned char x) noexcept nogil:
    # C adds in int, so that no sum is cut to a byte on the way; none needs more.
    cdef int sums = x
    sums = (sums & 0x55) + ((sums >> 1) & 0x55)
    sums = (sums & 0x33) + ((sums >> 2) & 0x33)
    return (sums & 0x0f) + (sums >> 4)


cdef inline int c_popcount(uint64_t v) noexcept nogil:
    """Fields of 1, 2, 4 .. 32 bits, each holding the number of ones it had, are added two by two (question 9)."""
    cdef uint64_t field_1 = 0x5555_5555_5555_5555
    cdef uint64_t field_2 = 0x3333_3333_3333_3333
    cdef uint64_t field_4 = 0x0f0f_0f0f_0f0f_0f0f
    cdef uint64_t field_8 = 0x00ff_00ff_00ff_00ff
    cdef uint64_t field_16 = 0x0000_ffff_0000_ffff
    cdef uint64_t field_32 = 0x0000_0000_ffff_ffff
    v = (v & field_1) + ((v >> 1) & field_1)
    v = (v & field_2) + ((v >> 2) & field_2)
    v = (v & field_4) + ((v >> 4) & field_4)
    v = (v & field_8) + ((v >> 8) & field_8)
    v = (v & field_16) + ((v >> 16) & field_16)
    v = (v & field_32) + ((v >> 32) & field_32)
    return <int>v


cdef inline int c_popcount_builtin(uint64_t v) noexcept nogil:
    """The processor's instruction."""
    return count_ones(v)


def mask_column(int i):
    """The word of column ``i`` (0..7)."""
    return c_mask_column(i)


def map_to_board(m):
    """The word of 64 truth values, cell 0 first."""
    cdef bint truth[CELLS]
    cdef int pos
    for pos in range(CELLS):
        truth[pos] = m[pos]
    return c_map_to_board(truth)


def board_to_map(uint64_t b):
    """The 64 bools of a word, cell 0 first: the inverse of ``map_to_board``."""
    cdef bint truth[CELLS]
    cdef int pos
    c_board_to_map(b, truth)
    return tuple([truth[pos] for pos in range(CELLS)])


def popcount_slow(uint64_t v):
    """The number of ones in ``v``, bit by bit (question 8)."""
    return c_popcount_slow(v)


def popcount_byte(unsigned char x):
    """The number of ones in the byte ``x``, by masks and additions: the course's example before question 9.

    >>> popcount_byte(173)
    5
    """
    return c_popcount_byte(x)


def popcount(uint64_t v):
    """The number of ones in ``v``, by masks and additions (question 9)."""
    return c_popcount(v)


def popcount_builtin(uint64_t v):
    """The number of ones in ``v``, by the processor's instruction."""
    return c_popcount_builtin(v)


def bit(int pos):
    """The word in which only cell ``pos`` (0..63) is set."""
    return c_bit(pos)


# --- cells and their neighbours -----------------------------------------------------------------


cdef inline uint64_t c_left(uint64_t v) noexcept nogil:
    """The cells whose left neighbour is in v."""
    return (v << 1) & ~COLUMN_0


cdef inline uint64_t c_right(uint64_t v) noexcept nogil:
    """The cells whose right neighbour is in v."""
    return (v >> 1) & ~COLUMN_7


cdef inline uint64_t c_around(uint64_t v) noexcept nogil:
    """The cells with a neighbour in v."""
    return c_left(v) | c_right(v) | (v << 8) | (v >> 8)


cdef inline Degrees c_degrees(uint64_t b) noexcept nogil:
    """The cells with no and with one open neighbour; two or more: both of a pair are open, or one of each pair."""
    cdef uint64_t is_open = ~b
    cdef uint64_t left = c_left(is_open)
    cdef uint64_t right = c_right(is_open)
    cdef uint64_t above = is_open << 8
    cdef uint64_t below = is_open >> 8
    cdef uint64_t beside = left | right
    cdef uint64_t upright = above | below
    cdef uint64_t several = (left & right) | (above & below) | (beside & upright)
    cdef Degrees degrees
    degrees.none = ~(beside | upright)
    degrees.one = (beside | upright) & ~several
    return degrees


cdef inline uint64_t c_neighbours(int pos) noexcept nogil:
    """The neighbours of cell ``pos``."""
    return c_around(c_bit(pos))


cdef inline int c_count_non_wall(uint64_t b, int pos) noexcept nogil:
    """How many neighbours of cell ``pos`` are open."""
    return count_ones(~b & c_neighbours(pos))


cdef inline uint64_t c_empty_cells(const Problem *p, uint64_t b) noexcept nogil:
    """All cells that hold nothing."""
    return ~(b | p.monsters | p.treasures)


cdef inline bint c_empty(const Problem *p, uint64_t b, int pos) noexcept nogil:
    """Whether cell ``pos`` holds nothing."""
    return (c_empty_cells(p, b) & c_bit(pos)) != 0


cdef inline bint c_treasure(const Problem *p, int pos) noexcept nogil:
    """Whether cell ``pos`` holds a treasure."""
    return (p.treasures & c_bit(pos)) != 0


cdef inline bint c_monster(const Problem *p, int pos) noexcept nogil:
    """Whether cell ``pos`` holds a monster."""
    return (p.monsters & c_bit(pos)) != 0


def neighbours(int pos):
    """The word of the 2 to 4 neighbours of cell ``pos``."""
    return c_neighbours(pos)


def count_non_wall(p, uint64_t b, int pos):
    """How many neighbours of cell ``pos`` are not walls (``p`` plays no part, as in the course)."""
    return c_count_non_wall(b, pos)


def empty(p, uint64_t b, int pos):
    """Whether cell ``pos`` holds nothing: no wall, no monster, no treasure."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_empty(&problem, b, pos)


def treasure(p, int pos):
    """Whether cell ``pos`` holds a treasure."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_treasure(&problem, pos)


def monster(p, int pos):
    """Whether cell ``pos`` holds a monster."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_monster(&problem, pos)


# --- the tests: True when they reject ------------------------------------------------------------


cdef inline bint c_test_columns_overload(const Problem *p, uint64_t b) noexcept nogil:
    """A column has more walls than its clue: more walls will not mend that."""
    cdef int column
    for column in range(SIDE):
        if p.columns[column] == UNKNOWN:
            continue
        if count_ones(b & c_mask_column(column)) > p.columns[column]:
            return True
    return False


cdef inline bint c_test_columns_underload(const Problem *p, uint64_t b) noexcept nogil:
    """A column has fewer walls than its clue. No count is below UNKNOWN: such a column never rejects."""
    cdef int column
    for column in range(SIDE):
        if count_ones(b & c_mask_column(column)) < p.columns[column]:
            return True
    return False


cdef inline uint64_t c_rows_before(int row) noexcept nogil:
    """The cells of the first rows. A shift by 64 has no meaning in C, so all 8 rows are a case of their own."""
    return ~<uint64_t>0 if row == SIDE else c_bit(SIDE * row) - 1


cdef inline bint c_test_no_deadend_upto_row(const Problem *p, uint64_t b, int row) noexcept nogil:
    """An empty cell is a dead end. Rows from ``row`` on are still open: what is one now remains one."""
    cdef Degrees degrees = c_degrees(b)
    return ((degrees.none | degrees.one) & c_empty_cells(p, b) & c_rows_before(row)) != 0


cdef inline bint c_test_trapped_monster(const Problem *p, uint64_t b) noexcept nogil:
    """A monster is shut in. Too many ways out are no fault yet: walls may still come."""
    return (p.monsters & c_degrees(b).none) != 0


cdef inline bint c_test_deadends(const Problem *p, uint64_t b) noexcept nogil:
    """Dead ends are not exactly the cells of the monsters."""
    cdef Degrees degrees = c_degrees(b)
    cdef uint64_t idle = (degrees.none | degrees.one) & c_empty_cells(p, b)
    return (idle | (p.monsters & ~degrees.one)) != 0


cdef inline uint64_t c_find_room(uint64_t b, int pos) noexcept nogil:
    """The first 3x3 square of open cells that holds cell ``pos`` and fits in the board, by rows; 0 if there is none.

    The corner stays at 5 or less: beyond, the square would wrap around.
    """
    cdef int x = pos % SIDE
    cdef int y = pos // SIDE
    cdef int corner_x, corner_y
    cdef uint64_t room
    for corner_y in range(max(y - 2, 0), min(y, 5) + 1):
        for corner_x in range(max(x - 2, 0), min(x, 5) + 1):
            room = ROOM << (SIDE * corner_y + corner_x)
            if b & room == 0:
                return room
    return 0


cdef inline bint c_test_treasure_rooms(const Problem *p, uint64_t *b) noexcept nogil:
    """A treasure has no room with one opening; rooms are walled up one after the other, in the order of the treasures.

    A monster counts as a wall (the caller has put the monsters into b), and a later room sees what the earlier left.
    """
    cdef uint64_t treasures = p.treasures
    cdef uint64_t room
    while treasures:
        room = c_find_room(b[0], trailing_zeros(treasures))
        if room == 0:
            return True
        if count_ones(c_around(room) & ~room & ~b[0]) != 1:
            return True
        b[0] |= room
        treasures &= treasures - 1
    return False


cdef inline bint c_test_empty_squares(uint64_t b) noexcept nogil:
    """Four cells in a square are open. Pairs side by side, by their left cell; then two pairs one above the other."""
    cdef uint64_t pairs = ~b & c_right(~b)
    return (pairs & (pairs >> 8)) != 0


def test_columns_overload(p, uint64_t b):
    """Reject a board where a column has more walls than its clue."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_test_columns_overload(&problem, b)


def test_columns_underload(p, uint64_t b):
    """Reject a board where a column has fewer walls than its clue."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_test_columns_underload(&problem, b)


def test_no_deadend_upto_row(p, uint64_t b, int row):
    """Reject a board with an empty dead end in one of the first ``row`` (0..8) rows."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_test_no_deadend_upto_row(&problem, b, row)


def test_trapped_monster(p, uint64_t b):
    """Reject a board where a monster has no open neighbour."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_test_trapped_monster(&problem, b)


def test_deadends(p, uint64_t b):
    """Reject a board with an empty dead end, or a monster that is not in a dead end."""
    cdef Problem problem
    read_problem(p, &problem)
    return c_test_deadends(&problem, b)


def test_treasure_rooms(p, uint64_t b):
    """Reject a board where a treasure has no proper room; fill the rooms with walls.

    ``b`` holds walls and monsters.  Returns ``(rejects, board)``, the board as it stands at the
    end: with every room filled or, if the board is rejected, those before the fault.
    """
    cdef Problem problem
    cdef bint rejects
    read_problem(p, &problem)
    rejects = c_test_treasure_rooms(&problem, &b)
    return rejects, b


def test_empty_squares(p, uint64_t b):
    """Reject a board with four open cells in a square.

    ``b`` holds walls, monsters and filled rooms (``p`` is not consulted, as in the course).
    """
    return c_test_empty_squares(b)


# --- moves and drawing ---------------------------------------------------------------------------


cdef inline int c_moves_loop(const Problem *p, int row, uint64_t *moves) noexcept nogil:
    """Write the moves of a row, found by asking all 256 bytes; how many there are (``moves`` has room for all)."""
    cdef uint64_t objects = p.monsters | p.treasures
    cdef int clue = p.rows[row]
    cdef int count = 0
    cdef int walls
    for walls in range(BYTES):
        if clue != UNKNOWN and popcount_of_byte[walls] != clue:
            continue
        moves[count] = <uint64_t>walls << (SIDE * row)
        count += moves[count] & objects == 0
    return count


cdef inline int c_moves_table(const Problem *p, int row, uint64_t *moves) noexcept nogil:
    """The same moves, read off the table from the first to the last with the right number of walls."""
    cdef uint64_t objects = p.monsters | p.treasures
    cdef int clue = p.rows[row]
    cdef int start = 0 if clue == UNKNOWN else first_with_popcount[clue]
    cdef int stop = BYTES if clue == UNKNOWN else first_with_popcount[clue + 1]
    cdef int count = 0
    cdef int i
    for i in range(start, stop):
        # Each is written and the good ones stay by moving on: no branch to be mispredicted.
        moves[count] = byte_by_popcount[i] << (SIDE * row)
        count += moves[count] & objects == 0
    return count


cdef inline char c_symbol(const Problem *p, uint64_t b, int pos) noexcept nogil:
    """The letter of a cell; a wall hides what else it may hold."""
    if b & c_bit(pos):
        return b"#"
    if c_monster(p, pos):
        return b"M"
    return b"T" if c_treasure(p, pos) else b"."


cdef inline void c_print_board(const Problem *p, uint64_t b, char *text) noexcept nogil:
    """Write 8 lines, each ended by a newline."""
    cdef int row, column
    for row in range(SIDE):
        for column in range(SIDE):
            text[0] = c_symbol(p, b, SIDE * row + column)
            text += 1
        text[0] = b"\n"
        text += 1


def moves_loop(p, int row):
    """The walls that ``row`` (0..7) may get, as words, in the order of their byte (question 14)."""
    cdef Problem problem
    cdef uint64_t moves[BYTES]
    cdef int i, count
    read_problem(p, &problem)
    count = c_moves_loop(&problem, row, moves)
    return tuple([moves[i] for i in range(count)])


def moves_table(p, int row):
    """The walls that ``row`` (0..7) may get, as words, from the table sorted by popcount."""
    cdef Problem problem
    cdef uint64_t moves[BYTES]
    cdef int i, count
    read_problem(p, &problem)
    count = c_moves_table(&problem, row, moves)
    return tuple([moves[i] for i in range(count)])


def print_board(p, uint64_t b):
    """The board drawn with ``#``, ``M``, ``T`` and ``.``: 8 lines, each ended by a newline."""
    cdef Problem problem
    cdef char text[SIDE * (SIDE + 1)]
    read_problem(p, &problem)
    c_print_board(&problem, b, text)
    return text[:SIDE * (SIDE + 1)].decode("ascii")


# --- the search ----------------------------------------------------------------------------------


cdef int poll() except -1 with gil:
    """Have Ctrl-C raise its exception."""
    PyErr_CheckSignals()
    return 0


cdef int out_of_memory() except -1 with gil:
    """Raise from a function without the GIL."""
    raise MemoryError("no memory for more solutions")


cdef inline int grow(Search *search) except -1 nogil:
    """Make room for more solutions."""
    cdef size_t capacity = 2 * search.capacity + 16
    cdef void *grown = realloc(search.found, capacity * sizeof(uint64_t))
    if grown == NULL:
        out_of_memory()
    search.found = <uint64_t *>grown
    search.capacity = capacity
    return 0


cdef inline bint keep(Search *search, uint64_t b) except -1 nogil:
    """Keep a solution; True when the limit is reached."""
    if search.count == search.capacity:
        grow(search)
    search.found[search.count] = b
    search.count += 1
    return search.count == search.limit


cdef inline bint c_is_impasse(const Problem *p, int row, uint64_t b) noexcept nogil:
    """Whether the walls of the rows before ``row`` rule out every completion."""
    return (
        c_test_columns_overload(p, b)
        or c_test_no_deadend_upto_row(p, b, row)
        or c_test_trapped_monster(p, b)
    )


cdef inline bint c_is_solution(const Problem *p, uint64_t b) noexcept nogil:
    """Whether a complete board obeys the course's rules; connection is not among them."""
    cdef uint64_t filled = b | p.monsters
    return not (
        c_test_columns_underload(p, b)
        or c_test_deadends(p, b)
        or c_test_treasure_rooms(p, &filled)
        or c_test_empty_squares(filled)
    )


cdef bint c_solve(Search *search, int row, uint64_t b) except -1 nogil:
    """The course's recursion; True when it is to stop because it has found enough."""
    cdef const Problem *p = search.problem
    cdef uint64_t moves[BYTES]
    cdef int i, count
    search.calls += 1
    if search.calls & POLL_MASK == 0:
        poll()
    if c_is_impasse(p, row, b):
        return False
    if row == SIDE:
        return c_is_solution(p, b) and keep(search, b)
    count = c_moves_loop(p, row, moves) if search.use_loop else c_moves_table(p, row, moves)
    for i in range(count):
        if c_solve(search, row + 1, b + moves[i]):
            return True
    return False


def solve(p, int row, uint64_t b, uint64_t limit, bint use_loop):
    """The course's search from ``row`` (0..8) on, where ``b`` holds walls in the rows before only.

    Returns ``(solutions, calls)``: the boards that the course's program prints, in its order, and
    the number of calls of its ``solve``, this one included.  Stops at ``limit`` solutions (0: finds
    all).  ``use_loop`` takes the moves of ``moves_loop``, else of ``moves_table``.  Runs without
    the GIL; Ctrl-C raises KeyboardInterrupt.
    """
    cdef Problem problem
    cdef Search search
    cdef size_t i
    read_problem(p, &problem)
    search = Search(&problem, use_loop, limit, 0, NULL, 0, 0)
    try:
        with nogil:
            c_solve(&search, row, b)
        return tuple([search.found[i] for i in range(search.count)]), search.calls
    finally:
        free(search.found)
