// SPDX-License-Identifier: BSD-3-Clause
// Each group adds up, several times, the areas of boxes in a table: where each is, and its size.

extern "C" __global__ void areas(const float4 *boxes, float *sum, int n, int times)
{
    float total = 0;
    for (int k = 0; k < times; k++) {
        #pragma unroll 4
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            float4 box = boxes[i];
            total += box.z * box.w;
        }
    }
    sum[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
