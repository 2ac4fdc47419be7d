/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Warps of twice as many threads (AMD's wave64 on RDNA). Some pipelines take the halves of a warp
 * one after the other: a class there takes twice as long to issue, or as long as it states (where
 * hardware pairs the halves), and its result comes later by that time. Registers of a warp follow
 * from its size. Schedulers, warps per compute unit and levels of memory stay.
 */
#include "gpu/internal.h"
#include "gpu/rows.h"

#define HALVES PS_RATIONAL_INT(2)

static gboolean passes_in_halves(const PsGpu *gpu, guint pipeline)
{
    return ((const PsPipeline *)gpu->pipelines->pdata[pipeline])->halves;
}

gboolean ps_gpu_has_wide_warps(const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->pipelines->len; i++)
        if (passes_in_halves(gpu, i))
            return TRUE;
    return FALSE;
}

/* Widens an instruction's latency, where `issue` is its issue latency for the whole warp; {0, 1}:
 * twice that of a half. */
static gboolean widen_latency(PsLatency *latency, PsRational issue)
{
    PsRational more;
    if ((!issue.num && !ps_rational_mul(latency->issue, HALVES, &issue)) ||
        !ps_rational_sub(issue, latency->issue, &more) ||
        !ps_rational_add(latency->completion, more, &latency->completion))
        return FALSE;
    latency->issue = issue;
    return TRUE;
}

static gboolean widen_class(PsClass *class)
{
    gboolean ok = widen_latency(&class->latency, class->wide_issue);
    for (guint i = 0; ok && class->at && i < class->at->len; i++)
        ok = widen_latency(&g_array_index(class->at, PsLatencyAt, i).latency, PS_RATIONAL_INT(0));
    class->wide_issue = PS_RATIONAL_INT(0);
    return ok && ps_rational_mul(class->pass, HALVES, &class->pass);
}

static gboolean widen_classes(PsGpu *gpu)
{
    gboolean ok = TRUE;
    for (guint i = 0; ok && i < gpu->classes->len; i++) {
        PsClass *class = gpu->classes->pdata[i];
        if (!class->derived && passes_in_halves(gpu, class->pipeline))
            ok = widen_class(class);
    }
    return ok;
}

/* Widens requests to memory, and wavefronts of local memory. */
static gboolean widen_memory(PsGpu *gpu)
{
    PsMemory *memory = &gpu->memory;
    PsAtomics *atomics = &gpu->atomics;
    PsLocalMemory *local = &gpu->local;
    PsLatency wavefront = {local->wavefront, local->completion};
    if (memory->levels && passes_in_halves(gpu, memory->pipeline) &&
        !ps_rational_mul(memory->request, HALVES, &memory->request))
        return FALSE;
    if (atomics->stated && passes_in_halves(gpu, atomics->pipeline) &&
        !ps_rational_mul(atomics->request, HALVES, &atomics->request))
        return FALSE;
    if (!local->stated || !passes_in_halves(gpu, local->pipeline))
        return TRUE;
    if (!widen_latency(&wavefront, PS_RATIONAL_INT(0)))
        return FALSE;
    local->wavefront = wavefront.issue;
    local->completion = wavefront.completion;
    return TRUE;
}

gboolean ps_gpu_widen_warps(PsGpu *gpu, GError **error)
{
    const PsPlace file = {gpu->path, 0};
    if (!ps_gpu_has_wide_warps(gpu)) {
        ps_error_at(error, PS_ERROR_VALUE, file,
                    "%s has warps of %" G_GINT64_FORMAT
                    " threads alone: none of its pipelines says halves=\"on\"",
                    gpu->name ? gpu->name : "the GPU", gpu->warp_size);
        return FALSE;
    }
    gpu->warp_size *= 2;
    if (!widen_classes(gpu) || !widen_memory(gpu)) {
        ps_error_at(error, PS_ERROR_LIMIT, file,
                    "latencies of warps of %" G_GINT64_FORMAT
                    " threads take fractions beyond 64 bits: use fewer decimals",
                    gpu->warp_size);
        return FALSE;
    }
    for (guint i = 0; i < gpu->pipelines->len; i++)
        ((PsPipeline *)gpu->pipelines->pdata[i])->halves = FALSE;
    return ps_gpu_derive(gpu, error);
}
