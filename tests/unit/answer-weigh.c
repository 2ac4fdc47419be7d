/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What decides a time, by an estimate, beside what simulations with each figure 10 % longer say;
 * what limits a run; and that a rate which nobody measured is found where it is all that counts.
 */
#include "answer/figures.h"
#include "gpu/internal.h"
#include "tell/figure-words.h"
#include "tests/help/ask.h"
#include "tell/trust.h"

#include <math.h>
#include <string.h>

/* ---- beside simulations -------------------------------------------------------------------- */

static double elasticity(const PsSensitivity *row)
{
    return isnan(row->elasticity) ? 0 : fabs(row->elasticity);
}

/* A class stands for both latencies of all that it serves, a level for its latency and its rates,
 * requests for the issue latencies of what levels serve. */
static gboolean is_of(const PsMachine *machine, const PsSensitivity *row, const PsWeighed *one)
{
    if (ps_varies_of_level(row->varies))
        return one->kind == PS_ASSUMED_LEVEL &&
               machine->levels[row->class_index].level == one->level;
    if (row->varies != PS_VARIES_ISSUE && row->varies != PS_VARIES_COMPLETION)
        return FALSE;
    const PsMachineClass *bound = &machine->classes[row->class_index];
    return one->kind == PS_ASSUMED_CLASS
               ? !bound->by_levels && strcmp(bound->class->name, one->name) == 0
               : one->kind == PS_ASSUMED_MEMORY && strcmp(one->attribute, "request") == 0 &&
                     bound->by_levels && row->varies == PS_VARIES_ISSUE;
}

static double simulated(const PsAnswer *answer, const PsWeighed *one)
{
    const GPtrArray *rows = answer->sensitivities->rows;
    double sum = 0;
    for (guint i = 0; i < rows->len; i++)
        if (is_of(answer->machine, rows->pdata[i], one))
            sum += elasticity(rows->pdata[i]);
    return sum;
}

/* What launches cost is no latency that can be tried. */
static const PsWeighed *most(const GArray *weighed)
{
    guint i = 0;
    while (g_array_index(weighed, PsWeighed, i).kind == PS_ASSUMED_OVERHEADS)
        i++;
    return &g_array_index(weighed, PsWeighed, i);
}

