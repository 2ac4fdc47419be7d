/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How what is found out about an answer is told: its critical path, its waits, its sensitivities,
 * and advice, as far as the answer has them.
 */
#ifndef PIPESIM_CLI_REPORT_EXPLAIN_H
#define PIPESIM_CLI_REPORT_EXPLAIN_H

#include "pipesim-private.h"

/* What the page for people shows. */
typedef enum {
    EXPLAIN_SHOWS_PATH = 1 << 0, /* and waits, and occupancy over time */
    EXPLAIN_SHOWS_SENSITIVITY = 1 << 1,
    EXPLAIN_SHOWS_ADVICE = 1 << 2
} ExplainShows;

/* Sections of that page, of the answer's facts; shows are ExplainShows; which is what the headings
 * say in brackets, such as "as it is", or NULL. */
void explain_text(const PsAnswer *answer, const PsTold *facts, guint shows, const char *which,
                  const PsPaper *paper);

#endif
