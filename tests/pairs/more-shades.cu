// SPDX-License-Identifier: BSD-3-Clause
// How often each shade is in a picture that is mostly black, where a loop loads all bins first: a shade seldom seen counts twice.

extern "C" __global__ void more_shades(const unsigned *picture, unsigned *bins, int n)
{
    unsigned seen = 0;
    for (int bin = threadIdx.x; bin < 4096; bin += blockDim.x)
        seen += bins[bin];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[picture[i] & 3 ? 0 : picture[i] >> 20], seen > n ? 1u : 2u);
}
