/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What kernels for validation add to the preludes: they are whole kernels, as people write them,
 * and compilers may do with them what they do with others. Matrices and volumes are laid out in one
 * dimension, since all launches here have one.
 */
#ifdef __OPENCL_VERSION__
#define FMA(a, b, c) fma(a, b, c)
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define FMA(a, b, c) fmaf(a, b, c)
#else
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#endif
#define UNROLLED _Pragma("unroll")
