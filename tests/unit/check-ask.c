/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel of a list is asked, and what its answer has of lines. */
#include "check/plan.h"
#include "check/result.h"
#include "tests/help/small-gpu.h"

#include <glib/gstdio.h>

static char *in_folder(const char *folder, const char *name, const char *text)
{
    char *path = g_build_filename(folder, name, NULL);
    g_assert_true(!text || g_file_set_contents(path, text, -1, NULL));
    return path;
}

/* The answer to the list's first kernel on a V100. */
static PsCheckResult *ask_of(const char *folder, const char *list)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = in_folder(folder, "kernels.toml", list);
    g_autoptr(PsCheckPlan) plan = ps_check_plan_load(path, &error);
    g_assert_no_error(error);
    g_autoptr(PsGpu) gpu = gpu_load("gpus/v100.xml");
    PsCheckResult *result =
        ps_check_ask(plan->kernels->pdata[0], gpu, "v100", (PsHearer){0}, &error);
    g_assert_no_error(error);
    g_remove(path);
    return result;
}

/* A line's text is known, also of the last one, behind which nothing ends it. */
static void test_last_line(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *source = in_folder(folder, "chain.cu", "one\n  two");
    g_autofree char *graph =
        in_folder(folder, "chain.idg",
                  "<idg xmlns='urn:pipesim:idg:1' version='1' name='chain' file='chain.cu'>"
                  "<launch groups='64' group-size='64'/><code><loop times='200'>"
                  "<node name='x' class='fmadd' after='x' line='2'/></loop></code></idg>");
    PsCheckResult *result = ask_of(folder, "gpus = ['v100']\n[[kernel]]\nfile = 'chain.idg'\n");
    g_assert_cmpuint(result->lines->len, ==, 1);
    g_assert_cmpstr(((const PsCheckLine *)result->lines->pdata[0])->text, ==, "two");
    ps_check_result_free(result);
    g_remove(graph);
    g_remove(source);
    g_rmdir(folder);
}

/* Options that are no code's are asked for with code, too: half the clock takes longer. */
static void test_clock_of_code(void)
{
    g_autofree char *folder = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *here = g_get_current_dir();
    double seconds[2];
    for (guint i = 0; i < 2; i++) {
        g_autofree char *list = g_strdup_printf(
            "gpus = ['v100']\n[[kernel]]\nfile = '%s/tests/corpus/mmul08.ptx'\ngrid = '8x8'\n"
            "block = '8x8'\nregisters = 'none'\nclock = '%u'\narg = ['size=64', 'a=zero:16K', "
            "'b=zero:16K', 'c=zero:16K']\n",
            here, 600 * (i + 1));
        PsCheckResult *result = ask_of(folder, list);
        seconds[i] = result->seconds;
        ps_check_result_free(result);
    }
    g_assert_cmpfloat(seconds[0], >, seconds[1]);
    g_rmdir(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/check-ask/last-line", test_last_line);
    g_test_add_func("/check-ask/clock-of-code", test_clock_of_code);
    return g_test_run();
}
