/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The product of two matrices of `step` by `step` elements with tiles in local memory, as Listing 1
 * of The Pipeline Performance Model does it (graphs/mmul.cl says it in OpenCL): a group makes a
 * tile of TILE by TILE elements, in `length` trips of a loop that stays rolled. Every launch that
 * counts has length = step / TILE.
 *
 * Tiles are volatile, so that each product takes two loads of one word, as in the graphs: a
 * compiler that knows wider loads merges those of four products.
 *
 * PITCH is how many words lie between rows of a tile. With CONFLICT the loads of the inner loop
 * take elements of one bank instead: lane j's are PITCH words apart, so that 8 lanes of a warp of
 * 32 meet in one bank (PITCH 32 with 8 columns, 16 with 16). The sums mean nothing then.
 */
#ifdef CONFLICT
#define LEFT(k) a_tile[j * PITCH + (k)]
#define RIGHT(k) b_tile[j * PITCH + (k)]
#else
#define LEFT(k) a_tile[i * PITCH + (k)]
#define RIGHT(k) b_tile[(k)*PITCH + j]
#endif

KERNEL(NAME)
{
    LOCAL_WORDS
    volatile LOCAL float *a_tile = (volatile LOCAL float *)local_words;
    volatile LOCAL float *b_tile = a_tile + TILE * PITCH;
    GLOBAL const float *a = (GLOBAL const float *)memory;
    GLOBAL const float *b = a + step * step;
    GLOBAL float *c = (GLOBAL float *)memory + 2u * step * step;
    const U32 tiles = step / TILE, i = THREAD / TILE, j = THREAD % TILE;
    const U32 row = GROUP / tiles * TILE + i, column = GROUP % tiles * TILE + j;
    const U64 begin = COUNTER;
    U32 at_a = row * step + j, at_b = i * step + column;
    float sum = 0.0f;
    ROLLED
    for (U32 trip = 0; trip < length; trip++) {
        a_tile[i * PITCH + j] = a[at_a];
        b_tile[i * PITCH + j] = b[at_b];
        BARRIER;
        UNROLLED
        for (U32 k = 0; k < TILE; k++)
            sum = FMA(LEFT(k), RIGHT(k), sum);
        BARRIER;
        at_a += TILE;
        at_b += TILE * step;
    }
    c[row * step + column] = sum;
    const U64 end = COUNTER;
    STAMP(begin, end)
}
