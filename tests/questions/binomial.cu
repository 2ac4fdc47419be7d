// SPDX-License-Identifier: BSD-3-Clause
// A binomial tree of 255 steps, an option a group: a node a thread, a level between two barriers. As the asker's language
// has it, exponentials and roots are of doubles, and all else of singles.
enum { NODES = 256, STEPS = NODES - 1 };

extern "C" __global__ void price(const float *spot, const float *strike, const float *years, float *call)
{
    __shared__ float tree[NODES];
    const int option = blockIdx.x, t = threadIdx.x;
    const float s = spot[option], k = strike[option], step = years[option] / STEPS;
    const float spread = 0.30f * (float)sqrt((double)step), rate = 0.02f * step;
    const float grown = (float)exp((double)rate), discount = (float)exp((double)-rate);
    const float up = (float)exp((double)spread), down = (float)exp((double)-spread);
    const float chance = (grown - down) / (up - down);
    const float of_up = chance * discount, of_down = (1.0f - chance) * discount;
    const float gain = s * (float)exp((double)(spread * (2.0f * t - STEPS))) - k;
    float mine = gain > 0 ? gain : 0;
    for (int level = STEPS; level > 0; --level) {
        tree[t] = mine;
        __syncthreads();
        if (t < level)
            mine = of_up * tree[t + 1] + of_down * tree[t];
        __syncthreads();
    }
    if (t == 0)
        call[option] = mine;
}
