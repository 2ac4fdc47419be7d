// SPDX-License-Identifier: BSD-3-Clause
// A polynomial, again and again, so often for each thread, from what the thread beside it begins with.

extern "C" __global__ void horner(float *out, float x, int steps)
{
    __shared__ float first[1024];
    first[threadIdx.x] = threadIdx.x;
    __syncthreads();
    float y = first[(threadIdx.x + 1) % 1024];
    #pragma unroll 8
    for (int i = 0; i < steps; i++)
        y = (y * x + 3) * x - 5;
    out[blockIdx.x * 1024 + threadIdx.x] = y;
}
