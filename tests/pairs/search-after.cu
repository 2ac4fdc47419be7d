// SPDX-License-Identifier: BSD-3-Clause
// Each thread looks for two keys in a sorted table at once, halving the part of it that is left for each.

extern "C" __global__ void search(const int *table, const int *keys, int *places, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int key = keys[2 * thread], other = keys[2 * thread + 1], low = 0, at = 0;
    #pragma unroll 1
    for (int half = n / 2; half > 0; half /= 2)
        low += table[low + half] <= key ? half : 0, at += table[at + half] <= other ? half : 0;
    places[2 * thread] = low;
    places[2 * thread + 1] = at;
}
