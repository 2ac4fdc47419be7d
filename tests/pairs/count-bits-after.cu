// SPDX-License-Identifier: BSD-3-Clause
// Counts the bits of random numbers of 16 bits, two at a time.

extern "C" __global__ void count_bits(int *out, int n)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, bits = 0;
    #pragma unroll 4
    for (int i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        bits += __popc(x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = bits;
}
