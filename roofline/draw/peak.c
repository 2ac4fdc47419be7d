/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The roofs of a chart: peaks of units, for the types that kernels have counts of, and of levels of
 * memory. They are the peaks that count for the kernels, at the clock of the measurement and for
 * the matrix products of the kernels; where no kernel has such peaks, the GPU's.
 */
#include "roofline/draw/chart.h"
#include "roofline/terms.h"

#include <math.h>

/* Peaks that differ by less are one roof, at the height of the highest. */
#define SAME 0.03

static const struct {
    PsPeakKind peak;
    PsCeilingKind ceiling;
} units[] = {[PS_K_FP64] = {PS_T_DP, PS_CEILING_FP64},
             [PS_K_FP32] = {PS_T_SP, PS_CEILING_FP32},
             [PS_K_INT] = {PS_T_INT, PS_CEILING_INT},
             [PS_K_FP16] = {PS_T_HP, PS_CEILING_FP16},
             [PS_K_TENSOR] = {PS_T_TENSOR, PS_CEILING_TENSOR}};

/* Levels in the order from the compute units outwards. */
static const PsDrawLevel levels[PS_DRAW_LEVELS] = {
    {PS_CEILING_LOCAL, PS_B_LOCAL, "local memory", "3", 4},
    {PS_CEILING_L1, PS_B_L1, "L1", "4", 2},
    {PS_CEILING_L2, PS_B_L2, "L2", "2", 1},
    {PS_CEILING_L3, PS_B_L3, "L3", "5", 5},
    {PS_CEILING_L4, PS_B_L4, "L4", "(20,5)", 3},
    {PS_CEILING_DEVICE, PS_B_MEM, "device memory", "1", 0}};

const PsDrawLevel *ps_draw_level(guint level)
{
    return &levels[level];
}

const char *ps_draw_level_name(const PsDraw *draw, guint level)
{
    guint shared = 0;
    for (guint i = 0; i < draw->kernels->len; i++)
        shared += ps_draw_kernel(draw, i)->says_shared ? 1 : 0;
    return levels[level].kind == PS_CEILING_LOCAL && shared > 0 && shared == draw->kernels->len
               ? "shared memory"
               : levels[level].name;
}

/* The value, or NaN where a chart cannot show it. */
static double shown(double value)
{
    return ps_draw_drawable(value) ? value : NAN;
}

const char *ps_draw_peak_name(PsKType type)
{
    return ps_peak_kind_name(units[type].peak);
}

double ps_draw_peak(const PsDrawGpu *gpu, PsKType type)
{
    return type == PS_K_UNKNOWN ? NAN : shown(gpu->peaks->value[units[type].peak]);
}

double ps_draw_own_peak(const PsDrawKernel *kernel)
{
    const PsKType type = kernel->params->K_type;
    return type == PS_K_UNKNOWN ? NAN : shown(kernel->ceilings->of[units[type].ceiling].peak);
}

double ps_draw_own_bandwidth(const PsDrawKernel *kernel, guint level)
{
    return shown(kernel->ceilings->of[levels[level].kind].peak);
}

gboolean ps_draw_has_type(const PsDraw *draw, PsKType type)
{
    gboolean any = FALSE;
    for (guint i = 0; i < draw->kernels->len; i++) {
        const PsKType its = ps_draw_kernel(draw, i)->params->K_type;
        if (its == type)
            return TRUE;
        any = any || its != PS_K_UNKNOWN;
    }
    return !any && type != PS_K_INT; /* these counts are no FLOP */
}

/* TRUE if the kernel has counts of the type. Integers that only serve others, as in addresses, are
 * no FLOP. */
static gboolean has_count(const PsDrawKernel *kernel, PsKType type)
{
    return kernel->params->K_type == type ||
           (type != PS_K_INT && kernel->ceilings->of[units[type].ceiling].work > 0);
}

/* Adds a peak of a kernel as a roof of its own, unless there is nearly the same roof already. */
static void add_roof(GArray *roofs, double peak, int kernel)
{
    for (guint i = 0; i < roofs->len; i++) {
        PsDrawRoof *roof = &g_array_index(roofs, PsDrawRoof, i);
        if (fabs(roof->peak / peak - 1) < SAME) {
            roof->peak = MAX(roof->peak, peak);
            roof->kernel = -1;
            return;
        }
    }
    const PsDrawRoof roof = {peak, kernel};
    g_array_append_val(roofs, roof);
}

static int by_peak(const void *a, const void *b)
{
    const double x = ((const PsDrawRoof *)a)->peak, y = ((const PsDrawRoof *)b)->peak;
    return (x < y) - (x > y);
}

GArray *ps_draw_unit_roofs(const PsDraw *draw, guint gpu, PsKType type)
{
    GArray *roofs = g_array_new(FALSE, FALSE, sizeof(PsDrawRoof));
    for (guint i = 0; i < draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
        const double peak = shown(kernel->ceilings->of[units[type].ceiling].peak);
        if (kernel->gpu == gpu && has_count(kernel, type) && !isnan(peak))
            add_roof(roofs, peak, (int)i);
    }
    const double peak = ps_draw_peak(ps_draw_gpu(draw, gpu), type);
    if (!roofs->len && ps_draw_has_type(draw, type) && !isnan(peak))
        add_roof(roofs, peak, -1);
    g_array_sort(roofs, by_peak);
    if (roofs->len > PS_DRAW_MOST_ROOFS)
        g_array_set_size(roofs, 1);
    if (roofs->len == 1)
        g_array_index(roofs, PsDrawRoof, 0).kernel = -1;
    return roofs;
}

double ps_draw_bandwidth(const PsDraw *draw, guint gpu, guint level)
{
    double highest = NAN;
    gboolean is_asked = FALSE;
    for (guint i = 0; i < draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
        const PsCeiling *its = &kernel->ceilings->of[levels[level].kind];
        is_asked = is_asked || its->work > 0;
        if (kernel->gpu == gpu && its->work > 0)
            highest = fmax(highest, shown(its->peak));
    }
    /* local memory has no roof where no kernel uses it */
    const gboolean is_local = levels[level].kind == PS_CEILING_LOCAL;
    if (isnan(highest) && (is_asked || !is_local))
        highest = shown(ps_draw_gpu(draw, gpu)->peaks->value[levels[level].peak]);
    return highest;
}
