// SPDX-License-Identifier: BSD-3-Clause
// The same with a second counter, of float.
extern "C" __global__ void moment(const float *bins, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *own = bins + 128 * (blockIdx.x % 4);
    float sum = 0, number = 0;
    for (int k = 0; k < n; k++, number += 1.0f)
        sum += own[k] * number;
    out[i] = sum;
}
