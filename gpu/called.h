/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the descriptions of GPUs by what people call them, and reads what may stand behind such a
 * name.
 */
#ifndef PIPESIM_GPU_CALLED_H
#define PIPESIM_GPU_CALLED_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The name of a GPU by its description's file: "a100" for "gpus/a100.xml" (g_free). */
char *ps_gpu_stem(const char *path);

/* The file among these whose GPU has that name (named.h). folders, ended by NULL, have families
 * (g_free). NULL if no file has it; also NULL, with *error (PS_ERROR_READ), if several have it, or
 * it is a known card without a description. */
char *ps_gpu_called(const char *name, const GPtrArray *paths, const char *const *families,
                    GError **error);

/* The end of a GPU's name, from the first colon on that begins a way to run kernels: ":wave64",
 * ":cu", ":wgp" or several of them ("rx7900xtx:wave64:wgp"); NULL if there is none. */
const char *ps_gpu_modes_of(const char *name);

/* Changes the description to that way to run kernels: by warps of so many threads, on pairs of
 * compute units, or on single ones (it has no pairs then). FALSE and *error (PS_ERROR_VALUE,
 * _LIMIT) if the GPU cannot; the description is then useless. */
gboolean ps_gpu_take_modes(PsGpu *gpu, const char *name, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
