// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_fp16.h>
// one chain of scalar half, nothing to pair
extern "C" __global__ void h1s(__half *o, int n) {
  __half a = __float2half(threadIdx.x), b = __float2half(threadIdx.x * .001f), c = __float2half(.5f);
#pragma unroll 16
  for (int k = 0; k < n; ++k) a = __hfma(a, b, c);
  o[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
extern "C" __global__ void h2s(__half2 *o, int n) {
  __half2 a = __float2half2_rn(threadIdx.x), b = __float2half2_rn(threadIdx.x * .001f), c = __float2half2_rn(.5f);
#pragma unroll 16
  for (int k = 0; k < n; ++k) a = __hfma2(a, b, c);
  o[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
