/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the clang that compiles OpenCL C for NVIDIA's GPUs, with libclc's functions. */
#ifndef PIPESIM_CODE_CLANG_H
#define PIPESIM_CODE_CLANG_H

#include "base/tool.h"

/* All clangs on PATH (owned): the one named clang first, then those that are named by version, the
 * newest first. */
GPtrArray *ps_clang_all(void);

/* libclc's functions for NVIDIA's GPUs (g_free); NULL: they are not there. */
char *ps_clang_libclc(void);

/* The first clang that compiles with that libclc (g_free). Each is tried, since a clang does not
 * read the libclc of a later version. NULL, and *error names what is missing ("the compiler clang,
 * ..."), if none does, or there is none, or no libclc (NULL). */
char *ps_clang_find(const PsToolHost *tools, const char *libclc, GError **error);

#endif
