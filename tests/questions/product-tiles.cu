// SPDX-License-Identifier: BSD-3-Clause
// A product of square matrices from tiles of 16 x 16 in shared memory, an element a thread.
extern "C" __global__ void product(float *c, const float *a, const float *b, int side)
{
    const int x = threadIdx.x, y = threadIdx.y, first = side * 16 * blockIdx.y;
    float sum = 0;
    for (int at = first, below = 16 * blockIdx.x; at < first + side; at += 16, below += 16 * side) {
        __shared__ float part_a[16][16], part_b[16][16];
        part_a[y][x] = a[at + side * y + x];
        part_b[y][x] = b[below + side * y + x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k)
            sum += part_a[y][k] * part_b[k][x];
        __syncthreads();
    }
    c[side * 16 * blockIdx.y + 16 * blockIdx.x + side * y + x] = sum;
}
