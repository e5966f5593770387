# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
"""The exact Suguru engine, compiled: boards up to 64x64, cages up to 32 cells, holes.

`docs/suguru-engine.md` states the search exactly: what is removed, in which order, where a
contradiction is found, how a state branches, what a node is. `search_py` is the same search, written
separately; both return the same solutions in the same order and the same number of nodes on every
input. The numbers of the rules below are those of that document, which also says why this is fast.

What is not yet excluded is kept twice, by cell and by cage, and both are toggled at each removal:

    cells[x].candidates     bit v: cell x may be v + 1              (value v + 1 is bit v throughout)
    places[first + v]       bit i: member i of the cage may be v + 1; first: where the cage begins
    members[first + i]      the cells of the cage, in order

    a cage of 3 cells:      members    x0   x1   x2        cells[x0].candidates     1 1 .
                            places  1  *    .    *         cells[x1].candidates     . 1 1
                                    2  *    *    .         cells[x2].candidates     1 . 1
                                    3  .    *    *

A cage of n cells has n values, so one `first` serves `members` and `places` alike. The board has a
border of cells without candidates (holes are such cells too), so a neighbour is a constant away and
nobody asks whether it exists:

    x - s - 1   x - s   x - s + 1          s = width + 2
    x - 1         x     x + 1              directions 0 to 7 in reading order, x left out
    x + s - 1   x + s   x + s + 1

`removals` is the list of all removals so far, cell << 5 | v: the queue of what is still to be looked
at and the trail that undoes it, in one.

Traps: `(1 << n) - 1` is undefined for the 32 values of the largest cage (hence `FULL >> 32 - n`);
and on a board one or two columns wide a difference of two columns would be read as one of rows.
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.tuple cimport PyTuple_GET_ITEM
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from dnd.kernels.bits cimport popcount, several, trailing_zeros
from dnd.kernels.stop cimport flag

cdef enum:
    LONGEST = 64               # longest side of a board
    REACH = 2                  # cells farther apart than this have no neighbour in common
    VALUES = 5                 # bits of a value in `removals`
    NO_CAGE = -1               # the cage of holes and of the border; no contradiction
    HELD = 20000               # work (removals looked at) for which one call keeps the GIL
    POLL = 1 << 18             # work between two looks at Ctrl-C: some 20 ms

cdef enum Status:
    INTERRUPTED = -1           # an exception is on its way
    EXHAUSTED, FOUND, PAUSED, STOPPED

cdef uint32_t ONE = 1
cdef uint32_t FULL = 0xFFFFFFFF

cdef struct Cell:
    uint32_t candidates
    uint32_t place             # the bit of this cell in its cage's `places`
    int32_t first              # where its cage begins in `members` and `places`
    int32_t cage

# What is known at any time is the list of removals; decisions are places in it.
#
#     removals     a  b  c  d | e  f  g | h  i  j  k
#                  root         1st       2nd decision        decisions[0].removals = 4, [1].removals = 7
#                                             ^     ^
#                                             seen  removed: up to here, e.g. j waits to be looked at
#
# To take back the 2nd decision, undo k to h and remove what its first child had chosen: that goes on behind g.

cdef struct Decision:
    uint32_t removals          # how many there were before it
    uint32_t removal           # what is removed when it is taken back

cdef struct Shape:
    int height
    int width
    int stride
    int step[8]                # from a cell to its neighbours
    int reach                  # farthest cell with a neighbour in common, as a difference
    # by difference + reach: the directions in which a cell has a neighbour that the other cell has too
    uint8_t common[8 * LONGEST]

cdef struct Search:
    Shape shape
    int number                 # cells that are no holes
    int cages
    Cell* cells
    int32_t* members
    uint32_t* places
    int32_t* first             # by cage, and one more: the end
    uint64_t* weight           # by cage: 1 + contradictions found there
    uint32_t* removals
    uint32_t removed           # length of `removals`
    uint32_t seen              # how many of them were looked at
    Decision* decisions
    int depth
    bint sound                 # False: a given is no value of its cage
    bint solved                # the state was a solution: go back before going on
    uint64_t nodes
    uint64_t work              # removals looked at since the last look at Ctrl-C
    const volatile uint8_t* stop       # not 0: another thread wants the search given up


# --- the board ------------------------------------------------------------------------------------

cdef inline uint32_t first_bits(int n) noexcept nogil:
    """The set of the first n values or members of a cage, 0 <= n <= 32."""
    return FULL >> 32 - n if n else 0


cdef int common_directions(int rows, int columns) noexcept nogil:
    """The directions from a cell to its neighbours that a cell so many rows and columns on shares."""
    cdef int direction, difference, row, column, directions = 0
    for direction in range(8):
        difference = direction if direction < 4 else direction + 1
        row = rows - (difference // 3 - 1)
        column = columns - (difference % 3 - 1)
        if (row or column) and -1 <= row <= 1 and -1 <= column <= 1:
            directions |= 1 << direction
    return directions


cdef void set_shape(Shape* b, int height, int width) noexcept nogil:
    """All that depends on height and width only: a batch needs it once."""
    cdef int row, column, direction, most = min(REACH, width - 1)
    b.height = height
    b.width = width
    b.stride = width + 2
    b.reach = REACH * b.stride + most
    for direction in range(8):
        row = direction if direction < 4 else direction + 1
        b.step[direction] = (row // 3 - 1) * b.stride + row % 3 - 1
    memset(b.common, 0, 2 * b.reach + 1)
    for row in range(-REACH, REACH + 1):
        for column in range(-most, most + 1):
            b.common[row * b.stride + column + b.reach] = common_directions(row, column)


cdef inline size_t aligned(size_t size) noexcept nogil:
    """A size in bytes rounded up, so that what lies behind it begins where any type may."""
    return size + 15 & ~<size_t>15


cdef void* allocate(Search* search) except? NULL nogil:
    """One block for all arrays of a search of this shape (to be freed by the caller)."""
    cdef Shape* b = &search.shape
    cdef size_t n = b.height * b.width
    cdef size_t cells = aligned((b.height + 2) * b.stride * sizeof(Cell))
    cdef size_t weight = aligned(n * sizeof(uint64_t))
    cdef size_t decisions = aligned(n * sizeof(Decision))
    cdef size_t words = aligned((n + 1) * sizeof(uint32_t))
    # A cell loses at most as many candidates as a cage has values: 32, or all cells of the board.
    cdef size_t removals = n * min(n, <size_t>32) * sizeof(uint32_t)
    cdef char* block = <char*>malloc(cells + weight + decisions + 3 * words + removals)
    if block is NULL:
        with gil:
            raise MemoryError
    search.cells = <Cell*>block
    search.weight = <uint64_t*>(block + cells)
    search.decisions = <Decision*>(block + cells + weight)
    search.members = <int32_t*>(block + cells + weight + decisions)
    search.places = <uint32_t*>(block + cells + weight + decisions + words)
    search.first = <int32_t*>(block + cells + weight + decisions + 2 * words)
    search.removals = <uint32_t*>(block + cells + weight + decisions + 3 * words)
    return block


cdef void set_cages(Search* search, const int16_t* cages) noexcept nogil:
    """Every value of every cage is possible in all its cells."""
    cdef const Shape* b = &search.shape
    cdef Cell* cell
    cdef int32_t* first = search.first
    cdef int i, row, column, cage, n = b.height * b.width, total = 0, size
    search.cages = 0
    for i in range(n):
        if cages[i] >= search.cages:
            search.cages = cages[i] + 1
    memset(first, 0, (search.cages + 1) * sizeof(int32_t))
    for i in range(n):
        if cages[i] >= 0:
            first[cages[i]] += 1
    for cage in range(search.cages):
        size = first[cage]
        first[cage] = total
        for i in range(size):
            search.places[total + i] = 0
        search.weight[cage] = 1
        total += size
    first[search.cages] = total
    search.number = total
    memset(search.cells, 0, (b.height + 2) * b.stride * sizeof(Cell))
    i = 0
    for row in range(b.height):
        for column in range(b.width):
            cage = cages[i]
            i += 1
            if cage < 0:
                continue
            cell = &search.cells[(row + 1) * b.stride + column + 1]
            cell.cage = cage
            cell.first = first[cage]
            # The first places word counts the members met so far, until it is set below.
            size = search.places[cell.first]
            search.places[cell.first] += 1
            search.members[cell.first + size] = (row + 1) * b.stride + column + 1
            cell.place = ONE << size
            cell.candidates = first_bits(first[cage + 1] - first[cage])
    for cage in range(search.cages):
        for i in range(first[cage], first[cage + 1]):
            search.places[i] = first_bits(first[cage + 1] - first[cage])


cdef inline uint32_t remove(Cell* cells, uint32_t* places, uint32_t* removals, uint32_t removed,
                            int x, int v) noexcept nogil:
    """Remove candidate v of cell x, which has it; the new length of `removals`."""
    cdef Cell* cell = &cells[x]
    cell.candidates ^= ONE << v
    places[cell.first + v] ^= cell.place
    removals[removed] = <uint32_t>x << VALUES | <uint32_t>v
    return removed + 1


cdef inline uint32_t remove_several(Cell* cells, uint32_t* places, uint32_t* removals,
                                    uint32_t removed, int x, uint32_t values) noexcept nogil:
    """`remove` for each candidate in `values`, the least first."""
    cdef Cell* cell = &cells[x]
    cdef uint32_t place = cell.place
    cdef int v
    cell.candidates ^= values
    places += cell.first
    while values:
        v = trailing_zeros(values)
        values &= values - 1
        places[v] ^= place
        removals[removed] = <uint32_t>x << VALUES | <uint32_t>v
        removed += 1
    return removed


cdef inline void queue(Search* search, int x, uint32_t values) noexcept nogil:
    """`remove_several` outside the closure, which keeps the arrays in local variables."""
    search.removed = remove_several(search.cells, search.places, search.removals, search.removed,
                                    x, values)


cdef inline int common_neighbours(const Shape* b, int x, const int32_t* members,
                                  uint32_t others) noexcept nogil:
    """The directions from x to cells that are also neighbours of all `others` of its cage."""
    cdef int directions = 255
    cdef unsigned difference
    while others and directions:
        difference = members[trailing_zeros(others)] - x + b.reach
        others &= others - 1
        directions &= b.common[difference] if difference <= <unsigned>(2 * b.reach) else 0
    return directions


cdef void set_up(Search* search, const int16_t* cages, const uint8_t* givens) noexcept nogil:
    """The root: givens, then what all cells of a cage have as common neighbours."""
    cdef const Shape* b = &search.shape
    cdef Cell* cell
    cdef int row, column, cage, x, y, n, directions, i = 0
    set_cages(search, cages)
    search.removed = 0
    search.seen = 0
    search.depth = 0
    search.nodes = 0
    search.sound = True
    search.solved = False
    for row in range(b.height):
        for column in range(b.width):
            if givens[i]:
                x = (row + 1) * b.stride + column + 1
                cell = &search.cells[x]
                if givens[i] > 32 or not cell.candidates >> givens[i] - 1 & 1:
                    search.sound = False
                    return
                queue(search, x, cell.candidates ^ ONE << givens[i] - 1)
            i += 1
    for cage in range(search.cages):
        n = search.first[cage + 1] - search.first[cage]
        if not n:
            continue
        x = search.members[search.first[cage]]
        directions = common_neighbours(b, x, &search.members[search.first[cage]],
                                       first_bits(n) & ~ONE)
        while directions:
            y = x + b.step[trailing_zeros(directions)]
            directions &= directions - 1
            if search.cells[y].cage != cage:
                queue(search, y, search.cells[y].candidates & first_bits(n))


cdef void write_values(const Search* search, uint8_t* values) noexcept nogil:
    """The solution that was found, row by row, 0 in holes."""
    cdef const Shape* b = &search.shape
    cdef int row, column, i = 0
    cdef uint32_t candidates
    for row in range(b.height):
        for column in range(b.width):
            candidates = search.cells[(row + 1) * b.stride + column + 1].candidates
            values[i] = <uint8_t>(trailing_zeros(candidates) + 1) if candidates else 0
            i += 1


# --- the rules ------------------------------------------------------------------------------------

cdef inline uint32_t naked_single(Cell* cells, uint32_t* places, uint32_t* removals, uint32_t removed,
                                  const int32_t* members, const Cell* cell) noexcept nogil:
    """Rule 2: a cell with one candidate takes it from the rest of its cage."""
    cdef int v = trailing_zeros(cell.candidates)
    cdef uint32_t rest = places[cell.first + v] ^ cell.place
    while rest:
        removed = remove(cells, places, removals, removed, members[trailing_zeros(rest)], v)
        rest &= rest - 1
    return removed


cdef inline uint32_t hidden_single(Cell* cells, uint32_t* places, uint32_t* removals, uint32_t removed,
                                   const int* step, int x, int v) noexcept nogil:
    """Rule 3: value v has only cell x left in its cage, which loses all else; and rule 4 for that one place."""
    cdef int k
    removed = remove_several(cells, places, removals, removed, x, cells[x].candidates ^ ONE << v)
    for k in range(8):
        if cells[x + step[k]].candidates >> v & 1:
            removed = remove(cells, places, removals, removed, x + step[k], v)
    return removed


cdef inline uint32_t forbidden_neighbours(Cell* cells, uint32_t* places, uint32_t* removals, uint32_t removed,
                                          const int* step, int x, int v, int directions) noexcept nogil:
    """Rule 4: the cells in these directions from x touch all places of v in the cage of x, so they are not v."""
    cdef int y
    while directions:
        y = x + step[trailing_zeros(directions)]
        directions &= directions - 1
        if cells[y].candidates >> v & 1:
            removed = remove(cells, places, removals, removed, y, v)
    return removed


cdef int close(Search* search) noexcept nogil:
    """Look at removals until none is left: NO_CAGE, or the cage of the contradiction."""
    cdef Cell* cells = search.cells
    cdef uint32_t* all_places = search.places
    cdef uint32_t* removals = search.removals
    cdef int* step = search.shape.step
    cdef uint32_t removed = search.removed, seen = search.seen, rest
    cdef const Cell* cell
    cdef uint32_t* places
    cdef uint32_t* latest = NULL       # whose rules 3 and 4 came last, with which places
    cdef uint32_t latest_places = 0
    cdef int32_t* members
    cdef int x, v, cage = NO_CAGE
    while seen < removed:
        cell = &cells[removals[seen] >> VALUES]
        v = removals[seen] & 31
        seen += 1
        places = all_places + cell.first
        members = search.members + cell.first

        # Rule 1, contradiction: a cell without candidates, a value without places.
        if not cell.candidates or not places[v]:
            cage = cell.cage
            break
        if not several(cell.candidates):
            removed = naked_single(cells, all_places, removals, removed, members, cell)

        # Removals of one value from several cells of a cage come in a row: once is enough.
        rest = places[v]
        if places + v == latest and rest == latest_places:
            continue
        latest = places + v
        latest_places = rest

        x = members[trailing_zeros(rest)]
        rest &= rest - 1
        if not rest:
            removed = hidden_single(cells, all_places, removals, removed, step, x, v)
        else:
            removed = forbidden_neighbours(cells, all_places, removals, removed, step, x, v,
                                           common_neighbours(&search.shape, x, members, rest))
    search.work += seen - search.seen + 1
    search.removed = removed
    search.seen = seen
    return cage


# --- the search -----------------------------------------------------------------------------------

cdef int choose_cell(Search* search) noexcept nogil:
    """The cell to branch on: fewest candidates for its cage's weight; 0 if all are decided."""
    cdef int cage, i, n, x, best = 0
    cdef uint64_t weight, best_n = 1, best_weight = 0
    for cage in range(search.cages):
        weight = search.weight[cage]
        # Its cells have two candidates or more, or are decided: most cages need no look.
        if best_n * weight <= 2 * best_weight:
            continue
        for i in range(search.first[cage], search.first[cage + 1]):
            x = search.members[i]
            n = popcount(search.cells[x].candidates)
            if n > 1 and n * best_weight < best_n * weight:
                best = x
                best_n = n
                best_weight = weight
    search.work += search.cages
    return best


