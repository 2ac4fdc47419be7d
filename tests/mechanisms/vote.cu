// SPDX-License-Identifier: BSD-3-Clause
// 32 ballots an iteration, of predicates that are known before the loop
extern "C" __global__ void kvote(unsigned *o, int n) {
  bool p[8]; for (int i = 0; i < 8; ++i) p[i] = (threadIdx.x >> i) & 1;
  unsigned s = 0;
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int i = 0; i < 8; ++i) asm volatile("{.reg .pred q; .reg .b32 t; setp.ne.u32 q,%1,0; vote.sync.ballot.b32 t,q,-1; xor.b32 %0,%0,t;}" : "+r"(s) : "r"((unsigned)p[i]));
  }
  o[threadIdx.x + blockIdx.x * blockDim.x] = s;
}
extern "C" __global__ void kredux(unsigned *o, int n) {
  unsigned a[8]; for (int i = 0; i < 8; ++i) a[i] = threadIdx.x + i;
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 8; ++i)
#if __CUDA_ARCH__ >= 800
      a[i] = __reduce_add_sync(~0u, a[i]);
#else
      a[i] += i;
#endif
  o[threadIdx.x + blockIdx.x * blockDim.x] = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7];
}
