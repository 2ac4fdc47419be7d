// SPDX-License-Identifier: BSD-3-Clause
// weigh.cu with a load that passes over the L1.

static __device__ float weigh(float x, float bias)
{
    float y = x * x + bias;
    return y * y - x;
}

extern "C" __global__ void columns(const float *in, const float *scale, float *out, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll 1
    for (int row = 0; row < height; row++) {
        float factor = scale[column];
        float x = __ldcg(&in[row * width + column]);
        out[column] += weigh(x, factor);
    }
}
