// SPDX-License-Identifier: BSD-3-Clause
// The same; compile.sh compiles it with -use_fast_math.
extern "C" __global__ void newton(const float *start, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = start[i] + 2;
    for (int k = 0; k < steps; k++)
        x -= (x * x * x - 2) / (3 * x * x + 1);
    out[i] = x;
}
