/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a gate's kernels the times and bank conflicts of their launches in a plan. */
#ifndef PIPESIM_CHECK_LAUNCHES_H
#define PIPESIM_CHECK_LAUNCHES_H

#include "check/result.h"
#include "gate/set.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Simulates the plan's kernels on the GPU, with their files from each set's folder, or with the
 * set's file if the set is one. A kernel with several launches gets their sum. A file that one set
 * lacks becomes a warning. FALSE and *error as from ps_check_ask, and PS_ERROR_VALUE if the plan's
 * name fits no kernel or several of a set. */
gboolean ps_check_launches(const PsCheckPlan *plan, PsGateSet *before, PsGateSet *after,
                           const PsGpu *gpu, PsHearer hearer, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
