// SPDX-License-Identifier: BSD-3-Clause
// one element a thread, 32 x 32 threads a group
extern "C" __global__ void rd(const float *__restrict__ a, float *__restrict__ b, int n) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; if (x < n && y < n) b[x * n + y] = a[y * n + x]; }
template <int P> __device__ void tt(const float *a, float *b, int n) {
  __shared__ float s[32][32 + P]; int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < n && y < n) s[threadIdx.y][threadIdx.x] = a[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
  if (x < n && y < n) b[y * n + x] = s[threadIdx.x][threadIdx.y];
}
extern "C" __global__ void ttile(const float *__restrict__ a, float *__restrict__ b, int n) { tt<0>(a, b, n); }
extern "C" __global__ void tpad(const float *__restrict__ a, float *__restrict__ b, int n) { tt<1>(a, b, n); }
