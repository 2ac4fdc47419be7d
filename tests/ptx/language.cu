/* SPDX-License-Identifier: BSD-3-Clause */
/* Many forms that a compiler makes: recursion, function pointers, switches, printf, structures,
 * textures, blocks of inline assembly. language.ptx is what nvcc 13.0 -ptx -arch=sm_90 made of it.
 */
#include <cstdio>
#include <cassert>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
namespace outer
{
namespace inner
{
template <typename T, int N> __global__ void k(T *x, int n)
{
    for (int i = 0; i < N; i++)
        x[threadIdx.x + i] += n;
}
template __global__ void k<float, 4>(float *, int);
template __global__ void k<double, -2>(double *, int);
} // namespace inner
} // namespace outer
__constant__ float table[8] = {1, 2.5f, 3, 0, 0, -1};
__device__ int dtab[3][4] = {{1, 2}, {3}};
struct P {
    char c;
    const char *s;
    int x;
};
__device__ P ps[2] = {{'a', "hello", 3}, {'b', "world", 4}};
__device__ __noinline__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
typedef int (*fn)(int);
__device__ __noinline__ int dbl(int n)
{
    return 2 * n;
}
__device__ fn fns[2] = {fib, dbl};
struct Big {
    float a[10];
};
__device__ __noinline__ Big mk(Big b, int i)
{
    b.a[i] = 1;
    return b;
}
__global__ void __launch_bounds__(256, 2) p(int *x, int n, Big b)
{
    extern __shared__ int dyn[];
    __shared__ float st[32];
    switch (n) {
    case 0:
        x[0] = 1;
        break;
    case 1:
        x[1] = 7;
        break;
    case 2:
        x[2] = fib(n);
        break;
    case 3:
        x[9] = n * n;
        break;
    case 4:
        x[4] = __popc(n);
        break;
    case 5:
        x[7] = 3;
        break;
    case 6:
        x[1] = clock();
        break;
    }
    printf("%d %s\n", n, ps[n].s);
    x[5] = fns[n & 1](n);
    st[threadIdx.x] = table[n];
    dyn[n] = 3;
    __syncthreads();
    x[6] = st[n] + dyn[3];
    Big r = mk(b, n);
    x[8] = r.a[3];
    x[n] = dtab[n][1];
    asm volatile("{ .reg .pred p; .reg .b32 t<3>; setp.eq.s32 p, %1, 0; @p bra L1; mov.u32 t1, 5; "
                 "add.s32 %0, t1, t2; L1: }"
                 : "+r"(x[1])
                 : "r"(n));
    asm volatile("{ .reg .pred p; .reg .b32 t<3>; setp.eq.s32 p, %1, 0; @!p bra L1; mov.b32 t1, 5; "
                 "L1: \n mov.u32 %0, %%laneid; }"
                 : "=r"(x[2])
                 : "r"(n));
    atomicAdd(&x[3], 1);
    x[4] = __shfl_down_sync(~0u, n, 1) + __any_sync(~0u, n) + __match_any_sync(~0u, n);
    half2 h = __float2half2_rn(n);
    h = __hfma2(h, h, h);
    x[7] = *(int *)&h;
    __nv_bfloat16 bb = __float2bfloat16(n);
    x[8] = __bfloat162float(bb * bb);
    cg::this_grid();
    auto t = cg::tiled_partition<8>(cg::this_thread_block());
    x[1] = t.thread_rank();
    assert(n);
}
__global__ void texk(cudaTextureObject_t t, cudaSurfaceObject_t s, float *o)
{
    o[0] = tex2D<float4>(t, 1.f, 2.f).x + tex3D<float>(t, 1, 2, 3) + tex2DLod<float>(t, 1, 2, 3);
    surf2Dwrite(o[1], s, 4, 5);
    o[2] = surf2Dread<float>(s, 1, 2);
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) clus(int *x)
{
}
