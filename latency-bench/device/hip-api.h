/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our own declarations of HIP beyond module.h: numbers of the documented interface (64-bit Linux,
 * versions 5 to 7), and functions that CUDA does not have.
 */
#ifndef PIPESIM_LATENCY_BENCH_HIP_API_H
#define PIPESIM_LATENCY_BENCH_HIP_API_H

#include <glib.h>

/* hipDeviceAttribute_t */
enum {
    HIP_CLOCK_RATE = 5, /* kHz, peak */
    HIP_L2_CACHE = 19,
    HIP_MAX_THREADS_PER_BLOCK = 56,
    HIP_MAX_THREADS_PER_MULTIPROCESSOR = 57,
    HIP_MULTIPROCESSORS = 63,
    HIP_MAX_REGISTERS_PER_MULTIPROCESSOR = 72,
    HIP_MAX_SHARED_PER_BLOCK = 74,
    HIP_WARP_SIZE = 87,
    HIP_MAX_SHARED_PER_MULTIPROCESSOR = 10002,
};

typedef struct {
    const char *(*error_name)(int error);
    int (*set_device)(int device);
    /* Fill a struct whose members moved in version 6, when the function got another name. */
    int (*properties)(void *properties, int device);
    int (*properties_6)(void *properties, int device);
} HipApi;

/* More bytes than the struct has in any version. */
#define HIP_PROPERTIES_BYTES 16384

#endif
