// SPDX-License-Identifier: BSD-3-Clause
// The same; compile.sh compiles it with -use_fast_math.
extern "C" __global__ void waves(const float *x, const float *amplitude, const float *phase, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float at = x[i], sum = 0;
    for (int k = 0; k < n; k++)
        sum += amplitude[k] * sinf(at * phase[k]);
    out[i] = sum;
}
