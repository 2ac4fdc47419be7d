/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Software pipelines of a kernel: asynchronous copies fill stages of shared memory, and whoever has
 * waited for the copies takes a stage. Where the copies themselves wait until a stage is given back
 * (docs/reference/model.md, R12), the stages are a ring.
 *
 * A filling is what one wait takes: in the mean, the copies divided by the waits.
 */
#ifndef PIPESIM_IDG_RINGS_H
#define PIPESIM_IDG_RINGS_H

#include "idg/program.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A node of one of the kernel's programs. */
typedef struct {
    guint program, node;
} PsRingNode;

/* A node of the producer that copies. */
typedef struct {
    guint node;
    gint64 taken; /* how many of its instances are awaited */
} PsRingCopy;

typedef struct {
    guint kind;     /* kind of groups */
    guint producer; /* the program that copies */
    GArray *copies; /* PsRingCopy, in program order */
    GArray *takes;  /* PsRingNode: those that wait for the copies */
    GArray *waits;  /* guint: the producer's nodes that wait for a free stage; there may be none */
    GArray *gives;  /* PsRingNode: those whose completions give a stage back; none where it is
                       not known how many stages each of them gives */
    gint64 producers; /* warps of a group that copy */
    gint64 takers; /* warps that take; each takes every filling, or its share of its own copies */
    gint64 givers; /* warps that give back: all must, before a stage is free; 0: not known */
    gint64 fills;  /* fillings of a group, above 1 */
    gint64 kept;   /* fillings of a group that are not given back, summed over the warps that give
                      back */
    gint64 bytes;  /* a group's copies that somebody waits for, divided by the threads of a warp */
    gint64 left;   /* the same for copies that nobody waits for */
    gint64 stages; /* in a ring: fillings that may be begun and not given back; 0: not known */
    gint64 ahead;  /* where the warps that copy take, too: the most fillings that are begun and not
                      taken, by program order; else 0 */
} PsRing;

/* The rings of all kinds of groups, of so many warps each, in order of kinds and programs (PsRing).
 * The array is the caller's. */
GPtrArray *ps_rings_new(const PsKernel *kernel, gint64 warps_per_group);

/* Whether a class is an asynchronous copy to shared memory. */
gboolean ps_class_fills_stage(const char *name);

#pragma GCC visibility pop
G_END_DECLS
#endif
