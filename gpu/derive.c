/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derives from the levels of memory, atomics and local memory of a description: the sizes of
 * caches, and the classes that serve where levels are not simulated. They stand for the slowest
 * way: a request of 4 bytes per thread that goes to device memory, all CUs alike, at the base
 * clock.
 */
#include "gpu/level.h"
#include "gpu/internal.h"
#include "gpu/rows.h"

/* Derived latencies are rounded up to 1/1024 cycle: clocks and bandwidths in decimals would leave
 * no common tick. */
#define PARTS 1024

static gboolean round_up(PsRational *cycles)
{
    PsRational parts;
    return ps_rational_mul(*cycles, PS_RATIONAL_INT(PARTS), &parts) &&
           ps_rational_make(ps_rational_ceil(parts), PARTS, cycles) && cycles->num > 0 &&
           ps_rational_cmp(*cycles, PS_RATIONAL_INT(PS_MAX_LATENCY)) <= 0;
}

/* Gives the class of that name these latencies, unless the description has a row for it. */
static void derive_class(PsGpu *gpu, const char *name, guint pipeline, PsLatency latency,
                         const char *source)
{
    PsClass *class = g_hash_table_lookup(gpu->by_name, name);
    if (class && !class->derived)
        return;
    if (!class)
        class = ps_gpu_add_class(gpu, name);
    class->derived = TRUE;
    class->pipeline = pipeline;
    class->latency = latency;
    g_free(class->source);
    class->source = g_strdup(source);
}

/* lambda of a request to device memory: the cycles that the slowest of the shared levels takes for
 * 4 bytes per thread. */
static gboolean shared_lambda(const PsGpu *gpu, PsRational *lambda)
{
    *lambda = gpu->memory.request;
    for (guint i = 0; i < gpu->memory.levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        PsRational time;
        if (level->bandwidth.num == 0)
            continue;
        if (!ps_gpu_level_rate(level, gpu->compute_units, gpu->clock, &time) ||
            !ps_rational_div(PS_RATIONAL_INT(4 * gpu->warp_size), time, &time))
            return FALSE;
        if (ps_rational_cmp(*lambda, time) < 0)
            *lambda = time;
    }
    return round_up(lambda);
}

static gboolean completion_of(const PsGpu *gpu, PsRational latency, PsRational at,
                              PsRational *completion)
{
    return ps_gpu_cycles(latency, at, gpu->clock, completion) && round_up(completion);
}

static gboolean derive_memory(PsGpu *gpu)
{
    const guint pipeline = gpu->memory.pipeline;
    const PsMemoryLevel *device = ps_gpu_level(gpu, PS_LEVEL_DEVICE);
    const PsAtomics *atomics = &gpu->atomics;
    PsLatency access;
    if (!shared_lambda(gpu, &access.issue) ||
        !completion_of(gpu, device->latency, device->at, &access.completion))
        return FALSE;
    derive_class(gpu, "memory", pipeline, access, device->source);
    derive_class(gpu, "global", pipeline, access, device->source);
    if (!atomics->stated) {
        derive_class(gpu, "atomic", pipeline, access, device->source);
        return TRUE;
    }
    if (!completion_of(gpu, atomics->latency, atomics->at, &access.completion))
        return FALSE;
    derive_class(gpu, "atomic", atomics->pipeline, access, atomics->source);
    return TRUE;
}

/* A fence of one group reaches no further than the group's own memory. */
static gboolean derive_local(PsGpu *gpu)
{
    static const struct {
        const char *name, *as;
    } names[] = {
        {"local", "local"}, {"atomic.local", "atomic.local"}, {"memory.fence.group", "local"}};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        PsLatency latency;
        if (!ps_gpu_local_rule(&gpu->local, names[i].as, &latency))
            return FALSE;
        derive_class(gpu, names[i].name, gpu->local.pipeline, latency, gpu->local.source);
    }
    return TRUE;
}

static void derive_cache(PsGpu *gpu)
{
    const PsMemoryLevel *l1 = ps_gpu_own_cache(gpu), *l2 = ps_gpu_level(gpu, PS_LEVEL_L2);
    gpu->cache.l1 = l1 ? l1->bytes : 0;
    gpu->cache.l2 = l2 ? l2->bytes : 0;
    gpu->cache.l1_global = l1 && gpu->memory.l1_global;
    g_free(gpu->cache.source);
    gpu->cache.source = g_strdup(l2 ? l2->source : l1 ? l1->source : NULL);
}

gboolean ps_gpu_derive(PsGpu *gpu, GError **error)
{
    if (gpu->memory.levels)
        derive_cache(gpu);
    const gboolean memory = !gpu->memory.levels || derive_memory(gpu);
    if (memory && (!gpu->local.stated || derive_local(gpu)))
        return TRUE;
    ps_error_at(error, PS_ERROR_LIMIT,
                (PsPlace){gpu->path, memory ? gpu->local.line : gpu->memory.line},
                "the latencies that follow from %s are above %d cycles, or take fractions beyond "
                "64 bits: use fewer decimals",
                memory ? "<local-memory>" : "<memory>", PS_MAX_LATENCY);
    return FALSE;
}
