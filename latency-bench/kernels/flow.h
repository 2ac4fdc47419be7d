/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads through a buffer that all groups read, again and again: ILP vectors of 16 bytes per thread
 * and trip, side by side. Groups go from tile to tile in steps of their number, which has no
 * divisor in common with that of the tiles: so each group meets all of the buffer before it meets a
 * tile again, and whether a cache holds the buffer decides about all loads alike. Of fewer tiles
 * than groups each group meets one after the other; of a buffer that is no whole tile all read what
 * there is of it.
 *
 *     SAME    all threads of a warp load the same word
 *     APART   each thread of a warp loads a word from a line of its own
 *     COPY    what is loaded is stored: from the first half of the buffer to the second
 */
#if defined(SAME) || defined(APART)
#define UNIT U32
#define UNIT_WORDS 1u
#define USE(i) sum += v##i;
#elif defined(COPY)
#define UNIT U32X4
#define UNIT_WORDS 4u
#define USE(i) MEMORY_AT(values, at + units + place##i) = v##i;
#else
#define UNIT U32X4
#define UNIT_WORDS 4u
#define USE(i) sum += v##i.x ^ v##i.y ^ v##i.z ^ v##i.w;
#endif
#ifdef COPY
#define PARTS 2u
#else
#define PARTS 1u
#endif
#ifdef SAME
#define PLACE(i) ((i)*GROUP_SIZE + THREAD - LANE)
#elif defined(APART)
#define PLACE(i) ((i) + 32u * LANE)
#else
#define PLACE(i) ((i)*GROUP_SIZE + THREAD)
#endif
#define DECLARE(i) const U32 place##i = PLACE(i) % units;
#define GET(i) const UNIT v##i = MEMORY_AT(values, at + place##i);

KERNEL(NAME)
{
    LOCAL_WORDS
    GLOBAL UNIT *values = (GLOBAL UNIT *)memory;
    const U32 units = elements / UNIT_WORDS / PARTS, tile = ILP * GROUP_SIZE, tiles = units / tile,
              span = tiles > GROUPS ? (tiles - 1u) / GROUPS * GROUPS + 1u
                     : tiles > 0u   ? tiles
                                    : 1u,
              stride = (tiles > GROUPS ? GROUPS : 1u) % span * tile;
    U32 at = GROUP % span * tile, sum = OPAQUE_ZERO;
    EACH(DECLARE)
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        EACH(GET)
        EACH(USE)
        at += stride;
        at = at >= span * tile ? at - span * tile : at;
    }
    const U64 end = COUNTER;
    if (sum == 123456789u)
        sink[NUMBER] = sum + step;
    STAMP(begin, end)
}
