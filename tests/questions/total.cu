// SPDX-License-Identifier: BSD-3-Clause
// The sum of a vector, a float a thread: a tree in shared memory with strides that double, or shuffles.
extern "C" __global__ void tree(const float *in, float *out, int n)
{
    __shared__ float partial[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0)
            partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, partial[0]);
}

static __device__ float of_warp(float value)
{
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(~0u, value, step);
    return value;
}

extern "C" __global__ void shuffles(const float *in, float *out, int n)
{
    __shared__ float partial[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    float sum = of_warp(i < n ? in[i] : 0);
    if (lane == 0)
        partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    sum = of_warp(lane < blockDim.x / 32 ? partial[lane] : 0);
    if (lane == 0)
        atomicAdd(out, sum);
}
