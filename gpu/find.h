/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU by its name, in folders that have descriptions.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_GPU_FIND_H
#define PIPESIM_GPU_FIND_H

#include "gpu/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The description for a name, as `pipesim --gpu` reads it: a path with a folder in it; a file NAME
 * or NAME.xml in one of the folders (NULL ends them); or the name of a GPU ("RTX 4090",
 * "A100-SXM4-80GB", "sm_90"). ":wave64", ":cu" and ":wgp" may stand behind it. Families lie in each
 * folder's subfolder `families`. The caller frees it (ps_gpu_free). NULL and *error: PS_ERROR_READ
 * if there is none (the message has similar names), or several fit, else as from ps_gpu_load. */
PsGpu *ps_gpu_find(const char *name, const char *const *folders, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
