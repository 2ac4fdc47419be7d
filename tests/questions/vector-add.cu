// SPDX-License-Identifier: BSD-3-Clause
// c = a + b, a float4 a thread.
extern "C" __global__ void add(const float4 *a, const float4 *b, float4 *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
