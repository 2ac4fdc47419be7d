/* SPDX-License-Identifier: BSD-3-Clause */
/* Two questions as one document: what it asks of both, and which options it refuses. That the
 * document is the program's is in tests/install.t. */
#include "tell/compare-json.h"

#include "advice/ask.h"
#include "tests/help/ask.h"

#include <string.h>

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    PsQuestion *a, *b;
} Fixture;

static void set_up(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    fixture->idg = ps_idg_load("graphs/mmul08.idg", &error);
    g_assert_no_error(error);
    fixture->gpu = ps_gpu_load("gpus/pascal.xml", &error);
    g_assert_no_error(error);
    fixture->a = ps_question_new(fixture->idg, fixture->gpu);
    fixture->b = ps_question_new(fixture->idg, fixture->gpu);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    (void)data;
    ps_question_free(fixture->a);
    ps_question_free(fixture->b);
    ps_gpu_free(fixture->gpu);
    ps_idg_free(fixture->idg);
}

static void set(PsQuestion *question, const char *option, const char *value)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(ps_question_set(question, option, value, &error));
    g_assert_no_error(error);
}

static char *compare(const Fixture *fixture)
{
    g_autoptr(GError) error = NULL;
    char *text = ps_compare_json(fixture->a, fixture->b, NULL, NULL, &error);
    g_assert_no_error(error);
    return text;
}

static void assert_refused(const Fixture *fixture, int code, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_compare_json(fixture->a, fixture->b, NULL, NULL, &error));
    g_assert_error(error, PS_ERROR, code);
    g_assert_cmpstr(error->message, ==, message);
}

/* An answer of its own is explained more precisely than two beside each other. */
static void test_explain(Fixture *fixture, gconstpointer data)
{
    (void)data;
    set(fixture->b, "active", "4");
    g_autofree char *without = compare(fixture);
    set(fixture->a, "explain", "");
    set(fixture->b, "explain", "");
    g_autofree char *with = compare(fixture);
    g_assert_cmpstr(with, ==, without);
    g_assert_nonnull(strstr(with, "\"by_class\""));
}

/* A question may be compared with itself: nothing differs. */
static void test_itself(Fixture *fixture, gconstpointer data)
{
    (void)data;
    g_autofree char *two = compare(fixture);
    g_autofree char *one = ps_compare_json(fixture->a, fixture->a, NULL, NULL, NULL);
    g_assert_cmpstr(one, ==, two);
}

static void test_refused(Fixture *fixture, gconstpointer data)
{
    static const char *const options[] = {"budget", "sensitivity", "advise"};
    (void)data;
    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        g_autofree char *message =
            g_strdup_printf("B: %s is of one question, and a comparison asks two", options[i]);
        set(fixture->b, options[i], "1");
        assert_refused(fixture, PS_ERROR_USAGE, message);
        set(fixture->b, options[i], NULL);
    }
}

/* Errors of the run say which side's they are. */
static void test_side(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    set(fixture->a, "param", "size=0");
    g_assert_null(ps_compare_json(fixture->a, fixture->b, NULL, NULL, &error));
    g_assert_nonnull(error);
    g_assert_true(g_str_has_prefix(error->message, "A: "));
}

/* A budget that was for an earlier answer, and is over, ends nothing. */
static void test_earlier_budget(Fixture *fixture, gconstpointer data)
{
    (void)data;
    g_autofree char *before = compare(fixture);
    set(fixture->a, "budget", "0.05");
    ps_answer_free(ps_question_ask(fixture->a, 1, NULL));
    set(fixture->a, "budget", NULL);
    g_usleep(G_USEC_PER_SEC / 5);
    g_autofree char *after = compare(fixture);
    g_assert_cmpstr(after, ==, before);
}

#define ADD(name, test) g_test_add("/compare-json/" name, Fixture, NULL, set_up, test, tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("explain", test_explain);
    ADD("itself", test_itself);
    ADD("refused", test_refused);
    ADD("side", test_side);
    ADD("earlier-budget", test_earlier_budget);
    return g_test_run();
}
