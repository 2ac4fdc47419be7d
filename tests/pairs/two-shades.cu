// SPDX-License-Identifier: BSD-3-Clause
// How often each shade is in a picture: four loops, each of which adds to the bins that the one before has touched.

extern "C" __global__ void two_shades(const unsigned *picture, unsigned *bins, int n)
{
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[picture[i] & 255 ? picture[i] >> 21 : 0], 1u);
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[picture[i] & 255 ? picture[i] >> 21 : 0], 2u);
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[picture[i] & 255 ? picture[i] >> 21 : 0], 3u);
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[picture[i] & 255 ? picture[i] >> 21 : 0], 4u);
}
