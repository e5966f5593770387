# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, embedsignature=True, binding=True
"""The compiled kernel for solutions with few moves: a beam search whose levels are moves, not jumps.

A move is a run of jumps by one peg. Level m holds positions after m moves, so the first level that has a won position
gives the fewest moves that this beam can find. Positions of a level have different numbers of pegs; what makes one
better is how few pegs it has and how many of them stand beside each other. Nothing is proved here.

    level     positions after m moves          each peg's runs          candidates after m + 1 moves, the
    state 0    -----------------------------   o -> . -> . ...   --->   best `size` of which are the next level
    state 1                                    (a jump is a run,
    ...                                        so is each longer one)

The beam's array `found` has room for SPARE times `size` candidates; when it is full, the best are kept and the rest of
the array is used again. Their hashes lie in `table`, so that a position is a candidate once a level: two positions with
the same hash cost one of them, never a wrong solution, since runs are played on exact boards.

`board` says how a position lies in four words.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from dnd.kernels.bits cimport GOLDEN, mixed, popcount, trailing_zeros
from dnd.kernels.stop cimport flag
from dnd.pegs.kernel.board cimport CELLS, LEFT, SIDE, STEP, WORDS, has, lay_out, size_of, toggle

cdef enum:
    LONGEST = 24               # jumps in a run: two bits each, beside cell and length in one word
    RUNS = 4096                # runs of one peg that are looked at
    SLICE = 512                # positions that are expanded before Ctrl-C is looked for
    SPARE = 4                  # candidates kept for each place of the beam, before the best are chosen

# A run is a word:
#
#     bits   63 ... 20  19 18   17 16   15 ... 8   7 ... 0
#            ...        second  first   number     cell from which
#                       direction       of jumps   the peg starts
cdef enum:
    LENGTH_SHIFT = 8
    FIRST_SHIFT = 16
    ONE_LONGER = 1 << LENGTH_SHIFT
    FIELD = 255                # of cell and length

cdef struct State:
    uint64_t words[WORDS]

cdef struct Candidate:
    State state
    double cost
    uint64_t hash
    uint64_t run               # that led here
    uint32_t parent            # from which position of the level

cdef struct Step:              # what is remembered of a candidate, for the way back
    uint64_t run
    uint32_t parent

cdef struct Board:
    int16_t over[CELLS][4]     # by cell and direction: the cell jumped over
    int16_t to[CELLS][4]       # and the one jumped to; -1: the board is no three cells long there
    uint64_t finals[WORDS]
    double peg                 # what a peg costs
    double pair                # what two pegs beside each other are worth

cdef struct Beam:
    Candidate* found
    size_t number              # of candidates
    size_t room                # for candidates
    size_t size                # positions that a level keeps
    uint64_t* table            # hashes met in this level: open addressing, 0 is a free slot
    size_t mask                # number of slots, a power of two, less one
    uint64_t noise             # state of the generator
    size_t left                # runs of the peg at hand that may still be looked at


# --- positions ------------------------------------------------------------------------------------

cdef inline uint64_t hashed(const State* state) noexcept nogil:
    """A hash of all four words, never 0."""
    cdef uint64_t value = 0
    cdef int index
    for index in range(WORDS):
        value = mixed(value ^ state.words[index]) + GOLDEN
    return value | 1


cdef int pairs_in(const State* state) noexcept nogil:
    """Pegs beside each other, by rows and by columns."""
    cdef int index, number = 0
    cdef uint64_t word, below
    for index in range(WORDS):
        word = state.words[index]
        below = word >> 16 | (state.words[index + 1] << 48 if index < WORDS - 1 else 0)
        # The last column of a row and the first of the next one are no neighbours.
        number += popcount(word & word >> 1 & <uint64_t>0x7FFF7FFF7FFF7FFF)
        number += popcount(word & below)
    return number


cdef double cost_of(Beam* beam, const Board* board, const State* state) noexcept nogil:
    """How bad a position is: its pegs, less its pairs, plus noise in [0, 1), which is less than a peg costs."""
    # splitmix64, but for its sums; the upper 24 bits make the fraction.
    beam.noise = mixed(beam.noise + GOLDEN)
    return board.peg * size_of(state.words) - board.pair * pairs_in(state) + <double>(beam.noise >> 40) / (1 << 24)


cdef bint is_won(const Board* board, const State* state) noexcept nogil:
    """Whether one peg is left, in a cell where it may end."""
    cdef int index
    if size_of(state.words) != 1:
        return False
    for index in range(WORDS):
        if state.words[index] & board.finals[index]:
            return True
    return False


# --- candidates -----------------------------------------------------------------------------------

cdef double nth(Candidate* found, size_t number, size_t rank) noexcept nogil:
    """Order the candidates so that the `rank` cheapest come first; the cost from which the others begin.

    Quickselect: split around a pivot, go on in the part that has the rank.
    """
    cdef size_t low = 0, high = number - 1, left, right
    cdef double pivot
    cdef Candidate other
    while low < high:
        pivot = found[(low + high) // 2].cost
        left, right = low, high
        while left <= right:
            while found[left].cost < pivot:
                left += 1
            while found[right].cost > pivot:
                right -= 1
            if left <= right:
                other = found[left]
                found[left] = found[right]
                found[right] = other
                left += 1
                if right == 0:         # it has no sign
                    break
                right -= 1
        # Now all up to `right` are at most the pivot, all from `left` on at least; between them lies the pivot.
        if rank <= right:
            high = right
        elif rank >= left:
            low = left
        else:
            break
    return found[rank].cost


cdef bint is_new(Beam* beam, uint64_t value) noexcept nogil:
    """Whether a hash was not met in this level; notes it. There is a free slot."""
    cdef size_t place = value & beam.mask
    while beam.table[place]:
        if beam.table[place] == value:
            return False
        place = (place + 1) & beam.mask
    beam.table[place] = value
    return True


cdef void clear_table(Beam* beam) noexcept nogil:
    """Forget all hashes."""
    memset(beam.table, 0, (beam.mask + 1) * sizeof(uint64_t))


cdef void keep_best(Beam* beam) noexcept nogil:
    """Keep the `size` best candidates."""
    nth(beam.found, beam.number, beam.size)
    beam.number = beam.size


cdef void add(Beam* beam, const Board* board, const State* state, uint64_t run, uint32_t parent) noexcept nogil:
    """Add a position to the candidates, unless it is one already; if they are too many, keep the best first."""
    cdef uint64_t value = hashed(state)
    cdef Candidate* place
    cdef size_t index
    if not is_new(beam, value):
        return
    if beam.number == beam.room:
        keep_best(beam)
        # The table would fill with what was dropped; what is kept is entered anew.
        clear_table(beam)
        for index in range(beam.number):
            is_new(beam, beam.found[index].hash)
        is_new(beam, value)
    place = &beam.found[beam.number]
    place.state = state[0]
    place.cost = cost_of(beam, board, state)
    place.hash = value
    place.run = run
    place.parent = parent
    beam.number += 1


cdef void runs(Beam* beam, const Board* board, const State* state, int cell, uint64_t run,
               uint32_t parent) noexcept nogil:
    """All runs of the peg in `cell` from here on, each as a candidate."""
    cdef State after
    cdef int direction, over, to
    cdef int length = (run >> LENGTH_SHIFT) & FIELD
    cdef uint64_t longer
    if length == LONGEST:
        return
    for direction in range(4):
        to = board.to[cell][direction]
        if to < 0:
            continue
        over = board.over[cell][direction]
        if has(state.words, over) and not has(state.words, to) and beam.left:
            beam.left -= 1
            after = state[0]
            toggle(after.words, cell)
            toggle(after.words, over)
            toggle(after.words, to)
            longer = (run + ONE_LONGER) | <uint64_t>direction << (FIRST_SHIFT + 2 * length)
            add(beam, board, &after, longer, parent)
            runs(beam, board, &after, to, longer, parent)


# --- levels ---------------------------------------------------------------------------------------

cdef void expand(Beam* beam, const Board* board, const State* level, size_t first, size_t end) noexcept nogil:
    """Add the positions one move after some of a level's."""
    cdef size_t index
    cdef int word, cell
    cdef uint64_t left
    for index in range(first, end):
        for word in range(WORDS):
            left = level[index].words[word]
            while left:
                cell = 64 * word + trailing_zeros(left)
                left &= left - 1
                beam.left = RUNS
                runs(beam, board, &level[index], cell, cell, <uint32_t>index)


