/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cubins that a file has, or that compilers make of it, for callers that ask what kernels need
 * and not what they do.
 */
#ifndef PIPESIM_CODE_CUBINS_OF_H
#define PIPESIM_CODE_CUBINS_OF_H

#include "code/options.h"
#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The cubins (PsSassImage; g_ptr_array_unref) of a cubin, fat binary, object, library, archive or
 * program, or ptxas's output for PTX or for nvcc's PTX of a CUDA source. For a GPU only those for
 * the architecture that suits it; NULL: all. NULL and *error as of ps_code_module_load:
 * PS_ERROR_READ also if the file has no machine code of NVIDIA's. */
GPtrArray *ps_code_cubins_of(const PsCodeOptions *build, const char *name, const PsGpu *gpu,
                             GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
