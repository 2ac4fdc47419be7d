/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of float, one per group: threads add elements a grid apart, then the group adds up in shared
 * memory (a tree of 256 threads) or by shuffles within warps and one word of shared memory per
 * warp.
 */
extern "C" __global__ void reduce_shared(int n, const float *in, float *out)
{
    extern __shared__ float part[];
    const int thread = threadIdx.x;
    float sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + thread; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    part[thread] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (thread < half)
            part[thread] += part[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        out[blockIdx.x] = part[0];
}

__device__ __forceinline__ float warp_sum(float sum)
{
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    return sum;
}

extern "C" __global__ void reduce_shuffle(int n, const float *in, float *out)
{
    __shared__ float part[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0)
        part[warp] = sum;
    __syncthreads();
    if (warp > 0)
        return;
    sum = warp_sum(lane < blockDim.x / 32 ? part[lane] : 0.0f);
    if (lane == 0)
        out[blockIdx.x] = sum;
}
