/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of mathematics that OpenCL source gets from libclc, and on a device from the vendor. */
#ifndef PIPESIM_CODE_LIBCLC_H
#define PIPESIM_CODE_LIBCLC_H

#include <glib.h>

G_BEGIN_DECLS

/* What the user should know of the functions of libclc that the source (OpenCL C) calls: one
 * sentence (g_free). NULL: it calls none of those that take more instructions than NVIDIA's. They
 * are found by their names, so one that the source only includes from a header is not. */
char *ps_libclc_warning(const char *path, const char *source);

G_END_DECLS
#endif
