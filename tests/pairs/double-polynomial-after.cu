// SPDX-License-Identifier: BSD-3-Clause
// A polynomial by Horner's rule, in single precision.
extern "C" __global__ void polynomial(const float *x, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float t = x[i];
    for (int k = 0; k < steps; k++)
        t = (0.125f * t + 0.25f) * t + 0.5f;
    out[i] = t;
}