cdef long choose(Beam* beam, const Board* board) noexcept nogil:
    """Keep the best candidates; the index of a won one, or -1."""
    cdef size_t index
    for index in range(beam.number):
        if is_won(board, &beam.found[index].state):
            return <long>index
    if beam.number > beam.size:
        keep_best(beam)
    return -1


cdef void set_jumps(Board* board, const uint64_t* cells) noexcept nogil:
    """The jumps that the board allows, by the peg's cell and direction."""
    cdef int cell, direction, over, to
    for cell in range(CELLS):
        for direction in range(4):
            over, to = cell + STEP[direction], cell + 2 * STEP[direction]
            board.to[cell][direction] = -1
            # A jump stays in the array, and a sideways one in its row.
            if not 0 <= to < CELLS or (direction >= LEFT and to // SIDE != cell // SIDE):
                continue
            if has(cells, cell) and has(cells, over) and has(cells, to):
                board.over[cell][direction] = over
                board.to[cell][direction] = to


cdef class Search:
    """The memory of one search, freed with it."""

    cdef Board board
    cdef Beam beam
    cdef State* level          # the positions after so many moves
    cdef Step** steps          # by moves made: how each candidate kept came about
    cdef int most

    def __cinit__(self, size_t size, int most):
        """For levels of `size` positions and at most so many moves. Raises MemoryError."""
        self.most = most
        self.beam.size, self.beam.room, self.beam.mask = size, size * SPARE + 1, 1
        while self.beam.mask < 2 * self.beam.room:
            self.beam.mask *= 2
        self.beam.found = <Candidate*>malloc(self.beam.room * sizeof(Candidate))
        self.beam.table = <uint64_t*>malloc(self.beam.mask * sizeof(uint64_t))
        self.beam.mask -= 1
        self.level = <State*>malloc((size + 1) * sizeof(State))
        self.steps = <Step**>calloc(most + 1, sizeof(Step*))
        if not (self.beam.found and self.beam.table and self.level and self.steps):
            raise MemoryError

    def __dealloc__(self):
        """Free whatever `__cinit__` and `keep` came to allocate."""
        cdef int depth
        free(self.beam.found)
        free(self.beam.table)
        free(self.level)
        if self.steps:
            for depth in range(self.most + 1):
                free(self.steps[depth])
        free(self.steps)

    cdef keep(self, int depth):
        """Note how the candidates came about, and make them the level."""
        cdef size_t index
        self.steps[depth] = <Step*>malloc((self.beam.number + 1) * sizeof(Step))
        if not self.steps[depth]:
            raise MemoryError
        for index in range(self.beam.number):
            self.steps[depth][index].run = self.beam.found[index].run
            self.steps[depth][index].parent = self.beam.found[index].parent
            # A won level is not cut to its size: its last candidates have no place and need none.
            if index < self.beam.size:
                self.level[index] = self.beam.found[index].state

    cdef tuple way(self, int depth, size_t index):
        """The jumps that lead to a candidate."""
        found = []
        while depth >= 0:
            found.append(self.steps[depth][index].run)
            index = self.steps[depth][index].parent
            depth -= 1
        return jumps_of(found[::-1])


cdef tuple jumps_of(list found):
    """Runs as jumps (row, column, direction)."""
    cdef uint64_t run
    cdef int cell, length, place, direction
    jumps = []
    for run in found:
        cell, length = run & FIELD, run >> LENGTH_SHIFT & FIELD
        for place in range(length):
            direction = run >> (FIRST_SHIFT + 2 * place) & 3
            jumps.append((cell // SIDE, cell % SIDE, direction))
            cell += 2 * STEP[direction]
    return tuple(jumps)


def few(int height, int width, cells, pegs, finals, size_t size, int weight, uint64_t seed,
        const uint8_t[::1] stop=None):
    """(verdict, jumps, positions): verdict 1 with a solution in few moves, or -1 and no jumps: none was found.

    size: positions a level. weight: what two pegs beside each other are worth, in hundredths of what a peg costs.
    seed: of the noise that decides between equals. The same arguments give the same answer, `stop` apart.
    """
    cdef State everywhere, start
    cdef const volatile uint8_t* stopped = flag(stop)
    cdef size_t number = 1, first, positions = 0
    cdef long won = -1
    cdef int depth
    cdef int most = max(pegs.bit_count() - 1, 0)
    cdef Search search = Search(size, most)
    lay_out(height, width, finals, search.board.finals)
    lay_out(height, width, cells, everywhere.words)
    set_jumps(&search.board, everywhere.words)
    lay_out(height, width, pegs, start.words)
    if is_won(&search.board, &start):
        return 1, (), 1
    search.board.peg, search.board.pair = 3, 0.03 * weight
    search.beam.noise = seed
    search.level[0] = start
    for depth in range(most):
        search.beam.number = 0
        clear_table(&search.beam)
        for first in range(0, number, SLICE):
            with nogil:
                expand(&search.beam, &search.board, search.level, first, min(first + SLICE, number))
            PyErr_CheckSignals()
            if stopped[0]:
                return -1, (), positions
        positions += number
        with nogil:
            won = choose(&search.beam, &search.board)
        search.keep(depth)
        number = search.beam.number
        if won >= 0:
            return 1, search.way(depth, won), positions
    return -1, (), positions
