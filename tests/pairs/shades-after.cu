// SPDX-License-Identifier: BSD-3-Clause
// How often each shade is in a picture: counted in each group, added up at its end.

extern "C" __global__ void shades(const unsigned *picture, unsigned *bins, int n)
{
    __shared__ unsigned own[64];
    if (threadIdx.x < 64)
        own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[picture[i] & 63], 1u);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
