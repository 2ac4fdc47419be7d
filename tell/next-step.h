/* SPDX-License-Identifier: BSD-3-Clause */
/* How people call what limits a kernel's occupancy, and the step that would raise it. */
#ifndef PIPESIM_TELL_NEXT_STEP_H
#define PIPESIM_TELL_NEXT_STEP_H

#include "gpu/next-step.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* "registers and local memory", of PsLimitBits (g_free). */
char *ps_occupancy_limit_words(guint limited_by);

/* "168 registers of a thread at most: 3 groups at once, 18.8 % of the warps" (g_free). */
char *ps_next_step_words(const PsNextStep *step, const PsGpu *gpu);

#pragma GCC visibility pop
G_END_DECLS
#endif
