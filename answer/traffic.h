/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells whether device memory is the reason why a pipeline is busy with accesses. A class that the
 * description does not tell from a streaming access keeps the pipeline busy as long as one, though
 * its bytes may come from a cache: then accesses are the limit, and not the bandwidth. The same
 * holds if levels of memory are simulated (R7), which have their own loads (servers.c).
 */
#ifndef PIPESIM_ANSWER_TRAFFIC_H
#define PIPESIM_ANSWER_TRAFFIC_H

#include "answer/answer.h"

/* The share of a pipeline's busy time that its instructions' bytes take at the peak of device
 * memory; NaN if the graph does not state how many reach it, or the GPU has no peak. */
double ps_traffic_of_pipeline(const PsAnswer *answer, guint pipeline);

/* TRUE if a class reaches device memory and nearly all of that share is for its bytes; also if the
 * graph does not state it. */
gboolean ps_traffic_is_of_class(const PsAnswer *answer, guint class_index);

/* The same for a pipeline whose busiest class that is. */
gboolean ps_traffic_is_of_pipeline(const PsAnswer *answer, guint pipeline, guint busiest);

/* The seconds that the launch's traffic would take if no cache kept the unused part of a line until
 * its other bytes are wanted. An AMD GPU moves whole lines, another one as much as L2 fetches at
 * once, and a store of a part of a sector reads and writes the sector. *class_name is the class
 * with most of it (borrowed). 0 if there is none. NVIDIA's caches keep most of it in some launches
 * and nothing in others, and nobody knows why (docs/reference/model.md, section 4, R7). */
double ps_traffic_unkept(const PsAnswer *answer, const char **class_name);

/* Share of a load's or an atomic's bytes that its group had not touched before (PsIdgItem,
 * distinct); 1 where that is not stated. */
double ps_traffic_distinct(const PsAnswer *answer, const PsProgramNode *node);

/* Bytes of the launch that come from L2 although their group loaded them before in the same loop,
 * or although they are a thread's own: L1 lost them while warps took turns. 0 if L1 keeps
 * nothing. */
double ps_traffic_lost(const PsAnswer *answer);

/* TRUE for a class that may reach device memory. */
gboolean ps_traffic_may_be(const char *class_name);

#endif
