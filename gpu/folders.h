/* SPDX-License-Identifier: BSD-3-Clause */
/* The descriptions of folders; NULL ends each list. */
#ifndef PIPESIM_GPU_FOLDERS_H
#define PIPESIM_GPU_FOLDERS_H

#include "gpu/gpu.h"

/* Their subfolders for families, and NULL (g_ptr_array_unref). */
GPtrArray *ps_gpu_families(const char *const *folders);

/* The paths of their files that end in .xml, sorted by the files' names (g_ptr_array_unref); of two
 * with the same name that of the first folder. */
GPtrArray *ps_gpu_files(const char *const *folders);

#endif
