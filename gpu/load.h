/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU, as its description states it (docs/guide/gpus.md): read, written, freed.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_GPU_LOAD_H
#define PIPESIM_GPU_LOAD_H

#include "base/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsGpu PsGpu; /* a description */

/* Reads a file ("-" is standard input) or a text (name stands for the file in messages). The
 * description belongs to the caller (ps_gpu_free). Checks all that a file states: its schema
 * (gpu/gpu.fields), repeated names, and references. NULL and *error (PS_ERROR_READ, _SYNTAX, _VALUE
 * or _LIMIT), with file and line, at the first fault. */
PsGpu *ps_gpu_load(const char *path, GError **error);
PsGpu *ps_gpu_parse(const char *text, gsize length, const char *name, GError **error);

/* The description as a text that ps_gpu_parse reads back as an equal one, but that all figures of
 * an element have its one source. Free with g_free. */
char *ps_gpu_write(const PsGpu *gpu);

void ps_gpu_free(PsGpu *gpu); /* NULL is fine */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsGpu, ps_gpu_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
