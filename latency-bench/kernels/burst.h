/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A burst of ILP special functions of one warp, which need nothing of each other: the counter is
 * read before the first issues and after the last has. Then a chain of multiply-adds lets the unit
 * come to an end, so that the next burst finds it idle. The times are those of the bursts alone.
 */
#define START(i) float x##i = FROM_f(1u + i + LANE + zero);
#define ISSUE(i) OP_exp2(x##i, x##i)
#define REACHED(i) IS_f(x##i, 123456789u)
#define STEP OP_fmadd(y, y)

KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 zero = OPAQUE_ZERO;
    const float a = FROM_f(1u + zero), b = FROM_f(zero);
    float y = FROM_f(LANE + zero);
    U64 sum = 0;
    EACH(START)
    BARRIER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        const U64 begin = COUNTER;
        EACH(ISSUE)
        const U64 end = COUNTER;
        sum += end - begin;
        TRIP
    }
    if ((ALL(REACHED)) & IS_f(y, 987654321u))
        sink[NUMBER] = step + elements;
    STAMP(0, sum)
}
