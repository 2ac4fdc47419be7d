/* SPDX-License-Identifier: BSD-3-Clause */
/* A question by the names of its options: each is set, taken back, and refused where it cannot be.
 */
#include "advice/ask.h"
#include "answer/asked.h"
#include "tests/help/ask.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    PsQuestion *question;
} Fixture;

/* The product is of order 256, which is asked often. */
static void set_up(Fixture *fixture, gconstpointer data)
{
    static const char order[] = "value=\"1024\"", smaller[] = "value=\"256\" ";
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    (void)data;
    g_assert_true(g_file_get_contents("graphs/mmul08.idg", &text, NULL, &error));
    char *at = strstr(text, order);
    g_assert_nonnull(at);
    memcpy(at, smaller, strlen(smaller));
    fixture->idg = ps_idg_parse(text, strlen(text), "graphs/mmul08.idg", &error);
    g_assert_no_error(error);
    fixture->gpu = ps_gpu_load("gpus/pascal.xml", &error);
    g_assert_no_error(error);
    fixture->question = ps_question_new(fixture->idg, fixture->gpu);
}

static void tear_down(Fixture *fixture, gconstpointer data)
{
    (void)data;
    ps_question_free(fixture->question);
    ps_gpu_free(fixture->gpu);
    ps_idg_free(fixture->idg);
}

static void set(Fixture *fixture, const char *option, const char *value)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(ps_question_has(option));
    g_assert_true(ps_question_set(fixture->question, option, value, &error));
    g_assert_no_error(error);
}

static double seconds(Fixture *fixture)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsAnswer) answer = ps_question_ask(fixture->question, 1, &error);
    g_assert_no_error(error);
    return answer->seconds;
}

/* Numbers with a unit are those that they stand for. */
static void test_units(Fixture *fixture, gconstpointer data)
{
    (void)data;
    set(fixture, "groups", "1024");
    set(fixture, "param", "size=1024");
    const double plain = seconds(fixture);
    set(fixture, "groups", NULL);
    set(fixture, "param", NULL);
    g_assert_cmpfloat(seconds(fixture), !=, plain);
    set(fixture, "groups", "1K");
    set(fixture, "param", "size=1K");
    g_assert_cmpfloat(seconds(fixture), ==, plain);
}

/* What an option changes is gone again when it is taken back. */
static void test_options(Fixture *fixture, gconstpointer data)
{
    static const struct {
        const char *option, *value;
        gboolean changes; /* the time */
    } cases[] = {{"param", "size=512", TRUE},    {"groups", "100", TRUE},
                 {"active", "1", TRUE},          {"what-if", "local.load.issue=40", TRUE},
                 {"clock", "1000", TRUE},        {"clamp", "none", FALSE},
                 {"precision", "1%", FALSE},     {"exact", "", FALSE},
                 {"no-fast-forward", "", FALSE}, {"policy", "lrr", TRUE},
                 {"order", "program", TRUE},     {"schedulers", "2", FALSE},
                 {"explain", "", FALSE}};
    const double usual = seconds(fixture);
    (void)data;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        set(fixture, cases[i].option, cases[i].value);
        if (cases[i].changes)
            g_assert_cmpfloat(seconds(fixture), !=, usual);
        set(fixture, cases[i].option, NULL);
        g_assert_cmpfloat(seconds(fixture), ==, usual);
    }
}

static void test_refused(Fixture *fixture, gconstpointer data)
{
    static const struct {
        const char *option, *value, *message;
    } cases[] = {
        {"gropus", "4", "a question has no option 'gropus'"},
        {"groups", "0", "groups: '0' is not a whole number above 0"},
        {"param", "size", "param 'size': write NAME=VALUE with a plain decimal number"},
        {"clock", "-1",
         "clock: '-1' is no clock: say base, boost, or MHz, a decimal number above 0"},
        {"clamp", "roof", "clamp: 'roof' is none of: ceiling roofline none"},
        {"precision", "60%",
         "precision '60%': it must be per cent, above 0% and at most 50%, such as 0.5%"},
        {"schedulers", "0",
         "schedulers: '0' is not a whole number from 1 to 1024; none turns schedulers off"},
        {"budget", "no", "budget: 'no' is no time in seconds, a decimal number above 0"}};
    const double usual = seconds(fixture);
    (void)data;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(ps_question_set(fixture->question, cases[i].option, cases[i].value, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
        g_assert_cmpstr(error->message, ==, cases[i].message);
    }
    g_assert_cmpfloat(seconds(fixture), ==, usual);
}

/* Options of which each is well are refused where they contradict each other. */
static void test_together(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    set(fixture, "published", "");
    set(fixture, "policy", "fifo");
    g_assert_null(ps_question_ask(fixture->question, 1, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    set(fixture, "policy", NULL);
    g_assert_true(seconds(fixture) > 0);
}

/* The precision is the program's unless it is asked to be exact. */
static void test_precision(Fixture *fixture, gconstpointer data)
{
    PsAsked *asked = (PsAsked *)fixture->question;
    (void)data;
    g_assert_true(ps_asked_complete(asked, NULL));
    g_assert_cmpfloat(fixture->question->precision, ==, 0.005);
    set(fixture, "exact", "");
    g_assert_true(ps_asked_complete(asked, NULL));
    g_assert_cmpfloat(fixture->question->precision, ==, 0);
}

static void test_advise(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GError) error = NULL;
    (void)data;
    set(fixture, "advise", "");
    g_autoptr(PsAnswer) answer = ps_question_ask(fixture->question, 2, &error);
    g_assert_no_error(error);
    g_assert_nonnull(answer->explain);
    g_assert_cmpuint(answer->advice->len, >, 0);
}

#define ADD(name, test) g_test_add("/question/" name, Fixture, NULL, set_up, test, tear_down)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("options", test_options);
    ADD("units", test_units);
    ADD("refused", test_refused);
    ADD("together", test_together);
    ADD("precision", test_precision);
    ADD("advise", test_advise);
    return g_test_run();
}
