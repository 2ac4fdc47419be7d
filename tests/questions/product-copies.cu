// SPDX-License-Identifier: BSD-3-Clause
// A product by tiles of 16 x 16 that a quarter of the threads copy past the registers, 16 bytes each: one tile at a time,
// or up to four ahead. As in what was asked, both tiles come from the places of the first matrix's.
#include <cuda_pipeline.h>

enum { SIDE = 16, STAGES = 4 };

extern "C" __global__ void one_stage(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b,
                                     int n, int columns)
{
    __shared__ __align__(16) float of_a[SIDE][SIDE], of_b[SIDE][SIDE];
    const int x = threadIdx.x, y = threadIdx.y, first = n * SIDE * blockIdx.y;
    float sum = 0;
    for (int at = first; at <= first + n - 1; at += SIDE) {
        if (4 * x < SIDE) {
            __pipeline_memcpy_async(&of_a[y][4 * x], &a[at + n * y + 4 * x], 16);
            __pipeline_memcpy_async(&of_b[y][4 * x], &b[at + n * y + 4 * x], 16);
            __pipeline_commit();
            __pipeline_wait_prior(0);
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SIDE; ++k)
            sum += of_a[y][k] * of_b[k][x];
        __syncthreads();
    }
    c[columns * SIDE * blockIdx.y + SIDE * blockIdx.x + columns * y + x] = sum;
}

extern "C" __global__ void stages(float *__restrict__ c, const float *__restrict__ a, const float *__restrict__ b, int n,
                                  int columns)
{
    __shared__ __align__(16) float of_a[STAGES][SIDE][SIDE], of_b[STAGES][SIDE][SIDE];
    const int x = threadIdx.x, y = threadIdx.y, first = n * SIDE * blockIdx.y, last = first + n - 1;
    float sum = 0;
    for (int at = first, ahead = first, i = 0, stage = 0; at <= last; at += SIDE, ++i) {
        for (; ahead <= at + SIDE * STAGES; ahead += SIDE, ++stage) {
            if (ahead <= last && 4 * x < SIDE) {
                __pipeline_memcpy_async(&of_a[stage % STAGES][y][4 * x], &a[ahead + n * y + 4 * x], 16);
                __pipeline_memcpy_async(&of_b[stage % STAGES][y][4 * x], &b[ahead + n * y + 4 * x], 16);
            }
            __pipeline_commit();
        }
        __pipeline_wait_prior(STAGES);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SIDE; ++k)
            sum += of_a[i % STAGES][y][k] * of_b[i % STAGES][k][x];
    }
    c[columns * SIDE * blockIdx.y + SIDE * blockIdx.x + columns * y + x] = sum;
}
