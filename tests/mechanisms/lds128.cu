// SPDX-License-Identifier: BSD-3-Clause
// MODE 0: every thread its own 16 B; 1: pairs T^1 same; 2: pairs T^2 same; 3: all the same
extern "C" __global__ void u(float *out, int n) {
  __shared__ float4 s[128];
  s[threadIdx.x & 127] = make_float4(threadIdx.x, 1, 2, 3);
  __syncthreads();
  int t = threadIdx.x & 31;
  int b = MODE == 0 ? t : MODE == 1 ? t >> 1 : MODE == 2 ? (t & 1) | ((t >> 2) << 1) : 0;
  float4 a = make_float4(0, 0, 0, 0);
  for (int k = 0; k < n; ++k) {
    float4 v = s[b + (k & 63)];
    a.x += v.x; a.y += v.y; a.z += v.z; a.w += v.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a.x + a.y + a.z + a.w;
}
