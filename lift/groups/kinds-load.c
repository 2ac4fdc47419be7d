/* SPDX-License-Identifier: BSD-3-Clause */
/* What groups take of a compute unit, and by how much they differ in it. See kinds.h. */
#include "lift/groups/kinds.h"

#include <math.h>

PsLoad ps_load_slots(void)
{
    return (PsLoad){{[PS_LOAD_WORK] = 1, [PS_LOAD_SECTORS] = 16, [PS_LOAD_PASSES] = 4}};
}

PsLoad ps_load_of(const PsRollGroup *group)
{
    const PsLoad slots = ps_load_slots();
    return (PsLoad){{(double)(group->length - group->off),
                     slots.of[PS_LOAD_SECTORS] * (double)group->demand.sectors / PS_SECTOR,
                     slots.of[PS_LOAD_PASSES] * (double)group->demand.passes}};
}

static double most_of(const PsLoad *load)
{
    double most = 0;
    for (guint i = 0; i < PS_N_LOADS; i++)
        most = fmax(most, load->of[i]);
    return most;
}

double ps_load_apart(const PsLoad *a, const PsLoad *b)
{
    double apart = 0;
    for (guint i = PS_LOAD_SECTORS; i < PS_N_LOADS; i++)
        apart = fmax(apart, fabs(a->of[i] - b->of[i]));
    return apart / fmax(fmax(most_of(a), most_of(b)), 1);
}

PsLoad ps_kinds_load(const GArray *kinds)
{
    PsLoad mean = {{0}};
    for (guint k = 0; k < kinds->len; k++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, k);
        for (guint i = 0; i < PS_N_LOADS; i++)
            mean.of[i] += kind->share * kind->load.of[i];
    }
    return mean;
}

PsLoad ps_load_scale(const PsLoad *mean)
{
    const double most = fmax(most_of(mean), 1);
    return (PsLoad){{fmax(mean->of[PS_LOAD_WORK], 1), most, most}};
}

guint ps_kinds_measure(const GArray *kinds)
{
    const PsLoad mean = ps_kinds_load(kinds), scale = ps_load_scale(&mean);
    double apart[PS_N_LOADS] = {0};
    guint most = PS_LOAD_WORK;
    for (guint k = 0; k < kinds->len; k++) {
        const PsKind *kind = &g_array_index(kinds, PsKind, k);
        for (guint i = 0; i < PS_N_LOADS; i++)
            apart[i] += kind->share * fabs(kind->load.of[i] - mean.of[i]) / scale.of[i];
    }
    for (guint i = 0; i < PS_N_LOADS; i++)
        most = apart[i] > MAX(apart[most], PS_KINDS_MERGED) ? i : most;
    return most;
}
