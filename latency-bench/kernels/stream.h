/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Through a buffer, one aligned access of all threads after the other: in each trip every thread
 * has ILP independent words, and a launch goes through the buffer from its start to its end, again
 * and again. WRITES: WORDS words are written at once, 1, 2 or 4; else single ones are read and
 * added up, so that the next trip waits for them. It comes after each.h.
 */
#if WORDS == 2
#define UNIT U32X2
#define FILL value.x = value.y = k;
#elif WORDS == 4
#define UNIT U32X4
#define FILL value.x = value.y = value.z = value.w = k;
#else
#define UNIT U32
#define FILL value = k;
#endif
#ifdef WRITES
#define GET(i)
#define USE(i)                                                                                     \
    {                                                                                              \
        UNIT value;                                                                                \
        FILL MEMORY_AT(units, at + i * threads) = value;                                           \
    }
#else
#define GET(i) const U32 v##i = MEMORY_AT(units, at + i * threads);
#define USE(i) sum += v##i;
#endif

KERNEL(NAME)
{
    LOCAL_WORDS
    GLOBAL UNIT *units = (GLOBAL UNIT *)memory;
    const U32 threads = THREADS, span = elements / (WORDS * ILP * threads);
    U32 at = NUMBER, trip = 0, sum = OPAQUE_ZERO;
    if (span == 0)
        return;
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        EACH(GET)
        EACH(USE)
        trip++;
        at = trip == span ? NUMBER : at + ILP * threads;
        trip = trip == span ? 0 : trip;
    }
    const U64 end = COUNTER;
    if (sum == 123456789u)
        sink[NUMBER] = sum + step;
    STAMP(begin, end)
}
