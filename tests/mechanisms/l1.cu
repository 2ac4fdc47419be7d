// SPDX-License-Identifier: BSD-3-Clause
// Loads that L1 serves: of BYTES by each lane, where LANES beside each other ask for what lies STRIDE bytes apart, and the
// other lanes for the same. "both": a word of each lane from global memory, and one from shared memory.
#define FOUR(load) load(0) load(512) load(1024) load(1536)
#define LOAD1(at) asm volatile("ld.global.f32 %0, [%1+" #at "];" : "=f"(v.x) : "l"(p)); a += v.x;
#define LOAD2(at) asm volatile("ld.global.v2.f32 {%0,%1}, [%2+" #at "];" : "=f"(v.x), "=f"(v.y) : "l"(p)); a += v.x;
#define LOAD4(at) asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4+" #at "];" \
    : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p)); a += v.x;
#define BOTH(at) asm volatile("ld.global.f32 %0, [%2+" #at "];\n ld.shared.f32 %1, [%3+" #at "];" \
    : "=f"(v.x), "=f"(v.y) : "l"(p), "r"(q)); a += v.x + v.y;
#define KERNEL(name, load, lanes, stride) \
  extern "C" __global__ void name(const float *in, float *out, int n) { \
    __shared__ float s[512]; \
    s[threadIdx.x & 511] = threadIdx.x; \
    __syncthreads(); \
    const char *p = (const char *)in + (threadIdx.x & 31) % lanes * stride; \
    const unsigned q = (unsigned)__cvta_generic_to_shared(s) + (threadIdx.x & 31) * 4; \
    float4 v = make_float4(0, 0, 0, 0); \
    float a = q; \
    for (int k = 0; k < n; ++k) { FOUR(load) } \
    out[blockIdx.x * blockDim.x + threadIdx.x] = a; \
  }
KERNEL(w4_dense, LOAD1, 32, 4)
KERNEL(w4_8_32, LOAD1, 8, 32)
KERNEL(w4_16_32, LOAD1, 16, 32)
KERNEL(w4_8_64, LOAD1, 8, 64)
KERNEL(w8_dense, LOAD2, 32, 8)
KERNEL(w8_8_64, LOAD2, 8, 64)
KERNEL(w16_dense, LOAD4, 32, 16)
KERNEL(w16_8_32, LOAD4, 8, 32)
KERNEL(w16_8_64, LOAD4, 8, 64)
KERNEL(both, BOTH, 32, 4)

// "strided": words that lie so many words apart.
extern "C" __global__ void strided(const float *in, float *out, int n, int stride) {
  const float *p = in + (threadIdx.x & 31) * stride;
  float4 v = make_float4(0, 0, 0, 0);
  float a = 0;
  for (int k = 0; k < n; ++k) { FOUR(LOAD1) }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
