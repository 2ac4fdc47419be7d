/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between the parts of ps_build: samples*.c run groups and choose some, layout.c lays
 * out their sequences, build.c makes the graph of them, mix.c counts instructions, stalls.c checks
 * how closely the compiler schedules, warn.c warns where the graph is less exact than it seems.
 */
#ifndef PIPESIM_LIFT_BUILD_PRIVATE_H
#define PIPESIM_LIFT_BUILD_PRIVATE_H

#include "lift/groups/census.h"
#include "lift/emit/emit.h"
#include "lift/groups/kinds.h"
#include "lift/groups/plan.h"
#include "lift/groups/tally.h"

G_BEGIN_DECLS

/* Warp instructions that may always be executed for the cache model, however few the graph needs;
 * and those between two reports of progress. */
#define PS_SAMPLES_BUDGET (1 << 17)
#define PS_SAMPLES_HEARING (1 << 16)

/* The executed groups. */
typedef struct {
    const PsBuildOptions *options;
    PsPtxMachine *machine;
    PsRoll *roll;
    PsPtxListener record; /* the roll's */
    guint8 *apart;        /* per point: a branch that not all lanes of a warp took */
    guint8 *meets;        /* per point: a wait for an mbarrier at which all warps meet */
    guint8 *ways;         /* per point: PsPtxWay */
    guint8 *takes;        /* per point: an atomic outside shared memory whose result is read */
    const PsPtxTensorProduct **products; /* per point: the machine's, or NULL */
    guint64 *first_at;    /* per point: instructions of the group until it first accessed global
                             memory, in the first group that did; 0: none did */
    guint64 *all_at;      /* ... until the last of its warps had accessed it */
    guint32 *warps_at;    /* ... and which warps have, bit by bit */
    GPtrArray *groups;    /* PsRollGroup: the samples, borrowed from the roll */
    GArray *kinds;        /* PsKind: the kinds of groups */
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
    PsTally *tally;       /* of all executed groups, each once */
    GHashTable *recorded; /* the number of a census (guint64 *) -> those that were recorded and have
                             it, GPtrArray of PsRollGroup */
    PsDemand demand;      /* of the present group, if it is only counted */
    guint8 varies;        /* PS_GROUPS_WAY and the like, of any point */
    gboolean vary;        /* some branch may go other ways in groups that were not executed */
    gboolean uneven;      /* groups that execute the same may ask memory for other amounts */
    GHashTable *numbers;  /* the place of a group in the launch (guint64 *) -> the number of what it
                             executed (guint64 *) */
    GPtrArray *counted;   /* PsRollGroup: groups that were not recorded; owned */
    GPtrArray *shown;     /* PsRollGroup: those that show the kinds of all; borrowed */
    PsKindsSure sure;     /* how well kinds are known */
    PsStrata strata;      /* of the grid */
    PsStrataClasses *classes; /* of groups, by how they begin; NULL: nobody knows */
    guint8 *decided; /* per point: all groups came by it, in the way of their class; or NULL */
    guint behind[3]; /* groups at the end of each direction, behind the border of what the
                        kernel works on, counted with one that it cuts; 0: no border */
    guint n_edges;   /* groups that are executed as edges of the grid; 0: none need be */
    guint strange;   /* groups that were counted and were like no recorded one */
    char *left_out;  /* warning about a group that could not be executed, and without which all goes
                        on; NULL: there is none */
    char *few;       /* warning that few groups showed what is shared; NULL: there is none */
} PsSamples;

/* Runs the sampled groups, and more groups for the cache model. FALSE and *error as ps_build. */
gboolean ps_samples_run(PsSamples *samples, const PsBuildOptions *options, GError **error);
void ps_samples_clear(PsSamples *samples);
/* How many groups a compute unit holds at once; 0: not known. */
guint ps_samples_resident(const PsBuildOptions *options, const PsPtxCode *code);
/* The bytes of L1 that a compute unit has beside them; 0: not known. */
guint64 ps_samples_l1(const PsBuildOptions *options, const PsPtxCode *code);
/* TRUE if the caller asked for all groups of the launch. */
gboolean ps_samples_are_whole(const PsBuildOptions *options);
/* Warp instructions executed so far. */
guint64 ps_samples_executed(const PsSamples *samples);
/* The entry of the plan for a group, borrowed; NULL: it has none. */
PsPlanned *ps_samples_planned(const PsSamples *samples, const guint group[3]);
/* Executes a group and records what it does, also for the purposes of the plan (or NULL); or
 * executes it only to count them. FALSE and *error: it has a fault. */