cdef int choose_value(const Search* search, int x) noexcept nogil:
    """The candidate that most neighbours have too, of several the least."""
    cdef uint32_t values = search.cells[x].candidates
    cdef int v, k, n, best = 0, most = -1
    while values:
        v = trailing_zeros(values)
        values &= values - 1
        n = 0
        for k in range(8):
            n += search.cells[x + search.shape.step[k]].candidates >> v & 1
        if n > most:
            most = n
            best = v
    return best


cdef void descend(Search* search, int x, int v) noexcept nogil:
    """Decide that cell x is v; that it is not waits in `decisions`."""
    cdef Decision* decision = &search.decisions[search.depth]
    decision.removals = search.removed
    decision.removal = <uint32_t>x << VALUES | <uint32_t>v
    search.depth += 1
    queue(search, x, search.cells[x].candidates ^ ONE << v)


cdef bint retreat(Search* search) noexcept nogil:
    """Take back the latest decision and remove what it had chosen; False if there is none."""
    cdef const Decision* decision
    cdef Cell* cell
    cdef uint32_t removal
    if not search.depth:
        return False
    search.depth -= 1
    decision = &search.decisions[search.depth]
    while search.removed > decision.removals:
        search.removed -= 1
        removal = search.removals[search.removed]
        cell = &search.cells[removal >> VALUES]
        cell.candidates ^= ONE << (removal & 31)
        search.places[cell.first + (removal & 31)] ^= cell.place
    search.seen = search.removed
    queue(search, decision.removal >> VALUES, ONE << (decision.removal & 31))
    return True


