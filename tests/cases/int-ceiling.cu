// SPDX-License-Identifier: BSD-3-Clause
// As many integer products (pipeline of FMA) as sums (ALU): the two overlap.
extern "C" __global__ void both(unsigned *o, unsigned m, unsigned z, int n) {
  unsigned x[4], y[4], t = threadIdx.x + blockIdx.x * blockDim.x;
  for (int i = 0; i < 4; ++i) x[i] = t + i, y[i] = t * 3 + i;
#pragma unroll 16
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 4; ++i) { x[i] *= m; y[i] = y[i] + x[i] + z; }
  o[t] = x[0] ^ x[1] ^ x[2] ^ x[3] ^ y[0] ^ y[1] ^ y[2] ^ y[3];
}
extern "C" __global__ void mont(unsigned *o, const unsigned *g, unsigned m, unsigned mi, int n) {
  unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
  unsigned a = g[t], b = a ^ 77u;
  for (int k = 0; k < n; ++k) { unsigned lo = a * b, hi = __umulhi(a, b), q = lo * mi, r = __umulhi(q, m); a = hi - r; a += (hi < r) ? m : 0; }
  o[t] = a;
}
