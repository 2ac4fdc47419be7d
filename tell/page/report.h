/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page to share: one file of HTML that needs nothing else, no script and no network, and
 * forbids both.
 */
#ifndef PIPESIM_TELL_PAGE_REPORT_H
#define PIPESIM_TELL_PAGE_REPORT_H

#include "answer/answer.h"
#include "base/workers.h"
#include "sass/sass.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The subject of the page; all is borrowed. */
typedef struct {
    const PsQuestion *question;
    const PsAnswer *answer;    /* to the question */
    const PsAnswer *what_if;   /* NULL: there is no what-if */
    const char *what_if_text;  /* as the user wrote it; NULL like what_if */
    double measured;           /* seconds; 0: none were measured */
    const PsSassCode *machine; /* the machine code that ran, to be listed; NULL: it is not */
    gboolean without_source;   /* lines of the source are shown without their text */
} PsReport;

/* Runs with other numbers of active groups, which idle threads make. */
typedef struct {
    GPtrArray *jobs; /* owned */
    PsSpare spare;
} PsReportSweep;

/* The simulations that the page needs beyond the answer to that question, on so many threads; none
 * has begun. NULL and *error if the question has no answer. */
PsReportSweep *ps_report_sweep_new(const PsQuestion *question, guint threads, GError **error);
void ps_report_sweep_free(PsReportSweep *sweep);

/* Simulates the rest of the sweep, reads sources, and returns the page (g_free). Missing parts go
 * to warnings, and the names of other people's files on the page to notes (texts that g_free
 * frees). NULL and *error if threads cannot be had. */
char *ps_report_page(const PsReport *report, PsReportSweep *sweep, GPtrArray *warnings,
                     GPtrArray *notes, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsReportSweep, ps_report_sweep_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
