/* SPDX-License-Identifier: BSD-3-Clause */
/* Which line made a kernel slower, and what a baseline has to say. */
#include "check/baseline.h"
#include "check/cause.h"

#include <glib/gstdio.h>

/* Where it grew most, in cycles of all lines with that text; of as many, the first. */
static void test_lines(void)
{
    static const struct {
        double before[3], after[3];
        gint64 line; /* 0: none */
    } cases[] = {{{10, 10, 10}, {10, 30, 20}, 2},
                 {{10, 10, 10}, {10, 30, 30}, 2},
                 {{10, 10, 10}, {15, 12, 11}, 1},
                 {{10, 10, 10}, {10, 10, 10}, 0},
                 {{10, 10, 10}, {9, 1, 10}, 0}};
    static const char *const lines[] = {"nowhere/k.cu:1", "nowhere/k.cu:2", "nowhere/k.cu:3"};
    static const char *const texts[] = {"a();", "b();", NULL};
    const PsCheckKernel kernel = {.path = (char *)"nowhere/k.ptx"};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsCheckResult *before = ps_check_result_new("k", "a100", 1),
                      *after = ps_check_result_new("k", "a100", 2);
        g_autofree char *file = NULL;
        gint64 line = 0;
        for (guint l = 0; l < 3; l++) {
            ps_check_result_add(before, lines[l], texts[l], cases[i].before[l]);
            ps_check_result_add(after, lines[l], texts[l], cases[i].after[l]);
        }
        g_autofree char *cause = ps_check_cause(&kernel, before, after, &file, &line);
        g_assert_cmpint(cause ? line : 0, ==, cases[i].line);
        g_assert_cmpstr(file, ==, cases[i].line ? "nowhere/k.cu" : NULL);
        ps_check_result_free(before);
        ps_check_result_free(after);
    }
}

/* A result has a name, a GPU and a time. */
static void test_results(void)
{
    static const struct {
        const char *result;
        gboolean good;
    } cases[] = {{"\"name\": \"k\", \"gpu\": \"a100\", \"seconds\": 1e-6", TRUE},
                 {"\"name\": \"k\", \"gpu\": \"a100\", \"seconds\": 0", FALSE},
                 {"\"name\": \"k\", \"gpu\": \"a100\"", FALSE},
                 {"\"name\": \"k\", \"seconds\": 1", FALSE},
                 {"\"gpu\": \"a100\", \"seconds\": 1", FALSE}};
    g_autofree char *folder = g_dir_make_tmp("pipesim-baseline-XXXXXX", NULL),
                    *path = g_build_filename(folder, "k.json", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf(
            "{\"baseline\": \"" PIPESIM_VERSION "\", \"results\": [{%s}]}", cases[i].result);
        g_autoptr(GError) error = NULL;
        g_assert_true(g_file_set_contents(path, text, -1, NULL));
        g_autoptr(GPtrArray) results = ps_check_baseline_load(path, &error);
        g_assert_true((results != NULL) == cases[i].good);
        if (!cases[i].good)
            g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    }
    g_unlink(path);
    g_rmdir(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/check-cause/lines", test_lines);
    g_test_add_func("/check-cause/results", test_results);
    return g_test_run();
}
