// SPDX-License-Identifier: BSD-3-Clause
// Each thread follows two lists of links, one after the other: what the next hop loads depends on the one before it.

extern "C" __global__ void hops(const int *next, int *last, int n, int count)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int a = thread % n, b = (thread + n / 2) % n;
    #pragma unroll 1
    for (int i = 0; i < 2 * count; i++) {
        int c = i == count ? b : a;
        a = next[c];
    }
    last[thread] = a;
}
