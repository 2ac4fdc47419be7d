/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files of a folder that have kernels. */
#ifndef PIPESIM_GATE_FILES_H
#define PIPESIM_GATE_FILES_H

#include <glib.h>

/* The paths, from the folder on, of its files with machine code, in their order (g_ptr_array_unref;
 * texts); where there are none, those of PTX; where there are none either, those of CUDA sources.
 * Hidden files and folders stay out, and so do links to folders. */
GPtrArray *ps_gate_files(const char *folder);

/* TRUE for a name that objects, libraries and the like have, with kernels in them or without. */
gboolean ps_gate_file_is_binary(const char *name);

#endif
