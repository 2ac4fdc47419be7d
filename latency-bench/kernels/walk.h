/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A walk through a ring of lines of memory in random order: each link is a load of where the next
 * line is. The size of the ring decides which level of memory serves it. Before the time begins the
 * walk goes `step` links, so that caches hold what they can of a ring of so many lines. Each launch
 * goes on where the one before ended (the second word of the first line says where that was), so
 * that of a ring that is walked in parts no line is met again before all others were.
 */
#define STEP OP_link(x)

KERNEL(NAME)
{
    LOCAL_WORDS
    GLOBAL U64 *place = (GLOBAL U64 *)memory + 1;
    U64 x = *place;
    ROLLED
    for (U32 k = 0; k < step; k++) {
        OP_link(x)
    }
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        TRIP
    }
    const U64 end = COUNTER;
    if (NUMBER == 0)
        *place = x;
    if (x == 123456789u)
        sink[NUMBER] = elements;
    STAMP(begin, end)
}
