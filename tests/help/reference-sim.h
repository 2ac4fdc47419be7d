/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the slow simulator share: the state of a run. Nothing is kept that could be
 * looked up again, except the times that the rules speak of.
 *
 *     reference.c           time: from instant to instant
 *     reference-launch.c    launches: T7, R5, R6, and the places of R1
 *     reference-complete.c  completions and barriers: T4 to T7
 *     reference-issue.c     who issues: T1, T2, R1, R2, R9, R10, R11
 *     reference-levels.c    what an issue does at the levels of memory: R7, R8
 *     reference-choose.c    which of those that could: T3, R3
 */
#ifndef PIPESIM_TESTS_HELP_REFERENCE_SIM_H
#define PIPESIM_TESTS_HELP_REFERENCE_SIM_H

#include "tests/help/reference-expand.h"
#include "tests/help/reference.h"

#define UNKNOWN (-1)

/* An instance in a warp that runs: times are UNKNOWN until they are settled. */
typedef struct {
    const RefInstance *instance;
    const RefClass *class;
    const RefTraffic *traffic; /* NULL: it does not go through levels */
    gint64 ready;              /* may lie ahead: a group's first nodes, R5 */
    gint64 issued;
    gint64 begins;    /* when its pipeline begins with it */
    gint64 completes; /* when it will be, or was, complete */
    gboolean complete;
} Node;

typedef struct {
    guint code;
    guint n_nodes;
    Node *nodes; /* in program order */
    gboolean done;
} Warp;

typedef struct {
    gint64 number; /* of two groups of a CU the one launched earlier has the lower */
    gint64 place;  /* its warps are in the slots place * G, place * G + 1, ... */
    gint64 launched;
    guint cu;
    Warp *warps;
} Group;

/* A pipeline of a CU or of a scheduler, or a scheduler. */
typedef struct {
    gint64 busy_until;
    gint64 last_slot;  /* that it issued from, UNKNOWN before it has */
    gint64 last_group; /* whose warp was there then */
    /* R10, of a scheduler: until when its banks of registers are busy, and who read last. */
    gint64 bank_busy_until[PS_IDG_BANKS];
    gint64 reader_slot;
    gint64 reader_group;
} Server;

typedef struct {
    guint number;
    GPtrArray *groups; /* Group, in order of launch */
    gint64 last_launch;
    GArray *kinds;         /* gint64: groups of each kind that it has got */
    GArray *places;        /* gint64: since when each may take a group */
    GArray *levels;        /* gint64: until when each server of R7 and R8 is busy */
    gint64 work;           /* R7 with a window: what device memory has before it ... */
    gint64 asked;          /* ... when the latest request gets there */
    gint64 answered;       /* the latest end of a load's wait there */
    GArray *pipelines;     /* Server: by pipeline, then by scheduler */
    GArray *turns;         /* R11, Server: of each queue, likewise; who issued to it last */
    GArray *schedulers;    /* Server; its port is what is busy */
    gint64 last_scheduler; /* that issued to a pipeline of the whole CU; UNKNOWN at first */
} Cu;

typedef struct {
    const RefRun *run;
    GPtrArray *codes;  /* per code of the graph: GPtrArray of RefInstance */
    GPtrArray *cus;    /* Cu */
    gboolean in_order; /* R2, or R9 or R12, which bring it */
    gboolean awaits;   /* R12: warps wait for others, perhaps for ever */
    gint64 next_group;
    gint64 now;
    RefResult *result;
} Sim;

/* A node that might issue. */
typedef struct {
    const Group *group;
    guint warp;
    guint position;
} Choice;

void ref_log_group(const Sim *sim, RefEventKind kind, const Group *group);
void ref_log_node(const Sim *sim, RefEventKind kind, const Choice *choice);

/* Launches all groups that may be launched now. */
void ref_launch(Sim *sim);

/* The first time at which the CU may launch; UNKNOWN while it has no place or no group waits. */
gint64 ref_launch_due(const Sim *sim, const Cu *cu);

void ref_group_free(const Sim *sim, Group *group);

/* Completes all that is to complete now. TRUE if groups are done. */
gboolean ref_complete(Sim *sim);

/* Settles when those barriers of the group complete of which that can be known now. */
void ref_settle_barriers(const Sim *sim, const Group *group);

/* The instance, which issues now, visits its servers. When it will be complete. */
gint64 ref_visit_levels(const Sim *sim, Cu *cu, const Node *node);

/* How many servers the run has, and until when the last of them on any CU is busy. */
guint ref_level_servers(const RefRun *run);
gint64 ref_levels_end(const Sim *sim);

/* R9: for how long an instance that has issued keeps its warp from issuing the next; ticks. */
gint64 ref_hold(const RefRun *run, const RefInstance *instance);

/* All issues of this instant. */
void ref_issue(Sim *sim);

/* a comes sooner than b, cyclically after that slot; UNKNOWN: from slot 0 on. */
gboolean ref_sooner_in_turn(const RefRun *run, const Choice *a, const Choice *b, gint64 last_slot);

/* TRUE if a goes before b, by the policy, at that server. */
gboolean ref_before(const RefRun *run, const Choice *a, const Choice *b, const Server *server);

Node *ref_node(const Choice *choice);
gint64 ref_slot(const RefRun *run, const Choice *choice);

#endif
