/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the driver's interface that we meet in other people's programs: the parameters of
 * calls as CUPTI hands them on, and functions that are called for what memory holds. As of CUPTI,
 * the declarations are our own, and tests/stand-in/cupti-layout.c holds them against NVIDIA's
 * headers.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_DRIVER_API_H
#define PIPESIM_LATENCY_BENCH_PROFILE_DRIVER_API_H

#include <stddef.h>
#include <stdint.h>

/* Attributes of launches, of pointers, of devices; flags. */
enum { DRIVER_COOPERATIVE = 2, DRIVER_CLUSTER = 4 };
enum {
    DRIVER_MEMORY_TYPE = 2,
    DRIVER_IS_MANAGED = 8,
    DRIVER_RANGE_START = 11,
    DRIVER_RANGE_SIZE = 12
};
enum { DRIVER_HOST = 1 };
enum { DRIVER_NON_BLOCKING = 1 };
enum { DRIVER_COMPUTE_UNITS = 16 };

/* The marks in `extra` before the address of all parameters, and before their size. */
#define DRIVER_BUFFER ((void *)1)
#define DRIVER_BUFFER_SIZE ((void *)2)

/* cuLaunchKernel; cuLaunchCooperativeKernel has no `extra`. */
typedef struct {
    void *function;
    uint32_t grid[3], block[3], shared;
    void *stream;
    void **values;
    void **extra;
} DriverLaunch;

typedef struct {
    int32_t id;
    union {
        int32_t cooperative;
        uint32_t cluster[3];
        uint64_t bytes[8];
    } value;
} DriverAttribute;

typedef struct {
    uint32_t grid[3], block[3], shared;
    void *stream;
    const DriverAttribute *attributes;
    uint32_t n_attributes;
} DriverConfig;

/* cuLaunchKernelEx. */
typedef struct {
    const DriverConfig *config;
    void *function;
    void **values;
    void **extra;
} DriverLaunchEx;

/* How the calls that load code from memory begin. */
typedef struct {
    void *made;
    const void *image;
} DriverLoad;

#endif
