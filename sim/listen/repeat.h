/* SPDX-License-Identifier: BSD-3-Clause */
/* What skipped time adds to a sum. Internal to sim/. */
#ifndef PIPESIM_SIM_LISTEN_REPEAT_H
#define PIPESIM_SIM_LISTEN_REPEAT_H

#include "sim/tally.h"

/* By how much a sum grows in the skip that grew by so much in its period: as often as it is
 * repeated, or where it is estimated, in proportion to time. */
static inline PsWide ps_repeat(const PsSkip *skip, PsWide grown)
{
    return skip->estimated ? grown * (skip->to - skip->from) / skip->period : grown * skip->times;
}

#endif
