/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All kernels, of the micro-benchmarks, of the validation and what empties caches, compiled for
 * CUDA beforehand, so that a machine with a GPU needs no compiler (ps_device_open_cubins).
 */
#ifndef PIPESIM_LATENCY_BENCH_PRECOMPILE_H
#define PIPESIM_LATENCY_BENCH_PRECOMPILE_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Takes the archive of one architecture, to be written under that name into the folder. FALSE and
 * *error ends it all. */
typedef gboolean (*PsPrecompilePut)(void *self, const char *name, GBytes *archive, GError **error);

/* Compiles for each of the architectures ("sm_90"; the list ends in NULL) by NVRTC. FALSE and
 * *error: PS_ERROR_USAGE for a text that names no architecture, PS_ERROR_DEVICE if there is no
 * NVRTC, and, before anything is compiled, for an architecture that it does not know. */
gboolean ps_precompile(const char *const *architectures, PsPrecompilePut put, void *self,
                       GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
