/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The names of a kernel's parameters. Compilers number them (saxpy_param_0), so what their author
 * called them stands in the source alone.
 */
#ifndef PIPESIM_PTX_NAMES_H
#define PIPESIM_PTX_NAMES_H

#include "ptx/ptx.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The names of the n parameters of the kernel that CUDA or OpenCL source (length bytes) declares as
 * `kernel`, a plain name (ps_ptx_plain_name): a list of strings that ends in NULL, to be freed with
 * g_strfreev. NULL where the source has no such kernel, or one with another number of parameters,
 * or several whose names differ, or a declaration that this simple reader does not understand:
 * macros are not expanded. */
char **ps_ptx_source_names(const char *kernel, guint n, const char *source, gsize length);

/* The same of a kernel that a compiler of Python made, from Python source (NULL: there is none).
 * Triton leaves out arguments that it compiled in, and may pass two addresses of its own behind the
 * others (global_scratch and profile_scratch); Numba takes an array x apart (x_data, x_shape0,
 * ...), whose parts the kernel's name tells, too: without a source x is arg0. NULL also where it is
 * not certain which parameter is which. */
char **ps_ptx_python_names(const PsPtxFunction *kernel, const char *source, gsize length);

#define PS_PTX_GLOBAL_SCRATCH "global_scratch"
#define PS_PTX_PROFILE_SCRATCH "profile_scratch"

/* What a parameter is that its compiler added, or made of an array. */
typedef enum {
    PS_PTX_ROLE_NONE,
    PS_PTX_ROLE_SCRATCH, /* Triton */
    PS_PTX_ROLE_PROFILE,
    PS_PTX_ROLE_MEMINFO, /* Numba, in this order */
    PS_PTX_ROLE_PARENT,
    PS_PTX_ROLE_NITEMS,
    PS_PTX_ROLE_ITEMSIZE,
    PS_PTX_ROLE_DATA,
    PS_PTX_ROLE_SHAPE,  /* one for each axis */
    PS_PTX_ROLE_STRIDES /* likewise */
} PsPtxRole;

/* That of a kernel's parameter; `names` are those of all as ps_ptx_python_names has them, or NULL.
 */
PsPtxRole ps_ptx_role(const PsPtxFunction *kernel, char *const *names, guint number);

/* For people: "array: its elements"; empty for NONE. */
const char *ps_ptx_role_text(PsPtxRole role);

/* Whether an instruction of the kernel has the parameter as an operand. */
gboolean ps_ptx_is_read(const PsPtxFunction *kernel, const PsPtxVariable *param);

#pragma GCC visibility pop
G_END_DECLS
#endif
