/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a pipeline that is busy with accesses to memory is busy because of device memory. A class
 * that no description tells from a streaming access keeps the pipeline as long as one, though its
 * bytes may come from a cache: then its accesses are the limit, and not the bandwidth. The same
 * holds where levels of memory are simulated (R7), which have their own loads (servers.c).
 */
#ifndef PIPESIM_ANSWER_TRAFFIC_H
#define PIPESIM_ANSWER_TRAFFIC_H

#include "answer/answer.h"

/* The share of a pipeline's busy time that its instructions' bytes take at the peak of device
 * memory; NaN where the graph does not say how many reach it, or the GPU has no peak. */
double ps_traffic_of_pipeline(const PsAnswer *answer, guint pipeline);

/* TRUE where a class reaches device memory and nearly all of that share is its bytes'; also where
 * the graph does not say. */
gboolean ps_traffic_is_of_class(const PsAnswer *answer, guint class_index);

/* The same for a pipeline whose busiest class that is. */
gboolean ps_traffic_is_of_pipeline(const PsAnswer *answer, guint pipeline, guint busiest);

/* Seconds that the launch's traffic would take if no cache kept what lanes that lie apart leave of
 * what they move, until its other bytes are asked for: an AMD GPU moves lines, another one what L2
 * fetches at once, and a store of a part of a sector reads and writes it. *class_name is the class
 * of most of it (borrowed). 0 where there is none. NVIDIA's caches keep most of it in some launches
 * and nothing in others, and nobody knows by what (docs/reference/model.md, section 4, R7). */
double ps_traffic_unkept(const PsAnswer *answer, const char **class_name);

/* Share of a load's or an atomic's bytes that its group had not touched before (PsIdgItem,
 * distinct); 1 where that is not stated. */
double ps_traffic_distinct(const PsAnswer *answer, const PsProgramNode *node);

/* Bytes of the launch that come from L2 though their group had loaded them before in the same loop,
 * or they are a thread's own: what the graph's L1, in which warps take turns, has lost until then.
 * 0 where it keeps nothing. */
double ps_traffic_lost(const PsAnswer *answer);

/* Whether a class is one of those that may reach device memory. */
gboolean ps_traffic_may_be(const char *class_name);

#endif
