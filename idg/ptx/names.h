/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of a kernel's parameters. Compilers number them (saxpy_param_0), so what their author
 * called them stands in the source alone.
 */
#ifndef PIPESIM_IDG_PTX_NAMES_H
#define PIPESIM_IDG_PTX_NAMES_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The names of the n parameters of the kernel that CUDA or OpenCL source (length bytes) declares as
 * `kernel`, a plain name (ps_ptx_plain_name): a list of strings that ends in NULL, to be freed with
 * g_strfreev. NULL where the source has no such kernel, or one with another number of parameters,
 * or several whose names differ, or a declaration that this simple reader does not understand:
 * macros are not expanded. */
char **ps_ptx_source_names(const char *kernel, guint n, const char *source, gsize length);

#pragma GCC visibility pop
G_END_DECLS
#endif
