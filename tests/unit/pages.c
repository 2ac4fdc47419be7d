/* SPDX-License-Identifier: BSD-3-Clause */
/* What people read of several answers: the page of a comparison, and charts of kernels. */
#include "advice/kind.h"
#include "latency-bench/validate.h"
#include "tell/comparison-page.h"
#include "tell/reported.h"
#include "tell/roofline-chart.h"
#include "tell/validated-chart.h"
#include "tests/help/ask.h"

#include <string.h>

#define CODE "<code><loop times='9'><node name='x' class='a' after='x'/></loop></code>"

/* ---- a comparison ---------------------------------------------------------------------------- */

/* Both sides stand in the title with what they do not share; the table has both figures. */
static void test_comparison(void)
{
    char *apart[] = {(char *)"--block 64", NULL}, *none[] = {NULL};
    g_auto(Asked) a = asked_new("", "groups='8' group-size='32'", CODE);
    g_auto(Asked) b = asked_new("", "groups='64' group-size='32'", CODE);
    const PsAnswer *answers[] = {ask_why(&a), ask_why(&b)};
    g_autoptr(PsComparison) comparison = ps_comparison_new(answers[0], answers[1]);
    g_autoptr(PsTold) first = ps_reported_answer_told(answers[0], NULL);
    g_autoptr(PsTold) second = ps_reported_answer_told(answers[1], NULL);
    PsVersus versus = {
        .comparison = comparison,
        .sides = {{first, "a.idg", none, NULL, NULL}, {second, "b.idg", apart, "a.issue=2", NULL}}};
    g_autoptr(PsTold) told = ps_comparison_told(comparison, versus.sides);
    g_autoptr(GString) text = g_string_new(NULL);
    const PsPaper paper = {.out = text};
    versus.told = told;
    versus.titled[0] = none;
    versus.titled[1] = apart;
    ps_versus_page(&versus, &paper);
    g_assert_true(g_str_has_prefix(text->str, "A  small of a.idg on Small ("));
    g_assert_nonnull(strstr(text->str, "\nB  small of b.idg on Small ("));
    g_assert_nonnull(strstr(text->str, "), --block 64, what if a.issue=2\n"));
    g_assert_nonnull(strstr(text->str, "B takes "));
    g_assert_nonnull(strstr(text->str, "What the difference is made of"));
    g_assert_null(strstr(text->str, "The machine code of both"));
}

/* ---- a roofline ------------------------------------------------------------------------------ */

/* A kernel of that name that is drawn if it has a rate. */
static PsRooflineKernel *kernel_of(const char *name, double rate)
{
    PsRooflineKernel *kernel = g_new0(PsRooflineKernel, 1);
    const PsRooflineResult result = {.params.O_krn = 1, .rate = rate};
    kernel->kernel = g_new0(PsProfileKernel, 1);
    kernel->kernel->name = (char *)name;
    kernel->results = g_array_new(FALSE, TRUE, sizeof(PsRooflineResult));
    g_array_append_val(kernel->results, result);
    return kernel;
}

static void kernel_clear(gpointer data)
{
    PsRooflineKernel *kernel = data;
    g_free(kernel->kernel);
    g_array_unref(kernel->results);
    g_free(kernel);
}

/* By name, by its number among those that are drawn, or by a pattern that fits one alone. */
static void test_discounted(void)
{
    static const struct {
        const char *which, *why; /* NULL: it is one */
        guint index;
    } cases[] = {{"saxpy", NULL, 2},
                 {"1", NULL, 1},
                 {"2", NULL, 2},
                 {"mm*16", NULL, 1},
                 {"mm*", "2 kernels", 0},
                 {"3", "from 1 to 2", 0},
                 {"saxpi", "did you mean saxpy?", 0}};
    g_autoptr(GPtrArray) kernels = g_ptr_array_new_with_free_func(kernel_clear);
    g_ptr_array_add(kernels, kernel_of("mmul8", 0)); /* which is not drawn */
    g_ptr_array_add(kernels, kernel_of("mmul16", 1));
    g_ptr_array_add(kernels, kernel_of("saxpy", 1));
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint index = 0;
        g_autoptr(GError) error = NULL;
        g_assert_true(ps_roofline_chart_find(kernels, cases[i].which, &index, &error) ==
                      !cases[i].why);
        g_assert_cmpuint(index, ==, cases[i].index);
        if (cases[i].why)
            g_assert_nonnull(strstr(error->message, cases[i].why));
    }
}

/* ---- whole kernels --------------------------------------------------------------------------- */

/* A kernel at two occupancies has a panel, whose rates are sorted by warps; one at one has none. */
static void test_validated(void)
{
    const PsValidationPoint twice = {.kernel = (char *)"twice"}, once = {.kernel = (char *)"once"};
    const PsValidatedPoint points[] = {
        {.point = &twice, .warps = 8, .measured = 1, .simulated = 2, .roofline = 4, .bytes = 8e9},
        {.point = &twice, .warps = 4, .measured = 2, .simulated = 4, .roofline = 8, .bytes = 8e9},
        {.point = &once, .warps = 4, .measured = 1, .simulated = 1, .roofline = 1, .flops = 1e9}};
    PsValidated all = {.points = g_array_new(FALSE, FALSE, sizeof(PsValidatedPoint))};
    double height;
    g_array_append_vals(all.points, points, G_N_ELEMENTS(points));
    g_autofree char *script = ps_validated_chart_script(&all, "title", &height);
    g_assert_nonnull(strstr(script, "twice"));
    g_assert_nonnull(strstr(script, "GB/s"));
    g_assert_null(strstr(script, "once"));
    g_assert_nonnull(strstr(script, "# simulated\n4 2\n8 4\n"));
    g_assert_nonnull(strstr(script, "# roofline\n4 1\n8 2\n"));
    g_array_remove_range(all.points, 0, 2);
    g_assert_null(ps_validated_chart_script(&all, "title", &height));
    g_array_unref(all.points);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pages/comparison", test_comparison);
    g_test_add_func("/pages/discounted", test_discounted);
    g_test_add_func("/pages/validated", test_validated);
    return g_test_run();
}
