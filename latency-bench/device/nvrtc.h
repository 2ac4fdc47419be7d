/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVRTC, which compiles CUDA C for any architecture that it knows, with a device or without.
 */
#ifndef PIPESIM_LATENCY_BENCH_NVRTC_H
#define PIPESIM_LATENCY_BENCH_NVRTC_H

#include "latency-bench/device/compiler.h"
#include "latency-bench/kernel.h"

typedef struct {
    PsCompiler compiler;
    int major, minor; /* version */
    GArray *known;    /* int: compute capabilities, 75 and so on; empty if not reported */
} PsNvrtc;

/* Opens NVRTC of the driver's version (13000 for 13.0) or an older one, whose code the driver can
 * load; 0: no driver shall load it, and the newest will do. NULL and *error (PS_ERROR_DEVICE: the
 * names that were tried). */
PsNvrtc *ps_nvrtc_new(int driver_version, GError **error);
void ps_nvrtc_free(PsNvrtc *nvrtc); /* NULL is fine */

/* The compute capability in "sm_90", 90; FALSE if the text names no architecture. */
gboolean ps_nvrtc_parse(const char *architecture, int *capability);

/* FALSE and *error where the text names none (PS_ERROR_USAGE), or one that NVRTC does not know
 * (PS_ERROR_DEVICE). */
gboolean ps_nvrtc_check(const PsNvrtc *nvrtc, const char *architecture, GError **error);

/* The newest capability that NVRTC knows and a device of this one runs: itself where NVRTC knows it
 * or does not tell, an older one, whose PTX the driver compiles on, or 0. */
int ps_nvrtc_newest(const PsNvrtc *nvrtc, int capability);

/* The machine code of a kernel, which must be one for CUDA, on an architecture ("sm_90"). *ptx gets
 * its text (g_free; ptx may be NULL). NULL and *error: those of ps_nvrtc_check, and PS_ERROR_DEVICE
 * with what the compiler says of the source. */
GBytes *ps_nvrtc_compile(const PsNvrtc *nvrtc, const PsBenchKernel *kernel,
                         const char *architecture, char **ptx, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsNvrtc, ps_nvrtc_free)

#endif
