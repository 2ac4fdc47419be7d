/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the recorder, from the lowest to the highest:
 *
 *     roll-sequence.c  sequences, each kept once, with reference counts
 *     roll-order.c     iterations in their order: runs, and runs of runs that repeat
 *     roll-tally.c     iterations without order: how many of each kind; if there are too many
 * kinds, the mean iteration roll-warp.c      one warp: which loops are open, where iterations begin
 * and end roll.c           the listener, groups
 */
#ifndef PIPESIM_LIFT_LOOPS_ROLL_PRIVATE_H
#define PIPESIM_LIFT_LOOPS_ROLL_PRIVATE_H

#include "lift/loops/roll.h"

G_BEGIN_DECLS

/* Steps and loops that one iteration, or the kinds of one loop's iterations, may hold before the
 * record gets coarser. */
#define PS_ROLL_MOST_ITEMS (1 << 17)
#define PS_ROLL_MOST_WEIGHT (1 << 20)

/* ---- sequences ----------------------------------------------------------------------------- */

typedef struct PsRollTable PsRollTable;

PsRollTable *ps_roll_table_new(void);
void ps_roll_table_free(PsRollTable *table); /* no reference to any of its sequences may be left */
guint ps_roll_table_size(const PsRollTable *table);

/* The sequence of these items (PsRollItem), whose references it takes: the array is empty
 * afterwards. Returns a reference. */
const PsRollSequence *ps_roll_intern(PsRollTable *table, GArray *items);
const PsRollSequence *ps_roll_ref(const PsRollSequence *sequence);
void ps_roll_unref(const PsRollSequence *sequence);

/* The number of items in it and in everything that it holds, each counted as often as it occurs;
 * saturates. */
guint64 ps_roll_weight(const PsRollSequence *sequence);
guint64 ps_roll_item_weight(const PsRollItem *item);

/* The sequence with less detail, as a coarser record has it. Returns a reference. */
typedef enum { PS_ROLL_UNORDERED, PS_ROLL_MEAN, PS_ROLL_N_VIEWS } PsRollView;
const PsRollSequence *ps_roll_view(PsRollTable *table, const PsRollSequence *sequence,
                                   PsRollView view);

/* The item of a loop with these runs (PsRollRun), whose references it takes: the array is empty
 * afterwards. */
PsRollItem ps_roll_loop_item(guint loop, GArray *runs, PsRollCoarse coarse);
void ps_roll_item_clear(PsRollItem *item);
void ps_roll_runs_clear(GArray *runs); /* drops the references */

/* The item that has the runs, if an iteration of the loop is in truth several of them (roll.h);
 * else NULL. */
const PsRollItem *ps_roll_composite(guint loop, const PsRollSequence *body);

/* ---- iterations ---------------------------------------------------------------------------- */

/* Appends iterations of a loop to runs that keep their order; takes over the reference. */
void ps_roll_order_add(PsRollTable *table, guint loop, GArray *runs, PsRollRun run);
/* No more will come: the last run may be part of what repeats, too. */
void ps_roll_order_end(PsRollTable *table, guint loop, GArray *runs);

/* Iterations of one loop as kinds with their numbers. means: inner patterns are averaged from the
 * beginning. */
typedef struct PsRollTally PsRollTally;
PsRollTally *ps_roll_tally_new(PsRollTable *table, guint loop, guint most, gboolean means);
void ps_roll_tally_free(PsRollTally *tally);
void ps_roll_tally_add(PsRollTally *tally, gint64 times, const PsRollSequence *body);
/* Appends the kinds to runs, and returns how coarse they are. */
PsRollCoarse ps_roll_tally_runs(PsRollTally *tally, GArray *runs);

/* The mean of iterations. */
typedef struct PsRollMean PsRollMean;
PsRollMean *ps_roll_mean_new(PsRollTable *table, guint most);
void ps_roll_mean_free(PsRollMean *mean);
void ps_roll_mean_add(PsRollMean *mean, gint64 times, const PsRollSequence *body);
void ps_roll_mean_add_item(PsRollMean *mean, gint64 times, const PsRollItem *item);
/* Appends runs of mean iterations: as many as were added by ps_roll_mean_add; if only items were
 * added, as many as the most frequent one needs. */
void ps_roll_mean_runs(PsRollMean *mean, GArray *runs);

/* ---- warps --------------------------------------------------------------------------------- */

/* The properties of a point that are known before anything runs. */
typedef enum {
    PS_ROLL_BRANCH = 1, /* the next point may be another than the one behind it */
    PS_ROLL_END = 2,    /* lanes end here */
    PS_ROLL_HEADER = 4, /* the header of its innermost loop */
    PS_ROLL_ISSUES = 8, /* it is a step also if its guard lets no lane execute it */
    PS_ROLL_WAITS = 32, /* a wait for an mbarrier */
    PS_ROLL_SLOW = 16,  /* such a step is off: its unit is slower than the others */
    PS_ROLL_COUNTS = 64 /* a header: the loop's branch back compares whole numbers, in PTX */
} PsRollPoint;

typedef struct {
    const PsPtxCode *code;
    const guint8 *points; /* PsRollPoint of each */
    PsRollTable *table;
    guint most_kinds;
} PsRollPlan;

typedef struct PsRollWarp PsRollWarp;
PsRollWarp *ps_roll_warp_new(const PsRollPlan *plan);
void ps_roll_warp_free(PsRollWarp *warp);
/* TRUE if the event, which is the warp's next one, enters a loop. */
gboolean ps_roll_warp_enters(const PsRollWarp *warp, const PsPtxEvent *event);
void ps_roll_warp_event(PsRollWarp *warp, const PsPtxEvent *event, const PsPattern *pattern);
/* n points more, from `point` on, of the block that the event was of, which was the last: steps
 * without patterns. masks: the lanes that execute each; NULL: some do in all. */
void ps_roll_warp_steps(PsRollWarp *warp, const PsPtxEvent *event, guint point, guint n,
                        const guint32 *masks);
/* The PsRollWarps members of this one warp: *idle and *barred are the caller's (g_free) and may be
 * NULL. It must be called before ps_roll_warp_end. */
guint ps_roll_warp_lanes(PsRollWarp *warp, guint64 **idle, guint64 **barred);
/* Everything that the warp executed: a reference. The warp is as after ps_roll_warp_new then. */
const PsRollSequence *ps_roll_warp_end(PsRollWarp *warp);

G_END_DECLS
#endif
