/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an answer has of advice: one thing to do each, and what it would give. advice/ makes it.
 */
#ifndef PIPESIM_ANSWER_ADVISED_H
#define PIPESIM_ANSWER_ADVISED_H

#include "answer/explain.h"
#include "answer/sensitivity.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* One piece of advice, with its gain. */
typedef struct {
    PsCause cause;
    char *class_name;    /* that it is about, or NULL; clean */
    guint class_index;   /* the machine's that is the cause; G_MAXUINT for none */
    guint program, node; /* the place in the answer's kernel with most of it; node G_MAXUINT: the
                            cause is of the launch, or has no place */
    const PsServerRow *server; /* the busy server of the answer; NULL for other causes */
    double seconds;    /* simulated with the change; NaN where the advice is that nothing helps */
    double half_width; /* of their 95 % interval; 0: exact */
    /* 1 - seconds / now. For a tail: the share of the time that the launch's work would save at the
     * rate of other groups, or 0 where there is only room for more. 0 where seconds is NaN. */
    double gain;
    gboolean alone; /* nothing else gains as much as is worth telling */
    PsTrust trust;  /* sources of the figures on which it rests: those of the classes that it is
                       about, or, for advice on the launch, those with at least 2 % of the
                       critical path */
    char *sentence; /* what to do, and what it would give, with its numbers; no full stop */
    struct PsTold *facts; /* the sentence's numbers, and what else the cause has (tell/facts.h) */
    const struct PsAdviceChange *change; /* private: what was changed to find out */
    void *data;                          /* private to the change */
} PsAdvice;

/* The gain of the next smaller need of registers or local memory, where these limit the groups on a
 * CU: the largest need with which one more group fits. */
typedef struct PsOccupancyStep {
    gint64 groups;                  /* at once then */
    gint64 registers, local_memory; /* then; 0 of what does not limit them */
    double seconds;                 /* simulated */
    double half_width;              /* of their 95 % interval; 0: exact */
    double gain;                    /* 1 - seconds / now; below 0 it takes longer */
    gboolean pays;                  /* the gain is worth telling: advice does */
} PsOccupancyStep;

#pragma GCC visibility pop
G_END_DECLS
#endif
