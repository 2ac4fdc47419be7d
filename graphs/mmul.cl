/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Product of two square matrices, c = a * b, all stored by rows. Groups are TILE by TILE
 * work-items; each computes a tile of c from tiles of a and b that it holds in local memory.
 * The size is a multiple of TILE.
 *
 * The graphs mmul08 (TILE 8) and mmul16 (TILE 16) describe the loop and the last store, and
 * refer to the lines of this file. "unroll 1" keeps the outer loop rolled, as in the graphs.
 */
#ifndef TILE
#define TILE 8
#endif

__kernel void mmul(__global const float *a, __global const float *b, __global float *c, int size)
{
    __local float a_tile[TILE][TILE];
    __local float b_tile[TILE][TILE];
    const int row = get_global_id(1);
    const int column = get_global_id(0);
    const int i = get_local_id(1);
    const int j = get_local_id(0);
    float sum = 0.0f;

#pragma unroll 1
    for (int start = 0; start < size; start += TILE) {
        a_tile[i][j] = a[row * size + start + j];
        b_tile[i][j] = b[(start + i) * size + column];
        barrier(CLK_LOCAL_MEM_FENCE); /* both tiles are there */
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a_tile[i][k] * b_tile[k][j];
        barrier(CLK_LOCAL_MEM_FENCE); /* nobody needs the tiles any more */
    }
    c[row * size + column] = sum;
}
