/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of a plan's results beside a baseline, for all formats. */
#ifndef PIPESIM_CHECK_TOLD_H
#define PIPESIM_CHECK_TOLD_H

#include "check/result.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The document `check` of tell/facts.table (ps_told_free). Both arrays hold PsCheckResult, the
 * first in the plan's order. *failed: how many are slower than allowed. */
PsTold *ps_check_told(const PsCheckPlan *plan, const GPtrArray *results, const GPtrArray *baseline,
                      guint *failed);

#pragma GCC visibility pop
G_END_DECLS
#endif
