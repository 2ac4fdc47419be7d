/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One simulation, from a graph, a GPU and options to everything that the reports tell.
 */
#ifndef PIPESIM_ANSWER_ANSWER_H
#define PIPESIM_ANSWER_ANSWER_H

#include "answer/bound.h"
#include "answer/operations.h"
#include "answer/watch.h"
#include "pipesim.h"

/* From this share of the time on, a pipeline's throughput is what limits a kernel. */
#define ANSWER_SATURATED 0.9

/* From here on it does so in part: other waits take the rest, or another pipeline. */
#define ANSWER_NEARLY 0.8

/* Everything is borrowed and must outlive the answer. */
typedef struct {
    const PsIdg *idg;
    const PsGpu *gpu;
    const PsScope *params; /* instead of the graph's defaults; may be NULL */
    PsLaunchOptions launch;
    const GPtrArray *latencies;             /* PsWhatIf, may be NULL */
    PsRational clock;                       /* MHz; 0: the usual one */
    const PsRefinementOptions *refinements; /* NULL: as the GPU asks for */
    gboolean no_fast_forward;
    guint program, other_program; /* warps that would run the one run the other; equal: all as
                                     the graph says */
    gint64 ports;                 /* R1: issue ports are that many times as wide; 0: once */
    gboolean explain;             /* Answer.explain is wanted, too: takes about as long again */
    Clamp clamp;
    Watch *watch; /* hears how far the run is; NULL: nobody does */
} Question;

/* What the time went to, and what would help: see explain.h. */
typedef struct Explain Explain;
typedef struct Sensitivities Sensitivities;

typedef struct {
    const PsIdg *idg;
    const PsGpu *gpu;
    PsKernel *kernel;
    PsMachine *machine;
    PsStats *stats;
    PsSimResult result;
    PsRational clock;      /* MHz */
    double launch_seconds; /* of both times below: what the launch of the kernel takes (R5) */
    double simulated;      /* seconds */
    double seconds;        /* the result: the same, clamped */
    gboolean clamped;      /* the simulated time is faster than the clamp allows */
    Clamp clamp;
    Bound bound;
    double ratio;    /* simulated time as a multiple of equation 19's, both without the launch; NaN
                        where either is not known */
    char *reading;   /* what the ratio says, or that the ceiling was passed; NULL like the ratio */
    double flops;    /* floating-point operations; 0 where none are counted */
    double achieved; /* occupancy, mean over time */
    GArray *operations;   /* Operations, by type in order of appearance */
    GPtrArray *pipelines; /* PsStatsRow, like the next two */
    GPtrArray *classes;   /* in the order of machine->classes */
    GPtrArray *lines;
    GPtrArray *servers;  /* PsServerRow; empty where levels are off (R7) */
    guint busiest;       /* index in pipelines; they are never empty where something ran */
    GPtrArray *warnings; /* char * */
    guint assumed;       /* of these so many say what is assumed, from this one on */
    guint n_assumed;
    Explain *explain; /* NULL unless the question asks for it */
    /* What was found out about the answer later, by whoever did: NULL from answer_new. They end
     * with the answer. */
    Sensitivities *sensitivities;
    GPtrArray *advice; /* Advice */
} Answer;

/* Simulates. With log, where little enough is simulated, *log becomes the text of the event log
 * (g_free). NULL and *error on failure. Threads may do this at the same time. */
Answer *answer_new(const Question *question, char **log, GError **error);

/* FALSE and *error where answer_new would fail before it simulates. */
gboolean answer_check(const Question *question, GError **error);

/* The machine that answer_new would run, and the roofline's bound, but no result yet. */
Answer *answer_prepare(const Question *question, GError **error);

/* Gives such an answer its times, and nothing else: without statistics, a run is quicker. cycles
 * are those that the run is known to take; NULL has it run. */
gboolean answer_time(Answer *answer, const Question *question, const PsRational *cycles,
                     GError **error);

void answer_free(Answer *answer);

/* How much of the run's time the pipelines of a row are busy, on the mean over those of all
 * simulated CUs and schedulers. */
double answer_share(const Answer *answer, const PsStatsRow *row);

/* How much of the run's time was passed over, because it repeats what was simulated. */
double answer_skipped(const Answer *answer);

/* A sum of ticks as a mean in cycles of that many. */
double answer_mean(const Answer *answer, gint64 ticks, gint64 count);

/* The busiest pipeline, NULL where nothing ran, and its share of the time. */
const PsStatsRow *answer_busiest(const Answer *answer);
double answer_busy(const Answer *answer);

/* 10^9 floating-point operations per second, if they took so many seconds; 0 where none are counted
 * or it takes no time. */
double answer_gflops(const Answer *answer, double seconds);

/* The simulated time without the launch of the kernel: what a bound of its execution bounds. */
double answer_execution(const Answer *answer);

/* The result of one as a multiple of the other's; 1 where none of them takes any. */
double answer_ratio(const Answer *answer, const Answer *base);

/* How far times are from a measured one, as a share of that: below 0 is too fast. NaN for what is
 * not known. Equation 19 knows no launch, so where launches cost something that counts there,
 * too. */
typedef struct {
    double simulated, roofline, result;
} AnswerErrors;

AnswerErrors answer_errors(const Answer *answer, double measured);

/* How many of the warnings, from the first on, belong on standard error: all where the report has
 * no place for them; else those on what was asked (few groups, a class that stands in for another),
 * unless a person reads the report. */
guint answer_warnings_apart(const Answer *answer, gboolean in_report, gboolean read);

/* What allows no further group, as the words of the JSON output; borrowed, NULL-terminated (free
 * the array with g_free). */
const char **answer_limits(const Answer *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Answer, answer_free)

#endif
