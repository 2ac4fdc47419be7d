/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instances and places: where a node's instances stand in their warp's program order, which counts
 * from 0, and which instance stands at a place.
 */
#ifndef PIPESIM_IDG_PLACES_H
#define PIPESIM_IDG_PLACES_H

#include "idg/program.h"

/* The number of the node's instances before a place in program order, which is also the number of
 * the instance at that place. */
gint64 ps_program_instances_before(const PsProgramNode *node, gint64 position);

/* The place of the k-th instance, from 0. */
gint64 ps_program_position_of(const PsProgramNode *node, gint64 k);

#endif
