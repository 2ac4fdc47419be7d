// SPDX-License-Identifier: BSD-3-Clause
// c = transposed a * b by rows, in halves: a group of 8 by 8 threads computes 64 by 64 elements, each thread 8 by 8 of
// them, two at a time.
#include <cuda_fp16.h>

#define TILE 64
#define DEPTH 16

extern "C" __global__ void halves(int n, int depth, const half *a, const half2 *b, half2 *c)
{
    __shared__ half2 left[DEPTH][TILE], right[DEPTH][TILE / 2];
    int thread = threadIdx.y * 8 + threadIdx.x;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE / 2;
    half2 sum[8][4] = {};
    for (int start = 0; start < depth; start += DEPTH) {
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
            left[d][thread] = __half2half2(a[(start + d) * n + row + thread]);
#pragma unroll
        for (int d = 0; d < DEPTH; d += 2)
            right[d + thread / 32][thread % 32] =
                b[(start + d + thread / 32) * n / 2 + column + thread % 32];
        __syncthreads();
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] = __hfma2(left[d][threadIdx.y * 8 + i], right[d][threadIdx.x + 8 * j],
                                        sum[i][j]);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            c[(row + threadIdx.y * 8 + i) * n / 2 + column + threadIdx.x + 8 * j] = sum[i][j];
}
