// SPDX-License-Identifier: BSD-3-Clause
// Dot products of columns, a thread a column: lanes are a column apart.
extern "C" __global__ void dot(float *out, const float *x, const float *y, long long length, long long n)
{
    const long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    float sum = 0;
    for (long long i = 0; i < length; i++)
        sum += x[k * length + i] * y[k * length + i];
    out[k] = sum;
}
