// SPDX-License-Identifier: BSD-3-Clause
// The same; compile.sh compiles it with -use_fast_math.
extern "C" __global__ void highlights(const float *angle, const float *light, const float *shine, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = angle[i], s = shine[i], sum = 0;
    for (int k = 0; k < n; k++)
        sum += powf(fmaxf(a + light[k], 0.0f), s);
    out[i] = sum;
}
