/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the page to share (report.h). run.c gathers its figures, page.c lays it out, and
 * each section with more than words has a file of its own. Internal.
 */
#ifndef PIPESIM_TELL_PAGE_PAGE_H
#define PIPESIM_TELL_PAGE_PAGE_H

#include "answer/source-file.h"
#include "tell/facts.h"
#include "tell/page/report.h"

/* A run with another number of active groups. */
typedef struct {
    gint64 active;
    double seconds; /* NaN if that could not be simulated */
} PsPagePoint;

/* A source file that the graph speaks of. */
typedef struct {
    char *name;         /* as the graph has it */
    PsSourceFile *file; /* the lines that are shown */
    gint64 *ticks;      /* of the critical path, by line, from 1 on */
    double *busy;       /* time of pipelines, as shares of the run, by line */
    gboolean *known;    /* the graph speaks of the line */
    guint n;            /* number of lines: the file's, or up to the last that the graph names */
} PsPageSource;

typedef struct {
    const PsReport *report;
    GArray *sweep;                 /* PsPagePoint, by active groups, the run itself among them */
    GPtrArray *sources;            /* PsPageSource */
    const PsTold *facts, *what_if; /* of the report's answers; NULL if there is no what-if */
} PsPage;

/* The sources of a graph's nodes, PsPageSource, those that keep time of the run; on request without
 * their text. */
GPtrArray *ps_page_sources_new(const PsAnswer *answer, gboolean without_text);

/* The reason why there is no source; NULL if there is one. */
const char *ps_page_sources_lacking(const PsPage *page);

/* ---- layout -------------------------------------------------------------------------------- */

/* The whole page (g_free). */
char *ps_page_format(const PsPage *page);

/* The style sheet, in pieces; NULL-terminated. */
extern const char *const ps_page_style[];

/* Sections, each empty if it has nothing to tell. */
void ps_page_put_roofline(const PsPage *page, GString *out);
void ps_page_put_occupancy(const PsPage *page, GString *out);
void ps_page_put_sweep(const PsPage *page, GString *out);
void ps_page_put_path(const PsPage *page, GString *out);
void ps_page_put_waits(const PsPage *page, GString *out);
void ps_page_put_roles(const PsPage *page, GString *out);
void ps_page_put_sources(const PsPage *page, GString *out);
void ps_page_put_listing(const PsPage *page, GString *out);

#endif
