/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of kernels: what C++ makes of them, undone, and the short forms that people know. */
#ifndef PIPESIM_BASE_KERNEL_NAME_H
#define PIPESIM_BASE_KERNEL_NAME_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Of "_Z1fILi32EEvPf", "void f<32>(float*)"; NULL for a name that C++ did not mangle, or where its
 * library is not installed. g_free. */
char *ps_kernel_demangle(const char *name);

/* Of "void a::f<32>(float *, int)", "a::f<32>", or without scopes "f<32>"; a name that is no such
 * signature as it is. g_free. */
char *ps_kernel_short_name(const char *name, gboolean with_scopes);

#pragma GCC visibility pop
G_END_DECLS
#endif
