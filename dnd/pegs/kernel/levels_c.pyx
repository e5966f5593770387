# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: embedsignature=True, binding=True
"""Exact searches level by level, compiled: boards of up to 64 cells in grids of any shape.

A level is all positions after some number of jumps. `docs/pegs-engine.md`, section Levels, says what is computed and
why it is right; `levels_py` is its twin, written separately. What follows is how positions are held here.

**A position** is a word with a bit a cell. Only cells count, so 64 cells of a 9x9 grid fit; the first ones are the
implied cells (below), the others stand in reading order. A jump changes three cells in a row, a **line**, from peg,
peg, hole to hole, hole, peg. Exclusive or with the line does that, and undoes it; and on a line at most one of the two
jumps is possible at a time:

      a b c
      o o .    a to c         possible: b, and one of a and c, not both
      . o o    c to a

Lines whose cells lie equally far apart in the word form a **group**, and one rotation an end finds all jumps of it. To
take a jump back is to jump with holes over a hole: the same search on the complement.

**Symmetry.** Of the images of a position under the symmetries at hand the least is its **key**. The images of a parent
are looked up byte by byte; those of its children are theirs, exclusive or with the images of the line.

**A table** holds a growing level: open addressing, no entry is ever taken out. An entry is a key and, where asked for,
what is known of it: the number of sequences that lead there (as many words as it takes), or cells and a number of
moves. No key is 0, since one peg is always left: 0 is a free slot. A table that is done is pushed together and becomes
a **Level**, an array of entries.

**Bits.** The class of a level says the pegs of up to five **implied** cells, given the others. These have the lowest
bits of a key; the rest of it is a number that no other key of the level has. Where such numbers have at most 32 bits, a
table of many keys and nothing else is a set of that many bits:

      key    o . . o o . . o . o o . . . o . o o | . o o . o         (33 cells: 28 bits | 5 implied)
             '-------- number of a bit --------'

Memory is mapped page by page from the system and counted in `Room` before it is asked for: the bound is a promise.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from dnd.kernels.bits cimport GOLDEN, leading_zeros, popcount, prefetch, trailing_zeros
from dnd.kernels.stop cimport flag

cdef extern from "<sys/mman.h>":
    int munmap(void* pages, size_t bytes) noexcept nogil

cdef extern from "levels.h":
    uint32_t bit_beside(const uint32_t* images, const uint32_t* line) noexcept nogil
    void* map_pages(size_t bytes) noexcept nogil

cdef enum:
    CELLS = 64                 # of a board, at most
    SHAPES = 8                 # symmetries of a square
    LIMBS = 8                  # words of the longest sum: fewer than 96 jumps, 62 times
    CLASS_BITS = 5             # no class has more independent bits
    BATCH = 64                 # children that wait for their slots to arrive
    LEAST_SLOTS_BITS = 8
    LEAST_SLOTS = 1 << LEAST_SLOTS_BITS
    LEAST_BITS = 12            # fewer bits are not worth the while
    MOST_BITS = 32
    WORTH_BITS = 13            # one key in so many bits (a power of 2) is
    PAGE = 1 << 14             # memory is taken in multiples of this
    CHUNK = 1 << 16            # entries or slots gone through between two calls of `worked`
    POLL = 1 << 19             # work (jumps and slots) between two looks at Ctrl-C: some 5 ms

cdef enum Status:
    INTERRUPTED = -1           # an exception is on its way
    DONE
    ENDED                      # by the bound on memory or by `stop`

MOST_CELLS = CELLS

cdef uint64_t ONE = 1
cdef uint64_t FULL = 0xFFFFFFFFFFFFFFFF
# In memory on purpose: to load the constant for each product takes 1.5 % more instructions in `expand`.
cdef uint64_t MIX = GOLDEN

# Lines of a group, in a grid of three rows of four cells, numbered in reading order:
#
#      0  1  2  3        axis 0: 0-1-2, 1-2-3, 4-5-6 ...    ends 1 before and 1 after the middle: one group
#      4  5  6  7        axis 1: 0-4-8, 1-5-9 ...           ends 4 before and 4 after
#      8  9 10 11
#
# Where cells are missing or moved to the front (implied ones), distances differ, and there are more groups.

cdef struct Group:
    int first                  # from the middle cell to the one end, to the other: rotations
    int second
    int axis                   # 0: lines in rows, 1: in columns
    uint64_t middles           # the middle cells of its lines

cdef struct Board:
    int cells
    int groups
    int order                  # number of symmetries; the first is the identity
    int implied                # the lowest cells, whose pegs follow from the others and the class
    uint64_t parity[CLASS_BITS]           # by implied cell: the others that matter
    uint64_t full
    Group group[2 * CELLS]
    uint64_t line[2][CELLS][SHAPES]       # by axis and middle cell: the images of the line
    uint8_t ends[2][CELLS][2]             # by axis and middle cell: the first and the last cell of the line
    uint8_t moved[SHAPES][CELLS]          # where a symmetry takes a cell
    uint64_t images[8][256][SHAPES]       # of a byte of a position, by place and value
    # The same without implied cells, for sets of bits; in place of symmetries that are none stands the identity.
    uint32_t bit_line[2][CELLS][SHAPES]
    uint32_t bit_images[8][256][SHAPES]

cdef struct Room:              # what one call may use, and who may end it
    uint64_t left              # bytes that may still be taken
    uint64_t work              # since the last look at Ctrl-C
    uint64_t* bits             # an empty set of bits, kept for the next one; or NULL
    uint64_t bits_bytes
    const volatile uint8_t* stop

# Words of an entry, as many as the stride says:
#
#     stride 1              key
#     2 and more, count     key | number of sequences: least significant word first ...
#     3, few moves          key | cells | moves
#
# A level is an array of entries; a table has entries at some of its slots, and zeros in the others.

cdef struct Level:
    uint64_t* entries
    uint64_t size              # number of entries
    uint64_t bytes
    int stride                 # words of an entry

# A table with open addressing: an entry stands in its home or in the first free slot behind it, around the end.
#
#     slots      . . a b . . . c d e . .       home(a) = home(b) = 2, home(c) = home(d) = home(e) = 7
#     looked for: f, home(f) = 8               d, e, free: f is not there
#
# Or the slots are a set of bits, where a key is its own place and nothing needs to be looked for.

cdef struct Table:
    uint64_t* slots
    uint64_t bytes
    uint64_t size              # number of entries
    uint64_t most              # number of entries at which it must grow
    uint64_t last              # number of slots - 1
    int shift                  # of a hash of 64 bits, to the number of a slot
    int stride
    bint is_bits               # the slots are a set of bits: only `slots`, `bytes` and what follows count
    int implied                # as in Board: the other cells of a key are the number of a bit
    uint64_t sample            # a position of the class of its keys

cdef struct Child:             # a position one jump on, on its way into a table
    uint64_t key
    const uint64_t* parent

cdef struct Tally:
    uint64_t positions         # images counted singly
    uint64_t ended[LIMBS]      # sequences that end in positions without jumps


# --- the board ------------------------------------------------------------------------------------

cdef inline uint64_t rotated(uint64_t word, int distance) noexcept nogil:
    """The word with bit i where bit i + distance was, around the end; 0 <= distance < 64."""
    return word >> distance | word << (64 - distance & 63) if distance else word


cdef inline uint64_t jumps_of(const Group* group, uint64_t pegs) noexcept nogil:
    """The middle cells of the lines of a group on which there is a jump."""
    return pegs & group.middles & (rotated(pegs, group.first) ^ rotated(pegs, group.second))


cdef inline void set_images(const Board* board, uint64_t position, uint64_t* images) noexcept nogil:
    """All images of a position, put together byte by byte; those beyond the board's order are zeros."""
    cdef int i, byte
    cdef const uint64_t* part = board.images[0][position & 255]
    for i in range(SHAPES):
        images[i] = part[i]
    for byte in range(1, board.cells + 7 >> 3):
        part = board.images[byte][position >> 8 * byte & 255]
        for i in range(SHAPES):
            images[i] |= part[i]


