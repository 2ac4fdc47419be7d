/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transposes a matrix of `step` by `step` elements, which are the first of the memory, into those
 * behind it. Groups of 256 threads take tiles of 32 by 32, so that all accesses to device memory
 * are aligned. A tile's columns are read from local memory: with PITCH 32 the lanes of a warp all
 * meet in one bank, with 33 each has its own.
 */
KERNEL(NAME)
{
    LOCAL_WORDS
    LOCAL float *tile = (LOCAL float *)local_words;
    GLOBAL const float *from = (GLOBAL const float *)memory;
    GLOBAL float *to = (GLOBAL float *)memory + step * step;
    const U32 tiles = step / 32u, x = THREAD % 32u, y = THREAD / 32u;
    const U32 left = GROUP % tiles * 32u, top = GROUP / tiles * 32u;
    UNROLLED
    for (U32 j = 0; j < 32u; j += 8u)
        tile[(y + j) * PITCH + x] = from[(top + y + j) * step + left + x];
    BARRIER;
    UNROLLED
    for (U32 j = 0; j < 32u; j += 8u)
        to[(left + y + j) * step + top + x] = tile[x * PITCH + y + j];
}
