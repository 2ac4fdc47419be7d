/* SPDX-License-Identifier: BSD-3-Clause */
/* See raw.h. */
#include "latency-bench/internal.h"
#include "tests/help/raw.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>

const PsDeviceInfo raw_device = {
    .backend = (char *)"model",
    .name = (char *)"Test \"GPU\", \xc3\xa4 1",
    .vendor = (char *)"nobody",
    .driver = (char *)"1.2",
    .compute_units = 2,
    .warp_size = 32,
    .schedulers = 4,
    .clock = {3013, 2},
    .boost_clock = {10000, 7},
    .limits = {.warps = 64, .local_memory = 65536},
    .memory = G_GINT64_CONSTANT(85899345920),
    .counter = TRUE,
    .fp64 = TRUE,
};

PsRawRow raw_row(gint64 length, gint64 repeat, double cycles, double seconds)
{
    return (PsRawRow){
        .kernel = (char *)"fadd-ilp2",
        .class_name = (char *)"fadd",
        .kind = PS_BENCH_CHAIN,
        .ilp = 2,
        .unroll = 64,
        .operations = 1 / 3.0,
        .launch = {2, 96, 0, 3, length, 0, 0, repeat},
        .sample = {cycles, seconds, NAN},
    };
}

PsRawRow raw_problem(const char *kernel, gint64 groups, const char *problem)
{
    PsRawRow row = raw_row(8, 0, NAN, NAN);
    row.kernel = (char *)kernel;
    row.launch = (PsBenchLaunch){.groups = groups};
    row.problem = (char *)problem;
    return row;
}

static void free_plan(void *plan)
{
    bench_plan_free(plan);
}

static void add_kernel(PsBenchPlan *plan, const char *name)
{
    PsBenchKernel *kernel = bench_chain("fadd", 2, 64);
    g_free(kernel->name);
    kernel->name = g_strdup(name);
    kernel->operations = 1 / 3.0;
    g_ptr_array_add(plan->kernels, kernel);
}

/* Plans with all of these rows (g_ptr_array_unref). */
GPtrArray *raw_plans(void)
{
    const PsBenchPoint points[] = {
        {0, raw_row(8, 0, 1, 1).launch, 2},
        {0, raw_row(24, 0, 1, 1).launch, 3},
        {0, {.groups = 9}, 1},
    };
    GPtrArray *plans = g_ptr_array_new_with_free_func(free_plan);
    PsBenchPlan *plan = bench_plan();
    add_kernel(plan, "fadd-ilp2");
    add_kernel(plan, "fmul");
    g_array_append_vals(plan->points, points, G_N_ELEMENTS(points));
    g_ptr_array_add(plans, plan);
    return plans;
}

/* Five rows. */
void raw_put_rows(PsRawWriter *writer, guint from)
{
    const PsRawRow rows[] = {
        raw_row(8, 0, 1 / 3.0, NAN),
        raw_row(8, 1, 0x1.fffffffffffffp+52, 1e-300),
        raw_row(24, 0, NAN, 0.1),
        raw_problem("fadd-ilp2", 9, "too \"large\", so"),
        raw_problem("fmul", 0, "line 1\nline 2"),
    };
    for (guint i = from; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_true(ps_raw_writer_put(writer, &rows[i], &error));
        g_assert_no_error(error);
    }
}

void raw_write_sample(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsRawWriter *writer = ps_raw_writer_new(path, &raw_device, NULL, NULL, &error);
    g_assert_no_error(error);
    raw_put_rows(writer, 0);
    g_assert_true(ps_raw_writer_close(writer, &error));
    g_assert_no_error(error);
}

/* A new file each time: unlike one that is written anew, it need not go to the disk at once. */
void raw_set_contents(const char *path, const char *text, gssize length)
{
    g_unlink(path);
    FILE *file = fopen(path, "w");
    const gsize bytes = length < 0 ? strlen(text) : (gsize)length;
    const gsize written = fwrite(text, 1, bytes, file);
    const int failed = fclose(file);
    g_assert_cmpuint(written, ==, bytes);
    g_assert_cmpint(failed, ==, 0);
}

void raw_check_refused(const char *path, const PsDeviceInfo *info, gboolean resume,
                       const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) plans = resume ? raw_plans() : NULL;
    g_autofree char *before = bench_read(path);
    g_assert_null(ps_raw_writer_new(path, info, plans, NULL, &error));
    g_assert_nonnull(error);
    g_assert_cmpstr(error ? error->message + strlen(path) : "", ==, message);
    g_autofree char *after = bench_read(path);
    g_assert_cmpstr(before, ==, after);
}
