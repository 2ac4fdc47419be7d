// SPDX-License-Identifier: BSD-3-Clause
// Even points relax towards a, odd ones towards b: each warp has threads of one kind.
extern "C" __global__ void relax(float *x, float a, float b, int steps)
{
    int half = blockDim.x / 2;
    int odd = threadIdx.x >= half;
    int i = blockIdx.x * blockDim.x + 2 * (threadIdx.x - odd * half) + odd;
    float v = x[i];
    if (odd) {
        for (int k = 0; k < steps; k++)
            v = v + (a - v) * 0.25f;
    } else {
        for (int k = 0; k < steps; k++)
            v = v * b + a;
    }
    x[i] = v;
}
