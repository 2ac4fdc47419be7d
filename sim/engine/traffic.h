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

/* TRUE if the rules of memory, and not the class, set the node's latencies. */
gboolean ps_memory_rules(const PsMachine *machine, const PsProgramNode *node, const PsClass *class);

gboolean ps_node_is_atomic(const PsProgramNode *node);
gboolean ps_node_is_store(const PsProgramNode *node);
/* The share of its bytes that reaches L2 in sectors that the node writes only in part. */
PsRational ps_node_partial(const PsMachine *machine, const PsProgramNode *node);

/* The share of the node's bytes that is moved at a level. */
PsRational ps_node_share(const PsMachine *machine, const PsProgramNode *node, PsLevel level);

/* TRUE if the description states the cost of a wavefront, and the graph their number. */
gboolean ps_traffic_is_counted(const PsMachine *machine);

PsLaunchTraffic ps_traffic_of_launch(const PsMachine *machine);

/* TRUE if the last cache still has the data of the launch before: only if it holds all of it; else
 * each part is replaced before it is wanted again. */
gboolean ps_traffic_fits(const PsMachine *machine, const PsLaunchTraffic *traffic);

/* The bytes that the last cache writes back for earlier launches (--cache dirty), in 1/1024 of
 * those that this launch reads from device memory. They are added to what it writes. Each line that
 * comes takes the place of any other. */
gint64 ps_traffic_written_back(const PsMachine *machine, PsLaunchTraffic *traffic);

#endif
