/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random but always valid cases for the engine: a graph with nested loops, parameters, stores,
 * barriers, every kind of dependence and sometimes several codes, a GPU to run it on, and a launch.
 * A seed always gives the same case.
 */
#ifndef PIPESIM_TESTS_HELP_RANDOM_GRAPH_H
#define PIPESIM_TESTS_HELP_RANDOM_GRAPH_H

#include "sim/sim.h"
#include "tests/help/reference.h"

/* Latencies are fractions with denominators 1, 2, 4, 5 and 8; a request's may be that of a quarter,
 * and what memory or a what-if makes of them is rounded to 1/1024. All of that may be divided by 1
 * to 4 schedulers, and halved by a what-if. So all are whole numbers of these ticks. */
#define RANDOM_TICKS_PER_CYCLE 122880

typedef struct {
    guint32 seed;
    PsIdg *idg;
    PsScope *overrides; /* what to pass to ps_kernel_new */
    PsScope *scope;     /* what the parameters are then */
    PsGpu *gpu;
    PsLaunchOptions options; /* what to pass to ps_launch_resolve */
    gint64 group_size;       /* threads */
    gint64 warps_per_group;  /* G, M and N that must come of it */
    gint64 active_groups;
    gint64 groups_per_cu;
    gint64 groups;             /* of the whole launch */
    gboolean too_long;         /* for the reference: it has no traffic */
    GArray *classes;           /* RefClass of what the graph asks for */
    PsRational clock;          /* what to pass to ps_machine_new; 0: the GPU's */
    PsRefinements refinements; /* likewise */
    gint64 port_busy;          /* what must come of them, in ticks */
    gint64 read_window;
    gint64 *queues; /* [pipeline] R11 */
    gint64 group_launch;
    gint64 group_interval;
    gint64 turnaround;
    gint64 fetch;
    gint64 queue, window; /* of device memory, ticks */
    gint64 n_cus;
    GHashTable *traffic; /* what nodes do at the levels of memory, as RefRun.traffic; or NULL */
    char *what_if;       /* what to pass to ps_what_if_parse; or NULL */
} RandomCase;

/* A small case under the published model; random_case_refine (random-refine.h) adds refinements. */
RandomCase *random_case_new(guint32 seed);

/* One whose few nodes run very often, in loops or in many groups: too large for the reference, but
 * full of repetition. */
RandomCase *random_case_new_long(guint32 seed);

/* The same with up to 64 warps at once, and `least` to `most` instructions on a CU: such a case
 * seldom repeats exactly. */
RandomCase *random_case_new_crowd(guint32 seed, gint64 least, gint64 most);

void random_case_free(RandomCase *random_case);

/* The graph may also ask for this class, which the GPU's class of that name serves. */
void random_case_ask(RandomCase *random_case, const char *asked, const char *name);

/* Gives the launch another number of compute units, all with as many groups to run as before. */
void random_case_spread(RandomCase *random_case, GRand *rand, gint64 compute_units);

/* The case for the reference; borrows from it. */
RefRun random_case_run(const RandomCase *random_case);

/* Writes all that is needed to see what a case is, as TAP diagnostics. */
void random_case_print(const RandomCase *random_case);

/* ---- the parts, for tests that want only some of it ---------------------------------------- */

/* A latency: small whole cycles, which tie often, or any fraction. */
PsRational random_latency(GRand *rand, gboolean whole, gint32 most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(RandomCase, random_case_free)

#endif