cdef inline uint64_t key_beside(const uint64_t* images, const uint64_t* line, int order) noexcept nogil:
    """The key of the position that differs by a line from the one with these images."""
    cdef uint64_t key = images[0] ^ line[0], other
    cdef int i
    if order == SHAPES:
        # Said apart, as a constant number of rounds is unrolled.
        for i in range(1, SHAPES):
            other = images[i] ^ line[i]
            key = other if other < key else key
    else:
        for i in range(1, order):
            other = images[i] ^ line[i]
            key = other if other < key else key
    return key


cdef inline void set_bit_images(const Board* board, uint64_t position, uint32_t* images) noexcept nogil:
    """The same as numbers of bits; images that are none are the position itself, which spoils no minimum."""
    cdef int i, byte
    cdef const uint32_t* part = board.bit_images[0][position & 255]
    for i in range(SHAPES):
        images[i] = part[i]
    for byte in range(1, board.cells + 7 >> 3):
        part = board.bit_images[byte][position >> 8 * byte & 255]
        for i in range(SHAPES):
            images[i] |= part[i]


cdef inline uint64_t key_of(const Board* board, uint64_t position) noexcept nogil:
    """The key of a position: the least of its images."""
    cdef uint64_t images[SHAPES]
    cdef uint64_t key
    cdef int i
    set_images(board, position, images)
    key = images[0]
    for i in range(1, board.order):
        key = images[i] if images[i] < key else key
    return key


cdef int class_of(object mask, list places) except -1:
    """The parities of the numbers of pegs on six sets of cells: every jump changes all of them."""
    cdef int parities = 0, i
    for i, (row, column) in enumerate(places):
        if mask >> i & 1:
            parities ^= 1 << (row + column) % 3 | 8 << (row - column) % 3
    return parities


cdef list in_order(list places):
    """The cells, the implied ones first: as many as have independent classes."""
    cdef list implied = [], others = []
    sums = {0}
    for row, column in places:
        parities = class_of(1, [(row, column)])
        if parities in sums:
            others.append((row, column))
        else:
            implied.append((row, column))
            sums |= {parities ^ other for other in sums}
    return implied + others


cdef int set_parity(Board* board, list places) except -1:
    """Find for each implied cell the others on whose pegs, and on the class, its own depends."""
    cdef int i, cell, chosen
    sums = {0: 0}
    for i, place in enumerate(places):
        parities = class_of(1, [place])
        if parities not in sums:
            sums.update([(other ^ parities, chosen | 1 << i) for other, chosen in list(sums.items())])
            board.implied += 1
        for cell in range(board.implied):
            if i >= board.implied and sums[parities] >> cell & 1:
                board.parity[cell] |= ONE << i
    return 0


cdef list symmetries(int height, int width, list places, tuple kept, object start):
    """The symmetries of the grid that keep the cells, the masks in `kept` and the class of `start`.

    A symmetry is a list: cell by cell, where it goes. The identity comes first. Those that do the same to all cells are
    one. Those that change the class of the start make no reached position of another one, so they need not be tried.
    """
    number = {place: i for i, place in enumerate(places)}
    found = []
    for turned in range(2 if height == width else 1):
        for down in range(2):
            for right in range(2):
                moved = []
                for row, column in places:
                    row, column = height - 1 - row if down else row, width - 1 - column if right else column
                    moved.append(number.get((column, row) if turned else (row, column)))
                if None in moved or moved in found:
                    continue
                if class_of(image(start, moved), places) != class_of(start, places):
                    continue
                if all(image(mask, moved) == mask for mask in kept):
                    found.append(moved)
    return found


cdef object image(object mask, list moved):
    """Where a symmetry (cell by cell, where it goes) takes the cells of a mask."""
    return sum(bit(moved[i]) for i in range(len(moved)) if mask >> i & 1)


cdef Board* new_board(int height, int width, list places, tuple kept, object start) except NULL:
    """A board with the symmetries that keep the masks in `kept` and the class of `start`; the caller frees it."""
    cdef Board* board = <Board*>calloc(1, sizeof(Board))
    cdef int i, byte, value, shape
    cdef list all_moved
    if board is NULL:
        raise MemoryError
    board.cells = len(places)
    board.full = FULL >> 64 - board.cells
    all_moved = symmetries(height, width, places, kept, start)
    board.order = len(all_moved)
    for shape in range(board.order):
        for i in range(board.cells):
            board.moved[shape][i] = all_moved[shape][i]
            board.images[i >> 3][1 << (i & 7)][shape] = ONE << board.moved[shape][i]
    for byte in range(8):
        for value in range(1, 256):
            for shape in range(board.order):
                board.images[byte][value][shape] = (
                    board.images[byte][value & value - 1][shape] | board.images[byte][value & -value][shape]
                )
    set_lines(board, places)
    set_parity(board, places)
    set_bits(board)
    return board


cdef int set_lines(Board* board, list places) except -1:
    """Find the lines: of each its ends and images, and the group that it is in."""
    cdef int axis, middle, first, second, shape
    number = {place: i for i, place in enumerate(places)}
    for axis in range(2):
        for middle, (row, column) in enumerate(places):
            ends = (row - axis, column - 1 + axis), (row + axis, column + 1 - axis)
            if ends[0] not in number or ends[1] not in number:
                continue
            first, second = number[ends[0]], number[ends[1]]
            board.ends[axis][middle][0] = first
            board.ends[axis][middle][1] = second
            for shape in range(board.order):
                board.line[axis][middle][shape] = (
                    ONE << board.moved[shape][first]
                    | ONE << board.moved[shape][middle]
                    | ONE << board.moved[shape][second]
                )
            add_to_group(board, axis, first - middle & 63, second - middle & 63, ONE << middle)
    return 0


cdef void set_bits(Board* board) noexcept:
    """The tables for sets of bits, where the numbers of bits have a word of 32."""
    cdef int axis, i, value, shape, same
    if board.cells - board.implied > MOST_BITS:
        return
    for shape in range(SHAPES):
        same = shape if shape < board.order else 0
        for axis in range(2):
            for i in range(board.cells):
                board.bit_line[axis][i][shape] = <uint32_t>(board.line[axis][i][same] >> board.implied)
        for i in range(8):
            for value in range(256):
                board.bit_images[i][value][shape] = <uint32_t>(board.images[i][value][same] >> board.implied)


cdef void add_to_group(Board* board, int axis, int first, int second, uint64_t middle) noexcept:
    """Put a line into the group whose ends lie as far from the middle, a new one if need be."""
    cdef Group* group = board.group
    while group < board.group + board.groups:
        if group.axis == axis and group.first == first and group.second == second:
            group.middles |= middle
            return
        group += 1
    group[0] = Group(first, second, axis, middle)
    board.groups += 1


# --- memory and Ctrl-C ----------------------------------------------------------------------------

cdef Status look_up(Room* room) except INTERRUPTED nogil:
    """Look at Ctrl-C and at `stop`."""
    room.work = 0
    if room.stop[0]:
        return ENDED
    with gil:
        PyErr_CheckSignals()
    return DONE


cdef inline Status worked(Room* room, uint64_t work) except INTERRUPTED nogil:
    """Note so much work; look up where there was enough of it."""
    room.work += work
    return look_up(room) if room.work >= POLL else DONE