gboolean ps_samples_execute(PsSamples *samples, const guint group[3], PsPlanned *plan,
                            GError **error);
gboolean ps_samples_count_group(PsSamples *samples, const guint group[3], GError **error);
/* The recorded group that is most like the one that was counted last; NULL: none is of its kind. */
const PsRollGroup *ps_samples_like(const PsSamples *samples);
/* Finds the kinds of groups, by executing some more unless the caller asked for some, and chooses
 * those that become the graph. FALSE and *error: a group has a fault. */
gboolean ps_samples_find_groups(PsSamples *samples, GError **error);
/* Executes the beginnings of groups that run at the same time, to see what they share; resident:
 * how many a compute unit holds, 0: not known. It must come before the roll settles. */
void ps_samples_wave(PsSamples *samples, guint resident);
/* The least number of warp instructions of an executed group before it first wrote to global
 * memory; G_MAXUINT64: none wrote. */
guint64 ps_samples_before_store(const PsSamples *samples);
/* Computes for all groups the numbers that decide which ways they go, as far as these follow from
 * their place, and makes strata by them. After the borders are found. */
void ps_samples_decide(PsSamples *samples);

/* Divides n numbers by size into at most so many parts (from 1 to 256) whose sums are about equal;
 * of: the part of each. Returns the number of parts. */
guint ps_samples_parts(const guint32 *numbers, guint64 n, guint most, guint8 *of);
/* Executes the beginnings of groups, to see in which ways they go, and makes strata by these. After
 * the borders are found. FALSE and *error: one has a fault. */
gboolean ps_samples_begin(PsSamples *samples, GError **error);
/* The same, by what their beginnings ask of memory, too. */
gboolean ps_samples_begin_by_demand(PsSamples *samples, GError **error);
void ps_samples_free_classes(PsStrataClasses *classes);
/* One group of each of these strata. guint64: places in the launch; free with g_array_unref. */
GArray *ps_samples_of_classes(const PsSamples *samples);
/* Executes so many warp instructions of a group at most. *number: of the census of these. FALSE and
 * *error: it has a fault. */
gboolean ps_samples_begin_group(PsSamples *samples, const guint group[3], guint64 most,
                                guint64 *number, GError **error);
/* By point, whether it is an atomic outside shared memory whose result is read. Free it with
 * g_free. */
guint8 *ps_samples_takers(const PsPtxCode *code);
/* TRUE if executed groups took results of atomics outside shared memory, such as their numbers:
 * executing such a group again executes another one. */
gboolean ps_samples_takes_numbers(const PsSamples *samples);
/* Keeps the census number of what the group executed that ended last. */
void ps_samples_note(PsSamples *samples, const guint group[3]);
/* The number of groups of the launch, the place of one, and the group of a place. */
guint64 ps_samples_groups(const PsSamples *samples);
guint64 ps_samples_place(const PsSamples *samples, const guint group[3]);
void ps_samples_group_at(const PsSamples *samples, guint64 place, guint group[3]);
/* The census number of what a group executed; FALSE: it was not. */
gboolean ps_samples_number(const PsSamples *samples, const guint group[3], guint64 *number);
/* Executes a group only to count what it does. FALSE and *error: it has a fault. TRUE also if there
 * was no memory for it, or the build is cancelled; its number is then not known. */
typedef gboolean (*PsSamplesCount)(PsSamples *samples, const guint group[3], GError **error);
/* Looks for the border of the kernel's work, if that is smaller than the grid, before the last
 * groups of each direction and, if `both`, behind the first ones, and cuts the strata there. It
 * must come after some kinds are known. FALSE and *error: a group that is executed for it has a
 * fault. */
