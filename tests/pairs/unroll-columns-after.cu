// SPDX-License-Identifier: BSD-3-Clause
/* The sum of each column, one column a thread. Four loads are under way at once. */
extern "C" __global__ void column_sum(const float *in, float *out, int height, int width)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 4
    for (int row = 0; row < height; row++)
        sum += in[row * width + column];
    out[column] = sum;
}
