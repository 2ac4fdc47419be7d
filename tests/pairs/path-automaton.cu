// SPDX-License-Identifier: BSD-3-Clause
// Each thread sends the bits of its words through an automaton: the next state is in a table.
extern "C" __global__ void automaton(const unsigned *text, const int *next, int *out, int words)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    int state = 0;
    for (int word = 0; word < words; word++) {
        const unsigned bits = text[word * threads + i];
        for (int bit = 0; bit < 32; bit++)
            state = next[2 * state + (bits >> bit & 1)];
    }
    out[i] = state;
}
