/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that devices have built in, called by machine code: through a register, which has the
 * address of one of those that the file names. The file has two of them, and a kernel for each; so
 * the run alone knows which one a call means.
 */
#include "ptx/run/run.h"
#include "tests/help/sass.h"

#define THREADS 32

typedef struct {
    guint32 out[THREADS];
    char *warnings, *error; /* NULL: none */
} Ran;

static void ran_clear(Ran *ran)
{
    g_free(ran->warnings);
    g_free(ran->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Ran, ran_clear)

/* One group, in which threads from n on call. */
static void run(Ran *ran, const char *kernel, guint n)
{
    static const PsPtxListener silent;
    const guint group[3] = {0, 0, 0};
    const PsPtxArgument arguments[] = {
        {.name = "out", .data = (guint8 *)ran->out, .size = sizeof ran->out},
        {.name = "n", .bits = n}};
    g_autoptr(GError) error = NULL;
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("outside-75", kernel, &image);
    const PsPtxLaunch launch = {.kernel = code->module->functions->pdata[0],
                                .grid = {1, 1, 1},
                                .block = {THREADS, 1, 1},
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    PsPtxMachine *machine = ps_ptx_machine_new(code->module, &launch, &error);
    g_assert_no_error(error);
    if (!ps_ptx_run_group(machine, group, &silent, &error))
        ran->error = g_strdup(error->message);
    const GPtrArray *warnings = ps_ptx_machine_warnings(machine);
    g_assert_cmpuint(warnings->len, <=, 1);
    if (warnings->len > 0)
        ran->warnings = g_strdup(warnings->pdata[0]);
    ps_ptx_machine_free(machine);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

/* An assertion that holds says nothing, and none says that it were a printf. */
static void test_assertion(void)
{
    g_auto(Ran) good = {{0}, NULL, NULL}, bad = {{0}, NULL, NULL};
    run(&good, "checked", THREADS);
    g_assert_cmpstr(good.error, ==, NULL);
    g_assert_cmpstr(good.warnings, ==, NULL);
    g_assert_cmpuint(good.out[THREADS - 1], ==, THREADS - 1);
    run(&bad, "checked", 5);
    g_assert_nonnull(bad.error);
    g_assert_true(
        g_str_has_suffix(bad.error, "thread (5,0,0) of group (0,0,0) fails an assertion"));
    g_assert_cmpstr(bad.warnings, ==, NULL);
}

/* What it says is told where it is called, once, and its result is 0. */
static void test_printf(void)
{
    g_auto(Ran) none = {{0}, NULL, NULL}, some = {{0}, NULL, NULL};
    run(&none, "printing", THREADS);
    g_assert_cmpstr(none.warnings, ==, NULL);
    g_assert_cmpuint(none.out[7], ==, 7);
    run(&some, "printing", 7);
    g_assert_cmpstr(some.error, ==, NULL);
    g_assert_nonnull(some.warnings);
    g_assert_true(g_str_has_suffix(
        some.warnings, ": printf prints nothing and returns 0, and its time is not in the answer"));
    g_assert_cmpuint(some.out[6], ==, 6);
    g_assert_cmpuint(some.out[7], ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sass-outside/assertion", test_assertion);
    g_test_add_func("/sass-outside/printf", test_printf);
    return g_test_run();
}
