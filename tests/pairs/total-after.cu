// SPDX-License-Identifier: BSD-3-Clause
// What all values add up to: each thread adds its own, each warp these, and each group adds to the sum once.

extern "C" __global__ void total(const float *in, float *sum, int n)
{
    __shared__ float of_group;
    if (threadIdx.x == 0)
        of_group = 0;
    __syncthreads();
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        own += in[i];
    for (int step = 16; step > 0; step /= 2)
        own += __shfl_down_sync(~0u, own, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&of_group, own);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, of_group);
}
