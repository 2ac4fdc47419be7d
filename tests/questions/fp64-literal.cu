// SPDX-License-Identifier: BSD-3-Clause
// Singles whose expression has constants that are doubles, and the same in singles.
extern "C" __global__ void doubles(const float *x, const float *y, const float *z, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double a = x[i], b = y[i], c = z[i];
    const double root = sqrt(fmax(0.0, a * a - 2.0 * a * b + 4.0 * c * c + b * b));
    out[i] = (float)(0.5 * (a + b - root));
}

extern "C" __global__ void singles(const float *x, const float *y, const float *z, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float a = x[i], b = y[i], c = z[i];
    const float root = sqrtf(fmaxf(0.0f, a * a - 2.0f * a * b + 4.0f * c * c + b * b));
    out[i] = 0.5f * (a + b - root);
}
