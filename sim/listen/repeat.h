/* SPDX-License-Identifier: BSD-3-Clause */
/* Scales sums to skipped time. Internal to sim/. */
#ifndef PIPESIM_SIM_LISTEN_REPEAT_H
#define PIPESIM_SIM_LISTEN_REPEAT_H

#include "sim/tally.h"

/* The growth of a sum in a skip, from its growth in the period: as often as the period is repeated,
 * or where it is estimated, in proportion to time. */
static inline PsWide ps_repeat(const PsSkip *skip, PsWide grown)
{
    return skip->estimated ? grown * (skip->to - skip->from) / skip->period : grown * skip->times;
}

#endif
