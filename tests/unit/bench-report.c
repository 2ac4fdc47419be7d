/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is said of measurements: which plan a device gets, the report of a description, the chart of
 * its hulls, an assembler's schedule, and the page of the machine code.
 */
#include "base/hearer.h"
#include "latency-bench/code.h"
#include "latency-bench/validate.h"
#include "tell/bench/chart.h"
#include "tell/bench/report.h"
#include "tell/bench/schedule.h"
#include "tell/json.h"
#include "tests/help/bench.h"

#include <string.h>

static const gint64 WARPS[] = {1, 2, 4, 8, 16, 32, 0};

/* The rows of two pipelines of a model, measured into a file. */
static PsRaw *measured(void)
{
    PsGpu *gpu = bench_gpu();
    PsBenchPlan *plan = bench_plan();
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    for (gint64 ilp = 1; ilp <= 4; ilp *= 2) {
        bench_plan_add(plan, bench_chain("fadd", ilp, 64), 2, WARPS, 2);
        bench_plan_add(plan, bench_chain("cos", ilp, 32), 2, WARPS, 2);
    }
    const PsModelDevice model = {.gpu = gpu};
    PsDevice *device = ps_device_model(&model, &error);
    g_assert_no_error(error);
    PsRawWriter *writer = ps_raw_writer_new(path, &device->info, NULL, NULL, &error);
    g_assert_no_error(error);
    const PsBenchMeasure measure = {.writer = writer};
    g_assert_true(ps_bench_measure(device, plan, &measure, &error));
    g_assert_true(ps_raw_writer_close(writer, &error));
    PsRaw *raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    ps_device_close(device);
    bench_plan_free(plan);
    bench_path_free(path);
    ps_gpu_free(gpu);
    return raw;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void test_report(void)
{
    g_autoptr(PsRaw) raw = measured();
    g_autoptr(PsBenchResult) result = ps_bench_describe(raw, NULL);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new();
    g_autoptr(GString) text = g_string_new(NULL), json = g_string_new(NULL);
    g_ptr_array_add(warnings, (gpointer) "doubtful");
    const PsBenchReport report = {raw, result, NULL, "a b.xml", warnings, "--gpu"};
    const PsPaper paper = {.out = text};
    g_autoptr(PsTold) facts = ps_bench_report_told(&report);
    ps_bench_report_text(&report, facts, &paper);
    ps_json_told_document(json, facts);
    g_assert_cmpuint(ps_bench_samples(&report), ==, raw->rows->len);
    g_assert_nonnull(strstr(text->str, " samples through model"));
    g_assert_nonnull(strstr(text->str, "pipesim fadd.idg --gpu 'a b.xml'\n"));
    g_assert_nonnull(strstr(json->str, "\"class\": \"fadd\""));
    g_assert_nonnull(strstr(json->str, "\"doubtful\""));
    g_assert_nonnull(strstr(json->str, "\"description\": \"a b.xml\""));
}

/* Launches that failed are no samples. */
static void test_samples(void)
{
    g_autoptr(PsRaw) raw = measured();
    PsRawRow *row = raw->rows->pdata[0];
    const PsBenchReport report = {.raw = raw};
    row->problem = g_strdup("no memory");
    g_assert_cmpuint(ps_bench_samples(&report), ==, raw->rows->len - 1);
}

/* A panel for each pipeline that was measured, with a key for each class. */
static void test_chart(void)
{
    double height;
    g_autoptr(PsRaw) raw = measured();
    g_autoptr(PsBenchResult) result = ps_bench_describe(raw, NULL);
    g_autofree char *script = ps_bench_chart_script(raw, result, &height);
    g_assert_nonnull(strstr(script, "fadd"));
    g_assert_nonnull(strstr(script, "cos"));
    g_assert_nonnull(strstr(script, "cycles per warp instruction"));
    g_assert_null(strstr(script, "intensity sweep"));
    g_assert_cmpfloat(height, >, 0);
    g_array_set_size(result->fits, 0);
    g_autofree char *none = ps_bench_chart_script(raw, result, &height);
    g_assert_nonnull(strstr(none, "nothing was measured"));
}

/* ---- plans ----------------------------------------------------------------------------------- */

static void test_choose(void)
{
    PsGpu *gpu = bench_gpu();
    const PsModelDevice model = {.gpu = gpu};
    PsDevice *device = ps_device_model(&model, NULL);
    g_autoptr(GError) error = NULL;
    PsBenchPlan *some = ps_bench_choose(&device->info, FALSE, PS_GRID_QUICK, "fadd*", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(some->kernels->len, >, 0);
    g_assert_null(ps_bench_choose(&device->info, FALSE, PS_GRID_QUICK, "fdad", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_true(g_str_has_suffix(error->message, "; did you mean fadd*?"));
    g_autoptr(GPtrArray) all = ps_bench_plans(&device->info, FALSE);
    g_assert_cmpuint(all->len, ==, 3);
    g_assert_cmpuint(((PsBenchPlan *)all->pdata[0])->points->len, >,
                     ((PsBenchPlan *)all->pdata[2])->points->len);
    g_autoptr(GPtrArray) whole = ps_bench_plans(&device->info, TRUE);
    g_assert_cmpuint(whole->len, ==, 3);
    ps_bench_plan_free(some);
    ps_device_close(device);
    ps_gpu_free(gpu);
}

/* ---- an assembler's schedule ----------------------------------------------------------------- */

/* What is not the class's stands in parentheses, with a note; what is absent stands nowhere. */
static void test_schedule(void)
{
    const PsScheduled classes[] = {{"fadd", PS_SCHEDULED_FIXED, (char *)"FADD", 1, 4},
                                   {"sqrt", PS_SCHEDULED_SCOREBOARD, (char *)"MUFU.SQRT", 8, 0},
                                   {"dadd", PS_SCHEDULED_BORROWED, (char *)"DADD", 2, 6},
                                   {"hadd", PS_SCHEDULED_ABSENT, (char *)"", 0, 0}};
    const PsForward forward = {"a to b", (char *)"LOP3", (char *)"IMAD", 5};
    PsSchedule schedule = {.classes = g_array_new(FALSE, FALSE, sizeof(PsScheduled)),
                           .forwards = g_array_new(FALSE, FALSE, sizeof(PsForward))};
    g_array_append_vals(schedule.classes, classes, G_N_ELEMENTS(classes));
    g_array_append_val(schedule.forwards, forward);
    const PsScheduleReport report = {&schedule, "sm_90", "ptxas 1.0", "out.xml"};
    g_autoptr(GString) text = g_string_new(NULL), json = g_string_new(NULL);
    const PsPaper paper = {.out = text};
    g_autoptr(PsTold) facts = ps_schedule_told(&report);
    ps_schedule_text(&report, &paper);
    ps_json_told_document(json, facts);
    g_assert_true(g_str_has_prefix(text->str, "sm_90, by the stall counts of ptxas 1.0\n"));
    g_assert_nonnull(strstr(text->str, "(8)  scoreboard  MUFU.SQRT"));
    g_assert_nonnull(strstr(text->str, "(2)         (6)  DADD"));
    g_assert_nonnull(strstr(text->str, "the schedule of sm_80"));
    g_assert_nonnull(strstr(text->str, "   5  a to b (LOP3, IMAD)"));
    g_assert_null(strstr(text->str, "hadd"));
    g_assert_nonnull(strstr(json->str, "\"by\": \"assembler\""));
    g_assert_nonnull(strstr(json->str, "\"class\": \"hadd\""));
    g_array_unref(schedule.classes);
    g_array_unref(schedule.forwards);
}

/* ---- machine code ---------------------------------------------------------------------------- */

static void test_page(void)
{
    static const char *const none[] = {"sm_7", NULL};
    const PsHearer nobody = {0};
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_code_page(none, NULL, "--", &nobody, &error));
    g_assert_true(g_str_has_prefix(error->message, "--code: "));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/bench-report/report", test_report);
    g_test_add_func("/bench-report/samples", test_samples);
    g_test_add_func("/bench-report/chart", test_chart);
    g_test_add_func("/bench-report/choose", test_choose);
    g_test_add_func("/bench-report/schedule", test_schedule);
    g_test_add_func("/bench-report/page", test_page);
    return g_test_run();
}
