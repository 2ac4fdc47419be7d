// SPDX-License-Identifier: BSD-3-Clause
// Random numbers, so many for each thread, each from the seed of the thread beside it.

extern "C" __global__ void rounds(unsigned *out, int steps)
{
    __shared__ unsigned seeds[1024];
    seeds[threadIdx.x] = blockIdx.x * 1024 + threadIdx.x;
    __syncthreads();
    unsigned x = seeds[(threadIdx.x + 1) % 1024];
    #pragma unroll 4
    for (int i = 0; i < steps; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[blockIdx.x * 1024 + threadIdx.x] = x;
}
