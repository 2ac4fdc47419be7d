/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c = alpha * a * b + beta * c for matrices by rows (a is m by k, b is k by n), register-blocked: a
 * group of 8 by 8 threads computes 32 by 32 elements, each thread 4 by 4 of them in registers. m
 * and n are multiples of 32, k is one of 8.
 */
#define TILE 32 /* rows and columns of c that a group computes */
#define DEPTH 8 /* columns of a and rows of b in shared memory at a time */
#define WORK 4  /* rows and columns of c that a thread computes */

extern "C" __global__ void gemm_registers(int m, int n, int k, float alpha, const float *a,
                                          const float *b, float beta, float *c)
{
    __shared__ float a_tile[DEPTH][TILE + 1]; /* transposed, padded against bank conflicts */
    __shared__ float b_tile[DEPTH][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int thread = y * 8 + x;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    float sum[WORK][WORK] = {};

    if (row >= m)
        return;
    for (int start = 0; start < k; start += DEPTH) {
#pragma unroll
        for (int i = thread; i < TILE * DEPTH; i += 64) {
            a_tile[i % DEPTH][i / DEPTH] = a[(row + i / DEPTH) * k + start + i % DEPTH];
            b_tile[i / TILE][i % TILE] = b[(start + i / TILE) * n + column + i % TILE];
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            float left[WORK], right[WORK];
#pragma unroll
            for (int i = 0; i < WORK; i++) {
                left[i] = a_tile[d][y * WORK + i];
                right[i] = b_tile[d][x + 8 * i];
            }
#pragma unroll
            for (int i = 0; i < WORK; i++)
#pragma unroll
                for (int j = 0; j < WORK; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < WORK; i++)
#pragma unroll
        for (int j = 0; j < WORK; j++) {
            float *to = &c[(row + y * WORK + i) * n + column + x + 8 * j];
            *to = alpha * sum[i][j] + beta * *to;
        }
}
