/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The page to share (--report): one file of HTML that needs nothing else, no script and no network,
 * and forbids both. run.c gathers what it tells, page.c lays it out, and each section with
 * more than words has a file of its own.
 */
#ifndef PIPESIM_CLI_PAGE_PAGE_H
#define PIPESIM_CLI_PAGE_PAGE_H

#include "cli/options.h"
#include "cli/report/answer.h"
#include "pipesim-private.h"

/* A run with another number of active groups. */
typedef struct {
    gint64 active;
    double seconds; /* NaN where that could not be simulated */
} PagePoint;

/* A source file that the graph speaks of. */
typedef struct {
    char *name;         /* as the graph has it */
    PsSourceFile *file; /* what is shown of it */
    gint64 *ticks;      /* of the critical path, by line, from 1 on */
    double *busy;       /* time of pipelines, as shares of the run, by line */
    gboolean *known;    /* the graph speaks of the line */
    guint n;            /* lines: of the file, or the last that the graph speaks of */
} PageSource;

typedef struct {
    const Report *report;
    GArray *sweep;                 /* PagePoint, by active groups, the run itself among them */
    GPtrArray *sources;            /* PageSource */
    const PsTold *facts, *what_if; /* of the report's answers; NULL where there is no what-if */
} Page;

/* Runs with other numbers of active groups, which threads make that have nothing else to do. */
typedef struct {
    GPtrArray *jobs; /* owned */
    PsSpare spare;
} PageSweep;

/* ---- gathering ----------------------------------------------------------------------------- */

/* What the page simulates beyond the answer to that question, on so many threads; nothing of it has
 * begun. NULL and *error where the question has no answer. */
PageSweep *page_sweep_new(const PsQuestion *question, guint threads, GError **error);
void page_sweep_free(PageSweep *sweep);

/* Simulates what is left of the sweep, reads sources, and writes the page to options->report. Says
 * (warn) what is missing from it. FALSE and *error where it cannot be written or threads cannot be
 * had. */
gboolean page_report(const Options *options, const Report *report, const PsQuestion *question,
                     PageSweep *sweep, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PageSweep, page_sweep_free)

/* The sources of a graph's nodes, PageSource, those that keep time of the run; on request without
 * their text. */
GPtrArray *page_sources_new(const PsAnswer *answer, gboolean without_text);

/* Why there is none of them; NULL where there is one. */
const char *page_sources_lacking(const Page *page);

/* ---- layout -------------------------------------------------------------------------------- */

/* The whole page (g_free). */
char *page_format(const Page *page);

/* The style sheet, in pieces; NULL-terminated. */
extern const char *const page_style[];

/* Sections, or nothing where there is nothing to tell. */
void page_put_roofline(const Page *page, GString *out);
void page_put_occupancy(const Page *page, GString *out);
void page_put_sweep(const Page *page, GString *out);
void page_put_path(const Page *page, GString *out);
void page_put_waits(const Page *page, GString *out);
void page_put_sources(const Page *page, GString *out);
void page_put_listing(const Page *page, GString *out);

#endif
