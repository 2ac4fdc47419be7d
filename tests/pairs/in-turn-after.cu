// SPDX-License-Identifier: BSD-3-Clause
// Warps take tiles of so many steps in turn: 72 tiles are nine for each of eight warps.
#define STEPS 64
extern "C" __global__ void tiles(float *x, float a, float b, int steps)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    float sum = x[lane];
    for (int tile = warp; tile < steps / STEPS; tile += warps)
#pragma unroll 4
        for (int step = 0; step < STEPS; step++)
            sum = sum * a + b;
    x[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
