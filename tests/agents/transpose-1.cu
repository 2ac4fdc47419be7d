// SPDX-License-Identifier: BSD-3-Clause
extern "C" __global__ void transpose(const float *in, float *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        out[x * n + y + i] = in[(y + i) * n + x];
}
