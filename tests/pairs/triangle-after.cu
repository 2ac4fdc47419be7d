// SPDX-License-Identifier: BSD-3-Clause
// Row sums of a lower triangle, a long and a short row by each warp.
extern "C" __global__ void triangle(const float *in, float *out, int columns)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, rows = blockDim.x / 16;
    for (int turn = 0; turn < 2; turn++) {
        int row = turn ? rows - 1 - warp : warp;
        float sum = 0;
        for (int column = 0; column < (row + 1) * columns; column++)
            sum = sum * in[lane] + row;
        out[(blockIdx.x * rows + row) * 32 + lane] = sum;
    }
}
