/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock that power leaves where tensor cores are busy (R13). */
#include "answer/answer.h"
#include "answer/figures.h"

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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer-power/cube", test_cube);
    g_test_add_func("/answer-power/left-alone", test_left_alone);
    return g_test_run();
}
