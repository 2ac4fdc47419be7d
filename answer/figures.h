/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures of an answer: which units are busy, what limits the run, what would help without a
 * further simulation, and how sure the figures are. A binding reads them as JSON
 * (tell/answer-json.h).
 */
#ifndef PIPESIM_ANSWER_FIGURES_H
#define PIPESIM_ANSWER_FIGURES_H

#include "answer/answer.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The number of groups that a CU would have at once (*own), and the most that a question may ask
 * for: as many, or all that would fit and exist. 0 and *error as ps_answer_check. */
gint64 ps_answer_most_active(const PsQuestion *question, gint64 *own, GError **error);

/* How much of the run's time was passed over, because it repeats exactly what was simulated. */
double ps_answer_skipped(const PsAnswer *answer);

/* A sum of ticks as a mean in cycles of that many. */
double ps_answer_mean(const PsAnswer *answer, gint64 ticks, gint64 count);

/* Warns of `measured` seconds (0: none were measured) that are fewer than the kernel needs at least
 * on this GPU, by its operations or by the bytes that no cache keeps. */
void ps_answer_note_measured(PsAnswer *answer, double measured);

/* Errors of times against a measured one, as shares of it: below 0 is too fast. NaN: not known.
 * Equation 19 has no launch, so its error with the launch's costs is there, too. */
typedef struct {
    double simulated, roofline, result;
} PsAnswerErrors;

/* The errors if `measured` seconds were measured. */
PsAnswerErrors ps_answer_errors(const PsAnswer *answer, double measured);

/* The resources that allow no further group on a CU: PsLimitBits, and beyond them these. */
enum {
    PS_LIMIT_LAUNCH = 1 << 16, /* it has no more groups */
    PS_LIMIT_ACTIVE = 1 << 17, /* the number that was asked for (PsLaunchOptions.active) */
};
guint ps_answer_limits(const PsAnswer *answer);

/* The share of the run's time for which the pipelines of a row are busy, as a mean over those of
 * all simulated CUs and schedulers. */
double ps_answer_share(const PsAnswer *answer, const PsStatsRow *row);

/* The busiest pipeline's row, NULL if nothing ran, and its share of the time. */
const PsStatsRow *ps_answer_busiest(const PsAnswer *answer);
double ps_answer_busy(const PsAnswer *answer);

/* The share of the run's time for which a pipeline (its number in the GPU) is busy; 0 if nothing
 * used it. */
double ps_pipeline_utilization(const PsAnswer *answer, guint pipeline);

/* The share of the run's time that a class of the machine's takes of its pipeline. */
double ps_class_utilization(const PsAnswer *answer, guint class_index);

/* The share of the run's time for which a server of memory is busy; row is one of the answer's
 * servers. */
double ps_server_utilization(const PsAnswer *answer, const PsServerRow *row);

/* The share of the run's time that the starts of groups take on the fullest CU, which cannot follow
 * each other faster than groups are dispatched; 0 if nothing limits that. */
double ps_dispatch_utilization(const PsAnswer *answer);

/* The busiest pipeline, as its number in the GPU; G_MAXUINT if none is busy. */
guint ps_busiest_pipeline(const PsAnswer *answer);

/* The class that keeps the pipeline busy longest; G_MAXUINT if it has no class. */
guint ps_busiest_class(const PsAnswer *answer, guint pipeline);

/* The busiest server of memory; NULL if none is ever busy, or levels are off. */
const PsServerRow *ps_busiest_server(const PsAnswer *answer);

/* The class that keeps a server busy longest; G_MAXUINT if there is none. */
guint ps_server_busiest_class(const PsAnswer *answer, const PsServerRow *row);

/* The kind of the busiest part. */
typedef enum {
    PS_BUSY_NOTHING, /* nothing ran */
    PS_BUSY_PIPELINE,
    PS_BUSY_SERVER,
    PS_BUSY_DISPATCH, /* launching groups */
    PS_BUSY_PORTS,    /* issuing instructions, whatever pipelines they are of (R1) */
} PsBusyKind;

/* The part that is busy most of the run's time. */
typedef struct {
    PsBusyKind kind;
    const char *name; /* of the pipeline or the server, borrowed; NULL for the others */
    double load;      /* share of the run's time */
} PsBusiest;

/* The busiest part: a pipeline, a server of memory, or another kind. Issue ports are the limit
 * only where nothing else is saturated, since each instruction of a pipeline goes through a
 * port, too. */
PsBusiest ps_answer_busiest_part(const PsAnswer *answer);

/* For how much of the time a place waits for its next group, and that for its first instruction
 * (R5), while nothing else is busy for long. */
double ps_starts_share(const PsAnswer *answer);
#define PS_STARTS_MOST 0.5 /* of the time: what groups do themselves matters less */

/* For how much of the time instructions keep the issue ports; 0 without schedulers. */
double ps_port_utilization(const PsAnswer *answer);

