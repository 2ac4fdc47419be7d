// SPDX-License-Identifier: BSD-3-Clause
// Sums over tiles of a matrix whose rows a group of 32 by 8 threads owns: each tile is loaded by columns, threads of a warp
// a row apart, and then read with threads a row of the tile apart, all from one bank.

extern "C" __global__ void tiled_sum(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][32];
    int row = blockIdx.x * 32 + threadIdx.x;
    float total = 0;
    for (int column = 0; column < width; column += 32) {
        for (int i = threadIdx.y; i < 32; i += 8)
            tile[i][threadIdx.x] = in[row * width + column + i];
        __syncthreads();
        for (int i = threadIdx.y; i < 32; i += 8)
            total += tile[threadIdx.x][i] * tile[threadIdx.x][31 - i];
        __syncthreads();
    }
    out[row * 8 + threadIdx.y] = total;
}
