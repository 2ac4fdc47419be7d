/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes that graphs ask for and no benchmark measured: others stand in, which their sources say,
 * and kinds have defaults.
 */
#include "latency-bench/describe/describe.h"

#include <string.h>

static gboolean has_class(const PsGpu *gpu, const char *name)
{
    const PsClass *class = ps_gpu_class(gpu, name, NULL);
    return class && strcmp(class->name, name) == 0;
}

/* Gives a class that graphs ask for and no benchmark has the latencies of the first of these
 * classes that exists. */
static void substitute(PsDescribe *describe, const char *name, const char *const *others)
{
    PsGpu *gpu = describe->gpu;
    if (has_class(gpu, name))
        return;
    for (; *others; others++) {
        if (!has_class(gpu, *others))
            continue;
        const PsClass *other = ps_gpu_class(gpu, *others, NULL);
        PsClass *class = ps_gpu_add_class(gpu, name);
        class->pipeline = other->pipeline;
        class->latency = other->latency;
        class->at = other->at ? g_array_copy(other->at) : NULL;
        class->source = ps_describe_source_name(name, "taken");
        ps_describe_source(
            describe, class->source, PS_SOURCE_ASSUMED,
            g_strdup_printf("%s is not measured; it has the latencies of %s.", name, *others));
        return;
    }
}

/* Makes a loop that was not measured: an addition, a comparison and a branch, each of which needs
 * the one before; two of them use the integer pipeline. */
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
    PsClass *class = ps_gpu_add_class(gpu, "loop");
    class->pipeline = iadd->pipeline;
    class->latency = latency;
    class->source = ps_describe_source_name("loop", "derived");
    ps_describe_source(
        describe, class->source, PS_SOURCE_DERIVED,
        g_strdup("loop is not measured: an addition, a comparison and a branch, each "
                 "of which needs the one before, with the latencies of iadd; two of "
                 "them occupy its pipeline."));
}

/* Names patterns of access as in graphs of compiled code: requests by their number of sectors of 32
 * bytes. A warp of 32 that reads every n-th element of 4 bytes touches 4 n of them, at most 32. */
static void substitute_sectors(PsDescribe *describe)
{
    static const struct {
        const char *name;
        const char *others[2];
    } sectors[] = {{"global.load.s8", {"global.load.stride2"}},
                   {"global.load.s16", {"global.load.stride4"}},
                   {"global.load.s32", {"global.load.stride8"}}};
    for (guint i = 0; describe->gpu->warp_size == 32 && i < G_N_ELEMENTS(sectors); i++)
        substitute(describe, sectors[i].name, sectors[i].others);
}

/* ---- what takes several instructions ------------------------------------------------------- */

/* A chain of `steps` instructions of a class, each of which needs the one before. */
static void derive_chain(PsDescribe *describe, const char *name, const char *step, gint64 steps)
{
    PsGpu *gpu = describe->gpu;
    PsLatency latency;
    if (has_class(gpu, name) || !has_class(gpu, step))
        return;
    const PsClass *one = ps_gpu_class(gpu, step, NULL);
    if (!ps_rational_mul(one->latency.issue, PS_RATIONAL_INT(steps), &latency.issue) ||
        !ps_rational_mul(one->latency.completion, PS_RATIONAL_INT(steps), &latency.completion))
        return;
    PsClass *class = ps_gpu_add_class(gpu, name);
    class->pipeline = one->pipeline;
    class->latency = latency;
    class->source = ps_describe_source_name(name, "taken");
    ps_describe_source(
        describe, class->source, PS_SOURCE_ASSUMED,
        g_strdup_printf("%s is not measured; it is taken for a chain of %" G_GINT64_FORMAT
                        " instructions of the class %s.",
                        name, steps, step));
}

/* Square roots and matrices, for which nothing better is known. A tensor operation counts as 2048
 * multiply-adds of a warp, 64 for each thread, if its own rate was not measured. */
static void derive_chains(PsDescribe *describe)
{
    derive_chain(describe, "sqrt", "rsqrt", 2);
    derive_chain(describe, "tensor", "fmadd", 64);
}

/* Classes that graphs of compiled code ask for, and that some devices or versions of the benchmarks
 * lack: the nearest measured class stands in. Nothing stands in for additions and the like, which
 * every device has: if they are missing, the user has left them out. */
static void substitute_compiled(PsDescribe *describe)
{
    static const struct {
        const char *name;
        const char *others[6];
    } nearest[] = {{"dadd", {"dfma", "dmul"}},
                   {"dmul", {"dfma", "dadd"}},
                   {"dfma", {"dmul", "dadd"}},
                   {"hadd", {"hfma", "hmul"}},
                   {"hmul", {"hfma", "hadd"}},
                   {"hfma", {"hmul", "hadd"}},
                   {"imad", {"fmadd", "iadd"}},
                   {"logic", {"iadd", "fadd"}},
                   {"shift", {"logic", "iadd", "fadd"}},
                   {"rsqrt", {"rcp", "exp2", "log2", "cos", "fadd"}},
                   {"rcp", {"rsqrt", "exp2", "log2", "cos", "fadd"}},
                   {"sin", {"cos", "exp2", "log2", "rsqrt", "fadd"}},
                   {"cos", {"sin", "exp2", "log2", "rsqrt", "fadd"}},
                   {"exp2", {"log2", "cos", "rsqrt", "fadd"}},
                   {"log2", {"exp2", "cos", "rsqrt", "fadd"}},
                   {"conversion", {"conversion.f2i", "rsqrt", "exp2", "iadd", "fadd"}},
                   {"branch", {"iadd", "fadd"}},
                   {"shuffle", {"local.load", "local", "iadd"}},
                   {"constant", {"local.load", "local", "iadd"}},
                   {"unknown", {"iadd", "fadd", "fmadd"}}};
    for (guint i = 0; i < G_N_ELEMENTS(nearest); i++)
        substitute(describe, nearest[i].name, nearest[i].others);
}

static void add_default(PsGpu *gpu, const char *kind, const char *class_name)
{
    if (!has_class(gpu, class_name))
        return;
    PsDefaultClass *fallback = g_new0(PsDefaultClass, 1);
    fallback->kind = g_strdup(kind);
    fallback->class_name = g_strdup(class_name);
    g_ptr_array_add(gpu->defaults, fallback);
}

void ps_describe_substitutes(PsDescribe *describe)
{
    static const char *const index[] = {"imad", "iadd", "fmadd", "fadd", NULL};
    static const char *const global[] = {"memory", "global.load", "global.load.dram", NULL};
    static const char *const memory[] = {"global", NULL};
    static const char *const local[] = {"local.load", "local.store", NULL};
    /* The degree that graphs mean by a conflict. */
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
    substitute_compiled(describe);
    substitute_sectors(describe);
    derive_chains(describe);
    derive_loop(describe);
    add_default(describe->gpu, "integer", "iadd");
    add_default(describe->gpu, "conversion", "conversion");
    add_default(describe->gpu, "atomic", "atomic");
}
