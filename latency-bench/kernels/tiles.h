/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of loads through matrix A or B as the matrix multiplication in The Pipeline Performance
 * Model loads them (mmul08 and mmul16; section IV-C, Table III): every element holds the place of
 * the one that its thread loads next. What comes before says
 *
 *     TILE            8 or 16: threads of a group in each direction
 *     MATRIX_A        if it is A; else it is B
 *
 * Group g has the tile of block g of mmul, and so has its CU, which gets groups g, g + CUs, ...:
 * what its warps load at the same time is as far apart as there. Chain i is as if the launch were
 * larger: that of block i * GROUPS + g. The matrices are of order 1024.
 */
#define ORDER 1024u
#define TILES (ORDER / TILE)
#define BLOCK(i) ((i)*GROUPS + GROUP)
#ifdef MATRIX_A
#define ROW(i) ((BLOCK(i) / TILES * TILE + THREAD / TILE) % ORDER)
#define COLUMN(i) (THREAD % TILE)
#else
#define ROW(i) (THREAD / TILE)
#define COLUMN(i) ((BLOCK(i) * TILE + THREAD % TILE) % ORDER)
#endif
#define SETUP
#ifdef WRITES
#define START(i) (ROW(i) * ORDER + COLUMN(i) + zero)
#else
#define START(i) POINTER_TO(ROW(i) * ORDER + COLUMN(i) + zero)
#endif
