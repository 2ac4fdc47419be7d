/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two compute units that run groups as one (AMD's work-group processor on RDNA): a group has the
 * schedulers, registers, local memory and ways to memory of both. An instruction takes the pair
 * half the cycles that it takes one unit. Latencies, the limits of one group, and what the whole
 * GPU shares stay.
 */
#include "gpu/internal.h"
#include "gpu/level.h"
#include "gpu/rows.h"

#define UNITS 2

static gboolean halve(PsRational *cycles)
{
    return ps_rational_div(*cycles, PS_RATIONAL_INT(UNITS), cycles);
}

static gboolean is_of_unit(const PsGpu *gpu, guint pipeline)
{
    return !((const PsPipeline *)gpu->pipelines->pdata[pipeline])->per_scheduler;
}

static void pair_limits(PsLimits *limits)
{
    gint64 *const of_unit[] = {&limits->warps, &limits->groups, &limits->registers,
                               &limits->scalar_registers, &limits->local_memory};
    for (guint i = 0; i < G_N_ELEMENTS(of_unit); i++)
        *of_unit[i] *= UNITS;
    limits->warp_unit *= UNITS;
}

static gboolean pair_class(const PsGpu *gpu, PsClass *class)
{
    const gboolean of_unit = is_of_unit(gpu, class->pipeline);
    gboolean ok = TRUE;
    for (guint i = 0; ok && class->at && i < class->at->len; i++) {
        PsLatencyAt *at = &g_array_index(class->at, PsLatencyAt, i);
        at->warps *= UNITS;
        ok = !of_unit || halve(&at->latency.issue);
    }
    return ok && (!of_unit || (halve(&class->latency.issue) && halve(&class->wide_issue) &&
                               halve(&class->pass)));
}

static gboolean pair_classes(PsGpu *gpu)
{
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < gpu->classes->len; i++) {
        PsClass *class = gpu->classes->pdata[i];
        ok = class->derived || pair_class(gpu, class);
    }
    return ok;
}

/* Each unit has its own cache and its own way to the others. */
static gboolean pair_levels(const PsGpu *gpu)
{
    const PsMemoryLevel *own = ps_gpu_own_cache(gpu);
    gboolean ok = TRUE;
    for (guint i = 0; ok && gpu->memory.levels && i < gpu->memory.levels->len; i++) {
        PsMemoryLevel *level = &g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        ok = ps_rational_mul(level->port, PS_RATIONAL_INT(UNITS), &level->port);
        if (level == own)
            level->bytes *= UNITS;
    }
    return ok;
}

/* Halves the cycles of the load/store unit and of local memory. */
static gboolean pair_memory(PsGpu *gpu)
{
    PsMemory *memory = &gpu->memory;
    PsRational *const of_unit[] = {&memory->request,      &memory->texture, &memory->tag,
                                   &memory->wavefront,    &memory->lookup,  &gpu->atomics.request,
                                   &gpu->local.wavefront, &gpu->local.least};
    gboolean ok = pair_levels(gpu);
    for (guint i = 0; ok && i < G_N_ELEMENTS(of_unit); i++)
        ok = halve(of_unit[i]);
    return ok;
}

gboolean ps_gpu_pair_units(PsGpu *gpu, GError **error)
{
    const PsPlace file = {gpu->path, 0};
    if (!gpu->pairs || gpu->compute_units % UNITS) {
        ps_error_at(error, PS_ERROR_VALUE, file,
                    "%s has no pairs of compute units that run groups as one: %s",
                    gpu->name ? gpu->name : "the GPU",
                    gpu->pairs ? "their number is odd" : "its <chip> does not say pairs=\"on\"");
        return FALSE;
    }
    gpu->compute_units /= UNITS;
    gpu->schedulers *= UNITS;
    gpu->pairs = FALSE;
    pair_limits(&gpu->limits);
    if (!pair_classes(gpu) || !pair_memory(gpu)) {
        ps_error_at(error, PS_ERROR_LIMIT, file,
                    "latencies of pairs of compute units take fractions beyond 64 bits: use fewer "
                    "decimals");
        return FALSE;
    }
    return ps_gpu_derive(gpu, error);
}