cdef inline uint64_t rounded(uint64_t bytes) noexcept nogil:
    """Bytes as memory is taken: in whole pages of any system."""
    return bytes + (PAGE - 1) & ~<uint64_t>(PAGE - 1)


cdef void* take(Room* room, uint64_t bytes) noexcept nogil:
    """So much memory, all zeros; NULL if that is more than may be taken."""
    cdef void* pages = NULL
    bytes = rounded(bytes)
    if bytes > room.left:
        give_bits(room)
    if bytes <= room.left:
        pages = map_pages(bytes)
    if pages is not NULL:
        room.left -= bytes
    return pages


cdef void give(Room* room, void* pages, uint64_t bytes) noexcept nogil:
    """Give back what `take` gave."""
    if pages is not NULL:
        munmap(pages, rounded(bytes))
        room.left += rounded(bytes)


cdef void give_bits(Room* room) noexcept nogil:
    """Give back the set of bits that is kept."""
    give(room, room.bits, room.bits_bytes)
    room.bits = NULL


cdef inline const uint64_t* end_of(const Level* level) noexcept nogil:
    """Where a level's entries end. An empty level has none, and C forbids to count on from NULL, even by 0."""
    return level.entries + level.size * level.stride if level.size else level.entries


cdef void give_end(Room* room, void* pages, uint64_t bytes, uint64_t kept) noexcept nogil:
    """Give back all but the first bytes."""
    if rounded(kept) < rounded(bytes):
        munmap(<char*>pages + rounded(kept), rounded(bytes) - rounded(kept))
        room.left += rounded(bytes) - rounded(kept)


cdef void drop(Room* room, Level* level) noexcept nogil:
    """Give a level back; it is empty afterwards."""
    give(room, level.entries, level.bytes)
    memset(level, 0, sizeof(Level))


# --- tables ---------------------------------------------------------------------------------------

cdef Status open_table(Table* table, uint64_t slots, int stride, Room* room) noexcept nogil:
    """An empty table with at least so many slots, as far as there is room."""
    cdef int bits = 64 - leading_zeros(max(slots, <uint64_t>LEAST_SLOTS) - 1)
    memset(table, 0, sizeof(Table))
    table.stride = stride
    while True:
        set_slots(table, bits)
        table.slots = <uint64_t*>take(room, table.bytes)
        if table.slots is not NULL:
            return DONE
        if table.last < LEAST_SLOTS:
            return ENDED
        bits -= 1


cdef void set_slots(Table* table, int bits) noexcept nogil:
    """Let the table have 2^bits slots."""
    table.last = (ONE << bits) - 1
    table.shift = 64 - bits
    table.most = (table.last + 1) // 4 * 3
    table.bytes = (table.last + 1) * table.stride * sizeof(uint64_t)


cdef Status open_keys(const Board* board, Table* table, uint64_t entries, Room* room) noexcept nogil:
    """An empty table for about so many keys, all of one class and number of jumps: bits where they are worth it."""
    cdef int bits = board.cells - board.implied
    if LEAST_BITS <= bits <= MOST_BITS and entries >= ONE << bits >> WORTH_BITS:
        memset(table, 0, sizeof(Table))
        table.is_bits = True
        table.implied = board.implied
        table.bytes = ONE << bits >> 3
        table.slots = room.bits
        room.bits = NULL
        if table.slots is NULL:
            table.slots = <uint64_t*>take(room, table.bytes)
        if table.slots is not NULL:
            return DONE
    return open_table(table, entries, 1, room)


cdef Status keep_bits(Table* table, Room* room) except INTERRUPTED nogil:
    """Put an emptied set of bits by for the next one."""
    room.bits = table.slots
    room.bits_bytes = table.bytes
    table.slots = NULL
    return DONE


cdef Status empty_bits(Table* table, Room* room) except INTERRUPTED nogil:
    """Empty a set of bits, and put it by."""
    cdef uint64_t word
    cdef Status status
    for word in range(table.bytes >> 3):
        table.slots[word] = 0
        if not word & 16 * CHUNK - 1:      # zeros are written many at a time
            status = worked(room, 2 * CHUNK)
            if status != DONE:
                return status
    return keep_bits(table, room)


cdef void close_table(Table* table, Room* room) noexcept nogil:
    """Give a table back, if it has not become a level."""
    give(room, table.slots, table.bytes)
    table.slots = NULL


cdef inline uint64_t home(const Table* table, uint64_t key) noexcept nogil:
    """The slot where the search for a key begins: the upper bits of a hash."""
    # One product alone leaves long runs of filled slots: positions have much in common.
    key *= MIX
    return ((key ^ key >> 32) * MIX) >> table.shift


cdef inline uint64_t* slot_of(const Table* table, uint64_t key) noexcept nogil:
    """The entry of a key, or the free slot where it would be."""
    cdef uint64_t i = home(table, key)
    cdef uint64_t* entry
    while True:
        entry = table.slots + i * table.stride
        if entry[0] == key or entry[0] == 0:
            return entry
        i = i + 1 & table.last


cdef inline uint64_t* entry_of(Table* table, uint64_t key) noexcept nogil:
    """The entry of a key, a new one if need be; there must be a free slot."""
    cdef uint64_t* entry = slot_of(table, key)
    if entry[0] == 0:
        entry[0] = key
        table.size += 1
    return entry


cdef inline bint holds(const Table* table, uint64_t key) noexcept nogil:
    """Whether a key is in the table."""
    if table.is_bits:
        key >>= table.implied
        return table.slots[key >> 6] >> (key & 63) & 1
    return slot_of(table, key)[0] != 0


cdef Status make_place(Table* table, Room* room) except INTERRUPTED nogil:
    """Places for another batch of entries, in a larger table if there is room for one."""
    cdef Table larger
    cdef const uint64_t* entry
    cdef uint64_t i
    cdef Status status = DONE
    if table.size + BATCH <= table.most:
        return DONE
    larger = table[0]
    set_slots(&larger, 65 - table.shift)
    larger.slots = <uint64_t*>take(room, larger.bytes)
    if larger.slots is NULL:
        # A fuller table is slower, but goes on for a while.
        table.most = (table.last + 1) // 8 * 7
        return DONE if table.size + BATCH <= table.most else ENDED
    try:
        for i in range(table.last + 1):
            entry = table.slots + i * table.stride
            if entry[0]:
                memcpy(slot_of(&larger, entry[0]), entry, table.stride * sizeof(uint64_t))
            if not i & CHUNK - 1:
                status = worked(room, CHUNK)
                if status != DONE:
                    return status
    finally:
        close_table(table, room)
        table[0] = larger
    return DONE


cdef Status settle(const Board* board, Table* table, Level* level, Room* room) except INTERRUPTED nogil:
    """Make a level of the entries of a table, which is no more."""
    if table.is_bits:
        return settle_bits(board, table, level, room)
    return settle_slots(table, level, room)


