/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Micro-benchmarks: their common parts.
 */
#include "base/class-name.h"
#include "latency-bench/internal.h"
#include "latency-bench/plan/kernel-private.h"

#include <string.h>

void ps_bench_kernel_free(PsBenchKernel *kernel)
{
    if (!kernel)
        return;
    g_free(kernel->name);
    g_free(kernel->class_name);
    g_free(kernel->source);
    ps_idg_free(kernel->graph);
    g_free(kernel);
}

PsBenchKernel *ps_bench_add(GPtrArray *all, char *name, PsBenchKind kind, const char *class_name)
{
    PsBenchKernel *kernel = g_new0(PsBenchKernel, 1);
    kernel->name = name;
    kernel->kind = kind;
    kernel->class_name = g_strdup(class_name);
    kernel->ilp = kernel->unroll = kernel->step = 1;
    g_ptr_array_add(all, kernel);
    return kernel;
}

PsBenchKernel *ps_bench_sweep(void)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    PsBenchKernel *kernel = ps_bench_add(all, g_strdup("sweep"), PS_BENCH_LEVEL, "sweep");
    kernel->memory = PS_MEMORY_NONE;
    kernel->untimed = TRUE;
    kernel->source = g_strdup(ps_text_sweep);
    return kernel;
}

/* ---- sources ------------------------------------------------------------------------------- */

void ps_bench_define(GString *source, const char *name, const char *value)
{
    g_string_append_printf(source, "#define %s %s\n", name, value);
}

/* In a graph the steps of a trip are one loop, which costs nothing, around one node of each
 * chain. */
static PsIdg *chain_graph(const char *name, const PsChain *chain, gint64 ilp)
{
    GPtrArray *trip;
    PsIdg *idg = ps_bench_graph(name, &trip);
    GPtrArray *steps = ps_bench_loop(trip, chain->steps * chain->per_step);
    for (gint64 i = 0; i < ilp; i++) {
        g_autofree char *node = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_count(ps_bench_node(steps, node, chain->class_name, node), chain->operations,
                       chain->counts);
    }
    return idg;
}

static char *chain_source(const PsBenchKernel *kernel, const PsChain *chain, const char *setup)
{
    GString *source = g_string_new(NULL);
    g_autofree char *ilp = g_strdup_printf("%" G_GINT64_FORMAT, kernel->ilp);
    g_autofree char *trip = g_strdup_printf("S%" G_GINT64_FORMAT, chain->steps);
    g_autofree char *words =
        g_strdup_printf("%" G_GINT64_FORMAT "u", ps_class_access(chain->class_name).words);
    const struct {
        const char *name, *prefix;
    } by_type[] = {{"TYPE", "TYPE"}, {"FROM(n)", "FROM"}, {"IS(x, n)", "IS"}};
    const char *const arguments[] = {"", "(n)", "(x, n)"};
    static const char *const pairs[] = {"iadd", "fminmax", "iminmax", "beside", NULL};
    g_autofree char *op = g_strdup_printf("OP_%s(x, y)", chain->op);
    ps_bench_define(source, "ILP", ilp);
    ps_bench_define(source, "TRIP", trip);
    ps_bench_define(source, "WORDS", words);
    ps_bench_define(source, "OP(x, y)", op);
    for (guint i = 0; i < G_N_ELEMENTS(by_type); i++) {
        g_autofree char *value =
            g_strdup_printf("%s_%c%s", by_type[i].prefix, chain->type, arguments[i]);
        ps_bench_define(source, by_type[i].name, value);
    }
    if (g_strv_contains(pairs, chain->op))
        ps_bench_define(source, "PAIRS", "1");
    if (strcmp(chain->op, "beside") == 0)
        ps_bench_define(source, "TWO_CHAINS", "1");
    g_string_append(source, ps_text_each);
    g_string_append(source, setup);
    g_string_append(source, ps_text_chain);
    return g_string_free(source, FALSE);
}

void ps_bench_chain(PsBenchKernel *kernel, const PsChain *chain, gint64 ilp, const char *setup)
{
    kernel->ilp = ilp;
    kernel->unroll = chain->steps * chain->per_step;
    kernel->operations = (double)(chain->operations * kernel->unroll * ilp);
    kernel->needs_fp64 = chain->type == 'd';
    kernel->needs_fp16 = chain->type == 'h';
    kernel->backends = chain->backends;
    kernel->graph = chain_graph(kernel->name, chain, ilp);
    kernel->source = chain_source(kernel, chain, setup);
}

void ps_bench_chain_traffic(PsBenchKernel *kernel, gint64 bytes)
{
    const PsIdgCode *code = kernel->graph->codes->pdata[0];
    const PsIdgItem *trips = code->body->pdata[0], *steps = trips->body->pdata[0];
    for (guint i = 0; i < steps->body->len; i++)
        ps_bench_traffic(steps->body->pdata[i], bytes, kernel->level);
}

char *ps_bench_source(const PsBenchKernel *kernel, const char *backend)
{
    const gboolean cuda = strcmp(backend, "CUDA") == 0, hip = strcmp(backend, "HIP") == 0;
    GString *source = g_string_new(NULL);
    g_autofree char *name =
        g_strcanon(g_strdup(kernel->name), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
    if (kernel->needs_fp64)
        ps_bench_define(source, "NEEDS_FP64", "1");
    if (kernel->needs_fp16)
        ps_bench_define(source, "NEEDS_FP16", "1");
    if (cuda || hip)
        g_string_append(source, ps_text_prelude_module);
    g_string_append(source, cuda  ? ps_text_prelude_cuda
                            : hip ? ps_text_prelude_hip
                                  : ps_text_prelude_opencl);
    g_string_append(source, ps_text_common);
    ps_bench_define(source, "NAME", name);
    g_string_append(source, kernel->source);
    return g_string_free(source, FALSE);
}
