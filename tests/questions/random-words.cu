// SPDX-License-Identifier: BSD-3-Clause
// Words of 8 bytes at random places of a table: each thread follows a shift register of its own.
__device__ unsigned long first(unsigned long i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15ul;
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ul;
    i = (i ^ i >> 27) * 0x94d049bb133111ebul;
    return i ^ i >> 31;
}

__device__ unsigned long next(unsigned long at)
{
    return at << 1 ^ ((long)at < 0 ? 7 : 0);
}

extern "C" __global__ void reads(unsigned long *table, unsigned long words, unsigned long each)
{
    unsigned long at = first(blockIdx.x * (unsigned long)blockDim.x + threadIdx.x);
    for (unsigned long i = 0; i < each; i++) {
        at = next(at);
        unsigned long *place = &table[at & (words - 1)];
        if (*place == words)
            *place = words + 1;
    }
}

extern "C" __global__ void writes(unsigned long *table, unsigned long words, unsigned long each)
{
    unsigned long at = first(blockIdx.x * (unsigned long)blockDim.x + threadIdx.x);
    for (unsigned long i = 0; i < each; i++) {
        at = next(at);
        table[at & (words - 1)] = 1;
    }
}
