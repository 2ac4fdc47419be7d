/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MODEL section 3, rules T1 to T9, word for word and slowly: a second simulator that shares nothing
 * with the library's engine but the graph in memory and its expressions. At every instant it looks
 * at every instance of every warp on the compute unit. Where the engine and this one disagree, one
 * of them misreads the rules.
 */
#ifndef PIPESIM_TESTS_HELP_REFERENCE_H
#define PIPESIM_TESTS_HELP_REFERENCE_H

#include "idg/idg.h"

/* What serves a class that the graph asks for; latencies in ticks of the caller's choice. */
typedef struct {
    const char *asked;
    guint pipeline;
    gint64 issue;
    gint64 completion;
} RefClass;

typedef struct {
    const PsIdg *idg;
    const PsScope *scope;   /* every parameter */
    gint64 warps_per_group; /* G */
    gint64 active_groups;   /* M */
    gint64 groups;          /* N */
    const RefClass *classes;
    guint n_classes;
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
} RefEvent;

typedef struct {
    gint64 ticks;
    gint64 instructions;
    GArray *events; /* RefEvent */
} RefResult;

RefResult *ref_simulate(const RefRun *run);
void ref_result_free(RefResult *result);

/* Sorts events by (time, kind, group, warp, position), for the order within an instant is no rule.
 */
void ref_events_sort(GArray *events);
gboolean ref_event_equal(const RefEvent *a, const RefEvent *b);

/* "40 issue group 0 warp 1 position 3 ready 32". Free with g_free. */
char *ref_event_text(const RefEvent *event);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(RefResult, ref_result_free)

#endif
