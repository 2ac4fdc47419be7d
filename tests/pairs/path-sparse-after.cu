// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix, whose rows' first values stand first, then their second ones, times a vector.
extern "C" __global__ void sparse(const float *value, const int *column, const float *__restrict__ vector, float *__restrict__ out, int each, int rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < each; i++)
        sum += value[i * rows + row] * vector[column[i * rows + row]];
    out[row] = sum;
}
