// SPDX-License-Identifier: BSD-3-Clause
template <typename T, int N> __global__ void interp(T *o) { o[threadIdx.x + blockIdx.x * blockDim.x] += N; }
template __global__ void interp<float, 4>(float *);
template __global__ void interp<float, 8>(float *);
