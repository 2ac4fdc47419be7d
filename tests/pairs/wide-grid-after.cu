// SPDX-License-Identifier: BSD-3-Clause
// Neighbours in a grid that wraps around, with indices of 32 bits.
extern "C" __global__ void around(const float *grid, float *out, int width, int height, int steps)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < steps; k++) {
        int row = (k * 7) & (height - 1);
        sum += grid[row * width + (x + k)] - grid[row * width + x];
    }
    out[x] = sum;
}