cdef Status advance(Search* search, uint64_t max_nodes, uint64_t pause) noexcept nogil:
    """Search on to the next solution, to the end, to a bound, or until so much work was done."""
    cdef int x, cage
    if search.solved:
        search.solved = False
        if not retreat(search):
            return EXHAUSTED
    while True:
        if search.stop[0] or max_nodes and search.nodes == max_nodes:
            return STOPPED
        if search.work >= pause:
            return PAUSED
        search.nodes += 1
        if not search.sound:
            return EXHAUSTED
        cage = close(search)
        if cage == NO_CAGE:
            x = choose_cell(search)
            if not x:
                search.solved = True
                return FOUND
            descend(search, x, choose_value(search, x))
            continue
        search.weight[cage] += 1
        if not retreat(search):
            return EXHAUSTED


cdef Status step(Search* search, uint64_t max_nodes) except INTERRUPTED nogil:
    """The next solution (FOUND) or the reason why there is none; looks at Ctrl-C at times."""
    cdef Status status = PAUSED
    while status == PAUSED:
        status = advance(search, max_nodes, POLL)
        if search.work >= POLL:
            search.work = 0
            with gil:
                PyErr_CheckSignals()
    return status


cdef Py_ssize_t fill(Search* search, Py_ssize_t limit, uint64_t max_nodes, uint8_t* solutions,
                     uint8_t* complete) except -1 nogil:
    """Write up to `limit` solutions, and zeros behind them; their number."""
    cdef Py_ssize_t number = 0, n = search.shape.height * search.shape.width
    cdef Status status = FOUND
    while number < limit:
        status = step(search, max_nodes)
        if status != FOUND:
            break
        write_values(search, solutions + number * n)
        number += 1
    memset(solutions + number * n, 0, (limit - number) * n)
    complete[0] = status == EXHAUSTED
    return number


