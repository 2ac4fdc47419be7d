// SPDX-License-Identifier: BSD-3-Clause
// A float is added to a place by a loop of compare-and-swap, or by exchanges.
extern "C" __global__ void by_swaps(float *sum, int apart)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *at = (int *)(sum + (long long)i * apart);
    int old = *(volatile int *)at, seen;
    do {
        seen = old;
        old = atomicCAS(at, seen, __float_as_int(__int_as_float(seen) + 1.0f));
    } while (old != seen);
}

extern "C" __global__ void by_exchanges(float *sum, int apart)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *at = sum + (long long)i * apart, carried = 1.0f;
    while ((carried = atomicExch(at, atomicExch(at, 0.0f) + carried)) != 0.0f)
        ;
}
