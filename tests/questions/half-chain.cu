// SPDX-License-Identifier: BSD-3-Clause
// Multiply-adds of halves, one at a time or two, each thread with eight chains.
#include <cuda_fp16.h>

template <typename T> static __device__ void chains(T *out, T a, int n)
{
    T x[8];
    for (int k = 0; k < 8; k++)
        x[k] = a;
    for (int i = 0; i < n; i++)
#pragma unroll
        for (int j = 0; j < 16; j++)
#pragma unroll
            for (int k = 0; k < 8; k++)
                x[k] = __hfma(a, x[k], a);
    T sum = x[0];
    for (int k = 1; k < 8; k++)
        sum = __hadd(sum, x[k]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static __device__ __forceinline__ __half2 __hfma(__half2 a, __half2 b, __half2 c)
{
    return __hfma2(a, b, c);
}

static __device__ __forceinline__ __half2 __hadd(__half2 a, __half2 b)
{
    return __hadd2(a, b);
}

extern "C" __global__ void scalar(__half *out, int n)
{
    chains<__half>(out, __float2half(0.5f), n);
}

extern "C" __global__ void packed(__half2 *out, int n)
{
    chains<__half2>(out, __float2half2_rn(0.5f), n);
}
