/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common part of advice on software pipelines: the rings, the needs of a group of another size,
 * and graphs in which copies wait for a stage later.
 */
#ifndef PIPESIM_ADVICE_RING_CHANGE_H
#define PIPESIM_ADVICE_RING_CHANGE_H

#include "advice/kind.h"
#include "idg/rings.h"

/* Whether the code is launched in clusters of groups. Then stages may hold what other groups copy.
 */
gboolean ps_ring_is_clustered(const PsAdvicePlan *plan);

/* The largest share of its time for which a role waits for full stages; 0 if there is none. */
double ps_ring_hunger(const PsAnswer *answer);

/* How many groups of so many threads, with these needs of each thread and of the group, a CU holds;
 * 0: none. */
gint64 ps_ring_groups(const PsAnswer *answer, gint64 threads, gint64 registers,
                      gint64 local_memory);

/* The i-th node that copies. */
const PsProgramNode *ps_ring_copy(const PsAnswer *answer, const PsRing *ring, guint i);

/* TRUE if two nodes are of one source line, or have none. */
gboolean ps_ring_is_one_line(const PsIdgItem *a, const PsIdgItem *b);

/* Whether warps that run a program take fillings of the ring. */
gboolean ps_ring_is_taken_by(const PsRing *ring, guint program);

/* Bytes of the copies that are, or are not, of the line of the first, divided by the threads of a
 * warp; -1 where these are not copies by the copy engine of two lines that the source has. */
gint64 ps_ring_factor_bytes(const PsAnswer *answer, const PsRing *ring, gboolean first);

/* Whether at least two groups copy the same bytes, as far as device memory shows: fewer bytes reach
 * it than a group's own repeated copies, in loops around its innermost one, explain. */
gboolean ps_ring_is_shared(const PsProgramNode *copy);

/* TRUE if all copies of the first line load the same, or if all others do. */
gboolean ps_ring_factor_is_shared(const PsAnswer *answer, const PsRing *ring, gboolean first);

/* Whether products of matrices are made of the only ring's fillings alone: one role copies, and
 * warps that wait for none but these copies, and each other, multiply. */
gboolean ps_ring_feeds_products(const PsAnswer *answer, const PsRing *ring);

/* Has the copies of the first line, or all others, bring twice as much. Of the bytes of the rest
 * twice the share reaches device memory, since half as many groups read them. */
void ps_ring_double(PsIdg *idg, const PsAnswer *answer, const PsRing *ring, gboolean first);

/* Places advice at the ring's copy that has most of the critical path; at its first. */
void ps_ring_place(const PsAnswer *answer, const PsRing *ring, PsAdvice *advice);

/* Makes each copy of the ring wait for the filling that is given back so many fillings earlier: the
 * graph, a copy of the answer's, then has so many stages more. FALSE if its waits do not go on by
 * one each time, or it is no ring. */
gboolean ps_ring_lengthen(PsIdg *idg, const PsAnswer *answer, const PsRing *ring, gint64 more);

/* Replaces an expression, which is freed: by a number, or by its product with a fraction; NULL
 * stays NULL. */
void ps_ring_set(PsExpr **expr, gint64 number);
void ps_ring_times(PsExpr **expr, gint64 times, gint64 of);

#endif
