# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, embedsignature=True, binding=True
"""The compiled kernel for solutions with few moves: a beam search whose levels are moves, not jumps.

A move is a run of jumps by one peg. Level m holds positions after m moves, so the first level that has a won position
gives the fewest moves that this beam can find. Positions of a level have different numbers of pegs; what makes one
better is how few pegs it has and how many of them stand beside each other. Nothing is proved here.

Boards lie in a grid of 16 columns: cell (r, c) is bit 16 r + c of four words.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

cdef extern from *:
    int __builtin_popcountll(uint64_t) nogil
    int __builtin_ctzll(uint64_t) nogil

cdef enum:
    LONGEST = 24  # jumps in a run: two bits each, beside cell and length in one word
    RUNS = 4096  # runs of one peg that are looked at
    SLICE = 512  # positions that are expanded before Ctrl-C is looked for
    SPARE = 4  # candidates kept for each place of the beam, before the best are chosen

cdef struct State:
    uint64_t words[4]

cdef struct Candidate:
    State state
    double cost
    uint64_t hash
    uint64_t run  # cell, then length << 8, then directions from bit 16 on
    uint32_t parent

cdef struct Step:
    uint64_t run
    uint32_t parent

cdef struct Board:
    int16_t over[256][4]
    int16_t to[256][4]
    uint64_t finals[4]
    double peg, pair

cdef struct Beam:
    Candidate* found
    size_t number, room, size
    uint64_t* table  # hashes met in this level
    size_t mask
    uint64_t noise
    size_t left  # runs of the peg at hand that may still be looked at


cdef inline int has(const State* state, int cell) noexcept nogil:
    return state.words[cell >> 6] >> (cell & 63) & 1


cdef inline void flip(State* state, int cell) noexcept nogil:
    state.words[cell >> 6] ^= <uint64_t>1 << (cell & 63)


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word ^= word >> 30
    word *= <uint64_t>0xBF58476D1CE4E5B9
    word ^= word >> 27
    word *= <uint64_t>0x94D049BB133111EB
    return word ^ word >> 31


cdef inline uint64_t hashed(const State* state) noexcept nogil:
    cdef uint64_t value = 0
    cdef int index
    for index in range(4):
        value = mixed(value ^ state.words[index]) + <uint64_t>0x9E3779B97F4A7C15
    return value | 1  # 0 marks an empty place of the table


cdef int pegs_in(const State* state) noexcept nogil:
    cdef int index, number = 0
    for index in range(4):
        number += __builtin_popcountll(state.words[index])
    return number


cdef int pairs_in(const State* state) noexcept nogil:
    """Pegs beside each other, by rows and by columns."""
    cdef int index, number = 0
    cdef uint64_t word, below
    for index in range(4):
        word = state.words[index]
        below = word >> 16 | (state.words[index + 1] << 48 if index < 3 else 0)
        number += __builtin_popcountll(word & word >> 1 & <uint64_t>0x7FFF7FFF7FFF7FFF)
        number += __builtin_popcountll(word & below)
    return number


cdef double cost_of(Beam* beam, const Board* board, const State* state) noexcept nogil:
    beam.noise = mixed(beam.noise + <uint64_t>0x9E3779B97F4A7C15)
    return board.peg * pegs_in(state) - board.pair * pairs_in(state) + <double>(beam.noise >> 40) / (1 << 24)


cdef double nth(Candidate* found, size_t number, size_t rank) noexcept nogil:
    """Order the candidates so that the `rank` cheapest come first; the cost from which the others begin."""
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
                if right == 0:
                    break
                right -= 1
        if rank <= right:
            high = right
        elif rank >= left:
            low = left
        else:
            break
    return found[rank].cost


cdef bint is_new(Beam* beam, uint64_t value) noexcept nogil:
    cdef size_t place = value & beam.mask
    while beam.table[place]:
        if beam.table[place] == value:
            return False
        place = (place + 1) & beam.mask
    beam.table[place] = value
    return True


cdef void add(Beam* beam, const Board* board, const State* state, uint64_t run, uint32_t parent) noexcept nogil:
    cdef uint64_t value = hashed(state)
    cdef Candidate* place
    cdef size_t index
    if not is_new(beam, value):
        return
    if beam.number == beam.room:
        nth(beam.found, beam.number, beam.size)
        beam.number = beam.size
        # The table would fill with what was dropped; what is kept is entered anew.
        for index in range(beam.mask + 1):
            beam.table[index] = 0
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


cdef void runs(Beam* beam, const Board* board, State* state, int cell, uint64_t run, uint32_t parent) noexcept nogil:
    """All runs of the peg in `cell` from here on, each as a candidate."""
    cdef int direction, over, to
    cdef int length = (run >> 8) & 255
    cdef uint64_t longer
    if length == LONGEST:
        return
    for direction in range(4):
        to = board.to[cell][direction]
        if to < 0:
            continue
        over = board.over[cell][direction]
        if has(state, over) and not has(state, to) and beam.left:
            beam.left -= 1
            flip(state, cell)
            flip(state, over)
            flip(state, to)
            longer = (run + 256) | <uint64_t>direction << (16 + 2 * length)
            add(beam, board, state, longer, parent)
            runs(beam, board, state, to, longer, parent)
            flip(state, cell)
            flip(state, over)
            flip(state, to)


cdef bint is_won(const Board* board, const State* state) noexcept nogil:
    cdef int index
    if pegs_in(state) != 1:
        return False
    for index in range(4):
        if state.words[index] & board.finals[index]:
            return True
    return False


cdef void clear(Beam* beam) noexcept nogil:
    """Make room for the candidates of a new level."""
    cdef size_t index
    beam.number = 0
    for index in range(beam.mask + 1):
        beam.table[index] = 0


cdef void expand(Beam* beam, const Board* board, State* level, size_t first, size_t end) noexcept nogil:
    """Add the positions one move after some of a level's."""
    cdef size_t index
    cdef int word, cell
    cdef uint64_t left
    for index in range(first, end):
        for word in range(4):
            left = level[index].words[word]
            while left:
                cell = 64 * word + __builtin_ctzll(left)
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
        nth(beam.found, beam.number, beam.size)
        beam.number = beam.size
    return -1


