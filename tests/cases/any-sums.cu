// SPDX-License-Identifier: BSD-3-Clause
// Eight atomic operations of each thread by addresses of which no compiler knows where they lead: here to shared memory, to one word
// that all share, or (halves) to that of the thread, which lies beside its neighbour's in a word.
#include <cuda_fp16.h>

template <typename T> __device__ T *place(T *shared, const unsigned long long *in)
{
    return (T *)((unsigned long long)shared + in[0]); // in[0] is 0
}

#define KERNEL(name, T, operation, at)                                                                                         \
    extern "C" __global__ void name(unsigned long long *out, const unsigned long long *in)                                    \
    {                                                                                                                          \
        __shared__ alignas(8) T s[256];                                                                                        \
        s[threadIdx.x] = (T)0;                                                                                                 \
        __syncthreads();                                                                                                       \
        T *to = place(s, in) + (at);                                                                                           \
        const T v = (T)(int)(in[1] + threadIdx.x);                                                                             \
        for (int i = 0; i < 8; i++)                                                                                            \
            operation(to, v);                                                                                                  \
        __syncthreads();                                                                                                       \
        out[threadIdx.x] = (unsigned long long)(float)s[threadIdx.x];                                                          \
    }

KERNEL(any_double, double, atomicAdd, 0)
KERNEL(any_xor, unsigned long long, atomicXor, 0)
KERNEL(any_half, __half, atomicAdd, 0)
KERNEL(any_halves, __half, atomicAdd, threadIdx.x)

#if __CUDA_ARCH__ >= 900
#include <cooperative_groups.h>
// To the first group's word, from both groups of a cluster.
extern "C" __global__ void __cluster_dims__(2, 1, 1) far(float *out, const float *in)
{
    namespace cg = cooperative_groups;
    __shared__ float s[256];
    s[threadIdx.x] = 0;
    cg::this_cluster().sync();
    float *to = cg::this_cluster().map_shared_rank(s, 0);
    const float v = in[threadIdx.x];
    for (int i = 0; i < 8; i++)
        atomicAdd(to, v);
    cg::this_cluster().sync();
    out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];
}
#endif
