// SPDX-License-Identifier: BSD-3-Clause
// sum[r] = what row r of the matrix adds up to, a thread for each row: the matrix is stored by columns, so at each
// step threads of a warp load neighbours.

extern "C" __global__ void rows(const float *matrix, float *sum, int width, int height)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height)
        return;
    float total = 0;
    for (int column = 0; column < width; column++)
        total += matrix[column * height + row];
    sum[row] = total;
}
