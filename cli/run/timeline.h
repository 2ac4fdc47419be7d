/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --timeline: what the warps of the first CU do, a row for each of them and a letter for some
 * cycles.
 */
#ifndef PIPESIM_CLI_RUN_TIMELINE_H
#define PIPESIM_CLI_RUN_TIMELINE_H

#include "cli/run/window.h"

typedef struct {
    PsWindow window;
    const char *warps; /* "0-7,12" or "all"; NULL: the first ones */
    const char *which; /* of several runs; NULL: there is one */
    guint width;       /* columns of the terminal */
    gboolean colour;
    gboolean shades; /* UTF-8 instead of ASCII */
    gboolean no_fast_forward;
} TimelineOptions;

/* Whether that is a list of warps; FALSE and *error where it is not. */
gboolean timeline_check_warps(const char *list, GError **error);

/* Appends the timeline of the answer's run, which is simulated again. FALSE and *error where the
 * window or the warps are not in it. */
gboolean timeline_print(const PsAnswer *answer, const TimelineOptions *options, GString *out,
                        GError **error);

#endif
