// SPDX-License-Identifier: BSD-3-Clause
/* The same, with the next row's pixel under way while the group works on this row. */
#define WIDTH 128

extern "C" __global__ void edges(const float *image, float *out, int height, int width)
{
    __shared__ float pixel[WIDTH + 1];
    const int x = threadIdx.x, column = blockIdx.x * WIDTH + x;
    float next = image[column], sum = 0;
    pixel[x + 1] = 0;
#pragma unroll 1
    for (int row = 0; row < height; row++) {
        pixel[x] = next;
        next = image[min(row + 1, height - 1) * width + column];
        __syncthreads();
        const float step = pixel[x + 1] - pixel[x];
        sum += step * step;
        __syncthreads();
    }
    out[column] = sum;
}
