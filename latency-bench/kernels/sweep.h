/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a buffer once, as a whole, so that caches of half its size hold nothing else afterwards.
 * Reads, since what was written would have to be written back while something is measured.
 */
KERNEL(NAME)
{
    LOCAL_WORDS
    U32 sum = OPAQUE_ZERO;
    ROLLED
    for (U32 at = NUMBER; at < elements; at += THREADS)
        sum += MEMORY_AT(memory, at);
    if (sum == 123456789u)
        sink[NUMBER] = sum + step;
}
