/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a peak that others measured a peak of a description. */
#include "gpu/rows.h"
#include "roofline/import/peaks.h"

#include <math.h>

/* Most of a peak in 10^9 per second: no GPU reaches 10^21 per second. */
#define MOST 1e12

/* Number of parts of 1 in a description's figures. */
#define PARTS 1000000

gboolean ps_peak_is_one(double value)
{
    return value * PARTS >= 0.5 && value < MOST;
}

void ps_peak_set(PsGpu *gpu, const char *name, double value, PsRational clock)
{
    const double scale = ps_peak_has_own_clock(name)
                             ? 1
                             : ps_rational_to_double(gpu->clock) / ps_rational_to_double(clock);
    PsRational exact;
    if (!ps_peak_is_one(value * scale) ||
        !ps_rational_make((gint64)rint(PARTS * value * scale), PARTS, &exact))
        return;
    PsPeak *peak = (PsPeak *)ps_gpu_peak(gpu, name);
    if (!peak) {
        peak = g_new0(PsPeak, 1);
        peak->name = g_strdup(name);
        peak->datasheet = PS_RATIONAL_INT(0);
        g_ptr_array_add(gpu->peaks, peak);
    }
    peak->value = exact;
}
