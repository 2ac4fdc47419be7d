/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Through a buffer, one aligned access of all threads after the other: in each trip every thread
 * has ILP independent words, and a launch goes through the buffer from its start to its end, again
 * and again. WRITES: words are written; else they are read and added up, so that the next trip
 * waits for them. It comes after each.h.
 */
#ifdef WRITES
#define GET(i)
#define USE(i) MEMORY_AT(memory, at + i * threads) = k;
#else
#define GET(i) const U32 v##i = MEMORY_AT(memory, at + i * threads);
#define USE(i) sum += v##i;
#endif

KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 threads = THREADS, span = elements / (ILP * threads);
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
