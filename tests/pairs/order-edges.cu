// SPDX-License-Identifier: BSD-3-Clause
/* How rough the rows of an image are: a group takes a strip of columns, row by row, and shares the row's pixels. */
#define WIDTH 128
#define NEAR 64

extern "C" __global__ void edges(const float *image, float *out, int height, int width)
{
    __shared__ float pixel[WIDTH + NEAR + 1];
    const int x = threadIdx.x, column = blockIdx.x * WIDTH + x;
    float sum = 0;
    pixel[x + NEAR] = 0;
#pragma unroll 1
    for (int row = 0; row < height; row++) {
        pixel[x] = image[row * width + column];
        __syncthreads();
#pragma unroll
        for (int k = 1; k <= NEAR; k++)
            sum += (pixel[x + k] - pixel[x]) * (pixel[x + k] - pixel[x]);
        __syncthreads();
    }
    out[column] = sum;
}
