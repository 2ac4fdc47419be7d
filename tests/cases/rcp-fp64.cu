// SPDX-License-Identifier: BSD-3-Clause
// Machine code: MUFU.RCP and MUFU.RSQ (single precision) are counted as fp64.
extern "C" __global__ void kidiv(const unsigned *a, unsigned *o, unsigned b, int n) {
  unsigned x = a[threadIdx.x + blockIdx.x * blockDim.x], s = 0;
  for (int i = 0; i < n; ++i) s += (b + i) / (x + i);
  o[threadIdx.x + blockIdx.x * blockDim.x] = s;
}
extern "C" __global__ void krsq(const float *a, float *o, int n) {
  float x = a[threadIdx.x + blockIdx.x * blockDim.x];
  for (int i = 0; i < n; ++i) x = rsqrtf(x);
  o[threadIdx.x + blockIdx.x * blockDim.x] = x;
}
