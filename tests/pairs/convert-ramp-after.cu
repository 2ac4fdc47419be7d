// SPDX-License-Identifier: BSD-3-Clause
// The same with a second counter, of float.
extern "C" __global__ void weighted(const float *x, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = x[i], sum = 0, t = 0;
    for (int k = 0; k < steps; k++, t += 1.0f)
        sum += a * t;
    out[i] = sum;
}
