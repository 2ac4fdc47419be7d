/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes that a launch moves in all, and each node's part, on which the levels' figures depend
 * (R7, R8). Internal to the library.
 */
#ifndef PIPESIM_SIM_ENGINE_TRAFFIC_H
#define PIPESIM_SIM_ENGINE_TRAFFIC_H

#include "sim/sim.h"

/* Bytes of the whole launch at device memory, cold; those that get to L2 in sectors that it writes
 * in part, and those that it stores in others; whether there are any such, and any stores. */
typedef struct {
    double read, written, partial, whole;
    gboolean parts, stored;
} PsLaunchTraffic;

/* TRUE if the rules of memory, and not the class, say what the node costs. */
gboolean ps_memory_rules(const PsMachine *machine, const PsProgramNode *node, const PsClass *class);

gboolean ps_node_is_atomic(const PsProgramNode *node);
gboolean ps_node_is_store(const PsProgramNode *node);
/* The share of its bytes that gets to L2 in sectors of which it writes a part alone. */
PsRational ps_node_partial(const PsMachine *machine, const PsProgramNode *node);

/* The share of the node's bytes that is moved at a level. */
PsRational ps_node_share(const PsMachine *machine, const PsProgramNode *node, PsLevel level);

/* Whether the description says what a wavefront takes, and the graph's text how many there are. */
gboolean ps_traffic_is_counted(const PsMachine *machine);

PsLaunchTraffic ps_traffic_of_launch(const PsMachine *machine);

/* Whether the last cache finds what it kept of the launch before: only if it holds all of it; else
 * each part was replaced before it is asked for again. */
gboolean ps_traffic_fits(const PsMachine *machine, const PsLaunchTraffic *traffic);

/* The bytes that the last cache writes back for earlier launches (--cache dirty), in 1/1024 of
 * those that this launch reads from device memory. They are added to what it writes. Each line that
 * comes takes the place of any other. */
gint64 ps_traffic_written_back(const PsMachine *machine, PsLaunchTraffic *traffic);

#endif
