/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that are kept for comparison: a file of JSON, which pipesim writes and reads. */
#ifndef PIPESIM_CHECK_BASELINE_H
#define PIPESIM_CHECK_BASELINE_H

#include "check/result.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The text of the file (g_free). */
char *ps_check_baseline_write(const GPtrArray *results);

/* The results (PsCheckResult; g_ptr_array_unref) of the file. NULL and *error: PS_ERROR_READ,
 * PS_ERROR_SYNTAX, and PS_ERROR_VALUE where another version of pipesim wrote it, whose predictions
 * may be others. */
GPtrArray *ps_check_baseline_load(const char *path, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
