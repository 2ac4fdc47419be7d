/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock that power leaves where tensor cores are busy (R13). */
#include "answer/answer.h"
#include "answer/figures.h"
#include "answer/variant.h"

#include <math.h>

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    PsAnswer *answer;
} Asked;

static Asked ask(const char *graph, gint64 power_clock, gint64 clock)
{
    Asked asked = {.idg = ps_idg_load(graph, NULL), .gpu = ps_gpu_load("gpus/h100.xml", NULL)};
    asked.gpu->power_clock = PS_RATIONAL_INT(power_clock);
    const PsQuestion question = {
        .idg = asked.idg, .gpu = asked.gpu, .clock = PS_RATIONAL_INT(clock)};
    asked.answer = ps_answer_new(&question, NULL, NULL);
    g_assert_nonnull(asked.answer);
    return asked;
}

static void clear(Asked *asked)
{
    ps_answer_free(asked->answer);
    ps_gpu_free(asked->gpu);
    ps_idg_free(asked->idg);
}

#define GRAPH "graphs/product-wgmma-two-consumers.idg"

static double busy(const PsAnswer *answer)
{
    return answer->roofline.metrics.value[PS_M_OPS_TENSOR] /
           answer->roofline.peaks.value[PS_T_TENSOR] / ps_answer_execution(answer);
}

/* The cube of the clock goes with what the tensor cores do at the usual clock. */
static void test_cube(void)
{
    Asked usual = ask(GRAPH, 1000, 1980), slower = ask(GRAPH, 1000, 0);
    const double mhz = ps_rational_to_double(slower.answer->clock);
    g_assert_false(usual.answer->by_power);
    g_assert_true(slower.answer->by_power);
    g_assert_cmpfloat(fabs(mhz - 1000 / cbrt(busy(usual.answer))), <=, 1);
    g_assert_cmpfloat(slower.answer->seconds, >, usual.answer->seconds);
    clear(&usual);
    clear(&slower);
}

/* Neither a clock that somebody asks for, nor work of other units, nor power enough. */
static void test_left_alone(void)
{
    const struct {
        const char *graph;
        gint64 power, asked, is;
    } cases[] = {{GRAPH, 1000, 1500, 1500},
                 {GRAPH, 1980, 0, 1980},
                 {"graphs/saxpy.idg", 1000, 0, 1980},
                 {GRAPH, 0, 0, 1980}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Asked asked = ask(cases[i].graph, cases[i].power, cases[i].asked);
        g_assert_false(asked.answer->by_power);
        g_assert_true(ps_rational_cmp(asked.answer->clock, PS_RATIONAL_INT(cases[i].is)) == 0);
        clear(&asked);
    }
}

/* What is changed is at the clock that power leaves it, where nobody asked for one. */
static void test_variants(void)
{
    Asked asked = ask(GRAPH, 1000, 0);
    PsQuestion question = {.idg = asked.idg, .gpu = asked.gpu, .clock = asked.answer->clock};
    g_autoptr(PsCycleCache) cache = ps_cycle_cache_new();
    double seconds[2];
    for (guint by_power = 0; by_power < 2; by_power++) {
        g_autoptr(GPtrArray) variants =
            g_ptr_array_new_with_free_func((GDestroyNotify)ps_variant_free);
        PsVariant *variant = ps_variant_new(&question);
        PsWhatIf *twice = ps_what_if_new("tensor.wgmma");
        twice->times = TRUE;
        twice->issue = PS_RATIONAL_INT(2);
        g_ptr_array_add(variant->latencies, twice);
        variant->by_power = by_power;
        g_ptr_array_add(variants, variant);
        PsVariantEffort effort = {.most = G_MAXINT64, .sketches = TRUE};
        g_assert_true(ps_variants_run(&question, variants, 1, cache, &effort, NULL));
        PsQuestion alone = variant->question;
        alone.clock = by_power ? (PsRational){0, 1} : asked.answer->clock;
        PsAnswer *answer = ps_answer_new(&alone, NULL, NULL);
        g_assert_cmpfloat(fabs(variant->seconds / answer->seconds - 1), <, 1e-9);
        seconds[by_power] = variant->seconds;
        ps_answer_free(answer);
    }
    g_assert_cmpfloat(seconds[1], <, 0.95 * seconds[0]);
    clear(&asked);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer-power/cube", test_cube);
    g_test_add_func("/answer-power/left-alone", test_left_alone);
    g_test_add_func("/answer-power/variants", test_variants);
    return g_test_run();
}
