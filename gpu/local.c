/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies of local memory by rule. An instruction of W wavefronts takes W times as long as one
 * with a single wavefront, and its result comes later by the time of the others. W is in the
 * class's name: "local.load.c4.v2" is an access of 2 words per thread, with each part of the warp
 * in 4 passes; "local.load.p2.v4" is one of 4 words in two parts, since threads share them by twos.
 * Some rows state what each pass costs instead (constant memory: one address a pass).
 */
#include "base/class-name.h"
#include "gpu/internal.h"
#include "gpu/rows.h"

/* The factors of an atomic of that name, for its lambda and its Lambda. */
static gboolean of_atomic(const PsLocalMemory *local, const char *asked, PsLatency *latency)
{
    const PsRational issue = local->atomic_issue.num ? local->atomic_issue : local->atomic;
    const gboolean swaps = local->swap.num && ps_class_covers("atomic.local.cas", asked);
    return ps_rational_mul(latency->issue, issue, &latency->issue) &&
           ps_rational_mul(latency->completion, local->atomic, &latency->completion) &&
           (!swaps || ps_rational_mul(latency->issue, local->swap, &latency->issue));
}

/* lambda = max(least, wavefront * W), Lambda = completion + wavefront * (W - 1). */
static gboolean of_load(const PsLocalMemory *local, gint64 w, PsLatency *latency)
{
    PsRational more;
    if (!ps_rational_mul(local->wavefront, PS_RATIONAL_INT(w), &latency->issue) ||
        !ps_rational_mul(local->wavefront, PS_RATIONAL_INT(w - 1), &more) ||
        !ps_rational_add(local->completion, more, &latency->completion))
        return FALSE;
    if (ps_rational_cmp(latency->issue, local->least) < 0)
        latency->issue = local->least;
    return TRUE;
}

gboolean ps_gpu_local_rule(const PsLocalMemory *local, const char *asked, PsLatency *latency)
{
    const PsRational most = PS_RATIONAL_INT(PS_MAX_LATENCY);
    const gboolean atomic = ps_class_covers("atomic.local", asked);
    const PsClassAccess access = ps_class_access(asked);
    PsLatency result;
    if (!local->stated || !ps_class_is_local(asked) ||
        !of_load(local, ps_class_wavefronts(&access), &result) ||
        (atomic && !of_atomic(local, asked, &result)) || ps_rational_cmp(result.issue, most) > 0 ||
        ps_rational_cmp(result.completion, most) > 0)
        return FALSE;
    *latency = result;
    return TRUE;
}

gboolean ps_gpu_local_latency(const PsGpu *gpu, const char *asked, guint *pipeline,
                              PsLatency *latency)
{
    const PsClass *row = ps_gpu_find_class(gpu, asked);
    if ((row && !row->derived) || !ps_gpu_local_rule(&gpu->local, asked, latency))
        return FALSE;
    *pipeline = gpu->local.pipeline;
    return TRUE;
}

gboolean ps_gpu_pass_latency(const PsClass *class, const char *asked, PsLatency *latency)
{
    const PsRational most = PS_RATIONAL_INT(PS_MAX_LATENCY);
    PsRational more;
    PsLatency result;
    if (!ps_rational_mul(class->pass, PS_RATIONAL_INT(ps_class_access(asked).conflicts - 1),
                         &more) ||
        !ps_rational_add(class->latency.issue, more, &result.issue) ||
        !ps_rational_add(class->latency.completion, more, &result.completion) ||
        ps_rational_cmp(result.issue, most) > 0 || ps_rational_cmp(result.completion, most) > 0)
        return FALSE;
    *latency = result;
    return TRUE;
}
