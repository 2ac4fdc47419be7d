/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HIP C, for hipRTC and hipcc on AMD. Steps that C can say are C, and an empty piece of assembler
 * hides each result from the compiler, which so neither joins nor removes them; special functions
 * are instructions of the assembler that every generation has. All else are the compiler's
 * built-ins, so that no header is needed.
 */
typedef _Float16 HALF2 __attribute__((ext_vector_type(2)));

#ifndef __global__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#endif

#define KERNEL(name)                                                                               \
    extern "C" __global__ void __attribute__((amdgpu_flat_work_group_size(1, 1024)))               \
    name(U32 *memory, U32 elements, U32 step, U32 length, U64 *times, U32 *cus, U32 *sink)

#define THREAD ((U32)__builtin_amdgcn_workitem_id_x())
#define GROUP ((U32)__builtin_amdgcn_workgroup_id_x())
#define GROUP_SIZE ((U32)__builtin_amdgcn_workgroup_size_x())
#define GROUPS ((U32)__builtin_amdgcn_grid_size_x() / GROUP_SIZE)
#if defined(__AMDGCN_WAVEFRONT_SIZE__)
#define WARP_SIZE ((U32)__AMDGCN_WAVEFRONT_SIZE__)
#elif defined(__AMDGCN_WAVEFRONT_SIZE)
#define WARP_SIZE ((U32)__AMDGCN_WAVEFRONT_SIZE)
#else
#define WARP_SIZE ((U32)__builtin_amdgcn_wavefrontsize())
#endif
#define BARRIER                                                                                    \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");                                         \
    __builtin_amdgcn_s_barrier();                                                                  \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup")
/* A pointer that could lead anywhere takes another way through the memory unit. */
#define LOCAL __attribute__((address_space(3)))
#define HIDE(x) asm volatile("" : "+v"(x));

/* Where the wave runs, as far as that is the same for all waves of a compute unit: engine, array
 * and unit; from gfx10 on the unit is a pair of them. The chips with several dies tell the die
 * apart. */
static __device__ __attribute__((always_inline)) inline U32 cu_number(void)
{
#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__)
    const U32 die = __builtin_amdgcn_s_getreg(20 | (31 << 11)) & 15u;
    return die << 8 | (__builtin_amdgcn_s_getreg(4 | (31 << 11)) >> 8 & 255u);
#elif defined(__GFX9__) || defined(__GFX8__)
    return __builtin_amdgcn_s_getreg(4 | (31 << 11)) >> 8 & 255u;
#else
    return __builtin_amdgcn_s_getreg(23 | (31 << 11)) >> 10 & 1023u;
#endif
}
#define COUNTER __builtin_readcyclecounter()

#define TYPE_h HALF2
#define FROM_h(n) ((HALF2){(_Float16)(int)(n), (_Float16)(int)(n)})
#define IS_h(value, n) ((value).x == (_Float16)(int)(n))

#define SAY(x, value)                                                                              \
    x = value;                                                                                     \
    HIDE(x)
#define OP_fadd(x, y) SAY(x, x + a)
#define OP_fmul(x, y) SAY(x, x *a)
#define OP_fmadd(x, y) SAY(x, __builtin_fmaf(x, a, b))
#define OP_dadd(x, y) SAY(x, x + a)
#define OP_dmul(x, y) SAY(x, x *a)
#define OP_dfma(x, y) SAY(x, __builtin_fma(x, a, b))
#define OP_hadd(x, y) asm volatile("v_pk_add_f16 %0, %0, %1" : "+v"(x) : "v"(a));
#define OP_hmul(x, y) asm volatile("v_pk_mul_f16 %0, %0, %1" : "+v"(x) : "v"(a));
#define OP_hfma(x, y) asm volatile("v_pk_fma_f16 %0, %0, %1, %2" : "+v"(x) : "v"(a), "v"(b));
#define OP_iadd(x, y) SAY(x, x + y) SAY(y, y + x)
/* The instruction adds 64 bits. Were the upper half of what it adds left open, the compiler would
 * take any register for it, even one of another chain, which then would be waited for. */
#define OP_imad(x, y)                                                                              \
    {                                                                                              \
        U64 all = (U64)x * a + b;                                                                  \
        HIDE(all)                                                                                  \
        x = (U32)all;                                                                              \
    }
#define OP_logic(x, y) SAY(x, x ^ a) SAY(x, x &c)
#define OP_shift(x, y) SAY(x, x << (a & 31u))
#define OP_f2i(x, y) SAY(x, __builtin_bit_cast(float, (int)x))
#define OP_i2f(x, y) SAY(x, __builtin_bit_cast(U32, (float)(int)x))
#define OP_rcp(x, y)                                                                               \
    asm volatile("v_rcp_f32 %0, %0" : "+v"(x));                                                    \
    OP_exp2(x, y)
