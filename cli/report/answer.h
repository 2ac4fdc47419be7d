/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reports of simulations: for people, as JSON, as CSV. Each is in a file of its own; none
 * computes anything that answer.h does not know.
 */
#ifndef PIPESIM_CLI_REPORT_ANSWER_H
#define PIPESIM_CLI_REPORT_ANSWER_H

#include "pipesim-private.h"

/* What is reported together: one run, perhaps with what would be if, perhaps of a sweep. */
typedef struct {
    const PsAnswer *answer;
    const PsAnswer *what_if;  /* NULL where nothing was asked */
    const char *what_if_text; /* as the user wrote it; NULL like what_if */
    const GPtrArray *vary;    /* PsSweepAxis, empty for a single run */
    const PsRational *values; /* one for each of vary */
    double measured;          /* seconds; 0 where none were told */
    /* For the page of text: */
    guint shows;          /* PsExplainShows */
    const char *timeline; /* drawn; NULL: none was asked for */
    gboolean tables;      /* by pipeline, level, class and line, and the roofline's values */
    /* For that page and for JSON: */
    const PsSassCode *machine; /* the machine code that ran, to be listed; NULL: it is not */
} Report;

/* The page for people of one run. */
void report_text(const Report *report, const PsPaper *paper);

/* One JSON object, a member of what is open. */
void report_json(const Report *report, PsJson *json);

/* All facts of an answer alone; machine: as in Report. */
PsTold *report_answer_told(const PsAnswer *answer, const PsSassCode *machine);

/* What was asked, as CSV with its heads: the answer, or one of the tables that explain it. */
void report_csv(const Report *report, GString *out);

/* All facts of a report. */
PsTold *report_told(const Report *report);

/* Those that are known before anything is simulated: of the report's values the first so many. It
 * needs no answers. kernel may be NULL: what all reports have in common, with the time that was
 * told. */
PsTold *report_told_blank(const Report *report, const char *kernel, const char *gpu, guint known);

#endif