/* The answer's row with that name; NULL if there is none. */
const PsServerRow *ps_server_called(const PsAnswer *answer, const char *name);

/* Bytes that the whole launch moves at that server; 0 for one that is no level. */
double ps_server_bytes(const PsAnswer *answer, const PsServerRow *row);

/* The share of a level's bytes that need no level behind it; NaN for the last level, for a server
 * that is no level, and without bytes. */
double ps_server_hits(const PsAnswer *answer, const PsServerRow *row);

/* TRUE if a class's latencies are those of its first node alone, since other nodes move other
 * shares of their bytes at the levels. */
gboolean ps_class_differs(const PsMachine *machine, guint class_index);

/* A pipeline, or a server of memory. */
typedef struct {
    const PsStatsRow *pipeline; /* one of the two */
    const PsServerRow *server;
    double load;
} PsBusyPart;

/* The reason why a run takes as long as it does. */
typedef enum {
    PS_REGIME_NOTHING,  /* the graph has no instruction to run */
    PS_REGIME_DISPATCH, /* groups come no faster */
    PS_REGIME_PORTS,    /* instructions are issued no faster */
    PS_REGIME_STARTS,   /* places are empty, or their groups not yet begun, for most of the time */
    PS_REGIME_SATURATED,
    PS_REGIME_PARTLY, /* what is busiest is nearly saturated; for the rest warps wait */
    PS_REGIME_LATENCY /* warps wait for results */
} PsRegime;

/* The limit of a run. */
typedef struct {
    PsRegime regime;
    GArray *parts; /* PsBusyPart: pipelines, then servers; NULL if nothing ran */
    guint busiest; /* of the parts */
} PsLimiting;

/* Free with ps_limiting_clear. */
PsLimiting ps_answer_limiting(const PsAnswer *answer);
void ps_limiting_clear(PsLimiting *limiting);

/* The kind of change that would help. */
typedef enum {
    PS_HINT_NONE,          /* nothing ran, or a clamp decides the time */
    PS_HINT_PIPELINE,      /* less of class_, which takes share of what keeps the pipeline busy */
    PS_HINT_SERVER,        /* less traffic of class_ at the server */
    PS_HINT_MORE_GROUPS,   /* CUs have no work */
    PS_HINT_MORE_WARPS,    /* or more independent instructions while class_ is awaited */
    PS_HINT_INDEPENDENT,   /* such instructions alone: no more warps fit */
    PS_HINT_LARGER_GROUPS, /* launches of groups are the limit */
    PS_HINT_INSTRUCTIONS   /* fewer of them, whatever their pipelines: ports are the limit */
} PsHintKind;

/* A change that would help, and its possible gain; each member has a value for the kinds that it
 * names. */
typedef struct {
    PsHintKind kind;
    guint class_index; /* of the machine's; G_MAXUINT: none is known */
    guint pipeline;    /* PIPELINE: of the GPU's */
    const PsServerRow *server;
    double share;
} PsHint;

/* Nothing is simulated for it; what it says is borrowed from the answer. */
PsHint ps_answer_hint(const PsAnswer *answer);

/* Adds up the sources of the figures that the run used. Free with ps_trust_clear. */
PsTrust ps_answer_trust(const PsAnswer *answer);

/* The same for the figures of some of the machine's classes (of[i]), with the levels of memory that
 * their accesses reach, and with `overheads` those of launches. */
PsTrust ps_answer_trust_of(const PsAnswer *answer, const gboolean *of, gboolean overheads);
void ps_trust_clear(PsTrust *trust);

/* A figure of the description that the run used, and its weight. */
typedef struct {
    PsAssumedKind kind;
    const char *name;      /* CLASS: the GPU's, borrowed */
    PsLevel level;         /* LEVEL */
    const char *attribute; /* of MEMORY, ATOMICS and OVERHEADS, as files call it: "partial"; of
                              LEVEL "rows" or NULL; of GROUPS "work-error" or "unseen" */
    gboolean assumed;      /* nobody measured it */
    double share;          /* the share of the time that this figure decides, about, 0 to 1 */
} PsWeighed;

/* The figures (PsWeighed) that the run used, each once, those that decide most first
 * (g_array_unref). Shares are estimates, and cost no simulation. If something is busy for 80 % of
 * the time or more, that share goes to the figures of what keeps it busy. The rest, or else all,
 * goes to the results that one warp waits for, and to what launches cost. */
GArray *ps_answer_weigh(const PsAnswer *answer);

/* The times in seconds if all groups do two standard errors less, or more, work in the mean than
 * the executed ones (PsIdgLaunch.work_error); both are the answer's if the work of all is known. */
typedef struct {
    double least, most;
} PsSecondsBetween;

PsSecondsBetween ps_answer_between(const PsAnswer *answer);

