/* SPDX-License-Identifier: BSD-3-Clause */
/* See doubts.h. */
#include "profile/doubts.h"

#include "base/error.h"

static void doubt(GPtrArray *doubts, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void doubt(GPtrArray *doubts, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(doubts, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

gboolean ps_traced_check(const PsTraced *times, const char *program, GError **error)
{
    const char *why = ps_traced_failure(times, "cupti");
    if (ps_traced_timed(times))
        return TRUE;
    if (!times->processes->len)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "nothing was measured: %s did not start CUDA (no driver, or it is no CUDA "
                    "program)",
                    program);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "nothing was measured: %s%s",
                    why ? why : program,
                    why                    ? ""
                    : times->launches->len ? ": no launch has a time"
                                           : " launched no kernel");
    return FALSE;
}

void ps_traced_doubt_times(const PsTraced *times, GPtrArray *doubts)
{
    const char *lost = ps_traced_failure(times, "lost");
    const char *failed = ps_traced_failure(times, "cupti");
    guint killed = 0;
    for (guint i = 0; i < times->processes->len; i++)
        killed += !((const PsTracedProcess *)times->processes->pdata[i])->done;
    if (killed)
        doubt(doubts,
              "the program did not end by itself: what it launched in its last second may be "
              "missing");
    if (failed)
        doubt(doubts, "in a process nothing was measured: %s", failed);
    if (lost)
        doubt(doubts, "some launches may be missing: %s", lost);
    const guint untimed = times->launches->len - ps_traced_timed(times);
    if (untimed)
        doubt(doubts, "%u launches could not be timed, and are left out", untimed);
}

void ps_traced_doubt_counters(const PsTraced *counts, const char *cure, GPtrArray *doubts)
{
    const char *forbidden = ps_traced_failure(counts, "privileges");
    const char *why = ps_traced_failure(counts, "counters");
    const char *cupti = ps_traced_failure(counts, "cupti");
    if (forbidden)
        doubt(doubts,
              "the driver lets only administrators read counters (%s), so the file has only "
              "times: run as root, or have the module nvidia loaded with the option "
              "NVreg_RestrictProfilingToAdminUsers=0",
              forbidden);
    else if (why || cupti)
        doubt(doubts, "not all counters could be read: %s%s", why ? why : cupti, cure);
}

void ps_traced_doubt_join(guint given, guint left, const PsTraced *counts, GPtrArray *doubts)
{
    if (left && (given || !counts->failures->len))
        doubt(doubts,
              "%u launches have only times or only counters: the program does not launch the "
              "same kernels each time, or was stopped",
              left);
}
