/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks whether a GPU could run code at all. */
#ifndef PIPESIM_LAUNCH_UNITS_H
#define PIPESIM_LAUNCH_UNITS_H

#include "gpu/gpu.h"
#include "lift/build.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The kinds of code: PTX, machine code that an assembler made of it for a GPU, or machine code
 * without PTX. */
typedef enum { PS_CODE_FORM_PTX, PS_CODE_FORM_MADE, PS_CODE_FORM_MACHINE } PsCodeForm;

/* The reason why the GPU could not run code for that target ("sm_90a"), as a sentence without an
 * end (g_free); NULL: it could, or nobody knows. sm_75 stands for older ones, too, since the latest
 * assembler makes nothing for these any more; but not if there is only machine code. */
char *ps_launch_target_wrong(const PsGpu *gpu, const char *target, PsCodeForm code);

/* A sentence without an end (g_free) where the kernel's groups form clusters and the GPU has none;
 * else NULL. */
char *ps_launch_clusters_wrong(const PsGpu *gpu, const PsPtxFunction *kernel);

/* The reason why the launch's buffers and the module's variables cannot be in the GPU's memory
 * together, as a sentence without an end (g_free); NULL: they can, or the description does not
 * say. */
char *ps_launch_memory_short(const PsGpu *gpu, const PsPtxModule *module,
                             const PsPtxLaunch *launch);

/* FALSE and *error (PS_ERROR_VALUE) where the code itself has more local memory in each group than
 * assemblers for NVIDIA's GPUs allow; dynamic_name is the user's name for the launch's local
 * memory, or NULL. */
gboolean ps_launch_check_static(const PsBuild *build, const PsGpu *gpu, const char *dynamic_name,
                                GError **error);

/* FALSE and *error (PS_ERROR_VALUE) where the graph has products of matrices for which the GPU has
 * no units. */
gboolean ps_launch_check_units(const PsBuild *build, const PsGpu *gpu, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
