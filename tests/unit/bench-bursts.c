/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues in front of special functions (R11): GPUs that were made up are measured as devices that
 * simulate, and as many places are described as were made up. Where bursts do not tell, nothing is.
 */
#include "gpu/rows.h"
#include "tests/help/made-up.h"

#include <string.h>

/* What is described of a GPU whose special functions take so many cycles each, with that pipeline's
 * attributes. */
static PsBenchResult *measured(int issue, const char *pipeline, double noise)
{
    static const char *const kernels[] = {"exp2-*", "fmadd-*", "burst-*"};
    g_autoptr(GError) error = NULL;
    g_autofree char *own =
        g_strdup_printf("<source id='q' kind='assumed'>Made up.</source><pipeline name='sfu' %s/>"
                        "<class name='exp2' pipeline='sfu' issue='%d' completion='%d'/>"
                        "<class name='fmadd' pipeline='f' issue='2' completion='5'/>"
                        "<model schedulers='on' order='program'/>",
                        pipeline, issue, issue + 13);
    g_autoptr(PsGpu) gpu = made_up_gpu(32, own);
    const PsModelDevice model = {.gpu = gpu, .noise = noise, .worst = 1, .seed = 5};
    g_autoptr(PsDevice) device = ps_device_model(&model, &error);
    char *path = bench_path();
    PsRawWriter *writer = ps_raw_writer_new(path, &device->info, NULL, NULL, &error);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    const PsBenchMeasure how = {.writer = writer, .warnings = warnings};
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        g_autoptr(PsBenchPlan) plan = ps_bench_plan(&device->info, PS_GRID_FULL, kernels[i]);
        g_assert_true(ps_bench_measure(device, plan, &how, &error));
    }
    g_assert_true(ps_raw_writer_close(writer, NULL));
    PsRaw *raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    bench_path_free(path);
    PsBenchResult *result = ps_bench_describe(raw, &error);
    g_assert_no_error(error);
    ps_raw_free(raw);
    return result;
}

static const PsPipeline *special(const PsBenchResult *result)
{
    const PsClass *class = ps_gpu_class(result->gpu, "exp2", NULL);
    g_assert_nonnull(class);
    return result->gpu->pipelines->pdata[class->pipeline];
}

static gboolean is_untold(const PsBenchResult *result)
{
    return made_up_warned(result, "bursts of eight do not tell");
}

static void test_places(void)
{
    for (int issue = 4; issue <= 16; issue *= 2)
        for (gint64 queue = 1; queue <= 5; queue++) {
            g_autofree char *pipeline = g_strdup_printf(
                "per='scheduler' queue='%" G_GINT64_FORMAT "' queue-source='q'", queue);
            g_autoptr(PsBenchResult) result = measured(issue, pipeline, issue == 8 ? 0.005 : 0);
            g_test_message("%d cycles, %" G_GINT64_FORMAT " places", issue, queue);
            g_assert_cmpint(special(result)->queue, ==, queue);
            g_assert_cmpstr(special(result)->queue_source, ==, "bursts");
            g_assert_false(is_untold(result));
            g_autofree char *text = ps_gpu_write(result->gpu);
            g_assert_nonnull(strstr(text, "queue-source=\"bursts\""));
        }
}

/* One pipeline of all schedulers has a queue of each. */
static void test_shared(void)
{
    g_autoptr(PsBenchResult) result = measured(8, "queue='3' queue-source='q'", 0);
    g_assert_cmpint(special(result)->queue, ==, 3);
}

static void test_none(void)
{
    g_autoptr(PsBenchResult) result = measured(8, "per='scheduler'", 0);
    g_assert_cmpint(special(result)->queue, ==, 0);
    g_assert_null(special(result)->queue_source);
    g_assert_false(is_untold(result));
}

/* A queue that never fills, and a unit that takes an instruction each cycle. */
static void test_untold(void)
{
    g_autoptr(PsBenchResult) large = measured(4, "per='scheduler' queue='9' queue-source='q'", 0);
    g_assert_cmpint(special(large)->queue, ==, 0);
    g_assert_true(is_untold(large));
    g_autoptr(PsBenchResult) fast = measured(1, "per='scheduler' queue='4' queue-source='q'", 0);
    g_assert_cmpint(special(fast)->queue, ==, 0);
    g_assert_false(is_untold(fast));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/bench-bursts/places", test_places);
    g_test_add_func("/bench-bursts/shared", test_shared);
    g_test_add_func("/bench-bursts/none", test_none);
    g_test_add_func("/bench-bursts/untold", test_untold);
    return g_test_run();
}
