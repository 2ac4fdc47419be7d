/* SPDX-License-Identifier: BSD-3-Clause */
/* See progress.h. */
#include "base/hearer.h"

gboolean ps_hearer_tell(const PsHearer *hearer, const PsProgress *progress, GError **error)
{
    if (!hearer->func || hearer->func(progress, hearer->data))
        return TRUE;
    g_set_error_literal(error, PS_ERROR, PS_ERROR_CANCELLED, "the work was cancelled");
    return FALSE;
}

gboolean ps_progress_is_due(gint64 *told)
{
    const gint64 now = g_get_monotonic_time();
    if (now - *told < PS_PROGRESS_PAUSE)
        return FALSE;
    *told = now;
    return TRUE;
}
