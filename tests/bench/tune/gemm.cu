/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * c = a * b for square matrices by rows, whose size is a multiple of TILE: a group computes TILE by
 * TILE elements, each thread WORK by WORK of them in registers, from DEPTH columns of a and rows of
 * b in shared memory at a time, whose rows are PAD elements longer than they have to be.
 */
#define THREADS (TILE / WORK)

extern "C" __global__ void __launch_bounds__(THREADS *THREADS)
    gemm(int size, const float *a, const float *b, float *c)
{
    __shared__ float a_tile[DEPTH][TILE + PAD], b_tile[DEPTH][TILE + PAD];
    const int x = threadIdx.x, y = threadIdx.y, thread = y * THREADS + x;
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    constexpr int unrolled = UNROLL; /* the pragma knows no macros */
    float sum[WORK][WORK] = {};

    for (int start = 0; start < size; start += DEPTH) {
        for (int i = thread; i < TILE * DEPTH; i += THREADS * THREADS) {
            a_tile[i % DEPTH][i / DEPTH] = a[(row + i / DEPTH) * size + start + i % DEPTH];
            b_tile[i / TILE][i % TILE] = b[(start + i / TILE) * size + column + i % TILE];
        }
        __syncthreads();
#pragma unroll unrolled
        for (int d = 0; d < DEPTH; d++) {
            float left[WORK], right[WORK];
            for (int i = 0; i < WORK; i++) {
                left[i] = a_tile[d][y + THREADS * i];
                right[i] = b_tile[d][x + THREADS * i];
            }
            for (int i = 0; i < WORK; i++)
                for (int j = 0; j < WORK; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < WORK; i++)
        for (int j = 0; j < WORK; j++)
            c[(row + y + THREADS * i) * size + column + x + THREADS * j] = sum[i][j];
}
