/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives the kernels of a gate the times and the bank conflicts of their launches in a plan. */
#ifndef PIPESIM_CHECK_LAUNCHES_H
#define PIPESIM_CHECK_LAUNCHES_H

#include "check/result.h"
#include "gate/set.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Simulates the plan's kernels on the GPU, with their files as they stand in each set's folder, or
 * with the set's file where it is one. A kernel of which the plan has several launches gets their
 * sum. A file that one set lacks becomes a warning of it. FALSE and *error as from ps_check_ask,
 * and PS_ERROR_VALUE where no kernel or several of a set may be meant. */
gboolean ps_check_launches(const PsCheckPlan *plan, PsGateSet *before, PsGateSet *after,
                           const PsGpu *gpu, PsHearer hearer, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
