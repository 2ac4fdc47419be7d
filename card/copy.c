/* SPDX-License-Identifier: BSD-3-Clause */
/* See copy.h. */
#include "card/copy.h"

#include <math.h>

static double number(PsRational value)
{
    return ps_rational_to_double(value);
}

/* Seconds: device memory takes each byte that is read or written; NaN: its bandwidth is not
 * stated. */
static double within(const PsGpu *gpu, guint64 read, guint64 written)
{
    const GArray *levels = gpu->memory.levels;
    if (!levels || !levels->len)
        return NAN;
    const PsMemoryLevel *device = &g_array_index(levels, PsMemoryLevel, levels->len - 1);
    const PsRational rate = read && device->mixed.num ? device->mixed : device->bandwidth;
    return number(gpu->overheads.kernel_launch) * 1e-6 +
           ((double)read + (double)written) / (number(rate) * 1e9);
}

double ps_card_copy_seconds(const PsGpu *gpu, PsCardWay way, guint64 bytes)
{
    const PsHostLink *host = &gpu->host;
    if (way == PS_CARD_WITHIN)
        return within(gpu, bytes, bytes);
    if (way == PS_CARD_SET)
        return within(gpu, 0, bytes);
    if (!host->stated)
        return NAN;
    return number(host->latency) * 1e-6 +
           (double)bytes /
               (number(way == PS_CARD_TO_DEVICE ? host->to_device : host->to_host) * 1e9);
}
