/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters by Nsight Compute, where that is installed and CUPTI does not count: its table of a row
 * for each launch and metric becomes a trace. Its times, of replayed kernels, are left alone.
 */
#ifndef PIPESIM_PROFILE_NCU_H
#define PIPESIM_PROFILE_NCU_H

#include "profile/traced.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* "ncu", its options, and the command (g_strfreev), so that it writes its table to the file `log`.
 */
char **ps_traced_ncu_command(const char *log, char **command);

/* The counters that it wrote to a file. NULL and *error where it did not. */
PsTraced *ps_traced_ncu_read(const char *path, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
