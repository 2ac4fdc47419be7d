/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenCL C 1.2, for any device. It has neither an assembler nor a counter nor shuffles, and does
 * not say what a warp is: nothing is written to `times` and `cus`, and dynamic local memory is the
 * last argument. Floating-point steps stay because rounding forbids to join them; of integer steps
 * no two neighbours can be one.
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
#define HIDE(x)
#define COUNTER 0
#define CU 0
#define STAMP(begin, end)

#define TYPE_h half2
#define FROM_h(n) ((half2)((half)(n)))
#define IS_h(value, n) ((value).x == (half)(n))

#define OP_fadd(x, y) x = x + a;
#define OP_fmul(x, y) x = x * a;
#define OP_fmadd(x, y) x = fma(x, a, b);
#define OP_dadd(x, y) x = x + a;
#define OP_dmul(x, y) x = x * a;
#define OP_dfma(x, y) x = fma(x, a, b);
#define OP_hadd(x, y) x = x + a;
#define OP_hmul(x, y) x = x * a;
#define OP_hfma(x, y) x = fma(x, a, b);
#define OP_iadd(x, y)                                                                              \
    x += y;                                                                                        \
    y += x;
#define OP_imad(x, y) x = x * a + b;
#define OP_logic(x, y)                                                                             \
    x ^= a;                                                                                        \
    x &= c;
#define OP_shift(x, y) x <<= a & 31u;
#define OP_f2i(x, y) x = as_float((int)x);
#define OP_i2f(x, y) x = as_uint((float)(int)x);
#define OP_rcp(x, y) x = native_exp2(native_recip(x));
#define OP_rsqrt(x, y) x = native_rsqrt(x);
#define OP_sqrt(x, y) x = native_sqrt(x);
#define OP_sin(x, y) x = native_sin(x);
#define OP_cos(x, y) x = native_cos(x);
#define OP_exp2(x, y) x = native_exp2(x);
#define OP_log2(x, y) x = native_log2(x);
#define OP_fdiv(x, y) x = a / x;
#define OP_barrier(x, y) barrier(CLK_LOCAL_MEM_FENCE);

/* Loads type from where, and goes on with its first word. */
#define GO(type, at, where)                                                                        \
    {                                                                                              \
        const type all = *(where);                                                                 \
        at = all.x;                                                                                \
        rest ^= REST_##type(all);                                                                  \
    }
#define REST_U32X2(all) all.y
#define REST_U32X4(all) all.y ^ all.z ^ all.w

/* Offsets in bytes, so that no step needs to scale one. */
#define LOCAL_ADDRESS(word) (4u * (word))
#define LOCAL_OF(type, x) ((__local type *)((__local char *)local_words + (x)))
#define LOCAL_AT(x) LOCAL_OF(U32, x)
#define OP_local_load(x, y) x = *LOCAL_AT(x);
#define OP_local_load_v2(x, y) GO(U32X2, x, LOCAL_OF(U32X2, x))
#define OP_local_load_v4(x, y) GO(U32X4, x, LOCAL_OF(U32X4, x))
#define OP_local_store(x, y) *LOCAL_OF(volatile U32, x) = k;
#define OP_local_store_v2(x, y) *LOCAL_OF(volatile U32X2, x) = (U32X2)(k, a);
#define OP_local_store_v4(x, y) *LOCAL_OF(volatile U32X4, x) = (U32X4)(k, a, b, c);
#define OP_local_atomic(x, y) x = atomic_add((volatile __local U32 *)LOCAL_AT(x), zero);

#define CONSTANT __constant
#define CONSTANT_ZERO ((length >> 30) * 2654435769u)
#define OP_constant(x, y) x = *(__constant U32 *)((__constant char *)ring + x);

#define POINTER U32
#define POINTER_TO(word) (word)
#define PUT_POINTER(pointer) memory[pointer] = pointer;
#define OP_pointer_l1(x, y) x = memory[x];
#define OP_pointer_l2(x, y) x = memory[x];
#define OP_pointer_v2(x, y) GO(U32X2, x, (__global U32X2 *)(memory + x))
#define OP_pointer_v4(x, y) GO(U32X4, x, (__global U32X4 *)(memory + x))
#define OP_global_atomic(x, y) x = atomic_add((volatile __global U32 *)(memory + x), zero);
#define OP_link(x) x = *(__global U64 *)((__global char *)memory + x);
#define OP_reduce(at) (void)atomic_add((volatile __global U32 *)(memory + (at)), zero);
#define OP_put(at) *(volatile __global U32 *)(memory + (at)) = k;
