// SPDX-License-Identifier: BSD-3-Clause
// out = transpose of in (both of width columns and rows, a multiple of 32) by tiles that groups of 32 by 8 threads hold in
// shared memory. A warp reads a column of the tile: all of it from one bank.

extern "C" __global__ void turn(const float *in, float *out, int width)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        out[(y + i) * width + x] = tile[threadIdx.x][threadIdx.y + i];
}
