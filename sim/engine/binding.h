/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the parts of binding (machine.c) share. Internal to the library.
 */
#ifndef PIPESIM_SIM_ENGINE_BINDING_H
#define PIPESIM_SIM_ENGINE_BINDING_H

#include "sim/sim.h"

/* The latencies of a class with that many active warps, from its table (refinement R4); without a
 * table, the class's own. FALSE if a number of the table exceeds what a file can state. */
gboolean ps_class_latency_at(const PsClass *class, gint64 warps, PsLatency *latency);

/* R4: whether a class of the GPU has a table over active warps. */
gboolean ps_has_tables(const PsGpu *gpu);

/* Finds the tick, and fills in all times that the machine has in ticks. Its classes are bound, and
 * the options' refinements are the machine's. FALSE and *error (PS_ERROR_LIMIT) where no tick
 * fits. */
gboolean ps_machine_find_ticks(PsMachine *machine, GError **error);

/* a / b in parts of 1/1024, rounded up or to the nearest (half up). FALSE where that does not fit,
 * or b is not above 0. */
gboolean ps_in_parts(PsRational a, PsRational b, gboolean up, gint64 *parts);

/* Applies the what-ifs to nodes and to the machine's classes, which have the description's figures
 * and the rules' so far. Lambda is the description's: one scheduler's, where each scheduler has the
 * pipeline. used[i] becomes TRUE if the what-if covers a class. FALSE and
 * *error (PS_ERROR_LIMIT) where a figure does not fit. */
gboolean ps_what_if_apply(PsMachine *machine, const GPtrArray *what_if, gboolean *used,
                          GError **error);

/* Whether a figure is the present one as people read it, in texts or in JSON. */
gboolean ps_what_if_is_present(PsRational to, PsRational now);

/* Applies the what-ifs to a level, at that clock in MHz. FALSE if a figure does not fit. */
gboolean ps_what_if_apply_to_level(PsMemoryLevel *level, const GPtrArray *what_if,
                                   PsRational clock);

#endif
