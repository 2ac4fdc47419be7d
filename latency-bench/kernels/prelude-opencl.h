/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenCL C 1.2, for any device. It has neither an assembler nor a counter nor shuffles, and does
 * not say what a warp is: nothing is written to `times` and `cus`, and dynamic local memory is the
 * last argument. Floating-point steps stay because rounding forbids to join them; of integer steps
 * no two neighbours can be one, though a compiler may see what many of `logic` come to. AMD's would
 * also join steps of two chains to one instruction, keep in scalar registers what is the same for a
 * wave, and change the order of loads, but it has an assembler, an empty piece of which forbids all
 * that, as in HIP's kernels.
 */
typedef uint U32;
typedef ulong U64;
typedef uint2 U32X2;
typedef uint4 U32X4;
#pragma OPENCL FP_CONTRACT OFF
#ifdef NEEDS_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef NEEDS_FP16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif

#define GLOBAL __global
#define LOCAL __local
#define KERNEL(name)                                                                               \
    __kernel void name(__global U32 *memory, U32 elements, U32 step, U32 length,                   \
                       __global U64 *times, __global U32 *cus, __global U32 *sink,                 \
                       __local U32 *local_words)
#define LOCAL_WORDS

#define THREAD ((U32)get_local_id(0))
#define GROUP ((U32)get_group_id(0))
#define GROUP_SIZE ((U32)get_local_size(0))
#define GROUPS ((U32)get_num_groups(0))
#ifndef WARP_SIZE
#define WARP_SIZE 32u
#endif
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#ifdef __AMDGCN__
#define HIDE(x) __asm__ volatile("" : "+v"(x));
#define IN_ORDER __asm__ volatile("" ::: "memory");
#else
#define HIDE(x)
#define IN_ORDER
#endif
#define COUNTER 0
#define CU 0
#define STAMP(begin, end)

#define TYPE_h half2
#define FROM_h(n) ((half2)((half)(n)))
#define IS_h(value, n) ((value).x == (half)(n))

#define SAY(x, value)                                                                              \
    x = value;                                                                                     \
    HIDE(x)
#define OP_fadd(x, y) SAY(x, x + a)
#define OP_fmul(x, y) SAY(x, x *a)
#define OP_fmadd(x, y) SAY(x, fma(x, a, b))
#define OP_dadd(x, y) SAY(x, x + a)
#define OP_dmul(x, y) SAY(x, x *a)
#define OP_dfma(x, y) SAY(x, fma(x, a, b))
#define OP_hadd(x, y) SAY(x, x + a)
#define OP_hmul(x, y) SAY(x, x *a)
#define OP_hfma(x, y) SAY(x, fma(x, a, b))
#define OP_iadd(x, y) SAY(x, x + y) SAY(y, y + x)
/* As in HIP's kernels; where nothing is hidden, the compiler adds 32 bits. */
#define OP_imad(x, y)                                                                              \
    {                                                                                              \
        U64 all = (U64)x * a + b;                                                                  \
        HIDE(all)                                                                                  \
        x = (U32)all;                                                                              \
    }
#define OP_logic(x, y) SAY(x, x ^ a) SAY(x, x &c)
#define OP_shift(x, y) SAY(x, x << (a & 31u))
#define OP_f2i(x, y) SAY(x, as_float((int)x))
#define OP_i2f(x, y) SAY(x, as_uint((float)(int)x))
#define OP_rcp(x, y) SAY(x, native_recip(x)) SAY(x, native_exp2(x))
#define OP_rsqrt(x, y) SAY(x, native_rsqrt(x))
#define OP_sqrt(x, y) SAY(x, native_sqrt(x))
#define OP_sin(x, y) SAY(x, native_sin(x))
#define OP_cos(x, y) SAY(x, native_cos(x))
#define OP_exp2(x, y) SAY(x, native_exp2(x))
#define OP_log2(x, y) SAY(x, native_log2(x))
#define OP_fdiv(x, y) SAY(x, a / x)
#define OP_barrier(x, y) barrier(CLK_LOCAL_MEM_FENCE);

/* Loads type from where, and goes on with its first word. */
#define GO(type, at, where)                                                                        \
    {                                                                                              \
        const type all = *(where);                                                                 \
        IN_ORDER                                                                                   \
        at = all.x;                                                                                \
        rest ^= REST_##type(all);                                                                  \
    }
#define REST_U32X2(all) all.y
#define REST_U32X4(all) all.y ^ all.z ^ all.w

/* Offsets in bytes, so that no step needs to scale one; on AMD's GPUs, where local memory has
 * addresses of 32 bits, no step needs to add one either. */
#ifdef __AMDGCN__
#define LOCAL_ADDRESS(word) ((U32)(local_words + (word)))
#define LOCAL_OF(type, x) ((__local type *)(x))
#else
#define LOCAL_ADDRESS(word) (4u * (word))
#define LOCAL_OF(type, x) ((__local type *)((__local char *)local_words + (x)))
#endif
#define LOCAL_AT(x) LOCAL_OF(U32, x)
#define OP_local_load(x, y) x = *LOCAL_AT(x);
#define OP_local_load_v2(x, y) GO(U32X2, x, LOCAL_OF(U32X2, x))
#define OP_local_load_v4(x, y) GO(U32X4, x, LOCAL_OF(U32X4, x))
#define OP_local_store(x, y) *LOCAL_OF(volatile U32, x) = k;
#define OP_local_store_v2(x, y) *LOCAL_OF(volatile U32X2, x) = (U32X2)(k, a);
#define OP_local_store_v4(x, y) *LOCAL_OF(volatile U32X4, x) = (U32X4)(k, a, b, c);
#define OP_local_atomic(x, y) x = atomic_add((volatile __local U32 *)LOCAL_AT(x), zero);
/* Each word holds its own address, so that all of them succeed. */
#define OP_local_swap(x, y) x = atomic_cmpxchg((volatile __local U32 *)LOCAL_AT(x), x, x);

#define CONSTANT __constant
#define CONSTANT_ZERO ((length >> 30) * 2654435769u)
#define OP_constant(x, y) x = *(__constant U32 *)((__constant char *)ring + x);

/* Offsets again: the memory unit adds one of 32 bits to where the buffer is. */
#define POINTER U32
#define POINTER_TO(word) (4u * (word))
#define GLOBAL_OF(type, x) ((__global type *)((__global char *)memory + (x)))
#define PUT_POINTER(pointer) *GLOBAL_OF(U32, pointer) = pointer;
#define OP_pointer_l1(x, y) x = *GLOBAL_OF(U32, x);
#define OP_pointer_l2(x, y) x = *GLOBAL_OF(U32, x);
#define OP_pointer_v2(x, y) GO(U32X2, x, GLOBAL_OF(U32X2, x))
#define OP_pointer_v4(x, y) GO(U32X4, x, GLOBAL_OF(U32X4, x))
#define OP_global_atomic(x, y) x = atomic_add(GLOBAL_OF(volatile U32, x), zero);
/* A link has 64 bits, and no buffer that is walked is longer than half of them say. */
#define OP_link(x)                                                                                 \
    {                                                                                              \
        U32 at = (U32)x;                                                                           \
        HIDE(at)                                                                                   \
        SAY(x, *GLOBAL_OF(U64, at))                                                                \
    }
#define OP_reduce(at) (void)atomic_add((volatile __global U32 *)(memory + (at)), zero);
#define OP_put(at) *(volatile __global U32 *)(memory + (at)) = k;
