/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of Numba, whose names state the types of their arguments (roles.c).
 */
#ifndef PIPESIM_PTX_PYTHON_H
#define PIPESIM_PTX_PYTHON_H

#include "ptx/source-names.h"

/* What Python calls the function that the kernel was made of (g_free); NULL: it is none of Numba's,
 * or has arguments that this reader does not know. */
char *ps_ptx_numba_function(const PsPtxFunction *kernel);

/* The names of that kernel's parameters, as ps_ptx_python_names has them, from those of the
 * function's arguments; NULL if these are not as many. Without arguments from arg0, arg1, ... */
char **ps_ptx_numba_names(const PsPtxFunction *kernel, const GPtrArray *arguments);

#endif
