// SPDX-License-Identifier: BSD-3-Clause
// out = matrix * in, a thread for each row of a matrix that is stored by columns.

extern "C" __global__ void weights(const float *matrix, const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int column = 0; column < columns; column++)
        sum += matrix[column * rows + row] * in[column];
    out[row] = sum;
}
