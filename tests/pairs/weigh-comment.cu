// SPDX-License-Identifier: BSD-3-Clause
// weigh.cu with comments above its loop and in it.

static __device__ float weigh(float x, float bias)
{
    float y = x * x + bias;
    return y * y - x;
}

extern "C" __global__ void columns(const float *in, const float *scale, float *out, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    // Rows are neighbours of themselves a width later,
    // so that a warp reads one line of each.
    #pragma unroll 1
    for (int row = 0; row < height; row++) {
        float factor = scale[column];

        /* the element */
        float x = in[row * width + column];
        out[column] += weigh(x, factor);
    }
}
