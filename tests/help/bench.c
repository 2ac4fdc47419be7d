/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Benchmarks made by hand for tests: see bench.h.
 */
#include "tests/help/bench.h"

#include "tests/help/build-graph.h"

#include <glib/gstdio.h>
#include <string.h>

static PsIdg *chain_graph(const PsBenchKernel *kernel)
{
    PsIdg *idg = build_idg("1", "32");
    g_autofree char *unroll = g_strdup_printf("%" G_GINT64_FORMAT, kernel->unroll);
    ps_idg_add_param(idg, "length", build_expr("1"));
    GPtrArray *body = build_loop(build_loop(ps_idg_add_code(idg)->body, "length"), unroll);
    for (gint64 i = 0; i < kernel->ilp; i++) {
        g_autofree char *name = g_strdup_printf("c%" G_GINT64_FORMAT, i);
        build_node(body, name, kernel->class_name, name);
    }
    return idg;
}

PsBenchKernel *bench_chain(const char *class_name, gint64 ilp, gint64 unroll)
{
    PsBenchKernel *kernel = g_new0(PsBenchKernel, 1);
    kernel->name = g_strdup_printf("%s-ilp%" G_GINT64_FORMAT, class_name, ilp);
    kernel->kind = PS_BENCH_CHAIN;
    kernel->class_name = g_strdup(class_name);
    kernel->ilp = ilp;
    kernel->unroll = unroll;
    kernel->operations = (double)(ilp * unroll);
    kernel->graph = chain_graph(kernel);
    return kernel;
}

static void kernel_free(void *data)
{
    PsBenchKernel *kernel = data;
    ps_idg_free(kernel->graph);
    g_free(kernel->name);
    g_free(kernel->class_name);
    g_free(kernel->source);
    g_free(kernel);
}

PsBenchPlan *bench_plan(void)
{
    PsBenchPlan *plan = g_new(PsBenchPlan, 1);
    plan->kernels = g_ptr_array_new_with_free_func(kernel_free);
    plan->points = g_array_new(FALSE, FALSE, sizeof(PsBenchPoint));
    plan->warnings = g_ptr_array_new_with_free_func(g_free);
    return plan;
}

void bench_plan_free(PsBenchPlan *plan)
{
    g_ptr_array_unref(plan->kernels);
    g_array_unref(plan->points);
    g_ptr_array_unref(plan->warnings);
    g_free(plan);
}

void bench_plan_add(PsBenchPlan *plan, PsBenchKernel *kernel, gint64 compute_units,
                    const gint64 *warps, guint repeats)
{
    static const gint64 lengths[] = {8, 24};
    g_ptr_array_add(plan->kernels, kernel);
    for (; *warps > 0; warps++)
        for (guint i = 0; i < G_N_ELEMENTS(lengths); i++) {
            const PsBenchPoint point = {
                .kernel = plan->kernels->len - 1,
                .launch = {.groups = compute_units,
                           .group_size = *warps * 32,
                           .warps = *warps,
                           .length = lengths[i]},
                .repeats = repeats,
            };
            g_array_append_val(plan->points, point);
        }
}

PsGpu *bench_gpu(void)
{
    PsGpu *gpu = build_gpu(2, 3);
    gpu->schedulers = 4;
    gpu->model.schedulers = TRUE;
    ((PsPipeline *)gpu->pipelines->pdata[2])->per_scheduler = TRUE;
    build_class(gpu, "fadd", 0, (PsRational){1, 4}, PS_RATIONAL_INT(6));
    build_class(gpu, "cos", 1, PS_RATIONAL_INT(1), PS_RATIONAL_INT(14));
    build_class(gpu, "fmadd", 2, PS_RATIONAL_INT(2), PS_RATIONAL_INT(8));
    return gpu;
}

char *bench_read(const char *path)
{
    char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_file_get_contents(path, &text, NULL, &error);
    g_assert_no_error(error);
    char *when = text ? strstr(text, "device,when,") : NULL;
    char *end = when ? strchr(when, '\n') : NULL;
    if (end)
        memmove(when, end + 1, strlen(end));
    return text;
}

char *bench_path(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-bench-XXXXXX", NULL);
    return g_build_filename(folder, "raw.csv", NULL);
}

void bench_path_free(char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_unlink(path);
    g_rmdir(folder);
    g_free(path);
}
