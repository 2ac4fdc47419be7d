/* SPDX-License-Identifier: BSD-3-Clause */
/* What a GPU holds of a graph's groups at once, what allows no more, and the step to more. */
#include "cli/show/show.h"

#include "pipesim-private.h"

/* Adds a line, whose value is freed. */
static void add(GString *out, const char *what, char *value)
{
    g_autofree char *first = g_strdup_printf("  %-16s", what), *taken = value;
    ps_wrap_text(out, first, taken);
}

static char *describe_warps(const PsGpu *gpu, const PsOccupancy *occupancy)
{
    const gint64 warps = occupancy->groups * occupancy->warps_per_group, most = gpu->limits.warps;
    g_autofree char *active = ps_format_count(warps), *all = ps_format_count(most),
                    *share = most ? ps_format_share((double)warps / (double)most) : NULL;
    return most ? g_strdup_printf("%s of %s, %s", active, all, share) : g_strdup(active);
}

static char *describe_step(const PsGpu *gpu, const PsGroupNeeds *needs,
                           const PsOccupancy *occupancy)
{
    PsNextStep step;
    return ps_gpu_next_step(gpu, needs, occupancy, &step)
               ? ps_next_step_words(&step, gpu)
               : g_strdup("none by registers, local memory or the size of groups");
}

void show_occupancy(const PsKernel *kernel, const PsGpu *gpu, GString *out)
{
    const PsGroupNeeds needs = ps_kernel_needs(kernel, kernel->group_size);
    PsOccupancy occupancy;
    g_autoptr(GError) why = NULL;
    g_string_append_printf(out, "\nOccupancy on %s\n", gpu->name);
    if (!ps_gpu_occupancy_in_words(gpu, &needs, ps_idg_local_memory(kernel->idg), &occupancy,
                                   &why)) {
        g_string_append_printf(out, "  no group fits: %s\n", why->message);
        return;
    }
    if (occupancy.groups == G_MAXINT64) {
        add(out, "groups at once", g_strdup("not known: the description states no limits"));
        return;
    }
    add(out, "groups at once", ps_format_count(occupancy.groups));
    add(out, "warps", describe_warps(gpu, &occupancy));
    add(out, "limited by", ps_occupancy_limit_words(occupancy.limited_by));
    add(out, "next step", describe_step(gpu, &needs, &occupancy));
}
