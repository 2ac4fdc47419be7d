// SPDX-License-Identifier: BSD-3-Clause
// A transposition through tiles of 16 by 16, whose rows lie 16 or 17 words apart.
#ifndef PITCH
#define PITCH 16
#endif
extern "C" __global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[16 * 17];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    const int column = blockIdx.x * 16, row = blockIdx.y * 16;
    tile[y * PITCH + x] = in[(row + y) * width + column + x];
    __syncthreads();
    out[(column + y) * height + row + x] = tile[x * PITCH + y];
}
