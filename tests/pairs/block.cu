// SPDX-License-Identifier: BSD-3-Clause
// c = transposed a * b by rows: a group of 8 by 8 threads computes 64 by 64 elements, each thread 8 by 8 of them.
#define TILE 64
#define DEPTH 8

extern "C" __global__ void block(int n, int depth, const float *a, const float *b, float *c)
{
    __shared__ float left[DEPTH][TILE], right[DEPTH][TILE];
    int thread = threadIdx.y * 8 + threadIdx.x;
    int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    float sum[8][8] = {};
    for (int start = 0; start < depth; start += DEPTH) {
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            left[d][thread] = a[(start + d) * n + row + thread];
            right[d][thread] = b[(start + d) * n + column + thread];
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < DEPTH; d++)
#pragma unroll
            for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                    sum[i][j] += left[d][threadIdx.y * 8 + i] * right[d][threadIdx.x + 8 * j];
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            c[(row + threadIdx.y * 8 + i) * n + column + threadIdx.x + 8 * j] = sum[i][j];
}
