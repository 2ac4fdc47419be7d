/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptions by what people call their GPUs, among those that are there; and what may stand
 * behind such a name.
 */
#ifndef PIPESIM_GPU_CALLED_H
#define PIPESIM_GPU_CALLED_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What a GPU is called by its description's file: "a100" of "gpus/a100.xml" (g_free). */
char *ps_gpu_stem(const char *path);

/* The one of these files whose GPU is called so (named.h), families being in those folders, which
 * NULL ends (g_free). NULL where it is none's; with *error (PS_ERROR_READ) where it is several's,
 * or a card's that is known and has no description. */
char *ps_gpu_called(const char *name, const GPtrArray *paths, const char *const *families,
                    GError **error);

/* What stands behind a GPU's name from the first colon on that begins a way to run kernels:
 * ":wave64", ":cu", ":wgp" or several of them ("rx7900xtx:wave64:wgp"); NULL where there is
 * none. */
const char *ps_gpu_modes_of(const char *name);

/* Makes the description one of a GPU that runs kernels so: by warps of so many threads, on pairs of
 * compute units, or on single ones (it has no pairs then). FALSE and *error (PS_ERROR_VALUE,
 * _LIMIT) where the GPU does not, and the description is of no use. */
gboolean ps_gpu_take_modes(PsGpu *gpu, const char *name, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
