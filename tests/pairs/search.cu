// SPDX-License-Identifier: BSD-3-Clause
// Each thread looks for two keys in a sorted table, one after the other, halving the part of it that is left.

extern "C" __global__ void search(const int *table, const int *keys, int *places, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 2; k++) {
        int key = keys[2 * thread + k], low = 0;
        #pragma unroll 1
        for (int half = n / 2; half > 0; half /= 2)
            low += table[low + half] <= key ? half : 0;
        places[2 * thread + k] = low;
    }
}
