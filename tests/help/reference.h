/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of docs/reference/model.md, T1 to T9 and R1 to R11, word for word and slowly: a second
 * simulator that shares nothing with the library's engine but the graph in memory, its expressions
 * and the names of the policies. At every instant it looks at every instance of every warp on every
 * compute unit. Where the engine and this one disagree, one of them misreads the rules. (R4 only
 * decides which latencies a class has; they come here decided. What an instance does at the levels
 * of memory is worked out in reference-traffic.h.)
 */
#ifndef PIPESIM_TESTS_HELP_REFERENCE_H
#define PIPESIM_TESTS_HELP_REFERENCE_H

#include "gpu/gpu.h"
#include "idg/idg.h"

/* What serves a class that the graph asks for; latencies in ticks of the caller's choice. */
typedef struct {
    const char *asked;
    guint pipeline;
    gboolean per_scheduler; /* R1: each scheduler has that pipeline */
    gint64 issue;
    gint64 completion;
} RefClass;

/* R7 and R8: a server of the CU that an instance visits. */
typedef struct {
    guint server;
    gint64 service; /* how long it holds the server, above 0 */
    gint64 weight;  /* how much of its wait there it waits, in 1/1024 */
} RefStop;

/* All levels, what R8 adds, and a spot. */
#define REF_MAX_STOPS (PS_N_LEVELS + 3)

/* A node that goes through the levels of memory. */
typedef struct {
    RefClass serves; /* in place of the class that the node asks for */
    gboolean atomic; /* needs no Lambda to complete if no node depends on it, as a store */
    guint n_stops;
    RefStop stops[REF_MAX_STOPS]; /* in the order in which they are visited */
    gint64 drain;                 /* what does not need its Lambda takes so long at least */
} RefTraffic;

/* Refinements that are zero are off; times in ticks. */
typedef struct {
    const PsIdg *idg;
    const PsScope *scope;   /* every parameter */
    gint64 warps_per_group; /* G */
    gint64 active_groups;   /* M, of each compute unit */
    gint64 groups;          /* N of one compute unit, or with R6 those of all */
    const RefClass *classes;
    guint n_classes;
    gint64 schedulers;     /* R1 */
    gint64 port_busy;      /* R1: how long an issue keeps a scheduler's port, above 0 */
    gint64 read_window;    /* R10: within which operands are read; 0: it takes no time */
    const gint64 *queues;  /* R11: [pipeline] instances that may wait in front; NULL: none may */
    PsOrder order;         /* R2 */
    PsPolicy policy;       /* R3 */
    gint64 group_launch;   /* R5: from a group's launch until its first nodes are ready */
    gint64 group_interval; /* R5: least time from one launch to the next of a compute unit */
    gint64 turnaround;     /* R5: from a group's end until its place takes the next */
    gint64 fetch;          /* R5 with R7: before then no node of any group is ready */
    gint64 n_cus;          /* R6; 0 means 1 */
    gint64 cycle;          /* R9, R10: ticks of a cycle, of which holds are so many */
    GHashTable *traffic;   /* R7: PsIdgItem to RefTraffic; NULL: no node goes through levels */
    gint64 queue;          /* R7: ticks that a load waits at a device memory that is always busy */
    gint64 window;         /* the work that is before it then; 0: it waits for all that is */
    gint64 grain;          /* R7: waits are rounded down to multiples of it; 0 means 1 */
} RefRun;

/* In the order in which they happen within an instant (T8). */
typedef enum { REF_COMPLETE, REF_DONE, REF_LAUNCH, REF_ISSUE } RefEventKind;

/* warp and position are 0 where the event is a group's; ready is that of an issue, else 0. */
typedef struct {
    gint64 time;
    RefEventKind kind;
    gint64 group;
    gint64 warp;
    gint64 position;
    gint64 ready;
    guint cu;
} RefEvent;

typedef struct {
    gint64 ticks;
    gint64 instructions;
    gboolean halted; /* warps await each other for ever (R12) */
    GArray *events;  /* RefEvent */
} RefResult;

RefResult *ref_simulate(const RefRun *run);
void ref_result_free(RefResult *result);

/* Sorts events by (time, kind, group, warp, position), for the order within an instant is no rule.
 */
void ref_events_sort(GArray *events);
gboolean ref_event_equal(const RefEvent *a, const RefEvent *b);

/* "40 issue group 0 warp 1 position 3 ready 32", and " cu 2" where it is not the first. Free with
 * g_free. */
char *ref_event_text(const RefEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(RefResult, ref_result_free)

#endif
