/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of a kernel. Compilers number them (saxpy_param_0), so that only the source has
 * the names that the author gave them; some compilers add parameters of their own; and a parameter
 * may be a struct.
 */
#ifndef PIPESIM_PTX_NAMES_H
#define PIPESIM_PTX_NAMES_H

#include "ptx/ptx.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The names of a kernel's parameters in its source (g_strfreev), as many as it has parameters. They
 * are looked for in `source`, the path of the file that was compiled, or NULL; else in a source of
 * CUDA, OpenCL or Python that the PTX names, beside the module's file or at its own path; else in
 * the kernel's name (Numba's). NULL: not found, or declared with different names, as by the
 * specialisation of a template or in two namespaces.
 *
 * A source that the module names may have changed since: it differs from the compiler's note of it
 * (stamps), or is newer than the module's file. A source of another size, or newer than the file,
 * gives no names. *doubt, unless doubt is NULL, says so (g_free), or that a source of the same size
 * was written after the note, or that two sources have different names; NULL: there is no doubt. */
char **ps_ptx_find_names(const PsPtxModule *module, const PsPtxFunction *kernel, const char *source,
                         char **doubt);

/* What a parameter is that the compiler added, or that is a part of an array. */
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
    PS_PTX_ROLE_STRIDES /* one for each axis */
} PsPtxRole;

/* The role of a kernel's parameter; `names` are those of all its parameters from ps_ptx_find_names,
 * or NULL. */
PsPtxRole ps_ptx_role(const PsPtxFunction *kernel, char *const *names, guint number);

/* A description for people, "array: its elements"; empty for NONE. */
const char *ps_ptx_role_text(PsPtxRole role);

/* Whether an instruction of the kernel has the parameter as an operand. */
gboolean ps_ptx_is_read(const PsPtxFunction *kernel, const PsPtxVariable *param);

/* TRUE if a parameter is a struct by value, so that it has more than one number. */
gboolean ps_ptx_is_struct(const PsPtxVariable *param);

/* A part of a struct that a kernel loads. PTX has no names of fields. */
typedef struct {
    guint64 offset; /* bytes */
    PsPtxType type;
} PsPtxFieldUse;

/* All parts of the struct that the kernel loads (g_array_unref), ascending, each offset once. */
GArray *ps_ptx_fields_used(const PsPtxFunction *kernel, const PsPtxVariable *param);

#pragma GCC visibility pop
G_END_DECLS
#endif
