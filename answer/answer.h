/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A question, how long a kernel's graph takes on a GPU, and its answer: the simulated time beside
 * the roofline, and everything that the run counted. explain.h has why it takes so long, advice.h
 * what would help.
 */
#ifndef PIPESIM_ANSWER_ANSWER_H
#define PIPESIM_ANSWER_ANSWER_H

#include "answer/launch-roofline.h"
#include "answer/question.h"
#include "base/message.h"
#include "gpu/gpu.h"
#include "idg/idg.h"
#include "idg/program.h"
#include "sim/listen/stats.h"
#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* From this share of the time on, a pipeline's throughput is what limits a kernel. */
#define PS_SATURATED 0.9

/* From this share on a pipeline is part of the limit: other waits take the rest, or another
 * pipeline. */
#define PS_NEARLY_SATURATED 0.8

/* A sketch of a run (PsQuestion.sketch): the half-width of its interval, and after how many
 * instructions it may be extrapolated. */
#define PS_SKETCH_PRECISION 0.02
#define PS_SKETCH_INSTRUCTIONS (PS_SIM_EXACT_INSTRUCTIONS / 16)

/* ---- the question -------------------------------------------------------------------------- */

/* Everything is borrowed and must outlive the answer. With all but idg and gpu zero it is a run
 * without options. */
struct PsQuestion {
    const PsIdg *idg;
    const PsGpu *gpu;
    const PsScope *params; /* instead of the graph's defaults; may be NULL */
    PsLaunchOptions launch;
    const GPtrArray *latencies;             /* PsWhatIf, may be NULL */
    PsRational clock;                       /* MHz; 0: the usual one, or what power leaves (R13) */
    const PsRefinementOptions *refinements; /* NULL: as the GPU asks for */
    gboolean no_fast_forward;
    double precision;             /* as of PsSimOptions; 0: exact */
    gint64 exact_instructions;    /* as PsSimOptions has it; 0: as many as usual */
    const gint *hurry;            /* as PsSimOptions has it; may be NULL */
    guint program, other_program; /* warps that would run the one run the other; equal: all as
                                     the graph says */
    gint64 ports;                 /* R1: issue ports are that many times as wide; 0: once */
    gboolean explain;             /* PsAnswer.explain is wanted, too: takes up to thrice as long */
    gboolean sketch; /* what explains a long run may be an estimate, as wide as PS_SKETCH says: good
                        enough to know what to try, and quick */
    PsClamp clamp;
    PsHearer progress; /* of PS_PHASE_RUN, or of several runs */
    /* When the time is out: microseconds of the monotonic clock; 0: never. The answer is then what
     * is known by that time, with its interval (PsAnswer.cut). */
    gint64 deadline;
    /* The code that the graph was built of, with the launch that it states (launch/shape.h): advice
     * tries other shapes of it. NULL: none is known. */
    const struct PsLaunchCode *code;
    /* What threads do that would have nothing to do while this is answered and advised on
     * (base/workers.h); NULL: nothing. */
    struct PsSpare *spare;
};

/* ---- the answer ---------------------------------------------------------------------------- */

/* Operations of the whole launch, of one of the types that the graph states. A double counts them
 * exactly up to 2^53, and to 16 digits beyond. */
typedef struct {
    const char *type; /* borrowed from the graph: "fp32" */
    double count;
} PsOperations;

/* The meaning of the ratio of the simulated time to the roofline's (docs/reference/model.md,
 * section 6). */
typedef enum {
    PS_VERDICT_NONE,       /* nothing can be compared */
    PS_VERDICT_IMPOSSIBLE, /* faster than the ceiling allows, so an input is wrong */
    PS_VERDICT_AGREE,      /* within 10 % */
    PS_VERDICT_FASTER,     /* pipelines overlap, which equation 19 does not know */
    PS_VERDICT_UNEVEN,     /* slower, since CUs do not share the work evenly */
    PS_VERDICT_LATENCY,    /* slower: warps wait */
    PS_VERDICT_DISPATCH,   /* slower: launches of groups are the limit */
    PS_VERDICT_SERVER,     /* slower: what serves memory is */
    PS_VERDICT_PIPELINE,   /* slower: a pipeline is */
    PS_VERDICT_PORTS,      /* slower: issue ports are */
} PsVerdictKind;

