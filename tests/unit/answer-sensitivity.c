/* SPDX-License-Identifier: BSD-3-Clause */
/* What the result does when one input changes: what is tried, what it gives, and what cannot be. */
#include "tests/help/ask.h"

#include <math.h>

#define CHAIN "<code><loop times='50'><node name='x' class='global.load' after='x'/></loop></code>"

static const PsSensitivity *row_of(const PsAnswer *answer, PsVaries varies, guint class_index)
{
    const GPtrArray *rows = answer->sensitivities->rows;
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        if (row->varies == varies && row->class_index == class_index)
            return row;
    }
    return NULL;
}

static void assert_rational(PsRational is, gint64 num, gint64 den)
{
    g_assert_cmpint(is.num, ==, num);
    g_assert_cmpint(is.den, ==, den);
}

/* Half, 10 % more and double of a latency, each as if it had been asked for. */
static void test_latency(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'", CHAIN);
    const PsAnswer *answer = ask_advice(&asked);
    const PsSensitivity *row = row_of(answer, PS_VARIES_COMPLETION, 0);
    assert_rational(row->value, 200, 1);
    assert_rational(row->tried[0], 100, 1);
    assert_rational(row->tried[1], 220, 1);
    assert_rational(row->tried[2], 400, 1);
    assert_close(row->seconds[0], ask_if(&asked, "global.completion=100"));
    assert_close(row->seconds[1], ask_if(&asked, "global.completion=220"));
    assert_close(row->seconds[2], ask_if(&asked, "global.completion=400"));
    assert_close(row->elasticity, (row->seconds[1] / answer->seconds - 1) / 0.1);
    assert_close(row->effect, row->seconds[2] / answer->seconds - 1);
    g_assert_cmpstr(row->class_name, ==, "global.load");
    const GPtrArray *rows = answer->sensitivities->rows;
    for (guint i = 1; i < rows->len; i++)
        g_assert_cmpfloat(((const PsSensitivity *)rows->pdata[i])->effect, <=,
                          ((const PsSensitivity *)rows->pdata[i - 1])->effect);
}

/* Whole numbers stay whole, rounded away from what they are. */
static void test_whole(void)
{
    g_auto(Asked) asked = asked_new("", "groups='30' group-size='32' registers='50'", CHAIN);
    asked.question.launch.active = 3;
    const PsAnswer *answer = ask_advice(&asked);
    const PsSensitivity *active = row_of(answer, PS_VARIES_ACTIVE, 0);
    assert_rational(active->tried[0], 1, 1);
    assert_rational(active->tried[1], 4, 1);
    assert_rational(active->tried[2], 6, 1);
    const PsSensitivity *registers = row_of(answer, PS_VARIES_REGISTERS, 0);
    assert_rational(registers->tried[0], 25, 1);
    assert_rational(registers->tried[1], 55, 1);
    /* Groups were asked for by number, whatever would fit. */
    assert_close(registers->seconds[0], answer->seconds);
    g_assert_null(row_of(answer, PS_VARIES_LOCAL_MEMORY, 0));
    assert_rational(row_of(answer, PS_VARIES_CLOCK, 0)->tried[1], 1100, 1);
}

/* What cannot be says why, and has no time. */
static void test_impossible(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='30' group-size='256' registers='32' local-memory='1'", CHAIN);
    const PsAnswer *answer = ask_advice(&asked);
    g_assert_cmpstr(row_of(answer, PS_VARIES_LOCAL_MEMORY, 0)->why[0], ==, "1 cannot be halved");
    const PsSensitivity *active = row_of(answer, PS_VARIES_ACTIVE, 0);
    g_assert_cmpstr(active->why[0], ==, "1 cannot be halved");
    g_assert_true(isnan(active->seconds[0]));
    const PsSensitivity *registers = row_of(answer, PS_VARIES_REGISTERS, 0);
    g_assert_nonnull(registers->why[2]);
    g_assert_true(isnan(registers->seconds[2]));
    g_assert_null(registers->why[0]);
}

/* What advice alone needs: half of the completion latencies that a kernel may wait for less, where
 * they take enough of the path and no pipeline is in the way. */
static void test_part(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'",
                                    "<code><node name='z' class='local.load'/>"
                                    "<loop times='40'><node name='x' class='a' after='y z'/>"
                                    "<node name='y' class='global.load' after='x'/></loop></code>");
    ask_why(&asked);
    g_assert_true(ps_answer_find_sensitivities(asked.answer, &asked.question, FALSE, 1, NULL));
    g_assert_cmpuint(asked.answer->sensitivities->rows->len, ==, 1);
    const PsSensitivity *row = asked.answer->sensitivities->rows->pdata[0];
    g_assert_cmpstr(row->class_name, ==, "global.load");
    g_assert_cmpstr(ps_varies_name(row->varies), ==, "completion");
    g_assert_false(isnan(row->seconds[0]));
    g_assert_true(isnan(row->seconds[1]));
    g_assert_cmpuint(asked.answer->sensitivities->runs, ==, 1);
    g_assert_cmpint(asked.answer->sensitivities->instructions, >, 0);
    g_auto(Asked) busy = asked_new("", "groups='64' group-size='64'",
                                   "<code><loop times='40'><node name='x' class='global.load'/>"
                                   "</loop></code>");
    ask_why(&busy);
    g_assert_true(ps_answer_find_sensitivities(busy.answer, &busy.question, FALSE, 1, NULL));
    g_assert_cmpuint(busy.answer->sensitivities->rows->len, ==, 0);
    g_assert_true(ps_varies_of_level(PS_VARIES_LEVEL_PORT));
    g_assert_false(ps_varies_of_level(PS_VARIES_ACTIVE));
}

