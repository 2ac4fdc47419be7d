// SPDX-License-Identifier: BSD-3-Clause
// out[b][t] = token[in[b][t]] + position[t], a float or four a thread.
extern "C" __global__ void one(float *out, const int *in, const float *token, const float *position, int n, int steps,
                               int channels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int row = i / channels, channel = i % channels, step = row % steps;
    out[i] = token[in[row] * channels + channel] + position[step * channels + channel];
}

extern "C" __global__ void four(float4 *out, const int *in, const float4 *token, const float4 *position, int n, int steps,
                                int channels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, quarter = channels / 4;
    if (i >= n)
        return;
    const int row = i / quarter, channel = i % quarter, step = row % steps;
    const float4 a = token[in[row] * quarter + channel], b = position[step * quarter + channel];
    out[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
