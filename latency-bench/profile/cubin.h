/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads from machine code in someone else's program what a launch needs: the places of its kernels'
 * parameters, and its variables. sass/ reads everything else later, and elsewhere; this needs only
 * libc. Nothing in the bytes is trusted.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_CUBIN_H
#define PIPESIM_LATENCY_BENCH_PROFILE_CUBIN_H

#include <stddef.h>
#include <stdint.h>

enum { CUBIN_MOST_PARAMS = 4096 };

typedef struct {
    uint32_t offset, size; /* bytes; size 0: there is no such parameter */
} CubinParam;

/* Whether the code has a kernel of that name. */
int ps_cubin_has(const void *cubin, size_t size, const char *kernel);

/* The kernel's parameters in their order, with room for CUBIN_MOST_PARAMS. Returns their number, or
 * -1 if the code does not tell. */
int ps_cubin_params(const void *cubin, size_t size, const char *kernel, CubinParam *params);

/* Calls back for each variable that programs can reach. */
typedef void (*CubinVariable)(void *self, const char *name);
void ps_cubin_variables(const void *cubin, size_t size, CubinVariable variable, void *self);

#endif
