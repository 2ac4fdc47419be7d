/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks of kernels: their places and their looks. */
#include "roofline/draw/chart.h"

#include <math.h>

double ps_draw_intensity(const PsDrawKernel *kernel, guint level)
{
    const double bytes = kernel->ceilings->of[ps_draw_level(level)->kind].work;
    if (level == PS_DRAW_DEVICE)
        return isnan(bytes) ? NAN : kernel->params->O_krn;
    return bytes > 0 ? kernel->params->W_comp / bytes : NAN;
}

const char *ps_draw_why_not(const PsDrawKernel *kernel, guint level)
{
    const double intensity = ps_draw_intensity(kernel, level);
    if (isnan(intensity))
        return isnan(kernel->params->W_comp) ? "operations not known"
               : isnan(kernel->ceilings->of[ps_draw_level(level)->kind].work)
                   ? "traffic not known"
                   : "no operations, no traffic";
    if (level != PS_DRAW_DEVICE && isnan(ps_draw_own_bandwidth(kernel, level)))
        return "bandwidth not known";
    if (intensity <= 0)
        return "no operations";
    if (isnan(kernel->rate))
        return "performance not known";
    if (kernel->rate <= 0)
        return "performance is 0";
    if (!ps_draw_drawable(kernel->rate))
        return "performance out of range";
    if (isfinite(intensity) && !ps_draw_drawable(intensity))
        return "intensity out of range";
    return NULL;
}

PsLook ps_draw_mark_look(guint shape, const char *colour, gboolean hollow, gboolean small)
{
    return (PsLook){
        .colour = colour, .marker = ps_look_marker(shape, hollow), .size = small ? 0.45 : 0.9};
}

const char *ps_draw_entry_colour(const PsDrawEntry *entry)
{
    return entry->listed ? ps_look_colour(entry->number - 1) : "#888888";
}

const char *ps_draw_kernel_colour(const PsDrawChart *chart, guint kernel)
{
    return ps_draw_many_gpus(chart->draw)
               ? ps_draw_gpu_colour(chart->draw, ps_draw_kernel(chart->draw, kernel)->gpu)
               : ps_draw_entry_colour(ps_draw_entry_of(chart, kernel));
}
