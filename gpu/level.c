/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels of memory: their figures, which are physical, in cycles of a CU.
 */
#include "gpu/level.h"

#include "gpu/rows.h"

/* A share of traffic is rounded to 1 / PARTS. */
#define PARTS 1024

const PsMemoryLevel *ps_gpu_level(const PsGpu *gpu, PsLevel level)
{
    for (guint i = 0; gpu->memory.levels && i < gpu->memory.levels->len; i++) {
        const PsMemoryLevel *one = &g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        if (one->level == level)
            return one;
    }
    return NULL;
}

/* The level's share in bytes per cycle: 10^9 bytes per second at a clock in MHz are bandwidth *
 * 1000 / clock bytes per cycle, shared by all units. */
static gboolean share_of(const PsMemoryLevel *level, gint64 cus, PsRational clock,
                         PsRational *share)
{
    return ps_rational_mul(clock, PS_RATIONAL_INT(cus), share) &&
           ps_rational_div(PS_RATIONAL_INT(1000), *share, share) &&
           ps_rational_mul(level->bandwidth, *share, share);
}

const PsMemoryLevel *ps_gpu_own_cache(const PsGpu *gpu)
{
    const PsMemoryLevel *l0 = ps_gpu_level(gpu, PS_LEVEL_L0);
    return l0 ? l0 : ps_gpu_level(gpu, PS_LEVEL_L1);
}

gboolean ps_gpu_level_rate(const PsMemoryLevel *level, gint64 cus, PsRational clock,
                           PsRational *rate)
{
    PsRational share = level->port;
    if (level->bandwidth.num > 0 && !share_of(level, cus, clock, &share))
        return FALSE;
    *rate = level->port.num > 0 && ps_rational_cmp(level->port, share) < 0 ? level->port : share;
    return TRUE;
}

gint64 ps_gpu_mixed_parts(double read, double written)
{
    const double all = read + written;
    return all > 0 ? (gint64)(PARTS * MIN(1, 4 * MIN(read, written) / all) + 0.5) : 0;
}

/* Times per byte add up: (1 - q) / bandwidth + q / mixed. */
gboolean ps_gpu_level_bandwidth(const PsMemoryLevel *level, gint64 parts, PsRational *bandwidth)
{
    PsRational q, rest, plain, mixed;
    *bandwidth = level->bandwidth;
    return parts == 0 || level->mixed.num == 0 ||
           (ps_rational_make(parts, PARTS, &q) && ps_rational_make(PARTS - parts, PARTS, &rest) &&
            ps_rational_div(rest, level->bandwidth, &plain) &&
            ps_rational_div(q, level->mixed, &mixed) && ps_rational_add(plain, mixed, &plain) &&
            ps_rational_div(PS_RATIONAL_INT(1), plain, bandwidth));
}

gboolean ps_gpu_cycles(PsRational latency, PsRational at, PsRational clock, PsRational *cycles)
{
    *cycles = latency;
    return at.num == 0 ||
           (ps_rational_div(clock, at, cycles) && ps_rational_mul(latency, *cycles, cycles));
}
