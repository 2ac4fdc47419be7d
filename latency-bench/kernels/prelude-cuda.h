/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA C, for NVRTC and nvcc. Each step is one instruction of PTX, volatile, so that none is
 * removed, joined or moved before the assembler sees it. What the assembler may still do decided
 * about the steps: it joins two additions, or two logic operations, where three operands are
 * enough, so iadd alternates between two sums and logic has four operands.
 */

/* Two groups of 1024 threads shall fit: at most 32 registers per thread. */
#define KERNEL(name)                                                                               \
    extern "C" __global__ void __launch_bounds__(1024, 2)                                          \
        name(U32 *memory, U32 elements, U32 step, U32 length, U64 *times, U32 *cus, U32 *sink)

#define THREAD threadIdx.x
#define GROUP blockIdx.x
#define GROUP_SIZE blockDim.x
#define GROUPS gridDim.x
#define WARP_SIZE 32u
#define LOCAL
#define BARRIER __syncthreads()
#define HIDE(x)

__device__ __forceinline__ U64 counter(void)
{
    U64 now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}
__device__ __forceinline__ U32 cu_number(void)
{
    U32 number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}
#define COUNTER counter()

#define TYPE_h U32
#define FROM_h(n) (0x3c003c00u + (n))
#define IS_h(value, n) ((value) == (n))

#define OP_fadd(x, y) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
#define OP_fmul(x, y) asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
#define OP_fmadd(x, y) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
#define OP_dadd(x, y) asm volatile("add.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));
#define OP_dmul(x, y) asm volatile("mul.rn.f64 %0, %0, %1;" : "+d"(x) : "d"(a));
#define OP_dfma(x, y) asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(a), "d"(b));
#define OP_hadd(x, y) asm volatile("add.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(a));
#define OP_hmul(x, y) asm volatile("mul.rn.f16x2 %0, %0, %1;" : "+r"(x) : "r"(a));
#define OP_hfma(x, y) asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
#define OP_iadd(x, y)                                                                              \
    asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(y));                                        \
    asm volatile("add.u32 %0, %0, %1;" : "+r"(y) : "r"(x));
#define OP_imad(x, y) asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));
/* One of each: y has the bits of a single. */
#define OP_beside(x, y)                                                                            \
    OP_imad(x, y) asm volatile("{.reg .f32 f, g; mov.b32 f, %0; mov.b32 g, %1; "                   \
                               "fma.rn.f32 f, f, g, g; mov.b32 %0, f;}"                            \
                               : "+r"(y)                                                           \
                               : "r"(a));
#define OP_logic(x, y)                                                                             \
    asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x) : "r"(a), "r"(b));                     \
    asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(c), "r"(d));
#define OP_shift(x, y) asm volatile("shl.b32 %0, %0, %1;" : "+r"(x) : "r"(a));
/* What one conversion makes the next one takes for a number of the other kind: that costs nothing,
 * since both are in the same registers. */
#define OP_f2i(x, y) asm volatile("{.reg .s32 t; cvt.rzi.s32.f32 t, %0; mov.b32 %0, t;}" : "+f"(x));
#define OP_pack(x, y)                                                                              \
    asm volatile("{.reg .b32 t; cvt.rn.f16x2.f32 t, %0, %1; mov.b32 %0, t;}" : "+f"(x) : "f"(a));
#define OP_f64(x, y)                                                                               \
    asm volatile("{.reg .f64 t; cvt.f64.f32 t, %0; cvt.rn.f32.f64 %0, t;}" : "+f"(x));
#define OP_fminmax(x, y)                                                                           \
    asm volatile("min.f32 %0, %0, %1;" : "+f"(x) : "f"(y));                                        \
    asm volatile("max.f32 %0, %0, %1;" : "+f"(y) : "f"(x));
#define OP_iminmax(x, y)                                                                           \
    asm volatile("min.s32 %0, %0, %1;" : "+r"(x) : "r"(y));                                        \
    asm volatile("max.s32 %0, %0, %1;" : "+r"(y) : "r"(x));
#define OP_i2f(x, y) asm volatile("{.reg .f32 t; cvt.rn.f32.s32 t, %0; mov.b32 %0, t;}" : "+r"(x));
/* The assembler knows what the reciprocal of a reciprocal is, and of a power, and of a root; of a
 * hyperbolic tangent it does not. */
