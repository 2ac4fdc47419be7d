/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Half a step of red-black successive over-relaxation for Laplace's equation on a grid of n by n
 * points: points of one colour (0 or 1) move towards the mean of their four neighbours, which have
 * the other colour. The rim stays. Neighbouring threads have points of one colour, two apart in
 * memory.
 */
extern "C" __global__ void sor(int n, int colour, float omega, float *grid)
{
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + (y + colour) % 2;

    if (x >= n - 1 || y >= n - 1)
        return;
    const int i = y * n + x;
    const float mean = 0.25f * (grid[i - 1] + grid[i + 1] + grid[i - n] + grid[i + n]);
    grid[i] += omega * (mean - grid[i]);
}
