// SPDX-License-Identifier: BSD-3-Clause
// How often each shade is in a picture, in shared memory first: a group adds each bin once.

extern "C" __global__ void two_shades(const unsigned *picture, unsigned *bins, int n)
{
    __shared__ unsigned own[2048];
    for (int bin = threadIdx.x; bin < 2048; bin += blockDim.x)
        own[bin] = 0;
    __syncthreads();
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[picture[i] & 255 ? picture[i] >> 21 : 0], 1u);
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[picture[i] & 255 ? picture[i] >> 21 : 0], 2u);
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[picture[i] & 255 ? picture[i] >> 21 : 0], 3u);
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[picture[i] & 255 ? picture[i] >> 21 : 0], 4u);
    __syncthreads();
    for (int bin = threadIdx.x; bin < 2048; bin += blockDim.x)
        atomicAdd(&bins[bin], own[bin]);
}
