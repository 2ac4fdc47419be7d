/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Softmax of each row of a matrix, a group per row: the largest element, the sum of exponentials,
 * then each element's share. Reductions go by shuffles within warps, then over the warps in shared
 * memory.
 */
template <typename Join> __device__ float join_group(float value, float *part, Join join)
{
    for (int distance = 16; distance > 0; distance /= 2)
        value = join(value, __shfl_xor_sync(0xffffffffu, value, distance));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = value;
    __syncthreads();
    value = part[0];
    for (int warp = 1; warp < blockDim.x / 32; warp++)
        value = join(value, part[warp]);
    __syncthreads();
    return value;
}

struct Larger {
    __device__ float operator()(float a, float b) const
    {
        return fmaxf(a, b);
    }
};

struct Sum {
    __device__ float operator()(float a, float b) const
    {
        return a + b;
    }
};

extern "C" __global__ void softmax(int columns, const float *in, float *out)
{
    __shared__ float part[32];
    const float *from = in + blockIdx.x * columns;
    float *to = out + blockIdx.x * columns;
    float largest = -INFINITY, sum = 0.0f;

    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        largest = fmaxf(largest, from[i]);
    largest = join_group(largest, part, Larger());
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += expf(from[i] - largest);
    sum = join_group(sum, part, Sum());
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        to[i] = expf(from[i] - largest) / sum;
}
