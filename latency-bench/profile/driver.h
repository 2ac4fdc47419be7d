/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver that the program has loaded, as far as it tells what memory holds. */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_DRIVER_H
#define PIPESIM_LATENCY_BENCH_PROFILE_DRIVER_H

#include "latency-bench/profile/driver-api.h"

/* CUresult; 0 is success. */
typedef int32_t DriverResult;

typedef struct {
    DriverResult (*pointer_attribute)(void *value, int32_t attribute, uint64_t pointer);
    DriverResult (*copy)(uint64_t to, uint64_t from, size_t size, void *stream);
    DriverResult (*stream_create)(void **stream, uint32_t flags);
    DriverResult (*stream_destroy)(void *stream);
    DriverResult (*stream_wait)(void *stream);
    DriverResult (*stream_capturing)(void *stream, int32_t *status);
    DriverResult (*wait)(void);
    DriverResult (*kernel_function)(void **function, void *kernel);
    DriverResult (*function_module)(void **module, void *function);
    DriverResult (*variable)(uint64_t *address, size_t *size, void *module, const char *name);
    DriverResult (*device_attribute)(int32_t *value, int32_t attribute, int32_t device);
} Driver;

/* 0; or -1, and the name of the first missing function, static; NULL: there is no driver. */
int ps_driver_open(Driver *driver, const char **missing);

#endif
