/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A graph with its parameters' values: names resolved, expressions evaluated, loops still rolled.
 * Memory grows with the text of the graph, never with trip counts.
 *
 * Within a warp the instances of one node issue, and so complete, in program order under every
 * policy. A dependence of the k-th instance (from 0) of node v on node x is therefore a number: how
 * many instances of x must be complete. It is
 *
 *     first + per * floor(k / every)        (none where that is 0 or less)
 *
 * with per the instances of x, and every the instances of v, in one iteration of the loops that
 * enclose both. "All of x" is the same number: the last instance completes last.
 */
#ifndef PIPESIM_IDG_PROGRAM_H
#define PIPESIM_IDG_PROGRAM_H

#include "idg/idg.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A dependence: how many instances of x instance k waits for, as above. */
typedef struct {
    guint on; /* index of x in the program's nodes */
    gint64 first;
    gint64 per;
    gint64 every;
    gboolean fence; /* not written: the barrier before v (docs/reference/model.md, section 2) */
} PsProgramDep;

/* What a node awaits of other warps: instance k waits until each warp that runs that program has
 * completed so many instances of x, as above (docs/reference/model.md, R12). */
typedef struct {
    guint program;
    guint on; /* index of x in that program's nodes */
    gint64 first;
    gint64 per;
    gint64 every;
    gint64 most; /* most instances that are awaited; G_MAXINT64: no limit */
} PsProgramWait;

/* The number of instances of x that instance k awaits; none if that is 0 or less. */
gint64 ps_program_wait_needs(const PsProgramWait *wait, gint64 k);

/* A loop around a node, innermost first: trips, and how far program order moves with each trip. */
typedef struct {
    gint64 trips;
    gint64 stride;
    guint number; /* the same for all nodes inside that loop, and for none outside it */
} PsProgramLoop;

/* A node with its instances. */
typedef struct {
    const PsIdgItem *item; /* name, class, source line: borrowed from the graph */
    gboolean barrier;      /* first part of the class is "barrier" */
    gboolean awaited;      /* a node depends on it */
    gboolean free_store;   /* second part is "store" and it is not awaited (rule T5) */
    gint64 count;          /* instances per warp, at least 1 */
    gint64
        position; /* place of the first instance: how many instances of any node stand before it */
    guint n_deps, n_loops;
    PsProgramDep
        *deps; /* its dependences; of those written on one node, only the one that waits longest */
    PsProgramLoop *loops;
    guint n_waits;
    PsProgramWait *waits; /* what it awaits of other warps, without what no instance needs */
    gboolean watched;     /* nodes of other warps wait for it */
    PsRational hold;      /* cycles in which its warp issues nothing else; 0: none */
    gint64 bytes;         /* per thread; 0 if not stated */
    PsRational share[PS_N_LEVELS]; /* of the bytes; -1 if not stated */
    PsRational lines;              /* lines that a request touches; 0 if not stated */
    PsRational wavefronts;         /* wavefronts, in L1's banks, of a request; 0 if not stated */
    PsRational rows;    /* rows of device memory that a request opens for itself; 0: none */
    PsRational partial; /* of the bytes, in sectors that are written in part; -1 if not stated */
    const char *spot;   /* the place where its requests take turns: borrowed from the graph; NULL */
    PsRational turns;   /* share of them that go there: above 0, at most 1 */
    gint64 ops;         /* per thread */
    PsRational lanes;   /* share of a warp's threads that come to it: above 0, at most 1 */
} PsProgramNode;

/* What one warp runs: the nodes that have instances, in program order. */
typedef struct {
    guint n_nodes;
    PsProgramNode *nodes;
    gint64 length;    /* instances of all nodes */
    guint kind;       /* index of the kind of groups that it is for */
    const char *role; /* borrowed from the graph; NULL: it has none */
} PsProgram;

/* Warps first..last (numbers in the group) run programs[program]; 0..G_MAXINT64 is "the rest". */
typedef struct {
    gint64 first, last;
    guint program;
} PsKernelWarps;

/* Groups of one kind. A graph that states no kinds has one, of all groups. */
typedef struct {
    const char *name; /* borrowed from the graph; NULL if it states none */
    gint64 share; /* parts of the launch's groups that are of this kind, of the kernel's parts */
    guint n_warps;
    const PsKernelWarps *warps; /* by growing first, none overlapping; after them the rest, if any;
                                   borrowed from the kernel */
} PsKernelKind;

/* A graph with values for all parameters: what the simulator and the roofline take. */
typedef struct {
    const PsIdg *idg; /* borrowed: must outlive the kernel */
    PsScope *scope;   /* every parameter's value */
    gint64 groups;
    gint64 group_size;
    gint64 registers;        /* per thread; 0: not stated */
    gint64 alive;            /* most registers per thread in use at once; 0: not known */
    gint64 accumulators;     /* accumulation registers per thread */
    gint64 scalar_registers; /* per warp; 0: not stated */
    gint64 local_memory;     /* bytes per group; 0: none */
    gint64 tensor_memory;    /* columns per group; 0: none */
    guint n_programs;
    PsProgram *programs; /* one per code of the graph */
    guint n_warps;
    PsKernelWarps *warps; /* of all kinds, one after the other */
    guint n_kinds;        /* at least 1 */
    PsKernelKind *kinds;  /* in order of precedence */
    gint64 parts;         /* sum of all shares, which have no common divisor */
} PsKernel;

/* Evaluates the graph. overrides (may be NULL) replaces defaults; a name in it that the graph lacks
 * is an error that lists the graph's parameters. Errors name file and line: a trip count that is
 * negative, no integer or too large, an unknown parameter, a dependence on a node that is not
 * there, or that stands later without a common loop, a distance below 1, a warp claimed twice,
 * shares that are no shares, waits for warps, roles or instances that do not exist. */
PsKernel *ps_kernel_new(const PsIdg *idg, const PsScope *overrides, GError **error);
void ps_kernel_free(PsKernel *kernel);

/* Index of the program that a warp (its number in the group counts from 0) of a group of that kind
 * runs; -1 where the graph gives that warp none. The time grows with the logarithm of the number of
 * ranges. */
int ps_kernel_program_of(const PsKernel *kernel, guint kind, gint64 warp);

/* How many of a group's warps run a program, in the mean of all kinds by their shares. */
double ps_kernel_mean_warps(const PsKernel *kernel, guint program, gint64 warps_per_group);

/* Instances of all warps of a group of that kind. */
double ps_kernel_group_length(const PsKernel *kernel, guint kind, gint64 warps_per_group);

/* The kind of the nth group, from 0, that a compute unit gets: the first kind that does not have
 * its share yet, rounded up, of the groups that those before it leave (docs/reference/model.md,
 * section 3). It repeats with the kernel's parts. */
guint ps_kernel_kind_of(const PsKernel *kernel, gint64 nth);

/* How many of the first n groups that a compute unit gets are of a kind. */
gint64 ps_kernel_groups_of(const PsKernel *kernel, guint kind, gint64 n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsKernel, ps_kernel_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
