/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why a run takes the time that it takes, and what would help: its critical path, where its warps
 * wait, and what it would do if a latency or the launch were different. Every statement is a sum
 * over the simulation's events or another simulation.
 */
#ifndef PIPESIM_CLI_EXPLAIN_H
#define PIPESIM_CLI_EXPLAIN_H

#include "cli/answer.h"
#include "cli/workers.h"

/* A share of the critical path: all stretches that are charged to one name. */
typedef struct {
    char *name; /* "local.load, completion latency", "mmul.cl:31", "local" */
    gint64 ticks;
    double share; /* of the run's time */
} ExplainShare;

/* What the run took its time for. The tables of one run add up to its ticks. */
typedef struct {
    GPtrArray *path;        /* PsPathRow, longest first; NULL where there is none (see problem) */
    GPtrArray *by_class;    /* ExplainShare, longest first, like the next two */
    GPtrArray *by_line;     /* nodes without a line are one share, "no source line" */
    GPtrArray *by_pipeline; /* completions count for the pipeline that serves them */
    GPtrArray *waits;       /* PsWaitRow, largest first */
    double *occupancy;      /* warps on the first CU, over n_occupancy equal parts of the run */
    guint n_occupancy;
    gint64 tail;   /* ticks with fewer than M groups at the end */
    char *problem; /* why there is no critical path (PsPathError's message), or NULL */
} Explain;

/* What varies in a sensitivity. */
typedef enum {
    VARIES_ISSUE,
    VARIES_COMPLETION,
    VARIES_ACTIVE,
    VARIES_GROUPS,
    VARIES_REGISTERS,
    VARIES_LOCAL_MEMORY,
    VARIES_CLOCK
} Varies;

#define SENSITIVITY_FACTORS 3 /* half, 10 % more, double */
extern const double sensitivity_factors[SENSITIVITY_FACTORS];

/* What the result does when one input changes. seconds are NaN where that cannot be (no group
 * fits, say). */
typedef struct {
    Varies varies;
    char *klass;  /* ISSUE, COMPLETION: the class that the graph asks for */
    double value; /* now: cycles, groups, registers, bytes, MHz */
    double seconds[SENSITIVITY_FACTORS];
    double
        elasticity; /* share by which the time grows per share by which the value does, at +10 % */
    double effect;  /* largest relative change of the time among the factors */
} Sensitivity;

typedef struct {
    GPtrArray *rows; /* Sensitivity, largest effect first */
    guint runs;      /* simulations that it took */
} Sensitivities;

/* One thing to do about it, with what it would give. */
typedef struct {
    char *kind;     /* "bank-conflict", "occupancy", "bandwidth", "barrier", "latency", ... */
    char *sentence; /* with its numbers */
    char *klass;    /* that it is about, or NULL */
    double seconds; /* predicted by a simulation, NaN where the advice is that nothing helps */
    double gain;    /* 1 - seconds / now; 0 like NaN */
} Advice;

/* Simulates all changes on that many threads; watch may be NULL. NULL and *error where a thread
 * cannot be had. */
Sensitivities *sensitivity_new(const Question *question, const Answer *answer, guint threads,
                               GError **error);
void sensitivity_free(Sensitivities *sensitivities);

/* Advice, most helpful first, at least one item: that nothing is known to help is advice, too. */
GPtrArray *advice_new(const Question *question, const Answer *answer, const Explain *explain,
                      const Sensitivities *sensitivities);

/* Of an answer that was asked to explain itself (Question.explain): its tables. */
Explain *explain_new(const Answer *answer, PsPath *path, PsWaits *waits);
void explain_free(Explain *explain);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Explain, explain_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sensitivities, sensitivity_free)

#endif
