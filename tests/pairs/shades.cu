// SPDX-License-Identifier: BSD-3-Clause
// How often each shade is in a picture.

extern "C" __global__ void shades(const unsigned *picture, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[picture[i] & 63], 1u);
}
