/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stages of a software pipeline: which there are, and how full they are, against what was found by
 * hand.
 */
#include "sim/listen/stages.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

#include <math.h>

/* A ring of two stages; each use keeps its pipeline for 6 cycles. */
#define RING(copy)                                                                                 \
    "<idg xmlns='urn:pipesim:idg:1' version='1' name='ring'>\n"                                    \
    "<param name='n' value='3'>what</param>\n"                                                     \
    "<launch groups='1' group-size='64'/>\n"                                                       \
    "<code name='producer' warps='0'>\n" copy "</code>\n"                                          \
    "<code name='consumer'>\n"                                                                     \
    "<loop times='n'>\n"                                                                           \
    "<node name='use' class='use' awaits='producer:copy'/>\n"                                      \
    "</loop>\n"                                                                                    \
    "</code>\n"                                                                                    \
    "</idg>\n"

static const char two_stages[] =
    RING("<loop times='n'>\n"
         "<node name='copy' class='copy.load' bytes='4' awaits='consumer:use@2'/>\n"
         "</loop>\n");

/* Nobody waits until a stage is empty. */
static const char endless[] = RING("<loop times='n'>\n"
                                   "<node name='copy' class='copy.load' bytes='4'/>\n"
                                   "</loop>\n");

/* The same as the first, with the first copies in a loop of their own. */
static const char peeled[] =
    "<idg xmlns='urn:pipesim:idg:1' version='1' name='ring'>\n"
    "<param name='n' value='3'>what</param>\n"
    "<launch groups='1' group-size='64'/>\n"
    "<code name='producer' warps='0'>\n"
    "<loop times='2'><node name='copy' class='copy.load' bytes='4'/></loop>\n"
    "<loop times='n-2'>\n"
    "<node name='empty' class='use' awaits='consumer:use'/>\n"
    "<node name='more' class='copy.load' bytes='4'/>\n"
    "</loop>\n"
    "</code>\n"
    "<code name='consumer'>\n"
    "<loop times='n'>\n"
    "<node name='use' class='use' awaits='producer:copy@0..all producer:more@2'/>\n"
    "</loop>\n"
    "</code>\n"
    "</idg>\n";

/* One warp copies one ahead. */
static const char alone[] = "<idg xmlns='urn:pipesim:idg:1' version='1' name='alone'>\n"
                            "<param name='n' value='3'>what</param>\n"
                            "<launch groups='1' group-size='32'/>\n"
                            "<code>\n"
                            "<node name='first' class='copy.load' bytes='4' line='7'/>\n"
                            "<loop times='n'>\n"
                            "<node name='copy' class='copy.load' bytes='4' line='7'/>\n"
                            "<node name='use' class='use' after='first copy@1' line='9'/>\n"
                            "</loop>\n"
                            "<node name='last' class='use' after='copy' line='9'/>\n"
                            "</code>\n"
                            "</idg>\n";

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    Engine engine;
    GPtrArray *rings;
} Bench;

static Bench bench_new(const char *text, int n, int groups)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *value = g_strdup_printf("value='%d'", n);
    g_autoptr(GString) with = g_string_new(text);
    g_autofree char *launch = g_strdup_printf("groups='%d'", groups);
    g_string_replace(with, "value='3'", value, 1);
    g_string_replace(with, "groups='1'", launch, 1);
    Bench bench = {.idg = ps_idg_parse(with->str, with->len, "x.idg", &error),
                   .gpu = build_gpu(1, 2)};
    g_assert_no_error(error);
    build_class(bench.gpu, "copy", 0, PS_RATIONAL_INT(3), PS_RATIONAL_INT(10));
    build_class(bench.gpu, "use", 1, PS_RATIONAL_INT(6), PS_RATIONAL_INT(4));
    const EngineRun run = {.idg = bench.idg,
                           .gpu = bench.gpu,
                           .options = {.active = 1},
                           .refinements = {.order = PS_ORDER_PROGRAM}};
    g_assert_true(engine_open(&bench.engine, &run, &error));
    g_assert_no_error(error);
    bench.rings = ps_rings_new(bench.engine.kernel, bench.engine.machine->launch.warps_per_group);
    return bench;
}