#if __CUDA_ARCH__ >= 750
#define OP_beside_rcp(x) asm volatile("tanh.approx.f32 %0, %0;" : "+f"(x));
#else
#define OP_beside_rcp(x) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
#endif
#define OP_rcp(x, y)                                                                               \
    asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));                                          \
    OP_beside_rcp(x)
#define OP_rsqrt(x, y) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
#define OP_sqrt(x, y) asm volatile("sqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
#define OP_sin(x, y) asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x));
#define OP_cos(x, y) asm volatile("cos.approx.ftz.f32 %0, %0;" : "+f"(x));
#define OP_exp2(x, y) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
#define OP_log2(x, y) asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(x));
#define OP_fdiv(x, y) asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(x) : "f"(a));
#define OP_shuffle(x, y) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x));
#define OP_reduce_add(x, y) asm volatile("redux.sync.add.u32 %0, %0, 0xffffffff;" : "+r"(x));
#define OP_reduce_max(x, y) asm volatile("redux.sync.max.u32 %0, %0, 0xffffffff;" : "+r"(x));
/* Turned round, so that the assembler does not take one vote for the next. */
#define OP_vote(x, y)                                                                              \
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.any.pred p, p, 0xffffffff;"       \
                 " selp.u32 %0, 0, 1, p;}"                                                         \
                 : "+r"(x));
#define OP_barrier(x, y) asm volatile("bar.sync 0;" ::: "memory");

/* Local memory by its own addresses, so that no step needs to compute one. Of wide loads the
 * assembler leaves out what nobody needs, unless they are volatile. */
__device__ __forceinline__ U32 local_base(const U32 *words)
{
    U32 base;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(words));
    return base;
}
#define LOCAL_ADDRESS(word) (local_base(local_words) + 4u * (word))
#define OP_local_load(x, y) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x));
#define OP_local_load_v2(x, y)                                                                     \
    asm volatile("{.reg .b32 p; ld.volatile.shared.v2.u32 {%0, p}, [%0];}" : "+r"(x));
#define OP_local_load_v4(x, y)                                                                     \
    asm volatile("{.reg .b32 p, q, r; ld.volatile.shared.v4.u32 {%0, p, q, r}, [%0];}" : "+r"(x));
/* Volatile, too: of plain stores to one place the assembler keeps the last. */
#define OP_local_store(x, y)                                                                       \
    asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(x), "r"(k) : "memory");
#define OP_local_store_v2(x, y)                                                                    \
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(x), "r"(a), "r"(b) : "memory");
#define OP_local_store_v4(x, y)                                                                    \
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(x), "r"(a), "r"(b),     \
                 "r"(c), "r"(d)                                                                    \
                 : "memory");
#define OP_local_atomic(x, y)                                                                      \
    asm volatile("atom.shared.add.u32 %0, [%0], %1;" : "+r"(x) : "r"(zero) : "memory");
/* Each word holds its own address, so that all of them succeed. */
#define OP_local_swap(x, y)                                                                        \
    asm volatile("atom.shared.cas.b32 %0, [%0], %0, %0;" : "+r"(x)::"memory");

#define CONSTANT_ZERO zero

/* The lower half of a pointer is what a word holds. */
#define GO(x, access)                                                                              \
    asm volatile("{.reg .b32 low, high, p, q, r; mov.b64 {low, high}, %0; " access                 \
                 " mov.b64 %0, {low, high};}"                                                      \
                 : "+l"(x)                                                                         \
                 : "r"(zero)                                                                       \
                 : "memory");
/* L1 keeps what is loaded with .ca, and not what is loaded with .cg or volatile. */
#define OP_pointer_l1(x, y) GO(x, "ld.global.ca.u32 low, [%0];")
#define OP_pointer_l2(x, y) GO(x, "ld.global.cg.u32 low, [%0];")
#define OP_pointer_v2(x, y) GO(x, "ld.volatile.global.v2.u32 {low, p}, [%0];")
#define OP_pointer_v4(x, y) GO(x, "ld.volatile.global.v4.u32 {low, p, q, r}, [%0];")
#define OP_global_atomic(x, y) GO(x, "atom.global.add.u32 low, [%0], %1;")
#define OP_link(x) asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(x)::"memory");
#define U32X2 uint2
#define U32X4 uint4
#define OP_reduce(at)                                                                              \
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(memory + (at)), "r"(zero) : "memory");
#define OP_put(at) asm volatile("st.global.u32 [%0], %1;" ::"l"(memory + (at)), "r"(k) : "memory");
