/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What advice costs, as counts, which are the same on every day: with the run and what explains it
 * no more than five runs simulate, or of small ones what takes a fraction of a second; and what it
 * says, however many threads there are.
 */
#include "tests/help/ask.h"

#include "answer/variant.h"

#include <math.h>

/* Instructions of small runs, beside the run itself and what explains it. */
#define LEAST 24000000

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    PsQuestion question;
    PsAnswer *answer;
} Advised;

static void advised_clear(Advised *advised)
{
    ps_answer_free(advised->answer);
    ps_gpu_free(advised->gpu);
    ps_idg_free(advised->idg);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Advised, advised_clear)

/* As the program asks for advice, and for --report for the whole table. */
static void advise(PsAnswer **answer, PsQuestion *question, gboolean whole, guint threads)
{
    g_autoptr(GError) error = NULL;
    question->explain = question->sketch = TRUE;
    question->precision = 0.005;
    *answer = ps_answer_new(question, NULL, &error);
    g_assert_no_error(error);
    g_assert_true(ps_answer_find_sensitivities(*answer, question, whole, threads, &error));
    g_assert_true(ps_answer_find_advice(*answer, question, threads, &error));
}

static Advised advised_new(const char *graph, const char *gpu, gint64 groups, gboolean whole,
                           guint threads)
{
    g_autofree char *graph_file = g_strdup_printf("graphs/%s.idg", graph);
    g_autofree char *gpu_file = g_strdup_printf("gpus/%s.xml", gpu);
    Advised advised = {ps_idg_load(graph_file, NULL), ps_gpu_load(gpu_file, NULL), {0}, NULL};
    advised.question =
        (PsQuestion){.idg = advised.idg, .gpu = advised.gpu, .launch.groups = groups};
    advise(&advised.answer, &advised.question, whole, threads);
    return advised;
}

static void check_cost(const PsAnswer *answer, const PsQuestion *question)
{
    const PsSensitivities *known = answer->sensitivities;
    const gint64 simulated = answer->result.simulated, sketched = answer->explain->simulated;
    const gint64 rest = known->instructions + (sketched == simulated ? 0 : sketched);
    g_assert_cmpint(rest, <=, MAX(4 * simulated, simulated + LEAST));
    g_assert_cmpint(known->cost, <=, ps_variants_effort(question, answer).most);
    g_assert_cmpuint(known->runs, >, 0);
}

/* A graph of which each other graph, and each machine, takes longer than a run. */
static void test_large(void)
{
    GString *codes = g_string_new("<code>");
    for (guint i = 0; i < 5000; i++)
        g_string_append_printf(codes, "<node name='n%u' class='%s' line='%u'/>", i,
                               i % 2 ? "global" : "a", i % 7 + 1);
    g_string_append(codes, "</code>");
    g_auto(Asked) asked = asked_new("", "groups='8' group-size='64'", codes->str);
    advise(&asked.answer, &asked.question, FALSE, 2);
    check_cost(asked.answer, &asked.question);
    g_string_free(codes, TRUE);
}

/* A run that repeats, too late for all to be tried. */
static void test_threads(void)
{
    g_auto(Advised) one = advised_new("mmul08", "h100", 65536, FALSE, 1);
    g_auto(Advised) two = advised_new("mmul08", "h100", 65536, FALSE, 2);
    const PsSensitivities *a = one.answer->sensitivities, *b = two.answer->sensitivities;
    check_cost(one.answer, &one.question);
    g_assert_cmpuint(a->untried, >, 0);
    g_assert_cmpuint(a->untried, ==, b->untried);
    g_assert_cmpuint(a->runs, ==, b->runs);
    g_assert_cmpint(a->instructions, ==, b->instructions);
    g_assert_cmpint(a->cost, ==, b->cost);
    g_assert_cmpuint(one.answer->advice->len, ==, two.answer->advice->len);
    for (guint i = 0; i < one.answer->advice->len; i++) {
        const PsAdvice *x = one.answer->advice->pdata[i], *y = two.answer->advice->pdata[i];
        g_assert_cmpint(x->cause, ==, y->cause);
        g_assert_cmpfloat(x->seconds, ==, y->seconds);
        g_assert_cmpfloat(x->half_width, ==, y->half_width);
    }
}

/* In a run that never repeats, the sketch gives the answer of one without advice, to the last tick,
 * and rows of its path add up to that. */
static void test_sketch(void)
{
    g_auto(Advised) advised = advised_new("mmul08", "v100", 1048576, FALSE, 2);
    check_cost(advised.answer, &advised.question);
    PsQuestion plain = advised.question;
    plain.explain = FALSE;
    g_autoptr(GError) error = NULL;
    PsAnswer *answer = ps_answer_new(&plain, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpint(answer->result.ticks, ==, advised.answer->result.ticks);
    g_assert_cmpint(answer->result.half_width, ==, advised.answer->result.half_width);
    g_assert_cmpint(answer->result.simulated, >, 2 * advised.answer->explain->simulated);
    gint64 sum = 0, launches = 0;
    for (guint i = 0; i < advised.answer->explain->path->len; i++) {
        const PsPathRow *row = advised.answer->explain->path->pdata[i];
        sum += row->ticks;
        launches += row->kind == PS_PATH_LAUNCH ? row->ticks : 0;
    }
    g_assert_cmpint(sum, ==, answer->result.ticks);
    g_assert_cmpint(launches, <, sum / 1000); /* barriers are found across what is passed over */
    ps_answer_free(answer);
}

/* What --report of the README's example simulates, in instructions: the run, the whole table and
 * advice, and the page's sweep. Bounds are what it was measured to be, and less than 2 % more. */
static void test_report(void)
{
    g_auto(Advised) advised = advised_new("mmul08", "pascal", 0, TRUE, 2);
    const PsAnswer *answer = advised.answer;
    gint64 sweep = 0;
    for (gint64 active = 1; active < answer->machine->launch.active_groups; active++) {
        g_autoptr(GError) error = NULL;
        PsQuestion point = advised.question;
        point.explain = FALSE;
        point.launch.active = active;
        g_autoptr(PsAnswer) one = ps_answer_prepare(&point, &error);
        g_assert_no_error(error);
        g_assert_true(ps_answer_time(one, &point, NULL, 0, NULL, &error));
        sweep += one->result.simulated;
    }
    g_test_message("%" G_GINT64_FORMAT " of the run, %" G_GINT64_FORMAT
                   " of the table and advice, %" G_GINT64_FORMAT " of the sweep",
                   answer->result.simulated, answer->sensitivities->instructions, sweep);
    g_assert_cmpint(answer->result.simulated, <, 1780000);
    g_assert_cmpint(answer->sensitivities->instructions, <, 86000000);
    g_assert_cmpint(sweep, <, 11900000);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/advice-cost/large", test_large);
    g_test_add_func("/advice-cost/threads", test_threads);
    g_test_add_func("/advice-cost/sketch", test_sketch);
    g_test_add_func("/advice-cost/report", test_report);
    return g_test_run();
}
