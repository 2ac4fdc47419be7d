/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the rows of a sweep are written: one table of functions per format. Rows come in order, one
 * at a time, and are written as they come.
 */
#ifndef PIPESIM_SWEEP_FORMAT_H
#define PIPESIM_SWEEP_FORMAT_H

#include "sweep/csv.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* State that rows hand on to the next one. */
typedef struct {
    GString *out;          /* what is to be written; the caller empties it */
    guint rows;            /* written so far */
    gboolean markdown;     /* the table of text is one of Markdown */
    gboolean head;         /* the next row is the first of its graph and GPU */
    gboolean clamped;      /* an earlier row was clamped */
    const PsSweepCsv *csv; /* what every row says of its sweep, where it does */
} PsSweepPage;

typedef struct {
    void (*begin)(PsSweepPage *page);
    void (*row)(PsSweepPage *page, const PsSweepPoint *point, const PsReported *report);
    void (*failed)(PsSweepPage *page, const PsSweepPoint *point); /* NULL where it leaves nothing */
    /* Writes the row of varied code that does not compile, cannot be launched, ... */
    void (*refused)(PsSweepPage *page, const PsSweepPoint *point, const PsReported *blank,
                    const char *why);
    void (*end)(PsSweepPage *page);
    gboolean says_warnings; /* they are part of what is written */
} PsSweepFormat;

/* The formats of rows. */
typedef enum {
    PS_SWEEP_TEXT,
    PS_SWEEP_JSON,
    PS_SWEEP_CSV,
    PS_SWEEP_MARKDOWN,
} PsSweepForm;

const PsSweepFormat *ps_sweep_format(PsSweepForm form);

/* Text is in a file of its own. */
void ps_sweep_text_row(PsSweepPage *page, const PsSweepPoint *point, const PsReported *report);
void ps_sweep_text_refused(PsSweepPage *page, const PsSweepPoint *point, const PsReported *blank,
                           const char *why);
void ps_sweep_text_end(PsSweepPage *page);

#pragma GCC visibility pop
G_END_DECLS
#endif
