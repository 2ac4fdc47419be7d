// SPDX-License-Identifier: BSD-3-Clause
// Dot products, a group of one thread each.
extern "C" __global__ void dot(const float *a, const float *b, float *c, int length, int n)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    float sum = 0;
    for (int i = 0; i < length; i++)
        sum += a[k * length + i] * b[k * length + i];
    c[k] = sum;
}
