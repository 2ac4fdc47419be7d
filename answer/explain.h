/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why a run takes the time that it takes, and what would help: its critical path, where its warps
 * wait, and what it would do if a latency or the launch were different. Every statement is a sum
 * over the simulation's events or another simulation.
 */
#ifndef PIPESIM_ANSWER_EXPLAIN_H
#define PIPESIM_ANSWER_EXPLAIN_H

#include "answer/answer.h"
#include "answer/memo.h"

/* ---- what the time went to (explain.c) ----------------------------------------------------- */

/* A share of the critical path: all stretches that are charged to one name. */
typedef struct {
    char *name;      /* "local.load, completion latency", "mmul.cl:31", "local"; clean text */
    PsPathKind kind; /* by_class: of all its stretches; else of the longest row in it */
    guint class_;    /* by_class: of the machine's, G_MAXUINT for none; else of the longest row */
    guint pipeline;  /* likewise, of the GPU's */
    guint warp;      /* by_class, BARRIER: which warp of a group came last most often */
    gint64 ticks, times;
    double share; /* of the run's time */
} ExplainShare;

/* What the run took its time for. The tables of one run add up to its ticks. */
struct Explain {
    GPtrArray *path;        /* PsPathRow, longest first; NULL where there is none (see problem) */
    GPtrArray *by_class;    /* ExplainShare, longest first, like the next two; NULL like path */
    GPtrArray *by_line;     /* nodes without a line are one share, "no source line" */
    GPtrArray *by_pipeline; /* completions count for the pipeline that serves them */
    GPtrArray *waits;       /* PsWaitRow, largest first */
    double warp_ticks;      /* sum of them: all places for warps, over the whole run */
    double *occupancy;      /* warps on the first CU, over n_occupancy equal parts of the run */
    guint n_occupancy;
    gint64 tail;   /* ticks with fewer than M groups at the end */
    gint64 places; /* how often on the path a group waited for a place on the CU */
    char *problem; /* why there is no critical path, or NULL */
};

/* Names of what has none: in JSON null. */
#define EXPLAIN_NO_LINE "no source line"
#define EXPLAIN_NO_PIPELINE "no pipeline"

/* Parts of the run that occupancy is told of. */
#define EXPLAIN_PARTS 64

/* Of an answer that was asked to explain itself (Question.explain): its tables. */
Explain *explain_new(const Answer *answer, PsPath *path, const PsWaits *waits);
void explain_free(Explain *explain);

/* Cycles of the run's clock that the kernel's launch takes (R5), and with them the whole; paths are
 * of the execution alone. FALSE where it costs nothing, or the sum does not fit. */
gboolean explain_launch(const Answer *answer, PsRational *launch, PsRational *whole);

/* What a warp waits for, in words: "data of global.load" (g_free). */
char *explain_wait_name(const Answer *answer, const PsWaitRow *row);

/* How much of the waiting that is: as a share of all places for warps, over the whole run. */
double explain_wait_share(const Explain *explain, const PsWaitRow *row);

/* "mmul.cl:31", clean, or EXPLAIN_NO_LINE (g_free). */
char *explain_line_name(const Answer *answer, const PsPathRow *row);

/* ---- the bottleneck (bottleneck.c) --------------------------------------------------------- */

/* What its share is of. */
typedef enum {
    SHARE_PATH,  /* the critical path */
    SHARE_WARPS, /* the time of all warps */
    SHARE_BUSY   /* the run's time, for which its pipeline, or level, is busy */
} ShareOf;

/* The one thing that holds the run up most. */
typedef struct {
    const char *kind;  /* "bank-conflict", "uncoalesced", "bandwidth", "throughput", "latency",
                          "barrier", "issue-port", "launch"; static */
    const char *klass; /* borrowed from the answer, or NULL */
    const char *line;  /* likewise */
    const char *level; /* likewise: what serves memory (PsServer), where that is it */
    double share;
    ShareOf of;
} Bottleneck;

/* What the first advice that names a cause is about; without advice, what keeps a saturated
 * pipeline or level of memory, or else what takes most of the critical path. FALSE where none is
 * known. */
gboolean explain_bottleneck(const Answer *answer, Bottleneck *bottleneck);

/* The result as a multiple of what the ceiling allows (both without the launch); NaN where the
 * ceiling is not known. */
double explain_headroom(const Answer *answer);

/* ---- what other inputs would do (sensitivity.c) -------------------------------------------- */

