/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of ps_build share: samples.c runs groups and chooses some, layout.c lays out what
 * they did, build.c makes the graph of them, mix.c counts instructions, stalls.c looks how closely
 * the compiler schedules, warn.c warns where the graph is less exact than it seems.
 */
#ifndef PIPESIM_LIFT_BUILD_PRIVATE_H
#define PIPESIM_LIFT_BUILD_PRIVATE_H

#include "lift/groups/census.h"
#include "lift/emit/emit.h"
#include "lift/groups/kinds.h"
#include "lift/groups/plan.h"

G_BEGIN_DECLS

/* What was executed. */
typedef struct {
    const PsBuildOptions *options;
    PsPtxMachine *machine;
    PsRoll *roll;
    PsPtxListener record; /* the roll's */
    guint8 *apart;        /* per point: a branch that not all lanes of a warp took */
    guint8 *meets;        /* per point: a wait for an mbarrier at which all warps meet */
    guint8 *ways;         /* per point: PsPtxWay */
    guint64 *first_at;    /* per point: instructions of the group until it first accessed global
                             memory, in the first group that did; 0: none did */
    guint64 *all_at;      /* ... until the last of its warps had accessed it */
    guint32 *warps_at;    /* ... and which warps have, bit by bit */
    GPtrArray *groups;    /* PsRollGroup: the samples, borrowed from the roll */
    GArray *kinds;        /* PsKind: of which kinds groups are */
    GArray *chosen;       /* PsKind: those that become the graph */
    guint64 heard;        /* instructions that the present group has executed */
    guint64 due;          /* ... and at how many of these progress is reported */
    guint64 before;       /* that all groups before it have executed, */
    guint done;           /* and how many these are */
    gint64 begun, told;   /* when executing began, and the last word on progress was said */
    GError *cancelled;    /* what that came to; NULL: nothing is cancelled */
    GArray *plan;         /* PsPlanned */
    PsPtxExtent *extents; /* buffers */
    guint64 longest;      /* warp instructions of the longest group so far */
    PsCensus *census;     /* of the present group */
    GHashTable *recorded; /* the number of a census (guint64 *) -> a PsRollGroup that has it */
    GHashTable *numbers;  /* the place of a group in the launch (guint64 *) -> the number of what it
                             executed (guint64 *) */
    GPtrArray *counted;   /* PsRollGroup: groups that were not recorded; owned */
    GPtrArray *shown;     /* PsRollGroup: those that show of which kinds all are; borrowed */
    guint n_edges;        /* groups that are executed as edges of the grid; 0: none need be */
    guint strange;        /* groups that were counted and were like none that was recorded */
    char *left_out; /* warning about a group that could not be executed, and without which all goes
                       on; NULL: there is none */
    char *changed;  /* warning about one that did something else when it was executed again; NULL:
                       none did */
} PsSamples;

/* Runs the sampled groups, and more groups for the cache model. FALSE and *error as ps_build. */
gboolean ps_samples_run(PsSamples *samples, const PsBuildOptions *options, GError **error);
void ps_samples_clear(PsSamples *samples);
/* Lets groups begin that run at the same time, to see what they share; resident: how many a compute
 * unit holds, 0: not known. Before the roll settles. */
void ps_samples_wave(const PsSamples *samples, guint resident);
/* Keeps the census number of what the group executed that ended last. */
void ps_samples_note(PsSamples *samples, const guint group[3]);
/* The census number of what a group executed; FALSE: it was not. */
gboolean ps_samples_number(const PsSamples *samples, const guint group[3], guint64 *number);
/* Executes a group only to count what it does. FALSE and *error: it has a fault. TRUE also where
 * there was no memory for it, or all is cancelled; then its number is not known. */
typedef gboolean (*PsSamplesCount)(PsSamples *samples, const guint group[3], GError **error);
/* Executes groups at the border of what the kernel works on, where that is smaller than the grid,
 * for their faults. After kinds are chosen. FALSE and *error: one has a fault. */
gboolean ps_samples_border(PsSamples *samples, PsSamplesCount count, GError **error);
/* Bytes of local memory of each group in the launch. */
guint64 ps_samples_local_memory(const PsBuildOptions *options, const PsPtxCode *code);

/* Spots of each sequence of the samples under one set of rules. */
typedef struct {
    PsFacts *facts;
    GHashTable *spots; /* PsRollSequence -> PsSpots */
} PsLayout;

/* FALSE and *error (PS_ERROR_LIMIT) where the graph would be too large. */
gboolean ps_layout_init(PsLayout *layout, const PsSamples *samples, const gboolean *rules,
                        GError **error);
void ps_layout_clear(PsLayout *layout);

/* PsBuildMix of all samples, most frequent first. */
GPtrArray *ps_mix_new(const PsSamples *samples, const PsLayout *before, const PsLayout *after);

/* What the executor skipped, with its share of the executed instructions (g_free); NULL: nothing.
 */
char *ps_build_skipped(const PsSamples *samples);

/* PsBuildStall of all classes, by name; none of PTX. */
GPtrArray *ps_build_stalls(const PsFacts *facts);

/* Adds a warning for each loop of machine code, or code outside of loops, that is more than a
 * scheduler keeps. */
void ps_build_warn_of_code(const PsSamples *samples, const PsFacts *facts, GPtrArray *warnings);

/* Adds warnings that users of the graph should read. */
void ps_build_warn(const PsSamples *samples, const PsLayout *layout, GPtrArray *warnings);

G_END_DECLS
#endif
