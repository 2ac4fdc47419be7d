// SPDX-License-Identifier: BSD-3-Clause
#ifndef N
#define N 256
#endif
__constant__ float ct[N];
__device__ float gt[N];
// each thread looks up pseudo-random entries of a table of N
extern "C" __global__ void klut_c(float *o, int n) {
  unsigned s = (threadIdx.x + blockIdx.x * blockDim.x) * 2654435761u; float a = 0;
  for (int i = 0; i < n; ++i) { s = s * 1664525u + 1013904223u; a += ct[(s >> 16) & (N - 1)]; }
  o[threadIdx.x + blockIdx.x * blockDim.x] = a;
}
extern "C" __global__ void klut_g(float *o, int n) {
  unsigned s = (threadIdx.x + blockIdx.x * blockDim.x) * 2654435761u; float a = 0;
  for (int i = 0; i < n; ++i) { s = s * 1664525u + 1013904223u; a += gt[(s >> 16) & (N - 1)]; }
  o[threadIdx.x + blockIdx.x * blockDim.x] = a;
}
