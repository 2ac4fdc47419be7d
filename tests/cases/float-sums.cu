// SPDX-License-Identifier: BSD-3-Clause
// Eight additions of each thread to floats in shared memory: to one that all share, or to one of its own.
extern "C" __global__ void one(float *out, const float *in)
{
    __shared__ float s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    const float v = in[threadIdx.x];
    for (int i = 0; i < 8; i++)
        atomicAdd(&s[0], v);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

extern "C" __global__ void own(float *out, const float *in)
{
    __shared__ float s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    const float v = in[threadIdx.x];
    for (int i = 0; i < 8; i++)
        atomicAdd(&s[threadIdx.x], v);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
