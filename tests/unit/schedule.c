/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies from an assembler's schedule: the chains that it is asked for, what is no answer, and
 * what follows from one, of machine code that is stored.
 */
#include "gpu/rows.h"
#include "latency-bench/schedule.h"
#include "tests/help/contains.h"
#include "tests/help/machine.h"

#include <stdio.h>
#include <string.h>

/* ---- what is asked ------------------------------------------------------------------------- */

static void test_source(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *old = ps_schedule_source("sm_75", &error);
    g_autofree char *new = ps_schedule_source("sm_121", &error);
    g_assert_no_error(error);
    g_assert_nonnull(strstr(old, ".target sm_75\n"));
    g_assert_null(strstr(old, "m16n8k16"));
    g_assert_nonnull(strstr(new, ".target sm_80\n"));
    g_assert_cmpuint(count_of(new, ".visible .entry "), >, count_of(old, ".visible .entry "));
    /* Twelve steps of one chain, and of eight. */
    g_assert_cmpuint(count_of(new, "fma.rn.f32 %x0_0, %x0_0, %g, %h;"), ==, 2 * 12);
    g_assert_cmpuint(count_of(new, "fma.rn.f32 %x7_0, %x7_0, %g, %h;"), ==, 12);
}

static void test_architectures(void)
{
    static const char *const none[] = {"", "sm_", "sm_74", "sm_122", "sm_090", "sm_90a", "gfx90a"};
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(ps_schedule_source(none[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    }
}

/* ---- no answer ----------------------------------------------------------------------------- */

static void test_other_code(void)
{
    g_auto(Machine) machine = machine_new(90);
    g_autoptr(GError) error = NULL;
    machine_add(&machine, NV_FADD, 1, 1, 2, NV_NONE);
    g_autoptr(GBytes) image = machine_file(&machine, &(MachineFile){0});
    g_assert_null(ps_schedule_read(image, "sm_90", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, ".text.fadd_1"));
}

static void test_no_code(void)
{
    g_autoptr(GBytes) image = g_bytes_new_static("PTX", 3);
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_schedule_read(image, "sm_90", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
}

static void test_nothing_fixed(void)
{
    PsScheduled class = {.class_name = "fadd", .by = PS_SCHEDULED_SCOREBOARD, .issue = 4};
    g_autoptr(PsSchedule) schedule = g_new0(PsSchedule, 1);
    g_autoptr(GError) error = NULL;
    schedule->capability = 90;
    schedule->classes = g_array_new(FALSE, FALSE, sizeof(PsScheduled));
    schedule->forwards = g_array_new(FALSE, FALSE, sizeof(PsForward));
    g_array_append_val(schedule->classes, class);
    g_assert_null(ps_schedule_describe(schedule, "ptxas 1.0", &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
}

/* ---- an answer ----------------------------------------------------------------------------- */

static PsSchedule *stored(const char *architecture)
{
    g_autofree char *command = g_strdup_printf("gzip -dc tests/compiler/%s.cubin.gz", architecture);
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) bytes = g_string_new(NULL);
    char block[4096];
    FILE *pipe = popen(command, "r");
    for (gsize n; pipe && (n = fread(block, 1, sizeof block, pipe)) > 0;)
        g_string_append_len(bytes, block, (gssize)n);
    g_assert_cmpint(pclose(pipe), ==, 0);
    g_autoptr(GBytes) cubin = g_bytes_new(bytes->str, bytes->len);
    PsSchedule *schedule = ps_schedule_read(cubin, architecture, &error);
    g_assert_no_error(error);
    return schedule;
}

static void assert_class(const PsSchedule *schedule, const char *name, PsScheduledBy by,
                         gint64 issue, gint64 completion)
{
    guint n = 0;
    for (guint i = 0; i < schedule->classes->len; i++) {
        const PsScheduled *class = &g_array_index(schedule->classes, PsScheduled, i);
        if (strcmp(class->class_name, name) != 0)
            continue;
        n++;
        g_assert_cmpint(class->by, ==, by);
        g_assert_cmpint(class->issue, ==, issue);
        g_assert_cmpint(class->completion, ==, completion);
    }
    g_assert_cmpuint(n, ==, 1);
}

static void test_classes(void)
{
    g_autoptr(PsSchedule) hopper = stored("sm_90"), ada = stored("sm_89"), turing = stored("sm_75");
    assert_class(hopper, "fmadd", PS_SCHEDULED_FIXED, 1, 4);
    assert_class(hopper, "hadd", PS_SCHEDULED_FIXED, 1, 6);
    assert_class(hopper, "dfma", PS_SCHEDULED_FIXED, 2, 8);
    assert_class(hopper, "tensor", PS_SCHEDULED_FIXED, 6, 24); /* with instructions that fill */
    assert_class(hopper, "exp2", PS_SCHEDULED_SCOREBOARD, 8, 0);
    assert_class(ada, "dfma", PS_SCHEDULED_BORROWED, 4, 0);
    assert_class(ada, "tensor", PS_SCHEDULED_BORROWED, 8, 24);
    assert_class(ada, "fmadd", PS_SCHEDULED_FIXED, 1, 4);
    assert_class(turing, "dfma", PS_SCHEDULED_SCOREBOARD, 4, 0);
    g_assert_cmpstr(hopper->family, ==, "hopper");
}

/* A step of several instructions. */
static void test_absent(void)
{
    g_autoptr(PsSchedule) blackwell = stored("sm_100");
    assert_class(blackwell, "tensor.s8.m16n8k16", PS_SCHEDULED_FIXED, 8, 20);
    for (guint i = 0; i < blackwell->classes->len; i++) {
        const PsScheduled *class = &g_array_index(blackwell->classes, PsScheduled, i);
        g_assert_true((strcmp(class->class_name, "tensor.s8.m8n8k16") == 0) ==
                      (class->by == PS_SCHEDULED_ABSENT));
    }
}

static void test_family(void)
{
    g_autoptr(PsSchedule) turing = stored("sm_75");
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_schedule_describe(turing, "ptxas 1.0", &error);
    g_assert_no_error(error);
    const PsClass *loop = ps_gpu_class(gpu, "loop", NULL);
    g_assert_true(ps_rational_cmp(loop->latency.issue, PS_RATIONAL_INT(2 + 2)) == 0);
    g_assert_true(ps_rational_cmp(loop->latency.completion, PS_RATIONAL_INT(4 + 12)) == 0);
    g_assert_null(ps_gpu_class(gpu, "dfma", NULL));
    const PsSource *source = ps_gpu_source(gpu, loop->source);
    g_assert_cmpint(source->kind, ==, PS_SOURCE_DERIVED);
    g_assert_nonnull(strstr(source->text, "ptxas 1.0 assembled for compute capability 7.5"));
    g_assert_nonnull(strstr(source->text, " hadd: HADD2;"));
    for (guint i = 0; i < gpu->pipelines->len; i++)
        g_assert_true(((const PsPipeline *)gpu->pipelines->pdata[i])->per_scheduler);
    g_autofree char *alone = ps_gpu_write_family(gpu, NULL);
    g_autofree char *text = ps_gpu_write_family(gpu, turing->family);
    g_assert_nonnull(strstr(text, "<family xmlns=\"urn:pipesim:gpu:1\" version=\"1\" "
                                  "extends=\"turing\">"));
    g_assert_null(strstr(alone, "extends"));
    g_assert_null(strstr(alone, "<chip"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/schedule/source", test_source);
    g_test_add_func("/schedule/architectures", test_architectures);
    g_test_add_func("/schedule/other-code", test_other_code);
    g_test_add_func("/schedule/no-code", test_no_code);
    g_test_add_func("/schedule/nothing-fixed", test_nothing_fixed);
    g_test_add_func("/schedule/classes", test_classes);
    g_test_add_func("/schedule/absent", test_absent);
    g_test_add_func("/schedule/family", test_family);
    return g_test_run();
}
