/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the names of a kernel's parameters in the text of a source. */
#ifndef PIPESIM_PTX_SOURCE_NAMES_H
#define PIPESIM_PTX_SOURCE_NAMES_H

#include "ptx/names.h"

G_BEGIN_DECLS

/* The names of the n parameters of the kernel that CUDA or OpenCL source (length bytes) declares as
 * `kernel`, a plain name (ps_ptx_plain_name): a list of strings that ends in NULL, to be freed with
 * g_strfreev. NULL where the source has no such kernel, or one with another number of parameters,
 * or several whose names differ, or a declaration that this simple reader does not understand:
 * of macros it knows those that stand for __global__. */
char **ps_ptx_source_names(const char *kernel, guint n, const char *source, gsize length);

/* CUDA or OpenCL source (length bytes) with a blank in place of each comment, literal and NUL; free
 * with g_free. */
char *ps_ptx_plain_source(const char *source, gsize length);

/* The names (ps_ptx_source_names) for a kernel that a compiler of Python made, from Python source
 * (NULL: there is none). Triton leaves out arguments that it compiled in, and may pass two
 * addresses of its own behind the others (global_scratch and profile_scratch); Numba takes an array
 * x apart (x_data, x_shape0,
 * ...), whose parts the kernel's name tells, too: without a source x is arg0. NULL also if it is
 * not certain which parameter is which. */
char **ps_ptx_python_names(const PsPtxFunction *kernel, const char *source, gsize length);

#define PS_PTX_GLOBAL_SCRATCH "global_scratch"
#define PS_PTX_PROFILE_SCRATCH "profile_scratch"

G_END_DECLS
#endif