cdef void* read_puzzle(Search* search, int height, int width, tuple cages, tuple givens,
                       const uint8_t* stop) except NULL:
    """Set up a search; the block to free at its end."""
    cdef int16_t cage_numbers[LONGEST * LONGEST]
    cdef uint8_t values[LONGEST * LONGEST]
    cdef int i
    cdef void* block
    for i in range(height * width):
        cage_numbers[i] = <int16_t><long><object>PyTuple_GET_ITEM(cages, i)
        values[i] = <uint8_t><long><object>PyTuple_GET_ITEM(givens, i)
    set_shape(&search.shape, height, width)
    block = allocate(search)
    set_up(search, cage_numbers, values)
    search.work = 0
    search.stop = stop
    return block


def solve(int height, int width, tuple cages, tuple givens, Py_ssize_t limit,
          uint64_t max_nodes, const uint8_t[::1] stop=None):
    """Solve one puzzle of at most 64x64 cells: (solutions, nodes, complete).

    `cages` and `givens` have an entry a cell, row by row: the number of its cage (-1: a hole), its
    value (0: not given). A solution is a bytes object of as many values, 0 in holes. `limit` ends
    the search at so many solutions, `max_nodes` at so many nodes (0 means no bound), a byte in
    `stop` that is not 0 at once. `complete`: there are no solutions but those returned.
    """
    cdef Search search
    cdef Status status = FOUND
    cdef list solutions = []
    cdef bytes values
    cdef void* block = read_puzzle(&search, height, width, cages, givens, flag(stop))
    try:
        while True:
            # A short search keeps the GIL: giving it up takes longer than the search.
            if search.work < HELD:
                status = advance(&search, max_nodes, HELD)
                if status == PAUSED:
                    continue
            else:
                with nogil:
                    status = step(&search, max_nodes)
            if status != FOUND:
                break
            values = PyBytes_FromStringAndSize(NULL, height * width)
            write_values(&search, <uint8_t*>PyBytes_AS_STRING(values))
            solutions.append(values)
            if len(solutions) == limit:
                break
    finally:
        free(block)
    return tuple(solutions), search.nodes, status == EXHAUSTED


