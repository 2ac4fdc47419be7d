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

/* One thing to do about it, with what it would give. */
typedef struct {
    PsCause cause;
    char *class_name;    /* that it is about, or NULL; clean */
    guint class_index;   /* the machine's that is the cause; G_MAXUINT for none */
    guint program, node; /* of the answer's kernel: where most of it is; node G_MAXUINT: it is the
                            launch's, or nowhere */
    const PsServerRow *server; /* of the answer's that is busy; NULL where it is no such thing */
    double seconds;    /* predicted by a simulation, NaN where the advice is that nothing helps */
    double half_width; /* of their 95 % interval; 0: exact */
    /* 1 - seconds / now; of a tail, what the work of this launch takes less at the rate of other
     * groups, or 0 where there is only room for more; 0 where seconds is NaN. */
    double gain;
    gboolean alone; /* nothing else gains as much as is worth telling */
    PsTrust trust;  /* what is known of the figures that it rests on: of the classes that it is
                       about, or, of the launch, of what takes 2 % of the critical path */
    char *sentence; /* what to do, and what it would give, with its numbers; no full stop */
    struct PsTold *facts; /* the sentence's numbers, and what else the cause has (tell/facts.h) */
    const struct PsAdviceChange *change; /* private: what was changed to find out */
    void *data;                          /* private: what the change has of it */
} PsAdvice;

/* What the next smaller need of registers or local memory would give, where these limit how many
 * groups a CU holds: the most with which one more fits. */
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
