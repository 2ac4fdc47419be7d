/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simulations of a question of which one thing is changed, many at a time. What they give stands
 * beside what the question itself gave.
 */
#ifndef PIPESIM_ANSWER_TRIAL_H
#define PIPESIM_ANSWER_TRIAL_H

#include "answer/answer.h"
#include "answer/memo.h"

typedef struct {
    Question question;                /* to be changed by whoever made it */
    GPtrArray *latencies;             /* PsWhatIf, owned; those of the question */
    PsRefinementOptions *refinements; /* owned, those of the question; NULL: the same as before */
    PsIdg *idg;     /* owned, that of the question; NULL: it is the same as before */
    double seconds; /* the result; NaN where there is none */
    char *why;      /* why there is none; to be set beforehand where that is known */
    gboolean known; /* seconds are known without simulating */
    gboolean keep;  /* answer is wanted */
    Answer *answer; /* with its machine and times alone; NULL where there is no result */
    /* For trials_run. */
    char *key; /* of the memo */
    gint64 ticks_per_cycle;
    PsRational cycles;
    gboolean has_cycles;
} Trial;

Trial *trial_new(const Question *question);
void trial_free(Trial *trial);

/* The latencies of a class of the machine's as a what-if states them. */
PsLatency trial_latency(const PsMachine *machine, guint class_);

/* Gives a class of the answer's machine another latency, and leaves all others alone; {0, 1} keeps
 * one of the two. */
void trial_set_latency(Trial *trial, const Answer *answer, guint class_, PsLatency latency);

/* Simulates all (Trial) on that many threads, and says on a terminal how far it is; what the memo
 * knows, or another of them is found to be the same as, is not simulated. The memo learns what came
 * of it. Adds to *runs how many were simulated; FALSE and *error where a thread cannot be had. */
gboolean trials_run(const GPtrArray *trials, guint threads, Memo *memo, guint *runs,
                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Trial, trial_free)

#endif
