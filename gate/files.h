/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the files of a folder that have kernels. */
#ifndef PIPESIM_GATE_FILES_H
#define PIPESIM_GATE_FILES_H

#include <glib.h>

/* The paths of the folder's files with machine code, relative to it and in order
 * (g_ptr_array_unref; texts); if there are none, files of PTX; otherwise CUDA sources. Hidden files
 * and folders, and links to folders, are left out. */
GPtrArray *ps_gate_files(const char *folder);

/* TRUE for a name of an object, a library or the like, with or without kernels. */
gboolean ps_gate_file_is_binary(const char *name);

#endif
