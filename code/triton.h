/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what Triton's cache says of a kernel beside its machine code. */
#ifndef PIPESIM_CODE_TRITON_H
#define PIPESIM_CODE_TRITON_H

#include <glib.h>

G_BEGIN_DECLS

/* The text (g_free) of NAME.json beside NAME.cubin, and its path (g_free), unless NULL is given;
 * NULL if there is none, or the path is no cubin's. */
char *ps_triton_beside(const char *path, char **json);

/* Bytes of dynamic shared memory that such a text has for the kernel; 0 if it is no text of
 * Triton's, is damaged, or is of another kernel. */
guint64 ps_triton_shared(const char *text, const char *kernel);

G_END_DECLS
#endif