/* Bytes of a thread for which a class of memory stands in a description without levels. */
#define PS_REQUEST_BYTES 4

/* The verdict on the two models' times; members count for the kinds that they name. */
typedef struct {
    PsVerdictKind kind;
    gboolean near;     /* IMPOSSIBLE: the times agree nonetheless */
    PsPeakKind peak;   /* IMPOSSIBLE: what the ceiling is made of */
    guint class_index; /* of the machine's; IMPOSSIBLE: that of most that the ceiling counts;
                     LATENCY: that warps wait for most; G_MAXUINT: none is known */
    gint64 bytes;      /* IMPOSSIBLE by traffic: bytes that a thread moves at once by that class,
                          where its latencies (in a description without levels) are for
                          PS_REQUEST_BYTES; else 0 */
    double share;      /* LATENCY: of the critical path, which is that class's by an estimate */
    double load;       /* slower: the share of the time for which what is busiest is */
    const PsServerRow *server; /* SERVER: one of the answer's */
    gboolean uneven;           /* slower, and that the work is uneven adds to it */
} PsVerdict;

/* Where the time went, and what would help: see explain.h, sensitivity.h, advised.h. */
typedef struct PsExplain PsExplain;
typedef struct PsSensitivities PsSensitivities;

/* What a page for people shows of these. */
typedef enum {
    PS_EXPLAIN_SHOWS_PATH = 1 << 0, /* and waits, and occupancy over time */
    PS_EXPLAIN_SHOWS_SENSITIVITY = 1 << 1,
    PS_EXPLAIN_SHOWS_ADVICE = 1 << 2
} PsExplainShows;

/* A question's answer. It borrows graph and GPU, and owns all else. */
struct PsAnswer {
    const PsIdg *idg; /* the question's, or of_waves */
    PsIdg *of_waves;  /* owned: of what wider waves than the graph's run (idg/waves.h); or NULL */
    const PsGpu *gpu;
    PsKernel *kernel;
    PsMachine *machine;
    PsStats *stats;
    PsSimResult result;
    PsRational clock;  /* MHz */
    gboolean by_power; /* power leaves no more than that clock (R13), and nobody asked for one */
    double launch_seconds; /* part of both times below: the launch of the kernel (R5) */
    double simulated;      /* seconds */
    double half_width;     /* seconds: the 95 % interval of `simulated`, to either side; 0: exact */
    double precision;      /* the one that the question asked for; 0: exact */
    double seconds;        /* the result: the same, clamped */
    gboolean clamped;      /* the simulated time is faster than the clamp allows */
    PsClamp clamp;
    PsLaunchRoofline roofline;
    double ratio; /* simulated time as a multiple of equation 19's, both without the launch; NaN
                     where either is not known */
    PsVerdict verdict;
    double flops;         /* floating-point operations; 0 if the graph counts none */
    double achieved;      /* occupancy, mean over time */
    GArray *operations;   /* PsOperations, by type in order of appearance */
    GPtrArray *pipelines; /* PsStatsRow, like the next two */
    GPtrArray *classes;   /* in the order of machine->classes */
    GPtrArray *lines;
    GPtrArray *servers;  /* PsServerRow; empty if levels are off (R7) */
    guint busiest;       /* index in pipelines, which are never empty if anything ran */
    gboolean cut;        /* time was out: the interval is as wide as it was by then */
    GPtrArray *warnings; /* char *: on what the question takes for granted or lacks */
    PsExplain *explain;  /* NULL unless the question asks for it */
    /* What is found out later (advice.h); NULL before. */
    PsSensitivities *sensitivities;
    GPtrArray *advice;                      /* PsAdvice, most helpful first */
    struct PsOccupancyStep *occupancy_step; /* NULL also if there is no such step */
    guint shows; /* PsExplainShows: what the question's options asked for (advice/ask.h); an answer
                    with advice has what advice needs, too */
};

