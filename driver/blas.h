/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuBLAS's interface, after NVIDIA's documentation, and what its entries share. They use only the
 * driver's entries, like any program, and the function that names a kernel a stand-in (stand-in.h).
 */
#ifndef PIPESIM_DRIVER_BLAS_H
#define PIPESIM_DRIVER_BLAS_H

#include "driver/blas-ptx.h"
#include "driver/stand-in.h"

typedef int cublasStatus_t;

enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
};

enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_MATH_FLAGS = 16
};

enum { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_16BF = 14 };

/* The first architecture that has bfloats. */
enum { BLAS_FIRST_WITH_BF16 = 80 };

typedef struct cublasContext {
    CUstream stream;
    int pointer_mode, atomics, math, units_wanted;
    guint target;        /* 80 of sm_80: blas_target */
    guint units;         /* compute units of the GPU */
    CUdeviceptr scratch; /* memory for sums; 0: not allocated yet */
} * cublasHandle_t;

/* Bytes of the scratch: a result, and behind it parts of sums. */
enum { BLAS_MOST_PARTS = 1024, BLAS_PARTS_AT = 256, BLAS_SCRATCH = 256 + 8 * 1024 };

/* Entries that other entries call. */
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(int which, int *value);
size_t cublasGetCudartVersion(void);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* FALSE: there is no such handle. */
gboolean blas_is(cublasHandle_t handle);

/* The function of that name, from the text that make(what, target) returns (g_free); it is loaded
 * at first use. NULL: that failed. */
CUfunction blas_function(const char *name, char *(*make)(gconstpointer what, guint target),
                         gconstpointer what, guint target);

/* FALSE: no kernel has elements of that cudaDataType. */
gboolean blas_type_of(int type, BlasType *is);

/* The error in cuBLAS's words for a CUDA error of a kernel's launch. */
cublasStatus_t blas_ran(CUresult result);

/* Allocates the scratch memory. */
cublasStatus_t blas_scratch(cublasHandle_t handle);

#endif