/* What varies in a sensitivity. */
typedef enum {
    VARIES_ISSUE,
    VARIES_COMPLETION,
    VARIES_LEVEL_LATENCY,
    VARIES_LEVEL_BANDWIDTH,
    VARIES_LEVEL_PORT,
    VARIES_ACTIVE,
    VARIES_GROUPS,
    VARIES_REGISTERS,
    VARIES_LOCAL_MEMORY,
    VARIES_CLOCK
} Varies;

#define SENSITIVITY_FACTORS 3 /* half, 10 % more, double */

/* What the result does when one input changes. */
typedef struct {
    Varies varies;
    char *klass; /* ISSUE, COMPLETION: the class that the graph asks for, clean; of a LEVEL: its
                    name; else NULL */
    PsRational value; /* now: cycles, 10^9 bytes per second, bytes per cycle, groups, registers,
                         bytes, MHz */
    /* What was tried: of whole numbers half is rounded down, 10 % more up. */
    PsRational tried[SENSITIVITY_FACTORS];
    double seconds[SENSITIVITY_FACTORS]; /* NaN where that cannot be */
    char *why[SENSITIVITY_FACTORS];      /* why it cannot be; else NULL */
    double elasticity; /* share by which the time grows per share by which the value does, at 10 %
                          more; NaN where that is not known */
    double effect;     /* largest relative change of the time among the factors; 0: none is known */
} Sensitivity;

/* Its value for people (g_free). */
char *sensitivity_value(const Sensitivity *row);

/* A class that costs more than it would have to: what if it did not. */
typedef struct {
    char *klass;        /* that the graph asks for, or that a what-if names; clean */
    char *plain;        /* the class that does not; NULL: it is a what-if that goes */
    PsLatency from, to; /* of equal parts {0, 1} */
    PsRational degree;  /* of a bank conflict; 0: this is none */
    gint64 sectors;     /* that a request touches; 0: this is no access that is not coalesced */
    gint64 least;       /* that would do for a full warp; 0: the graph does not say */
    /* Of these: bytes of device memory; NaN where they are not known. */
    double traffic_from, traffic_to;
    gboolean by_levels; /* its latencies follow from its bytes (R7), and are no cause */
    double seconds;     /* NaN where that cannot be simulated */
    char *why;          /* why not, or NULL */
} Relief;

struct Sensitivities {
    GPtrArray *rows;    /* Sensitivity, largest effect first */
    GPtrArray *reliefs; /* Relief, most helpful first */
    guint runs;         /* simulations that it took */
    Memo *memo;         /* what is known of others */
};

/* Simulates all changes on that many threads; answer is the question's. Unless the whole table is
 * wanted, it is what advice needs alone: half of each latency that may matter, and no other row.
 * NULL and *error where a thread cannot be had. */
Sensitivities *sensitivity_new(const Question *question, const Answer *answer, gboolean whole,
                               guint threads, GError **error);
void sensitivity_free(Sensitivities *sensitivities);

/* "issue", as JSON has it; and for people: "issue latency". */
const char *varies_name(Varies varies);
const char *varies_text(Varies varies);

/* TRUE of what a level of memory has. */
gboolean varies_of_level(Varies varies);

/* ---- what to do about it (advice.c) -------------------------------------------------------- */

/* One thing to do about it, with what it would give. */
typedef struct {
    const char
        *kind; /* "bank-conflict", "uncoalesced", "what-if", "occupancy", "latency", "bandwidth",
                  "throughput", "barrier", "issue-port", "tail", "launch", "nothing"; static */
    char *sentence;           /* with its numbers */
    char *klass;              /* that it is about, or NULL; clean */
    guint class_;             /* the machine's that is the cause; G_MAXUINT for none */
    const PsServerRow *level; /* of the answer's that is busy; NULL where it is no such thing */
    double seconds; /* predicted by a simulation, NaN where the advice is that nothing helps */
    /* 1 - seconds / now; of a tail, what the work of this launch takes less at the rate of other
     * groups, or 0 where there only is room for more work; 0 where seconds is NaN. */
    double gain;
} Advice;

/* From here on a gain is worth telling. */
#define ADVICE_LEAST 0.02

/* Advice, most helpful first, at least one item: that nothing is known to help is advice, too. The
 * answer must have been explained; sensitivities are its. NULL and *error where a thread cannot be
 * had. */
GPtrArray *advice_new(const Question *question, const Answer *answer, Sensitivities *sensitivities,
                      guint threads, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Explain, explain_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sensitivities, sensitivity_free)

#endif
