/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a PsKernelCode that others of the library may know. */
#ifndef PIPESIM_CODE_BUILT_H
#define PIPESIM_CODE_BUILT_H

#include "code/code.h"
#include "code/graph.h"

/* The code's file, and the other one what ps_kernel_code_launch made of it; NULL: that was not
 * called, or failed. Borrowed. */
const char *ps_kernel_code_path(const PsKernelCode *code);
const PsBuiltCode *ps_kernel_code_built(const PsKernelCode *code);

/* The code as it is launched, for PsQuestion.code of a question about that graph: advice then tries
 * other shapes. It is the code's own until this is called again. The GPU must live as long. NULL
 * and *error as above. */
const struct PsLaunchCode *ps_kernel_code_launch(PsKernelCode *code, const PsGpu *gpu,
                                                 PsHearer hearer, GError **error);

#endif
