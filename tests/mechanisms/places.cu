// SPDX-License-Identifier: BSD-3-Clause
// Additions of one to `words` words beside each other, a power of two: lane after lane, n of each thread.
extern "C" __global__ void words(int *__restrict__ c, int words, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k, i += gridDim.x * blockDim.x) atomicAdd(c + (i & (words - 1)), 1);
}

// The 32 words of each warp lie in 32 of the sectors of 8 lines.
extern "C" __global__ void sectors(int *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k, i += gridDim.x * blockDim.x) atomicAdd(c + ((i & 31) * 8 + ((i >> 5) & 7)), 1);
}

// Every thread sets one flag, once.
extern "C" __global__ void flag(bool *f) { *f = true; }

// Counts in shared memory: of lanes at one word, at a word each, of other numbers at one word.
extern "C" __global__ void count(int *o, int at, int n) {
  __shared__ int s[1024];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) atomicAdd(s + (threadIdx.x & at), 1);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void floats(float *o) {
  __shared__ float s[1024];
  s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(s + (threadIdx.x & 1), 1.5f);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void sum(int *o, int at, int n) {
  __shared__ int s[1024];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) atomicAdd(s + (threadIdx.x & at), 3);
  __syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
}
