/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a simulation: its facts, for people and programs. */
#ifndef PIPESIM_TELL_REPORTED_H
#define PIPESIM_TELL_REPORTED_H

#include "answer/listing.h"
#include "answer/sweep.h"
#include "tell/facts.h"
#include "tell/json.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A report: one run, perhaps with a what-if, perhaps as a part of a sweep. */
typedef struct {
    const PsAnswer *answer;
    const PsAnswer *what_if;  /* NULL if there is no what-if */
    const char *what_if_text; /* as the user wrote it; NULL like what_if */
    const GPtrArray *vary;    /* PsSweepAxis, empty for a single run */
    const PsRational *values; /* one for each of vary */
    double measured;          /* seconds; 0 if none were measured */
    /* For the page of text: */
    guint shows;          /* PsExplainShows */
    const char *timeline; /* drawn; NULL: nobody wants one */
    const char *more; /* further parts that it could show, as its reader asks for them; or NULL */
    gboolean tables;  /* by pipeline, level, class and line, and the roofline's values */
    /* For that page and for JSON: */
    const PsSassCode *machine; /* the machine code that ran, to be listed; NULL: it is not */
} PsReported;

/* The page for people of one run. */
void ps_reported_text(const PsReported *report, const PsPaper *paper);

/* One JSON object, a member of what is open. */
void ps_reported_json(const PsReported *report, PsJson *json);

/* All facts of an answer alone; machine: as in PsReported. */
PsTold *ps_reported_answer_told(const PsAnswer *answer, const PsSassCode *machine);

/* The report as CSV with its heads: the answer, or one of the tables that explain it. */
void ps_reported_csv(const PsReported *report, GString *out);

/* All facts of a report. */
PsTold *ps_reported_told(const PsReported *report);

/* Those that are known before anything is simulated: of the report's values the first so many. It
 * needs no answers. kernel may be NULL: what all reports have in common, with the time that was
 * told. */
PsTold *ps_reported_blank(const PsReported *report, const char *kernel, const char *gpu,
                          guint known);

#pragma GCC visibility pop
G_END_DECLS
#endif
