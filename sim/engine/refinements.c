/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Resolves the refinements: the description's, and options that replace them.
 */
#include "sim/engine/binding.h"

static gboolean choose(PsChoice choice, gboolean of_gpu)
{
    return choice == PS_CHOICE_GPU ? of_gpu : choice == PS_CHOICE_ON;
}

/* R1. A description may omit the width of schedulers, which an option then needs. */
static gboolean choose_schedulers(const PsGpu *gpu, const PsRefinementOptions *options,
                                  gboolean asked, PsRefinements *refinements, GError **error)
{
    gint64 schedulers = options->schedulers;
    if (schedulers == 0)
        schedulers = asked ? gpu->schedulers : PS_NO_SCHEDULERS;
    if (schedulers == PS_NO_SCHEDULERS)
        return TRUE;
    if (schedulers < 1 || schedulers > PS_SIM_MAX_SCHEDULERS) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "%" G_GINT64_FORMAT " schedulers: a CU is simulated with 1 to %d", schedulers,
                    PS_SIM_MAX_SCHEDULERS);
        return FALSE;
    }
    refinements->schedulers = schedulers;
    refinements->issue_width = gpu->issue_width.num > 0 ? gpu->issue_width : PS_RATIONAL_INT(1);
    return TRUE;
}

const char *ps_cache_state_name(PsCacheState state)
{
    static const char *const names[] = {"cold", "warm", "dirty"};
    return names[state];
}

static gboolean check_cache(const PsGpu *gpu, const PsRefinements *refinements, GError **error)
{
    const GArray *levels = gpu->memory.levels;
    if (refinements->cache == PS_CACHE_COLD)
        return TRUE;
    if (!refinements->levels) {
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "cache: without levels there are no caches that could be %s",
                    ps_cache_state_name(refinements->cache));
        return FALSE;
    }
    if (refinements->cache == PS_CACHE_DIRTY &&
        (levels->len < 2 || g_array_index(levels, PsMemoryLevel, levels->len - 2).dirty.num == 0)) {
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "cache: how much of its last cache GPU '%s' has to write back after a "
                    "benchmark wrote over it is not known; its description would say it as 'dirty' "
                    "of that <level>",
                    gpu->name);
        return FALSE;
    }
    return TRUE;
}

gboolean ps_refinements_resolve(const PsGpu *gpu, const PsRefinementOptions *options,
                                PsRefinements *refinements, GError **error)
{
    static const PsRefinementOptions none = {0};
    if (!options)
        options = &none;
    const PsModel published = {0};
    const PsModel base = options->published ? published : gpu->model;
    *refinements = (PsRefinements){
        .issue_width = PS_RATIONAL_INT(0),
        .order = options->has_order ? options->order : base.order,
        .policy = options->has_policy ? options->policy : base.policy,
        .contention = choose(options->contention, base.contention),
        .overheads = choose(options->overheads, base.overheads),
        .all_cus = choose(options->all_cus, base.all_cus),
        .levels = choose(options->levels, base.levels),
        .cache = options->cache,
    };
    if (options->overheads == PS_CHOICE_ON && !gpu->overheads.stated) {
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "overheads: the description of GPU '%s' does not state what launches cost; it "
                    "needs an <overheads>",
                    gpu->name);
        return FALSE;
    }
    if (options->contention == PS_CHOICE_ON && !ps_has_tables(gpu)) {
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "contention: no class of GPU '%s' has a table over active warps, so there is "
                    "nothing to turn on; it needs an <at warps=...> in a <class>",
                    gpu->name);
        return FALSE;
    }
    if (refinements->levels && !gpu->memory.levels) {
        g_set_error(error, PS_ERROR, PS_ERROR_USAGE,
                    "levels: the description of GPU '%s' does not state the levels of its memory; "
                    "it needs a <memory>",
                    gpu->name);
        return FALSE;
    }
    return check_cache(gpu, refinements, error) &&
           choose_schedulers(gpu, options, base.schedulers, refinements, error);
}
