/* The masks of the course. They are constants of C, since a 64-bit number that Cython does not know to be typed becomes
   a Python object in the hot loop, and unsigned, since the top bit is cell 63 and not a sign. */

#ifndef DND_COURSE_H
#define DND_COURSE_H

#include <stdint.h>

#define DND_COLUMN_0 UINT64_C(0x0101010101010101)    /* the outer columns, */
#define DND_COLUMN_7 UINT64_C(0x8080808080808080)    /* which a sideways shift must not leave */
#define DND_ROOM UINT64_C(0x0000000000070707)        /* the 3x3 square at cell 0 */

#endif