#define OP_rsqrt(x, y) asm volatile("v_rsq_f32 %0, %0" : "+v"(x));
#define OP_sqrt(x, y) asm volatile("v_sqrt_f32 %0, %0" : "+v"(x));
#define OP_sin(x, y) asm volatile("v_sin_f32 %0, %0" : "+v"(x));
#define OP_cos(x, y) asm volatile("v_cos_f32 %0, %0" : "+v"(x));
#define OP_exp2(x, y) asm volatile("v_exp_f32 %0, %0" : "+v"(x));
#define OP_log2(x, y) asm volatile("v_log_f32 %0, %0" : "+v"(x));
#define OP_fdiv(x, y) SAY(x, a / x)
#define OP_shuffle(x, y) SAY(x, (U32)__builtin_amdgcn_ds_bpermute((int)((LANE ^ 1u) * 4u), (int)x))
#define OP_barrier(x, y) asm volatile("s_barrier" ::: "memory");

/* Memory hides by itself what a load brings: to hide it once more would be to wait for it, before
 * the next chain goes on. */
typedef U32 U32X2 __attribute__((ext_vector_type(2)));
typedef U32 U32X4 __attribute__((ext_vector_type(4)));
#define REST_U32X2(all) all.y
#define REST_U32X4(all) all.y ^ all.z ^ all.w

/* Local memory by its own addresses, so that no step needs to compute one. */
#define LOCAL_OF(type, x) (*(__attribute__((address_space(3))) type *)(x))
#define LOCAL_AT(x) LOCAL_OF(U32, x)
#define LOCAL_ADDRESS(word)                                                                        \
    ((U32)(__UINTPTR_TYPE__)((__attribute__((address_space(3))) U32 *)local_words + (word)))
#define OP_local_load(x, y) x = LOCAL_AT(x);
/* What a load of several words leaves to do would lead the compiler to undo the order of chains. */
#define LOCAL_LOAD(type, at)                                                                       \
    {                                                                                              \
        const type all = LOCAL_OF(type, at);                                                       \
        asm volatile("" ::: "memory");                                                             \
        at = all.x;                                                                                \
        rest ^= REST_##type(all);                                                                  \
    }
#define OP_local_load_v2(x, y) LOCAL_LOAD(U32X2, x)
#define OP_local_load_v4(x, y) LOCAL_LOAD(U32X4, x)
#define OP_local_store(x, y) LOCAL_OF(volatile U32, x) = k;
#define OP_local_store_v2(x, y) LOCAL_OF(volatile U32X2, x) = (U32X2){k, a};
#define OP_local_store_v4(x, y) LOCAL_OF(volatile U32X4, x) = (U32X4){k, a, b, c};
#define OP_local_atomic(x, y)                                                                      \
    x = __hip_atomic_fetch_add(&LOCAL_AT(x), zero, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
/* Each word holds its own address, so that all of them succeed. */
#define OP_local_swap(x, y)                                                                        \
    {                                                                                              \
        U32 is = x;                                                                                \
        __hip_atomic_compare_exchange_strong(&LOCAL_AT(x), &is, x, __ATOMIC_RELAXED,               \
                                             __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);      \
        x = is;                                                                                    \
    }

/* The scalar unit loads constants, where the address is one for all threads. */
#define CONSTANT_ZERO ((length >> 30) * 2654435769u)

#define GLOBAL_AT(type, address) (*(__attribute__((address_space(1))) type *)(address))
/* The lower half of a pointer is what a word holds. */
#define GO(at, low) at = (at & 0xffffffff00000000ull) | (low);
#define OP_pointer_l1(x, y) GO(x, GLOBAL_AT(U32, x))
/* L1 does not keep what all of the device shall see. */
#define OP_pointer_l2(x, y)                                                                        \
    GO(x, __hip_atomic_load(&GLOBAL_AT(U32, x), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
#define GLOBAL_LOAD(type, at)                                                                      \
    {                                                                                              \
        const type all = GLOBAL_AT(type, at);                                                      \
        GO(at, all.x)                                                                              \
        rest ^= REST_##type(all);                                                                  \
    }
#define OP_pointer_v2(x, y) GLOBAL_LOAD(U32X2, x)
#define OP_pointer_v4(x, y) GLOBAL_LOAD(U32X4, x)
#define OP_global_atomic(x, y)                                                                     \
    GO(x, __hip_atomic_fetch_add(&GLOBAL_AT(U32, x), zero, __ATOMIC_RELAXED,                       \
                                 __HIP_MEMORY_SCOPE_AGENT))
#define OP_link(x) SAY(x, GLOBAL_AT(U64, x))
#define OP_reduce(at)                                                                              \
    (void)__hip_atomic_fetch_add(memory + (at), zero, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#define OP_put(at) GLOBAL_AT(volatile U32, memory + (at)) = k;
