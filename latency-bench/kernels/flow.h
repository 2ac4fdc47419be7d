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
 *     APART   each thread of a warp loads a word so many words behind the one before it, at least 32:
 *             from a line of its own
 *     SPREAD  words lie so far apart: at least 32, so that each load of a thread is of another line
 *     PAIR    each load comes with one of local memory, of words that hold their own addresses
 *     COPY    what is loaded is stored: from the first half of the buffer to the second
 */
#ifndef SPREAD
#define SPREAD 1u
#endif
#if defined(SAME) || defined(APART)
#define UNIT U32
#define UNIT_WORDS 1u
#define USE(i) sum += v##i;
#elif SPREAD > 1
#define UNIT U32
#define UNIT_WORDS SPREAD
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
#define PLACE(i) ((i) + APART * LANE)
#else
#define PLACE(i) ((i)*GROUP_SIZE + THREAD)
#endif
#define DECLARE(i) const U32 place##i = PLACE(i) % units;
#define GET(i) const UNIT v##i = MEMORY_AT(values, SPREAD * (at + place##i));
#ifdef PAIR
#define BESIDE(i) U32 beside##i = LOCAL_ADDRESS(THREAD + zero);
#define GET_BESIDE(i) OP_local_load(beside##i, 0)
#define USE_BESIDE(i) sum += beside##i;
#else
#define BESIDE(i)
#define GET_BESIDE(i)
#define USE_BESIDE(i)
#endif
#define GET_BOTH(i) GET(i) GET_BESIDE(i)

KERNEL(NAME)
{
    LOCAL_WORDS
    GLOBAL UNIT *values = (GLOBAL UNIT *)memory;
    const U32 units = elements / UNIT_WORDS / PARTS, tile = ILP * GROUP_SIZE, tiles = units / tile,
              span = tiles > GROUPS ? (tiles - 1u) / GROUPS * GROUPS + 1u
                     : tiles > 0u   ? tiles
                                    : 1u,
              stride = (tiles > GROUPS ? GROUPS : 1u) % span * tile;
    const U32 zero = OPAQUE_ZERO;
    U32 at = GROUP % span * tile, sum = zero;
#ifdef PAIR
    local_words[THREAD + zero] = LOCAL_ADDRESS(THREAD + zero);
#endif
    EACH(BESIDE)
    EACH(DECLARE)
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        EACH(GET_BOTH)
        EACH(USE)
        at += stride;
        at = at >= span * tile ? at - span * tile : at;
    }
    const U64 end = COUNTER;
    EACH(USE_BESIDE)
    if (sum == 123456789u)
        sink[NUMBER] = sum + step;
    STAMP(begin, end)
}
