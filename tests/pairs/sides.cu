// SPDX-License-Identifier: BSD-3-Clause
// Even points relax towards a, odd ones towards b: each warp has threads of both kinds.
extern "C" __global__ void relax(float *x, float a, float b, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    if (i & 1) {
        for (int k = 0; k < steps; k++)
            v = v + (a - v) * 0.25f;
    } else {
        for (int k = 0; k < steps; k++)
            v = v * b + a;
    }
    x[i] = v;
}
