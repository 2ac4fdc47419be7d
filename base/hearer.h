/* SPDX-License-Identifier: BSD-3-Clause */
/* How work tells how far it is. */
#ifndef PIPESIM_BASE_HEARER_H
#define PIPESIM_BASE_HEARER_H

#include "base/message.h"
#include "base/progress.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Microseconds between two words on how far work is. */
#define PS_PROGRESS_PAUSE (G_USEC_PER_SEC / 4)

/* Tells the hearer how far work is. FALSE and *error (PS_ERROR_CANCELLED) where the work shall
 * end. */
gboolean ps_hearer_tell(const PsHearer *hearer, const PsProgress *progress, GError **error);

/* TRUE where the hearer is due: *told, the time of the last word (0: none), was that long ago. Then
 * *told becomes now. */
gboolean ps_progress_is_due(gint64 *told);

#pragma GCC visibility pop
G_END_DECLS
#endif
