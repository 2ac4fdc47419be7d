// SPDX-License-Identifier: BSD-3-Clause
// 64 look-ups a thread in a table of N words, by a generator of its own
#ifndef N
#define N 256
#endif
extern "C" __global__ void look(const float *__restrict__ table, float *sums) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = i * 2654435761u + 12345u;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) { h = h * 1664525u + 1013904223u; sum += table[(h >> 24) & (N - 1)]; }
  sums[i] = sum;
}
