/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What graphs ask for and no benchmark measured: classes that stand in, each of which says so in
 * its source, and the defaults of kinds.
 */
#include "latency-bench/describe/describe.h"

#include <string.h>

static gboolean has_class(const PsGpu *gpu, const char *name)
{
    const PsClass *klass = ps_gpu_class(gpu, name, NULL);
    return klass && strcmp(klass->name, name) == 0;
}

/* Takes the latencies of the first of these classes that is there for a class that graphs ask for
 * and no benchmark has. */
static void substitute(PsDescribe *describe, const char *name, const char *const *others)
{
    PsGpu *gpu = describe->gpu;
    if (has_class(gpu, name))
        return;
    for (; *others; others++) {
        if (!has_class(gpu, *others))
            continue;
        const PsClass *other = ps_gpu_class(gpu, *others, NULL);
        PsClass *klass = ps_gpu_add_class(gpu, name);
        klass->pipeline = other->pipeline;
        klass->latency = other->latency;
        klass->at = other->at ? g_array_copy(other->at) : NULL;
        klass->source = ps_describe_source_name(name, "taken");
        ps_describe_source(
            describe, klass->source, PS_SOURCE_ASSUMED,
            g_strdup_printf("%s is not measured; it has the latencies of %s.", name, *others));
        return;
    }
}

/* A loop that was not measured: an addition, a comparison and a branch, each of which needs the one
 * before; two of them are the integer pipeline's. */
static void derive_loop(PsDescribe *describe)
{
    PsGpu *gpu = describe->gpu;
    PsLatency latency;
    if (has_class(gpu, "loop") || !has_class(gpu, "iadd"))
        return;
    const PsClass *iadd = ps_gpu_class(gpu, "iadd", NULL);
    if (!ps_rational_mul(iadd->latency.issue, PS_RATIONAL_INT(2), &latency.issue) ||
        !ps_rational_mul(iadd->latency.completion, PS_RATIONAL_INT(3), &latency.completion))
        return;
    PsClass *klass = ps_gpu_add_class(gpu, "loop");
    klass->pipeline = iadd->pipeline;
    klass->latency = latency;
    klass->source = ps_describe_source_name("loop", "derived");
    ps_describe_source(
        describe, klass->source, PS_SOURCE_DERIVED,
        g_strdup("loop is not measured: an addition, a comparison and a branch, each "
                 "of which needs the one before, with the latencies of iadd; two of "
                 "them occupy its pipeline."));
}

static void add_default(PsGpu *gpu, const char *kind, const char *klass)
{
    if (!has_class(gpu, klass))
        return;
    PsDefaultClass *fallback = g_new0(PsDefaultClass, 1);
    fallback->kind = g_strdup(kind);
    fallback->klass = g_strdup(klass);
    g_ptr_array_add(gpu->defaults, fallback);
}

void ps_describe_substitutes(PsDescribe *describe)
{
    static const char *const index[] = {"imad", "iadd", "fmadd", "fadd", NULL};
    static const char *const global[] = {"memory", "global.load", "global.load.dram", NULL};
    static const char *const memory[] = {"global", NULL};
    static const char *const local[] = {"local.load", "local.store", NULL};
    /* Of the degree that the graphs mean that ask for them. */
    static const char *const conflict[] = {"local.load.c8", NULL};
    static const char *const most_conflict[] = {"local.load.c32", NULL};
    static const char *const atomic[] = {"atomic.global", "atomic.local", NULL};
    substitute(describe, "index", index);
    substitute(describe, "global", global);
    substitute(describe, "memory", memory);
    substitute(describe, "local", local);
    substitute(describe, "atomic", atomic);
    substitute(describe, "local.load.conflict", conflict);
    substitute(describe, "local.load.conflict.c32", most_conflict);
    derive_loop(describe);
    add_default(describe->gpu, "integer", "iadd");
    add_default(describe->gpu, "conversion", "conversion");
    add_default(describe->gpu, "atomic", "atomic");
}