/* The figure that decides most, by both; the estimate is off by so much at most. */
static void check(const char *gpu_file, const char *graph, double bound)
{
    g_autoptr(PsIdg) idg = ps_idg_load(graph, NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load(gpu_file, NULL);
    PsQuestion question = {.idg = idg, .gpu = gpu, .explain = TRUE};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_assert_nonnull(answer);
    g_assert_true(ps_answer_find_sensitivities(answer, &question, TRUE, 2, NULL));
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    const PsWeighed *first = most(weighed);
    double largest = 0;
    for (guint i = 0; i < weighed->len; i++)
        largest = fmax(largest, simulated(answer, &g_array_index(weighed, PsWeighed, i)));
    const double is = simulated(answer, first);
    g_test_message("%s on %s: %s, level %d, %s: %.3f, simulated %.3f", graph, gpu_file,
                   first->name ? first->name : "-", (int)first->level,
                   first->attribute ? first->attribute : "-", first->share, is);
    g_assert_cmpfloat(is, ==, largest);
    g_assert_cmpfloat(fabs(is - first->share), <, bound);
    ps_answer_free(answer);
}

static void test_simulated(void)
{
    static const char *const gpus[] = {"gpus/v100.xml", "gpus/a100.xml", "gpus/mi210.xml"};
    for (guint i = 0; i < G_N_ELEMENTS(gpus); i++) {
        check(gpus[i], "graphs/saxpy.idg", 0.1);
        check(gpus[i], "graphs/reduction.idg", 0.12);
    }
    check("gpus/pascal.xml", "graphs/mmul08.idg", 0.1);
    /* Where two are nearly saturated, the other one takes over when one becomes faster. */
    check("gpus/rtx3090.xml", "graphs/transpose-conflict.idg", 0.5);
    check("gpus/mi210.xml", "tests/validate/graphs/rodinia/gaussian-Fan2-256.idg", 0.25);
}

/* ---- what nobody measured ------------------------------------------------------------------ */

static const PsWeighed *called(const GArray *weighed, PsAssumedKind kind, const char *attribute)
{
    for (guint i = 0; i < weighed->len; i++) {
        const PsWeighed *one = &g_array_index(weighed, PsWeighed, i);
        if (one->kind == kind && g_strcmp0(one->attribute, attribute) == 0)
            return one;
    }
    return NULL;
}

/* Stores of a sector for each lane, as a naive transpose has: on an A100 an assumed rate decides.
 */
static void test_partial(void)
{
    static const char text[] =
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='columns'>"
        "<launch groups='65536' group-size='1024'/><code>"
        "<node name='x' class='global.load' bytes='4' l1='1' l2='1' device='1'/>"
        "<node name='y' class='global.store.s32' after='x' bytes='4' l1='0' l2='8' device='1'/>"
        "</code></idg>";
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "columns.idg", NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    const PsWeighed *first = &g_array_index(weighed, PsWeighed, 0);
    g_assert_cmpstr(first->attribute, ==, "partial");
    g_assert_true(first->assumed);
    g_assert_cmpfloat(first->share, >, 0.9);
    g_assert_cmpstr(ps_answer_limit(answer), ==, "partial");
    g_assert_cmpuint(ps_answer_known_error(answer).rows, ==, 0);
    g_auto(PsTrust) trust = ps_answer_trust(answer);
    gboolean atomics = FALSE;
    for (guint i = 0; i < trust.assumed->len; i++)
        atomics |= g_array_index(trust.assumed, PsAssumed, i).kind == PS_ASSUMED_ATOMICS;
    g_assert_true(atomics);
    ps_answer_free(answer);
}

/* Elements that L1 holds, one after the other: the units for textures decide, and a load of memory
 * would not. */
static void test_texture(void)
{
    static const char *const classes[][2] = {{"global.load.texture", "texture"},
                                             {"global.load", "request"}};
    double seconds[G_N_ELEMENTS(classes)];
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        g_autofree char *text =
            g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='look-up'>"
                            "<launch groups='10800' group-size='256'/><code><loop times='100'>"
                            "<node name='x' class='%s' bytes='4' l1='1' l2='0' device='0'/></loop>"
                            "</code></idg>",
                            classes[i][0]);
        g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "look-up.idg", NULL);
        g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
        const PsQuestion question = {.idg = idg, .gpu = gpu};
        PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
        g_autoptr(GArray) weighed = ps_answer_weigh(answer);
        const PsWeighed *one = called(weighed, PS_ASSUMED_MEMORY, classes[i][1]);
        seconds[i] = answer->seconds - answer->launch_seconds;
        g_assert_cmpint(one != NULL && one->share > 0.9, ==, i == 0);
        ps_answer_free(answer);
    }
    /* 100 groups a compute unit, of eight warps: each look-up takes 8 cycles */
    g_assert_cmpfloat_with_epsilon(seconds[0], 100 * 8 * 100 * 8 / 1410e6, 0.01 * seconds[0]);
    g_assert_cmpfloat(seconds[1], <, 0.5 * seconds[0]);
}

/* Four warps, of which the first works: at one scheduler of four, if the first warp of each group
 * is scheduler 0's. Where all work alike nothing goes by that. */
static void test_first_slot(void)
{
    static const struct {
        const char *warps, *rest;
        gboolean decides;
    } cases[] = {{" warps='0'", "<code><node name='y' class='fmadd'/></code>", TRUE},
                 {"", "", FALSE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='uneven'>"
                            "<launch groups='6480' group-size='128'/><code%s><loop times='500'>"
                            "<node name='x' class='fmadd'/></loop></code>%s</idg>",
                            cases[i].warps, cases[i].rest);
        g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "uneven.idg", NULL);
        g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
        const PsQuestion question = {.idg = idg, .gpu = gpu};
        PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
        g_assert_nonnull(answer);
        g_autoptr(GArray) weighed = ps_answer_weigh(answer);
        const PsWeighed *slot = called(weighed, PS_ASSUMED_OVERHEADS, "first-slot");
        g_assert_true((slot != NULL) == cases[i].decides);
        if (slot) {
            g_assert_true(slot->assumed);
            g_assert_cmpfloat(slot->share, >, 0.6);
            g_assert_cmpfloat(slot->share, <, 0.76);
        }
        ps_answer_free(answer);
    }
}

