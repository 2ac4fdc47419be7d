/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel of all chains. What comes before it says
 *
 *     NAME               of the kernel
 *     ILP, EACH, ALL     chains, as each.h has them
 *     TRIP               the steps of one trip: S1 to S64
 *     OP, TYPE, FROM, IS what a step is, on what, as the prelude has it
 *     PAIRS              if a step is of two values, x and y
 *     TWO_CHAINS         if these have a chain each
 *     SETUP              what is to be done before; empty for arithmetic
 *     START(i)           what chain i starts from
 *     WORDS              that one access of memory moves: 1, 2 or 4
 *
 * A load of several words leaves in `rest` those that lead nowhere, so that none is left out.
 *
 * Each x is compared for itself: of two values of which a compiler knows that they differ it knows,
 * too, that they are not both the same, and removes the comparison, and then what led to it.
 */
#ifdef PAIRS
#define DECLARE(i) TYPE x##i = START(i), y##i = FROM(i + 1u + zero);
#else
#define DECLARE(i) TYPE x##i = START(i);
#endif
#define ADVANCE(i) OP(x##i, y##i)
#ifdef TWO_CHAINS
#define REACHED(i) (IS(x##i, 123456789u) & IS(y##i, 987654321u))
#else
#define REACHED(i) IS(x##i, 123456789u)
#endif
#define STEP EACH(ADVANCE)

KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 zero = OPAQUE_ZERO;
    const TYPE a = FROM(1u + zero), b = FROM(zero), c = FROM(5u + zero), d = FROM(9u + zero);
    SETUP
    EACH(DECLARE)
    U32 rest = zero;
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        TRIP
    }
    const U64 end = COUNTER;
    if ((ALL(REACHED)) & (rest == 987654321u))
        sink[NUMBER] = step + elements + (U32)(IS(a, 0) & IS(b, 1) & IS(c, 2) & IS(d, 3));
    STAMP(begin, end)
}
