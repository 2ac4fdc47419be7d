/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hearer for callers that cannot be called back, such as bindings: any thread asks how far work
 * is, and ends it.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_BASE_MONITOR_H
#define PIPESIM_BASE_MONITOR_H

#include "base/progress.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsMonitor PsMonitor; /* the progress of some work, and the wish that it end */

/* A monitor of which no work has told anything. It must outlive the work that its hearer is told of
 * (ps_monitor_free). */
PsMonitor *ps_monitor_new(void);
void ps_monitor_free(PsMonitor *monitor); /* NULL is fine */

/* The hearer for ps_question_set_hearer and ps_kernel_code_graph; it borrows the monitor. Several
 * works may have it, one after the other or at once. */
PsHearer ps_monitor_hearer(PsMonitor *monitor);

/* Ends the work, and all that begins with this monitor later, within a quarter of a second, with
 * PS_ERROR_CANCELLED. A handler of a signal may call it, too. */
void ps_monitor_cancel(PsMonitor *monitor);

/* The progress of the work that last reported any. FALSE, and *progress stays as it is, if no work
 * has reported yet. */
gboolean ps_monitor_progress(PsMonitor *monitor, PsProgress *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsMonitor, ps_monitor_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
