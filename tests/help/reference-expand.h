/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * docs/reference/model.md, section 2, word for word and slowly: what one warp runs, every instance
 * of every node as an object of its own, in program order, with the list of the instances that it
 * depends on. The library never builds such a list; that this one is so unlike it is the point of
 * it.
 */
#ifndef PIPESIM_TESTS_HELP_REFERENCE_EXPAND_H
#define PIPESIM_TESTS_HELP_REFERENCE_EXPAND_H

#include "idg/idg.h"

/* A number of instances of a node that each warp which runs that code must have completed (R12). */
typedef struct {
    guint code;
    const char *on;
    gint64 first;
} RefAwait;

typedef struct {
    const PsIdgItem *item;
    GArray *loops;        /* RefLoop that enclose it, outermost first */
    GArray *needs;        /* guint: places in the list of what must be complete before */
    GArray *awaits;       /* RefAwait */
    gboolean barrier;     /* first part of its class is "barrier" */
    guint barrier_number; /* the warp's barriers before it */
    gboolean store;       /* second part of its class is "store" */
    gboolean unneeded;    /* no node of the code's text names it in its "after" (T5, R7) */
} RefInstance;

/* A loop around an instance, and which of its executions (every entry into it counts up). */
typedef struct {
    const PsIdgItem *loop;
    guint execution;
} RefLoop;

/* Fills in what all instances of the graph's codes (GPtrArray of RefInstance each) await of other
 * warps, and which are needed by them. */
void ref_expand_awaits(const PsIdg *idg, const PsScope *scope, const GPtrArray *codes);

/* The instances (RefInstance) of a code. What does not evaluate ends the program: only valid graphs
 * come here. Free with g_ptr_array_unref. */
GPtrArray *ref_expand(const GPtrArray *body, const PsScope *scope);

/* The number of the code that the warp of a group of that kind runs: the one that claims it, else
 * the one for the rest. */
guint ref_code_of(const PsIdg *idg, const PsScope *scope, guint kind, gint64 warp);

/* How many kinds of groups there are, and in how many parts of a launch's groups each of them is;
 * all are of one kind where the graph states none. */
guint ref_kinds(const PsIdg *idg);
gint64 ref_share(const PsIdg *idg, const PsScope *scope, guint kind);

#endif
