// SPDX-License-Identifier: BSD-3-Clause
// Each group of 32 by 8 threads weighs a tile of 32 by 32 elements again and again, threads of a warp a row of the tile
// apart, all at one bank, and stores it by columns, threads of a warp a row of the matrix apart.

extern "C" __global__ void scatter_tile(const float *in, float *out, int width, int steps)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32, y = blockIdx.y * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        tile[i][threadIdx.x] = in[(y + i) * width + x + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8) {
        float sum = 0;
        for (int k = 0; k < steps; k++)
            sum += tile[threadIdx.x][(i + k) % 32] * (k + 1);
        out[(y + threadIdx.x) * width + x + i] = sum;
    }
}
