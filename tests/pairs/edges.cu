// SPDX-License-Identifier: BSD-3-Clause
/* How steep each row of an image is: a group takes a strip of columns, row by row, and shares the row's pixels. */
#define WIDTH 128

extern "C" __global__ void edges(const float *image, float *out, int height, int width)
{
    __shared__ float pixel[WIDTH + 1];
    const int x = threadIdx.x, column = blockIdx.x * WIDTH + x;
    float sum = 0;
    pixel[x + 1] = 0;
#pragma unroll 1
    for (int row = 0; row < height; row++) {
        pixel[x] = image[row * width + column];
        __syncthreads();
        const float step = pixel[x + 1] - pixel[x];
        sum += step * step;
        __syncthreads();
    }
    out[column] = sum;
}
