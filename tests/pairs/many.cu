// SPDX-License-Identifier: BSD-3-Clause
// Multiply-adds and integers side by side, with an element of shared memory that is loaded each time.

extern "C" __global__ void many(const float *in, float *out, int steps)
{
    __shared__ volatile float hold[256];
    hold[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float a = threadIdx.x, b = 1, c = 2;
    unsigned x = threadIdx.x, y = 1;
    #pragma unroll 8
    for (int i = 0; i < steps; i++) {
        a = a * b + hold[threadIdx.x];
        c = c * b + a;
        x ^= y;
        y ^= x >> 3;
    }
    out[blockIdx.x * 256 + threadIdx.x] = a + c + x + y;
}