/* Groups of the longest kind, if they are so few that their place in the launch, which shares do
 * not state, decides the time. */
typedef struct {
    gint64 groups; /* groups of the kind; 0: there is no such kind, or its place does not matter */
    const char *kind; /* borrowed from the answer; NULL: it has no name */
    double seconds;   /* the answer's time, if one of these groups started last of all; the answer
                         takes it to start first */
} PsLateGroups;

/* Simulates anew, no more than some million instructions; groups is 0 where that is not enough. */
PsLateGroups ps_answer_late(const PsAnswer *answer);

/* About how much of the time, 0 to 1, goes by the clock of the compute units: the rest is what the
 * description states in seconds, bandwidths of what compute units share, latencies with a clock,
 * and the kernel's launch. An estimate, as ps_answer_weigh. */
double ps_answer_clock_share(const PsAnswer *answer);

/* Seconds that a timer round this one launch sees; 0: nobody knows, or what launches cost does not
 * count. */
double ps_answer_timed(const PsAnswer *answer);

/* Seconds of this launch in a graph of launches, behind another one; 0 as above. */
double ps_answer_in_graph(const PsAnswer *answer);

/* The errors of predictions of kernels with such a limit against times that others measured, as
 * shares of those (docs/evidence/fidelity.md); none of the measurements made a description. */
typedef struct {
    guint rows;         /* measured; 0: nothing with that limit was, on any GPU */
    double mean, worst; /* absolute errors */
    gboolean same;      /* on GPUs of the answer's architecture; else on others, for lack of such */
    guint rows_of_all;  /* if these are few, the rows of all GPUs; else 0 */
    double mean_of_all, worst_of_all;
} PsKnownError;

/* The worst of n is passed by one more with a likelihood of 1 / (n + 1): of fewer than so many,
 * more often than in 5 % of cases. */
#define PS_KNOWN_ENOUGH 19

PsKnownError ps_answer_known_error(const PsAnswer *answer);

/* The record of answers for kernels that people asked about in public, with measured times that
 * nobody here had seen before (docs/evidence/questions.md). Several sizes are one question. */
typedef struct {
    guint questions;    /* 0: nobody asked about such kernels */
    guint near;         /* questions of which each time was within a quarter of the measured one */
    double least, most; /* measured times, as multiples of what was said */
} PsStrangers;

/* Which kernels count together: "lines" (how long caches keep lines of lanes decides), else "turns"
 * (what atomics at one place take may decide), else
 * "scattered" (limited by sectors written in part, or by device memory, most of whose bytes lanes
 * ask for out of order), "device" (limited by device memory otherwise), "stand-in" (limited by
 * anything else, where PTX stands in for code of AMD), "latency" (they wait for results) or "unit"
 * (limited by anything else). NULL: the answer is not for code, or nothing limits it. */
const char *ps_strangers_kind(const PsAnswer *answer);

/* Whether lanes ask out of order for most of what the busiest memory moves. *class_index, unless
 * NULL: the class that moves it. */
gboolean ps_answer_is_scattered(const PsAnswer *answer, guint *class_index);

/* The time if a loop ran four iterations at once, where this compiler makes one of it. */
typedef struct {
    guint program, node; /* the load that warps wait for most; in the loop */
    double seconds;      /* NaN: it is not much shorter, or no matter of the compiler's */
} PsAtOnce;

/* Simulates, at most a little. */
PsAtOnce ps_answer_at_once(const PsAnswer *answer);

/* The time if a loop that nvcc did four iterations of at once ran one at a time, as compilers for
 * GPUs of AMD have it; NaN: it is not much longer, or no such GPU's. Simulates, at most a little.
 */
PsAtOnce ps_answer_one_by_one(const PsAnswer *answer);

/* Why turns at one place may take longer than the description says. */
typedef enum {
    PS_TURNS_FLOATS, /* each needs the sum of the one before */
    PS_TURNS_TRIPS,  /* each may have to go to the last cache and back */
} PsTurnsWhy;

typedef struct {
    PsTurnsWhy why;
    double now, most; /* cycles of a turn: by the description, and at most */
    double seconds; /* the run's time by the latter; NaN: it is not much longer than what is told */
} PsTurns;

/* The time that turns of atomics at one place may take (R8), if they decide. */
PsTurns ps_answer_turns(const PsAnswer *answer);

/* The time in seconds if caches kept none of the lines that each lane asks for by itself;
 * *class_name, unless class_name is NULL, becomes the class of these accesses (borrowed). NaN: it
 * is not much longer than the answer's. */
double ps_answer_unkept(const PsAnswer *answer, const char **class_name);

/* The record of kernels of the same kind, if the answer is for code; else none. */
PsStrangers ps_answer_strangers(const PsAnswer *answer);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsLimiting, ps_limiting_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsTrust, ps_trust_clear)

#pragma GCC visibility pop
G_END_DECLS
#endif
