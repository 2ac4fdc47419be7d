// SPDX-License-Identifier: BSD-3-Clause
// A copy by as many threads as the machine holds at once, each with four accesses of 16 bytes under way: device memory is
// busy all the time.

extern "C" __global__ void stream(const float4 *in, float4 *out, int n)
{
    int all = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4 * all) {
        float4 a = in[i], b = in[i + all], c = in[i + 2 * all], d = in[i + 3 * all];
        out[i] = a;
        out[i + all] = b;
        out[i + 2 * all] = c;
        out[i + 3 * all] = d;
    }
}
