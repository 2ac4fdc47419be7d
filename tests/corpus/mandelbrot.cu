/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many steps each point of an image stays within the circle of radius 2 under z = z * z + c.
 * The threads of a warp leave the loop at different times.
 */
extern "C" __global__ void mandelbrot(int width, int height, float left, float top, float step,
                                      int most, unsigned short *counts)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;

    if (column >= width || row >= height)
        return;
    const float cx = left + step * column, cy = top - step * row;
    float x = 0.0f, y = 0.0f;
    int count = 0;
    while (count < most && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        count++;
    }
    counts[row * width + column] = count;
}
