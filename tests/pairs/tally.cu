// SPDX-License-Identifier: BSD-3-Clause
// Each thread counts how often a walk of its own is above its limit, in device memory.
extern "C" __global__ void tally(const unsigned *__restrict__ limit, unsigned *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at = i, most = limit[i];
    for (int k = 0; k < n; k++) {
        at = at * 1664525u + 1013904223u;
        atomicAdd(&count[i], at > most ? 1u : 0u);
    }
}
