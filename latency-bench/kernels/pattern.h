/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The accesses to global memory of the matrix multiplication in The Pipeline Performance Model
 * (section IV-C, Table III): a warp loads from matrix A or B as in mmul08 and mmul16, and each load
 * needs the one before, since every element holds its own index. With WRITES it stores to C, which
 * is accessed like B, and nothing waits. What comes before says
 *
 *     TILE            8 or 16: threads of a group in each direction
 *     MATRIX_A        if it is A; else it is B
 *     TRIP            S16: steps of one trip
 *
 * Group g has the tile of block g of mmul, and so has its CU, which gets groups g, g + CUs, ...:
 * what its warps load at the same time is as far apart as there. Chain i is as if the launch were
 * larger: that of block i * GROUPS + g. As in mmul, a thread goes along a row of A, TILE elements
 * at a time, or down a column of B, TILE rows at a time. At its end it goes on in the next tile:
 * TILE rows below, or TILE columns to the right. The matrices are of order 1024. It comes after
 * each.h.
 */
#define ORDER 1024u
#define TILES (ORDER / TILE)
#define BLOCK(i) ((i)*GROUPS + GROUP)
#ifdef MATRIX_A
#define DELTA TILE
#define AT(row, column) ((row) % ORDER * ORDER + (column))
#define FIRST(i) AT(BLOCK(i) / TILES * TILE + THREAD / TILE, THREAD % TILE)
#define TURN(i) x##i = (x##i + (TILE - 1u) * ORDER) % (ORDER * ORDER);
#else
#define DELTA (TILE * ORDER)
#define AT(row, column) ((row)*ORDER + (column) % ORDER)
#define FIRST(i) AT(THREAD / TILE, BLOCK(i) * TILE + THREAD % TILE)
#define TURN(i) x##i = AT(x##i % (ORDER * ORDER) / ORDER, x##i + TILE);
#endif

#define DECLARE(i) U32 x##i = FIRST(i) + zero;
#ifdef WRITES
#define ADVANCE(i)                                                                                 \
    MEMORY_AT(memory, x##i) = k;                                                                   \
    x##i += DELTA;
#else
#define ADVANCE(i) x##i = MEMORY_AT(memory, x##i) + DELTA;
#endif
#define REACHED(i) (x##i == 123456789u)
#define STEP EACH(ADVANCE)

KERNEL(NAME)
{
    LOCAL_WORDS
    const U32 zero = OPAQUE_ZERO;
    EACH(DECLARE)
    BARRIER;
    const U64 begin = COUNTER;
    ROLLED
    for (U32 k = 0; k < length; k++) {
        TRIP if ((k + 1u) % (TILES / 16u) == 0)
        {
            EACH(TURN)
        }
    }
    const U64 end = COUNTER;
    if (ALL(REACHED))
        sink[NUMBER] = step + elements;
    STAMP(begin, end)
}
