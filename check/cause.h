/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the line that made a kernel slower. */
#ifndef PIPESIM_CHECK_CAUSE_H
#define PIPESIM_CHECK_CAUSE_H

#include "check/result.h"

/* The line whose part of the critical path grew most, as a sentence (g_free); *file becomes the
 * path of its file (g_free). NULL, and so is *file: none did, or no source has lines. */
char *ps_check_cause(const PsCheckKernel *kernel, const PsCheckResult *before,
                     const PsCheckResult *after, char **file, gint64 *line);

#endif
