/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of kernels: undoes what C++ makes of them, and makes the short forms that people know. */
#ifndef PIPESIM_BASE_KERNEL_NAME_H
#define PIPESIM_BASE_KERNEL_NAME_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The readable name, such as "void f<32>(float*)" for "_Z1fILi32EEvPf"; NULL for a name that C++
 * did not mangle, or where its library is not installed. g_free. */
char *ps_kernel_demangle(const char *name);

/* The short name, such as "a::f<32>", or without scopes "f<32>", for "void a::f<32>(float *, int)";
 * a name that is no such signature stays as it is. g_free. */
char *ps_kernel_short_name(const char *name, gboolean with_scopes);

/* How well a name that somebody wrote fits a kernel. */
typedef enum {
    PS_KERNEL_FIT_NONE,
    PS_KERNEL_FIT_PART,  /* it is a part of its name */
    PS_KERNEL_FIT_NAME,  /* its name, perhaps without scopes, template arguments, parameters */
    PS_KERNEL_FIT_EXACT, /* letter by letter */
} PsKernelFit;

/* How well a written name fits that of a kernel. Both may be mangled, or as C++ or a profiler
 * spells them: "f<float, 8>", "_Z1fIfLi8EEvPT_", "void f<float, (int)8>(T1 *)", "<unnamed>::f",
 * "f(int) [clone .kd]". Differences of spelling do not count. */
PsKernelFit ps_kernel_fit(const char *name, const char *written);

/* One spelling for all names that differ only in how they are written: "f<float,8>(float*)" for
 * "void f<float, (int)8>(T1 *)". It is for comparing, not for people (g_free). */
char *ps_kernel_plain(const char *name);

#pragma GCC visibility pop
G_END_DECLS
#endif
