/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An image of width by height filtered with 5 by 5 weights from constant memory; outside, the image
 * continues with its rim. The group's part of the image and a rim of two are in shared memory.
 * Groups are 16 by 16.
 */
#define TILE 16
#define RADIUS 2
#define SIDE (TILE + 2 * RADIUS)

__constant__ float weights[5][5] = {{0.00f, 0.02f, 0.03f, 0.02f, 0.01f},
                                    {0.02f, 0.06f, 0.10f, 0.06f, 0.02f},
                                    {0.03f, 0.10f, 0.15f, 0.09f, 0.03f},
                                    {0.02f, 0.06f, 0.09f, 0.05f, 0.02f},
                                    {0.01f, 0.02f, 0.03f, 0.02f, -0.06f}};

extern "C" __global__ void convolution(int width, int height, const float *in, float *out)
{
    __shared__ float tile[SIDE][SIDE];
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;

    for (int i = threadIdx.y * TILE + threadIdx.x; i < SIDE * SIDE; i += TILE * TILE) {
        const int column = (int)(blockIdx.x * TILE) + i % SIDE - RADIUS;
        const int row = (int)(blockIdx.y * TILE) + i / SIDE - RADIUS;
        tile[i / SIDE][i % SIDE] =
            in[min(max(row, 0), height - 1) * width + min(max(column, 0), width - 1)];
    }
    __syncthreads();
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy <= 2 * RADIUS; dy++)
        for (int dx = 0; dx <= 2 * RADIUS; dx++)
            sum += weights[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum;
}