gboolean ps_samples_find_border(PsSamples *samples, gboolean both, PsSamplesCount count,
                                GError **error);
/* Executes groups at the corners of what lies within that border, for their faults. FALSE and
 * *error: one has a fault. */
gboolean ps_samples_look_at_border(PsSamples *samples, PsSamplesCount count, GError **error);
/* Bytes of local memory of each group in the launch. */
guint64 ps_samples_local_memory(const PsBuildOptions *options, const PsPtxCode *code);

/* Spots of each sequence of the samples under one set of rules. */
typedef struct {
    PsFacts *facts;
    PsSymbols *symbols;
    GHashTable *spots; /* PsRollSequence -> PsSpots */
    GHashTable *roles; /* PsRollGroup, of those that become the graph -> PsRoles */
} PsLayout;

/* FALSE and *error (PS_ERROR_LIMIT) if the graph would be too large. */
gboolean ps_layout_init(PsLayout *layout, const PsSamples *samples, const gboolean *rules,
                        GError **error);
void ps_layout_clear(PsLayout *layout);
/* The roles of the warps of a group that becomes the graph; borrowed. */
const PsRoles *ps_layout_roles(const PsLayout *layout, const PsRollGroup *group);

/* PsBuildMix of all samples, most frequent first. */
GPtrArray *ps_mix_new(const PsSamples *samples, const PsLayout *before, const PsLayout *after);

/* The instructions that the executor skipped, with their share of the executed ones (g_free); NULL:
 * none. */
char *ps_build_skipped(const PsSamples *samples);

/* PsBuildStall of all classes, by name; none of PTX. */
GPtrArray *ps_build_stalls(const PsFacts *facts);

/* Adds a warning for each loop of machine code, or code outside of loops, that is more than a
 * scheduler keeps. */
void ps_build_warn_of_code(const PsSamples *samples, const PsFacts *facts, GPtrArray *warnings);

/* Whether a branch, or an end of the thread, leads out of the loop. */
gboolean ps_build_leaves(const PsPtxCode *code, guint point, guint loop);
/* Adds a warning of a loop whose trip count is loaded from memory, if nobody stated the memory's
 * content. */
void ps_build_warn_of_loaded(const PsSamples *samples, const PsFacts *facts, GPtrArray *warnings);
/* Whether the result of an atomic operation decides how often the loop around it runs. */
gboolean ps_build_decides(const PsFacts *facts, guint point);
/* The last clause of such an error, "; --partial answers all the same", or nothing if the caller
 * has no such option (g_free). */
char *ps_build_partial_clause(const PsBuildOptions *options);
/* FALSE and *error if a counter in global memory hands out work, and one group took the work of
 * all; TRUE if a partial answer will do. */
gboolean ps_build_check_queues(const PsSamples *samples, const PsFacts *facts, GError **error);
/* Adds a warning of such a counter, also of one that only may be. */
void ps_build_warn_of_queues(const PsSamples *samples, const PsFacts *facts, GPtrArray *warnings);

/* FALSE and *error if loops of compare-and-swap, or exchanges, of many groups meet at one place, so
 * that nobody knows how often they retry; TRUE if a partial answer will do. */
gboolean ps_build_check_retries(const PsSamples *samples, const PsLayout *layout, GError **error);
/* Adds a warning of such a loop, wherever its groups meet. */
void ps_build_warn_of_retries(const PsFacts *facts, GPtrArray *warnings);

/* FALSE and *error if threads sleep outside of loops that wait for others; TRUE if a partial answer
 * will do. */
gboolean ps_build_check_sleeps(const PsSamples *samples, const PsFacts *facts, GError **error);
/* Adds a warning if threads sleep. */
void ps_build_warn_of_sleeps(const PsFacts *facts, GPtrArray *warnings);

/* Adds a warning if groups ask for the work of others that have not begun. */
void ps_build_warn_of_cancels(const PsFacts *facts, GPtrArray *warnings);

/* Adds warnings that users of the graph should read. */
void ps_build_warn(const PsSamples *samples, const PsLayout *layout, GPtrArray *warnings);

G_END_DECLS
#endif