/* Eight special functions, then a chain beside them, on an A100 whose queue holds so many; returns
 * seconds, and what the queue's length decides. */
static double with_queue(gint64 length, double *share)
{
    static const char text[] =
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='burst'>"
        "<launch groups='108' group-size='128'/><code><loop times='1000'>"
        "<node name='x' class='rcp'/><node name='y' class='rcp'/><node name='z' class='rcp'/>"
        "<node name='u' class='rcp'/><node name='a' class='fmadd' after='a'/>"
        "<node name='b' class='fmadd' after='a'/><node name='c' class='fmadd' after='b'/>"
        "<node name='d' class='fmadd' after='c'/><node name='e' class='fmadd' after='d'/>"
        "</loop></code></idg>";
    g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "burst.idg", NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
    PsPipeline *sfu = gpu->pipelines->pdata[ps_gpu_find_pipeline(gpu, "sfu")];
    g_assert_cmpint(sfu->queue, >, 0);
    sfu->queue = length;
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_assert_nonnull(answer);
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    const PsWeighed *queue = called(weighed, PS_ASSUMED_PIPELINE, "pipeline-queue");
    g_assert_true((queue != NULL) == (length > 0));
    *share = queue ? queue->share : 0;
    if (queue) {
        g_assert_true(queue->assumed);
        g_autofree char *name = ps_weighed_name(answer, queue);
        g_assert_cmpstr(name, ==, "how many instructions wait in front of sfu");
    }
    const double seconds = answer->seconds;
    ps_answer_free(answer);
    return seconds;
}

/* What a longer queue gains is about what the queue is said to decide; one that never fills decides
 * nothing. */
static void test_queue(void)
{
    double none = 0, one = 0, four = 0, long_one = 0;
    const double without = with_queue(0, &none), at_one = with_queue(1, &one),
                 at_four = with_queue(4, &four), at_most = with_queue(64, &long_one);
    g_test_message("%.1f, %.1f, %.1f, %.1f us; %.3f, %.3f, %.3f", 1e6 * without, 1e6 * at_one,
                   1e6 * at_four, 1e6 * at_most, one, four, long_one);
    g_assert_cmpfloat(at_one, <, without);
    g_assert_cmpfloat(at_four, <, at_one);
    g_assert_cmpfloat(one, >, 0.5 * (1 - at_most / at_one));
    g_assert_cmpfloat(one, <, 2 * (1 - at_most / at_one));
    g_assert_cmpfloat(one, >, four);
    g_assert_cmpfloat(long_one, <, 0.01);
}

