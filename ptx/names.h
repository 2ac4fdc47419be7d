/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of a kernel: their names, which compilers number (saxpy_param_0), so that what
 * their author called them stands in the source alone; what compilers add to them, and their
 * fields.
 *
 * Since: 0.1
 */
#ifndef PIPESIM_PTX_NAMES_H
#define PIPESIM_PTX_NAMES_H

#include "ptx/ptx.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What the source calls a kernel's parameters (g_strfreev), as many as there are: `source`, the
 * path of what its PTX was compiled from, or NULL; else a source that the PTX names, beside the
 * module's file or where it says, of CUDA, OpenCL or Python; else what the kernel's name tells
 * (Numba's). NULL where none of these tells. */
char **ps_ptx_find_names(const PsPtxModule *module, const PsPtxFunction *kernel,
                         const char *source);

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

/* That of a kernel's parameter; `names` are those of all as ps_ptx_find_names has them, or NULL. */
PsPtxRole ps_ptx_role(const PsPtxFunction *kernel, char *const *names, guint number);

/* For people: "array: its elements"; empty for NONE. */
const char *ps_ptx_role_text(PsPtxRole role);

/* Whether an instruction of the kernel has the parameter as an operand. */
gboolean ps_ptx_is_read(const PsPtxFunction *kernel, const PsPtxVariable *param);

/* Whether a parameter is more than one number: a struct by value. */
gboolean ps_ptx_is_struct(const PsPtxVariable *param);

/* What a kernel loads of a struct. PTX has no names of fields. */
typedef struct {
    guint64 offset; /* bytes */
    PsPtxType type;
} PsPtxFieldUse;

/* All of these (g_array_unref), ascending, each offset once. */
GArray *ps_ptx_fields_used(const PsPtxFunction *kernel, const PsPtxVariable *param);

#pragma GCC visibility pop
G_END_DECLS
#endif
