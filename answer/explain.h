/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explains a run's time: its critical path, where its warps wait, and the one cause that holds it
 * up most. Every figure is a sum over the simulation's events.
 */
#ifndef PIPESIM_ANSWER_EXPLAIN_H
#define PIPESIM_ANSWER_EXPLAIN_H

#include "answer/answer.h"
#include "answer/causes.h"
#include "answer/role-waits.h"
#include "sim/listen/path.h"
#include "sim/listen/waits.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A share of the critical path: all stretches that are charged to one class, source line or
 * pipeline. */
typedef struct {
    PsPathKind kind;   /* by_class: of all its stretches; else of the longest row in it */
    guint class_index; /* by_class: of the machine's, G_MAXUINT for none; else of the longest row */
    guint pipeline;    /* an index in the GPU's */
    guint warp;        /* by_class, BARRIER: which warp of a group came last most often */
    char *line;        /* by_line: "mmul.cl:31", clean; NULL: nodes without one; else NULL */
    guint program, node; /* the kernel's, of the longest row; node G_MAXUINT: of none */
    gint64 near; /* by_line: of the ticks those of nodes that have no line of their own, and are
                    near to this one */
    gint64 ticks, times;
    double share; /* of the run's time */
} PsExplainShare;

/* The parts of the run's time. The tables of one run add up to its ticks. */
struct PsExplain {
    GPtrArray *path;     /* PsPathRow, longest first; NULL if there is no path (see problem) */
    GPtrArray *by_class; /* PsExplainShare, longest first, like the next two; NULL like path */
    GPtrArray *by_line;  /* nodes without a line are one share */
    GPtrArray
        *by_pipeline;  /* completions count for the pipeline that serves them; what waits for
                          issue ports (PS_PATH_PORT) is one share, what has no pipeline another */
    GPtrArray *waits;  /* PsWaitRow, largest first */
    double warp_ticks; /* sum of them: all places for warps, over the whole run */
    double *occupancy; /* warps on the first CU, over n_occupancy equal parts of the run */
    guint n_occupancy;
    gint64 tail;        /* ticks with fewer than M groups at the end */
    gint64 places;      /* how often on the path a group waited for a place on the CU */
    char *problem;      /* the reason why there is no critical path, or NULL */
    GArray *node_waits; /* PsNodeWait: the waits by node */
    PsRoleTable *roles; /* NULL if warps have no roles */
    gint64 simulated;   /* warp instructions of the run that all this is known from: the answer's,
                           or a sketch of it (PsQuestion.sketch) */
};

/* The place of a node. */
typedef struct {
    char *line;       /* in the source, "mmul.cl:31", clean; NULL: not known */
    char *via;        /* of a function that was inlined at that line: there, "header.h:12", clean;
                         or NULL */
    gboolean near;    /* it has no line of its own: this is the line of what stands before it */
    const char *node; /* the node's name, borrowed from the graph; NULL: there is no node */
    gint64 address;   /* bytes from the begin of the kernel's machine code; -1: of none */
} PsNodePlace;

/* The place of a node of the answer's kernel; node G_MAXUINT: no place. */
PsNodePlace ps_answer_place(const PsAnswer *answer, guint program, guint node);
void ps_node_place_clear(PsNodePlace *place);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsNodePlace, ps_node_place_clear)

/* Whether any node has a source line. */
gboolean ps_answer_has_lines(const PsAnswer *answer);

/* Parts of the run that occupancy is told of. */
#define PS_EXPLAIN_PARTS 64

/* The cycles of the run's clock that the kernel's launch takes (R5), and those of the whole run
 * with it; paths cover the execution alone. FALSE if the launch costs nothing, or the sum does not
 * fit. */
gboolean ps_explain_launch(const PsAnswer *answer, PsRational *launch, PsRational *whole);

/* Waiting of that kind as a share of all places for warps, over the whole run. */
double ps_explain_wait_share(const PsExplain *explain, const PsWaitRow *row);

/* The same of all waiting at barriers. */
double ps_explain_barrier_share(const PsExplain *explain);

/* ---- the bottleneck ------------------------------------------------------------------------ */

const char *ps_cause_name(PsCause cause); /* "bank-conflict" */

/* The whole that a share is a part of. */
typedef enum {
    PS_SHARE_OF_PATH,  /* the critical path */
    PS_SHARE_OF_WARPS, /* the time of all warps */
    PS_SHARE_OF_TIME   /* the run's time, for which its pipeline, or level, is busy */
} PsShareOf;

/* The one cause that holds the run up most. */
typedef struct {
    PsCause cause;
    guint class_index;   /* of the machine's; G_MAXUINT: none */
    const char *line;    /* borrowed from the answer, or NULL */
    guint program, node; /* of the answer's kernel, with the largest share; node G_MAXUINT: none */
    const PsServerRow *server; /* the server of the answer, if the bottleneck is one; else NULL */
    double share;
    PsShareOf of;
} PsBottleneck;

/* The cause that the first advice with a cause names; without advice, the one that keeps a
 * saturated pipeline or level of memory busy, else the one that takes most of the critical path.
 * FALSE where none is known, as in an answer that was not asked to explain itself. */
gboolean ps_answer_bottleneck(const PsAnswer *answer, PsBottleneck *bottleneck);

#pragma GCC visibility pop
G_END_DECLS
#endif
