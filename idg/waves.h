/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wide waves of code that narrower warps executed. A graph of PTX says what each warp of 32 threads
 * does, and a wave of 64 does what its two do (docs/reference/model.md, section 3).
 *
 * Where these differ, the wave runs the nodes of both, in an order that both have: a node that both
 * come to is there once, and for those that one of them comes to, the others' threads are idle. A
 * loop runs as often as the longer of them. Of each node, `lanes` and the shares of its bytes are
 * the means of the warps, by how often these come to it, so that operations and bytes are exactly
 * those that the warps have.
 */
#ifndef PIPESIM_IDG_WAVES_H
#define PIPESIM_IDG_WAVES_H

#include "idg/program.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Threads of a warp that executes PTX. */
#define PS_IDG_WARP 32

/* A graph's launch on a GPU; borrowed. */
typedef struct {
    const PsIdg *idg;
    const PsScope *params;     /* NULL: as the graph says */
    gint64 groups, group_size; /* 0: likewise */
    gint64 wave;               /* threads of the GPU's warps */
} PsWavesOf;

/* The kernel that is launched. *of_waves becomes the graph that it is of, where that is another one
 * than of->idg: it belongs to the caller, who frees it (ps_idg_free) after the kernel; else NULL. A
 * warning is added to `warnings` (may be NULL) where warps of one wave differ in a way that joins
 * to nothing: such a wave runs what the one of them does that does most. NULL and *error as
 * ps_kernel_new. */
PsKernel *ps_kernel_of_waves(const PsWavesOf *of, PsIdg **of_waves, GPtrArray *warnings,
                             GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