/* The kernel's launch is an exact part; shares add up to no more than the whole. */
static void test_sum(void)
{
    g_autoptr(PsIdg) idg = ps_idg_load("graphs/saxpy.idg", NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_autoptr(GArray) weighed = ps_answer_weigh(answer);
    double sum = 0, before = 1;
    for (guint i = 0; i < weighed->len; i++) {
        const PsWeighed *one = &g_array_index(weighed, PsWeighed, i);
        g_assert_cmpfloat(one->share, <=, before);
        before = one->share;
        sum += one->share;
    }
    g_assert_cmpfloat(sum, >, 0.9);
    g_assert_cmpfloat(sum, <, 1.001);
    assert_close(called(weighed, PS_ASSUMED_OVERHEADS, "kernel-launch")->share,
                 answer->launch_seconds / answer->seconds);
    ps_answer_free(answer);
}

/* ---- the clock ----------------------------------------------------------------------------- */

static double seconds_at(const char *gpu_file, const char *graph, gint64 mhz, double *share)
{
    g_autoptr(PsIdg) idg = ps_idg_load(graph, NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load(gpu_file, NULL);
    gpu->clock = gpu->boost_clock = gpu->load_clock = PS_RATIONAL_INT(mhz);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    const double seconds = answer->seconds;
    if (share)
        *share = ps_answer_clock_share(answer);
    g_assert_cmpfloat(ps_answer_timed(answer), >, seconds + 2e-6);
    ps_answer_free(answer);
    return seconds;
}

/* In a graph of launches another figure stands in for the launch; where there is none, nothing. */
static void test_in_graph(void)
{
    const gint64 launches[] = {1, 0};
    for (guint i = 0; i < G_N_ELEMENTS(launches); i++) {
        g_autoptr(PsIdg) idg = ps_idg_load("graphs/saxpy.idg", NULL);
        g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/v100.xml", NULL);
        gpu->overheads.in_graph = PS_RATIONAL_INT(launches[i]);
        const PsQuestion question = {.idg = idg, .gpu = gpu};
        PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
        g_assert_cmpfloat(answer->launch_seconds, >, 0);
        const double own = answer->seconds - answer->launch_seconds;
        g_assert_cmpfloat_with_epsilon(ps_answer_in_graph(answer), i == 0 ? own + 1e-6 : 0, 1e-12);
        const double ceiling = ps_launch_roofline_seconds(&answer->roofline, PS_CLAMP_CEILING);
        g_assert_cmpfloat_with_epsilon(ps_answer_headroom(answer), own / ceiling, 1e-9);
        ps_answer_free(answer);
    }
}

/* A clock that is 1 % higher says how much of the time goes by it. */
static void test_clock(void)
{
    static const char *const gpus[] = {"gpus/a100.xml", "gpus/rtx4090.xml", "gpus/mi300x.xml"};
    static const char *const graphs[] = {"graphs/saxpy.idg", "graphs/reduction.idg",
                                         "graphs/cos.idg", "tests/golden/input/hot.idg",
                                         "tests/levels/partial.idg"};
    for (guint g = 0; g < G_N_ELEMENTS(gpus); g++)
        for (guint k = 0; k < G_N_ELEMENTS(graphs); k++) {
            double share = 0;
            const double slow = seconds_at(gpus[g], graphs[k], 1300, &share);
            const double fast = seconds_at(gpus[g], graphs[k], 1313, NULL);
            const double is = (slow - fast) / slow / (1 - 1300.0 / 1313);
            g_test_message("%s on %s: %.3f, simulated %.3f", graphs[k], gpus[g], share, is);
            g_assert_cmpfloat(fabs(is - share), <, 0.1);
        }
}

/* A measured time below the least one is no time of this launch. */
static void test_measured(void)
{
    g_autoptr(PsIdg) idg = ps_idg_load("graphs/saxpy.idg", NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    const double least = answer->roofline.prediction.ceiling_seconds;
    const guint before = answer->warnings->len;
    g_assert_cmpfloat(least, >, 0);
    ps_answer_note_measured(answer, 0);
    ps_answer_note_measured(answer, 1.01 * least);
    g_assert_cmpuint(answer->warnings->len, ==, before);
    ps_answer_note_measured(answer, 0.5 * least);
    g_assert_cmpuint(answer->warnings->len, ==, before + 1);
    const char *says = answer->warnings->pdata[before];
    g_assert_nonnull(strstr(says, " us are less than this GPU needs at least, 5.395 us: "));
    ps_answer_free(answer);
}

/* ---- how near others were ------------------------------------------------------------------ */

static PsKnownError known(const char *gpu_file, const char *graph, const char *limit)
{
    g_autoptr(PsIdg) idg = ps_idg_load(graph, NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load(gpu_file, NULL);
    const PsQuestion question = {.idg = idg, .gpu = gpu};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_assert_cmpstr(ps_answer_limit(answer), ==, limit);
    const PsKnownError error = ps_answer_known_error(answer);
    ps_answer_free(answer);
    return error;
}

/* The error is that of its architecture, else that of all others, or there is none at all. */
static void test_known(void)
{
    const PsKnownError own = known("gpus/v100.xml", "graphs/stencil.idg", "device");
    const PsKnownError others = known("gpus/rtx5090.xml", "graphs/stencil.idg", "device");
    const PsKnownError none = known("gpus/v100.xml", "graphs/mmul08.idg", "local");
    g_assert_true(own.same);
    g_assert_cmpuint(own.rows, >, 0);
    g_assert_cmpfloat(own.mean, >, 0);
    g_assert_cmpfloat(own.worst, >=, own.mean);
    g_assert_false(others.same);
    g_assert_cmpuint(others.rows, >, own.rows);
    g_assert_cmpfloat(others.worst, >=, own.worst);
    g_assert_cmpuint(none.rows, ==, 0);
    /* A worst of few is told beside that of all. */
    const PsKnownError enough = known("gpus/mi100.xml", "graphs/stencil.idg", "device");
    g_assert_cmpuint(own.rows, <, PS_KNOWN_ENOUGH);
    g_assert_cmpuint(own.rows_of_all, ==, others.rows);
    g_assert_cmpfloat(own.worst_of_all, >=, own.worst);
    g_assert_cmpfloat(own.worst_of_all, >=, enough.worst);
    g_assert_cmpuint(enough.rows, >=, PS_KNOWN_ENOUGH);
    g_assert_cmpuint(enough.rows_of_all, ==, 0);
    g_assert_cmpuint(others.rows_of_all, ==, 0);
}

/* What was measured reads in order, which a gather does not. */
static void test_scattered(void)
{
    static const char *const classes[] = {"global.load", "global.load.s32"};
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        g_autofree char *text = g_strdup_printf(
            "<idg xmlns='urn:pipesim:idg:1' version='1' name='gather'>"
            "<launch groups='65536' group-size='256'/><code>"
            "<node name='x' class='%s' bytes='4' l1='%u' l2='%u' device='%u'/>"
            "<node name='y' class='global.store' after='x' bytes='4' l1='1' l2='1' device='1'/>"
            "</code></idg>",
            classes[i], i ? 8 : 1, i ? 8 : 1, i ? 8 : 1);
        g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "gather.idg", NULL);
        g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/v100.xml", NULL);
        const PsQuestion question = {.idg = idg, .gpu = gpu};
        PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
        g_assert_cmpstr(ps_answer_limit(answer), ==, "device");
        g_autofree char *told = ps_known_error_describe(answer);
        g_assert_nonnull(strstr(told, "of 3 (few; on all GPUs "));
        g_assert_true((strstr(told, "unlike global.load.s32") != NULL) == (i == 1));
        ps_answer_free(answer);
    }
}

/* None of them multiplies matrices, either. */
static void test_tensor(void)
{
    static const char *const classes[] = {"tensor.f16.f32.m16n8k16", "fmadd"};
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        g_autofree char *text =
            g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='products'>"
                            "<launch groups='108' group-size='32'/><code><loop times='1000'>"
                            "<node name='x' class='%s' after='x'/></loop></code></idg>",
                            classes[i]);
        g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "products.idg", NULL);
        g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
        const PsQuestion question = {.idg = idg, .gpu = gpu};
        PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
        g_assert_cmpstr(ps_answer_limit(answer), ==, "latency");
        g_autofree char *told = ps_known_error_describe(answer);
        g_assert_true(g_str_has_suffix(told, ", none of which uses tensor cores") == (i == 0));
        ps_answer_free(answer);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/weigh/simulated", test_simulated);
    g_test_add_func("/answer/weigh/partial", test_partial);
    g_test_add_func("/answer/weigh/texture", test_texture);
    g_test_add_func("/answer/weigh/first-slot", test_first_slot);
    g_test_add_func("/answer/weigh/queue", test_queue);
    g_test_add_func("/answer/weigh/sum", test_sum);
    g_test_add_func("/answer/weigh/clock", test_clock);
    g_test_add_func("/answer/weigh/measured", test_measured);
    g_test_add_func("/answer/weigh/in-graph", test_in_graph);
    g_test_add_func("/answer/weigh/known", test_known);
    g_test_add_func("/answer/weigh/scattered", test_scattered);
    g_test_add_func("/answer/weigh/tensor", test_tensor);
    return g_test_run();
}
