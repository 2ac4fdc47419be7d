/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph with every expression worked out, as facts and for people. */
#ifndef PIPESIM_TELL_GRAPH_DESCRIBED_H
#define PIPESIM_TELL_GRAPH_DESCRIBED_H

#include "gpu/gpu.h"
#include "idg/program.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The document `pipesim show GRAPH --format json` (ps_told_free). With a gpu, which may be NULL,
 * also how many of its groups a CU holds at once. NULL and *error where a trip count cannot be
 * worked out. */
PsTold *ps_graph_described(const PsKernel *kernel, const PsGpu *gpu, GError **error);

/* The page of those facts: parameters and launch, and each code as an indented listing in program
 * order, with how often each instruction runs per warp. */
void ps_graph_page(const PsTold *facts, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
