// SPDX-License-Identifier: BSD-3-Clause
extern "C" __global__ void hot(int *c, int n) { for (int i = 0; i < n; i++) atomicAdd(c, 1); }
extern "C" __global__ void hotv(int *c, int n) { atomicAdd(c, threadIdx.x); }
extern "C" __global__ void hotf(float *c, float n) { atomicAdd(c, n); }
