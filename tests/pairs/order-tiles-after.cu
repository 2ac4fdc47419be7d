// SPDX-License-Identifier: BSD-3-Clause
/* The same, with the next tile under way, in registers, while the group works on this one. */
#define TILE 16

extern "C" __global__ void tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float next_a = a[row * n + x], next_b = b[y * n + column];
    float sum = 0;
#pragma unroll 1
    for (int start = 0; start < n; start += TILE) {
        const int next = start + TILE < n ? start + TILE : start;
        tile_a[y][x] = next_a;
        tile_b[y][x] = next_b;
        next_a = a[row * n + next + x];
        next_b = b[(next + y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
