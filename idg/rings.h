/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Software pipelines of a kernel: stages of shared memory that asynchronous copies fill, and that
 * are taken when somebody has waited for the copies. Where the copies themselves wait until a stage
 * is given back (docs/reference/model.md, R12), the stages are a ring.
 *
 * A filling is what one wait takes: in the mean, all that is copied by how often it is waited for.
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
    gint64 taken; /* how many of its instances are waited for */
} PsRingCopy;

typedef struct {
    guint kind;       /* of groups */
    guint producer;   /* the program that copies */
    GArray *copies;   /* PsRingCopy, in program order */
    GArray *takes;    /* PsRingNode: those that wait for the copies */
    GArray *waits;    /* guint: the producer's nodes that wait for a stage that is free; may be
                         none */
    GArray *gives;    /* PsRingNode: those whose completions give a stage back; none where it is
                         not known how many stages each of them gives */
    gint64 producers; /* warps of a group that copy */
    gint64 takers;    /* that take; each takes every filling, or of its own copies its share */
    gint64 givers;    /* that give back: all must, before a stage is free; 0: it is not known */
    gint64 fills;     /* of a group, above 1 */
    gint64 kept;      /* what givers do not give back in a group, summed over their warps */
    gint64 bytes;     /* of a group's copies that are waited for, divided by the threads of a
                         warp */
    gint64 left;      /* the same of copies that nobody waits for */
    gint64 stages;    /* in a ring: fillings that may be begun and not given back; 0: not known */
    gint64 ahead;     /* by program order, where the warps that copy take, too: fillings that are
                         begun and not taken, at most; else 0 */
} PsRing;

/* The rings of all kinds of groups, of so many warps, in order of kinds and programs (PsRing). The
 * array is the caller's. */
GPtrArray *ps_rings_new(const PsKernel *kernel, gint64 warps_per_group);

/* Whether a class is an asynchronous copy to shared memory. */
gboolean ps_class_fills_stage(const char *name);

#pragma GCC visibility pop
G_END_DECLS
#endif
