/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of Numba, whose names state the types of their arguments (roles.c).
 */
#ifndef PIPESIM_PTX_PYTHON_H
#define PIPESIM_PTX_PYTHON_H

#include "ptx/source-names.h"

/* The Python function's name that the kernel was compiled from (g_free); NULL: the kernel is not
 * Numba's, or has arguments that this reader does not know. */
char *ps_ptx_numba_function(const PsPtxFunction *kernel);

/* The names of such a kernel's parameters, as ps_ptx_python_names has them, from the names of the
 * function's arguments (NULL: arg0, arg1, ...); NULL if the numbers of arguments differ. */
char **ps_ptx_numba_names(const PsPtxFunction *kernel, const GPtrArray *arguments);

#endif
