/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/level.h"

const char *ps_level_name(PsLevel level)
{
    static const char *const names[PS_N_LEVELS] = {
        [PS_LEVEL_L0] = "l0", [PS_LEVEL_L1] = "l1", [PS_LEVEL_L2] = "l2",
        [PS_LEVEL_L3] = "l3", [PS_LEVEL_L4] = "l4", [PS_LEVEL_DEVICE] = "device",
    };
    return names[level];
}
