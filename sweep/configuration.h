/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph of code for one point of a sweep: compiled with its macros, launched with its grid,
 * block and arguments. A kept graph is used; otherwise a process of its own builds it
 * (PsSweepAsked.builder), since compilers run from one thread only, and many points are built at
 * once.
 */
#ifndef PIPESIM_SWEEP_CONFIGURATION_H
#define PIPESIM_SWEEP_CONFIGURATION_H

#include "sweep/asked.h"
#include "sweep/point.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A variable of the builder's environment: it writes what ps_kept_graph_pack makes in place of the
 * graph. */
#define PS_SWEEP_BUILD_HANDS_ON "PIPESIM_BUILD_HANDS_ON"

/* TRUE if the launch of the point, the first of its file, is complete: every other point would lack
 * the same. FALSE and *error: wrong usage, which names everything that is missing. Other errors are
 * reported with the point. */
gboolean ps_sweep_code_check(const PsSweepAsked *asked, const PsSweepPoint *point, GError **error);

/* The graph of the point's file on its GPU (ps_idg_free). The messages of building are added to
 * `told` (as PsCodeOptions.told). NULL and *error: it does not compile, cannot be launched, ...;
 * the message is what was said first of that. In any thread. */
PsIdg *ps_sweep_code_graph(const PsSweepAsked *asked, const PsSweepPoint *point, GPtrArray *told,
                           GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