/* Simulates. With log, if little enough is simulated, *log becomes the text of the event log
 * (g_free). NULL and *error on failure: PS_ERROR_TIME if the deadline comes before anything is
 * known, or soon after it (10 % of the time, and 30 ms). Several threads may call this at the same
 * time. */
PsAnswer *ps_answer_new(const PsQuestion *question, char **log, GError **error);

/* Answers n questions at once, each in a thread of its own, with the progress of the first that is
 * not answered. answers and errors have n elements; for each question one of the two becomes NULL.
 * FALSE, *error and no answer if threads cannot be had, or the PsQuestion.progress of one ends
 * it. */
gboolean ps_answers_new(const PsQuestion *const *questions, guint n, PsAnswer **answers,
                        GError **errors, GError **error);

/* The time of ps_answer_new alone, with less work if the question has no deadline. NaN and *error
 * as there. */
double ps_answer_seconds(const PsQuestion *question, GError **error);

/* FALSE and *error if ps_answer_new would fail before it simulates. */
gboolean ps_answer_check(const PsQuestion *question, GError **error);

/* *A lower bound of PsAnswer.seconds, found without simulating: the time that the clamp allows, or
 * for which the instructions of the fullest CU keep its busiest pipeline or its issue ports
 * (docs/reference/model.md, T3, R1). FALSE and *error as ps_answer_check. */
gboolean ps_answer_bound(const PsQuestion *question, double *seconds, GError **error);

/* ---- figures ------------------------------------------------------------------------------- */

/* The simulated time without the launch of the kernel, in seconds, which is what a roofline
 * bounds. */
double ps_answer_execution(const PsAnswer *answer);

/* 10^9 floating-point operations per second, if they took so many seconds; 0 if the graph counts
 * none or they take no time. */
double ps_answer_gflops(const PsAnswer *answer, double seconds);

/* The time of one answer as a multiple of the other's; 1 if neither takes any time. */
double ps_answer_ratio(const PsAnswer *answer, const PsAnswer *base);

/* The time as a multiple of the ceiling's (both without the launch); NaN if the ceiling is not
 * known. */
double ps_answer_headroom(const PsAnswer *answer);

/* ---- how sure it is ------------------------------------------------------------------------ */

/* The kind of a figure that a run used and nobody measured. */
typedef enum {
    PS_ASSUMED_CLASS,
    PS_ASSUMED_LEVEL,
    PS_ASSUMED_MEMORY, /* how loads and stores are served */
    PS_ASSUMED_ATOMICS,
    PS_ASSUMED_OVERHEADS, /* what launches cost */
    PS_ASSUMED_GROUPS,    /* the work of groups of the launch that were not executed */
    PS_ASSUMED_PIPELINE,  /* what waits in front of it */
} PsAssumedKind;

/* A figure that the run used and that nobody measured. */
typedef struct {
    PsAssumedKind kind;
    const char *name; /* CLASS, PIPELINE: the GPU's, borrowed */
    PsLevel level;    /* LEVEL */
} PsAssumed;

/* The sources of the figures that the run used. */
typedef struct {
    gboolean used[PS_N_SOURCE_KINDS]; /* kinds of sources of the figures that the run used */
    gboolean unknown;                 /* one of them has no source */
    GArray *assumed;                  /* PsAssumed, each once */
} PsTrust;

/* The limit of a run, as one word: "ceiling" if the roofline's ceiling is; else the pipeline or the
 * server of memory that is busy for at least 90 % of the time ("spot" is any), "dispatch" or
 * "latency"; NULL if nothing ran. Borrowed. */
const char *ps_answer_limit(const PsAnswer *answer);

/* The same as people call it (g_free). */
char *ps_answer_limit_words(const PsAnswer *answer);

#pragma GCC visibility pop
G_END_DECLS
#endif
