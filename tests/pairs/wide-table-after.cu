// SPDX-License-Identifier: BSD-3-Clause
// A walk through a table by numbers of 32 bits.
extern "C" __global__ void walk(const float *table, float *out, int pitch, int mask, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < steps; k++)
        sum += table[(i + k * k * pitch) & mask];
    out[i] = sum;
}
