// SPDX-License-Identifier: BSD-3-Clause
// A signal smoothed with a gain for each thread, in single precision.
extern "C" __global__ void smooth(const float *gains, const float *x, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float gain = gains[i], state = 0;
    for (int k = 0; k < n; k++)
        state = 0.9f * state + 0.1f * (gain * x[k]);
    out[i] = state;
}
