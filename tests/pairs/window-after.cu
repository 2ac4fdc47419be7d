// SPDX-License-Identifier: BSD-3-Clause
// Each thread follows a chain of indices and keeps the last ones in local memory, as many as it looks back.
#define THREADS 128
#define KEPT 38
extern "C" __global__ void window(const int *next, int *out, int steps, int back)
{
    __shared__ int last[KEPT][THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    int at = i, slot = 0;
    for (int k = 0; k < steps; k++) {
        last[slot][threadIdx.x] = at;
        slot = slot + 1 == KEPT ? 0 : slot + 1;
        at = next[at + i];
    }
    slot -= back;
    out[i] = last[slot < 0 ? slot + KEPT : slot][threadIdx.x];
}
