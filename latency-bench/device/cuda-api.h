/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our own declarations of CUDA's driver API beyond module.h: numbers of the documented interface
 * (64-bit Linux), and functions that HIP does not have.
 */
#ifndef PIPESIM_LATENCY_BENCH_CUDA_API_H
#define PIPESIM_LATENCY_BENCH_CUDA_API_H

#include <glib.h>

/* CUdevice_attribute */
enum {
    CUDA_MAX_THREADS_PER_BLOCK = 1,
    CUDA_MAX_SHARED_PER_BLOCK = 8,
    CUDA_WARP_SIZE = 10,
    CUDA_CLOCK_RATE = 13, /* kHz, boost */
    CUDA_MULTIPROCESSORS = 16,
    CUDA_L2_CACHE = 38,
    CUDA_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    CUDA_COMPUTE_CAPABILITY_MAJOR = 75,
    CUDA_COMPUTE_CAPABILITY_MINOR = 76,
    CUDA_MAX_SHARED_PER_MULTIPROCESSOR = 81,
    CUDA_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
    CUDA_MAX_SHARED_PER_BLOCK_OPTIN = 97,
    CUDA_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    CUDA_RESERVED_SHARED_PER_BLOCK = 111,
};

/* CUfunction_attribute */
enum {
    CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    CUDA_FUNCTION_SHARED_CARVEOUT = 9, /* percent of the CU's; -1: the driver chooses */
};

typedef struct {
    int (*error_name)(int error, const char **name);
    int (*context_retain)(void **context, int device);
    int (*context_release)(int device);
    int (*context_set)(void *context);
    int (*function_set)(void *function, int attribute, int value);
} CudaApi;

#endif
