// SPDX-License-Identifier: BSD-3-Clause
// A walk through a table by numbers of 64 bits.
extern "C" __global__ void walk(const float *table, float *out, long long pitch, long long mask, long long steps)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (long long k = 0; k < steps; k++)
        sum += table[(i + k * k * pitch) & mask];
    out[i] = sum;
}