static void bench_free(Bench *bench)
{
    g_ptr_array_unref(bench->rings);
    engine_close(&bench->engine);
    ps_idg_free(bench->idg);
    build_gpu_free(bench->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Bench, bench_free)

/* How long fillings of a state are there, in all, by the changes that are told. */
static void on_change(void *data, const PsStageChange *change)
{
    double *ticks = data;
    g_assert_cmpuint(change->ring, ==, 0);
    ticks[change->state] -= change->fillings * (double)change->time;
}

/* What is told as it changes adds up to the means. */
static void test_changes(void)
{
    g_auto(Bench) bench = bench_new(two_stages, 3, 1);
    g_autoptr(PsStages) stages = ps_stages_new(bench.engine.machine, bench.rings);
    const PsListener listener = ps_stages_listener(stages);
    const PsSimOptions options = {.listeners = &listener, .n_listeners = 1};
    double ticks[PS_STAGE_N_STATES] = {0};
    PsSimResult result;
    ps_stages_watch(stages, on_change, ticks);
    g_assert_true(ps_sim_run(bench.engine.machine, &options, &result, NULL));
    g_assert_cmpfloat_with_epsilon(ticks[PS_STAGE_UNDER_WAY], 30, 1e-9);
    g_assert_cmpfloat_with_epsilon(ticks[PS_STAGE_FULL], 3, 1e-9);
    g_assert_cmpfloat_with_epsilon(ticks[PS_STAGE_IN_USE], 12, 1e-9);
}

/* The means of the only ring. */
static PsStageMeans means_of(const Bench *bench, gboolean no_fast_forward)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsStages) stages = ps_stages_new(bench->engine.machine, bench->rings);
    const PsListener listener = ps_stages_listener(stages);
    const PsSimOptions options = {
        .listeners = &listener, .n_listeners = 1, .no_fast_forward = no_fast_forward};
    PsSimResult result;
    g_assert_true(ps_sim_run(bench->engine.machine, &options, &result, &error));
    g_assert_no_error(error);
    g_assert_true(no_fast_forward || result.ticks < 1000 || result.skips > 0);
    return ps_stages_means(stages, 0);
}

static const PsRing *only_ring(const Bench *bench)
{
    g_assert_cmpuint(bench->rings->len, ==, 1);
    return bench->rings->pdata[0];
}

/* Copies are under way from 0, 3 and 14, each for 10 cycles; uses are at 10, 16 and 24, each for 4
 * cycles. So one filling, which is there at 13, is full for 3. */
static void test_by_hand(void)
{
    const char *const same[] = {two_stages, peeled};
    for (guint i = 0; i < G_N_ELEMENTS(same); i++) {
        g_auto(Bench) bench = bench_new(same[i], 3, 1);
        const PsRing *ring = only_ring(&bench);
        g_assert_cmpint(ring->stages, ==, 2);
        g_assert_cmpint(ring->fills, ==, 3);
        g_assert_cmpint(ring->bytes, ==, 12);
        g_assert_cmpint(ring->ahead, ==, 0);
        if (i > 0)
            continue;
        const PsStageMeans means = means_of(&bench, TRUE);
        g_assert_cmpfloat_with_epsilon(means.under_way, 30 / 24., 1e-12);
        g_assert_cmpfloat_with_epsilon(means.full, 3 / 24., 1e-12);
        g_assert_cmpfloat_with_epsilon(means.in_use, 12 / 24., 1e-12);
    }
}

/* What is skipped adds as much as what is simulated. */
static void test_skipped(void)
{
    const char *const texts[] = {two_stages, peeled, alone};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_auto(Bench) bench = bench_new(texts[i], 12, 500);
        const PsStageMeans all = means_of(&bench, TRUE), some = means_of(&bench, FALSE);
        g_assert_cmpfloat(all.under_way, >, 0);
        g_assert_cmpfloat(some.under_way, ==, all.under_way);
        g_assert_cmpfloat(some.full, ==, all.full);
        g_assert_true(some.in_use == all.in_use || (isnan(some.in_use) && isnan(all.in_use)));
    }
}

/* Copies begin every 3 cycles; the uses, every 6 from 10 on, end at 22. */
static void test_endless(void)
{
    g_auto(Bench) bench = bench_new(endless, 3, 1);
    g_assert_cmpint(only_ring(&bench)->stages, ==, 0);
    const PsStageMeans means = means_of(&bench, TRUE);
    g_assert_cmpfloat_with_epsilon(means.under_way, 30 / 22., 1e-12);
    g_assert_cmpfloat_with_epsilon(means.full, (3 + 6) / 22., 1e-12);
    g_assert_true(isnan(means.in_use));
}

/* Copies of one line are of one ring: the second is begun when the first is taken. */
static void test_alone(void)
{
    g_auto(Bench) bench = bench_new(alone, 3, 1);
    g_assert_cmpint(only_ring(&bench)->ahead, ==, 2);
    g_assert_cmpint(only_ring(&bench)->stages, ==, 0);
    g_assert_cmpint(only_ring(&bench)->givers, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/stages/by-hand", test_by_hand);
    g_test_add_func("/stages/skipped", test_skipped);
    g_test_add_func("/stages/endless", test_endless);
    g_test_add_func("/stages/alone", test_alone);
    g_test_add_func("/stages/changes", test_changes);
    return g_test_run();
}
