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

/* The name is a kernel's, mangled or as C++ or a profiler spells it; so may be what is written:
 * "f<float, 8>", "_Z1fIfLi8EEvPT_", "void f<float, (int)8>(T1 *)", "<unnamed>::f", "f(int) [clone
 * .kd]". What spellings differ in makes no difference. */
PsKernelFit ps_kernel_fit(const char *name, const char *written);

/* One spelling for all that only differ in how they are written: of "void f<float, (int)8>(T1 *)"
 * "f<float,8>(float*)". For comparing, not for people. g_free. */
char *ps_kernel_plain(const char *name);

#pragma GCC visibility pop
G_END_DECLS
#endif
