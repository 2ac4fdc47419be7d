// SPDX-License-Identifier: BSD-3-Clause
// How many of a thread's random points lie in a quarter of a circle, by CURAND's default generator.
#include <curand_kernel.h>

extern "C" __global__ void count(unsigned long long *hits, int samples)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    curandState_t state;
    curand_init(1234, thread, 0, &state);
    unsigned n = 0;
    for (int i = 0; i < samples; i++) {
        const float x = curand_uniform(&state), y = curand_uniform(&state);
        if (x * x + y * y <= 1.0f)
            n++;
    }
    hits[thread] = n;
}
