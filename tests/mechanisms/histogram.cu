// SPDX-License-Identifier: BSD-3-Clause
// 256 bins of bytes
extern "C" __global__ void hg(const unsigned char *__restrict__ d, int n, int *__restrict__ h) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(h + d[i], 1);
}
extern "C" __global__ void hs(const unsigned char *__restrict__ d, int n, int *__restrict__ h) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(s + d[i], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) if (s[i]) atomicAdd(h + i, s[i]);
}
