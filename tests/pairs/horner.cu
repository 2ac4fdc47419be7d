// SPDX-License-Identifier: BSD-3-Clause
// A polynomial, again and again, so often for each thread.

extern "C" __global__ void horner(float *out, float x, int steps)
{
    float y = threadIdx.x;
    #pragma unroll 8
    for (int i = 0; i < steps; i++)
        y = (y * x + 3) * x - 5;
    out[blockIdx.x * blockDim.x + threadIdx.x] = y;
}
