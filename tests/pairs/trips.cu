// SPDX-License-Identifier: BSD-3-Clause
// Each thread sums a row of a lower triangle: those of a warp are of many lengths.
extern "C" __global__ void rows(const int *length, float *sum, float q)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int n = 64 * (threadIdx.x % 32 + 1);
    float term = 1.0f + i, total = length[i];
    for (int k = 0; k < n; k++)
        total = total * q + term;
    sum[i] = total;
}
