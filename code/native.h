/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenCL's native functions, which libclc leaves to the GPU and clang cannot translate. */
#ifndef PIPESIM_CODE_NATIVE_H
#define PIPESIM_CODE_NATIVE_H

#include <glib.h>

G_BEGIN_DECLS

/* A header (static) to be included before OpenCL source that clang compiles to PTX: it has
 * native_sin and its like (OpenCL 1.2, section 6.12.2, table 6.9) as the one or two instructions
 * of PTX that NVIDIA's GPUs have for them, as CUDA's __sinf. What it adds has no line of its own.
 */
const char *ps_native_header(void);

G_END_DECLS
#endif
