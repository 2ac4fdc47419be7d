/* SPDX-License-Identifier: BSD-3-Clause */
/* A question as options set it, for others of the library. */
#ifndef PIPESIM_ANSWER_ASKED_H
#define PIPESIM_ANSWER_ASKED_H

#include "answer/answer.h"
#include "answer/option-texts.h"

/* A question with all that it points to. */
typedef struct {
    PsQuestion question; /* first: a caller's PsQuestion is this one */
    PsScope *params;
    GString *what_if; /* as `what-if` gave it; empty: nothing */
    GPtrArray *latencies;
    PsAskedClock clock;
    PsRefinementOptions refinements;
    double precision; /* the one that is asked for, unless exact is */
    gboolean exact;
    gboolean explain, sensitivity, advise;
    double budget; /* seconds; 0: none */
    PsKernelCode *code;
} PsAsked;

/* Completes the question: its clock, its interval and what it explains. FALSE and *error for what
 * does not go together or the GPU lacks. */
gboolean ps_asked_complete(PsAsked *asked, GError **error);

/* FALSE and *error for an option that several questions cannot have: a budget, sensitivities or
 * advice. who: the subject of the message, "a sweep asks many". */
gboolean ps_asked_check_many(const PsAsked *asked, const char *who, GError **error);

#endif
