/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations and bytes in a chosen proportion: in each trip every thread loads four independent
 * elements, and each goes through FMAS multiply-adds before it is added up.
 */
#define FMA(i) OP_fmadd(v##i, v##i)
#define STEP FMA(0) FMA(1) FMA(2) FMA(3)
#define S0
#define S128 S64 S64
#define S256 S128 S128
#define GET(i) float v##i = MEMORY_AT(values, at + i##u * threads);

KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 threads = THREADS, span = elements / (4u * threads), zero = OPAQUE_ZERO;
    const float a = FROM_f(1u + zero), b = FROM_f(zero);
    GLOBAL const float *values = (GLOBAL const float *)memory;
    U32 at = NUMBER, trip = 0;
    float sum = FROM_f(zero);
    if (span == 0)
        return;
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        GET(0) GET(1) GET(2) GET(3) FMAS sum += v0;
        sum += v1;
        sum += v2;
        sum += v3;
        trip++;
        at = trip == span ? NUMBER : at + 4u * threads;
        trip = trip == span ? 0 : trip;
    }
    const U64 end = COUNTER;
    if (IS_f(sum, 123456789u))
        sink[NUMBER] = step + (U32)(IS_f(a, 5u) | IS_f(b, 6u));
    STAMP(begin, end)
}
