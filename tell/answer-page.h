/* SPDX-License-Identifier: BSD-3-Clause */
/* The page for people of one answer, on any paper. */
#ifndef PIPESIM_TELL_ANSWER_PAGE_H
#define PIPESIM_TELL_ANSWER_PAGE_H

#include "tell/explain-text.h"

#include "answer/listing.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    const PsAnswer *answer;
    const PsAnswer *what_if;  /* NULL: there is no what-if */
    const char *what_if_text; /* as the user wrote it; NULL like what_if */
    double measured;          /* seconds; 0: none were measured */
    guint shows;              /* PsExplainShows */
    const char *timeline;     /* drawn; NULL: nobody wants one */
    gboolean tables;          /* by pipeline, level, class and line, and the roofline's values */
    gboolean alone;           /* nobody else says what making the graph warned of */
    const char *more; /* further options to try, where there are no tables; NULL: none are named */
    const PsSassCode *machine; /* the machine code that ran, to be listed; NULL: it is not */
} PsAnswerPage;

/* Writes the answer first (time, limit, what would help), then the parts that were asked for, then
 * what the answer rests on (how sure it is, the launch, the bounds), and last the figures behind
 * it. */
void ps_answer_page(const PsAnswerPage *page, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
