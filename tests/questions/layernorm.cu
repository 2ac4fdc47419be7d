// SPDX-License-Identifier: BSD-3-Clause
// Layer norm, a warp a row, or a group a row whose sums meet in shared memory.
static __device__ float of_warp(float value)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(~0u, value, step);
    return value;
}

extern "C" __global__ void by_warp(float *out, float *mean, float *rstd, const float *in, const float *weight,
                                   const float *bias, int rows, int columns)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *x = in + row * columns;
    float sum = 0;
    for (int i = lane; i < columns; i += 32)
        sum += x[i];
    const float m = of_warp(sum) / columns;
    if (lane == 0)
        __stcs(mean + row, m);
    sum = 0;
    for (int i = lane; i < columns; i += 32)
        sum += (x[i] - m) * (x[i] - m);
    const float s = rsqrtf(of_warp(sum) / columns + 1e-5f);
    if (lane == 0)
        __stcs(rstd + row, s);
    for (int i = lane; i < columns; i += 32)
        __stcs(out + row * columns + i, s * (__ldcs(x + i) - m) * weight[i] + bias[i]);
}

extern "C" __global__ void by_group(float *out, float *mean, float *rstd, const float *in, const float *weight,
                                    const float *bias, int columns)
{
    __shared__ float sums[32], squares[32];
    const int row = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const float *x = in + row * columns;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        sum += x[i];
        square += x[i] * x[i];
    }
    sum = of_warp(sum);
    square = of_warp(square);
    sums[warp] = sum;
    squares[warp] = square;
    __syncthreads();
    const float m = of_warp(lane < warps ? sums[lane] : 0) / columns;
    const float v = of_warp(lane < warps ? squares[lane] : 0) / columns - m * m;
    const float s = rsqrtf(v + 1e-5f);
    if (threadIdx.x == 0) {
        __stcs(mean + row, m);
        __stcs(rstd + row, s);
    }
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        __stcs(out + row * columns + i, s * (__ldcs(x + i) - m) * weight[i] + bias[i]);
}
