/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sum of the memory, one for each group: every thread adds up `length` elements, one of each
 * stretch that all threads read together, then the group adds up in local memory. Groups are powers
 * of two.
 */
KERNEL(NAME)
{
    LOCAL_WORDS
    LOCAL float *part = (LOCAL float *)local_words;
    GLOBAL const float *values = (GLOBAL const float *)memory;
    const U32 threads = THREADS;
    const U64 begin = COUNTER;
    U32 at = NUMBER;
    float sum = 0.0f;
    ROLLED
    for (U32 trip = 0; trip < length; trip++) {
        sum += values[at];
        at += threads;
    }
    part[THREAD] = sum;
    BARRIER;
    ROLLED
    for (U32 rest = GROUP_SIZE / 2u; rest > 0u; rest /= 2u) {
        if (THREAD < rest)
            part[THREAD] += part[THREAD + rest];
        BARRIER;
    }
    if (THREAD == 0u)
        ((GLOBAL float *)sink)[GROUP] = part[0];
    const U64 end = COUNTER;
    STAMP(begin, end)
}
