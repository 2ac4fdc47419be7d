// SPDX-License-Identifier: BSD-3-Clause
/* Scales each column by its own factor, a column a thread. As far as the compiler knows, what is stored in one row may be what is
 * loaded in the next, so it keeps their order. */
extern "C" __global__ void scale(const float *in, float *out, float factor, int height, int width)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
    for (int row = 0; row < height; row++)
        out[row * width + column] = in[row * width + column] * factor;
}
