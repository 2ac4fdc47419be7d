/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What OpenCL's kernels call, for AMD's GPUs by clang alone. Drivers have a library of it (ROCm's
 * device library), in which each of these is the same built-in of the compiler. They are functions
 * of these names and not macros, since the compiler knows the names and does its own with calls.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define GIVEN __attribute__((overloadable, always_inline))

/* As drivers are told to define it. */
#define WARP_SIZE ((uint)__builtin_amdgcn_wavefrontsize())

GIVEN size_t get_local_id(uint dimension)
{
    return __builtin_amdgcn_workitem_id_x();
}
GIVEN size_t get_group_id(uint dimension)
{
    return __builtin_amdgcn_workgroup_id_x();
}
GIVEN size_t get_local_size(uint dimension)
{
    return __builtin_amdgcn_workgroup_size_x();
}
GIVEN size_t get_num_groups(uint dimension)
{
    return __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x();
}
GIVEN void barrier(cl_mem_fence_flags fences)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* For the whole device, which clang calls 4 here. */
GIVEN uint atomic_add(volatile __global uint *where, uint what)
{
    return __hip_atomic_fetch_add(where, what, __ATOMIC_RELAXED, 4);
}
GIVEN uint atomic_add(volatile __local uint *where, uint what)
{
    return __hip_atomic_fetch_add(where, what, __ATOMIC_RELAXED, 4);
}
GIVEN uint atomic_cmpxchg(volatile __local uint *where, uint is, uint what)
{
    __hip_atomic_compare_exchange_strong(where, &is, what, __ATOMIC_RELAXED, __ATOMIC_RELAXED, 4);
    return is;
}

GIVEN float fma(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
GIVEN double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
GIVEN half2 fma(half2 x, half2 y, half2 z)
{
    return __builtin_elementwise_fma(x, y, z);
}

GIVEN float native_recip(float x)
{
    return __builtin_amdgcn_rcpf(x);
}
GIVEN float native_rsqrt(float x)
{
    return __builtin_amdgcn_rsqf(x);
}
GIVEN float native_sqrt(float x)
{
    return __builtin_sqrtf(x);
}
GIVEN float native_sin(float x)
{
    return __builtin_sinf(x);
}
GIVEN float native_cos(float x)
{
    return __builtin_cosf(x);
}
GIVEN float native_exp2(float x)
{
    return __builtin_amdgcn_exp2f(x);
}
GIVEN float native_log2(float x)
{
    return __builtin_amdgcn_logf(x);
}
