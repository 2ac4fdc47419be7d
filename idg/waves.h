/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wide waves of code that narrower warps executed. A graph of PTX says what each warp of 32 threads
 * does, and a wave of 64 does what its two do (docs/reference/model.md, section 3).
 *
 * Where the two differ, the wave runs the nodes of both, in an order that both have. A node that
 * both come to is there once; at a node that one of them comes to, the other's threads are idle. A
 * loop runs as often as the longer of the two. A node's `lanes` and the shares of its bytes are
 * means of the warps, by how often they come to it, so that operations and bytes are exactly those
 * that the warps have.
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
    gint64 groups, group_size; /* 0: as the graph says */
    gint64 wave;               /* threads of the GPU's warps */
} PsWavesOf;

/* The kernel that is launched. *of_waves becomes the kernel's graph where that is not of->idg: it
 * belongs to the caller, who frees it (ps_idg_free) after the kernel; else NULL. A warning is added
 * to `warnings` (may be NULL) where the warps of a wave cannot be joined: such a wave runs the
 * longer one's code. NULL and *error as ps_kernel_new. */
PsKernel *ps_kernel_of_waves(const PsWavesOf *of, PsIdg **of_waves, GPtrArray *warnings,
                             GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
