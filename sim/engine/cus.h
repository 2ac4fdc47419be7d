/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Refinement R6: all CUs, which take their groups from one pool. What follows is exact, and needs
 * no more than a few CUs to be simulated, however many there are:
 *
 * CUs share nothing but the pool, and a group's kind goes by how many groups its CU has got. So CUs
 * that got the same numbers of groups at the same times are in the same state, and want the next
 * groups at the same time; all CUs are alike until the pool cannot serve all of them. What a CU
 * wants at one instant is a wave: as many groups as it has free places; one, where launches are an
 * interval apart (R5); and at the start, where CUs take turns, one in each turn. Let s groups have
 * been launched on each of C CUs, and each want a wave of q. While C * (s + q) is no more than the
 * T groups of the launch, all get it. Else R = T - C * s groups are left, and since requests are
 * served in order of CU, the first R / q CUs get q, the next one R mod q, and the others none. Then
 * the pool is empty: that was the last wave. So there are at most three sorts of CUs, and it is
 * enough to simulate one CU of each.
 *
 * The wave that parts them is found by a first run of one CU, if it is not one of those at the
 * start or an interval apart, which are known to be waves of one.
 *
 * Groups are numbered in the order in which they leave the pool: in a wave, the k-th of CU c is C *
 * s + c * q + k. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_CUS_H
#define PIPESIM_SIM_ENGINE_CUS_H

#include "sim/sim.h"

#define PS_CUS_SORTS 3

/* CUs that do the same at the same times. */
typedef struct {
    guint first, n;
    gint64 groups; /* groups that each of them gets */
} PsCus;

/* TRUE if only a run can find the wave that parts the CUs; else a wave of one group each parts
 * them, once all have their share, rounded down. */
gboolean ps_cus_need_scout(const PsMachine *machine);

/* The sorts of CUs, in order of CU, if a wave of so many groups each, after so many launched on
 * each, cannot be served whole. Returns the number of sorts. */
guint ps_cus_part(const PsMachine *machine, gint64 launched, gint64 wanted,
                  PsCus sorts[PS_CUS_SORTS]);

#endif
