// SPDX-License-Identifier: BSD-3-Clause
// Waves in a row of cells: in each step a field changes by its neighbours, then the others; sources follow.
#define SOURCES 8
extern "C" __global__ void fields(const float *ex, const float *ey, const float *hz, const float *source, float *next_ex,
                                  float *next_ey, float *next_hz, int steps, int cells)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int step = 0; step < steps; step++) {
        const int at = step * cells + i;
        next_ex[at] = ex[at] + 0.5f * ex[at + 1];
        next_ey[at] = ey[at] - 0.5f * ey[at + 1];
        next_hz[at] = hz[at] + 0.25f * hz[at + 1];
        float sum = 0;
#pragma unroll 1
        for (int s = 0; s < SOURCES; s++)
            sum = sum * 0.5f + s;
        next_hz[at + cells * steps] = sum * source[at];
    }
}