cdef void load(State* state, object mask, int height, int width):
    cdef int cell
    for cell in range(4):
        state.words[cell] = 0
    for cell in range(height * width):
        if mask >> cell & 1:
            flip(state, cell // width * 16 + cell % width)


cdef void prepare(Board* board, State* cells):
    cdef int cell, direction, row, column, number
    cdef int down[4]
    cdef int right[4]
    down[:] = [-1, 1, 0, 0]
    right[:] = [0, 0, -1, 1]
    for cell in range(256):
        for direction in range(4):
            row, column = cell // 16 + 2 * down[direction], cell % 16 + 2 * right[direction]
            board.to[cell][direction] = -1
            if 0 <= row < 16 and 0 <= column < 16:
                number = cell + 16 * down[direction] + right[direction]
                if has(cells, cell) and has(cells, number) and has(cells, row * 16 + column):
                    board.over[cell][direction] = number
                    board.to[cell][direction] = row * 16 + column


cdef class Search:
    """The memory of one search, freed with it."""

    cdef Board board
    cdef Beam beam
    cdef State* level
    cdef Step** steps
    cdef int most

    def __cinit__(self, size_t size, int most):
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


def few(int height, int width, cells, pegs, finals, size_t size, int weight, uint64_t seed, stop):
    """(verdict, jumps, positions): verdict 1 with a solution in few moves, or -1 and no jumps: none was found.

    size: positions a level. weight: what two pegs beside each other are worth, in hundredths of what a peg costs.
    seed: of the noise that decides between equals. The same arguments give the same answer, `stop` apart.
    """
    cdef State everywhere, start
    cdef size_t number = 1, first, positions = 0
    cdef long won = -1
    cdef int depth, index
    cdef int most = max(pegs.bit_count() - 1, 0)
    cdef Search search = Search(size, most)
    load(&everywhere, finals, height, width)
    for index in range(4):
        search.board.finals[index] = everywhere.words[index]
    load(&everywhere, cells, height, width)
    prepare(&search.board, &everywhere)
    load(&start, pegs, height, width)
    if is_won(&search.board, &start):
        return 1, (), 1
    search.board.peg, search.board.pair = 3, 0.03 * weight
    search.beam.noise = seed
    search.level[0] = start
    for depth in range(most):
        clear(&search.beam)
        for first in range(0, number, SLICE):
            with nogil:
                expand(&search.beam, &search.board, search.level, first, min(first + SLICE, number))
            PyErr_CheckSignals()
            if stop is not None and stop[0]:
                return -1, (), positions
        positions += number
        with nogil:
            won = choose(&search.beam, &search.board)
        search.keep(depth)
        number = search.beam.number
        if won >= 0:
            return 1, search.way(depth, won), positions
    return -1, (), positions


cdef tuple jumps_of(list found):
    """Runs as jumps (row, column, direction)."""
    cdef uint64_t run
    cdef int cell, length, place, direction
    jumps = []
    for run in found:
        cell, length = run & 255, run >> 8 & 255
        for place in range(length):
            direction = run >> (16 + 2 * place) & 3
            jumps.append((cell // 16, cell % 16, direction))
            cell += 2 * (-16, 16, -1, 1)[direction]
    return tuple(jumps)
