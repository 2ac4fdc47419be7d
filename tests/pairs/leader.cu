// SPDX-License-Identifier: BSD-3-Clause
// Every step needs a factor, which warp 0 works out while the others wait for it at the barrier.
extern "C" __global__ void leader(float *x, const float *seed, int steps)
{
    __shared__ float factor;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i], f = seed[0];
    for (int step = 0; step < steps; step++) {
        if (threadIdx.x < 32) {
            for (int k = 0; k < 64; k++)
                f = f * 0.5f + 0.25f;
            factor = f;
        }
        __syncthreads();
        v = v * factor + 1.0f;
        __syncthreads();
    }
    x[i] = v;
}
