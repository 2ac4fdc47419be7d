/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Volkov's mix: in each trip one load, an addition that waits for it, and a chain of FMAS
 * multiply-adds that waits for the addition. The loop stays rolled, so a warp has one load under
 * way at a time, as it issues in program order.
 */
#define STEP OP_fmadd(x, x)
#define S0
#define S128 S64 S64
#define S256 S128 S128

KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 threads = THREADS, span = elements / threads, zero = OPAQUE_ZERO;
    const float a = FROM_f(1u + zero), b = FROM_f(zero);
    GLOBAL const float *values = (GLOBAL const float *)memory;
    U32 at = NUMBER, trip = 0;
    float x = FROM_f(zero);
    if (span == 0)
        return;
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        const float v = MEMORY_AT(values, at);
        x += v;
        FMAS trip++;
        at = trip == span ? NUMBER : at + threads;
        trip = trip == span ? 0 : trip;
    }
    const U64 end = COUNTER;
    if (IS_f(x, 123456789u))
        sink[NUMBER] = step + (U32)(IS_f(a, 5u) | IS_f(b, 6u));
    STAMP(begin, end)
}
