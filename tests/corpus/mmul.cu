/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Product of two square matrices, c = a * b, all stored by rows. Groups are TILE by TILE threads;
 * each computes a tile of c from tiles of a and b that it holds in shared memory. The size is a
 * multiple of TILE. This is graphs/mmul.cl in CUDA; mmul08.ptx has TILE 8, mmul16.ptx has TILE 16.
 */
#ifndef TILE
#define TILE 8
#endif

extern "C" __global__ void mmul(const float *a, const float *b, float *c, int size)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int column = blockIdx.x * TILE + threadIdx.x;
    const int i = threadIdx.y;
    const int j = threadIdx.x;
    float sum = 0.0f;

#pragma unroll 1
    for (int start = 0; start < size; start += TILE) {
        a_tile[i][j] = a[row * size + start + j];
        b_tile[i][j] = b[(start + i) * size + column];
        __syncthreads(); /* both tiles are there */
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a_tile[i][k] * b_tile[k][j];
        __syncthreads(); /* nobody needs the tiles any more */
    }
    c[row * size + column] = sum;
}