/* The ceiling does not hide what an issue latency does; it still holds back the others. */
static void test_clamp(void)
{
    g_auto(Asked) asked =
        asked_new("<peak name='B_mem' value='33'/>", "groups='64' group-size='64'",
                  "<code><loop times='20'><node name='x' class='global.load' "
                  "bytes='4' device='1'/></loop></code>");
    const PsAnswer *answer = ask_advice(&asked);
    g_assert_false(answer->clamped);
    const PsSensitivity *issue = row_of(answer, PS_VARIES_ISSUE, 0);
    assert_close(issue->seconds[0], ask_if(&asked, "global.issue=4"));
    g_assert_cmpfloat(issue->seconds[0], <, answer->roofline.prediction.ceiling_seconds);
    const PsSensitivity *clock = row_of(answer, PS_VARIES_CLOCK, 0);
    g_assert_cmpfloat(clock->seconds[2], >=, answer->roofline.prediction.ceiling_seconds);
}

/* Where levels serve nodes of one class otherwise, factors are of what each takes, and come on top
 * of what is asked already: half of twice is what there was. A subclass that the graph asks for,
 * too, stays as it is. */
static void test_levels(void)
{
    g_auto(Asked) asked = asked_new("", "groups='1' group-size='32'", CHAIN);
    ps_gpu_free(asked.gpu);
    ps_idg_free(asked.idg);
    asked.question.gpu = asked.gpu = ps_gpu_load("tests/levels/gpu.xml", NULL);
    asked.question.idg = asked.idg = ps_idg_load("tests/golden/input/passes.idg", NULL);
    asked.question.launch.groups = 2;
    const double as_is = ask(&asked)->seconds, half = ask_if(&asked, "global.load.completion=x0.5");
    g_assert_cmpfloat(half, <, as_is);
    g_assert_cmpfloat(ask_if(&asked, "global.load.completion=400"), ==, as_is);
    assert_close(row_of(ask_advice(&asked), PS_VARIES_COMPLETION, 0)->seconds[0], half);
    g_autoptr(GPtrArray) twice = ps_what_if_parse("global.load.completion=x2,l1.latency=x2", NULL);
    asked.question.latencies = twice;
    const PsAnswer *answer = ask_advice(&asked);
    g_assert_cmpfloat(answer->seconds, >, as_is);
    assert_close(row_of(answer, PS_VARIES_COMPLETION, 0)->seconds[0],
                 ask_if(&asked, "l1.latency=x2"));
    assert_close(row_of(answer, PS_VARIES_LEVEL_LATENCY, 0)->seconds[0],
                 ask_if(&asked, "global.load.completion=x2"));
}

/* A subclass that the graph asks for, too, stays as it is. */
static void test_subclass(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='4' group-size='32'",
                  "<code><loop times='50'><node name='x' class='global.load' after='y'/>"
                  "<node name='y' class='global.load.wide' after='x'/></loop></code>");
    const PsSensitivity *row = row_of(ask_advice(&asked), PS_VARIES_COMPLETION, 0);
    assert_close(row->seconds[0],
                 ask_if(&asked, "global.load.completion=x0.5,global.load.wide.completion=x2"));
    g_assert_cmpfloat(row->seconds[0], >, ask_if(&asked, "global.load.completion=x0.5"));
}

/* The largest change the wrong way is chance: of a chain there is none, and of products of
 * matrices, whose warps meet otherwise, some. */
static void test_chance(void)
{
    g_auto(Asked) asked = asked_new("", "groups='4' group-size='32'", CHAIN);
    g_assert_cmpfloat(ask_advice(&asked)->sensitivities->chance, ==, 0);
    g_autoptr(PsIdg) idg = ps_idg_load("graphs/mmul16.idg", NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", NULL);
    PsQuestion question = {.idg = idg, .gpu = gpu, .launch = {.groups = 432}};
    PsAnswer *answer = ps_answer_new(&question, NULL, NULL);
    g_assert_true(ps_answer_find_sensitivities(answer, &question, TRUE, 2, NULL));
    const double chance = answer->sensitivities->chance;
    guint wrong = 0, more = 0;
    for (guint i = 0; i < answer->sensitivities->rows->len; i++) {
        const PsSensitivity *row = answer->sensitivities->rows->pdata[i];
        const double change = row->seconds[2] / answer->seconds - 1;
        const gboolean rate =
            row->varies == PS_VARIES_LEVEL_BANDWIDTH || row->varies == PS_VARIES_LEVEL_PORT;
        if (row->varies == PS_VARIES_CLOCK || isnan(change) ||
            (!rate && !ps_varies_of_level(row->varies) && !row->class_name))
            continue;
        wrong += rate ? change > 0 : change < 0;
        more += (rate ? change : -change) > chance;
    }
    g_assert_cmpfloat(chance, >, 0);
    g_assert_cmpfloat(chance, <, 0.05); /* half of the groups is no chance */
    g_assert_cmpuint(wrong, >, 0);
    g_assert_cmpuint(more, ==, 0);
    ps_answer_free(answer);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/sensitivity/latency", test_latency);
    g_test_add_func("/answer/sensitivity/whole", test_whole);
    g_test_add_func("/answer/sensitivity/impossible", test_impossible);
    g_test_add_func("/answer/sensitivity/part", test_part);
    g_test_add_func("/answer/sensitivity/clamp", test_clamp);
    g_test_add_func("/answer/sensitivity/levels", test_levels);
    g_test_add_func("/answer/sensitivity/subclass", test_subclass);
    g_test_add_func("/answer/sensitivity/chance", test_chance);
    return g_test_run();
}
