/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * y = A * x for a sparse matrix in CSR form: row r has the elements first[r] to first[r + 1] - 1. A
 * thread per row, whose threads diverge where rows differ in length, or a warp per row.
 */
extern "C" __global__ void spmv_thread(int rows, const int *first, const int *columns,
                                       const float *values, const float *x, float *y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;

    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = first[row]; i < first[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

extern "C" __global__ void spmv_warp(int rows, const int *first, const int *columns,
                                     const float *values, const float *x, float *y)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;

    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = first[row] + lane; i < first[row + 1]; i += 32)
        sum += values[i] * x[columns[i]];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        y[row] = sum;
}
