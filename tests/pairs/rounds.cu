// SPDX-License-Identifier: BSD-3-Clause
// Random numbers, so many for each thread.

extern "C" __global__ void rounds(unsigned *out, int steps)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 4
    for (int i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
