/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs of LLVM. Internal to the library. */
#ifndef PIPESIM_LATENCY_BENCH_TOOL_H
#define PIPESIM_LATENCY_BENCH_TOOL_H

#include <glib.h>

/* The paths of a program ("clang"), which the caller owns: ROCm's, then those on PATH, where Debian
 * gives each version a name of its own, the newest first. */
GPtrArray *ps_llvm_tools(const char *name);

/* The first of these paths that is there. Free with g_free; NULL if there is none. */
char *ps_llvm_tool(const char *name);

/* Runs a program with its arguments, which end in NULL, to its end. *written gets its output
 * (g_free). FALSE and *error (PS_ERROR_DEVICE: its message) if it cannot be started or fails. */
gboolean ps_llvm_run(const char *const *words, char **written, GError **error);

#endif
