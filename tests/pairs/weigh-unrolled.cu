// SPDX-License-Identifier: BSD-3-Clause
// weigh.cu with four rows in each turn of its loop.

static __device__ float weigh(float x, float bias)
{
    float y = x * x + bias;
    return y * y - x;
}

extern "C" __global__ void columns(const float *in, const float *scale, float *out, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (int row = 0; row < height; row += 4) {
        float factor = scale[column];
        float x0 = in[(row + 0) * width + column];
        float x1 = in[(row + 1) * width + column];
        float x2 = in[(row + 2) * width + column];
        float x3 = in[(row + 3) * width + column];
        out[column] += weigh(x0, factor) + weigh(x1, factor) + weigh(x2, factor) + weigh(x3, factor);
    }
}
