// SPDX-License-Identifier: BSD-3-Clause
// Sums of the columns of a matrix. A warp takes a column, so its lanes read rows apart; or a group takes 32
// columns, and its warps take rows in turn.
extern "C" __global__ void by_warp(float *sums, const float *matrix, int rows, int columns)
{
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (column >= columns)
        return;
    float sum = 0;
    for (int row = lane; row < rows; row += 32)
        sum += matrix[row * columns + column];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (lane == 0)
        sums[column] += sum;
}

extern "C" __global__ void by_tile(float *sums, const float *matrix, int rows, int columns)
{
    extern __shared__ float partial[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const float *from = matrix + blockIdx.x * 32 + lane;
    float sum = 0;
    for (int row = warp; row < rows; row += warps)
        sum += from[row * columns];
    partial[threadIdx.x] = sum;
    __syncthreads();
    if (warp > 0)
        return;
    sum = 0;
    for (int i = 0; i < warps; i++)
        sum += partial[lane + i * 32];
    sums[blockIdx.x * 32 + lane] += sum;
}
