// SPDX-License-Identifier: BSD-3-Clause
// Warps smooth 16 rows each before all go on with what they have; the border is another kernel's.
extern "C" __global__ void border(float *x, float a, int rows, int rim)
{
    __shared__ float last[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
#pragma unroll 4
    for (int row = 0; row < rows; row++)
        v = v * a + 1.0f;
    last[threadIdx.x] = v;
    __syncthreads();
    v = last[255 - threadIdx.x];
#pragma unroll 4
    for (int row = 0; row < rows; row++)
        v = v * a - 1.0f;
    x[i] = v;
}