cdef Status settle_slots(Table* table, Level* level, Room* room) except INTERRUPTED nogil:
    """Push the entries together where they are, and give back the memory behind them."""
    cdef const uint64_t* entry = table.slots
    cdef uint64_t* free_place = table.slots
    cdef int word, stride = table.stride
    cdef uint64_t i
    cdef Status status = DONE
    for i in range(table.last + 1):
        if entry[0]:
            for word in range(stride):
                free_place[word] = entry[word]
            free_place += stride
        entry += stride
        if not i & CHUNK - 1:
            status = worked(room, CHUNK // 4)        # to move an entry is less work than to enter one
            if status != DONE:
                return status
    level.entries = table.slots
    level.size = table.size
    level.stride = stride
    level.bytes = table.size * stride * sizeof(uint64_t)
    give_end(room, table.slots, table.bytes, level.bytes)
    table.slots = NULL
    if level.size == 0:
        level.entries = NULL
    return DONE


cdef Status settle_bits(const Board* board, Table* table, Level* level, Room* room) except INTERRUPTED nogil:
    """The keys of a set of bits, in ascending order."""
    cdef uint64_t word, bits, constant = with_implied(board, table.sample, 0) ^ table.sample
    cdef uint64_t* key
    cdef Status status = DONE
    level.stride = 1
    for word in range(table.bytes >> 3):
        level.size += popcount(table.slots[word])
    level.bytes = level.size * sizeof(uint64_t)
    if level.size == 0:
        return keep_bits(table, room)
    level.entries = <uint64_t*>take(room, level.bytes)
    if level.entries is NULL:
        level.size = 0
        return ENDED
    key = level.entries
    for word in range(table.bytes >> 3):
        bits = table.slots[word]
        if bits:
            table.slots[word] = 0
        while bits:
            key[0] = with_implied(board, (word << 6 | trailing_zeros(bits)) << board.implied, constant)
            key += 1
            bits &= bits - 1
        if not word & CHUNK - 1:
            status = worked(room, CHUNK)
            if status != DONE:
                return status
    return keep_bits(table, room)


cdef inline uint64_t with_implied(const Board* board, uint64_t position, uint64_t constant) noexcept nogil:
    """A position with the implied cells as the others, and the bits of `constant`, have them."""
    cdef uint64_t implied = constant
    cdef int cell
    for cell in range(board.implied):
        implied ^= <uint64_t>(popcount(position & board.parity[cell]) & 1) << cell
    return position >> board.implied << board.implied | implied


cdef Status fill(Table* table, const Level* level, Room* room) except INTERRUPTED nogil:
    """Put the keys of a level into a table that has places for them."""
    cdef uint64_t i
    cdef Status status
    for i in range(level.size):
        if i + 16 < level.size:
            prefetch(table.slots + home(table, level.entries[(i + 16) * level.stride]) * table.stride)
        entry_of(table, level.entries[i * level.stride])
        if not i & CHUNK - 1:
            status = worked(room, CHUNK)
            if status != DONE:
                return status
    return DONE


cdef Status keep_common(Level* level, const Table* table, Room* room) except INTERRUPTED nogil:
    """Keep those entries of a level whose keys are in the table."""
    cdef uint64_t i, kept = 0
    cdef uint64_t* keys = level.entries
    cdef Status status
    for i in range(level.size):
        if i + 16 < level.size:
            if table.is_bits:
                prefetch(table.slots + (keys[i + 16] >> table.implied + 6))
            else:
                prefetch(table.slots + home(table, keys[i + 16]) * table.stride)
        if holds(table, keys[i]):
            keys[kept] = keys[i]
            kept += 1
        if not i & CHUNK - 1:
            status = worked(room, CHUNK)
            if status != DONE:
                return status
    level.size = kept
    if kept == 0:
        drop(room, level)
    else:
        give_end(room, level.entries, level.bytes, kept * sizeof(uint64_t))
        level.bytes = kept * sizeof(uint64_t)
    return DONE


cdef Status open_filled(Table* table, const Level* level, int stride, Room* room) except INTERRUPTED nogil:
    """A table with the keys of a level."""
    cdef Status status = open_table(table, level.size + level.size // 3 + BATCH, stride, room)
    if status == DONE and table.last < level.size + level.size // 7:
        status = ENDED
    return fill(table, level, room) if status == DONE else status


cdef Status one_entry(Level* level, uint64_t key, int stride, Room* room) noexcept nogil:
    """A level of one position; the other words of its entry are zeros."""
    memset(level, 0, sizeof(Level))
    level.bytes = stride * sizeof(uint64_t)
    level.entries = <uint64_t*>take(room, level.bytes)
    if level.entries is NULL:
        return ENDED
    level.entries[0] = key
    level.size = 1
    level.stride = stride
    return DONE


# --- from level to level --------------------------------------------------------------------------

cdef inline void add(uint64_t* total, int limbs, const uint64_t* number, int length) noexcept nogil:
    """Add a number of fewer or equally many words; the caller knows that the sum fits."""
    cdef uint64_t carry = 0, word
    cdef int i
    for i in range(limbs):
        word = total[i] + carry
        carry = word < carry
        if i < length:
            word += number[i]
            carry += word < number[i]
        elif not carry:
            total[i] = word
            return
        total[i] = word


cdef Status store(Table* table, const Child* children, int waiting, int limbs, Room* room) except INTERRUPTED nogil:
    """Enter children; those of parents with numbers of `limbs` words have the number added to theirs."""
    cdef Status status = make_place(table, room)
    cdef uint64_t* entry
    cdef int i
    if status != DONE:
        return status
    for i in range(waiting):
        entry = entry_of(table, children[i].key)
        if limbs:
            add(entry + 1, table.stride - 1, children[i].parent + 1, limbs)
    return worked(room, waiting)


cdef Status expand(const Board* board, const Level* level, bint back, Table* table, Tally* tally,
                   Room* room) except INTERRUPTED nogil:
    """Enter what is one jump on (or back) from a level; `tally`, if not NULL, is added to."""
    cdef Child children[BATCH]
    cdef uint64_t images[SHAPES]
    cdef const Group* group
    cdef const Group* end = board.group + board.groups
    cdef const uint64_t* entry = level.entries
    cdef const uint64_t* last = end_of(level)
    cdef uint64_t pegs, jumps, any_jumps, key
    cdef uint64_t turn = board.full if back else 0
    cdef int waiting = 0, order = board.order, limbs = level.stride - 1
    cdef int i, fixed
    cdef Status status
    while entry < last:
        set_images(board, entry[0], images)
        pegs = entry[0] ^ turn
        any_jumps = 0
        group = <const Group*>board.group
        while group < end:
            jumps = jumps_of(group, pegs)
            any_jumps |= jumps
            while jumps:
                key = key_beside(images, board.line[group.axis][trailing_zeros(jumps)], order)
                prefetch(table.slots + home(table, key) * table.stride)
                children[waiting].key = key
                children[waiting].parent = entry
                waiting += 1
                jumps &= jumps - 1
                if waiting == BATCH:
                    status = store(table, children, waiting, limbs, room)
                    if status != DONE:
                        return status
                    waiting = 0
            group += 1
        if tally is not NULL:
            # Of the images those equal to the position itself are as many as of any other: so many times each counts.
            fixed = 0
            for i in range(order):
                fixed += images[i] == images[0]
            tally.positions += order // fixed
            if not any_jumps:
                add(tally.ended, LIMBS, entry + 1, limbs)
        entry += level.stride
    return store(table, children, waiting, limbs, room)


cdef Status set_bits_beside(const Board* board, const Level* level, bint back, Table* table, Room* room,
                            ) except INTERRUPTED nogil:
    """`expand` for a set of bits."""
    cdef uint32_t bits[BATCH + 2 * CELLS]
    cdef uint32_t images[SHAPES]
    cdef const Group* group
    cdef const Group* end = board.group + board.groups
    cdef uint64_t pegs, jumps, i
    cdef uint64_t turn = board.full if back else 0
    cdef int waiting = 0, done
    cdef Status status
    for i in range(level.size):
        set_bit_images(board, level.entries[i], images)
        pegs = level.entries[i] ^ turn
        group = <const Group*>board.group
        while group < end:
            jumps = jumps_of(group, pegs)
            while jumps:
                bits[waiting] = bit_beside(images, board.bit_line[group.axis][trailing_zeros(jumps)])
                prefetch(&table.slots[bits[waiting] >> 6])
                waiting += 1
                jumps &= jumps - 1
            group += 1
        # The words were asked for when their numbers were known; by now most of them are there.
        if waiting >= BATCH:
            for done in range(waiting):
                table.slots[bits[done] >> 6] |= ONE << (bits[done] & 63)
            status = worked(room, waiting)
            if status != DONE:
                return status
            waiting = 0
    for done in range(waiting):
        table.slots[bits[done] >> 6] |= ONE << (bits[done] & 63)
    return DONE


cdef Status enter_beside(const Board* board, const Level* level, bint back, Table* table, Room* room,
                         ) except INTERRUPTED nogil:
    """Enter the keys of what is one jump on (or back) from a level."""
    if not table.is_bits:
        return expand(board, level, back, table, NULL, room)
    if board.groups and level.size:
        # Whether a jump is possible or not, it leads to the class of the next level.
        table.sample = level.entries[0] ^ board.line[board.group[0].axis][trailing_zeros(board.group[0].middles)][0]
    return set_bits_beside(board, level, back, table, room)


cdef Status advance(const Board* board, const Level* level, bint back, Level* following, Room* room,
                    ) except INTERRUPTED nogil:
    """The level after (or before) a level; keys only."""
    cdef Table table
    cdef Status status = open_keys(board, &table, 2 * level.size, room)
    if status != DONE:
        return status
    try:
        status = enter_beside(board, level, back, &table, room)
        if status == DONE:
            status = settle(board, &table, following, room)
    finally:
        close_table(&table, room)
    return status


cdef Status go_on(const Board* board, Level* level, Room* room) except INTERRUPTED nogil:
    """Replace a level by the next one."""
    cdef Level following
    cdef Status status
    memset(&following, 0, sizeof(Level))
    try:
        status = advance(board, level, False, &following, room)
    finally:
        drop(room, level)
        level[0] = following
    return status


cdef Status narrow(const Board* board, const Level* level, bint back, Level* target, Room* room,
                   ) except INTERRUPTED nogil:
    """Of a target level keep what is one jump on (or back) from a level."""
    cdef Table table
    cdef Status status = open_keys(board, &table, 2 * level.size, room)
    if status != DONE:
        return status
    try:
        status = enter_beside(board, level, back, &table, room)
        if status == DONE:
            status = keep_common(target, &table, room)
        if status == DONE and table.is_bits:
            status = empty_bits(&table, room)
    finally:
        close_table(&table, room)
    return status


cdef Status mirror(const Board* board, const Level* level, Level* complements, Room* room) except INTERRUPTED nogil:
    """The keys of the complements of the positions of a level."""
    cdef uint64_t i
    cdef Status status
    complements.stride = 1
    complements.bytes = level.size * sizeof(uint64_t)
    complements.entries = <uint64_t*>take(room, complements.bytes)
    if complements.entries is NULL:
        return ENDED
    complements.size = level.size
    for i in range(level.size):
        complements.entries[i] = key_of(board, level.entries[i] ^ board.full)
        if not i & CHUNK - 1:
            status = worked(room, CHUNK)
            if status != DONE:
                return status
    return DONE


# --- between start and end ------------------------------------------------------------------------

# The levels of both sides, for a start with six pegs, five jumps:
#
#     jumps made           0        1        2        3        4        5
#     forth                [0] ---> [1] ---> [2]                              ahead = 2
#     back                                            [2] <--- [1] <--- [0]   behind = 2
#                                              '--?--'
#
# One jump apart, what of back[2] lies one jump on from forth[2] becomes forth[3]: there both sides meet, and
# ahead + behind = jumps. Mirrored levels of `back` are made from `forth` only when they are asked for.

cdef struct Meeting:
    int jumps                  # from start to end
    int ahead                  # the last level made from the start
    int behind                 # the last one made from the end: so many jumps before it
    bint mirrored              # the end is the complement of the start: so are the levels
    uint64_t positions         # made so far, mirrored ones not counted
    Level forth[CELLS]         # by jumps made
    Level back[CELLS]          # by jumps still to make


cdef void leave(Meeting* meeting, Room* room) noexcept nogil:
    """Give all levels back."""
    cdef int i
    for i in range(CELLS):
        drop(room, &meeting.forth[i])
        drop(room, &meeting.back[i])


cdef Status last_positions(const Board* board, uint64_t finals, Level* level, Room* room) except INTERRUPTED nogil:
    """The level of single pegs in `finals`."""
    cdef Table table
    cdef Status status = open_table(&table, 2 * CELLS, 1, room)
    if status != DONE:
        return status
    while finals:
        entry_of(&table, key_of(board, finals & -finals))
        finals &= finals - 1
    return settle(board, &table, level, room)


cdef Status meet(const Board* board, uint64_t pegs, uint64_t finals, Meeting* meeting, Room* room,
                 ) except INTERRUPTED nogil:
    """Grow levels from start and end until they meet or one side has no more positions.

    They met if meeting.ahead + meeting.behind = meeting.jumps; then the last level of `forth` is what both sides share.
    """
    cdef Level* forth = meeting.forth
    cdef Level* back = meeting.back
    cdef Status status = one_entry(&forth[0], key_of(board, pegs), 1, room)
    meeting.jumps = popcount(pegs) - 1
    if status == DONE:
        status = last_positions(board, finals, &back[0], room)
    if status != DONE:
        return status
    meeting.positions = 1 + back[0].size
    meeting.mirrored = back[0].size == 1 and key_of(board, pegs ^ board.full) == back[0].entries[0]
    if meeting.jumps == 0:
        # Start and end are one position, or there is no way.
        if not pegs & finals:
            drop(room, &forth[0])
        return DONE
    while meeting.ahead + meeting.behind < meeting.jumps - 1:
        # A mirrored level costs nothing: it is there already.
        if meeting.mirrored and meeting.behind < meeting.ahead:
            meeting.behind += 1
            continue
        status = grow(board, meeting, room)
        if status != DONE or not forth[meeting.ahead].size or not meeting.mirrored and not back[meeting.behind].size:
            return status
    status = show_back(board, meeting, meeting.behind, room)
    if status == DONE:
        status = narrow(board, &forth[meeting.ahead], False, &back[meeting.behind], room)
    if status == DONE:
        meeting.ahead += 1
        forth[meeting.ahead] = back[meeting.behind]
        memset(&back[meeting.behind], 0, sizeof(Level))
    return status


cdef Status grow(const Board* board, Meeting* meeting, Room* room) except INTERRUPTED nogil:
    """One level more on the side whose last level is smaller."""
    cdef Level* forth = &meeting.forth[meeting.ahead]
    cdef Level* back = &meeting.back[meeting.behind]
    cdef bint is_forth = meeting.mirrored or forth.size <= back.size
    cdef Level* last = forth if is_forth else back
    cdef Status status = advance(board, last, not is_forth, last + 1, room)
    if is_forth:
        meeting.ahead += 1
    else:
        meeting.behind += 1
    meeting.positions += last[1].size
    return status


cdef Status exhaust(const Board* board, uint64_t pegs, uint64_t* positions, Room* room) except INTERRUPTED nogil:
    """Count all positions that can be reached, levels before the last one forgotten."""
    cdef Level level
    cdef Status status = one_entry(&level, key_of(board, pegs), 1, room)
    positions[0] = 0
    try:
        while status == DONE and level.size:
            positions[0] += level.size
            status = go_on(board, &level, room)
    finally:
        drop(room, &level)
    return status


cdef Status show_back(const Board* board, Meeting* meeting, int level, Room* room) except INTERRUPTED nogil:
    """Make a level of `back` that is so far only known as the complement of one of `forth`."""
    if not meeting.mirrored or level == 0:
        return DONE
    return mirror(board, &meeting.forth[level], &meeting.back[level], room)


cdef bint have_met(const Meeting* meeting) noexcept nogil:
    """Whether there is a way from start to end."""
    return meeting.ahead + meeting.behind == meeting.jumps and meeting.forth[meeting.ahead].size > 0


cdef Status prune(const Board* board, Meeting* meeting, Room* room) except INTERRUPTED nogil:
    """Keep only the positions between start and end; the meeting's levels are `forth` up to `ahead`, then `back`."""
    cdef Level* level = &meeting.forth[meeting.ahead]
    cdef int i
    cdef Status status = DONE
    for i in range(meeting.ahead - 1, -1, -1):
        status = narrow(board, &meeting.forth[i + 1], True, &meeting.forth[i], room)
        if status != DONE:
            return status
    if meeting.mirrored:
        return DONE
    for i in range(meeting.behind - 1, -1, -1):
        status = narrow(board, level, False, &meeting.back[i], room)
        if status != DONE:
            return status
        level = &meeting.back[i]
    return DONE


cdef uint64_t level_size(const Meeting* meeting, int jumps) noexcept nogil:
    """The size of a level of a pruned meeting."""
    if jumps <= meeting.ahead:
        return meeting.forth[jumps].size
    jumps = meeting.jumps - jumps
    return meeting.forth[jumps].size if meeting.mirrored else meeting.back[jumps].size


# --- paths ----------------------------------------------------------------------------------------

cdef uint64_t beside(const Board* board, uint64_t position, bint back, const Level* level) noexcept nogil:
    """A position one jump on (or back) from a position whose key is in the level, or 0."""
    cdef uint64_t slots[LEAST_SLOTS]
    cdef uint64_t images[SHAPES]
    cdef uint64_t pegs = position ^ (board.full if back else 0), jumps, key, i
    cdef const uint64_t* line
    cdef const Group* group
    cdef int pass_
    cdef Table table
    memset(&table, 0, sizeof(table))
    memset(slots, 0, sizeof(slots))
    table.slots = slots
    table.stride = 1
    set_slots(&table, LEAST_SLOTS_BITS)
    set_images(board, position, images)
    for pass_ in range(2):
        # First enter all neighbours and find one of them in the level, then find which one it was.
        group = <const Group*>board.group
        while group < board.group + board.groups:
            jumps = jumps_of(group, pegs)
            while jumps:
                line = board.line[group.axis][trailing_zeros(jumps)]
                jumps &= jumps - 1
                key = key_beside(images, line, board.order)
                if pass_ == 0:
                    entry_of(&table, key)
                elif key == level.entries[i * level.stride]:
                    return position ^ line[0]
            group += 1
        if pass_ == 0:
            i = 0
            while i < level.size and not slot_of(&table, level.entries[i * level.stride])[0]:
                i += 1
            if i == level.size:
                return 0
    return 0


cdef object as_int(const uint64_t* words, int limbs):
    """A number of several words, the least significant first, as a Python int."""
    return int.from_bytes((<const uint8_t*>words)[: limbs * 8], "little")


cdef tuple jump_between(list places, uint64_t before, uint64_t after):
    """The jump (row, column, direction) that leads from one position to another."""
    to_row, to_column = places[trailing_zeros(after & ~before)]
    gone = before & ~after
    for cell in (trailing_zeros(gone), 63 - leading_zeros(gone)):
        row, column = places[cell]
        if abs(to_row - row) + abs(to_column - column) == 2:
            break
    return row, column, (0 if to_row < row else 1 if to_row > row else 2 if to_column < column else 3)


cdef tuple path_jumps(const Board* board, list places, uint64_t pegs, list path):
    """The jumps of a path of positions, moved by the symmetry that takes its first position to the start."""
    cdef uint64_t images[SHAPES]
    cdef int shape
    moved = []
    for position in path:
        set_images(board, position, images)
        moved.append([images[shape] for shape in range(board.order)])
    shape = moved[0].index(pegs)
    return tuple([jump_between(places, a[shape], b[shape]) for a, b in zip(moved, moved[1:])])


# --- few moves ------------------------------------------------------------------------------------
#
# Entries here are (key, cells, moves): the least number of moves that leads to the position (0: not yet known), and the
# cells where the peg that made the last of them may stand. A run that arrives with more moves than that need not be
# known: whatever it goes on to do, a new move from here does it at no more cost.

cdef enum:
    CELLS_WORD = 1
    MOVES_WORD = 2
    MOVES_STRIDE = 3

cdef struct Arrival:           # an entry on its way into a table
    uint64_t key
    uint64_t cells
    uint64_t moves


cdef inline uint64_t key_and_cells(const Board* board, const uint64_t* images, const uint64_t* line, int cell,
                                   uint64_t* cells) noexcept nogil:
    """`key_beside`, and where the symmetries that lead to the key take a cell."""
    cdef uint64_t key = images[0] ^ line[0], other
    cdef int i
    cells[0] = ONE << cell
    for i in range(1, board.order):
        other = images[i] ^ line[i]
        if other <= key:
            if other < key:
                cells[0] = 0
            key = other
            cells[0] |= ONE << board.moved[i][cell]
    return key


cdef void arrive(Table* table, const Arrival* arrivals, int waiting) noexcept nogil:
    """Enter arrivals, of which those are left out that are not in the table."""
    cdef uint64_t* entry
    cdef int i
    for i in range(waiting):
        entry = slot_of(table, arrivals[i].key)
        if entry[0] == 0 or entry[MOVES_WORD] and entry[MOVES_WORD] < arrivals[i].moves:
            continue
        if entry[MOVES_WORD] != arrivals[i].moves:
            entry[MOVES_WORD] = arrivals[i].moves
            entry[CELLS_WORD] = 0
        entry[CELLS_WORD] |= arrivals[i].cells


cdef Status relax(const Board* board, const Level* level, Table* table, Room* room) except INTERRUPTED nogil:
    """Enter the arrivals one jump on from a level."""
    cdef Arrival arrivals[BATCH]
    cdef uint64_t images[SHAPES]
    cdef const Group* group
    cdef const uint64_t* entry = level.entries
    cdef const uint64_t* last = end_of(level)
    cdef uint64_t jumps
    cdef const uint8_t* ends
    cdef int waiting = 0, middle, peg, target
    cdef Status status
    while entry < last:
        set_images(board, entry[0], images)
        group = <const Group*>board.group
        while group < board.group + board.groups:
            jumps = jumps_of(group, entry[0])
            while jumps:
                middle = trailing_zeros(jumps)
                jumps &= jumps - 1
                ends = board.ends[group.axis][middle]
                # The end that has a peg jumps to the other one.
                target = entry[0] >> ends[0] & 1
                peg, target = ends[1 - target], ends[target]
                arrivals[waiting].key = key_and_cells(
                    board, images, board.line[group.axis][middle], target, &arrivals[waiting].cells)
                arrivals[waiting].moves = entry[MOVES_WORD] + 1 - (entry[CELLS_WORD] >> peg & 1)
                prefetch(table.slots + home(table, arrivals[waiting].key) * MOVES_STRIDE)
                waiting += 1
                if waiting == BATCH:
                    arrive(table, arrivals, waiting)
                    waiting = 0
                    status = worked(room, BATCH)
                    if status != DONE:
                        return status
            group += 1
        entry += MOVES_STRIDE
    arrive(table, arrivals, waiting)
    return DONE


cdef Status join(const Board* board, Meeting* meeting, Room* room) except INTERRUPTED nogil:
    """Make `forth` of a pruned meeting reach from start to end."""
    cdef int i, j
    cdef Status status = DONE
    for i in range(meeting.ahead + 1, meeting.jumps + 1):
        j = meeting.jumps - i
        if meeting.mirrored:
            status = mirror(board, &meeting.forth[j], &meeting.forth[i], room)
            if status != DONE:
                return status
        else:
            meeting.forth[i] = meeting.back[j]
            memset(&meeting.back[j], 0, sizeof(Level))
    return DONE


cdef Status count_moves(const Board* board, Level* levels, int jumps, Room* room) except INTERRUPTED nogil:
    """Replace the keys of all winning positions, level by level, by entries for few moves."""
    cdef Table table
    cdef uint64_t key = levels[0].entries[0]
    cdef int i
    cdef Status status
    drop(room, &levels[0])
    status = one_entry(&levels[0], key, MOVES_STRIDE, room)
    for i in range(1, jumps + 1):
        if status != DONE:
            return status
        # The keys of level i go into a table, the arrivals from level i - 1 are entered, and the table is level i.
        table.slots = NULL
        try:
            status = open_filled(&table, &levels[i], MOVES_STRIDE, room)
            if status == DONE:
                drop(room, &levels[i])
                status = relax(board, &levels[i - 1], &table, room)
            if status == DONE:
                status = settle(board, &table, &levels[i], room)
        finally:
            close_table(&table, room)
    return status


cdef const uint64_t* entry_in(const Level* level, uint64_t key) noexcept nogil:
    """The entry of a key, or NULL."""
    cdef const uint64_t* entry = level.entries
    cdef const uint64_t* end = end_of(level)
    while entry < end:
        if entry[0] == key:
            return entry
        entry += level.stride
    return NULL


cdef tuple step_back(const Board* board, const Level* level, uint64_t position, int cell, uint64_t moves):
    """What a position that was reached with so many moves, the last one to `cell`, was reached from.

    (position, cell of the last move, moves), all before the jump to `cell`.
    """
    cdef uint64_t jumps, before, key
    cdef const uint64_t* entry
    cdef const uint8_t* ends
    cdef int group, middle, peg, shape
    for group in range(board.groups):
        jumps = jumps_of(&board.group[group], position ^ board.full)
        while jumps:
            middle = trailing_zeros(jumps)
            jumps &= jumps - 1
            ends = board.ends[board.group[group].axis][middle]
            if ends[0] != cell and ends[1] != cell:
                continue
            peg = ends[0] + ends[1] - cell
            before = position ^ board.line[board.group[group].axis][middle][0]
            key = key_of(board, before)
            entry = entry_in(level, key)
            if entry is NULL:
                continue
            shape = shape_to(board, before, key)
            if entry[MOVES_WORD] == moves and entry[CELLS_WORD] >> board.moved[shape][peg] & 1:
                return before, peg, moves
            if entry[MOVES_WORD] + 1 == moves:
                # A new move began here: any peg that may have made the last one will do.
                for peg in range(board.cells):
                    if entry[CELLS_WORD] >> board.moved[shape][peg] & 1:
                        break
                return before, peg, moves - 1
    raise AssertionError("a position was reached from nowhere")


cdef int shape_to(const Board* board, uint64_t position, uint64_t key) noexcept nogil:
    """The symmetry that takes a position to its key."""
    cdef uint64_t images[SHAPES]
    cdef int shape = 0
    set_images(board, position, images)
    while images[shape] != key:
        shape += 1
    return shape


cdef tuple best_end(const Level* level):
    """The single peg that is reached with the fewest moves: (position, cell, moves)."""
    moves, position = min([(level.entries[i * MOVES_STRIDE + MOVES_WORD], level.entries[i * MOVES_STRIDE])
                           for i in range(level.size)])
    return position, trailing_zeros(position), moves


# --- the questions --------------------------------------------------------------------------------

cdef bint open_room(Room* room, object memory, const uint8_t* stop) noexcept:
    """Set up the bound on memory; False if it is too small for anything. The board counts too."""
    memset(room, 0, sizeof(Room))
    room.stop = stop
    room.left = min(memory, 1 << 60)
    if room.left < sizeof(Board) + sizeof(Meeting):
        return False
    room.left -= sizeof(Board) + sizeof(Meeting)
    return True


cdef list places_of(int height, int width, object cells):
    """The cells as (row, column), by their number in a position."""
    return in_order([divmod(place, width) for place in range(height * width) if cells >> place & 1])


cdef object bit(object place):
    """A mask of one cell, as a Python int: `1 << i` with a C integer would be one too, and overflow."""
    return 1 << place


cdef object within_reach(object start, object finals, list places):
    """The cells of `finals` in which a single peg has the class it must have."""
    parities = class_of(start, places) ^ (63 if bin(start).count("1") % 2 == 0 else 0)
    return sum([bit(i) for i in range(len(places)) if finals >> i & 1 and class_of(bit(i), places) == parities])


cdef object compact(object mask, int width, list places):
    """A mask of the grid as a mask of cells by number."""
    return sum(bit(i) for i, (row, column) in enumerate(places) if mask >> row * width + column & 1)


def decide(int height, int width, object cells, object pegs, object finals, object memory,
           const uint8_t[::1] stop=None):
    """Can one peg be left, in one of `finals`: (1, jumps, positions), (0, (), positions) or (-1, (), 0).

    `positions` is the number of positions looked at, symmetric ones taken for one. -1: `memory` (in bytes) or `stop`
    ended it, or the board has more than 64 cells. Last cells of another class than the start's are not searched from;
    if there are no others, all that can be reached is searched all the same, and the class has no part in the answer.
    """
    cdef Room room
    cdef Board* board = NULL
    cdef Meeting meeting
    cdef Status status
    cdef list places = places_of(height, width, cells)
    cdef uint64_t start, ends, reachable, looked_at
    cdef int i
    if len(places) > CELLS or not open_room(&room, memory, flag(stop)):
        return -1, (), 0
    start, ends = compact(pegs, width, places), compact(finals, width, places)
    reachable = within_reach(start, ends, places)
    memset(&meeting, 0, sizeof(meeting))
    board = new_board(height, width, places, (ends,), start)
    try:
        with nogil:
            if reachable:
                status = meet(board, start, reachable, &meeting, &room)
                looked_at = meeting.positions
            else:
                status = exhaust(board, start, &looked_at, &room)
        if status != DONE:
            return -1, (), 0
        if not have_met(&meeting):
            return 0, (), looked_at
        # From any position where both sides met, back to the start and on to the end.
        path = [meeting.forth[meeting.ahead].entries[0]]
        for i in range(meeting.ahead - 1, -1, -1):
            if look_up(&room) != DONE:
                return -1, (), 0
            path.insert(0, beside(board, path[0], True, &meeting.forth[i]))
        for i in range(meeting.behind - 1, -1, -1):
            if look_up(&room) != DONE or show_back(board, &meeting, i, &room) != DONE:
                return -1, (), 0
            path.append(beside(board, path[len(path) - 1], False, &meeting.back[i]))
            drop(&room, &meeting.back[i])
        return 1, path_jumps(board, places, start, path), looked_at
    finally:
        leave(&meeting, &room)
        give_bits(&room)
        free(board)


def winning(int height, int width, object cells, object pegs, object finals, object memory,
            const uint8_t[::1] stop=None):
    """How many positions after n jumps lie on a way to one peg in `finals`: (levels, complete).

    Positions are one when a symmetry that keeps cells and finals makes one of the other. No way: levels are ().
    """
    cdef Room room
    cdef Board* board = NULL
    cdef Meeting meeting
    cdef Status status
    cdef list places = places_of(height, width, cells)
    cdef uint64_t start, ends, reachable
    cdef int i
    if len(places) > CELLS or not open_room(&room, memory, flag(stop)):
        return (), False
    start, ends = compact(pegs, width, places), compact(finals, width, places)
    reachable = within_reach(start, ends, places)
    memset(&meeting, 0, sizeof(meeting))
    board = new_board(height, width, places, (ends,), start)
    try:
        with nogil:
            status = meet(board, start, reachable, &meeting, &room)
            if status == DONE and have_met(&meeting):
                status = prune(board, &meeting, &room)
        if status != DONE:
            return (), False
        if not have_met(&meeting):
            return (), True
        return tuple([level_size(&meeting, i) for i in range(meeting.jumps + 1)]), True
    finally:
        leave(&meeting, &room)
        give_bits(&room)
        free(board)


def positions(int height, int width, object cells, object pegs, object memory, const uint8_t[::1] stop=None):
    """How many positions there are after n jumps, symmetric ones taken for one: (levels, complete)."""
    cdef Room room
    cdef Board* board = NULL
    cdef Level level
    cdef Status status
    cdef list places = places_of(height, width, cells)
    cdef uint64_t start
    cdef list levels = []
    if len(places) > CELLS or not open_room(&room, memory, flag(stop)):
        return (), False
    start = compact(pegs, width, places)
    board = new_board(height, width, places, (), start)
    memset(&level, 0, sizeof(level))
    try:
        status = one_entry(&level, key_of(board, start), 1, &room)
        while status == DONE and level.size:
            levels.append(level.size)
            with nogil:
                status = go_on(board, &level, &room)
        return tuple(levels), status == DONE
    finally:
        drop(&room, &level)
        give_bits(&room)
        free(board)


cdef Status add_up(const Level* level, uint64_t* total, Room* room) except INTERRUPTED nogil:
    """The sum of the numbers of a level."""
    cdef uint64_t i
    cdef Status status
    memset(total, 0, LIMBS * sizeof(uint64_t))
    for i in range(level.size):
        add(total, LIMBS, level.entries + i * level.stride + 1, level.stride - 1)
        if not i & CHUNK - 1:
            status = worked(room, CHUNK)
            if status != DONE:
                return status
    return DONE


cdef int limbs_after(const uint64_t* total, int cells) noexcept nogil:
    """Words that hold any number of a level, given the sum of the numbers of the one before."""
    # A position has fewer jumps than there are lines, and a cell is the middle of two lines at most.
    cdef int limbs = LIMBS
    while limbs > 1 and total[limbs - 1] == 0:
        limbs -= 1
    return limbs + (total[limbs - 1] >= FULL // (2 * cells))


cdef Status flow(const Board* board, Level* level, Tally* tally, Room* room) except INTERRUPTED nogil:
    """Replace a level with numbers of sequences by the next one; `tally` is added to."""
    cdef Table table
    cdef uint64_t total[LIMBS]
    cdef Status status = add_up(level, total, room)
    if status == DONE:
        status = open_table(&table, 2 * level.size, 1 + limbs_after(total, board.cells), room)
    if status != DONE:
        return status
    try:
        status = expand(board, level, False, &table, tally, room)
        if status == DONE:
            drop(room, level)
            status = settle(board, &table, level, room)
    finally:
        close_table(&table, room)
    return status


cdef object final_sequences(const Board* board, const Level* level, uint64_t finals):
    """The sequences that lead to single pegs in `finals`, of a level of single pegs."""
    cdef uint64_t i
    cdef int shape
    sequences = 0
    for i in range(level.size):
        images = {board.moved[shape][trailing_zeros(level.entries[i * level.stride])] for shape in range(board.order)}
        # All images are reached by equally many sequences.
        number = as_int(level.entries + i * level.stride + 1, level.stride - 1)
        sequences += number * sum([finals >> cell & 1 for cell in images]) // len(images)
    return sequences


def count(int height, int width, object cells, object pegs, object finals, object memory,
          const uint8_t[::1] stop=None):
    """The jump sequences that end with one peg in one of `finals`: (sequences, levels, complete).

    `levels` is the number of positions after n jumps, each counted once, symmetric or not.
    """
    cdef Room room
    cdef Board* board = NULL
    cdef Level level
    cdef Tally tally
    cdef Status status
    cdef list places = places_of(height, width, cells)
    cdef uint64_t start, ends
    cdef list levels = []
    if len(places) > CELLS or not open_room(&room, memory, flag(stop)):
        return 0, (), False
    start, ends = compact(pegs, width, places), compact(finals, width, places)
    board = new_board(height, width, places, (start,), start)
    memset(&level, 0, sizeof(level))
    sequences = 0
    try:
        status = one_entry(&level, start, 2, &room)
        if status == DONE:
            level.entries[1] = 1
        while status == DONE and level.size:
            if popcount(level.entries[0]) == 1:
                sequences = final_sequences(board, &level, ends)
            memset(&tally, 0, sizeof(tally))
            with nogil:
                status = flow(board, &level, &tally, &room)
            if status == DONE:
                levels.append(tally.positions)
        return (sequences if status == DONE else 0), tuple(levels), status == DONE
    finally:
        drop(&room, &level)
        give_bits(&room)
        free(board)


def games(int height, int width, object cells, object pegs, object memory, const uint8_t[::1] stop=None):
    """The jump sequences that end where no jump is left: (number, complete)."""
    cdef Room room
    cdef Board* board = NULL
    cdef Level level
    cdef Tally tally
    cdef Status status
    cdef list places = places_of(height, width, cells)
    cdef uint64_t start
    if len(places) > CELLS or not open_room(&room, memory, flag(stop)):
        return 0, False
    start = compact(pegs, width, places)
    board = new_board(height, width, places, (), start)
    memset(&level, 0, sizeof(level))
    memset(&tally, 0, sizeof(tally))
    try:
        status = one_entry(&level, key_of(board, start), 2, &room)
        if status == DONE:
            level.entries[1] = 1
        while status == DONE and level.size:
            with nogil:
                status = flow(board, &level, &tally, &room)
        return (as_int(tally.ended, LIMBS), True) if status == DONE else (0, False)
    finally:
        drop(&room, &level)
        give_bits(&room)
        free(board)


def fewest(int height, int width, object cells, object pegs, object finals, object memory,
           const uint8_t[::1] stop=None):
    """A solution with the fewest moves, runs of jumps by one peg: (1, jumps, moves), (0, (), 0) or (-1, (), 0).

    0: there is none. -1: `memory` (in bytes) or `stop` ended it, or the board has more than 64 cells.
    """
    cdef Room room
    cdef Board* board = NULL
    cdef Meeting meeting
    cdef Status status
    cdef list places = places_of(height, width, cells)
    cdef uint64_t start, ends, reachable
    cdef int i
    if len(places) > CELLS or not open_room(&room, memory, flag(stop)):
        return -1, (), 0
    start, ends = compact(pegs, width, places), compact(finals, width, places)
    reachable = within_reach(start, ends, places)
    memset(&meeting, 0, sizeof(meeting))
    board = new_board(height, width, places, (ends,), start)
    try:
        with nogil:
            status = meet(board, start, reachable, &meeting, &room)
            if status == DONE and have_met(&meeting):
                status = prune(board, &meeting, &room)
                if status == DONE:
                    status = join(board, &meeting, &room)
                if status == DONE:
                    status = count_moves(board, meeting.forth, meeting.jumps, &room)
        if status != DONE:
            return -1, (), 0
        if not have_met(&meeting):
            return 0, (), 0
        position, cell, moves = best_end(&meeting.forth[meeting.jumps])
        path, left = [position], moves
        for i in range(meeting.jumps - 1, -1, -1):
            if look_up(&room) != DONE:
                return -1, (), 0
            position, cell, left = step_back(board, &meeting.forth[i], position, cell, left)
            path.insert(0, position)
        return 1, path_jumps(board, places, start, path), moves
    finally:
        leave(&meeting, &room)
        give_bits(&room)
        free(board)
