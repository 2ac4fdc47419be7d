/* SPDX-License-Identifier: BSD-3-Clause */
/* What an answer is made with. Internal to answer/; the parts from the lowest to the highest. */
#ifndef PIPESIM_ANSWER_ANSWER_PRIVATE_H
#define PIPESIM_ANSWER_ANSWER_PRIVATE_H

#include "answer/explain.h"
#include "answer/watch.h"

/* Two times that differ by no more than this, 10 %, count as the same: neither model claims to be
 * more exact. */
#define PS_AGREE 0.1

/* ---- launch-roofline.c --------------------------------------------------------------------- */

/* Predicts this launch at this clock (MHz). Appends warnings (char *) that say which peak the GPU
 * lacks or which node does not state its traffic, and how to state it. */
void ps_launch_roofline_init(PsLaunchRoofline *roofline, const PsMachine *machine, PsRational clock,
                             GPtrArray *warnings);

/* TRUE if an execution that takes so many seconds is faster than the clamp allows. */
gboolean ps_launch_roofline_is_passed(const PsLaunchRoofline *roofline, double seconds,
                                      PsClamp clamp);

/* ---- unit-ceiling.c ------------------------------------------------------------------------ */

/* The least time of a kernel's operations: instructions of its type by the pipeline that serves
 * each, at that pipeline's peak; pipelines work at the same time, so the longest. */
typedef struct {
    double seconds;  /* NaN if the pipeline that serves them has no peak */
    PsPeakKind peak; /* of the longest */
    guint pipeline;  /* the pipeline of that peak, an index in the GPU's; G_MAXUINT: the peak has no
                        pipeline */
} PsUnitCeiling;

PsUnitCeiling ps_unit_ceiling_find(const PsMachine *machine, PsRational clock, PsKType type,
                                   const PsPeaks *peaks);

/* ---- figures.c ----------------------------------------------------------------------------- */

/* The latencies of a class of the machine's as a what-if states them. */
PsLatency ps_what_if_latency(const PsMachine *machine, guint class_index);

/* TRUE if the what-if's latencies are those of a pipeline that each scheduler has, simulated as
 * such or not. */
gboolean ps_what_if_is_each(const PsMachine *machine, guint class_index);

/* ---- operations.c -------------------------------------------------------------------------- */

/* PsOperations, by type in order of appearance (g_array_unref). The roofline's W_comp has one type
 * and counts integer instructions, as the paper rules; here every type counts as the graph states
 * it. */
GArray *ps_operations_count(const PsMachine *machine);

/* Threads of the whole launch that run each program (g_free); a group's last warp may be partly
 * empty. */
double *ps_threads_by_program(const PsMachine *machine);

/* Operations of all types except "int", which alone is not floating-point: tensor cores count. */
double ps_operations_flops(const GArray *operations);

/* ---- critical-class.c ---------------------------------------------------------------------- */

/* The class (of the machine's) for which a warp waits most, with its share of the warp's critical
 * path; G_MAXUINT if there is none. Each instruction of that path takes its completion latency and
 * the mean time that its class queued in the run; where no pipeline is saturated, this sum is a
 * warp's time. For a long program its beginning stands for the whole; where warps differ, the
 * longest path counts. */
guint ps_critical_class(const PsAnswer *answer, double *share);

/* The longest path: its program (of the kernel's), its length in cycles, and the instances of each
 * node on it; NULL if there is none. */
typedef struct {
    guint program;
    double length;
    guint *times;
} PsCriticalPath;

PsCriticalPath ps_critical_path(const PsAnswer *answer);
void ps_critical_path_clear(PsCriticalPath *path);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsCriticalPath, ps_critical_path_clear)

/* ---- explain.c ----------------------------------------------------------------------------- */

/* The tables of an answer that was asked to explain itself (PsQuestion.explain). Path and waits may
 * be of another run, a sketch; they are then scaled to the answer's ticks. */
PsExplain *ps_explain_new(const PsAnswer *answer, const PsSimResult *seen, PsPath *path,
                          const PsWaits *waits);
void ps_explain_free(PsExplain *explain);

/* What tells the shares of a table apart, also those of two answers; names are borrowed from the
 * answer. */
typedef enum { PS_EXPLAIN_BY_CLASS, PS_EXPLAIN_BY_LINE, PS_EXPLAIN_BY_PIPELINE } PsExplainBy;

typedef struct {
    guint rank; /* what has no name comes last, by this */
    const char *name;
    guint order; /* of a class, by kind */
    guint warp;  /* of a barrier: that came last */
} PsExplainKey;

PsExplainKey ps_explain_key(const PsAnswer *answer, const PsExplainShare *share, PsExplainBy by);
int ps_explain_compare(const PsExplainKey *x, const PsExplainKey *y);

/* The share of the run's time in the critical path's stretches of that kind (PS_PATH_N_KINDS: any)
 * that are charged to a class of the machine's (G_MAXUINT: any); 0 if there is no path. */
double ps_explain_path_share(const PsAnswer *answer, PsPathKind kind, guint class_index);

/* The source line of a graph's node, or of a row's, "mmul.cl:31", clean; NULL where it has none
 * (g_free). */
char *ps_item_line(const PsIdg *idg, const PsIdgItem *item);
char *ps_explain_line(const PsAnswer *answer, const PsPathRow *row);

/* ---- bottleneck.c -------------------------------------------------------------------------- */

/* The longest row of the critical path that has a cause of that class (G_MAXUINT: any); NULL if
 * there is none, and for causes of the launch. */
const PsPathRow *ps_cause_row(const PsAnswer *answer, PsCause cause, guint class_index);

/* ---- verdict.c ----------------------------------------------------------------------------- */

/* Sets the verdict of an answer that lacks only that. */
PsVerdict ps_verdict_find(const PsAnswer *answer);

/* ---- sensitivities.c ----------------------------------------------------------------------- */

void ps_sensitivities_free(PsSensitivities *sensitivities);

/* ---- answer.c ------------------------------------------------------------------------------ */

/* The machine that ps_answer_new would run, and the roofline of its launch, but no result yet. */
PsAnswer *ps_answer_prepare(const PsQuestion *question, GError **error);

/* Makes the question one whose run is only sketched; FALSE if only an exact run will do. */
gboolean ps_question_sketch(PsQuestion *question);

/* Gives such an answer its times, and nothing else: without statistics, a run is quicker. known
 * is what the run is known to give, in any ticks; NULL has it run, unless a number
 * other than 0 at `cancel` (may be NULL) ends that. `most` is as most_instructions of
 * PsSimOptions. */
gboolean ps_answer_time(PsAnswer *answer, const PsQuestion *question, const PsSimResult *known,
                        gint64 most, const gint *cancel, GError **error);

/* If nobody asked for a clock and power does not allow the usual one: TRUE, and *slower is the
 * question at the clock that power allows (R13). Simulates a sketch if that is needed. */
gboolean ps_question_by_power(const PsQuestion *question, const gint *cancel, PsQuestion *slower);

/* An observer of a run, from another thread. */
typedef struct {
    PsWatch *watch;             /* hears how far it is; NULL: nobody does */
    const gint *hurry, *cancel; /* as of PsSimOptions; hurry replaces the question's */
} PsRunAids;

/* Answers the question whole, in this thread. */
PsAnswer *ps_answer_run(const PsQuestion *question, const PsRunAids *aids, char **log,
                        GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSensitivities, ps_sensitivities_free)

#endif
