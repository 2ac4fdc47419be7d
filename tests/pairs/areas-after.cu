// SPDX-License-Identifier: BSD-3-Clause
// Each group adds up, several times, the areas of boxes in a table of their sizes alone.

extern "C" __global__ void areas(const float2 *boxes, float *sum, int n, int times)
{
    float total = 0;
    for (int k = 0; k < times; k++) {
        #pragma unroll 4
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            float2 size = boxes[i];
            total += size.x * size.y;
        }
    }
    sum[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
