/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c = a * b for square matrices by rows, with asynchronous copies (sm_80): while a tile of 16 by 16
 * is multiplied, the next one is copied to the other of two buffers in shared memory. Threads with
 * an even x copy 8 bytes of a, the others 8 bytes of b. The size is a multiple of 16.
 */
#include <cuda_pipeline_primitives.h>

#define TILE 16

extern "C" __global__ void gemm_async(const float *a, const float *b, float *c, int size)
{
    __shared__ __align__(16) float a_tile[2][TILE][TILE];
    __shared__ __align__(16) float b_tile[2][TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE;
    const int pair = x / 2 * 2;
    float sum = 0.0f;

    for (int step = 0; step <= size / TILE; step++) {
        const int fill = step % 2;
        if (step < size / TILE) {
            if (x % 2 == 0)
                __pipeline_memcpy_async(&a_tile[fill][y][pair], &a[row * size + step * TILE + pair],
                                        8);
            else
                __pipeline_memcpy_async(&b_tile[fill][y][pair],
                                        &b[(step * TILE + y) * size + column + pair], 8);
        }
        __pipeline_commit();
        if (step == 0)
            continue;
        __pipeline_wait_prior(1); /* all but the copies just started */
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a_tile[1 - fill][y][k] * b_tile[1 - fill][k][x];
        __syncthreads();
    }
    c[row * size + column + x] = sum;
}
