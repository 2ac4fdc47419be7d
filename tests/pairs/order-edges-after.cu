// SPDX-License-Identifier: BSD-3-Clause
/* The same, with the next row's pixel under way while the group works on this row. */
#define WIDTH 128
#define NEAR 64

extern "C" __global__ void edges(const float *image, float *out, int height, int width)
{
    __shared__ float pixel[WIDTH + NEAR + 1];
    const int x = threadIdx.x, column = blockIdx.x * WIDTH + x;
    float next = image[column], sum = 0;
    pixel[x + NEAR] = 0;
#pragma unroll 1
    for (int row = 0; row < height; row++) {
        pixel[x] = next;
        next = image[min(row + 1, height - 1) * width + column];
        __syncthreads();
#pragma unroll
        for (int k = 1; k <= NEAR; k++)
            sum += (pixel[x + k] - pixel[x]) * (pixel[x + k] - pixel[x]);
        __syncthreads();
    }
    out[column] = sum;
}
