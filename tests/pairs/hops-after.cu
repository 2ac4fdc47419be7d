// SPDX-License-Identifier: BSD-3-Clause
// Each thread follows two lists of links at once: what the next hop loads depends on the one before it.

extern "C" __global__ void hops(const int *next, int *last, int n, int count)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int a = thread % n, b = (thread + n / 2) % n;
    #pragma unroll 1
    for (int i = 0; i < count; i++) {
        a = next[a], b = next[b];
    }
    last[thread] = b;
}
