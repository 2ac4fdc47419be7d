// SPDX-License-Identifier: BSD-3-Clause
// What all values add up to.

extern "C" __global__ void total(const float *in, float *sum, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(sum, in[i]);
}
