/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What somebody may have meant: mistakes that people make, and words that are no mistakes of these.
 */
#include "base/nearest.h"

/* names are separated by blanks. */
static void check(const char *written, const char *names, const char *expected)
{
    g_auto(GStrv) list = g_strsplit(names, " ", 0);
    g_autoptr(GPtrArray) array = g_ptr_array_new();
    for (guint i = 0; list[i]; i++)
        g_ptr_array_add(array, list[i]);
    g_autofree char *text = ps_did_you_mean(written, array);
    g_assert_cmpstr(text, ==, expected);
}

static const char VERBS[] = "run sweep compare roofline bench validate profile build show list";
static const char GPUS[] = "fermi gtx660 gtx960 mi100 mi210 mi250 pascal rtx2070 rtx5070 v100";

static void test_near(void)
{
    static const char *const cases[][2] = {
        {"swep", "; did you mean sweep?"},        {"sweeep", "; did you mean sweep?"},
        {"shwo", "; did you mean show?"},         {"rnu", "; did you mean run?"},
        {"buidl", "; did you mean build?"},       {"COMPARE", "; did you mean compare?"},
        {"rooflnie", "; did you mean roofline?"}, {"showy", "; did you mean show?"},
        {"val", "; did you mean validate?"},      {"Comp", "; did you mean compare?"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        check(cases[i][0], VERBS, cases[i][1]);
    check("hsow", VERBS, "; did you mean show?");
    check("pacsal", GPUS, "; did you mean pascal?");
    check("V10", GPUS, "; did you mean v100?");
    check("gtx96", GPUS, "; did you mean gtx960?");
    check("rtx2700", GPUS, "; did you mean rtx2070?");
}

/* A letter may be wrong for each four of a name, and three in the longest. */
static void test_letters(void)
{
    check("axcdefg", "abcdefg", "; did you mean abcdefg?");
    check("axxdefg", "abcdefg", "");
    check("axxxefghijkl", "abcdefghijkl", "; did you mean abcdefghijkl?");
    check("axxxefghijklmnopqrst", "abcdefghijklmnopqrst", "; did you mean abcdefghijklmnopqrst?");
    check("axxxxfghijklmnopqrst", "abcdefghijklmnopqrst", "");
}

/* All that are equally near are said, unless that is no help. */
static void test_several(void)
{
    check("cat", "car cut cow", "; did you mean car or cut?");
    check("cat", "car cut cab", "; did you mean car, cut or cab?");
    check("cat", "car cut cab can", "");
    check("cat", "car car", "; did you mean car?");
    check("mmul", "mmul08-conflict mmul16 mmul08", "; did you mean mmul16 or mmul08?");
    check("mmul1", "mmul11 mmul12-large mmul", "; did you mean mmul11 or mmul?");
}

static void test_far(void)
{
    static const char *const verbs[] = {
        "", "x", "ru", "bunch of words", "rum baba", "simul", "simulate", "kernel", "gpu"};
    static const char *const gpus[] = {"gtx760", "mi300",   "rtx5080",   "v200", "h100",
                                       "a100",   "hopper!", "blackwell", "a",    "mi"};
    for (guint i = 0; i < G_N_ELEMENTS(verbs); i++)
        check(verbs[i], VERBS, "");
    for (guint i = 0; i < G_N_ELEMENTS(gpus); i++)
        check(gpus[i], GPUS, "");
    check("abc", "", "");
    check("gun", VERBS, "");
}

/* What nobody mistyped is not looked at, however long. */
static void test_long(void)
{
    g_autofree char *letters = g_strnfill(64, 'a'), *more = g_strnfill(100000, 'a');
    g_autofree char *expected = g_strdup_printf("; did you mean %s?", letters);
    check(letters, letters, expected);
    check(more, more, "");
    check("aaa", more, "");
}

int main(int argc, char *argv[])
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/nearest/near", test_near);
    g_test_add_func("/nearest/several", test_several);
    g_test_add_func("/nearest/letters", test_letters);
    g_test_add_func("/nearest/far", test_far);
    g_test_add_func("/nearest/long", test_long);
    return g_test_run();
}
