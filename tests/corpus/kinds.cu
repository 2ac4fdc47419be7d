/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups that have more to do than others: those of the first half of a grid, and those further
 * down a triangle.
 */

/* Iterates x = a * x + b for each element: ten times as often in the first half of the groups. */
extern "C" __global__ void halves(int n, int times, float a, float b, float *values)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (blockIdx.x < gridDim.x / 2)
        times *= 10;
    if (i >= n)
        return;
    float x = values[i];
#pragma unroll 1
    for (int k = 0; k < times; k++)
        x = a * x + b;
    values[i] = x;
}

/* Sums along columns, of x as rows of one group each, down to the group's own row. */
extern "C" __global__ void triangle(int n, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    float sum = 0.0f;
#pragma unroll 1
    for (int row = 0; row <= blockIdx.x; row++)
        sum += x[row * blockDim.x + threadIdx.x];
    y[i] = sum;
}
