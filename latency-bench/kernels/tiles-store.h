/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stores to matrix C as the matrix multiplication makes them, of tiles of TILE elements in each
 * direction, in the order of the loads of B (tiles.h): TILE rows further down each time, and at the
 * end of a column of tiles on top of the next one to the right. Nothing waits. TRIP is S16. It
 * comes after each.h and tiles.h.
 */
#define DECLARE(i) U32 x##i = START(i);
#define ADVANCE(i)                                                                                 \
    MEMORY_AT(memory, x##i) = k;                                                                   \
    x##i += TILE * ORDER;
#define TURN(i) x##i = x##i % (ORDER * ORDER) / ORDER * ORDER + (x##i + TILE) % ORDER;
#define REACHED(i) (x##i == 123456789u)
#define STEP EACH(ADVANCE)

KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 zero = OPAQUE_ZERO;
    EACH(DECLARE)
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        TRIP if ((k + 1u) % (TILES / 16u) == 0)
        {
            EACH(TURN)
        }
    }
    const U64 end = COUNTER;
    if (ALL(REACHED))
        sink[NUMBER] = step + elements;
    STAMP(begin, end)
}
