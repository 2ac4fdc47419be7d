/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A warp's execution, rolled up: a sequence of steps and loops, in which iterations that are alike
 * are there once, with their number. Sequences are shared (equal ones are the same pointer), so
 * that iterations are compared in constant time and a loop of 10^6 alike iterations takes no more
 * memory than one of two.
 *
 * Two executions of a point are alike if their access patterns are (pattern.h); which lanes take
 * part does not matter otherwise. A point whose guard was false in all lanes is left out, unless it
 * is a branch: those cost the same whether they are taken or not.
 *
 * Iterations that repeat in turn, such as A B A B A B, are one run, three times, of a body whose
 * only item is the same loop with the runs A and B (ps_roll_iterations counts six).
 *
 * Where a loop's iterations are of more kinds than ps_roll_new's limit allows (runs, as long as
 * they are in order), its record gets coarser, step by step: first the order of iterations is given
 * up (as many of each kind, one kind after the other; if that is not enough, of inner loops, too),
 * then patterns that differ are averaged, then what iterations execute and how often inner loops
 * run is averaged: mean iterations of whole numbers around the mean, so that sums stay. `coarse`
 * tells how far it went. Counts of each point stay exact unless the mean, too, would be of too many
 * kinds: then they are within one `most_kinds`-th of the loop's iterations.
 *
 * Steps that follow each other outside of any loop (or in flow that is no loop, since it enters a
 * cycle at several points) are kept one by one up to 2^17; a sequence of more becomes a loop
 * PS_PTX_NOWHERE, MEAN_TRIPS, whose iterations have each point as often as it was executed. A mean
 * iteration that has a point several times has such a loop, too.
 */
#ifndef PIPESIM_LIFT_LOOPS_ROLL_H
#define PIPESIM_LIFT_LOOPS_ROLL_H

#include "lift/memory/pattern.h"
#include "ptx/code/code.h"

G_BEGIN_DECLS

typedef enum { PS_ROLL_STEP, PS_ROLL_LOOP } PsRollKind;

typedef enum {
    PS_ROLL_EXACT,
    PS_ROLL_NO_ORDER,
    PS_ROLL_MEAN_PATTERNS,
    PS_ROLL_MEAN_TRIPS
} PsRollCoarse;

typedef struct PsRollSequence PsRollSequence;

/* Iterations of a loop that are alike and follow each other. */
typedef struct {
    gint64 times;
    const PsRollSequence *body;
} PsRollRun;

typedef struct {
    PsRollKind kind;
    /* PS_ROLL_STEP */
    guint point;
    const PsPattern *pattern; /* of a memory access, else NULL */
    gboolean off;             /* of a unit slower than others: it issues, but no lane executes it */
    /* PS_ROLL_LOOP */
    guint loop; /* number of the loop in the code, or PS_PTX_NOWHERE */
    guint n_runs;
    const PsRollRun *runs;
    PsRollCoarse coarse;
    /* How many more trips than the longest lane a loop makes that an assembler lays out four
     * iterations at once, then two, then one: the remainder of each lane is done by itself. */
    guint parts;
} PsRollItem;

struct PsRollSequence {
    guint n_items;
    const PsRollItem *items;
    gint64 length; /* steps in all, loops counted as often as they run */
    gint64 off;    /* of these, those that are off */
};

/* Warps of a group that executed the same. */
typedef struct {
    GArray *warps; /* guint, ascending */
    const PsRollSequence *sequence;
    guint64 lanes;   /* threads of all lanes */
    guint64 *idle;   /* per point: how many of these threads did not come to it when others of their
                        warp did, in all; NULL: none ever */
    guint64 *barred; /* per point without access: how many came to it when it was a step, and did
                        not execute it, since its guard was false; NULL: none ever */
} PsRollWarps;

/* A wait for an mbarrier that is over: the how many-th execution of that point by that warp, and
 * where what ended it stands in its group's `enders`. */
typedef struct {
    guint rank, warp, point;
    guint64 index;
    guint first, n;
} PsRollWait;

/* What one group executed. */
typedef struct PsRollGroup PsRollGroup;
struct PsRollGroup {
    guint group[3];
    GPtrArray *warps; /* PsRollWarps */
    gint64 length;    /* steps of all its warps */
    gint64 off;       /* of these, those that are off: they are no work */
    PsDemand demand;
    GArray *waits;  /* PsRollWait, those that something ended */
    GArray *enders; /* PsPtxEnder */
    /* of a group that was not recorded, since it executes what another one does and asks memory for
     * about as much: that one, whose warps and length these are; else NULL */
    const PsRollGroup *as;
};

/* Records groups: it is the PsPtxListener of their execution. It owns all sequences and patterns.
 */
typedef struct PsRoll PsRoll;

typedef struct {
    guint most_kinds;   /* kinds of iterations of one loop that a record may have before it gets
                           coarser; 0: 64 */
    gboolean all_issue; /* instructions whose guard lets no lane execute them are steps, too
                           (without a pattern; those of slow units are off): machine code's issue */
    PsPatternRules patterns;
} PsRollOptions;

/* code is borrowed. */
PsRoll *ps_roll_new(const PsPtxCode *code, const PsRollOptions *options);
void ps_roll_free(PsRoll *roll);

PsPtxListener ps_roll_listener(PsRoll *roll);

/* Says for what the next group is executed besides its record; without a call, for nothing. */
void ps_roll_next(PsRoll *roll, PsPatternGroup what);

/* Called when all groups have been executed: sets what depends on all of them in the patterns. May
 * be called again after further groups. */
void ps_roll_settle(PsRoll *roll);
/* Settles again, where an assembler lays out iterations of loops together whose loads then come one
 * behind the other. unrolled: per loop of the code, iterations at once, or 0. */
void ps_roll_unroll(PsRoll *roll, const guint *unrolled);
PsHitRates ps_roll_rates(const PsRoll *roll);

/* Adds what an event of a group that is not recorded asks of memory. */
void ps_roll_ask(PsRoll *roll, const PsPtxEvent *event, PsDemand *sum);

/* Begins a group that is not recorded, number `first` of the launch or the one after the group that
 * began last. Only what its loads touch counts, for what groups share (cache-wave.c). */
void ps_roll_wave_begins(PsRoll *roll, guint64 first);
void ps_roll_wave_access(PsRoll *roll, const PsPtxEvent *event);
/* TRUE if these groups share at least half of what a load of theirs touches. */
gboolean ps_roll_wave_shares(const PsRoll *roll);

/* The groups recorded so far: PsRollGroup, borrowed. */
const GPtrArray *ps_roll_groups(const PsRoll *roll);

/* How many iterations the item of a loop has in all. */
gint64 ps_roll_iterations(const PsRollItem *loop);

/* For each point of memory accesses and each of its patterns: what caches made of it, over all
 * groups recorded (pattern.h). A step's pattern is one of these, or where patterns were averaged,
 * the mean of all patterns of its point, which is not among these. */
const GPtrArray *ps_roll_patterns(const PsRoll *roll); /* PsPattern */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsRoll, ps_roll_free)

G_END_DECLS
#endif
