// SPDX-License-Identifier: BSD-3-Clause
#include <float.h>
extern "C" __global__ void softmax(const float *in, float *out, int cols)
{
    __shared__ float red[256];
    const float *row = in + (size_t)blockIdx.x * cols;
    float *orow = out + (size_t)blockIdx.x * cols;
    int t = threadIdx.x;
    float m = -FLT_MAX;
    for (int i = t; i < cols; i += blockDim.x) m = fmaxf(m, row[i]);
    red[t] = m; __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) red[t] = fmaxf(red[t], red[t + s]);
        __syncthreads();
    }
    m = red[0]; __syncthreads();
    float sum = 0;
    for (int i = t; i < cols; i += blockDim.x) sum += expf(row[i] - m);
    red[t] = sum; __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) red[t] += red[t + s];
        __syncthreads();
    }
    sum = red[0];
    for (int i = t; i < cols; i += blockDim.x) orow[i] = expf(row[i] - m) / sum;
}
