// SPDX-License-Identifier: BSD-3-Clause
// Each thread mixes elements that a group holds in shared memory, and loads each of them once.

extern "C" __global__ void mix(const float *in, float *out, int steps)
{
    __shared__ volatile float hold[512];
    hold[threadIdx.x] = in[threadIdx.x];
    hold[threadIdx.x + 256] = in[threadIdx.x];
    __syncthreads();
    const volatile float *mine = hold + threadIdx.x;
    float a = 0, b = 0, x;
    for (int i = 0; i < steps; i++) {
        #pragma unroll
        for (int k = 0; k < 256; k += 32)
            x = mine[k], a += x, b += x * a;
    }
    out[blockIdx.x * 256 + threadIdx.x] = a + b;
}
