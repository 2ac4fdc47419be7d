/* SPDX-License-Identifier: BSD-3-Clause */
/* Clang, which compiles HIP and OpenCL C for AMD's GPUs without a GPU or ROCm. Internal to the
 * library. */
#ifndef PIPESIM_LATENCY_BENCH_CLANG_H
#define PIPESIM_LATENCY_BENCH_CLANG_H

#include "latency-bench/kernel.h"

typedef struct {
    char *path;    /* of the program */
    char *version; /* "19.1.7" */
} PsClang;

/* ROCm's clang, else the newest on PATH, that compiles for AMD's GPUs. Each is tried, since a clang
 * without its parts, such as a linker of its version, does not compile. NULL and *error
 * (PS_ERROR_DEVICE), with the fault of the first, if there is none. */
PsClang *ps_clang_new(GError **error);
void ps_clang_free(PsClang *clang); /* NULL is fine */

/* The code object of a kernel, which must be one for the backend ("HIP", "OpenCL"), for an
 * architecture ("gfx90a"). NULL and *error (PS_ERROR_DEVICE: what the compiler says). */
GBytes *ps_clang_compile(const PsClang *clang, const PsBenchKernel *kernel, const char *backend,
                         const char *architecture, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsClang, ps_clang_free)

#endif