def count(int height, int width, tuple cages, tuple givens, Py_ssize_t limit,
          uint64_t max_nodes, const uint8_t[::1] stop=None):
    """`solve` that keeps no solution: (number of solutions, nodes, complete)."""
    cdef Search search
    cdef Status status = FOUND
    cdef Py_ssize_t number = 0
    cdef void* block = read_puzzle(&search, height, width, cages, givens, flag(stop))
    try:
        with nogil:
            while True:
                status = step(&search, max_nodes)
                if status != FOUND:
                    break
                number += 1
                if number == limit:
                    break
    finally:
        free(block)
    return number, search.nodes, status == EXHAUSTED


def solve_batch(int height, int width, const int16_t[::1] cages, const uint8_t[::1] givens,
                Py_ssize_t limit, uint64_t max_nodes, int64_t[::1] counts, uint8_t[::1] solutions,
                int64_t[::1] nodes, uint8_t[::1] complete, const uint8_t[::1] stop=None):
    """Solve n puzzles of one shape, given and answered in flat buffers; returns how many were done.

    n is the length of `counts`. `cages` and `givens` have height * width entries a puzzle,
    `solutions` has `limit` (at least 1) times as many, and 0 in those beyond a puzzle's count;
    `counts`, `nodes` and `complete` (0 or 1) have one. All n are done unless `stop` is set on the
    way. The GIL is released throughout.
    """
    cdef Search search
    cdef Py_ssize_t n = counts.shape[0], i = 0, size = height * width
    cdef void* block
    set_shape(&search.shape, height, width)
    search.work = 0
    search.stop = flag(stop)
    block = allocate(&search)
    try:
        with nogil:
            while i < n and not search.stop[0]:
                set_up(&search, &cages[i * size], &givens[i * size])
                counts[i] = fill(&search, limit, max_nodes, &solutions[i * limit * size],
                                 &complete[i])
                nodes[i] = <int64_t>search.nodes
                i += 1
    finally:
        free(block)
    return i
