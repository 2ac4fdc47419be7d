/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The census number of each executed group of the launch: groups that did the same have the same
 * number.
 */
#include "lift/build-private.h"

guint64 ps_samples_place(const PsSamples *samples, const guint group[3])
{
    const guint *grid = samples->options->launch.grid;
    return group[0] + grid[0] * (group[1] + (guint64)grid[1] * group[2]);
}

guint64 ps_samples_groups(const PsSamples *samples)
{
    const guint *grid = samples->options->launch.grid;
    return (guint64)grid[0] * grid[1] * grid[2];
}

void ps_samples_group_at(const PsSamples *samples, guint64 place, guint group[3])
{
    const guint *grid = samples->options->launch.grid;
    group[0] = (guint)(place % grid[0]);
    group[1] = (guint)(place / grid[0] % grid[1]);
    group[2] = (guint)(place / grid[0] / grid[1]);
}

void ps_samples_note(PsSamples *samples, const guint group[3])
{
    guint64 *both = g_new(guint64, 2);
    both[0] = ps_samples_place(samples, group);
    both[1] = ps_census_number(samples->census);
    /* The number stands behind its key, so both are replaced where the group was executed before.
     */
    if (g_hash_table_replace(samples->numbers, both, &both[1]))
        ps_tally_keep(samples->tally);
}

gboolean ps_samples_number(const PsSamples *samples, const guint group[3], guint64 *number)
{
    const guint64 place = ps_samples_place(samples, group),
                  *known = g_hash_table_lookup(samples->numbers, &place);
    *number = known ? *known : 0;
    return known != NULL;
}
