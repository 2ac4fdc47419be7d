// SPDX-License-Identifier: BSD-3-Clause
// A sum weighted by the number of the sample.
extern "C" __global__ void weighted(const float *x, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i], sum = 0;
    for (int k = 0; k < steps; k++)
        sum += a * (float)k;
    out[i] = sum;
}
