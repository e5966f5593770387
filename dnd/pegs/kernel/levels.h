/* What `levels_c.pyx` takes from the system and from the processor. */

#ifndef DND_LEVELS_H
#define DND_LEVELS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON /* its older name, on macOS */
#endif

/* So many bytes of zeros, page by page when they are first touched; NULL if there are none to be had.
 *
 * From 4 MB on, pages of 2 MB are asked for: tables are looked into all over, and the processor remembers where few
 * pages are. */
static void *map_pages(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= (size_t)1 << 22)
        madvise(pages, bytes, MADV_HUGEPAGE);
#endif
    return pages;
}

/* The least of eight words, each exclusive or with another: the number of a child's bit.
 *
 *     images  a0 a1 a2 a3 | a4 a5 a6 a7        xor
 *     line    b0 b1 b2 b3 | b4 b5 b6 b7        then the least of the two halves, of their halves, of the last two
 *
 * Compilers do not find the four-lane minimum by themselves; SSE 4.1 has it. */
#ifdef __SSE4_1__
#include <smmintrin.h>
static inline uint32_t bit_beside(const uint32_t *images, const uint32_t *line)
{
    const __m128i *a = (const __m128i *)images, *b = (const __m128i *)line;
    __m128i least = _mm_min_epu32(_mm_xor_si128(_mm_loadu_si128(a), _mm_loadu_si128(b)),
                                  _mm_xor_si128(_mm_loadu_si128(a + 1), _mm_loadu_si128(b + 1)));
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0x4E)); /* lanes 2 3 0 1 */
    least = _mm_min_epu32(least, _mm_shuffle_epi32(least, 0xB1)); /* lanes 1 0 3 2 */
    return (uint32_t)_mm_cvtsi128_si32(least);
}
#else
static inline uint32_t bit_beside(const uint32_t *images, const uint32_t *line)
{
    uint32_t least = images[0] ^ line[0];
    for (int i = 1; i < 8; i++)
        least = (images[i] ^ line[i]) < least ? images[i] ^ line[i] : least;
    return least;
}
#endif

#endif
