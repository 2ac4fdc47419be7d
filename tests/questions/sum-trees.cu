// SPDX-License-Identifier: BSD-3-Clause
// The sum of a vector: every thread adds to one place, or groups make a tree in shared memory first, in five ways.
extern "C" __global__ void to_place(float *out, const float *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, in[i]);
}

extern "C" __global__ void four_to_place(float *out, const float4 *in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float4 four = in[i];
        atomicAdd(out, four.x + four.y + four.z + four.w);
    }
}

extern "C" __global__ void by_remainder(float *out, const float *in, int n)
{
    extern __shared__ float part[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    if (i < n) {
        part[t] = in[i];
        __syncthreads();
        for (int step = 1; step < blockDim.x; step *= 2) {
            if (t % (2 * step) == 0)
                part[t] += part[t + step];
            __syncthreads();
        }
        if (t == 0)
            atomicAdd(out, part[0]);
    }
}

extern "C" __global__ void by_stride(float *out, const float *in, int n)
{
    extern __shared__ float part[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    if (i < n) {
        part[t] = in[i];
        __syncthreads();
        for (int step = 1; step < blockDim.x; step *= 2) {
            const int at = 2 * step * t;
            if (at < blockDim.x)
                part[at] += part[at + step];
            __syncthreads();
        }
        if (t == 0)
            atomicAdd(out, part[0]);
    }
}

extern "C" __global__ void by_half(float *out, const float *in, int n)
{
    extern __shared__ float part[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
    if (i < n) {
        part[t] = in[i];
        __syncthreads();
        for (int step = blockDim.x / 2; step > 0; step /= 2) {
            if (t < step)
                part[t] += part[t + step];
            __syncthreads();
        }
        if (t == 0)
            atomicAdd(out, part[0]);
    }
}

extern "C" __global__ void two_by_half(float *out, const float *in, int n)
{
    extern __shared__ float part[];
    const int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x, t = threadIdx.x;
    if (i < n) {
        part[t] = in[i] + in[i + blockDim.x];
        __syncthreads();
        for (int step = blockDim.x / 2; step > 0; step /= 2) {
            if (t < step)
                part[t] += part[t + step];
            __syncthreads();
        }
        if (t == 0)
            atomicAdd(out, part[0]);
    }
}

static __device__ void last_warp(volatile float *part, int t)
{
    part[t] += part[t + 32];
    part[t] += part[t + 16];
    part[t] += part[t + 8];
    part[t] += part[t + 4];
    part[t] += part[t + 2];
    part[t] += part[t + 1];
}

extern "C" __global__ void two_last_warp(float *out, const float *in, int n)
{
    extern __shared__ float part[];
    const int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x, t = threadIdx.x;
    if (i < n) {
        part[t] = in[i] + in[i + blockDim.x];
        __syncthreads();
        for (int step = blockDim.x / 2; step > 32; step /= 2) {
            if (t < step)
                part[t] += part[t + step];
            __syncthreads();
        }
        if (t < 32)
            last_warp(part, t);
        if (t == 0)
            atomicAdd(out, part[0]);
    }
}
