/* SPDX-License-Identifier: BSD-3-Clause */
/* y = a * x + y, one element per thread; the last group is not full. */

extern "C" __global__ void saxpy(int n, float a, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = a * x[i] + y[i];
}
