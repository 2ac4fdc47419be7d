// SPDX-License-Identifier: BSD-3-Clause
// How bright a few lights make each point of a shiny surface.
extern "C" __global__ void highlights(const float *angle, const float *light, const float *shine, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = angle[i], s = shine[i], sum = 0;
    for (int k = 0; k < n; k++)
        sum += powf(fmaxf(a + light[k], 0.0f), s);
    out[i] = sum;
}
