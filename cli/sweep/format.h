/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the rows of a sweep are written: one table of functions per format. Rows come in order, one
 * at a time, and are written as they come.
 */
#ifndef PIPESIM_CLI_SWEEP_FORMAT_H
#define PIPESIM_CLI_SWEEP_FORMAT_H

#include "cli/options.h"
#include "cli/report/answer.h"
#include "cli/sweep/csv.h"

/* What the rows so far tell the next one. */
typedef struct {
    GString *out;        /* what is to be written; the caller empties it */
    guint rows;          /* written so far */
    gboolean markdown;   /* the table of text is one of Markdown */
    gboolean head;       /* the next row is the first of its graph and GPU */
    gboolean clamped;    /* a row so far was */
    const SweepCsv *csv; /* what every row says of its sweep, where it does */
} SweepPage;

typedef struct {
    void (*begin)(SweepPage *page);
    void (*row)(SweepPage *page, const Point *point, const Report *report);
    void (*failed)(SweepPage *page, const Point *point); /* NULL where it leaves nothing */
    /* The row of code that is varied and does not compile, cannot be launched, ... */
    void (*refused)(SweepPage *page, const Point *point, const Report *blank, const char *why);
    void (*end)(SweepPage *page);
    gboolean says_warnings; /* they are part of what is written */
} SweepFormat;

const SweepFormat *sweep_format(Format format);

/* Text is in a file of its own. */
void sweep_text_row(SweepPage *page, const Point *point, const Report *report);
void sweep_text_refused(SweepPage *page, const Point *point, const Report *blank, const char *why);
void sweep_text_end(SweepPage *page);

#endif
