/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of binding (machine.c) share. Internal to the library.
 */
#ifndef PIPESIM_SIM_ENGINE_BINDING_H
#define PIPESIM_SIM_ENGINE_BINDING_H

#include "sim/sim.h"

/* The latencies of a class with that many active warps, from its table (refinement R4); without a
 * table, those of the class. FALSE where a number of the table exceeds what a file can state. */
gboolean ps_class_latency_at(const PsClass *class, gint64 warps, PsLatency *latency);

/* R4: whether a class of the GPU has a table over active warps. */
gboolean ps_has_tables(const PsGpu *gpu);

/* Finds the tick, and fills in all times that the machine has in ticks. Its classes are bound, and
 * the options' refinements are the machine's. FALSE and *error (PS_ERROR_LIMIT) where no tick
 * fits. */
gboolean ps_machine_find_ticks(PsMachine *machine, GError **error);

#endif
